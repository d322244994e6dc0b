import { BootError } from '../kernel/index.ts'
import { readSettings as readPluginSettings } from '../kernel/settings.ts'
import type { Environment } from './env.ts'
import type { Io } from './cli/shared/io.ts'
import { findConfig, type LoadedConfig } from './load.ts'
import { ownVariables } from './own-variables.ts'
import { findPlugins, type Resolved } from './resolve.ts'
import type { CheckedConfig } from './schema.ts'
import { readSettings, type SettingFlags, type SettingSources, type Settings } from './settings.ts'

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
 * Throws a BootError with all that is wrong, in the file, in the settings, with the plugins and with what they were
 * given, in one list; of a file that cannot be read, with that alone.
 */
export async function assemble(io: Io, flags: AssemblyFlags): Promise<Assembly> {
  const env = io.environment()
  const loaded = await findConfig(io.cwd, flags.config)
  return { env, loaded, ...(await gather(loaded, { flags, env, cwd: io.cwd, isTerminal: io.isTerminal })) }
}

/** Decides the settings and loads the plugins of a configuration; throws a BootError with all that is wrong. */
export async function gather(
  { config, problems }: CheckedConfig,
  sources: Omit<SettingSources, 'config'>,
): Promise<Pick<Assembly, 'settings' | 'plugins'>> {
  const read = settingsOf({ ...sources, config })
  const found = await findPlugins(config)
  const all = [...problems, ...read.problems, ...found.problems]
  if (read.settings && all.length === 0) return { settings: read.settings, plugins: found.plugins }
  // The boot, which looks at these too, does not come to pass. What was looked at above is not told twice.
  const others = Object.entries(sources.env).filter(([name]) => !Object.hasOwn(ownVariables, name))
  throw new BootError([...all, ...readPluginSettings(found.plugins, Object.fromEntries(others)).problems])
}

function settingsOf(sources: SettingSources): { readonly settings?: Settings; readonly problems: readonly string[] } {
  try {
    return { settings: readSettings(sources), problems: [] }
  } catch (error) {
    if (error instanceof BootError) return { problems: error.problems }
    throw error
  }
}
