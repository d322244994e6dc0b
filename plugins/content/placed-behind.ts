/**
 * Inserts keys of another order behind the nearest of their predecessors there that is present, else at the
 * start.
 */
export function placedBehind(
  present: readonly string[],
  source: readonly string[],
  inserted: ReadonlySet<string>,
): readonly string[] {
  if (inserted.size === 0) return present
  const isPresent = new Set(present)
  const first: string[] = []
  const behind = new Map<string, string[]>()
  let run = first
  for (const key of source) {
    if (isPresent.has(key)) behind.set(key, (run = []))
    else if (inserted.has(key)) run.push(key)
  }
  return [...first, ...present.flatMap((key) => [key, ...(behind.get(key) ?? [])])]
}

/** Returns the slugs in an order; those that it lacks follow the one before them. */
export function placed(order: readonly string[], slugs: readonly string[]): readonly string[] {
  const wanted = new Set(slugs)
  const there = order.filter((slug) => wanted.has(slug))
  return placedBehind(there, slugs, wanted.difference(new Set(there)))
}
