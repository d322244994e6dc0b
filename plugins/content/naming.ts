import { declaredType } from './authority.ts'
import { everyItemField, labelOf } from './fields.ts'
import type { BlockType, FieldMeta, Fields, Manifest } from './model.ts'
import { germanNames } from './names-de.ts'
import { mapValues, ownValue, perObject } from './plain-object.ts'
import { builtinRegistry } from './registry.ts'

/** What there is in English, and in other languages by their codes. */
export interface Languages<T> {
  readonly en: T
  readonly [code: string]: T
}

/** The code of the language of a locale such as `de-AT` or `de_AT`. */
export const codeOf = (locale: string): string => locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** Gives what there is in the language of a locale; the English one where there is none. */
export function inLanguage<T>(languages: Languages<T>, locale: string): T {
  const code = codeOf(locale)
  return (Object.hasOwn(languages, code) ? languages[code] : undefined) ?? languages.en
}

/** Words of the built-in block types in another language; those that are the same in both are left out. */
type Names = Readonly<Record<string, string>>

/** Gives a block type the names that people of a language have for it and its fields. */
export type Naming = (blockType: BlockType) => BlockType

const asDeclared: Naming = (blockType) => blockType
const inGerman: Naming = perObject((blockType) => renamed(blockType, builtinRegistry.get(blockType.type), germanNames))

/** The naming of a locale. Only what is built in is renamed: what a site calls by a name of its own keeps it. */
export const namingIn = (locale: string): Naming => inLanguage({ en: asDeclared, de: inGerman }, locale)

/** Whose names are asked for: the language of people, and the block types that their site declares. */
export interface NameSource {
  readonly locale: string
  readonly manifest?: Manifest | undefined
}

/** A block type under the names that people know; `undefined` where neither the site nor the built-in registry declares it. */
export function knownType(type: string, { locale, manifest }: NameSource): BlockType | undefined {
  const declared = declaredType(type, { registry: builtinRegistry, manifest })
  return declared && namingIn(locale)(declared)
}

/** What people call a block type. */
export const typeName = (type: string, source: NameSource): string => knownType(type, source)?.displayName ?? type

/** What people call a block and its fields. */
export interface BlockWords {
  /** Missing for a block that does not exist. */
  readonly block: string | undefined
  /** A field, or one of the rows in a list; its own name where no label is declared. */
  readonly field: (name: string, list?: string) => string
}

/** What people call a block type and its fields. */
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

function renamed(own: BlockType, builtin: BlockType | undefined, names: Names): BlockType {
  if (!builtin) return own
  return {
    ...own,
    displayName: wordFor(own.displayName, builtin.displayName, names),
    ...(own.description !== undefined && { description: wordFor(own.description, builtin.description, names) }),
    fields: renamedFields(own.fields, builtin.fields, names),
  }
}

const wordFor = (own: string, builtin: string | undefined, names: Names): string => (own === builtin ? ownValue(names, own) : undefined) ?? own

const renamedFields = (own: Fields, builtin: Fields, names: Names): Fields =>
  mapValues(own, (meta, name) => renamedField(meta, ownValue(builtin, name), names))

function renamedField(own: FieldMeta, builtin: FieldMeta | undefined, names: Names): FieldMeta {
  if (!builtin) return own
  const { label, itemFields, itemFieldsByType } = own
  const builtinBranch = (branch: string) => ownValue(builtin.itemFieldsByType, branch) ?? {}
  const inBranch = (fields: Fields, branch: string) => renamedFields(fields, builtinBranch(branch), names)
  return {
    ...own,
    ...(label !== undefined && { label: wordFor(label, builtin.label, names) }),
    ...(itemFields && { itemFields: renamedFields(itemFields, builtin.itemFields ?? {}, names) }),
    ...(itemFieldsByType && { itemFieldsByType: mapValues(itemFieldsByType, inBranch) }),
  }
}

/** A block type in camel case, as content stores have it: `faqAccordion`, and `cta` for `CTA`. */
export function toCamelName(type: string): string {
  if (type === type.toUpperCase()) return type.toLowerCase()
  const run = /^[A-Z]+(?=[A-Z][a-z])/.exec(type)?.[0] ?? type.charAt(0)
  return run.toLowerCase() + type.slice(run.length)
}

/** A block type in small letters. */
export function toLowerName(type: string): string {
  return type.toLowerCase()
}

/** The known block type behind a camel or small name; of any other name, its first letter is raised. */
export function toTypeName(name: string, types: readonly string[]): string {
  const known = types.find((type) => [type, toCamelName(type), toLowerName(type)].includes(name))
  return known ?? name.charAt(0).toUpperCase() + name.slice(1)
}
