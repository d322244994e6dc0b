import { lexicons } from './lexicon/index.ts'
import { courtesyIn } from './courtesy.ts'
import { cleanMessage, isOnly } from './message/clean.ts'
import { readRequest } from './message/read.ts'

/** The longest message that is read. */
export const longestMessage = 2000

export { cleanMessage }

/** Tells whether a message says nothing but yes. */
export function isConfirmation(message: string): boolean {
  return lexicons.some(({ confirmations, words }) => isOnly(confirmations, words['tail'] ?? [], cleanMessage(message)))
}

/** Tells whether a message says nothing but no. */
export function isRefusal(message: string): boolean {
  return lexicons.some(({ refusals, words }) => isOnly(refusals, words['tail'] ?? [], cleanMessage(message)))
}

/** Tells whether a message is only friendly. */
export function isCourtesy(message: string): boolean {
  return lexicons.some((lexicon) => courtesyIn(cleanMessage(message), lexicon) !== undefined)
}

/** Tells whether a message asks to see the plan before anything is done. Of a long one the beginning and the end are read. */
export function asksForPlanFirst(message: string): boolean {
  const text = cleanMessage(message)
  const parts = text.length <= longestMessage ? [text] : [text.slice(0, longestMessage / 2), text.slice(-longestMessage / 2)]
  return parts.some((part) => lexicons.some((lexicon) => readRequest(part, lexicon).isPlanFirst))
}
