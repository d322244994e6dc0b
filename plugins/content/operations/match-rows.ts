import { rowKey } from '../items.ts'
import type { Props } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'

/** What an incoming row is to the list that is stored. */
export interface RowMatch {
  /** The stored row that it is a new version of. */
  readonly stored?: Props
  /** True when an earlier row of the incoming list has the same key. */
  readonly repeated?: true
}

/**
 * Tells of every incoming element which stored row it is a new version of.
 *
 * By its key where it has one, wherever the row stood. A row without a key goes by its position, which older
 * clients rely on, unless a keyed row claims the row there. A key that the stored list does not know makes a new
 * row.
 */
export function matchRows(stored: readonly unknown[], incoming: readonly unknown[]): readonly RowMatch[] {
  const byKey = new Map<unknown, Props>()
  for (const row of stored.filter(isPlainObject).toReversed()) byKey.set(keyOf(row), row)
  byKey.delete(undefined)

  const seen = new Set<unknown>()
  const claimed = new Set<unknown>()
  const byKeys = incoming.map((row): RowMatch | undefined => {
    const key = keyOf(row)
    if (key === undefined) return undefined
    if (seen.has(key)) return { repeated: true }
    seen.add(key)
    const match = byKey.get(key)
    claimed.add(match)
    return match ? { stored: match } : {}
  })
  return byKeys.map((match, position) => {
    if (match) return match
    const there = stored[position]
    const free = isPlainObject(incoming[position]) && isPlainObject(there) && !claimed.has(there)
    return free ? { stored: there } : {}
  })
}

/** The keys that the rows of a list have. */
export function keysOf(rows: readonly unknown[]): Set<unknown> {
  const keys = new Set(rows.map(keyOf))
  keys.delete(undefined)
  return keys
}

const keyOf = (row: unknown) => (isPlainObject(row) ? rowKey(row) : undefined)
