import { slot } from '../../../kernel/index.ts'
import type { ErrorCategory, SkipReason } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { RunUsage } from '../model/usage.ts'
import type { PlacedRequest } from '../request.ts'
import type { ChatResult, Tier } from '../result.ts'

/** What happens in a run, in the form in which streams tell it. Exactly one of the last three ends it. */
export type RunEvent =
  | { readonly type: 'status'; readonly message: string }
  | { readonly type: 'heartbeat'; readonly stage: 'planning' | 'applying'; readonly label: string; readonly elapsedMs: number }
  | { readonly type: 'token' | 'thinking_token' | 'summary_token'; readonly text: string }
  | { readonly type: 'thinking_start' }
  | { readonly type: 'thinking_end'; readonly durationMs?: number }
  | { readonly type: 'changelog_entry'; readonly entry: string }
  | { readonly type: 'field_draft'; readonly blockId: string; readonly editablePath: string; readonly value: string; readonly pageSlug?: string }
  | { readonly type: 'op_candidate'; readonly index: number; readonly op: Operation }
  | { readonly type: 'plan_meta'; readonly intent?: string; readonly summary?: string; readonly estimatedOps?: number }
  | {
      readonly type: 'op_applied'
      readonly index: number
      readonly total: number
      readonly op?: Operation
      readonly previewVersion: number
      readonly focusBlockId: string | null
      readonly updatedSlug?: string
    }
  | { readonly type: 'op_skipped'; readonly index: number; readonly total: number; readonly op?: Operation; readonly reason: SkipReason }
  | { readonly type: 'rollback_started'; readonly appliedCount: number; readonly reason?: string }
  | { readonly type: 'rollback_done'; readonly restoredVersion?: number }
  | { readonly type: 'image_progress'; readonly percent: number; readonly stage: string }
  | { readonly type: 'final'; readonly result: ChatResult }
  | { readonly type: 'error'; readonly result?: ChatResult; readonly code?: number }
  | { readonly type: 'canceled'; readonly message?: string }

/** A run as it begins. */
export interface RunStart {
  readonly id: string
  /** The draft in the form in which clients see it. */
  readonly session: string
  readonly request: PlacedRequest
  /** The tier that it chose, or that of requests that choose none. */
  readonly modelKey: Tier
  /** As it was meant; empty where none was sent. */
  readonly message: string
  readonly promptHash: string
  readonly promptExcerpt: string
}

/** What came of a run: a result, or the reason why there is none. */
export interface RunResult {
  readonly kind: 'result'
  readonly outcome: string
  readonly category?: string | undefined
  /** Of failures and refusals. */
  readonly reason?: string | undefined
  readonly result?: ChatResult
}

/** What of a run takes its time, beside the planning. */
export type ToldWork = 'apply' | 'images'

/** What happens in a run after it has begun. The result comes once, and nothing comes after it. */
export type RunFact =
  | { readonly kind: 'milestone'; readonly stage: Milestone; readonly atMs: number }
  /** The draft was read, which does not change while it is held, and the page that is worked on is known. */
  | { readonly kind: 'scene'; readonly slug: string; readonly pages: readonly Page[] }
  | { readonly kind: 'planned_by_rules'; readonly opTypes: readonly string[] }
  /** A planner beside the rules was asked. */
  | { readonly kind: 'planner_asked'; readonly planner: string }
  | ({ readonly kind: 'attempt' } & PlanningFacts)
  /** `usage` is what models took for the run so far. */
  | (PlanningNote & { readonly usage: RunUsage })
  /** The draft is being changed, or images are looked for; once more when that is over, whatever came of it. */
  | { readonly kind: 'work'; readonly what: ToldWork; readonly isOver: boolean }
  /** A plan did not fit the draft or broke a rule. */
  | { readonly kind: 'plan_apply_failed'; readonly outcome: string; readonly category: ErrorCategory; readonly reason: string }
  | RunResult

/** Follows one run, fact by fact, in the turn in which each arises. */
export type RunFollower = (fact: RunFact) => void | Promise<void>

/** Told of every run as it begins; what it gives follows that run. */
export type RunObserver = (start: RunStart) => RunFollower

/** Observers, which hear what happens in runs. Whatever they do, it changes no run. */
export const runObservers = slot<RunObserver>('chat.runObservers')

/** What runs say while they work. Existing clients know their phases by these words, so they are the same in every language. */
export const phases = {
  planning: 'Planning the edit',
  varying: 'Writing variations',
  ready: 'Plan ready',
  images: 'Now resolving images',
  applying: 'Applying the plan and updating draft',
  finishing: 'Almost done, finalizing the response',
} as const

export const milestones = ['request_received', 'first_token', 'first_structured_progress', 'plan_ready', 'first_op_applied', 'done'] as const
export type Milestone = (typeof milestones)[number]

/** How a planner goes about a request, for whoever looks into a run. */
export interface PlanningFacts {
  readonly model: string
  readonly tier: Tier
  /** Which attempt this is, from 1. */
  readonly attempt: number
  readonly routing?: RoutingDecision | undefined
  /** What is shown of the draft, in bytes. */
  readonly contextBytes?: number | undefined
}

/** Which tier a request went to, and why. */
export interface RoutingDecision {
  readonly from: Tier
  readonly to: Tier
  readonly reason: 'simple_downgrade' | 'complex_upgrade' | 'shadow' | 'user_override'
  readonly complexity?: string | undefined
}

/** What a planner that works in attempts says of one, for whoever observes runs. */
export type PlanningNote =
  | { readonly kind: 'attempt_failed'; readonly attempt: number; readonly category: ErrorCategory; readonly reason: string }
  /** Before it is checked. */
  | { readonly kind: 'plan_generated'; readonly opTypes: readonly string[] }
  /** A plan is sent back, because of this. */
  | { readonly kind: 'repair_attempt'; readonly reason: string }
  | { readonly kind: 'repair_generated'; readonly opTypes: readonly string[] }
