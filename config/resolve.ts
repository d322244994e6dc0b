import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { problemsOf } from '../kernel/declaration.ts'
import { BootError, errorCode, isPlugin, type Plugin, type Schema, type Used } from '../kernel/index.ts'
import { isSchema } from '../kernel/schema.ts'
import { builtinNames, importBuiltin, isBuiltin, presets, renamedPlugin } from './builtins.ts'
import type { OrchestratorConfig, PluginEntry } from './define-config.ts'
import { explain } from './explain.ts'
import { hint } from '../kernel/nearest.ts'
import { isObject } from './values.ts'

/** A plugin of the configuration. */
export interface Resolved extends Used {
  /** The name, file or package under which it is listed; `plugins[2]` for a value. */
  readonly entry: string
  readonly isBuiltin: boolean
}

/** An entry of the configuration: a name, or a plugin value. */
type Listed = Pick<Resolved, 'entry' | 'options'> & { readonly plugin?: Plugin }

/**
 * Resolves a configuration to plugins: the preset, minus `without`, extended or overridden by `plugins`.
 * Files and packages are resolved from `config.base`, or the working directory. `problems` has one sentence
 * per unusable entry.
 */
export async function findPlugins(config: OrchestratorConfig) {
  const base = config.base ?? process.cwd()
  const { entries, problems } = collect(config)
  const found = await Promise.all(
    entries.map(async ({ entry, plugin, options }) => {
      const imported = plugin ?? (await importPlugin(entry, base))
      if (typeof imported === 'string') return { problems: [imported] }
      const ours = !plugin && isBuiltin(entry)
      const wrong = ours ? [] : problemsOf(imported, entry)
      if (wrong.length > 0) return { problems: wrong }
      return { plugin: withEntry(imported, entry), options, entry, isBuiltin: ours }
    }),
  )
  const resolved: readonly Resolved[] = found.filter((each) => each.problems === undefined)
  problems.push(...found.flatMap((each) => each.problems ?? []))
  const unknown = resolved.flatMap(({ plugin, options }) =>
    unknownOptions(plugin.options, options).map(
      (option) => `the plugin '${plugin.name}' has no option ${option}`,
    ),
  )
  return { plugins: resolved, problems: [...problems, ...sameNames(resolved), ...unknown] }
}

function collect({ shape, preset = shape, without = [], plugins = [] }: OrchestratorConfig) {
  const problems: string[] = []
  const chosen = presets[preset].filter((entry) => !without.includes(entry))
  const entries = new Map<string, Listed>(chosen.map((entry) => [entry, { entry, options: undefined }]))
  const seen = new Set<string>()
  for (const [at, each] of plugins.entries()) {
    const listed = toListed(each, `plugins[${at}]`)
    if (!listed) {
      problems.push(`plugins[${at}] is neither a name nor a plugin made by definePlugin(...).setup(...)`)
      continue
    }
    const { entry } = listed
    if (seen.has(entry)) problems.push(`'${entry}' is listed twice in plugins`)
    if (isBuiltin(entry) && without.includes(entry)) {
      problems.push(`'${entry}' is listed in plugins and in without; keep one of them`)
    }
    seen.add(entry)
    entries.set(entry, listed)
  }
  return { entries: [...entries.values()], problems }
}

function toListed(entry: PluginEntry, place: string): Listed | undefined {
  const [what, options]: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
  if (typeof what === 'string') return { entry: what, options }
  if (isPlugin(what)) return { entry: place, plugin: what, options }
  if (typeof what !== 'object' || what === null || !('plugin' in what) || !isPlugin(what.plugin))
    return undefined
  return { entry: place, plugin: what.plugin, options: 'options' in what ? what.options : undefined }
}

const isFile = (name: string): boolean => /^\.\.?[\\/]/.test(name) || isAbsolute(name)

/**
 * Imports a plugin by name: a built-in, a file, or a package resolved from the folder `base`. Returns a
 * sentence for one that is unusable.
 */
