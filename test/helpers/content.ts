/** Drafts and batches for the tests of whatever works on content: by hand, and by chance. */
import fc from 'fast-check'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { generateManifest, parseManifest } from '../../plugins/content/manifest.ts'
import type { Block, Draft, DraftChange, FieldMeta, Fields, Manifest, Page, Props, Reads, SiteConfig } from '../../plugins/content/model.ts'
import type { PageChange } from '../../plugins/content/model.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'

/** A block type with a polymorphic list, a reference in a row, a reference beside it and an internal prop. */
export const teamWall = {
  type: 'TeamWall',
  displayName: 'Team wall',
  propsSchema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      office: {},
      _rev: { type: 'string' },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: { kind: { type: 'string' }, name: { type: 'string' }, text: { type: 'string' }, profile: {} },
        },
      },
    },
    required: ['title'],
  },
  defaultProps: { title: 'Who we are', rows: [] },
  fields: {
    title: { kind: 'text', label: 'Title', required: true, localized: true },
    office: { kind: 'reference', label: 'Office', referenceLabelKey: 'name', panelOnly: true },
    _rev: { kind: 'text', internal: true },
    rows: {
      kind: 'list',
      label: 'Wall',
      itemFields: { kind: { kind: 'text', label: 'Row type', required: true } },
      discriminator: 'kind',
      itemFieldsByType: {
        person: { name: { kind: 'text', label: 'Name' }, profile: { kind: 'reference', label: 'Profile' } },
        note: { text: { kind: 'text', label: 'Text', multiline: true } },
      },
    },
  },
}

/** A block type with the kinds that no built-in has, a list inside a list, a list whose ids its author gives, and limits. */
export const article = {
  type: 'Article',
  displayName: 'Article',
  propsSchema: {
    type: 'object',
    properties: {
      heading: { type: 'string', minLength: 1, maxLength: 60 },
      body: {},
      teaser: { type: 'string' },
      more: { type: 'object' },
      tone: { type: ['string', 'null'] },
      photos: { type: 'array', items: { type: 'string' } },
      sources: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' }, url: { type: 'string' } }, additionalProperties: false },
      },
      chapters: {
        type: 'array',
        maxItems: 4,
        items: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            notes: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' }, source: {} } } },
          },
        },
      },
    },
    required: ['heading'],
  },
  fields: {
    heading: { kind: 'text', required: true },
    body: { kind: 'richtext' },
    teaser: { kind: 'html' },
    more: { kind: 'link' },
    tone: { kind: 'text' },
    photos: { kind: 'imageList' },
    sources: { kind: 'list', itemFields: { id: { kind: 'text' }, url: { kind: 'url' } } },
    chapters: {
      kind: 'list',
      itemFields: {
        title: { kind: 'text' },
        notes: { kind: 'list', itemFields: { text: { kind: 'text' }, source: { kind: 'reference' } } },
      },
    },
  },
}

/** A manifest with the built-in types as they are generated, and the two above. */
export const siteManifest: Manifest = manifestOf([...generateManifest(builtinRegistry).blocks, teamWall, article])

/** Reads a manifest from its entries. */
export function manifestOf(blocks: readonly unknown[]): Manifest {
  const verdict = parseManifest({ version: 1, blocks }, builtinRegistry)
  if (!verdict.ok) throw new Error(`${verdict.path}: ${verdict.problem}`)
  if (!verdict.manifest) throw new Error('a manifest without blocks is none')
  return verdict.manifest
}

/** A page around some blocks; what is left out follows from the slug. */
export function pageOf(slug: string, blocks: readonly Block[] = [], more: Partial<Page> = {}): Page {
  const id = slug === '/' ? 'p_home' : `p_${slug.slice(1).replaceAll(/\W+/g, '_')}`
  return { id, slug, title: slug === '/' ? 'Home' : slug.slice(1), updatedAt: '2026-01-01T00:00:00.000Z', blocks, ...more }
}

