import type { Loose, Place } from './place.ts'

/** One thing that models write otherwise than they should, and what it becomes. A row that does not apply answers its input. */
export interface Row<T = Loose, R = T> {
  readonly name: string
  readonly apply: (value: T, place: Place) => R
}
