import { createRunStreams, type RunState, streamGone } from '../agent/port.ts'
import type { SiteEvent } from './run/events.ts'
import { refusals } from './run/refusals.ts'
import type { RunStatus } from './schemas.ts'
import { hasRepository } from './triage.ts'
import { type AgentParts, failed, type RunInfo, type StartRequest, work } from './work.ts'

/** Creates the service of onboarding runs. */
export function createSitesAgent(parts: AgentParts) {
  const { clock, ids, log, env } = parts
  const limits = { active: env.SITES_AGENT_MAX_CONCURRENT }
  const streams = createRunStreams<SiteEvent>({ clock, ids, log, limits, prefix: 'sites-agent', failed })
  const known = new Map<string, RunInfo>()

  /** Finds the run of a stream. Refuses with 403 `not_the_starter`, 410 `stream_gone`. */
  const find = (streamId: string): RunInfo => {
    const found = known.get(streams.idOf(streamId))
    if (!found) throw streamGone('sites-agent')
    return found
  }

  return {
    /** Parks a request, and returns the id of its stream, which its caller keeps secret. Refuses with 429 `too_many_runs`. */
    start(request: StartRequest): string {
      const { until, signal, message, useCli } = request
      const mode = request.mode ?? (hasRepository(message) ? 'integrate' : 'migrate')
      const about: RunInfo = { mode, backend: useCli ? 'cli' : 'api', sitesCreated: [] }
      const forget = (): void => void known.delete(id)
      const streamId = streams.start((handle) => work(parts, request, about, handle), {
        until,
        signal,
        forget,
      })
      const id = streams.idOf(streamId)
      known.set(id, about)
      return streamId
    },
    follow: streams.follow,
    cancel(streamId: string): void {
      const about = find(streamId)
      if (streams.state(streamId)?.phase === 'pending') about.state = 'canceled'
      streams.cancel(streamId)
    },
    respond(
      streamId: string,
      answers: Readonly<Record<string, string>>,
      approvalId: string | undefined,
    ): void {
      const { approvals } = find(streamId)
      if (!approvals) throw refusals.noPendingApproval()
      approvals.respond(answers, approvalId)
    },
    status(streamId: string): RunStatus {
      const about = find(streamId)
      const state = streams.state(streamId)
      if (!state) throw streamGone('sites-agent')
      return toStatus(streamId, state, about)
    },
    active: () => streams.counts().active,
    close: streams.close,
  }
}

function toStatus(streamId: string, state: RunState, about: RunInfo): RunStatus {
  const { progress, approvals, mode, backend, sitesCreated, costUsd } = about
  const pending = approvals?.pending()
  const time = (at: number | undefined): string | null =>
    at === undefined ? null : new Date(at).toISOString()
  const finishedAt = time(state.finishedAt)
  return {
    streamId,
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

const stateOf = (phase: RunState['phase'], { state = 'error', approvals }: RunInfo): RunStatus['state'] => {
  if (phase === 'active' && approvals?.pending()) return 'waiting'
  return phase === 'done' ? state : phase
}
