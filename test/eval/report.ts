import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { EvalError } from './data-set.ts'
import type { CaseResult } from './evaluate.ts'
import { byCategory, sumOf } from './table.ts'

/** The scores that a later run is compared with. */
export const Baseline = v.looseObject({
  cases: v.array(v.looseObject({ id: v.string(), score: v.number() })),
})
export type Baseline = v.InferOutput<typeof Baseline>

/** The largest loss of a case that is not a regression. */
const tolerance = 0.15

export interface RunInfo {
  readonly provider: string
  readonly tier: string
  /** The commit that was checked out. */
  readonly commit: string
  readonly at: Date
  readonly seconds: number
}

/** A run as JSON: the run info, the sums, and every case. */
export function toReport(results: readonly CaseResult[], circumstances: RunInfo) {
  return {
    ...circumstances,
    at: circumstances.at.toISOString(),
    all: sumOf(results),
    categories: Object.fromEntries([...byCategory(results)].map(([name, group]) => [name, sumOf(group)])),
    cases: results.map(({ wanted: { id, category, tags, message }, total, ...result }) => ({
      id,
      category,
      tags,
      message,
      score: total,
      ...result,
    })),
  }
}

/** Writes a report to a folder, named by provider, tier, commit and time. Returns its path. */
export async function writeReport(folder: string, report: ReturnType<typeof toReport>): Promise<string> {
  const { provider, tier, commit, at } = report
  const path = join(folder, `${provider}-${tier}-${commit}-${at.replaceAll(':', '')}.json`)
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`)
  return path
}

/** Reads the report to compare with: a file, or the latest of this provider and tier in a folder. Throws an EvalError when there is none. */
export async function readBaseline(
  baseline: string,
  folder: string,
  { provider, tier }: Pick<RunInfo, 'provider' | 'tier'>,
): Promise<Baseline> {
  const path = baseline === 'latest' ? await latest(folder, `${provider}-${tier}-`) : baseline
  if (path === undefined)
    throw new EvalError(`${folder} has no report of ${provider}, ${tier}. Run once without --baseline first.`)
  const { success, output } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), Baseline),
    await readFile(path, 'utf8').catch(() => undefined),
  )
  if (!success)
    throw new EvalError(
      `${path} is not a report of npm run eval. Name one with --baseline, or take 'latest'.`,
    )
  return output
}

/** By the time in the file name. */
async function latest(folder: string, beginning: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => [])
  const timeOf = (name: string): string => /\d{4}-\d\d-\d\dT.*$/.exec(name)?.[0] ?? ''
  const newest = names
    .filter((name) => name.startsWith(beginning) && timeOf(name).endsWith('.json'))
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .at(-1)
  return newest === undefined ? undefined : join(folder, newest)
}

/** The cases that scored clearly higher in the baseline, one line each. New cases are ignored. */
export function regressions(results: readonly CaseResult[], { cases }: Baseline): readonly string[] {
  const before = new Map(cases.map(({ id, score }) => [id, score]))
  return results.flatMap(({ wanted: { id }, total }) => {
    const previous = before.get(id) ?? total
    // Scores have four digits; half of the last one absorbs rounding errors.
    return previous - total > tolerance + 0.00005
      ? [`${id}: ${previous.toFixed(2)} before, ${total.toFixed(2)} now`]
      : []
  })
}

/** The commit that is checked out in a folder; `unknown` outside of a clone. */
export function commitOf(folder: string): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : 'unknown'
}
