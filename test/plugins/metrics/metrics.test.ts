import t from 'tap'
import { give, use } from '../../../kernel/index.ts'
import { capturedLog, everyWayIn, failureOf, mountForTest, openGates } from '../../../kernel/testing.ts'
import { createMemoryBus } from '../../../plugins/bus/testing.ts'
import { bus } from '../../../plugins/bus/port.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { meters, type Meter } from '../../../plugins/metrics/port.ts'
import { published } from '../../../plugins/publish/port.ts'
import { usage } from '../../../plugins/models/usage/port.ts'
import { editor, startStack, textBlock } from '../../helpers/stack.ts'
import { pageOf } from '../../helpers/content.ts'
import { giving } from '../../helpers/plain.ts'

/** The values of one metric, by the text of its labels. */
function valuesOf(text: string, name: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return [labels, Number(value)]
    }),
  )
}

const metered = (meter: Meter) => giving(meter.name, meters, meter)

t.test('a service reports its activity, and an unknown path is not a label', async (t) => {
  const stack = await startStack(t, { env: { ORCHESTRATOR_ACCESS_TOKEN: 'token-of-the-scraper' } })
  const { bootstrap, ops } = editor((request) => stack.ask(request))
  await bootstrap([pageOf('/', [textBlock('b_1', 'one')])])
  await ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: 'two' } }])
  const scrape = async () => (await stack.ask({ url: '/metrics' })).text
  const { headers } = await stack.ask({ url: '/metrics' })
  t.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const strange = ['/nowhere', '/a/b/c?accessToken=canary', '/wp-login.php', '/%ff', '/draft/pages/canary']
  for (const url of strange) await stack.ask({ url })
  await stack.ask({ url: '/draft/pages?session=canary&slug=/canary' })
  const log = await stack.get(usage)
  const cached = { cacheCreationInputTokens: 2, cacheReadInputTokens: 100 }
  const call = { model: 'small', inputTokens: 10, outputTokens: 5, ...cached }
  await log.add({ siteId: 'acme', session: 'canary' }, [
    { ...call, estimatedUsd: 0.5 },
    { ...call, estimatedUsd: null },
  ])

  const text = await scrape()
  t.notMatch(text, /canary|nowhere|wp-login/)
  t.match(valuesOf(text, 'orchestrator_http_requests_total'), {
    'method="GET",route="(unknown)",status="404"': 4,
    'method="GET",route="(unknown)",status="400"': 1,
    'method="POST",route="/ops",status="200"': 1,
    'method="GET",route="/draft/pages",status="404"': 1,
  })
  const durations = valuesOf(text, 'orchestrator_http_request_duration_seconds_count')
  t.equal(durations['method="GET",route="(unknown)"'], 5)
  t.same(valuesOf(text, 'orchestrator_http_requests_open'), { '': 1 }, 'the scrape itself')
  const changes = { 'source="bootstrap"': 1, 'source="direct"': 1 }
  t.same(valuesOf(text, 'orchestrator_draft_changes_total'), changes)
  t.same(valuesOf(text, 'orchestrator_model_calls_total'), { 'model="small"': 2 })
  t.same(valuesOf(text, 'orchestrator_model_cost_usd_total'), { 'model="small"': 0.5 })
  t.match(valuesOf(text, 'orchestrator_model_tokens_total'), {
    'model="small",kind="input"': 20,
    'model="small",kind="cache_read"': 200,
  })
  t.match(valuesOf(text, 'orchestrator_chat_runs'), { 'state="parked"': 0, 'state="active"': 0 })
  t.same(valuesOf(text, 'orchestrator_chat_streams'), { '': 0 })
  t.ok((valuesOf(text, 'process_resident_memory_bytes')[''] ?? 0) > 1e6)
  t.same(valuesOf(await scrape(), 'orchestrator_draft_changes_total'), changes, 'nothing is counted twice')
})

t.test('open streams and publishes are counted', async (t) => {
  const stack = await startStack(t)
  await editor((request) => stack.ask(request)).bootstrap([pageOf('/')])
  const stop = new AbortController()
  const stream = await fetch(`${stack.origin}/events?session=dev&siteId=acme`, { signal: stop.signal })
  await stream.body?.getReader().read()
  await stack.ask({ method: 'POST', url: '/publish', json: { session: 'dev', siteId: 'acme' } })
  const { text } = await stack.ask({ url: '/metrics' })
  t.same(valuesOf(text, 'orchestrator_event_streams'), { '': 1 })
  stop.abort()
})

