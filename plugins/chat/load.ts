import { observed, type ObservedParts } from './observed.ts'
import type { Deps } from './pipeline/deps.ts'
import { createRunner, placed } from './pipeline/index.ts'
import { createVariationRunner } from './pipeline/variations.ts'
import { createPrefetch } from './prefetch.ts'
import type { ImageWork } from './types/images.ts'
import type { MessageReader } from './types/reader.ts'

export interface LoadParts extends Omit<Deps & ObservedParts, 'words' | 'images'> {
  readonly reader: () => Promise<MessageReader>
  readonly imageWork: ((longestImageMs: number) => Promise<ImageWork | undefined>) | undefined
  /** Milliseconds for all images of a request, or for each image of a streamed one. */
  readonly longestImageMs: number
}

/** Loads what only messages need, and makes what runs them. */
export async function loadRunners({ reader, imageWork, ...parts }: LoadParts) {
  const [words, images] = await Promise.all([reader(), imageWork?.(parts.longestImageMs)])
  const all = { ...parts, words, images }
  return { runner: placed(observed(createRunner(all), all), all), variations: createVariationRunner(all), prefetch: createPrefetch(all) }
}
