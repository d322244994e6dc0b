import type { Page } from '../model.ts'

export const faq: Page = {
  id: 'p_faq',
  slug: '/faq',
  title: 'FAQ',
  updatedAt: '2026-01-01T09:00:00.000Z',
  meta: {
    title: 'Questions – Fern & Spoke',
    description: 'Opening hours, waiting times, guarantees and everything else that riders ask us.',
  },
  blocks: [
    {
      id: 'b_faqaccordion_faq',
      type: 'FAQAccordion',
      props: {
        title: 'What riders ask us',
        items: [
          {
            q: 'Do I need an appointment?',
            a: 'For quick fixes, no: come by and wait. For check-ups please [choose a size](/pricing) and call ahead.',
          },
          {
            q: 'How long will it take?',
            a: 'Most repairs are done **by the next afternoon**. If a part has to be ordered, we tell you before you leave the bike.',
          },
          {
            q: 'Is there a guarantee?',
            a: 'Two years on our work, and the maker’s guarantee on parts. Bring the bike, not the receipt: we keep records.',
          },
          {
            q: 'Do you repair e-bikes?',
            a: 'Yes, Bosch and Shimano systems in full. For other drives we look after everything but the motor.',
          },
          {
            q: 'Can I borrow a bike meanwhile?',
            a: 'If yours stays overnight, usually yes. It is free with the commuter plan and € 8 a day otherwise.',
          },
        ],
      },
    },
    {
      id: 'b_cta_faq',
      type: 'CTA',
      props: {
        title: 'Your question is not here?',
        description: 'Ask at the counter, Tuesday to Saturday from nine to six.',
        ctaText: 'Find the workshop',
        ctaHref: '/about',
      },
    },
  ],
}
