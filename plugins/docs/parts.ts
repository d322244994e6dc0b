import { mapValues } from '../content/plain-object.ts'
import type { JsonSchema, Part } from './document.ts'

/** Maps every schema directly inside a schema; keeps data that looks like a schema, such as a default. */
export function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const one = (part: Part): Part => (typeof part === 'object' ? change(part) : part)
  const { properties, items, prefixItems, additionalProperties, propertyNames, anyOf, oneOf, allOf, not } = schema
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, one) }),
    ...(items !== undefined && { items: one(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(one) }),
    ...(additionalProperties !== undefined && { additionalProperties: one(additionalProperties) }),
    ...(propertyNames !== undefined && { propertyNames: one(propertyNames) }),
    ...(anyOf && { anyOf: anyOf.map(one) }),
    ...(oneOf && { oneOf: oneOf.map(one) }),
    ...(allOf && { allOf: allOf.map(one) }),
    ...(not !== undefined && { not: one(not) }),
  }
}

/** A property of an object in a schema. */
export interface Property {
  readonly schema: JsonSchema
  /** True if every object of the schema has the property. */
  readonly required: boolean
}

export type Properties = ReadonlyMap<string, Property>

export type Resolve = (ref: string) => JsonSchema

const none: Properties = new Map()

/** Returns the properties of objects that fit a schema, across references and alternatives. */
export function propertiesOf(schema: JsonSchema, resolve: Resolve, seen: ReadonlySet<string> = new Set()): Properties {
  const of = (part: Part, followed = seen): Properties =>
    typeof part === 'object' ? propertiesOf(part, resolve, followed) : none
  const { $ref, properties = {}, required = [], anyOf, oneOf, allOf = [] } = schema
  const own = Object.entries(properties).map(([name, part]): [string, Property] => [
    name,
    { schema: typeof part === 'object' ? part : {}, required: required.includes(name) },
  ])
  const referred = $ref === undefined || seen.has($ref) ? none : of(resolve($ref), new Set([...seen, $ref]))
  const either = (anyOf ?? oneOf ?? []).map((part) => of(part))
  const alternatives = either.flatMap((each) => [...each]).map(([name, property]): [string, Property] => [
    name,
    { ...property, required: either.every((each) => each.get(name)?.required) },
  ])
  return new Map([...alternatives, ...referred, ...allOf.flatMap((part) => [...of(part)]), ...own])
}
