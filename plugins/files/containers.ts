/**
 * Containers between lines of `:::`, or of tags of Markdoc, which parsers of plain Markdown read as
 * paragraphs.
 */
import type { Span } from './ranges.ts'

export interface Container extends Span {
  readonly name: string
  /** What follows the name on the first line. */
  readonly label: Span
  /** The lines between the marks; empty if there are none, also of a tag that closes itself. */
  readonly inside: Span
}

/** A line that is a mark. */
interface Mark {
  readonly role: 'open' | 'close' | 'whole'
  readonly name: string
  /** Where in the line what follows the name begins, and what that is. */
  readonly labelFrom: number
  readonly label: string
}

function colonMark(line: string): Mark | undefined {
  const [lead = ''] = /^:{3,}[ \t]*/.exec(line) ?? []
  const [name = ''] = /^[\w-]+/.exec(line.slice(lead.length)) ?? []
  const label = line.slice(lead.length + name.length)
  if (lead === '' || (name === '' && label.trim() !== '')) return undefined
  return { role: name === '' ? 'close' : 'open', name, labelFrom: lead.length + name.length, label }
}

function tagMark(line: string): Mark | undefined {
  const [lead = ''] = /^\{%[ \t]*\/?/.exec(line) ?? []
  const mark = line.trimEnd()
  if (lead === '' || !mark.endsWith('%}')) return undefined
  const isWhole = mark.endsWith('/%}')
  const inside = mark.slice(lead.length, isWhole ? -3 : -2)
  const [name = ''] = /^[\w-]+/.exec(inside) ?? []
  const label = inside.slice(name.length)
  if (name === '' || label.includes('%}')) return undefined
  const role = lead.endsWith('/') ? 'close' : isWhole ? 'whole' : 'open'
  return { role, name, labelFrom: lead.length + name.length, label }
}

const fence = /^ {0,3}(`{3,}|~{3,})/

/**
 * Finds the containers at the start of lines, outside of code, also those of Markdoc. One inside of another is
 * part of its text; one that does not end is none.
 */
export function containersIn(text: string, { markdoc = false }: { readonly markdoc?: boolean } = {}) {
  const found: Container[] = []
  let open: (Omit<Container, 'to' | 'inside'> & { readonly inside: number }) | undefined
  let depth = 0
  let code = ''
  let at = 0
  for (const piece of text.split(/(?<=\n)/)) {
    const line = piece.replace(/\r?\n$/, '')
    const ticks = fence.exec(line)?.[1] ?? ''
    if (code === '' && ticks !== '') code = ticks
    else if (code !== '' && ticks.startsWith(code) && line.trim() === ticks) code = ''
    const mark = code === '' ? (colonMark(line) ?? (markdoc ? tagMark(line) : undefined)) : undefined
    if (mark && mark.role !== 'close') {
      const from = at + mark.labelFrom
      const start = { from: at, name: mark.name, label: { from, to: from + mark.label.length } }
      const to = at + line.length
      if (mark.role === 'open') {
        depth += 1
        open ??= { ...start, inside: at + piece.length }
      } else if (!open) found.push({ ...start, inside: { from: to, to }, to })
    } else if (mark && open) {
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
 * Returns a text of the same length in which each container is fenced code, or a ruler if it is one line,
 * which every flavour of Markdown reads as one node, also behind a paragraph.
 */
export function withoutContainers(text: string, containers: readonly Span[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { from, to } of containers) {
    const lines = text.slice(from, to).split('\n')
    const masked = lines.map((line, n) => {
      const isMark = n === 0 || n === lines.length - 1
      return (
        (lines.length === 1 ? '***' : isMark ? '~~~' : '').padEnd(line.replace(/\r$/, '').length) +
        (line.endsWith('\r') ? '\r' : '')
      )
    })
    pieces.push(text.slice(at, from), masked.join('\n'))
    at = to
  }
  return pieces.join('') + text.slice(at)
}
