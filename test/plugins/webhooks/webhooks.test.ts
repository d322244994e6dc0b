import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { use, type Logger } from '../../../kernel/index.ts'
import {
  capturedLog,
  everyWayIn,
  failureOf,
  mountForTest,
  stillClock,
  type Ask,
} from '../../../kernel/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import type { Store } from '../../../plugins/store/port.ts'
import webhooks from '../../../plugins/webhooks/index.ts'
import { pageOf } from '../../helpers/content.ts'
import { inHouse } from '../../helpers/publishing.ts'
import {
  draftsInMemory,
  editor,
  refused,
  startStack,
  textBlock,
  type SmallOptions,
} from '../../helpers/stack.ts'
import { startRawSite, startSite } from '../../helpers/upstream.ts'
import { patienceMs, until } from '../../helpers/until.ts'
import { deliveriesOf, startReceiver, verified, webhookSecret } from '../../helpers/webhook-receiver.ts'
import { emptyList } from '../../helpers/plain.ts'

type WebhookOptions = NonNullable<
  Parameters<typeof use<NonNullable<Parameters<NonNullable<(typeof webhooks)['takes']>>[0]>>>[1]
>
type EndpointOption = NonNullable<WebhookOptions['endpoints']>[number]

const secret = webhookSecret
const quick = { retryAfterMs: [1, 1, 1], timeoutMs: 10_000 }
const page = (slug: string) => pageOf(slug, [textBlock('b_1', 'canary-content')])

const both = ['publish.completed', 'publish.failed'] as const

/** Drafts in memory, with webhooks that are sent to these endpoints. */
function setUp(
  t: Test,
  endpoints: readonly Partial<EndpointOption>[],
  options: Partial<WebhookOptions> = {},
  { log, plugins = [], ...more }: Partial<SmallOptions> & { readonly log?: Logger } = {},
) {
  const all = endpoints.map((given) => ({ name: 'one', url: 'http://127.0.0.1:9/', secret, ...given }))
  const given = use(webhooks, { ...quick, ...options, endpoints: all })
  const setting = draftsInMemory({ store: createMemoryStore(), ...more, plugins: [given, ...plugins] })
  const mounted = mountForTest(t, { ...setting, ...(log && { log }) })
  const ask: Ask = (request) => mounted.inject(request)
  const replay = (id = '') => ask({ method: 'POST', url: `/webhooks/deliveries/${id}/replay` })
  return { mounted, ask, replay, ...editor(ask) }
}
const versionsOf = (receiver: Awaited<ReturnType<typeof startReceiver>>) =>
  receiver
    .messages()
    .map(({ data: { version = 0 } }) => version)
    .toSorted((a, b) => a - b)
const states = async (ask: Ask): Promise<readonly string[]> =>
  (await deliveriesOf(ask)).map(({ state }) => state)
const settled = (ask: Ask, count: number): Promise<void> =>
  until(
    async () => (await states(ask)).filter((state) => state !== 'waiting').length >= count,
    `${count} deliveries that are over`,
  )

t.test(
  'in the complete service a change and a publish are sent signed, with pages and version, without content',
  async (t) => {
    const receiver = await startReceiver(t)
    const hook = await startSite(t, (_, response) => response.end('{}'))
    const publishing = { PUBLISH_MODE: 'deploy_hook', VERCEL_DEPLOY_HOOK_URL: `${hook.origin}/deploy` }
    const stack = await startStack(t, {
      env: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret, ...publishing },
    })
    const { bootstrap, send } = editor(stack.ask)
    await bootstrap([page('/'), page('/about')])
    await send('/publish')
    await receiver.arrived(2)
    const messages = receiver.messages()
    const change = messages.find(({ type }) => type === 'draft.changed')
    const what = { siteId: 'acme', session: 'dev', version: 1, slugs: ['/', '/about'] }
    const how = { source: 'bootstrap', pageCount: 2, configChanged: false }
    t.match(change, { id: /^msg_[a-z\d]+_[a-f\d]{32}$/, data: { ...what, ...how } })
    const publish = messages.find(({ type }) => type.startsWith('publish.'))
    t.match(publish, { data: { ...what, publishId: String } })
    t.notMatch(receiver.seen.map(({ body }) => body).join(''), /canary-content/)
    await settled(stack.ask, 2)
    const [newest] = await deliveriesOf(stack.ask)
    t.match(newest, { endpoint: 'default', state: 'delivered', attempts: 1, last: { status: 204 } })
    const shown = await stack.ask({ url: '/webhooks' })
    const events = ['draft.changed', 'publish.completed', 'publish.failed']
    t.same(shown.json(), { endpoints: [{ name: 'default', origin: receiver.origin, events, waiting: 0 }] })
    const metrics = (await stack.ask({ url: '/metrics' })).text
    t.match(metrics, 'orchestrator_webhook_queue{endpoint="default"} 0')
    t.match(metrics, 'orchestrator_webhook_attempts_total{endpoint="default",outcome="delivered"} 2')
    for (const queue of ['webhooks/default', 'publish'])
      for (const state of ['waiting', 'running', 'failed'])
        t.match(metrics, `orchestrator_jobs{queue="${queue}",state="${state}"} 0`)
    t.notMatch(shown.text + metrics + JSON.stringify(await deliveriesOf(stack.ask)), /canary|whsec/)
  },
)

