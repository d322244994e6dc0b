import { type Logger, Refusal } from '../../kernel/index.ts'
import type { Drafts } from '../draft/port.ts'
import type { Scope } from '../scope/port.ts'
import { promptExcerpt } from './digest.ts'
import { cleanMessage } from './intent.ts'
import type { createRunner } from './pipeline/index.ts'
import type { RunEvent, RunFollower, RunObserver, RunResult, RunStart } from './types/events.ts'
import { byRules, type ModelTerms } from './types/planner.ts'
import { Canceled, type ChatRunner } from './types/run.ts'

interface ObservedParts {
  readonly observers: readonly RunObserver[]
  readonly scope: Scope
  readonly terms: ModelTerms
  readonly promptHash: (message: string) => string
  readonly log: Logger
}

type Runner = ReturnType<typeof createRunner>

/** Returns a runner that reports every run to observers; without observers, the runner itself. */
export function observed(
  runner: Runner,
  { observers, scope, terms, promptHash, log }: ObservedParts,
): Runner {
  if (observers.length === 0) return runner
  return {
    async run(request, how) {
      const session = scope.key(scope.draft(request))
      const message = cleanMessage(request.message ?? '')
      const digest = { promptHash: promptHash(message), promptExcerpt: promptExcerpt(message) }
      const modelKey = request.modelKey ?? terms.tier
      const start = { id: how.id, session, request, modelKey, message, ...digest }
      const followers = observers.map((observe) => startFollower(observe, start, log))
      const notify = (event: RunEvent): void => followers.forEach((follow) => follow(event))
      try {
        const end = await runner.run(request, {
          ...how,
          emit(event) {
            how.emit(event)
            notify(event)
          },
        })
        const { result } = end
        const { outcome, reasonCategory: category, reason } = result.debug
        notify({ type: 'result', outcome, category, reason, result })
        return end
      } catch (error) {
        notify(brokenOff(error))
        throw error
      }
    },
  }
}

/** Starts a follower. After a failure it receives no more events of this run. */
function startFollower(observe: RunObserver, start: RunStart, log: Logger): (event: RunEvent) => void {
  let follow: RunFollower | undefined
  async function guarded(work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (err) {
      follow = undefined
      log.warn({ err, run: start.id }, 'run observer failed')
    }
  }
  void guarded(() => {
    follow = observe(start)
  })
  return (event) => void guarded(() => follow?.(event))
}

const brokenInside = 'Internal error. The log has the details under the id of this run.'
const longestReason = 300

interface BrokenOffParts extends Pick<ObservedParts, 'scope' | 'terms' | 'promptHash'> {
  readonly drafts: Pick<Drafts, 'head'>
  readonly providerFor: (requested: string | undefined) => string
}

/** Creates the function that builds results of refused and failed runs. Failure causes are only logged. */
export function createResultOf({
  drafts,
  scope,
  terms,
  promptHash,
  providerFor,
}: BrokenOffParts): ChatRunner['resultOf'] {
  return async (request, { id: traceId }, error) => {
    const { executionMode, message = '', modelKey = terms.tier } = request
    const id = scope.draft(request)
    const { outcome, category, reason: summary = brokenInside } = brokenOff(error)
    const { plannerTier, modelUsed } = byRules
    const source = { modelUsed, plannerSource: providerFor(request.provider) }
    const previewVersion = await drafts.head(id).then(
      ({ version }) => version,
      () => 0,
    )
    const debug = {
      traceId,
      outcome,
      plannerTier,
      executionMode,
      ...source,
      promptHash: promptHash(message),
      promptExcerpt: promptExcerpt(message),
      reasonCategory: category,
      reason: summary.slice(0, longestReason),
      siteId: id.siteId,
    }
    return { status: 'error', summary, changes: [], previewVersion, ...source, modelKey, debug }
  }
}

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
