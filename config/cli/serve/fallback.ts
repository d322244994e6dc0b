import type { Fallback } from '../../../kernel/fallback.ts'
import { notFound, type MountedRoute } from '../../../kernel/index.ts'
import { version } from '../../../kernel/package-info.ts'

/** Answers the paths that the API does not have: the editor in a folder, else a redirect from the root to the API docs. */
export async function createFallback(editor: string | undefined, orchestratorUrl: string): Promise<(routes: readonly MountedRoute[]) => Fallback> {
  if (editor === undefined) return createFrontPage
  // Imported on demand: most services have no editor.
  const { createEditor } = await import('./editor/index.ts')
  return (routes) => createEditor({ root: editor, settings: { orchestratorUrl, version }, routes })
}

const docs = '/docs'

function createFrontPage(routes: readonly MountedRoute[]): Fallback {
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

/** True if a path is served. */
export const hasRoute = (routes: readonly MountedRoute[], path: string): boolean =>
  routes.some(({ spec, leftOut }) => spec.path === path && leftOut === undefined)
