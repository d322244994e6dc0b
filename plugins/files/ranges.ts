/** Places in a text, and what is written there. */

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A text in place of a part of another. */
export interface Splice extends Span {
  readonly text: string
}

export const sliceOf = (text: string, { from, to }: Span): string => text.slice(from, to)

/** Returns a text with some parts replaced. They may touch, and do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = []
  let at = 0
  for (const splice of splices.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, splice.from), splice.text)
    at = splice.to
  }
  return pieces.join('') + text.slice(at)
}

/** The line end that a text uses first; that of Unix for a single line. */
export const lineEndOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'

/** The end of the line of a place, before its line end. */
export function endOfLine(text: string, at: number): number {
  const found = text.slice(at).search(/[\r\n]/)
  return found === -1 ? text.length : at + found
}

/** The start of the line of a place. */
export const startOfLine = (text: string, at: number): number =>
  Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1

/** The 1-based line of a place. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split(/\r\n|\n|\r/).length

/** The byte order mark at the start of a text, if it has one. */
export const markOf = (text: string): string => (text.startsWith('\uFEFF') ? '\uFEFF' : '')

/** The white space at the start of the line of a place. */
export const marginAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(startOfLine(text, at)))?.[0] ?? ''

/** The white space at the start of a line that has something at this column. */
export function indentationOf(text: string, column: number): string {
  if (column === 0) return ''
  const usesTabs = /^\t/m.test(text)
  return (usesTabs ? '\t' : ' ').repeat(column)
}

/** The indentation of the first line that has some, comments left out; empty without one. */
export const stepOf = (text: string): string => /\n([ \t]+)[^\s/*#]/.exec(text)?.[1] ?? ''

/** How far a place is from the start of its line. */
export const columnOf = (text: string, at: number): number => at - startOfLine(text, at)
