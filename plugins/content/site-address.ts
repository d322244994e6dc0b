/** How addresses that come from outside are written: those in content, in requests, and of other sites. */

/** The origin of a path whose site does not matter. */
const anySite = 'http://site.invalid'

/**
 * Returns an address as a header and a file of redirects can have it: percent-encoded, and without the characters that
 * browsers ignore, such as line ends. What is encoded stays as it is.
 */
export function encodedAddress(address: string): string {
  const url = URL.parse(address, anySite)
  if (!url) return encodeURI(address.toWellFormed())
  return url.origin === anySite ? url.pathname + url.search + url.hash : url.href
}

/** Returns the header that leads a visitor to an address; the only place where the product writes it. */
export const locationHeader = (address: string): { readonly location: string } => ({
  location: encodedAddress(address),
})
