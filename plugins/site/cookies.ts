import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { safeEqual } from '../../kernel/index.ts'

/** The draft that a browser was let into. */
export interface DraftAccess {
  readonly siteId: string
  readonly session: string
}

const Claims = v.object({ siteId: v.string(), session: v.string(), until: v.number() })

const hour = 60 * 60 * 1000

/** What carries a signed access, and for how many milliseconds: neither counts in the place of the other. */
const carriers = {
  /** One visit lets a browser see drafts. */
  cookie: { validFor: 12 * hour, mark: 'editor-draft' },
  /** An address that stands for the secret may be shown, and lie about. */
  link: { validFor: hour, mark: 'editor-draft-link' },
} as const
export type Carrier = keyof typeof carriers

interface Signing {
  readonly secret: string
  readonly now: Date
  /** A cookie without it. */
  readonly carrier?: Carrier
}

/** The signed cookie over https, and where there is none. */
export const accessCookieNames = ['__Host-editor_draft', 'editor_draft'] as const

/** Signs which draft a browser may see, and until when. */
export function signAccess(
  { siteId, session }: DraftAccess,
  { secret, now, carrier = 'cookie' }: Signing,
): string {
  const text = JSON.stringify({ siteId, session, until: now.getTime() + carriers[carrier].validFor })
  const claims = Buffer.from(text).toString('base64url')
  return `${claims}.${signatureOf(claims, secret, carrier)}`
}

/** What a signed access grants, and until when, in milliseconds since 1970. */
export type SignedAccess = v.InferOutput<typeof Claims>

/** Reads a signed access; `undefined` when it is forged, cut, out of date, or signed with another secret. */
export function readAccess(
  signed: string,
  { secret, now, carrier = 'cookie' }: Signing,
): SignedAccess | undefined {
  const [claims = '', signature = '', ...rest] = signed.split('.')
  if (rest.length > 0 || !safeEqual(signature, signatureOf(claims, secret, carrier))) return undefined
  const parsed = v.safeParse(Claims, parseClaims(claims))
  if (!parsed.success || parsed.output.until <= now.getTime()) return undefined
  return parsed.output
}

/** The values of a cookie in a `Cookie` header; there may be several, of other paths and other owners. */
export function cookieValues(header: string | undefined, name: string): readonly string[] {
  const start = `${name}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
}

function signatureOf(claims: string, secret: string, carrier: Carrier): string {
  return createHmac('sha256', secret).update(`${carriers[carrier].mark}\n${claims}`).digest('base64url')
}

function parseClaims(claims: string): unknown {
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown
  } catch {
    return undefined
  }
}
