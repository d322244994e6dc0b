/** The Markdown of content: paragraphs, headings and lists. */
import type { Format, Piece } from './format.ts'
import { readInline, writeInline } from './inline-markdown.ts'
import { make, type Node } from './schema.ts'

const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const itemLine = /^([ \t]*)([-*+•]|\d{1,9}[.)])[ \t]+(.*)$/
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** Some lines of the text that are one block. */
interface Block {
  readonly node: Node
  readonly end: number
}

function read(text: string): { readonly pieces: readonly Piece[]; readonly after: string } {
  const lines = text.split('\n')
  const pieces: Piece[] = []
  let last = 0
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const { node, end } = headingAt(lines, at) ?? listAt(lines, at) ?? paragraphAt(lines, at)
    const before = lines
      .slice(last, at)
      .map((line) => `${line}\n`)
      .join('')
    pieces.push({
      node,
      source: lines.slice(at, end).join('\n'),
      before: last === 0 ? before : `\n${before}`,
    })
    last = end
    at = end
  }
  const rest = lines.slice(last)
  return { pieces, after: last === 0 ? '' : rest.map((line) => `\n${line}`).join('') }
}

function headingAt(lines: readonly string[], at: number): Block | undefined {
  const [, signs, text = ''] = headingLine.exec(lines[at] ?? '') ?? []
  if (signs === undefined) return undefined
  return { node: make.heading(signs.length, readInline(withoutSigns(text.trim()))), end: at + 1 }
}

/** The text of a heading without the signs that may stand at its end. */
function withoutSigns(text: string): string {
  const words = text.split(/[ \t]/)
  return /^#+$/.test(words.at(-1) ?? '') ? words.slice(0, -1).join(' ').trimEnd() : text
}

const startsBlock = (line: string): boolean => headingLine.test(line) || itemLine.test(line)

/** The lines from `at` to the next block. */
function linesOf(lines: readonly string[], at: number): readonly string[] {
  const end = lines.findIndex((line, index) => index > at && (isBlank(line) || startsBlock(line)))
  return lines.slice(at, end === -1 ? undefined : end)
}

function paragraphAt(lines: readonly string[], at: number): Block {
  const own = linesOf(lines, at)
  return { node: make.paragraph(readInline(own.map((line) => line.trim()).join('\n'))), end: at + own.length }
}

/** A list with the lists inside its rows, which are indented. */
function listAt(lines: readonly string[], at: number): Block | undefined {
  const [, indent, sign] = itemLine.exec(lines[at] ?? '') ?? []
  if (indent === undefined || sign === undefined) return undefined
  const depth = widthOf(indent)
  const isNumbered = /\d/.test(sign)
  const items: Node[] = []
  let end = at
  for (;;) {
    const next = lines.findIndex((line, index) => index >= end && !isBlank(line))
    const [, blank, marker, first = ''] = itemLine.exec(lines[next] ?? '') ?? []
    const isSibling =
      marker !== undefined && /\d/.test(marker) === isNumbered && widthOf(blank ?? '') < depth + 2
    if (next === -1 || !isSibling || widthOf(blank ?? '') < depth) break
    const own = linesOf(lines, next)
    end = next + own.length
    const inner: Node[] = []
    for (;;) {
      const [, deeper] = itemLine.exec(lines[end] ?? '') ?? []
      const list = deeper !== undefined && widthOf(deeper) >= depth + 2 ? listAt(lines, end) : undefined
      if (!list) break
      inner.push(list.node)
      end = list.end
    }
    items.push(make.item(readInline([first, ...own.slice(1).map((line) => line.trim())].join('\n')), inner))
  }
  return { node: make.list(isNumbered ? Number.parseInt(sign, 10) : undefined, items), end }
}

const widthOf = (blank: string): number => blank.replaceAll('\t', '    ').length

function write(block: Node): string {
  const { name } = block.type
  if (name === 'paragraph') return writeInline(block)
  if (name !== 'heading') return writeList(block, '').join('\n')
  // Signs at its end would be read as the end of the heading.
  const text = writeInline(block)
    .replaceAll('\n', ' ')
    .replace(/(?<=\s|^)(#+\s*)$/, String.raw`\$1`)
  return `${'#'.repeat(Number(block.attrs['level']))} ${text}`
}

function writeList(list: Node, indent: string): readonly string[] {
  const start = Number(list.attrs['order'] ?? 1)
  return list.children.flatMap((item, index) => {
    const sign = list.type.name === 'ordered_list' ? `${start + index}.` : '-'
    const inside = `${indent}${' '.repeat(sign.length + 1)}`
    const [text, ...lists] = item.children
    const lines = (text ? writeInline(text) : '').split('\n').join(`\n${inside}`)
    return [`${indent}${sign} ${lines}`, ...lists.flatMap((each) => writeList(each, inside))]
  })
}

export const markdown: Format = { read, write, between: '\n\n' }
