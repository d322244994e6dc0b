import MarkdownIt from 'markdown-it'

type Mark =
  | { readonly type: 'strong' | 'em' | 'code' }
  | { readonly type: 'link'; readonly attrs: { readonly href: string } }

interface TextNode {
  readonly type: 'text'
  readonly text: string
  readonly marks?: readonly Mark[]
}

/** A node of Atlassian Document Format other than text. */
interface BlockNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly content: AdfNode[]
}
export type AdfNode = TextNode | BlockNode

export interface AdfDoc {
  readonly type: 'doc'
  readonly version: 1
  readonly content: readonly BlockNode[]
}

/** The maximum number of characters of a comment. */
export const maxCommentCharacters = 30_000

const parser = new MarkdownIt('zero').enable(['emphasis', 'backticks', 'link'])
// Other schemes could run a program.
parser.validateLink = (href) => /^(?:https?:\/\/|mailto:)./i.test(href)

/**
 * Converts light markdown to a document: a paragraph per line, headings, lists, tables, and the marks strong,
 * em, code and link. Omits HTML comments, and everything beyond 30,000 characters.
 */
export function toAdf(markdown: string): AdfDoc {
  const lines = markdown
    .slice(0, maxCommentCharacters)
    .replaceAll(/<!--[^]*?(?:-->|$)/g, '')
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const content: BlockNode[] = []
  let width = 0
  for (const [at, line] of lines.entries()) {
    const last = content.at(-1)
    const header = lines[at - 1] ?? ''
    const block = toBlock(line)
    if (last?.type === 'paragraph' && isSeparator(line) && isRow(header)) {
      width = header.split('|').length - 2
      content.splice(-1, 1, { type: 'table', content: [toRow(header, 'tableHeader', width)] })
    } else if (last?.type === 'table' && isRow(line)) last.content.push(toRow(line, 'tableCell', width))
    else if (last?.type === block.type && block.type.endsWith('List')) last.content.push(...block.content)
    else content.push(block)
  }
  return {
    type: 'doc',
    version: 1,
    content: content.length > 0 ? content : [{ type: 'paragraph', content: [] }],
  }
}

const paragraph = (text: string): BlockNode => ({ type: 'paragraph', content: toInline(text) })

function toBlock(line: string): BlockNode {
  const [, marks, title = ''] = /^(#{1,6})\s+(\S.*)$/s.exec(line) ?? []
  if (marks !== undefined)
    return { type: 'heading', attrs: { level: marks.length }, content: toInline(title) }
  const [, sign = '', item = ''] = /^([-*]|\d{1,4}[.)]) +(\S.*)$/.exec(line) ?? []
  return item === ''
    ? paragraph(line)
    : {
        type: /\d/.test(sign) ? 'orderedList' : 'bulletList',
        content: [{ type: 'listItem', content: [paragraph(item)] }],
      }
}

const isRow = (line: string): boolean => /^\|.*\|$/.test(line)
const isSeparator = (line: string): boolean => isRow(line) && /^[\s|:-]+$/.test(line) && line.includes('-')

/** An empty cell contains a space, because empty text nodes are not allowed. */
function toRow(line: string, type: 'tableHeader' | 'tableCell', width: number): BlockNode {
  const cells = line.split('|').slice(1)
  const content = Array.from({ length: width }, (_, at): BlockNode => {
    return { type, attrs: {}, content: [paragraph(cells[at]?.trim() || ' ')] }
  })
  return { type: 'tableRow', content }
}

/** Converts the marks in a line; they nest, except in code. */
function toInline(line: string): AdfNode[] {
  const open: (Mark | undefined)[] = []
  return parser
    .parseInline(line, {})
    .flatMap(({ children }) => children ?? [])
    .flatMap((token): readonly TextNode[] => {
      const { type, nesting, content } = token
      if (nesting < 0) open.pop()
      if (nesting > 0) open.push(toMark(type, String(token.attrGet('href') ?? '')))
      if (content === '') return []
      const held = open.filter((mark) => mark !== undefined)
      const marks: readonly Mark[] =
        type === 'code_inline'
          ? [...held.filter((mark) => mark.type === 'link'), { type: 'code' }]
          : held.filter((mark, at) => held.findIndex((each) => each.type === mark.type) === at)
      return [{ type: 'text', text: content, ...(marks.length > 0 && { marks }) }]
    })
}

/** A link without an address has no mark. */
function toMark(token: string, href: string): Mark | undefined {
  if (token === 'link_open') return href === '' ? undefined : { type: 'link', attrs: { href } }
  return { type: token === 'em_open' ? 'em' : 'strong' }
}

/** Converts a document to the wiki notation of Jira Server. Escapes macros, images and mentions. */
export const toWiki = ({ content }: AdfDoc): string => content.map(toWikiBlock).join('\n')

function toWikiBlock(node: AdfNode): string {
  if (!('content' in node)) return toWikiText(node)
  const children = node.content.map(toWikiBlock)
  const text = children.join('')
  if (node.type === 'heading') return `h${String(node.attrs?.['level'])}. ${text}`
  if (node.type === 'bulletList') return children.map((item) => `* ${item}`).join('\n')
  if (node.type === 'orderedList') return children.map((item) => `# ${item}`).join('\n')
  if (node.type === 'table') return children.join('\n')
  if (node.type !== 'tableRow') return text
  const border = node.content.some(({ type }) => type === 'tableHeader') ? '||' : '|'
  return `${border}${children.join(border)}${border}`
}

const signs = { strong: '*', em: '_', code: '' }

const toWikiText = ({ text, marks = [] }: TextNode): string =>
  marks.reduceRight(
    (inner, mark) =>
      mark.type === 'link'
        ? `[${inner}|${mark.attrs.href.replaceAll('|', '%7C').replaceAll(']', '%5D')}]`
        : `${signs[mark.type]}${inner}${signs[mark.type]}`,
    text.replace(/[\\{}[\]|!*_^~]/g, '\\$&'),
  )
