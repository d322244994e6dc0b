import type { JsonSchema, Part } from '../../plugins/docs/document.ts'
import type { Resolve } from '../../plugins/docs/parts.ts'

/** The first four do not restrict values. */
const understood = new Set(
  (
    'title description default examples $ref const enum type format pattern minLength maxLength minimum ' +
    'maximum exclusiveMinimum exclusiveMaximum items prefixItems minItems maxItems properties required ' +
    'additionalProperties propertyNames anyOf oneOf allOf not'
  ).split(' '),
)

/**
 * Lists where a value does not fit a schema, each entry with its path; empty when it fits.
 *
 * Throws on an unknown keyword, so that no restriction is skipped.
 */
export function misfits(schema: Part, value: unknown, resolve: Resolve, at = '$'): readonly string[] {
  if (typeof schema === 'boolean') return schema ? [] : [`${at}: nothing may be here`]
  const unknown = Object.keys(schema).find((keyword) => !understood.has(keyword))
  if (unknown !== undefined) throw new Error(`${at}: the keyword '${unknown}' is not understood`)
  const inside: Inside = (part, member, place) => misfits(part, member, resolve, place)
  const here = (part: Part): readonly string[] => inside(part, value, at)
  const { $ref, anyOf, oneOf, allOf = [], not } = schema
  const choices = anyOf ?? oneOf
  return [
    ...($ref === undefined ? [] : here(resolve($ref))),
    ...ofValue(schema, value, at),
    ...allOf.flatMap(here),
    ...(choices ? noneOf(choices.map(here), at) : []),
    ...(not !== undefined && here(not).length === 0 ? [`${at}: fits what it must not fit`] : []),
    ...(Array.isArray(value) ? itemsOf(schema, value, at, inside) : []),
    ...(isObject(value) ? membersOf(schema, value, at, inside) : []),
  ]
}

type Inside = (part: Part, value: unknown, at: string) => readonly string[]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** When all alternatives fail, reports the closest one. */
function noneOf(failures: readonly (readonly string[])[], at: string): readonly string[] {
  if (failures.some((failure) => failure.length === 0)) return []
  const closest = failures.toSorted((a, b) => a.length - b.length)[0] ?? []
  return [`${at}: fits none of ${failures.length} alternatives`, ...closest]
}

function ofValue(schema: JsonSchema, value: unknown, at: string): readonly string[] {
  const { type, enum: options, minLength = 0, maxLength = Infinity, pattern, format } = schema
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
  } = schema
  const types = typeof type === 'string' ? [type] : type
  const checks: readonly (readonly [isBroken: boolean, wanted: string])[] = [
    [types !== undefined && !types.some((name) => isOf(name, value)), `wanted ${types?.join(' or ')}`],
    ['const' in schema && value !== schema.const, `wanted ${JSON.stringify(schema.const)}`],
    [options !== undefined && !options.includes(value), `wanted one of ${options?.join(', ')}`],
    [
      typeof value === 'string' && (value.length < minLength || value.length > maxLength),
      `wanted ${minLength} to ${maxLength} characters`,
    ],
    [
      typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value),
      `wanted a text like ${pattern}`,
    ],
    [typeof value === 'string' && format === 'date-time' && Number.isNaN(Date.parse(value)), 'wanted a time'],
    [typeof value === 'number' && (value < minimum || value > maximum), `wanted ${minimum} to ${maximum}`],
    [
      typeof value === 'number' && (value <= exclusiveMinimum || value >= exclusiveMaximum),
      'wanted another number',
    ],
  ]
  return checks.flatMap(([isBroken, wanted]) =>
    isBroken ? [`${at}: ${wanted}, got ${JSON.stringify(value)}`] : [],
  )
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

function itemsOf(
  schema: JsonSchema,
  value: readonly unknown[],
  at: string,
  inside: Inside,
): readonly string[] {
  const { items = true, prefixItems = [], minItems = 0, maxItems = Infinity } = schema
  const wrong = value.flatMap((item, index) => inside(prefixItems[index] ?? items, item, `${at}[${index}]`))
  return value.length < minItems || value.length > maxItems
    ? [`${at}: wanted ${minItems} to ${maxItems} items`, ...wrong]
    : wrong
}

function membersOf(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  at: string,
  inside: Inside,
): readonly string[] {
  const { properties = {}, required = [], additionalProperties = true, propertyNames = true } = schema
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${at}.${name}: is missing`)
  const members = Object.entries(value).flatMap(([name, member]) => [
    ...inside(propertyNames, name, `${at} key ${name}`),
    ...inside(properties[name] ?? additionalProperties, member, `${at}.${name}`),
  ])
  return [...missing, ...members]
}
