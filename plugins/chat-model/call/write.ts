import type { Logger } from '../../../kernel/index.ts'
import { PlannerFailure, type PlanningRun } from '../../chat/port.ts'
import { ModelFailure, type ModelCall, type ModelClient } from '../../llm/port.ts'
import { givenUp, mostAttempts } from '../failures.ts'
import { textsFor } from '../texts.ts'
import { ask, EndlessAnswer, retryWaits, type ModelAnswer } from './ask.ts'

/** What is asked of a model beside plans: the call of a tool, again with the problem until the answer can be used. */
export interface WriteTask<T> {
  readonly client: ModelClient
  readonly run: PlanningRun
  readonly locale: string
  readonly log: Logger
  readonly tool: string
  /** The call, with what was wrong with the answer before; `undefined` where there is too much to ask for. */
  call(problem: string | undefined): ModelCall | undefined
  /** Called before each try. */
  begin(call: ModelCall): void
  /** Reads an answer, which is `undefined` where it did not end. */
  read(answer: ModelAnswer | undefined): { readonly value: T } | { readonly problem: string }
}

/**
 * Asks until an answer can be read; `undefined` where the call is too large.
 *
 * Throws a `PlannerFailure` where the provider, the model or its answers are the reason that there is none, and `Canceled` when
 * the run is.
 */
export async function write<T>(task: WriteTask<T>): Promise<T | undefined> {
  const { run, locale, log } = task
  const problems: string[] = []
  for (;;) {
    const call = task.call(problems.at(-1))
    if (!call) return undefined
    const read = task.read(await answered(call, task))
    if ('value' in read) return read.value
    problems.push(read.problem)
    log.warn({ run: run.id, attempt: problems.length, problem: read.problem }, 'answer of the model cannot be used')
    if (problems.length < mostAttempts) continue
    throw new PlannerFailure('unusable', textsFor('en').noVariation(problems.length), { attempts: problems, notice: textsFor(locale).noVariation(problems.length) })
  }
}

async function answered<T>(call: ModelCall, { client, run, locale, log, tool, begin }: WriteTask<T>): Promise<ModelAnswer | undefined> {
  const failed = (failure: ModelFailure): void => log.warn({ run: run.id, ...failure.toLog() }, 'model gave no answer')
  const waiting = (seconds: number): void => run.emit({ type: 'status', message: textsFor(locale).waiting(seconds) })
  try {
    return await ask({ client, call, tool, run: { ...run, emit: () => undefined }, waits: retryWaits, begin: () => void begin(call), repeating: failed, waiting })
  } catch (error) {
    if (error instanceof EndlessAnswer) return undefined
    if (!(error instanceof ModelFailure)) throw error
    failed(error)
    throw givenUp(error)
  }
}
