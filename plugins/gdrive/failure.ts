import * as v from 'valibot'
import type { OutboundResponse } from '../outbound/port.ts'

/** A failed call to Drive or its token endpoint. The message names the remedy and quotes nothing of the answer. */
export class DriveFailure extends Error {
  override readonly name = 'DriveFailure'
  readonly status: number
  /** The error code of Google, for the log. */
  readonly code: string | undefined

  constructor(message: string, { status, code }: { readonly status: number; readonly code?: string | undefined }) {
    super(message)
    this.status = status
    this.code = code
  }
}

const Code = v.pipe(v.string(), v.regex(/^\w{1,60}$/))
/** Drive nests its errors, the token endpoint does not. */
const ErrorBody = v.union([
  v.pipe(v.object({ error: v.object({ errors: v.tuple([v.object({ reason: Code })]) }) }), v.transform(({ error }) => error.errors[0].reason)),
  v.pipe(v.object({ error: Code }), v.transform(({ error }) => error)),
])
const rateLimitCodes: ReadonlySet<string | undefined> = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'sharingRateLimitExceeded'])

/** Explains an unsuccessful answer; `variable` is the one that holds the rejected credential. */
export function failureOf({ status, json }: Pick<OutboundResponse, 'status' | 'json'>, variable: string): DriveFailure {
  const code = codeIn(json)
  return new DriveFailure(remedyOf(status, code, variable), { status, code })
}

function remedyOf(status: number, code: string | undefined, variable: string): string {
  if (status === 429 || rateLimitCodes.has(code)) return 'The rate limit of Google Drive is reached. Try again in a few minutes.'
  if (status >= 500) return 'Google Drive is currently failing. Try again in a few minutes.'
  if (status === 404) return 'Google Drive did not find the file or folder. Check its id, and share it with the service account.'
  if (status >= 300 && status < 400) return 'Google Drive answered with a redirect, which is not followed. Check GOOGLE_DRIVE_BASE_URL.'
  return `Google Drive rejected the request. Check ${variable} and its permissions.`
}

function codeIn(json: () => unknown): string | undefined {
  try {
    const parsed = v.safeParse(ErrorBody, json())
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}
