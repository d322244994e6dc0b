import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createLogger, mount, randomIds, use, type Injected } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import { type Blobs, blobsUnavailable } from '../../plugins/blobs/port.ts'
import type { Publication, PublishTarget } from '../../plugins/publish/port.ts'
import { createMemoryStore, storeUnavailable } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import webhooks from '../../plugins/webhooks/index.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import {
  at,
  checking,
  done,
  inHouse,
  lastRow,
  log,
  noon,
  page,
  publishing,
  twoPages,
  type PublishingOptions,
} from '../helpers/publishing.ts'
import { openSqlite } from '../helpers/sqlite.ts'
import { editor } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'
import { startReceiver, webhookSecret } from '../helpers/webhook-receiver.ts'

const hour = 3_600_000
const inHours = (hours: number): string => new Date(Date.parse(noon) + hours * hour).toISOString()
const setHeading = (heading: string) => [
  { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading } },
]
const headingOf = ({ pages }: Pick<Publication, 'pages'>): unknown =>
  pages.find(({ slug }) => slug === '/')?.blocks[0]?.props['heading']

const Row = v.looseObject({
  id: v.string(),
  status: v.string(),
  at: v.string(),
  error: v.optional(v.string()),
})
const List = v.object({ scheduled: v.array(Row) })
const Refused = v.object({ code: v.string(), reason: v.string() })
const refused = (answer: Injected) => ({ ...v.parse(Refused, answer.json()), status: answer.status })
const rowIn = (answer: Injected) => v.parse(Row, answer.json())

/** A target that notes what it gets. */
function archive(publish?: PublishTarget['publish']) {
  const got: Publication[] = []
  const target = inHouse({
    name: 'archive',
    publish: async (publication) => (got.push(publication), publish?.(publication) ?? done),
  })
  return { got, target, headings: () => got.map(headingOf) }
}

function client(ask: Ask, where = at) {
  const edit = editor(ask, where)
  return {
    ...edit,
    publish: (body: object = {}) => edit.send('/publish', body),
    list: async () => v.parse(List, (await edit.get('/publish/scheduled')).json()).scheduled,
    move: (id: string, to: string) => edit.send('/publish/scheduled', { id, at: to }, {}, 'PATCH'),
    cancel: (id: string) =>
      ask({ method: 'DELETE', url: `/publish/scheduled?${new URLSearchParams({ ...where, id })}` }),
  }
}

const setting = (time: ReturnType<typeof stillClock>, { publish, ...options }: PublishingOptions) =>
  publishing({ time, publish: { lookEveryMs: 10, ...publish }, ...options })

/** A service that the test stops itself. */
const started = (given: ReturnType<typeof setting>) =>
  mount({ shape: 'standalone', log: createLogger({ level: 'silent' }), env: {}, ...given })

async function setUp(t: Test, options: PublishingOptions = {}) {
  const time = stillClock(noon)
  const mounted = mountForTest(t, setting(time, options))
  const person = client((request) => mounted.inject(request))
  await person.bootstrap(twoPages)
  const isOver = (rows: number) => until(async () => (await log(person)).length === rows, `${rows} publishes`)
  return { time, mounted, isOver, ...person }
}

t.test('a publish at a time sends what was pinned, and later edits stay differences', async (t) => {
  const kept = archive()
  const time = stillClock(noon)
  await everyWayIn(
    t,
    () => setting(time, { plugins: [kept.target] }),
    async (t, ask) => {
      const person = client(ask)
      const start = kept.got.length
      await person.bootstrap(twoPages)
      const due = new Date(time.now().getTime() + hour).toISOString()
      const answer = await person.publish({ at: due, baseVersion: 1 })
      t.equal(answer.status, 202)
      const row = rowIn(answer)
      const what = {
        session: 'acme::dev',
        siteId: 'acme',
        target: 'archive',
        slugs: ['/', '/about'],
        version: 1,
      }
      const who = { createdAt: time.now().toISOString(), actor: { kind: 'person', id: 'anyone' } }
      t.strictSame(answer.json(), { id: row.id, status: 'scheduled', at: due, ...what, ...who })
      t.strictSame(await person.list(), [row])
      await person.ops(setHeading('Edited meanwhile'))
      t.equal(kept.got.length, start, 'nothing is sent before its time')

      time.advance(hour)
      await until(async () => (await person.list()).length === 0, 'the publish')
      t.strictSame(kept.headings().slice(start), ['Hello'])
      t.match(await lastRow(person), { status: 'success', scheduledId: row.id, at: due, target: 'archive' })
      const diff = await person.get('/publish/diff')
      const fieldDiffs = [{ path: 'heading', before: 'Hello', after: 'Edited meanwhile' }]
      t.match(diff.json(), { pages: [{ slug: '/', blockDiffs: [{ fieldDiffs }] }, { status: 'unchanged' }] })
    },
  )
})

