import { declaredType } from './authority.ts'
import { everyItemField, labelOf, mapItemFields } from './fields.ts'
import type { BlockType, Fields, Manifest } from './model.ts'
import { germanNames } from './names-de.ts'
import { mapValues, ownValue, perObject } from './plain-object.ts'
import { builtinRegistry } from './registry.ts'

/** A value in English, and in other languages by their codes. */
export interface Languages<T> {
  readonly en: T
  readonly [code: string]: T
}

/** The language code of a locale such as `de-AT` or `de_AT`. */
export const codeOf = (locale: string): string => locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** Returns the value for the language of a locale, else the English one. */
export function inLanguage<T>(languages: Languages<T>, locale: string): T {
  const code = codeOf(locale)
  return (Object.hasOwn(languages, code) ? languages[code] : undefined) ?? languages.en
}

/** Translates the names of a block type and its fields. */
export type Naming = (blockType: BlockType) => BlockType

const asDeclared: Naming = (blockType) => blockType
const inGerman: Naming = perObject((blockType) => {
  const builtin = builtinRegistry.get(blockType.type)
  if (!builtin) return blockType
  const { displayName, description, fields } = blockType
  return {
    ...blockType,
    displayName: inGermanIf(displayName, builtin.displayName),
    ...(description !== undefined && { description: inGermanIf(description, builtin.description) }),
    fields: fieldsInGerman(fields, builtin.fields),
  }
})

/** The naming of a locale. Only built-in names are translated; a site's own names are kept. */
export const namingIn = (locale: string): Naming => inLanguage({ en: asDeclared, de: inGerman }, locale)

/** The context of names: the locale, and the block types that the site declares. */
export interface NameSource {
  readonly locale: string
  readonly manifest?: Manifest | undefined
}

/** Returns a block type with its display names; `undefined` if it is neither declared nor built in. */
export function knownType(type: string, { locale, manifest }: NameSource): BlockType | undefined {
  const declared = declaredType(type, { registry: builtinRegistry, manifest })
  return declared && namingIn(locale)(declared)
}

/** The display name of a block type. */
export const typeName = (type: string, source: NameSource): string => knownType(type, source)?.displayName ?? type

/** The display names of a block and its fields. */
export interface BlockWords {
  /** Missing for a block that does not exist. */
  readonly block: string | undefined
  /** Returns the label of a field, or of a row field of `list`; the field name if it has no label. */
  readonly field: (name: string, list?: string) => string
}

/** The display names of a block type and its fields. */
export function typeWords(type: string | undefined, source: NameSource): BlockWords {
  const known = type === undefined ? undefined : knownType(type, source)
  return {
    block: known?.displayName ?? type,
    field(name, list) {
      const row = list === undefined ? undefined : ownValue(known?.fields, list)
      return labelOf(name, ownValue(list === undefined ? known?.fields : row && everyItemField(row), name))
    },
  }
}

/** Words that are the same in both languages have no entry. */
const inGermanIf = (own: string, builtin: string | undefined): string =>
  (own === builtin ? ownValue(germanNames, own) : undefined) ?? own

const fieldsInGerman = (own: Fields, builtin: Fields = {}): Fields => mapValues(own, (meta, name) => {
  const known = ownValue(builtin, name)
  if (!known) return meta
  const { label } = meta
  const named = mapItemFields(meta, (fields, branch) =>
    fieldsInGerman(fields, branch === undefined ? known.itemFields : ownValue(known.itemFieldsByType, branch)))
  return { ...named, ...(label !== undefined && { label: inGermanIf(label, known.label) }) }
})

/** Returns a block type in camel case, as content stores use it: `faqAccordion`, and `cta` for `CTA`. */
export function toCamelName(type: string): string {
  if (type === type.toUpperCase()) return type.toLowerCase()
  const run = /^[A-Z]+(?=[A-Z][a-z])/.exec(type)?.[0] ?? type.charAt(0)
  return run.toLowerCase() + type.slice(run.length)
}

/** Returns the known block type for a camel-case or lower-case name; capitalises any other name. */
export function toTypeName(name: string, types: readonly string[]): string {
  const known = types.find((type) => [type, toCamelName(type), type.toLowerCase()].includes(name))
  return known ?? name.charAt(0).toUpperCase() + name.slice(1)
}
