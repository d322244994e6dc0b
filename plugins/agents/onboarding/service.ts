import * as v from 'valibot'
import { createRunStreams, type RunState } from '../loop/port.ts'
import { answerProblem } from './run/approvals.ts'
import type { SiteEvent } from './run/events.ts'
import { AnswersBody, type RunStatus } from './schemas.ts'
import { hasRepository } from './triage.ts'
import { type AgentParts, failed, type RunInfo, type StartRequest, work } from './work.ts'

const Response = v.object({ answers: AnswersBody, approvalId: v.optional(v.string()) })

/** Creates the service of onboarding runs. */
export function createSitesAgent(parts: AgentParts) {
  const { clock, ids, log, env, store, bus } = parts
  const limits = { active: env.SITES_AGENT_MAX_CONCURRENT }
  const given = { clock, ids, log, store, bus, limits, prefix: 'sites-agent', failed }
  const streams = createRunStreams<SiteEvent, ReturnType<typeof toInfo>>(given)

  return {
    /**
     * Parks a request, and returns the id of its stream, which its caller keeps secret. Refuses with 429
     * `too_many_runs`.
     */
    async start(request: StartRequest): Promise<string> {
      const { until, signal, message, useCli } = request
      const mode = request.mode ?? (hasRepository(message) ? 'integrate' : 'migrate')
      const info: RunInfo = { mode, backend: useCli ? 'cli' : 'api', sitesCreated: [] }
      return streams.start((handle) => work(parts, request, info, handle), {
        until,
        signal,
        info: () => toInfo(info),
        asked(_what, value) {
          const { answers, approvalId } = v.parse(Response, value)
          info.approvals?.respond(answers, approvalId)
        },
      })
    },
    follow: streams.follow,
    cancel: streams.cancel,
    /** Answers the open questions of a run. Refuses as `Approvals.respond`. */
    async respond(streamId: string, response: v.InferOutput<typeof Response>): Promise<void> {
      const { info } = await streams.state(streamId)
      const problem = answerProblem(info?.pendingApproval, response.answers, response.approvalId)
      if (problem) throw problem
      await streams.ask(streamId, 'respond', response)
    },
    async status(streamId: string): Promise<RunStatus> {
      return { streamId, ...toStatus(await streams.state(streamId)) }
    },
    active: streams.active,
    close: streams.close,
  }
}

/** What every process knows about a run. */
const toInfo = ({ progress, approvals, mode, backend, sitesCreated, costUsd, state }: RunInfo) => ({
  mode: progress?.mode ?? mode,
  backend,
  phase: progress?.phase ?? null,
  pendingApproval: approvals?.pending(),
  sitesCreated: [...sitesCreated],
  toolCallCount: progress?.calls ?? 0,
  costUsd,
  /** A run that has ended without a progress was canceled before it began. */
  end: state ?? (progress ? 'error' : 'canceled'),
})

function toStatus({ phase, lastSeq, times, info }: RunState<ReturnType<typeof toInfo>>) {
  if (!info) throw new TypeError('A run of the onboarding agent has its info.')
  const { end, pendingApproval: pending, costUsd, ...rest } = info
  const time = (at: number | undefined): string | null =>
    at === undefined ? null : new Date(at).toISOString()
  const finishedAt = time(times.finishedAt)
  const going = phase === 'active' && pending ? ('waiting' as const) : phase
  return {
    state: going === 'done' ? end : going,
    lastSeq,
    startedAt: time(times.startedAt),
    ...(finishedAt !== null && { finishedAt }),
    ...(pending && { pendingApproval: pending }),
    ...rest,
    ...(costUsd !== undefined && { costUsd }),
  }
}
