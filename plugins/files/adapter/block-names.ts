/** The ids of the blocks of a file. */
import { hash } from 'node:crypto'
import type { Block } from '../../content/page.ts'
import { align } from '../align.ts'
import { pinned, type ReadBlock } from '../reading.ts'

/**
 * Returns the blocks of a reading with ids: those that they had in an earlier one, and for the others natural
 * ones, which the same file gets at each first reading.
 */
export function namedBlocks(
  path: string,
  earlier: readonly Block[],
  reading: readonly ReadBlock[],
): readonly Block[] {
  const taken = new Set(earlier.map(({ id }) => id))
  const ids = align(earlier, reading, (block) => {
    const id = naturalId(path, block, taken)
    taken.add(id)
    return id
  })
  return reading.map(({ type, props }, n) => ({ id: ids[n] ?? '', type, props }))
}

/**
 * From the type, the content and how many equal ones precede; of a block that a file has once, from its type.
 */
function naturalId(path: string, { type, props }: ReadBlock, taken: ReadonlySet<string>): string {
  const content = pinned.has(type) ? undefined : props
  for (let n = 0; ; n += 1) {
    const id = `b_${type.toLowerCase()}_${hash('sha256', JSON.stringify([path, type, content, n])).slice(0, 12)}`
    if (!taken.has(id)) return id
  }
}
