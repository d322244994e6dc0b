/** The inline part of the Markdown of content: bold, italic, links and line breaks. Everything else is text. */
import { make, markOf, type Mark, type Node } from './schema.ts'

const punctuation = /[!-/:-@[-`{-~]/
const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char)
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/** Reads a text into nodes. */
export function readInline(text: string, marks: readonly Mark[] = []): readonly Node[] {
  const nodes: Node[] = []
  let plain = ''
  const flush = (): void => {
    nodes.push(...make.text(plain, marks))
    plain = ''
  }
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at)
    if (char === '\\' && punctuation.test(text.charAt(at + 1))) {
      plain += text.charAt(at + 1)
      at += 2
      continue
    }
    const isBreak = char === '\n' || text.startsWith('\\\n', at)
    const found = isBreak ? lineBreak(marks, char) : (linkAt(text, at, marks) ?? emphasisAt(text, at, marks))
    if (found) {
      flush()
      nodes.push(...found.nodes)
      at += found.length
    } else {
      plain += char
      at += 1
    }
  }
  flush()
  return nodes
}

interface Parsed {
  readonly nodes: readonly Node[]
  readonly length: number
}

const lineBreak = (marks: readonly Mark[], char: string): Parsed => ({
  nodes: [make.break(marks)],
  length: char === '\n' ? 1 : 2,
})

function linkAt(text: string, at: number, marks: readonly Mark[]): Parsed | undefined {
  if (text[at] !== '[' || marks.some(({ type }) => type.name === 'link')) return undefined
  const [all, label = '', href = ''] =
    /^\[((?:\\.|[^[\]\\\n])+)\]\(((?:\\.|\([^()\s]*\)|[^()\\\n])*)\)/.exec(text.slice(at)) ?? []
  if (all === undefined || href === '') return undefined
  const plain = href.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  return { nodes: readInline(label, [...marks, make.link({ href: plain })]), length: all.length }
}

function emphasisAt(text: string, at: number, marks: readonly Mark[]): Parsed | undefined {
  const char = text.charAt(at)
  if (char !== '*' && char !== '_') return undefined
  const run = runAt(text, at, char)
  if (isSpace(text[at + run]) || (char === '_' && isWord(text[at - 1]))) return undefined
  for (const size of [3, 2, 1].filter((each) => each <= run)) {
    const end = closing(text, at + run, char, size)
    if (end === undefined) continue
    const added = size === 3 ? [make.strong, make.em] : [size === 2 ? make.strong : make.em]
    const fresh = added.filter((mark) => !marks.some(({ type }) => type === mark.type))
    const inner = readInline(text.slice(at + size, end), [...marks, ...fresh])
    return { nodes: inner, length: end + size - at }
  }
  return undefined
}

function runAt(text: string, at: number, char: string): number {
  let end = at
  while (text[end] === char) end += 1
  return end - at
}

/** Where emphasis of a size ends. */
function closing(text: string, from: number, char: string, size: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === char) {
      const run = runAt(text, at, char)
      const isEnd = !isSpace(text[at - 1]) && (char === '*' || !isWord(text[at + run]))
      // A run of the other size belongs to emphasis inside.
      if (isEnd && (run === size || (run === 3 && size < 3) || run > 3))
        return run === 3 && size < 3 && isOpen(text.slice(from, at), char, 3 - size) ? at + 3 - size : at
      at += run - 1
    }
  }
  return undefined
}

/** Whether emphasis of a size is open at the end of a text. */
function isOpen(text: string, char: string, size: number): boolean {
  const runs = text.matchAll(char === '*' ? /\*+/g : /_+/g)
  return [...runs].filter(([run]) => run.length === size).length % 2 === 1
}

/**
 * Writes nodes as a text that reads as the same nodes. Emphasis in the middle of a word may have no such text: then it is
 * left out, and the words stay.
 */
export function writeInline(parent: Node): string {
  const ways = ['*', '_', ''].map((em) => writeNodes(parent.children, em))
  const wanted = charactersOf(parent.children)
  const right = ways.find((text) => charactersOf(readInline(text)) === wanted)
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
  return lines.map(lineStart).join('\n')
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
  return [
    ...(link ? [{ mark: link, open: '[', close: `](${href})` }] : []),
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
  line.replace(
    /^(\s*)(?:([#+*-])|(\d{1,9})([.)]))(?=[#\s]|$)/,
    (_all, blank: string, sign?: string, number = '', dot = '') =>
      sign === undefined ? `${blank}${number}\\${dot}` : `${blank}\\${sign}`,
  )
