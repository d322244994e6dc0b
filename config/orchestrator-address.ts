import type { Environment } from './env.ts'

/** Where a site reaches its orchestrator. */
export function orchestratorAddress(env: Environment): string {
  return env['ORCHESTRATOR_URL'] ?? 'http://localhost:4200'
}

/** Where browsers reach it. */
export function publicOrchestratorAddress(env: Environment): string {
  return env['ORCHESTRATOR_PUBLIC_ORIGIN'] ?? orchestratorAddress(env)
}
