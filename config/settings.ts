import { resolve } from 'node:path'
import * as v from 'valibot'
import { BootError, isProduction, type OriginRules } from '../kernel/index.ts'
import { productionProblems } from '../kernel/production.ts'
import { isLoopback } from '../plugins/auth/port.ts'
import type { OrchestratorConfig } from './define-config.ts'
import type { Environment } from './env.ts'
import { siteUrlVariable } from './public-prefix.ts'
import { siteUrlIn } from './site-environment.ts'
import { Folder, Host, HostNames, LogLevel, Origin, Origins, Port, Proxies, Seconds } from './values.ts'

/** An effective value with its source. */
export interface Setting<T> {
  readonly value: T
  readonly source: 'flag' | 'environment' | 'file' | 'default'
  /** The flag, variable or key that set it; for a default, the variable that would override it. */
  readonly by: string
}

export type SettingFlags = { readonly [F in 'host' | 'port' | 'data-dir' | 'log-level']?: string | undefined }

export interface SettingSources {
  readonly flags?: SettingFlags
  readonly env: Environment
  readonly config: OrchestratorConfig
  readonly cwd: string
  /** True if the output goes to a terminal: only warnings are logged unless another level is set. */
  readonly isTerminal?: boolean
}

/** The sources of a setting, a key of the file with its value as text. The first source that is set wins. */
interface Candidates<T> {
  readonly flag?: keyof SettingFlags
  readonly variable: string
  readonly file?: readonly [key: string, text: string | undefined]
  readonly otherwise: T
}

/** The effective settings of a standalone server. */
export type Settings = Readonly<ReturnType<typeof readSettings>>

/** Origins of the editor and the site on a developer's machine. */
const localOrigins = [3000, 4100].flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`])

/**
 * Resolves every setting; precedence: flag, variable, file, default.
 *
 * Throws a BootError that names every flag, variable and key with an invalid value, even an overridden one.
 */
export function readSettings({ flags = {}, env, config, cwd, isTerminal = false }: SettingSources) {
  const mistyped = productionProblems(env)
  const problems = [...mistyped]
  const read = <T>(
    schema: v.GenericSchema<string, T>,
    { flag, variable, file, otherwise }: Candidates<T>,
  ): Setting<T> => {
    const settings: Setting<T>[] = []
    const consider = (
      source: Setting<T>['source'],
      by: string,
      text: string | undefined,
      where = '',
    ): void => {
      if (text === undefined) return
      const { success, output, issues } = v.safeParse(schema, text.trim())
      if (success) settings.push({ value: output, source, by })
      else problems.push(`${by}${where}: ${issues[0].message}`)
    }
    if (flag) consider('flag', `--${flag}`, flags[flag])
    consider('environment', variable, env[variable])
    if (file) consider('file', ...file, ' of the configuration file')
    return settings[0] ?? { value: otherwise, source: 'default', by: variable }
  }
  const { listen, dataDir, logLevel, origins, allowedHosts, publicOrigin, trustProxy } = config
  const nodeEnv = env['NODE_ENV']
  const usualOrigins = mistyped.length > 0 || isProduction(env) ? [] : localOrigins
  /** Resolves a folder relative to the working directory if set by a flag or variable, else to the file. */
  const toPath = ({ value, source, by }: Setting<string>): Setting<string> => ({
    value: resolve(source === 'file' ? (config.base ?? cwd) : cwd, value),
    source,
    by,
  })

  const settings = {
    host: read(Host, {
      flag: 'host',
      variable: 'HOST',
      file: ['listen.host', listen?.host],
      otherwise: '127.0.0.1',
    }),
    port: read(Port, {
      flag: 'port',
      variable: 'PORT',
      file: ['listen.port', listen?.port?.toString()],
      otherwise: 4200,
    }),
    dataDir: toPath(
      read(Folder, {
        flag: 'data-dir',
        variable: 'ORCHESTRATOR_DATA_DIR',
        file: ['dataDir', dataDir],
        otherwise: '.orchestrator',
      }),
    ),
    logLevel: read<LogLevel>(LogLevel, {
      flag: 'log-level',
      variable: 'ORCHESTRATOR_LOG_LEVEL',
      file: ['logLevel', logLevel],
      otherwise: isTerminal ? 'warn' : 'info',
    }),
    nodeEnv: { value: nodeEnv ?? '', source: nodeEnv ? 'environment' : 'default', by: 'NODE_ENV' },
    origins: read(Origins, {
      variable: 'ORCHESTRATOR_CORS_ORIGINS',
      file: ['origins', origins?.join()],
      otherwise: usualOrigins,
    }),
    allowedHosts: read(HostNames, {
      variable: 'ORCHESTRATOR_ALLOWED_HOSTS',
      file: ['allowedHosts', allowedHosts?.join()],
      otherwise: [],
    }),
    /** Undefined if derived from the port. */
    publicOrigin: read<string | undefined>(Origin, {
      variable: 'ORCHESTRATOR_PUBLIC_ORIGIN',
      file: ['publicOrigin', publicOrigin],
      otherwise: undefined,
    }),
    trustProxy: read(Proxies, {
      variable: 'TRUST_PROXY',
      file: ['trustProxy', trustProxy?.join() || undefined],
      otherwise: [],
    }),
    drainSeconds: read(Seconds, {
      variable: 'ORCHESTRATOR_DRAIN_SECONDS',
      // Only then another process takes the requests meanwhile.
      otherwise: env['DATABASE_URL'] === undefined ? 0 : 3,
    }),
  } satisfies Readonly<Record<string, Setting<unknown>>>
  if (problems.length > 0) throw new BootError(problems)
  return settings
}

/** Returns the address of the service for browsers, for the port that it listens on. */
export const publicOriginOf = ({ publicOrigin }: Settings, port: number): string =>
  publicOrigin.value ?? `http://localhost:${port}`

