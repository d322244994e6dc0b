import { fieldKinds, isInternal, labelOf } from './fields.ts'
import type { FieldMeta, Fields, Props, PropsSchema } from './model.ts'
import { mapValues, ownValue, picked } from './plain-object.ts'
import { admits } from './props-schema.ts'

/** A copy of starter content, without the props that are kept from people. */
export function starterProps(starter: Props, fields: Fields): Props {
  return structuredClone(picked(starter, (_value, name) => !isInternal(name, ownValue(fields, name))))
}

/** Props of a block that starts with nothing but defaults for its required fields. */
export function requiredProps(fields: Fields, schema: PropsSchema): Props {
  return newProps(picked(fields, (meta) => meta.required === true), schema)
}

/** The default of its kind for every given field that is not internal. */
export function newProps(fields: Fields, schema: PropsSchema = {}): Props {
  const filled = picked(fields, (meta, name) => !isInternal(name, meta) && fieldKinds[meta.kind].initial !== undefined)
  return mapValues(filled, (meta, name) => newValue(name, meta, ownValue(schema.properties, name)))
}

function newValue(name: string, meta: FieldMeta, schema: PropsSchema = {}): unknown {
  if (meta.kind === 'link' && admits(schema, 'object') && !admits(schema, 'string')) return { href: '/' }
  return fieldKinds[meta.kind].initial?.(labelOf(name, meta), meta.options ?? [])
}
