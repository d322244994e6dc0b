import { type TextNode, toInline } from './adf-inline.ts'

/** A node of Atlassian Document Format other than text. */
export interface BlockNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly content?: readonly AdfNode[]
}
export type AdfNode = TextNode | BlockNode

export interface AdfDoc {
  readonly type: 'doc'
  readonly version: 1
  readonly content: readonly BlockNode[]
}

/** The maximum number of characters of a comment. */
export const longestComment = 30_000

/** A block, and the number of its source lines. */
interface Taken {
  readonly block: BlockNode
  readonly lines: number
}

/**
 * Converts light markdown to a document: a paragraph per line, headings, lists, tables, and the marks of
 * {@link toInline}. Omits HTML comments, and everything beyond 30,000 characters.
 */
export function toAdf(markdown: string): AdfDoc {
  const lines = withoutComments(markdown)
    .slice(0, longestComment)
    .toWellFormed()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const content: BlockNode[] = []
  for (let at = 0; at < lines.length;) {
    const { block, lines: count } =
      table(lines, at) ?? list(lines, at, bullet) ?? list(lines, at, numbered) ?? single(lines[at] ?? '')
    content.push(block)
    at += count
  }
  return {
    type: 'doc',
    version: 1,
    content: content.length > 0 ? content : [{ type: 'paragraph', content: [] }],
  }
}

/** Uses a loop, because a regular expression would search the complete text for each missing end. */
function withoutComments(text: string): string {
  let kept = ''
  for (let at = 0; ;) {
    const start = text.indexOf('<!--', at)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 3
  }
}

const single = (line: string): Taken => {
  const [, marks, title] = /^\s*(#{1,6})\s+(.*)$/.exec(line) ?? []
  const block =
    marks === undefined
      ? paragraph(line)
      : { type: 'heading', attrs: { level: marks.length }, content: toInline(title?.trim() ?? '') }
  return { block, lines: 1 }
}

const paragraph = (text: string): BlockNode => ({ type: 'paragraph', content: toInline(text.trim()) })

const bullet = { type: 'bulletList', item: /^\s*[-*] +(\S.*)$/ } as const
const numbered = { type: 'orderedList', item: /^\s*\d{1,4}[.)] +(\S.*)$/ } as const

function list(
  lines: readonly string[],
  from: number,
  { type, item }: typeof bullet | typeof numbered,
): Taken | undefined {
  const content: BlockNode[] = []
  for (
    let text = item.exec(lines[from] ?? '')?.[1];
    text !== undefined;
    text = item.exec(lines[from + content.length] ?? '')?.[1]
  ) {
    content.push({ type: 'listItem', content: [paragraph(text)] })
  }
  return content.length === 0 ? undefined : { block: { type, content }, lines: content.length }
}

const isRow = (line = ''): boolean => /^\s*\|.*\|\s*$/.test(line)
const isSeparator = (line = ''): boolean => isRow(line) && /^[\s|:-]+$/.test(line) && line.includes('-')

function table(lines: readonly string[], from: number): Taken | undefined {
  if (!isRow(lines[from]) || !isSeparator(lines[from + 1])) return undefined
  let end = from + 2
  while (isRow(lines[end])) end++
  const width = cellsOf(lines[from] ?? '').length
  const row = (line: string, type: 'tableHeader' | 'tableCell'): BlockNode => {
    const cells = cellsOf(line)
    return {
      type: 'tableRow',
      content: Array.from({ length: width }, (_, at) => ({
        type,
        attrs: {},
        content: [paragraphOfCell(cells[at])],
      })),
    }
  }
  const body = lines.slice(from + 2, end).map((line) => row(line, 'tableCell'))
  return {
    block: { type: 'table', content: [row(lines[from] ?? '', 'tableHeader'), ...body] },
    lines: end - from,
  }
}

const cellsOf = (line: string): readonly string[] => line.trim().slice(1, -1).split('|')
/** An empty cell contains a space, because empty text nodes are not allowed. */
const paragraphOfCell = (text = ''): BlockNode =>
  text.trim() === '' ? { type: 'paragraph', content: [{ type: 'text', text: ' ' }] } : paragraph(text)

/** Converts a document to the wiki notation of Jira Server. Escapes macros, images and mentions. */
export function toWiki({ content }: AdfDoc): string {
  return content.map((node) => block(node)).join('\n')
}

function block(node: AdfNode): string {
  if ('text' in node) return inline(node)
  const children = node.content ?? []
  const inside = (): string => children.map(block).join('')
  if (node.type === 'heading') return `h${String(node.attrs?.['level'])}. ${inside()}`
  if (node.type === 'bulletList') return children.map((item) => `* ${block(item)}`).join('\n')
  if (node.type === 'orderedList') return children.map((item) => `# ${block(item)}`).join('\n')
  if (node.type === 'table') return children.map(block).join('\n')
  if (node.type === 'tableRow') {
    const border = children.some(({ type }) => type === 'tableHeader') ? '||' : '|'
    return `${border}${children.map(block).join(border)}${border}`
  }
  return inside()
}

function inline({ text, marks = [] }: TextNode): string {
  return marks.reduceRight(
    (inner, mark) => {
      if (mark.type === 'link')
        return `[${inner}|${mark.attrs.href.replaceAll('|', '%7C').replaceAll(']', '%5D')}]`
      const sign = mark.type === 'strong' ? '*' : mark.type === 'em' ? '_' : ''
      return `${sign}${inner}${sign}`
    },
    text.replace(/[\\{}[\]|!*_^~]/g, '\\$&'),
  )
}
