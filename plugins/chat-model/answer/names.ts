import { operations } from '../../content/operations/index.ts'
import type { SiteInput } from '../lookup.ts'

/** What models say for the verb of an operation. */
const verbs: Readonly<Record<string, string>> = {
  insert: 'add', append: 'add', edit: 'update', change: 'update', delete: 'remove', reorder: 'move', copy: 'duplicate', clone: 'duplicate',
}
const short: Readonly<Record<string, string>> = { create: 'create_page', rename: 'rename_page', updateblock: 'update_props' }
/** Keys that models give to the name of an operation. */
export const nameKeys = ['op', 'operation', 'action', 'kind']
const flat = (name: string): string => name.trim().toLowerCase().replaceAll(/[\s_-]+/g, '')
const byFlatName: ReadonlyMap<string, string> = new Map([...[...operations.keys()].map((name) => [flat(name), name] as const), ...Object.entries(short)])
const loose = /^(add|insert|append|update|edit|change|remove|delete|move|reorder|duplicate|copy|clone)(block|props|item|page)?$/

/** The operation that a name means, whatever its spelling; `undefined` for one that means none. */
export function operationName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const wanted = flat(name)
  const [, verb = '', noun = 'block'] = loose.exec(wanted) ?? []
  return byFlatName.get(wanted) ?? byFlatName.get(`${verbs[verb] ?? verb}${noun}`)
}

/** Fragments of a type in a loose spelling, in order: the first that occurs decides. */
const fragments: readonly (readonly [type: string, fragments: string])[] = [
  ['Hero', 'hero'],
  ['FeatureGrid', 'featuregrid, feature grid, features, fetures, featurs'],
  ['Testimonials', 'testimonial, testimonal, testomonial, social proof, review'],
  ['FAQAccordion', 'faq'],
  ['TwoColumn', 'twocolumn, two column, 2 column'],
  ['Stats', 'stats, statistics, metrics, numbers'],
  ['CTA', 'cta, call-to-action, call to action'],
  ['CardGrid', 'cardgrid, card grid, pricing'],
  ['Card', 'card'],
  ['RichText', 'richtext, rich text, rich-text, prose, text block, paragraph, copy'],
  ['FeatureGrid', 'benefit, advantage'],
  ['Carousel', 'carousel, slideshow, slider'],
  ['Gallery', 'gallery, image grid'],
  ['Tabs', 'tabs, tabbed'],
  ['Table', 'table'],
  ['Quote', 'blockquote'],
  ['Video', 'video'],
  ['Embed', 'embed, iframe, map'],
  ['Banner', 'banner, announcement'],
]

/**
 * The block type that a loose spelling means: a type of the site first, then one that is built in, whatever their case;
 * then by fragments. What means none stays as it is, and is refused later.
 */
export function typeName(name: string, { registry, manifest }: Pick<SiteInput, 'registry' | 'manifest'>): string {
  const lower = name.trim().toLowerCase()
  const known = [...(manifest?.types() ?? []), ...registry.types()].map(({ type }) => type)
  const exact = known.find((type) => type === name) ?? known.find((type) => type.toLowerCase() === lower)
  if (exact !== undefined) return exact
  // The word quote means testimonials, unless it is a block quote.
  const isQuote = /(?:^|[^a-z])quotes?(?:$|[^a-z])/.test(lower) && !lower.includes('blockquote')
  const says = ([type, some]: (typeof fragments)[number]): boolean =>
    some.split(', ').some((fragment) => lower.includes(fragment)) || (type === 'Testimonials' && isQuote)
  const type = fragments.find(says)?.[0]
  return type !== undefined && known.includes(type) ? type : name
}
