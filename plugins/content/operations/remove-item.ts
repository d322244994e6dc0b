import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findList, findTarget } from './find.ts'
import { listViolations } from './list-limits.ts'
import { replaceRows } from './replace.ts'
import { refuseCells, rowAt } from './row-at.ts'
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
    refuseCells(rowAt(rows, op), op.listKey)
    const next = rows.toSpliced(op.index, 1)
    const list = propertyOf(enforcedSchema(target.blockType), op.listKey)
    enforce(state, target.by, listViolations(list, next, op.listKey), {
      at: () => 'index',
      subject: `list ${op.listKey}`,
      stale: () => listViolations(list, rows, op.listKey),
    })
    replaceRows(state, target, op.listKey, next)
    return { op: { ...op, pageSlug: target.page.slug, blockId: target.block.id } }
  },
})
