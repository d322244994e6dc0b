import type { Schema } from '../kernel/index.ts'
import { hint } from './nearest.ts'
import { isSchema } from './variables.ts'

/**
 * The options that a schema would drop unread, by their path, each with the nearest one that it knows.
 *
 * A schema that takes any name, or says itself which it takes, drops none.
 */
export function unknownOptions(schema: Schema, given: unknown, path = ''): readonly string[] {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return unknownOptions(schema.wrapped, given, path)
  if ('item' in schema && Array.isArray(given)) {
    const { item } = schema
    return isSchema(item) ? given.flatMap((each, at) => unknownOptions(item, each, `${path}[${at}]`)) : []
  }
  if (schema.type !== 'object' || !('entries' in schema) || !isObject(schema.entries) || !isObject(given)) return []
  const known = schema.entries
  return Object.entries(given).flatMap(([name, value]) => {
    const place = path === '' ? name : `${path}.${name}`
    const inner = Object.hasOwn(known, name) ? known[name] : undefined
    return isSchema(inner) ? unknownOptions(inner, value, place) : [`'${place}'${hint(name, Object.keys(known))}`]
  })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
