import * as v from 'valibot'
import { slot, describedBy } from '../../../kernel/index.ts'
import type { ErrorCategory } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { AnyOperation } from '../../content/operations/parse.ts'
import type { TokenUsage } from '../../models/port.ts'
import type { PlacedRequest } from '../request.ts'
import type { ChatResult, Tier } from '../result.ts'

/** An operation to apply, already parsed. */
const Op = v.pipe(
  v.custom<Operation>(() => true),
  describedBy(AnyOperation),
)
const place = { index: v.number(), total: v.number() }

/** The run events that streams show, except heartbeats and the end of the run. */
export const StreamEvent = v.variant('type', [
  v.object({ type: v.literal('status'), message: v.string() }),
  v.object({ type: v.picklist(['token', 'thinking_token', 'summary_token']), text: v.string() }),
  v.object({ type: v.literal('thinking_start') }),
  v.object({ type: v.literal('thinking_end'), durationMs: v.optional(v.number()) }),
  v.object({ type: v.literal('changelog_entry'), entry: v.string() }),
  v.object({
    type: v.literal('field_draft'),
    blockId: v.string(),
    editablePath: v.string(),
    value: v.string(),
    pageSlug: v.optional(v.string()),
  }),
  v.object({ type: v.literal('op_candidate'), index: v.number(), op: Op }),
  v.object({
    type: v.literal('plan_meta'),
    intent: v.optional(v.string()),
    summary: v.optional(v.string()),
    estimatedOps: v.optional(v.number()),
  }),
  v.object({
    type: v.literal('op_applied'),
    ...place,
    op: v.optional(Op),
    previewVersion: v.number(),
    focusBlockId: v.nullable(v.string()),
    updatedSlug: v.optional(v.string()),
  }),
  v.object({
    type: v.literal('op_skipped'),
    ...place,
    op: v.optional(Op),
    reason: v.picklist([
      'empty_patch',
      'unchanged_value',
      'reference_only',
      'unchanged_page',
      'unchanged_meta',
    ]),
  }),
  v.object({ type: v.literal('image_progress'), percent: v.number(), stage: v.string() }),
])
export type StreamEvent = v.InferOutput<typeof StreamEvent>

export interface RunStart {
  readonly id: string
  /** The key of the draft, as clients see it. */
  readonly session: string
  readonly request: PlacedRequest
  /** The requested tier, or the default one. */
  readonly modelKey: Tier
  /** The cleaned message; empty if none was sent. */
  readonly message: string
  readonly promptHash: string
  readonly promptExcerpt: string
}

/** The end of a run: its result, or why there is none. */
export interface RunResult {
  readonly type: 'result'
  readonly outcome: string
  readonly category?: string | undefined
  /** Set for failures and refusals. */
  readonly reason?: string | undefined
  readonly result?: ChatResult
}

/** Work of a run other than planning. */
export type RunWork = 'apply' | 'images'

/** Events for observers only. `result` is emitted once, as the last event. */
type InternalEvent =
  | { readonly type: 'milestone'; readonly stage: Milestone; readonly atMs: number }
  /** The draft was read and the page to work on is known. */
  | { readonly type: 'context'; readonly slug: string }
  | { readonly type: 'planned_by_rules'; readonly opTypes: readonly string[] }
  /** A planner with a model was asked. */
  | { readonly type: 'planner_asked'; readonly planner: string }
  | ({ readonly type: 'attempt' } & PlanningFacts)
  /** `usage`: model usage of the run so far. */
  | (PlanningNote & { readonly usage: RunUsage })
  /** The draft is changed or images are searched. A second event marks the end, also after a failure. */
  | { readonly type: 'work'; readonly what: RunWork; readonly isOver: boolean }
  /** A plan did not fit the draft or broke a rule. */
  | {
      readonly type: 'plan_apply_failed'
      readonly outcome: string
      readonly category: ErrorCategory
      readonly reason: string
    }
  | RunResult

/** An event of a run. Observers receive all events, streams show only some. */
export type RunEvent = StreamEvent | InternalEvent

/** Receives the events of one run, synchronously and in order. */
export type RunFollower = (event: RunEvent) => void | Promise<void>

/** Called at the start of each run; the returned function receives the events of that run. */
export type RunObserver = (start: RunStart) => RunFollower

/** Observers of runs. They cannot change or fail a run. */
export const runObservers = slot<RunObserver>('chat.runObservers')

/** Status texts of a run. Clients recognise phases by these words, so they are not translated. */
export const phases = {
  planning: 'Planning the edit',
  varying: 'Writing variations',
  ready: 'Plan ready',
  images: 'Now resolving images',
  applying: 'Applying the plan and updating draft',
  finishing: 'Almost done, finalizing the response',
} as const

export const milestones = [
  'request_received',
  'first_token',
  'first_structured_progress',
  'plan_ready',
  'first_op_applied',
  'done',
] as const
export type Milestone = (typeof milestones)[number]

/** Facts about one attempt of a planner. */
export interface PlanningFacts {
  readonly model: string
  readonly tier: Tier
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The size of the context shown to the model, in bytes. */
  readonly contextBytes?: number | undefined
}

/** The report of a planner about one attempt. */
export type PlanningNote =
  | {
      readonly type: 'attempt_failed'
      readonly attempt: number
      readonly category: ErrorCategory
      readonly reason: string
    }
  | { readonly type: 'plan_generated' | 'repair_generated'; readonly opTypes: readonly string[] }
  /** A plan is sent back to the model for this reason. */
  | { readonly type: 'repair_attempt'; readonly reason: string }

/** The total usage of all model calls of a run. */
export interface RunUsage extends TokenUsage {
  readonly calls: number
  readonly totalTokens: number
  /** `null` if any of the models has no price. */
  readonly estimatedUsd: number | null
}
