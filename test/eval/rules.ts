import { collections, outcomeOf, verdictOn, type Collection, type Verdict } from '../helpers/rules-corpus.ts'

const verdicts: readonly Verdict[] = ['right', 'asked', 'unsupported', 'wrong']

interface Score {
  readonly language: string
  readonly collection: string
  readonly isAside: boolean
  readonly counts: Readonly<Record<Verdict, number>>
}

/** Scores the rule-based planner on its corpus. */
export function scoreRules(): readonly Score[] {
  return collections.flatMap((collection) => [false, true].flatMap((isAside) => {
    const rows = collection.rows.filter(({ aside }) => (aside === true) === isAside)
    return rows.length === 0 ? [] : [{ language: collection.locale, collection: collection.name, isAside, counts: countsOf(collection, rows) }]
  }))
}

function countsOf(collection: Collection, rows: Collection['rows']): Score['counts'] {
  const counts: Record<Verdict, number> = { right: 0, asked: 0, unsupported: 0, wrong: 0 }
  for (const row of rows) counts[verdictOn(outcomeOf(row, collection), row.gives)] += 1
  return counts
}

/** The scores as a table by language and collection, with held-out rows separate. */
export function drawScores(scores: readonly Score[]): string {
  const rows = scores.map(({ language, collection, isAside, counts }) => {
    const count = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
    return [language, collection, isAside ? 'set aside' : 'others', ...verdicts.map((verdict) => String(counts[verdict])), `${((100 * counts.right) / count).toFixed(1)} %`]
  })
  const head = ['language', 'collection', 'rows', ...verdicts, 'right of all']
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [head, ...rows].map((row) => row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')).join('\n')
}
