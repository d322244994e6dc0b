import { BootError, type Mount } from '../kernel/index.ts'

/**
 * Lets a mount answer below a path of the website, such as `/api/orchestrator`.
 *
 * A path that does not begin with it is taken as it is, because some frameworks take the prefix off themselves.
 * Refuses, as a BootError, a base that does not begin with a slash.
 */
export function withBasePath(mounted: Mount, basePath: string): Mount {
  if (!basePath.startsWith('/')) throw new BootError([`basePath '${basePath}' does not begin with a slash`])
  const base = basePath.replace(/\/+$/, '')
  const strip = (path: string): string => (path.startsWith(`${base}/`) ? path.slice(base.length) : path)
  return {
    ...mounted,
    node(request, response, next) {
      request.url = strip(request.url ?? '/')
      return mounted.node(request, response, next)
    },
    fetch(request) {
      const url = new URL(request.url)
      const path = strip(url.pathname)
      if (path === url.pathname) return mounted.fetch(request)
      url.pathname = path
      return mounted.fetch(new Request(url, request))
    },
  }
}
