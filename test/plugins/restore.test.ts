import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give, type Injected } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import { contentAdapter, type ContentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { createSnapshots } from '../../plugins/publish/testing.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { draftsInMemory, editor, type SmallOptions } from '../helpers/stack.ts'

const noon = '2026-01-01T12:00:00.000Z'
const at = { session: 'dev', siteId: 'acme' }
const readable = /^[A-Z].* .*\.$/

function page(slug: string, heading: string): Page {
  const blocks = [
    { id: `b${slug}`, type: 'Hero', props: { heading, imageUrl: '/hero.png', imageAlt: 'A hero' } },
  ]
  return { id: `p${slug}`, slug, title: slug, updatedAt: noon, blocks }
}

const Listed = v.object({
  snapshots: v.array(
    v.object({
      commit: v.string(),
      committedAt: v.string(),
      message: v.string(),
      pageCount: v.number(),
      homeHeading: v.string(),
    }),
  ),
})
const listIn = (answer: Injected) => v.parse(Listed, answer.json()).snapshots
const commitsOf = (listed: ReturnType<typeof listIn>) => listed.map(({ commit }) => commit)
const Published = v.object({ entries: v.array(v.looseObject({ commit: v.string() })) })

/** Shortcuts to publish, list and restore. */
function person(ask: Ask, where: Readonly<Record<string, string>> = at) {
  const edit = editor(ask, where)
  return {
    ...edit,
    ask,
    /** Replaces the draft with these pages, publishes it and returns the id. */
    publish: async (...pages: readonly Page[]): Promise<string> => {
      if (pages.length > 0) await edit.bootstrap(pages, { overwrite: true })
      await edit.send('/publish')
      return (
        v
          .parse(Published, (await edit.get('/publish/log')).json())
          .entries.at(-1)
          ?.commit.slice(0, 12) ?? ''
      )
    },
    list: async (query = '') => listIn(await ask({ url: `/restore/snapshots${query}` })),
    restore: (commit: unknown) => edit.send('/restore/snapshot', { commit }),
    remove: (commit: unknown) => ask({ method: 'DELETE', url: '/restore/snapshot', json: { commit } }),
    heading: async (slug: string) => (await edit.page(slug)).blocks[0]?.props['heading'],
  }
}

function setUp(t: Test, options: SmallOptions = {}) {
  const time = stillClock(noon)
  const mounted = mountForTest(t, draftsInMemory({ clock: time, ...options }))
  const ask: Ask = (request) => mounted.inject(request)
  return { time, ...person(ask) }
}

t.test('published snapshots are listed newest first, identical ones of a site once', async (t) => {
  const { time, ask, publish, list } = setUp(t)
  t.equal((await editor(ask, { ...at, session: 'empty' }).send('/publish')).status, 409)
  t.strictSame(await list(), [], 'only a successful publish is stored')
  const first = await publish(page('/', 'One'), page('/about', 'About'))
  t.strictSame(await list('?siteId=acme'), [
    {
      commit: first.slice(0, 7),
      committedAt: noon,
      message: `publish: session acme::dev ${noon}`,
      pageCount: 2,
      homeHeading: 'One',
    },
  ])
  const second = await publish(page('/', 'Two'))
  time.advance(1000)
  const third = await publish(page('/about', 'Only the text of another page is new'))
  t.match(await list(), [
    { commit: third.slice(0, 7), committedAt: time.now().toISOString() },
    { commit: first.slice(0, 7), committedAt: noon },
  ])
  t.notMatch(JSON.stringify(await list()), second.slice(0, 7), 'of identical snapshots the newest is listed')

  const headless = person(ask, { session: 'dev' })
  await headless.publish({ ...page('/', ''), blocks: [] })
  const other = person(ask, { session: 'preview', siteId: 'acme' })
  await other.publish(page('/', 'Of another session'))
  t.match(await list(), [
    { message: /^publish: session acme::preview / },
    { message: /^publish: session dev /, homeHeading: /\w/, pageCount: 1 },
    { homeHeading: 'Two' },
    { homeHeading: 'One' },
  ])
  t.equal((await list('?siteId=ACME')).length, 3)
  t.equal((await list('?siteId=avocado-stories')).length, 1)
  t.equal((await list('?siteId=')).length, 1, 'a blank id is the default site')
  t.strictSame(await list('?siteId=unknown'), [])
})

t.test(
  'there is a way back from the first publish of a site, which stores the state before it',
  async (t) => {
    let content: SiteContent = { pages: [page('/', 'Made by hand'), page('/about', 'About')] }
    let isFull = true
    const adapter: ContentAdapter = {
      readContent: async () => content,
      async writeContent(next) {
        if (isFull) throw new Error('the disk is full')
        content = next
      },
    }
    const site = { session: 'dev', siteId: 'avocado-stories' }
    const { ask } = setUp(t, { targets: [], seeds: [give(contentAdapter, adapter)] })
    const { ops, send, list, restore, heading } = person(ask, site)
    const edit = (heading: string) =>
      ops([{ op: 'update_props', pageSlug: '/about', blockId: 'b/about', patch: { heading } }])
    await edit('Changed')
    t.not((await send('/publish')).status, 200)
    t.strictSame(await list(), [], 'a failed publish stores nothing')
    isFull = false
    t.equal((await send('/publish')).status, 200)
    const [first, before, ...others] = await list()
    t.strictSame(others, [])
    t.match(first, { message: `publish: session dev ${noon}`, homeHeading: 'Made by hand' })
    t.match(before, {
      message: `before the first publish: session dev ${noon}`,
      committedAt: noon,
      pageCount: 2,
      homeHeading: 'Made by hand',
    })
    await edit('Changed again')
    await send('/publish')
    const second = person(ask, { ...site, session: 'other' })
    await second.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'By another session' }])
    t.equal((await second.send('/publish')).status, 200)
    t.equal((await list()).filter(({ message }) => message.startsWith('before')).length, 1, 'once for a site')

    t.equal((await restore(before?.commit)).status, 200)
    t.equal(await heading('/about'), 'About')
    t.equal((await send('/publish')).status, 200)
    t.match(content.pages, [{ slug: '/' }, { slug: '/about', blocks: [{ props: { heading: 'About' } }] }])

    content = { pages: [] }
    const empty = person(setUp(t, { targets: [], seeds: [give(contentAdapter, adapter)] }).ask, site)
    await empty.publish(page('/', 'New'))
    t.match(await empty.list(), [{ message: /^publish/ }], 'a site without pages has no state before')
    t.equal((await empty.list()).length, 1)
  },
)

