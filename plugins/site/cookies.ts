import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { safeEqual } from '../../kernel/index.ts'

/** The draft that a browser was let into. */
export interface DraftAccess {
  readonly siteId: string
  readonly session: string
}

const Claims = v.object({ siteId: v.string(), session: v.string(), until: v.number() })

/** Milliseconds for which one visit lets a browser see drafts. */
const validFor = 12 * 60 * 60 * 1000

/** The signed cookie over https, and where there is none. */
export const accessCookieNames = ['__Host-editor_draft', 'editor_draft'] as const

/** Signs which draft a browser may see, and until when. */
export function signAccess(
  { siteId, session }: DraftAccess,
  { secret, now }: { readonly secret: string; readonly now: Date },
): string {
  const text = JSON.stringify({ siteId, session, until: now.getTime() + validFor })
  const claims = Buffer.from(text).toString('base64url')
  return `${claims}.${signatureOf(claims, secret)}`
}

/** What a signed cookie grants, and until when, in milliseconds since 1970. */
export type SignedAccess = v.InferOutput<typeof Claims>

/** Reads a signed cookie; `undefined` when it is forged, cut, out of date, or signed with another secret. */
export function readAccess(
  cookie: string,
  { secret, now }: { readonly secret: string; readonly now: Date },
): SignedAccess | undefined {
  const [claims = '', signature = '', ...rest] = cookie.split('.')
  if (rest.length > 0 || !safeEqual(signature, signatureOf(claims, secret))) return undefined
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

function signatureOf(claims: string, secret: string): string {
  return createHmac('sha256', secret).update(`editor-draft\n${claims}`).digest('base64url')
}

function parseClaims(claims: string): unknown {
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown
  } catch {
    return undefined
  }
}
