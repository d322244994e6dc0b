import { builtinBlocks } from './blocks/index.ts'
import type { BlockCategory, BlockType, Fields, Props, PropsSchema, Registry } from './model.ts'
import { mapValues } from './plain-object.ts'
import { itemSchemaOf } from './props-schema.ts'
import { addableTypes } from './registry.ts'

/** One block type of a generated manifest. */
export type GeneratedEntry = {
  readonly type: string
  readonly displayName: string
  readonly description?: string
  readonly category?: BlockCategory
  readonly propsSchema: PropsSchema
  readonly defaultProps: Props
  readonly fields: Fields
}

/** A manifest as the orchestrator writes it. */
export type GeneratedManifest = {
  readonly version: 1
  readonly blocks: readonly GeneratedEntry[]
}

/**
 * Writes the manifest of everything that may be added from a registry.
 *
 * Of built-in types the schema tells structure only: clients send this document back with each batch, where
 * it becomes what is enforced, and a limit in it would turn the clearing of a text into an error. Types that
 * a site registered keep the schema they came with.
 */
export function generateManifest(registry: Registry): GeneratedManifest {
  return { version: 1, blocks: addableTypes(registry).map(toEntry) }
}

function toEntry(blockType: BlockType): GeneratedEntry {
  const { type, displayName, description, category, propsSchema, starter, fields } = blockType
  return {
    type,
    displayName,
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
    propsSchema: builtin.has(type) ? structureOf(propsSchema) : propsSchema,
    defaultProps: starter(),
    fields,
  }
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
