import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import type { Outbound, OutboundResponse } from '../outbound/port.ts'
import type { ServiceAccount } from './settings.ts'

const scope = 'https://www.googleapis.com/auth/drive.readonly'
const lifetimeSeconds = 3600
/** Milliseconds before expiry at which tokens are renewed. */
const marginMs = 60_000
const timeoutMs = 10_000
const signed = promisify(sign)
const Granted = v.object({
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/)),
  expires_in: v.optional(v.number(), lifetimeSeconds),
})

/** Creates the token source of a service account, which sends one request at a time. */
export function createTokens({
  account,
  outbound,
  allowOrigins,
  clock,
  signal,
}: {
  readonly account: ServiceAccount
  readonly outbound: Pick<Outbound, 'fetch'>
  /** Origins on private networks that the operator configured. */
  readonly allowOrigins: readonly string[]
  readonly clock: Clock
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
}) {
  let asking: Promise<string> | undefined
  let token = ''
  let until = 0

  const ask = async (): Promise<string> => {
    const now = clock.now().getTime()
    const assertion = await toAssertion(account, Math.floor(now / 1000))
    const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
    const answer = await outbound.fetch(account.tokenUri, {
      form,
      allowOrigins,
      maxBytes: 64 * 1024,
      timeoutMs,
      followsRedirects: false,
      signal,
    })
    if (answer.status !== 200) throw failureOf(answer, 'GOOGLE_SERVICE_ACCOUNT_KEY_JSON')
    const granted = v.safeParse(Granted, answer.json())
    if (!granted.success)
      throw new DriveFailure('The token endpoint of Google returned no token. Try again later.', {
        status: 200,
      })
    token = granted.output.access_token
    until = now + granted.output.expires_in * 1000 - marginMs
    return token
  }

  return {
    /** Returns the current token. Throws a DriveFailure if none is issued. */
    async current(): Promise<string> {
      if (token !== '' && clock.now().getTime() < until) return token
      return (asking ??= ask().finally(() => (asking = undefined)))
    },
    /** Discards a rejected token. */
    drop(refused: string): void {
      if (refused === token) until = 0
    },
  }
}

/** Creates the signed token request of the account: a JSON Web Token (RFC 7523). */
async function toAssertion(
  { email, key, keyId, tokenUri }: ServiceAccount,
  seconds: number,
): Promise<string> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = part({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
  const claims = part({ iss: email, scope, aud: tokenUri, iat: seconds, exp: seconds + lifetimeSeconds })
  const signature = await signed('RSA-SHA256', Buffer.from(`${head}.${claims}`), key)
  return `${head}.${claims}.${signature.toString('base64url')}`
}

/** A failed call to Drive or its token endpoint. The message names the remedy and never quotes the answer. */
export class DriveFailure extends Error {
  override readonly name = 'DriveFailure'
  readonly status: number
  /** Google's error code, for the log. */
  readonly code: string | undefined

  constructor(
    message: string,
    { status, code }: { readonly status: number; readonly code?: string | undefined },
  ) {
    super(message)
    this.status = status
    this.code = code
  }
}

const Code = v.pipe(v.string(), v.regex(/^\w{1,60}$/))
/** Drive nests its errors; the token endpoint does not. */
const ErrorBody = v.union([
  v.pipe(
    v.object({ error: v.object({ errors: v.tuple([v.object({ reason: Code })]) }) }),
    v.transform(({ error }) => error.errors[0].reason),
  ),
  v.pipe(
    v.object({ error: Code }),
    v.transform(({ error }) => error),
  ),
])
const rateLimitCodes: ReadonlySet<string | undefined> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
])

/** Explains an unsuccessful answer; `variable` is the variable with the rejected credential. */
export function failureOf(
  { status, json }: Pick<OutboundResponse, 'status' | 'json'>,
  variable: string,
): DriveFailure {
  const code = codeIn(json)
  return new DriveFailure(remedyOf(status, code, variable), { status, code })
}

function remedyOf(status: number, code: string | undefined, variable: string): string {
  if (status === 429 || rateLimitCodes.has(code))
    return 'The rate limit of Google Drive is reached. Try again in a few minutes.'
  if (status >= 500) return 'Google Drive is currently failing. Try again in a few minutes.'
  if (status === 404)
    return 'Google Drive did not find the file or folder. Check its id, and share it with the service account.'
  if (status >= 300 && status < 400)
    return 'Google Drive answered with a redirect, which is not followed. Check GOOGLE_DRIVE_BASE_URL.'
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
