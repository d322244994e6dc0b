import { keyRows } from './key-rows.ts'
import { newRows } from './new-rows.ts'
import type { Loose, Place, Row } from './row.ts'
import { targetRows } from './target-rows.ts'
import { valueRows } from './value-rows.ts'

/** What models write otherwise, in the order in which it is put right: keys, what is new, targets, values. */
export const rows: readonly Row[] = [...keyRows, ...newRows, ...targetRows, ...valueRows]

/** Begins to read a plan. */
export const placeFor = ({ input, words, now }: Omit<Place, 'given' | 'created'>): Place => ({ input, words, now, given: new Set(), created: new Set() })

/** Reads one operation of a model; none, one or several come of it. */
export function normalised(raw: Loose, place: Place): readonly Loose[] {
  return rows.reduce<readonly Loose[]>((ops, row) => ops.flatMap((op) => (row.when(op, place) ? row.becomes(op, place) : op)), [raw])
}
