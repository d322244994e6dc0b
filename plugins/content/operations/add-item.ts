import { violations } from '../check-props.ts'
import { rowKey } from '../items.ts'
import type { FieldMeta, Props } from '../model.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { ownValue } from '../plain-object.ts'
import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findList, findTarget } from './find.ts'
import { listViolations } from './list-limits.ts'
import { keysOf } from './match-rows.ts'
import { refuse } from './refuse.ts'
import { replaceRows } from './replace.ts'
import { isBranch, settleNewRow, type Write } from './settle.ts'
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
    if (position > rows.length) refuse('schema_violation', outOfRange(op.listKey, rows.length), { path: 'afterIndex' })
    if (meta) refuseBranchless(meta, op.listKey, op.item)

    const at = `${op.listKey}[${position}]`
    const from = (path: string) => `item${path.slice(at.length)}`
    const list = propertyOf(enforcedSchema(target.blockType), op.listKey)
    const schema = itemSchemaOf(list)
    const row = meta ? newRow({ state, block, from, bringsReferences: false }, { meta, schema }) : op.item
    enforce(state, target.by, schema ? violations(schema, row, at) : [], { at: from })

    const next = rows.toSpliced(position, 0, row)
    enforce(state, target.by, listViolations(list, next, op.listKey), {
      at: () => 'item',
      subject: `list ${op.listKey}`,
      stale: () => listViolations(list, rows, op.listKey),
    })
    replaceRows(state, target, op.listKey, next)
    return { op: { ...op, pageSlug: page.slug, blockId: block.id, item: row } }

    function newRow(write: Write, { meta, schema }: { readonly meta: FieldMeta; readonly schema: ReturnType<typeof itemSchemaOf> }): Props {
      const used = keysOf(rows)
      const place = { meta, schema, at: op.listKey, idPath: op.listKey, inherits: false }
      return settleNewRow(write, place, op.item, { position, startAt: rows.length, used, repeated: used.has(rowKey(op.item)) })
    }
  },
})

/** Rows of a polymorphic list have to say of which branch they are; also of one that nobody declared. */
function refuseBranchless({ discriminator, itemFieldsByType }: FieldMeta, listKey: string, item: Props): void {
  if (!discriminator || isBranch(ownValue(item, discriminator))) return
  const admissible = Object.keys(itemFieldsByType ?? {})
  const wanted = admissible.length > 0 ? `one of ${admissible.join(', ')}` : 'any text that is not empty'
  refuse('schema_violation', `a row of list ${listKey} needs ${discriminator}: ${wanted}`, { path: `item.${discriminator}`, admissible })
}

function outOfRange(listKey: string, length: number): string {
  return length === 0
    ? `list ${listKey} is empty: leave afterIndex out to add its first row`
    : `list ${listKey} has ${length === 1 ? '1 row' : `${length} rows`}: the last position is ${length - 1}`
}
