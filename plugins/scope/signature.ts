import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { safeEqual } from '../../kernel/index.ts'

/** The draft that a browser may see. */
export interface DraftAccess {
  readonly siteId: string
  readonly session: string
  /** Names the token that asked for the signature, for reads of the draft, which end with it. */
  readonly by?: string | undefined
}

/** `until` is in milliseconds since 1970; `by` is the name of the token that asked for the signature. */
const Claims = v.object({
  siteId: v.string(),
  session: v.string(),
  until: v.number(),
  by: v.optional(v.string()),
})

const hour = 60 * 60 * 1000

/** The carriers of a signed access, with their validity in milliseconds; they are not interchangeable. */
const carriers = {
  cookie: { validFor: 12 * hour, mark: 'editor-draft' },
  /** A link may be shared, so it is valid for a shorter time. */
  link: { validFor: hour, mark: 'editor-draft-link' },
} as const

export interface Signing {
  readonly secret: string
  readonly now: Date
  /** `cookie` by default. */
  readonly carrier?: keyof typeof carriers
}

/** What a signature ends with, besides its own time: the access of the caller, or of an earlier signature. */
export interface Origin {
  readonly until?: number | undefined
  readonly by?: string | undefined
}

/** Signs the access of a browser to a draft, with its expiry. */
export function signAccess(
  { siteId, session }: DraftAccess,
  { secret, now, carrier = 'cookie', until: end = Infinity, by }: Signing & Origin,
): string {
  const until = Math.min(now.getTime() + carriers[carrier].validFor, end)
  const text = JSON.stringify({ siteId, session, until, by })
  const claims = Buffer.from(text).toString('base64url')
  return `${claims}.${signatureOf(claims, secret, carrier)}`
}

/** Reads a signed access; `undefined` if it is forged, truncated, expired, or signed with another secret. */
export function readAccess(signed: string, { secret, now, carrier = 'cookie' }: Signing) {
  const [claims = '', signature = '', ...rest] = signed.split('.')
  if (rest.length > 0 || !safeEqual(signature, signatureOf(claims, secret, carrier))) return undefined
  const text = Buffer.from(claims, 'base64url').toString()
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Claims), text)
  return parsed.success && parsed.output.until > now.getTime() ? parsed.output : undefined
}

const signatureOf = (claims: string, secret: string, carrier: keyof typeof carriers): string =>
  createHmac('sha256', secret).update(`${carriers[carrier].mark}\n${claims}`).digest('base64url')
