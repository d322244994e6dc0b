import * as v from 'valibot'
import {
  isPlainObject,
  mapValues,
  ownValue,
  parsedJson,
  picked,
  type PlainObject,
} from '../../content/plain-object.ts'

type Entries = Readonly<Record<string, v.GenericSchema>>

/** The names of tools, and those of the API for the same. */
const otherNames: readonly (readonly [tool: string, api: string])[] = [
  ['slug', 'pageSlug'],
  ['newSlug', 'newPageSlug'],
  ['afterSlug', 'afterPageSlug'],
]
/** Objects of the API whose fields are arguments of tools. */
const wrappers = ['patch', 'page'] as const
/** The levels of JSON text in JSON text. */
const maxRounds = 4

/**
 * Reads arguments as hosts send them: under the names of the tool or of the API, and with lists, objects, numbers and
 * booleans that arrived as JSON text. A text stays one wherever the schema accepts it.
 */
export function readArguments(entries: Entries, args: unknown): unknown {
  if (!isPlainObject(args)) return args
  const named = withOwnNames(entries, unwrapped(entries, args))
  return withJsonRead(v.object(mapValues(entries, describedBy)), named)
}

function unwrapped(entries: Entries, args: PlainObject): PlainObject {
  let own = args
  for (const wrapper of wrappers) {
    if (Object.hasOwn(entries, wrapper) || !Object.hasOwn(own, wrapper)) continue
    const given = own[wrapper]
    const fields = typeof given === 'string' ? parsedJson(given) : given
    if (isPlainObject(fields)) own = { ...fields, ...picked(own, (_, name) => name !== wrapper) }
  }
  return own
}

function withOwnNames(entries: Entries, args: PlainObject): PlainObject {
  const renamed = Object.entries(args).map(([name, value]) => {
    const pair = otherNames.find((names) => names.includes(name))
    const other = pair?.find((each) => each !== name)
    const isOther = other !== undefined && !Object.hasOwn(entries, name) && Object.hasOwn(entries, other)
    return [isOther && !Object.hasOwn(args, other) ? other : name, value] as const
  })
  return Object.fromEntries(renamed)
}

/** Returns the schema that says more about a value than the one that checks it, if there is one. */
function describedBy(schema: v.GenericSchema): v.GenericSchema {
  const described = ownValue(v.getMetadata(schema), 'describedBy')
  return isSchema(described) ? described : schema
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  isPlainObject(value) && value['kind'] === 'schema'

function withJsonRead(schema: v.GenericSchema, args: PlainObject): PlainObject {
  let read = args
  for (let round = 0; round < maxRounds; round++) {
    const texts = (v.safeParse(schema, read).issues ?? []).flatMap(({ kind, input, path }) => {
      const value = kind === 'schema' && typeof input === 'string' ? parsedJson(input) : undefined
      return value === undefined || value === null || typeof value === 'string' ? [] : [{ path, value }]
    })
    if (texts.length === 0) break
    for (const { path = [], value } of texts)
      read = Object(
        replaced(
          read,
          path.map(({ key }) => key),
          value,
        ),
      )
  }
  return read
}

/** Copies a value with another one at a path. */
function replaced(value: unknown, path: readonly unknown[], by: unknown): unknown {
  if (path.length === 0) return by
  const [key, ...rest] = path
  if (Array.isArray(value)) return value.map((each, at) => (at === key ? replaced(each, rest, by) : each))
  const fields = Object(value)
  return { ...fields, [String(key)]: replaced(fields[String(key)], rest, by) }
}