t.test('a time is taken as other languages write it', async (t) => {
  const { publish, move, list } = await setUp(t, { plugins: [archive().target] })
  const { id } = rowIn(await publish({ at: '2026-02-01T12:00Z' }))
  for (const [time, at] of [
    ['2026-02-01T12:00Z', '2026-02-01T12:00:00.000Z'],
    ['2026-02-01T12:00+01:00', '2026-02-01T11:00:00.000Z'],
    ['2026-02-01T12:00:07-0130', '2026-02-01T13:30:07.000Z'],
    ['2026-02-01 12:00:07.123456+02', '2026-02-01T10:00:07.123Z'],
    ['2026-02-01T12:00:07,5Z', '2026-02-01T12:00:07.500Z'],
    ['2026-02-01t12:00:07z', '2026-02-01T12:00:07.000Z'],
    ['2026-02-01 12:00:07 +0200', '2026-02-01T10:00:07.000Z'],
  ] as const) {
    t.equal((await move(id, time)).status, 200, time)
    t.match(await list(), [{ at }], time)
  }
})

t.test('what cannot be scheduled is refused at once, with a remedy', async (t) => {
  const strict = checking(async (publication) =>
    headingOf(publication) === 'Sale!' ? 'The legal department has to see a sale first.' : undefined,
  )
  const { publish, list, ops, move, cancel } = await setUp(t, { plugins: [archive().target, strict] })
  const cases: readonly [body: object, status: number, code: string, reason: RegExp][] = [
    [{ at: inHours(-1) }, 400, 'time_not_possible', /after now, 2026-01-01T12:00:00\.000Z/],
    [{ at: inHours(24 * 400) }, 400, 'time_not_possible', /within a year/],
    [{ at: '2026-02-01T12:00:00' }, 400, 'invalid_request', /ISO 8601/],
    [{ at: '2026-02-30T12:00:00Z' }, 400, 'invalid_request', /a time that exists/],
    [{ at: '2026-02-01T12:00+25:00' }, 400, 'invalid_request', /a time that exists/],
    [{ at: '2026-02-01T12Z' }, 400, 'invalid_request', /ISO 8601/],
    [{ at: 1_800_000_000 }, 400, 'invalid_request', /at/],
    [{ at: inHours(1), baseVersion: 7 }, 409, 'draft_changed', /changed after this version/],
    [{ at: inHours(1), commit: 'abcdef1' }, 400, 'unknown_snapshot', /GET \/restore\/snapshots/],
    [{ at: inHours(1), siteOrigin: 'https://no.example' }, 400, 'site_origin_not_allowed', /allowed/],
  ]
  const nowhere = await setUp(t)
  t.match(refused(await nowhere.publish({ at: inHours(1) })), { status: 400, code: 'no_publish_target' })
  for (const [body, status, code, reason] of cases)
    t.match(refused(await publish(body)), { status, code, reason }, JSON.stringify(body))
  await ops(setHeading('Sale!'))
  t.match(refused(await publish({ at: inHours(1) })), { status: 409, code: 'check_refused' })
  t.strictSame(await list(), [])

  const missing = { status: 404, code: 'not_found', reason: /publish\/log/ }
  for (const answer of [await move('none', inHours(1)), await cancel('none')])
    t.match(refused(answer), missing)
  await ops(setHeading('Hello'))
  for (let count = 0; count < 20; count++) t.equal((await publish({ at: inHours(1) })).status, 202)
  t.match(refused(await publish({ at: inHours(1) })), { status: 409, code: 'too_many_scheduled' })
})

t.test('what a target would read from the draft later is neither scheduled nor rolled back', async (t) => {
  const { publish, ...person } = await setUp(t, { plugins: [inHouse({ name: 'build', readsDraft: true })] })
  t.equal((await publish()).status, 200)
  const snapshot = (await lastRow(person))?.['snapshot']
  const refusal = { status: 400, code: 'target_reads_draft', reason: /restore\/snapshot/ }
  for (const body of [{ at: inHours(1) }, { commit: snapshot }])
    t.match(refused(await publish(body)), refusal)
})

