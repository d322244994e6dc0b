import { defineOperation } from './definition.ts'
import { afterBlockId, blockId, pageSlug } from './shapes.ts'
import { replaceBlocks } from './state.ts'
import { findFreeBlock, positionAfter } from './target.ts'

export const moveBlock = defineOperation(
  'move_block',
  { pageSlug, blockId, afterBlockId },
  {
    summary: 'Moves a block to the top of its page, or right after another.',
    structural: true,
    apply(state, op) {
      const { page, block, index } = findFreeBlock(state, op)
      const others = { ...page, blocks: page.blocks.toSpliced(index, 1) } // a block cannot come after itself
      const position = positionAfter(others, op.afterBlockId) ?? 0
      replaceBlocks(state, page, others.blocks.toSpliced(position, 0, block))
      return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
    },
  },
)
