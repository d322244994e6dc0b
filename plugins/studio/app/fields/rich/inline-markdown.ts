/**
 * Writes the inline part of the Markdown of content: bold, italic, links and line breaks. Everything else is
 * text.
 */
import { nodesOf, sameMarks, type Cell } from './cells.ts'
import type { CellRange } from './format.ts'
import { isLinkAllowed, parse, readInline } from './inline-read.ts'
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

const punctuation = /[!-/:-@[-`{-~]/
const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char)
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/**
 * Writes nodes as a text that reads as the same nodes. Emphasis that touches letters may have no such text:
 * then it leaves out quotes, brackets and stops at its edges, or is left out, and everything else stays.
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
  return link && !isLinkAllowed(String(link.attrs['href'])) ? node.mark(link.removeFromSet(node.marks)) : node
}

/** The emphasis that begins or ends last before a character that reads wrongly, else any. */
function blamed(spans: readonly Span[], wrong: number): Span | undefined {
  const edge = ({ start, end }: Span): number => (end <= wrong ? end : start > wrong ? -1 : start)
  const emphasis = spans.filter((span) => !isLink(span))
  return emphasis.toSorted((a, b) => edge(a) - edge(b)).at(-1)
}

/** The offset of the first character that reads otherwise, `undefined` if none does. */
function firstWrong(text: string, spans: readonly Span[]): number | undefined {
  const read = parse(written(text, spans)).flatMap(({ children }) => nodesOf(readInline(children ?? [])))
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
const blockSign = /^(\d{1,9}(?=[.)])|(?=[#+*-]))(?=.(?:[#\s]|$))/
const lineStart = (line: string): string => line.replace(blockSign, '$1\\')

/** Writes some of the characters of a text whose other characters and signs of marks stay. */
export function writeCells(cells: readonly Cell[], { from, to, isPlain }: CellRange): string {
  if (isPlain) return writePlain(cells, from, to)
  const isBlank = (at: number): boolean => cells[at]?.char === ' ' && cells[at]?.marks.length === 0
  let [first, next] = [from, to]
  while (first < next && isBlank(first)) first += 1
  while (next > first && isBlank(next - 1)) next -= 1
  const inner = writeInline(make.paragraph(nodesOf(cells.slice(first, next))))
  return ' '.repeat(first - from) + inner + ' '.repeat(to - next)
}

function writePlain(cells: readonly Cell[], from: number, to: number): string {
  const text = cells.map(({ char }) => char).join('')
  const edges = new Set(cells.flatMap((cell, at) => (at > 0 && !sameMarks(cell, cells[at - 1]) ? [at] : [])))
  const hasLinks =
    text.includes('](') || cells.some(({ marks }) => marks.some(({ type }) => type.name === 'link'))
  const signs = new Set(
    [...text.matchAll(/[^\n]+/g)].flatMap(({ index, 0: line }) => {
      const sign = blockSign.exec(line.trimStart())
      return sign ? [index + line.length - line.trimStart().length + (sign[1]?.length ?? 0)] : []
    }),
  )
  return cells
    .slice(from, to)
    .map(({ char }, index) => {
      const all = escaped(text, from + index, edges, hasLinks)
      return signs.has(from + index) && all === char ? `\\${char}` : all
    })
    .join('')
}
