import { defineOperation } from './definition.ts'
import { findTarget, placeAfter, refuseChrome } from './find.ts'
import { afterBlockId, blockId, operation, pageSlug } from './shapes.ts'
import { replaceBlocks } from './state.ts'

export const moveBlock = defineOperation({
  name: 'move_block',
  summary: 'Moves a block to the top of its page, or right after another.',
  structural: true,
  schema: operation('move_block', { pageSlug, blockId, afterBlockId }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const { page, block, index, blockType } = findTarget(state, op)
    refuseChrome(blockType)
    const others = { ...page, blocks: page.blocks.toSpliced(index, 1) } // a block cannot come after itself
    const position = placeAfter(others, op.afterBlockId) ?? 0
    replaceBlocks(state, page, others.blocks.toSpliced(position, 0, block))
    return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
  },
})
