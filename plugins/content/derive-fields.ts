import { isInternal } from './field-meta.ts'
import type { FieldMeta, Fields, PropsSchema } from './model.ts'
import { ownValue } from './plain-object.ts'
import { admits, itemSchemaOf } from './props-schema.ts'

/** Makes field metadata from a props schema, for block types that come without. */
export function deriveFields(propsSchema: PropsSchema): Fields {
  const fields = Object.entries(propsSchema.properties ?? {}).map(([name, schema]): [string, FieldMeta] => {
    const required = isRequired(propsSchema, name)
    const internal = isInternal(name)
    const marks = { ...(required && { required }), ...(internal && { internal }) }
    return [name, { ...kindFrom(name, schema), label: labelFromKey(name), ...marks }]
  })
  return Object.fromEntries(fields)
}

/** Tells whether a prop may not be absent; one with a default in the schema may. */
export function isRequired(schema: PropsSchema, name: string): boolean {
  return Boolean(schema.required?.includes(name)) && ownValue(schema.properties, name)?.default === undefined
}

/** A name for people from a prop name: `posterUrl` becomes `Poster`, `backgroundColor` `Background Color`. */
export function labelFromKey(key: string): string {
  const spaced = key.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
  const words = spaced.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  if (words.length > 1 && /^(?:Url|Src)$/.test(words.at(-1) ?? '')) words.pop()
  const label = words.join(' ')
  return label === '' ? key : label.charAt(0).toUpperCase() + label.slice(1)
}

function kindFrom(name: string, schema: PropsSchema): FieldMeta {
  if (admits(schema, 'array')) return listFrom(name, schema)
  if (admits(schema, 'number') || admits(schema, 'integer')) return { kind: 'number' }
  if (!admits(schema, 'string')) return { kind: 'text' }
  if (schema.enum && schema.enum.length > 0) return { kind: 'enum', options: schema.enum.filter(isText) }
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

const isText = (value: unknown) => typeof value === 'string'

const isImageKey = (name: string) => /(?:image|img)(?:url|src)?$|^(?:src|logourl)$/i.test(name)
