import type { MountedRoute } from '../../kernel/index.ts'
import { isAgentPath } from '../../plugins/auth/agent-paths.ts'

/**
 * Makes the question whether a path is the API's: it begins with the first segment of a route, also
 * of one that is left out, or belongs to the agent surface.
 *
 * A route that begins with a parameter has the paths that it fits and no others, or it would have them all.
 */
export function createOwnedPaths(routes: readonly MountedRoute[]): (path: string) => boolean {
  const patterns = routes.map(({ spec }) => segmentsOf(spec.path))
  const plain = new Set(patterns.map(([first = '']) => first).filter((first) => !isParameter(first)))
  const open = patterns.filter(([first = '']) => isParameter(first))
  return (path) => {
    const segments = segmentsOf(path)
    return plain.has(segments[0] ?? '') || isAgentPath(path) || open.some((pattern) => fits(pattern, segments))
  }
}

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)
const isParameter = (segment: string): boolean => segment.startsWith(':')

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((each, at) => (isParameter(each) ? segments[at] !== '' : each === segments[at]))
  )
}
