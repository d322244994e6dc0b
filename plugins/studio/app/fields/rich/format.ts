/** How rich text is stored: as markup of one kind or another, of which nothing changes but what was edited. */
import { make, type Node } from './schema.ts'

/** A block with the text from which it was read, and the text in front of it. */
export interface Piece {
  readonly node: Node
  readonly source: string
  readonly before: string
}

export interface Format {
  /** Reads a text in pieces, and what follows them; `undefined` if it has more than the editor knows. */
  readonly read: (text: string) => { readonly pieces: readonly Piece[]; readonly after: string } | undefined
  readonly write: (block: Node) => string
  /** What stands between two blocks. */
  readonly between: string
}

export interface RichText {
  readonly doc: Node
  /** Returns the text of a later document. Blocks that are as they were keep their text. */
  readonly textOf: (doc: Node) => string
}

/** Opens a text for editing. */
export function openText(format: Format, text: string): RichText | undefined {
  const read = format.read(text)
  if (!read) return undefined
  const { pieces, after } = read
  const doc = make.doc(pieces.map(({ node }) => node))
  return { doc, textOf: (now) => (now.eq(doc) ? text : written(format, pieces, after, now)) }
}

function written(format: Format, pieces: readonly Piece[], after: string, doc: Node): string {
  let text = ''
  let last = -1
  // Later pieces first looked for where the text goes on, so that equal blocks keep their own.
  const find = (node: Node): number => {
    const next = pieces.findIndex((piece, at) => at > last && (piece.node === node || piece.node.eq(node)))
    return next === -1 ? pieces.findIndex((piece) => piece.node.eq(node)) : next
  }
  for (const node of doc.children) {
    const isEmpty = node.isTextblock && node.content.size === 0
    if (isEmpty) continue
    const at = find(node)
    const piece = pieces[at]
    const follows = piece !== undefined && at === last + 1
    text += follows ? piece.before : text === '' ? '' : format.between
    text += piece ? piece.source : format.write(node)
    last = piece ? at : -2
  }
  return last === pieces.length - 1 ? text + after : text
}
