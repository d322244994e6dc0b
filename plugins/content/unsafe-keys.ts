import { isPlainObject } from './plain-object.ts'

const unsafe = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Finds a key that could reach the prototype of an object, anywhere in a JSON value.
 *
 * Answers the path of the first one, such as `items[0].__proto__`. Content is copied and merged key by key,
 * and a copy of such a key would change every object of the process.
 */
export function findUnsafeKey(value: unknown, path = ''): string | undefined {
  if (Array.isArray(value)) return firstOf(value.entries(), (index) => `${path}[${index}]`)
  if (!isPlainObject(value)) return undefined
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  for (const name of Object.keys(value)) if (unsafe.has(name)) return at(name)
  return firstOf(Object.entries(value), at)
}

function firstOf<K>(entries: Iterable<readonly [K, unknown]>, at: (key: K) => string): string | undefined {
  for (const [key, value] of entries) {
    if (typeof value !== 'object' || value === null) continue
    const found = findUnsafeKey(value, at(key))
    if (found !== undefined) return found
  }
  return undefined
}