t.test('the state before the first publish is never what was published last', async (t) => {
  const ids = ['two', 'three', 'four', 'five']
  const snapshots = createSnapshots({ store: createMemoryStore(), ids: { uuid: () => ids.shift() ?? '' } })
  const [was, now] = [{ pages: [page('/', 'Was')] }, { pages: [page('/', 'Is')] }]
  const first = await snapshots.keep(at, 'acme::dev', now, noon, { before: was, publishId: 'one' })
  t.match(await snapshots.newest(at), now)
  t.equal(await snapshots.newestCommit({ siteId: 'acme' }), first)
  t.equal((await snapshots.list('acme')).length, 2)
  await snapshots.keep({ ...at, siteId: 'new' }, 'new::dev', now, noon)
  t.equal((await snapshots.list('new')).length, 1, 'without a known state there is none')
})

t.test('a list has thirty snapshots or the requested number, and a draft keeps eighty', async (t) => {
  const { publish, list, restore, heading } = setUp(t)
  const commits: string[] = []
  for (let n = 0; n < 82; n++) commits.push(await publish(page('/', `Heading ${n}`)))
  const newest = commits.toReversed().map((commit) => commit.slice(0, 7))
  const limits = { '': 30, 1: 1, 2.9: 2, 80: 80, 81: 80, 0: 30, '-3': 30, many: 30 }
  for (const [limit, count] of Object.entries(limits))
    t.strictSame(commitsOf(await list(`?limit=${limit}`)), newest.slice(0, count), limit)
  t.equal((await restore(commits[1])).status, 400, 'the oldest are deleted')
  t.equal((await restore(commits[2])).status, 200)
  t.equal(await heading('/'), 'Heading 2')
})

t.test('a restored publish replaces the complete draft, as one change that can be undone', (t) => {
  const time = stillClock(noon)
  return everyWayIn(
    t,
    () => draftsInMemory({ clock: time }),
    async (t, ask) => {
      const { publish, restore, ops, slugs, heading, page: read, version, undo, get } = person(ask)
      const commit = await publish(page('/', 'Then'), page('/b', 'B'), page('/a', 'A'))
      await ops([
        { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'Now' } },
        { op: 'create_page', page: page('/new', 'New') },
        { op: 'remove_page', pageSlug: '/a' },
      ])
      const before = { version: await version(), updatedAt: (await read('/')).updatedAt }
      time.advance(5000)
      const answer = await restore(commit.slice(0, 9))
      t.equal(answer.status, 200)
      t.strictSame(answer.json(), {
        status: 'restored',
        commit: commit.slice(0, 7),
        session: 'dev',
        scopedSession: 'acme::dev',
        slugs: ['/', '/b', '/a'],
        previewVersion: before.version + 1,
      })
      t.strictSame(await slugs(), ['/', '/b', '/a'], 'in the order of that time, without other pages')
      t.equal(await heading('/'), 'Then')
      t.ok((await read('/')).updatedAt > before.updatedAt)
      t.equal((await read('/a')).updatedAt, time.now().toISOString(), 'a restored page is a new version')
      t.match((await get('/history/log')).json(), { currentVersion: before.version + 1 })
      t.match((await get('/history/log', { limit: '1' })).json(), {
        entries: [{ source: 'restore', version: before.version + 1, opCount: 0, summary: /publish of 2026/ }],
      })

      await undo('/')
      t.equal(await heading('/'), 'Now')
      t.ok((await slugs()).includes('/new'))
    },
  )
})

