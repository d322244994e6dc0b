import * as v from 'valibot'
import type { Paint } from '../../../kernel/draw.ts'
import { BootError, type Logger, type MountedRoute } from '../../../kernel/index.ts'
import { isLoopback } from '../../../plugins/auth/port.ts'
import type { Assembly } from '../../assemble.ts'
import { isObject } from '../../values.ts'
import { variableNames, unreadVariables } from '../../variables.ts'
import { databaseOf } from '../shared/database.ts'
import {
  gateModeOf,
  hasCredential,
  publicInHouseRoutes,
  reachedBy,
  showsMessages,
} from '../shared/exposure.ts'

interface Started extends Pick<Assembly, 'settings' | 'env' | 'plugins'> {
  readonly port: number
  readonly routes: readonly MountedRoute[]
  readonly demoSite: string | undefined
  readonly hasEditor: boolean
}

/**
 * The addresses that `localhost` reaches: pages of one name share cookies, and sites are registered by this
 * one.
 */
const local = new Set(['0.0.0.0', '127.0.0.1', '::', '::1'])

/** Returns the address of a server for clients on the same machine. */
export function addressOf({
  settings: {
    host: { value },
  },
  port,
}: Pick<Started, 'settings' | 'port'>): string {
  const name = local.has(value) ? 'localhost' : value
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Returns addresses and locations for the terminal, one per line. */
export function banner(started: Started): readonly string[] {
  const { routes, demoSite, hasEditor } = started
  const address = addressOf(started)
  return [
    `Service    ${address}`,
    ...(hasEditor ? [`Editor     ${address}/`] : []),
    ...(demoSite === undefined ? [] : [`Demo site  ${demoSite}`, `Its draft  ${demoSite}/draft`]),
    ...(hasRoute(routes, '/studio') ? [`Studio     ${address}/studio`] : []),
    ...(hasRoute(routes, '/docs') ? [`API docs   ${address}/docs`] : []),
    `Data       ${databaseOf(started).place}`,
  ]
}

/** True if a page is served. */
export const hasRoute = (routes: readonly MountedRoute[], path: string): boolean =>
  routes.some(({ spec, leftOut }) => spec.path === path && leftOut === undefined)

/**
 * Refuses to start in production on an address that others reach, if nothing asks callers for a credential.
 */
export function refuseExposed({
  settings,
  env,
  plugins,
}: Pick<Started, 'settings' | 'env' | 'plugins'>): void {
  const host = settings.host.value
  const isProduction = settings.nodeEnv.value === 'production'
  const hasHook = gateModeOf({ shape: 'standalone', env, plugins }, isProduction) === 'hook'
  if (!isProduction || isLoopback(host) || hasHook || hasCredential(env)) return
  throw new BootError([
    `${host} is reachable from other machines, and this server has no credential: set ACCESS_PASSWORD_HASH or ` +
      'ORCHESTRATOR_ACCESS_TOKEN, and ORCHESTRATOR_GATE=all; --insecure starts without',
  ])
}

/** Logs settings that make a server unsafe if others can reach it. */
export function warnIfUnsafe(
  { settings, env, plugins, routes }: Started,
  isAnyHost: boolean,
  log: Logger,
): void {
  const host = settings.host.value
  const production = settings.nodeEnv.value === 'production'
  const mode = gateModeOf({ shape: 'standalone', env, plugins }, production)
  const isExposed = !isLoopback(host)
  if (isExposed && (mode === undefined ? !hasCredential(env) : mode === 'open-dev')) {
    log.warn(
      { host },
      'reachable from other machines without a credential: set ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN, and ' +
        'ORCHESTRATOR_GATE=all, without which most routes require neither',
    )
  }
  if (isExposed && !production)
    log.warn({ host }, 'reachable from other machines with the development rules: set NODE_ENV=production')
  if (isAnyHost)
    log.warn(
      { host },
      'answering to any host name: list the names of this service in ORCHESTRATOR_ALLOWED_HOSTS',
    )
  if (production && mode === undefined && showsMessages(routes)) {
    log.warn(
      'chat messages can be read below /telemetry without a token: set TELEMETRY_HTTP=off or ORCHESTRATOR_GATE=all',
    )
  }
  const by = reachedBy(settings)
  if (production && mode === undefined && by !== undefined)
    log.warn(
      `most routes require no token, although others reach this server as ${by} says: set ORCHESTRATOR_GATE=all`,
    )
  const unread = unreadVariables(env, variableNames(plugins))
  if (unread.length > 0) log.warn({ variables: unread }, 'unknown variables are ignored')
  const opened = publicInHouseRoutes(plugins, routes)
  if (opened.length > 0) log.warn({ routes: opened }, 'routes of in-house plugins are public')
}

const LogLine = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

const levels: Readonly<Record<number, readonly [label: string, style: Parameters<Paint>[0]]>> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'dim'],
  40: ['warning', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** Formats JSON log lines for a terminal: level, message, fields. Other lines stay unchanged. */
export function toTerminalLines(lines: string, paint: Paint): string {
  return lines.replace(/^\{.*\}$/gm, (line) => {
    const { success, output } = v.safeParse(LogLine, line)
    if (!success) return line
    const { level, time: _time, msg = '', err, ...rest } = output
    const [label, style] = levels[Number(level)] ?? ['log', 'dim']
    const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
    const fields = Object.entries(rest).map(([name, value]) => `${name}=${toText(value)}`)
    const trace = isObject(err) ? `\n${String(err['stack'] ?? err['message'] ?? '')}` : ''
    const parts = [paint(style, label), String(msg), paint('dim', fields.join(' '))]
    return parts.filter((part) => part !== '').join(' ') + trace
  })
}
