import type { Block, Page } from './page.ts'

type ReadBlocks = () => readonly Block[]

const reads = new WeakMap<object, ReadBlocks>()

/** One function for all pages, so that they have one form. */
function blocksOf(this: object): readonly Block[] {
  return reads.get(this)?.() ?? []
}

/**
 * Gives an object blocks that are read at each use, and are not held in memory by it.
 *
 * `read` returns equal blocks each time, and the same object to uses that follow each other.
 */
export function withBlocksOnUse<T extends object>(outline: T, read: ReadBlocks): T & Pick<Page, 'blocks'> {
  const whole = { ...outline, blocks: [] }
  reads.set(whole, read)
  return Object.defineProperty(whole, 'blocks', { enumerable: true, get: blocksOf })
}