t.test('a scheduled publish gets another time, or is canceled, by its own draft only', async (t) => {
  const kept = archive()
  const { publish, list, move, cancel, time, mounted, isOver } = await setUp(t, { plugins: [kept.target] })
  const [first, second] = [rowIn(await publish({ at: inHours(2) })), rowIn(await publish({ at: inHours(3) }))]
  const other = client((request) => mounted.inject(request), { session: 'other', siteId: 'acme' })
  t.equal(refused(await other.move(first.id, inHours(1))).status, 404)
  t.equal(refused(await other.cancel(first.id)).status, 404)
  t.strictSame(await other.list(), [])

  t.match(refused(await move(second.id, inHours(-1))), { status: 400, code: 'time_not_possible' })
  const moved = await move(second.id, '2026-01-01T14:00:00+01:00')
  t.match([moved.status, moved.json()], [200, { ...second, at: inHours(1) }])
  t.match(await list(), [{ id: second.id }, { id: first.id }], 'the next one first')
  t.strictSame((await cancel(first.id)).json(), { status: 'canceled', id: first.id })
  time.advance(5 * hour)
  await isOver(1)
  t.strictSame(await list(), [])
  t.equal(kept.got.length, 1)
})

t.test('a failure is listed, logged and sent as a webhook, and can be tried again', async (t) => {
  const receiver = await startReceiver(t)
  const events = ['publish.failed' as const]
  const endpoint = { name: 'one', url: receiver.url, secret: webhookSecret, events }
  let act: PublishTarget['publish'] = () => Promise.reject(new Error('canary'))
  const kept = archive((publication) => act(publication))
  const { publish, list, move, time, isOver, ...person } = await setUp(t, {
    plugins: [kept.target, use(webhooks, { endpoints: [endpoint] })],
    env: { ORCHESTRATOR_CORS_ORIGINS: 'http://127.0.0.1:9' },
  })
  const { id } = rowIn(await publish({ at: inHours(1) }))
  time.advance(hour)
  await isOver(1)
  const error = 'The publish failed inside the service. Its log says why.'
  t.match(await list(), [{ id, status: 'failed', error }])
  t.match(await lastRow(person), { status: 'failed', scheduledId: id, error })
  await receiver.arrived(1)
  const sent = { type: 'publish.failed', data: { scheduledId: id, status: 'failed' } }
  t.match(JSON.parse(receiver.seen[0]?.body ?? ''), sent)
  time.advance(hour)

  act = async () => done
  await move(id, inHours(3))
  t.match(await list(), [{ id, status: 'scheduled', error: undefined }])
  time.advance(hour)
  await isOver(2)
  t.strictSame(await list(), [])
})

t.test('a site that can no longer be published to at the time is a failed publish of the log', async (t) => {
  const kept = archive()
  const time = stillClock(noon)
  const storage = createMemoryStore()
  const origin = 'https://site.example'
  const start = (env: Readonly<Record<string, string>>) =>
    started(setting(time, { plugins: [kept.target], storage, env }))
  const first = start({ ORCHESTRATOR_CORS_ORIGINS: origin })
  const before = client((request) => first.inject(request))
  await before.bootstrap(twoPages)
  const { id } = rowIn(await before.publish({ at: inHours(1), siteOrigin: origin }))
  await first.close()

  time.advance(2 * hour)
  const second = start({})
  t.teardown(() => second.close())
  await second.ready()
  const after = client((request) => second.inject(request))
  await until(async () => (await log(after)).length === 1, 'the missed publish runs at the start')
  const error = /^siteOrigin is not an allowed URL/
  t.match(await lastRow(after), { status: 'failed', scheduledId: id, target: 'archive', error })
  t.match(await after.list(), [{ id, status: 'failed', error }])
  t.strictSame(kept.got, [])
})

t.test('publishes of one site that were missed run in the order of their times', async (t) => {
  const kept = archive()
  const { publish, ops, time, isOver } = await setUp(t, { plugins: [kept.target] })
  await ops(setHeading('Second'))
  await publish({ at: inHours(2) })
  await ops(setHeading('First'))
  await publish({ at: inHours(1) })
  await ops(setHeading('Neither'))
  time.advance(9 * hour)
  await isOver(2)
  t.strictSame(kept.headings(), ['First', 'Second'])
})

t.test('a site with many that are due does not keep others from theirs', async (t) => {
  const stuck = Promise.withResolvers<typeof done>()
  const kept = archive(({ id }) => (id.siteId === 'acme' ? stuck.promise : Promise.resolve(done)))
  const { mounted, time } = await setUp(t, { plugins: [kept.target] })
  const draftOf = (siteId: string, session: string) =>
    client((request) => mounted.inject(request), { siteId, session })
  for (const session of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const draft = draftOf('acme', session)
    await draft.bootstrap(twoPages)
    for (let count = 0; count < 20; count++) await draft.publish({ at: inHours(1) })
  }
  const other = draftOf('other', 'a')
  await other.bootstrap(twoPages)
  t.equal((await other.publish({ at: inHours(2) })).status, 202)
  time.advance(3 * hour)
  await until(async () => (await log(other)).length === 1, 'the publish of the other site')
  t.equal(kept.got.length, 2)
  stuck.resolve(done)
})

