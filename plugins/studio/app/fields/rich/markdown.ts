/** The Markdown of content, read as a website renders it: paragraphs, headings and lists. */
import type { TextBlock, Format } from './format.ts'
import { parse, readInline, writeInline, type Token } from './inline-markdown.ts'
import { make, type Node } from './schema.ts'

type Tokens = ArrayIterator<Token>

function readBlocks(text: string): readonly TextBlock[] {
  const lines = [...text.matchAll(/([^\n\r]*)(?:\r\n?|\n|$)/g)]
  const tokens = parse(text.replaceAll(/^([ \t]*)•(?=[ \t])/gm, '$1-')).values()
  return Array.from(tokens, (token) => {
    const node = blockAt(token, tokens)
    const [first = 0, next = 0] = token.map ?? []
    const last = lines.slice(first, next).findLast(([line]) => line.trim() !== '')
    return { node, start: lines[first]?.index ?? 0, end: last ? last.index + (last[1]?.length ?? 0) : 0 }
  })
}

/** Reads the block that a token begins. */
function blockAt(token: Token, tokens: Tokens): Node {
  switch (token.type) {
    case 'heading_open':
      return make.heading(Number(token.tag.slice(1)), textIn(tokens))
    case 'paragraph_open':
      return make.paragraph(textIn(tokens))
    case 'list_item_open':
      return make.item(blocksIn(tokens))
    default:
      return make.list(
        token.type === 'ordered_list_open' ? Number(token.attrGet('start') ?? 1) : undefined,
        blocksIn(tokens),
      )
  }
}

/** Reads the blocks up to the end of what is around them. */
function blocksIn(tokens: Tokens): readonly Node[] {
  const blocks: Node[] = []
  for (const token of tokens) {
    if (token.nesting === -1) break
    blocks.push(blockAt(token, tokens))
  }
  return blocks
}

function textIn(tokens: Tokens): readonly Node[] {
  const text = tokens.next().value
  tokens.next()
  return readInline(text?.children ?? [])
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

export const markdown: Format = { read: readBlocks, write, between: '\n\n' }
