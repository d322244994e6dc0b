/** Tables of GitHub: the prop `rows` has the cells of each line, the first of which is the head. */
import { arranged, type Part } from './arrange.ts'
import { spanOf, type NodeOf } from './markdown.ts'
import { matched } from './match.ts'
import { insideOf, rewritten, type NodeForm, type Source } from './node-form.ts'
import { endOfLine, sliceOf, startOfLine, type Span, type Splice } from './ranges.ts'

type Cells = readonly string[]

export const areCells = (rows: unknown): rows is readonly Cells[] =>
  Array.isArray(rows) &&
  rows.every((row) => Array.isArray(row) && row.every((cell) => typeof cell === 'string'))

const shown = (cell: string): string => cell.replaceAll(String.raw`\|`, '|')
const spelled = (cell: string): string => cell.replaceAll('|', String.raw`\|`)

/**
 * Returns the form of a table. Cells are replaced in place; other rows and columns are lines of their own.
 */
export function tableNode({ children }: NodeOf<'table'>, source: Source): NodeForm {
  const { text } = source
  const places = children.map((row) => row.children.map((cell) => placeOf(cell, text)))
  const rows = places.map((row) => row.map((cell) => shown(sliceOf(text, cell).trim())))
  return {
    type: 'Table',
    props: { rows },
    write({ rows: wanted }) {
      if (!areCells(wanted)) return undefined
      const hasShape =
        wanted.length === rows.length && wanted.every(({ length }, n) => length === rows[n]?.length)
      if (hasShape) return rewritten(source, changedCells(rows, wanted, places))
      const width = rows[0]?.length
      if (wanted[0]?.length !== width) return newTable(wanted, source.end)
      return withRows(children.map(spanOf), rows, wanted, source)
    },
  }
}

/** Where the text of a cell is; an empty one begins behind its mark. */
function placeOf(cell: NodeOf<'tableCell'>, text: string): Span {
  const inside = insideOf(cell)
  if (inside) return inside
  const { from, to } = spanOf(cell)
  const at = from + (/^\|?/.exec(text.slice(from, to))?.[0].length ?? 0)
  return { from: at, to: at + (/^[ \t]*/.exec(text.slice(at, to))?.[0].length ?? 0) }
}

function changedCells(
  rows: readonly Cells[],
  wanted: readonly Cells[],
  places: readonly (readonly Span[])[],
) {
  return places.flatMap((row, n) =>
    row.flatMap((place, m): readonly Splice[] => {
      const [was = '', is = ''] = [rows[n]?.[m], wanted[n]?.[m]]
      if (was === is) return []
      return [{ ...place, text: was === '' ? ` ${spelled(is)} ` : spelled(is) }]
    }),
  )
}

/** The lines of the head stay; those of the body are arranged. */
function withRows(
  spans: readonly Span[],
  rows: readonly Cells[],
  wanted: readonly Cells[],
  source: Source,
): string {
  const { text, end } = source
  const [head, ...body] = spans.map(({ from, to }) => ({
    from: startOfLine(text, from),
    to: endOfLine(text, to),
  }))
  if (!head) return sliceOf(text, source)
  const line = (cells: Cells): string =>
    /^\s*\|/.test(sliceOf(text, head)) ? lineOf(cells) : lineOf(cells).slice(2, -2)
  const pairs = matched(rows.slice(1), wanted.slice(1))
  const parts = pairs.map((at, n): Part => {
    const cells = wanted[n + 1] ?? []
    const isSame = at !== undefined && JSON.stringify(rows[at + 1]) === JSON.stringify(cells)
    const place = isSame ? body[at] : undefined
    return place ? { at, text: sliceOf(text, place) } : { text: line(cells) }
  })
  const first = body[0]?.from ?? source.to
  const lines = arranged(text, body, parts, { usual: end, join: (_, after) => after })
  const before = text.slice(source.from, first).replace(/\r?\n$/, '')
  return before + (lines === '' ? '' : end + lines)
}

const lineOf = (cells: Cells): string => `| ${cells.map(spelled).join(' | ')} |`

/** Returns the text of a table; `undefined` for what is none. */
export function newTable(rows: unknown, end: string): string | undefined {
  if (!areCells(rows) || !rows[0]) return undefined
  const [head, ...body] = rows
  return [head, head.map(() => '---'), ...body].map(lineOf).join(end)
}
