import { type Call, type Clock, type Handlers, type Ids, longestTimer } from '../../../kernel/index.ts'
import { accessSignal } from '../../auth/port.ts'
import type { ChatRunner, PlanProposals } from '../../chat/port.ts'
import { lastSeen } from '../../chat/streams/port.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { readCapabilities, readManifest, toOrigin } from '../../draft/port.ts'
import type { Scope } from '../../scope/port.ts'
import { answerPlan } from './answer-plan.ts'
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
  ids,
  chat,
  proposals,
}: {
  readonly agent: ContentAgent
  readonly streams: RunStreams<AgentEvent>
  readonly scope: Scope
  readonly clock: Clock
  readonly ids: Ids
  readonly chat: ChatRunner | undefined
  readonly proposals: PlanProposals | undefined
}): Handlers<typeof routes> {
  /** Runs a request, or the plan that waits, if the message is a person's yes or no to it. */
  const runOf = async (call: AgentRequest, run: ContentRun): Promise<ContentOutcome> => {
    const isAnswer = run.asks && chat && (await proposals?.isAnswered(run.id, run.actor, run.message))
    if (!isAnswer) return agent.run(run)
    return answerPlan(chat, run, { id: run.traceId ?? ids.uuid(), actor: toOrigin(call).actor })
  }
  return {
    async start(call) {
      const request = toRequest(call, scope)
      agent.check()
      const streamId = await streams.start(
        ({ id: traceId, signal, emit: onEvent, at }) =>
          runToEnd((run) => runOf(call, run), { ...request, traceId, signal, onEvent, at }),
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
      const outcome = await streams.runDirectly(
        (signal) => runOf(call, { ...request, signal, onEvent }),
        gone,
      )
      const { status, summary, toolCalls, costUsd } = outcome
      if (status === 'error')
        return { status: 500, body: { status, error: summary, reason: summary, events } }
      return {
        status: 200,
        body: {
          status,
          summary,
          ...waitingOf(outcome),
          toolCallCount: toolCalls.length,
          usage: { ...countsOf(outcome), totalCostUsd: costUsd },
          events,
        },
      }
    },
  }
}

type AgentRequest = Pick<Call, 'caller' | 'header'> & { readonly body: AgentBody }

/** Converts a request to a run. Refuses invalid requests with 400. */
function toRequest(call: AgentRequest, scope: Scope): Omit<ContentRun, 'signal'> {
  const { body, caller } = call
  const { message, siteId, session, model, client: _client, ...context } = body
  const { kind, client: _program, ...by } = toOrigin(call).actor
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
    actor: { ...by, kind: 'agent' },
    limits: caller.limits,
    asks: kind === 'person',
  }
}

const mostEntries = 200

/** Records the events of a run, in milliseconds from its start, without text of the model. */
function createTimeline() {
  const startedAt = performance.now()
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
        entries.push({ at: Math.round(performance.now() - startedAt), what })
    },
  }
}

/** Formats token counts for answers. */
const countsOf = ({ usage }: Pick<ContentOutcome, 'usage'>) => ({
  ...usage,
  totalTokens: usage.inputTokens + usage.outputTokens,
})

/** Runs a request and returns the final event of its stream. */
async function runToEnd(
  work: (run: ContentRun) => Promise<ContentOutcome>,
  run: ContentRun,
): Promise<AgentEvent> {
  const timeline = createTimeline()
  const outcome = await work({
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

/** The parts of an answer that ask for an approval. */
const waitingOf = ({ pending }: ContentOutcome) =>
  pending && {
    status: 'plan_ready' as const,
    pendingPlanId: pending.id,
    changes: [...pending.changes],
    destructiveReasons: [...pending.destructiveReasons],
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
    ...waitingOf(outcome),
    suggestions: [...suggestions],
    variations,
    toolCallCount: toolCalls.length,
    previewVersion,
    focusBlockId,
    // Undo on any changed page undoes the complete run; the page that is shown comes first. A plan that waits
    // has none.
    ...(!outcome.pending && { undoSlug: slugs.includes(shown) ? shown : slugs[0] }),
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
