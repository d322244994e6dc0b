import type { PropsSchema } from './model.ts'
import { isPlainObject, mapValues } from './plain-object.ts'

/** The maximum depth of a schema; deeper levels accept anything. */
const deepest = 64

/**
 * Reads an external value as a schema: keywords of the wrong type are omitted, unknown ones preserved.
 *
 * A schema that is not an object (`true`, or an invalid one) accepts anything.
 */
export function toPropsSchema(value: unknown, depth = 0): PropsSchema {
  if (!isPlainObject(value) || depth > deepest) return {}
  const schema: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const read = Object.hasOwn(keywords, name) ? keywords[name] : undefined
    const keyword = read ? read(value[name], depth + 1) : value[name]
    if (keyword !== undefined) schema[name] = keyword
  }
  return schema
}

/** Whether a schema names this JSON type; one without `type` names none. */
export function admits(schema: PropsSchema, type: string): boolean {
  return typeof schema.type === 'string' ? schema.type === type : (schema.type?.includes(type) ?? false)
}

/** Returns the schema of all elements of an array, if there is exactly one. */
export function itemSchemaOf(schema: PropsSchema | undefined): PropsSchema | undefined {
  return isOneSchema(schema?.items) ? schema.items : undefined
}

/** Reads a keyword, or omits it; `depth` is the depth of the schemas inside it. */
type KeywordReader = (keyword: unknown, depth: number) => unknown

const limit: KeywordReader = (keyword) => (Number.isFinite(keyword) ? keyword : undefined)
const schemas: KeywordReader = (keyword, depth) =>
  Array.isArray(keyword) ? keyword.map((one) => toPropsSchema(one, depth)) : undefined
const oneSchema: KeywordReader = (keyword, depth) =>
  isPlainObject(keyword) ? toPropsSchema(keyword, depth) : undefined

const keywords: Readonly<Record<string, KeywordReader>> = {
  type: (keyword) => (typeof keyword === 'string' || isStrings(keyword) ? keyword : undefined),
  properties: (keyword, depth) =>
    isPlainObject(keyword) ? mapValues(keyword, (schema) => toPropsSchema(schema, depth)) : undefined,
  required: (keyword) => (isStrings(keyword) ? keyword : undefined),
  items: (keyword, depth) => schemas(keyword, depth) ?? oneSchema(keyword, depth),
  enum: (keyword) => (Array.isArray(keyword) ? keyword : undefined),
  additionalProperties: (keyword, depth) =>
    typeof keyword === 'boolean' ? keyword : oneSchema(keyword, depth),
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  minLength: limit,
  maxLength: limit,
  minimum: limit,
  maximum: limit,
  multipleOf: limit,
  minItems: limit,
  maxItems: limit,
}

/** Whether all elements of an array have one schema. */
export const isOneSchema = (items: PropsSchema['items']): items is PropsSchema =>
  items !== undefined && !Array.isArray(items)

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
