import type { PlanningInput } from '../../chat/port.ts'
import type { Block, BlockType, Draft, FieldMeta, Fields, Page } from '../../content/model.ts'
import type { Naming } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import { perObject } from '../../content/plain-object.ts'
import type { Frame } from '../frame/frames.ts'
import type { Parser } from '../frame/parser.ts'
import type { Language } from '../language/language.ts'
import type { Texts } from '../texts/index.ts'
import { ask, reject } from './ask.ts'

/** Constant while a message is planned. */
export interface RulesContext {
  readonly input: PlanningInput
  readonly language: Language
  readonly texts: Texts
  readonly parser: Parser
  /** With localized names. */
  readonly types: readonly BlockType[]
  readonly typesByName: ReadonlyMap<string, BlockType>
  readonly localize: Naming
  /** Answers to questions about this message, by question key. */
  readonly answers: Readonly<Record<string, string>>
  /** The timestamp of all planned changes. */
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

/** Planner state: the operations so far and what pronouns refer to. Immutable; each step returns a new state. */
export interface Work {
  readonly context: RulesContext
  /** With all operations so far applied. */
  readonly draft: Draft
  /** The current page. */
  readonly slug: string
  /** The block that the sentence began with, as in `in the hero, …`. */
  readonly lead?: BlockAt | undefined
  /** What the previous clause edited; the antecedent of `it`. */
  readonly touched?: BlockAt | RowAt | undefined
  readonly touchedPage?: string | undefined
  readonly touchedField?: FieldAt | undefined
  /** `it` could mean the original or the copy. */
  readonly isUnclear?: boolean | undefined
  /** A page was created or removed, so the current page is ambiguous. */
  readonly isPageUnclear?: boolean | undefined
  readonly ops: readonly Operation[]
  /** The draft before each operation. */
  readonly drafts: readonly Draft[]
  /** What must stay unchanged; checked at the end. */
  readonly unchangedTargets: readonly (FieldAt | BlockAt)[]
  /** Number of clauses that request a change. */
  readonly requests: number
  readonly previousClause?: Frame | undefined
  /** The previous clause edited another page than the current one. */
  readonly isOnOtherPage?: boolean | undefined
}

const shifting: ReadonlySet<Operation['op']> = new Set(['add_block', 'remove_block', 'move_block', 'duplicate_block', 'add_item', 'remove_item', 'move_item'])

/** Rejects an index if an earlier clause shifted the positions: the user may count by the screen. */
export function refuseShifted({ ops }: Work, { slug, id }: { readonly slug: string; readonly id?: string }): void {
  const shifts = (op: Operation) => shifting.has(op.op) && 'pageSlug' in op && op.pageSlug === slug
    && (id === undefined ? op.op.endsWith('block') : op.op.endsWith('item') && 'blockId' in op && op.blockId === id)
  if (ops.some(shifts)) reject('an earlier clause shifted the positions')
}

export const typeOf = ({ context }: Work, { type }: Pick<Block, 'type'>): BlockType | undefined => context.typesByName.get(type)

export const fieldsOf = (work: Work, block: Block): Fields => typeOf(work, block)?.fields ?? {}

/** The slug of the current page; asks when it is ambiguous. */
export const currentPage = ({ isPageUnclear, slug, context, draft }: Work): string => (isPageUnclear ? ask(context.texts.whichPage(draft.order)) : slug)

/** Switches to another page; `it` and the like refer to nothing there yet. */
export const onPage = (work: Work, slug: string): Work => ({ ...work, slug, isPageUnclear: false, lead: undefined, touched: undefined, touchedPage: undefined, isOnOtherPage: false })

/** Restores the page and lead from before a scoped action. */
export const restorePage = ({ slug, isPageUnclear, lead }: Work, done: Work): Work => ({ ...done, slug, isPageUnclear, lead })

/** A page by its slug; asks if an earlier clause removed it. */
export const pageOf = ({ draft, context }: Work, slug: string): Page => draft.page(slug) ?? ask(context.texts.whichPage(draft.order))

/** A block by page and id; rejects if an earlier clause removed it. */
export const blockOf = (work: Work, { slug, id }: BlockAt): Block => blockWithId(pageOf(work, slug), id) ?? reject('the block was removed')

/** The first block with an id on a page, and its place among those of its type; each page is indexed once. */
export const positionOf = ({ blocks }: Page, id: string) => positionsOn(blocks).get(id)

const positionsOn = perObject((blocks: readonly Block[]) => {
  const found = new Map<string, { readonly block: Block; readonly nth: number; readonly isOnly: boolean }>()
  for (const same of Map.groupBy(blocks, ({ type }) => type).values()) {
    same.forEach((block, index) => {
      if (!found.has(block.id)) found.set(block.id, { block, nth: index + 1, isOnly: same.length === 1 })
    })
  }
  return found
})

export const blockWithId = (page: Page, id: string): Block | undefined => positionOf(page, id)?.block

/** Blocks that may be moved and removed: all that are not pinned. */
export const movableBlocks = (work: Work, slug: string): readonly Block[] => pageOf(work, slug).blocks.filter((block) => !typeOf(work, block)?.chrome)
