import { effectiveItemFields } from '../fields.ts'
import { rowIds, rowKey } from '../items.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { refuseLosingBranch } from './branches.ts'
import { propertyOf, referencesIn } from './declared.ts'
import { defineOperation } from './definition.ts'
import { check, enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findList, findTarget, rowAt } from './find.ts'
import { violates } from './refuse.ts'
import { replaceProps } from './replace-rows.ts'
import { blockId, index, listKey, operation, pageSlug, props } from './shapes.ts'
import { writePatch } from './write-patch.ts'

export const updateItem = defineOperation({
  name: 'update_item',
  summary: 'Changes fields of one row; what is not named stays.',
  structural: false,
  schema: operation('update_item', {
    pageSlug,
    blockId,
    listKey,
    index: index('the position of the row'),
    patch: props,
  }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op)
    const { page, block, by, blockType } = target
    const { rows, meta } = findList(target, op.listKey)
    const at = `${op.listKey}[${op.index}]`
    const row = rowAt(rows, op)
    if (!isPlainObject(row)) return violates('index', `${at} is not a row with fields; use update_props`)
    const patch = meta ? withoutKey(op.patch, row) : op.patch
    if (patch !== op.patch) state.notes.push(`${at}: the row keeps its key ${rowKey(row)}`)
    if (meta) refuseLosingBranch(meta, patch)
    const resolved = { ...op, pageSlug: page.slug, blockId: block.id, patch }

    const schema = itemSchemaOf(propertyOf(enforcedSchema(blockType), op.listKey))
    const from = (path: string) => `patch${path.slice(at.length)}`
    const fields = meta ? fieldsOfBoth(meta, row, patch) : {}
    const key = rowKey(row) ?? op.index
    const idsOf = (name: string) => rowIds(block.id, op.listKey).within(key, name)
    const write = { state, block, from, bringsReferences: false }
    const { object, references } = writePatch(write, { fields, schema, stored: row, at, idsOf }, patch)
    if (references > 0 && references === Object.keys(patch).length) {
      return { op: resolved, skipped: { reason: 'reference_only', because: 'the patch names references only' } }
    }
    const found = (some: Props) => check(state, schema, some, at)
    enforce(state, by, found(object), { at: from, stale: () => found(row) })
    replaceProps(state, target, { ...block.props, [op.listKey]: rows.with(op.index, object) })
    return { op: resolved }
  },
})

/** A row that has a key keeps it: drafts, diffs and content stores know the row by that. */
function withoutKey(patch: Props, row: Props): Props {
  const others = ['id', '_key'].filter((name) => Object.hasOwn(patch, name) && patch[name] !== row[name])
  if (rowKey(row) === undefined || others.length === 0) return patch
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !others.includes(name)))
}

/** The fields of the row's new branch, and the references of its old one: pointers stay in any branch. */
function fieldsOfBoth(meta: FieldMeta, row: Props, patch: Props): Fields {
  const before = effectiveItemFields(meta, row)
  const after = effectiveItemFields(meta, { ...row, ...patch })
  return before === after ? after : { ...after, ...referencesIn(before) }
}
