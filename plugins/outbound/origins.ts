import { withLoopbackTwin } from '../../kernel/index.ts'

/** The origin of an http or https address; `undefined` for anything else, and for an address with a login. */
export function toOrigin(address: string | URL): string | undefined {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  return url.username === '' && url.password === '' ? url.origin : undefined
}

/** Collects origins to compare with, the loopback address under both names. What is no origin is left out. */
export function toOriginSet(addresses: readonly string[]): ReadonlySet<string> {
  const origins = addresses.map(toOrigin).filter((origin) => origin !== undefined)
  return new Set(origins.flatMap(withLoopbackTwin))
}

/**
 * Says whether a request may name this origin as the site to publish to or to compare with.
 *
 * It must be among the configured editor origins. Outside production the address that the site registered
 * will do too; in production it will not, or whoever can register a site could have the server call anything.
 */
export function isAllowedSiteOrigin(address: string, { production, corsOrigins, registered }: {
  readonly production: boolean
  readonly corsOrigins: readonly string[]
  readonly registered?: string | undefined
}): boolean {
  const origin = toOrigin(address)
  const accepted = production || registered === undefined ? corsOrigins : [...corsOrigins, registered]
  return origin !== undefined && toOriginSet(accepted).has(origin)
}
