import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { gate, queryValue, safeEqual, type Clock, type Gate } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import { Shown } from './schemas.ts'

const lifetime = 60 * 60 * 1000

const Claims = v.object({ siteId: v.string(), session: v.string(), slug: v.string(), shown: Shown, framed: v.optional(v.boolean()), until: v.number() })
/** What one link shows, whether beside another one that says what it is, and until when, in milliseconds since 1970. */
export type Claims = v.InferOutput<typeof Claims>

export type ReadLink = { readonly kind: 'valid'; readonly claims: Claims } | { readonly kind: 'altered' } | { readonly kind: 'expired' }

export interface Links {
  /** What a link that is made now claims. */
  claim(id: DraftId, slug: string, shown: Shown): Claims
  sign(claims: Claims): string
  read(link: string): ReadLink
}

/** Makes links that show one page of one draft, for an hour. They are signed as links into drafts of a site are, with a secret of this installation. */
export function createLinks({ secret, clock }: { readonly secret: string; readonly clock: Clock }): Links {
  const signatureOf = (claims: string): string => createHmac('sha256', secret).update(`preview-link\n${claims}`).digest('base64url')
  return {
    claim: ({ siteId, session }, slug, shown) => ({ siteId, session, slug, shown, until: clock.now().getTime() + lifetime }),
    sign(claims) {
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${text}.${signatureOf(text)}`
    },
    read(link) {
      const [text = '', signature = '', ...rest] = link.split('.')
      if (rest.length > 0 || !safeEqual(signature, signatureOf(text))) return { kind: 'altered' }
      // One of another version of this service may claim what this one does not know.
      const { success, output } = v.safeParse(Claims, JSON.parse(Buffer.from(text, 'base64url').toString()))
      return success && output.until > clock.now().getTime() ? { kind: 'valid', claims: output } : { kind: 'expired' }
    },
  }
}

/** The gate of links that open without a token. */
export const linkGate = gate('preview-link')

/** Admits a request that has a link, which is judged on the page that answers it; any other as the access gate does. */
export function createLinkGate(access: Gate): Gate {
  return {
    mounting: () => access.mounting(),
    admit: (request, route) => (queryValue(request.search, 'link') ? { admit: true, caller: { via: 'anyone' } } : access.admit(request, route)),
  }
}
