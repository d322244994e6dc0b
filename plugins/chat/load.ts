import { observed, type ObservedParts } from './observed.ts'
import type { Deps } from './pipeline/deps.ts'
import { createRunner, placed } from './pipeline/index.ts'
import { createPrefetch } from './prefetch.ts'
import type { ImageWork } from './types/images.ts'
import type { MessageReader } from './types/reader.ts'
import type { VariationParts } from './variations/index.ts'

type Late = 'words' | 'variations' | 'images'

export interface LoadParts extends Omit<Deps & ObservedParts & VariationParts, Late> {
  readonly reader: () => Promise<MessageReader>
  readonly imageWork: ((longestImageMs: number) => Promise<ImageWork | undefined>) | undefined
  /** Milliseconds for all images of a request, or for each image of a streamed one. */
  readonly longestImageMs: number
}

/** Loads what only messages need, and makes what runs them. */
export async function loadRunners({ reader, imageWork, ...parts }: LoadParts) {
  const [words, images, { createVariations, createVariationRunner }] = await Promise.all([reader(), imageWork?.(parts.longestImageMs), import('./variations/index.ts')])
  const variations = createVariations({ ...parts, words, images })
  const all = { ...parts, words, variations, images }
  return { runner: placed(observed(createRunner(all), all), all), variations: createVariationRunner(all), prefetch: createPrefetch(all) }
}
