import * as v from 'valibot'
import { gateMode, type GateMode } from '../../../plugins/auth/mode.ts'
import { authHook } from '../../../plugins/auth/port.ts'
import { AuthOptions } from '../../../plugins/auth/schemas.ts'
import type { OrchestratorConfig } from '../../define-config.ts'
import type { Environment } from '../../env.ts'
import type { Resolved } from '../../resolve.ts'

const Options = v.fallback(AuthOptions, v.parse(AuthOptions, {}))

export interface GateFacts {
  readonly shape: OrchestratorConfig['shape']
  readonly env: Environment
  readonly plugins: readonly Resolved[]
}

/** How the access gate will decide; `undefined` for a server of its own that asks callers of agents alone. */
export function gateModeOf({ shape, env, plugins }: GateFacts, production: boolean): GateMode | undefined {
  const { options } = plugins.find(({ isBuiltin, entry }) => isBuiltin && entry === 'auth') ?? {}
  if (shape === 'standalone' && (env['ORCHESTRATOR_GATE'] ?? v.parse(Options, options).access) !== 'all') return undefined
  return gateMode({
    hook: plugins.some(({ plugin }) => Object.values(plugin.gives).some(({ id }) => id === authHook.id)),
    hash: env['ACCESS_PASSWORD_HASH'] !== undefined,
    token: env['ORCHESTRATOR_ACCESS_TOKEN'] !== undefined,
    production,
  })
}
