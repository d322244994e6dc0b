import { readFileSync } from 'node:fs'
import { drawTable } from '../../kernel/draw.ts'
import { placedCallers } from './callers.ts'
import { byGate, everybody, type GateVerdict, type MatrixResult } from './matrix.ts'

/** One line of a table: the installations, and the outcome for each caller. */
interface MatrixRow {
  /** By axis: one value, or several that make no difference. */
  readonly labels: ReadonlyMap<string, readonly string[]>
  /** By caller. */
  readonly cells: ReadonlyMap<string, string>
}

const any = 'any'

/** The verdicts of the routes of one gate on one caller. */
const verdictsOf = (asked: readonly GateVerdict[]): string =>
  [...new Set(asked.map(({ verdict }) => verdict))].join(' or ')

const textOf = (entries: Iterable<readonly [string, unknown]>): string => JSON.stringify([...entries])

/** Merges lines that differ on this axis only and have the same outcome. */
function fold(rows: readonly MatrixRow[], axis: string): readonly MatrixRow[] {
  const others = ({ labels }: MatrixRow) => [...labels].filter(([name]) => name !== axis)
  const groups = Map.groupBy(rows, (row) => textOf([...others(row), ...row.cells]))
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    const values = alike.flatMap(({ labels }) => labels.get(axis) ?? [])
    return first ? [{ ...first, labels: new Map(first.labels).set(axis, values) }] : []
  })
}

/** Merges columns of callers with the same outcome in every row; those like `none` are everybody else. */
function columnsOf(rows: readonly MatrixRow[]): readonly (readonly string[])[] {
  const columnOf = (name: string): readonly string[] => rows.map(({ cells }) => cells.get(name) ?? '')
  const names = [...(rows[0]?.cells.keys() ?? [])]
  const groups = [...Map.groupBy(names, (name) => columnOf(name).join('\n')).values()]
  const head = (group: readonly string[]): string => {
    if (groups.length === 1) return 'everybody'
    return group.includes('none') ? 'everybody else' : group.join(', ')
  }
  return groups
    .toSorted((a, b) => Number(head(a) === 'everybody else') - Number(head(b) === 'everybody else'))
    .map((group) => [head(group), ...columnOf(group[0] ?? '')])
}

/** The outcomes of one gate for some callers: a line for each kind of installation, a column for each kind of caller. */
function tableOf(
  results: readonly { readonly result: MatrixResult; readonly asked: readonly GateVerdict[] }[],
): readonly string[] {
  const labelsOf = ({ result }: (typeof results)[number]) => result.installation.labels
  const rows: readonly MatrixRow[] = results.map((each) => ({
    labels: new Map(Object.entries(labelsOf(each)).map(([axis, label]) => [axis, [label]])),
    cells: new Map(
      [...Map.groupBy(each.asked, ({ caller }) => caller.name)].map(([name, asked]) => [
        name,
        verdictsOf(asked),
      ]),
    ),
  }))
  const axes = [...(rows[0]?.labels.keys() ?? [])]
  const folded = axes.toReversed().reduce(fold, rows)
  const axisColumns = axes.map((axis) => {
    const all = new Set(results.map((each) => labelsOf(each)[axis]))
    const shown = folded.map(({ labels }) => labels.get(axis) ?? [])
    return [axis, ...shown.map((values) => (values.length === all.size ? any : values.join(', ')))]
  })
  const matters = ([, ...values]: readonly string[]): boolean => values.some((value) => value !== any)
  const columns = [...axisColumns.filter(matters), ...columnsOf(folded)]
  return drawTable([...(columns[0] ?? []).keys()].map((at) => columns.map((column) => column[at] ?? '')))
}

export const fixture = new URL('../fixtures/security/matrix.txt', import.meta.url)
/** The explanation of the words, which is written by hand at the top of the fixture. */
const [legend = ''] = readFileSync(fixture, 'utf8').split('\n\n', 1)

/** The complete matrix as text: the routes behind each gate of each shape, then the outcomes. */
export function matrixText(results: readonly MatrixResult[]): string {
  const parts: string[] = [legend]
  for (const [shape, group] of Map.groupBy(results, ({ installation }) => installation.shape)) {
    const gates = [...byGate(group[0]?.asked ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))
    for (const [gate, asked] of gates) {
      const routes = [...new Set(asked.map(({ route }) => route))].toSorted()
      const rows = group.map((result) => ({ result, asked: byGate(result.asked).get(gate) ?? [] }))
      const tables = [everybody, placedCallers].map((some) =>
        tableOf(
          rows.map(({ result, asked }) => ({
            result,
            asked: asked.filter(({ caller }) => some.includes(caller)),
          })),
        ),
      )
      const drawn = tables.filter(([head = '']) => head !== '').map((lines) => lines.join('\n'))
      parts.push([`## ${shape}: ${gate}`, routes.join('\n'), ...drawn].join('\n\n'))
    }
  }
  return `${parts.join('\n\n')}\n`
}