/** A draft with these pages in this order. */
export function draftOf(pages: readonly Page[], config: SiteConfig = {}): Draft {
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  const ids = new Set(pages.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  return { order: [...bySlug.keys()], page: (slug) => bySlug.get(slug), config, hasBlockId: (id) => ids.has(id) }
}

/** The same draft, which throws where it is asked for more than was announced. */
export function guarded(draft: Draft, reads: Reads): Draft {
  const refuse = (what: string): never => {
    throw new Error(`${what} was read without being announced`)
  }
  return {
    get order() {
      return reads.order ? draft.order : refuse('the order')
    },
    page: (slug) => (reads.pages === 'all' || reads.pages.has(slug) ? draft.page(slug) : refuse(`page ${slug}`)),
    get config() {
      return reads.config ? draft.config : refuse('the site config')
    },
    hasBlockId: (id) => (reads.blockIds ? draft.hasBlockId(id) : refuse('a block id')),
  }
}

/** The pages of a draft, in stored order. */
export function pagesOf(draft: Draft): readonly Page[] {
  return draft.order.map((slug) => draft.page(slug)).filter((page) => page !== undefined)
}

/** The draft after a change. Like a draft that is stored, it never makes an id twice. */
export function changed(draft: Draft, { pages, order = draft.order, config = draft.config }: DraftChange): Draft {
  const now = order.map((slug) => (pages.has(slug) ? pages.get(slug)?.after : draft.page(slug))).filter((page) => page !== undefined)
  const after = draftOf(now, config)
  return { ...after, hasBlockId: (id) => after.hasBlockId(id) || draft.hasBlockId(id) }
}

/** What a draft holds, for comparison; without stamps, which every change sets anew. */
export function contentOf(draft: Draft): unknown {
  const pages = pagesOf(draft).map(({ updatedAt: _stamp, ...page }) => page)
  return structuredClone({ pages, config: draft.config })
}

/** What a change did to one page. */
export function changeOf({ pages }: DraftChange, slug: string): PageChange {
  return pages.get(slug) ?? { before: undefined, after: undefined }
}

// By chance --------------------------------------------------------------------------------------------------------

const words = ['One', 'Two words', '', 'Überschrift', 'See [prices](/prices#top).', 'constructor', '<b>bold</b>', 'Add a photo of us']
const addresses = ['/', '/prices', '/prices?tab=2', '/prices/old', '/prices-2019', '/about/team#x', 'https://example.test/prices', 'mailto:a@b.test']
const images = ['/prices/cover.png', '/hero-generated.svg', 'https://example.test/a.png']
const stamps = ['2026-01-01T00:00:00.000Z', '2026-03-02T08:15:00.120Z', '2090-01-01T00:00:00.000Z', 'yesterday']
const knownSlugs = ['/about', '/about/team', '/prices', '/prices/old', '/prices-2019', '/a_b', '/a-b', 'legacy', '/ärzte']
const newSlugs = ['/new', 'plain', '/rates/', '/prices', '/', '/bad slug', '', '/a.b', '//double']

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const rarely = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>, chance = 12) =>
  fc.oneof({ weight: chance, arbitrary: usual }, { weight: 1, arbitrary: odd })
const json = fc.jsonValue({ maxDepth: 2 })
const reference = fc.record({ ref: pick('hq-1', 'hq-2', 'made-up') })

/** A value of a field, now and then of another kind or none at all. */
function valueOf(meta: FieldMeta): fc.Arbitrary<unknown> {
  return rarely(rightValueOf(meta), fc.oneof(json, fc.constant(null)))
}

