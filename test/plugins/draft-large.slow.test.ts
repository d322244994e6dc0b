import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { definePlugin, pace, use } from '../../kernel/index.ts'
import { ContentDiff } from '../../plugins/content/diff/index.ts'
import { drafts as draftsRef, type Drafts } from '../../plugins/draft/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { Content } from '../../plugins/publish/schemas.ts'
import { completeContent, contentOfDraft } from '../../plugins/publish/complete-content.ts'
import { pageOf } from '../helpers/content.ts'
import { openDrafts, refused, textBlock, type SmallOptions } from '../helpers/stack.ts'

const large = (slug: string) => pageOf(slug, [textBlock(`b_${slug.slice(1)}`, 'x'.repeat(700 * 1024))])
const slugs = ['/', '/a', '/b', '/c', '/d', '/e', '/f', '/g']
const at = { siteId: 'acme', session: 'dev' }

/** A draft of 5 MiB, and the service that reads it. */
async function openLarge(t: Test, options: SmallOptions = {}) {
  let drafts: Drafts | undefined
  const spy = definePlugin({ name: 'spy', tag: 'Draft', needs: { drafts: draftsRef } }).setup(({ needs }) => {
    drafts = needs.drafts
    return {}
  })
  const opened = openDrafts(t, { ...options, plugins: [use(spy)] })
  await opened.bootstrap(slugs.map(large))
  if (!drafts) throw new Error('the service is not there')
  return { ...opened, drafts }
}

/** Starts work with a clock that advances 30 ms per reading, so that every step is slow, and waits one turn of the event loop. */
async function beginSlowly<T>(begin: () => T): Promise<{ readonly begun: T }> {
  let time = 0
  const clock = mock.method(performance, 'now', () => (time += 30))
  const begun = begin()
  await turn()
  clock.mock.restore()
  return { begun }
}

/** A store that runs an action once, right after it has read the rows of a collection. */
function interruptedStore() {
  const kept = createMemoryStore()
  const actions = new Map<string, () => Promise<unknown>>()
  const store: Store = {
    ...kept,
    of(spec) {
      const reader = kept.of(spec)
      return {
        ...reader,
        async rows(scope, range) {
          const found = await reader.rows(scope, range)
          const act = actions.get(spec.name)
          actions.delete(spec.name)
          await act?.()
          return found
        },
      }
    },
  }
  return { store, afterRows: (name: string, act: () => Promise<unknown>) => void actions.set(name, act) }
}

t.test(
  'long works at once hold one turn of the event loop together no longer than one of them',
  async (t) => {
    let steps = 0
    const work = async (): Promise<void> => {
      for (let step = 0; step < 3; step++) {
        await pace()
        steps++
      }
    }
    const { begun: works } = await beginSlowly(() => Promise.all(Array.from({ length: 40 }, work)))
    const turns: number[] = []
    for (let sum = 0; sum < 120; sum = steps) {
      await turn()
      turns.push(steps - sum)
    }
    await works
    t.ok(Math.max(...turns.slice(1)) <= 3, `${Math.max(...turns.slice(1))} steps in a turn`)
  },
)

t.test('other requests are answered between the steps of the bootstrap of one large page', async (t) => {
  const { send } = openDrafts(t)
  const props = Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`p${at}`, 1]))
  // Every reading of the clock ends the time of a turn, so that each step has its own.
  let time = 0
  const clock = mock.method(performance, 'now', () => (time += 30))
  let turns = 0
  const done = new AbortController()
  const counting = (async () => {
    for (; !done.signal.aborted; turns++) await turn()
  })()
  const body = { pages: [pageOf('/', [{ id: 'b', type: 'T', props }])], overwrite: true }
  const answer = await send('/draft/bootstrap', body).finally(() => done.abort())
  await counting
  clock.mock.restore()
  t.equal(answer.status, 200)
  t.ok(turns >= 12, `${turns} turns: parsed, checked, validated, measured, completed, compared and stored`)
})

t.test('other requests are answered while a large draft is read', async (t) => {
  const { drafts } = await openLarge(t)
  const { begun } = await beginSlowly(() => drafts.pages(at))
  t.equal(await Promise.race([begun.then(() => 'read'), Promise.resolve('still reading')]), 'still reading')
  t.strictSame(
    (await begun).map(({ slug }) => slug),
    slugs,
  )
})

t.test(
  'a large draft that changes while it is read matches a single version at the end of the read',
  async (t) => {
    const { drafts, ops, retitle, config } = await openLarge(t)
    const seen: [slug: string, title: string | undefined][] = []
    for await (const [slug, stored] of (await drafts.read(at)).pages) {
      seen.push([slug, stored?.page.title])
      if (seen.length !== 2) continue
      await retitle('/', 'Changed')
      await config({ name: 'Changed' })
      await ops([{ op: 'remove_page', pageSlug: '/a' }])
      await ops([{ op: 'create_page', page: pageOf('/new', []) }])
    }
    const again = new Set(seen.slice(slugs.length).map(([slug]) => slug))
    t.strictSame(again, new Set(['/', '/a', '/new']), 'only changed pages are read again')
    const last = new Map(seen)
    t.equal(last.get('/'), 'Changed')
    t.equal(last.get('/a'), undefined)
    t.strictSame(
      [...last]
        .filter(([, title]) => title !== undefined)
        .map(([slug]) => slug)
        .toSorted(),
      (await drafts.rows(at)).map(({ slug }) => slug).toSorted(),
    )
  },
)

