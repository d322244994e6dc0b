/** The keywords of a schema that look at one value only. Each answers what was expected, or nothing. */
import { isDeepStrictEqual } from 'node:util'
import type { PropsSchema } from './model.ts'
import { isPlainObject, ownValue } from './plain-object.ts'
import { admits } from './props-schema.ts'

interface JsonType {
  readonly named: string
  readonly holds: (value: unknown) => boolean
}

const types: Readonly<Record<string, JsonType>> = {
  string: { named: 'a string', holds: (value) => typeof value === 'string' },
  number: { named: 'a number', holds: Number.isFinite },
  integer: { named: 'a number', holds: Number.isFinite },
  boolean: { named: 'true or false', holds: (value) => typeof value === 'boolean' },
  array: { named: 'an array', holds: Array.isArray },
  object: { named: 'an object', holds: isPlainObject },
  null: { named: 'null', holds: (value) => value === null },
}

/** Checks the JSON type; a type that nobody knows accepts anything. */
export function checkType({ type }: PropsSchema, value: unknown): string | undefined {
  if (type === undefined) return undefined
  const wanted = (typeof type === 'string' ? [type] : type).map((name) => ownValue(types, name))
  if (wanted.length === 0 || wanted.some((one) => !one || one.holds(value))) return undefined
  return `must be ${wanted.map((one) => one?.named).join(' or ')}`
}

/** Checks closed sets of values. */
export function checkChoice(schema: PropsSchema, value: unknown): string | undefined {
  if (schema.enum && !schema.enum.some((one) => isDeepStrictEqual(one, value))) {
    return `must be one of ${shown(schema.enum.slice(0, 20))}${schema.enum.length > 20 ? ', …' : ''}`
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

/** Checks the range of a number, its step, and whether it is whole. */
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

const lengthOf = (text: string) => {
  let length = 0
  for (const _character of text) length += 1
  return length
}

const counted = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

const shown = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' && value) || JSON.stringify(value)).join(', ')
