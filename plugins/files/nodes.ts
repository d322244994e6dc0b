/** The nodes of a document as blocks: what their props are, and how a node is written with other props. */
import { containerNode, elementNode } from './components.ts'
import type { Container } from './containers.ts'
import { addressText, titleText } from './links.ts'
import { contentOf, linesOf, withContent } from './lines.ts'
import { spanOf, type MarkdownNode, type NodeOf } from './markdown.ts'
import { altText, longerFence, newNode } from './new-node.ts'
import { indentation, insideOf, rewritten, textForm, type NodeForm, type Source } from './node-form.ts'
import { sliceOf, startOfLine } from './ranges.ts'
import { tableNode } from './tables.ts'

/** Returns the form of a node. */
export function formOf(node: MarkdownNode, source: Source, container: Container | undefined): NodeForm {
  if (container) return containerNode(container, source)
  switch (node.type) {
    case 'heading':
      return headingNode(node, source)
    case 'paragraph':
      return paragraphNode(node, source)
    case 'list':
      return { type: 'List', ...textForm(source, source) }
    case 'blockquote':
      return { type: 'Quote', ...textForm(source, source, { pattern: /^[ \t]{0,3}> ?/, usual: '> ' }) }
    case 'code':
      return codeNode(source)
    case 'table':
      return tableNode(node, source)
    case 'thematicBreak':
      return { type: 'Divider', props: {}, write: () => sliceOf(source.text, source) }
    case 'mdxJsxFlowElement':
      return elementNode(node, source)
    case 'mdxjsEsm':
    case 'mdxFlowExpression':
      return {
        type: 'Source',
        ...textForm(source, source),
        fixed: 'This is code of the page; change it in the file.',
      }
    default:
      return { type: 'Source', ...textForm(source, source) }
  }
}

function paragraphNode(node: NodeOf<'paragraph'>, source: Source): NodeForm {
  const [only, ...others] = node.children
  if (only?.type === 'image' && others.length === 0) return imageNode(only, source)
  return { type: 'Paragraph', ...textForm(source, spanOf(node), indentation) }
}

function headingNode(node: NodeOf<'heading'>, source: Source): NodeForm {
  const { from, to } = spanOf(node)
  const raw = source.text.slice(from, to)
  const marks = /^#{1,6}/.exec(raw)?.[0]
  const open = from + (marks?.length ?? 0)
  const inside = insideOf(node) ?? { from: open, to: open }
  const { props, write } = textForm(source, inside, indentation)
  const line = from + startOfLine(raw, raw.length)
  return {
    type: 'Heading',
    props: { level: node.depth, ...props },
    write(wanted) {
      const { level, text } = wanted
      if (typeof level !== 'number' || ![1, 2, 3, 4, 5, 6].includes(level) || typeof text !== 'string')
        return undefined
      if (level === node.depth && inside.to > inside.from) return write(wanted)
      if (marks !== undefined) {
        const lead = inside.to === inside.from && text !== '' ? ' ' : ''
        return rewritten(source, [
          { from, to: open, text: '#'.repeat(level) },
          { ...inside, text: lead + text },
        ])
      }
      if (level > 2 || line === from) return newNode({ type: 'Heading', props: wanted, end: source.end })
      const underline = sliceOf(source.text, { from: line, to }).trimEnd()
      const heading = write(wanted)
      const mark = (level === 1 ? '=' : '-').repeat(underline.trimStart().length)
      return heading?.slice(0, heading.length - (source.to - line)).concat(mark)
    },
  }
}

/** Of fenced code the lines between the fences, of indented code all of them. */
function codeNode(source: Source): NodeForm {
  const raw = sliceOf(source.text, source)
  const [, margin = '', fence, blank = '', language = '', info = ''] =
    /^([ \t]*)(`{3,}|~{3,})([ \t]*)(\S*)([^\r\n]*)/.exec(raw) ?? []
  if (fence === undefined) {
    const form = textForm(source, source, { pattern: /^(?: {1,4}| {0,3}\t)/ })
    return {
      type: 'Code',
      props: { language: '', ...form.props },
      write: (wanted) =>
        wanted['language'] === ''
          ? form.write(wanted)
          : newNode({ type: 'Code', props: wanted, end: source.end }),
    }
  }
  const [, ...all] = linesOf(raw, margin.length)
  const last = all.at(-1)?.content.trim() ?? ''
  const isClosed = last.startsWith(fence) && last.replaceAll(fence.charAt(0), '') === ''
  const lines = isClosed ? all.slice(0, -1) : all
  return {
    type: 'Code',
    props: { language, text: contentOf(lines) },
    write({ language, text }) {
      if (typeof language !== 'string' || typeof text !== 'string' || /[\s`]/.test(language)) return undefined
      const fences = longerFence(fence, text)
      const end = all[0]?.end || source.end
      const content =
        text === '' ? '' : end + withContent(lines, text, { end, margin: lines[0]?.margin ?? margin })
      const close = !isClosed ? '' : fences === fence ? all.at(-1) : { end, margin, content: fences }
      const closing = close ? (close.end || end) + close.margin + close.content : ''
      return `${margin}${fences}${blank}${language}${info}${content}${closing}`
    },
  }
}

function imageNode(image: NodeOf<'image'>, source: Source): NodeForm {
  const { from, to } = spanOf(image)
  const raw = source.text.slice(from, to)
  const label = labelOf(raw)
  const resource = raw.slice(label.length + 4, -1).trim()
  const addressEnd = resource.startsWith('<') ? resource.indexOf('>') + 1 : resource.search(/\s|$/)
  const props = { src: image.url, alt: image.alt ?? '', title: image.title ?? '' }
  return {
    type: 'Image',
    props,
    write(wanted) {
      const { src, alt, title = '' } = wanted
      if (typeof src !== 'string' || typeof alt !== 'string' || typeof title !== 'string') return undefined
      const keeps = (name: keyof typeof props): boolean => wanted[name] === props[name]
      const words = title === '' ? '' : ` ${titleText(title)}`
      const parts = [
        keeps('alt') ? label : altText(alt),
        keeps('src') ? resource.slice(0, addressEnd) : addressText(src),
        keeps('title') ? resource.slice(addressEnd) : words,
      ]
      return rewritten(source, [{ from, to, text: `![${parts[0]}](${parts[1]}${parts[2]})` }])
    },
  }
}

/** What is between the brackets of an image. */
function labelOf(image: string): string {
  let depth = 0
  for (let at = 1; at < image.length; at += 1) {
    const character = image[at]
    if (character === '\\') at += 1
    if (character === '[') depth += 1
    if (character === ']') depth -= 1
    if (depth === 0) return image.slice(2, at)
  }
  return ''
}
