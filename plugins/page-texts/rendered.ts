/** Markdown as the texts that a page shows, with the place of each character in the source. */
import { parseMarkdown, spanOf, type MarkdownNode } from '../files/port.ts'

/**
 * A run of text, from and to a place in the source. If it is as long as its source, it is spelled as it is;
 * else it is one unit, such as an escape. `code` is spelled without escapes, `html` with those of HTML.
 */
export type Segment = readonly [from: number, to: number, text: string, kind?: 'code' | 'html']

/** A text that a page shows as one: a paragraph, a heading, the first lines of a list item, a cell. */
export interface ShownText {
  readonly text: string
  readonly segments: readonly Segment[]
  /** From and to: what marks a part of it, such as bold text with its asterisks, the outer ones first. */
  readonly marks: readonly (readonly [from: number, to: number])[]
}

/**
 * Returns the texts of a source in Markdown. `isLine` if it is one line of text, in which nothing begins a
 * list. `definitions` are those of its document, which its links and references to footnotes may name.
 */
export function shownTexts(source: string, isLine = false, definitions = ''): readonly ShownText[] {
  const all = nodesOf(definitions === '' ? source : `${source}\n\n${definitions}`)
  const nodes = all.filter(({ type }) => type !== 'definition' && type !== 'footnoteDefinition')
  const isText = nodes[0]?.type === 'paragraph' && nodes.length === 1
  if (!isLine || isText) return nodes.flatMap((node) => textsOf(node, source, 0))
  const line = `# ${source}`
  return nodesOf(line).flatMap((node) => textsOf(node, line, 2))
}

/** Returns the texts of what a component has in it, where other elements of MDX may be around them. */
export function textsInComponent(source: string): readonly ShownText[] {
  const plain = nodesOf(source)
  const elements = plain.some(({ type }) => type === 'html') ? nodesOf(source, { mdx: true }) : []
  return (elements.length > 0 ? elements : plain).flatMap((node) => textsOf(node, source, 0))
}

function nodesOf(source: string, dialect = {}): readonly MarkdownNode[] {
  const nodes = parseMarkdown(source, dialect)
  return 'unreadable' in nodes ? [] : nodes
}

function textsOf(node: MarkdownNode, source: string, lead: number): readonly ShownText[] {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
    return [inlineOf(node.children, source, lead)]
  return 'children' in node ? node.children.flatMap((child) => textsOf(child, source, lead)) : []
}

function inlineOf(nodes: readonly MarkdownNode[], source: string, lead: number): ShownText {
  const segments: Segment[] = []
  const marks: (readonly [number, number])[] = []
  for (const node of nodes) visit(node)
  return { text: segments.map(([, , text]) => text).join(''), segments, marks }

  function visit(node: MarkdownNode): void {
    const span = spanOf(node)
    const [from, to] = [span.from - lead, span.to - lead]
    const raw = source.slice(span.from, span.to)
    if (node.type === 'text') return void segments.push(...unitsOf(raw, node.value, from))
    if (node.type === 'break' || (node.type === 'html' && /^<br\b/i.test(raw)))
      return void segments.push([from, to, '\n'])
    const isCode = node.type === 'inlineCode'
    if (isCode || 'children' in node) marks.push([from, to])
    if (isCode) {
      const at = raw.indexOf(node.value.replaceAll('\n', ' '), /^`+/.exec(raw)?.[0].length)
      if (at === -1) segments.push([from, to, node.value])
      else segments.push([from + at, from + at + node.value.length, node.value, 'code'])
    }
    if ('children' in node) for (const child of node.children) visit(child)
  }
}

/** The characters of a text, runs of those that are spelled as they are, and each other one by itself. */
function unitsOf(raw: string, value: string, from: number): readonly Segment[] {
  const segments: Segment[] = []
  let [at, n, plain] = [0, 0, 0]
  const close = (): void => {
    if (at > plain) segments.push([from + plain, from + at, raw.slice(plain, at)])
  }
  while (n < value.length) {
    const rest = raw.slice(at, at + 40)
    const unit = unitAt(rest, value, n)
    if (unit) {
      close()
      segments.push([from + at, from + at + unit.length, unit.text])
      at += unit.length
      n += unit.text.length
      plain = at
    } else if (raw[at] === value[n]) {
      at += 1
      n += 1
    } else return [[from, from + raw.length, value]]
  }
  close()
  return segments
}

function unitAt(rest: string, value: string, n: number): { length: number; text: string } | undefined {
  const next = value.charAt(n)
  if (next === '\n') {
    const length = /^[ \t]*\r?\n[ \t>]*/.exec(rest)?.[0].length
    return length === undefined ? undefined : { length, text: next }
  }
  if (rest[0] === '\\' && rest[1] === next && /[!-/:-@[-`{-~]/.test(next)) return { length: 2, text: next }
  const entity = /^&#?\w+;/.exec(rest)?.[0]
  if (entity === undefined || value.startsWith(entity, n)) return undefined
  return { length: entity.length, text: String.fromCodePoint(value.codePointAt(n) ?? 0) }
}
