import type { JsonSchema } from '../../../kernel/index.ts'
import { propertiesOf, type Resolve } from '../parts.ts'

/** Texts by name that work on a new service. */
const byName = new Map([
  ['session', 'dev'],
  ['siteId', 'demo'],
  ['slug', '/'],
  ['pageSlug', '/'],
])

/**
 * Builds a small value that fits a schema, with properties that are required or have an example.
 *
 * Prefers an example or default of the schema; a text with a pattern or a length needs one.
 */
export function exampleOf(
  schema: JsonSchema,
  resolve: Resolve,
  name = '',
  seen: ReadonlySet<string> = new Set(),
): unknown {
  const of = (part: JsonSchema, named: string): unknown => exampleOf(part, resolve, named, seen)
  const { $ref, examples = [], enum: options = [], anyOf, oneOf, items } = schema
  const given = [...examples, schema.default, schema.const, ...options].find((value) => value !== undefined)
  if (given !== undefined) return given
  if ($ref !== undefined)
    return seen.has($ref) ? {} : exampleOf(resolve($ref), resolve, name, new Set([...seen, $ref]))
  const choices = anyOf ?? oneOf
  if (choices) return of(choices.find(({ type }) => type !== 'null') ?? {}, name)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return typeof items === 'object' ? [of(items, '')] : []
    case 'string':
      return schema.format === 'date-time' ? '2026-01-01T12:00:00.000Z' : (byName.get(name) ?? 'text')
  }
  const shown = [...propertiesOf(schema, resolve)].filter(
    ([, property]) => property.required || property.schema.examples !== undefined,
  )
  return Object.fromEntries(shown.map(([key, property]) => [key, of(property.schema, key)]))
}
