import { authorityOf } from '../../content/authority.ts'
import type { Block, BlockType } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { slugSpellings } from '../../content/operations/slug-spellings.ts'
import { resolveBlock } from '../../content/resolve-block.ts'
import type { Step } from '../types/plan.ts'
import type { Facts } from './step.ts'

/**
 * Tells which block type an operation writes, also of blocks that earlier steps of the same plan add.
 *
 * `undefined` where that cannot be told, or nobody declares the type: applying the plan says what is wrong then.
 */
export function blockTypesFor(steps: readonly Step[], facts: Pick<Facts, 'draft' | 'registry' | 'manifest'>): (op: Operation) => BlockType | undefined {
  const added = new Map(steps.flatMap(({ op }) => blocksIn(op)).map((block) => [block.id, block.type]))
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

/** The blocks that an operation brings along. */
export function blocksIn(op: Operation): readonly Pick<Block, 'id' | 'type' | 'props'>[] {
  if (op.op === 'add_block') return [op.block]
  return op.op === 'create_page' ? (op.page.blocks ?? []) : []
}
