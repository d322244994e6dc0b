/** Two servers on one PostgreSQL, behind a proxy that sends every request to the other one. */
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { randomIds, systemClock } from '../../kernel/index.ts'
import { failureOf, stillClock } from '../../kernel/testing.ts'
import { toPlainHash } from '../../plugins/auth/testing.ts'
import { createPostgresStore } from '../../plugins/store/testing.ts'
import { usage } from '../../plugins/models/usage/port.ts'
import type { Queue } from '../../plugins/jobs/port.ts'
import { createOutbox, type Message, waiting } from '../../plugins/webhooks/outbox.ts'
import { WebhookOptions } from '../../plugins/webhooks/settings.ts'
import { startBalancer } from '../helpers/balancer.ts'
import { bearer, call, connect } from '../helpers/mcp.ts'
import { silentLog, startJobs } from '../helpers/jobs.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { twoPages } from '../helpers/publishing.ts'
import { askOver, editor, eventsIn, startStack } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'
import { silent } from '../helpers/sqlite.ts'
import { until } from '../helpers/until.ts'
import { startReceiver, webhookSecret } from '../helpers/webhook-receiver.ts'

const server = await startPostgres(t)

async function startTwo(t: Test, env: Readonly<Record<string, string>> = {}) {
  const all = { DATABASE_URL: await server.database(), ...env }
  const stacks = [await startStack(t, { env: all }), await startStack(t, { env: all })] as const
  const origin = await startBalancer(
    t,
    stacks.map((stack) => stack.origin),
  )
  return { stacks, origin, ...editor((request) => askOver(origin, request)) }
}

t.test('an agent works through both servers in one MCP session', async (t) => {
  const { origin, bootstrap, version } = await startTwo(t, { MCP_BEARER_TOKEN: bearer })
  await bootstrap(twoPages)
  for (const era of ['legacy', 'auto'] as const) {
    const client = await connect(t, `${origin}/mcp?siteId=acme`, { era })
    const before = await version()
    t.ok((await client.listTools()).tools.length > 5)
    for (const heading of ['One', 'Two', 'Three', 'Four']) {
      const ops = [{ op: 'update_props', pageSlug: '/about', blockId: 'b/about', patch: { heading } }]
      await call(client, 'batch-apply', { ops })
      t.match((await call(client, 'get-block', { slug: '/about', blockId: 'b/about' })).json(), {
        block: { props: { heading } },
      })
    }
    t.equal(await version(), before + 4)
  }
})

t.test('a plan of one server is approved, and a request repeated, through the other one', async (t) => {
  const { bootstrap, send, slugs, ops } = await startTwo(t)
  await bootstrap(twoPages)
  const held = v.parse(
    v.looseObject({ status: v.literal('plan_ready'), pendingPlanId: v.string() }),
    (await send('/chat', { slug: '/', message: 'Delete the page /about' })).json(),
  )
  const approval = { slug: '/', executionMode: 'apply_pending_plan', pendingPlanId: held.pendingPlanId }
  t.match((await send('/chat', approval)).json(), { status: 'applied' })
  t.strictSame(await slugs(), ['/'])
  const create = [{ op: 'create_page', page: { slug: '/once', title: 'Once' } }]
  const key = { 'idempotency-key': 'a-key-of-a-client' }
  const [first, second] = [await ops(create, key), await ops(create, key)]
  t.match([first.status, second.json()], [200, first.json()])
})

t.test('wrong passwords count for all servers, and a token of one is valid for all', async (t) => {
  const env = { ACCESS_PASSWORD_HASH: toPlainHash('right'), ORCHESTRATOR_GATE: 'all' }
  const { origin, stacks } = await startTwo(t, env)
  const guess = (password: string) =>
    askOver(origin, { method: 'POST', url: '/auth/verify', json: { password } })
  const { accessToken } = v.parse(v.looseObject({ accessToken: v.string() }), (await guess('right')).json())
  for (const stack of stacks) {
    const headers = { authorization: `Bearer ${accessToken}` }
    t.equal((await stack.ask({ url: '/draft/slugs?siteId=acme&session=dev' })).status, 401)
    t.equal((await stack.ask({ url: '/auth/access', headers })).status, 200)
  }
  const answers = []
  for (let n = 0; n < 12; n++) answers.push((await guess('wrong')).status)
  t.strictSame(
    answers.slice(0, 10),
    Array.from({ length: 10 }, () => 401),
  )
  t.strictSame(answers.slice(-1), [429])
})

t.test('generated images are limited for each caller in all servers together', async (t) => {
  const { stacks } = await startTwo(t, { MEDIA_GENERATIONS_PER_MIN: '3' })
  const count = async (at: 0 | 1, holder: string) =>
    failureOf((await stacks[at].get(usage)).countGeneration(holder))
  const counted = [await count(0, 'a'), await count(1, 'a'), await count(0, 'a'), await count(1, 'a')]
  t.strictSame(counted, ['did not fail', 'did not fail', 'did not fail', '429 rate_limited'])
  t.strictSame([await count(0, 'a'), await count(1, 'b')], ['429 rate_limited', 'did not fail'])
})

