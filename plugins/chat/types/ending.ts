import type { ErrorCategory } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { Committed, Playground } from '../../draft/port.ts'
import type { Tier, VariationSet } from '../result.ts'
import type { OpenQuestion, Remark } from './plan.ts'
import type { PlannerFailure, Source } from './planner.ts'
import type { PendingPlan, RunContext } from './run.ts'

/** Every way in which a run can end, as data; `tell` gives each its status and its words. */
export type Ending =
  /** Somebody wanted to know something. */
  | { readonly kind: 'answered'; readonly status: 'info' | 'advice'; readonly summary: string; readonly findings: readonly string[]; readonly suggestions: readonly string[]; readonly source: Source }
  | { readonly kind: 'asked'; readonly question: string; readonly suggestions: readonly string[]; readonly open?: OpenQuestion | undefined; readonly source: Source }
  /** `alone`: there is no planner beside the one that goes by rules. */
  | { readonly kind: 'unsupported'; readonly alone: boolean; readonly suggestions: readonly string[]; readonly source: Source }
  /** `suggestions`: what is let through. */
  | { readonly kind: 'blocked'; readonly by: Block; readonly suggestions: readonly string[]; readonly source: Source }
  /** Other contents of a block, to choose from; nothing is changed. */
  | { readonly kind: 'varied'; readonly set: VariationSet; readonly modelKey: Tier; readonly facts: VariationFacts; readonly source: Source }
  /** Variations were asked for, and cannot be made. */
  | { readonly kind: 'notVaried'; readonly why: NotVaried; readonly alone: boolean; readonly suggestions: readonly string[]; readonly source: Source }
  /** Everything is so already. */
  | { readonly kind: 'unchanged'; readonly summary?: string | undefined; readonly notes: readonly Remark[]; readonly source: Source }
  | { readonly kind: 'held'; readonly plan: PendingPlan }
  | { readonly kind: 'applied'; readonly done: Done; readonly source: Source }
  /** `why`: it was found sound. `approved`: a person had approved the plan, which is dropped, or stays where only a part of it was accepted. */
  | { readonly kind: 'invalid'; readonly outcome: 'guardrail_failure' | 'repair_failed' | 'apply_failed'; readonly category: ErrorCategory; readonly problems: readonly string[]; readonly why?: Unapplied; readonly approved?: 'dropped' | 'kept' | undefined; readonly source: Source }
  /** An approval of another plan than the one that waits. */
  | { readonly kind: 'mismatched'; readonly pendingPlanId: string }
  /** An approval, and no plan waits. */
  | { readonly kind: 'nothingPending' }
  | { readonly kind: 'discarded'; readonly had: boolean }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure; readonly source: Source }
  /** A plan that was approved could not be carried out. */
  | { readonly kind: 'approvalFailed'; readonly why: Unapplied; readonly category: ErrorCategory; readonly reason: string; readonly source: Source }

/** What keeps a plan from being applied here, whoever approves it. */
export type Block =
  | { readonly kind: 'structure'; readonly ops: readonly string[] }
  | { readonly kind: 'demo'; readonly playground: Playground; readonly problems: readonly string[] }

/** Why a plan that was found sound is not in the draft: others never leave it alone, it gets too large, or the draft refuses the plan. */
export type Unapplied = 'moving' | 'too_large' | 'unfit'

/** What is said about variations beside them. */
export interface VariationFacts {
  /** How many were asked for. */
  readonly asked: number
  /** How many are written at most. */
  readonly most: number
  /** They were made before, and are shown again. */
  readonly isAgain: boolean
  /** Somebody speaks of images, and they stay as they are: there is no address for one, the block has none, or some were not found. */
  readonly images?: 'no address' | 'no image' | 'not found' | undefined
}

/** `noBlock`: none is selected. `noModel`: nobody can write them. `nothing`: no prop of the block may differ. `noImages`: only their images would have differed, and nobody has one. */
export type NotVaried = 'noBlock' | 'noModel' | 'nothing' | 'noImages' | 'tooLong'

/** What a commit did. */
export interface Done {
  readonly committed: Committed
  /** Those that changed something, as they turned out. */
  readonly ops: readonly Operation[]
  readonly notes: readonly Remark[]
  readonly suggestions: readonly string[]
}

/** Where a run ended: what the draft is like now, as far as the run knows. */
export interface Place {
  readonly version: number
  /** The page that was worked on; the requested one where none was. */
  readonly slug: string
  /** The pages that the run began with; none where it did not get so far. */
  readonly pages: readonly Page[]
  /** Pages on which something that the run did could not be taken back. */
  readonly kept?: readonly string[] | undefined
}

/** The place of a run that saw the draft. */
export function placeOf({ draft, selection }: RunContext, slug: string = selection.slug): Place {
  return { version: draft.version, slug, pages: draft.pages }
}

/** An ending, and where the run was then. */
export interface Ended {
  readonly ending: Ending
  readonly place: Place
  /** The session remembers it already: what was committed and the talk about it are one transaction. */
  readonly isRemembered?: true
}

/** Why a run takes back what it applied. */
export type RollbackReason = 'canceled' | 'again' | 'unfit' | 'held' | 'other' | 'ended'
