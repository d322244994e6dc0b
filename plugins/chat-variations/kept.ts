import type { Clock } from '../../kernel/index.ts'
import type { Variation, VariationMaker } from '../chat/port.ts'

/** An ending with variations. */
export type Varied = Extract<Awaited<ReturnType<VariationMaker['make']>>, { kind: 'varied' }>

/** Variations of a block, and their source. */
export interface StoredVariations extends Pick<Varied, 'source' | 'modelKey'> {
  readonly variations: readonly Variation[]
}

export type VariationStore = ReturnType<typeof createVariationStore>

const lifetime = 5 * 60 * 1000
const mostBlocks = 200
const sweptEvery = 60 * 1000

/** Creates the store of variations to show again: in memory, for at most 200 blocks, each for five minutes. */
export function createVariationStore(clock: Clock) {
  /** In order of expiry. */
  const stored = new Map<string, StoredVariations & { readonly until: number }>()
  let timer: NodeJS.Timeout | undefined
  const now = (): number => clock.now().getTime()
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const sweep = (): void => {
    for (const [block, { until }] of stored) if (until <= now()) stored.delete(block)
    if (stored.size === 0) stop()
  }
  return {
    find(block: string): StoredVariations | undefined {
      const found = stored.get(block)
      return found && found.until > now() ? found : undefined
    },
    /** Stores the variations of a block; replaces earlier ones. */
    keep(block: string, variations: StoredVariations): void {
      stored.delete(block)
      const [oldest] = stored.keys()
      if (stored.size >= mostBlocks && oldest !== undefined) stored.delete(oldest)
      stored.set(block, { ...variations, until: now() + lifetime })
      timer ??= setInterval(sweep, sweptEvery).unref()
    },
    stop,
  }
}
