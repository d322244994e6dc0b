import type { OriginRules } from '../kernel/index.ts'
import { isLoopback } from '../plugins/auth/loopback.ts'
import type { Environment } from './env.ts'
import type { Settings } from './settings.ts'

/** The address of the service as browsers see it, once it is known which port it listens on. */
export function publicOriginOf({ publicOrigin }: Settings, port: number): string {
  return publicOrigin.value ?? `http://localhost:${port}`
}

/**
 * The rules about origins and hosts for a server of its own that listens on `port`.
 *
 * A server that only this machine reaches answers to its own names alone, so that no page can reach it
 * through a name of the page's choice. On another address every name passes while none is configured, because
 * containers are addressed by names of the operator's choice.
 */
export function toOriginRules(settings: Settings, port: number): OriginRules {
  const { origins, allowedHosts, host } = settings
  const isGuarded = isLoopback(host.value) || allowedHosts.value.length > 0
  const hosts = [new URL(publicOriginOf(settings, port)).hostname, ...allowedHosts.value]
  return { origins: origins.value, ...(isGuarded && { hosts }) }
}

/** The environment that plugins see: the settings in effect stand in their variables, whatever set them. */
export function toEnvironment(env: Environment, { dataDir, origins, trustProxy }: Settings): Environment {
  return {
    ...env,
    ORCHESTRATOR_CORS_ORIGINS: origins.value.join(),
    TRUST_PROXY: trustProxy.value.join(),
    // Left unset unless somebody chose it: plugins tell a chosen folder from the usual one.
    ...(dataDir.source !== 'default' && { ORCHESTRATOR_DATA_DIR: dataDir.value }),
  }
}

/** The same for the plugins of a server of its own that listens on `port`. */
export function toServerEnvironment(env: Environment, settings: Settings, port: number): Environment {
  const { host, allowedHosts } = settings
  return {
    ...toEnvironment(env, settings),
    HOST: host.value,
    PORT: String(port),
    ORCHESTRATOR_PUBLIC_ORIGIN: publicOriginOf(settings, port),
    ORCHESTRATOR_ALLOWED_HOSTS: allowedHosts.value.join(),
  }
}
