import { createHash, type Hash } from 'node:crypto'
import { effectiveItemFields, isContentOwned, isDeclaredList } from './fields.ts'
import type { Block, FieldMeta, Fields, Props } from './model.ts'
import { isPlainObject, mapped, mappedObject, ownValue } from './plain-object.ts'

const idSpace = 36n ** 10n
const generated = /^itm_[0-9a-z]{10}$/

/** The ids of the rows of one list. */
export interface RowIds {
  /** The id of the n-th row. It is deterministic: the same content always gets the same ids. */
  at(n: number): string
  /** The ids of a list inside a row. */
  within(rowKey: string | number, listName: string): RowIds
}

/** The row ids of a list prop of a block. The names are hashed once for all rows. */
export function rowIds(blockId: string, listName: string): RowIds {
  return idsFrom(() => createHash('sha256').update(`${blockId}\x1f${listName}`))
}

function idsFrom(begin: () => Hash): RowIds {
  let begun: Hash | undefined
  const hash = () => (begun ??= begin()).copy()
  return {
    at: (n) => `itm_${(hash().update(`\x1f${n}`).digest().readBigUInt64BE() % idSpace).toString(36).padStart(10, '0')}`,
    within: (key, listName) => idsFrom(() => hash().update(`.${key}.${listName}`)),
  }
}

/** Whether a row id was generated here and is not part of the content. */
export function isGeneratedId(value: unknown): value is string {
  return typeof value === 'string' && generated.test(value)
}

/** The key of a row, generated or not: `id` (non-empty text, finite number), else `_key` (non-empty text). */
export function rowKey({ id, _key }: Props): string | number | undefined {
  if ((typeof id === 'string' && id !== '') || (typeof id === 'number' && Number.isFinite(id))) return id
  return typeof _key === 'string' && _key !== '' ? _key : undefined
}

/** Whether a row has an author-assigned key. */
export function hasOwnKey(row: Props): boolean {
  return rowKey(isGeneratedId(row['id']) ? { _key: row['_key'] } : row) !== undefined
}

/** The first free id of a list, counting up from `startIndex`, and where it was found. */
export function nextRowId(ids: RowIds, startIndex: number, taken: (id: string) => boolean) {
  for (let n = startIndex; ; n += 1) {
    const id = ids.at(n)
    if (!taken(id)) return { id, n }
  }
}

/**
 * Gives every row of the block's declared lists a key, lists inside rows too.
 *
 * Rows keep their keys, except that a duplicate generated id in one list is replaced where it is
 * repeated. Lists whose rows declare a prop `id` are skipped. The same block is returned if
 * nothing changes.
 */
export function withRowIds(block: Block, fields: Fields): Block {
  const props = keyedLists(block.props, fields, (name) => rowIds(block.id, name))
  return props === block.props ? block : { ...block, props }
}

function keyedLists(owner: Props, fields: Fields, idsOf: (listName: string) => RowIds): Props {
  return mappedObject(owner, (list, name) => {
    if (!Array.isArray(list)) return list
    const meta = ownValue(fields, name)
    return meta && isDeclaredList(meta) ? keyedRows(list, meta, idsOf(name)) : list
  })
}

function keyedRows(list: readonly unknown[], meta: FieldMeta, ids: RowIds): readonly unknown[] {
  const owned = isContentOwned(meta)
  const used = new Set(list.map((row) => (isPlainObject(row) ? rowKey(row) : undefined)))
  const seen = new Set<unknown>()
  let next = 0
  return mapped(list, (row, index) => {
    if (!isPlainObject(row)) return row
    let keyed = row
    if (!owned && (rowKey(row) === undefined || (!hasOwnKey(row) && seen.has(row['id'])))) {
      const { id, n } = nextRowId(ids, Math.max(index, next), (wanted) => used.has(wanted))
      keyed = Object.assign({ id }, row, { id })
      used.add(id)
      next = n + 1 // all ids from this row's index to n are used now: later rows need not try them again
    }
    seen.add(keyed['id'])
    return keyedLists(keyed, effectiveItemFields(meta, keyed), (name) => ids.within(rowKey(keyed) ?? index, name))
  })
}

/**
 * Removes the generated ids from every array element of a value, at any depth, so that versions are comparable.
 *
 * Author-assigned keys stay. The same value is returned if there is nothing to remove.
 */
export function withoutGeneratedItemIds<T>(value: T): T
export function withoutGeneratedItemIds(value: unknown): unknown {
  if (Array.isArray(value)) return mapped(value, (element) => withoutGeneratedId(withoutGeneratedItemIds(element)))
  if (!isPlainObject(value)) return value
  return mappedObject(value, withoutGeneratedItemIds)
}

/** An array element without its generated id. */
export function withoutGeneratedId(element: unknown): unknown {
  if (!isPlainObject(element) || !isGeneratedId(element['id'])) return element
  const { id: _generated, ...rest } = element
  return rest
}
