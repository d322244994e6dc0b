import { defineOperation } from './definition.ts'
import { findTarget, refuseChrome } from './find.ts'
import { blockId, operation, pageSlug } from './shapes.ts'
import { replaceBlocks } from './state.ts'

export const removeBlock = defineOperation({
  name: 'remove_block',
  summary: 'Removes a block from its page.',
  structural: true,
  schema: operation('remove_block', { pageSlug, blockId }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const { page, block, index, blockType } = findTarget(state, op, { removal: true })
    refuseChrome(blockType)
    replaceBlocks(state, page, page.blocks.toSpliced(index, 1))
    return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
  },
})
