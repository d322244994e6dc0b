import { everyItemField, labelOf } from './fields.ts'
import { markdownText } from './markdown-text.ts'
import type { BlockType, Manifest } from './model.ts'
import { ownValue } from './plain-object.ts'
import { builtinRegistry, declaredType } from './registry.ts'

/** The language code of a locale such as `de-AT` or `de_AT`. */
export const codeOf = (locale: string): string => locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** The context of names: the block types that the site declares. */
export interface NameSource {
  readonly manifest?: Manifest | undefined
}

/** Returns a block type with its display names; `undefined` if it is neither declared nor built in. */
const blockTypeOf = (type: string, { manifest }: NameSource): BlockType | undefined =>
  declaredType(type, { registry: builtinRegistry, manifest })

/** The display name of a block type. */
export const typeName = (type: string, source: NameSource): string =>
  blockTypeOf(type, source)?.displayName ?? type

/** The display names of a block and its fields. */
export interface BlockWords {
  /** Missing for a block that does not exist. */
  readonly block: string | undefined
  /** Returns the label of a field, or of a row field of `list`; the field name if it has no label. */
  readonly field: (name: string, list?: string) => string
  /** Returns a value of a field as people read it: rich text without its marks. */
  readonly text: (value: unknown, name: string, list?: string) => unknown
}

/** The display names of a block type and its fields. */
export function typeWords(type: string | undefined, source: NameSource): BlockWords {
  const blockType = type === undefined ? undefined : blockTypeOf(type, source)
  const metaOf = (name: string, list: string | undefined) => {
    const row = list === undefined ? undefined : ownValue(blockType?.fields, list)
    return ownValue(list === undefined ? blockType?.fields : row && everyItemField(row), name)
  }
  return {
    block: blockType?.displayName ?? type,
    field: (name, list) => labelOf(name, metaOf(name, list)),
    text: (value, name, list) =>
      typeof value === 'string' && metaOf(name, list)?.kind === 'richtext' ? markdownText(value) : value,
  }
}
