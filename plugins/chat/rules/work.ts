import { applyBatch } from '../../content/batch.ts'
import type { Block, BlockType, Draft, FieldMeta, Fields, Page } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { sameJson } from '../../content/same-json.ts'
import type { PlanningInput } from '../types/planner.ts'
import type { Naming } from '../../content/naming.ts'
import { Ask, unfit } from './ask.ts'
import { draftAfter, pagesIn } from '../../content/draft-view.ts'
import type { Parser } from './grammar/parser.ts'
import type { Vocabulary } from './grammar/vocabulary.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import type { Texts } from './texts/texts.ts'

/** What stays the same while a message is worked on. */
export interface Scene {
  readonly input: PlanningInput
  readonly lexicon: Lexicon
  readonly vocabulary: Vocabulary
  readonly texts: Texts
  readonly parser: Parser
  /** Under the names that people have for them: what is written into a draft comes from the declared ones. */
  readonly types: readonly BlockType[]
  readonly typesByName: ReadonlyMap<string, BlockType>
  readonly named: Naming
  /** What was answered to questions about this message, by their keys. */
  readonly answers: Readonly<Record<string, string>>
  /** The one time of everything that is planned: no clock is asked. */
  readonly now: Date
}

export interface BlockAt {
  readonly slug: string
  readonly id: string
}

export interface RowAt extends BlockAt {
  readonly listKey: string
  readonly index: number
}

/** A field of a block, or of a row of it. */
export interface FieldAt extends BlockAt {
  readonly row?: { readonly listKey: string; readonly index: number }
  readonly name: string
  readonly meta: FieldMeta
}

/** How far a message has been turned into operations. Never changed: each step makes a new one. */
export interface Work {
  readonly scene: Scene
  /** With everything applied so far. */
  readonly draft: Draft
  /** The page that is talked about. */
  readonly slug: string
  /** The block that the sentence began with, as in `in the hero, …`. */
  readonly lead?: BlockAt | undefined
  /** What the clause before was about. */
  readonly touched?: BlockAt | RowAt | undefined
  /** The page that the clause before was about as a whole. */
  readonly touchedPage?: string | undefined
  /** The field that the clause before set. */
  readonly touchedField?: FieldAt | undefined
  /** `it` could be the original as well as the copy. */
  readonly isUnclear?: boolean | undefined
  /** A page was made or removed, so that nobody knows which one is talked about. */
  readonly isPageUnclear?: boolean | undefined
  readonly ops: readonly Operation[]
  /** The draft before each operation. */
  readonly drafts: readonly Draft[]
  readonly kept: readonly (FieldAt | BlockAt)[]
  /** How many clauses asked for something. */
  readonly requests: number
}

/** The block type that describes a block on this site. */
export const typeOf = ({ scene }: Work, { type }: Pick<Block, 'type'>): BlockType | undefined => scene.typesByName.get(type)

export const fieldsOf = (work: Work, block: Block): Fields => typeOf(work, block)?.fields ?? {}

/** The page that is talked about; asks where that is not clear any more. */
export function pageInMind({ isPageUnclear, slug, scene, draft }: Work): string {
  if (isPageUnclear) throw new Ask({ question: scene.texts.whichPage(draft.order) })
  return slug
}

/** The row of the clause before, where it is in this list. */
export function touchedRow({ touched }: Work, list?: BlockAt & { readonly listKey: string }): RowAt | undefined {
  if (!touched || !('listKey' in touched)) return undefined
  return !list || (list.id === touched.id && list.listKey === touched.listKey) ? touched : undefined
}

/** The same work, on another page: nothing there was talked about yet. */
export const onPage = (work: Work, slug: string): Work =>
  ({ ...work, slug, isPageUnclear: false, lead: undefined, touched: undefined, touchedPage: undefined })

/** Work that was done elsewhere, back on the page of before. */
export const backFrom = ({ slug, isPageUnclear }: Work, done: Work): Work => ({ ...done, slug, isPageUnclear })

/** A page by its slug; asks where an earlier clause took it away. */
export function pageOf({ draft, scene }: Work, slug: string): Page {
  const page = draft.page(slug)
  if (!page) throw new Ask({ question: scene.texts.whichPage(draft.order) })
  return page
}

/** A block by its place; gives up where an earlier clause took it away. */
export function blockOf(work: Work, { slug, id }: BlockAt): Block {
  return blockWithId(pageOf(work, slug), id) ?? unfit('the block is gone')
}

/** A block among those of its type on a page. */
export interface Standing {
  readonly block: Block
  /** Its place among them, from 1. */
  readonly nth: number
  readonly isOnly: boolean
}

/** Finds a block on a page; the first one of an id. Further questions about the same page cost the same however many blocks it has. */
export function standingOf({ blocks }: Page, id: string): Standing | undefined {
  const { byId, counts } = standings.get(blocks) ?? standingsOn(blocks)
  const found = byId.get(id)
  return found && { ...found, isOnly: counts.get(found.block.type) === 1 }
}

