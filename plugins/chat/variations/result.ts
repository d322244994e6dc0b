import * as v from 'valibot'
import { Spending } from '../spending.ts'

/** Other contents of a block; a POST /ops with `update_props` and this patch makes them real. */
export const Variation = v.object({
  id: v.string(),
  title: v.string(),
  summary: v.string(),
  /** The props that change, each as it would be as a whole; `null` takes one away. */
  patch: v.record(v.string(), v.unknown()),
  changedKeys: v.array(v.string()),
})
export type Variation = v.InferOutput<typeof Variation>

/** Variations of one block, and what they were made from. */
export const VariationSet = v.object({
  blockId: v.string(),
  blockType: v.string(),
  pageSlug: v.string(),
  baseProps: v.record(v.string(), v.unknown()),
  variations: v.array(Variation),
  /** What models took for them. */
  usage: v.optional(Spending),
})
export type VariationSet = v.InferOutput<typeof VariationSet>
