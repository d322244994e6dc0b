import * as v from 'valibot'

/** The field of an answer with what existing editors show of it. */
export const ShownText = v.pipe(
  v.optional(v.string()),
  v.description(
    'What the answer says in one text, with `notes` and `notice`, for editors that show nothing else.',
  ),
)

/** What an answer says to people. */
interface Remarks {
  readonly notes?: readonly string[] | undefined
  readonly notice?: string | undefined
  readonly message?: string | undefined
  /** A sentence or a code. */
  readonly error?: string | undefined
}

/** Joins sentences to one text. */
export const joined = (sentences: readonly string[]): string =>
  sentences.map((sentence) => sentence.replace(/(?<![.!?…])$/, '.')).join(' ')

/**
 * Returns an answer whose notes and notice are also in the text that existing editors show: in `error` if
 * that is a sentence, in `message` if there is no error. An `error` that is a code stays as it is.
 */
export function withShownText<A extends Remarks>(answer: A): A & Pick<Remarks, 'message' | 'error'> {
  const { notice, notes = [], message, error } = answer
  const remarks = [...(notice === undefined ? [] : [notice]), ...notes]
  if (remarks.length === 0) return answer
  if (error === undefined)
    return { ...answer, message: joined(message === undefined ? remarks : [message, ...remarks]) }
  return error.includes(' ') ? { ...answer, error: joined([error, ...remarks]) } : answer
}
