import { isPlainObject, ownValue } from './plain-object.ts'

/** Whether two JSON values are equal, regardless of key order; a key without a value counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return Object.keys(a).every((key) => sameJson(a[key], ownValue(b, key)))
    && Object.keys(b).every((key) => b[key] === undefined || Object.hasOwn(a, key))
}
