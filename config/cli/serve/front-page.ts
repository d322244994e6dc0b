import type { Fallback } from '../../../kernel/fallback.ts'
import { notFound, type MountedRoute } from '../../../kernel/index.ts'

const docs = '/docs'

/** Makes what leads a browser from the root of a service without an editor to the API docs, where they are served. */
export function createFrontPage(routes: readonly MountedRoute[]): Fallback {
  const hasDocs = hasRoute(routes, docs)
  return {
    takes: (path) => hasDocs && path === '/',
    async answer({ method, search }) {
      if (method !== 'GET' && method !== 'HEAD') throw notFound()
      // Relative, for a proxy that adds a prefix. The query may hold the token that the docs ask for.
      const location = `.${docs}${search === '' ? '' : `?${search}`}`
      return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: new Uint8Array() }
    },
  }
}

/** True where a path is served. */
export const hasRoute = (routes: readonly MountedRoute[], path: string): boolean =>
  routes.some(({ spec, leftOut }) => spec.path === path && leftOut === undefined)
