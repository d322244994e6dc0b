type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What a call needs. Whatever else a library would tell about this machine stays here. */
const sentHeaders: ReadonlySet<string> = new Set([
  'accept', 'anthropic-beta', 'anthropic-version', 'authorization', 'content-type', 'x-api-key',
])

/**
 * Makes a fetch that reaches addresses below one base and nothing else.
 *
 * Redirects are not followed: the request carries the key, which is meant for the base alone.
 */
export function confinedFetch(base: string): Fetch {
  const { origin, pathname } = new URL(base)
  const below = pathname.endsWith('/') ? pathname : `${pathname}/`
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin || !url.pathname.startsWith(below)) {
      throw new Error('a call of the model may go to its base address only')
    }
    const headers = [...new Headers(init.headers)].filter(([name]) => sentHeaders.has(name))
    return fetch(url, { ...init, headers: [...headers, ['user-agent', 'content-orchestrator']], redirect: 'manual' })
  }
}
