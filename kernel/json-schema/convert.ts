import {
  toJsonSchema,
  type JsonSchema as WrittenSchema,
  type OverrideActionContext,
  type OverrideSchemaContext,
} from '@valibot/to-json-schema'
import * as v from 'valibot'
import { isSchema, type Schema } from '../schema.ts'
import { mapParts } from './map-parts.ts'
import type { JsonSchema } from './types.ts'

/** Requests are described as they arrive, replies as they leave; they differ if a schema transforms. */
export type Direction = 'input' | 'output'

/** Names recursive schemas, and creates references to them. */
interface Naming {
  nameOf(schema: object, title: string | undefined): string
  refTo(name: string): string
}

/**
 * Converts a valibot schema to JSON Schema; also returns the recursive schemas that it references.
 *
 * Omits rules that JSON Schema cannot express, so the result may accept more than the schema. A schema that
 * cannot be converted accepts anything: a description must never fail.
 */
export function convert(schema: Schema, direction: Direction, naming: Naming) {
  const recursive = new Map<string, JsonSchema>()
  const write = (part: Schema): WrittenSchema => {
    const names = new Map<string, string>()
    const {
      $schema: _,
      $defs = {},
      ...written
    } = toJsonSchema(part, {
      target: 'draft-2020-12',
      typeMode: direction,
      errorMode: 'ignore',
      overrideRef({ referenceId, valibotSchema }) {
        const name = naming.nameOf(valibotSchema, v.getTitle(valibotSchema))
        names.set(referenceId, name)
        return naming.refTo(name)
      },
      overrideSchema,
      overrideAction(context) {
        const { success, output } = v.safeParse(Described, context.valibotAction)
        return success ? write(output.metadata.describedBy) : withoutFlags(context)
      },
    })
    for (const [id, definition] of Object.entries($defs))
      recursive.set(names.get(id) ?? id, toPlain(definition))
    return written
  }
  try {
    return { schema: toPlain(write(schema)), recursive }
  } catch {
    return { schema: anything, recursive: new Map<string, JsonSchema>() }
  }
}

const anything: JsonSchema = { description: 'Any value: its rules cannot be written as a schema.' }

/** The action of a `describedBy` in a pipe. */
const Described = v.object({ metadata: v.object({ describedBy: v.custom<Schema>(isSchema) }) })

function overrideSchema({ valibotSchema, jsonSchema }: OverrideSchemaContext): WrittenSchema | undefined {
  if (valibotSchema.type === 'date') return { type: 'string', format: 'date-time' }
  // A default computed for every request would change every description.
  const made = 'default' in valibotSchema && typeof valibotSchema.default === 'function'
  return made ? { ...jsonSchema, default: undefined } : undefined
}

/** Without its flags, a pattern would refuse values that the schema accepts. */
function withoutFlags({ valibotAction, jsonSchema }: OverrideActionContext): WrittenSchema | undefined {
  const pattern = 'requirement' in valibotAction && valibotAction.requirement
  return pattern instanceof RegExp && /[ims]/.test(pattern.flags)
    ? { ...jsonSchema, pattern: undefined }
    : undefined
}

/** Converts a schema to plain JSON, without redundant keywords. */
function toPlain(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? undefined : value))
  const plain: JsonSchema = JSON.parse(text)
  return tidy(plain)
}

function tidy(schema: JsonSchema): JsonSchema {
  const { required, propertyNames, ...rest } = mapParts(schema, tidy)
  const anyName = propertyNames?.type === 'string' && Object.keys(propertyNames).length === 1
  return {
    ...rest,
    ...(required && required.length > 0 && { required }),
    ...(propertyNames && !anyName && { propertyNames }),
  }
}
