import { notFound, type Gate, type Policy } from '../../kernel/index.ts'

const agentPath = /^\/(?:sites-)?agent(?:\/|$)/

/**
 * Answers 404 to every path of the agent surface while that is left out.
 *
 * A mount answers 405 to other unknown paths, which would tell that these are none of its own.
 */
export function hideAgentPaths(gate: Gate): Policy {
  const isHidden = !gate.mounting().mount
  return {
    on: () => undefined,
    unknown: ({ path }) => (isHidden && agentPath.test(path) ? notFound() : undefined),
  }
}
