import type { SiteInput } from './lookup.ts'

/** Patterns for loosely spelled block types; the first match decides. The word quote means testimonials. */
const fragments: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['Hero', /hero/],
  ['FeatureGrid', /feature ?grid|features|fetures|featurs/],
  [
    'Testimonials',
    /testimonial|testimonal|testomonial|social proof|review|^(?!.*blockquote).*(?<![a-z])quotes?(?![a-z])/s,
  ],
  ['FAQAccordion', /faq/],
  ['TwoColumn', /two ?column|2 column/],
  ['Stats', /stats|statistics|metrics|numbers/],
  ['CTA', /cta|call[- ]to[- ]action/],
  ['CardGrid', /card ?grid|pricing/],
  ['Card', /card/],
  ['RichText', /rich[ -]?text|prose|text block|paragraph|copy/],
  ['FeatureGrid', /benefit|advantage/],
  ['Carousel', /carousel|slideshow|slider/],
  ['Gallery', /gallery|image grid/],
  ['Tabs', /tabs|tabbed/],
  ['Table', /table/],
  ['Quote', /blockquote/],
  ['Video', /video/],
  ['Embed', /embed|iframe|map/],
  ['Banner', /banner|announcement/],
]

/** Whether a text has a loosely spelled name of a block type. */
export const hasNameOf = (type: string, text: string): boolean =>
  fragments.some(([named, pattern]) => named === type && pattern.test(text))

/**
 * Resolves a loosely spelled block type: a type of the site first, then a built-in one, in any case; then by
 * `fragments`. An unknown name stays as it is, and is refused later.
 */
export function typeName(
  name: string,
  { registry, manifest }: Pick<SiteInput, 'registry' | 'manifest'>,
): string {
  const lower = name.trim().toLowerCase()
  const declared = [...(manifest?.types() ?? []), ...registry.types()].map(({ type }) => type)
  const meant = fragments.find(([, pattern]) => pattern.test(lower))?.[0]
  const exact =
    declared.find((type) => type === name) ?? declared.find((type) => type.toLowerCase() === lower)
  return exact ?? declared.find((type) => type === meant) ?? name
}
