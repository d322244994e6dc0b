/** Where a value is: a field of a block, or what is in it. Rows are named by their keys. */
import { memberPath, stepsOf } from '../../../content/plain-object.ts'

export interface ValuePlace {
  readonly slug: string
  readonly blockId: string
  /** Names, the keys of rows, and the positions of other entries: `['cards', 'itm_1', 'title']`, `['tags', '0']`. */
  readonly path: readonly string[]
}

export type Operation = { readonly op: string } & Readonly<Record<string, unknown>>

export type Row = Readonly<Record<string, unknown>>
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const inside = (place: ValuePlace, ...more: readonly string[]): ValuePlace => ({
  ...place,
  path: [...place.path, ...more],
})
/** The same text for the same place. */
export const nameOfPlace = ({ slug, blockId, path }: ValuePlace): string =>
  JSON.stringify([slug, blockId, path])

/** The place that a name stands for; `undefined` for other names. */
export function placeOf(name: string): ValuePlace | undefined {
  const [slug, blockId, path] = JSON.parse(name) as readonly unknown[]
  const isPlace = typeof slug === 'string' && typeof blockId === 'string' && Array.isArray(path)
  return isPlace ? { slug, blockId, path: path.map(String) } : undefined
}

/** The addresses of a page before and after a change. */
export interface PageRename {
  readonly from: string
  readonly to: string
}

/** The address that a page has after renames. */
export const slugAfter = (slug: string, renames: readonly PageRename[]): string =>
  renames.reduce((now, { from, to }) => (now === from ? to : now), slug)

/** The name of a setting, of the whole site or of a page. */
export const nameOfSetting = (draft: readonly unknown[], name: string, slug?: string): string =>
  JSON.stringify([...draft, 'setting', name, ...(slug === undefined ? [] : ['page', slug])])

/** The name of a place, or of a setting of a page, after pages were renamed. */
export function nameAfter(name: string, renames: readonly PageRename[]): string {
  const parts = JSON.parse(name) as readonly unknown[]
  const at = placeOf(name) ? 0 : parts[4] === 'page' ? 5 : -1
  const slug = parts[at]
  return typeof slug === 'string' ? JSON.stringify(parts.with(at, slugAfter(slug, renames))) : name
}

const localKeys = new WeakMap<object, string>()
let keys = 0
const ownKeyOf = (row: Row): string | undefined => {
  const own = row['_key'] ?? row['id']
  return (typeof own === 'string' && own !== '') || typeof own === 'number' ? String(own) : undefined
}

/** The key of a row: its own, else one that it got here when it arrived. */
export function keyOf(row: Row): string {
  const key = ownKeyOf(row) ?? localKeys.get(row) ?? `~${(keys += 1)}`
  localKeys.set(row, key)
  return key
}

/** A row like another one, without its key: the draft gives it its own. */
export function copyOf({ _key, ...row }: Row): Row {
  const { id, ...rest } = row
  return typeof id === 'string' && /^itm_[0-9a-z]{10}$/.test(id) ? rest : row
}

/** Lets the rows in a value that have no key of their own keep those of the rows that they were before. */
export function carryKeys(before: unknown, after: unknown): void {
  if (isRow(before) && isRow(after))
    for (const [name, value] of Object.entries(after)) carryKeys(before[name], value)
  if (!Array.isArray(before) || !Array.isArray(after)) return
  const [old, rows] = [before.filter(isRow), after.filter(isRow)]
  if (rows.some((row) => ownKeyOf(row) === undefined)) matchRows(old, rows)
  const oldByKey = new Map(old.map((row) => [keyOf(row), row]))
  for (const row of rows) carryKeys(oldByKey.get(keyOf(row)), row)
}

function matchRows(before: readonly Row[], after: readonly Row[]): void {
  const texts = before.map((row) => JSON.stringify(row))
  const free = new Set(before.keys())
  const give = (row: Row, at: number): boolean => {
    const old = before[at]
    if (!old || !free.delete(at)) return false
    if (ownKeyOf(old) === undefined) localKeys.set(row, keyOf(old))
    return true
  }
  const changed = [...after.entries()].filter(([, row]) => {
    const text = JSON.stringify(row)
    return !give(
      row,
      texts.findIndex((each, index) => each === text && free.has(index)),
    )
  })
  // What is left was changed where it is.
  if (before.length === after.length) for (const [at, row] of changed) give(row, at)
}

const rowsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** The position of a row by its key; entries that are no rows have their position as their key. */
function indexOf(rows: readonly unknown[], key: string): number {
  const at = rows.findIndex((row) => isRow(row) && keyOf(row) === key)
  if (at !== -1) return at
  return /^\d+$/.test(key) && Number(key) < rows.length && !isRow(rows[Number(key)]) ? Number(key) : -1
}

/** The value at a path in the props of a block or a row; `undefined` where a row is gone. */
export function valueAt(object: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return object
  if (Array.isArray(object)) return valueAt(object[indexOf(object, name)], rest)
  return isRow(object) ? valueAt(object[name], rest) : undefined
}

/** The path by positions, as the page in the frame has it: `cards[0].title`, `author["first.name"]`. */
export function positionOf(props: unknown, [name, ...rest]: readonly string[], before = ''): string {
  if (name === undefined) return before
  const isList = Array.isArray(props)
  const at = isList ? indexOf(props, name) : name
  const inner: unknown = isList ? props[Number(at)] : isRow(props) ? props[name] : undefined
  return positionOf(inner, rest, typeof at === 'number' ? `${before}[${at}]` : memberPath(before, at))
}

/** The path of a field by its positions; `undefined` where a row is gone. */
export function pathAt(props: Row, position: string): readonly string[] | undefined {
  let value: unknown = props
  const path: string[] = []
  for (const step of stepsOf(position)) {
    const inner: unknown =
      typeof step === 'number' ? rowsOf(value)[step] : isRow(value) ? value[step] : undefined
    const isThere = typeof step === 'number' ? inner !== undefined : isRow(value)
    if (!isThere) return undefined
    path.push(isRow(inner) && typeof step === 'number' ? keyOf(inner) : String(step))
    value = inner
  }
  return path.length === 0 ? undefined : path
}

/**
 * The path of a conflict with positions in place of the keys of rows: `cards[id="itm_1"].title` is
 * `cards[0].title`. Runs of rows, and rows that are not there, have none.
 */
export function withPositions(path: string, props: unknown): string {
  const [found, list = '', kind, key = ''] =
    /^(.*?)\[(id|after)=("(?:[^"\\]|\\.)*"|[^\]]*)\]/s.exec(path) ?? []
  if (found === undefined) return path
  const rows = stepsOf(list).reduce<unknown>((value, step) => Object(value)[step], props)
  const at = kind === 'id' ? indexOf(rowsOf(rows), String(JSON.parse(key))) : -1
  return withPositions(`${list}${at === -1 ? '' : `[${at}]`}${path.slice(found.length)}`, props)
}

/** The operation that stores a value, and others beside it; `undefined` when its place is gone. */
export function operationFor(
  { id, props }: { readonly id: string; readonly props: Row },
  [name = '', ...inner]: readonly string[],
  value: unknown,
  beside: Row = {},
): Operation | undefined {
  if (inner.length === 0) return { op: 'update_props', blockId: id, patch: { [name]: value, ...beside } }
  const [key = '', field, ...rest] = inner
  const rows = rowsOf(props[name])
  const index = indexOf(rows, key)
  const row = rows[index]
  if (!isRow(row) || field === undefined) {
    const whole = withValue(props[name], inner, value, beside)
    return whole === undefined ? undefined : { op: 'update_props', blockId: id, patch: { [name]: whole } }
  }
  const changed = withValue(row, [field, ...rest], value, beside)
  if (!isRow(changed)) return undefined
  const patch = rest.length === 0 ? { [field]: value, ...beside } : { [field]: changed[field] }
  return { op: 'update_item', blockId: id, listKey: name, index, patch }
}

/** A value with one inside it replaced, and others beside that; `undefined` where its place is gone. */
function withValue(
  object: unknown,
  [name = '', ...rest]: readonly string[],
  value: unknown,
  beside: Row,
): unknown {
  const at = Array.isArray(object) ? indexOf(object, name) : -1
  const inner: unknown = Array.isArray(object) ? object[at] : isRow(object) ? object[name] : undefined
  const after = rest.length === 0 ? value : withValue(inner, rest, value, beside)
  if (after === undefined) return undefined
  if (Array.isArray(object)) return at === -1 ? undefined : object.with(at, after)
  return isRow(object) ? { ...object, [name]: after, ...(rest.length === 0 && beside) } : undefined
}

/** Whether two values mean the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [Object.entries(one), Object.entries(other)]
  return (
    mine.length === theirs.length && mine.every(([name, value]) => isSame(value, Reflect.get(other, name)))
  )
}
