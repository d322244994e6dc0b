import { effectiveItemFields, isDeclaredList, isInternal, labelOf } from '../../content/fields.ts'
import { rowKey } from '../../content/items.ts'
import type { Block, FieldMeta, Fields, Props } from '../../content/model.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import type { Place, Write } from './finding.ts'

/** One field of a block or of a row, with or without a value. */
export interface Field {
  readonly at: Place & { readonly path: string }
  readonly name: string
  readonly label: string
  readonly meta: FieldMeta | undefined
  readonly value: unknown
  /** The props or the row with the field; `fields` are its declared fields. */
  readonly owner: Props
  readonly fields: Fields
  /** `undefined` for nested rows of a large block, where a write repeats the complete inner list. */
  readonly write: Write | undefined
  /** Returns the field with this name in the same props or row. */
  beside(name: string | undefined): Field | undefined
}

/** The path from a block to a nested object: a list, a position, a list in that row, and so on. */
type RowPath = readonly {
  readonly list: string
  readonly index: number
  readonly key: string | number | undefined
}[]

/** The maximum size of a block with writable inner lists, which limits the size of operations. */
const maxWrittenBytes = 16 * 1024
/** Limited, because names and keys become parts of the paths of all fields below them. */
const maxNameLength = 200

/** Lists up to `most` fields of a block and its rows in document order, without internal fields and references. */
export function fieldsOf(
  pageSlug: string,
  block: Block,
  { declared, at, most }: { readonly declared: Fields; readonly at: Place; readonly most: number },
): readonly Field[] {
  const found: Field[] = []
  let isLarge: boolean | undefined
  const writeOf = (way: RowPath, name: string): Write | undefined => {
    if (way.length > 1) isLarge ??= JSON.stringify(block.props).length > maxWrittenBytes
    return way.length > 1 && isLarge ? undefined : toWrite(pageSlug, block, way, name)
  }
  const visit = (owner: Props, fields: Fields, way: RowPath): void => {
    const siblings = new Map<string, Field>()
    const beside = (name: string | undefined): Field | undefined =>
      name === undefined ? undefined : siblings.get(name)
    const missing = Object.keys(fields).filter((name) => !Object.hasOwn(owner, name))
    for (const name of [...Object.keys(owner), ...missing]) {
      if (found.length === most) return
      const meta = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (isInternal(name, meta) || meta?.kind === 'reference' || name.length > maxNameLength) continue
      const value = owner[name]
      const itemId = way.at(-1)?.key
      const field: Field = {
        at: {
          ...at,
          path: pathOf(way, name, false),
          stablePath: pathOf(way, name, true),
          ...(itemId !== undefined && { itemId: String(itemId) }),
        },
        name,
        label: labelOf(name, meta),
        meta,
        value,
        owner,
        fields,
        write: writeOf(way, name),
        beside,
      }
      found.push(field)
      siblings.set(name, field)
      if (!meta || !isDeclaredList(meta) || !Array.isArray(value)) continue
      for (const [index, row] of value.entries()) {
        if (isPlainObject(row))
          visit(row, effectiveItemFields(meta, row), [...way, { list: name, index, key: shortKey(row) }])
      }
    }
  }
  visit(block.props, declared, [])
  return found
}

/** Returns the value at a path in a block, such as `cards[2].size`, and its place with row ids. */
export function valueAt(
  { props }: Block,
  at: Place,
  path: string,
): { readonly at: Place; readonly value: unknown } {
  let value: unknown = props
  let place: Place = { ...at, path, stablePath: '' }
  for (const [step, name = '', index] of path.matchAll(/\.?([^.[\]]+)|\[(\d+)\]/g)) {
    if (index === undefined) value = isPlainObject(value) ? ownValue(value, name) : undefined
    else value = Array.isArray(value) ? value[Number(index)] : undefined
    const key = index !== undefined && isPlainObject(value) ? shortKey(value) : undefined
    place = {
      ...place,
      stablePath: place.stablePath + (key === undefined ? step : `[#${key}]`),
      ...(key !== undefined && { itemId: String(key) }),
    }
  }
  return { at: place, value }
}

function shortKey(row: Props): string | number | undefined {
  const key = rowKey(row)
  return String(key ?? '').length > maxNameLength ? undefined : key
}

function pathOf(way: RowPath, name: string, isStable: boolean): string {
  const rows = way.map(
    ({ list, index, key }) => `${list}[${isStable && key !== undefined ? `#${key}` : index}].`,
  )
  return rows.join('') + name
}

/** Creates the write of a prop or row field. Keeps a reference to the content only for nested rows. */
function toWrite(pageSlug: string, block: Block, [step, ...deeper]: RowPath, name: string): Write {
  const { id: blockId, props } = block
  if (!step) return (value) => ({ op: 'update_props', pageSlug, blockId, patch: { [name]: value } })
  const { list: listKey, index } = step
  const rows = deeper.length > 0 ? props[listKey] : undefined
  const row: unknown = Array.isArray(rows) ? rows[index] : undefined
  return (value) => ({
    op: 'update_item',
    pageSlug,
    blockId,
    listKey,
    index,
    patch: patchOf(row, deeper, name, value),
  })
}

/** Builds the patch that writes a field in a row or a nested row, where it contains the complete list. */
function patchOf(owner: unknown, [step, ...deeper]: RowPath, name: string, value: unknown): Props {
  if (!step) return { [name]: value }
  const rows = isPlainObject(owner) ? owner[step.list] : undefined
  if (!Array.isArray(rows)) return { [step.list]: rows }
  const patched = rows.map((row: unknown, index) =>
    index === step.index && isPlainObject(row) ? { ...row, ...patchOf(row, deeper, name, value) } : row,
  )
  return { [step.list]: patched }
}
