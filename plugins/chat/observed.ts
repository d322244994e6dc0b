import { type Logger, Refusal } from '../../kernel/index.ts'
import type { Drafts } from '../draft/port.ts'
import type { Scope } from '../scope/port.ts'
import { promptExcerpt, type PromptHash } from './digest.ts'
import type { Tier } from './result.ts'
import type { RunEvent, RunObserver, RunResult, RunStart } from './types/events.ts'
import { byRulesAlone } from './types/planner.ts'
import type { MessageReader } from './types/reader.ts'
import { Canceled, type ChatRunner, type PlacedRunner, type RunEnd, type RunOptions } from './types/run.ts'

export interface ObservedParts {
  readonly observers: readonly RunObserver[]
  readonly scope: Scope
  readonly words: MessageReader
  readonly promptHash: PromptHash
  readonly defaultTier: Tier
  readonly log: Logger
}

/** Reports every run of a runner to observers. Without observers it returns the runner itself. */
export function observed(runner: PlacedRunner, { observers, scope, words, promptHash, defaultTier, log }: ObservedParts): PlacedRunner {
  if (observers.length === 0) return runner
  return {
    async run(request, how) {
      const session = scope.key(scope.draft(request))
      const message = words.clean(request.message ?? '')
      const digest = { promptHash: promptHash(message), promptExcerpt: promptExcerpt(message) }
      const notify = startFollowers(observers, { id: how.id, session, request, modelKey: request.modelKey ?? defaultTier, message, ...digest }, log)
      try {
        const end = await runner.run(request, withFollowers(how, notify))
        notify(resultOf(end))
        return end
      } catch (error) {
        notify(brokenOff(error))
        throw error
      }
    },
  }
}

const withFollowers = (how: RunOptions, notify: (event: RunEvent) => void): RunOptions => ({
  ...how,
  emit(event) {
    how.emit(event)
    notify(event)
  },
  get isStreamed() {
    return how.isStreamed
  },
})

/** A follower that fails receives nothing more of this run. */
function startFollowers(observers: readonly RunObserver[], start: RunStart, log: Logger): (event: RunEvent) => void {
  const failed = (err: unknown): void => log.warn({ err, run: start.id }, 'run observer failed')
  const followers = new Set(observers.flatMap((observe) => {
    try {
      return [observe(start)]
    } catch (err) {
      failed(err)
      return []
    }
  }))
  return (event) => {
    for (const follow of followers) {
      const done = async (): Promise<void> => follow(event)
      done().catch((err: unknown) => {
        followers.delete(follow)
        failed(err)
      })
    }
  }
}

function resultOf({ result }: RunEnd): RunResult {
  const { outcome, reasonCategory: category, reason } = result.debug
  return { type: 'result', outcome, category, reason, result }
}

const brokenInside = 'Internal error. The log has the details under the id of this run.'
const longestReason = 300

interface BrokenOffParts {
  readonly drafts: Pick<Drafts, 'head'>
  readonly scope: Scope
  readonly promptHash: PromptHash
  readonly defaultTier: Tier
}

/** Makes the results of runs that were refused or failed. The cause of a failure is only logged. */
export function createResultOf({ drafts, scope, promptHash, defaultTier }: BrokenOffParts): ChatRunner['resultOf'] {
  return async (request, { id: traceId }, error) => {
    const { executionMode, message = '', modelKey = defaultTier } = request
    const id = scope.draft(request)
    const { outcome, category, reason: summary = brokenInside } = brokenOff(error)
    const { plannerTier, ...source } = byRulesAlone
    const previewVersion = await drafts.head(id).then(({ version }) => version, () => 0)
    return {
      status: 'error',
      summary,
      changes: [],
      previewVersion,
      ...source,
      modelKey,
      debug: {
        traceId,
        promptHash: promptHash(message),
        promptExcerpt: promptExcerpt(message),
        outcome,
        reasonCategory: category,
        reason: summary.slice(0, longestReason),
        plannerTier,
        ...source,
        executionMode,
        siteId: id.siteId,
      },
    }
  }
}

/** The end of a run without a result: canceled, refused, or failed. The cause of a failure is only logged. */
export function brokenOff(error: unknown): RunResult {
  if (error instanceof Canceled) return { type: 'result', outcome: 'canceled', category: 'canceled' }
  if (!(error instanceof Refusal)) return { type: 'result', outcome: 'planner_exception', category: 'internal_error' }
  const { code, status, reason } = error
  return { type: 'result', outcome: outcomeOf(code, status), category: categoryOf(status), reason }
}

function outcomeOf(code: string, status: number): string {
  if (code === 'pending_plan_mismatch') return code
  return status === 400 ? 'validation_error' : 'api_error'
}

function categoryOf(status: number): string {
  if (status === 404) return 'not_found'
  return status === 400 ? 'schema_violation' : 'operation_failed'
}
