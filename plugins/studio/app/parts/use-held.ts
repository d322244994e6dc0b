import { useRef, useState } from 'preact/hooks'

interface HeldEntry<T> {
  readonly value: T
  readonly isGone: boolean
}

/**
 * The entries of a list, with those that were deleted while somebody types in them, until they are released. A key
 * names the same entry wherever it is.
 */
export function useHeld<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string | number,
  isTyped: (entry: T) => boolean,
) {
  const last = useRef<readonly HeldEntry<T>[]>([])
  const [, redraw] = useState(0)
  const keys = new Set(entries.map(keyOf))
  const shown: HeldEntry<T>[] = entries.map((value) => ({ value, isGone: false }))
  for (const [at, { value, isGone }] of last.current.entries()) {
    const isHeld = !keys.has(keyOf(value)) && (isGone || isTyped(value))
    if (isHeld) shown.splice(at, 0, { value, isGone: true })
  }
  last.current = shown
  const release = (key: string | number): void => {
    last.current = last.current.filter(({ value }) => keyOf(value) !== key)
    redraw((before) => before + 1)
  }
  return { shown, release }
}
