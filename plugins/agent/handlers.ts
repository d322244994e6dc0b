import type { Clock, Handlers } from '../../kernel/index.ts'
import { accessSignal } from '../auth/port.ts'
import type { Scope } from '../scope/port.ts'
import type { ContentAgent, ContentEvent } from './port.ts'
import { streamRequired } from './refusals.ts'
import { countsOf, runToEnd, toRequest } from './requests.ts'
import type { routes } from './routes.ts'
import type { RunStreams } from './run-streams.ts'
import type { AgentEvent } from './schemas.ts'

export interface HandlerParts {
  readonly agent: ContentAgent
  readonly streams: RunStreams<AgentEvent>
  readonly scope: Scope
  readonly clock: Clock
}

/** Of the events that one answer may have. */
const mostEvents = 5_000

/** Answers the routes of the content agent. */
export function createHandlers({ agent, streams, scope, clock }: HandlerParts): Handlers<typeof routes> {
  return {
    start(call) {
      const request = toRequest(call, scope)
      agent.check()
      const work = ({ id, ...handle }: Parameters<Parameters<typeof streams.start>[0]>[0]) =>
        runToEnd(agent, { ...request, traceId: id, signal: handle.signal, onEvent: handle.emit, at: handle.at })
      return { status: 200, body: { streamId: streams.start(work, { until: call.caller.until, signal: accessSignal(call.caller), site: request.id.siteId }) } }
    },
    stream({ query: { streamId, afterSeq }, caller, header, signal }) {
      if (streamId === '') throw streamRequired()
      const lastSeen = header('last-event-id') ?? ''
      const seen = /^\d{1,15}$/.test(lastSeen) ? Number(lastSeen) : afterSeq
      return { status: 200, body: streams.follow(streamId, { afterSeq: seen, holder: caller.id, site: caller.limits?.site, signal }) }
    },
    cancel({ body: { streamId }, caller }) {
      if (streamId === '') throw streamRequired()
      streams.cancel(streamId, { site: caller.limits?.site })
      return { status: 200, body: { ok: true } }
    },
    async chat(call) {
      const request = toRequest(call, scope)
      agent.check()
      const events: ContentEvent[] = []
      const onEvent = (event: ContentEvent): void => {
        if (events.length < mostEvents) events.push(event)
      }
      const { until } = call.caller
      const gone = until === undefined ? call.signal : AbortSignal.any([call.signal, AbortSignal.timeout(Math.max(0, until - clock.now().getTime()))])
      const outcome = await streams.besides((signal) => agent.run({ ...request, signal, onEvent }), gone)
      const { status, summary, toolCalls, costUsd } = outcome
      if (status === 'error') return { status: 500, body: { status, error: summary, reason: summary, events } }
      return { status: 200, body: { status, summary, toolCallCount: toolCalls.length, usage: { ...countsOf(outcome), totalCostUsd: costUsd }, events } }
    },
  }
}
