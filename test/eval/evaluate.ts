import type { Ask } from '../../kernel/testing.ts'
import { attempt } from './attempt.ts'
import type { Case } from './case.ts'
import type { DataSet } from './data-set.ts'
import { crashed, score, type Score } from './score.ts'

/** The scored result of one case. */
export interface CaseResult extends Score {
  readonly wanted: Case
  /** The status of the answer; `undefined` if the case crashed. */
  readonly status: string | undefined
  readonly estimatedUsd: number | null
}

export interface EvaluateOptions {
  readonly ask: Ask
  readonly modelKey?: string | undefined
  /** Number of cases that run at the same time. */
  readonly concurrency: number
}

/** Runs and scores every case against a service. A case that crashes scores 0. */
export async function evaluate(
  { cases, fixture }: DataSet,
  { ask, modelKey, concurrency }: EvaluateOptions,
): Promise<readonly CaseResult[]> {
  const results = new Map<Case, CaseResult>()
  const queue = cases.values()
  const work = async (): Promise<void> => {
    for (const wanted of queue) results.set(wanted, await judge(wanted))
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return cases.flatMap((wanted) => results.get(wanted) ?? [])

  async function judge(wanted: Case): Promise<CaseResult> {
    try {
      const done = await attempt(wanted, { ask, modelKey, pages: wanted.fixture ?? fixture })
      return { wanted, status: done.status, estimatedUsd: done.estimatedUsd, ...score(wanted, done) }
    } catch (error) {
      return {
        wanted,
        status: undefined,
        estimatedUsd: 0,
        ...crashed(error instanceof Error ? error.message : String(error)),
      }
    }
  }
}
