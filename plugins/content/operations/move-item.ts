import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findList, findTarget } from './find.ts'
import { listViolations } from './list-limits.ts'
import { refuse } from './refuse.ts'
import { replaceRows } from './replace.ts'
import { refuseCells, rowAt } from './row-at.ts'
import { blockId, index, listKey, operation, optional, pageSlug } from './shapes.ts'

export const moveItem = defineOperation({
  name: 'move_item',
  summary: 'Moves a row to the front of its list, or right after another row.',
  structural: true,
  schema: operation('move_item', {
    pageSlug,
    blockId,
    listKey,
    index: index('the position of the row'),
    afterIndex: optional(index('the position, before the move, of the row to come after; its own position moves a row one down')),
  }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op)
    const { rows } = findList(target, op.listKey)
    const row = rowAt(rows, op)
    refuseCells(row, op.listKey)
    const position = newPosition(op.index, op.afterIndex)
    if (position >= rows.length) {
      refuse('schema_violation', `list ${op.listKey} has positions 0 to ${rows.length - 1}: leave afterIndex out to move a row to the front`, { path: 'afterIndex' })
    }
    const next = rows.toSpliced(op.index, 1).toSpliced(position, 0, row)
    const list = propertyOf(enforcedSchema(target.blockType), op.listKey)
    enforce(state, target.by, listViolations(list, next, op.listKey), {
      at: () => 'afterIndex',
      subject: `list ${op.listKey}`,
      stale: () => listViolations(list, rows, op.listKey),
    })
    replaceRows(state, target, op.listKey, next)
    return { op: { ...op, pageSlug: target.page.slug, blockId: target.block.id } }
  },
})

/**
 * Where a row ends up.
 *
 * Anchors count positions before the row is taken out. A row that is to come after itself goes one down: preview
 * clients ask for that step in this way.
 */
function newPosition(index: number, afterIndex: number | undefined): number {
  if (afterIndex === undefined) return 0
  return afterIndex > index ? afterIndex : afterIndex + 1
}
