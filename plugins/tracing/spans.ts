import type { TextMapGetter, TextMapSetter } from '@opentelemetry/api'
import type { RequestObserver } from '../../kernel/index.ts'
import type { Tracer } from './port.ts'

type Headers = Record<string, string>
type HasHeaders = Parameters<RequestObserver['begin']>[0]

/** Untrusted text that no span needs: it is neither read nor propagated. */
const ignored = 'baggage'
const incoming: TextMapGetter<HasHeaders> = { keys: () => [], get: ({ header }, name) => (name === ignored ? undefined : header(name)) }
const outgoing: TextMapSetter<Headers> = {
  set(headers, name, value) {
    if (name !== ignored) headers[name] = value
  },
}

/** OpenTelemetry spans, exported by the SDK of the process; `undefined` if the API is not installed. */
export async function createSpans(): Promise<(Tracer & { readonly observer: RequestObserver }) | undefined> {
  const api = await importApi()
  if (!api) return undefined
  const { context, propagation, trace, ProxyTracerProvider, SpanKind, SpanStatusCode } = api
  const name = 'content-orchestrator'
  const tracer = trace.getTracer(name)
  /** An SDK may be registered at any time; until then no spans are created. */
  const isSetUp = (): boolean => {
    const provider = trace.getTracerProvider()
    return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(name) !== undefined
  }

  return {
    observer: {
      begin(request) {
        if (!isSetUp()) return undefined
        const { method } = request
        const active = context.active()
        // A span of the host or its instrumentation is closer than that of the caller.
        const parent = trace.getSpan(active) ? active : propagation.extract(active, request, incoming)
        const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, parent)
        return {
          run: (work) => context.with(trace.setSpan(parent, span), work),
          end({ route, status, id }) {
            span.setAttributes({ 'http.response.status_code': status, 'orchestrator.request_id': id })
            if (route.startsWith('/')) span.updateName(`${method} ${route}`).setAttribute('http.route', route)
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
            span.end()
          },
        }
      },
    },
    outgoing({ method, host }) {
      const parent = context.active()
      const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes: { 'http.request.method': method, 'server.address': host } }, parent)
      const headers: Headers = {}
      propagation.inject(trace.setSpan(parent, span), headers, outgoing)
      return {
        headers,
        end(outcome) {
          const failure = 'failure' in outcome ? outcome.failure : outcome.status >= 400 ? String(outcome.status) : undefined
          if ('status' in outcome) span.setAttribute('http.response.status_code', outcome.status)
          if (failure !== undefined) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }
}

async function importApi() {
  try {
    return await import('@opentelemetry/api')
  } catch {
    return undefined
  }
}
