import type { Entry } from './entry.ts'
import { BootError } from './errors.ts'
import { publicGate, type Gate, type Mounting } from './gate.ts'
import type { Booted, Plugin } from './plugin.ts'
import { policies } from './policy.ts'
import { createQueryReader } from './query.ts'
import type { Registry } from './registry.ts'
import type { MountedRoute } from './route-list.ts'
import { createRouter, isRoutePath, type Router } from './router.ts'

/** Puts every route into the router. A route that its gate leaves out stays there as a tombstone: 404, in every shape. */
export function mountRoutes(booted: readonly { readonly plugin: Plugin; readonly product: Booted }[], registry: Registry): { readonly router: Router<Entry>; readonly routes: readonly MountedRoute[] } {
  const router = createRouter<Entry>()
  const routes: MountedRoute[] = []
  const problems: string[] = []
  const rules = registry.all(policies)
  const asked = new Map<Gate, Mounting>()
  for (const { plugin, product } of booted) {
    for (const [key, spec] of Object.entries(plugin.routes)) {
      const gate = registry.get(spec.gate) ?? publicGate
      const mounting = asked.get(gate) ?? gate.mounting()
      asked.set(gate, mounting)
      const handler = product.handlers[key]
      if (!handler) {
        problems.push(`route '${plugin.name}.${key}' has no handler`)
        continue
      }
      const rulesHere = rules.map((rule) => rule.on({ plugin: plugin.name, spec })).filter((rule) => rule !== undefined)
      const query = createQueryReader(spec, rulesHere)
      const entry: Entry = { plugin: plugin.name, key, spec, gate, policies: rulesHere, isLeftOut: !mounting.mount, query, handler }
      const name = `route '${plugin.name}.${key}'`
      if (!isRoutePath(spec.path)) problems.push(`${name} has the path '${spec.path}'; a segment is plain text or one ':name'`)
      else if (!router.add(spec.method, spec.path, entry)) problems.push(`${name} is a second ${spec.method} ${spec.path}`)
      routes.push({ plugin: plugin.name, tag: spec.tag ?? plugin.tag, key, spec, ...(!mounting.mount && { leftOut: mounting.because }) })
    }
  }
  if (problems.length > 0) throw new BootError(problems)
  return { router, routes }
}
