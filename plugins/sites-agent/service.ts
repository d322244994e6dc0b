import * as v from 'valibot'
import { createRunStreams, type RunState, streamGone } from '../agent/port.ts'
import type { SiteEvent } from './run/events.ts'
import { refusals } from './run/refusals.ts'
import { AnswersBody, RunStatus } from './schemas.ts'
import { hasRepository } from './triage.ts'
import { type AgentParts, failed, type RunInfo, type StartRequest, work } from './work.ts'

const Response = v.object({ answers: AnswersBody, approvalId: v.optional(v.string()) })

/** Creates the service of onboarding runs. */
export function createSitesAgent(parts: AgentParts) {
  const { clock, ids, log, env, store, bus } = parts
  const limits = { active: env.SITES_AGENT_MAX_CONCURRENT }
  const given = { clock, ids, log, store, bus, limits, prefix: 'sites-agent', failed }
  const known = new Map<string, RunInfo>()
  const streams = createRunStreams<SiteEvent>({ ...given, answer })

  /** Answers about a run of this process, also for others. */
  function answer(
    { id, state }: { readonly id: string; readonly state: RunState },
    what: string,
    body: unknown,
  ) {
    const about = known.get(id)
    if (!about) throw streamGone('sites-agent')
    if (what !== 'respond') return toStatus(state, about)
    if (!about.approvals) throw refusals.noPendingApproval()
    const { answers, approvalId } = v.parse(Response, body)
    about.approvals.respond(answers, approvalId)
  }

  return {
    /** Parks a request, and returns the id of its stream, which its caller keeps secret. Refuses with 429 `too_many_runs`. */
    async start(request: StartRequest): Promise<string> {
      const { until, signal, message, useCli } = request
      const mode = request.mode ?? (hasRepository(message) ? 'integrate' : 'migrate')
      const about: RunInfo = { mode, backend: useCli ? 'cli' : 'api', sitesCreated: [] }
      let id = ''
      const forget = (): void => void known.delete(id)
      const streamId = await streams.start((handle) => work(parts, request, about, handle), {
        until,
        signal,
        forget,
      })
      id = streams.idOf(streamId)
      known.set(id, about)
      return streamId
    },
    follow: streams.follow,
    cancel: streams.cancel,
    respond: (streamId: string, response: v.InferOutput<typeof Response>): Promise<unknown> =>
      streams.call(streamId, 'respond', response),
    async status(streamId: string): Promise<RunStatus> {
      return v.parse(RunStatus, { streamId, ...Object(await streams.call(streamId, 'status')) })
    },
    active: streams.active,
    close: streams.close,
  }
}

function toStatus(state: RunState, about: RunInfo): Omit<RunStatus, 'streamId'> {
  const { progress, approvals, mode, backend, sitesCreated, costUsd } = about
  const pending = approvals?.pending()
  const time = (at: number | undefined): string | null =>
    at === undefined ? null : new Date(at).toISOString()
  const finishedAt = time(state.finishedAt)
  return {
    state: stateOf(state.phase, about),
    mode: progress?.mode ?? mode,
    backend,
    phase: progress?.phase ?? null,
    lastSeq: state.lastSeq,
    startedAt: time(state.startedAt),
    ...(finishedAt !== null && { finishedAt }),
    ...(pending && { pendingApproval: pending }),
    sitesCreated: [...sitesCreated],
    toolCallCount: progress?.calls ?? 0,
    ...(costUsd !== undefined && { costUsd }),
  }
}

/** A run that has ended without a progress was canceled before it began. */
const stateOf = (
  phase: RunState['phase'],
  { progress, approvals, ...about }: RunInfo,
): RunStatus['state'] => {
  const { state = progress ? 'error' : 'canceled' } = about
  if (phase === 'active' && approvals?.pending()) return 'waiting'
  return phase === 'done' ? state : phase
}
