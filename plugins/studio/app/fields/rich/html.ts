/** The markup that the editor knows: paragraphs, headings, lists, bold, italic, links and line breaks, nothing else. */
import type { Format, Piece } from './format.ts'
import { make, markOf, type Mark, type Node } from './schema.ts'

/** A tag, a text between tags, or something unknown. */
interface Token {
  readonly tag: string
  readonly isEnd: boolean
  readonly attributes: string
  readonly text: string
  readonly source: string
}

const tokens = /<(\/?)([a-z][a-z\d]*)((?:\s+[^<>]*)?)>|[^<]+|[^]/gi
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}
const unknown = Symbol('more than the editor knows')

/** Walks along the tokens, and stops where it meets what the editor does not know. */
class Reader {
  at = 0
  readonly tokens: readonly Token[]
  constructor(html: string) {
    this.tokens = [...html.matchAll(tokens)].map(([source, end, tag = '', attributes = '']) => ({
      tag: tag.toLowerCase(),
      isEnd: end === '/',
      attributes: attributes.trim(),
      text: tag === '' ? decoded(source) : '',
      source,
    }))
  }

  get next(): Token | undefined {
    return this.tokens[this.at]
  }
  opens(...tags: readonly string[]): boolean {
    return this.next !== undefined && !this.next.isEnd && tags.includes(this.next.tag)
  }
  take(): Token {
    const token = this.next
    if (!token) throw unknown
    this.at += 1
    return token
  }
  /** Takes a tag; only those of links and numbered lists have attributes. */
  tag(name: string, isEnd: boolean): Token {
    const token = this.take()
    if (
      token.tag !== name ||
      token.isEnd !== isEnd ||
      (token.attributes !== '' && !['a', 'ol'].includes(name))
    )
      throw unknown
    return token
  }
  /** Takes the blanks between blocks. */
  blanks(): string {
    return this.next?.tag === '' && this.next.text.trim() === '' ? this.take().source : ''
  }
}

function decoded(text: string): string {
  if (text === '<') throw unknown
  return text.replaceAll(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));|&/gi,
    (all, number?: string, hex?: string, name = '') => {
      if (number !== undefined || hex !== undefined)
        return String.fromCodePoint(number === undefined ? Number.parseInt(hex ?? '', 16) : Number(number))
      const char = Object.hasOwn(entities, name) ? entities[name] : undefined
      if (char === undefined && all !== '&') throw unknown
      return char ?? '&'
    },
  )
}

function read(html: string): { readonly pieces: readonly Piece[]; readonly after: string } | undefined {
  try {
    const reader = new Reader(html)
    const pieces: Piece[] = []
    for (;;) {
      const before = reader.blanks()
      if (!reader.next) return { pieces, after: before }
      const from = reader.at
      const node = block(reader)
      const source = reader.tokens
        .slice(from, reader.at)
        .map((each) => each.source)
        .join('')
      pieces.push({ node, source, before })
    }
  } catch (error) {
    if (error === unknown) return undefined
    throw error
  }
}

function block(reader: Reader): Node {
  const level = /^h([1-6])$/.exec(reader.next?.tag ?? '')?.[1]
  if (reader.opens('ul', 'ol')) return list(reader)
  const name = level === undefined ? 'p' : `h${level}`
  reader.tag(name, false)
  const children = tidied(inline(reader, []))
  reader.tag(name, true)
  return level === undefined ? make.paragraph(children) : make.heading(Number(level), children)
}

function list(reader: Reader): Node {
  const name = reader.opens('ol') ? 'ol' : 'ul'
  const { attributes } = reader.tag(name, false)
  const start = /^start="(\d{1,9})"$/.exec(attributes)?.[1]
  if (attributes !== '' && start === undefined) throw unknown
  const items: Node[] = []
  for (reader.blanks(); reader.opens('li'); reader.blanks()) {
    reader.tag('li', false)
    const own = tidied(inline(reader, []))
    const lists: Node[] = []
    for (; reader.opens('ul', 'ol'); reader.blanks()) lists.push(list(reader))
    reader.tag('li', true)
    items.push(make.item(own, lists))
  }
  reader.tag(name, true)
  if (items.length === 0) throw unknown
  return make.list(name === 'ol' ? Number(start ?? 1) : undefined, items)
}

const markTags: Readonly<Record<string, Mark>> = {
  strong: make.strong,
  b: make.strong,
  em: make.em,
  i: make.em,
}

function inline(reader: Reader, marks: readonly Mark[]): readonly Node[] {
  const nodes: Node[] = []
  for (;;) {
    const { next } = reader
    if (!next || next.isEnd || reader.opens('ul', 'ol')) return nodes
    reader.take()
    if (next.tag === '') nodes.push(...make.text(next.text.replaceAll(/[ \t\n\r\f]+/g, ' '), marks))
    else if (next.tag === 'br') nodes.push(make.break(marks))
    else {
      const mark = next.tag === 'a' ? linkOf(next) : next.attributes === '' ? markTags[next.tag] : undefined
      if (!mark) throw unknown
      nodes.push(...inline(reader, mark.addToSet(marks)))
      reader.tag(next.tag, true)
    }
  }
}

function linkOf({ attributes }: Token): Mark {
  const found = [...attributes.matchAll(/(href|target|rel|title)="([^"]*)"\s*/g)]
  const { href, ...rest } = Object.fromEntries(
    found.map(([, name = '', value = '']) => [name, decoded(value)]),
  )
  if (href === undefined || found.map(([all]) => all).join('') !== attributes) throw unknown
  return make.link({ href, ...rest })
}

/** Blanks at the edges of a block are not shown. */
function tidied(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node, at) => {
    if (!node.isText) return [node]
    let { text = '' } = node
    if (at === 0 || nodes[at - 1]?.text?.endsWith(' ') || nodes[at - 1]?.isText === false)
      text = text.replace(/^ /, '')
    if (at === nodes.length - 1) text = text.replace(/ $/, '')
    return make.text(text, node.marks)
  })
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00A0', '&nbsp;')
const attribute = (name: string, value: unknown): string =>
  typeof value === 'string' ? ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"` : ''

function write(block: Node): string {
  const { name } = block.type
  if (name === 'paragraph') return `<p>${writeInline(block)}</p>`
  if (name === 'heading') return `<h${block.attrs['level']}>${writeInline(block)}</h${block.attrs['level']}>`
  const items = block.children.map((item) => {
    const [text, ...lists] = item.children
    return `<li>${text ? writeInline(text) : ''}${lists.map(write).join('')}</li>`
  })
  if (name === 'bullet_list') return `<ul>${items.join('')}</ul>`
  const start = Number(block.attrs['order'] ?? 1)
  return `<ol${start === 1 ? '' : attribute('start', String(start))}>${items.join('')}</ol>`
}

function writeInline(parent: Node): string {
  return parent.children
    .map((node) => {
      const link = markOf(node, 'link')
      const text = node.isText ? escaped(node.text ?? '') : '<br>'
      const em = markOf(node, 'em') ? `<em>${text}</em>` : text
      const strong = markOf(node, 'strong') ? `<strong>${em}</strong>` : em
      if (!link) return strong
      const names = ['href', 'target', 'rel', 'title']
      return `<a${names.map((name) => attribute(name, link.attrs[name])).join('')}>${strong}</a>`
    })
    .join('')
    .replaceAll(/<\/(em|strong)><\1>/g, '')
}

export const html: Format = { read, write, between: '\n' }
