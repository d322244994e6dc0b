/** The common shapes of operations. Expectations are used in refusals and in the API description. */
import * as v from 'valibot'
import { isPlainObject, plainOnly, type PlainObject } from '../plain-object.ts'

/** A non-empty text. */
export const name = (wanted: string) =>
  v.pipe(v.string(`wanted ${wanted}`), v.nonEmpty(`wanted ${wanted}`), v.description(wanted))

/** A position, counted from 0. */
export function index(wanted: string) {
  const message = `wanted ${wanted}: a whole number, 0 or more`
  return v.pipe(v.number(message), v.integer(message), v.minValue(0, message), v.description(wanted))
}

/** The shape of one kind of operation; other fields are dropped. */
export function operation<const N extends string, const E extends v.ObjectEntries>(name: N, entries: E) {
  return v.object({ op: v.literal(name), ...entries }, wantedIn(entries, 'an operation'))
}

/** An object with these fields; others are dropped. */
export function object<const E extends v.ObjectEntries>(entries: E, wanted: string) {
  const schema = v.pipe(v.object(entries, wantedIn(entries, wanted)), v.description(wanted))
  return plainOnly(schema, `wanted ${wanted}`)
}

/** An object with these fields, and others, which are preserved. */
export function openObject<const E extends v.ObjectEntries>(entries: E, wanted: string) {
  const schema = v.pipe(v.looseObject(entries, wantedIn(entries, wanted)), v.description(wanted))
  return plainOnly(schema, `wanted ${wanted}`)
}

/** An object from any key to values of one schema. */
export function map<const S extends v.GenericSchema>(value: S, wanted: string) {
  return plainOnly(v.pipe(v.record(v.string(), value), v.description(wanted)), `wanted ${wanted}`)
}

/** An object of content, which is checked once its block type is known. */
export function content(wanted: string) {
  const describedBy = v.pipe(v.record(v.string(), v.unknown()), v.description(wanted))
  return v.pipe(v.custom<PlainObject>(isPlainObject, `wanted ${wanted}`), v.metadata({ describedBy }))
}

/** An optional field; `null` counts as absent. */
export function optional<const S extends v.GenericSchema>(wrapped: S) {
  const read = v.transform((value: unknown) => (value === null ? undefined : value))
  return v.optional(v.pipe(v.unknown(), v.metadata({ describedBy: wrapped }), read, v.optional(wrapped)))
}

export const afterPageSlug = optional(name('the slug of the page to come after'))
export const pageSlug = name('the slug of a page, such as "/about"')
export const blockId = name('the id of a block on that page')
export const afterBlockId = optional(name('the id of the block that comes right before'))
export const listKey = name('the name of a list prop, such as "items"')
export const props = content('an object of props')
export const text = v.string('wanted a text')

/** A block as sent. Other keys are content and preserved. */
export const block = openObject(
  { id: name('an id for the block'), type: name('the type of the block, such as "Hero"'), props },
  'a block: an object with id, type and props',
)

/** Reports the expected value of a missing field. */
function wantedIn(entries: v.ObjectEntries, wanted: string) {
  return ({ path }: v.BaseIssue<unknown>): string => {
    const field = path?.at(-1)
    const missing = field?.origin === 'key' ? entries[String(field.key)] : undefined
    return missing ? `is missing; wanted ${wordsOf(missing) ?? missing.expects}` : `wanted ${wanted}`
  }
}

/** The description of a schema, also of a field of content. */
function wordsOf(schema: v.GenericSchema): string | undefined {
  const { describedBy } = v.getMetadata(schema)
  return v.getDescription(schema) ?? (isSchema(describedBy) ? v.getDescription(describedBy) : undefined)
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  isPlainObject(value) && value['kind'] === 'schema'
