import { isDeclaredList } from './list-fields.ts'
import type { FieldMeta, Fields, PropsSchema } from './model.ts'
import { itemSchemaOf } from './props-schema.ts'

/**
 * Picks the registered fields that enrich a schema from elsewhere: of the props and row props it declares.
 *
 * Props named in `own` are left out: their site describes them itself. Where the schema says which props are
 * required, it says so alone.
 */
export function knownFieldsFor(schema: PropsSchema, registered: Fields, own: Fields = {}): Fields {
  const properties = schema.properties ?? {}
  const isShared = (name: string) => Object.hasOwn(properties, name) && !Object.hasOwn(own, name)
  const shared = Object.entries(registered).filter(([name]) => isShared(name))
  return Object.fromEntries(shared.map(([name, meta]) => {
    const { required: _required, ...open } = meta
    return [name, rowsFor(itemSchemaOf(properties[name]), schema.required ? open : meta)]
  }))
}

function rowsFor(row: PropsSchema | undefined, meta: FieldMeta): FieldMeta {
  if (!isDeclaredList(meta) || !row?.properties) return meta
  const { itemFields, itemFieldsByType, discriminator, ...list } = meta
  const plain = { ...list, ...(itemFields && { itemFields: knownFieldsFor(row, itemFields) }) }
  if (!discriminator || !Object.hasOwn(row.properties, discriminator)) return plain
  const branches = Object.entries(itemFieldsByType ?? {})
  const known = branches.map(([branch, fields]) => [branch, knownFieldsFor(row, fields)])
  return { ...plain, discriminator, itemFieldsByType: Object.fromEntries(known) }
}
