import type { TextMapGetter, TextMapSetter } from '@opentelemetry/api'
import type { RequestObserver } from '../../kernel/index.ts'
import type { OutgoingSpan, Tracer } from './port.ts'

type Headers = Record<string, string>
type HasHeaders = Parameters<RequestObserver['begin']>[0]

/** Untrusted text that no span needs: neither read nor propagated. */
const ignored = 'baggage'
const incoming: TextMapGetter<HasHeaders> = {
  keys: () => [],
  get: ({ header }, name) => (name === ignored ? undefined : header(name)),
}
const outgoing: TextMapSetter<Headers> = {
  set(headers, name, value) {
    if (name !== ignored) headers[name] = value
  },
}

type Spans = Tracer & { readonly observer: RequestObserver }

/** Creates no spans until the API is imported; is called only while there is an SDK. */
interface MaybeSpans {
  readonly observer: RequestObserver
  outgoing(...request: Parameters<Spans['outgoing']>): OutgoingSpan | undefined
}

/** The place where all copies of the OpenTelemetry API look for the SDK of the process. */
export const registry = Symbol.for('opentelemetry.js.api.1')

/**
 * Creates OpenTelemetry spans, exported by the SDK of the process.
 *
 * An SDK may be registered at any time. The API is imported once there is one: its forty modules would slow
 * the start more than the rest of this plugin, and many installations have it only for another package.
 */
export async function createSpans(): Promise<MaybeSpans> {
  let loading: Promise<Spans | undefined> | undefined
  let spans: Spans | undefined
  const load = async () => (spans = await (loading ??= loadSpans()))
  const current = (): Spans | undefined => {
    if (!loading) void load()
    return spans
  }
  if (registry in globalThis) await load()
  return {
    observer: { begin: (request) => current()?.observer.begin(request) },
    outgoing: (request) => current()?.outgoing(request),
  }
}

async function loadSpans(): Promise<Spans | undefined> {
  const api = await importApi()
  if (!api) return undefined
  const { context, propagation, trace, ProxyTracerProvider, SpanKind, SpanStatusCode } = api
  const name = 'content-orchestrator'
  const tracer = trace.getTracer(name)
  /** The registered provider may belong to an SDK that creates no spans. */
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
        // A span of the host or its instrumentation is closer than the caller's.
        const parent = trace.getSpan(active) ? active : propagation.extract(active, request, incoming)
        const span = tracer.startSpan(
          method,
          { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
          parent,
        )
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
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.CLIENT, attributes: { 'http.request.method': method, 'server.address': host } },
        parent,
      )
      const headers: Headers = {}
      propagation.inject(trace.setSpan(parent, span), headers, outgoing)
      return {
        headers,
        end(outcome) {
          const failure =
            'failure' in outcome
              ? outcome.failure
              : outcome.status >= 400
                ? String(outcome.status)
                : undefined
          if ('status' in outcome) span.setAttribute('http.response.status_code', outcome.status)
          if (failure !== undefined)
            span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
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