/** The same where only the block is wanted. A page that is only asked once or twice, between two operations, is looked through. */
export function blockWithId({ blocks }: Page, id: string): Block | undefined {
  const times = lookups.get(blocks) ?? 0
  lookups.set(blocks, times + 1)
  if (times < mostScans) return blocks.find((block) => block.id === id)
  return (standings.get(blocks) ?? standingsOn(blocks)).byId.get(id)?.block
}

const mostScans = 8
const lookups = new WeakMap<readonly Block[], number>()

interface Standings {
  readonly byId: ReadonlyMap<string, Omit<Standing, 'isOnly'>>
  readonly counts: ReadonlyMap<string, number>
}

const standings = new WeakMap<readonly Block[], Standings>()

function standingsOn(blocks: readonly Block[]): Standings {
  const byId = new Map<string, Omit<Standing, 'isOnly'>>()
  const counts = new Map<string, number>()
  for (const block of blocks) {
    const nth = (counts.get(block.type) ?? 0) + 1
    counts.set(block.type, nth)
    if (!byId.has(block.id)) byId.set(block.id, { block, nth })
  }
  const made = { byId, counts }
  standings.set(blocks, made)
  return made
}

/** Blocks that may be added, moved and removed: all but those that are pinned. */
export function movableBlocks(work: Work, slug: string): readonly Block[] {
  return pageOf(work, slug).blocks.filter((block) => !typeOf(work, block)?.chrome)
}

/** Whether a message leaves the draft as it is: what it asks for is so already, or one part of it takes back another. */
export function changesNothing({ ops, draft, scene: { input: { draft: before } } }: Work): boolean {
  if (ops.length === 0) return true
  const pages = pagesIn(draft)
  const isSame = (page: Page, other?: Page): boolean => page === other || sameJson({ ...page, updatedAt: '' }, { ...other, updatedAt: '' })
  return pages.length === before.pages.length && sameJson(draft.config, before.config) && pages.every((page, index) => isSame(page, before.pages[index]))
}

/** Does one more thing. What is so already is left out; what the content model refuses is asked back. */
export function perform(work: Work, op: Operation, touched?: BlockAt | RowAt): Work {
  const { scene: { texts, input: { maxOperations } }, draft, ops } = work
  if (maxOperations !== undefined && ops.length >= maxOperations) throw new Ask({ question: texts.tooManyChanges(maxOperations), isFinal: true })
  const result = tried(work, draft, op)
  const focus = { touchedPage: undefined, touchedField: undefined, isUnclear: false, ...(touched && { touched }) }
  if (!result.ok) {
    if (result.category === 'no_effective_change') return { ...work, ...focus }
    throw new Ask({ question: texts.refused })
  }
  return { ...work, ...focus, draft: draftAfter(draft, result), ...added(work, op) }
}

function tried({ scene: { input: { registry, manifest, playground, allowStructuralEdits }, now } }: Work, draft: Draft, op: Operation) {
  const capabilities = allowStructuralEdits === undefined ? undefined : { allowStructuralEdits }
  return applyBatch(draft, [op], { source: 'planner', registry, manifest, playground, capabilities, now })
}

/** Consecutive changes of one thing become one operation, or none where the later one takes the earlier one back. */
function added(work: Work, op: Operation): Pick<Work, 'ops' | 'drafts'> {
  const { ops, drafts, draft } = work
  const last = ops.at(-1)
  const merged = last && mergedWith(last, op)
  if (!merged) return { ops: [...ops, op], drafts: [...drafts, draft] }
  const isTakenBack = !tried(work, drafts.at(-1) ?? draft, merged).ok
  return isTakenBack ? { ops: ops.slice(0, -1), drafts: drafts.slice(0, -1) } : { ops: [...ops.slice(0, -1), merged], drafts }
}

function mergedWith(last: Operation, op: Operation): Operation | undefined {
  if (last.op === 'update_props' && op.op === 'update_props' && isSameBlock(last, op)) {
    return { ...last, patch: { ...last.patch, ...op.patch } }
  }
  if (last.op === 'update_item' && op.op === 'update_item' && isSameBlock(last, op)) {
    const isSameRow = last.listKey === op.listKey && last.index === op.index
    return isSameRow ? { ...last, patch: { ...last.patch, ...op.patch } } : undefined
  }
  if (last.op === 'update_page_meta' && op.op === 'update_page_meta' && last.pageSlug === op.pageSlug) {
    return { ...last, patch: { ...last.patch, ...op.patch } }
  }
  return undefined
}

interface OfBlock {
  readonly pageSlug: string
  readonly blockId: string
}

const isSameBlock = (a: OfBlock, b: OfBlock) => a.pageSlug === b.pageSlug && a.blockId === b.blockId
