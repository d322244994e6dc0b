import { createKeyedQueue, LRUCache } from '../../../kernel/index.ts'
import type { DraftDiff } from './draft-diff.ts'

const cacheBytes = 128 * 1024 * 1024
/** The size of a cached diff of two empty sites, and of a published page. */
const leastBytes = 1_000
/** The number of drafts for which it is known what was named. */
const draftsNamed = 500

/** A diff in the cache, with the versions of both sides. */
export interface Cached {
  readonly diff: DraftDiff
  readonly baseline: string
  readonly storageTag: string | undefined
  readonly version: number
  readonly hasShrunk: boolean
  readonly isBehind: boolean
}

/** The diffs that this process has made, of which only what has changed is compared again. */
export const createComparedDrafts = () => ({
  /** By draft; a diff is changed in place, so it is used by one at a time. */
  cache: new LRUCache<string, Cached>({
    maxSize: cacheBytes,
    sizeCalculation: ({ diff }) => leastBytes * (1 + diff.pages.size) + 3 * diff.size,
  }),
  queue: createKeyedQueue(),
  /** The volatile values that were named in a notice, by draft. */
  named: new LRUCache<string, string>({ max: draftsNamed }),
})

export type ComparedDrafts = ReturnType<typeof createComparedDrafts>
