import type { PropsSchema } from './model.ts'
import { isPlainObject } from './plain-object.ts'

/** Deeper schemas than this accept anything below. */
const deepest = 64

/**
 * Reads a value from outside as a schema: keywords of the wrong type are left out, unknown ones kept.
 *
 * A schema that is not an object (`true`, or a mistake) accepts anything.
 */
export function toPropsSchema(value: unknown, depth = 0): PropsSchema {
  if (!isPlainObject(value) || depth > deepest) return {}
  const { type, properties, required, items, enum: members, anyOf, oneOf, allOf, ...others } = value
  const { additionalProperties: more, ...rest } = others
  const inner = (schema: unknown) => toPropsSchema(schema, depth + 1)
  return {
    ...withoutBadLimits(rest),
    ...((typeof type === 'string' || isStrings(type)) && { type }),
    ...(isPlainObject(properties) && { properties: mapValues(properties, inner) }),
    ...(isStrings(required) && { required }),
    ...(isPlainObject(items) && { items: inner(items) }),
    ...(Array.isArray(items) && { items: items.map(inner) }),
    ...(Array.isArray(members) && { enum: members }),
    ...(typeof more === 'boolean' && { additionalProperties: more }),
    ...(isPlainObject(more) && { additionalProperties: inner(more) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inner) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map(inner) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(inner) }),
  }
}

/** Tells whether a schema names this JSON type; one without `type` names none. */
export function admits(schema: PropsSchema, type: string): boolean {
  return typeof schema.type === 'string' ? schema.type === type : (schema.type?.includes(type) ?? false)
}

/** The schema of every element of an array, where there is exactly one. */
export function itemSchemaOf(schema: PropsSchema | undefined): PropsSchema | undefined {
  return isOneSchema(schema?.items) ? schema.items : undefined
}

function withoutBadLimits(keywords: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isSound = (name: string, value: unknown) => !limits.has(name) || Number.isFinite(value)
  return Object.fromEntries(Object.entries(keywords).filter(([name, value]) => isSound(name, value)))
}

const limits = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems'])

const isOneSchema = (items: PropsSchema['items']): items is PropsSchema =>
  items !== undefined && !Array.isArray(items)

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const mapValues = <T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