/**
 * Returns the origin and host rules of a standalone server. On a loopback address it answers only to its own
 * names, so no page can reach it by another DNS name. On others, any name is accepted until some are set.
 */
export function toOriginRules(settings: Settings, port: number): OriginRules {
  const { origins, allowedHosts, host } = settings
  const isGuarded = isLoopback(host.value) || allowedHosts.value.length > 0
  const hosts = [new URL(publicOriginOf(settings, port)).hostname, ...allowedHosts.value]
  return { origins: origins.value, usual: usualOriginsOf(settings), ...(isGuarded && { hosts }) }
}

/**
 * Returns the allowed origins that are defaults: a site that is registered at one of them is not an editor.
 */
export const usualOriginsOf = ({ origins }: Pick<Settings, 'origins'>): readonly string[] =>
  origins.source === 'default' ? origins.value : []

/** Builds the environment of plugins: effective settings in their variables, whatever their source. */
export function toEnvironment(env: Environment, { dataDir, origins, trustProxy }: Settings): Environment {
  const siteUrl = siteUrlIn(env)
  return {
    ...env,
    // Its plain name may have another form in the environment of a website.
    ...(siteUrl && /^https?:/.test(siteUrl.value) && { [siteUrlVariable]: siteUrl.value }),
    ORCHESTRATOR_CORS_ORIGINS: origins.value.join(),
    TRUST_PROXY: trustProxy.value.join(),
    // Unset by default: plugins treat a chosen folder differently.
    ...(dataDir.source !== 'default' && { ORCHESTRATOR_DATA_DIR: dataDir.value }),
  }
}

/** Builds the environment of the plugins of a standalone server that listens on `port`. */
export function toServerEnvironment(env: Environment, settings: Settings, port: number): Environment {
  return {
    ...toEnvironment(env, settings),
    HOST: settings.host.value,
    PORT: String(port),
    ORCHESTRATOR_PUBLIC_ORIGIN: publicOriginOf(settings, port),
    ORCHESTRATOR_ALLOWED_HOSTS: settings.allowedHosts.value.join(),
  }
}
