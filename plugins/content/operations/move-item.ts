import { defineOperation } from './definition.ts'
import { violates } from './refuse.ts'
import { blockId, index, listKey, optional, pageSlug } from './shapes.ts'
import { findFreeList, replaceRows, wholeRowAt } from './target.ts'

const anchor =
  'the position, before the move, of the row to come after; its own position moves a row one down'
const position = index('the position of the row')
const fields = { pageSlug, blockId, listKey, index: position, afterIndex: optional(index(anchor)) }

export const moveItem = defineOperation('move_item', fields, {
  summary: 'Moves a row to the front of its list, or right after another row.',
  structural: true,
  apply(state, op) {
    const list = findFreeList(state, op)
    const { page, block, rows } = list
    const row = wholeRowAt(list, op.index)
    // Preview clients send a row's own position as the anchor to move it down by one.
    const { index, afterIndex = -1 } = op
    const position = afterIndex > index ? afterIndex : afterIndex + 1
    if (position >= rows.length) {
      const last = rows.length - 1
      violates('afterIndex', `list ${op.listKey} has positions 0 to ${last}; leave it out to come first`)
    }
    replaceRows(state, list, rows.toSpliced(index, 1).toSpliced(position, 0, row), 'afterIndex')
    return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
  },
})
