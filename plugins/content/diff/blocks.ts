import type { Block, Fields } from '../model.ts'
import { diffProps, fieldDiff, type Sides } from './fields.ts'
import type { BlockDiff, FieldDiff } from './schema.ts'

type PlacedBlocks = ReadonlyMap<string, { readonly block: Block; readonly position: number }>

/**
 * Compares the blocks of one page by id. Lists the draft's blocks in draft order, then the removed blocks in
 * published order.
 *
 * A block has moved if its rank among the blocks on both sides changed; one inserted block does not mark all
 * blocks below it. If an id occurs twice on a page, which only imported content can have, its occurrences are
 * compared in order.
 */
export function diffBlocks(blocks: Sides<readonly Block[]>, fieldsOf: (type: string) => Fields): BlockDiff[] {
  const [old, current] = [placed(blocks.before), placed(blocks.after)]
  const [oldRanks, ranks] = [ranksAmong(old, current), ranksAmong(current, old)]
  const present = [...current].map(([key, { block, position }]): BlockDiff => {
    const from = old.get(key)
    const facts = { blockId: block.id, type: block.type }
    if (!from) return { ...facts, status: 'added', positionAfter: position }
    const positions = { positionBefore: from.position, positionAfter: position }
    const fieldDiffs = diffBlock({ before: from.block, after: block }, fieldsOf)
    if (fieldDiffs.length > 0) return { ...facts, status: 'modified', ...positions, fieldDiffs }
    return { ...facts, status: oldRanks.get(key) === ranks.get(key) ? 'unchanged' : 'moved', ...positions }
  })
  const gone = [...old]
    .filter(([key]) => !current.has(key))
    .map(([, { block, position }]): BlockDiff => ({
      blockId: block.id,
      type: block.type,
      status: 'removed',
      positionBefore: position,
    }))
  return [...present, ...gone]
}

/** Lists blocks that are known to be equal on both sides. */
export function unchangedBlocks(blocks: readonly Block[]): BlockDiff[] {
  return blocks.map(({ id, type }, position) => ({
    blockId: id,
    type,
    status: 'unchanged',
    positionBefore: position,
    positionAfter: position,
  }))
}

function diffBlock({ before, after }: Sides<Block>, fieldsOf: (type: string) => Fields): FieldDiff[] {
  const fields = { before: fieldsOf(before.type), after: fieldsOf(after.type) }
  const propDiffs = diffProps({ before: before.props, after: after.props }, fields)
  if (before.type === after.type) return propDiffs
  return [fieldDiff('type', { before: before.type, after: after.type }, 'other'), ...propDiffs]
}

/** Indexes blocks by id and occurrence of the id. */
function placed(blocks: readonly Block[]): PlacedBlocks {
  const seen = new Map<string, number>()
  return new Map(
    blocks.map((block, position) => {
      const occurrence = (seen.get(block.id) ?? 0) + 1
      seen.set(block.id, occurrence)
      return [`${occurrence} ${block.id}`, { block, position }]
    }),
  )
}

function ranksAmong(side: PlacedBlocks, other: PlacedBlocks): ReadonlyMap<string, number> {
  return new Map([...side.keys()].filter((key) => other.has(key)).map((key, rank) => [key, rank]))
}
