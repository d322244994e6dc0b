import { drawTable, gateName } from '../../kernel/draw.ts'
import { gates, sitesOf, permissionOf, type MountedRoute } from '../../kernel/index.ts'
import { routesOf, shapes } from './shapes.ts'

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const toRow = (route: MountedRoute): readonly string[] => {
  const { spec, tag, plugin, leftOut } = route
  const remarks = [spec.internal && 'internal', leftOut !== undefined && `left out: ${leftOut}`]
  const asked = spec.gate.id === gates.public.id ? ['', ''] : [permissionOf(spec), sitesOf(spec)]
  return [spec.method, spec.path, gateName(route), ...asked, tag, plugin, remarks.filter(Boolean).join(', ')]
}

/**
 * The routes of every shape by path: method, path, gate, permission of scoped tokens, sites, tag, plugin, and whether it is
 * internal or not mounted.
 */
export async function routesText(): Promise<string> {
  const parts: string[] = []
  for (const shape of shapes) {
    const routes = await routesOf(shape)
    const sorted = routes.toSorted(
      (a, b) => compare(a.spec.path, b.spec.path) || compare(a.spec.method, b.spec.method),
    )
    parts.push([`# ${shape}`, ...drawTable(sorted.map(toRow))].join('\n'))
  }
  return `${parts.join('\n\n')}\n`
}
