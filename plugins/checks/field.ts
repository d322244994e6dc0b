import { effectiveItemFields, isDeclaredList, isInternal, labelOf } from '../content/fields.ts'
import { rowKey } from '../content/items.ts'
import type { Block, FieldMeta, Fields, Props } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { isPlainObject } from '../content/plain-object.ts'
import type { Place } from './place.ts'

/** One field of a block or of a row, with or without a value. */
export interface Field {
  readonly at: Place & { readonly path: string }
  readonly name: string
  readonly label: string
  readonly meta: FieldMeta | undefined
  readonly value: unknown
  /** The props or the row that it is in, and what is declared of them. */
  readonly owner: Props
  readonly fields: Fields
  /** The operation that gives it another value; `null` takes an optional one away. */
  write(value: unknown): Operation
}

/** The way from a block to an object in it: a list, a position, a list in that row, and so on. */
type Way = readonly { readonly list: string; readonly index: number; readonly key: string | number | undefined }[]

/** Lists the fields of a block in document order, those of its rows too; without what is internal to the site, and references. */
export function fieldsOf(pageSlug: string, block: Block, declared: Fields, at: Place): readonly Field[] {
  const found: Field[] = []
  const visit = (owner: Props, fields: Fields, way: Way): void => {
    const missing = Object.keys(fields).filter((name) => !Object.hasOwn(owner, name))
    for (const name of [...Object.keys(owner), ...missing]) {
      const meta = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (isInternal(name, meta) || meta?.kind === 'reference') continue
      const value = owner[name]
      const itemId = way.at(-1)?.key
      found.push({
        at: { ...at, path: pathOf(way, name, false), stablePath: pathOf(way, name, true), ...(itemId !== undefined && { itemId: String(itemId) }) },
        name,
        label: labelOf(name, meta),
        meta,
        value,
        owner,
        fields,
        write: (next) => writeAt(pageSlug, block, way, name, next),
      })
      if (!meta || !isDeclaredList(meta) || !Array.isArray(value)) continue
      for (const [index, row] of value.entries()) {
        if (isPlainObject(row)) visit(row, effectiveItemFields(meta, row), [...way, { list: name, index, key: rowKey(row) }])
      }
    }
  }
  visit(block.props, declared, [])
  return found
}

function pathOf(way: Way, name: string, isStable: boolean): string {
  const rows = way.map(({ list, index, key }) => `${list}[${isStable && key !== undefined ? `#${key}` : index}].`)
  return rows.join('') + name
}

function writeAt(pageSlug: string, { id: blockId, props }: Block, way: Way, name: string, value: unknown): Operation {
  const [first, ...deeper] = way
  if (!first) return { op: 'update_props', pageSlug, blockId, patch: { [name]: value } }
  const { list: listKey, index } = first
  const [next] = deeper
  if (!next) return { op: 'update_item', pageSlug, blockId, listKey, index, patch: { [name]: value } }
  const rows = props[listKey]
  const row: unknown = Array.isArray(rows) ? rows[index] : undefined
  const inner = isPlainObject(row) ? row[next.list] : undefined
  return { op: 'update_item', pageSlug, blockId, listKey, index, patch: { [next.list]: written(inner, deeper, name, value) } }
}

function written(rows: unknown, [step, ...deeper]: Way, name: string, value: unknown): unknown {
  if (!step || !Array.isArray(rows)) return rows
  const [next] = deeper
  return rows.map((row: unknown, index) => {
    if (index !== step.index || !isPlainObject(row)) return row
    return next ? { ...row, [next.list]: written(row[next.list], deeper, name, value) } : { ...row, [name]: value }
  })
}
