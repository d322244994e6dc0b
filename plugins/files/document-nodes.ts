/** A document as its parts: the front matter, and a node for each block. */
import { markdownText } from '../content/markdown-text.ts'
import { containersIn, withoutContainers } from './containers.ts'
import { detailsOf, partsOf, type Parts } from './front-matter.ts'
import { areDefinitions, linksNode } from './links.ts'
import { markdownCode, parseCut, parseMarkdown, spanOf, type Flavour, type MarkdownNode } from './markdown.ts'
import type { NodeForm } from './node-form.ts'
import { formOf } from './nodes.ts'
import type { Unreadable } from './outcome.ts'
import { endOfLine, lineAt, lineEndOf, sliceOf, startOfLine, type Span } from './ranges.ts'
import type { ReadBlock, Reading } from './reading.ts'
import { inSections, simpleType, type Sections, type SectionText } from './sections.ts'

/** A node of a document; its span has whole lines. */
export interface DocumentNode extends ReadBlock {
  readonly write: NodeForm['write']
  readonly code: () => ReadonlySet<string>
}

export interface Document {
  readonly parts: Parts
  readonly nodes: readonly DocumentNode[]
  /** The line end that new lines get. */
  readonly end: string
  readonly sections: Sections<DocumentNode>
}

/** Parses a document with a pause behind each section. Sections that an earlier one has are taken from it. */
export function* parsedDocument(
  text: string,
  options: Flavour,
  earlier: readonly Document[] = [],
): Generator<void, Document | Unreadable> {
  const parts = partsOf(text)
  if ('unreadable' in parts) return parts
  const { bodyFrom } = parts
  const end = lineEndOf(text)
  const known = earlier.filter((each) => each.end === end).map(({ sections }) => sections)
  const parse = (section: SectionText) => nodesOf(section, end, options)
  const parsed = yield* inSections(text.slice(bodyFrom), known, parse, options)
  if ('unreadable' in parsed) return { ...parsed, line: parsed.line + lineAt(text, bodyFrom) - 1 }
  return { parts, end, ...parsed }
}

function nodesOf({ text, masked, containers, isCut }: SectionText, end: string, options: Flavour) {
  const simple = options.mdx || options.directives ? undefined : simpleNode(masked)
  const tree = simple ? [simple] : isCut ? parseCut(masked, options) : parseMarkdown(masked, options)
  if (!tree || 'unreadable' in tree) return tree
  const nodes: DocumentNode[] = []
  for (const group of groupsOf(tree, text)) {
    const [node] = group
    if (!node) continue
    const span = { from: spanOf(node).from, to: spanOf(group.at(-1) ?? node).to }
    const container = containers.get(span.from)
    const place = linesAround(text, container ?? span, nodes.at(-1)?.to ?? 0)
    const source = { ...place, text, end }
    const form = areDefinitions(group) ? linksNode(group, source) : formOf(node, source, container)
    const code = () =>
      container || simple
        ? codeOfText(container ? sliceOf(text, container.inside) : text, options)
        : new Set(group.flatMap((each) => [...markdownCode(each)]))
    nodes.push({ ...form, ...place, code })
  }
  return nodes
}

/** Returns the node that a text is, without what is in it. */
function simpleNode(text: string): MarkdownNode | undefined {
  const type = simpleType(text)
  if (!type) return undefined
  const position = placeOf(0, text.trimEnd().length)
  if (type !== 'heading') return { type, children: [], position }
  const marks = text.indexOf(' ')
  const [from, to] = [marks + 1, position.end.offset]
  const words = { type: 'text', value: text.slice(from, to), position: placeOf(from, to) } as const
  return { type, depth: marks as 1, children: [words], position }
}

/** Only its offsets are read. */
const placeOf = (from: number, to: number) => ({
  start: { line: 1, column: 1, offset: from },
  end: { line: 1, column: 1, offset: to },
})

const areUnseen: ReadonlySet<string> = new Set(['definition', 'footnoteDefinition', 'html'])

/** Definitions, comments and markup on lines that follow each other are one block. */
function groupsOf(nodes: readonly MarkdownNode[], text: string): readonly (readonly MarkdownNode[])[] {
  const groups: MarkdownNode[][] = []
  for (const node of nodes) {
    const last = groups.at(-1)?.at(-1)
    const isOne =
      last !== undefined &&
      areUnseen.has(last.type) &&
      areUnseen.has(node.type) &&
      !hasEmptyLine(text.slice(spanOf(last).to, spanOf(node).from))
    if (isOne) groups.at(-1)?.push(node)
    else groups.push([node])
  }
  return groups
}

/** The lines of a node, or what it has of them if another node is on the same line. */
function linesAround(text: string, { from, to }: Span, least: number): Span {
  const line = startOfLine(text, from)
  const end = endOfLine(text, to)
  return { from: line < least ? from : line, to: /\S/.test(text.slice(to, end)) ? to : end }
}

function codeOfText(text: string, options: Flavour): ReadonlySet<string> {
  const containers = containersIn(text, options)
  const nodes = parseMarkdown(withoutContainers(text, containers), options)
  if ('unreadable' in nodes) return new Set([text])
  return new Set([
    ...nodes.flatMap((node) => [...markdownCode(node)]),
    ...containers.flatMap(({ inside }) => [...codeOfText(sliceOf(text, inside), options)]),
  ])
}

export function readingOf({ parts, nodes }: Document): Reading {
  const { title, description, block } = detailsOf(parts)
  const heading = nodes.find(({ type }) => type === 'Heading')?.props['text']
  const { bodyFrom } = parts
  return {
    title,
    description,
    heading: typeof heading === 'string' ? markdownText(heading) : undefined,
    blocks: [
      ...(block ? [block] : []),
      ...nodes.map(({ type, props, from, to, fixed }) => {
        const place = { from: from + bodyFrom, to: to + bodyFrom }
        return { type, props, ...place, ...(fixed === undefined ? {} : { fixed }) }
      }),
    ],
  }
}

/** Whether there is a line without content between two nodes. */
export const hasEmptyLine = (gap: string): boolean => /(?:\n|\r(?!\n))[ \t]*[\r\n]/.test(gap)
