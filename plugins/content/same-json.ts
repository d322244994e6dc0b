import { isPlainObject, ownValue } from './plain-object.ts'

/**
 * Whether two JSON values are equal, regardless of key order; a key without a value counts as absent.
 *
 * `read` is applied to elements of arrays that are not identical, before they are compared.
 */
export function sameJson(a: unknown, b: unknown, read = asIs): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, at) => one === b[at] || sameJson(read(one), read(b[at]), read))
    )
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return (
    Object.keys(a).every((key) => sameJson(a[key], ownValue(b, key), read)) &&
    Object.keys(b).every((key) => b[key] === undefined || Object.hasOwn(a, key))
  )
}

const asIs = (element: unknown): unknown => element
