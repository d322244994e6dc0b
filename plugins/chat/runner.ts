import { Refusal } from '../../kernel/index.ts'
import { personOf } from '../draft/port.ts'
import { createPipeline } from './pipeline/index.ts'
import { providerIn } from './pipeline/plan.ts'
import { readRun, startOf } from './pipeline/reading.ts'
import type { Chat } from './pipeline/run.ts'
import type { PlacedRequest } from './request.ts'
import type { ChatResult } from './result.ts'
import type { RunEvent, RunFollower, RunResult, RunStart } from './types/events.ts'
import { byRules } from './types/planner.ts'
import { Canceled, type ChatRunner, type RunEnd, type RunOptions } from './types/run.ts'

/** Creates the runner of messages, which reports every run to the observers. */
export function createRunner(chat: Chat): ChatRunner {
  const pipeline = createPipeline(chat)

  async function observed(request: PlacedRequest, how: RunOptions): Promise<RunEnd> {
    const start = startOf(chat, request, how.id)
    const notify = notifierOf(chat, start)
    const emit = (event: RunEvent): void => {
      how.emit(event)
      notify(event)
    }
    try {
      const end = await pipeline(await readRun(chat, start, { ...how, emit }))
      const { result } = end
      const { outcome, reasonCategory: category, reason } = result.debug
      notify({ type: 'result', outcome, category, reason, result })
      return end
    } catch (error) {
      notify(brokenOff(error))
      throw error
    }
  }

  return {
    /** Runs a request without a page on the page of the pending plan, or else on the home page. */
    async run(request, how) {
      const person = how.actor && personOf(how.actor)
      const named = () => chat.pendingPlans.find(chat.scope.draft(request), person, request.pendingPlanId)
      const { slug = (await named())?.requestedSlug ?? '/' } = request
      return observed({ ...request, slug }, how)
    },
    /** The causes of failures are only logged. */
    async resultOf(request, { id: traceId }, error): Promise<ChatResult> {
      const start = startOf(chat, { ...request, slug: '/' }, traceId)
      const { outcome, category, reason: summary = brokenInside } = brokenOff(error)
      const { plannerTier, modelUsed } = byRules
      const { siteId, ...draft } = chat.scope.draft(request)
      const source = { modelUsed, plannerSource: providerIn(chat, request.provider) }
      const head = await chat.drafts.head({ siteId, ...draft }).catch(() => ({ version: 0 }))
      const debug = {
        traceId,
        outcome,
        plannerTier,
        siteId,
        ...source,
        executionMode: request.executionMode,
        promptHash: start.promptHash,
        promptExcerpt: start.promptExcerpt,
        reasonCategory: category,
        reason: summary.slice(0, longestReason),
      }
      const metadata = { previewVersion: head.version, modelKey: start.modelKey }
      return { status: 'error', summary, changes: [], ...metadata, ...source, debug }
    },
  }
}

/** Starts the followers of a run. One that fails receives no more events of it. */
function notifierOf({ observers, log }: Chat, start: RunStart): (event: RunEvent) => void {
  const followers = new Set<RunFollower>()
  function failed(err: unknown, follow?: RunFollower): void {
    if (follow) followers.delete(follow)
    log.warn({ err, run: start.id }, 'run observer failed')
  }
  for (const observe of observers) {
    try {
      followers.add(observe(start))
    } catch (err) {
      failed(err)
    }
  }
  return function notify(event) {
    for (const follow of followers) {
      try {
        const pending = follow(event)
        if (pending) pending.catch((err: unknown) => failed(err, follow))
      } catch (err) {
        failed(err, follow)
      }
    }
  }
}

const brokenInside = 'Internal error. The log has the details under the id of this run.'
const longestReason = 300

/** The end of a run without a result: canceled, refused, or failed. */
function brokenOff(error: unknown): RunResult {
  const type = 'result'
  if (error instanceof Canceled) return { type, outcome: 'canceled', category: 'canceled' }
  if (!(error instanceof Refusal)) return { type, outcome: 'planner_exception', category: 'internal_error' }
  const { code, status, reason } = error
  if (status === 400) return { type, outcome: 'validation_error', category: 'schema_violation', reason }
  if (status === 404) return { type, outcome: 'api_error', category: 'not_found', reason }
  const outcome = code === 'pending_plan_mismatch' ? code : 'api_error'
  return { type, outcome, category: 'operation_failed', reason }
}
