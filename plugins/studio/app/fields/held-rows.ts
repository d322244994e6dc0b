import { useRef, useState } from 'preact/hooks'
import { isTypedIn } from '../stores/held.ts'
import { inside, keyOf, type Row, type ValuePlace } from '../stores/place.ts'

interface HeldRow {
  readonly row: Row
  readonly isGone: boolean
}

/** The rows of a list, with those that were deleted while somebody types in them, until they are released. */
export function useHeldRows(place: ValuePlace, rows: readonly Row[]) {
  const last = useRef<readonly HeldRow[]>([])
  const [, redraw] = useState(0)
  const keys = new Set(rows.map(keyOf))
  const shown: HeldRow[] = rows.map((row) => ({ row, isGone: false }))
  for (const [at, { row, isGone }] of last.current.entries()) {
    const isHeld = !keys.has(keyOf(row)) && (isGone || isTypedIn(inside(place, keyOf(row))))
    if (isHeld) shown.splice(at, 0, { row, isGone: true })
  }
  last.current = shown
  const release = (key: string): void => {
    last.current = last.current.filter(({ row }) => keyOf(row) !== key)
    redraw((before) => before + 1)
  }
  return { shown, release }
}
