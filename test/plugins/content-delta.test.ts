import fc from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import { applyBatch } from '../../plugins/content/batch.ts'
import { applyDelta, pageDelta, type PageDelta } from '../../plugins/content/delta.ts'
import type { Block, Page } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { Block as BlockSchema, Page as PageSchema } from '../../plugins/content/page.ts'
import { pageBytes, pageSize } from '../../plugins/content/page-bytes.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { sameJson } from '../../plugins/content/same-json.ts'
import { batchFor, changed, drafts, pageOf, pagesOf, siteManifest } from '../helpers/content.ts'

const pageText = (page: Page): string => new TextDecoder().decode(pageBytes(page))

const sides = <S extends v.GenericSchema>(value: S) => ({
  before: v.optional(value),
  after: v.optional(value),
})
const ids = v.array(v.string())
const keys = v.array(v.object({ name: v.string(), ...sides(v.unknown()) }))
const StoredDelta: v.GenericSchema<unknown, PageDelta> = v.union([
  v.object({
    slug: v.string(),
    keys,
    blocks: v.array(v.union([v.object({ id: v.string(), keys, props: keys }), v.object(sides(BlockSchema))])),
    order: v.optional(v.object({ at: v.number(), before: ids, after: ids })),
  }),
  v.object({ slug: v.string(), ...sides(PageSchema) }),
])
const stored = (delta: PageDelta): PageDelta => v.parse(StoredDelta, JSON.parse(JSON.stringify(delta)))
const block = (id: string, text = id): Block => ({ id, type: 'Banner', props: { text } })
const page = (...ids: readonly string[]) =>
  pageOf(
    '/',
    ids.map((id) => block(id)),
  )
const withText = (some: Page, id: string, text: string): Page => ({
  ...some,
  blocks: some.blocks.map((found) => (found.id === id ? block(id, text) : found)),
})

/** Two versions of a page, related by a batch or unrelated. */
const versions = fc.tuple(drafts, fc.nat(), fc.boolean()).chain(([draft, n, related]) =>
  batchFor(draft, { maxLength: 3 }).map((raw) => {
    const read = parseOperations(raw)
    const now = new Date('2026-05-01T12:00:00.000Z')
    const done = read.ok
      ? applyBatch(draft, read.ops, { source: 'direct', registry, manifest: siteManifest, now })
      : undefined
    const [before = pageOf('/'), other = before] = [...pagesOf(draft), ...pagesOf(draft)].slice(
      n % draft.order.length,
    )
    const later = done?.ok && related ? changed(draft, done.change).page(before.slug) : undefined
    return { before, after: later ?? { ...other, slug: before.slug } }
  }),
)

t.test('each version of a page is restored from the other', async (t) => {
  const { failed, counterexample, errorInstance } = fc.check(
    fc.property(versions, ({ before, after }) => {
      const delta = stored(pageDelta(before, after))
      return (
        sameJson(applyDelta(before, delta, 'forward'), after) &&
        sameJson(applyDelta(after, delta, 'backward'), before)
      )
    }),
    { numRuns: 600 },
  )
  t.notOk(failed, 'forward and backward', { errorInstance, counterexample: fc.stringify(counterexample) })
})

t.test('every order of blocks is restored, with blocks added, removed and changed', async (t) => {
  const some = fc
    .shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f'])
    .chain((ids) =>
      fc.tuple(...ids.map((id) => fc.constantFrom('old', 'new').map((text) => block(id, text)))),
    )
  const { failed, counterexample } = fc.check(
    fc.property(some, some, (one, two) => {
      const [before, after] = [pageOf('/', one), pageOf('/', two)]
      const delta = stored(pageDelta(before, after))
      return (
        sameJson(applyDelta(before, delta, 'forward'), after) &&
        sameJson(applyDelta(after, delta, 'backward'), before)
      )
    }),
    { numRuns: 600 },
  )
  t.notOk(failed, 'forward and backward', { counterexample: fc.stringify(counterexample) })
})

t.test('a page that was added or removed is stored completely', async (t) => {
  const delta = stored(pageDelta(undefined, page('a')))
  t.same(applyDelta(undefined, delta, 'forward'), page('a'))
  t.equal(applyDelta(page('a'), delta, 'backward'), undefined)
  t.same(applyDelta(undefined, stored(pageDelta(page('a'), undefined)), 'backward'), page('a'))
})

t.test('page keys are added and removed', async (t) => {
  const before = { ...page('a'), theme: { dark: true } }
  const after = { ...page('a'), title: 'New', meta: { title: 'T' }, updatedAt: '2026-02-02T00:00:00.000Z' }
  const delta = stored(pageDelta(before, after))
  const back = applyDelta(after, delta, 'backward')
  t.same(applyDelta(before, delta, 'forward'), after)
  t.same(back, before)
  t.notOk(Object.hasOwn(back ?? {}, 'meta'))
  t.equal(back?.blocks[0], after.blocks[0], 'unchanged parts are shared')
})

