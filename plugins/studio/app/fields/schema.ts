/** What a field needs to know of the schema of its block type, which comes from a website. */
import { isRow } from '../stores/place.ts'

export interface Schema {
  readonly types: ReadonlySet<string>
  readonly minLength: number
  readonly maxLength: number
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  /** The schema of a property. */
  readonly property: (name: string) => Schema
  /** The schema of the elements of a list. */
  readonly items: () => Schema
}

/** Reads a JSON schema; what it does not say is open. */
export function readSchema(source: unknown): Schema {
  const schema = isRow(source) ? source : {}
  const number = (name: string): number | undefined => {
    const value = schema[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  const { type, properties, items } = schema
  return {
    types: new Set((Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string')),
    minLength: number('minLength') ?? 0,
    maxLength: number('maxLength') ?? Infinity,
    minimum: number('minimum'),
    maximum: number('maximum'),
    property: (name) =>
      readSchema(isRow(properties) && Object.hasOwn(properties, name) ? properties[name] : {}),
    items: () => readSchema(items),
  }
}