t.test('rejected changes are not sent, and each endpoint gets the events it subscribed to', async (t) => {
  const [changes, publishes] = [await startReceiver(t), await startReceiver(t)]
  const { bootstrap, ops, send } = setUp(t, [
    { name: 'changes', url: changes.url, events: ['draft.changed'] },
    { name: 'publishes', url: publishes.url, events: [...both] },
  ])
  await send('/publish')
  await bootstrap([page('/')])
  t.not((await ops([{ op: 'rename_page', pageSlug: '/none', newTitle: 'x' }])).status, 200)
  t.not((await ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'x' }], { 'if-match': '"7"' })).status, 200)
  await ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'New' }])
  await send('/publish')
  await Promise.all([changes.arrived(2), publishes.arrived(2)])
  t.same(versionsOf(changes), [1, 2])
  const [failed, completed] = publishes.messages().toSorted((a, b) => (a.type < b.type ? 1 : -1))
  t.match(completed, { type: 'publish.completed', data: { status: 'success', slugs: ['/'] } })
  t.match(failed, { type: 'publish.failed', data: { status: 'failed', slugs: emptyList } })
})

t.test('a delivery answered with an error is retried under the same id until it is accepted', async (t) => {
  const answers = [500, 404, 302]
  const receiver = await startReceiver(t, (_, response) =>
    response.writeHead(answers.shift() ?? 200, { location: 'http://127.0.0.1:1/' }).end('thanks'),
  )
  const { bootstrap, ask } = setUp(t, [{ url: receiver.url }])
  await bootstrap([page('/')])
  await settled(ask, 1)
  t.equal(receiver.seen.length, 4)
  t.equal(new Set(receiver.messages().map(({ id }) => id)).size, 1)
  t.match(await deliveriesOf(ask), [{ state: 'delivered', attempts: 4, last: { status: 200 } }])
})

t.test('a delivery that is never accepted fails with its last answer, and can be replayed', async (t) => {
  const receiver = await startReceiver(t, (_, response) => response.writeHead(500).end())
  const { bootstrap, ask, replay } = setUp(t, [{ url: receiver.url }])
  await bootstrap([page('/')])
  await settled(ask, 1)
  const [failed] = await deliveriesOf(ask, '?state=failed')
  t.match(failed, { state: 'failed', attempts: 4, last: { status: 500 } })
  receiver.answerBy((_, response) => response.end())
  t.match(await replay(failed?.id), { status: 200, text: `{"id":"${failed?.id}","state":"waiting"}` })
  await until(async () => (await states(ask))[0] === 'delivered', 'the replay')
  t.equal(receiver.messages().at(-1)?.id, failed?.id)
  t.match(await deliveriesOf(ask), [{ attempts: 1, last: { status: 200 } }])
  await replay(failed?.id)
  await receiver.arrived(6)
  t.match(refused(await replay('msg_0_0')), { status: 404, code: 'delivery_not_found' })
})