t.test('the budget of a day counts what all servers spend', async (t) => {
  const { stacks } = await startTwo(t, { CHAT_BUDGET_USD_PER_DAY: '2' })
  const spent = { inputTokens: 1, outputTokens: 1, cacheCreationInputTokens: 0, cacheReadInputTokens: 0 }
  for (const stack of stacks) {
    const { add } = await stack.get(usage)
    await add({ siteId: 'acme', session: 'dev' }, [{ ...spent, model: 'm', estimatedUsd: 0.75 }])
  }
  for (const stack of stacks)
    t.strictSame(await (await stack.get(usage)).budget(), { perDayUsd: 2, spentUsd: 1.5 })
})

t.test('each webhook is delivered by one server', async (t) => {
  const receiver = await startReceiver(t)
  const { bootstrap, retitle } = await startTwo(t, {
    WEBHOOK_URL: receiver.url,
    WEBHOOK_SECRET: webhookSecret,
  })
  await bootstrap(twoPages)
  for (let n = 0; n < 20; n++) t.equal((await retitle('/', `Title ${n}`)).status, 200)
  await receiver.arrived(21)
  const versions = receiver.messages().map(({ data }) => data.version)
  t.equal(new Set(versions).size, 21)
  t.equal(versions.length, 21)
})

t.test('publishes of one site run one at a time, whichever server runs them', async (t) => {
  let [running, most, count] = [0, 0, 0]
  const hook = await startSite(t, async (_, response) => {
    most = Math.max(most, ++running)
    await pause(200)
    running--
    count++
    response.end('{}')
  })
  const publishing = { PUBLISH_MODE: 'deploy_hook', VERCEL_DEPLOY_HOOK_URL: `${hook.origin}/deploy` }
  const { bootstrap, send } = await startTwo(t, publishing)
  await bootstrap(twoPages)
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('/publish')))
  t.strictSame([answers.map(({ status }) => status < 300), count, most], [[true, true, true, true], 4, 1])
})

t.test(
  'a webhook of a server that has ended is delivered by another one, when its claim is over',
  async (t) => {
    const url = await server.database()
    const time = stillClock()
    const options = v.parse(WebhookOptions, { timeoutMs: 1_000 })
    const settled: (string | undefined)[][] = [[], []]
    const sent: string[][] = [[], []]
    const { promise: late, resolve: answer } = Promise.withResolvers<void>()
    const processes = await Promise.all(
      [500, 204].map(async (status, at) => {
        const store = await createPostgresStore({ url, clock: systemClock, log: silent })
        t.teardown(() => store.close())
        const outbox = createOutbox({ store, clock: time, ids: randomIds, options })
        const { jobs } = await startJobs(t, store, time)
        const queue: Queue<Message> = jobs.queue({
          name: 'x',
          rows: waiting,
          scope: 'x',
          parallel: 3,
          leaseMs: 2_000,
          pollMs: 20,
          log: silentLog,
          async work(job) {
            sent[at]?.push(job.key)
            // The first process stands still until the other one has taken over.
            if (at === 0) await late
            const attempt = { at: time.now().toISOString(), milliseconds: 1, status }
            settled[at]?.push(await outbox.settle(queue, 'x', job, attempt))
          },
        })
        return { store, outbox, queue }
      }),
    )
    const [one, other] = processes
    if (!one || !other) return
    const message = { type: 'draft.changed', payload: '{}' } as const
    for (let n = 0; n < 6; n++) await one.store.transaction((tx) => one.outbox.add(tx, 'x', message))
    one.queue.wake()
    await until(() => sent[0]?.length === 3, 'the first process')
    other.queue.wake()
    await until(() => settled[1]?.length === 3, 'the other one')
    t.equal(new Set(sent.flat()).size, 6, 'none is claimed twice')
    time.advance(2_000)
    await until(() => settled[1]?.length === 6, 'what was taken over')
    t.strictSame(new Set(sent[1]?.slice(3)), new Set(sent[0]))
    answer()
    await until(() => settled[0]?.length === 3, 'the late answers')
    t.strictSame(settled[0], [undefined, undefined, undefined], 'their failures count no more')
    t.match(
      await other.outbox.list('x', 10),
      Array.from({ length: 6 }, () => ({ state: 'delivered' })),
    )
    const taken = (await other.outbox.list('x', 10)).filter(({ interrupted }) => interrupted === 1)
    t.equal(taken.length, 3, 'the list says of which it is not known whether they arrived twice')
    await Promise.all(processes.map(({ queue }) => queue.close()))
  },
)

t.test('a change through one server is soon in the event stream of the other one', async (t) => {
  const { stacks, bootstrap } = await startTwo(t)
  await bootstrap(twoPages)
  const [one, other] = stacks
  const stream = eventsIn(await fetch(`${other.origin}/events?siteId=acme&session=dev`))
  t.teardown(() => stream.close())
  await stream.take(1)
  for (const title of ['One', 'Two', 'Three']) {
    await editor(one.ask).retitle('/', title)
    t.match(await stream.take(1), [{ data: { type: 'draft' } }])
  }
})
