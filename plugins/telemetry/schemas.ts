import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { SiteId } from '../scope/port.ts'

const text = v.optional(v.string())
const number = v.optional(v.number())
const flag = v.optional(v.boolean())
const counts = v.record(v.string(), v.number())

/** One event of a chat run. */
export const TelemetryRow = v.object({
  /** The id of the run. */
  id: v.string(),
  at: v.string(),
  phase: v.picklist([
    'received',
    'milestone',
    'deterministic_plan_generated',
    'plan_attempt_failed',
    'plan_generated',
    'repair_attempt',
    'repair_generated',
    'plan_apply_failed',
    'result',
  ]),
  /** The session key for clients. */
  session: v.string(),
  requestedSlug: v.string(),
  effectiveSlug: v.string(),
  plannerSource: v.string(),
  modelKey: v.string(),
  modelUsed: v.string(),
  promptHash: v.string(),
  /** At most 180 characters; empty if excerpts are off. */
  promptExcerpt: v.string(),
  promptLength: v.number(),
  outcome: text,
  /** At most 300 characters. */
  reason: text,
  reasonCategory: text,
  timelineStage: text,
  intent: text,
  opCount: number,
  opTypes: v.optional(v.array(v.string())),
  skippedOpCount: number,
  /** For the run so far. */
  inputTokens: number,
  outputTokens: number,
  totalTokens: number,
  cacheCreationInputTokens: number,
  cacheReadInputTokens: number,
  estimatedUsd: v.nullish(v.number()),
  totalDurationMs: number,
  planningDurationMs: number,
  firstPlanningTokenMs: number,
  applyDurationMs: number,
  imageResolutionDurationMs: number,
  planningAttempts: number,
  contextPackBytes: number,
  schemaRetryUsed: flag,
  plannerRefusal: flag,
  plannerIncomplete: flag,
  plannerTier: text,
})
export type TelemetryRow = v.InferOutput<typeof TelemetryRow>

/** A session name, which matches on every site unless one is given, or a session key. */
const sessions = { session: text, siteId: SiteId }

export const RowsQuery = v.object({ limit: limitQuery(100, 1_000), outcome: text, phase: text, ...sessions })
export const Rows = v.object({
  totalBuffered: v.number(),
  returned: v.number(),
  /** For the returned rows. */
  byOutcome: counts,
  byReasonCategory: counts,
  /** Newest last. */
  rows: v.array(
    v.object({
      ...TelemetryRow.entries,
      failed: v.pipe(
        v.optional(v.literal(true)),
        v.description('Whether the run failed for a cause in the service rather than in its message.'),
      ),
    }),
  ),
})

export const ReviewQuery = v.object({ limit: limitQuery(300, 2_000), ...sessions })
export const Review = v.object({
  /** The number of finished runs. */
  analyzed: v.number(),
  appliedCount: v.number(),
  failedCount: v.number(),
  /** The share of failures among the finished runs. */
  failureRate: v.number(),
  plannerRefusalCount: v.number(),
  plannerIncompleteCount: v.number(),
  failureByOutcome: counts,
  failureByReasonCategory: counts,
  /** Most frequent first. */
  topFailedPrompts: v.array(
    v.object({
      promptHash: v.string(),
      promptExcerpt: v.string(),
      count: v.number(),
      outcomes: v.array(v.string()),
      reasonCategories: v.array(v.string()),
      lastAt: v.string(),
    }),
  ),
  recommendations: v.array(v.string()),
})
export type Review = v.InferOutput<typeof Review>

const maxNoteCharacters = 2_000
/** Cuts a note without splitting a surrogate pair. */
const cut = (note: string): string => note.slice(0, maxNoteCharacters).replace(/[\ud800-\udbff]$/, '')

const maxIdCharacters = 100

export const Vote = v.pipe(
  v.object({
    /** The id of the run. */
    traceId: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('traceId is required'),
      v.maxLength(maxIdCharacters, `has more than ${maxIdCharacters} characters`),
    ),
    session: v.pipe(v.string(), v.trim(), v.nonEmpty('session is required')),
    siteId: SiteId,
    rating: v.pipe(
      v.string('rating is required: up or down'),
      v.trim(),
      v.picklist(['up', 'down'], 'rating is required: up or down'),
    ),
    note: v.optional(v.pipe(v.string(), v.trim(), v.transform(cut))),
  }),
  v.examples([
    { traceId: '0b8f3c5e-6c0a-4d55-9a9e-3f6f2a6d7c11', session: 'dev', siteId: 'demo', rating: 'up' },
  ]),
)
export const Voted = v.object({ ok: v.literal(true), id: v.string() })

export const VotesQuery = v.object({
  limit: limitQuery(200, 1_000),
  ...sessions,
  rating: text,
  traceId: text,
})
/** A vote on one run. */
export const VoteRow = v.object({
  id: v.string(),
  at: v.string(),
  traceId: v.string(),
  session: v.string(),
  rating: v.picklist(['up', 'down']),
  note: text,
})
export type VoteRow = v.InferOutput<typeof VoteRow>
/** The votes, newest last; `total` counts all matches. */
export const Votes = v.object({ total: v.number(), rows: v.array(VoteRow) })
