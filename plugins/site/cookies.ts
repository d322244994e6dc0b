import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'

/** The draft that a browser was let into. */
export interface DraftAccess {
  readonly siteId: string
  readonly session: string
}

const Claims = v.object({ siteId: v.string(), session: v.string(), until: v.number() })

/** Milliseconds for which one visit lets a browser see drafts. */
const validFor = 12 * 60 * 60 * 1000

export const signedCookieNames = ['__Host-editor_draft', 'editor_draft'] as const

/** Signs which draft a browser may see, and until when. */
export function signAccess({ siteId, session }: DraftAccess, { secret, now }: { readonly secret: string; readonly now: Date }): string {
  const claims = Buffer.from(JSON.stringify({ siteId, session, until: now.getTime() + validFor })).toString('base64url')
  return `${claims}.${signatureOf(claims, secret)}`
}

/** Reads a signed cookie; `undefined` when it is forged, cut, out of date, or signed with another secret. */
export function readAccess(cookie: string, { secret, now }: { readonly secret: string; readonly now: Date }): DraftAccess | undefined {
  const [claims = '', signature = '', ...rest] = cookie.split('.')
  if (rest.length > 0 || !isSame(signature, signatureOf(claims, secret))) return undefined
  const parsed = v.safeParse(Claims, parseClaims(claims))
  return parsed.success && parsed.output.until > now.getTime() ? { siteId: parsed.output.siteId, session: parsed.output.session } : undefined
}

/** The value of a cookie in a `Cookie` header; the first one of that name. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

function signatureOf(claims: string, secret: string): string {
  return createHmac('sha256', secret).update(`editor-draft\n${claims}`).digest('base64url')
}

/** Compares a text with a secret; digests of one length are compared, so the time tells nothing. */
export function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
}

function parseClaims(claims: string): unknown {
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown
  } catch {
    return undefined
  }
}
