import { isStrict } from '../registry.ts'
import { newViolations, violations, type Violation } from '../check-props.ts'
import { everyItemField, isText, itemFieldSets } from '../fields.ts'
import type { BlockType, Fields, Props, PropsSchema } from '../model.ts'
import { isPlainObject, mapValues, ownValue, perObject, picked } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { refuse } from './refuse.ts'
import { spend, type BatchState } from './state.ts'

/** Lists all violations of a schema; refuses the batch if its budget of steps is exceeded. */
export function check(
  state: BatchState,
  schema: PropsSchema | undefined,
  value: unknown,
  path: string,
): readonly Violation[] {
  if (!schema || value === undefined) return []
  const found = violations(schema, value, path, state.budget)
  spend(state, 0)
  return found
}

/** A written value, and what is known about it. */
interface Written {
  /** The source of the rules. */
  readonly by: 'manifest' | 'registry'
  readonly schema: PropsSchema | undefined
  /** The path of the value inside the props. */
  readonly at: string
  readonly after: unknown
  /** The value before; its violations are allowed to stay, so the page remains editable. */
  readonly before?: unknown
  /** Maps a path inside the props to one inside the operation. */
  readonly pathInOp: (path: string) => string
  /** The subject of the message, if it is not the path. */
  readonly subject?: string
  /**
   * The fields of a new block or row: its empty texts may be written later, whatever the schema wants of a
   * text.
   */
  readonly unwritten?: Fields | undefined
}

/** Refuses a write that violates its schema; a limit that is not enforced becomes a note. */
export function enforce(state: BatchState, written: Written): void {
  const { by, schema, at, after, before, pathInOp, subject, unwritten = {} } = written
  const waits = new Set(isPlainObject(after) ? emptyTexts(unwritten, after).map(pathIn(at)) : [])
  const found = check(state, schema, after, at).filter(({ path, level }) => level === 'A' || !waits.has(path))
  if (found.length === 0) return
  const strict = isStrict(by, state.context.source)
  const fresh = newViolations(check(state, schema, before, at), found)
  const wrong = fresh.find(({ level }) => strict || level === 'A')
  if (wrong) {
    const { path, message, kind } = wrong
    const details = { path: pathInOp(path), violation: kind }
    refuse('schema_violation', subject ? `${subject} ${message}` : message, details)
  }
  for (const { path, message } of fresh) state.notes.push(`${path}: ${message}`)
}

const emptyTexts = (fields: Fields, value: Props): readonly string[] =>
  Object.keys(fields).filter((name) => value[name] === '' && isText(fields[name]))

const pathIn =
  (at: string) =>
  (name: string): string =>
    at === '' ? name : `${at}.${name}`

/**
 * Returns the schema for checks of a write to a block: the declared schema, except for references into the
 * CMS and the prop that selects the branch of a row. The operations check these two themselves.
 */
export const enforcedSchema = perObject(({ propsSchema, fields }: BlockType) => opened(propsSchema, fields))

function opened(schema: PropsSchema, fields: Fields, discriminator?: string): PropsSchema {
  if (!schema.properties) return schema
  const properties = mapValues(schema.properties, (property, name): PropsSchema => {
    const meta = ownValue(fields, name)
    if (name === discriminator || meta?.kind === 'reference') return {}
    const row = itemSchemaOf(property)
    if (!meta || !row) return property
    // A reference in one branch is unchecked in all branches.
    const rowFields = Object.assign(everyItemField(meta), ...itemFieldSets(meta).map(referencesIn))
    return { ...property, items: opened(row, rowFields, meta.discriminator) }
  })
  const required = schema.required?.filter((name) => name !== discriminator)
  return { ...schema, properties, ...(required && { required }) }
}

/** Returns the fields that are references into the CMS; cached, because every write of a row needs them. */
export const referencesIn = perObject((fields: Fields): Fields =>
  picked(fields, ({ kind }) => kind === 'reference'),
)
