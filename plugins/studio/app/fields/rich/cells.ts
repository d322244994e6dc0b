/** The characters of a text with their marks, and where each is in the source. */
import { make, sameMarkSet, type Mark, type Node } from './schema.ts'

export interface Cell {
  /** A UTF-16 unit; a line break is `\n`. */
  readonly char: string
  readonly marks: readonly Mark[]
  readonly start: number
  readonly end: number
}

export const cellsOf = (block: Node): readonly Cell[] =>
  block.children.flatMap(({ text = '\n', marks }) =>
    text.split('').map((char) => ({ char, marks, start: 0, end: 0 })),
  )

export function nodesOf(cells: readonly Cell[]): readonly Node[] {
  const runs: { text: string; readonly marks: readonly Mark[] }[] = []
  for (const { char, marks } of cells) {
    const last = runs.at(-1)
    const goesOn = last && char !== '\n' && last.text !== '\n' && sameMarkSet(last.marks, marks)
    if (goesOn) last.text += char
    else runs.push({ text: char, marks })
  }
  return runs.flatMap(({ text, marks }) => (text === '\n' ? [make.break(marks)] : make.text(text, marks)))
}

export const hasMarks = (cell: Cell | undefined): boolean => cell !== undefined && cell.marks.length > 0
export const sameMarks = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one !== undefined && other !== undefined && sameMarkSet(one.marks, other.marks)
export const isSame = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one?.char === other?.char && sameMarks(one, other)

const isBlank = ({ char }: Cell): boolean => char !== '\n' && char.trim() === ''

/** The characters that are seen: without blanks at the edges of lines, and without empty lines. */
function seen(block: Node): readonly Cell[] {
  const cells = cellsOf(block)
  const isEdge = (at: number, step: 1 | -1): boolean => {
    let next = at
    for (let cell = cells[next]; cell && isBlank(cell); cell = cells[next]) next += step
    return (cells[next]?.char ?? '\n') === '\n'
  }
  const lines = cells.filter((cell, at) => !isBlank(cell) || (!isEdge(at, 1) && !isEdge(at, -1)))
  return lines.filter(
    ({ char }, at) => char !== '\n' || (at > 0 && at < lines.length - 1 && lines[at - 1]?.char !== '\n'),
  )
}

/** Whether two nodes look the same. The marks of blanks and of line breaks are not seen. */
export function sameText(one: Node, other: Node): boolean {
  if (!one.sameMarkup(other)) return false
  if (!one.isTextblock)
    return (
      one.childCount === other.childCount &&
      one.children.every((child, at) => sameText(child, other.child(at)))
    )
  const [cells, others] = [seen(one), seen(other)]
  return (
    cells.length === others.length &&
    cells.every((cell, at) =>
      cell.char.trim() === '' ? cell.char === others[at]?.char : isSame(cell, others[at]),
    )
  )
}
