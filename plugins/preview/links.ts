import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { gate, queryValue, safeEqual, type Caller, type Clock, type Gate } from '../../kernel/index.ts'
import type { Signers } from '../auth/port.ts'
import type { DraftId } from '../scope/port.ts'
import { Shown } from './schemas.ts'

const lifetimeMs = 60 * 60 * 1000

const Claims = v.object({
  siteId: v.string(),
  session: v.string(),
  slug: v.string(),
  shown: Shown,
  framed: v.optional(v.boolean()),
  by: v.optional(v.string()),
  until: v.number(),
})
/**
 * The content of a link: the view, whether it is in a comparison, the name of the token that asked for it, and its
 * expiry in epoch milliseconds.
 */
export type Claims = v.InferOutput<typeof Claims>

export type Links = ReturnType<typeof createLinks>

/** Creates links that show one page of one draft for an hour, signed with a secret of this installation. */
export function createLinks({
  secret,
  clock,
  signers,
}: {
  readonly secret: string
  readonly clock: Clock
  readonly signers: Signers
}) {
  const signatureOf = (claims: string): string =>
    createHmac('sha256', secret).update(`preview-link\n${claims}`).digest('base64url')
  return {
    /** Returns the claims of a link that a caller creates now; it ends with the access of the caller. */
    claim: ({ siteId, session }: DraftId, slug: string, shown: Shown, caller: Caller): Claims => ({
      siteId,
      session,
      slug,
      shown,
      by: signers.nameOf(caller),
      until: Math.min(clock.now().getTime() + lifetimeMs, caller.until ?? Infinity),
    }),
    sign(claims: Claims): string {
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${text}.${signatureOf(text)}`
    },
    /** Returns the claims of a link, or why it is not valid. */
    async read(link: string): Promise<Claims | 'altered' | 'expired'> {
      const [text = '', signature = '', ...rest] = link.split('.')
      if (rest.length > 0 || !safeEqual(signature, signatureOf(text))) return 'altered'
      // A link of another version of this service may have unknown claims.
      const { success, output } = v.safeParse(Claims, JSON.parse(Buffer.from(text, 'base64url').toString()))
      if (!success || output.until <= clock.now().getTime()) return 'expired'
      return output.by === undefined || (await signers.isLive(output.by)) ? output : 'expired'
    },
  }
}

/** The gate of signed links, which need no token. */
export const linkGate = gate('preview-link')

/** Admits requests with a link, which the handler verifies; otherwise works like the access gate. */
export function createLinkGate(access: Gate): Gate {
  return {
    mounting: () => access.mounting(),
    admit: (request, route) =>
      queryValue(request.search, 'link')
        ? { admit: true, caller: { via: 'anyone' } }
        : access.admit(request, route),
  }
}
