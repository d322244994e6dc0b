import { AsyncLocalStorage } from 'node:async_hooks'
import { definePlugin, requestObservers, type RequestObserver } from '../../kernel/index.ts'
import { tracer } from './port.ts'
import { createSpans } from './spans.ts'

/** Spans of requests and of what they ask of others; without OpenTelemetry, the trace of a caller is passed on as it came. */
export default definePlugin({
  name: 'tracing',
  tag: 'Telemetry',
  gives: { tracer, passing: requestObservers, spans: requestObservers },
}).setup(async () => {
  const passing = createPassing()
  const spans = await createSpans()
  return {
    gives: {
      passing: passing.observer,
      spans: spans?.observer,
      tracer: {
        outgoing(request) {
          const span = spans?.outgoing(request)
          // The API of OpenTelemetry without an SDK carries nothing on.
          const headers = { ...passing.current(), ...span?.headers }
          return { headers, end: (outcome) => span?.end(outcome) }
        },
      },
    },
  }
})

/** A `traceparent` of W3C Trace Context, version 00: nothing in it but numbers. */
const traceparent = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** Keeps the `traceparent` of a request while it is answered. A request without one costs nothing. */
function createPassing(): { readonly observer: RequestObserver; current(): Readonly<Record<string, string>> } {
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
