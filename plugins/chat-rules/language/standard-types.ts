/** Sections that most pages have. */
export const standardTypes: readonly string[] = ['Hero', 'FAQAccordion', 'Testimonials', 'CTA', 'Stats']
