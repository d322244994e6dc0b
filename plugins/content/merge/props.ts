import { hasMarkup, isDeclaredList } from '../fields.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject, memberPath, ownValue } from '../plain-object.ts'
import type { Ledger, ConflictPlace, Winner } from './conflict.ts'
import { mergeRows } from './rows.ts'
import { each, type MergedValue, type Three } from './sides.ts'
import { mergeKeys, mergeValue } from './values.ts'

/** What all parts of one page are merged with. */
export interface Rules {
  readonly ledger: Ledger
  /** The side whose place counts where both moved something. */
  readonly draft: Winner
}

/** Merges props by name. */
export function mergeProps(
  place: ConflictPlace,
  sides: Three<Props>,
  fields: Fields,
  rules: Rules,
): MergedValue<Props> {
  return mergeKeys(sides, (name, values) =>
    mergeProp({ ...place, path: memberPath(place.path ?? '', name) }, values, ownValue(fields, name), rules),
  )
}

/** Merges an object key by key where a side may lack it: without keys it is absent. */
export function mergeMap(
  place: ConflictPlace,
  sides: Three<unknown>,
  rules: Rules,
  pathOf = memberPath,
): MergedValue<unknown> {
  const maps = each(sides, (map): Props => (isPlainObject(map) ? map : {}))
  const { merged, base } = mergeKeys(maps, (name, values) =>
    mergeProp({ ...place, path: pathOf(place.path ?? '', name) }, values, undefined, rules),
  )
  const hasKeys = (map: Props) => Object.keys(map).length > 0
  return {
    merged: hasKeys(merged) || merged === sides.ours ? merged : undefined,
    base: hasKeys(base) || base === sides.theirs ? base : undefined,
  }
}

/** Merges one prop: an object key by key, a declared list by its rows, everything else as one value. */
export function mergeProp(
  place: ConflictPlace,
  sides: Three<unknown>,
  meta: FieldMeta | undefined,
  rules: Rules,
): MergedValue<unknown> {
  const { base = {}, ours, theirs } = sides
  const isWhole = hasMarkup(meta) || meta?.kind === 'reference'
  if (ours === theirs || isWhole) return mergeValue(place, sides, rules.ledger)
  if (isPlainObject(base) && isPlainObject(ours) && isPlainObject(theirs))
    return mergeProps(place, { base, ours, theirs }, {}, rules)
  const rows = each({ ...sides, base: sides.base ?? [] }, asRows)
  if (meta && isDeclaredList(meta) && rows.base && rows.ours && rows.theirs) {
    const mergeRow = (at: ConflictPlace, row: Three<Props>, fields: Fields) =>
      mergeProps(at, row, fields, rules)
    return mergeRows(
      place,
      { base: rows.base, ours: rows.ours, theirs: rows.theirs },
      { meta, mergeRow, ...rules },
    )
  }
  return mergeValue(place, sides, rules.ledger)
}

const asRows = (value: unknown): readonly Props[] | undefined =>
  Array.isArray(value) && value.every(isPlainObject) ? value : undefined
