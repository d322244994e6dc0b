import type { PlanningInput } from '../../chat/port.ts'
import type { Block, BlockType, Draft, FieldMeta, Fields, Page } from '../../content/model.ts'
import type { Naming } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import { perObject } from '../../content/plain-object.ts'
import type { Frame } from '../frame/frames.ts'
import type { Ground } from '../frame/ground.ts'
import type { Language } from '../language/language.ts'
import type { Texts } from '../texts/index.ts'
import { ask, unfit } from './ask.ts'

/** What stays the same while a message is worked on. */
export interface Scene {
  readonly input: PlanningInput
  readonly language: Language
  readonly texts: Texts
  readonly ground: Ground
  /** Under the names that people have for them. */
  readonly types: readonly BlockType[]
  readonly typesByName: ReadonlyMap<string, BlockType>
  readonly named: Naming
  /** What was answered to questions about this message, by their keys. */
  readonly answers: Readonly<Record<string, string>>
  /** The one time of everything that is planned. */
  readonly now: Date
}

export interface BlockAt {
  readonly slug: string
  readonly id: string
}

export interface ListAt extends BlockAt {
  readonly listKey: string
}

export interface RowAt extends ListAt {
  readonly index: number
}

/** A field of a block, or of a row of it. */
export interface FieldAt extends BlockAt {
  readonly row?: { readonly listKey: string; readonly index: number }
  readonly name: string
  readonly meta: FieldMeta
}

/** How far a message has been turned into operations; each step makes a new one. */
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
  readonly touchedPage?: string | undefined
  readonly touchedField?: FieldAt | undefined
  /** `it` could be the original as well as the copy. */
  readonly isUnclear?: boolean | undefined
  /** A page was made or removed: which one is talked about is open. */
  readonly isPageUnclear?: boolean | undefined
  readonly ops: readonly Operation[]
  /** The draft before each operation. */
  readonly drafts: readonly Draft[]
  readonly kept: readonly (FieldAt | BlockAt)[]
  /** How many clauses asked for something. */
  readonly requests: number
  /** The clause before. */
  readonly clause?: Frame | undefined
  /** It was about another page than the one that is talked about. */
  readonly isElsewhere?: boolean | undefined
}

const shifting: ReadonlySet<Operation['op']> = new Set(['add_block', 'remove_block', 'move_block', 'duplicate_block', 'add_item', 'remove_item', 'move_item'])

/** Gives up on a number where an earlier clause shifted what is counted: the person may count what is on the screen. */
export function refuseShifted({ ops }: Work, { slug, id }: { readonly slug: string; readonly id?: string }): void {
  const isHere = (op: Operation) => shifting.has(op.op) && 'pageSlug' in op && op.pageSlug === slug
    && (id === undefined ? op.op.endsWith('block') : op.op.endsWith('item') && 'blockId' in op && op.blockId === id)
  if (ops.some(isHere)) unfit('an earlier clause shifted what is counted')
}

export const typeOf = ({ scene }: Work, { type }: Pick<Block, 'type'>): BlockType | undefined => scene.typesByName.get(type)

export const fieldsOf = (work: Work, block: Block): Fields => typeOf(work, block)?.fields ?? {}

/** The page that is talked about; asks where that is not clear any more. */
export const pageInMind = ({ isPageUnclear, slug, scene, draft }: Work): string => (isPageUnclear ? ask(scene.texts.whichPage(draft.order)) : slug)

/** The same work on another page: nothing there was talked about yet. */
export const onPage = (work: Work, slug: string): Work => ({ ...work, slug, isPageUnclear: false, lead: undefined, touched: undefined, touchedPage: undefined, isElsewhere: false })

/** Work that was done elsewhere, back on the page of before. */
export const backFrom = ({ slug, isPageUnclear, lead }: Work, done: Work): Work => ({ ...done, slug, isPageUnclear, lead })

/** A page by its slug; asks where an earlier clause removed it. */
export const pageOf = ({ draft, scene }: Work, slug: string): Page => draft.page(slug) ?? ask(scene.texts.whichPage(draft.order))

/** A block by its place; gives up where an earlier clause removed it. */
export const blockOf = (work: Work, { slug, id }: BlockAt): Block => blockWithId(pageOf(work, slug), id) ?? unfit('the block is gone')

/** A block among those of its type on a page. */
export interface Standing {
  readonly block: Block
  /** Its place among them, from 1. */
  readonly nth: number
  readonly isOnly: boolean
}

/** Finds a block on a page, the first of its id; a page is looked through once. */
export const standingOf = ({ blocks }: Page, id: string): Standing | undefined => standingsOn(blocks).get(id)

const standingsOn = perObject((blocks: readonly Block[]): ReadonlyMap<string, Standing> => {
  const found = new Map<string, Standing>()
  for (const same of Map.groupBy(blocks, ({ type }) => type).values()) {
    same.forEach((block, index) => {
      if (!found.has(block.id)) found.set(block.id, { block, nth: index + 1, isOnly: same.length === 1 })
    })
  }
  return found
})

export const blockWithId = (page: Page, id: string): Block | undefined => standingOf(page, id)?.block

/** Blocks that may be added, moved and removed: all that are not pinned. */
export const movableBlocks = (work: Work, slug: string): readonly Block[] => pageOf(work, slug).blocks.filter((block) => !typeOf(work, block)?.chrome)
