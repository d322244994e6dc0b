import type { PlanningInput } from '../../port.ts'
import type { Block, Page } from '../../../content/page.ts'
import { encoded, fenced } from '../../../models/port.ts'
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
const frameBytes = 640
/** The share of the budget that the list of pages may take; it does not depend on the message. */
const listShare = 0.4

/**
 * Builds the content shown to a model, in at most `budget` bytes including the message: a list of the pages, the site
 * settings, the complete page, and selected and named blocks of any page. Beyond the budget, blocks are marked `cut`,
 * those farthest from the selection first. What changes least stands first, so that a cache has most of it.
 *
 * Returns `undefined` if the message takes more than half of the budget.
 */
export function contextOf(input: PlanningInput, words: Words, budget: number) {
  const { draft, message, selection, attachments = [] } = input
  const ownBytes = Buffer.byteLength(JSON.stringify([message, selection]))
  if (ownBytes > budget / 2) return undefined
  const room = budget - ownBytes - frameBytes
  const list = listed(draft.pages, Math.min(budget * listShare, room / 2))
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
    ],
    room - list.bytes,
  )
  const asShown = (each: Page): object => {
    const blocks = each.blocks.flatMap((block) => as.get(block) ?? [])
    return { ...as.get(each), ...(blocks.length > 0 && { blocks }) }
  }
  const shown = changedLast(
    draft.pages.filter((each) => as.has(each)),
    input,
  )
  const content = [
    fenced('page list', list.shown),
    fenced('site settings', { siteConfig: as.get(config.of) }),
    fenced('pages', { pages: shown.map(asShown) }),
  ].join('\n\n')
  const selected = selection.blockId !== undefined && {
    selected: { blockId: selection.blockId, editablePath: selection.path },
  }
  const attached = files.flatMap(({ of }) => as.get(of) ?? [])
  const messageContext = [
    fenced('selection', { ...selected, recentSuccessfulEdits: as.get(edits.of) }),
    ...(files.length > 0 ? [fenced('attachments', attached)] : []),
  ].join('\n\n')
  const isComplete = (part: Block | Page): boolean => complete.has(part)
  return {
    /** The pages, which stay the same from message to message apart from changed and named ones. */
    content,
    /** What depends on this message. */
    about: messageContext,
    /** Bytes of both, the message and the selection. */
    bytes: ownBytes + Buffer.byteLength(content) + Buffer.byteLength(messageContext),
    /** Whether a block, or a page apart from its blocks, is shown completely. */
    isComplete,
    /** The slugs of edited or named pages that are not shown completely. */
    partly: inFull.filter(({ blocks }) => !blocks.every(isComplete)).map(({ slug }) => slug),
  }
}

/** Returns the pages by title and block types, as many as fit into `room` bytes. */
function listed(pages: readonly Page[], room: number) {
  const pageList: object[] = []
  let bytes = 0
  for (const page of pages) {
    const { mark } = outlinePiece(page)
    const more = Buffer.byteLength(encoded(mark)) + 1
    if (bytes + more > room) break
    bytes += more
    pageList.push(mark)
  }
  const pagesLeftOut = pages.length - pageList.length
  return { shown: { pageList, ...(pagesLeftOut > 0 && { pagesLeftOut }) }, bytes }
}

/** Sorts pages: those that were just changed come last. */
function changedLast(pages: readonly Page[], { recentEdits = [] }: PlanningInput): readonly Page[] {
  const changed = recentEdits.map(({ slug }) => slug)
  return pages.toSorted((a, b) => changed.lastIndexOf(a.slug) - changed.lastIndexOf(b.slug))
}

/** Returns the blocks of a page, sorted by distance from another block. */
function nearFirst({ blocks }: Page, block: Block | undefined): readonly Block[] {
  const place = block ? blocks.indexOf(block) : -1
  if (place < 0) return blocks
  return [...blocks.entries()]
    .toSorted(([a], [b]) => Math.abs(a - place) - Math.abs(b - place))
    .map(([, each]) => each)
}
