/**
 * How addresses that come from outside are written, compared and resolved: in content, in requests, and of
 * other sites.
 */
import { pageAddress } from './page-address.ts'
import { comparableSlug } from './slugs.ts'

/** The origin of a path whose site does not matter. */
const anySite = 'http://site.invalid'

/**
 * Returns an address as a header and a file of redirects can have it: percent-encoded, and without the
 * characters that browsers ignore, such as line ends. What is encoded stays as it is.
 */
export function encodedAddress(address: string): string {
  const url = URL.parse(address, anySite)
  if (!url) return encodeURI(address.toWellFormed())
  return url.origin === anySite ? fromPath(url) : url.href
}

const fromPath = ({ pathname, search, hash }: URL): string => pathname + search + hash

/**
 * Whether two addresses are one in any spelling of their host, port and path, such as a slash at the end.
 * A query and a fragment do not count; a path and an address with a host are two.
 */
export const sameAddress = (one: string, other: string): boolean => comparable(one) === comparable(other)

function comparable(address: string): string {
  const url = URL.parse(address, anySite)
  if (!url?.host || url.username !== '' || url.password !== '') return address
  return (url.origin === anySite ? '' : url.origin) + comparableSlug(url.pathname)
}

/** Returns the header that leads a visitor to an address; the only place where the product writes it. */
export const locationHeader = (address: string): { readonly location: string } => ({
  location: encodedAddress(address),
})

/** The hosts of a site, at which links lead to its own pages. */
export type Hosts = ReadonlySet<string>

/** Returns the hosts of a site, for `ownLink`; http and https are one. */
export const hostsOf = (addresses: Iterable<string>): Hosts =>
  new Set([...addresses].flatMap((address) => URL.parse(address)?.host ?? []))

/** A link of a page to its own site. */
export interface OwnLink {
  /** The scheme and the host, as they are written; empty for a path. */
  readonly before: string
  /** The path, with query and fragment. */
  readonly address: string
}

/** The page on which a link is, and the hosts of its site; without them, only paths lead to it. */
export interface LinkBase {
  readonly slug: string
  readonly hosts: Hosts | undefined
}

/**
 * Returns what a link addresses on its own site; `undefined` for other sites, parts of the page itself, and
 * texts that are not an address, such as a placeholder.
 */
export function ownLink(target: string, { slug, hosts }: LinkBase): OwnLink | undefined {
  const before = /^(?:https?:)?\/\/[^/?#\\]*/i.exec(target)?.[0]
  if (before !== undefined) {
    const rest = target.slice(before.length)
    const isOwn = hosts?.has(URL.parse(before, anySite)?.host ?? '') === true
    return isOwn ? { before, address: rest.startsWith('/') ? rest : `/${rest}` } : undefined
  }
  if (target.startsWith('/')) return { before: '', address: target }
  const url = isRelative(target) ? URL.parse(target, pageAddress(anySite, slug)) : null
  return url ? { before: '', address: fromPath(url) } : undefined
}

/** Whether a link is relative to the address of its page, such as `prices` and `../about#team`. */
export const isRelative = (target: string): boolean => relative.test(target) && !isSchemeless(target)
const relative = /^(?!\/)[\p{L}\p{M}\p{N}\-._~%/]+(?:[?#]\S*)?$/u

/**
 * Whether a link lacks the scheme of another website: `www.` or a host before a slash. Browsers take it for
 * a path.
 */
export const isSchemeless = (target: string): boolean => schemeless.test(target)
const schemeless = /^(?:www\.[\w-]+\.[\w.-]*\w|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?=\/))(?:[/?#].*)?$/i

/** Whether a path is that of a file, such as a PDF, rather than of a page. */
export const isFilePath = (path: string): boolean => /\.[a-z0-9]{1,8}$/i.test(path)
