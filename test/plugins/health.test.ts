import t from 'tap'
import { gates, give, publicGate, use, type Seed } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import { blobs, type Blobs } from '../../plugins/blobs/port.ts'
import { bus, type Bus } from '../../plugins/bus/port.ts'
import health from '../../plugins/health/index.ts'
import { leaving } from '../../plugins/health/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store, type Store } from '../../plugins/store/port.ts'
import { inPassingTime } from '../helpers/passing-time.ts'

const refuse = () => Promise.reject(new Error('not part of this test'))
const someBlobs = (health: () => Promise<string>): Blobs => ({
  put: refuse,
  open: refuse,
  list: async function* () {},
  remove: refuse,
  health,
})
const someBus = (health: () => Promise<string>): Bus => ({
  publish: refuse,
  prepare: () => ({ written: refuse(), publish: refuse }),
  subscribe: () => undefined,
  health,
})
const someStore = (health: () => Promise<string>): Store => ({ ...createMemoryStore(), health })
const well = async () => 'ok'

const parts = (
  answers: Readonly<Partial<Record<'store' | 'blobs' | 'bus', () => Promise<string>>>> = {},
): readonly Seed[] => [
  give(store, someStore(answers.store ?? well)),
  give(blobs, someBlobs(answers.blobs ?? well)),
  give(bus, someBus(answers.bus ?? well)),
]
const setting = (seeds: readonly Seed[] = parts()) => ({
  plugins: [use(health)],
  seeds: [...openGates, ...seeds],
})

t.test('the health response is one exact text, for every caller', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    for (const url of ['/health', '/health?verbose=1']) {
      const answer = await ask({ url })
      t.equal(answer.status, 200)
      t.equal(answer.text, '{"ok":true}')
      t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      t.equal(answer.headers.get('cache-control'), 'no-store')
    }
    t.equal((await ask({ url: '/livez' })).text, '{"ok":true}')
    t.same((await ask({ url: '/readyz' })).json(), {
      ok: true,
      checks: { store: 'ok', blobs: 'ok', bus: 'ok' },
    })
  }),
)

t.test('readiness names the failing part, without details of the cause', async (t) => {
  const full = 'The disk is full. Free some space.'
  const secret = new Error('/secret/path')
  const table: readonly [string, Parameters<typeof parts>[0], object][] = [
    ['says so', { store: async () => full }, { store: full, blobs: 'ok', bus: 'ok' }],
    ['rejects', { blobs: () => Promise.reject(secret) }, { store: 'ok', blobs: /log has the cause/ }],
    ['several', { store: async () => full, bus: async () => 'Down.' }, { store: full, bus: 'Down.' }],
  ]
  for (const [name, answers, checks] of table) {
    const { log, lines } = capturedLog()
    const answer = await mountForTest(t, { ...setting(parts(answers)), log }).inject({ url: '/readyz' })
    t.equal(answer.status, 503, name)
    t.match(answer.json(), { ok: false, checks }, name)
    t.notMatch(answer.text, 'secret', name)
    t.equal(lines.join('').includes('/secret/path'), name === 'rejects', name)
  }
})

t.test(
  'a clock that differs from that of the database is shown, and requests are still served',
  async (t) => {
    const clock = { now: () => new Date(), health: async () => 'The clock is 90 seconds ahead.' }
    const seeds = [give(store, { ...someStore(well), clock })]
    const answer = await mountForTest(t, setting(seeds)).inject({ url: '/readyz' })
    t.equal(answer.status, 200)
    t.same(answer.json(), { ok: true, checks: { store: 'ok', clock: 'The clock is 90 seconds ahead.' } })
  },
)

t.test('readiness does not wait for a part that never answers', async (t) => {
  const mounted = mountForTest(t, setting(parts({ bus: () => new Promise(() => undefined) })))
  const answer = await inPassingTime(() => mounted.inject({ url: '/readyz' }))
  const late = { checks: { bus: 'No answer within 2 seconds.', store: 'ok' } }
  t.match([answer.status, answer.json()], [503, late])
})

t.test('requests at the same time share one check', async (t) => {
  let checks = 0
  const answers = { blobs: async () => (++checks > 0 ? 'ok' : '') }
  const mounted = mountForTest(t, setting(parts(answers)))
  await Promise.all(Array.from({ length: 20 }, () => mounted.inject({ url: '/readyz' })))
  t.equal(checks, 1)
  await mounted.inject({ url: '/readyz' })
  t.equal(checks, 2)
})

t.test('parts that are not loaded are not checked', async (t) => {
  t.same((await mountForTest(t, setting([])).inject({ url: '/readyz' })).json(), { ok: true, checks: {} })
})

t.test('a stopping service is not ready, even if its parts are healthy', async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const mounted = mountForTest(t, setting(parts({ bus: () => promise })))
  await mounted.ready()
  const asked = mounted.inject({ url: '/readyz' })
  const closed = mounted.close()
  resolve('ok')
  const answer = await asked
  const checks = { store: 'ok', blobs: 'ok', bus: 'ok' }
  t.match([answer.status, answer.json()], [503, { ok: false, checks }])
  await closed
  t.equal((await mounted.inject({ url: '/readyz' })).status, 503)
})

t.test('probes need no token on a server of its own; in a mount they are behind its gate', async (t) => {
  const admit = () => ({ admit: false, status: 401, error: 'unauthorized' }) as const
  const seeds = [give(gates.access, { ...publicGate, admit }), ...parts()]
  for (const [shape, status] of [
    ['standalone', 200],
    ['library', 401],
  ] as const) {
    const mounted = mountForTest(t, { plugins: [use(health)], seeds, shape })
    for (const url of ['/livez', '/readyz']) t.equal((await mounted.inject({ url })).status, status, shape)
    t.equal((await mounted.inject({ url: '/doctor' })).status, 401, shape)
  }
})

t.test('a standalone server serves the icon; a mount leaves it to its site', async (t) => {
  await everyWayIn(t, setting, async (t, ask) => {
    const answer = await ask({ url: '/favicon.ico' })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
    t.equal(answer.headers.get('cache-control'), 'public, max-age=86400')
    t.match(answer.text, /^<svg [^]*<\/svg>$/)
  })
  const mount = mountForTest(t, { ...setting(), shape: 'library' })
  t.equal((await mount.inject({ url: '/favicon.ico' })).status, 404)
  const icon = (await mount.ready()).find(({ spec }) => spec.path === '/favicon.ico')
  t.match(icon, { leftOut: /leaves it to its site/ })
})

t.test('a server that is about to stop is alive, and not ready', async (t) => {
  let isLeaving = false
  const mounted = mountForTest(t, setting([...parts(), give(leaving, () => isLeaving)]))
  const statusOf = async (url: string) => (await mounted.inject({ url })).status
  t.equal(await statusOf('/readyz'), 200)
  isLeaving = true
  t.same([await statusOf('/readyz'), await statusOf('/livez'), await statusOf('/health')], [503, 200, 200])
})