function rightValueOf(meta: FieldMeta): fc.Arbitrary<unknown> {
  switch (meta.kind) {
    case 'html': return pick('<p>Hi</p>', '<a href="/prices">p</a><script>x()</script>', ...words)
    case 'richtext': return rarely(pick(...words), pick({ type: 'doc', content: [{ type: 'link', href: '/prices' }] }, [{ _type: 'block' }]), 4)
    case 'link': return pick<unknown>('/prices', { href: '/prices', label: '/prices' })
    case 'reference': return reference
    case 'stringList': return fc.array(pick(...words), { maxLength: 3 })
    case 'list':
    case 'imageList': return fc.oneof(fc.array(rowOf(meta), { maxLength: 4 }), fc.array(pick(...images), { maxLength: 2 }))
    case 'url': return pick(...addresses)
    case 'image': return pick(...images)
    case 'enum': return pick(...(meta.options ?? ['x']), ...(meta.options ?? []))
    case 'number': return fc.integer({ min: 0, max: 9000 })
    case 'color': return pick('#0f766e', 'red')
    case 'headingLevel': return pick('h1', 'h3', 'h9')
    default: return pick(...words)
  }
}

function objectOf(fields: Fields, required: readonly string[] = []): fc.Arbitrary<Props> {
  const values = Object.fromEntries(Object.entries(fields).map(([name, meta]) => [name, valueOf(meta)]))
  const requiredKeys = Object.entries(fields).filter(([name, meta]) => meta.required || required.includes(name)).map(([name]) => name)
  return fc.record(values, { requiredKeys })
}

/** A row as a client might send it: with a key or without, of a branch that is declared, made up or left out. */
export function rowOf(meta: FieldMeta): fc.Arbitrary<Props> {
  const branches = Object.entries(meta.itemFieldsByType ?? {})
  const common = objectOf(meta.itemFields ?? {})
  const { discriminator } = meta
  const plain = discriminator === undefined ? common : fc.oneof(
    ...branches.map(([branch, fields]) => objectOf({ ...meta.itemFields, ...fields }).map((row) => ({ ...row, [discriminator]: branch }))),
    common.map((row) => ({ ...row, [discriminator]: 'robot' })),
    ...(branches.length > 0 ? [] : [common]),
  )
  const key = fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, {
    weight: 2,
    arbitrary: pick<Props>({ id: 'own-1' }, { _key: 'k1' }, { id: 7 }, { id: 'itm_aaaaaaaaaa' }, { id: '' }, { extra: { deep: ['kept'] } }),
  })
  return fc.tuple(plain, key).map(([row, more]) => ({ ...row, ...more }))
}

const typeNames = [...builtinRegistry.types().map(({ type }) => type), 'TeamWall', 'TeamWall', 'TeamWall', 'Article', 'Article', 'Mystery']
const typeOf = (type: string) => siteManifest.get(type) ?? builtinRegistry.get(type)

function propsOf(type: string): fc.Arbitrary<Props> {
  const known = typeOf(type)
  if (!known) return fc.record({ text: pick(...words), href: pick(...addresses), nested: fc.constant({ list: [{ id: 'itm_zzzzzzzzzz', x: 1 }] }) })
  return fc.tuple(objectOf(known.fields), pick<Props>({}, {}, { unheardOf: { deep: [1, { id: 'kept' }] } }), fc.boolean())
    .map(([some, more, all]) => ({ ...known.starter(), ...(all ? some : {}), ...more }))
}

function blockOf(id: string): fc.Arbitrary<Block> {
  return pick(...typeNames).chain((type) => fc.tuple(propsOf(type), pick<Props>({}, {}, { note: { deep: true } }))
    .map(([props, more]) => ({ id: id.replace('?', type.toLowerCase()), type, props, ...more })))
}

/** Drafts of one to six pages with blocks of every kind: built-in, pinned, declared by the site, unheard of. */
export const drafts: fc.Arbitrary<Draft> = fc.tuple(
  rarely(fc.constant(['/']), fc.constant([]), 8),
  fc.shuffledSubarray(knownSlugs, { minLength: 1, maxLength: 5 }),
  fc.boolean(),
).chain(([homes, others, homeFirst]) => {
  const slugs = homeFirst ? [...homes, ...others] : [...others, ...homes]
  return fc.tuple(fc.tuple(...slugs.map(pageFor)), configs)
}).map(([pages, config]) => draftOf(pages, config))

