import type { Clock } from '../../kernel/index.ts'
import { cookieValue, isSame, readAccess, signAccess, signedCookieNames, type DraftAccess } from './cookies.ts'

/** What a page knows of the request that it is rendered for. */
export interface DraftRequest {
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  /** The query without its question mark. */
  readonly search: string
}

const sessionCookie = 'editor_draft_session'
const siteCookie = 'editor_draft_site_id'
const originCookie = 'editor_origin'

/**
 * The draft that a request may see; `undefined` means that it sees what is published.
 *
 * Only the signed cookie or the secret itself authorises. Whatever else says that an editor is at work, such as
 * `__editor=1` in the address, authorises nothing.
 */
export function draftAccess({ cookie, search }: DraftRequest, { secret, clock }: { readonly secret: string | undefined; readonly clock: Clock }): DraftAccess | undefined {
  if (secret === undefined) return undefined
  const query = new URLSearchParams(search)
  const named = { siteId: query.get('siteId'), session: query.get('session') }
  const signed = signedCookieNames.map((name) => cookieValue(cookie, name)).find((value) => value !== undefined)
  const access = signed === undefined ? undefined : readAccess(signed, { secret, now: clock.now() })
  if (access) return { siteId: access.siteId, session: named.session ?? access.session }
  const given = query.get('secret')
  return given !== null && isSame(given, secret) ? { siteId: named.siteId ?? '', session: named.session ?? 'dev' } : undefined
}

/** The cookies that let a browser see a draft; `secure` where the page is reached over https. */
export function accessCookies(access: DraftAccess, { secret, origin, secure, clock }: { readonly secret: string; readonly origin: string | undefined; readonly secure: boolean; readonly clock: Clock }): readonly string[] {
  const named = { [sessionCookie]: access.session, [siteCookie]: access.siteId, ...(origin !== undefined && { [originCookie]: origin }) }
  const signed = signAccess(access, { secret, now: clock.now() })
  return [...Object.entries(named).map(([name, value]) => `${name}=${encodeURIComponent(value)}; ${attributes(secure)}`), `${signedCookieNames[secure ? 0 : 1]}=${signed}; ${attributes(secure)}`]
}

/** The cookies that end it, each under both of its names. */
export function endedCookies(secure: boolean): readonly string[] {
  return [sessionCookie, siteCookie, originCookie, ...signedCookieNames].map((name) => `${name}=; Max-Age=0; ${attributes(secure || name.startsWith('__Host-'))}`)
}

/** An editor shows the page in a frame of another site, which needs SameSite=None, and that needs https. */
const attributes = (secure: boolean): string => (secure ? 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned' : 'Path=/; HttpOnly; SameSite=Lax')

/** A path on this site, or its home page: whatever a browser would read as another host stays here. */
export function safeRedirect(wanted: string | undefined): string {
  if (wanted === undefined || !wanted.startsWith('/')) return '/'
  const base = 'http://site.invalid'
  const url = URL.parse(wanted, base)
  if (!url || url.origin !== base) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  return /^\/(?![/\\])/.test(path) ? path : '/'
}
