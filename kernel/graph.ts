import { problemsOf } from './declaration.ts'
import type { Plugin } from './plugin.ts'
import type { Seed } from './service.ts'

/** The plugins that each plugin needs. */
type Needs = ReadonlyMap<Plugin, readonly Plugin[]>

/** Orders plugins by their dependencies, or returns every reason why they cannot be set up. */
export function plan(plugins: readonly Plugin[], seeds: readonly Seed[]) {
  const order = new Map<Plugin, readonly Plugin[]>()
  const misdeclared = plugins.flatMap((plugin, at) => problemsOf(plugin, `plugins[${at}]`))
  if (misdeclared.length > 0) return { order, problems: misdeclared }
  const problems: string[] = []
  const needs = findNeeds(plugins, seeds, problems)
  const visit = (plugin: Plugin, path: readonly Plugin[]): void => {
    if (order.has(plugin)) return
    if (path.includes(plugin)) {
      const loop = [...path.slice(path.indexOf(plugin)), plugin].map((each) => each.name).join(' -> ')
      problems.push(`circular plugin dependency: ${loop}; ${unloop}`)
      return
    }
    const needed = needs.get(plugin) ?? []
    for (const next of needed) visit(next, [...path, plugin])
    order.set(plugin, needed)
  }
  if (problems.length === 0) for (const plugin of plugins) visit(plugin, [])
  return { order, problems }
}

const unloop = 'move what one needs of the other into a plugin of its own, or emit an event instead'
const unprovided = 'but no loaded plugin provides it; load one that gives it'

/** Finds the provider of each need and gate; adds a problem for each missing one, and for each duplicate. */
function findNeeds(plugins: readonly Plugin[], seeds: readonly Seed[], problems: string[]): Needs {
  const seeded = new Set(seeds.map(({ ref }) => ref.id))
  const names = new Set<string>()
  const providers = new Map<string, Plugin>()
  const contributors = new Map<string, readonly Plugin[]>()
  for (const plugin of plugins) {
    if (names.has(plugin.name)) problems.push(`plugin '${plugin.name}' is listed twice`)
    names.add(plugin.name)
    for (const { kind, id } of Object.values(plugin.gives)) {
      if (kind === 'slot') {
        contributors.set(id, [...(contributors.get(id) ?? []), plugin])
        continue
      }
      const other = providers.get(id)
      if (seeded.has(id))
        problems.push(`'${id}' is provided by '${plugin.name}' and by the host; leave out the plugin`)
      else if (other)
        problems.push(
          `'${id}' is provided by both '${other.name}' and '${plugin.name}'; leave out one of them`,
        )
      providers.set(id, plugin)
    }
  }

  const isGiven = (id: string): boolean => providers.has(id) || seeded.has(id)
  const needs = new Map<Plugin, readonly Plugin[]>()
  for (const plugin of plugins) {
    const givers = Object.values(plugin.needs).flatMap(({ kind, id }) => {
      if (kind === 'slot') return contributors.get(id)?.filter((each) => each !== plugin) ?? []
      if (kind === 'service' && !isGiven(id)) {
        problems.push(`'${plugin.name}' needs '${id}', ${unprovided}, or declare the need as optional`)
      }
      return providers.get(id) ?? []
    })
    needs.set(plugin, [...new Set(givers)])
  }
  for (const { name, routes } of plugins) {
    for (const [key, { gate }] of Object.entries(routes)) {
      if (isGiven(gate.id)) continue
      problems.push(`route '${name}.${key}' uses the gate '${gate.id}', ${unprovided}`)
    }
  }
  return needs
}
