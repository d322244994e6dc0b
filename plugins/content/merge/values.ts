import { ownValue, type PlainObject } from '../plain-object.ts'
import { type Ledger, type ConflictPlace, settled } from './conflict.ts'
import { each, type MergedValue, same, shared, type Three } from './sides.ts'

/** Merges one value: the side that changed wins; both to different values is a conflict. */
export function mergeValue<T>(place: ConflictPlace, sides: Three<T>, ledger: Ledger): MergedValue<T> {
  const { base, ours, theirs } = sides
  if (same(ours, theirs)) return { merged: ours, base: ours }
  if (same(base, theirs)) return { merged: ours, base }
  const winner = same(base, ours) ? 'theirs' : ledger.decide(place, 'changed', sides)
  if (winner === 'theirs') ledger.take(place, 'changed')
  return settled(sides, winner)
}

/** Merges an object key by key. A key without a value is absent. */
export function mergeKeys(
  sides: Three<PlainObject>,
  mergeKey: (name: string, values: Three<unknown>) => MergedValue<unknown>,
): MergedValue<PlainObject> {
  const { base: former, ours, theirs } = sides
  const merged: [name: string, value: unknown][] = []
  const base: typeof merged = []
  for (const name of new Set([ours, theirs, former].flatMap((side) => Object.keys(side)))) {
    const one = mergeKey(
      name,
      each(sides, (side) => ownValue(side, name)),
    )
    if (one.merged !== undefined) merged.push([name, one.merged])
    if (one.base !== undefined) base.push([name, one.base])
  }
  return {
    merged: shared(Object.fromEntries(merged), ours),
    base: shared(Object.fromEntries(base), ours, theirs, former),
  }
}
