/** The common shapes of operations. Expectations are used in refusals and in the API description. */
import * as v from 'valibot'
import { isPlainObject, plainOnly, reading } from '../plain-object.ts'

/** A non-empty text. */
export function name(wanted: string) {
  const schema = v.pipe(v.string(`wanted ${wanted}`), v.nonEmpty(`wanted ${wanted}`), v.description(wanted))
  return quickly(schema, (value): value is string => typeof value === 'string' && value !== '')
}

/** A position, counted from 0. */
export function index(wanted: string) {
  const message = `wanted ${wanted}: a whole number, 0 or more`
  const schema = v.pipe(v.number(message), v.integer(message), v.minValue(0, message), v.description(wanted))
  return quickly(schema, (value): value is number => Number.isInteger(value) && Number(value) >= 0)
}

/** The shape of one kind of operation; other fields are dropped. */
export function operation<const N extends string, const E extends v.ObjectEntries>(name: N, entries: E) {
  return v.object({ op: v.literal(name), ...entries }, wantedIn(entries, 'an operation'))
}

/** An object with these fields; others are dropped. */
export function object<const E extends v.ObjectEntries>(entries: E, wanted: string) {
  return v.pipe(plainOnly(v.object(entries, wantedIn(entries, wanted))), v.description(wanted))
}

/** An object with these fields, and others, which are kept. */
export function openObject<const E extends v.ObjectEntries>(entries: E, wanted: string) {
  return v.pipe(plainOnly(v.looseObject(entries, wantedIn(entries, wanted))), v.description(wanted))
}

/** An object from any key to values of one schema. */
export function map<S extends v.GenericSchema>(value: S, wanted: string) {
  return v.pipe(plainOnly(v.record(v.string(), value, `wanted ${wanted}`)), v.description(wanted))
}

/** An object of content, which is checked once its block type is known. */
export function content(wanted: string) {
  return quickly(map(v.unknown(), wanted), isPlainObject)
}

/** An optional field; `null` counts as absent. */
export function optional<S extends v.GenericSchema>(wrapped: S): v.OptionalSchema<S, undefined> {
  return reading(v.optional(wrapped), (value) => (value === null ? undefined : value))
}

export const pageSlug = name('the slug of a page, such as "/about"')
export const blockId = name('the id of a block on that page')
export const afterBlockId = optional(name('the id of the block that comes right before'))
export const listKey = name('the name of a list prop, such as "items"')
export const props = content('an object of props')

/** A block as sent. Other keys are content and kept. */
export const block = openObject({
  id: name('an id for the block'),
  type: name('the type of the block, such as "Hero"'),
  props,
}, 'a block: an object with id, type and props')

/** Accepts valid values directly, for speed; the schema runs only to report errors. */
function quickly<S extends v.GenericSchema>(
  schema: S, isRight: (value: unknown) => value is v.InferOutput<S>,
): S {
  const inner = schema['~run']
  const run: typeof inner = (dataset, config) =>
    isRight(dataset.value) ? { typed: true, value: dataset.value } : inner.call(schema, dataset, config)
  return Object.assign(schema, { '~run': run })
}

/** Reports the expected value of a missing field. */
function wantedIn(entries: v.ObjectEntries, wanted: string) {
  return ({ path }: v.BaseIssue<unknown>): string => {
    const field = path?.at(-1)
    const missing = field?.origin === 'key' ? entries[String(field.key)] : undefined
    return missing ? `is missing; wanted ${v.getDescription(missing) ?? missing.expects}` : `wanted ${wanted}`
  }
}
