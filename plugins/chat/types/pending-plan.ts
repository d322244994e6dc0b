import * as v from 'valibot'
import { ChatDebug, Tier } from '../result.ts'
import { DestructiveReason, PlannedImage, Remark, Step } from './plan.ts'

const text = v.string()
const list = <const S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly())

/** A plan that waits for approval, as it is stored. Texts about it may be missing: another version may have stored it. */
export const PendingPlan = v.object({
  id: text,
  /** ISO times. */
  createdAt: text,
  expiresAt: text,
  promptHash: text,
  /** At most 2,000 characters of it. */
  message: text,
  /** The language of its texts. */
  locale: text,
  /** The page that the request named; that of the selection is the one that is worked on. */
  requestedSlug: text,
  selection: v.object({ slug: text, blockId: v.optional(text), path: v.optional(text) }),
  /** The planner's sentence, in the future tense. */
  summary: text,
  steps: list(Step),
  /** Searched once the operations are applied. */
  images: v.optional(list(PlannedImage)),
  suggestions: v.optional(list(text), []),
  /** The pages that it is about, with those that it makes. */
  mentionedSlugs: v.optional(list(text), []),
  notes: v.optional(list(Remark), []),
  reasons: v.optional(list(DestructiveReason), []),
  source: v.object({ plannerSource: text, modelUsed: text, plannerTier: ChatDebug.entries.plannerTier, modelKey: v.optional(Tier) }),
  draftVersion: v.number(),
  /** The block types and the switch of the site as they were sent with the request. */
  componentsManifest: v.optional(v.unknown()),
  allowStructuralEdits: v.optional(v.boolean()),
})
export type PendingPlan = Readonly<v.InferOutput<typeof PendingPlan>>
