/** Containers between lines of `:::`, which parsers of plain Markdown read as a paragraph. */
import type { Span } from './ranges.ts'

export interface Container extends Span {
  readonly name: string
  /** What follows the name on the first line. */
  readonly label: Span
  /** The lines between the marks; empty if there are none. */
  readonly inside: Span
}

const mark = /^(:{3,})([ \t]*)([\w-]*)([^\r\n]*)$/
const fence = /^ {0,3}(`{3,}|~{3,})/

/**
 * Finds the containers at the start of lines, outside of code. One inside of another is part of its text; one that
 * does not end is none.
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
    const [whole, colons = '', blank = '', name = '', label = ''] = (code === '' && mark.exec(line)) || []
    if (whole !== undefined && name !== '') {
      depth += 1
      const from = at + colons.length + blank.length + name.length
      open ??= { from: at, name, label: { from, to: from + label.length }, inside: at + piece.length }
    } else if (whole !== undefined && open && label.trim() === '') {
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
