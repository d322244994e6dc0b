import type { Ask } from '../../kernel/testing.ts'
import { attempt } from './attempt.ts'
import type { Case } from './case.ts'
import type { DataSet } from './data-set.ts'
import { crashed, score, type Score } from './score.ts'

/** What one case came to. */
export interface Result extends Score {
  readonly wanted: Case
  /** What was answered; nothing where a case could not be finished. */
  readonly status: string | undefined
  readonly estimatedUsd: number | null
}

export interface EvaluateOptions {
  readonly ask: Ask
  readonly modelKey?: string | undefined
  /** So many cases are under way at a time. */
  readonly concurrency: number
}

/** Runs every case against a service and judges it. One that cannot be finished scores 0, and the others go on. */
export async function evaluate({ cases, fixture }: DataSet, { ask, modelKey, concurrency }: EvaluateOptions): Promise<readonly Result[]> {
  const results = new Map<Case, Result>()
  const queue = cases.values()
  const work = async (): Promise<void> => {
    for (const wanted of queue) results.set(wanted, await judge(wanted))
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return cases.flatMap((wanted) => results.get(wanted) ?? [])

  async function judge(wanted: Case): Promise<Result> {
    try {
      const done = await attempt(wanted, { ask, modelKey, pages: wanted.fixture ?? fixture })
      return { wanted, status: done.status, estimatedUsd: done.estimatedUsd, ...score(wanted, done) }
    } catch (error) {
      return { wanted, status: undefined, estimatedUsd: 0, ...crashed(error instanceof Error ? error.message : String(error)) }
    }
  }
}
