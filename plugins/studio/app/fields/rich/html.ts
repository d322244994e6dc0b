/**
 * The markup that the editor knows: paragraphs, headings, lists, bold, italic, links and line breaks, nothing
 * else.
 */
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { nodesOf, type Cell } from './cells.ts'
import type { Format, Placed } from './format.ts'
import { make, markOf, type Mark, type Node } from './schema.ts'

function unknown(what: string): never {
  throw new RangeError(`the editor does not know ${what}`)
}

function readBlocks(html: string): readonly Placed[] {
  const options = {
    sourceCodeLocationInfo: true,
    onParseError: ({ code }: { code: string }) => unknown(code),
  }
  return elementsIn(parseFragment(html, options).childNodes).map((element) => blockOf(element, html))
}

/** Where an element and its content are. */
function placeOf({ sourceCodeLocation }: Tree.Element) {
  const { startOffset: start = 0, endOffset: end = 0, startTag, endTag } = sourceCodeLocation ?? {}
  return { start, end, inner: { start: startTag?.endOffset ?? start, end: endTag?.startOffset ?? end } }
}

/** Returns the elements between which there are only blanks. */
function elementsIn(children: readonly Tree.ChildNode[]): readonly Tree.Element[] {
  return children.flatMap((child) => {
    if ('tagName' in child) return [child]
    return '#text' === child.nodeName && childText(child).trim() === '' ? [] : unknown(child.nodeName)
  })
}

const childText = (node: Tree.ChildNode): string => ('value' in node ? node.value : '')

function blockOf(element: Tree.Element, source: string): Placed {
  const { tagName, childNodes } = element
  if (isList(element)) return listOf(element, source)
  const level = /^h([1-6])$/.exec(tagName)?.[1]
  if (level === undefined && tagName !== 'p') unknown(tagName)
  attributesOf(element, [])
  const cells = tidied(inlineOf(childNodes, source))
  const node =
    level === undefined ? make.paragraph(nodesOf(cells)) : make.heading(Number(level), nodesOf(cells))
  return { node, ...placeOf(element), cells }
}

const isList = (node: Tree.ChildNode): node is Tree.Element =>
  node.nodeName === 'ul' || node.nodeName === 'ol'

function listOf(element: Tree.Element, source: string): Placed {
  const isNumbered = element.tagName === 'ol'
  const { start = '1' } = attributesOf(element, isNumbered ? ['start'] : [])
  const children = elementsIn(element.childNodes).map((item) => itemOf(item, source))
  if (children.length === 0 || !/^\d{1,9}$/.test(start)) unknown('this list')
  const rows = children.map(({ node }) => node)
  return { node: make.list(isNumbered ? Number(start) : undefined, rows), ...placeOf(element), children }
}

function itemOf(element: Tree.Element, source: string): Placed {
  const { tagName, childNodes } = element
  if (tagName !== 'li') unknown(tagName)
  attributesOf(element, [])
  const place = placeOf(element)
  const first = childNodes.findIndex(isList)
  const own = first === -1 ? childNodes : childNodes.slice(0, first)
  const lists = elementsIn(childNodes.slice(own.length)).map((each) => blockOf(each, source))
  const range = { start: place.inner.start, end: lists[0]?.start ?? place.inner.end }
  const cells = tidied(inlineOf(own, source))
  const text = { node: make.paragraph(nodesOf(cells)), ...range, inner: range, cells }
  const children = [text, ...lists]
  return { node: make.item(children.map(({ node }) => node)), ...place, children }
}

const markTags: Readonly<Record<string, Mark>> = {
  strong: make.strong,
  b: make.strong,
  em: make.em,
  i: make.em,
}

function inlineOf(
  children: readonly Tree.ChildNode[],
  source: string,
  marks: readonly Mark[] = [],
): readonly Cell[] {
  return children.flatMap((child) => {
    if (child.nodeName === '#text') return cellsOf(child, source, marks)
    if (!('tagName' in child)) return unknown(child.nodeName)
    const { tagName, childNodes } = child
    if (tagName === 'a') return inlineOf(childNodes, source, linkOf(child).addToSet(marks))
    attributesOf(child, [])
    if (tagName === 'br') return [{ char: '\n', marks, ...placeOf(child) }]
    const mark = markTags[tagName] ?? unknown(tagName)
    return inlineOf(childNodes, source, mark.addToSet(marks))
  })
}