function pageFor(slug: string, place: number): fc.Arbitrary<Page> {
  const ids = [`b_?_${place}1`, `b_?_${place}2`, `b_?_${place}3`, `b_?_${place}4`, 'b_shared', `b_?_${place}1_copy`]
  const blocks = fc.subarray(ids, { maxLength: 4 }).chain((some) => fc.tuple(...some.map(blockOf)))
  const more = fc.record({
    updatedAt: pick(...stamps),
    meta: fc.record({ title: pick('Title'), description: pick(...words), robots: pick('noindex') }, { requiredKeys: [] }),
    theme: pick({ dark: true }),
  }, { requiredKeys: ['updatedAt'] })
  return fc.tuple(blocks, more)
    .map(([found, rest]) => ingestPage(pageOf(slug, found, rest), { registry: builtinRegistry, manifest: siteManifest }))
}

const labels = fc.dictionary(pick('/prices', '/about', '/gone'), pick(...words), { noNullPrototype: true })
const groups = fc.dictionary(pick('More', 'Shop'), fc.subarray(['/prices', '/about', '/gone']), { noNullPrototype: true })
const configs: fc.Arbitrary<SiteConfig> = fc.record({
  name: pick('Nord'), navLabels: labels, navGroups: groups, tone: pick('calm'), previewUrl: pick('http://localhost:3000'),
}, { requiredKeys: [] })

/** The operations of a batch on a draft, as JSON from a client; most of them can be applied. */
export function batchFor(draft: Draft, { maxLength = 4 }: { readonly maxLength?: number } = {}): fc.Arbitrary<unknown[]> {
  return fc.array(operationFor(draft), { minLength: 1, maxLength })
}

/** One operation on a draft; about one in ten names what is not there or brings what does not belong. */
export function operationFor(draft: Draft): fc.Arbitrary<Props> {
  const pages = pagesOf(draft)
  const slug = rarely(pick(...draft.order), pick('/nowhere', ...newSlugs), 20)
  const newSlug = pick(...newSlugs)
  const title = pick('A title', '  spaced  ')
  const maybe = { requiredKeys: ['op', 'pageSlug'] as const }
  const onPages = fc.oneof(
    fc.record({ op: fc.constant('create_page'), page: newPages }),
    fc.record({ op: fc.constant('rename_page'), pageSlug: slug, newPageSlug: newSlug, newTitle: title }, { requiredKeys: [...maybe.requiredKeys] }),
    fc.record({ op: fc.constant('remove_page'), pageSlug: slug }),
    fc.record({ op: fc.constant('move_page'), pageSlug: slug, afterPageSlug: slug }, { requiredKeys: [...maybe.requiredKeys] }),
    fc.record({ op: fc.constant('duplicate_page'), pageSlug: slug, newPageSlug: newSlug, newTitle: title, afterPageSlug: slug },
      { requiredKeys: [...maybe.requiredKeys] }),
    fc.record({ op: fc.constant('update_page_meta'), pageSlug: slug, patch: fc.record({ title: pick(...words), description: pick(...words), other: json }, { requiredKeys: [] }) }),
    fc.record({ op: fc.constant('update_site_config'), patch: fc.record({ name: pick('Süd'), navLabels: labels, navGroups: groups, tone: pick('loud') }, { requiredKeys: [] }) }),
  )
  const blocks = pages.flatMap((page) => page.blocks.map((block) => ({ page, block })))
  const adding = fc.tuple(slug, blockOf('b_?_new'), pick('n1', 'n2', 'shared')).map(([pageSlug, block, suffix]) =>
    ({ op: 'add_block', pageSlug, block: { ...block, id: suffix === 'shared' ? 'b_shared' : `${block.id}_${suffix}` } }))
  if (blocks.length === 0) return fc.oneof(onPages, adding)
  const onBlocks = pick(...blocks).chain(({ page, block }) => operationOn(page, block, slug))
  return fc.oneof({ weight: 3, arbitrary: onPages }, { weight: 2, arbitrary: adding }, { weight: 10, arbitrary: onBlocks })
}

