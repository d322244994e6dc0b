/** What a change of the rows of a list makes of them. */
import { isRow, keyOf, type Row } from '../stores/place.ts'

export type RowAction =
  | { readonly do: 'add'; readonly row: Row; readonly after?: string | undefined }
  | { readonly do: 'remove'; readonly key: string }
  /** `to` is the position among the rows that the row gets. */
  | { readonly do: 'move'; readonly key: string; readonly to: number }

/** The position of the row with a key; -1 without one. */
export const positionIn = (rows: readonly unknown[], key: string): number =>
  rows.findIndex((row) => isRow(row) && keyOf(row) === key)

/** The rows of a list inside a row, which is stored as a whole; `undefined` when the row is gone. */
export function rowsAfter(rows: readonly unknown[], action: RowAction): readonly unknown[] | undefined {
  if (action.do === 'add') {
    const after = action.after === undefined ? -1 : positionIn(rows, action.after)
    return rows.toSpliced(after === -1 ? rows.length : after + 1, 0, action.row)
  }
  const index = positionIn(rows, action.key)
  if (index === -1) return undefined
  const rest = rows.toSpliced(index, 1)
  return action.do === 'remove' ? rest : rest.toSpliced(action.to, 0, rows[index])
}
