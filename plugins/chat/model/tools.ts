import type { ModelCall } from '../../models/port.ts'
import { readJson } from './answer/json.ts'
import { ask, type AskOptions, askUntilUsable, type ModelAnswer, quiet } from './call/ask.ts'
import { blockPiece, fitted, shownProps } from './prompt/pieces.ts'
import { languageOf } from './prompt/prompt.ts'
import { aboutSite, contractOf } from './prompt/site.ts'

/** A model task other than planning: a tool call, repeated with the problem until the answer is usable. */
interface WriteTask<T> extends Pick<AskOptions, 'client' | 'log' | 'run' | 'begin'> {
  /** The call, with the problems of the previous answer; `undefined` if the request is too large. */
  call(problem: string | undefined): ModelCall | undefined
  /** Reads an answer, which is `undefined` if it did not end. */
  read(answer: ModelAnswer | undefined): { readonly value: T } | { readonly problem: string }
}

/**
 * Asks until an answer can be read; returns `undefined` if the call is too large.
 *
 * Throws a `PlannerFailure` if the provider, the model or its answers yield no result, and `Canceled` if the
 * run is canceled.
 */
async function write<T>({ call: callWith, read, ...task }: WriteTask<T>): Promise<T | undefined> {
  const { run, log } = task
  return askUntilUsable<T | undefined>(async (before, attempt) => {
    const call = callWith(before)
    if (!call) return { value: undefined }
    const result = read(await ask({ ...task, run: quiet(run), call }))
    if ('problem' in result)
      log.warn({ run: run.id, attempt, problem: result.problem }, 'answer of the model cannot be used')
    return result
  }, 'noVariation')
}

/** The tools with which other chat plugins ask a model: calls, pieces of prompts, and a JSON reader. */
export const tools = { write, readJson, languageOf, blockPiece, fitted, shownProps, aboutSite, contractOf }
