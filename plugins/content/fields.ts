/** Field kinds, and facts derived from the metadata of a prop or row field. */
import type { Block, FieldKind, FieldMeta, Fields, Props, PropsSchema } from './model.ts'
import { mapValues, ownValue, perObject, picked } from './plain-object.ts'
import { admits } from './props-schema.ts'

/** The image path that means "no image chosen yet". */
export const imagePlaceholder = '/hero-generated.svg'

/** Facts that depend only on the kind of a field. */
interface KindFacts {
  /** The value in a new row; without it, the field is absent from new rows. */
  readonly initial?: (meta: FieldMeta, schema: PropsSchema) => unknown
  /** Whether the field is translated with the page. */
  readonly translatable?: true
  /** Set if its value is one text; one with markup may be a document, which is one value to its author. */
  readonly text?: 'plain' | 'markup'
  /** Where it has links: it is one, its text has some, or its rows have; absent if it has none. */
  readonly links?: 'itself' | 'html' | 'markdown' | 'rows'
}

/** Empty, which editors show by the name of the field. */
const noText = () => ''
const noRows = () => []
const home = () => '/'
const isObject = (schema: PropsSchema): boolean => admits(schema, 'object') && !admits(schema, 'string')

/** All field kinds. A list is translated field by field, so the list itself is not. */
export const fieldKinds: Readonly<Record<FieldKind, KindFacts>> = {
  text: { initial: noText, translatable: true, text: 'plain', links: 'markdown' },
  html: { initial: noText, translatable: true, text: 'markup', links: 'html' },
  richtext: { initial: noText, translatable: true, text: 'markup', links: 'markdown' },
  link: { initial: (_meta, schema) => (isObject(schema) ? { href: '/' } : '/'), links: 'itself' },
  reference: { initial: () => null },
  list: { initial: noRows, links: 'rows' },
  stringList: { initial: noRows, translatable: true },
  imageList: { initial: noRows },
  url: { initial: home, links: 'itself' },
  image: { initial: () => imagePlaceholder },
  imageAlt: { initial: noText, translatable: true, text: 'plain' },
  enum: { initial: ({ options = [] }) => options[0] ?? '' },
  color: { initial: () => '#0f766e' },
  number: { initial: () => 0 },
  headingLevel: {},
}

const byKind = new Map<string | undefined, KindFacts>(Object.entries(fieldKinds))
const noFacts: KindFacts = {}
/** Returns what is known of a field by its kind; nothing if it is not declared, or of a kind that is unknown. */
export const factsOf = (meta: FieldMeta | undefined): KindFacts => byKind.get(meta?.kind) ?? noFacts
/** Whether the value of a field is one text. */
export const isText = (meta: FieldMeta | undefined): boolean => byKind.get(meta?.kind)?.text !== undefined
/** Whether the value of a field is a text with markup, or a document. */
export const hasMarkup = (meta: FieldMeta | undefined): boolean => byKind.get(meta?.kind)?.text === 'markup'

