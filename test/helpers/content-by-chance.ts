/** Arbitraries of drafts and batches for property tests. */
import fc, { pick } from './property.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import type { Block, Draft, FieldMeta, Fields, Page, Props, SiteConfig } from '../../plugins/content/model.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { draftOf, pageOf, pagesOf, siteManifest } from './content-fixtures.ts'

const words = [
  'One',
  'Two words',
  '',
  'Überschrift',
  'See [prices](/prices#top).',
  'constructor',
  '<b>bold</b>',
  'Add a photo of us',
]
const addresses =
  '/ /prices /prices?tab=2 /prices/old /prices-2019 /about/team#x https://example.test/prices mailto:a@b.test'.split(
    ' ',
  )
const images = '/prices/cover.png /hero-generated.svg https://example.test/a.png'.split(' ')
const documents = [{ type: 'doc', content: [{ type: 'link', href: '/prices' }] }, [{ _type: 'block' }]]
const stamps = '2026-01-01T00:00:00.000Z 2026-03-02T08:15:00.120Z 2090-01-01T00:00:00.000Z yesterday'.split(
  ' ',
)
const knownSlugs = '/about /about/team /prices /prices/old /prices-2019 /a_b /a-b legacy /ärzte'.split(' ')
const newSlugs = ['/new', 'plain', '/rates/', '/prices', '/', '/bad slug', '', '/a.b', '//double']
const registered = builtinRegistry.types().map(({ type }) => type)
const typeNames = [...registered, ...'TeamWall TeamWall TeamWall Article Article Mystery'.split(' ')]

type PropArbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>

const optional = (values: PropArbitraries): fc.Arbitrary<Props> => fc.record(values, { requiredKeys: [] })
const rarely = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>, chance = 12) =>
  fc.oneof({ weight: chance, arbitrary: usual }, { weight: 1, arbitrary: odd })
const json = fc.jsonValue({ maxDepth: 2 })
const typeOf = (type: string) => siteManifest.get(type) ?? builtinRegistry.get(type)

// Values, rows and blocks --------------------------------------------------------------------------------------------

/** A value of a field; rarely of a wrong kind, or null. */
function valueOf(meta: FieldMeta): fc.Arbitrary<unknown> {
  return rarely(rightValueOf(meta), fc.oneof(json, fc.constant(null)))
}

function rightValueOf(meta: FieldMeta): fc.Arbitrary<unknown> {
  switch (meta.kind) {
    case 'html':
      return pick('<p>Hi</p>', '<a href="/prices">p</a><script>x()</script>', ...words)
    case 'richtext':
      return rarely(pick(...words), pick<unknown>(...documents), 4)
    case 'link':
      return pick<unknown>('/prices', { href: '/prices', label: '/prices' })
    case 'reference':
      return fc.record({ ref: pick('hq-1', 'hq-2', 'made-up') })
    case 'stringList':
      return fc.array(pick(...words), { maxLength: 3 })
    case 'list':
    case 'imageList':
      return fc.oneof(fc.array(rowOf(meta), { maxLength: 4 }), fc.array(pick(...images), { maxLength: 2 }))
    case 'url':
      return pick(...addresses)
    case 'image':
      return pick(...images)
    case 'enum':
      return pick(...(meta.options ?? ['x']))
    case 'number':
      return fc.integer({ min: 0, max: 9000 })
    case 'color':
      return pick('#0f766e', 'red')
    case 'headingLevel':
      return pick('h1', 'h3', 'h9')
    default:
      return pick(...words)
  }
}

function objectOf(fields: Fields): fc.Arbitrary<Props> {
  const values = Object.fromEntries(Object.entries(fields).map(([name, meta]) => [name, valueOf(meta)]))
  return fc.record(values, { requiredKeys: Object.keys(fields).filter((name) => fields[name]?.required) })
}

/** A row as a client might send it: with or without a key, of a declared, unknown or missing branch. */
export function rowOf(meta: FieldMeta): fc.Arbitrary<Props> {
  const keys = pick<Props>(
    { id: 'own-1' },
    { _key: 'k1' },
    { id: 7 },
    { id: 'itm_aaaaaaaaaa' },
    { id: '' },
    { extra: { deep: ['kept'] } },
  )
  return fc.tuple(fieldsOf(meta), rarely(fc.constant({}), keys, 2)).map(([row, key]) => ({ ...row, ...key }))
}

