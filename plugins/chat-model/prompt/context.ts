import type { PlanningInput } from '../../chat/port.ts'
import type { Block, Page } from '../../content/page.ts'
import { fenced } from '../../llm/port.ts'
import type { PlanSource } from '../lookup.ts'
import type { Words } from '../words.ts'
import {
  attachmentPiece,
  blockPiece,
  configPiece,
  editsPiece,
  fitted,
  outlinePiece,
  pagePiece,
  type Piece,
} from './pieces.ts'
import { referencesIn } from './references.ts'

/** The request, and the content that the model is shown. */
export interface Subject extends PlanSource {
  readonly input: PlanningInput
  readonly context: NonNullable<ReturnType<typeof contextOf>>
}

/** Bytes of fences, instructions and keys. */
const frameBytes = 512

/**
 * Builds the content shown to a model, in at most `budget` bytes including the message: selected and named
 * blocks of any page, the complete page, and other pages by title and block types. Beyond the budget, blocks
 * are marked `cut`, those farthest from the selection first.
 *
 * Returns `undefined` if the message takes more than half of the budget.
 */
export function contextOf(input: PlanningInput, words: Words, budget: number) {
  const { draft, message, selection, attachments = [] } = input
  const ownBytes = Buffer.byteLength(JSON.stringify([message, selection]))
  if (ownBytes > budget / 2) return undefined
  const named = referencesIn(input, words)
  const { page } = named
  const inFull = [...new Set([page, ...named.pages])]
  // Small pages first: a large one leaves no room for others.
  const smallFirst = inFull.toSorted((a, b) => a.blocks.length - b.blocks.length)
  const edits = editsPiece(input, page)
  const config = configPiece(input)
  const files = attachments.map(attachmentPiece)
  const pieceOf = (block: Block): Piece => blockPiece(block, input)
  const { as, complete } = fitted(
    [
      ...named.blocks.map(pieceOf),
      edits,
      ...files,
      ...named.elsewhere.flatMap((other) => [outlinePiece(other.page), pieceOf(other.block)]),
      ...smallFirst.flatMap((each) => [pagePiece(each), ...nearFirst(each, named.blocks[0]).map(pieceOf)]),
      config,
      ...draft.pages.map(outlinePiece),
    ],
    budget - ownBytes - frameBytes,
  )
  const asShown = (each: Page): object => {
    const blocks = each.blocks.flatMap((block) => as.get(block) ?? [])
    return { ...as.get(each), ...(blocks.length > 0 && { blocks }) }
  }
  const others = draft.pages.filter((each) => each !== page && as.has(each))
  const contextPack = {
    selected:
      selection.blockId === undefined ? null : { blockId: selection.blockId, editablePath: selection.path },
    recentSuccessfulEdits: as.get(edits.of),
    page: asShown(page),
    otherPages: others.map(asShown),
    ...(others.length < draft.pages.length - 1 && { pagesLeftOut: draft.pages.length - 1 - others.length }),
    siteConfig: as.get(config.of),
  }
  const attached = files.flatMap(({ of }) => as.get(of) ?? [])
  const withFiles = files.length > 0 ? [fenced('attachments', attached)] : []
  const text = [fenced('pages', { contextPack }), ...withFiles].join('\n\n')
  const isComplete = (part: Block | Page): boolean => complete.has(part)
  return {
    text,
    /** Bytes of the text, the message and the selection. */
    bytes: ownBytes + Buffer.byteLength(text),
    /** Whether a block, or a page apart from its blocks, is shown completely. */
    isComplete,
    /** The slugs of edited or named pages that are not shown completely. */
    partly: inFull.filter(({ blocks }) => !blocks.every(isComplete)).map(({ slug }) => slug),
  }
}

/** Returns the blocks of a page, sorted by distance from another block. */
function nearFirst({ blocks }: Page, block: Block | undefined): readonly Block[] {
  const place = block ? blocks.indexOf(block) : -1
  if (place < 0) return blocks
  return [...blocks.entries()]
    .toSorted(([a], [b]) => Math.abs(a - place) - Math.abs(b - place))
    .map(([, each]) => each)
}
