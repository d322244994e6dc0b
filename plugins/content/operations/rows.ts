/** Rows of lists: matching of incoming and stored rows, and branches of rows with a discriminator. */
import { rowKey } from '../items.ts'
import type { FieldMeta, Props } from '../model.ts'
import { isPlainObject, ownValue, sameJson } from '../plain-object.ts'
import { violates } from './refuse.ts'

/** The match of an incoming row in the stored list. */
interface RowMatch {
  /** The stored row that the incoming row replaces. */
  readonly stored?: Props
  /** True if an earlier row of the incoming list has the same key. */
  readonly repeated?: true
}

/**
 * Finds the stored row that each incoming element replaces.
 *
 * Rows match by key, at any position. A row without a key matches by position, which older clients rely on,
 * unless a keyed row matches the stored row there. A key that is not in the stored list creates a new row.
 */
export function matchRows(stored: readonly unknown[], incoming: readonly unknown[]): readonly RowMatch[] {
  const byKey = new Map<unknown, Props>()
  for (const row of stored.filter(isPlainObject).toReversed()) byKey.set(anyRowKey(row), row)
  byKey.delete(undefined)

  const seen = new Set<unknown>()
  const claimed = new Set<unknown>()
  const byKeys = incoming.map((row): RowMatch | undefined => {
    const key = anyRowKey(row)
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

/** Returns the keys of the rows of a list. */
export function keysOf(rows: readonly unknown[]): Set<unknown> {
  const keys = new Set(rows.map(anyRowKey))
  keys.delete(undefined)
  return keys
}

const anyRowKey = (row: unknown) => (isPlainObject(row) ? rowKey(row) : undefined)

/** Refuses a row without a branch; any text is accepted, even if it names no declared branch. */
export function refuseBranchless(meta: FieldMeta, listKey: string, item: Props): void {
  const { discriminator } = meta
  if (!discriminator || isBranch(ownValue(item, discriminator))) return
  const admissible = branchesOf(meta)
  const wanted = admissible.length > 0 ? `one of ${admissible.join(', ')}` : 'any text that is not empty'
  violates(`item.${discriminator}`, `a row of list ${listKey} needs ${discriminator}: ${wanted}`, admissible)
}

/** Refuses a patch that removes the branch of a row without naming another. */
export function refuseLosingBranch(meta: FieldMeta, patch: Props): void {
  const { discriminator } = meta
  if (!discriminator || !Object.hasOwn(patch, discriminator) || isBranch(patch[discriminator])) return
  violates(
    `patch.${discriminator}`,
    `a row cannot lose its ${discriminator}: send another one`,
    branchesOf(meta),
  )
}

/** Notes rows without a branch in a list that was sent completely: older clients send such lists back. */
export function noteBranchless(
  notes: string[],
  { discriminator }: FieldMeta,
  rows: readonly unknown[],
  at: string,
): void {
  if (!discriminator) return
  const count = rows.filter((row) => isPlainObject(row) && !isBranch(ownValue(row, discriminator))).length
  const have = count === 1 ? 'one row has' : `${count} rows have`
  if (count > 0) notes.push(`${at}: ${have} no ${discriminator}`)
}

/** Whether a new version of a row, which may omit the discriminator, has the same branch. */
export function isSameBranch({ discriminator }: FieldMeta, stored: Props, row: Props): boolean {
  if (!discriminator || !Object.hasOwn(row, discriminator)) return true
  return sameJson(ownValue(stored, discriminator), row[discriminator])
}

const isBranch = (value: unknown) => typeof value === 'string' && value !== ''
const branchesOf = ({ itemFieldsByType }: FieldMeta) => Object.keys(itemFieldsByType ?? {})
