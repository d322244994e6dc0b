import { defineOperation } from './definition.ts'
import { findList, findTarget, wholeRowAt } from './find.ts'
import { replaceRows } from './replace-rows.ts'
import { violates } from './refuse.ts'
import { blockId, index, listKey, operation, optional, pageSlug } from './shapes.ts'

const anchor = 'the position, before the move, of the row to come after; its own position moves a row one down'

export const moveItem = defineOperation({
  name: 'move_item',
  summary: 'Moves a row to the front of its list, or right after another row.',
  structural: true,
  schema: operation('move_item', {
    pageSlug,
    blockId,
    listKey,
    index: index('the position of the row'),
    afterIndex: optional(index(anchor)),
  }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op)
    const { rows } = findList(target, op.listKey)
    const row = wholeRowAt(rows, op)
    const position = newPosition(op.index, op.afterIndex)
    if (position >= rows.length) {
      const last = rows.length - 1
      violates('afterIndex', `list ${op.listKey} has positions 0 to ${last}; leave it out to come first`)
    }
    const after = rows.toSpliced(op.index, 1).toSpliced(position, 0, row)
    replaceRows(state, target, { listKey: op.listKey, path: 'afterIndex' }, { before: rows, after })
    return { op: { ...op, pageSlug: target.page.slug, blockId: target.block.id } }
  },
})

/**
 * Where a row ends up.
 *
 * Anchors count positions before the row is taken out. A row that is to come after itself goes one down:
 * preview clients ask for that step in this way.
 */
function newPosition(index: number, afterIndex: number | undefined): number {
  if (afterIndex === undefined) return 0
  return afterIndex > index ? afterIndex : afterIndex + 1
}
