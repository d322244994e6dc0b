/** Containers between lines of `:::`, which parsers of plain Markdown read as a paragraph. */
import type { Span } from './ranges.ts'

export interface Container extends Span {
  readonly name: string
  /** What follows the name on the first line. */
  readonly label: Span
  /** The lines between the marks; empty if there are none. */
  readonly inside: Span
}

/** The parts of a mark; `undefined` for another line. */
function markOf(line: string) {
  const colons = /^:{3,}/.exec(line)?.[0]
  if (colons === undefined) return undefined
  const rest = line.slice(colons.length)
  const blank = rest.length - rest.replace(/^[ \t]+/, '').length
  const name = /^[\w-]*/.exec(rest.slice(blank))?.[0] ?? ''
  const labelFrom = colons.length + blank + name.length
  return { name, labelFrom, label: line.slice(labelFrom) }
}

const fence = /^ {0,3}(`{3,}|~{3,})/

/**
 * Finds the containers at the start of lines, outside of code. One inside of another is part of its text; one
 * that does not end is none.
 */
export function containersIn(text: string): readonly Container[] {
  const found: Container[] = []
  let open:
    | { readonly from: number; readonly name: string; readonly label: Span; readonly inside: number }
    | undefined
  let depth = 0
  let code = ''
  let at = 0
  for (const piece of text.split(/(?<=\n)/)) {
    const line = piece.replace(/\r?\n$/, '')
    const ticks = fence.exec(line)?.[1] ?? ''
    if (code === '' && ticks !== '') code = ticks
    else if (code !== '' && ticks.startsWith(code) && line.trim() === ticks) code = ''
    const mark = code === '' ? markOf(line) : undefined
    if (mark && mark.name !== '') {
      depth += 1
      const from = at + mark.labelFrom
      const label = { from, to: from + mark.label.length }
      open ??= { from: at, name: mark.name, label, inside: at + piece.length }
    } else if (mark && open && mark.label.trim() === '') {
      depth -= 1
      if (depth === 0) {
        const { inside: from, ...rest } = open
        found.push({ ...rest, inside: { from, to: at }, to: at + line.length })
        open = undefined
      }
    }
    at += piece.length
  }
  return found
}

/**
 * Returns a text of the same length in which each container is fenced code, which every flavour of Markdown
 * reads as one node, also behind a paragraph.
 */
export function withoutContainers(text: string, containers: readonly Span[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { from, to } of containers) {
    const lines = text.slice(from, to).split('\n')
    const masked = lines.map((line, n) => {
      const isMark = n === 0 || n === lines.length - 1
      return (isMark ? '~~~' : '').padEnd(line.replace(/\r$/, '').length) + (line.endsWith('\r') ? '\r' : '')
    })
    pieces.push(text.slice(at, from), masked.join('\n'))
    at = to
  }
  return pieces.join('') + text.slice(at)
}
