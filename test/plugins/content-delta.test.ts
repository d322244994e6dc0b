import fc, { runs } from '../helpers/property.ts'
import t from 'tap'
import { applyBatch } from '../../plugins/content/batch.ts'
import { applyDelta, pageDelta, type PageDelta } from '../../plugins/content/delta.ts'
import type { Block, Page } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { pageBytes, pageSize, sizeAfter } from '../../plugins/content/page-bytes.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import { batchFor, changed, drafts, pageOf, pagesOf, siteManifest } from '../helpers/content.ts'

const pageText = (page: Page): string => new TextDecoder().decode(pageBytes(page))

/** Whether each version is restored from the other, by a delta that was stored. */
function areRestored(before: Page | undefined, after: Page | undefined): boolean {
  const text = JSON.stringify(pageDelta(before, after))
  const delta = JSON.parse(text) as PageDelta
  return (
    sameJson(applyDelta(before, delta, 'forward'), after) &&
    sameJson(applyDelta(after, delta, 'backward'), before)
  )
}
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
  const some = fc
    .shuffledSubarray(['a', 'b', 'constructor', 'd', 'toString', 'f'])
    .chain((ids) =>
      fc.tuple(...ids.map((id) => fc.constantFrom('old', 'new').map((text) => block(id, text)))),
    )
  const orders = fc
    .tuple(some, some)
    .map(([one, two]) => ({ before: pageOf('/', one), after: pageOf('/', two) }))
  fc.assert(
    fc.property(fc.oneof(versions, orders), ({ before, after }) => areRestored(before, after)),
    { numRuns: runs(270) },
  )
  t.ok(areRestored(undefined, page('a')) && areRestored(page('a'), undefined), 'added and removed')
  const twins = pageOf('/', [block('a', '1'), block('a', '2'), block('b')])
  for (const after of [withText(twins, 'b', 'new'), { ...twins, blocks: twins.blocks.toReversed() }]) {
    t.ok(areRestored(twins, after), 'a block id that is used twice')
  }
  const before = { ...page('a'), theme: { dark: true } }
  const after = { ...page('a'), valueOf: 'x', meta: { title: 'T' }, updatedAt: '2026-02-02T00:00:00.000Z' }
  t.ok(areRestored(before, after), 'page keys')
  const there = applyDelta(before, pageDelta(before, after), 'forward')
  t.equal(there?.blocks[0], before.blocks[0], 'shared parts')
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
  misfit(page('a', 'c'), /block 'b' is not/)
  misfit(page('a'), /it is not/, pageDelta(undefined, before))
  misfit(undefined, /it is not/, pageDelta(before, undefined))
  misfit(withText(before, 'a', 'other'), /it is not/, pageDelta(before, undefined))
  const added = pageDelta(before, page('a', 'x', 'b', 'c'))
  misfit(page('a', 'x', 'b', 'c'), /the order of its blocks/, added)
  misfit(page('b', 'a', 'c'), /the order of its blocks/, pageDelta(before, page('c', 'a', 'b')))
  misfit(page('a', 'b'), /order of its blocks/, pageDelta(before, page('c', 'b', 'a')))
  t.same(applyDelta({ ...withText(before, 'a', 'other'), theme: 1 }, delta, 'forward'), {
    ...withText(after, 'a', 'other'),
    theme: 1,
  })
  const restamped = { ...before, updatedAt: '2030-01-01T00:00:00.000Z' }
  t.same(applyDelta(restamped, delta, 'forward'), after, 'its stamp may differ')
  t.throws(() => pageDelta(undefined, undefined), /two absent pages/)
  t.throws(() => pageDelta(page('a'), pageOf('/x')), /two pages/)
})

t.test('the size of a changed page follows from that of the page before', async (t) => {
  fc.assert(
    fc.property(
      versions,
      ({ before, after }) => sizeAfter(before, pageSize(before), after) === pageSize(after),
    ),
    { numRuns: runs(100) },
  )
  const before = page('a', 'b')
  t.equal(sizeAfter(before, 1_000, withText(before, 'b', 'four more')), 1_000 + 'four more'.length - 1)
})

t.test('the delta of one edit holds the blocks that it changed, and not the page', async (t) => {
  const before = pageOf(
    '/',
    Array.from({ length: 120 }, (_, n) => block(`b_banner_${n}`, 'words '.repeat(55))),
  )
  const after = withText(before, 'b_banner_60', 'other '.repeat(54))
  t.ok(JSON.stringify(pageDelta(before, after)).length < 3 * JSON.stringify(before.blocks[60]).length)
})

t.test(
  'the text of a page equals JSON.stringify, and the blocks of an edited page are serialized once',
  async (t) => {
    fc.assert(
      fc.property(drafts, (draft) =>
        pagesOf(draft).every(
          (some) =>
            sameJson(JSON.parse(pageText(some)), JSON.parse(JSON.stringify(some))) &&
            pageSize(some) === pageBytes(some).byteLength,
        ),
      ),
      { numRuns: runs(35) },
    )
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
    const before = pageOf('/', [counted('a'), counted('b'), counted('c')])
    const edit = (page: Page, at: number, id: string) => {
      const after = { ...page, blocks: page.blocks.with(at, counted(id)) }
      const size = sizeAfter(page, pageSize(page), after)
      const text = pageText(after)
      t.equal(size, Buffer.byteLength(text))
      return { after, text }
    }
    const { after } = edit(before, 1, 'd')
    written = 0
    const { after: later, text } = edit(after, 2, 'e')
    t.equal(written, 1, 'the changed one')
    t.equal(text, JSON.stringify(later))
  },
)