function fieldsOf({ itemFields = {}, itemFieldsByType = {}, discriminator }: FieldMeta): fc.Arbitrary<Props> {
  if (discriminator === undefined) return objectOf(itemFields)
  const branches = Object.entries(itemFieldsByType).map(([branch, fields]) =>
    objectOf({ ...itemFields, ...fields }).map((row) => ({ ...row, [discriminator]: branch })),
  )
  return fc.oneof(
    ...branches,
    objectOf(itemFields).map((row) => ({ ...row, [discriminator]: 'robot' })),
    objectOf(itemFields),
  )
}

function propsOf(type: string): fc.Arbitrary<Props> {
  const known = typeOf(type)
  if (!known) {
    const nested = fc.constant({ list: [{ id: 'itm_zzzzzzzzzz', x: 1 }] })
    return fc.record({ text: pick(...words), href: pick(...addresses), nested })
  }
  const unheardOf = pick<Props>({}, {}, { unheardOf: { deep: [1, { id: 'kept' }] } })
  return fc
    .tuple(rarely(objectOf(known.fields), fc.constant({}), 1), unheardOf)
    .map(([some, more]) => ({ ...known.starter(), ...some, ...more }))
}

/** A block of any type; a `?` in the id stands for the type. */
function blockOf(id: string): fc.Arbitrary<Block> {
  return pick(...typeNames).chain((type) =>
    fc
      .tuple(propsOf(type), pick<Props>({}, {}, { note: { deep: true } }))
      .map(([props, more]) => ({ id: id.replace('?', type.toLowerCase()), type, props, ...more })),
  )
}

// Drafts -------------------------------------------------------------------------------------------------------------

const labels = fc.dictionary(pick('/prices', '/about', '/gone'), pick(...words), { noNullPrototype: true })
const groups = fc.dictionary(pick('More', 'Shop'), fc.subarray(['/prices', '/about', '/gone']), {
  noNullPrototype: true,
})
const configs: fc.Arbitrary<SiteConfig> = optional({
  name: pick('Nord'),
  navLabels: labels,
  navGroups: groups,
  tone: pick('calm'),
  previewUrl: pick('http://localhost:3000'),
})

/** Drafts of one to six pages with blocks of every kind: built-in, pinned, declared by the site, unknown. */
export const drafts: fc.Arbitrary<Draft> = fc
  .tuple(
    rarely(fc.constant(['/']), fc.constant([]), 8),
    fc.shuffledSubarray(knownSlugs, { minLength: 1, maxLength: 5 }),
    fc.boolean(),
  )
  .chain(([home, others, homeFirst]) => {
    const slugs = homeFirst ? [...home, ...others] : [...others, ...home]
    return fc.tuple(fc.tuple(...slugs.map(pageFor)), configs)
  })
  .map(([pages, config]) => draftOf(pages, config))

function pageFor(slug: string, place: number): fc.Arbitrary<Page> {
  const ids = [
    `b_?_${place}1`,
    `b_?_${place}2`,
    `b_?_${place}3`,
    `b_?_${place}4`,
    'b_shared',
    `b_?_${place}1_copy`,
  ]
  const blocks = fc.subarray(ids, { maxLength: 4 }).chain((some) => fc.tuple(...some.map(blockOf)))
  const meta = optional({ title: pick('Title'), description: pick(...words), robots: pick('noindex') })
  const more = fc.record(
    { updatedAt: pick(...stamps), meta, theme: pick({ dark: true }) },
    { requiredKeys: ['updatedAt'] },
  )
  const known = { registry: builtinRegistry, manifest: siteManifest }
  return fc.tuple(blocks, more).map(([found, rest]) => ingestPage(pageOf(slug, found, rest), known))
}

// Batches ------------------------------------------------------------------------------------------------------------

/** The operations of a batch on a draft, as JSON from a client; most of them can be applied. */
export function batchFor(
  draft: Draft,
  { maxLength = 4 }: { readonly maxLength?: number } = {},
): fc.Arbitrary<unknown[]> {
  return fc.array(operationFor(draft), { minLength: 1, maxLength })
}

/** One operation on a draft; about one in ten is invalid. */
export function operationFor(draft: Draft): fc.Arbitrary<Props> {
  const slug = rarely(pick(...draft.order), pick('/nowhere', ...newSlugs), 20)
  const onPages = pageOperations(slug)
  const blocks = pagesOf(draft).flatMap((page) => page.blocks.map((block) => ({ page, block })))
  if (blocks.length === 0) return onPages
  const onBlocks = pick(...blocks).chain(({ page, block }) => blockOperations(page, block, slug))
  return fc.oneof({ weight: 1, arbitrary: onPages }, { weight: 2, arbitrary: onBlocks })
}

