import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import t from 'tap'
import { everyWayIn, mountForTest } from '../../../kernel/testing.ts'
import { boatHome } from '../../helpers/boats.ts'
import { ending, opening, startCompletionsServer, toolCall } from '../../helpers/completions-server.ts'
import { sending } from '../../helpers/model-server.ts'
import { editor, startStack } from '../../helpers/stack.ts'
import { startSite } from '../../helpers/upstream.ts'
import { traceparent, tracedPlugins } from './asking.ts'
import { emptyList } from '../../helpers/plain.ts'

/** A context manager like that of the OpenTelemetry SDK for Node. */
function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.call(self, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)
context.setGlobalContextManager(createContextManager())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())

const [, traceId, callerId] = traceparent.split('-')
const spans = (kind: SpanKind): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.kind === kind)
const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId
const allSpans = (): string =>
  JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events]),
  )
t.beforeEach(() => exporter.reset())

t.test('traces are tested with the hooks of Node', async (t) => {
  let promises = 0
  const hook = createHook({ init: (_, type) => void (type === 'PROMISE' && promises++) }).enable()
  await Promise.resolve()
  hook.disable()
  t.ok(promises > 0, `${promises} promises`)
})

t.test('a request is a child span of its caller, and its outbound calls are child spans of it', async (t) => {
  const own = await startSite(t, (_, response) => response.end('ok'))
  const other = await startSite(t, (_, response) => response.writeHead(404).end())
  const env = { FETCH_ALLOWED_ORIGINS: own.origin }
  await everyWayIn(
    t,
    () => ({ plugins: tracedPlugins, env }),
    async (t, ask) => {
      exporter.reset()
      const urls = [`${own.origin}/path?token=canary`, other.origin]
      await ask({
        method: 'POST',
        url: '/ask/canary?accessToken=canary',
        headers: { traceparent, tracestate: 'vendor=1', baggage: 'user=canary' },
        json: { urls },
      })
      const [request] = spans(SpanKind.SERVER)
      const attributes = { 'http.route': '/ask/:name', 'http.request.method': 'POST' }
      t.match(request, { name: 'POST /ask/:name', attributes, status: { code: SpanStatusCode.UNSET } })
      t.same([request?.spanContext().traceId, request?.parentSpanContext?.spanId], [traceId, callerId])
      const [first, second] = spans(SpanKind.CLIENT)
      for (const span of [first, second]) t.equal(span?.parentSpanContext?.spanId, idOf(request))
      const answered = { 'server.address': `127.0.0.1:${own.port}`, 'http.response.status_code': 200 }
      t.match(first?.attributes, answered)
      t.match(second, {
        attributes: { 'http.response.status_code': 404, 'error.type': '404' },
        status: { code: SpanStatusCode.ERROR },
      })
      const sent = { traceparent: `00-${traceId}-${idOf(first)}-01`, tracestate: 'vendor=1' }
      t.match(own.seen.at(-1)?.headers, sent)
      t.notOk('baggage' in (own.seen.at(-1)?.headers ?? {}))
      t.notOk('traceparent' in (other.seen.at(-1)?.headers ?? {}), 'the trace is not sent elsewhere')
      t.notMatch(allSpans(), /canary/)
    },
  )
})

t.test('concurrent requests have separate spans', async (t) => {
  const own = await startSite(t, (_, response) => setImmediate(() => response.end('ok')))
  const mounted = mountForTest(t, { plugins: tracedPlugins })
  await Promise.all(
    Array.from({ length: 20 }, () =>
      mounted.inject({ method: 'POST', url: '/ask/x', json: { urls: [own.origin, own.origin] } }),
    ),
  )
  const requests = spans(SpanKind.SERVER)
  t.equal(requests.length, 20)
  const children = Map.groupBy(spans(SpanKind.CLIENT), ({ parentSpanContext }) => parentSpanContext?.spanId)
  for (const request of requests) {
    t.equal(request.parentSpanContext, undefined)
    const own = children.get(idOf(request)) ?? []
    const { traceId } = request.spanContext()
    t.same(
      own.map((span) => span.spanContext().traceId),
      [traceId, traceId],
    )
  }
})

t.test('a span that the host began is the parent, regardless of the caller', async (t) => {
  const mounted = mountForTest(t, { plugins: tracedPlugins })
  const outer = trace.getTracer('host').startSpan('host')
  await context.with(trace.setSpan(ROOT_CONTEXT, outer), () =>
    mounted.inject({ url: '/nowhere', headers: { traceparent } }),
  )
  outer.end()
  const [request] = spans(SpanKind.SERVER)
  t.match(request, { name: 'GET', attributes: { 'http.response.status_code': 404 } })
  t.notOk('http.route' in (request?.attributes ?? {}), 'an unknown path is not a span name')
  t.equal(request?.parentSpanContext?.spanId, outer.spanContext().spanId)
})

t.test(
  'spans record failures: an unreachable server, a blocked address, and the request itself',
  async (t) => {
    const mounted = mountForTest(t, { plugins: tracedPlugins })
    const ask = (url: string) => mounted.inject({ method: 'POST', url: '/ask/x', json: { urls: [url] } })
    t.equal((await ask('http://127.0.0.1:1/')).status, 502)
    t.match(spans(SpanKind.CLIENT)[0], {
      attributes: { 'error.type': 'upstream_unreachable' },
      status: { code: SpanStatusCode.ERROR },
      events: emptyList,
    })
    t.match(spans(SpanKind.SERVER)[0], { status: { code: SpanStatusCode.ERROR } })
    exporter.reset()
    t.equal((await ask('ftp://site.test/')).status, 400)
    t.match(spans(SpanKind.CLIENT)[0], { attributes: { 'error.type': 'fetch_refused' } })
  },
)

t.test(
  'a model call is a span below the chat request, and the trace is not sent to the provider',
  async (t) => {
    const server = await startCompletionsServer(t)
    const plan = { intent: 'content_answer', summary_for_user: 'It is about boats.', change_log: [], ops: [] }
    server.script(sending(opening() + toolCall(JSON.stringify(plan)) + ending('tool_calls')))
    const stack = await startStack(t, {
      env: { OPENAI_BASE_URL: server.origin, OPENAI_MODEL: 'qwen', OPENAI_API_KEY: 'canary' },
    })
    const edit = editor(stack.ask)
    await edit.bootstrap([boatHome('Boats.')])
    exporter.reset()
    const answer = await edit.send(
      '/chat',
      { slug: '/', message: 'What mood is this page in?' },
      { traceparent },
    )
    t.match(answer.json(), { modelUsed: 'qwen' })
    const [call] = spans(SpanKind.CLIENT)
    const request = spans(SpanKind.SERVER).find(({ name }) => name === 'POST /chat')
    t.equal(request?.parentSpanContext?.spanId, callerId)
    t.match(call, { name: 'POST', attributes: { 'server.address': new URL(server.origin).host } })
    t.equal(call?.parentSpanContext?.spanId, idOf(request))
    t.notOk('traceparent' in (server.seen[0]?.headers ?? {}))
    t.notMatch(allSpans(), /canary|mood/)
  },
)
