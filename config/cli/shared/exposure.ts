/** Determines the exposure of an installation, for warnings and the doctor. */
import { gates, type MountedRoute } from '../../../kernel/index.ts'
import { gateMode, type GateMode } from '../../../plugins/auth/index.ts'
import { authHook } from '../../../plugins/auth/port.ts'
import type { Assembly } from '../../assemble.ts'
import type { OrchestratorConfig } from '../../define-config.ts'
import type { Environment } from '../../env.ts'
import type { Resolved } from '../../resolve.ts'
import type { Settings } from '../../settings.ts'
import { isLocal } from '../../values.ts'

export type GateFacts = Pick<Assembly, 'env' | 'plugins'> &
  Pick<OrchestratorConfig, 'shape'> & {
    /** True if the website passes a hook that decides who may use the mount. */
    readonly hasHook?: boolean
  }

/** Returns the mode of the access gate; `undefined` if a server protects only the agent surface. */
export function gateModeOf(
  { shape, env, plugins, hasHook = false }: GateFacts,
  production: boolean,
): GateMode | undefined {
  if (shape === 'standalone' && env['ORCHESTRATOR_GATE'] !== 'all') return undefined
  return gateMode({
    hook:
      hasHook ||
      plugins.some(({ plugin }) => Object.values(plugin.gives).some(({ id }) => id === authHook.id)),
    hash: env['ACCESS_PASSWORD_HASH'] !== undefined,
    token: env['ORCHESTRATOR_ACCESS_TOKEN'] !== undefined,
    production,
  })
}

/** The setting by which others reach a server that listens on this machine only; `undefined` if none says so. */
export const reachedBy = ({ publicOrigin, trustProxy }: Settings): string | undefined =>
  publicOrigin.value !== undefined && !isLocal(publicOrigin.value)
    ? 'ORCHESTRATOR_PUBLIC_ORIGIN'
    : trustProxy.value.length > 0
      ? 'TRUST_PROXY'
      : undefined

/** True if a password or a token is set. */
export const hasCredential = (env: Environment): boolean =>
  env['ACCESS_PASSWORD_HASH'] !== undefined || env['ORCHESTRATOR_ACCESS_TOKEN'] !== undefined

/** Returns the public routes of in-house plugins, as method and path. */
export function publicInHouseRoutes(
  plugins: readonly Resolved[],
  routes: readonly MountedRoute[],
): readonly string[] {
  const inHouse = new Set(plugins.filter(({ isBuiltin }) => !isBuiltin).map(({ plugin }) => plugin.name))
  return routes
    .filter(
      ({ plugin, spec, leftOut }) =>
        inHouse.has(plugin) && spec.gate.id === gates.public.id && leftOut === undefined,
    )
    .map(({ spec }) => `${spec.method} ${spec.path}`)
}

/** True if routes are mounted that show chat messages. */
export const showsMessages = (routes: readonly MountedRoute[]): boolean =>
  routes.some(({ plugin, leftOut }) => plugin === 'telemetry' && leftOut === undefined)