t.test('a service that stops keeps what it was publishing for its next start', async (t) => {
  const kept = archive(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const storage = createMemoryStore()
  const time = stillClock(noon)
  const mounted = started(setting(time, { plugins: [kept.target], storage }))
  const person = client((request) => mounted.inject(request))
  await person.bootstrap(twoPages)
  const { id } = rowIn(await person.publish({ at: inHours(1) }))
  time.advance(hour)
  await until(() => kept.got.length === 1, 'the publish')
  t.match(await person.list(), [{ id, status: 'publishing' }])
  t.match(refused(await person.cancel(id)), { status: 409, code: 'already_publishing' })
  await mounted.close()

  const next = archive()
  const again = mountForTest(t, setting(time, { plugins: [next.target], storage }))
  await again.ready()
  await until(() => next.got.length === 1, 'the publish after the restart')
  const { list, get } = client((request) => again.inject(request))
  await until(async () => (await list()).length === 0, 'the end of it')
  t.match(await log({ get }), [
    { status: 'failed', scheduledId: id },
    { status: 'success', scheduledId: id },
  ])
})

t.test('a service that stops while a target is refreshed keeps the publish as well', async (t) => {
  let isRefreshed = false
  const pulling = inHouse({
    name: 'archive',
    refresh: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('killed')))
        isRefreshed = true
      }),
  })
  const storage = createMemoryStore()
  const time = stillClock(noon)
  const mounted = started(setting(time, { plugins: [pulling], storage }))
  const person = client((request) => mounted.inject(request))
  await person.bootstrap(twoPages)
  await person.publish({ at: inHours(1) })
  time.advance(hour)
  await until(() => isRefreshed, 'the publish')
  await mounted.close()

  const next = archive()
  const again = mountForTest(t, setting(time, { plugins: [next.target], storage }))
  await again.ready()
  await until(() => next.got.length === 1, 'the publish after the restart')
})

t.test('while the store is away nothing counts as failed, and it is published again', async (t) => {
  const inner = createMemoryStore()
  let isAway = false
  const storage: Store = {
    ...inner,
    transaction(run) {
      if (!isAway) return inner.transaction(run)
      isAway = false
      return Promise.reject(storeUnavailable('The store is away.'))
    },
  }
  const kept = archive(async () => {
    isAway = kept.got.length === 1
    return done
  })
  const { publish, list, time, isOver, ...person } = await setUp(t, { plugins: [kept.target], storage })
  const { id } = rowIn(await publish({ at: inHours(1) }))
  time.advance(hour)
  await isOver(1)
  t.match(await lastRow(person), { status: 'success', scheduledId: id })
  t.strictSame([await list(), kept.got.length], [[], 2])
})

t.test('what keeps the files is asked at the next look, not without a pause', async (t) => {
  const inner = createMemoryBlobs({ clock: stillClock(noon), ids: randomIds })
  let [isAway, asked] = [false, 0]
  const files: Blobs = {
    ...inner,
    async open(key) {
      if (!isAway) return inner.open(key)
      asked++
      throw blobsUnavailable(new Error('away'))
    },
  }
  const own = 'http://localhost:4200'
  const { publish, ops, list, move, time, isOver } = await setUp(t, {
    plugins: [inHouse({ name: 'archive', takesFiles: true })],
    env: { ORCHESTRATOR_PUBLIC_ORIGIN: own },
    files,
    publish: { lookEveryMs: hour },
  })
  const patch = { imageUrl: `${own}/generated-images/upload_1.png` }
  await ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch }])
  const { id } = rowIn(await publish({ at: inHours(1) }))
  const later = rowIn(await publish({ at: inHours(8) }))
  isAway = true
  time.advance(hour)
  await move(later.id, inHours(9))
  await until(() => asked > 0, 'the first try')
  for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate)
  t.equal(asked, 1)
  const isNotKnown = { status: 'scheduled', error: undefined, interrupted: 1 }
  t.match(await list(), [
    { id, ...isNotKnown },
    { id: later.id, interrupted: undefined },
  ])
  isAway = false
  await move(later.id, inHours(8))
  await isOver(1)
})

