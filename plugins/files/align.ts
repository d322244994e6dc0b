import { withoutGeneratedItemIds } from '../content/items.ts'
import type { Block } from '../content/page.ts'
import { alike, equal } from './match.ts'
import { pinned, type ReadBlock } from './reading.ts'

/**
 * Returns the ids of the blocks of a new reading: those of the blocks of the last one that they are.
 *
 * Equal blocks pair in their order, and then those that moved. Between two pairs, blocks of one type pair if they share half of their
 * words, or if equally many are there. The rest is new, and gets what `fresh` returns.
 */
export function align(
  previous: readonly Block[],
  reading: readonly ReadBlock[],
  fresh: (block: ReadBlock) => string,
): readonly string[] {
  const [was, is] = [previous, reading].map((blocks) =>
    blocks.map(({ type, props }) => JSON.stringify([type, withoutGeneratedItemIds(props)])),
  )
  const same = equal(was ?? [], is ?? []).map((at, n) => at ?? pinnedPlace(previous, reading[n]))
  const props = (blocks: readonly (Block | ReadBlock)[]) => blocks.map((block) => block.props)
  const pairs = alike(
    props(previous),
    props(reading),
    same,
    (at, n) => previous[at]?.type === reading[n]?.type,
  )
  return reading.map((block, n) => previous[pairs[n] ?? -1]?.id ?? fresh(block))
}

/** A block that a file has once is always the same. */
function pinnedPlace(previous: readonly Block[], block: ReadBlock | undefined): number | undefined {
  if (!block || !pinned.has(block.type)) return undefined
  const at = previous.findIndex(({ type }) => type === block.type)
  return at === -1 ? undefined : at
}
