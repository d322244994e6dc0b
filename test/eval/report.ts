import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { EvalError } from './data-set.ts'
import type { Result } from './evaluate.ts'
import { byCategory, sumOf } from './table.ts'

/** What a later run is compared with. */
export const Baseline = v.looseObject({ cases: v.array(v.looseObject({ id: v.string(), score: v.number() })) })
export type Baseline = v.InferOutput<typeof Baseline>

/** A case may lose so much before it counts. */
const tolerance = 0.15

export interface Circumstances {
  readonly provider: string
  readonly tier: string
  /** The commit that was checked out. */
  readonly commit: string
  readonly at: Date
  readonly seconds: number
}

/** A run as JSON: what was asked of whom and when, the sums, and every case. */
export function toReport(results: readonly Result[], circumstances: Circumstances) {
  return {
    ...circumstances,
    at: circumstances.at.toISOString(),
    all: sumOf(results),
    categories: Object.fromEntries([...byCategory(results)].map(([name, group]) => [name, sumOf(group)])),
    cases: results.map(({ wanted: { id, category, tags, message }, total, ...result }) => ({ id, category, tags, message, score: total, ...result })),
  }
}

/** Writes a report into a folder, under a name that says what it is of. Gives its path. */
export async function writeReport(folder: string, report: ReturnType<typeof toReport>): Promise<string> {
  const { provider, tier, commit, at } = report
  const path = join(folder, `${provider}-${tier}-${commit}-${at.replaceAll(':', '')}.json`)
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`)
  return path
}

/** Reads the report to compare with: a file, or the latest of this provider and tier in a folder. Throws an EvalError when there is none. */
export async function readBaseline(wish: string, folder: string, { provider, tier }: Pick<Circumstances, 'provider' | 'tier'>): Promise<Baseline> {
  const path = wish === 'latest' ? await latest(folder, `${provider}-${tier}-`) : wish
  if (path === undefined) throw new EvalError(`${folder} has no report of ${provider}, ${tier}. Run once without --baseline first.`)
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Baseline), await readFile(path, 'utf8').catch(() => undefined))
  if (!success) throw new EvalError(`${path} is no report of npm run eval. Name one with --baseline, or take 'latest'.`)
  return output
}

/** By the time in its name, whatever the commit. */
async function latest(folder: string, beginning: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => [])
  const timeOf = (name: string): string => /\d{4}-\d\d-\d\dT.*$/.exec(name)?.[0] ?? ''
  const newest = names
    .filter((name) => name.startsWith(beginning) && timeOf(name).endsWith('.json'))
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .at(-1)
  return newest === undefined ? undefined : join(folder, newest)
}

/** The cases that scored clearly more in the baseline, one line each. Those that it does not know cannot have become worse. */
export function regressions(results: readonly Result[], { cases }: Baseline): readonly string[] {
  const before = new Map(cases.map(({ id, score }) => [id, score]))
  return results.flatMap(({ wanted: { id }, total }) => {
    const was = before.get(id) ?? total
    // Scores have four digits; half of the last one hides what subtracting fractions leaves behind.
    return was - total > tolerance + 0.00005 ? [`${id}: ${was.toFixed(2)} before, ${total.toFixed(2)} now`] : []
  })
}

/** The commit that is checked out in a folder; `unknown` outside of a clone. */
export function commitOf(folder: string): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}
