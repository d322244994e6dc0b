import { isStrict } from '../authority.ts'
import { newViolations, violations, type Violation } from '../check-props.ts'
import { everyItemField, itemFieldSets } from '../fields.ts'
import type { BlockType, Fields, PropsSchema } from '../model.ts'
import { mapValues, ownValue, perObject, picked } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { refuse } from './refuse.ts'
import { spend, type BatchState } from './state.ts'

/** Lists all violations of a schema; refuses the batch if its budget of steps is exceeded. */
export function check(state: BatchState, schema: PropsSchema | undefined, value: unknown, path: string): readonly Violation[] {
  if (!schema) return []
  const found = violations(schema, value, path, state.budget)
  spend(state, 0)
  return found
}

/** The cost of a prop that was not sent. */
export const stepsPerNewProp = 50

/**
 * Refuses a write that violates the rules of its block type; a limit that is not enforced becomes a note.
 *
 * Existing violations at the same path are allowed, so the page stays editable. `stale` returns the
 * violations before the write; it is called only if there are any after it.
 */
export function enforce(
  state: BatchState,
  by: 'manifest' | 'registry',
  found: readonly Violation[],
  { at, subject, stale = () => [] }: {
    /** Maps a path inside the props to one inside the operation. */
    readonly at: (path: string) => string
    /** The subject of the message, if it is not the path. */
    readonly subject?: string
    readonly stale?: () => readonly Violation[]
  },
): void {
  if (found.length === 0) return
  const strict = isStrict(by, state.context.source)
  const fresh = newViolations(stale(), found)
  const wrong = fresh.find(({ level }) => strict || level === 'A')
  if (wrong) {
    const { path, message, kind } = wrong
    refuse('schema_violation', subject ? `${subject} ${message}` : message, { path: at(path), violation: kind })
  }
  for (const { path, message } of fresh) state.notes.push(`${path}: ${message}`)
}

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
export const referencesIn = perObject((fields: Fields): Fields => picked(fields, ({ kind }) => kind === 'reference'))
