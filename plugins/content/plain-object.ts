import type * as v from 'valibot'

/** Tells a plain JSON object from arrays, null and scalars. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a key of an object, never what every object inherits, such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined
}

/** The same keys, each with another value. */
export const mapValues = <T, U>(values: Readonly<Record<string, T>>, map: (value: T, name: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))

/** Schemas of objects take arrays for objects; content does not. Changes the schema it is given, and gives it back. */
export function plainOnly<S extends v.GenericSchema>(schema: S): S {
  return reading(schema, (value) => (isPlainObject(value) ? value : null))
}

/** Puts what a schema is to read in the place of what came. */
export function reading<S extends v.GenericSchema>(schema: S, read: (value: unknown) => unknown): S {
  const inner = schema['~run']
  const run: typeof inner = (dataset, config) => inner.call(schema, { value: read(dataset.value) }, config)
  return Object.assign(schema, { '~run': run })
}
