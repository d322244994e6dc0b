/** Whether two texts are marked word by word. */
import type { DiffPart } from './word-diff.ts'

const letters = /[\p{L}\p{N}]/gu
const lengthOf = (parts: readonly DiffPart[]): number =>
  parts.reduce((sum, { value }) => sum + (value.match(letters)?.length ?? 0), 0)

/** Whether less than half of a text stayed, so that marked words would mix two sentences into one. */
export function isOther(parts: readonly DiffPart[]): boolean {
  const [both, old, now] = [
    lengthOf(parts.filter(({ added, removed }) => !added && !removed)),
    lengthOf(parts.filter(({ added }) => !added)),
    lengthOf(parts.filter(({ removed }) => !removed)),
  ]
  return both < Math.min(old, now) / 2
}
