import type { Kernel } from './kernel.ts'
import type { MountedRoute } from './route-list.ts'

export type Paint = (style: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

const plain: Paint = (_, text) => text

/**
 * Draws rows as columns, each as wide as its widest cell; the last one is not padded. Cells have no styles.
 */
export function drawTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns the name of a route's gate without its prefix: `access`. */
export const gateName = ({ spec }: MountedRoute): string => spec.gate.id.replace(/^gate\./, '')

/**
 * Draws the routes of a kernel as lines sorted by path: method, path, gate, tag, plugin, and the summary or
 * the reason why it is not mounted.
 */
export function drawRoutes(routes: readonly MountedRoute[], paint: Paint = plain): string {
  const sorted = routes.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const lines = drawTable(
    sorted.map((route) => {
      const { spec, tag, plugin, leftOut } = route
      return [
        spec.method,
        spec.path,
        gateName(route),
        tag,
        plugin,
        leftOut === undefined ? spec.summary : `left out: ${leftOut}`,
      ]
    }),
  )
  return lines.map((line, at) => (sorted[at]?.leftOut === undefined ? line : paint('dim', line))).join('\n')
}

/** A space sorts before every character of a path. */
const sortKey = ({ spec }: MountedRoute): string => `${spec.path} ${spec.method}`

/** Draws plugins in setup order, each with its dependencies. */
export function drawPlan(plan: Kernel['plan'], paint: Paint = plain): string {
  const numbered = drawTable(
    plan.map(({ plugin, needs }, at) => [
      String(at + 1).padStart(String(plan.length).length),
      plugin,
      needs.length === 0 ? '' : `after ${needs.join(', ')}`,
    ]),
  )
  return numbered.map((line, at) => (plan[at]?.needs.length === 0 ? paint('dim', line) : line)).join('\n')
}
