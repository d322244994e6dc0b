import * as v from 'valibot'
import { ChatResult } from '../chat/port.ts'

/** What a stream of variations tells; `event` says which, and the last one is `done` or `error`. */
export const VariationEvent = v.pipe(
  v.variant('event', [
    v.object({ event: v.literal('variations_ready'), ...ChatResult.entries, imagesPending: v.boolean() }),
    v.object({
      event: v.literal('image_resolved'),
      variationId: v.string(),
      /** The place of the variation among all of them, from 0. */
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
      /** The HTTP status that goes with it. */
      code: v.number(),
      result: v.optional(ChatResult),
    }),
  ]),
  v.title('VariationEvent'),
)
export type VariationEvent = v.InferOutput<typeof VariationEvent>
