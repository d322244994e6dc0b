/** Polymorphic lists: which fields a row has depends on the branch that its discriminator names. */
import type { FieldMeta, Props } from '../model.ts'
import { isPlainObject, ownValue } from '../plain-object.ts'
import { sameJson } from '../same-json.ts'
import { violates } from './refuse.ts'
import type { BatchState } from './state.ts'

/**
 * Refuses a row that does not say of which branch it is.
 *
 * Any text will do that is not empty, also one that names no declared branch.
 */
export function refuseBranchless(meta: FieldMeta, listKey: string, item: Props): void {
  const { discriminator, itemFieldsByType } = meta
  if (!discriminator || isBranch(ownValue(item, discriminator))) return
  const admissible = Object.keys(itemFieldsByType ?? {})
  const wanted = admissible.length > 0 ? `one of ${admissible.join(', ')}` : 'any text that is not empty'
  violates(`item.${discriminator}`, `a row of list ${listKey} needs ${discriminator}: ${wanted}`, admissible)
}

/** Refuses a patch that takes a row out of its branch without naming another. */
export function refuseLosingBranch({ discriminator, itemFieldsByType }: FieldMeta, patch: Props): void {
  if (!discriminator || !Object.hasOwn(patch, discriminator) || isBranch(patch[discriminator])) return
  const admissible = Object.keys(itemFieldsByType ?? {})
  violates(`patch.${discriminator}`, `a row cannot lose its ${discriminator}: send another one`, admissible)
}

/** Notes rows without a branch in a list that was sent whole: older clients send such lists back. */
export function noteBranchless(
  state: BatchState, { discriminator }: FieldMeta, rows: readonly unknown[], at: string,
): void {
  if (!discriminator) return
  const count = rows.filter((row) => isPlainObject(row) && !isBranch(ownValue(row, discriminator))).length
  const have = count === 1 ? 'one row has' : `${count} rows have`
  if (count > 0) state.notes.push(`${at}: ${have} no ${discriminator}`)
}

/** Tells whether a new version of a row, which may leave the discriminator out, is of the same branch. */
export function isSameBranch({ discriminator }: FieldMeta, stored: Props, row: Props): boolean {
  if (!discriminator || !Object.hasOwn(row, discriminator)) return true
  return sameJson(ownValue(stored, discriminator), row[discriminator])
}

const isBranch = (value: unknown) => typeof value === 'string' && value !== ''
