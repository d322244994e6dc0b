import type { MountedRoute } from '../../../../kernel/index.ts'
import { isSpecial } from '../../../../kernel/reply.ts'
import { isAgentPath } from '../../../../plugins/auth/agent-paths.ts'

/** Which paths belong to the API. */
export interface OwnedPaths {
  /**
   * True for a path that begins with the first segment of a route, also of one that is left out, or that belongs to the
   * agent surface. A route that begins with a parameter owns only the paths that match it, or it would own them all.
   */
  isOwned(path: string): boolean
  /** True for a path that begins with the first segment of a route that shows a page. */
  hasPages(path: string): boolean
}

export function createOwnedPaths(routes: readonly MountedRoute[]): OwnedPaths {
  const patterns = routes.map(({ spec }) => segmentsOf(spec.path))
  const firsts = new Set(patterns.map(([first = '']) => first).filter((first) => !isParameter(first)))
  const open = patterns.filter(([first = '']) => isParameter(first))
  const withPages = new Set(routes.filter(showsPage).map(({ spec }) => segmentsOf(spec.path)[0]))
  return {
    isOwned(path) {
      const segments = segmentsOf(path)
      return firsts.has(segments[0] ?? '') || isAgentPath(path) || open.some((pattern) => matches(pattern, segments))
    },
    hasPages: (path) => withPages.has(segmentsOf(path)[0]),
  }
}

const showsPage = ({ spec: { replies } }: MountedRoute): boolean =>
  Object.values(replies).some((reply) => isSpecial(reply) && reply.reply === 'text' && reply.type.startsWith('text/html'))

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)
const isParameter = (segment: string): boolean => segment.startsWith(':')

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length && pattern.every((each, at) => (isParameter(each) ? segments[at] !== '' : each === segments[at]))
