/** What the failures of a database mean. */
import { errorCode, type Refusal } from '../../../kernel/index.ts'
import { storeUnavailable } from '../refusals.ts'

const away =
  'The database of the store does not answer; repeat the request when it does. Earlier changes are kept.'
/** Classes of SQLSTATE for a problem of the database, not of a statement. */
const problems: Readonly<Record<string, string>> = {
  '08': away,
  '28': 'The database of the store refuses the user; check DATABASE_URL.',
  '53': 'The database of the store is out of space, memory or connections; make room, then repeat the request.',
  '57': away,
  '25': 'The database of the store takes no changes now; repeat the request when it does.',
  '55': 'The database of the store is locked for too long; repeat the request.',
}
const systemErrors = /^(?:E[A-Z]+|ERR_\w+)$/

/** Turns a problem of the database into a refusal; `undefined` for an error in a statement, and for a conflict. */
export function toRefusal(error: unknown): Refusal | undefined {
  const code = errorCode(error)
  const isLost = error instanceof Error && /terminated|timeout|not queryable|was closed/i.test(error.message)
  const isAway = isLost || (code !== undefined && systemErrors.test(code))
  const sentence = isAway ? away : problems[String(code).slice(0, 2)]
  return sentence === undefined ? undefined : storeUnavailable(sentence, error)
}

export function refuse(error: unknown): never {
  throw toRefusal(error) ?? storeUnavailable(away, error)
}

/** Returns the reason why a database cannot be used; never its address, which has a password. */
export function obstacle(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = errorCode(cause) ?? errorCode(error)
  return `The database of DATABASE_URL cannot be used (${code ?? String(cause)}). Check that it runs, and its address, user and rights.`
}

/** Whether a transaction failed only because another one was faster. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error) ?? '')
