import { AsyncLocalStorage } from 'node:async_hooks'
import { definePlugin, requestObservers, type RequestObserver } from '../../kernel/index.ts'
import { tracer } from './port.ts'
import { createSpans, registry } from './spans.ts'

/** Spans of incoming and outgoing requests; without OpenTelemetry, the caller's trace is only propagated. */
export default definePlugin({
  name: 'tracing',
  tag: 'Telemetry',
  gives: { tracer, passing: requestObservers, spans: requestObservers },
}).setup(async () => {
  const propagation = createPropagation()
  const spans = await createSpans()
  return {
    gives: {
      passing: propagation.observer,
      spans: { begin: (request) => (registry in globalThis ? spans.observer.begin(request) : undefined) },
      tracer: {
        outgoing(request) {
          const span = registry in globalThis ? spans.outgoing(request) : undefined
          // The OpenTelemetry API propagates nothing without an SDK.
          const headers = { ...propagation.current(), ...span?.headers }
          return { headers, end: (outcome) => span?.end(outcome) }
        },
      },
    },
  }
})

/** A `traceparent` of W3C Trace Context, version 00, which contains only numbers. */
const traceparent = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** Stores the `traceparent` of a request while it is processed. */
function createPropagation(): {
  readonly observer: RequestObserver
  current(): Readonly<Record<string, string>>
} {
  const requests = new AsyncLocalStorage<string>()
  return {
    observer: {
      begin(request) {
        const given = request.header('traceparent')
        if (given === undefined || !traceparent.test(given)) return undefined
        return { run: (work) => requests.run(given, work) }
      },
    },
    current() {
      const given = requests.getStore()
      return given === undefined ? {} : { traceparent: given }
    },
  }
}
