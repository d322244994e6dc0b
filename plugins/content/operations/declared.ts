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
  return Object.fromEntries(Object.entries(fields).filter(([, { kind }]) => kind === 'reference'))
}
