import type { FieldMeta, Fields, PropsSchema } from '../model.ts'

/** The metadata of a prop; never what every object inherits, such as `constructor`. */
export function fieldOf(fields: Fields, name: string): FieldMeta | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** The schema of a prop, where its object's schema has one. */
export function propertyOf(schema: PropsSchema | undefined, name: string): PropsSchema | undefined {
  return schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
}

/** The fields that point into the CMS. */
export function referencesIn(fields: Fields): Fields {
  let found = references.get(fields)
  if (!found) references.set(fields, (found = ofKind(fields, 'reference')))
  return found
}

/** A row is asked for them each time that it is written. */
const references = new WeakMap<Fields, Fields>()

const ofKind = (fields: Fields, kind: FieldMeta['kind']): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, meta]) => meta.kind === kind))
