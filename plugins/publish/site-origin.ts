import { withLoopbackTwin } from '../../kernel/index.ts'
import { siteOriginNotAllowed } from './refusals.ts'

export interface OriginList {
  /** The editor origins of this installation. */
  readonly listed: readonly string[]
  readonly production: boolean
}

/**
 * The site that a request names, as an origin; `undefined` when it names none.
 *
 * It must be among the configured origins. Outside production the address that the site registered will do too; in
 * production it will not, or anyone who can register a site could have the service call any address.
 * Refuses with 400 `site_origin_not_allowed`.
 */
export function readSiteOrigin(raw: string | undefined, registered: string | undefined, { listed, production }: OriginList): string | undefined {
  const wanted = raw?.trim()
  if (!wanted) return undefined
  const origin = originOf(wanted)
  const allowed = new Set([...listed, ...(production ? [] : [originOf(registered)])].flatMap((each) => (each === undefined ? [] : withLoopbackTwin(each))))
  if (origin === undefined || !allowed.has(origin)) throw siteOriginNotAllowed()
  return origin
}

/** The origin of the address that a site registered, where it may be called without being named. */
export function registeredOrigin(registered: string | undefined, { listed, production }: OriginList): string | undefined {
  const origin = originOf(registered)
  if (origin === undefined) return undefined
  return !production || listed.flatMap(withLoopbackTwin).includes(origin) ? origin : undefined
}

/** The origin of an http or https address without a login in it. */
function originOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return undefined
  return url.origin
}
