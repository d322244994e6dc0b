import { isPlainObject, ownValue, type PlainObject } from '../../content/plain-object.ts'

const deepest = 100
/** The words of others, or who is addressed. */
const quoted: ReadonlySet<string> = new Set(['blockquote', 'mention'])

/**
 * Returns the text of a document in Atlassian Document Format; a string stays unchanged, and other values
 * without text become empty. `withoutQuotes` omits quotations and mentions. Omits text below 100 levels.
 */
export function readAdf(document: unknown, { withoutQuotes = false } = {}): string {
  if (typeof document === 'string') return document
  return nodeText(document, withoutQuotes, 0)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the ids of all people whom a document mentions. */
export function mentionsIn(document: unknown, depth = 0): readonly string[] {
  if (!isPlainObject(document) || depth > deepest) return []
  const id = kindOf(document) === 'mention' ? attribute(document, 'id') : ''
  return [
    ...(id === '' ? [] : [id]),
    ...childrenOf(document).flatMap((child) => mentionsIn(child, depth + 1)),
  ]
}

function nodeText(node: unknown, withoutQuotes: boolean, depth: number): string {
  if (!isPlainObject(node) || depth > deepest) return ''
  const kind = kindOf(node)
  if (withoutQuotes && quoted.has(kind)) return ''
  const read = ownValue(readers, kind) ?? readOther
  return read(node, (child) => nodeText(child, withoutQuotes, depth + 1))
}

type Inner = (child: unknown) => string
type Reader = (node: PlainObject, inner: Inner) => string

/** Reads what is in a node. The words of a link, which may be several nodes, are followed by its address. */
const inside: Reader = (node, inner) => {
  const children = childrenOf(node)
  let [text, words] = ['', '']
  for (const [at, child] of children.entries()) {
    words += inner(child)
    const href = hrefOf(child)
    if (at + 1 < children.length && href === hrefOf(children[at + 1])) continue
    text += linked(words, href)
    words = ''
  }
  return text
}

/** Writes a link as Markdown; one whose words are its address as that. */
function linked(words: string, href: string): string {
  const own = words.trim()
  return href === '' || own === '' || own === href ? words : words.replace(own, () => `[${own}](${href})`)
}

/** Ends with a line break. */
const line = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)
const lines: Reader = (node, inner) => `${inside(node, inner)}\n`

/** The name and the address of what is not text. */
function named(name: string, url: string, kind: string): string {
  return name !== '' && url !== '' ? linked(name, url) : name || url || `[${kind}]`
}

const card: Reader = (node) => {
  const data = isPlainObject(node['attrs']) ? node['attrs']['data'] : undefined
  const of = (name: string): string => (isPlainObject(data) ? stringOf(data, name) : '')
  return named(of('name'), attribute(node, 'url') || of('url'), kindOf(node))
}
const media: Reader = (node) => named(attribute(node, 'alt'), attribute(node, 'url'), kindOf(node))

/** Reads a list whose rows begin with a sign; their other lines are indented by its width. */
const listWith =
  (signOf: (row: PlainObject, at: number, list: PlainObject) => string): Reader =>
  (list, inner) =>
    childrenOf(list)
      .filter(isPlainObject)
      .map((row, at) => {
        const isList = kindOf(row).endsWith('List')
        const sign = isList ? '  ' : signOf(row, at, list)
        const text = (isList ? inner(row) : inside(row, inner)).trim()
        return `${sign}${text.replaceAll('\n', `\n${' '.repeat(sign.length)}`)}\n`
      })
      .join('')

const bullets = listWith(() => '- ')

/** How the kinds of nodes are read; `readOther` reads those that only have text in them. */
const readers: Readonly<Record<string, Reader>> = {
  doc: inside,
  text: ({ text, marks }) =>
    typeof text !== 'string'
      ? ''
      : marksOf(marks).some((mark) => kindOf(mark) === 'strike')
        ? `~~${text}~~`
        : text,
  hardBreak: () => '\n',
  mention: (node) => attribute(node, 'text') || attribute(node, 'id'),
  emoji: (node) => attribute(node, 'text') || attribute(node, 'shortName'),
  date: (node) => dayOf(attribute(node, 'timestamp')) || '[date]',
  inlineCard: card,
  blockCard: (node, inner) => line(card(node, inner)),
  embedCard: (node, inner) => line(card(node, inner)),
  media: (node, inner) => line(media(node, inner)),
  mediaInline: media,
  paragraph: lines,
  heading: lines,
  codeBlock: lines,
  blockquote: lines,
  rule: () => '\n',
  bulletList: bullets,
  decisionList: bullets,
  orderedList: listWith((_row, at, list) => `${(Number(attribute(list, 'order')) || 1) + at}. `),
  taskList: listWith((row) => (attribute(row, 'state') === 'DONE' ? '- [x] ' : '- [ ] ')),
  listItem: (item, inner) => bullets({ content: [item] }, inner),
  tableRow: (row, inner) =>
    `${childrenOf(row)
      .map((cell) => inner(cell).trim().replaceAll('\n', ' '))
      .join(' | ')}\n`,
}

/** The attributes in which nodes have texts for people. */
const texts = ['title', 'text', 'alt', 'name', 'url', 'issueKey']

/** Reads a node by the texts of its attributes, as a title in front of what is in it. */
const readOther: Reader = (node, inner) => {
  const kind = kindOf(node)
  const title = texts.map((name) => attribute(node, name)).find((text) => text !== '') ?? ''
  if (kind === '' || Array.isArray(node['content']))
    return line(`${title === '' ? '' : line(title)}${inside(node, inner)}`)
  return title || `[${kind}]`
}

/** The day of a time in milliseconds; empty if there is none. */
function dayOf(timestamp: string): string {
  const day = new Date(timestamp === '' ? Number.NaN : Number(timestamp))
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
}

const kindOf = ({ type }: PlainObject): string => (typeof type === 'string' ? type : '')
const childrenOf = ({ content }: PlainObject): readonly unknown[] => (Array.isArray(content) ? content : [])
const marksOf = (marks: unknown): readonly PlainObject[] =>
  Array.isArray(marks) ? marks.filter(isPlainObject) : []

function hrefOf(node: unknown): string {
  const marks = isPlainObject(node) ? marksOf(node['marks']) : []
  const link = marks.find((mark) => kindOf(mark) === 'link')
  return link ? attribute(link, 'href') : ''
}

const attribute = ({ attrs }: PlainObject, name: string): string =>
  isPlainObject(attrs) ? stringOf(attrs, name) : ''

function stringOf(values: PlainObject, name: string): string {
  const value = ownValue(values, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
