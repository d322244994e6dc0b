/** What a node of a document is as a block, and how it is written with other props. */
import type { Props } from '../content/page.ts'
import { contentOf, linesOf, withContent } from './lines.ts'
import { spanOf, type MarkdownNode } from './markdown.ts'
import { sliceOf, spliced, type Span, type Splice } from './ranges.ts'

/** A part of a document, as its lines are. */
export interface Source extends Span {
  /** The text of the whole file. */
  readonly text: string
  /** The line end of new lines. */
  readonly end: string
}

/** A node as a block. */
export interface NodeForm {
  readonly type: string
  readonly props: Props
  /** Why nothing of it can be changed, as a sentence. */
  readonly fixed?: string
  /** The text of the node with other props; `undefined` if it has no spelling for them. */
  write(props: Props): string | undefined
}

/** Replaces parts of the lines of a node. */
export const rewritten = ({ text, from, to }: Source, splices: readonly Splice[]): string =>
  spliced(
    text.slice(from, to),
    splices.map((each) => ({ ...each, from: each.from - from, to: each.to - from })),
  )

/** What is in front of each line of a value, and in front of new ones. */
export interface Margin {
  readonly pattern: RegExp
  readonly usual?: string
}

/** A node whose one prop is a part of it. */
export function textForm(source: Source, part: Span, margin?: Margin): Pick<NodeForm, 'props' | 'write'> {
  const lines = linesOf(sliceOf(source.text, part), margin?.pattern)
  return {
    props: { text: contentOf(lines) },
    write({ text }) {
      if (typeof text !== 'string') return undefined
      const usual = margin?.usual === undefined ? {} : { margin: margin.usual }
      return rewritten(source, [{ ...part, text: withContent(lines, text, { ...usual, end: source.end }) }])
    },
  }
}

export const indentation: Margin = { pattern: /^[ \t]*/ }

/** From the first to the last child of a node. */
export function insideOf(node: { readonly children: readonly MarkdownNode[] }): Span | undefined {
  const [first, last] = [node.children[0], node.children.at(-1)]
  return first && last && { from: spanOf(first).from, to: spanOf(last).to }
}
