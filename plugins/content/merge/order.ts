import { firstIndex } from '../first-index.ts'
import type { Winner } from './conflict.ts'
import { each, type MergedValue, same, type Three } from './sides.ts'

/**
 * Merges the orders of the keys of a list. Of the merged keys and those of the new base, `members` has the
 * keys.
 *
 * What one side moved against the base, outside of the longest common order, is moved; what both moved alike
 * stays where ours has it. What both moved, or added in different places, has the place in the draft. What
 * theirs adds is behind what precedes it there, as does what it moved, but not behind what both have added
 * in different places. A merged order is not that of the other side where the draft alone has moved a key past
 * another one. `moved` are the keys that theirs moved.
 */
export function mergeOrder(
  orders: Three<readonly string[]>,
  members: MergedValue<ReadonlyMap<string, unknown>>,
  draft: Winner,
): MergedValue<readonly string[]> & { readonly moved: readonly string[] } {
  const { base, ours, theirs } = orders
  const isOn = each(orders, (order) => new Set(order))
  const movedHere = movedIn(base, ours)
  const movedThere = isSameOrder(ours, theirs) ? none : movedAlike(base, theirs, movedHere)
  const isTheirs = draft === 'theirs'
  const addedApart = isTheirs ? apartIn(ours, theirs).difference(isOn.base) : none
  const placed = (moved: ReadonlySet<string>): readonly string[] => {
    const comes = (key: string) => !isOn.ours.has(key) || moved.has(key) || addedApart.has(key)
    const brought = new Set(theirs.filter((key) => members.merged.has(key) && comes(key)))
    const staying = ours.filter((key) => members.merged.has(key) && !brought.has(key))
    const known = isSameOrder(staying, theirs) ? theirs : theirs.filter((key) => isOn.base.has(key))
    const withMoved = placedBehind(staying, known, brought.intersection(isOn.base))
    return placedBehind(withMoved, theirs, brought.difference(isOn.base))
  }
  const [own, other] = isTheirs ? [theirs, ours] : [ours, theirs]
  const moved = isTheirs ? movedThere : movedThere.difference(movedHere)
  const found = placed(moved)
  const isBoth = movedHere.size > 0 && movedThere.size > 0
  // Of several longest common orders, the one that was found may leave nothing of a move of the draft.
  const lost = isBoth && isSameOrder(found, other) ? turnedAlone(own, base, other) : none
  const others = isTheirs ? [moved.union(lost), isOn.theirs] : [moved.difference(lost), none]
  const merged = lost.size > 0 && others.map(placed).find((order) => !isSameOrder(order, other))
  const onlyInBase = new Set(base.filter((key) => members.base.has(key) && !isOn.theirs.has(key)))
  const agreed = theirs.filter((key) => members.base.has(key))
  return {
    merged: merged || found,
    base: placedBehind(agreed, base, onlyInBase),
    moved:
      movedThere.size === 0 ? [] : movedApart(orders, movedThere).filter((key) => members.merged.has(key)),
  }
}

/**
 * Merges the orders of keys that are added or removed by the orders themselves; what both moved has the place
 * in theirs.
 */
export function mergeWholeOrder(orders: Three<readonly string[]>): readonly string[] {
  const { base, ours, theirs } = orders
  if (same(base, theirs)) return ours
  if (same(base, ours)) return theirs
  const [former, here, there] = [new Set(base), new Set(ours), new Set(theirs)]
  const isMember = (key: string) => here.has(key) === there.has(key) || !former.has(key)
  const merged = new Map([...here.union(there)].filter(isMember).map((key) => [key, key]))
  return mergeOrder(orders, { merged, base: new Map() }, 'theirs').merged
}

/** Whether two orders have their common keys in the same order. */
export function isSameOrder(a: readonly string[], b: readonly string[]): boolean {
  if (same(a, b)) return true
  const [inA, inB] = [new Set(a), new Set(b)]
  const common = a.filter((key) => inB.has(key))
  return b.filter((key) => inA.has(key)).every((key, at) => key === common[at])
}

