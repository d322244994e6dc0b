import { readFileSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import nodeModule from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader, PublicExplorer } from 'cosmiconfig'
import { BootError } from '../kernel/index.ts'
import type { OrchestratorConfig } from './define-config.ts'
import { explain, isMissing, messageOf } from './explain.ts'
import { checkConfig, type CheckedConfig } from './schema.ts'
import { isObject } from './values.ts'

/** A configuration with its file and problems. */
export interface LoadedConfig extends CheckedConfig {
  /** Absent without a configuration file. */
  readonly file?: string
}

/** The formats of configuration files, by extension; a file without extension is YAML or JSON. */
const formats = ['ts', 'mts', 'mjs', 'js', 'cjs', 'json', 'yaml', 'yml']

/** The names of configuration files; the first existing file is loaded. */
export const searchPlaces: readonly string[] = [
  ...formats.map((extension) => `orchestrator.config.${extension}`),
  '.orchestratorrc',
  ...['json', 'yaml', 'yml', 'ts', 'mjs', 'js', 'cjs'].map((extension) => `.orchestratorrc.${extension}`),
  'package.json',
]

/**
 * Loads the configuration of a folder, not of its parents, or the file named by `explicit`. Throws a
 * BootError if a named file is missing, and if a file cannot be read or run, or contains no configuration.
 */
export async function findConfig(folder: string, explicit?: string): Promise<LoadedConfig> {
  if (explicit !== undefined) {
    const file = resolve(folder, explicit)
    const format = extname(file).slice(1)
    if (format !== '' && !formats.includes(format)) {
      const expected = `expected the extension ${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`
      throw new BootError([`the configuration file ${file} cannot be used: ${expected}`])
    }
    const loaded = await readConfig(file)
    if (loaded) return loaded
    const isPackage = basename(file) === 'package.json'
    throw new BootError([
      isPackage ? `${file} has no property 'orchestrator'` : `the configuration file ${file} does not exist`,
    ])
  }
  const names = new Set(await readdir(folder).catch(() => searchPlaces))
  for (const place of searchPlaces.filter((each) => names.has(each))) {
    const loaded = await readConfig(join(folder, place))
    if (loaded) return loaded
  }
  return { config: { shape: 'standalone' }, problems: [] }
}

/** Loads a configuration for `createOrchestrator` from a folder or file. Throws a BootError without one. */
export async function loadConfig(from: string = process.cwd()): Promise<OrchestratorConfig> {
  const isFile = searchPlaces.includes(basename(from)) || extname(from) in moduleLoaders
  const { config, file, problems } = isFile
    ? await findConfig(dirname(from), basename(from))
    : await findConfig(from)
  if (file === undefined) throw new BootError([`${from} has no configuration; add orchestrator.config.ts`])
  if (problems.length > 0) throw new BootError(problems)
  return config
}

/** Wraps an error of a module as the cause, to distinguish it from a failure to read the file itself. */
const loadModule: Loader = async (file) => {
  try {
    const module = await importConfig(pathToFileURL(await realpath(file)).href)
    return isObject(module) ? module['default'] : undefined
  } catch (error) {
    throw new Error(`${file} cannot be run`, { cause: error })
  }
}

const moduleLoaders = Object.fromEntries(
  ['.ts', '.mts', '.mjs', '.js', '.cjs'].map((extension) => [extension, loadModule]),
)

/** A line with module syntax. */
const moduleSyntax = /^[ \t]*(?:import\s*["'{*\w]|export\s)/m

/** Imports a file by its syntax: Node uses `type` of the website's package.json, which is often missing. */
async function importConfig(address: string): Promise<unknown> {
  const hooks = nodeModule.registerHooks({
    load(url, context, next) {
      const isModule =
        url === address && /\.[jt]s$/.test(url) && moduleSyntax.test(readFileSync(new URL(url), 'utf8'))
      return next(
        url,
        isModule ? { ...context, format: url.endsWith('.ts') ? 'module-typescript' : 'module' } : context,
      )
    },
  })
  try {
    return await import(address)
  } finally {
    hooks.deregister()
  }
}

/** Imports the loaders, which only an installation with a file needs. */
async function openExplorer(): Promise<PublicExplorer> {
  const { cosmiconfig, defaultLoaders } = await import('cosmiconfig')
  return cosmiconfig('orchestrator', {
    searchPlaces: [...searchPlaces],
    searchStrategy: 'none',
    cache: false,
    loaders: { ...defaultLoaders, ...moduleLoaders },
  })
}

/**
 * Reads one file; `undefined` if it does not exist. Not the search of cosmiconfig, which skips a file that
 * cannot be read or whose own imports fail: the service would start with its defaults.
 */
async function readConfig(file: string): Promise<LoadedConfig | undefined> {
  const explorer = await openExplorer()
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
    throw new BootError([`the configuration file ${file} is empty; export a configuration as default`])
  }
  const { config, problems } = checkConfig(found.config, basename(file))
  return { config: { ...config, base: resolve(dirname(file), config.base ?? '.') }, file, problems }
}
