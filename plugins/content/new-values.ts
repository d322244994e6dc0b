import { fieldKinds, isInternal, labelOf } from './fields.ts'
import type { FieldMeta, Fields, Props, PropsSchema } from './model.ts'
import { ownValue } from './plain-object.ts'
import { admits } from './props-schema.ts'

/** A copy of starter content, without the props that are kept from people. */
export function starterProps(starter: Props, fields: Fields): Props {
  const shown = Object.entries(starter).filter(([name]) => !isInternal(name, ownValue(fields, name)))
  return structuredClone(Object.fromEntries(shown))
}

/** Props of a block that starts with nothing but defaults for its required fields. */
export function requiredProps(fields: Fields, schema: PropsSchema): Props {
  return newProps(Object.fromEntries(Object.entries(fields).filter(([, meta]) => meta.required)), schema)
}

/** The default of its kind for every given field that is not internal. */
export function newProps(fields: Fields, schema: PropsSchema = {}): Props {
  const isFilled = (name: string, meta: FieldMeta) => !isInternal(name, meta) && fieldKinds[meta.kind].initial
  const filled = Object.entries(fields).filter(([name, meta]) => isFilled(name, meta))
  return Object.fromEntries(filled.map(([name, meta]) => {
    return [name, newValue(name, meta, ownValue(schema.properties, name))]
  }))
}

function newValue(name: string, meta: FieldMeta, schema: PropsSchema = {}): unknown {
  if (meta.kind === 'link' && admits(schema, 'object') && !admits(schema, 'string')) return { href: '/' }
  return fieldKinds[meta.kind].initial?.(labelOf(name, meta), meta.options ?? [])
}
