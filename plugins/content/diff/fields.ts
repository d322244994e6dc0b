import { effectiveItemFields, hasMarkup, isDeclaredList } from '../fields.ts'
import { memberPath } from '../member-path.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject, ownValue, sameJson } from '../plain-object.ts'
import type { FieldDiff } from './schema.ts'

/** A value in the baseline and in the draft. */
export interface Sides<T> {
  readonly before: T
  readonly after: T
}

/** The metadata of a prop on both sides; they differ if the block changed its type or a row its branch. */
type Metas = Sides<FieldMeta | undefined>

const imageNames = new Set(['imageurl', 'image', 'src', 'poster', 'logo', 'avatar', 'thumbnail'])

export const unknownFields: Sides<Fields> = { before: {}, after: {} }

/** Describes one difference; a side without a value gets no key. */
export function fieldDiff(path: string, values: Sides<unknown>, kind: FieldDiff['kind']): FieldDiff {
  const { before, after } = values
  return { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }), kind }
}

/** Lists the values that differ between two sets of props, by the metadata of either side. */
export function diffProps({ before, after }: Sides<Props>, fields: Sides<Fields>, path = ''): FieldDiff[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...names].flatMap((name) => {
    const values = { before: ownValue(before, name), after: ownValue(after, name) }
    const metas = { before: fields.before[name], after: fields.after[name] }
    return valueDiffs(memberPath(path, name), name, values, metas)
  })
}

function rowDiffs(path: string, { before, after }: Sides<readonly Props[]>, metas: Metas): FieldDiff[] {
  const longer = before.length > after.length ? before : after
  return longer.flatMap((_row, i) => {
    const [from, to] = [before[i], after[i]]
    if (!from || !to) return fieldDiff(`${path}[${i}]`, { before: from, after: to }, 'other')
    const fields = { before: rowFields(metas.before, from), after: rowFields(metas.after, to) }
    return diffProps({ before: from, after: to }, fields, `${path}[${i}]`)
  })
}

function valueDiffs(path: string, name: string, values: Sides<unknown>, metas: Metas): FieldDiff[] {
  const { before, after } = values
  if (before === after) return []
  // A rich-text document is one value to its author, however it is stored.
  const isDocument = hasMarkup(metas.before) || hasMarkup(metas.after)
  if (!isDocument && isPlainObject(before) && isPlainObject(after)) {
    return diffProps({ before, after }, unknownFields, path)
  }
  if (!isDocument && isRows(before) && isRows(after)) return rowDiffs(path, { before, after }, metas)
  return sameJson(before, after) ? [] : [fieldDiff(path, values, kindOf(name, values, metas))]
}

function isRows(value: unknown): value is readonly Props[] {
  return Array.isArray(value) && value.every(isPlainObject)
}

function rowFields(list: FieldMeta | undefined, row: Props): Fields {
  return list && isDeclaredList(list) ? effectiveItemFields(list, row) : {}
}

function kindOf(name: string, { before, after }: Sides<unknown>, metas: Metas): FieldDiff['kind'] {
  const isImage = metas.before?.kind === 'image' || metas.after?.kind === 'image'
  if (isImage || imageNames.has(name.toLowerCase())) return 'image'
  return typeof before === 'string' || typeof after === 'string' ? 'text' : 'other'
}
