/** Bodies that attempt prototype pollution by names, paths and keys, in every place that accepts content. */
import fc from '../helpers/property.ts'
import { definitions } from '../../plugins/content/operations/index.ts'

/** One request that changes something. */
export interface Grab {
  readonly method: string
  readonly url: string
  readonly json: object
}

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
/** Names that the body reader refuses as keys, and names that it lets through because content may have them. */
const refused = ['__proto__', 'constructor', 'prototype']
const inherited =
  'toString valueOf hasOwnProperty __defineGetter__ __lookupSetter__ isPrototypeOf length then toJSON'.split(
    ' ',
  )
const paths =
  '__proto__.canary constructor.prototype.canary __proto__[canary] items[0].__proto__.canary ["__proto__"]'.split(
    ' ',
  )
const words = fc.oneof(
  { weight: 3, arbitrary: pick(...refused, ...paths) },
  { weight: 2, arbitrary: pick(...inherited, 'canary') },
  pick('/', '/about', 'b_1', 'items', 'title', 'Hero', ''),
)
const usual = pick(...inherited, ...paths, 'canary', 'items', 'title', 'props', 'fields', 'properties')
const key = fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: pick(...refused) })

/** Own keys by any name, `__proto__` among them, as JSON text can have them. */
const objectOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs))
const leaf = pick<unknown>(true, 1, null, 'canary')
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    words,
    leaf,
    objectOf(tie('tree')),
    fc.array(tie('tree'), { maxLength: 3 }),
  ),
}))
const bag = objectOf(tree)

const type = pick('RichText', 'Hero', 'FAQAccordion', 'constructor', '__proto__', 'toString')
const block = fc.record({ id: words, type, props: bag })
const slug = pick('/', '/__proto__', '/constructor', ...refused)
const blocks = fc.array(block, { maxLength: 2 })
const page = fc.record(
  { id: words, slug, title: words, updatedAt: words, blocks, meta: bag },
  { requiredKeys: ['id', 'slug', 'title', 'updatedAt', 'blocks'] },
)

/** Operations with valid targets and arbitrary content. */
const sound = pick(
  { op: 'update_props', pageSlug: '/', blockId: 'b_1' },
  { op: 'add_item', pageSlug: '/', blockId: 'b_2', listKey: 'items' },
  { op: 'update_item', pageSlug: '/', blockId: 'b_2', listKey: 'items', index: 0 },
  { op: 'update_site_config' },
  { op: 'update_page_meta', pageSlug: '/' },
)
const name = pick(...definitions.map((definition) => definition.name), ...refused, 'toString')
/** Every field of every operation. */
const fields = fc.record({
  pageSlug: pick('/', '/', '/', '/__proto__', ...refused),
  blockId: pick('b_1', 'b_2', 'b_1', ...refused),
  index: pick(0, 1),
  patch: bag,
  item: bag,
  block,
  page,
  listKey: words,
  afterBlockId: words,
  newPageSlug: words,
  newTitle: words,
  targetPageSlug: words,
  afterPageSlug: words,
})
const operation = fc.oneof(
  fc.tuple(sound, bag, bag).map(([op, patch, item]) => ({ ...op, patch, item })),
  fc.tuple(name, fields).map(([op, rest]) => ({ ...rest, op })),
)
const ops = fc.array(operation, { minLength: 1, maxLength: 3 })

const propsSchema = fc.record({
  type: pick('object'),
  properties: bag,
  required: fc.array(words, { maxLength: 2 }),
})
const ownType = pick('Hero', 'Own', '__proto__', 'constructor')
const about = { type: ownType, displayName: words, propsSchema }
const blockType = fc.record({ ...about, defaultProps: bag, fields: bag })
const manifest = fc.record({ version: pick(1), blocks: fc.array(blockType, { maxLength: 2 }) })
const orText = (value: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  fc.oneof(
    value,
    value.map((each) => JSON.stringify(each)),
  )
const declaring = fc.record(
  { ops, componentsManifest: orText(manifest), siteCapabilities: orText(bag) },
  { requiredKeys: ['ops'] },
)
const groups = objectOf(fc.array(words, { maxLength: 2 }))
const settings = fc.record(
  { navLabels: objectOf(words), themeOverrides: objectOf(words), navGroups: groups },
  { requiredKeys: [] },
)
const config = fc.oneof(bag, settings)

const draft = fc.record({
  session: pick('dev', ...refused, ...inherited),
  siteId: pick('acme', '__proto__', 'constructor', 'prototype', 'tostring'),
})
const to = (method: string, url: string, rest: fc.Arbitrary<object>): fc.Arbitrary<Grab> =>
  fc.tuple(draft, rest).map(([at, more]) => ({ method, url, json: { ...at, ...more } }))

const onSound = ops.map((ops) => ({
  method: 'POST',
  url: '/ops',
  json: { session: 'dev', siteId: 'acme', ops },
}))
const content = fc.record({ pages: fc.array(page, { maxLength: 2 }), overwrite: pick(true) })
/** Requests of every kind that changes something; about a quarter of them succeed. */
export const grabs: fc.Arbitrary<Grab> = fc.oneof(
  { weight: 6, arbitrary: onSound },
  { weight: 2, arbitrary: to('POST', '/ops', declaring) },
  { weight: 2, arbitrary: to('POST', '/draft/bootstrap', content) },
  { weight: 2, arbitrary: to('PUT', '/draft/site-config', fc.record({ config })) },
  { weight: 2, arbitrary: to('POST', '/sites/register', fc.record({ name: words, config })) },
  to('POST', '/history/undo', fc.record({ slug: pick('/', ...refused) })),
  to('POST', '/history/discard', fc.record({ slug: pick('/', ...refused) })),
)
