/** Returns the known name that a mistyped one most likely means; `undefined` if none is similar. */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  const close = [...candidates].filter((name) => Math.abs(name.length - typed.length) <= limit)
  const ranked = close.map((name) => ({
    name,
    distance: editsBetween(typed.toLowerCase(), name.toLowerCase()),
  }))
  return ranked.filter(({ distance }) => distance <= limit).toSorted((a, b) => a.distance - b.distance)[0]
    ?.name
}

/** Returns `; did you mean 'x'?`, or an empty string. */
export function hint(typed: string, candidates: Iterable<string>): string {
  const name = nearest(typed, candidates)
  return name === undefined ? '' : `; did you mean '${name}'?`
}

/** Counts the letters to add, drop, change or swap with their neighbour to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swap = isSwapped ? at(row - 2, column - 2) + 1 : Infinity
      current.push(
        Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + change, swap),
      )
    }
  }
  return at(from.length, to.length)
}
