import type { JsonSchema, Subschema } from './types.ts'

/** Maps every schema directly inside a schema; keeps data that looks like a schema, such as a default. */
export function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const one = (part: Subschema): Subschema => (typeof part === 'object' ? change(part) : part)
  const { properties, items, prefixItems, additionalProperties, propertyNames, anyOf, oneOf, allOf, not } =
    schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])),
    }),
    ...(items !== undefined && { items: one(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(change) }),
    ...(additionalProperties !== undefined && { additionalProperties: one(additionalProperties) }),
    ...(propertyNames && { propertyNames: change(propertyNames) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
    ...(allOf && { allOf: allOf.map(change) }),
    ...(not && { not: change(not) }),
  }
}
