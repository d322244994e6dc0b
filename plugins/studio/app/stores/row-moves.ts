/** Rows of a list that only changed places. The differences of a publish compare rows by position. */
import { textIn } from './label.ts'
import { longestRising, type Move } from './moves.ts'
import { copyOf, isRow, isSame, type Row } from './place.ts'

interface FieldDiff {
  readonly path: string
  readonly before?: unknown
}

export interface RowMove extends Move {
  readonly list: string
  /** The first telling text of the row. */
  readonly text: string
}

const inRow = /^([^.[\]]+)\[(\d+)\]\.([^.[\]]+)$/

/** The moves in lists whose rows have not changed otherwise; `props` are those after the change. */
export function rowMovesIn(props: Row, diffs: readonly FieldDiff[]): readonly RowMove[] {
  const lists = new Set(diffs.map(({ path }) => path.split(/[.[]/, 1)[0] ?? ''))
  return [...lists].flatMap((list) => {
    const rows: unknown = props[list]
    if (!Array.isArray(rows) || !rows.every(isRow)) return []
    const own = diffs.filter(({ path }) => path === list || path.startsWith(`${list}[`))
    const before = rowsBefore(rows, own)
    return before ? movesOf(before, rows).map((move) => ({ ...move, list })) : []
  })
}

/** The rows before differences in plain fields of theirs; `undefined` for other differences. */
function rowsBefore(rows: readonly Row[], diffs: readonly FieldDiff[]): readonly Row[] | undefined {
  const before = [...rows]
  for (const { path, before: value } of diffs) {
    const [, , index, name] = inRow.exec(path) ?? []
    if (index === undefined || name === undefined) return undefined
    const { [name]: _after, ...rest } = before[Number(index)] ?? {}
    before[Number(index)] = value === undefined ? rest : { ...rest, [name]: value }
  }
  return before
}

/** The moves that make one list of the other; none if their rows differ. */
function movesOf(before: readonly Row[], after: readonly Row[]): readonly Omit<RowMove, 'list'>[] {
  const old = before.map(copyOf)
  const free = new Set(old.keys())
  const places = after.map((row) => {
    const place = [...free].find((at) => isSame(old[at], copyOf(row))) ?? -1
    free.delete(place)
    return place
  })
  if (free.size > 0) return []
  const stays = longestRising(places)
  return after.flatMap((row, at) =>
    stays.has(at) ? [] : [{ text: textIn(row), from: (places[at] ?? 0) + 1, to: at + 1 }],
  )
}
