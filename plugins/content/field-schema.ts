import * as v from 'valibot'
import { described, type Immutable } from './plain-object.ts'

const kinds = [
  'text',
  'html',
  'richtext',
  'link',
  'reference',
  'list',
  'stringList',
  'imageList',
  'url',
  'image',
  'imageAlt',
  'enum',
  'color',
  'number',
  'headingLevel',
] as const
export type FieldKind = (typeof kinds)[number]

/** Names are compared with the words of a message for each block. */
export const longestName = v.maxLength<string, 500, string>(500, 'must have at most 500 characters')
const label = v.exactOptional(v.pipe(v.string('must be a text'), longestName))
const flag = v.exactOptional(v.boolean('must be true or false'))
const count = v.number('must be a number')

const Facts = v.object({
  kind: v.picklist(
    kinds,
    ({ received }) => `${received.slice(0, 60)} is not a field kind; use one of ${kinds.join(', ')}`,
  ),
  label,
  required: flag,
  inlineEditable: flag,
  multiline: flag,
  options: v.exactOptional(v.array(v.string('must be a text'), 'must be an array of texts')),
  internal: flag,
  panelOnly: flag,
  /** Whether a list has the rows that it has: none is added, copied, moved or removed. */
  fixedRows: flag,
  localized: flag,
  referenceLabelKey: label,
  discriminator: label,
})
const ImageSpec = v.object({
  aspectRatio: v.picklist(['landscape', 'square', 'portrait'], 'must be landscape, square or portrait'),
  width: count,
  height: count,
  format: v.exactOptional(v.picklist(['png', 'webp', 'jpeg'], 'must be png, webp or jpeg')),
})

/** The metadata of a prop or of a field of a list row, for editors. */
export interface FieldMeta extends Immutable<v.InferOutput<typeof Facts>> {
  readonly imageSpec?: Immutable<v.InferOutput<typeof ImageSpec>>
  readonly itemFields?: Fields
  readonly itemFieldsByType?: Readonly<Record<string, Fields>>
}

/** Prop name to metadata, in display order. */
export type Fields = Readonly<Record<string, FieldMeta>>

const metaWords = 'What an editor needs to know of a prop. Unknown keys are kept.'
const specWords = 'must be an object with aspectRatio, width and height'

/** Field metadata as sent; unknown keys are preserved. */
const Meta: v.GenericSchema<unknown, FieldMeta> = described(
  'FieldMetadata',
  metaWords,
  v.looseObject(
    {
      ...Facts.entries,
      imageSpec: v.exactOptional(v.looseObject(ImageSpec.entries, specWords)),
      itemFields: v.exactOptional(v.lazy(() => FieldsByName)),
      itemFieldsByType: v.exactOptional(v.lazy(() => Branches)),
    },
    `must be an object with a 'kind'`,
  ),
)

/** Prop name to field metadata, as sent. */
export const FieldsByName: v.GenericSchema<unknown, Fields> = described(
  'Fields',
  'Prop name to field metadata.',
  v.record(v.string(), Meta, 'must be an object from prop name to field metadata'),
)

const Branches = described(
  'FieldsByBranch',
  'The fields of a list row for every value of its discriminator.',
  v.record(v.string(), FieldsByName, 'must be an object from branch to fields'),
)

/** Throws an Error that names the block type, the prop and the error, also in item fields and branches. */
export function checkFields(blockType: string, fields: unknown): void {
  const { issues } = v.safeParse(FieldsByName, fields, { abortEarly: true })
  if (!issues) return
  const prop = (v.getDotPath(issues[0]) ?? '').replace(/\.kind$/, '')
  throw new Error(`Block type '${blockType}', prop '${prop}': ${issues[0].message}.`)
}
