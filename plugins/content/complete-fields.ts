import { deriveFields, isRequired } from './derive-fields.ts'
import { isInternal } from './field-meta.ts'
import { isDeclaredList } from './list-fields.ts'
import type { FieldMeta, Fields, PropsSchema } from './model.ts'
import { ownValue } from './plain-object.ts'
import { itemSchemaOf } from './props-schema.ts'

/**
 * Adds to field metadata what a schema tells: fields for props without any, and which are required.
 *
 * Rows get derived fields only where the list declares none, because a row may hold props that are
 * deliberately not fields. Names that begin with an underscore are marked internal.
 */
export function completeFields(fields: Fields, schema: PropsSchema): Fields {
  const undescribed = Object.entries(schema.properties ?? {}).filter(([name]) => !Object.hasOwn(fields, name))
  const derived = deriveFields({ ...schema, properties: Object.fromEntries(undescribed) })
  return { ...completed(fields, schema), ...derived }
}

function completed(fields: Fields, schema: PropsSchema): Fields {
  const entries = Object.entries(fields).map(([name, meta]): [string, FieldMeta] => {
    const required = meta.required ?? isRequired(schema, name)
    return [name, {
      ...withRows(meta, itemSchemaOf(ownValue(schema.properties, name))),
      ...(required && { required }),
      ...(isInternal(name, meta) && { internal: true }),
    }]
  })
  return Object.fromEntries(entries)
}

function withRows(meta: FieldMeta, row: PropsSchema = {}): FieldMeta {
  if (!isDeclaredList(meta)) return meta
  const { itemFields, itemFieldsByType } = meta
  const isBare = !itemFields && !itemFieldsByType
  if (isBare) return row.properties ? { ...meta, itemFields: deriveFields(row) } : meta
  const branches = Object.entries(itemFieldsByType ?? {}).map(([name, own]) => [name, completed(own, row)])
  return {
    ...meta,
    ...(itemFields && { itemFields: completed(itemFields, row) }),
    ...(itemFieldsByType && { itemFieldsByType: Object.fromEntries(branches) }),
  }
}
