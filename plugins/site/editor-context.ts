/** What an editor puts into the query of a page that it shows. None of it authorises anything but the secret. */
const names = ['session', 'siteId', 'editorOrigin', '__editor', 'secret']

/** The query of an address, or of what is known of it. */
export function queryOf(address: string): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(address)?.[1])
}

export function hasContext(query: URLSearchParams): boolean {
  return names.some((name) => query.has(name))
}

/** A path as a visitor without an editor has it; other parameters stay. */
export function withoutContext(path: string): string {
  const query = queryOf(path)
  if (!hasContext(query)) return path
  for (const name of names) query.delete(name)
  const [, page = '/', anchor = ''] = /^([^?#]*)[^#]*(.*)$/.exec(path) ?? []
  return `${page}${query.size > 0 ? `?${query}` : ''}${anchor}`
}
