/** Places in content, each given as keys: those of what it is in, outermost first, and its own last. */
export interface NestedPlaces<T> {
  add(keys: readonly string[], value: T): void
  /** Returns the value that was added first of a place that contains this one, or is in it. */
  find(keys: readonly string[]): T | undefined
}

/** Creates a collection that finds places by those around and in them, however many it has. */
export function nestedPlaces<T>(): NestedPlaces<T> {
  const values: T[] = []
  const [own, inside] = [new Map<string, number>(), new Map<string, number>()]
  const note = (found: Map<string, number>, key: string): void => {
    if (!found.has(key)) found.set(key, values.length)
  }
  return {
    add(keys, value) {
      for (const key of keys) note(inside, key)
      note(own, keys.at(-1) ?? '')
      values.push(value)
    },
    find(keys) {
      const first = keys.map((key) => own.get(key) ?? Infinity)
      return values[Math.min(...first, inside.get(keys.at(-1) ?? '') ?? Infinity)]
    },
  }
}

/** A step of a path such as `items[0].q`: a name, or what is in brackets. */
const step = /\.?[^.[\]]+|\[(?:\w+=)?(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]/gy

/** Returns the keys of a path: its beginnings up to each step, and the path. */
export function keysOfPath(path: string): readonly string[] {
  const ends = [...path.matchAll(step)].map(({ index, 0: { length } }) => index + length)
  const last = ends.at(-1) ?? 0
  return [...ends, ...(last < path.length || path === '' ? [path.length] : [])].map((end) =>
    path.slice(0, end),
  )
}
