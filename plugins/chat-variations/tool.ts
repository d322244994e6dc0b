import { effectiveItemFields, everyItemField, isDeclaredList } from '../content/fields.ts'
import type { BlockType, FieldMeta, Fields, Props, PropsSchema } from '../content/model.ts'
import { isPlainObject, mapValues, ownValue } from '../content/plain-object.ts'
import { itemSchemaOf } from '../content/props-schema.ts'
import { type ModelTool, stableJson } from '../llm/port.ts'
import { writtenFields } from './fields.ts'

export const variationToolName = 'submit_variations'

/** Keywords shown to a model. Titles and descriptions are words of the site, shown elsewhere as data. */
const keywords = ['type', 'enum', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const

/** Returns the tool for submitting variations; a patch has the props that may vary, as declared. */
export function variationTool({ propsSchema }: Pick<BlockType, 'propsSchema'>, fields: Fields, count: number): ModelTool {
  const text = (description: string) => ({ type: 'string', description })
  const variation = {
    type: 'object',
    properties: {
      title: text('A name of two to five words for this variation.'),
      summary: text('One sentence on what is different.'),
      patch: objectOf(fields, propsSchema),
    },
    required: ['title', 'summary', 'patch'],
    additionalProperties: false,
  }
  const input = {
    type: 'object',
    properties: { variations: { type: 'array', items: variation, description: `At most ${count}.` } },
    required: ['variations'],
    additionalProperties: false,
  }
  return { name: variationToolName, description: 'Hands in the variations of the block.', input: JSON.parse(stableJson(input)) }
}

function objectOf(fields: Fields, schema: PropsSchema | undefined): Readonly<Record<string, unknown>> {
  const properties = mapValues(fields, (meta, name) => schemaOf(meta, ownValue(schema?.properties, name)))
  return { type: 'object', properties, additionalProperties: false }
}

function schemaOf(meta: FieldMeta, schema: PropsSchema = {}): Readonly<Record<string, unknown>> {
  const own = Object.fromEntries(keywords.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]))
  const row = itemSchemaOf(schema)
  const rowFields = writtenFields(everyItemField(meta))
  if (isDeclaredList(meta)) return { ...own, type: 'array', items: objectOf(rowFields, row) }
  return row ? { ...own, items: schemaOf({ kind: 'text' }, row) } : own
}

/** Removes undeclared fields from a patch, also in rows. Rows keep their place, so they need no key. */
export function withinFields(patch: Props, fields: Fields): Props {
  return Object.fromEntries(Object.entries(patch).flatMap(([name, value]) => {
    const meta = ownValue(fields, name)
    if (!meta) return []
    if (!isDeclaredList(meta) || !Array.isArray(value)) return [[name, value]]
    const within = (row: unknown) => (isPlainObject(row) ? withinFields(row, writtenFields(effectiveItemFields(meta, row))) : row)
    return [[name, value.map(within)]]
  }))
}
