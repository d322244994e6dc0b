import { isLoopback } from '../../auth/port.ts'
import { isPlaceholder } from '../../content/fields.ts'

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])
const fileSchemes = new Set(['http', 'https'])

/** Returns a link that runs no script: http(s), mailto, tel, relative or `#`; any other value becomes `#`. */
export function safeLink(value: unknown): string {
  return cleaned(value, linkSchemes) ?? '#'
}

/** Returns the address of an image or film, http(s) or relative; `undefined` for none or any other. */
export function safeFile(value: unknown): string | undefined {
  return isPlaceholder(value) ? undefined : cleaned(value, fileSchemes)
}

/** Returns the address of a page of this site; never leads to another host, however the slug begins. */
export function pageLink(slug: string): string {
  return `/${slug.replace(/^[/\\\s]+/, '')}`
}

/** Returns an absolute http(s) address, the only kind allowed in a frame, in its normalised spelling. */
export function safeFrame(value: unknown): string | undefined {
  const url = cleaned(value, fileSchemes)
  return url === undefined ? undefined : URL.parse(url)?.href
}

/**
 * Creates the test whether an address may be of an origin of ours, by host: cookies are shared across ports.
 * Loopback addresses always may, and every address if `origins` are unknown or one of them is invalid.
 */
export function createIsOwn(origins: readonly string[] | undefined): (address: string) => boolean {
  const hosts = new Set(origins ? origins.map(hostOf) : [undefined])
  return (address) => {
    const host = hostOf(address)
    return (
      host === undefined ||
      hosts.has(undefined) ||
      hosts.has(host) ||
      isLoopback(host) ||
      host.endsWith('.localhost')
    )
  }
}

const hostOf = (address: string): string | undefined =>
  URL.parse(address)
    ?.hostname.replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

function cleaned(value: unknown, schemes: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = value.trim()
  // Everything before the colon must be on the list, because a browser would run `java\nscript:` too.
  const scheme = /^([^/?#:]*):/.exec(url)?.[1]
  return url === '' || (scheme !== undefined && !schemes.has(scheme.toLowerCase())) ? undefined : url
}
