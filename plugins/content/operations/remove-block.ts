import { defineOperation } from './definition.ts'
import { blockId, pageSlug } from './shapes.ts'
import { replaceBlocks } from './state.ts'
import { findRemovedBlock } from './target.ts'

export const removeBlock = defineOperation(
  'remove_block',
  { pageSlug, blockId },
  {
    summary: 'Removes a block from its page.',
    structural: true,
    apply(state, op) {
      const { page, block, index } = findRemovedBlock(state, op)
      replaceBlocks(state, page, page.blocks.toSpliced(index, 1))
      return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
    },
  },
)
