/** The known name that a mistyped one most likely means; `undefined` when none is near. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const name of known) {
    const distance = editsBetween(typed.toLowerCase(), name.toLowerCase())
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { name, distance }
  }
  return best?.name
}

/** `; did you mean 'x'?`, or nothing. */
export function hint(typed: string, known: Iterable<string>): string {
  const name = nearest(typed, known)
  return name === undefined ? '' : `; did you mean '${name}'?`
}

/** How many letters to add, drop, change or swap with their neighbour to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (last[column] ?? Infinity) + 1,
          (current[column - 1] ?? Infinity) + 1,
          (last[column - 1] ?? Infinity) + change,
          swapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? Infinity
}
