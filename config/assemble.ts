import { BootError } from '../kernel/index.ts'
import type { Environment } from './env.ts'
import type { Io } from './io.ts'
import { findConfig, type LoadedConfig } from './load.ts'
import { resolvePlugins, type Resolved } from './resolve.ts'
import { readSettings, type SettingFlags, type Settings } from './settings.ts'

/** Everything that a command needs to know about the installation it runs in. */
export interface Assembly {
  readonly env: Environment
  readonly loaded: LoadedConfig
  readonly settings: Settings
  readonly plugins: readonly Resolved[]
}

export interface AssemblyFlags extends SettingFlags {
  /** The configuration file, instead of the one in the working directory. */
  readonly config?: string | undefined
}

/**
 * Reads environment, configuration and flags, and loads the plugins; boots nothing.
 *
 * Throws a BootError with all that is wrong: of a broken file alone, else of every setting and every plugin.
 */
export async function assemble(io: Io, flags: AssemblyFlags): Promise<Assembly> {
  const env = io.environment()
  const loaded = await findConfig(io.cwd, flags.config)
  const [settings, plugins] = await Promise.allSettled([
    (async () =>
      readSettings({ flags, env, config: loaded.config, cwd: io.cwd, isTerminal: io.isTerminal }))(),
    resolvePlugins(loaded.config),
  ])
  if (settings.status === 'fulfilled' && plugins.status === 'fulfilled') {
    return { env, loaded, settings: settings.value, plugins: plugins.value }
  }
  const reasons = [settings, plugins].flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  const unexpected = reasons.find((reason) => !(reason instanceof BootError))
  if (unexpected !== undefined) throw unexpected
  throw new BootError(reasons.flatMap((reason) => (reason instanceof BootError ? reason.problems : [])))
}
