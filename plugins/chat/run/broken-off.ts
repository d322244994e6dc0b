import { Refusal } from '../../../kernel/index.ts'
import type { Drafts } from '../../draft/port.ts'
import type { Scope } from '../../scope/port.ts'
import { byRulesAlone } from '../planners/source.ts'
import type { Tier } from '../result.ts'
import { promptExcerpt, type PromptHash } from '../sessions/digest.ts'
import type { RunResult } from './observer.ts'
import { Canceled, type ChatRunner } from './runner.ts'

const brokenInside = 'Something went wrong inside the service. The log has the details under the id of this run.'
const longestReason = 300

interface BrokenOffParts {
  readonly drafts: Pick<Drafts, 'head'>
  readonly scope: Scope
  readonly promptHash: PromptHash
  readonly defaultTier: Tier
}

/** Makes the results of runs that were refused or broke. What broke one stands in the log only. */
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

/** The end of a run that has no result: canceled, refused, or broken. What broke it stands in the log only. */
export function brokenOff(error: unknown): RunResult {
  if (error instanceof Canceled) return { kind: 'result', outcome: 'canceled', category: 'canceled' }
  if (!(error instanceof Refusal)) return { kind: 'result', outcome: 'planner_exception', category: 'internal_error' }
  const { code, status, reason } = error
  return { kind: 'result', outcome: outcomeOf(code, status), category: categoryOf(status), reason }
}

function outcomeOf(code: string, status: number): string {
  if (code === 'pending_plan_mismatch') return code
  return status === 400 ? 'validation_error' : 'api_error'
}

function categoryOf(status: number): string {
  if (status === 404) return 'not_found'
  return status === 400 ? 'schema_violation' : 'operation_failed'
}
