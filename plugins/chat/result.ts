import * as v from 'valibot'
import { modelTiers } from '../models/port.ts'

const count = v.optional(v.number())

/** The model usage of a run; `estimatedUsd` is `null` if the price of a model is unknown. */
const Spending = v.object({
  inputTokens: count,
  outputTokens: count,
  totalTokens: count,
  cacheCreationInputTokens: count,
  cacheReadInputTokens: count,
  estimatedUsd: v.nullish(v.number()),
})

export const Tier = v.picklist(modelTiers)
export type Tier = v.InferOutput<typeof Tier>

export const executionModes = [
  'auto',
  'plan_only',
  'apply_pending_plan',
  'discard_pending_plan',
  'continue_chain',
] as const

const text = v.optional(v.string())

/** Alternative contents of a block; POST /ops with `update_props` and this patch applies them. */
export const Variation = v.object({
  id: v.string(),
  title: v.string(),
  summary: v.string(),
  /** The props that change, each with its complete value; `null` removes one. */
  patch: v.record(v.string(), v.unknown()),
  changedKeys: v.array(v.string()),
})
export type Variation = v.InferOutput<typeof Variation>

/** Variations of one block, and the content that they vary. */
export const VariationSet = v.object({
  blockId: v.string(),
  blockType: v.string(),
  pageSlug: v.string(),
  baseProps: v.record(v.string(), v.unknown()),
  variations: v.array(Variation),
  usage: v.optional(Spending),
})
export type VariationSet = v.InferOutput<typeof VariationSet>

/** Debugging facts about a run: counts, names, digests; no content except a short excerpt of the message. */
export const ChatDebug = v.object({
  /** The id of the run. */
  traceId: v.string(),
  /** Equal for equal messages: 16 hexadecimal digits, keyed by a secret of the installation. */
  promptHash: v.string(),
  /** At most 180 characters. */
  promptExcerpt: v.string(),
  outcome: v.string(),
  reasonCategory: text,
  /** At most 300 characters; set for failures only. */
  reason: text,
  /**
   * What the planner without a model found in a message that it refused, such as the nearest sentence that
   * works.
   */
  hint: text,
  /** The suggestion that the hint is about. */
  offer: text,
  intent: text,
  opTypes: v.optional(v.array(v.string())),
  opCount: count,
  ...Spending.entries,
  plannerTier: v.picklist(['full_llm', 'demo']),
  modelUsed: v.string(),
  plannerSource: v.string(),
  executionMode: v.picklist(executionModes),
  planningAttempts: count,
  skippedOpCount: count,
  skippedOps: v.optional(
    v.array(
      v.object({ index: v.number(), op: v.string(), reason: v.string(), pageSlug: text, blockId: text }),
    ),
  ),
  timeline: v.optional(v.array(v.object({ stage: v.string(), atMs: v.number() }))),
  currentPage: text,
  siteId: text,
  activeBlockId: text,
  activeEditablePath: text,
})
export type ChatDebug = v.InferOutput<typeof ChatDebug>

/** The result of a run. */
export const ChatResult = v.object({
  status: v.picklist([
    'info',
    'advice',
    'applied',
    'plan_ready',
    'needs_clarification',
    'validation_error',
    'canceled',
    'error',
    'ok',
  ]),
  summary: v.string(),
  changes: v.array(v.string()),
  mentionedSlugs: v.optional(v.array(v.string())),
  suggestions: v.optional(v.array(v.string())),
  validationErrors: v.optional(v.array(v.string())),
  /** The version of the draft after the run. */
  previewVersion: v.number(),
  focusBlockId: text,
  updatedSlug: text,
  undoSlug: text,
  /** `demo` if the planner without a model answered. */
  plannerSource: v.string(),
  modelUsed: v.string(),
  modelKey: Tier,
  pendingPlanId: text,
  destructiveReasons: v.optional(v.array(v.string())),
  ...v.partial(VariationSet).entries,
  debug: ChatDebug,
})
export type ChatResult = v.InferOutput<typeof ChatResult>
