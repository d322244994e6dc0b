import { defineOperation } from './definition.ts'
import { blockId, index, listKey, pageSlug } from './shapes.ts'
import { findFreeList, replaceRows, wholeRowAt } from './target.ts'

const fields = { pageSlug, blockId, listKey, index: index('the position of the row') }

export const removeItem = defineOperation('remove_item', fields, {
  summary: 'Removes a row from a list.',
  structural: true,
  apply(state, op) {
    const list = findFreeList(state, op, { removal: true })
    wholeRowAt(list, op.index)
    replaceRows(state, list, list.rows.toSpliced(op.index, 1), 'index')
    return { op: { ...op, pageSlug: list.page.slug, blockId: list.block.id } }
  },
})
