/** The markup that the editor knows: paragraphs, headings, lists, bold, italic, links and line breaks, nothing else. */
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import type { TextBlock, Format } from './format.ts'
import { make, markOf, type Mark, type Node } from './schema.ts'

function unknown(what: string): never {
  throw new RangeError(`the editor does not know ${what}`)
}

function readBlocks(html: string): readonly TextBlock[] {
  const options = {
    sourceCodeLocationInfo: true,
    onParseError: ({ code }: { code: string }) => unknown(code),
  }
  return elementsIn(parseFragment(html, options).childNodes).map((element) => ({
    node: blockOf(element),
    start: element.sourceCodeLocation?.startOffset ?? 0,
    end: element.sourceCodeLocation?.endOffset ?? 0,
  }))
}

/** Returns the elements between which there are only blanks. */
function elementsIn(children: readonly Tree.ChildNode[]): readonly Tree.Element[] {
  return children.flatMap((child) => {
    if ('tagName' in child) return [child]
    return '#text' === child.nodeName && childText(child).trim() === '' ? [] : unknown(child.nodeName)
  })
}

const childText = (node: Tree.ChildNode): string => ('value' in node ? node.value : '')

function blockOf(element: Tree.Element): Node {
  const { tagName, childNodes } = element
  if (isList(element)) return listOf(element)
  const level = /^h([1-6])$/.exec(tagName)?.[1]
  if (level === undefined && tagName !== 'p') unknown(tagName)
  attributesOf(element, [])
  const inline = tidied(inlineOf(childNodes))
  return level === undefined ? make.paragraph(inline) : make.heading(Number(level), inline)
}

const isList = (node: Tree.ChildNode): node is Tree.Element =>
  node.nodeName === 'ul' || node.nodeName === 'ol'

function listOf(element: Tree.Element): Node {
  const isNumbered = element.tagName === 'ol'
  const { start = '1' } = attributesOf(element, isNumbered ? ['start'] : [])
  const items = elementsIn(element.childNodes)
  if (items.length === 0 || !/^\d{1,9}$/.test(start)) unknown('this list')
  return make.list(isNumbered ? Number(start) : undefined, items.map(itemOf))
}

function itemOf(element: Tree.Element): Node {
  const { tagName, childNodes } = element
  if (tagName !== 'li') unknown(tagName)
  attributesOf(element, [])
  const first = childNodes.findIndex(isList)
  const own = first === -1 ? childNodes : childNodes.slice(0, first)
  const lists = elementsIn(childNodes.slice(own.length))
  return make.item([make.paragraph(tidied(inlineOf(own))), ...lists.map(blockOf)])
}

const markTags: Readonly<Record<string, Mark>> = {
  strong: make.strong,
  b: make.strong,
  em: make.em,
  i: make.em,
}

function inlineOf(children: readonly Tree.ChildNode[], marks: readonly Mark[] = []): readonly Node[] {
  return children.flatMap((child) => {
    if (child.nodeName === '#text') return make.text(childText(child).replaceAll(/[ \t\n\r\f]+/g, ' '), marks)
    if (!('tagName' in child)) return unknown(child.nodeName)
    const { tagName, childNodes } = child
    if (tagName === 'a') return inlineOf(childNodes, linkOf(child).addToSet(marks))
    attributesOf(child, [])
    if (tagName === 'br') return [make.break(marks)]
    const mark = markTags[tagName] ?? unknown(tagName)
    return inlineOf(childNodes, mark.addToSet(marks))
  })
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

export const html: Format = { read: readBlocks, write, between: '\n' }
