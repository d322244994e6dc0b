/** The addresses of pages on the origin of their site: the only place where an origin and a slug are put together. */

/** What a browser leaves out or reads as another host, and a scheme. */
const notPath = /\p{Cc}|^\s|^[^?#]*\\|^[^/?#]*:/u
/** A path that another program may read as a host: `//host`, also encoded. */
const likeHost = /^\/(\/|%2f|%5c)/i

/**
 * Returns the address of a path on the origin of a site, with the query and the fragment of the path.
 *
 * Returns `undefined` for anything but a path, such as another address or what a browser would read as one, and where
 * the site has no address with an origin.
 */
export function addressOn(site: string | undefined, path: string): URL | undefined {
  const origin = URL.parse(site ?? '')?.origin
  const url = notPath.test(path) ? null : URL.parse(path.startsWith('/') ? path : `/${path}`, origin)
  return url && url.origin === origin && !likeHost.test(url.pathname) ? url : undefined
}

/** Returns the address of a page of a site; like `addressOn`, but a slug has neither a query nor a fragment. */
export const pageAddress = (site: string | undefined, slug: string): URL | undefined =>
  addressOn(site, slug.replace(/[?#]/g, encodeURIComponent))
