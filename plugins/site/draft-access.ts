import { safeEqual, systemClock, type Clock } from '../../kernel/index.ts'
import { defaultSession } from '../scope/port.ts'
import { accessCookieNames, cookieValues, readAccess, type DraftAccess, type SignedAccess } from './cookies.ts'

/** What a page knows of the request that it is rendered for. */
export interface DraftRequest {
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  /** The query without its question mark. */
  readonly search: string
  /** The `Host` header. */
  readonly host?: string | undefined
}

export interface DraftAccessOptions {
  /** Without it nobody sees a draft. */
  readonly secret: string | undefined
  /** The site itself: no request sees a draft of another one here. */
  readonly siteId?: string | undefined
  readonly clock?: Clock | undefined
}

/**
 * The draft that a request may see; `undefined` means that it sees what is published.
 *
 * Only the signed cookie or the secret itself authorises. Whatever else says that an editor is at work, such
 * as `__editor=1` in the address, authorises nothing. The site is the one that was signed, never one that the
 * address names beside a cookie; the session may be named, because the secret is one for all of a site.
 */
export function draftAccess(request: DraftRequest, options: DraftAccessOptions): DraftAccess | undefined {
  const granted = grantedAccess(request, options)
  return granted && { siteId: granted.siteId, session: granted.session }
}

/** The same with the time at which it ends, in milliseconds since 1970; the secret itself has none. */
export function grantedAccess(
  { cookie, search }: DraftRequest,
  { secret, siteId, clock = systemClock }: DraftAccessOptions,
): (DraftAccess & { readonly until?: number }) | undefined {
  if (secret === undefined) return undefined
  const query = new URLSearchParams(search)
  const session = query.get('session') || undefined
  const signed = signedAccess(cookie, { secret, siteId, now: clock.now() })
  if (signed) return { ...signed, session: session ?? signed.session }
  const given = query.get('secret')
  if (given === null || !safeEqual(given, secret)) return undefined
  return { siteId: siteId ?? query.get('siteId') ?? '', session: session ?? defaultSession }
}

/** Sites on one machine share their cookies, and often a secret: one for another site counts for nothing. */
function signedAccess(
  cookie: string | undefined,
  {
    siteId,
    ...options
  }: { readonly siteId: string | undefined; readonly secret: string; readonly now: Date },
): SignedAccess | undefined {
  return accessCookieNames
    .flatMap((name) => cookieValues(cookie, name))
    .map((value) => readAccess(value, options))
    .find((access) => access && (siteId === undefined || access.siteId === siteId))
}