t.test(
  'a publish counts in the process that ran it, and each status is there before the first one',
  async (t) => {
    const { log } = capturedLog()
    const local = createMemoryBus({ log })
    const { inject, ready } = mountForTest(t, {
      plugins: [use(metrics)],
      seeds: [...openGates, give(bus, local)],
    })
    const counts = async () =>
      valuesOf((await inject({ url: '/metrics' })).text, 'orchestrator_publishes_total')
    const none = { 'status="success"': 0, 'status="triggered"': 0, 'status="failed"': 0 }
    t.same(await counts(), none)
    await ready()
    const event = { siteId: 's', session: 'dev', id: '1', status: 'failed', at: '2026-01-01T00:00:00.000Z' }
    local.receive(published.id, event)
    t.same(await counts(), none, 'the process that ran it counts it')
    await local.publish(published, event)
    t.same(await counts(), { ...none, 'status="failed"': 1 })
  },
)

t.test('in a closed mount metrics require the token', async (t) => {
  const stack = await startStack(t, {
    env: { ORCHESTRATOR_ACCESS_TOKEN: 'token-of-the-scraper', ORCHESTRATOR_GATE: 'all' },
  })
  const headers = { authorization: 'Bearer token-of-the-scraper' }
  t.equal((await stack.ask({ url: '/metrics' })).status, 401)
  t.equal((await stack.ask({ url: '/metrics', headers })).status, 200)
})

t.test('unknown methods of web requests share one label', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: [use(metrics)], seeds: openGates }),
    async (t, ask) => {
      await ask({ method: 'PURGE', url: '/metrics' })
      const { text } = await ask({ url: '/metrics' })
      const requests = valuesOf(text, 'orchestrator_http_requests_total')
      t.equal(requests['method="other",route="(unknown)",status="404"'], 1)
    },
  ),
)

t.test('meters of other plugins: samples are limited, and a failing meter is left out', async (t) => {
  const meter = (name: string, kind: Meter['kind'], read: Meter['read'], more = {}): Meter => ({
    name,
    help: 'Is.',
    kind,
    read,
    ...more,
  })
  const places = () => Array.from({ length: 600 }, (_, at) => ({ labels: { place: `p${at}` }, value: 1 }))
  const given = [
    meter('many', 'gauge', places, { labels: ['place'] }),
    meter('failing', 'counter', () => Promise.reject(new Error('no'))),
    meter('shrinking', 'counter', () => [{ value: -1 }]),
    meter('undeclared', 'gauge', () => [{ labels: { own: 'x' }, value: 1 }]),
  ]
  const { log, lines } = capturedLog()
  const { inject } = mountForTest(t, {
    plugins: [metrics, ...given.map(metered)].map((plugin) => use(plugin)),
    seeds: openGates,
    log,
  })
  const answer = await inject({ url: '/metrics' })
  t.equal(answer.status, 200)
  const values = valuesOf(answer.text, 'many')
  t.equal(Object.keys(values).length, 501)
  t.equal(values['place="other"'], 100)
  for (const name of ['failing', 'shrinking', 'undeclared'])
    t.match(lines.join(''), new RegExp(`"meter":"${name}".*meter could not be read`))
})

t.test('duplicate or invalid names stop the boot', async (t) => {
  const named = (name: string): Meter => ({ name, help: 'Is.', kind: 'gauge', read: () => [] })
  const boot = (names: readonly string[]) =>
    failureOf(
      mountForTest(t, {
        plugins: [use(metrics), ...names.map((name, at) => use({ ...metered(named(name)), name: `p${at}` }))],
        seeds: openGates,
      }).ready(),
    )
  t.match(await boot(['same', 'same']), /two meters have the name 'same'/)
  t.match(await boot(['Not This']), /needs a name in snake_case/)
  t.match(await boot(['process_cpu_seconds_total']), /needs a name in snake_case.* process_/)
  const taken = 'orchestrator_http_request_duration_seconds'
  t.match(await boot([taken]), `two meters have the name '${taken}'`)
})
