import * as v from 'valibot'

/** What was said in a recording. */
export const Transcript = v.object({
  /** Empty where nothing was said. */
  text: v.string(),
  /** The model that wrote it down. */
  model: v.string(),
  bytes: v.number(),
  /** What the recording is by its content. */
  mimeType: v.string(),
  /** The model that is asked first gave no answer. */
  fallbackUsed: v.boolean(),
})
export type Transcript = v.InferInput<typeof Transcript>