/** Reads the characters of a text. A reference to one, and blanks, stand for a single character. */
function cellsOf(child: Tree.ChildNode, whole: string, marks: readonly Mark[]): readonly Cell[] {
  const { startOffset = 0, endOffset = 0 } = child.sourceCodeLocation ?? {}
  const source = whole.slice(startOffset, endOffset)
  return Array.from(source.matchAll(/&#?\w+;|[ \t\n\r\f]+|[^]/g), ({ 0: sign, index }) => {
    const [start, end] = [startOffset + index, startOffset + index + sign.length]
    const text =
      sign.length > 1 && sign.startsWith('&') ? parseFragment(sign).childNodes.map(childText).join('') : sign
    return text
      .replace(/^[ \t\n\r\f]+$/, ' ')
      .split('')
      .map((char) => ({ char, marks, start, end }))
  }).flat()
}

function linkOf(element: Tree.Element): Mark {
  const { href, ...rest } = attributesOf(element, ['href', 'target', 'rel', 'title'])
  return href === undefined ? unknown('a link without an address') : make.link({ href, ...rest })
}

/** Returns the attributes of an element that is closed and has no others. */
function attributesOf(element: Tree.Element, allowed: readonly string[]): Readonly<Record<string, string>> {
  const { attrs, tagName, sourceCodeLocation } = element
  const isClosed = tagName === 'br' || sourceCodeLocation?.endTag != null
  if (!isClosed || attrs.some(({ name }) => !allowed.includes(name))) unknown(`this ${tagName}`)
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]))
}

/** Blanks at the edges of a block and behind others are not shown. */
function tidied(cells: readonly Cell[]): readonly Cell[] {
  const all = cells.filter(({ char }, at) => char !== ' ' || !/^[ \n]?$/.test(cells[at - 1]?.char ?? ''))
  return all.at(-1)?.char === ' ' ? all.slice(0, -1) : all
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00A0', '&nbsp;')
const attribute = (name: string, value: unknown): string =>
  typeof value === 'string' ? ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"` : ''

function write(block: Node): string {
  const { name } = block.type
  if (name === 'list_item') {
    const [text, ...lists] = block.children
    return `<li>${text ? writeInline(text.children) : ''}${lists.map(write).join('')}</li>`
  }
  if (name === 'paragraph') return `<p>${writeInline(block.children)}</p>`
  if (name === 'heading')
    return `<h${block.attrs['level']}>${writeInline(block.children)}</h${block.attrs['level']}>`
  const items = block.children.map(write)
  if (name === 'bullet_list') return `<ul>${items.join('')}</ul>`
  const start = Number(block.attrs['order'] ?? 1)
  return `<ol${start === 1 ? '' : attribute('start', String(start))}>${items.join('')}</ol>`
}

/** Writes text with its marks. What one address leads from is one link, whatever else is marked in it. */
function writeInline(nodes: readonly Node[]): string {
  const runs: { readonly link: Mark | undefined; text: string }[] = []
  for (const node of nodes) {
    const link = markOf(node, 'link')
    const last = runs.at(-1)
    if (last && (link ? last.link?.eq(link) : !last.link)) last.text += writeText(node)
    else runs.push({ link, text: writeText(node) })
  }
  return runs
    .map(({ link, text: written }) => {
      const text = written.replaceAll(/<\/(em|strong)><\1>/g, '')
      const names = ['href', 'target', 'rel', 'title']
      return link ? `<a${names.map((name) => attribute(name, link.attrs[name])).join('')}>${text}</a>` : text
    })
    .join('')
}

function writeText(node: Node): string {
  const text = node.isText ? escaped(node.text ?? '') : '<br>'
  const em = markOf(node, 'em') ? `<em>${text}</em>` : text
  return markOf(node, 'strong') ? `<strong>${em}</strong>` : em
}

export const html: Format = {
  read: readBlocks,
  write,
  writeChild: write,
  writeCells(cells, { from, to, isPlain }) {
    const own = cells.slice(from, to)
    return writeInline(nodesOf(isPlain ? own.map((cell) => ({ ...cell, marks: [] })) : own))
  },
  between: (inside) => (inside ? '' : '\n'),
}
