const editorRoute = /\/api\/editor\/./

/**
 * Returns the address of an editor route of a website in its other spelling: with a slash at the end of its path, or
 * without; `undefined` for other addresses. The development server of Astro knows one of them only, and answers 404
 * to the other (`trailingSlash`), where others redirect.
 */
export function otherSpelling({ href, pathname }: URL): URL | undefined {
  if (!editorRoute.test(pathname)) return undefined
  const other = new URL(href)
  other.pathname = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`
  return other
}
