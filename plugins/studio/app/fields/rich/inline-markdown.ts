/** The inline part of the Markdown of content: bold, italic, links and line breaks. Everything else is text. */
import MarkdownIt from 'markdown-it'
import {
  isLink,
  isStuck,
  names,
  nested,
  nextOf,
  spansOf,
  spanText,
  waysWith,
  type Span,
} from './inline-spans.ts'
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
 * Writes nodes as a text that reads as the same nodes. Emphasis that touches letters may have no such text: then it leaves
 * out quotes, brackets and stops at its edges, or is left out, and everything else stays.
 */
export function writeInline(parent: Node): string {
  const nodes = parent.children.map(withoutRefused)
  const text = spanText(nodes)
  const all = spansOf(nodes)
  let spans = nested(
    text,
    all.flatMap((span) => (isStuck(text, span, all) ? nextOf(text, span, all) : [span])),
  )
  const gone: Span[] = []
  for (;;) {
    const wrong = firstWrong(text, spans)
    const span = wrong === undefined ? undefined : blamed(spans, wrong)
    if (!span) break
    const instead = nextOf(text, span, spans)
    if (instead.length === 0) gone.push(span)
    spans = nested(text, [...spans.filter((each) => each !== span), ...instead])
  }
  // What was left out may fit with other signs around it.
  for (const span of gone)
    spans = waysWith(span, spans).find((way) => firstWrong(text, nested(text, way)) === undefined) ?? spans
  return written(text, nested(text, spans))
}

/** A node without a link that readers of Markdown refuse, such as `javascript:`. */
function withoutRefused(node: Node): Node {
  const link = markOf(node, 'link')
  return link && !parser.validateLink(String(link.attrs['href']))
    ? node.mark(link.removeFromSet(node.marks))
    : node
}

/** The emphasis that begins or ends last before a character that reads wrongly, else any. */
function blamed(spans: readonly Span[], wrong: number): Span | undefined {
  const edge = ({ start, end }: Span): number => (end <= wrong ? end : start > wrong ? -1 : start)
  const emphasis = spans.filter((span) => !isLink(span))
  return emphasis.toSorted((a, b) => edge(a) - edge(b)).at(-1)
}

/** The offset of the first character that reads otherwise, `undefined` if none does. */
function firstWrong(text: string, spans: readonly Span[]): number | undefined {
  const read = parse(written(text, spans)).flatMap(({ children }) => readInline(children ?? []))
  const found = charactersOf(spanText(read), spansOf(read))
  const wanted = charactersOf(text, spans)
  const wrong = wanted.find(({ is }, at) => is !== found[at]?.is)
  return wrong?.at ?? (found.length > wanted.length ? text.length : undefined)
}

/** The characters of a text with their marks and the lines between them. The marks of blanks are not seen. */
function charactersOf(text: string, spans: readonly Span[]) {
  const marks = Array.from({ length: text.length }, () => '')
  for (const name of names)
    for (const { mark, start, end } of spans.filter((span) => span.mark.type.name === name)) {
      const is = name === 'link' ? addressOf(mark) : name
      for (let at = start; at < end; at += 1) marks[at] += ` ${is}`
    }
  const found: { readonly at: number; readonly is: string }[] = []
  let line = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\n') line = char
    if (char.trim() === '') continue
    found.push({ at, is: (found.length > 0 ? line : '') + char + marks[at] })
    line = ''
  }
  return found
}

/** The address and the title of a link between its brackets. */
function addressOf({ attrs }: Mark): string {
  const escaped = (text: string): string => text.replaceAll(/["\\&<>()]/g, String.raw`\$&`)
  const href = String(attrs['href']).replaceAll(/[\n\r\0]/g, encodeURIComponent)
  // An address with a blank or a control character, or without any, has brackets of its own.
  const address = /[\0- \u007F]|^$/.test(href) ? `<${escaped(href)}>` : escaped(href)
  return attrs['title'] ? `${address} "${escaped(String(attrs['title']).replaceAll(/\s+/g, ' '))}"` : address
}

/** Writes a text with the signs of its spans. */
function written(text: string, spans: readonly Span[]): string {
  const edges = new Set(spans.flatMap(({ start, end }) => [start, end]))
  const hasLinks = spans.some(isLink) || text.includes('](')
  const open: Span[] = []
  let all = ''
  let next = 0
  for (let at = 0; at <= text.length; at += 1) {
    for (let last = open.at(-1); last?.end === at; last = open.at(-1)) {
      all += isLink(last) ? `](${addressOf(last.mark)})` : signOf(last)
      open.pop()
    }
    for (let span = spans[next]; span?.start === at; span = spans[next]) {
      // An exclamation mark in front of a link would make it an image.
      if (isLink(span) && all.endsWith('!')) all = `${all.slice(0, -1)}\\!`
      all += isLink(span) ? '[' : signOf(span)
      open.push(span)
      next += 1
    }
    all += escaped(text, at, edges, hasLinks)
  }
  // An empty line would end the block.
  const lines = all.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => lineStart(line.trimStart())).join('\n')
}

const signOf = ({ mark, sign }: Span): string => (mark.type.name === 'strong' ? sign.repeat(2) : sign)

/** A character of a text, with a backslash where it would be read as something else. */
function escaped(text: string, at: number, edges: ReadonlySet<number>, hasLinks: boolean): string {
  const char = text.charAt(at)
  if (!/[\\*_[\]]/.test(char)) return char
  const previous = edges.has(at) ? '*' : text[at - 1]
  const next = edges.has(at + 1) ? '*' : text[at + 1]
  // At the end of a line, also before blanks that are dropped there, a backslash would be a line break.
  const isLiteral =
    char === '\\'
      ? !isSpace(next) && !punctuation.test(next ?? '')
      : char === '[' || char === ']'
        ? !hasLinks
        : (isSpace(previous) && isSpace(next)) || (char === '_' && isWord(previous) && isWord(next))
  return isLiteral ? char : `\\${char}`
}

/** The start of a line that would be read as a heading or a list. */
const lineStart = (line: string): string =>
  line.replace(/^(\d{1,9}(?=[.)])|(?=[#+*-]))(?=.(?:[#\s]|$))/, '$1\\')
