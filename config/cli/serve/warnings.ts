import { gates, type Logger, type MountedRoute } from '../../../kernel/index.ts'
import { isLoopback } from '../../../plugins/auth/loopback.ts'
import type { Environment } from '../../env.ts'
import { gateModeOf } from '../shared/gate-mode.ts'
import type { Resolved } from '../../resolve.ts'
import type { Settings } from '../../settings.ts'

/** True when one of the two credentials is set that open the gates which ask for one. */
export const hasCredential = (env: Environment): boolean =>
  env['ACCESS_PASSWORD_HASH'] !== undefined || env['ORCHESTRATOR_ACCESS_TOKEN'] !== undefined

/** The routes that in-house plugins opened to everyone, as method and path. */
export function openedByInHouse(
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

/** True where routes are there that show what people wrote in chat. */
export const showsMessages = (routes: readonly MountedRoute[]): boolean =>
  routes.some(({ plugin, leftOut }) => plugin === 'telemetry' && leftOut === undefined)

/** Logs what the operator of a server should know before somebody else finds out. */
export function warnAbout({
  settings,
  env,
  plugins,
  routes,
  isAnyHost,
  log,
}: {
  readonly settings: Settings
  readonly env: Environment
  readonly plugins: readonly Resolved[]
  readonly routes: readonly MountedRoute[]
  readonly isAnyHost: boolean
  readonly log: Logger
}): void {
  const host = settings.host.value
  const production = settings.nodeEnv.value === 'production'
  const mode = gateModeOf({ shape: 'standalone', env, plugins }, production)
  const isFar = !isLoopback(host)
  if (isFar && (mode === undefined ? !hasCredential(env) : mode === 'open-dev')) {
    log.warn(
      { host },
      'listening beyond this machine without a credential: set ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN, and ' +
        'ORCHESTRATOR_GATE=all, because most routes ask for neither without it',
    )
  }
  if (isFar && !production) {
    log.warn({ host }, 'listening beyond this machine under the rules for development: set NODE_ENV=production')
  }
  if (isAnyHost) {
    log.warn(
      { host },
      'answering to any host name: list the names of this service in ORCHESTRATOR_ALLOWED_HOSTS',
    )
  }
  if (production && mode === undefined && showsMessages(routes)) {
    log.warn('everyone who reaches this address can read messages of chat below /telemetry: set TELEMETRY_HTTP=off or ORCHESTRATOR_GATE=all')
  }
  const opened = openedByInHouse(plugins, routes)
  if (opened.length > 0) log.warn({ routes: opened }, 'in-house plugins opened routes to everyone')
}
