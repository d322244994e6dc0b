import { type Call, type Clock, type Handlers, longestTimer } from '../../kernel/index.ts'
import { accessSignal } from '../auth/port.ts'
import { lastSeen } from '../chat-streams/port.ts'
import { builtinRegistry } from '../content/registry.ts'
import { readCapabilities, readManifest } from '../draft/port.ts'
import type { Scope } from '../scope/port.ts'
import type { ContentAgent, ContentEvent, ContentOutcome, ContentRun } from './port.ts'
import { messageRequired, siteRequired, streamRequired } from './refusals.ts'
import type { routes } from './routes.ts'
import type { RunStreams } from './run-streams.ts'
import type { AgentBody, AgentEvent, Result } from './schemas.ts'

/** The maximum number of events in one answer of `POST /agent/chat`. */
const mostEvents = 5_000

/** Creates the handlers of the content agent's routes. */
export function createHandlers({
  agent,
  streams,
  scope,
  clock,
}: {
  readonly agent: ContentAgent
  readonly streams: RunStreams<AgentEvent>
  readonly scope: Scope
  readonly clock: Clock
}): Handlers<typeof routes> {
  return {
    async start(call) {
      const request = toRequest(call, scope)
      agent.check()
      const streamId = await streams.start(
        ({ id: traceId, signal, emit: onEvent, at }) =>
          runToEnd(agent, { ...request, traceId, signal, onEvent, at }),
        { until: call.caller.until, signal: accessSignal(call.caller), site: request.id.siteId },
      )
      return { status: 200, body: { streamId } }
    },
    async stream({ query, caller, header, signal }) {
      if (query.streamId === '') throw streamRequired('agent')
      const reader = { holder: caller.id, site: caller.limits?.site, signal }
      const afterSeq = lastSeen(header, query)
      return { status: 200, body: await streams.follow(query.streamId, { ...reader, afterSeq }) }
    },
    async cancel({ body: { streamId }, caller }) {
      if (streamId === '') throw streamRequired('agent')
      await streams.cancel(streamId, { site: caller.limits?.site })
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
      const gone =
        until === undefined
          ? call.signal
          : AbortSignal.any([
              call.signal,
              AbortSignal.timeout(Math.min(Math.max(0, until - clock.now().getTime()), longestTimer)),
            ])
      const outcome = await streams.runDirectly((signal) => agent.run({ ...request, signal, onEvent }), gone)
      const { status, summary, toolCalls, costUsd } = outcome
      if (status === 'error')
        return { status: 500, body: { status, error: summary, reason: summary, events } }
      return {
        status: 200,
        body: {
          status,
          summary,
          toolCallCount: toolCalls.length,
          usage: { ...countsOf(outcome), totalCostUsd: costUsd },
          events,
        },
      }
    },
  }
}

/** Converts a request to a run. Refuses invalid requests with 400. */
function toRequest(
  { body, caller }: { readonly body: AgentBody } & Pick<Call, 'caller'>,
  scope: Scope,
): Omit<ContentRun, 'signal'> {
  const { message, siteId, session, model, ...context } = body
  if (message.trim() === '') throw messageRequired()
  if (siteId.trim() === '') throw siteRequired()
  readManifest(context.componentsManifest, builtinRegistry)
  readCapabilities(context.siteCapabilities)
  return {
    id: scope.draft({ siteId, session }),
    message,
    context,
    model,
    channel: 'agent',
    source: 'agent',
    actor: { kind: 'agent', id: caller.id ?? caller.via },
    limits: caller.limits,
  }
}

const mostEntries = 200

/** Records the events of a run, in milliseconds from its start, without text of the model. */
function createTimeline() {
  const begun = performance.now()
  const entries: { readonly at: number; readonly what: string }[] = []
  return {
    entries,
    add(event: ContentEvent): void {
      const what =
        event.type === 'status'
          ? event.message
          : event.type === 'op_applied' || event.type === 'tool_error'
            ? `${event.type} ${event.toolName}`
            : undefined
      if (what !== undefined && entries.length < mostEntries)
        entries.push({ at: Math.round(performance.now() - begun), what })
    },
  }
}

/** Formats token counts for answers. */
const countsOf = ({ usage }: Pick<ContentOutcome, 'usage'>) => ({
  ...usage,
  totalTokens: usage.inputTokens + usage.outputTokens,
})

/** Runs a request and returns the final event of its stream. */
async function runToEnd(agent: ContentAgent, run: ContentRun): Promise<AgentEvent> {
  const timeline = createTimeline()
  const outcome = await agent.run({
    ...run,
    onEvent(event) {
      timeline.add(event)
      run.onEvent?.(event)
    },
  })
  const { status, summary } = outcome
  return status === 'error'
    ? { type: 'error', result: { status, summary } }
    : { type: 'final', result: toResult(outcome, timeline, run.context?.slug) }
}

function toResult(
  outcome: ContentOutcome,
  { entries }: ReturnType<typeof createTimeline>,
  shown = '/',
): Result {
  const { summary, suggestions, variations, toolCalls, previewVersion, focusBlockId, slugs } = outcome
  const { limitReached, costUsd: totalCostUsd, traceId, opCount } = outcome
  const source = { plannerSource: outcome.provider, modelUsed: outcome.modelUsed }
  return {
    ...source,
    status: 'applied',
    summary,
    suggestions: [...suggestions],
    variations,
    toolCallCount: toolCalls.length,
    previewVersion,
    focusBlockId,
    // Undo on any changed page undoes the complete run; the page that is shown comes first.
    undoSlug: slugs.includes(shown) ? shown : slugs[0],
    ...(limitReached && { limitReached: true }),
    totalCostUsd,
    debug: {
      ...source,
      traceId,
      outcome: limitReached ?? 'end',
      plannerTier: 'agent',
      opCount,
      ...countsOf(outcome),
      timeline: entries,
    },
  }
}