/** Returns the common keys of two orders that do not have the same ones before them in both. */
function apartIn(a: readonly string[], b: readonly string[]): ReadonlySet<string> {
  const isInB = new Set(b)
  const common = a.filter((key) => isInB.has(key))
  const isCommon = new Set(common)
  const places = placesIn(b.filter((key) => isCommon.has(key)))
  /** The last place in `b` of those before. */
  let last = -1
  return new Set(
    common.filter((key, at) => {
      const place = places.get(key) ?? at
      const isApart = place !== at || last >= at
      last = Math.max(last, place)
      return isApart
    }),
  )
}

type Keys = readonly string[]
const none: ReadonlySet<string> = new Set()

/** Returns the keys of the pairs that one order has the other way round than both others. */
const turnedAlone = (own: Keys, base: Keys, other: Keys): ReadonlySet<string> =>
  behindLater(own, base, other).union(behindLater(own.toReversed(), base.toReversed(), other.toReversed()))

/** Returns the keys of an order that are behind one which follows them in both others. */
function behindLater(own: Keys, base: Keys, other: Keys): ReadonlySet<string> {
  const [inBase, inOther] = [placesIn(base), placesIn(other)]
  const found = new Set<string>()
  /** The places of the keys before that no other one of them follows in both, by that in the base. */
  const last: { readonly base: number; readonly other: number }[] = []
  for (const key of own) {
    const place = { base: inBase.get(key) ?? -1, other: inOther.get(key) ?? -1 }
    if (place.base < 0 || place.other < 0) continue
    const at = firstIndex(last, (each) => each.base > place.base)
    if ((last[at]?.other ?? -1) > place.other) {
      found.add(key)
      continue
    }
    const from = firstIndex(last, (each) => each.other < place.other)
    last.splice(from, at - from, place)
  }
  return found
}

const placesIn = (order: Keys): ReadonlyMap<string, number> => new Map(order.map((key, at) => [key, at]))

/** Returns the longest list of keys that both orders have in the same order; keys are unique in each. */
export function longestCommon(from: readonly string[], to: readonly string[]): readonly string[] {
  const places = placesIn(from)
  const common = to.flatMap((key) => {
    const place = places.get(key)
    return place === undefined ? [] : [{ key, place }]
  })
  /** For each length, the end of the sequence of that length with the lowest last place. */
  const ends: Sequence[] = []
  for (const { key, place } of common) {
    const at = firstIndex(ends, (end) => end.place >= place)
    ends[at] = { key, place, before: ends[at - 1] }
  }
  const keys: string[] = []
  for (let end = ends.at(-1); end; end = end.before) keys.push(end.key)
  return keys.toReversed()
}

interface Sequence {
  readonly key: string
  readonly place: number
  readonly before: Sequence | undefined
}

function movedIn(from: readonly string[], to: readonly string[]): ReadonlySet<string> {
  if (same(from, to)) return new Set()
  const [formerKeys, inOrder] = [new Set(from), new Set(longestCommon(from, to))]
  return new Set(to.filter((key) => formerKeys.has(key) && !inOrder.has(key)))
}

/**
 * Returns the keys that a side moved; of several longest common orders, that which leaves the moves of the
 * other side, so that what both moved alike is one move and not two.
 */
function movedAlike(from: Keys, to: Keys, other: ReadonlySet<string>): ReadonlySet<string> {
  const moved = movedIn(from, to)
  const alike = new Set(to.filter((key) => other.has(key)))
  const isEnough =
    alike.size === moved.size &&
    isSameOrder(
      from,
      to.filter((key) => !alike.has(key)),
    )
  return isEnough ? alike : moved
}

/** Returns the keys with different predecessors on the two sides. */
function movedApart(
  { ours, theirs }: Three<readonly string[]>,
  keys: ReadonlySet<string>,
): readonly string[] {
  const [here, there] = [predecessors(ours, theirs), predecessors(theirs, ours)]
  return [...keys].filter((key) => here.has(key) && here.get(key) !== there.get(key))
}

function predecessors(order: readonly string[], other: readonly string[]) {
  const isCommon = new Set(other)
  const common = order.filter((key) => isCommon.has(key))
  return new Map(common.map((key, at) => [key, common[at - 1]]))
}

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
