import type { OriginRules } from '../kernel/index.ts'
import { isLoopback } from '../plugins/auth/port.ts'
import type { Environment } from './env.ts'
import type { Settings } from './settings.ts'

/** The address of the service as browsers see it, for the port that it listens on. */
export const publicOriginOf = ({ publicOrigin }: Settings, port: number): string =>
  publicOrigin.value ?? `http://localhost:${port}`

/**
 * The rules about origins and hosts for a standalone server that listens on `port`.
 *
 * On a loopback address it answers only to its own names, so that no page can reach it through a DNS name of the page's
 * choice. On another address every name is accepted until some are configured: the operator names containers.
 */
export function toOriginRules(settings: Settings, port: number): OriginRules {
  const { origins, allowedHosts, host } = settings
  const isGuarded = isLoopback(host.value) || allowedHosts.value.length > 0
  const hosts = [new URL(publicOriginOf(settings, port)).hostname, ...allowedHosts.value]
  return { origins: origins.value, ...(isGuarded && { hosts }) }
}

/** The environment that plugins see: the settings in effect are in their variables, whatever set them. */
export function toEnvironment(env: Environment, { dataDir, origins, trustProxy }: Settings): Environment {
  return {
    ...env,
    ORCHESTRATOR_CORS_ORIGINS: origins.value.join(),
    TRUST_PROXY: trustProxy.value.join(),
    // Unset for the default: plugins treat a chosen folder differently.
    ...(dataDir.source !== 'default' && { ORCHESTRATOR_DATA_DIR: dataDir.value }),
  }
}

/** The same for the plugins of a standalone server that listens on `port`. */
export function toServerEnvironment(env: Environment, settings: Settings, port: number): Environment {
  return {
    ...toEnvironment(env, settings),
    HOST: settings.host.value,
    PORT: String(port),
    ORCHESTRATOR_PUBLIC_ORIGIN: publicOriginOf(settings, port),
    ORCHESTRATOR_ALLOWED_HOSTS: settings.allowedHosts.value.join(),
  }
}
