import * as v from 'valibot'
import { ContentDiff } from '../content/diff/index.ts'
import { Operations } from '../content/operations/parse.ts'
import { describedBy } from '../../kernel/index.ts'
import { Client, ClientQuery } from '../draft/port.ts'
import { RequiredSlug, Session, SiteId } from '../scope/port.ts'
import { ChatResult } from './result.ts'

export const PlansQuery = v.object({ session: Session, siteId: SiteId, client: ClientQuery })

/** A pending plan, as shown to people. */
const PlanSummary = v.object({
  id: v.string(),
  createdAt: v.string(),
  expiresAt: v.string(),
  /** The page that the plan was created on. */
  slug: v.string(),
  /** The beginning of the message that asked for it. */
  message: v.string(),
  summary: v.string(),
  /** One line for each operation, then one for each image that will be searched. */
  changes: v.array(v.string()),
  destructiveReasons: v.array(v.string()),
  opCount: v.number(),
  /** The draft version that the plan was created for. */
  draftVersion: v.number(),
})
export type PlanSummary = v.InferOutput<typeof PlanSummary>

export const PlanList = v.object({
  plans: v.pipe(
    v.array(PlanSummary),
    v.description('The plan of the caller, if one is pending, then those that anyone may answer.'),
  ),
  outdated: v.pipe(
    v.optional(v.array(v.object({ id: v.string(), message: v.string(), reason: v.string() }))),
    v.description(
      'The plan of the caller that ended because another person applied one that changes the same.',
    ),
  ),
})
export type PlanList = v.InferOutput<typeof PlanList>

export const PlanDetail = v.object({
  ...PlanSummary.entries,
  ops: v.pipe(v.array(v.unknown()), describedBy(Operations)),
  /** False if the plan no longer fits the draft. */
  valid: v.boolean(),
  validationErrors: v.optional(v.array(v.string())),
  /** The changes that applying the plan would make; empty if it is not valid. */
  diff: ContentDiff,
})
export type PlanDetail = v.InferOutput<typeof PlanDetail>

export const PrefetchBody = v.object({
  session: Session,
  siteId: SiteId,
  client: Client,
  slug: RequiredSlug,
  message: v.pipe(v.string('message is required'), v.trim(), v.nonEmpty('message is required')),
  activeBlockId: v.optional(v.string()),
  activeEditablePath: v.optional(v.string()),
})
export type PrefetchBody = v.InferOutput<typeof PrefetchBody>

export const Hint = v.object({
  /** True if the answer probably needs no language model. */
  likelyDeterministic: v.boolean(),
  estimatedLatency: v.picklist(['instant', 'moderate', 'slow']),
  inferredAction: v.nullable(v.picklist(['add', 'move', 'update', 'remove', 'info', 'clarify'])),
})
export type Hint = v.InferOutput<typeof Hint>

/** An event of a variation stream; the last one is `done` or `error`. */
export const VariationEvent = v.pipe(
  v.variant('event', [
    v.object({ event: v.literal('variations_ready'), ...ChatResult.entries, imagesPending: v.boolean() }),
    v.object({
      event: v.literal('image_resolved'),
      variationId: v.string(),
      /** The index of the variation, from 0. */
      index: v.number(),
      patch: v.record(v.string(), v.unknown()),
      changedKeys: v.array(v.string()),
      imageUrl: v.optional(v.string()),
      imageAlt: v.optional(v.string()),
    }),
    v.object({ event: v.literal('done'), ...ChatResult.entries }),
    v.object({
      event: v.literal('error'),
      /** A sentence that says what to do. */
      error: v.string(),
      /** The corresponding HTTP status. */
      code: v.number(),
      result: v.optional(ChatResult),
    }),
  ]),
  v.title('VariationEvent'),
)
export type VariationEvent = v.InferOutput<typeof VariationEvent>
