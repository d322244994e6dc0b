import { effectiveItemFields } from '../fields.ts'
import { rowIds, rowKey } from '../items.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject, picked } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { defineOperation } from './definition.ts'
import { check, enforce, referencesIn } from './enforce.ts'
import { findList, rowAt, type TargetList, wholeRowAt } from './find.ts'
import { violates } from './refuse.ts'
import { keysOf, refuseBranchless, refuseLosingBranch } from './rows.ts'
import { settleNewRow } from './settle.ts'
import { blockId, content, index, listKey, optional, pageSlug, props } from './shapes.ts'
import type { BatchState } from './state.ts'
import { replaceProps, writePatch } from './write-patch.ts'

const rows = { pageSlug, blockId, listKey }
const row = { ...rows, index: index('the position of the row') }
const before = optional(index('the position of the row that comes right before'))
const newRow = { ...rows, item: content('the new row: an object'), afterIndex: before }

export const addItem = defineOperation('add_item', newRow, {
  summary: 'Adds a row to a list, last or right after another.',
  structural: true,
  apply(state, op) {
    const list = findList(state, op, { orEmpty: true })
    const { page, block, rows, meta } = list
    const position = op.afterIndex === undefined ? rows.length : op.afterIndex + 1
    if (position > rows.length) violates('afterIndex', outOfRange(op.listKey, rows.length))
    if (meta) refuseBranchless(meta, op.listKey, op.item)

    const at = `${op.listKey}[${position}]`
    const from = (path: string) => `item${path.slice(at.length)}`
    const schema = itemSchemaOf(list.schema)
    const used = keysOf(rows)
    const row = meta
      ? settleNewRow(
        { state, block, from, bringsReferences: false },
        { meta, schema, at: op.listKey, ids: rowIds(block.id, op.listKey), inherits: false },
        op.item,
        { position, startAt: rows.length, used, repeated: used.has(rowKey(op.item)) },
      )
      : op.item
    enforce(state, list.by, check(state, schema, row, at), { at: from })
    replaceRows(state, list, rows.toSpliced(position, 0, row), 'item')
    return { op: { ...op, pageSlug: page.slug, blockId: block.id, item: row } }
  },
})

export const updateItem = defineOperation('update_item', { ...row, patch: props }, {
  summary: 'Changes fields of one row; what is not named stays.',
  apply(state, op) {
    const list = findList(state, op)
    const { page, block, rows, meta } = list
    const at = `${op.listKey}[${op.index}]`
    const row = rowAt(list, op.index)
    if (!isPlainObject(row)) return violates('index', `${at} is not a row with fields; use update_props`)
    const patch = meta ? withoutKey(op.patch, row) : op.patch
    if (patch !== op.patch) state.notes.push(`${at}: the row keeps its key ${rowKey(row)}`)
    if (meta) refuseLosingBranch(meta, patch)
    const resolved = { ...op, pageSlug: page.slug, blockId: block.id, patch }

    const schema = itemSchemaOf(list.schema)
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
    enforce(state, list.by, found(object), { at: from, stale: () => found(row) })
    replaceProps(state, list, { ...block.props, [op.listKey]: rows.with(op.index, object) })
    return { op: resolved }
  },
})

export const removeItem = defineOperation('remove_item', row, {
  summary: 'Removes a row from a list.',
  structural: true,
  apply(state, op) {
    const list = findList(state, op, { removal: true })
    wholeRowAt(list, op.index)
    replaceRows(state, list, list.rows.toSpliced(op.index, 1), 'index')
    return { op: { ...op, pageSlug: list.page.slug, blockId: list.block.id } }
  },
})

const anchor = 'the position, before the move, of the row to come after; its own position moves a row one down'

export const moveItem = defineOperation('move_item', { ...row, afterIndex: optional(index(anchor)) }, {
  summary: 'Moves a row to the front of its list, or right after another row.',
  structural: true,
  apply(state, op) {
    const list = findList(state, op)
    const { page, block, rows } = list
    const row = wholeRowAt(list, op.index)
    // Anchors count positions before the removal; a row after itself moves down by one, because preview clients request that.
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

function outOfRange(listKey: string, length: number): string {
  return length === 0
    ? `list ${listKey} is empty; leave it out to add the first row`
    : `list ${listKey} has ${length === 1 ? '1 row' : `${length} rows`}; the last position is ${length - 1}`
}

/** A row with a key keeps it: drafts, diffs and content stores identify the row by it. */
function withoutKey(patch: Props, row: Props): Props {
  const others = ['id', '_key'].filter((name) => Object.hasOwn(patch, name) && patch[name] !== row[name])
  if (rowKey(row) === undefined || others.length === 0) return patch
  return picked(patch, (_value, name) => !others.includes(name))
}

/** Returns the fields of the row's new branch, and the references of its old one, which are always kept. */
function fieldsOfBoth(meta: FieldMeta, row: Props, patch: Props): Fields {
  const before = effectiveItemFields(meta, row)
  const after = effectiveItemFields(meta, { ...row, ...patch })
  return before === after ? after : { ...after, ...referencesIn(before) }
}

/**
 * Replaces the rows of a list; refuses rows that violate the limits of the list: their number and, if each
 * position has its own schema, their content. Rows with a common schema are checked when they are written.
 * Errors refer to the field `path` of the operation.
 */
function replaceRows(state: BatchState, list: TargetList, after: readonly unknown[], path: string): void {
  const { listKey, rows, schema: declared, block } = list
  const { items, ...limits } = declared ?? {}
  const schema = declared && (Array.isArray(items) ? declared : limits)
  const found = (some: readonly unknown[]) => check(state, schema, some, listKey)
  const stale = () => found(rows)
  enforce(state, list.by, found(after), { at: () => path, subject: `list ${listKey}`, stale })
  replaceProps(state, list, { ...block.props, [listKey]: after })
}
