import { everyItemField } from '../fields.ts'
import type { BlockType, FieldMeta, Fields, PropsSchema } from '../model.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { fieldOf, referencesIn } from './declared.ts'

const prepared = new WeakMap<BlockType, PropsSchema>()

/**
 * The schema that a write to a block is checked against.
 *
 * It is the declared one, except that it leaves two things to the operations, which have rules of their own for
 * them: pointers into the CMS, and the prop that selects the branch of a row.
 */
export function enforcedSchema(blockType: BlockType): PropsSchema {
  const known = prepared.get(blockType)
  if (known) return known
  const schema = opened(blockType.propsSchema, blockType.fields)
  prepared.set(blockType, schema)
  return schema
}

function opened(schema: PropsSchema, fields: Fields, discriminator?: string): PropsSchema {
  if (!schema.properties) return schema
  const properties = Object.entries(schema.properties).map(([name, property]): [string, PropsSchema] => {
    const meta = fieldOf(fields, name)
    if (name === discriminator || meta?.kind === 'reference') return [name, {}]
    const row = itemSchemaOf(property)
    if (!meta || !row) return [name, property]
    return [name, { ...property, items: opened(row, rowFields(meta), meta.discriminator) }]
  })
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(schema.required && { required: schema.required.filter((name) => name !== discriminator) }),
  }
}

/** The fields of rows of any branch; what is a pointer in one of them is left open in all. */
function rowFields(list: FieldMeta): Fields {
  const { itemFields = {}, itemFieldsByType = {} } = list
  const fields = everyItemField(list)
  for (const branch of [itemFields, ...Object.values(itemFieldsByType)]) Object.assign(fields, referencesIn(branch))
  return fields
}
