/** Moves of pages, by the slug that each has and the one that it gets. */
export type Moves = readonly (readonly [now: string, then: string])[]

/**
 * Returns moves of pages in an order in which every slug is free when a page gets it; one page of each circle
 * waits at the slug `waiting`, which no page has. A move to the slug of a page that stays is left out, as are
 * those that wait for it.
 */
export function inTurn(
  moves: Moves,
  { isTaken, waiting }: { readonly isTaken: (slug: string) => boolean; readonly waiting: string },
): Moves {
  const next = new Map(moves)
  const coming = new Map(moves.map(([now, then]) => [then, now]))
  const ordered: (readonly [string, string])[] = []
  /** Moves a page to a free slug, then another one to the slug of that page, and so on. */
  const fill = (free: string): void => {
    for (let to = free, now = coming.get(to); now !== undefined; to = now, now = coming.get(to)) {
      coming.delete(to)
      next.delete(now)
      ordered.push([now, to])
    }
  }
  for (const [, then] of moves) if (!next.has(then) && !isTaken(then)) fill(then)
  const seen = new Set<string>()
  for (const [start, then] of moves) {
    if (seen.has(start)) continue
    let at: string | undefined = start
    while (at !== undefined && next.has(at) && !seen.has(at)) {
      seen.add(at)
      at = next.get(at)
    }
    if (at !== start || !next.has(start)) continue
    ordered.push([start, waiting])
    next.delete(start)
    coming.set(then, waiting)
    fill(start)
  }
  return ordered
}
