import { observed, type ObservedParts } from './observed.ts'
import type { Deps } from './pipeline/deps.ts'
import { createRunner, placed } from './pipeline/index.ts'
import { createPrefetch } from './prefetch.ts'
import type { ImageSource } from './types/images.ts'
import type { MessageReader } from './types/reader.ts'
import type { VariationParts } from './variations/index.ts'

type Late = 'words' | 'variations' | 'images'

export interface LoadParts extends Omit<Deps & ObservedParts & VariationParts, Late> {
  readonly reader: () => Promise<MessageReader>
  readonly sources: readonly ImageSource[]
  /** Milliseconds for all images of a request, or for each image of a streamed one. */
  readonly longestImageMs: number
}

/** Loads what only messages need, and makes what runs them. */
export async function loadRunners({ reader, ...parts }: LoadParts) {
  const [words, { createVariations, createVariationRunner }] = await Promise.all([reader(), import('./variations/index.ts')])
  const images = parts.sources.length > 0 ? (await import('./images/index.ts')).createImageWork({ ...parts, words }) : undefined
  const variations = createVariations({ ...parts, words, images })
  const all = { ...parts, words, variations, images }
  return { runner: placed(observed(createRunner(all), all), all), variations: createVariationRunner(all), prefetch: createPrefetch(all) }
}
