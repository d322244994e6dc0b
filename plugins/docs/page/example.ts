import type { JsonSchema } from '../document.ts'
import { propertiesOf, type Resolve } from '../parts.ts'

/** Values by name that work on a new service. */
const byName = new Map([
  ['session', 'dev'],
  ['siteId', 'demo'],
  ['slug', '/'],
  ['pageSlug', '/'],
])

const byFormat = new Map([
  ['date-time', '2026-01-01T12:00:00.000Z'],
  ['date', '2026-01-01'],
  ['time', '12:00'],
  ['uri', 'https://example.com/'],
  ['email', 'someone@example.com'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
])

/** Texts to try against lengths and patterns, in this order. */
const texts = ['text', 'home', '/', 'a', 'A', '1', '#000000', 'A-1'] as const

/** The references above a schema. */
type Seen = ReadonlySet<string>

/**
 * Builds a small value that fits a schema, with properties that are required or have an example.
 *
 * Prefers an example or default of the schema. Supports only patterns that match one of a few common texts.
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve, name = '', seen: Seen = new Set()): unknown {
  const of = (part: JsonSchema, named = name): unknown => exampleOf(part, resolve, named, seen)
  const { $ref, examples = [], enum: options = [], type, anyOf, oneOf, allOf } = schema
  const given = [...examples, schema.default, schema.const, ...options].find((value) => value !== undefined)
  if (given !== undefined) return given
  if ($ref !== undefined)
    return seen.has($ref) ? {} : exampleOf(resolve($ref), resolve, name, new Set([...seen, $ref]))
  const choices = anyOf ?? oneOf
  if (choices) return of(bestOf(choices, seen))
  switch (typeof type === 'object' ? type[0] : type) {
    case 'integer':
    case 'number':
      return toNumber(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return itemsOf(schema, seen).map((item) => of(item, ''))
    case 'object':
      return toObject(schema, resolve, of)
    default:
      return allOf ? toObject(schema, resolve, of) : toText(schema, name)
  }
}

/** Chooses the alternative to show: preferably not null, and not recursive. */
function bestOf(choices: readonly JsonSchema[], seen: Seen): JsonSchema {
  const ending = choices.filter((part) => !isRecursive(part, seen))
  return ending.find((part) => part.type !== 'null') ?? ending[0] ?? {}
}

/** Returns the schemas of the items to show: the minimum number, and at least one unless it is recursive. */
function itemsOf({ items, prefixItems, minItems = 0, maxItems = Infinity }: JsonSchema, seen: Seen) {
  if (prefixItems) return prefixItems
  const item = typeof items === 'object' ? items : {}
  const wanted = isRecursive(item, seen) ? minItems : Math.max(1, minItems)
  return Array.from({ length: Math.min(wanted, maxItems, 100) }, () => item)
}

const isRecursive = ({ $ref }: JsonSchema, seen: Seen): boolean => $ref !== undefined && seen.has($ref)

function toObject(
  schema: JsonSchema,
  resolve: Resolve,
  of: (part: JsonSchema, name: string) => unknown,
): unknown {
  const shown = [...propertiesOf(schema, resolve)].filter(
    ([, property]) => property.required || property.schema.examples !== undefined,
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, of(property.schema, name)]))
}

function toText(
  { format = '', pattern, minLength = 0, maxLength = Infinity }: JsonSchema,
  name: string,
): string {
  const named = byName.get(name)
  const wanted = (named === undefined ? texts : [named, ...texts]).map((text) =>
    text.padEnd(Math.min(minLength, 100), text),
  )
  const fits = (text: string): boolean =>
    text.length <= maxLength && (pattern === undefined || matches(pattern, text))
  return byFormat.get(format) ?? wanted.find(fits) ?? 'text'
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

function toNumber({
  minimum = -Infinity,
  maximum = Infinity,
  exclusiveMinimum,
  exclusiveMaximum,
}: JsonSchema): number {
  const over = Math.max(minimum, exclusiveMinimum ?? -Infinity)
  const under = Math.min(maximum, exclusiveMaximum ?? Infinity)
  const lowest = exclusiveMinimum === over ? over + 1 : over
  const highest = exclusiveMaximum === under ? under - 1 : under
  return lowest <= highest ? Math.max(lowest, Math.min(1, highest)) : (over + under) / 2
}
