import type { ErrorCategory } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Committed } from '../draft/port.ts'
import type { PendingPlan } from './pending-plan.ts'
import type { OpenQuestion } from './plan.ts'
import type { PlannerFailure } from './planner-failure.ts'
import type { Source } from './source.ts'
import type { Note } from './validate/step.ts'

/** Every way in which a run can end, as data; `respond` gives each its status and its words. */
export type Ending =
  /** Somebody wanted to know something. */
  | { readonly kind: 'answered'; readonly status: 'info' | 'advice'; readonly summary: string; readonly findings: readonly string[]; readonly suggestions: readonly string[]; readonly source: Source }
  | { readonly kind: 'asked'; readonly question: string; readonly suggestions: readonly string[]; readonly open?: OpenQuestion | undefined; readonly source: Source }
  /** `alone`: there is no planner beside the one that goes by rules. */
  | { readonly kind: 'unsupported'; readonly alone: boolean; readonly suggestions: readonly string[]; readonly source: Source }
  | { readonly kind: 'blocked'; readonly by: Block; readonly source: Source }
  /** Everything is so already. */
  | { readonly kind: 'unchanged'; readonly summary?: string | undefined; readonly notes: readonly Note[]; readonly source: Source }
  | { readonly kind: 'held'; readonly plan: PendingPlan; readonly mentionedSlugs: readonly string[] }
  | { readonly kind: 'applied'; readonly done: Done; readonly source: Source }
  /** `approved`: a person had approved the plan, which is dropped, or stays where only a part of it was accepted. */
  | { readonly kind: 'invalid'; readonly category: ErrorCategory; readonly problems: readonly string[]; readonly approved?: 'dropped' | 'kept' | undefined; readonly source: Source }
  /** An approval of another plan than the one that waits. */
  | { readonly kind: 'mismatched'; readonly pendingPlanId: string }
  /** An approval, and no plan waits. */
  | { readonly kind: 'nothingPending' }
  | { readonly kind: 'discarded'; readonly had: boolean }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure; readonly source: Source }
  /** A plan that was approved could not be carried out. */
  | { readonly kind: 'approvalFailed'; readonly category: ErrorCategory; readonly reason: string; readonly source: Source }

/** What keeps a plan from being applied here, whoever approves it. */
export type Block =
  | { readonly kind: 'structure'; readonly ops: readonly string[] }
  | { readonly kind: 'demo'; readonly problems: readonly string[] }

/** What a commit did. */
export interface Done {
  readonly committed: Committed
  /** Those that changed something, as they turned out. */
  readonly ops: readonly Operation[]
  readonly notes: readonly Note[]
  readonly suggestions: readonly string[]
}
