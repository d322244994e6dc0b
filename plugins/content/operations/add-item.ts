import { effectiveItemFields } from '../fields.ts'
import { rowIds, rowKey } from '../items.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { violates } from './refuse.ts'
import { keysOf, refuseBranchless } from './rows.ts'
import { blockId, content, index, listKey, optional, pageSlug } from './shapes.ts'
import { findFreeList, replaceRows } from './target.ts'
import { newRow } from './values.ts'

const item = content('the new row: an object')
const afterIndex = optional(index('the position of the row that comes right before'))

export const addItem = defineOperation(
  'add_item',
  { pageSlug, blockId, listKey, item, afterIndex },
  {
    summary: 'Adds a row to a list, last or right after another.',
    structural: true,
    apply(state, op) {
      const list = findFreeList(state, op, { orEmpty: true })
      const { page, block, by, rows, meta } = list
      const position = op.afterIndex === undefined ? rows.length : op.afterIndex + 1
      if (position > rows.length) violates('afterIndex', outOfRange(op.listKey, rows.length))
      if (meta) refuseBranchless(meta, op.listKey, op.item)

      const at = `${op.listKey}[${position}]`
      const pathInOp = (path: string) => `item${path.slice(at.length)}`
      const schema = itemSchemaOf(list.schema)
      const used = keysOf(rows)
      const place = { position, startAt: rows.length, used, repeated: used.has(rowKey(op.item)) }
      const ids = rowIds(block.id)(op.listKey)
      const row = meta
        ? newRow({ state, block, pathInOp }, { meta, schema, at: op.listKey, ids }, op.item, place)
        : op.item
      const unwritten = meta && effectiveItemFields(meta, row)
      enforce(state, { by, schema, at, after: row, pathInOp, unwritten })
      replaceRows(state, list, rows.toSpliced(position, 0, row), 'item')
      return { op: { ...op, pageSlug: page.slug, blockId: block.id, item: row } }
    },
  },
)

function outOfRange(listKey: string, length: number): string {
  if (length === 0) return `list ${listKey} is empty; leave it out to add the first row`
  const has = length === 1 ? '1 row' : `${length} rows`
  return `list ${listKey} has ${has}; the last position is ${length - 1}`
}
