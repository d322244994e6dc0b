import * as v from 'valibot'

/** A JSON object. */
export type PlainObject = Readonly<Record<string, unknown>>

/** A type with `readonly` at every depth. */
export type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T

/** Whether a value is a JSON object, not an array, null or a scalar. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own property of an object, never an inherited one such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined
}

/** Parses a JSON text; returns `undefined` if it is not JSON. */
export function parsedJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Returns the entries of an object that pass a test. */
export const picked = <T>(
  values: Readonly<Record<string, T>>,
  isMeant: (value: T, name: string) => boolean,
): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => isMeant(value, name)))

/** Returns an object with the same keys and mapped values. */
export const mapValues = <T, U>(
  values: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))

/**
 * Whether two JSON values are equal, regardless of key order; a key without a value counts as absent.
 *
 * Elements of arrays that differ are compared once more as `read` returns them.
 */
export function sameJson(a: unknown, b: unknown, read = asIs): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, at) => {
        const other: unknown = b[at]
        if (one === other || sameJson(one, other, read)) return true
        const [mine, theirs] = [read(one), read(other)]
        return (mine !== one || theirs !== other) && sameJson(mine, theirs, read)
      })
    )
  }
  const [ours, theirs] = [a as PlainObject, b as PlainObject]
  return (
    Object.keys(ours).every((key) => {
      const [one, other] = [ours[key], Object.hasOwn(theirs, key) ? theirs[key] : undefined]
      return one === other || sameJson(one, other, read)
    }) && Object.keys(theirs).every((key) => theirs[key] === undefined || Object.hasOwn(ours, key))
  )
}

const asIs = (element: unknown): unknown => element

/** Returns the path of a member of an object: `a.b`; a name with marks of paths is quoted, `a["b.c"]`. */
export function memberPath(path: string, name: string): string {
  if (name === '' || /[.[\]#]/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

/** The names and positions of a path of a difference, such as `items[1].q` or `["a.b"].c`. */
export const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, plain]) =>
    index === undefined ? (plain ?? String(JSON.parse(`"${quoted}"`))) : Number(index),
  )

const unsafe = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Finds a key that could reach the prototype of an object, anywhere in a JSON value.
 *
 * Returns the path of the first such key, for example `items[0].__proto__`. Content is copied and merged key
 * by key, and a copy of such a key would change every object in the process.
 */
export function findUnsafeKey(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const [name, inner] of Object.entries(value)) {
    const isUnsafe = unsafe.has(name)
    if (!isUnsafe && typeof inner !== 'object') continue
    const at = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    const found = isUnsafe ? at : findUnsafeKey(inner, at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Maps the elements of a list; returns the same list if none changes. */
export function mapped<T>(values: readonly T[], map: (value: T, index: number) => T): readonly T[] {
  const results = values.map(map)
  return results.every((result, index) => result === values[index]) ? values : results
}

/** Maps the values of an object; returns the same object if none changes. */
export function mappedObject(
  object: PlainObject,
  map: (value: unknown, name: string) => unknown,
): PlainObject {
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(object)) {
    const value = map(object[name], name)
    if (value !== object[name]) (changed ??= { ...object })[name] = value
  }
  return changed ?? object
}

/** Computes a value once per object, and caches it for the lifetime of the object. */
export function perObject<K extends object, T extends {}>(work: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, T>()
  return (key) => {
    let value = cache.get(key)
    if (value === undefined) cache.set(key, (value = work(key)))
    return value
  }
}

/** Adds a value to the list of a key. */
export function pushTo<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Makes an object schema refuse arrays, which it would read as objects. */
export function plainOnly<S extends v.GenericSchema>(schema: S, wanted?: string) {
  return v.pipe(v.custom<v.InferInput<S>>(isPlainObject, wanted), v.metadata({ describedBy: schema }), schema)
}

/** Adds a name and a description for the API document to a schema. */
export function described<const S extends v.GenericSchema>(title: string, description: string, schema: S) {
  return v.pipe(schema, v.title(title), v.description(description))
}

/** An optional value, with what the API description says of it. */
export function optionally<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.optional(explained(schema, description))
}

/** Adds to a schema what the API description says of it. */
export function explained<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description))
}
