import { rowIds, rowKey } from '../items.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { refuseBranchless } from './branches.ts'
import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { check, enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findList, findTarget } from './find.ts'
import { replaceRows } from './replace-rows.ts'
import { keysOf } from './match-rows.ts'
import { violates } from './refuse.ts'
import { settleNewRow } from './settle.ts'
import { blockId, content, index, listKey, operation, optional, pageSlug } from './shapes.ts'

export const addItem = defineOperation({
  name: 'add_item',
  summary: 'Adds a row to a list, last or right after another.',
  structural: true,
  schema: operation('add_item', {
    pageSlug,
    blockId,
    listKey,
    item: content('the new row: an object'),
    afterIndex: optional(index('the position of the row that comes right before')),
  }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op)
    const { page, block } = target
    const { rows, meta } = findList(target, op.listKey, { orEmpty: true })
    const position = op.afterIndex === undefined ? rows.length : op.afterIndex + 1
    if (position > rows.length) violates('afterIndex', outOfRange(op.listKey, rows.length))
    if (meta) refuseBranchless(meta, op.listKey, op.item)

    const at = `${op.listKey}[${position}]`
    const from = (path: string) => `item${path.slice(at.length)}`
    const schema = itemSchemaOf(propertyOf(enforcedSchema(target.blockType), op.listKey))
    const used = keysOf(rows)
    const row = meta
      ? settleNewRow(
        { state, block, from, bringsReferences: false },
        { meta, schema, at: op.listKey, ids: rowIds(block.id, op.listKey), inherits: false },
        op.item,
        { position, startAt: rows.length, used, repeated: used.has(rowKey(op.item)) },
      )
      : op.item
    enforce(state, target.by, check(state, schema, row, at), { at: from })

    const after = rows.toSpliced(position, 0, row)
    replaceRows(state, target, { listKey: op.listKey, path: 'item' }, { before: rows, after })
    return { op: { ...op, pageSlug: page.slug, blockId: block.id, item: row } }
  },
})

function outOfRange(listKey: string, length: number): string {
  return length === 0
    ? `list ${listKey} is empty; leave it out to add the first row`
    : `list ${listKey} has ${length === 1 ? '1 row' : `${length} rows`}; the last position is ${length - 1}`
}
