import * as v from 'valibot'
import type { OutboundResponse } from '../outbound/port.ts'

/** Drive, or the token endpoint, gave no usable answer. Its message names the remedy and holds nothing of the answer. */
export class DriveFailure extends Error {
  override readonly name = 'DriveFailure'
  /** The HTTP status. */
  readonly status: number
  /** The word by which Google names the error, for the log. */
  readonly word: string | undefined

  constructor(message: string, { status, word }: { readonly status: number; readonly word?: string | undefined }) {
    super(message)
    this.status = status
    this.word = word
  }
}

const Word = v.pipe(v.string(), v.regex(/^\w{1,60}$/))
/** Drive nests its errors, the token endpoint does not. */
const ErrorBody = v.union([
  v.pipe(v.object({ error: v.object({ errors: v.tuple([v.object({ reason: Word })]) }) }), v.transform(({ error }) => error.errors[0].reason)),
  v.pipe(v.object({ error: Word }), v.transform(({ error }) => error)),
])
const limitWords: ReadonlySet<string | undefined> = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'sharingRateLimitExceeded'])

/** Names what an answer without success means; `variable` holds what was not accepted. */
export function failureOf({ status, json }: Pick<OutboundResponse, 'status' | 'json'>, variable: string): DriveFailure {
  const word = wordIn(json)
  return new DriveFailure(remedyOf(status, word, variable), { status, word })
}

function remedyOf(status: number, word: string | undefined, variable: string): string {
  if (status === 429 || limitWords.has(word)) return 'Google Drive takes no more requests for now. Try again in a few minutes.'
  if (status >= 500) return 'Google Drive has a fault. Try again in a few minutes.'
  if (status === 404) return 'Google Drive knows no such file or folder. Check its id, and share it with the service account.'
  if (status >= 300 && status < 400) return 'Google Drive answered with a redirect, which is not followed. Check GOOGLE_DRIVE_BASE_URL.'
  return `Google Drive did not accept the request. Check ${variable}, and what it may read.`
}

function wordIn(json: () => unknown): string | undefined {
  try {
    const parsed = v.safeParse(ErrorBody, json())
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}
