import * as v from 'valibot'
import type { Schema } from '../../kernel/index.ts'
import type { JsonSchema } from './document.ts'

export type { JsonSchema } from './document.ts'

/**
 * Describes a value that its own schema lets through unread, because a parser of its own reads it later.
 *
 * As in `v.pipe(v.unknown(), describedBy(v.array(Operation)))`. It changes nothing about what is accepted.
 */
export function describedBy<T, S extends Schema>(schema: S): v.MetadataAction<T, { readonly describedBy: S }> {
  return v.metadata({ describedBy: schema })
}

/**
 * Writes a schema of what comes in as JSON Schema, which may admit more than the schema does.
 *
 * The converter is loaded on first use: a start does not need it. For schemas that do not contain
 * themselves.
 */
export async function toJsonSchema(schema: Schema): Promise<JsonSchema> {
  const { convert } = await import('./convert.ts')
  return convert(schema, 'input', { nameOf: (_, title) => title ?? 'Part', refTo: (name) => `#/$defs/${name}` }).schema
}
