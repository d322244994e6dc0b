import { isLoopback } from '../../../auth/port.ts'
import { isPlaceholder } from '../../../content/fields.ts'

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])
const fileSchemes = new Set(['http', 'https'])

/** A link that runs no script: http(s), mailto, tel, relative or `#`; any other value becomes `#`. */
export function safeLink(value: unknown): string {
  return cleaned(value, linkSchemes) ?? '#'
}

/** The address of an image or film, http(s) or relative; `undefined` where none was chosen or it is another. */
export function safeFile(value: unknown): string | undefined {
  return isPlaceholder(value) ? undefined : cleaned(value, fileSchemes)
}

/** The address of a page of this site, which never leads to another host however its slug begins. */
export function pageLink(slug: string): string {
  return `/${slug.replace(/^[/\\\s]+/, '')}`
}

/** An absolute http(s) address, the only kind that may be shown in a frame, in the one spelling that leads to the same place from everywhere. */
export function safeFrame(value: unknown): string | undefined {
  const url = cleaned(value, fileSchemes)
  return url === undefined ? undefined : URL.parse(url)?.href
}

/**
 * Makes the test for absolute addresses that may be of an origin of ours, by host: cookies are shared across ports. Addresses
 * of the visitor's own machine always may, and every address may where `origins` are not known or one of them cannot be read.
 */
export function createIsOwn(origins: readonly string[] | undefined): (address: string) => boolean {
  const hosts = new Set(origins ? origins.map(hostOf) : [undefined])
  return (address) => {
    const host = hostOf(address)
    return host === undefined || hosts.has(undefined) || hosts.has(host) || isLoopback(host) || host.endsWith('.localhost')
  }
}

const hostOf = (address: string): string | undefined => URL.parse(address)?.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

function cleaned(value: unknown, schemes: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = value.trim()
  // All that stands before the colon has to be on the list, because a browser would run `java\nscript:` too.
  const scheme = /^([^/?#:]*):/.exec(url)?.[1]
  return url === '' || (scheme !== undefined && !schemes.has(scheme.toLowerCase())) ? undefined : url
}
