import { drawTable } from '../../kernel/draw.ts'
import { categories } from './case.ts'
import type { CaseResult } from './evaluate.ts'
import { pass, rounded, verdicts, type Verdict } from './score.ts'

/** Totals of a number of cases. */
export interface Sum {
  readonly cases: number
  readonly passes: number
  readonly counts: Readonly<Record<Verdict, number>>
  /** Weighted by case. */
  readonly mean: number
  /** Cases that changed a draft that they must not change. */
  readonly intrusive: number
  /** `null` if any price is unknown. */
  readonly estimatedUsd: number | null
}

/** Adds results up. */
export function sumOf(results: readonly CaseResult[]): Sum {
  const weight = results.reduce((all, { wanted }) => all + wanted.weight, 0)
  const weighted = results.reduce((all, { wanted, total }) => all + wanted.weight * total, 0)
  const count = (verdict: Verdict): number => results.filter((each) => each.verdict === verdict).length
  return {
    cases: results.length,
    passes: results.filter(({ total }) => total >= pass).length,
    counts: {
      exact: count('exact'),
      acceptable: count('acceptable'),
      refused: count('refused'),
      wrong: count('wrong'),
    },
    mean: weight === 0 ? 0 : rounded(weighted / weight),
    intrusive: results.filter(({ isIntrusive }) => isIntrusive).length,
    estimatedUsd: results.reduce<number | null>(
      (all, { estimatedUsd }) => (all === null || estimatedUsd === null ? null : all + estimatedUsd),
      0,
    ),
  }
}

/** The results of each category that has any, in the order of the list. */
export function byCategory(results: readonly CaseResult[]): ReadonlyMap<string, readonly CaseResult[]> {
  const groups = Map.groupBy(results, ({ wanted }) => wanted.category)
  return new Map(categories.flatMap((name) => (groups.has(name) ? [[name, groups.get(name) ?? []]] : [])))
}

const head = ['intent', 'cases', ...verdicts, 'mean score']

/** Draws the table: a line for each category, and one for all. */
export function drawResults(results: readonly CaseResult[]): string {
  const rows = [...byCategory(results)].map(([name, group]) => toRow(name, sumOf(group)))
  const all = [head, ...rows, toRow('all', sumOf(results))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return drawTable(
    all.map((row) => row.map((cell, column) => (column === 0 ? cell : cell.padStart(widths[column] ?? 0)))),
  ).join('\n')
}

const toRow = (name: string, { cases, counts, mean }: Sum): readonly string[] => [
  name,
  String(cases),
  ...verdicts.map((verdict) => String(counts[verdict])),
  mean.toFixed(2),
]

/** The cases that are not exact, with the reasons, worst first. */
export function drawMisses(results: readonly CaseResult[]): readonly string[] {
  return verdicts
    .toReversed()
    .flatMap((verdict) =>
      results
        .filter((each) => each.verdict === verdict && verdict !== 'exact')
        .map(
          ({ wanted, total, misses }) =>
            `${verdict} ${total.toFixed(2)} ${wanted.id}: ${wanted.message}\n  ${misses.join('\n  ')}`,
        ),
    )
}
