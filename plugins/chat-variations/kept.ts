import type { Clock } from '../../kernel/index.ts'
import type { Variation, VariationMaker } from '../chat/port.ts'

/** An ending with variations. */
export type Varied = Extract<Awaited<ReturnType<VariationMaker['make']>>, { kind: 'varied' }>

/** Variations of a block, and who made them. */
export interface KeptVariations extends Pick<Varied, 'source' | 'modelKey'> {
  readonly variations: readonly Variation[]
}

/** Variations that can be shown again, by their block. */
export interface Kept {
  find(block: string): KeptVariations | undefined
  /** Replaces those of before. */
  keep(block: string, variations: KeptVariations): void
  stop(): void
}

const lifetime = 5 * 60 * 1000
const mostBlocks = 200
const sweptEvery = 60 * 1000

/** Keeps the variations of at most 200 blocks in memory, each for five minutes. */
export function createKept(clock: Clock): Kept {
  /** In the order in which they end. */
  const kept = new Map<string, KeptVariations & { readonly until: number }>()
  let timer: NodeJS.Timeout | undefined
  const now = (): number => clock.now().getTime()
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const sweep = (): void => {
    for (const [block, { until }] of kept) if (until <= now()) kept.delete(block)
    if (kept.size === 0) stop()
  }
  return {
    find(block) {
      const found = kept.get(block)
      return found && found.until > now() ? found : undefined
    },
    keep(block, variations) {
      kept.delete(block)
      const [oldest] = kept.keys()
      if (kept.size >= mostBlocks && oldest !== undefined) kept.delete(oldest)
      kept.set(block, { ...variations, until: now() + lifetime })
      timer ??= setInterval(sweep, sweptEvery).unref()
    },
    stop,
  }
}