const newPages = fc.record({
  slug: pick(...newSlugs),
  title: pick('New page', ''),
  blocks: fc.array(blockOf('b_?_page'), { maxLength: 2 }),
  updatedAt: pick('2099-01-01T00:00:00.000Z'),
}, { requiredKeys: ['slug'] })

function operationOn(page: Page, block: Block, otherSlug: fc.Arbitrary<string>): fc.Arbitrary<Props> {
  const known = typeOf(block.type)
  const fields = known?.fields ?? {}
  const at = { pageSlug: page.slug, blockId: block.id }
  const target = rarely(fc.constant(at), pick({ ...at, blockId: 'b_gone' }, { ...at, blockId: `${block.id}_copy` }, { ...at, blockId: `b_${block.type.toLowerCase()}_zz` }), 15)
  const anchor = rarely(pick(...page.blocks.map(({ id }) => id)), fc.constant('b_gone'), 10)
  const record = (op: string, values: Readonly<Record<string, fc.Arbitrary<unknown>>>, optional: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
    fc.tuple(target, fc.record(values), fc.record(optional, { requiredKeys: [] })).map(([where, must, may]) => ({ op, ...where, ...must, ...may }))
  const patch = objectPatch(fields, block.props)
  const lists = Object.keys(block.props).filter((name) => Array.isArray(block.props[name]))
  const structural = [
    record('remove_block', {}),
    record('move_block', {}, { afterBlockId: anchor }),
    record('duplicate_block', {}, { toPageSlug: otherSlug, newBlockId: pick('b_dup', 'b_shared', block.id) }),
  ]
  const onLists = lists.flatMap((listKey) => {
    const meta = fields[listKey] ?? { kind: 'list' }
    const rows: readonly unknown[] = Array.isArray(block.props[listKey]) ? block.props[listKey] : []
    const index = rarely(fc.nat({ max: Math.max(0, rows.length - 1) }), fc.constant(9))
    const list = { listKey: rarely(fc.constant(listKey), fc.constant('toString'), 20) }
    return [
      record('add_item', { ...list, item: rowOf(meta) }, { afterIndex: index }),
      record('update_item', { ...list, index, patch: rowOf(meta) }),
      record('remove_item', { ...list, index }),
      record('move_item', { ...list, index }, { afterIndex: index }),
    ]
  })
  return fc.oneof(record('update_props', { patch }), record('update_props', { patch }), ...structural, ...onLists)
}

/** A patch of some declared props: new values, the values that are there, lists in another order. */
function objectPatch(fields: Fields, stored: Props): fc.Arbitrary<Props> {
  const declared = Object.keys(fields).length > 0 ? fields : Object.fromEntries(Object.keys(stored).map((name): [string, FieldMeta] => [name, { kind: 'text' }]))
  const values = Object.fromEntries(Object.entries(declared).map(([name, meta]) => {
    const now = Object.hasOwn(stored, name) ? stored[name] : undefined
    const same = now === undefined ? valueOf(meta) : fc.constant(now)
    return [name, Array.isArray(now) ? fc.oneof(fc.shuffledSubarray(now), same, valueOf(meta)) : fc.oneof(same, valueOf(meta))]
  }))
  const names = Object.keys(values)
  const some = names.length === 0 ? fc.constant([]) : fc.subarray(names, { maxLength: 3 })
  return fc.tuple(some.chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, values[name] ?? json])))), rarely(fc.constant({}), fc.constant({ noSuchProp: 1 }), 20))
    .map(([known, unknown]) => ({ ...known, ...unknown }))
}
