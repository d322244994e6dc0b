import { isDeclaredList, isInternal, mapItemFields } from './fields.ts'
import type { FieldMeta, Fields, PropsSchema } from './model.ts'
import { mapValues, ownValue, picked } from './plain-object.ts'
import { admits, itemSchemaOf } from './props-schema.ts'

/**
 * Completes field metadata from a schema: adds missing fields and `required` marks.
 *
 * Rows get derived fields only if the list declares none, because a row may have props that are deliberately
 * not fields. Names that begin with an underscore are marked internal.
 */
export function completeFields(fields: Fields, schema: PropsSchema): Fields {
  const undescribed = picked(schema.properties ?? {}, (_property, name) => !Object.hasOwn(fields, name))
  return { ...completed(fields, schema), ...deriveFields({ ...schema, properties: undescribed }) }
}

const completed = (fields: Fields, schema: PropsSchema): Fields =>
  mapValues(fields, (meta, name) => {
    const required = meta.required ?? isRequired(schema, name)
    return {
      ...withRows(meta, itemSchemaOf(ownValue(schema.properties, name))),
      ...(required && { required }),
      ...(isInternal(name, meta) && { internal: true }),
    }
  })

function withRows(meta: FieldMeta, row: PropsSchema = {}): FieldMeta {
  if (!isDeclaredList(meta)) return meta
  if (meta.itemFields || meta.itemFieldsByType) return mapItemFields(meta, (own) => completed(own, row))
  return row.properties ? { ...meta, itemFields: deriveFields(row) } : meta
}

/** Derives field metadata from a props schema, for block types without metadata. */
export function deriveFields(propsSchema: PropsSchema): Fields {
  return mapValues(propsSchema.properties ?? {}, (schema, name) => {
    const marks = {
      ...(isRequired(propsSchema, name) && { required: true }),
      ...(isInternal(name) && { internal: true }),
    }
    return { ...kindFrom(name, schema), label: labelFromKey(name), ...marks }
  })
}

/** Whether a prop is required; a prop with a default in the schema is not. */
function isRequired(schema: PropsSchema, name: string): boolean {
  return Boolean(schema.required?.includes(name)) && ownValue(schema.properties, name)?.default === undefined
}

const asLaterWord = (word: string): string =>
  /^\p{Lu}+$/u.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1)

/** Derives a display name: `posterUrl` becomes `Poster`, `backgroundColor` becomes `Background color`. */
export function labelFromKey(key: string): string {
  const spaced = key.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
  const words = spaced.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  if (words.length > 1 && /^(?:Url|Src)$/.test(words.at(-1) ?? '')) words.pop()
  const [first = '', ...others] = words
  const label = [first.charAt(0).toUpperCase() + first.slice(1), ...others.map(asLaterWord)].join(' ')
  return label === '' ? key : label
}

function kindFrom(name: string, schema: PropsSchema): FieldMeta {
  if (admits(schema, 'array')) return listFrom(name, schema)
  if (admits(schema, 'number') || admits(schema, 'integer')) return { kind: 'number' }
  if (!admits(schema, 'string')) return { kind: 'text' }
  if (schema.enum && schema.enum.length > 0)
    return { kind: 'enum', options: schema.enum.filter((one) => typeof one === 'string') }
  if (name.endsWith('Alt')) return { kind: 'imageAlt' }
  return { kind: isImageKey(name) ? 'image' : 'text' }
}

function listFrom(name: string, schema: PropsSchema): FieldMeta {
  const row = itemSchemaOf(schema)
  if (!row) return { kind: 'text' }
  const hasProps = Object.keys(row.properties ?? {}).length > 0
  if (admits(row, 'object') && hasProps) return { kind: 'list', itemFields: deriveFields(row) }
  if (row.type !== 'string') return { kind: 'text' }
  return { kind: isImageKey(name.replace(/s$/, '')) ? 'imageList' : 'stringList' }
}

const isImageKey = (name: string) => /(?:image|img)(?:url|src)?$|^(?:src|logourl)$/i.test(name)
