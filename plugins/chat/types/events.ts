import { slot } from '../../../kernel/index.ts'
import type { ErrorCategory, SkipReason } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { TokenUsage } from '../../llm/port.ts'
import type { PlacedRequest } from '../request.ts'
import type { ChatResult, Tier } from '../result.ts'

/** What streams show of a run. Exactly one of the last three ends it. */
export type StreamEvent =
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
  readonly type: 'result'
  readonly outcome: string
  readonly category?: string | undefined
  /** Of failures and refusals. */
  readonly reason?: string | undefined
  readonly result?: ChatResult
}

/** What takes time in a run beside the planning. */
export type RunWork = 'apply' | 'images'

/** What only observers hear. The result comes once, and nothing comes after it. */
type InternalEvent =
  | { readonly type: 'milestone'; readonly stage: Milestone; readonly atMs: number }
  /** The draft was read and the page that is worked on is known. */
  | { readonly type: 'context'; readonly slug: string; readonly pages: readonly Page[] }
  | { readonly type: 'planned_by_rules'; readonly opTypes: readonly string[] }
  /** A planner with a model was asked. */
  | { readonly type: 'planner_asked'; readonly planner: string }
  | ({ readonly type: 'attempt' } & PlanningFacts)
  /** `usage` is what models took for the run so far. */
  | (PlanningNote & { readonly usage: RunUsage })
  /** The draft is being changed, or images are looked for; a second event follows when that is over, whatever its outcome. */
  | { readonly type: 'work'; readonly what: RunWork; readonly isOver: boolean }
  /** A plan did not fit the draft or broke a rule. */
  | { readonly type: 'plan_apply_failed'; readonly outcome: string; readonly category: ErrorCategory; readonly reason: string }
  | RunResult

/** What happens in a run: every stage emits it, streams show a part of it, observers hear all of it. */
export type RunEvent = StreamEvent | InternalEvent

const internal: ReadonlySet<string> = new Set<InternalEvent['type']>([
  'milestone', 'context', 'planned_by_rules', 'planner_asked', 'attempt', 'attempt_failed', 'plan_generated', 'repair_attempt', 'repair_generated', 'work', 'plan_apply_failed', 'result',
])

/** Tells events that streams show from those for observers only. */
export const isForStreams = (event: RunEvent): event is StreamEvent => !internal.has(event.type)

/** Follows one run, event by event, in the turn in which each arises. */
export type RunFollower = (event: RunEvent) => void | Promise<void>

/** Called as each run begins; the function that it returns follows that run. */
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
  | { readonly type: 'attempt_failed'; readonly attempt: number; readonly category: ErrorCategory; readonly reason: string }
  /** SessionState it is checked. */
  | { readonly type: 'plan_generated'; readonly opTypes: readonly string[] }
  /** A plan is sent back, because of this. */
  | { readonly type: 'repair_attempt'; readonly reason: string }
  | { readonly type: 'repair_generated'; readonly opTypes: readonly string[] }

/** What all calls of a run took. */
export interface RunUsage extends TokenUsage {
  readonly calls: number
  readonly totalTokens: number
  /** `null` as soon as one of the models has no price. */
  readonly estimatedUsd: number | null
}

/** Does work that takes time, and emits when it begins and when it is over, whatever its outcome. */
export async function timed<T>({ emit }: { readonly emit: (event: RunEvent) => void }, what: RunWork, work: () => Promise<T>): Promise<T> {
  emit({ type: 'work', what, isOver: false })
  try {
    return await work()
  } finally {
    emit({ type: 'work', what, isOver: true })
  }
}
