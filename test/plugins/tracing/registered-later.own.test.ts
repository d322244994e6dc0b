import { registerHooks } from 'node:module'
import t from 'tap'
import { mountForTest } from '../../../kernel/testing.ts'
import { until } from '../../helpers/until.ts'
import { tracedPlugins } from './asking.ts'

const loaded: string[] = []
registerHooks({
  load(url, context, next) {
    if (url.includes('@opentelemetry')) loaded.push(url)
    return next(url, context)
  },
})

t.test('the OpenTelemetry API is loaded once an SDK is registered, and spans start then', async (t) => {
  const mounted = mountForTest(t, { plugins: tracedPlugins })
  t.equal((await mounted.inject({ url: '/nowhere' })).status, 404)
  t.strictSame(loaded, [], 'it is not loaded without an SDK')
  const { trace } = await import('@opentelemetry/api')
  const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } =
    await import('@opentelemetry/sdk-trace-base')
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  await until(async () => {
    await mounted.inject({ url: '/nowhere' })
    return exporter.getFinishedSpans().length > 0
  }, 'a span')
  t.equal(exporter.getFinishedSpans()[0]?.name, 'GET')
})
