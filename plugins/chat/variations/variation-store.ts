import type { VariationMaker } from '../port.ts'

/** An ending with variations. */
export type Varied = Extract<Awaited<ReturnType<VariationMaker['make']>>, { kind: 'varied' }>

export type VariationStore = ReturnType<typeof createVariationStore>

const lifetimeMs = 5 * 60 * 1000
const mostBlocks = 200

/** Creates the store of variations to show again: those of at most 200 blocks, each for five minutes. */
export function createVariationStore() {
  const stored = new Map<string, { readonly varied: Varied; readonly timer: NodeJS.Timeout }>()
  const drop = (block: string): void => {
    clearTimeout(stored.get(block)?.timer)
    stored.delete(block)
  }
  return {
    find: (block: string): Varied | undefined => stored.get(block)?.varied,
    /** Stores the variations of a block; replaces earlier ones. */
    keep(block: string, varied: Varied): void {
      drop(block)
      const [oldest] = stored.keys()
      if (stored.size >= mostBlocks && oldest !== undefined) drop(oldest)
      stored.set(block, { varied, timer: setTimeout(drop, lifetimeMs, block).unref() })
    },
    stop: (): void => stored.keys().forEach(drop),
  }
}
