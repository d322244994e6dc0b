import { authorityOf } from '../registry.ts'
import type { Block, BlockType, Draft, AvailableTypes } from '../model.ts'
import { resolveBlock } from './target.ts'
import { slugSpellings } from '../slugs.ts'
import type { Operation } from './index.ts'

/** The sources of block types, and the draft of the operations. */
export interface TypeFacts extends AvailableTypes {
  readonly draft: Draft
}

/**
 * Returns a lookup of the block type that an operation writes, also in blocks added by the same batch.
 *
 * The type is `undefined` if it is unknown or not declared: applying the operations reports that.
 */
export function blockTypesFor(
  ops: readonly Operation[],
  facts: TypeFacts,
): (op: Operation) => BlockType | undefined {
  const added = new Map(ops.flatMap(blocksIn).map((block) => [block.id, block.type]))
  return (op) => {
    const type = typeOf(op)
    const authority = type === undefined ? undefined : authorityOf(type, facts)
    return authority?.ok ? authority.blockType : undefined
  }

  function typeOf(op: Operation): string | undefined {
    if (op.op === 'add_block') return op.block.type
    if (!('blockId' in op)) return undefined
    for (const spelling of slugSpellings(op.pageSlug)) {
      const page = facts.draft.page(spelling)
      const found = page && resolveBlock(page.blocks, op.blockId, { byType: true })
      if (found) return found.block.type
    }
    return added.get(op.blockId)
  }
}

/** Returns the blocks that an operation adds. */
export function blocksIn(op: Operation): readonly Pick<Block, 'id' | 'type' | 'props'>[] {
  if (op.op === 'add_block') return [op.block]
  return op.op === 'create_page' ? (op.page.blocks ?? []) : []
}
