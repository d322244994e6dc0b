import type { Review, Row } from './schemas.ts'

/** Outcomes for which somebody has to do something about the service, not about the message. */
const failures: ReadonlySet<string> = new Set([
  'guardrail_failure', 'apply_failed', 'repair_failed', 'planner_exception',
  'planning_exhausted', 'planning_refusal', 'planning_incomplete', 'planning_missing',
])
const mostPrompts = 12
/** A cause is worth a sentence when more than this part of all runs has it, and so many runs: two are no habit. */
const worthASentence = { share: 0.1, runs: 3 }

const causes: Readonly<Record<string, string>> = {
  schema_violation: 'Many plans break the rules of a block or of an operation: look at the reasons, and at the block types that the site declares.',
  not_found: 'Many plans name pages or blocks that are not there: look whether editors send the page and the block that are selected.',
  ambiguity: 'Many messages could mean several things: editors that send the selected block spare people the question.',
  planning_exhausted: 'The model often gives no plan at all: look at the reasons of the failed attempts, or choose another model.',
}
const neutral = 'No single cause stands out.'

/** Counts values by a name; what has none is not counted. */
export function countBy<T>(values: readonly T[], nameOf: (value: T) => string | undefined): Record<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) {
    const name = nameOf(value)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

const outcomeOf = ({ outcome }: Row) => outcome
const categoryOf = ({ reasonCategory }: Row) => reasonCategory
const hasFailed = ({ outcome }: Row): boolean => outcome !== undefined && failures.has(outcome)

/** Judges the results of runs. */
export function review(results: readonly Row[]): Review {
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

function promptsOf(failed: readonly Row[]): Review['topFailedPrompts'] {
  const prompts = [...Map.groupBy(failed, ({ promptHash }) => promptHash)].flatMap(([promptHash, rows]) => {
    const last = rows.at(-1)
    if (!last) return []
    const outcomes = Object.keys(countBy(rows, outcomeOf))
    const reasonCategories = Object.keys(countBy(rows, categoryOf))
    return [{ promptHash, promptExcerpt: last.promptExcerpt, count: rows.length, outcomes, reasonCategories, lastAt: last.at }]
  })
  return prompts.toSorted((a, b) => b.count - a.count).slice(0, mostPrompts)
}

function recommend(results: readonly Row[]): string[] {
  const byCause = { ...countBy(results, categoryOf), ...countBy(results, outcomeOf) }
  const isDominant = (count: number): boolean => count >= worthASentence.runs && count > worthASentence.share * results.length
  const dominant = Object.entries(causes).filter(([cause]) => isDominant(byCause[cause] ?? 0))
  return dominant.length > 0 ? dominant.map(([, sentence]) => sentence) : [neutral]
}
