import { safeEqual, systemClock, type Clock, type GateRequest } from '../../../kernel/index.ts'
import type { DraftWatcher } from '../../auth/port.ts'
import { defaultSession } from '../../scope/port.ts'
import { accessCookieNames, readAccess, type DraftAccess } from './signature.ts'
import type { DraftRequest } from './visit.ts'

export interface DraftAccessOptions {
  /** Without a secret, no request sees a draft. */
  readonly secret: string | undefined
  /** The site itself; drafts of other sites are never shown here. */
  readonly siteId?: string | undefined
  readonly clock?: Clock | undefined
}

/**
 * Returns the draft that a request may see; `undefined` for the published pages.
 *
 * Only a signed cookie, a signed link or the secret itself authorises, never a hint such as `__editor=1` in the address.
 * The site is the signed one, never one in the address; the address may name the session, because all
 * sessions of a site share its secret.
 */
export function draftAccess(request: DraftRequest, options: DraftAccessOptions): DraftAccess | undefined {
  const granted = grantedAccess(request, options)
  if (!granted) return undefined
  const { siteId, session, by } = granted
  return { siteId, session, ...(by !== undefined && { by }) }
}

/** Whether the secret in the address admits a request, rather than a cookie: its links must carry it on. */
export const isAdmittedByAddress = (request: DraftRequest, options: DraftAccessOptions): boolean =>
  draftAccess({ ...request, search: '' }, options) === undefined

/** Like `draftAccess`, with the expiry in milliseconds since 1970; the secret itself does not expire. */
export function grantedAccess(
  { cookie = '', search }: DraftRequest,
  { secret, siteId, clock = systemClock }: DraftAccessOptions,
): (DraftAccess & { readonly until?: number }) | undefined {
  if (secret === undefined) return undefined
  const query = new URLSearchParams(search)
  const session = query.get('session') || undefined
  // Sites on one machine share their cookies, and often a secret: cookies for other sites are ignored.
  const cookies = cookie.split(';').map((pair) => pair.trim())
  const given = query.get('secret') ?? ''
  const now = clock.now()
  const inCookies = accessCookieNames
    .flatMap((name) => cookies.filter((pair) => pair.startsWith(`${name}=`)))
    .map((pair) => readAccess(pair.slice(pair.indexOf('=') + 1), { secret, now }))
  const signed = [...inCookies, readAccess(given, { secret, now, carrier: 'link' })].find(
    (access) => access && (siteId === undefined || access.siteId === siteId),
  )
  if (signed) return { ...signed, session: session ?? signed.session }
  if (!safeEqual(given, secret)) return undefined
  return { siteId: siteId ?? query.get('siteId') ?? '', session: session ?? defaultSession }
}

/** The paths of the live preview: changes of a draft, and pages. */
const watched = new Set(['/events', '/draft/pages'])

/**
 * Returns the caller of a request that watches a draft with the signed cookie of the site or its secret, with
 * the expiry; `undefined` for any other request.
 *
 * The draft must be named as the live preview names it; an ambiguous request is not admitted.
 */
export function watcherOf(
  { method, path, search, header }: Pick<GateRequest, 'method' | 'path' | 'search' | 'header'>,
  options: DraftAccessOptions,
): ReturnType<DraftWatcher> {
  if (method !== 'GET' || !watched.has(path)) return undefined
  const access = grantedAccess({ cookie: header('cookie'), search }, options)
  const [siteId = '', ...more] = new URLSearchParams(search).getAll('siteId')
  if (access?.siteId !== siteId || more.length > 0) return undefined
  const { until, by } = access
  return { via: 'draft-secret', ...(until !== undefined && { until }), ...(by !== undefined && { by }) }
}
