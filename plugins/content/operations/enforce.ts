import { enforcedLevel } from '../authority.ts'
import { newViolations, violations, type Violation } from '../check-props.ts'
import { everyItemField } from '../fields.ts'
import type { BlockType, FieldMeta, Fields, PropsSchema } from '../model.ts'
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
 * Existing violations at the same path stay allowed, so that the page stays editable. So
 * `stale`, the violations before the write, is called only if there are any after it.
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
  const { enforced, noted } = enforcedLevel(by, state.context.source)
  const fresh = newViolations(stale(), found)
  const wrong = fresh.find(({ level }) => enforced.includes(level))
  if (wrong) refuse('schema_violation', subject ? `${subject} ${wrong.message}` : wrong.message, { path: at(wrong.path), violation: wrong.kind })
  for (const { path, message, level } of fresh) {
    if (noted.includes(level)) state.notes.push(`${path}: ${message}`)
  }
}

/**
 * The schema that a write to a block is checked against.
 *
 * It is the declared one, except for two things that the operations check
 * themselves: references into the CMS, and the prop that selects the branch of a row.
 */
export const enforcedSchema = perObject(({ propsSchema, fields }: BlockType) => opened(propsSchema, fields))

function opened(schema: PropsSchema, fields: Fields, discriminator?: string): PropsSchema {
  if (!schema.properties) return schema
  const properties = mapValues(schema.properties, (property, name): PropsSchema => {
    const meta = ownValue(fields, name)
    if (name === discriminator || meta?.kind === 'reference') return {}
    const row = itemSchemaOf(property)
    return meta && row ? { ...property, items: opened(row, rowFields(meta), meta.discriminator) } : property
  })
  const required = schema.required?.filter((name) => name !== discriminator)
  return { ...schema, properties, ...(required && { required }) }
}

/** The fields of rows of any branch; a reference in one of them is left open in all. */
function rowFields(list: FieldMeta): Fields {
  const { itemFields = {}, itemFieldsByType = {} } = list
  const branches = [itemFields, ...Object.values(itemFieldsByType)]
  return Object.assign(everyItemField(list), ...branches.map(referencesIn))
}

/** The references into the CMS among fields; cached, because every write of a row needs them. */
export const referencesIn = perObject((fields: Fields): Fields => picked(fields, ({ kind }) => kind === 'reference'))