/** Whether no image is chosen: the value is missing, empty or the placeholder. */
export function isPlaceholder(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'string') return false
  const [path = ''] = value.trim().split(/[?#]/, 1)
  return path === '' || path.replace(/^\/+/, '') === imagePlaceholder.slice(1)
}

/** Whether a field is translated with the page; for a list, whether any field of its rows is. */
export function isTranslatable(meta: FieldMeta): boolean {
  if (meta.localized === false) return false
  if (meta.kind !== 'list') return fieldKinds[meta.kind].translatable === true
  return Object.values(everyItemField(meta)).some(isTranslatable)
}

/** Whether a prop is hidden from people, by a leading underscore or by its metadata. */
export function isInternal(name: string, meta?: FieldMeta): boolean {
  return name.startsWith('_') || meta?.internal === true
}

/** The display name of a field. */
export function labelOf(name: string, meta?: FieldMeta): string {
  return meta?.label || name
}

/** Whether rows of this field have ids and their own operations, and are merged row by row. */
export function isDeclaredList(meta: FieldMeta | undefined): boolean {
  return meta?.kind === 'list' || meta?.kind === 'imageList'
}

/** Whether the fields of a row depend on one of its props. */
export function isPolymorphic(meta: FieldMeta): meta is FieldMeta & { readonly discriminator: string } {
  return Boolean(meta.discriminator)
}

/** Returns the fields of one row: the common fields and those of its branch, which win on a name clash. */
export function effectiveItemFields(listMeta: FieldMeta, row: Props): Fields {
  const { discriminator, itemFields = noFields, itemFieldsByType } = listMeta
  const name = discriminator ? ownValue(row, discriminator) : undefined
  const branch = typeof name === 'string' ? ownValue(itemFieldsByType, name) : undefined
  return branch ? withBranch(listMeta)(branch) : itemFields
}

/** Maps the fields of the rows of a list: the common ones, and those of each branch. */
export function mapItemFields(meta: FieldMeta, map: (fields: Fields, branch?: string) => Fields): FieldMeta {
  const { itemFields, itemFieldsByType } = meta
  return {
    ...meta,
    ...(itemFields && { itemFields: map(itemFields) }),
    ...(itemFieldsByType && { itemFieldsByType: mapValues(itemFieldsByType, map) }),
  }
}

/** The field sets of a list: the common fields of all rows, then the fields of each branch. */
export const itemFieldSets = ({
  itemFields = noFields,
  itemFieldsByType = {},
}: FieldMeta): readonly Fields[] => [itemFields, ...Object.values(itemFieldsByType)]

/** The fields of all branches together; for a duplicate name, the last branch wins. */
export const everyItemField = (meta: FieldMeta): Fields => Object.assign({}, ...itemFieldSets(meta))

/** Whether row ids are author-assigned: some branch declares a prop `id`. */
export const isContentOwned = perObject((meta: FieldMeta): boolean =>
  itemFieldSets(meta).some((fields) => Object.hasOwn(fields, 'id')),
)

const noFields: Fields = {}
const withBranch = perObject(({ itemFields }: FieldMeta) =>
  perObject((branch: Fields): Fields => ({ ...itemFields, ...branch })),
)

/** Copies starter content, without internal props. */
export function starterProps(starter: Props, fields: Fields): Props {
  return structuredClone(picked(starter, (_value, name) => !isInternal(name, ownValue(fields, name))))
}

/** Returns the props of a block with only the defaults of its required fields. */
export function requiredProps(fields: Fields, schema: PropsSchema): Props {
  return newProps(
    picked(fields, (meta) => meta.required === true),
    schema,
  )
}

/** Returns the default value of each field by its kind, without internal fields. */
export function newProps(fields: Fields, schema: PropsSchema = {}): Props {
  const filled = picked(
    fields,
    (meta, name) => !isInternal(name, meta) && fieldKinds[meta.kind].initial !== undefined,
  )
  return mapValues(filled, (meta, name) =>
    fieldKinds[meta.kind].initial?.(meta, ownValue(schema.properties, name) ?? {}),
  )
}

/** The level of a heading, as in `h1` to `h6`. */
export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6

const chosen: Readonly<Record<string, HeadingLevel>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 }
const ofType: Readonly<Record<string, HeadingLevel>> = { Hero: 1, Card: 3, Footer: 4 }
const below = { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 6 } as const

/** Returns the heading level of a block: its `headingLevel` if valid, else the level of its type. */
export function headingLevelOf({ type, props }: Pick<Block, 'type' | 'props'>): HeadingLevel {
  const wanted = props['headingLevel']
  return (typeof wanted === 'string' ? ownValue(chosen, wanted) : undefined) ?? ownValue(ofType, type) ?? 2
}

/** Returns the heading level of a block's rows: one below the block's own, at most 6. */
export function rowHeadingLevelOf(block: Pick<Block, 'type' | 'props'>): HeadingLevel {
  return below[headingLevelOf(block)]
}
