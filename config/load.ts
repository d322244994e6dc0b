import { readFileSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import nodeModule from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader, PublicExplorer } from 'cosmiconfig'
import { BootError } from '../kernel/index.ts'
import type { OrchestratorConfig } from './define-config.ts'
import { explain, isMissing, messageOf } from './explain.ts'
import { checkConfig } from './schema.ts'

/** A configuration and where it came from. */
export interface LoadedConfig {
  readonly config: OrchestratorConfig
  /** Absent when no file was found and the defaults hold. */
  readonly file?: string
  /** What is wrong with it, and therefore left out of `config`. */
  readonly problems: readonly string[]
}

/** Names under which a configuration may stand, the first that exists counts. */
export const searchPlaces: readonly string[] = [
  ...['ts', 'mts', 'mjs', 'js', 'cjs', 'json', 'yaml', 'yml'].map(
    (extension) => `orchestrator.config.${extension}`,
  ),
  '.orchestratorrc',
  ...['json', 'yaml', 'yml', 'ts', 'mjs', 'js', 'cjs'].map((extension) => `.orchestratorrc.${extension}`),
  'package.json',
]

/** The configuration of a server without a configuration file. */
const defaults: OrchestratorConfig = { shape: 'standalone' }

/**
 * Loads the configuration of a folder, or the file that `explicit` names.
 *
 * Only this one folder is looked at: a service must not change what it does because of a file in a parent
 * folder, which may belong to somebody else. Tells what is wrong with it. Throws a BootError for a named file that is
 * missing, and for any file that cannot be read or run, or that holds something else than a configuration.
 */
export async function findConfig(folder: string, explicit?: string): Promise<LoadedConfig> {
  if (explicit !== undefined) {
    const explorer = await openExplorer()
    const file = resolve(folder, explicit)
    const loaded = await read(explorer, file)
    if (loaded) return loaded
    throw new BootError([
      basename(file) === 'package.json'
        ? `${file} has no property 'orchestrator'`
        : `the configuration file ${file} does not exist`,
    ])
  }
  const names = new Set(await readdir(folder).catch(() => searchPlaces))
  const places = searchPlaces.filter((place) => names.has(place) && (place !== 'package.json' || mentionsUs(join(folder, place))))
  if (places.length === 0) return { config: defaults, problems: [] }
  const explorer = await openExplorer()
  for (const place of places) {
    const loaded = await read(explorer, join(folder, place))
    if (loaded) return loaded
  }
  return { config: defaults, problems: [] }
}

/**
 * Loads a configuration for `createOrchestrator` from a folder or a file, as {@link findConfig} does; a
 * folder without one is refused.
 */
export async function loadConfig(from: string = process.cwd()): Promise<OrchestratorConfig> {
  const isFile = searchPlaces.includes(basename(from)) || extname(from) in moduleLoaders
  const { config, file, problems } = isFile ? await findConfig(dirname(from), basename(from)) : await findConfig(from)
  if (file === undefined) {
    throw new BootError([`there is no configuration in ${from}; add orchestrator.config.ts`])
  }
  if (problems.length > 0) throw new BootError(problems)
  return config
}

/**
 * Whatever a module throws arrives as the cause, so that it is not taken for a failure to read the file
 * itself.
 */
const loadModule: Loader = async (file) => {
  try {
    const module = await importConfig(pathToFileURL(await realpath(file)).href)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } catch (error) {
    throw new Error(`${file} cannot be run`, { cause: error })
  }
}

/** A line of the syntax that only modules have. */
const moduleSyntax = /^[ \t]*(?:import\s*["'{*\w]|export\s)/m

/**
 * Imports a file by what is written in it: Node goes by `type` in the package.json of the website, which many have not and
 * others set to `commonjs`.
 */
async function importConfig(address: string): Promise<unknown> {
  const hooks = nodeModule.registerHooks({
    load(url, context, next) {
      const isModule = url === address && /\.[jt]s$/.test(url) && moduleSyntax.test(readFileSync(new URL(url), 'utf8'))
      return next(url, isModule ? { ...context, format: url.endsWith('.ts') ? 'module-typescript' : 'module' } : context)
    },
  })
  try {
    return await import(address)
  } finally {
    hooks.deregister()
  }
}

const moduleLoaders = Object.fromEntries(
  ['.ts', '.mts', '.mjs', '.js', '.cjs'].map((extension) => [extension, loadModule]),
)

/** False for a package.json without a word about this service, which most are; true where that cannot be told. */
function mentionsUs(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('"orchestrator"')
  } catch {
    return true
  }
}

/** Imported only where there is a file to read: a start without one should not wait for its loaders. */
async function openExplorer(): Promise<PublicExplorer> {
  try {
    const { cosmiconfig, defaultLoaders } = await import('cosmiconfig')
    return cosmiconfig('orchestrator', {
      searchPlaces: [...searchPlaces],
      searchStrategy: 'none',
      cache: false,
      loaders: { ...defaultLoaders, ...moduleLoaders },
    })
  } catch (error) {
    throw new BootError([`the settings of cosmiconfig in this folder cannot be used: ${messageOf(error)}`])
  }
}

/**
 * One place of the list; `undefined` where nothing stands there.
 *
 * The search of cosmiconfig would pass over a file that may not be read, and over one whose own code fails
 * to find something: the service would start, on its defaults.
 */
async function read(explorer: PublicExplorer, file: string): Promise<LoadedConfig | undefined> {
  let found: Awaited<ReturnType<PublicExplorer['load']>>
  try {
    found = await explorer.load(file)
  } catch (error) {
    if (isMissing(error, file)) return undefined
    const why = error instanceof Error && error.cause ? explain(error.cause) : messageOf(error)
    throw new BootError([`the configuration file ${file} cannot be used: ${why}`], { cause: error })
  }
  if (found === null && basename(file) === 'package.json') return undefined
  if (found === null || found.isEmpty) {
    throw new BootError([`the configuration file ${file} holds nothing; export a configuration as default`])
  }
  const { config, problems } = checkConfig(found.config, basename(file))
  return { config: { ...config, base: resolve(dirname(file), config.base ?? '.') }, file, problems }
}
