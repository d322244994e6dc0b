/** The Markdown of content, read as a website renders it: paragraphs, headings and lists. */
import { nodesOf, type Cell } from './cells.ts'
import type { Format, Place, Placed } from './format.ts'
import { writeCells, writeInline } from './inline-markdown.ts'
import { parse, readInline, type Token } from './inline-read.ts'
import { make, type Node } from './schema.ts'

interface Line {
  readonly start: number
  readonly text: string
}
interface BlockSource {
  readonly tokens: ArrayIterator<Token>
  readonly lines: readonly Line[]
}

function readBlocks(text: string): readonly Placed[] {
  const lines = Array.from(text.matchAll(/([^\n\r]*)(?:\r\n?|\n|$)/g), ({ index, 1: line = '' }) => ({
    start: index,
    text: line,
  }))
  const tokens = parse(text.replaceAll(/^([ \t]*)•(?=[ \t])/gm, '$1-')).values()
  return Array.from(tokens, (token) => {
    const [first = 0, next = 0] = token.map ?? []
    const start = lines[first]?.start ?? 0
    const last = lines.slice(first, next).findLast((line) => line.text.trim() !== '')
    return {
      ...blockAt(token, { tokens, lines }, start),
      start,
      end: last ? last.start + last.text.length : 0,
    }
  })
}

/** Reads the block that a token begins, which is behind a position. */
function blockAt(token: Token, reading: BlockSource, from: number): Placed {
  if (token.type === 'heading_open' || token.type === 'paragraph_open') return textAt(token, reading)
  if (token.type === 'list_item_open') return itemAt(token, reading, from)
  const children = blocksIn(reading, from)
  const nodes = children.map(({ node }) => node)
  const isNumbered = token.type === 'ordered_list_open'
  const range = rangeOf(children, from)
  const node = make.list(isNumbered ? Number(token.attrGet('start') ?? 1) : undefined, nodes)
  return { node, ...range, inner: range, children }
}

/** Reads the blocks up to the end of what is around them. */
function blocksIn(reading: BlockSource, from: number): readonly Placed[] {
  const blocks: Placed[] = []
  for (const token of reading.tokens) {
    if (token.nesting === -1) break
    blocks.push(blockAt(token, reading, from))
  }
  return blocks
}

const rangeOf = (parts: readonly { readonly start: number; readonly end: number }[], from: number) => ({
  start: parts[0]?.start ?? from,
  end: parts.at(-1)?.end ?? from,
})

function itemAt({ map }: Token, reading: BlockSource, from: number): Placed {
  const line = reading.lines[map?.[0] ?? 0] ?? { start: 0, text: '' }
  // A list may begin in the line of the row that it is in.
  const column = Math.max(0, from - line.start)
  const [, blank = '', sign = ''] = /^(\s*)(\S+(?:[ \t]+(?=\S))?)/.exec(line.text.slice(column)) ?? []
  const start = line.start + column + blank.length
  const children = blocksIn(reading, start + sign.length)
  const inner = { start: start + sign.length, end: rangeOf(children, start + sign.length).end }
  return { node: make.item(children.map(({ node }) => node)), start, end: inner.end, inner, children }
}

function textAt({ type, tag, map }: Token, { tokens, lines }: BlockSource): Placed {
  const isHeading = type === 'heading_open'
  const inline = tokens.next().value
  tokens.next()
  const cells = inline ? placed(inline, lines.slice(map?.[0] ?? 0), isHeading) : { all: [], start: 0, end: 0 }
  const { all, ...range } = cells
  const nodes = nodesOf(all)
  const node = isHeading ? make.heading(Number(tag.slice(1)), nodes) : make.paragraph(nodes)
  return { node, ...range, inner: range, cells: all }
}

/** Reads the characters of a text, and where they are in the lines of the source. */
function placed({ content, children }: Token, lines: readonly Line[], isHeading: boolean) {
  let offset = 0
  const rows = content.split('\n').map((row, at) => {
    const { start, text } = lines[at] ?? { start: 0, text: '' }
    const own = row.trim()
    const sign = isHeading ? (/^\s*#+[ \t]*/.exec(text)?.[0].length ?? 0) : text.trimEnd().length - own.length
    const blank = row.length - row.trimStart().length
    const from = offset
    offset += row.length + 1
    return {
      from,
      to: offset,
      start: start + sign,
      end: start + sign + own.length,
      shift: start + sign - blank - from,
    }
  })
  const all: Cell[] = []
  for (const cell of readInline(children ?? [])) {
    const at = rows.findIndex(({ to }) => cell.start < to)
    const { shift = 0 } = rows[at] ?? {}
    const [start, end] = [cell.start + shift, cell.end + shift]
    // A line break has the blanks around it.
    const isBreak = cell.char === '\n'
    const line = lines[at]
    const before = isBreak && line ? line.start + withoutBlanks(line.text, start - line.start) : start
    all.push({
      ...cell,
      start: isBreak ? Math.max(before, all.at(-1)?.end ?? 0) : start,
      end: isBreak ? (rows[at + 1]?.start ?? end) : end,
    })
  }
  return { all, start: rows[0]?.start ?? 0, end: rows.at(-1)?.end ?? 0 }
}

/** Returns where a text ends before the blanks in front of a place. */
function withoutBlanks(text: string, end: number): number {
  let at = end
  while (text[at - 1] === ' ') at -= 1
  return at
}

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

/** Writes a row with the sign of the others, or what is in a row. */
function writeChild(child: Node, inside: Place, index: number): string {
  const { part, source } = inside
  const indent = columnOf(inside)
  if (child.isTextblock) return writeInline(child).replaceAll('\n', `\n${indent}`)
  if (child.type.name !== 'list_item') return writeList(child, indent).join('\n').trimStart()
  const [other] = part.children ?? []
  const sign = other ? source.slice(other.start, other.inner.start).trimEnd() : '-'
  const number = Number(part.node.attrs['order'] ?? 1) + index
  return writeItem(child, sign.replace(/^\d+/, String(number)), indent).join('\n')
}

/** The blanks under the signs in front of what is in a part. */
function columnOf({ source, part }: Place): string {
  const start = part.children?.[0]?.start ?? part.inner.start
  const ahead = source.slice(0, start)
  return ' '.repeat(start - 1 - Math.max(ahead.lastIndexOf('\n'), ahead.lastIndexOf('\r')))
}

function between(inside?: Place): string {
  if (!inside) return '\n\n'
  const [first, second] = inside.part.children ?? []
  const isList = inside.part.node.type.name !== 'list_item'
  return isList && first && second ? inside.source.slice(first.end, second.start) : `\n${columnOf(inside)}`
}

function writeList(list: Node, indent: string): readonly string[] {
  const start = Number(list.attrs['order'] ?? 1)
  return list.children.flatMap((item, index) => {
    const [first = '', ...others] = writeItem(
      item,
      list.type.name === 'ordered_list' ? `${start + index}.` : '-',
      indent,
    )
    return [`${indent}${first}`, ...others]
  })
}

/** Writes a row, whose first line is at its place already. */
function writeItem(item: Node, sign: string, indent: string): readonly string[] {
  const inside = `${indent}${' '.repeat(sign.length + 1)}`
  const [text, ...lists] = item.children
  const lines = (text ? writeInline(text) : '').split('\n').join(`\n${inside}`)
  return [`${sign} ${lines}`, ...lists.flatMap((each) => writeList(each, inside))]
}

export const markdown: Format = {
  read: readBlocks,
  write,
  writeChild,
  writeCells: (cells, range, place) => writeCells(cells, range).replaceAll('\n', `\n${columnOf(place)}`),
  between,
}
