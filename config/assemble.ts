import { BootError } from '../kernel/index.ts'
import { readSettings as readPluginSettings } from '../kernel/settings.ts'
import type { Environment } from './env.ts'
import { findConfig, type LoadedConfig } from './load.ts'
import { findPlugins, type Resolved } from './resolve.ts'
import type { CheckedConfig } from './schema.ts'
import { readSettings, type SettingFlags, type SettingSources, type Settings } from './settings.ts'
import { ownVariables } from './variables.ts'

/** The installation, as commands use it. */
export interface Assembly {
  readonly env: Environment
  readonly loaded: LoadedConfig
  readonly settings: Settings
  readonly plugins: readonly Resolved[]
}

/** `config` names the configuration file; default: the one in the working directory. */
type AssemblyFlags = SettingFlags & { readonly config?: string | undefined }

/** The parts of the process that an installation uses. */
export interface Surroundings {
  readonly cwd: string
  readonly isTerminal: boolean
  environment(): Environment
}

/** Reads environment, configuration and flags, and loads plugins. Throws a BootError with all problems. */
export async function assemble(
  { cwd, isTerminal, environment }: Surroundings,
  flags: AssemblyFlags,
): Promise<Assembly> {
  const env = environment()
  const loaded = await findConfig(cwd, flags.config)
  return { env, loaded, ...(await gather(loaded, { flags, env, cwd, isTerminal })) }
}

/** Resolves the settings and loads the plugins of a configuration. Throws a BootError with all problems. */
export async function gather(
  { config, problems }: CheckedConfig,
  sources: Omit<SettingSources, 'config'>,
): Promise<Pick<Assembly, 'settings' | 'plugins'>> {
  const read = settingsOf({ ...sources, config })
  const found = await findPlugins(config)
  const all = [...problems, ...read.problems, ...found.problems]
  if (read.settings && all.length === 0) return { settings: read.settings, plugins: found.plugins }
  // The boot would check these too, but is not reached. Skips variables that were checked above.
  const others = Object.entries(sources.env).filter(([name]) => !Object.hasOwn(ownVariables, name))
  throw new BootError([...all, ...readPluginSettings(found.plugins, Object.fromEntries(others)).problems])
}

function settingsOf(sources: SettingSources): {
  readonly settings?: Settings
  readonly problems: readonly string[]
} {
  try {
    return { settings: readSettings(sources), problems: [] }
  } catch (error) {
    if (error instanceof BootError) return { problems: error.problems }
    throw error
  }
}
