import { resolve } from 'node:path'
import type * as v from 'valibot'
import { BootError } from '../kernel/index.ts'
import type { OrchestratorConfig } from './define-config.ts'
import type { Environment } from './env.ts'
import { decide, type Candidates, type Setting } from './setting.ts'
import { Folder, Host, HostNames, LogLevel, Origin, Origins, Port, Proxies } from './values.ts'

/** Everything that a server of its own can be told, in effect. */
export interface Settings {
  readonly host: Setting<string>
  readonly port: Setting<number>
  readonly dataDir: Setting<string>
  readonly logLevel: Setting<LogLevel>
  readonly nodeEnv: Setting<string>
  readonly origins: Setting<readonly string[]>
  readonly allowedHosts: Setting<readonly string[]>
  /** Undefined when it is to be made from the port. */
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
const localOrigins = [3000, 4100].flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`])

/**
 * Decides every setting: a flag wins over a variable, a variable over the file, the file over the default.
 *
 * Throws a BootError that names the flag, variable or key of every value that cannot be used.
 */
export function readSettings({ flags = {}, env, config, cwd, isTerminal = false }: SettingSources): Settings {
  const problems: string[] = []
  const read = <T>(schema: v.GenericSchema<string, T>, candidates: Candidates<T>): Setting<T> =>
    decide(schema, candidates, problems)
  const variable = (name: string): Candidates<unknown>['variable'] => [name, env[name]]
  const { listen, dataDir, logLevel, origins, allowedHosts, publicOrigin, trustProxy } = config
  const nodeEnv = env['NODE_ENV']

  const settings: Settings = {
    host: read(Host, {
      flag: ['host', flags.host],
      variable: variable('HOST'),
      file: ['listen.host', listen?.host],
      otherwise: '127.0.0.1',
    }),
    port: read(Port, {
      flag: ['port', flags.port],
      variable: variable('PORT'),
      file: ['listen.port', listen?.port?.toString()],
      otherwise: 4200,
    }),
    dataDir: toPath(
      read(Folder, {
        flag: ['data-dir', flags['data-dir']],
        variable: variable('ORCHESTRATOR_DATA_DIR'),
        file: ['dataDir', dataDir],
        otherwise: '.orchestrator',
      }),
      cwd,
      config.base ?? cwd,
    ),
    logLevel: read(LogLevel, {
      flag: ['log-level', flags['log-level']],
      variable: variable('ORCHESTRATOR_LOG_LEVEL'),
      file: ['logLevel', logLevel],
      otherwise: isTerminal ? 'warn' : 'info',
    }),
    nodeEnv: { value: nodeEnv ?? '', source: nodeEnv ? 'environment' : 'default', by: 'NODE_ENV' },
    origins: read(Origins, {
      variable: variable('ORCHESTRATOR_CORS_ORIGINS'),
      file: ['origins', origins?.join()],
      otherwise: nodeEnv === 'production' ? [] : localOrigins,
    }),
    allowedHosts: read(HostNames, {
      variable: variable('ORCHESTRATOR_ALLOWED_HOSTS'),
      file: ['allowedHosts', allowedHosts?.join()],
      otherwise: [],
    }),
    publicOrigin: read<string | undefined>(Origin, {
      variable: variable('ORCHESTRATOR_PUBLIC_ORIGIN'),
      file: ['publicOrigin', publicOrigin],
      otherwise: undefined,
    }),
    trustProxy: read(Proxies, {
      variable: variable('TRUST_PROXY'),
      file: ['trustProxy', trustProxy?.join() || undefined],
      otherwise: [],
    }),
  }
  if (problems.length > 0) throw new BootError(problems)
  return settings
}

/** A folder named by a flag or a variable is relative to the working directory, else to the file. */
const toPath = ({ value, source, by }: Setting<string>, cwd: string, base: string): Setting<string> => {
  return { value: resolve(source === 'file' ? base : cwd, value), source, by }
}
