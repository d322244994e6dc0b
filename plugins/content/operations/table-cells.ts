/**
 * The cells of a table as text: headers and the rows of its matrix hold strings only.
 *
 * A number or a boolean becomes its text, `null` an empty one. Values that are no cells stay as they are, so that
 * they can be refused for what they are.
 */
export function textCells(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((cell) => (Array.isArray(cell) ? cell.map(textCell) : textCell(cell)))
}

function textCell(cell: unknown): unknown {
  if (cell === null) return ''
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell
}
