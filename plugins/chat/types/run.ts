import type { CallerLimits } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import type { ErrorCategory, Manifest } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Actor, Committed, Playground } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { ChatRequest } from '../request.ts'
import type { ChatResult, Tier, VariationSet } from '../result.ts'
import type { RunEvent } from './events.ts'
import type { Outcome, PendingPlan, Remark, Source } from './plan.ts'
import type { PlannerFailure } from './planner.ts'

/** The site properties declared by the request. */
export interface DeclaredSite {
  readonly manifest: Manifest | undefined
  readonly allowStructuralEdits: boolean | undefined
}

export interface RunEnd {
  /** The HTTP status of the result. */
  readonly status: 200 | 400 | 409 | 500 | 503
  readonly result: ChatResult
}

export interface RunOptions {
  readonly id: string
  /** Aborts when the run is canceled; before its commit it then throws `Canceled`. */
  readonly signal: AbortSignal
  emit(event: RunEvent): void
  /** True if the events of the run are streamed; it then waits longer for images. */
  readonly isStreamed: boolean
  /** The author of the request; an unnamed person by default. */
  readonly actor?: Actor | undefined
  /** The caller for image limits, as returned by `shareHolder`; unknown callers share one limit. */
  readonly holder?: string | undefined
  /** Limits of a restricted caller: without `edit` plans need approval; without `approve` none is applied. */
  readonly limits?: Pick<CallerLimits, 'may' | 'require'> | undefined
}

/** Thrown by a run that was canceled before it changed anything. */
export class Canceled extends Error {
  override readonly name = 'Canceled'
}

/**
 * Runs one message and emits its events, except those that end the run, which the caller emits. Throws
 * refusals without a result.
 */
export interface ChatRunner {
  run(request: ChatRequest, context: RunOptions): Promise<RunEnd>
  /** The result of a run that threw. */
  resultOf(request: ChatRequest, context: Pick<RunOptions, 'id'>, error: unknown): Promise<ChatResult>
}

/** Drafts with their pending plan applied. */
export interface PlanPreviews {
  /**
   * Returns the draft with the pending plan applied, and its message; `undefined` if this plan is not
   * pending. `content` is `undefined` if the plan no longer fits. Refuses with 413 and 429 like chat.
   */
  read(
    id: DraftId,
    planId: string,
  ): Promise<{ readonly message: string; readonly content: SiteContent | undefined } | undefined>
}

/** The possible endings of a run, as data; `respond` adds the HTTP status and the sentences. */
export type Ending =
  | ((Exclude<Outcome, { kind: 'plan' | 'unchanged' | 'variations' }> | Decided) & {
      readonly source: Source
    })
  | { readonly kind: 'held'; readonly plan: PendingPlan }
  /** An approval of a plan other than the pending one. */
  | { readonly kind: 'mismatched'; readonly pendingPlanId: string }
  /** An approval without a pending plan. */
  | { readonly kind: 'nothingPending' }
  | { readonly kind: 'discarded'; readonly had: boolean }

/** The outcome of a plan, or of variations. */
type Decided =
  /** `suggestions`: requests that are allowed. */
  | { readonly kind: 'blocked'; readonly by: Block; readonly suggestions: readonly string[] }
  /** Alternative contents of a block, to choose from; nothing is changed. */
  | {
      readonly kind: 'varied'
      readonly set: VariationSet
      readonly modelKey: Tier
      readonly facts: VariationFacts
    }
  /** Variations were requested but cannot be created; `alone`: no model is available. */
  | {
      readonly kind: 'notVaried'
      readonly why: NotVaried
      readonly alone: boolean
      readonly suggestions: readonly string[]
    }
  /** The draft is already as requested. */
  | { readonly kind: 'unchanged'; readonly summary?: string; readonly notes?: readonly Remark[] }
  /** `isRemembered`: the session memory was written in the transaction of the commit. */
  | ({ readonly kind: 'applied'; readonly isRemembered: boolean } & Done)
  | {
      readonly kind: 'invalid'
      readonly outcome: 'guardrail_failure' | 'repair_failed' | 'apply_failed'
      readonly category: ErrorCategory
      readonly problems: readonly string[]
      /** Set if the plan was valid. */
      readonly why?: Unapplied
      /** Set for an approved plan: dropped, or kept if only a part of it was accepted. */
      readonly approved?: 'dropped' | 'kept' | undefined
    }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure }
  /** An approved plan could not be applied. */
  | ({ readonly kind: 'approvalFailed' } & Failure)

/** A rule that an approval does not override. */
export type Block =
  | { readonly kind: 'structure'; readonly ops: readonly string[] }
  | { readonly kind: 'demo'; readonly playground: Playground; readonly problems: readonly string[] }

/** Why a valid plan was not applied: the draft kept changing, would become too large, or rejects the plan. */
export type Unapplied = 'moving' | 'too_large' | 'unfit'

/** A valid plan that was not applied. */
export interface Failure {
  readonly why: Unapplied
  readonly category: ErrorCategory
  readonly reason: string
}

/** Facts about the variations of an answer. */
export interface VariationFacts {
  /** The number of requested variations. */
  readonly asked: number
  /** The maximum number of variations. */
  readonly most: number
  /** True if earlier variations are shown again. */
  readonly isAgain: boolean
  /** Set if the message mentions images but they stay unchanged. */
  readonly images?: 'no address' | 'no image' | 'not found' | undefined
}

/**
 * Why there are no variations. `noBlock`: none is selected. `nothing`: no prop of the block may differ.
 * `noImages`: only images would differ, and none was found.
 */
export type NotVaried = 'noBlock' | 'noModel' | 'nothing' | 'noImages' | 'tooLong'

export interface Done {
  readonly committed: Committed
  /** The operations that changed something, with resolved ids and slugs. */
  readonly ops: readonly Operation[]
  readonly notes: readonly Remark[]
  readonly suggestions: readonly string[]
}
