import type { Plugin } from './plugin.ts'
import type { Seed } from './service.ts'

/** Plugins in the order in which they can be set up, or every reason why there is none. */
export type Plan =
  | { readonly order: readonly Plugin[]; readonly needs: ReadonlyMap<Plugin, readonly Plugin[]>; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly order?: never }

/** Orders plugins so that each comes after those whose services it needs. */
export function plan(plugins: readonly Plugin[], seeds: readonly Seed[] = []): Plan {
  const problems: string[] = []
  const given = whoGives(plugins, seeds, problems)
  const needs = new Map(plugins.map((plugin) => [plugin, whomItNeeds(plugin, given, problems)]))
  for (const plugin of plugins) checkGates(plugin, given, problems)
  if (problems.length > 0) return { problems }

  const order: Plugin[] = []
  const state = new Map<Plugin, 'open' | 'done'>()
  const visit = (plugin: Plugin, path: readonly Plugin[]): void => {
    if (state.get(plugin) === 'done') return
    if (state.get(plugin) === 'open') {
      const loop = [...path.slice(path.indexOf(plugin)), plugin].map((each) => each.name).join(' -> ')
      problems.push(`plugins wait for each other: ${loop}`)
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

interface Given {
  readonly seeded: ReadonlySet<string>
  readonly givers: ReadonlyMap<string, Plugin>
  readonly fillers: ReadonlyMap<string, readonly Plugin[]>
}

function whoGives(plugins: readonly Plugin[], seeds: readonly Seed[], problems: string[]): Given {
  const seeded = new Set(seeds.map(({ ref }) => ref.id))
  const givers = new Map<string, Plugin>()
  const fillers = new Map<string, Plugin[]>()
  const names = new Set<string>()
  for (const plugin of plugins) {
    if (names.has(plugin.name)) problems.push(`plugin '${plugin.name}' is listed twice`)
    names.add(plugin.name)
    for (const ref of Object.values(plugin.gives)) {
      if (ref.kind === 'slot') {
        fillers.set(ref.id, [...(fillers.get(ref.id) ?? []), plugin])
        continue
      }
      const other = givers.get(ref.id)
      if (seeded.has(ref.id)) problems.push(`'${ref.id}' is given by '${plugin.name}' and by the host`)
      else if (other) problems.push(`'${ref.id}' is given by both '${other.name}' and '${plugin.name}'`)
      givers.set(ref.id, plugin)
    }
  }
  return { seeded, givers, fillers }
}

function whomItNeeds(plugin: Plugin, { seeded, givers, fillers }: Given, problems: string[]): readonly Plugin[] {
  const needed = new Set<Plugin>()
  for (const ref of Object.values(plugin.needs)) {
    if (ref.kind === 'slot') {
      for (const filler of fillers.get(ref.id) ?? []) if (filler !== plugin) needed.add(filler)
      continue
    }
    const giver = givers.get(ref.id)
    if (giver) needed.add(giver)
    else if (ref.kind === 'service' && !seeded.has(ref.id)) problems.push(`'${plugin.name}' needs '${ref.id}', which no loaded plugin gives`)
  }
  return [...needed]
}

function checkGates(plugin: Plugin, { seeded, givers }: Given, problems: string[]): void {
  for (const [key, { gate }] of Object.entries(plugin.routes)) {
    if (!givers.has(gate.id) && !seeded.has(gate.id)) {
      problems.push(`route '${plugin.name}.${key}' names '${gate.id}', which no loaded plugin gives`)
    }
  }
}
