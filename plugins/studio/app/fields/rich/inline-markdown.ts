/** The inline part of the Markdown of content: bold, italic, links and line breaks. Everything else is text. */
import MarkdownIt from 'markdown-it'
import { make, markOf, type Mark, type Node } from './schema.ts'

const parser = new MarkdownIt('zero', { breaks: true }).enable([
  'heading',
  'list',
  'emphasis',
  'link',
  'newline',
  'escape',
])
// An address stays as it was written.
parser.normalizeLink = (href) => href

export const parse = (text: string) => parser.parse(text, {})
export type Token = ReturnType<typeof parse>[number]

/** Reads the tokens of a text. */
export function readInline(tokens: readonly Token[]): readonly Node[] {
  const marks: (readonly Mark[])[] = [[]]
  return tokens.flatMap((token) => {
    const [open = []] = marks
    if (token.nesting === 1) marks.unshift(markOfToken(token).addToSet(open))
    else if (token.nesting === -1) marks.shift()
    else return token.type === 'text' ? make.text(token.content, open) : [make.break(open)]
    return []
  })
}

function markOfToken(token: Token): Mark {
  if (token.type !== 'link_open') return token.type === 'em_open' ? make.em : make.strong
  const [href, title] = ['href', 'title'].map((name) => token.attrGet(name)?.toString())
  return make.link({ href: href ?? '', ...(title !== undefined && { title }) })
}

const punctuation = /[!-/:-@[-`{-~]/
const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char)
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/**
 * Writes nodes as a text that reads as the same nodes. Emphasis in the middle of a word may have no such text: then it is
 * left out, and the words stay.
 */
export function writeInline(parent: Node): string {
  const ways = ['*', '_', ''].map((em) => writeNodes(parent.children, em))
  const wanted = charactersOf(parent.children)
  const right = ways.find(
    (text) => charactersOf(parse(text).flatMap(({ children }) => readInline(children ?? []))) === wanted,
  )
  return (
    right ??
    writeNodes(
      parent.children.map((node) => node.mark([])),
      '',
    )
  )
}

/** The characters of nodes with their marks; blanks have none, because theirs are not seen. */
function charactersOf(nodes: readonly Node[]): string {
  const all = nodes.flatMap((node) => {
    const marks = node.marks
      .map(({ type, attrs }) => `${type.name} ${String(attrs['href'] ?? '')}`)
      .toSorted()
    return Array.from(node.text ?? '\n', (char) => (/\s/.test(char) ? char : JSON.stringify([char, marks])))
  })
  const lines = all.join('').split('\n')
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
}

/** Writes nodes with a sign for italics; without one, they are not written. */
function writeNodes(children: readonly Node[], em: string): string {
  const hasLinks =
    children.some((node) => markOf(node, 'link')) ||
    children
      .map((node) => node.text)
      .join('')
      .includes('](')
  let text = ''
  let open: readonly Delimiter[] = []
  for (const node of [...trimmed(children), undefined]) {
    const wanted = node ? delimitersOf(node, em) : []
    const kept = open.findIndex((each, index) => !isEqual(each, wanted[index]))
    const still = kept === -1 ? open : open.slice(0, kept)
    for (const each of open.slice(still.length).toReversed()) text += each.close
    const fresh = wanted.slice(still.length)
    text += fresh.map((each) => each.open).join('')
    open = [...still, ...fresh]
    if (node) text += node.isText ? escaped(node.text ?? '', text, hasLinks) : '\n'
  }
  // An empty line would end the block.
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => lineStart(line.trimStart())).join('\n')
}

interface Delimiter {
  readonly mark: Mark
  readonly open: string
  readonly close: string
}

const isEqual = (one: Delimiter, other: Delimiter | undefined): boolean =>
  other !== undefined && one.mark.eq(other.mark)

function delimitersOf(node: Node, sign: string): readonly Delimiter[] {
  const link = markOf(node, 'link')
  const strong = markOf(node, 'strong')
  const em = markOf(node, 'em')
  const href = String(link?.attrs['href'] ?? '')
    .replaceAll(/[\\()]/g, String.raw`\$&`)
    .replaceAll(/\s/g, '%20')
  const title = link?.attrs['title']
    ? ` "${String(link.attrs['title']).replaceAll(/["\\]/g, String.raw`\$&`)}"`
    : ''
  return [
    ...(link ? [{ mark: link, open: '[', close: `](${href}${title})` }] : []),
    ...(strong ? [{ mark: strong, open: '**', close: '**' }] : []),
    ...(em && sign !== '' ? [{ mark: em, open: sign, close: sign }] : []),
  ]
}

/** Blanks at the edges of emphasis stand outside of it, where they mean the same. */
function trimmed(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node, at) => {
    const plain = node.marks.filter(({ type }) => type.name === 'link')
    const { text = '' } = node
    if (!node.isText || plain.length === node.marks.length)
      return node.isText || plain.length > 0 ? [node] : [node.mark(plain)]
    const isInner = (other: Node | undefined): boolean =>
      other !== undefined && other.isText && node.marks.every((mark) => mark.isInSet(other.marks))
    const [lead = ''] = isInner(nodes[at - 1]) ? [] : (/^\s+/.exec(text) ?? [])
    const tail = isInner(nodes[at + 1]) || lead === text ? '' : text.slice(text.trimEnd().length)
    const inner = text.slice(lead.length, text.length - tail.length)
    return [...make.text(lead, plain), ...make.text(inner, node.marks), ...make.text(tail, plain)]
  })
}

/** Text with a backslash where it would be read as something else. */
function escaped(text: string, before: string, hasLinks: boolean): string {
  const isKept = (char: string, previous: string | undefined, next: string | undefined): boolean => {
    // At the end of a line, also before blanks that are dropped there, it would be a line break.
    if (char === '\\') return !isSpace(next) && !punctuation.test(next ?? '')
    if (char === '[' || char === ']') return !hasLinks
    return (isSpace(previous) && isSpace(next)) || (char === '_' && isWord(previous) && isWord(next))
  }
  return text.replaceAll(/[\\*_[\]]/g, (char, at: number) =>
    isKept(char, at === 0 ? before.at(-1) : text[at - 1], text[at + 1]) ? char : `\\${char}`,
  )
}

/** The start of a line that would be read as a heading or a list. */
const lineStart = (line: string): string =>
  line.replace(/^(\d{1,9}(?=[.)])|(?=[#+*-]))(?=.(?:[#\s]|$))/, '$1\\')