async function importPlugin(name: string, base: string): Promise<Plugin | string> {
  const renamed = renamedPlugin(name)
  if (renamed) return renamed
  if (isFile(name) && !existsSync(resolve(base, name))) return `'${name}' does not exist in ${base}`
  let module: unknown
  try {
    if (isBuiltin(name)) return await importBuiltin(name)
    module = isFile(name)
      ? await import(pathToFileURL(resolve(base, name)).href)
      : await importPackage(name, base)
  } catch (error) {
    return `'${name}' cannot be loaded: ${explain(error)}`
  }
  if (module === notFound) {
    return `'${name}' is neither a built-in plugin nor a package seen from ${base}${hint(name, builtinNames)}`
  }
  const exported = isObject(module) ? module['default'] : undefined
  return isPlugin(exported)
    ? exported
    : `'${name}' has no default export made by definePlugin(...).setup(...)`
}

const notFound = Symbol('package not found')

/** Imports a package like a module in `base`, by a hook: `require.resolve` ignores `import` conditions. */
async function importPackage(name: string, base: string): Promise<unknown> {
  const parentURL = pathToFileURL(join(base, 'orchestrator.config.ts')).href
  let isFound = false
  const hooks = nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== name || context.parentURL !== import.meta.url) return next(specifier, context)
      const found = next(specifier, { ...context, parentURL })
      isFound = true
      return found
    },
  })
  try {
    return await import(name)
  } catch (error) {
    if (isFound || !isNotFound(error)) throw error
    return notFound
  } finally {
    hooks.deregister()
  }
}

const isNotFound = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'ERR_INVALID_MODULE_SPECIFIER'].includes(errorCode(error) ?? '')

/** Reports duplicate names. The name of a built-in is free only while that is not loaded. */
function sameNames(resolved: readonly Resolved[]): readonly string[] {
  const owners = new Map(
    resolved.filter(({ isBuiltin }) => isBuiltin).map((each) => [each.plugin.name, each]),
  )
  return resolved
    .filter(({ isBuiltin }) => !isBuiltin)
    .flatMap((each) => {
      const { name } = each.plugin
      const owner = owners.get(name)
      if (!owner) owners.set(name, each)
      if (owner?.isBuiltin)
        return [
          `'${each.entry}' is named '${name}' like a loaded built-in; rename it, or list '${name}' in without`,
        ]
      return owner ? [`'${owner.entry}' and '${each.entry}' are both named '${name}'`] : []
    })
}

/** Returns the paths of options that a schema would drop, each with the most similar known name. */
function unknownOptions(schema: Schema, given: unknown, path = ''): readonly string[] {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return unknownOptions(schema.wrapped, given, path)
  if ('item' in schema && Array.isArray(given)) {
    const { item } = schema
    return isSchema(item) ? given.flatMap((each, at) => unknownOptions(item, each, `${path}[${at}]`)) : []
  }
  if (schema.type !== 'object' || !('entries' in schema) || !isObject(schema.entries) || !isObject(given))
    return []
  const entries = schema.entries
  return Object.entries(given).flatMap(([name, value]) => {
    const place = path === '' ? name : `${path}.${name}`
    const inner = Object.hasOwn(entries, name) ? entries[name] : undefined
    return isSchema(inner)
      ? unknownOptions(inner, value, place)
      : [`'${place}'${hint(name, Object.keys(entries))}`]
  })
}

/** Wraps a plugin so that errors of its start name its entry. */
function withEntry(plugin: Plugin, entry: string): Plugin {
  const who = entry === plugin.name ? `'${entry}'` : `'${plugin.name}' (${entry})`
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      throw cause instanceof BootError
        ? cause
        : new BootError([`${who} does not start: ${explain(cause)}`], { cause })
    }
  }
  return {
    ...plugin,
    async boot(context) {
      const product = await run(() => plugin.boot(context))
      return { ...product, ready: () => run(() => product.ready?.()) }
    },
  }
}