t.test('a snapshot is identified by a unique prefix of 7 to 40 hexadecimal digits', async (t) => {
  // Found by search: the ids derived from these two share their first seven digits.
  const [one = '', two = ''] = collidingUuids()
  const storage = createMemoryStore()
  let next = one
  const snapshots = createSnapshots({ store: storage, ids: { uuid: () => next } })
  const { restore, remove, heading } = setUp(t, { store: storage })
  const first = await snapshots.keep(at, 'acme::dev', { pages: [page('/', 'One')] }, noon)
  t.equal((await restore(first.slice(0, 7))).status, 200)
  next = two
  const second = await snapshots.keep(at, 'acme::dev', { pages: [page('/', 'Two')] }, noon)
  t.equal(second.slice(0, 7), first.slice(0, 7))
  const wrong = ['', 'abc123', '0'.repeat(41), 'main', 'HEAD~1', '--force', 'abcdefg', 'abc 1234', 7, null]
  const rows: readonly (readonly [commit: unknown, refusal: object])[] = [
    [first.slice(0, 7), { error: /More than one/, code: 'ambiguous_snapshot', reason: /more of its digits/ }],
    ['0000000', { error: readable, code: 'unknown_snapshot', reason: /GET \/restore\/snapshots/ }],
    [undefined, { error: 'commit is required', reason: 'commit is required', code: 'invalid_request' }],
    ...wrong.map((commit) => [commit, { error: /commit/, code: 'invalid_request' }] as const),
  ]
  for (const send of [restore, remove])
    for (const [commit, refusal] of rows) {
      const answer = await send(commit)
      t.match([answer.status, answer.json()], [400, refusal], JSON.stringify(commit))
    }
  t.equal((await restore(` ${second.toUpperCase()} `)).status, 200)
  t.equal(await heading('/'), 'Two')
  t.equal((await restore(first)).status, 200)
  t.equal(await heading('/'), 'One')
})

t.test('a draft is restored to snapshots of its own site only', async (t) => {
  const [one = '', two = ''] = collidingUuids()
  const storage = createMemoryStore()
  let next = one
  const snapshots = createSnapshots({ store: storage, ids: { uuid: () => next } })
  const { bootstrap, restore, heading, version } = setUp(t, { store: storage })
  await bootstrap([page('/', 'Mine')])
  const theirs = { session: 'dev', siteId: 'other' }
  const other = await snapshots.keep(theirs, 'other::dev', { pages: [page('/', 'Theirs')] }, noon)
  for (const commit of [other, other.slice(0, 7), other.toUpperCase()]) {
    const answer = await restore(commit)
    t.match([answer.status, answer.json()], [400, { code: 'unknown_snapshot', reason: /for this site/ }])
  }
  t.same([await heading('/'), await version()], ['Mine', 1])
  next = two
  const own = await snapshots.keep(at, 'acme::dev', { pages: [page('/', 'Then')] }, noon)
  t.equal(
    (await restore(own.slice(0, 7))).status,
    200,
    'a prefix that another site also has is not ambiguous',
  )
  t.equal(await heading('/'), 'Then')
})

t.test('only the requested snapshot is deleted, and the published state stays', async (t) => {
  const { publish, list, restore, remove, get, heading } = setUp(t)
  const first = await publish(page('/', 'One'))
  const second = await publish(page('/', 'Two'))
  const Diff = v.looseObject({ baselineAvailable: v.boolean(), summary: v.record(v.string(), v.number()) })
  const changes = async () => v.parse(Diff, (await get('/publish/diff')).json())
  const before = await changes()
  t.equal(before.baselineAvailable, true)
  const sent = second.slice(0, 7).toUpperCase()
  t.strictSame((await remove(sent)).json(), { status: 'deleted', commit: sent })
  t.same([await changes(), await heading('/')], [before, 'Two'])
  t.strictSame(commitsOf(await list()), [first.slice(0, 7)])
  for (const gone of [second, second.slice(0, 9)]) t.equal((await restore(gone)).status, 400)
  t.equal((await remove(second)).status, 400, 'it is removed once')
  const third = await publish(page('/', 'Three'))
  t.equal((await remove(first)).status, 200)
  t.same(commitsOf(await list()), [third.slice(0, 7)])
})

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Two texts whose hashes begin with the same seven hexadecimal digits. */
function collidingUuids(): readonly string[] {
  const seen = new Map<string, string>()
  for (let n = 0; ; n++) {
    const uuid = `uuid-${n}`
    const start = sha1(uuid).slice(0, 7)
    const other = seen.get(start)
    if (other !== undefined) return [other, uuid]
    seen.set(start, uuid)
  }
}
