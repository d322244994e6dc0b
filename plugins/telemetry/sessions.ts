import type { DraftId, Scope } from '../scope/port.ts'

/** Which sessions somebody wants to see; all of them where nothing is said. */
export interface Wanted {
  /** A session as a client names it, or the whole key that rows have: `dev`, `demo::dev`. */
  readonly session?: string | undefined
  readonly siteId?: string | undefined
}

/**
 * Tells rows of the wanted sessions by their keys. A session without a site is meant on every site.
 *
 * Beside a site, refuses with 400 `invalid_request` what is no session of it, as every other route does.
 */
export function ofSessions({ session: raw = '', siteId }: Wanted, scope: Scope): (row: { readonly session: string }) => boolean {
  const session = raw.trim()
  if (siteId === undefined) return ({ session: key }) => session === '' || session === key || session === idOf(key, scope).session
  const wanted = scope.draft({ siteId, session })
  return ({ session: key }) => (session === '' ? idOf(key, scope).siteId === wanted.siteId : key === scope.key(wanted))
}

/** Which draft has this key. */
function idOf(key: string, { defaultSiteId }: Scope): DraftId {
  const [first = '', second] = key.split('::')
  return second === undefined ? { siteId: defaultSiteId, session: first } : { siteId: first, session: second }
}
