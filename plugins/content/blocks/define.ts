import { labelFromKey } from '../derive-fields.ts'
import type { BlockCategory, BlockTypeInput, FieldMeta, Fields, Props, PropsSchema } from '../model.ts'
import { mapValues } from '../plain-object.ts'

/**
 * The requirement of a built-in type for a prop.
 *
 * `filled`: present and not empty. `present`: may be empty. `filled-if-present`: may be missing,
 * but not empty. Without a need, the prop is optional.
 */
type Need = 'filled' | 'present' | 'filled-if-present'

/** A prop of a built-in type: its field metadata, and the source of its schema. */
export interface PropDeclaration extends Omit<FieldMeta, 'itemFields' | 'itemFieldsByType' | 'required'> {
  readonly need?: Need
  /** The value for renderers if the prop is missing. */
  readonly default?: string
  readonly itemFields?: Declarations
  readonly itemFieldsByType?: Readonly<Record<string, Declarations>>
  /** Replaces the schema derived from the rest. */
  readonly schema?: PropsSchema
}

/** Props of a block, or of a row, by name. */
export type Declarations = Readonly<Record<string, PropDeclaration>>

/** The declaration of a built-in block type, without its name and description. */
interface BlockDeclaration {
  /** The display name, if it is not the type in words. */
  readonly displayName?: string
  /** `content` by default. */
  readonly category?: BlockCategory
  readonly chrome?: true
  /** Whether an editor may choose the level of its heading; true by default. */
  readonly headingLevel?: false
  readonly props: Declarations
  readonly starter: Props
}

/** Creates metadata and props schema from one declaration, so they always match. */
export function defineBlock(
  type: string,
  description: string,
  declaration: BlockDeclaration,
): BlockTypeInput {
  const {
    displayName = labelFromKey(type),
    category = 'content',
    chrome,
    headingLevel = true,
    props,
    starter,
  } = declaration
  const all: Declarations = headingLevel ? { ...props, headingLevel: { kind: 'headingLevel' } } : props
  const meta = { displayName, description, category, ...(chrome && { chrome }), fields: toFields(all) }
  return { type, propsSchema: objectSchema(all), meta, starter }
}

export const text: PropDeclaration = { kind: 'text' }
export const longText: PropDeclaration = { kind: 'text', multiline: true }
export const richText: PropDeclaration = { kind: 'richtext' }
export const url: PropDeclaration = { kind: 'url' }
export const alt: PropDeclaration = { kind: 'imageAlt', label: 'Image description' }
export const filled = (declaration: PropDeclaration): PropDeclaration => ({ ...declaration, need: 'filled' })
export const labelled = (label: string, declaration: PropDeclaration): PropDeclaration => ({
  ...declaration,
  label,
})

/** Declares a closed set of values; renderers use `fallback` if the prop is missing. */
export const choice = (fallback: string, ...options: readonly string[]): PropDeclaration => ({
  kind: 'enum',
  options,
  default: fallback,
})

/** Declares an image with its size in pixels. */
export function image(width: number, height: number, more: Partial<PropDeclaration> = {}): PropDeclaration {
  const aspectRatio = width === height ? 'square' : width > height ? 'landscape' : 'portrait'
  return { kind: 'image', ...more, imageSpec: { aspectRatio, width, height } }
}

/** Declares a list with at least one row. */
export const list = (itemFields: Declarations, more: Partial<PropDeclaration> = {}): PropDeclaration => ({
  kind: 'list',
  need: 'filled',
  ...more,
  itemFields,
})

export const columns = choice('3', '2', '3', '4')
export const onOff = choice('false', 'true', 'false')
export const link = { ctaText: labelled('Button text', text), ctaHref: labelled('Button link', url) } as const
export const filledLink: Declarations = mapValues(link, filled)
export const secondLink: Declarations = {
  secondaryCtaText: labelled('Second button text', text),
  secondaryCtaHref: labelled('Second button link', url),
}

const toFields = (declarations: Declarations): Fields => mapValues(declarations, toField)

function toField(declaration: PropDeclaration, name: string): FieldMeta {
  const { need: _need, default: _default, schema: _schema, ...field } = declaration
  const { itemFields, itemFieldsByType, ...meta } = field
  return {
    ...meta,
    label: meta.label ?? labelFromKey(name),
    ...(itemFields && { itemFields: toFields(itemFields) }),
    ...(itemFieldsByType && { itemFieldsByType: mapValues(itemFieldsByType, toFields) }),
  }
}

function objectSchema(declarations: Declarations): PropsSchema {
  const entries = Object.entries(declarations)
  const required = entries
    .filter(([, { need }]) => need === 'filled' || need === 'present')
    .map(([name]) => name)
  const properties = mapValues(declarations, schemaOf)
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

function schemaOf(declaration: PropDeclaration): PropsSchema {
  const { kind, need, options = [], default: fallback, schema } = declaration
  const isFilled = need === 'filled' || need === 'filled-if-present'
  const someRows = isFilled && { minItems: 1 }
  if (schema) return schema
  if (kind === 'number') return { type: 'number' }
  if (kind === 'list') return { type: 'array', items: objectSchema(rowFields(declaration)), ...someRows }
  if (kind === 'stringList') return { type: 'array', items: { type: 'string', minLength: 1 }, ...someRows }
  if (kind === 'enum') return { type: 'string', enum: options, ...(fallback && { default: fallback }) }
  return { type: 'string', ...(isFilled && { minLength: 1 }) }
}

/** The fields of all branches together. */
const rowFields = ({ itemFields, itemFieldsByType = {} }: PropDeclaration): Declarations =>
  Object.assign({}, itemFields, ...Object.values(itemFieldsByType))

/** A button of starter content, which links to the home page. */
export const button = (ctaText: string) => ({ ctaText, ctaHref: '/' })
