import type { BlockWords } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Props } from '../../content/page.ts'
import type { NotVaried, RollbackReason, Unapplied, VariationFacts } from '../types/ending.ts'
import type { DestructiveReason, Note, PlannedImage } from '../types/plan.ts'
import type { PlannerBreak, PlannerFailureDetails } from '../types/planner.ts'

/** Every sentence of the pipeline for people, in one language. */
export interface Texts {
  /** One line, without a full stop. */
  change(line: ChangeLine): string
  applied(changes: readonly string[]): string
  /** The log entry of a run that was rolled back. */
  rolledBack(logLine: string): string
  /** Why a rollback happens. */
  rollingBack(why: RollbackReason): string
  /** Follows another sentence: pages on which something could not be rolled back. */
  kept(slugs: readonly string[]): string
  /** A run that was canceled, before `kept`. */
  stopped(): string
  unchanged(): string
  /** Follows the planner's own sentence. */
  waits(): string
  note(note: Note): string
  /** An image that will be searched once a plan is applied. */
  image(line: ImageLine): string
  attachmentsUnread(): string
  /** The findings of the checks; `where` is the title of a page, or `undefined` for the site. */
  checked(found: { readonly error: number; readonly warning: number; readonly info: number }, where: string | undefined): string
  /** A message that asks for fixes of the findings. */
  fixAll(isSite: boolean): string
  fixes(count: number): string
  nothingToFix(): string
  reason(reason: DestructiveReason): string
  /** Suggestions for a text that was just set. */
  refine(field: string, block: string): readonly string[]
  discarded(had: boolean): string
  nothingPending(): string
  mismatched(): string
  /** Without a model: names the variable that enables one. */
  unsupportedAlone(): string
  unsupported(): string
  varied(made: number, facts: VariationFacts): string
  /** `alone`: no model is available. */
  notVaried(why: NotVaried, alone: boolean): string
  blockedStructure(ops: readonly string[]): string
  /** Where the block types of the site can be looked up. */
  blockTypes(): string
  blockedDemo(): string
  /** What a public demo allows, by operations and block types. */
  demoAllows(ops: readonly string[], blockTypes: readonly string[]): string
  invalid(): string
  /** An approved plan does not fit the draft any more. */
  invalidApproved(kept: boolean): string
  approvalFailed(): string
  /** Why a valid plan was not applied. */
  unapplied(why: Unapplied): string
  provider(details: PlannerFailureDetails): string
  /** The daily budget is spent. */
  budget(): string
  refused(): string
  incomplete(): string
  unusable(): string
  /** Of a planner whose answer is not a plan, or that failed. */
  broken(how: PlannerBreak): string
}

/** One change to render, in the past tense once it is done. */
export interface ChangeLine extends BlockWords {
  readonly op: Operation
  readonly tense: 'done' | 'planned'
}

/** An image to render that will be searched. */
export interface ImageLine extends BlockWords, Pick<PlannedImage, 'at' | 'query'> {
  readonly block: string
}

/** A prop with its new value, shortened. */
export interface NewValue {
  readonly name: string
  /** `null` removes the prop; `undefined` for a list or an object. */
  readonly value?: string | null
}

const longestValue = 80
const mostValues = 4

/** What a patch sets, as far as it fits into a line. */
export function newValues(patch: Props, nameOf: (prop: string) => string): readonly NewValue[] {
  return Object.entries(patch).slice(0, mostValues).map(([prop, value]) => {
    const name = nameOf(prop)
    if (value === null) return { name, value }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { name }
    const text = String(value).replace(/\s+/g, ' ')
    return { name, value: text.length > longestValue ? `${text.slice(0, longestValue)}…` : text }
  })
}
