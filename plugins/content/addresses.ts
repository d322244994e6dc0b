import { stableJson } from '../../kernel/index.ts'
import { isGeneratedId, withoutGeneratedId } from './items.ts'
import { isPlainObject, mapped, mappedObject, mapValues, pushTo, sameJson } from './plain-object.ts'

/** What is before the `?` of an address; `undefined` for other values. */
const beforeQuery = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^((?:https?:\/)?\/[^\s?]*)\?\S*$/.exec(value)?.[1] : undefined

/** Returns what two values have at each place that both have: elements of lists by id, else by position. */
function pairsIn(one: unknown, other: unknown): readonly Pair[] {
  const pairs: Pair[] = []
  const left: Pair[] = [[one, other]]
  for (let pair = left.pop(); pair; pair = left.pop()) {
    const [a, b] = pair
    if (typeof a !== 'object' || typeof b !== 'object') pairs.push(pair)
    else if (Array.isArray(a) && Array.isArray(b)) {
      const counterpart = counterpartIn(b)
      for (const [at, value] of a.entries()) left.push([value, counterpart(value, at)])
    } else if (isPlainObject(a) && isPlainObject(b)) {
      for (const [name, value] of Object.entries(a)) if (Object.hasOwn(b, name)) left.push([value, b[name]])
    } else pairs.push(pair)
  }
  return pairs
}
type Pair = readonly [unknown, unknown]

const keyOf = (element: unknown): unknown =>
  isPlainObject(element) ? (element['id'] ?? element['slug']) : undefined

/** Returns a function that finds the element of a list with the key of a value, else that at its place. */
function counterpartIn(others: readonly unknown[]): (value: unknown, at: number) => unknown {
  const byKey = new Map(others.map((each) => [keyOf(each), each] as const).toReversed())
  return (value, at) => {
    const key = keyOf(value)
    return key === undefined ? others[at] : byKey.get(key)
  }
}

/**
 * Returns the counterparts of the elements of a list in another one. One without an id of its own has the
 * next that is equal, but for what is behind the `?` of addresses: rows may have come or gone before it.
 */
function counterparts(
  list: readonly unknown[],
  others: unknown,
  addresses: ReadonlySet<string>,
): readonly unknown[] {
  if (!Array.isArray(others)) return []
  const isKeyed = (each: unknown) => keyOf(each) !== undefined && !isGeneratedId(keyOf(each))
  const textOf = (each: unknown) => stableJson(withoutGeneratedId(withoutQueriesOf(each, addresses)))
  const left = new Map<string, unknown[]>()
  const counterpart = counterpartIn(others)
  for (const each of others) if (!isKeyed(each)) pushTo(left, textOf(each), each)
  return list.map((each, at) => {
    const equal = left.size > 0 && !isKeyed(each) ? left.get(textOf(each))?.shift() : undefined
    return equal ?? counterpart(each, at)
  })
}

/** Returns the addresses, up to their `?`, that differ only behind it between two values. */
export function churningAddresses(one: unknown, other: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [a, b] of pairsIn(one, other)) {
    const address = a === b ? undefined : beforeQuery(a)
    if (address !== undefined && address === beforeQuery(b)) found.add(address)
  }
  return found
}

/** Whether a value has an address with a `?`. */
export function hasQueries(value: unknown): boolean {
  for (const [each] of pairsIn(value, value)) if (beforeQuery(each) !== undefined) return true
  return false
}

/**
 * Returns a value with the addresses that another one has, where they differ only behind the `?` of one of
 * `addresses`.
 */
export function withAddressesOf<T>(value: T, other: unknown, addresses: ReadonlySet<string>, own?: unknown): T
export function withAddressesOf(
  value: unknown,
  other: unknown,
  addresses: ReadonlySet<string>,
  /** Where this has another value than such an address, with or without its `?`, `value` stays. */
  own?: unknown,
): unknown {
  if (value === other || other === undefined) return value
  if (Array.isArray(value) && Array.isArray(other)) {
    const [there, mine] = [other, own].map((list) => counterparts(value, list, addresses))
    return mapped(value, (each, at) => withAddressesOf(each, there?.[at], addresses, mine?.[at]))
  }
  if (isPlainObject(value) && isPlainObject(other))
    return mappedObject(value, (each, name) =>
      withAddressesOf(each, other[name], addresses, isPlainObject(own) ? own[name] : undefined),
    )
  const address = beforeQuery(value)
  const isOwn = own !== undefined && withoutQueriesOf(own, addresses) !== address
  const isSame = address !== undefined && addresses.has(address) && beforeQuery(other) === address
  return isSame && !isOwn ? other : value
}

/** Returns a value without what is behind the `?` of some addresses. */
export function withoutQueriesOf(value: unknown, addresses: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutQueriesOf(each, addresses))
  if (isPlainObject(value)) return mapValues(value, (each) => withoutQueriesOf(each, addresses))
  const address = beforeQuery(value)
  return address !== undefined && addresses.has(address) ? address : value
}

/** Whether two values are equal, but for what is behind the `?` of addresses. */
export function isSameButQueries(one: unknown, other: unknown): boolean {
  if (sameJson(one, other)) return true
  const addresses = churningAddresses(one, other)
  return addresses.size > 0 && sameJson(withoutQueriesOf(one, addresses), withoutQueriesOf(other, addresses))
}