function pageOperations(pageSlug: fc.Arbitrary<string>): fc.Arbitrary<Props> {
  const newPageSlug = pick(...newSlugs)
  const newTitle = pick('A title', '  spaced  ')
  const at = fc.record({ pageSlug })
  const page = fc.record(
    {
      slug: newPageSlug,
      title: pick('New page', ''),
      blocks: fc.array(blockOf('b_?_page'), { maxLength: 2 }),
      updatedAt: pick('2099-01-01T00:00:00.000Z'),
    },
    { requiredKeys: ['slug'] },
  )
  const meta = optional({ title: pick(...words), description: pick(...words), other: json })
  const config = optional({ name: pick('Süd'), navLabels: labels, navGroups: groups, tone: pick('loud') })
  const block = fc.oneof(blockOf('b_?_new_n1'), blockOf('b_?_new_n2'), blockOf('b_shared'))
  return fc.oneof(
    operation('create_page', fc.record({ page })),
    operation('rename_page', at, optional({ newPageSlug, newTitle })),
    operation('remove_page', at),
    operation('move_page', at, optional({ afterPageSlug: pageSlug })),
    operation('duplicate_page', at, optional({ newPageSlug, newTitle, afterPageSlug: pageSlug })),
    operation('update_page_meta', at, fc.record({ patch: meta })),
    operation('update_site_config', fc.record({ patch: config })),
    operation('add_block', at, fc.record({ block })),
    operation('add_block', at, fc.record({ block })),
  )
}

function blockOperations(page: Page, block: Block, otherSlug: fc.Arbitrary<string>): fc.Arbitrary<Props> {
  const here = { pageSlug: page.slug, blockId: block.id }
  const wrongIds = ['b_gone', `${block.id}_copy`, `b_${block.type.toLowerCase()}_zz`]
  const at = rarely(fc.constant(here), pick(...wrongIds.map((blockId) => ({ ...here, blockId }))), 15)
  const afterBlockId = rarely(pick(...page.blocks.map(({ id }) => id)), fc.constant('b_gone'), 10)
  const newBlockId = pick('b_dup', 'b_shared', block.id)
  const patch = fc.record({ patch: patchOf(typeOf(block.type)?.fields ?? {}, block.props) })
  const lists = Object.entries(block.props).filter(([, value]) => Array.isArray(value))
  return fc.oneof(
    operation('update_props', at, patch),
    operation('update_props', at, patch),
    operation('remove_block', at),
    operation('move_block', at, optional({ afterBlockId })),
    operation('duplicate_block', at, optional({ toPageSlug: otherSlug, newBlockId })),
    ...lists.flatMap(([listKey, rows]) =>
      rowOperations(block, listKey, Array.isArray(rows) ? rows.length : 0, at),
    ),
  )
}

function rowOperations(
  { type }: Block,
  listKey: string,
  length: number,
  at: fc.Arbitrary<Props>,
): readonly fc.Arbitrary<Props>[] {
  const meta = typeOf(type)?.fields[listKey] ?? { kind: 'list' }
  const index = rarely(fc.nat({ max: Math.max(0, length - 1) }), fc.constant(9))
  const list = fc.record({ listKey: rarely(fc.constant(listKey), fc.constant('toString'), 20) })
  return [
    operation('add_item', at, list, fc.record({ item: rowOf(meta) }), optional({ afterIndex: index })),
    operation('update_item', at, list, fc.record({ index, patch: rowOf(meta) })),
    operation('remove_item', at, list, fc.record({ index })),
    operation('move_item', at, list, fc.record({ index }), optional({ afterIndex: index })),
  ]
}

function operation(op: string, ...parts: readonly fc.Arbitrary<Props>[]): fc.Arbitrary<Props> {
  return fc.tuple(...parts).map((some) => Object.assign({ op }, ...some))
}

/** A patch of some declared props: new values, the present values, reordered lists. */
function patchOf(fields: Fields, stored: Props): fc.Arbitrary<Props> {
  const names = [
    ...new Set([
      ...Object.keys(fields),
      ...Object.keys(stored).filter(() => Object.keys(fields).length === 0),
    ]),
  ]
  const known = fc
    .subarray(names, { maxLength: 3 })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.map((name) => [name, newValueOf(fields[name] ?? { kind: 'text' }, stored[name])]),
        ),
      ),
    )
  return fc
    .tuple(known, rarely(fc.constant({}), fc.constant({ noSuchProp: 1 }), 20))
    .map(([some, unknown]) => ({ ...some, ...unknown }))
}

function newValueOf(meta: FieldMeta, stored: unknown): fc.Arbitrary<unknown> {
  if (stored === undefined) return valueOf(meta)
  const same = fc.constant(stored)
  return Array.isArray(stored)
    ? fc.oneof(fc.shuffledSubarray(stored), same, valueOf(meta))
    : fc.oneof(same, valueOf(meta))
}
