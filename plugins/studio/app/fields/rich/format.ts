/**
 * How rich text is stored: as markup of one kind or another, of which nothing changes but what was edited.
 */
import { cellsOf, sameText, type Cell } from './cells.ts'
import { closed, hunksOf, isPlain, rangeOf, widened } from './hunks.ts'
import { make, type Node } from './schema.ts'

/** A part of a text, from its first to behind its last sign. */
export interface Placed {
  readonly node: Node
  readonly start: number
  readonly end: number
  /** Where its content is, without the signs around it. */
  readonly inner: { readonly start: number; readonly end: number }
  /** What is in a list or in one of its rows. */
  readonly children?: readonly Placed[]
  /** The characters of a paragraph or heading. */
  readonly cells?: readonly Cell[]
}

/** A part, and the text that it is in. */
export interface Place {
  readonly source: string
  readonly part: Placed
}

export interface CellRange {
  readonly from: number
  readonly to: number
  /** Whether the signs of their marks are around them. */
  readonly isPlain: boolean
}

export interface Format {
  /** Returns the blocks of a text in order. Throws a `RangeError` if it has more than the editor knows. */
  readonly read: (text: string) => readonly Placed[]
  readonly write: (block: Node) => string
  /** Writes a new child, of this index, of a list or row that is stored. */
  readonly writeChild: (child: Node, inside: Place, index: number) => string
  /** Writes some of the characters of a block that is stored. */
  readonly writeCells: (now: readonly Cell[], range: CellRange, place: Place) => string
  /** What is between two blocks, or two children of a list or row. */
  readonly between: (inside?: Place) => string
}

export interface RichText {
  readonly doc: Node
  /** Returns the text of a later document. What was not edited keeps its text. */
  readonly textOf: (doc: Node) => string
}

/** Opens a text for editing; `undefined` if it has more than the editor knows. */
export function openText(format: Format, text: string): RichText | undefined {
  const part = partOf(format, text)
  return part && { doc: part.node, textOf: (now) => textOf(format, { source: text, part }, now) }
}

function partOf(format: Format, text: string): Placed | undefined {
  try {
    const children = format.read(text)
    const whole = { start: 0, end: text.length }
    return { node: make.doc(children.map(({ node }) => node)), ...whole, inner: whole, children }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function textOf(format: Format, place: Place, doc: Node): string {
  if (place.part.node.eq(doc)) return place.source
  const stored = new Set(place.part.children?.map(({ node }) => node))
  // A block that a person has left empty has no text, unlike one that was stored so and is untouched.
  const hasText = (block: Node): boolean => !block.isTextblock || block.content.size > 0 || stored.has(block)
  const now = make.doc(doc.children.filter(hasText))
  const text = joined(format, place, now)
  const read = partOf(format, text)
  // A changed block may read as a part of one that it is close to.
  return read && sameText(read.node, now) ? text : joined(format, place, now, { isApart: true })
}

interface Joining {
  /** How many characters around a change are written with it; absent in the document. */
  readonly margin?: number
  /** Whether changed children get the usual distance to others. */
  readonly isApart?: boolean
}

/**
 * Writes what is in the document, in a list or in a row. Children that are as they were, or nearly, keep
 * their text.
 */
function joined(format: Format, place: Place, now: Node, { margin, isApart }: Joining = {}): string {
  const { source, part } = place
  const { children = [], inner } = part
  const inside = margin === undefined ? undefined : place
  const partners = partnersOf(children, now.children)
  let text = ''
  let last = -1
  for (const [index, node] of now.children.entries()) {
    const at = partners[index] ?? -1
    const child = children[at]
    const own = child && { source, part: child }
    const piece =
      margin === undefined ? own && edited(format, own, node) : own && changed(format, own, node, margin)
    const keepsGap = child !== undefined && (!isApart || child.node.eq(node))
    if (keepsGap && at === last + 1) text += source.slice(children[last]?.end ?? inner.start, child.start)
    else if (text !== '') text += format.between(inside)
    text += piece ?? (inside ? format.writeChild(node, inside, index) : format.write(node))
    last = keepsGap ? at : -2
  }
  return last === children.length - 1
    ? text + source.slice(children[last]?.end ?? inner.start, inner.end)
    : text
}

/** Finds for each node the child that it was or was divided from; -1 if there is none. */
function partnersOf(children: readonly Placed[], nodes: readonly Node[]): readonly number[] {
  let last = -1
  const same = nodes.map((node) => {
    const isSame = (child: Placed): boolean => child.node.eq(node)
    // First where the text goes on, so that equal children keep their own.
    const next = children.findIndex((child, at) => at > last && isSame(child))
    const at = next === -1 ? children.findIndex(isSame) : next
    if (at !== -1) last = at
    return at
  })
  const taken = new Set(same)
  let before = -1
  const partnerOf = (node: Node, index: number): number => {
    const isLike = (child: Placed | undefined): boolean => child?.node.sameMarkup(node) === true
    const until = same.slice(index).find((each) => each > before) ?? children.length
    const own = children.findIndex(
      (child, at) => at > before && at < until && !taken.has(at) && isLike(child),
    )
    const isDivided = node.isTextblock && same[index - 1] === -1 && isLike(children[before])
    return own === -1 && isDivided ? before : own
  }
  return same.map((at, index) => {
    const node = nodes[index]
    const found = at === -1 && node ? partnerOf(node, index) : at
    if (found !== -1) before = found
    return found
  })
}

/**
 * How many characters around a change are written with it: none, and more where it reads otherwise than it
 * was meant, for example because of a sign next to it.
 */
const margins = [0, 4, 32, Infinity]

/** Writes a block of the document with as much of its former text as reads as it was meant. */
function edited(format: Format, place: Place, now: Node): string {
  const { source, part } = place
  if (part.node.eq(now)) return source.slice(part.start, part.end)
  for (const margin of margins) {
    const text = changed(format, place, now, margin)
    const read = text === undefined ? undefined : partOf(format, text)
    if (text !== undefined && read && sameText(read.node, make.doc([now]))) return text
  }
  return format.write(now)
}

/** Writes a part as it is now; `undefined` if it is a node of another kind. */
function changed(format: Format, place: Place, now: Node, margin: number): string | undefined {
  const { source, part } = place
  const { node, start, end, inner, cells } = part
  if (node.eq(now)) return source.slice(start, end)
  if (!node.sameMarkup(now)) return undefined
  if (!cells)
    return (
      source.slice(start, inner.start) + joined(format, place, now, { margin }) + source.slice(inner.end, end)
    )
  const all = cellsOf(now)
  let text = ''
  let next = start
  for (const hunk of closed(cells, all, widened(hunksOf(cells, all), margin, cells.length))) {
    const range = { from: hunk.nowFrom, to: hunk.nowTo, isPlain: isPlain(cells, all, hunk) }
    const where = rangeOf(cells, all, hunk, inner)
    text += source.slice(next, where.start) + format.writeCells(all, range, place)
    next = where.end
  }
  return text + source.slice(next, end)
}
