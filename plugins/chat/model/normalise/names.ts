import type { Manifest, Registry } from '../../../content/model.ts'
import { operations, type OperationName } from '../../../content/operations/index.ts'

/** Other names that models give to operations, in small letters. */
const aliases: Readonly<Record<OperationName, string>> = {
  create_page: 'create createpage',
  add_block: 'add insert append addblock insert_block insertblock append_block',
  update_props: 'update edit updateprops update_block updateblock edit_block editblock change change_props',
  remove_block: 'remove delete removeblock delete_block deleteblock',
  move_block: 'move reorder moveblock reorder_block reorderblock',
  duplicate_block: 'duplicate copy clone duplicateblock copy_block copyblock clone_block cloneblock',
  add_item: 'additem insert_item insertitem append_item appenditem',
  update_item: 'updateitem edit_item edititem',
  remove_item: 'removeitem delete_item deleteitem',
  move_item: 'moveitem reorder_item reorderitem',
  rename_page: 'rename renamepage',
  remove_page: 'removepage delete_page deletepage',
  move_page: 'movepage reorder_page reorderpage',
  duplicate_page: 'duplicatepage copy_page copypage clone_page clonepage',
  update_page_meta: 'updatepagemeta',
  update_site_config: 'updatesiteconfig',
}

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([name, others]) => [name, ...others.split(' ')].map((other) => [other, name])),
)

/** The operation that a name means; `undefined` for one that means none. */
export function operationName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const folded = name.trim().toLowerCase().replaceAll(/[\s-]+/g, '_')
  return operations.has(folded) ? folded : byName.get(folded)
}

/** Fragments of a type in a loose spelling, in order: the first that occurs decides. */
const fragments: readonly (readonly [fragments: readonly string[], type: string])[] = [
  [['hero'], 'Hero'],
  [['featuregrid', 'feature grid', 'features', 'fetures', 'featurs'], 'FeatureGrid'],
  [['testimonial', 'testimonal', 'testomonial', 'social proof', 'review'], 'Testimonials'],
  [['faq'], 'FAQAccordion'],
  [['twocolumn', 'two column', '2 column'], 'TwoColumn'],
  [['stats', 'statistics', 'metrics', 'numbers'], 'Stats'],
  [['cta', 'call-to-action', 'call to action'], 'CTA'],
  [['cardgrid', 'card grid', 'pricing'], 'CardGrid'],
  [['card'], 'Card'],
  [['richtext', 'rich text', 'rich-text', 'prose', 'text block', 'paragraph', 'copy'], 'RichText'],
  [['benefit', 'advantage'], 'FeatureGrid'],
  [['carousel', 'slideshow', 'slider'], 'Carousel'],
  [['gallery', 'image grid'], 'Gallery'],
  [['tabs', 'tabbed'], 'Tabs'],
  [['table'], 'Table'],
  [['blockquote'], 'Quote'],
  [['video'], 'Video'],
  [['embed', 'iframe', 'map'], 'Embed'],
  [['banner', 'announcement'], 'Banner'],
]

/**
 * The block type that a loose spelling means: a type of the site first, then one that is built in, whatever their case;
 * then by fragments. What means none stays as it is, and is refused later.
 */
export function typeName(name: string, { registry, manifest }: { readonly registry: Registry; readonly manifest?: Manifest | undefined }): string {
  const lower = name.trim().toLowerCase()
  const known = [...(manifest?.types() ?? []), ...registry.types()].map(({ type }) => type)
  const exact = known.find((type) => type === name) ?? known.find((type) => type.toLowerCase() === lower)
  if (exact !== undefined) return exact
  // The word quote means testimonials, unless it is a block quote.
  const isQuote = /(?:^|[^a-z])quotes?(?:$|[^a-z])/.test(lower)
  const says = (fragment: string): boolean => lower.includes(fragment)
  const type = fragments.find(([some, type]) => some.some(says) || (type === 'Testimonials' && isQuote && !says('blockquote')))?.[1]
  return type !== undefined && known.includes(type) ? type : name
}
