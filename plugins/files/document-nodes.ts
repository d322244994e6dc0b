/** A document as its parts: the front matter, and a node for each block. */
import { markdownText } from '../content/markdown-text.ts'
import { detailsOf, partsOf, type Parts } from './front-matter.ts'
import { markdownCode, parseMarkdown, spanOf, type Flavour, type MarkdownNode } from './markdown.ts'
import type { NodeForm } from './node-form.ts'
import { formOf } from './nodes.ts'
import type { Unreadable } from './outcome.ts'
import { endOfLine, lineAt, lineEndOf, sliceOf, startOfLine, type Span } from './ranges.ts'
import type { ReadBlock, Reading } from './reading.ts'

/** A node of a document; its span has whole lines. */
export interface DocumentNode extends ReadBlock {
  readonly write: NodeForm['write']
  readonly code: () => ReadonlySet<string>
}

export interface Document {
  readonly parts: Parts
  readonly nodes: readonly DocumentNode[]
}

export function documentOf(text: string, options: Flavour): Document | Unreadable {
  const parts = partsOf(text)
  if ('unreadable' in parts) return parts
  const { bodyFrom } = parts
  const tree = parseMarkdown(text.slice(bodyFrom), options)
  if ('unreadable' in tree) return { ...tree, line: tree.line + lineAt(text, bodyFrom) - 1 }
  const end = lineEndOf(text)
  const nodes: DocumentNode[] = []
  // The places of the tree are those of the text.
  const body = text.slice(bodyFrom)
  for (const group of groupsOf(tree.nodes, body)) {
    const [node] = group
    if (!node) continue
    const span = { from: spanOf(node).from, to: spanOf(group.at(-1) ?? node).to }
    const container = tree.containers.get(span.from)
    const place = linesAround(body, container ?? span, nodes.at(-1)?.to ?? 0)
    const form = formOf(node, { ...place, text: body, end }, container)
    const code = () =>
      container
        ? codeOfText(sliceOf(body, container.inside), options)
        : new Set(group.flatMap((each) => [...markdownCode(each)]))
    nodes.push({ ...form, ...place, code })
  }
  return { parts, nodes }
}

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
  const tree = parseMarkdown(text, options)
  if ('unreadable' in tree) return new Set([text])
  return new Set([
    ...tree.nodes.flatMap((node) => [...markdownCode(node)]),
    ...[...tree.containers.values()].flatMap(({ inside }) => [...codeOfText(sliceOf(text, inside), options)]),
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
