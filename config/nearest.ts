/** Returns the known name that a mistyped one most likely means; `undefined` if none is similar. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  const ranked = [...known].map((name) => ({ name, distance: editsBetween(typed.toLowerCase(), name.toLowerCase()) }))
  return ranked.filter(({ distance }) => distance <= limit).toSorted((a, b) => a.distance - b.distance)[0]?.name
}

/** Returns `; did you mean 'x'?`, or an empty string. */
export function hint(typed: string, known: Iterable<string>): string {
  const name = nearest(typed, known)
  return name === undefined ? '' : `; did you mean '${name}'?`
}

/** Counts the letters to add, drop, change or swap with their neighbour to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at)
  const at = (row: readonly number[], column: number): number => row[column] ?? Infinity
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swap = isSwapped ? at(beforeLast, column - 2) + 1 : Infinity
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + change, swap))
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}
