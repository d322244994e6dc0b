import { isInternal, labelOf } from '../../../content/fields.ts'
import { isDeclaredList } from '../../../content/list-fields.ts'
import type { BlockType, FieldMeta, Fields, Manifest, PropsSchema, Registry } from '../../../content/model.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { itemSchemaOf } from '../../../content/props-schema.ts'

/** What a model has to know of a block type to plan edits of it. */
export interface Contract {
  readonly type: string
  readonly name: string
  readonly description?: string
  /** Only its props may be edited. */
  readonly pinned?: true
  readonly props: Readonly<Record<string, PropContract>>
}

interface PropContract {
  readonly kind: FieldMeta['kind']
  readonly label: string
  readonly required?: true
  readonly options?: readonly unknown[]
  readonly maxLength?: number
  readonly image?: string
  /** Managed elsewhere; a plan leaves it alone. */
  readonly readOnly?: true
  /** The same in every language. */
  readonly notTranslated?: true
  readonly row?: Readonly<Record<string, PropContract>>
  /** The prop of a row that says of which branch it is, and the props of each. */
  readonly discriminator?: string
  readonly rowsBy?: Readonly<Record<string, Readonly<Record<string, PropContract>>>>
}

/**
 * The contracts of every type that a page of the site may have: those it declares, else those that are built in, and the
 * pinned ones in any case. Sorted by type; internal props are left out.
 */
export function contractsOf(registry: Registry, manifest: Manifest | undefined): readonly Contract[] {
  const declared = manifest?.types() ?? []
  const pinned = registry.types().filter(({ chrome, type }) => chrome && !manifest?.get(type))
  const all = manifest ? [...declared, ...pinned] : registry.types()
  return all.map(contractOf).toSorted((a, b) => (a.type < b.type ? -1 : 1))
}

/** The contract of one type. */
export function contractOf({ type, displayName, description, chrome, fields, propsSchema }: BlockType): Contract {
  return {
    type,
    name: displayName,
    ...(description !== undefined && { description }),
    ...(chrome && { pinned: true }),
    props: propsOf(fields, propsSchema),
  }
}

function propsOf(fields: Fields, schema: PropsSchema | undefined): Readonly<Record<string, PropContract>> {
  const shown = Object.entries(fields).filter(([name, meta]) => !isInternal(name, meta))
  return Object.fromEntries(shown.map(([name, meta]) => [name, propOf(name, meta, ownValue(schema?.properties, name))]))
}

function propOf(name: string, meta: FieldMeta, schema: PropsSchema | undefined): PropContract {
  const options = schema?.enum ?? meta.options
  const row = isDeclaredList(meta) ? itemSchemaOf(schema) : undefined
  const branches = Object.entries(meta.itemFieldsByType ?? {}).map(([branch, own]) => [branch, propsOf(own, row)])
  return {
    kind: meta.kind,
    label: labelOf(name, meta),
    ...(meta.required && { required: true }),
    ...(options && options.length > 0 && { options }),
    ...(schema?.maxLength !== undefined && { maxLength: schema.maxLength }),
    ...(meta.imageSpec && { image: `${meta.imageSpec.aspectRatio}, ${meta.imageSpec.width} x ${meta.imageSpec.height}` }),
    ...(meta.kind === 'reference' && { readOnly: true }),
    ...(meta.localized === false && { notTranslated: true }),
    ...(meta.itemFields && { row: propsOf(meta.itemFields, row) }),
    ...(meta.discriminator !== undefined && { discriminator: meta.discriminator, rowsBy: Object.fromEntries(branches) }),
  }
}
