import type { Fallback } from '../../../kernel/fallback.ts'
import { notFound, type MountedRoute } from '../../../kernel/index.ts'
import { hasDocs } from './announce.ts'

/** Redirects the root to the API docs. */
export const createFrontPage = (routes: readonly MountedRoute[]): Fallback => ({
  takes: (path) => path === '/' && hasDocs(routes),
  async answer({ method, search }) {
    if (method !== 'GET' && method !== 'HEAD') throw notFound()
    // Relative, for proxies that add a prefix. The query may contain the token for the docs.
    const location = search === '' ? './docs' : `./docs?${search}`
    return { status: 302, headers: { 'cache-control': 'no-store', location }, body: new Uint8Array() }
  },
})
