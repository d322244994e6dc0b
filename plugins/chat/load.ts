import { observed, type ObservedParts } from './observed.ts'
import type { Deps } from './pipeline/deps.ts'
import { createRunner, placed } from './pipeline/index.ts'
import { createPrefetch } from './prefetch.ts'
import type { ImageSource } from './types/images.ts'
import type { Planner } from './types/planner.ts'
import type { Rules } from './types/reader.ts'
import type { VariationParts } from './variations/index.ts'

type Late = 'words' | 'variations' | 'images'

export interface LoadParts extends Omit<Deps & ObservedParts & VariationParts, Late> {
  readonly loadRules: () => Promise<Rules>
  readonly sources: readonly ImageSource[]
  /** Milliseconds for all images of a request, or for each image of a streamed one. */
  readonly longestImageMs: number
}

/** Loads what only messages need, and makes what runs them. */
export async function loadRunners({ loadRules, ...parts }: LoadParts) {
  const [{ plan, words }, { createVariations, createVariationRunner }] = await Promise.all([loadRules(), import('./variations/index.ts')])
  const rules: Planner = { name: 'demo', available: true, isLocal: true, plan: async (input) => plan(input) }
  const planners = [rules, ...parts.planners]
  const images = parts.sources.length > 0 ? (await import('./images/index.ts')).createImageWork(parts) : undefined
  const variations = createVariations({ ...parts, planners, images })
  const all = { ...parts, planners, words, variations, images }
  return { runner: placed(observed(createRunner(all), all), all), variations: createVariationRunner(all), prefetch: createPrefetch(all) }
}
