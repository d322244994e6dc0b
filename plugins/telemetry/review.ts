import type { Review, TelemetryRow } from './schemas.ts'

/** Outcomes caused by the service rather than by the message. */
const failures: ReadonlySet<string> = new Set([
  'guardrail_failure',
  'apply_failed',
  'repair_failed',
  'planner_exception',
  'planning_exhausted',
  'planning_refusal',
  'planning_incomplete',
  'planning_missing',
])
const maxPrompts = 12
/** The minimum share and number of runs at which a cause is reported. */
const threshold = { share: 0.1, runs: 3 }

const causes: Readonly<Record<string, string>> = {
  schema_violation:
    'Many plans violate the schema of a block or an operation: check the reasons, and the block types that the site declares.',
  not_found:
    'Many plans refer to missing pages or blocks: check whether editors send the selected page and block.',
  ambiguity:
    'Many messages could mean several things: editors that send the selected block avoid the question.',
  planning_exhausted:
    'The model often returns no plan at all: check the reasons of the failed attempts, or choose another model.',
}
const neutral = 'No single cause stands out.'

/** Counts values by name; ignores values without a name. */
export function countBy<T>(
  values: readonly T[],
  nameOf: (value: T) => string | undefined,
): Record<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) {
    const name = nameOf(value)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

const outcomeOf = ({ outcome }: TelemetryRow) => outcome
const categoryOf = ({ reasonCategory }: TelemetryRow) => reasonCategory
/** Whether a run failed for a cause in the service. */
export const hasFailed = ({ outcome }: TelemetryRow): boolean =>
  outcome !== undefined && failures.has(outcome)

/** Summarises the results of runs. */
export function review(results: readonly TelemetryRow[]): Review {
  const failed = results.filter(hasFailed)
  const numberOf = (outcome: string): number => results.filter((row) => row.outcome === outcome).length
  return {
    analyzed: results.length,
    appliedCount: numberOf('applied'),
    failedCount: failed.length,
    failureRate: results.length === 0 ? 0 : Math.round((10_000 * failed.length) / results.length) / 10_000,
    plannerRefusalCount: numberOf('planning_refusal'),
    plannerIncompleteCount: numberOf('planning_incomplete'),
    failureByOutcome: countBy(failed, outcomeOf),
    failureByReasonCategory: countBy(failed, categoryOf),
    topFailedPrompts: promptsOf(failed),
    recommendations: recommend(results),
  }
}

function promptsOf(failed: readonly TelemetryRow[]): Review['topFailedPrompts'] {
  const prompts = [...Map.groupBy(failed, ({ promptHash }) => promptHash)].flatMap(([promptHash, rows]) => {
    const last = rows.at(-1)
    if (!last) return []
    const outcomes = Object.keys(countBy(rows, outcomeOf))
    const reasonCategories = Object.keys(countBy(rows, categoryOf))
    return [
      {
        promptHash,
        promptExcerpt: last.promptExcerpt,
        count: rows.length,
        outcomes,
        reasonCategories,
        lastAt: last.at,
      },
    ]
  })
  return prompts.toSorted((a, b) => b.count - a.count).slice(0, maxPrompts)
}

function recommend(results: readonly TelemetryRow[]): string[] {
  const byCause = { ...countBy(results, categoryOf), ...countBy(results, outcomeOf) }
  const isDominant = (count: number): boolean =>
    count >= threshold.runs && count > threshold.share * results.length
  const dominant = Object.entries(causes).filter(([cause]) => isDominant(byCause[cause] ?? 0))
  return dominant.length > 0 ? dominant.map(([, sentence]) => sentence) : [neutral]
}
