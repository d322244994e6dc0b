import type { ErrorCategory } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { Committed, Playground } from '../../draft/port.ts'
import type { Tier, VariationSet } from '../result.ts'
import type { PendingPlan } from './pending-plan.ts'
import type { Outcome, Remark } from './plan.ts'
import type { PlannerFailure, Source } from './planner.ts'
import type { RunContext } from './run.ts'

/** Every way in which a run can end, as data; `render` gives each its status and sentences. */
export type Ending =
  | (Exclude<Outcome, { kind: 'plan' | 'unchanged' }> & { readonly source: Source })
  /** `suggestions`: what is allowed. */
  | { readonly kind: 'blocked'; readonly by: Block; readonly suggestions: readonly string[]; readonly source: Source }
  /** Other contents of a block, to choose from; nothing is changed. */
  | { readonly kind: 'varied'; readonly set: VariationSet; readonly modelKey: Tier; readonly facts: VariationFacts; readonly source: Source }
  /** Variations were requested and cannot be made. */
  | { readonly kind: 'notVaried'; readonly why: NotVaried; readonly alone: boolean; readonly suggestions: readonly string[]; readonly source: Source }
  /** The draft already is as requested. */
  | { readonly kind: 'unchanged'; readonly summary?: string | undefined; readonly notes?: readonly Remark[] | undefined; readonly source: Source }
  | { readonly kind: 'held'; readonly plan: PendingPlan }
  /** `isRemembered`: the session memory was written in the transaction of the commit. */
  | { readonly kind: 'applied'; readonly done: Done; readonly isRemembered: boolean; readonly source: Source }
  /** `why`: the plan was valid. `approved`: a person had approved it; it is dropped, or kept where only a part of it was accepted. */
  | { readonly kind: 'invalid'; readonly outcome: 'guardrail_failure' | 'repair_failed' | 'apply_failed'; readonly category: ErrorCategory; readonly problems: readonly string[]; readonly why?: Unapplied; readonly approved?: 'dropped' | 'kept' | undefined; readonly source: Source }
  /** An approval of a plan other than the pending one. */
  | { readonly kind: 'mismatched'; readonly pendingPlanId: string }
  /** An approval without a pending plan. */
  | { readonly kind: 'nothingPending' }
  | { readonly kind: 'discarded'; readonly had: boolean }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure; readonly source: Source }
  /** An approved plan could not be applied. */
  | { readonly kind: 'approvalFailed'; readonly why: Unapplied; readonly category: ErrorCategory; readonly reason: string; readonly source: Source }

/** A rule that an approval does not override. */
export type Block =
  | { readonly kind: 'structure'; readonly ops: readonly string[] }
  | { readonly kind: 'demo'; readonly playground: Playground; readonly problems: readonly string[] }

/** Why a valid plan was not applied: the draft kept changing, would become too large, or rejects the plan. */
export type Unapplied = 'moving' | 'too_large' | 'unfit'

/** What an answer says about variations. */
export interface VariationFacts {
  /** How many were asked for. */
  readonly asked: number
  /** How many are written at most. */
  readonly most: number
  /** They were made before and are shown again. */
  readonly isAgain: boolean
  /** Set where the message mentions images and they stay: it gives no address, the block has no image, or some were not found. */
  readonly images?: 'no address' | 'no image' | 'not found' | undefined
}

/** `noBlock`: none is selected. `noModel`: no model is available. `nothing`: no prop of the block may differ. `noImages`: only images would differ, and none was found. */
export type NotVaried = 'noBlock' | 'noModel' | 'nothing' | 'noImages' | 'tooLong'

export interface Done {
  readonly committed: Committed
  /** Those that changed something, with resolved ids and slugs. */
  readonly ops: readonly Operation[]
  readonly notes: readonly Remark[]
  readonly suggestions: readonly string[]
}

/** The draft as a run left it. */
export interface Place {
  readonly version: number
  /** The page that was worked on, or else the requested one. */
  readonly slug: string
  /** The pages at the start of the run; empty where it did not read them. */
  readonly pages: readonly Page[]
  /** Pages on which changes of the run could not be rolled back. */
  readonly kept?: readonly string[] | undefined
}

/** The place of a run that has read the draft. */
export function placeOf({ draft: { version, pages }, selection: { slug } }: RunContext): Place {
  return { version, slug, pages }
}

export interface Ended {
  readonly ending: Ending
  readonly place: Place
}

/** Why a run rolls back what it applied. */
export type RollbackReason = 'canceled' | 'again' | 'unfit' | 'held' | 'other' | 'ended'
