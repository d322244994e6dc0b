/** How rich text is stored: as markup of one kind or another, of which nothing changes but what was edited. */
import { make, type Node } from './schema.ts'

/** A block, and where it stands in the text. */
export interface TextBlock {
  readonly node: Node
  readonly start: number
  readonly end: number
}

export interface Format {
  /** Returns the blocks of a text in order. Throws a `RangeError` if it has more than the editor knows. */
  readonly read: (text: string) => readonly TextBlock[]
  readonly write: (block: Node) => string
  /** What stands between two blocks. */
  readonly between: string
}

export interface RichText {
  readonly doc: Node
  /** Returns the text of a later document. Blocks that are as they were keep their text. */
  readonly textOf: (doc: Node) => string
}

/** Opens a text for editing; `undefined` if it has more than the editor knows. */
export function openText(format: Format, text: string): RichText | undefined {
  try {
    const blocks = format.read(text)
    const doc = make.doc(blocks.map(({ node }) => node))
    return { doc, textOf: (now) => (now.eq(doc) ? text : written(format, text, blocks, now)) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function written(format: Format, was: string, blocks: readonly TextBlock[], doc: Node): string {
  let text = ''
  let last = -1
  const endOf = (at: number): number => blocks[at]?.end ?? 0
  // Later blocks first looked for where the text goes on, so that equal blocks keep their own.
  const find = (node: Node): number => {
    const next = blocks.findIndex((block, at) => at > last && (block.node === node || block.node.eq(node)))
    return next === -1 ? blocks.findIndex((block) => block.node.eq(node)) : next
  }
  for (const node of doc.children) {
    const isEmpty = node.isTextblock && node.content.size === 0
    if (isEmpty) continue
    const at = find(node)
    const block = blocks[at]
    const follows = block !== undefined && at === last + 1
    text += follows ? was.slice(endOf(last), block.start) : text === '' ? '' : format.between
    text += block ? was.slice(block.start, block.end) : format.write(node)
    last = block ? at : -2
  }
  return last === blocks.length - 1 ? text + was.slice(endOf(last)) : text
}
