import { enforcedLevel } from '../authority.ts'
import { newViolations, violations, type Violation } from '../check-props.ts'
import { everyItemField } from '../fields.ts'
import type { BlockType, FieldMeta, Fields, PropsSchema } from '../model.ts'
import { mapValues, ownValue, perObject, picked } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { refuse } from './refuse.ts'
import { spend, type BatchState } from './state.ts'

/** Lists everything in which a value violates a schema; refuses the batch where that is more work than it may cause. */
export function check(state: BatchState, schema: PropsSchema | undefined, value: unknown, path: string): readonly Violation[] {
  if (!schema) return []
  const found = violations(schema, value, path, state.budget)
  spend(state, 0)
  return found
}

/** What a prop costs that was not sent. */
export const stepsPerNewProp = 50

/**
 * Refuses a write that breaks the rules of its block type; where a limit is only advice, it becomes a note.
 *
 * What was wrong at the same path before stays allowed: a page with an old mistake must stay editable. So
 * `stale`, the violations before the write, is asked for only when there are any after it.
 */
export function enforce(
  state: BatchState,
  by: 'manifest' | 'registry',
  found: readonly Violation[],
  { at, subject, stale = () => [] }: {
    /** Turns a path inside the props into one inside the operation. */
    readonly at: (path: string) => string
    /** What the message is about, where the path does not say it. */
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
 * It is the declared one, except that it leaves two things to the operations, which have rules of their own for
 * them: pointers into the CMS, and the prop that selects the branch of a row.
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

/** The fields of rows of any branch; what is a pointer in one of them is left open in all. */
function rowFields(list: FieldMeta): Fields {
  const { itemFields = {}, itemFieldsByType = {} } = list
  const branches = [itemFields, ...Object.values(itemFieldsByType)]
  return Object.assign(everyItemField(list), ...branches.map(referencesIn))
}

/** The fields that point into the CMS; a row is asked for them each time that it is written. */
export const referencesIn = perObject((fields: Fields): Fields => picked(fields, ({ kind }) => kind === 'reference'))