t.test('a receiver that answers 410 is called once; Retry-After is respected', async (t) => {
  const receiver = await startReceiver(t, (_, response) => response.writeHead(410).end())
  const { bootstrap, ask, retitle, replay } = setUp(t, [{ url: receiver.url }])
  await bootstrap([page('/')])
  await settled(ask, 1)
  t.match(await deliveriesOf(ask), [{ state: 'failed', attempts: 1, last: { status: 410 } }])
  receiver.answerBy((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  await retitle('/', 'New')
  await until(async () => (await deliveriesOf(ask, '?state=waiting'))[0]?.attempts === 1, 'the first attempt')
  const [waiting] = await deliveriesOf(ask, '?state=waiting')
  const timeOf = (field: string) => Date.parse(String(waiting?.[field]))
  t.ok(timeOf('nextAttemptAt') - timeOf('createdAt') >= 3_600_000)
  receiver.answerBy((_, response) => response.end())
  await replay(waiting?.id)
  await until(async () => (await states(ask))[0] === 'delivered', 'the replay of a waiting delivery')
})

t.test('a hostile receiver costs one attempt and does not delay other endpoints', async (t) => {
  const endless = (head: string) => (socket: Socket) => {
    socket.write(head)
    const go = (): void =>
      void (
        socket.destroyed ||
        (socket.write('x'.repeat(64 * 1024)) ? setImmediate(go) : socket.once('drain', go))
      )
    go()
  }
  const raw = await startRawSite(t, {
    endless: endless('HTTP/1.1 200 OK\r\n\r\n'),
    headers: endless('HTTP/1.1 200 OK\r\nx: '),
    rubbish: (socket) => socket.end('what?\r\n\r\n'),
    closing: (socket) => socket.destroy(),
    cut: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  })
  const well = await startReceiver(t)
  const silent = await startRawSite(t, { silent: () => undefined })
  const names = ['endless', 'headers', 'rubbish', 'closing', 'cut']
  const hostile = names.map((name) => ({ name, url: `${raw.origin}/${name}` }))
  const others = [
    { name: 'silent', url: `${silent.origin}/silent` },
    { name: 'unreachable', url: 'http://127.0.0.1:1/' },
    { name: 'well', url: well.url },
  ]
  const { bootstrap, ask } = setUp(t, [...hostile, ...others], { retryAfterMs: [], timeoutMs: patienceMs })
  await bootstrap([page('/')])
  await well.arrived(1)
  await settled(ask, names.length + 2)
  const found = (await deliveriesOf(ask)).map(
    ({ endpoint, state, last }) => `${endpoint} ${state} ${last?.status ?? last?.failure}`,
  )
  t.same(found.toSorted(), [
    'closing failed upstream_unreachable',
    'cut delivered 200',
    'endless delivered 200',
    'headers failed upstream_too_large',
    'rubbish failed upstream_unreachable',
    'silent waiting undefined',
    'unreachable failed upstream_unreachable',
    'well delivered 204',
  ])
  await until(() => raw.open() === 0, 'every other connection to be closed')
})

t.test('a receiver that never answers costs one attempt, and its connection is closed', async (t) => {
  const raw = await startRawSite(t, { silent: () => undefined })
  const { bootstrap, ask } = setUp(t, [{ url: `${raw.origin}/silent` }], { retryAfterMs: [], timeoutMs: 50 })
  await bootstrap([page('/')])
  await settled(ask, 1)
  t.match(await deliveriesOf(ask), [{ state: 'failed', last: { failure: 'upstream_timeout' } }])
  await until(() => raw.open() === 0, 'its connection to be closed')
})

t.test('concurrent deliveries to an endpoint are limited, and all arrive', async (t) => {
  const held: ServerResponse[] = []
  let most = 0
  const receiver = await startReceiver(t, (_, response) => {
    most = Math.max(most, held.push(response))
    if (held.length === 3) for (const each of held.splice(0)) each.end()
  })
  const { bootstrap, retitle, ask } = setUp(t, [{ url: receiver.url }], { parallel: 3 })
  await bootstrap([page('/')])
  await Promise.all(Array.from({ length: 41 }, (_, at) => retitle('/', `Title ${at}`)))
  await settled(ask, 42)
  t.equal(most, 3)
  t.same(
    versionsOf(receiver),
    Array.from({ length: 42 }, (_, at) => at + 1),
  )
})

t.test('two secrets sign every message, for secret rotation', async (t) => {
  const next = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  const receiver = await startReceiver(t)
  const { bootstrap } = setUp(t, [{ url: receiver.url, secret: `${next} ${secret}` }])
  await bootstrap([page('/')])
  await receiver.arrived(1)
  const [message] = receiver.seen
  if (!message) throw new Error('one has arrived')
  t.equal(verified(message).id, verified(message, next).id)
  t.throws(() => verified(message, `whsec_${Buffer.alloc(32).toString('base64')}`))
  t.throws(() => verified({ ...message, body: message.body.replace('draft', 'daft') }))
})

t.test(
  'the oldest pending deliveries of an endpoint are dropped beyond a number, with a log line',
  async (t) => {
    const { log, lines } = capturedLog()
    const { bootstrap, retitle, ask } = setUp(t, [{}], { retryAfterMs: [1e9], maxWaiting: 3 }, { log })
    await bootstrap([page('/')])
    for (let at = 0; at < 5; at++) await retitle('/', `Title ${at}`)
    const waiting = await deliveriesOf(ask, '?state=waiting')
    const dropped = lines.filter((line) => line.includes('the oldest are dropped'))
    t.same([waiting.length, dropped.length], [3, 3])
    t.match(dropped[0], /"endpoint":"one","deliveries":\["msg_/)
    t.notOk(dropped.join().includes(String(waiting[0]?.id)), 'the newest wait')
  },
)

t.test('the oldest pending deliveries are dropped beyond their bytes, which deliveries free', async (t) => {
  const { log, lines } = capturedLog()
  const receiver = await startReceiver(t)
  const limits = { retryAfterMs: [1e9], maxWaitingBytes: 2_000 }
  const endpoints = [{}, { name: 'two', url: receiver.url }]
  const { bootstrap, retitle, ask } = setUp(t, endpoints, limits, { log })
  await bootstrap([page('/')])
  for (let at = 0; at < 20; at++) {
    await retitle('/', `Title ${at}`)
    await receiver.arrived(at + 2)
  }
  const waiting = await deliveriesOf(ask, '?endpoint=one&state=waiting')
  const dropped = lines.filter((line) => line.includes('the oldest are dropped'))
  t.ok(waiting.length > 1 && waiting.length < 20, `${waiting.length} wait`)
  t.equal(dropped.length, 21 - waiting.length, 'one for each that is too many')
  t.ok(
    dropped.every((line) => line.includes('"endpoint":"one"')),
    'what was delivered takes no room',
  )
  t.notOk(dropped.join().includes(String(waiting.at(-1)?.id)), 'the newest wait')
})

t.test('finished deliveries are removed beyond a number, and after a time', async (t) => {
  const clock = stillClock()
  const receiver = await startReceiver(t)
  const limits = { keptDeliveries: 3, parallel: 1 }
  const { bootstrap, retitle, ask } = setUp(t, [{ url: receiver.url }], limits, { clock })
  const idsOf = async (query = '') => (await deliveriesOf(ask, query)).map(({ id }) => id)
  const finished = () => until(async () => (await idsOf('?state=waiting')).length === 0, 'all to be finished')
  await bootstrap([page('/')])
  for (let at = 0; at < 6; at++) await retitle('/', `Title ${at}`)
  await receiver.arrived(7)
  await finished()
  const arrived = receiver.seen.map(({ headers }) => headers['webhook-id']).toReversed()
  t.same(await idsOf(), arrived.slice(0, 3), 'the newest stay, newest first')
  t.same(await idsOf('?limit=1'), arrived.slice(0, 1))
  t.same(await idsOf('?endpoint=other'), [])
  clock.advance(31 * 24 * 60 * 60 * 1000)
  await retitle('/', 'New')
  await receiver.arrived(8)
  await finished()
  t.same(await idsOf(), [receiver.seen.at(-1)?.headers['webhook-id']])
})

t.test('a service that stops releases its active delivery, and the next one sends it at once', async (t) => {
  const receiver = await startReceiver(t, () => undefined)
  const store = createMemoryStore()
  const start = () => setUp(t, [{ url: receiver.url }], { timeoutMs: 60_000 }, { store })
  const first = start()
  await first.bootstrap([page('/')])
  await receiver.arrived(1)
  await first.mounted.close()
  receiver.answerBy((_, response) => response.end())
  const { mounted, ask } = start()
  await mounted.ready()
  await receiver.arrived(2)
  t.equal(new Set(receiver.messages().map(({ id }) => id)).size, 1)
  await settled(ask, 1)
  t.match(await deliveriesOf(ask), [{ attempts: 1 }], 'an aborted request is not an attempt')
})

t.test(
  'a temporary store failure causes a second delivery under the same id, and loses no message',
  async (t) => {
    const memory = createMemoryStore()
    let isBroken = false
    const store: Store = {
      ...memory,
      transaction: (run) => (isBroken ? Promise.reject(new Error('no room')) : memory.transaction(run)),
    }
    const receiver = await startReceiver(t, (_, response) => {
      isBroken = true
      response.end()
    })
    const { log, lines } = capturedLog()
    const options = { timeoutMs: 500, lookEveryMs: 10 }
    const { bootstrap, ask } = setUp(t, [{ url: receiver.url }], options, { store, log })
    await bootstrap([page('/')])
    await until(() => lines.some((line) => line.includes('jobs could not be read')), 'a failed poll')
    t.ok(lines.some((line) => line.includes('has no known outcome')))
    t.notMatch(lines.join(''), /canary|whsec/)
    receiver.answerBy((_, response) => response.end())
    isBroken = false
    await settled(ask, 1)
    t.equal(receiver.seen.length, 2)
    t.equal(new Set(receiver.messages().map(({ id }) => id)).size, 1)
  },
)

t.test('a deployment that fails later is sent once, under the id of its publish', async (t) => {
  const tracker = { deploymentId: 'd1', vercelState: 'BUILDING' }
  const deploying = inHouse({
    name: 'deploying',
    publish: async () => ({ ok: true, httpStatus: 200, status: 'triggered', body: {}, tracker }),
  })
  const clock = stillClock(new Date().toISOString())
  const hosting = await startSite(t, (_, response) => response.end('{"readyState":"ERROR"}'))
  const receiver = await startReceiver(t)
  const env = { PUBLISH_TARGET: 'deploying', VERCEL_TOKEN: 'token', VERCEL_BASE_URL: hosting.origin }
  const endpoint = { url: receiver.url, events: [...both] }
  const { bootstrap, send, get, ask } = setUp(t, [endpoint], {}, { clock, env, plugins: [deploying] })
  await bootstrap([page('/')])
  t.match((await send('/publish')).json(), { status: 'triggered' })
  await receiver.arrived(1)
  clock.advance(5_000)
  for (let times = 0; times < 2; times++)
    t.match((await get('/publish/status')).json(), { vercelState: 'ERROR' })
  await receiver.arrived(2)
  await settled(ask, 2)
  const [begun, failed] = receiver.messages()
  t.match(begun, { type: 'publish.completed', data: { status: 'triggered' } })
  t.match(failed, { type: 'publish.failed', data: { status: 'failed', version: 1, slugs: ['/'] } })
  t.equal(failed?.data['publishId'], begun?.data['publishId'])
})

t.test('without endpoints nothing is stored, and lists are empty', (t) =>
  everyWayIn(
    t,
    () => draftsInMemory({ plugins: [use(webhooks, {})] }),
    async (t, ask) => {
      await editor(ask).bootstrap([page('/')])
      t.same((await ask({ url: '/webhooks' })).json(), { endpoints: [] })
      t.same(await deliveriesOf(ask), [])
      t.equal((await ask({ method: 'POST', url: '/webhooks/deliveries/msg_0_0/replay' })).status, 404)
      t.equal((await ask({ method: 'POST', url: '/webhooks/deliveries/else/replay' })).status, 400)
    },
  ),
)

t.test('invalid settings stop the boot with a remedy and reveal no secret', async (t) => {
  const boot = (env: Readonly<Record<string, string>>, options: WebhookOptions = {}) =>
    failureOf(mountForTest(t, draftsInMemory({ plugins: [use(webhooks, options)], env })).ready())
  const url = 'https://hooks.test/canary'
  const own = { WEBHOOK_URL: url, WEBHOOK_SECRET: secret }
  t.match(await boot({ WEBHOOK_URL: url }), /WEBHOOK_URL needs WEBHOOK_SECRET/)
  const keys = [12, 80].map((length) => `whsec_${Buffer.alloc(length).toString('base64')}`)
  for (const WEBHOOK_SECRET of ['canary', 'whsec_canary', ...keys]) {
    const problem = await boot({ ...own, WEBHOOK_SECRET })
    t.match(problem, /WEBHOOK_SECRET: must be whsec_ and 24 to 64 random bytes/)
    t.notMatch(problem, /canary/)
  }
  const credentials = await boot({ ...own, WEBHOOK_URL: 'https://name:canary@hooks.test' })
  t.match(credentials, /WEBHOOK_URL: must be an address .* without credentials/)
  const events = await boot({ ...own, WEBHOOK_EVENTS: 'draft.changed, all' })
  t.match(events, /must be draft\.changed, publish\.completed, publish\.failed/)
  const twice = { name: 'one', url, secret }
  t.match(await boot({}, { endpoints: [twice, twice] }), /two webhook endpoints have the name 'one'/)
  t.equal(await boot({ ...own, WEBHOOK_EVENTS: 'publish.failed' }), 'did not fail')
})
