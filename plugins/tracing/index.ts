import { definePlugin, requestObservers } from '../../kernel/index.ts'
import { createPassing } from './passing.ts'
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
