import type { Environment } from '../../config/env.ts'
import { selectCases, EvalError, ownFolder, readDataSet } from './data-set.ts'
import { evaluate } from './evaluate.ts'
import { commitOf, readBaseline, regressions, toReport, writeReport } from './report.ts'
import { openService } from './service.ts'
import { help, planningOf, readFlags, type Flags } from './settings.ts'
import { drawMisses, drawResults, sumOf, type Sum } from './table.ts'

/** The environment and output of a command. */
export interface Io {
  readonly env: Environment
  /** Writes a line to stdout. */
  line(text: string): unknown
  /** Writes a line to stderr. */
  error(text: string): unknown
}

/** Runs the command line. Returns the exit code: 1 for low scores, 2 if the run failed. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    const flags = readFlags(args)
    if (!flags.help) return await run(flags, io)
    io.line(help)
    return 0
  } catch (error) {
    for (const problem of error instanceof EvalError ? error.problems : [String(error)]) io.error(problem)
    return 2
  }
}

async function run(flags: Flags, { env, line, error }: Io): Promise<number> {
  const planning = planningOf(flags, env)
  const { provider, tier } = planning
  const data = await readDataSet(flags.data)
  const cases = selectCases(data.cases, { tags: flags.tags, glob: flags.cases })
  const baseline =
    flags.baseline === undefined ? { cases: [] } : await readBaseline(flags.baseline, flags.out, planning)
  const at = new Date()
  const started = performance.now()
  await using service = await openService(planning.env)
  const results = await evaluate(
    { ...data, cases },
    {
      ask: (request) => service.inject(request),
      modelKey: tier === 'none' ? undefined : tier,
      concurrency: flags.concurrency,
    },
  )
  const seconds = Math.round((performance.now() - started) / 100) / 10

  const sum = sumOf(results)
  if (!flags.quiet) for (const miss of drawMisses(results)) line(`${miss}\n`)
  line(drawResults(results))
  line('')
  line(`${provider}${tier === 'none' ? '' : `, ${tier}`}: ${summaryLine(sum)}; ${costOf(sum)}; ${seconds} s`)
  const path = await writeReport(
    flags.out,
    toReport(results, { provider, tier, commit: commitOf(ownFolder), at, seconds }),
  )
  if (!flags.quiet) line(`Report: ${path}`)

  const regressed = regressions(results, baseline)
  for (const each of regressed) error(`Worse than the baseline: ${each}`)
  const isLow = sum.mean < flags['min-score']
  if (isLow) error(`The mean score is ${sum.mean.toFixed(2)}, and has to be ${flags['min-score']} at least.`)
  return isLow || regressed.length > 0 ? 1 : 0
}

const summaryLine = ({ cases, passes, mean, intrusive }: Sum): string =>
  `${passes} of ${cases} cases pass, mean score ${mean.toFixed(2)}; ${intrusive} changed a draft that must not change`

const costOf = ({ estimatedUsd }: Sum): string =>
  estimatedUsd === null ? 'cost not known' : `$${estimatedUsd.toFixed(4)}`
