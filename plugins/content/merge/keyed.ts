import { type Conflict, type Ledger, type ConflictPlace, settled, type Winner } from './conflict.ts'
import { mergeOrder } from './order.ts'
import { each, type MergedValue, same, shared, type Three } from './sides.ts'

/**
 * Merges an element of a list of which each side may lack it: added, removed, or merged by its parts.
 *
 * Removed on one side and changed on the other is one conflict. An element that both sides added is merged by its
 * parts, without a base; the new base has the parts that agree, and is none once a side lacks the element again.
 */
export function mergeElement<T extends object>(
  place: ConflictPlace,
  sides: Three<T | undefined>,
  ledger: Ledger,
  { parts, isSame = same, read }: ElementRules<T>,
): MergedValue<T | undefined> {
  const { ours, theirs } = sides
  const isAdded = sides.base === undefined || Object.hasOwn(sides.base, addedByBoth)
  const base = isAdded && !(ours && theirs) ? undefined : sides.base
  if (isSame(ours, theirs)) return { merged: ours, base: ours }
  if (isSame(base, theirs)) return { merged: ours, base }
  if (ours !== undefined && theirs !== undefined) {
    const open = ledger.conflicts.length
    const done = parts({ base, ours, theirs })
    const isOpen = isAdded && ledger.conflicts.length > open
    return isOpen && done.base ? { ...done, base: { ...done.base, [addedByBoth]: true } } : done
  }
  const kind: Conflict['kind'] = theirs === undefined ? 'removed_on_site' : 'removed_here'
  const versions = { base, ours, theirs }
  const winner = isSame(base, ours) ? 'theirs' : ledger.decide(place, kind, versions, read)
  if (winner === 'theirs') ledger.take(place, theirs === undefined ? 'removed' : 'added')
  return settled(versions, winner)
}

/** Set in the base of an element that both sides added while a conflict in it is open; merging its parts drops it. */
const addedByBoth = '#addedByBoth'

/** An element that both sides have. */
export type Both<T> = Pick<Three<T>, 'ours' | 'theirs'> & { readonly base: T | undefined }

interface ElementRules<T extends object> {
  readonly parts: (both: Both<T>) => MergedValue<T | undefined>
  readonly isSame?: (a: T | undefined, b: T | undefined) => boolean
  /** What counts of an element. */
  readonly read?: (value: T | undefined) => unknown
}

/** Merges two lists of elements with keys: the elements one by one, then their order. */
export function mergeKeyed<T>(
  sides: Three<ReadonlyMap<string, T>>,
  draft: Winner,
  { mergeOne, onMoved }: KeyedRules<T>,
): MergedValue<readonly T[]> {
  const merged = new Map<string, T>()
  const base = new Map<string, T>()
  for (const [key, some] of new Map([...sides.base, ...sides.theirs, ...sides.ours])) {
    const elements = each(sides, (side) => side.get(key))
    const one = mergeOne(elements, some)
    if (one.merged !== undefined) merged.set(key, one.merged)
    if (one.base !== undefined) base.set(key, one.base)
  }
  const order = mergeOrder(
    each(sides, (side) => [...side.keys()]),
    { merged, base },
    draft,
  )
  for (const element of elementsOf(order.moved, merged)) onMoved(element)
  return { merged: elementsOf(order.merged, merged), base: elementsOf(order.base, base) }
}

interface KeyedRules<T> {
  /** `some` is the element of ours, else of theirs, else of the base. */
  readonly mergeOne: (sides: Three<T | undefined>, some: T) => MergedValue<T | undefined>
  readonly onMoved: (element: T) => void
}

const elementsOf = <T>(keys: readonly string[], elements: ReadonlyMap<string, T>): readonly T[] =>
  keys.flatMap((key) => elements.get(key) ?? [])

/** Returns lists that are shared with the sides where they are equal. */
export const sharedLists = <T>(
  { merged, base }: MergedValue<readonly T[]>,
  { base: former, ours, theirs }: Three<readonly T[]>,
): MergedValue<readonly T[]> => ({ merged: shared(merged, ours), base: shared(base, ours, theirs, former) })
