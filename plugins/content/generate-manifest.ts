import { builtinBlocks } from './blocks/index.ts'
import type { BlockType, Props, PropsSchema, Registry } from './model.ts'
import { mapValues } from './plain-object.ts'
import { itemSchemaOf } from './props-schema.ts'
import { addableTypes } from './registry.ts'

/** One block type of a generated manifest. */
export type GeneratedEntry = Omit<BlockType, 'chrome' | 'starter'> & { readonly defaultProps: Props }

/** A manifest as the orchestrator writes it. */
export type GeneratedManifest = {
  readonly version: 1
  readonly blocks: readonly GeneratedEntry[]
}

/**
 * Writes the manifest of everything that may be added from a registry.
 *
 * The schema of built-in types has their structure only: clients send this document back with each batch, where
 * it becomes what is enforced, and a limit in it would turn the clearing of a text into an error. Types that
 * a site registered keep the schema they came with.
 */
export function generateManifest(registry: Registry): GeneratedManifest {
  return { version: 1, blocks: addableTypes(registry).map(toEntry) }
}

function toEntry({ chrome: _chrome, fields, propsSchema, starter, ...words }: BlockType): GeneratedEntry {
  const schema = builtin.has(words.type) ? structureOf(propsSchema) : propsSchema
  return { ...words, propsSchema: schema, defaultProps: starter(), fields }
}

/** Keeps types, props, rows and closed sets. */
function structureOf({ type, properties, items, enum: members }: PropsSchema): PropsSchema {
  const row = itemSchemaOf({ ...(items && { items }) })
  return {
    ...(type !== undefined && { type }),
    ...(properties && { properties: mapValues(properties, structureOf) }),
    ...(row && { items: structureOf(row) }),
    ...(members && { enum: members }),
  }
}

const builtin = new Set(builtinBlocks.map(({ type }) => type))
