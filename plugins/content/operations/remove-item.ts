import { defineOperation } from './definition.ts'
import { findList, findTarget, wholeRowAt } from './find.ts'
import { replaceRows } from './replace-rows.ts'
import { blockId, index, listKey, operation, pageSlug } from './shapes.ts'

export const removeItem = defineOperation({
  name: 'remove_item',
  summary: 'Removes a row from a list.',
  structural: true,
  schema: operation('remove_item', { pageSlug, blockId, listKey, index: index('the position of the row') }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op, { removal: true })
    const { rows } = findList(target, op.listKey)
    wholeRowAt(rows, op)
    const after = rows.toSpliced(op.index, 1)
    replaceRows(state, target, { listKey: op.listKey, path: 'index' }, { before: rows, after })
    return { op: { ...op, pageSlug: target.page.slug, blockId: target.block.id } }
  },
})
