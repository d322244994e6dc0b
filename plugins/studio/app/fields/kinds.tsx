import type { ComponentType } from 'preact'
import type { Field } from '../stores/block-types.ts'
import { isRow } from '../stores/place.ts'
import { CellsField } from './cells.tsx'
import { BooleanField, ChoiceField } from './choice.tsx'
import { ColorField } from './color.tsx'
import type { FieldProps } from './field.ts'
import { ImageListField } from './image-list.tsx'
import { ImageField } from './image.tsx'
import { LinkField } from './link.tsx'
import { ListField } from './list.tsx'
import { NumberField } from './number.tsx'
import { OpaqueField, ReferenceField } from './reference.tsx'
import { RichTextField } from './rich-text.tsx'
import type { Schema } from './schema.ts'
import { LongTextField, StringListField, TextField } from './text.tsx'

/** How a field is edited. */
const editors = {
  text: TextField,
  longText: LongTextField,
  richText: RichTextField,
  link: LinkField,
  image: ImageField,
  imageList: ImageListField,
  choice: ChoiceField,
  boolean: BooleanField,
  number: NumberField,
  color: ColorField,
  list: (props) => <ListField {...props} Inner={OneField} />,
  stringList: StringListField,
  cells: CellsField,
  reference: ReferenceField,
  opaque: OpaqueField,
} as const satisfies Readonly<Record<string, ComponentType<FieldProps>>>

type Editor = keyof typeof editors

const ofKind: Readonly<Record<Field['kind'], Editor>> = {
  text: 'text',
  html: 'richText',
  richtext: 'richText',
  link: 'link',
  reference: 'reference',
  list: 'list',
  stringList: 'stringList',
  imageList: 'imageList',
  url: 'link',
  image: 'image',
  imageAlt: 'text',
  enum: 'choice',
  color: 'color',
  number: 'number',
  headingLevel: 'choice',
}

/** Chooses the editor of a field: by its kind, and where that leaves it open by its schema and its value. */
function editorOf(field: Field, schema: Schema, value: unknown): Editor {
  const editor = ofKind[field.kind]
  if (editor === 'text' && (schema.types.has('boolean') || typeof value === 'boolean')) return 'boolean'
  if (editor === 'choice' && field.options?.toSorted().join() === 'false,true') return 'boolean'
  if (editor === 'imageList' && (field.itemFields || (Array.isArray(value) && value.some(isRow))))
    return 'list'
  if (editor === 'text' || editor === 'richText') {
    if (Array.isArray(value) && value.every((row) => Array.isArray(row))) return 'cells'
    if (typeof value === 'object' && value !== null) return 'opaque'
    if (editor === 'text' && field.multiline) return 'longText'
  }
  return editor
}

/** A field of a block or of a row. */
export function OneField({ name: _name, ...props }: FieldProps & { readonly name: string }) {
  const Editor: ComponentType<FieldProps> = editors[editorOf(props.field, props.schema, props.value)]
  return <Editor {...props} />
}
