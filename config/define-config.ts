import type { Plugin, Used } from '../kernel/index.ts'
import type { Builtin, BuiltinName, PresetName } from './builtins.ts'
import type { LogLevel } from './values.ts'

type OptionsOf<P> = P extends Plugin<infer O> ? O : never

/** The options of a built-in plugin. */
export type BuiltinOptions<N extends BuiltinName> = OptionsOf<Builtin<N>>

/** A file, relative to the configuration file, or a scoped package, resolved from there. */
type PluginAddress = `./${string}` | `../${string}` | `/${string}` | `@${string}/${string}`

/** A plugin: a built-in's name, a file or package of your own, each optionally with options, or a value. */
export type PluginEntry =
  | BuiltinName
  | { readonly [N in BuiltinName]: readonly [name: N, options: BuiltinOptions<N>] }[BuiltinName]
  | PluginAddress
  | readonly [address: PluginAddress, options: unknown]
  | Plugin
  | Used

/** The content of a configuration file. Flags and environment variables take precedence. */
export interface OrchestratorConfig {
  /** A standalone server, or a library mounted in a website. */
  readonly shape: 'standalone' | 'library'
  /** The address of a standalone server; default: `127.0.0.1` and 4200. Port 0 takes any free port. */
  readonly listen?: { readonly host?: string | undefined; readonly port?: number | undefined } | undefined
  /** The data folder, relative to this file; default: `.orchestrator` in the working directory. */
  readonly dataDir?: string | undefined
  /** `trace` to `fatal`, or `silent`. */
  readonly logLevel?: LogLevel | undefined
  /** Origins of the editors and sites that may call from a browser. */
  readonly origins?: readonly string[] | undefined
  /** Host names, besides `localhost`, by which requests may address a standalone server. */
  readonly allowedHosts?: readonly string[] | undefined
  /** The address of the service for browsers. */
  readonly publicOrigin?: string | undefined
  /** Addresses of proxies whose forwarding headers are trusted. */
  readonly trustProxy?: readonly string[] | undefined
  /** The initial set of built-ins; default: the preset with the name of the shape. */
  readonly preset?: PresetName | undefined
  /** Built-ins of the preset to omit. */
  readonly without?: readonly BuiltinName[] | undefined
  /** Plugins in addition to the preset, and options for its plugins. */
  readonly plugins?: readonly PluginEntry[] | undefined
  /** Which files of the website are content, for `edit`: globs of paths below its folder. */
  readonly files?:
    | { readonly include?: readonly string[] | undefined; readonly ignore?: readonly string[] | undefined }
    | undefined
  /** The folder for relative names; a configuration file sets its own. */
  readonly base?: string | undefined
}

/** A configuration as written in a file; the default shape is standalone. */
type StatedConfig = Omit<OrchestratorConfig, 'shape'> & Partial<Pick<OrchestratorConfig, 'shape'>>

/** Returns the configuration with its shape. Exists for the types, including the options of each built-in. */
export function defineConfig(config: StatedConfig): OrchestratorConfig {
  return { shape: 'standalone', ...config }
}