t.test('of several processes one publishes, and another takes over when it dies', async (t) => {
  const storage = createMemoryStore()
  const time = stillClock(noon)
  const stuck = Promise.withResolvers<typeof done>()
  const dead = archive(() => stuck.promise)
  const first = mountForTest(t, setting(time, { plugins: [dead.target], storage }))
  const person = client((request) => first.inject(request))
  await person.bootstrap(twoPages)
  await person.publish({ at: inHours(1) })
  time.advance(hour)
  await until(() => dead.got.length === 1, 'the claim of the first')

  const live = archive()
  const others = [1, 2, 3].map(() => mountForTest(t, setting(time, { plugins: [live.target], storage })))
  await Promise.all(others.map((each) => each.ready()))
  t.equal((await person.list())[0]?.status, 'publishing')
  t.strictSame(live.got, [], 'a claim is respected while it lasts')
  time.advance(61_000)
  await until(async () => (await log(person)).length === 1, 'the publish of another one')
  t.equal(live.got.length, 1, 'of three only one publishes')
  t.strictSame(await person.list(), [])

  const { id } = rowIn(await person.publish({ at: inHours(2) }))
  stuck.resolve(done)
  await until(async () => (await log(person)).length === 2, 'the late end of the first')
  t.match(await person.list(), [{ id, status: 'scheduled' }], 'which ends nothing else')
})

t.test('publishes of one site run one at a time in two processes on one SQLite file', async (t) => {
  const file = join(t.testdir({}), 'store.db')
  let [running, most] = [0, 0]
  const slow = archive(async () => {
    most = Math.max(most, ++running)
    await pause(50)
    running--
    return done
  })
  const people = [1, 2].map(() => {
    const storage = openSqlite(t, file, { shared: true, synchronous: 'normal' })
    const mounted = mountForTest(t, publishing({ storage, plugins: [slow.target] }))
    return client((request) => mounted.inject(request))
  })
  await people[0]?.bootstrap(twoPages)
  const answers = await Promise.all([...people, ...people].map(({ publish }) => publish()))
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  t.equal(most, 1)
})

t.test('an earlier publish is published again, and the draft follows', async (t) => {
  const kept = archive()
  const { publish, ops, list, time, isOver, mounted, ...person } = await setUp(t, { plugins: [kept.target] })
  await publish()
  const { commit = '', snapshot } = v.parse(v.looseObject({ commit: v.string() }), await lastRow(person))
  t.equal(snapshot, commit)
  await ops(setHeading('Second'))
  await publish()
  const version = await person.version()

  const answer = await publish({ commit: commit.slice(0, 7).toUpperCase() })
  t.match([answer.status, answer.json()], [200, { status: 'ready', slugs: ['/', '/about'] }])
  t.strictSame(kept.headings(), ['Hello', 'Second', 'Hello'])
  t.match(await lastRow(person), { status: 'success', rolledBackTo: commit, summary: /updated Home/ })
  t.equal(await person.version(), version, 'not before it is compared')
  t.match((await person.get('/publish/diff')).json(), { summary: { pagesUnchanged: 2 } })
  t.match((await person.get('/draft/pages', { slug: '/' })).json(), {
    blocks: [{ props: { heading: 'Hello' } }],
  })

  const other = client((request) => mounted.inject(request), { session: 'dev', siteId: 'other' })
  await other.bootstrap([page('/')])
  t.match(refused(await other.publish({ commit })), { status: 400, code: 'unknown_snapshot' })
  t.equal(refused(await publish({ commit: 'none' })).status, 400)
  const both = refused(await publish({ commit, baseVersion: 1 }))
  t.match(both, { status: 400, reason: /send one of them/ })

  const later = (await publish({ commit, at: inHours(1) })).json()
  t.match(later, { status: 'scheduled', commit, version: undefined })
  time.advance(hour)
  await isOver(4)
  t.equal((await lastRow(person))?.['rolledBackTo'], commit)
  t.strictSame(await list(), [])
})

t.test('a rollback that would empty the site needs allowDelete, like any publish', async (t) => {
  const kept = archive()
  const mounted = mountForTest(t, setting(stillClock(noon), { plugins: [kept.target] }))
  const { publish, bootstrap, ...person } = client((request) => mounted.inject(request))
  t.equal((await publish({ allowDelete: true })).status, 200)
  const commit = String((await lastRow(person))?.['commit'])
  await bootstrap(twoPages)
  await publish()
  for (const body of [{ commit }, { commit, at: inHours(1) }])
    t.match(refused(await publish(body)), { status: 409, code: 'refused', reason: /allowDelete/ })
  t.equal((await publish({ commit, allowDelete: true })).status, 200)
  t.match(kept.got, [{ pages: { length: 0 } }, { pages: { length: 2 } }, { pages: { length: 0 } }])
})
