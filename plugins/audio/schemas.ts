import * as v from 'valibot'
import { ProxyVariables } from '../auth/port.ts'

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

const perMinute = v.pipe(v.string(), v.trim(), v.transform(Number), v.number('must be a number'), v.integer('must be a whole number'), v.minValue(0, 'must not be negative'))

export const AudioVariables = v.object({
  MEDIA_GENERATIONS_PER_MIN: v.pipe(v.optional(perMinute, '30'), v.description('How many recordings one caller may have written down in a minute; 0 is any number.')),
  ...ProxyVariables.entries,
})
