import { problemsOf } from './declaration.ts'
import type { Plugin } from './plugin.ts'
import type { Seed } from './service.ts'

/** Plugins in setup order, or all reasons why they cannot be set up. */
export type Plan =
  | { readonly order: readonly Plugin[]; readonly needs: ReadonlyMap<Plugin, readonly Plugin[]>; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly order?: never }

/** Orders plugins so that each comes after those whose services it needs. */
export function plan(plugins: readonly Plugin[], seeds: readonly Seed[] = []): Plan {
  const misdeclared = plugins.flatMap((plugin, at) => problemsOf(plugin, `plugins[${at}]`))
  if (misdeclared.length > 0) return { problems: misdeclared }
  const problems: string[] = []
  const given = collectProviders(plugins, seeds, problems)
  const needs = new Map(plugins.map((plugin) => [plugin, dependenciesOf(plugin, given, problems)]))
  for (const plugin of plugins) checkGates(plugin, given, problems)
  if (problems.length > 0) return { problems }

  const order: Plugin[] = []
  const state = new Map<Plugin, 'open' | 'done'>()
  const visit = (plugin: Plugin, path: readonly Plugin[]): void => {
    if (state.get(plugin) === 'done') return
    if (state.get(plugin) === 'open') {
      const loop = [...path.slice(path.indexOf(plugin)), plugin].map((each) => each.name).join(' -> ')
      problems.push(`circular plugin dependency: ${loop}`)
      return
    }
    state.set(plugin, 'open')
    for (const next of needs.get(plugin) ?? []) visit(next, [...path, plugin])
    state.set(plugin, 'done')
    order.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return problems.length > 0 ? { problems } : { order, needs }
}

interface Providers {
  readonly seeded: ReadonlySet<string>
  readonly providers: ReadonlyMap<string, Plugin>
  readonly contributors: ReadonlyMap<string, readonly Plugin[]>
}

function collectProviders(plugins: readonly Plugin[], seeds: readonly Seed[], problems: string[]): Providers {
  const seeded = new Set(seeds.map(({ ref }) => ref.id))
  const providers = new Map<string, Plugin>()
  const contributors = new Map<string, Plugin[]>()
  const names = new Set<string>()
  for (const plugin of plugins) {
    if (names.has(plugin.name)) problems.push(`plugin '${plugin.name}' is listed twice`)
    names.add(plugin.name)
    for (const ref of Object.values(plugin.gives)) {
      if (ref.kind === 'slot') {
        contributors.set(ref.id, [...(contributors.get(ref.id) ?? []), plugin])
        continue
      }
      const other = providers.get(ref.id)
      if (seeded.has(ref.id)) problems.push(`'${ref.id}' is provided by '${plugin.name}' and by the host`)
      else if (other) problems.push(`'${ref.id}' is provided by both '${other.name}' and '${plugin.name}'`)
      providers.set(ref.id, plugin)
    }
  }
  return { seeded, providers, contributors }
}

function dependenciesOf(plugin: Plugin, { seeded, providers, contributors }: Providers, problems: string[]): readonly Plugin[] {
  const needed = new Set<Plugin>()
  for (const ref of Object.values(plugin.needs)) {
    if (ref.kind === 'slot') {
      for (const contributor of contributors.get(ref.id) ?? []) if (contributor !== plugin) needed.add(contributor)
      continue
    }
    const provider = providers.get(ref.id)
    if (provider) needed.add(provider)
    else if (ref.kind === 'service' && !seeded.has(ref.id)) problems.push(`'${plugin.name}' needs '${ref.id}', but no loaded plugin provides it`)
  }
  return [...needed]
}

function checkGates(plugin: Plugin, { seeded, providers }: Providers, problems: string[]): void {
  for (const [key, { gate }] of Object.entries(plugin.routes)) {
    if (!providers.has(gate.id) && !seeded.has(gate.id)) {
      problems.push(`route '${plugin.name}.${key}' uses the gate '${gate.id}', but no loaded plugin provides it`)
    }
  }
}
