import { withLoopbackTwin } from '../../kernel/index.ts'

/** The origin of an http or https address; `undefined` for anything else, and for an address with a login. */
export function toOrigin(address: string | URL): string | undefined {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  return url.username === '' && url.password === '' ? url.origin : undefined
}

/** Collects origins to compare with, the loopback address under both names. What is not an origin is left out. */
export function toOriginSet(addresses: readonly string[]): ReadonlySet<string> {
  const origins = addresses.map(toOrigin).filter((origin) => origin !== undefined)
  return new Set(origins.flatMap(withLoopbackTwin))
}
