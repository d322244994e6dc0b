import { BootError, isPlugin, type Plugin, type Used } from '../kernel/index.ts'
import { isBuiltin } from './builtins.ts'
import type { OrchestratorConfig, PluginEntry } from './define-config.ts'
import { explain } from './explain.ts'
import { importPlugin } from './import-plugin.ts'
import { presets } from './presets.ts'
import { unknownOptions } from './unknown-options.ts'

/** A plugin that the configuration leads to. */
export interface Resolved extends Used {
  /** The name, file or package it was listed as; `plugins[2]` for a value. */
  readonly entry: string
  readonly isBuiltin: boolean
}

/** A plugin that was asked for: by name, or as a value. */
interface Wish {
  readonly entry: string
  readonly plugin?: Plugin
  readonly options: unknown
}

/** The plugins that were found, and everything that stands in the way of others, each with the entry it is about. */
export interface FoundPlugins {
  readonly plugins: readonly Resolved[]
  readonly problems: readonly string[]
}

/**
 * Turns a configuration into plugins: the preset, minus `without`, plus or overridden by `plugins`.
 *
 * Files and packages are found from `config.base`, or the working directory.
 */
export async function findPlugins(config: OrchestratorConfig): Promise<FoundPlugins> {
  const base = config.base ?? process.cwd()
  const { wishes, problems } = collect(config)
  const resolved: Resolved[] = []
  for (const { entry, plugin, options } of wishes) {
    const found = plugin ? { plugin } : await importPlugin(entry, base)
    if (found.plugin) {
      const isOurs = !plugin && isBuiltin(entry)
      resolved.push({ plugin: telling(found.plugin, entry), options, entry, isBuiltin: isOurs })
    } else problems.push(found.problem)
  }
  problems.push(...sameNames(resolved))
  for (const { plugin, options } of resolved) {
    problems.push(...unknownOptions(plugin.options, options).map((unknown) => `the plugin '${plugin.name}' has no option ${unknown}`))
  }
  return { plugins: resolved, problems }
}

function collect({ shape, preset = shape, without = [], plugins = [] }: OrchestratorConfig): {
  readonly wishes: readonly Wish[]
  readonly problems: string[]
} {
  const problems: string[] = []
  const wishes = new Map<string, Wish>()
  for (const entry of presets[preset]) {
    if (!without.includes(entry)) wishes.set(entry, { entry, options: undefined })
  }
  const listed = new Set<string>()
  for (const [at, each] of plugins.entries()) {
    const wish = toWish(each, `plugins[${at}]`)
    if (!wish) {
      problems.push(`plugins[${at}] is neither a name nor a plugin made by definePlugin(...).setup(...)`)
      continue
    }
    const { entry } = wish
    if (listed.has(entry)) problems.push(`'${entry}' is listed twice in plugins`)
    if (isBuiltin(entry) && without.includes(entry)) {
      problems.push(`'${entry}' is listed in plugins and in without; keep one of them`)
    }
    listed.add(entry)
    wishes.set(entry, wish)
  }
  return { wishes: [...wishes.values()], problems }
}

function toWish(entry: PluginEntry, place: string): Wish | undefined {
  const [what, options]: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
  if (typeof what === 'string') return { entry: what, options }
  if (isPlugin(what)) return { entry: place, plugin: what, options }
  if (typeof what !== 'object' || what === null || !('plugin' in what)) return undefined
  if (!isPlugin(what.plugin)) return undefined
  return { entry: place, plugin: what.plugin, options: 'options' in what ? what.options : undefined }
}

/** A name may belong to one plugin only, and that of a built-in to the built-in as long as it is loaded. */
function sameNames(resolved: readonly Resolved[]): readonly string[] {
  const owners = new Map(
    resolved.filter(({ isBuiltin }) => isBuiltin).map((each) => [each.plugin.name, each]),
  )
  const problems: string[] = []
  for (const each of resolved.filter(({ isBuiltin }) => !isBuiltin)) {
    const { name } = each.plugin
    const owner = owners.get(name)
    if (owner?.isBuiltin) {
      problems.push(
        `'${each.entry}' is named '${name}' like a loaded built-in; rename it, or list '${name}' in without`,
      )
    } else if (owner) problems.push(`'${owner.entry}' and '${each.entry}' are both named '${name}'`)
    else owners.set(name, each)
  }
  return problems
}

/** The same plugin, whose failure to start tells under which entry it is listed. */
function telling(plugin: Plugin, entry: string): Plugin {
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof BootError
        ? error
        : new BootError([`'${entry}' does not start: ${explain(error)}`], { cause: error })
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
