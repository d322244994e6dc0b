import type { Environment } from './env.ts'
import { hint } from './nearest.ts'
import type { Resolved } from './resolve.ts'

/** Variables that the command line itself reads. */
const own = [
  'HOST',
  'NODE_ENV',
  'ORCHESTRATOR_ALLOWED_HOSTS',
  'ORCHESTRATOR_CORS_ORIGINS',
  'ORCHESTRATOR_DATA_DIR',
  'ORCHESTRATOR_LOG_LEVEL',
  'ORCHESTRATOR_PUBLIC_ORIGIN',
  'PORT',
  'TRUST_PROXY',
]

/** Named like ours, and read by sites and tools that may share our environment. */
const ofOthers = ['ORCHESTRATOR_URL']

/** The names of all variables that the command line and the loaded plugins read, sorted. */
export function knownVariables(plugins: readonly Resolved[]): readonly string[] {
  const ofPlugins = plugins.flatMap(({ plugin: { env } }) =>
    'entries' in env ? Object.keys(env.entries ?? {}) : [],
  )
  return [...new Set([...own, ...ofPlugins])].toSorted()
}

/** Variables that are named like ours and that nothing reads: most likely mistyped. */
export function unreadVariables(env: Environment, known: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('ORCHESTRATOR_') && !known.includes(name) && !ofOthers.includes(name))
    .map((name) => `${name}${hint(name, known)}`)
}
