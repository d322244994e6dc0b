import { labelFromKey } from '../derive-fields.ts'
import type { BlockCategory, BlockTypeInput, FieldMeta, Fields, Props, PropsSchema } from '../model.ts'

/**
 * What a built-in type demands of a prop.
 *
 * `filled`: there and not empty. `present`: there, but empty is fine. `filled-if-present`: may be missing,
 * but not empty. Without a word the prop is free.
 */
type Need = 'filled' | 'present' | 'filled-if-present'

/** A prop of a built-in type: its field metadata, and what its schema is made from. */
export interface PropDeclaration extends Omit<FieldMeta, 'itemFields' | 'itemFieldsByType' | 'required'> {
  readonly need?: Need
  /** What a renderer takes when the prop is missing. */
  readonly default?: string
  readonly itemFields?: Declarations
  readonly itemFieldsByType?: Readonly<Record<string, Declarations>>
  /** Row props that are not fields. */
  readonly otherRowProps?: Schemas
  /** Stands for the schema that would follow from the rest. */
  readonly schema?: PropsSchema
}

type Schemas = Readonly<Record<string, PropsSchema>>

/** Props of a block, or of a row, by name. */
export type Declarations = Readonly<Record<string, PropDeclaration>>

/** A built-in block type, as its file declares it. */
export interface BlockDeclaration {
  readonly type: string
  readonly displayName: string
  readonly description: string
  readonly category: BlockCategory
  readonly chrome?: true
  /** Whether an editor may choose the level of its heading. */
  readonly headingLevel: boolean
  readonly props: Declarations
  readonly starter: Props
}

/** Makes metadata and props schema out of one declaration, so that they cannot disagree. */
export function defineBlock(declaration: BlockDeclaration): BlockTypeInput {
  const { type, headingLevel, props, starter, ...meta } = declaration
  const all: Declarations = headingLevel ? { ...props, headingLevel: { kind: 'headingLevel' } } : props
  return { type, propsSchema: objectSchema(all), meta: { ...meta, fields: toFields(all) }, starter }
}

function toFields(declarations: Declarations): Fields {
  const fields = Object.entries(declarations).map(([name, declared]) => [name, toField(name, declared)])
  return Object.fromEntries(fields)
}

function toField(name: string, declaration: PropDeclaration): FieldMeta {
  const { need: _need, default: _default, schema: _schema, otherRowProps: _others, ...field } = declaration
  const { itemFields, itemFieldsByType, ...meta } = field
  const branches = Object.entries(itemFieldsByType ?? {}).map(([branch, own]) => [branch, toFields(own)])
  return {
    ...meta,
    label: meta.label ?? labelFromKey(name),
    ...(itemFields && { itemFields: toFields(itemFields) }),
    ...(itemFieldsByType && { itemFieldsByType: Object.fromEntries(branches) }),
  }
}

function objectSchema(declarations: Declarations, others: Schemas = {}): PropsSchema {
  const entries = Object.entries(declarations)
  const declared = Object.fromEntries(entries.map(([name, declaration]) => [name, schemaOf(declaration)]))
  const isRequired = ({ need }: PropDeclaration) => need === 'filled' || need === 'present'
  const required = entries.filter(([, declaration]) => isRequired(declaration)).map(([name]) => name)
  return { type: 'object', properties: { ...declared, ...others }, ...(required.length > 0 && { required }) }
}

function schemaOf(declaration: PropDeclaration): PropsSchema {
  const { kind, need, options = [], default: fallback, schema } = declaration
  const isFilled = need === 'filled' || need === 'filled-if-present'
  const someRows = isFilled && { minItems: 1 }
  if (schema) return schema
  if (kind === 'number') return { type: 'number' }
  if (kind === 'list') return { type: 'array', items: rowSchema(declaration), ...someRows }
  if (kind === 'stringList') return { type: 'array', items: { type: 'string', minLength: 1 }, ...someRows }
  if (kind === 'enum') return { type: 'string', enum: options, ...(fallback && { default: fallback }) }
  return { type: 'string', ...(isFilled && { minLength: 1 }) }
}

function rowSchema({ itemFields = {}, itemFieldsByType = {}, otherRowProps }: PropDeclaration): PropsSchema {
  const branches = Object.values(itemFieldsByType).reduce((all, fields) => ({ ...all, ...fields }), {})
  return objectSchema({ ...itemFields, ...branches }, otherRowProps)
}