t.test('pages whose changes left the log are read again', async (t) => {
  const { drafts, retitle } = await openLarge(t, { draft: { keptChangesPerDraft: 1 } })
  const seen: string[] = []
  for await (const [slug] of (await drafts.read(at)).pages) {
    seen.push(slug)
    if (seen.length === 1) for (const title of ['One', 'Two', 'Three']) await retitle('/', title)
  }
  t.strictSame(seen, [...slugs, ...slugs])
})

t.test('of a cached draft only changed pages are read again', async (t) => {
  const { drafts, ops, retitle } = await openLarge(t)
  const first = await drafts.pages(at)
  t.equal(await drafts.pages(at), first)
  await retitle('/b', 'Changed')
  await ops([
    { op: 'remove_page', pageSlug: '/c' },
    { op: 'move_page', pageSlug: '/g', afterPageSlug: '/' },
  ])
  const second = await drafts.pages(at)
  const one = async ({ slug }: { readonly slug: string }) => (await drafts.page(at, slug))?.page
  t.strictSame(second, await Promise.all((await drafts.rows(at)).map(one)))
  t.equal(second.find(({ slug }) => slug === '/b')?.title, 'Changed')
  const of = (pages: typeof first) => pages.find(({ slug }) => slug === '/f')
  t.equal(of(second), of(first), 'the same object')
})

t.test('pages that are read again keep their order', async (t) => {
  const { drafts, ops, retitle } = await openLarge(t)
  const read = async () => (await drafts.pages(at)).map(({ slug }) => slug)
  const before = await read()
  for (const change of [
    () => retitle('/b', 'Changed'),
    () => ops([{ op: 'move_page', pageSlug: '/b', afterPageSlug: '/g' }]),
    () =>
      ops([
        { op: 'create_page', page: { slug: '/new', title: 'New', blocks: [] }, afterPageSlug: '/a' },
        { op: 'update_page_meta', pageSlug: '/c', patch: { title: 'C' } },
      ]),
    () => ops([{ op: 'rename_page', pageSlug: '/d', newPageSlug: '/h' }]),
    () => ops([{ op: 'remove_page', pageSlug: '/new' }]),
  ]) {
    await change()
    t.match(
      await drafts.rows(at),
      (await read()).map((slug) => ({ slug })),
    )
  }
  t.notSame(await read(), before)
})

t.test('a change just after the lookup of changes is not missed', async (t) => {
  const { store, afterRows } = interruptedStore()
  const { drafts, retitle } = await openLarge(t, { store })
  const first = await drafts.pages(at)
  // The pages of the newest change alone are known without a lookup.
  await retitle('/c', 'Other')
  await retitle('/c', 'Changed')
  afterRows('draft_changes', () => retitle('/b', 'Changed'))
  const titled = async (): Promise<string | undefined> =>
    (await drafts.pages(at)).find(({ slug }) => slug === '/b')?.title
  t.equal(await titled(), 'Changed')
  t.equal(await titled(), 'Changed')
  t.not(first.find(({ slug }) => slug === '/b')?.title, 'Changed')
})

t.test('a large draft is sent as a stream, home first, and a small one at once', async (t) => {
  const { get, drafts } = await openLarge(t)
  const content = v.parse(Content, (await get('/publish/content')).json())
  t.strictSame(content.slugs, slugs)
  t.strictSame(content.pages, await drafts.pages(at), 'the pages are complete')
  const about = { session: 'dev', generatedAt: '' }
  const other = { ...at, session: 'other' }
  t.notOk((await completeContent(await contentOfDraft(drafts, at), about)) instanceof Uint8Array)
  t.ok((await completeContent(await contentOfDraft(drafts, other), about)) instanceof Uint8Array)
})

t.test('a page that is removed while a draft is sent is omitted', async (t) => {
  const { store, afterRows } = interruptedStore()
  const { get, ops, retitle } = await openLarge(t, { store })
  // What a push has read of the draft is known, apart from later changes; the newest one is known without a lookup.
  await retitle('/c', 'Other')
  await retitle('/c', 'Changed')
  afterRows('draft_changes', () => ops([{ op: 'remove_page', pageSlug: '/f' }]))
  const sent = v.parse(Content, (await get('/publish/content')).json()).pages.map(({ slug }) => slug)
  t.strictSame(
    sent,
    slugs.filter((slug) => slug !== '/f'),
  )
})

t.test('a publish and a diff are accepted up to the exact size limit', async (t) => {
  const page = pageOf('/', [textBlock('b', 'x'.repeat(1_000))])
  const open = async (publish: NonNullable<SmallOptions['publish']>) => {
    const opened = openDrafts(t, { publish, env: { PUBLISH_TARGET: 'shelf' } })
    await opened.bootstrap([page])
    return opened
  }
  const { get } = await open({})
  const size = Buffer.byteLength(JSON.stringify((await get('/draft/pages', { slug: '/' })).json()))
  const fits = await open({ maxPublishBytes: size })
  t.equal((await fits.send('/publish')).status, 200)
  const [diff] = v.parse(ContentDiff, (await fits.get('/publish/diff')).json()).pages
  const over = await open({ maxPublishBytes: size - 1 })
  t.match(refused(await over.send('/publish')), {
    status: 413,
    code: 'publish_too_large',
    reason: /maxPublishBytes/,
  })

  const bytes = Buffer.byteLength(JSON.stringify(diff))
  for (const [maxDiffBytes, status] of [
    [bytes, 200],
    [bytes - 1, 413],
  ] as const) {
    const { send, get } = await open({ maxDiffBytes })
    await send('/publish')
    const answer = await get('/publish/diff')
    t.equal(answer.status, status)
    if (status === 413) t.match(refused(answer), { code: 'diff_too_large', reason: /maxDiffBytes/ })
  }
})
