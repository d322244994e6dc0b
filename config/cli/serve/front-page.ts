import type { Fallback } from '../../../kernel/fallback.ts'
import { notFound, type MountedRoute } from '../../../kernel/index.ts'
import { hasRoute } from './announce.ts'

/** Redirects the root: browsers to the studio, every other client to the API docs. */
export const createFrontPage = (routes: readonly MountedRoute[]): Fallback => ({
  takes: (path) => path === '/' && (hasRoute(routes, '/studio') || hasRoute(routes, '/docs')),
  async answer({ method, search, header }) {
    if (method !== 'GET' && method !== 'HEAD') throw notFound()
    const isBrowser = header('accept')?.includes('text/html') === true
    const page = hasRoute(routes, '/studio') && (isBrowser || !hasRoute(routes, '/docs')) ? 'studio' : 'docs'
    // Relative, for proxies that add a prefix. The query may contain the token for the docs.
    const location = search === '' ? `./${page}` : `./${page}?${search}`
    const headers = { 'cache-control': 'no-store', vary: 'Accept, Origin', location }
    return { status: 302, headers, body: new Uint8Array() }
  },
})