t.test('a block id that is used twice does no harm', async (t) => {
  const before = pageOf('/', [block('a', '1'), block('a', '2'), block('b')])
  for (const after of [
    withText(before, 'b', 'new'),
    { ...before, title: 'New' },
    { ...before, blocks: [block('a', '1'), block('a', 'new'), block('b')] },
    { ...before, blocks: before.blocks.toReversed() },
  ]) {
    const delta = stored(pageDelta(before, after))
    t.same(applyDelta(before, delta, 'forward'), after)
    t.same(applyDelta(after, delta, 'backward'), before)
  }
})

t.test('ids and keys named like inherited properties do no harm', async (t) => {
  const before = pageOf('/', [block('constructor'), block('toString')])
  const after = { ...withText(before, 'constructor', 'new'), valueOf: 'x' }
  const delta = stored(pageDelta(before, after))
  t.same(applyDelta(before, delta, 'forward'), after)
  t.same(applyDelta(after, delta, 'backward'), before)
})

t.test('a page of another base version is refused, if it differs in what the delta changes', async (t) => {
  const before = page('a', 'b', 'c')
  const after = { ...withText(before, 'b', 'new'), title: 'New', updatedAt: '2026-02-02T00:00:00.000Z' }
  const delta = pageDelta(before, after)
  const misfit = (some: Page | undefined, says: RegExp, change = delta) =>
    t.throws(() => applyDelta(some, change, 'forward'), { name: 'Error', message: says })
  misfit(undefined, /page '\/' does not fit: it is not/)
  misfit(after, /its title is not what it was/)
  misfit(withText(before, 'b', 'other'), /block 'b' is not what it was/)
  misfit(page('a', 'c'), /block 'b', which is absent, is not/)
  misfit(page('a'), /it is not/, pageDelta(undefined, before))
  misfit(undefined, /it is not/, pageDelta(before, undefined))
  misfit(withText(before, 'a', 'other'), /it is not/, pageDelta(before, undefined))
  const added = pageDelta(before, page('a', 'x', 'b', 'c'))
  misfit(page('a', 'x', 'b', 'c'), /block 'x' is not/, added)
  misfit(page('b', 'a', 'c'), /the order of its blocks/, pageDelta(before, page('c', 'a', 'b')))
  misfit(page('a', 'b'), /order of its blocks/, pageDelta(before, page('c', 'b', 'a')))
  misfit(before, /block 'z', which is absent,/, {
    slug: '/',
    keys: [],
    blocks: [],
    order: { at: 0, before: ['a'], after: ['z'] },
  })
  t.same(applyDelta({ ...withText(before, 'a', 'other'), theme: 1 }, delta, 'forward'), {
    ...withText(after, 'a', 'other'),
    theme: 1,
  })
  t.same(
    applyDelta({ ...before, updatedAt: '2030-01-01T00:00:00.000Z' }, delta, 'forward'),
    after,
    'its stamp may differ',
  )
  t.throws(() => pageDelta(undefined, undefined), /two absent pages/)
  t.throws(() => pageDelta(page('a'), pageOf('/x')), /two pages/)
})

t.test('the delta of one edit holds the props that it changed, and not the page of 40 KB', async (t) => {
  const before = pageOf(
    '/',
    Array.from({ length: 120 }, (_, n) => block(`b_banner_${n}`, 'words '.repeat(55))),
  )
  t.ok(pageText(before).length > 40_000)
  const after = withText(before, 'b_banner_60', 'other '.repeat(54))
  t.ok(JSON.stringify(pageDelta(before, after)).length < 3 * JSON.stringify(before.blocks[60]).length)
  const aside = {
    ...before,
    blocks: before.blocks.map((each, at) =>
      at === 60 ? { ...each, props: { ...each.props, level: 2 } } : each,
    ),
  }
  t.same(pageDelta(before, aside), {
    slug: '/',
    keys: [],
    blocks: [{ id: 'b_banner_60', keys: [], props: [{ name: 'level', after: 2 }] }],
  })
  const added = { ...before, blocks: before.blocks.toSpliced(60, 0, block('new')) }
  t.ok(JSON.stringify(pageDelta(before, added)).length < 300)
})

t.test('the text of a page equals JSON.stringify, and blocks are serialized once', async (t) => {
  const { failed, counterexample } = fc.check(
    fc.property(drafts, (draft) =>
      pagesOf(draft).every((some) => {
        const size = pageSize(some)
        return (
          sameJson(JSON.parse(pageText(some)), JSON.parse(JSON.stringify(some))) &&
          size === pageBytes(some).byteLength
        )
      }),
    ),
    { numRuns: 100 },
  )
  t.notOk(failed, 'the same in meaning', { counterexample: fc.stringify(counterexample) })

  let written = 0
  const counted = (id: string): Block => ({
    id,
    type: 'Banner',
    props: {
      toJSON: () => {
        written += 1
        return { text: id }
      },
    },
  })
  const before = pageOf('/', [counted('a'), counted('b'), counted('c')], { meta: undefined })
  t.same(JSON.parse(pageText(before)), { ...JSON.parse(JSON.stringify(before)) })
  written = 0
  const after = { ...before, title: 'New', blocks: before.blocks.with(1, counted('d')) }
  t.equal(pageText(after), JSON.stringify(after).replace(/,"meta":undefined/, ''))
  t.equal(written, 1 + 3, 'once here, and three times by JSON.stringify')
})
