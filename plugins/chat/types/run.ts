import type { CallerLimits } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import type { ErrorCategory, Manifest } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Actor, Committed, Companion } from '../../draft/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { ChatRequest } from '../request.ts'
import type { ChatResult, Tier, VariationSet } from '../result.ts'
import type { PlanSummary } from '../schemas.ts'
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
  /** Returns the caller for image limits, as `shareHolder` does; unknown callers share one limit. */
  holder?(): string | undefined
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

/** A plan that was outdated: what it changes as well, and the name of its person. */
export interface OutdatedPlan {
  readonly what: string
  readonly of: string | undefined
}

/** A plan of another plugin, which waits for the approval of a person. */
interface Proposal extends Pick<
  PendingPlan,
  'message' | 'summary' | 'reasons' | 'source' | 'run' | 'componentsManifest' | 'allowStructuralEdits'
> {
  readonly ops: readonly Operation[]
  /** The page that the person sees. */
  readonly slug: string
  /** Whose plan it is. */
  readonly actor: Actor
}

/** Plans of other plugins, held and approved like those of chat. */
export interface PlanProposals {
  /** Holds a plan in the place of any other of the session; `problems` say why it does not fit the draft. */
  hold(
    id: DraftId,
    proposal: Proposal,
  ): Promise<
    | { readonly ok: true; readonly plan: PlanSummary }
    | { readonly ok: false; readonly problems: readonly string[] }
  >
  /**
   * Whether a message is a yes or a no to the plan of its actor, which `ChatRunner` then applies or drops.
   */
  isAnswered(id: DraftId, actor: Actor, message: string): Promise<boolean>
  /**
   * Drops the pending plan of an actor in the transaction of another change, and outdates those that it
   * meets.
   */
  dropping(id: DraftId, actor: Actor): Companion
}

/** The possible endings of a run, as data; `respond` adds the HTTP status and the sentences. */
export type Ending =
  | ((Exclude<Outcome, { kind: 'plan' | 'unchanged' | 'variations' }> | Decided) & {
      readonly source: Source
    })
  | { readonly kind: 'held'; readonly plan: PendingPlan }
  /** An approval of a plan other than the pending one. */
  | { readonly kind: 'mismatched'; readonly pendingPlanId: string }
  /** An approval without a pending plan; `outdated` says why there is none. */
  | { readonly kind: 'nothingPending'; readonly outdated?: string | undefined }
  | { readonly kind: 'discarded'; readonly had: boolean }

/** The outcome of a plan, or of variations. */
type Decided =
  /** `suggestions`: requests that are allowed. */
  | { readonly kind: 'blocked'; readonly by: BlockedBy; readonly suggestions: readonly string[] }
  /** Alternative contents of a block, to choose from; nothing is changed. */
  | { readonly kind: 'varied'; readonly set: VariationSet; readonly modelKey: Tier; readonly summary: string }
  /** Variations were requested but cannot be created. */
  | ({ readonly kind: 'notVaried'; readonly suggestions: readonly string[] } & NotVaried)
  /** The draft is already as requested. */
  | { readonly kind: 'unchanged'; readonly summary?: string; readonly notes?: readonly Remark[] }
  /** `isRemembered`: the session memory was written in the transaction of the commit. */
  | ({ readonly kind: 'applied'; readonly isRemembered: boolean } & Done)
  | {
      readonly kind: 'invalid'
      readonly outcome: 'guardrail_failure' | 'repair_failed' | 'apply_failed'
      readonly category: ErrorCategory
      readonly problems: readonly string[]
      /** Set for an approved plan: dropped, or still pending if only a part of it was accepted. */
      readonly approved?: 'dropped' | 'pending' | undefined
    }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure }
  /** An approved plan could not be applied. */
  | ({ readonly kind: 'approvalFailed' } & Failure)

/** A rule that an approval does not override. */
export type BlockedBy =
  | { readonly kind: 'structure'; readonly ops: readonly string[] }
  | { readonly kind: 'demo'; readonly problems: readonly string[] }

/** Why a valid plan was not applied. */
export interface Failure {
  readonly category: ErrorCategory
  readonly reason: string
}

/** Why there are no variations, and the sentence that says so; `noBlock`: none is selected. */
export interface NotVaried {
  readonly why: 'noBlock' | 'noModel' | 'impossible'
  readonly summary: string
}

export interface Done {
  readonly committed: Committed
  /** The operations that changed something, with resolved ids and slugs. */
  readonly ops: readonly Operation[]
  /** One line for each of them. */
  readonly changes: readonly string[]
  /** The plans of others that it outdated. */
  readonly met: readonly OutdatedPlan[]
  readonly notes: readonly Remark[]
  readonly suggestions: readonly string[]
}
