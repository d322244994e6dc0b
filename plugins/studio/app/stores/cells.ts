/** The texts of a table, by rows: it is stored whole, and a cell has no name but its position. */

export type Cells = readonly (readonly string[])[]

export const cellsOf = (value: unknown): Cells =>
  Array.isArray(value) ? value.filter(Array.isArray).map((row) => row.map(String)) : []

/** Whether a value is rows of texts, and nothing else would be lost. */
export const isTable = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((row) => Array.isArray(row) && row.every((cell) => typeof cell === 'string'))

/** Rows with one cell changed; cells that were missing before it are empty. */
export function withCell(rows: Cells, at: number, column: number, text: string): Cells {
  const row = rows[at] ?? []
  const cells = Array.from({ length: Math.max(row.length, column + 1) }, (_, index) =>
    index === column ? text : (row[index] ?? ''),
  )
  return rows.with(at, cells)
}

/** The cell at a position of the page, such as `rows[4][2]`; `undefined` of other positions. */
export function cellAt(
  position: string,
): { readonly name: string; readonly at: number; readonly column: number } | undefined {
  const [found, name = '', at, column] = /^(\w+)\[(\d+)\]\[(\d+)\]$/.exec(position) ?? []
  return found === undefined ? undefined : { name, at: Number(at), column: Number(column) }
}
