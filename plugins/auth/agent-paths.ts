import { notFound, type Gate, type Policy } from '../../kernel/index.ts'

/** True for every path of the agent surface, whether or not there is a route. */
export const isAgentPath = (path: string): boolean => /^\/(?:sites-)?agent(?:\/|$)/.test(path)

/**
 * Answers 404 to every path of the agent surface while that is left out.
 *
 * A mount answers 405 to other unknown paths, which would reveal that these are not its own.
 */
export function hideAgentPaths(gate: Gate): Policy {
  const isHidden = !gate.mounting().mount
  return {
    on: () => undefined,
    unknown: ({ path }) => (isHidden && isAgentPath(path) ? notFound() : undefined),
  }
}
