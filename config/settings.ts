import { resolve } from 'node:path'
import * as v from 'valibot'
import { BootError, type OriginRules } from '../kernel/index.ts'
import type { OrchestratorConfig } from './define-config.ts'
import type { Environment } from './env.ts'
import { Folder, Host, HostNames, LogLevel, Origin, Origins, Port, Proxies, isLoopback } from './values.ts'

/** A value in effect, and what set it. */
export interface Setting<T> {
  readonly value: T
  readonly source: 'flag' | 'environment' | 'file' | 'default'
  /** The flag, variable or key that set it; of a default the variable that would. */
  readonly by: string
}

/** Everything that a server of its own can be told, in effect. */
export interface Settings {
  readonly host: Setting<string>
  readonly port: Setting<number>
  readonly dataDir: Setting<string>
  readonly logLevel: Setting<LogLevel>
  readonly nodeEnv: Setting<string>
  readonly origins: Setting<readonly string[]>
  readonly allowedHosts: Setting<readonly string[]>
  /** Undefined when it is to be made from the port, see {@link publicOriginOf}. */
  readonly publicOrigin: Setting<string | undefined>
  readonly trustProxy: Setting<readonly string[]>
}

/** Flags as they were typed. */
export interface SettingFlags {
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly 'data-dir'?: string | undefined
  readonly 'log-level'?: string | undefined
}

export interface SettingSources {
  readonly flags?: SettingFlags
  readonly env: Environment
  readonly config: OrchestratorConfig
  /** The working directory. */
  readonly cwd: string
  /** People read the output: only warnings, unless something else is asked for. */
  readonly isTerminal?: boolean
}

/** Origins of the editor and the site on a developer's machine. */
const localOrigins = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://localhost:4100', 'http://127.0.0.1:4100']

/** Where one setting may come from, in order; the texts are undefined where nothing is set. */
interface Candidates<T> {
  readonly flag?: readonly [name: string, text: string | undefined]
  readonly variable: string
  readonly file?: readonly [key: string, text: string | undefined]
  readonly otherwise: T
}

/**
 * Decides every setting: a flag wins over the environment, the environment over the configuration file, and that over the default.
 *
 * Throws a BootError that names the flag, variable or key of every value that cannot be used, also of one that loses.
 */
export function readSettings({ flags = {}, env, config, cwd, isTerminal = false }: SettingSources): Settings {
  const problems: string[] = []
  const base = config.base ?? cwd
  const { listen = {} } = config

  const decide = <T>(schema: v.GenericSchema<string, T>, { flag, variable, file, otherwise }: Candidates<T>): Setting<T> => {
    const candidates = [
      { source: 'flag', by: `--${flag?.[0]}`, text: flag?.[1] },
      { source: 'environment', by: variable, text: env[variable] },
      { source: 'file', by: file?.[0] ?? '', text: file?.[1] },
    ] as const
    const settings: Setting<T>[] = []
    for (const { source, by, text } of candidates) {
      if (text === undefined) continue
      const parsed = v.safeParse(schema, text.trim())
      if (parsed.success) settings.push({ value: parsed.output, source, by })
      else problems.push(`${by}${source === 'file' ? ' of the configuration file' : ''}: ${parsed.issues[0].message}`)
    }
    return settings[0] ?? { value: otherwise, source: 'default', by: variable }
  }

  const nodeEnv = env['NODE_ENV']
  const settings: Settings = {
    host: decide(Host, { flag: ['host', flags.host], variable: 'HOST', file: ['listen.host', listen.host], otherwise: '127.0.0.1' }),
    port: decide(Port, { flag: ['port', flags.port], variable: 'PORT', file: ['listen.port', listen.port?.toString()], otherwise: 4200 }),
    dataDir: toPath(decide(Folder, { flag: ['data-dir', flags['data-dir']], variable: 'ORCHESTRATOR_DATA_DIR', file: ['dataDir', config.dataDir], otherwise: '.orchestrator' }), cwd, base),
    logLevel: decide(LogLevel, { flag: ['log-level', flags['log-level']], variable: 'ORCHESTRATOR_LOG_LEVEL', file: ['logLevel', config.logLevel], otherwise: isTerminal ? 'warn' : 'info' }),
    nodeEnv: { value: nodeEnv ?? '', source: nodeEnv === undefined ? 'default' : 'environment', by: 'NODE_ENV' },
    origins: decide(Origins, { variable: 'ORCHESTRATOR_CORS_ORIGINS', file: ['origins', config.origins?.join()], otherwise: nodeEnv === 'production' ? [] : localOrigins }),
    allowedHosts: decide(HostNames, { variable: 'ORCHESTRATOR_ALLOWED_HOSTS', file: ['allowedHosts', config.allowedHosts?.join()], otherwise: [] }),
    publicOrigin: decide<string | undefined>(Origin, { variable: 'ORCHESTRATOR_PUBLIC_ORIGIN', file: ['publicOrigin', config.publicOrigin], otherwise: undefined }),
    trustProxy: decide(Proxies, { variable: 'TRUST_PROXY', file: ['trustProxy', config.trustProxy?.join() || undefined], otherwise: [] }),
  }
  if (problems.length > 0) throw new BootError(problems)
  return settings
}

/** A folder is relative to what named it: a flag and a variable to the working directory, a file to itself. */
const toPath = ({ value, source, by }: Setting<string>, cwd: string, base: string): Setting<string> =>
  ({ value: resolve(source === 'file' ? base : cwd, value), source, by })

/** The address of the service as browsers see it, once it is known which port it listens on. */
export function publicOriginOf({ publicOrigin }: Settings, port: number): string {
  return publicOrigin.value ?? `http://localhost:${port}`
}

/**
 * The rules about origins and hosts for a server of its own that listens on `port`.
 *
 * A server that only this machine reaches answers to its own names alone, so that no page can reach it through a
 * name of its own. On another address every name passes while none is configured, since containers are addressed by names of
 * the operator's choice.
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
