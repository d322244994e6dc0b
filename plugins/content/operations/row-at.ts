import { violates } from './refuse.ts'

/** What an operation says about a row. */
interface RowAddress {
  readonly listKey: string
  readonly index: number
}

/** The element of a list that an operation names; refuses a position that the list does not have. */
export function rowAt(rows: readonly unknown[], { listKey, index }: RowAddress): unknown {
  if (index < rows.length) return rows[index]
  const has = rows.length === 0 ? 'is empty' : `has positions 0 to ${rows.length - 1}`
  return violates('index', `list ${listKey} ${has}`)
}

/** The same, but not a row of cells: a table is edited as a whole. */
export function wholeRowAt(rows: readonly unknown[], address: RowAddress): unknown {
  const row = rowAt(rows, address)
  if (!Array.isArray(row)) return row
  return violates('listKey', `${address.listKey} is a table of cells; send it whole with update_props`)
}
