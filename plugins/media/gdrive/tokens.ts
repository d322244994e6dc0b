import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Clock } from '../../../kernel/index.ts'
import type { Outbound } from '../../outbound/port.ts'
import { refusals } from './refusals.ts'
import type { ServiceAccount } from './settings.ts'

const scope = 'https://www.googleapis.com/auth/drive.readonly'
const lifetimeSeconds = 3600
/** Milliseconds before expiry at which tokens are renewed. */
const marginMs = 60_000
const limits = { maxBytes: 64 * 1024, timeoutMs: 10_000, followsRedirects: false } as const
const signed = promisify(sign)
const Granted = v.object({
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/)),
  expires_in: v.optional(v.number(), lifetimeSeconds),
})

export interface TokenParts {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly clock: Clock
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
  readonly account: ServiceAccount
  /** Origins on private networks that the operator configured. */
  readonly allowOrigins: readonly string[]
}

/** Creates the token source of a service account, which sends one request at a time. */
export function createTokens({ account, outbound, allowOrigins, clock, signal }: TokenParts) {
  let asking: Promise<string> | undefined
  let token = ''
  let until = 0

  const ask = async (): Promise<string> => {
    const now = clock.now().getTime()
    const assertion = await toAssertion(account, Math.floor(now / 1000))
    const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
    const answer = await outbound.fetch(account.tokenUri, { ...limits, form, allowOrigins, signal })
    if (answer.status !== 200) throw refusals.unusable(answer.status)
    const { success, output } = v.safeParse(Granted, answer.json())
    if (!success) throw refusals.unusable(200)
    token = output.access_token
    until = now + output.expires_in * 1000 - marginMs
    return token
  }

  return {
    /** Returns the current token. Refuses with 502 `gdrive_failed` if none is issued. */
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
