import { Refusal } from '../../../kernel/index.ts'
import { SiteFilesError } from '../scaffold/port.ts'

/** Why a tool refuses: a sentence for the model, and for the person whose run it ends. */
export class Problem extends Error {
  override readonly name = 'Problem'
}

/** Returns the sentence of an error that is meant to be read; `undefined` for a fault. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.reason
  if (error instanceof SiteFilesError) return `${error.message}.`
  return error instanceof Problem ? error.message : undefined
}
