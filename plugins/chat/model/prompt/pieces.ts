import type { Attachment, PlanningInput } from '../../port.ts'
import { declaredType } from '../../../content/registry.ts'
import { isInternal } from '../../../content/fields.ts'
import type { Block, BlockType, Page, Props } from '../../../content/model.ts'
import { ownValue, picked } from '../../../content/plain-object.ts'
import { encoded } from '../../../models/port.ts'

/** A piece of content shown to a model: complete if there is room, otherwise as a mark. */
export interface Piece {
  /** The shown object, such as a block or a page. */
  readonly of: object
  readonly mark: object
  /** Omitted if the mark is already complete. */
  readonly complete?: object
}

/** Bytes of a key and of the punctuation around a piece. */
const around = 32

/**
 * Fits pieces into `room` bytes, the most important first. Marks take at most half of the room; then every
 * piece that still fits is shown completely. A piece whose mark does not fit is left out.
 */
export function fitted(pieces: readonly Piece[], room: number) {
  const as = new Map<object, object>()
  const complete = new Set<object>()
  let remaining = room
  for (const { of, mark } of pieces) {
    const bytes = bytesOf(mark)
    if (as.has(of)) continue
    if (remaining - bytes < room / 2) break
    remaining -= bytes
    as.set(of, mark)
  }
  for (const { of, mark, complete: all } of pieces) {
    if (!all || complete.has(of) || !as.has(of)) continue
    const more = bytesOf(all) - bytesOf(mark)
    if (more > remaining) continue
    remaining -= more
    as.set(of, all)
    complete.add(of)
  }
  return { as, complete }
}

/** Returns the bytes that a piece takes in a request. */
const bytesOf = (value: unknown): number => Buffer.byteLength(encoded(value)) + around

/** Props that best describe a block, in order. */
const leading = ['heading', 'title', 'sectionTitle', 'label', 'text', 'body']
const longestBeginning = 120
const longestText = 10_000
const mostEdits = 3

/** A block with its props; its mark has the beginning of its leading text. */
export function blockPiece(block: Block, input: Pick<PlanningInput, 'manifest' | 'registry'>): Piece {
  const { id, type } = block
  const props = shownProps(block.props, declaredType(type, input))
  const text = leading
    .map((name) => ownValue(props, name))
    .find((value) => typeof value === 'string' && value !== '')
  const beginning = typeof text === 'string' && { beginning: beginningOf(text) }
  return { of: block, mark: { id, type, cut: true, ...beginning }, complete: { id, type, props } }
}

/** Removes internal props. */
export function shownProps(props: Props, blockType: BlockType | undefined): Props {
  return picked(props, (_, name) => !isInternal(name, ownValue(blockType?.fields, name)))
}

/** A page by its title and block types only. */
export function outlinePiece(page: Page): Piece {
  const { slug, title, blocks } = page
  return { of: page, mark: { slug, title, blockTypes: [...new Set(blocks.map(({ type }) => type))] } }
}

/** A page without its blocks. */
export function pagePiece(page: Page): Piece {
  const { slug, title, meta = null } = page
  return { ...outlinePiece(page), complete: { slug, title, meta } }
}

export function editsPiece({ recentEdits = [] }: PlanningInput, page: Page): Piece {
  const edits = recentEdits.filter(({ slug }) => slug === page.slug).slice(-mostEdits)
  const complete = edits.map(({ at, summary, opTypes }) => ({ time: at, summary, ops: opTypes }))
  return { of: edits, mark: [], complete }
}

/** The site settings; of the menu only what a person set, because other labels follow from the addresses. */
export function configPiece({ draft: { config } }: PlanningInput): Piece {
  const { name, logo, navLabels, navGroups } = config
  return { of: config, mark: { name, cut: true }, complete: { name, logo, navLabels, navGroups } }
}

/** An attachment; a long text is shortened and marked as cut. */
export function attachmentPiece(attachment: Attachment): Piece {
  const { name, mimeType, url, text } = attachment
  const isLong = text !== undefined && text.length > longestText
  const complete = { name, mimeType, url, text: text?.slice(0, longestText), ...(isLong && { cut: true }) }
  return { of: attachment, mark: { name, mimeType, url, cut: true }, complete }
}

/** Returns at most 120 characters, never half of one. */
function beginningOf(text: string): string {
  const characters = Array.from(text.slice(0, 2 * longestBeginning + 2))
  return characters.length > longestBeginning ? `${characters.slice(0, longestBeginning).join('')}…` : text
}
