const base = 'http://site.invalid'

/** A path on this site, or its home page: whatever a browser would read as another host stays here. */
export function safeRedirect(wanted: string | undefined): string {
  const url = wanted?.startsWith('/') ? URL.parse(wanted, base) : null
  if (!url || url.origin !== base) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  return /^\/(?![/\\])/.test(path) ? path : '/'
}
