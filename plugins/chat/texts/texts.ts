import type { BlockWords } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Props } from '../../content/page.ts'
import type { NotVaried, RollbackReason, Unapplied, VariationFacts } from '../types/ending.ts'
import type { DestructiveReason, Note, PlannedImage } from '../types/plan.ts'
import type { PlannerBreak, PlannerFailureDetails } from '../types/planner.ts'

/** Every sentence that the pipeline says to people, in one language. */
export interface Texts {
  /** One line, without a full stop. */
  change(line: ChangeLine): string
  applied(changes: readonly string[]): string
  /** What the log of versions calls a run that was taken back. */
  rolledBack(logLine: string): string
  /** Why that which was applied already is taken back. */
  rollingBack(why: RollbackReason): string
  /** Follows another sentence: pages on which something could not be taken back. */
  kept(slugs: readonly string[]): string
  /** A run that was canceled, before `kept`. */
  stopped(): string
  unchanged(): string
  /** Follows the planner's own sentence. */
  waits(): string
  note(note: Note): string
  /** An image that will be looked for once a plan is applied. */
  image(line: ImageLine): string
  attachmentsUnread(): string
  /** What the checks found; `where` is the title of a page, or `undefined` for the site. */
  checked(found: { readonly error: number; readonly warning: number; readonly info: number }, where: string | undefined): string
  /** Messages that have put right what the checks found, on the page or on the site. */
  fixAll(isSite: boolean): string
  fixes(count: number): string
  nothingToFix(): string
  reason(reason: DestructiveReason): string
  /** Messages about a text that was just set, for a model. */
  refine(field: string, block: string): readonly string[]
  discarded(had: boolean): string
  nothingPending(): string
  mismatched(): string
  /** Without a model: names the variable that brings one. */
  unsupportedAlone(): string
  unsupported(): string
  varied(made: number, facts: VariationFacts): string
  /** `alone`: there is no model that could. */
  notVaried(why: NotVaried, alone: boolean): string
  /** The name of a variation that has none. */
  variation(number: number): string
  blockedStructure(ops: readonly string[]): string
  /** Where the block types of the site can be looked up. */
  blockTypes(): string
  blockedDemo(): string
  /** What a public demo lets through, by the names of operations and of block types. */
  demoAllows(ops: readonly string[], blockTypes: readonly string[]): string
  invalid(): string
  /** A plan that a person approved does not fit the draft any more. */
  invalidApproved(kept: boolean): string
  approvalFailed(): string
  /** Why a plan that was found sound is not in the draft. */
  unapplied(why: Unapplied): string
  provider(details: PlannerFailureDetails): string
  /** What models may cost in a day is spent. */
  budget(): string
  refused(): string
  incomplete(): string
  unusable(): string
  /** Of a planner whose answer is no plan, or that broke off. */
  broken(how: PlannerBreak): string
}

/** One change, ready to be put into words: in the past once it is done, as an announcement before. */
export interface ChangeLine extends BlockWords {
  readonly op: Operation
  readonly tense: 'done' | 'planned'
}

/** An image that will be looked for, ready to be put into words. */
export interface ImageLine extends BlockWords, Pick<PlannedImage, 'at' | 'query'> {
  readonly block: string
}

/** A prop with its new value, where that is short enough to be shown. */
export interface NewValue {
  readonly name: string
  /** `null` takes the prop away; nothing for a list or an object. */
  readonly value?: string | null
}

const longestValue = 80
const mostValues = 4

/** What a patch sets, as far as it fits into a line; a prop has the name that people give it. */
export function newValues(patch: Props, nameOf: (prop: string) => string): readonly NewValue[] {
  return Object.entries(patch).slice(0, mostValues).map(([prop, value]) => {
    const name = nameOf(prop)
    if (value === null) return { name, value }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { name }
    const text = String(value).replace(/\s+/g, ' ')
    return { name, value: text.length > longestValue ? `${text.slice(0, longestValue)}…` : text }
  })
}
