/** Schema keywords that check a single value. Each returns the expectation that failed, or nothing. */
import { isDeepStrictEqual } from 'node:util'
import type { PropsSchema } from './model.ts'
import { isPlainObject, ownValue, perObject } from './plain-object.ts'
import { admits } from './props-schema.ts'
import { shortened } from './words.ts'

const types: Readonly<
  Record<string, { readonly named: string; readonly holds: (value: unknown) => boolean }>
> = {
  string: { named: 'a string', holds: (value) => typeof value === 'string' },
  number: { named: 'a number', holds: Number.isFinite },
  integer: { named: 'a number', holds: Number.isFinite },
  boolean: { named: 'true or false', holds: (value) => typeof value === 'boolean' },
  array: { named: 'an array', holds: Array.isArray },
  object: { named: 'an object', holds: isPlainObject },
  null: { named: 'null', holds: (value) => value === null },
}

/** Returns the steps taken by keywords whose cost grows with the schema. */
export function stepsOf({ type, required, enum: members, const: only }: PropsSchema, value: unknown): number {
  const named = typeof type === 'object' ? type.length : 0
  const isCompound = typeof value === 'object' && value !== null
  return (
    1 +
    named +
    (isPlainObject(value) ? (required?.length ?? 0) : 0) +
    (isCompound ? valuesIn(members) + valuesIn(only) : 0)
  )
}

/** Checks the JSON type; an unknown type accepts anything. */
export function checkType({ type }: PropsSchema, value: unknown): string | undefined {
  if (type === undefined) return undefined
  const wanted =
    typeof type === 'string'
      ? [ownValue(types, type)]
      : [...new Set(type)].map((name) => ownValue(types, name))
  if (wanted.length === 0 || wanted.some((one) => !one || one.holds(value))) return undefined
  return `must be ${wanted.map((one) => one?.named).join(' or ')}`
}

/** Checks closed sets of values. */
export function checkChoice(schema: PropsSchema, value: unknown): string | undefined {
  if (schema.enum) {
    const { scalars, others, message } = choicesIn(schema.enum)
    if (!scalars.has(value) && !others.some((one) => isDeepStrictEqual(one, value))) return message
  }
  if (!('const' in schema) || isDeepStrictEqual(schema.const, value)) return undefined
  return `must be ${shown([schema.const])}`
}

/** Checks the length of a text, in characters and not in bytes. */
export function checkString(schema: PropsSchema, value: string): string | undefined {
  const { minLength = 0, maxLength = Infinity } = schema
  if (value.length < minLength || (minLength > 1 && lengthOf(value) < minLength)) {
    return minLength <= 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  }
  const isTooLong = value.length > maxLength && lengthOf(value) > maxLength
  return isTooLong ? `must have at most ${maxLength} characters` : undefined
}

/** Checks the range and the step of a number, and whether it is an integer. */
export function checkNumber(schema: PropsSchema, value: number): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, multipleOf = 0 } = schema
  const isWhole = admits(schema, 'integer') && !admits(schema, 'number')
  if (isWhole && !Number.isInteger(value)) return 'must be a whole number'
  if (value < minimum) return `must be at least ${minimum}`
  if (value > maximum) return `must be at most ${maximum}`
  const steps = value / multipleOf
  const rest = Math.abs(steps - Math.round(steps))
  const isBetween = multipleOf > 0 && rest > 1e-9 * Math.max(1, Math.abs(steps))
  return isBetween ? `must be a multiple of ${multipleOf}` : undefined
}

/** Checks the number of elements. */
export function checkArray(schema: PropsSchema, { length }: readonly unknown[]): string | undefined {
  const { minItems = 0, maxItems = Infinity } = schema
  if (length < minItems) return `must have at least ${counted(minItems)}`
  return length > maxItems ? `must have at most ${counted(maxItems)}` : undefined
}

/** Returns the length of a text in Unicode code points. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _character of text) length += 1
  return length
}

const counted = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** A closed set, prepared for repeated lookups. */
const choicesIn = perObject((members: readonly unknown[]) => ({
  scalars: new Set(members),
  others: members.filter((one) => typeof one === 'object' && one !== null),
  message: `must be one of ${shown(members.slice(0, 20))}${members.length > 20 ? ', …' : ''}`,
}))

/** The number of values inside a value; 0 for a scalar. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null ? countIn(value) : 0

const countIn = perObject((value: object) =>
  Object.values(value).reduce<number>((sum, one: unknown) => sum + 1 + valuesIn(one), 0),
)

const longestShown = 100

const shown = (values: readonly unknown[]) => values.map(textOf).join(', ')

/** Formats a value as text, truncated if long. Objects and arrays are serialized once. */
function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return writtenOut(value)
  return shortened((typeof value === 'string' && value) || JSON.stringify(value), longestShown)
}

const writtenOut = perObject((value: object) => shortened(JSON.stringify(value), longestShown))
