import * as v from 'valibot'
import type { Schema } from '../schema.ts'
import type { JsonSchema } from './types.ts'

export { mapParts } from './map-parts.ts'
export type { JsonSchema, Subschema } from './types.ts'

/**
 * Describes a value that its schema accepts unparsed, because it is parsed later.
 *
 * Used as in `v.pipe(v.unknown(), describedBy(v.array(Operation)))`. Accepts the same values as before.
 */
export function describedBy<T, S extends Schema>(
  schema: S,
): v.MetadataAction<T, { readonly describedBy: S }> {
  return v.metadata({ describedBy: schema })
}

/**
 * Converts a schema to JSON Schema, which may accept more than the schema.
 *
 * Imports the converter on first use. Not for recursive schemas.
 */
export async function toJsonSchema(
  schema: Schema,
  direction: 'input' | 'output' = 'input',
): Promise<JsonSchema> {
  const convert = await loadConvert()
  return convert(schema, direction, {
    nameOf: (_, title) => title ?? 'Part',
    refTo: (name) => `#/$defs/${name}`,
  }).schema
}

/** Imports the synchronous converter, for documents that name the recursive schemas of many schemas. */
export async function loadConvert() {
  return (await import('./convert.ts')).convert
}
