import { effectiveItemFields } from '../fields.ts'
import { rowIds, rowKey } from '../items.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject, picked } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { defineOperation } from './definition.ts'
import { enforce, referencesIn } from './enforce.ts'
import { violates } from './refuse.ts'
import { refuseLosingBranch } from './rows.ts'
import { blockId, index, listKey, pageSlug, props } from './shapes.ts'
import { findList, replaceProps, rowAt } from './target.ts'
import { patched } from './values.ts'

const fields = { pageSlug, blockId, listKey, index: index('the position of the row'), patch: props }

export const updateItem = defineOperation('update_item', fields, {
  summary: 'Changes fields of one row; what is not named stays.',
  apply(state, op) {
    const list = findList(state, op)
    const { page, block, by, rows, meta } = list
    const at = `${op.listKey}[${op.index}]`
    const row = rowAt(list, op.index)
    if (!isPlainObject(row)) return violates('index', `${at} is not a row with fields; use update_props`)
    const patch = meta ? withoutKey(op.patch, row) : op.patch
    if (patch !== op.patch) state.notes.push(`${at}: the row keeps its key ${rowKey(row)}`)
    if (meta) refuseLosingBranch(meta, patch)
    const resolved = { ...op, pageSlug: page.slug, blockId: block.id, patch }

    const schema = itemSchemaOf(list.schema)
    const pathInOp = (path: string) => `patch${path.slice(at.length)}`
    const key = rowKey(row) ?? op.index
    const idsOf = (name: string) => rowIds(block.id)(op.listKey).within(key, name)
    const owner = { fields: meta ? fieldsOfBoth(meta, row, patch) : {}, schema, stored: row, at, idsOf }
    const { object, references } = patched({ state, block, pathInOp }, owner, patch)
    if (references > 0 && references === Object.keys(patch).length) {
      const because = 'the patch names references only'
      return { op: resolved, skipped: { reason: 'reference_only', because } }
    }
    enforce(state, { by, schema, at, after: object, before: row, pathInOp })
    replaceProps(state, list, { ...block.props, [op.listKey]: rows.with(op.index, object) })
    return { op: resolved }
  },
})

/** A row with a key keeps it: drafts, diffs and content stores identify the row by it. */
function withoutKey(patch: Props, row: Props): Props {
  const others = ['id', '_key'].filter((name) => Object.hasOwn(patch, name) && patch[name] !== row[name])
  if (rowKey(row) === undefined || others.length === 0) return patch
  return picked(patch, (_value, name) => !others.includes(name))
}

/** Returns the fields of the row's new branch, and the references of its old one, which always stay. */
function fieldsOfBoth(meta: FieldMeta, row: Props, patch: Props): Fields {
  const before = effectiveItemFields(meta, row)
  const after = effectiveItemFields(meta, { ...row, ...patch })
  return before === after ? after : { ...after, ...referencesIn(before) }
}
