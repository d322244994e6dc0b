/** Ticks of operations: one is ticked with those that it needs, and unticked with those that need it. */

interface Tickable {
  readonly number: number
  readonly needs: readonly number[]
  /** Why it starts unticked. */
  readonly doubt?: string | undefined
}

export function defaultTicks(rows: readonly Tickable[]): ReadonlySet<number> {
  const ticked = new Set<number>()
  // What a row needs is above it.
  for (const { number, needs, doubt } of rows)
    if (doubt === undefined && needs.every((need) => ticked.has(need))) ticked.add(number)
  return ticked
}

export function toggled(
  ticks: ReadonlySet<number>,
  rows: readonly Tickable[],
  number: number,
): ReadonlySet<number> {
  const isOff = ticks.has(number)
  const along = new Set([number])
  for (const row of isOff ? rows : rows.toReversed()) {
    if (isOff && row.needs.some((need) => along.has(need))) along.add(row.number)
    if (!isOff && along.has(row.number)) for (const need of row.needs) along.add(need)
  }
  return isOff ? ticks.difference(along) : ticks.union(along)
}
