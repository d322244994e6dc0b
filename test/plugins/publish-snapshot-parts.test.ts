/** What a publish stores: snapshots of a site share what stays as it is, and the log names each page once. */
import t from 'tap'
import { randomIds } from '../../kernel/index.ts'
import type { Page } from '../../plugins/content/page.ts'
import { pageParts } from '../../plugins/draft/testing.ts'
import { createPublishLog, createSnapshots, rows } from '../../plugins/publish/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'

const at = { session: 'dev', siteId: 'acme' }
const hour = (n: number): string => new Date(Date.UTC(2026, 0, 1, n)).toISOString()
const page = (slug: string, text = slug): Page => ({
  id: slug,
  slug,
  title: slug,
  updatedAt: hour(0),
  blocks: [{ id: `b${slug}`, type: 'Text', props: { text } }],
})
const many = Array.from({ length: 500 }, (_, n) => page(`/page-${n}`))

function snapshotsOf() {
  const store = createMemoryStore()
  const snapshots = createSnapshots({ store, ids: randomIds })
  const keep = (pages: readonly Page[], time: number, before?: readonly Page[]) =>
    snapshots.keep(at, 'acme::dev', { pages }, hour(time), { before: before && { pages: before } })
  const parts = async () => (await store.of(pageParts).rows('acme')).map(({ key }) => key)
  const pagesOf = async (commit: string) => (await snapshots.stored(commit))?.content.pages
  return { keep, parts, pagesOf, remove: snapshots.remove, list: () => snapshots.list('acme') }
}

t.test('a publish stores the parts of the pages that it has changed', async (t) => {
  const { keep, parts, pagesOf } = snapshotsOf()
  const first = await keep(many, 0)
  const { length } = await parts()
  t.ok(length > 5 && length < 60, `${length} parts`)
  const changed = many.with(250, page('/page-250', 'changed'))
  const second = await keep(changed, 1)
  t.equal((await parts()).length, length + 1)
  const added = [page('/new'), ...many.toSpliced(100, 1)]
  const third = await keep(added, 1)
  t.ok((await parts()).length <= length + 4, 'a page that comes or goes moves no other part')
  for (const [commit, pages] of [[first, many] as const, [second, changed] as const, [third, added] as const])
    t.strictSame(await pagesOf(commit), pages)
})

t.test('a large page is a part of its own, and a site may have no page', async (t) => {
  const { keep, parts, pagesOf } = snapshotsOf()
  const large = ['/a', '/b', '/c'].map((slug) => page(slug, slug.repeat(200_000)))
  t.strictSame(await pagesOf(await keep(large, 0)), large)
  t.equal((await parts()).length, 3)
  t.strictSame(await pagesOf(await keep([], 1)), [])
})

t.test('the state before the first publish and that publish share their parts', async (t) => {
  const { keep, parts, list, pagesOf } = snapshotsOf()
  await keep(many.with(3, page('/page-3', 'changed')), 0, many)
  const [, before] = await list()
  t.strictSame(await pagesOf(before?.commit ?? ''), many)
  t.ok((await parts()).length < 60)
})

t.test('a part that no snapshot has goes with a later publish, one that is new stays', async (t) => {
  const { keep, parts, pagesOf, remove } = snapshotsOf()
  const first = await keep(many, 0)
  const { length } = await parts()
  const second = await keep(many.with(250, page('/page-250', 'changed')), 1)
  await remove(first)
  for (let n = 0; n < 10; n++) await keep(many.with(250, page('/page-250', 'changed')), 1)
  t.equal((await parts()).length, length + 1, 'another publish may be about to have it')
  for (let n = 0; n < 10; n++) await keep(many.with(250, page('/page-250', 'changed')), 3)
  t.equal((await parts()).length, length)
  t.equal((await pagesOf(second))?.length, many.length)
})

t.test('the log of publishes names each page once, and the status has the same', async (t) => {
  const store = createMemoryStore()
  const log = createPublishLog(store)
  const slugs = many.map(({ slug }) => slug)
  const common = { session: 'dev', updatedAt: hour(0), slugs }
  const facts = {
    status: 'success',
    pageCount: 500,
    diffSummary: { added: 0, removed: 0, changed: 1 },
  } as const
  const row = { ...common, ...facts, id: 'p', at: hour(0), siteId: 'acme', target: 'site', summary: '' }
  const tracker = { ...common, status: 'ready', startedAt: hour(0) } as const
  await log.add(at, row, tracker, async () => undefined)
  const size = async () => {
    const [found] = await store.of(rows).list(draftKey(at))
    return found?.bytes.byteLength ?? Infinity
  }
  const most = JSON.stringify(slugs).length + 1_000
  t.ok((await size()) < most)
  t.match(await log.facts(at, 9), [{ id: 'p', status: 'success' }])
  const [written] = await store.of(rows).rows(draftKey(at))
  t.ok((written?.columns.facts.length ?? Infinity) < 1_000, 'what is read of many publishes has no slugs')
  const latest = await log.latest(at)
  t.strictSame(latest?.tracker, tracker)
  if (latest) await log.follow(at, latest, undefined)
  t.ok((await size()) < most)
  t.strictSame((await log.latest(at))?.tracker, tracker)
  const [stored] = await store.of(rows).list(draftKey(at))
  if (stored)
    await store.transaction((tx) =>
      tx.of(rows).put(draftKey(at), stored.key, { body: stored.body, columns: { facts: '' } }),
    )
  t.match(
    await log.facts(at, 9),
    [{ id: 'p', status: 'success' }],
    'as it was written before there were facts',
  )
})
