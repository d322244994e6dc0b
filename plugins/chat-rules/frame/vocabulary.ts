import { everyItemField, isDeclaredList, isInternal, labelOf } from '../../content/fields.ts'
import type { BlockType, FieldMeta, Fields, Manifest, Registry } from '../../content/model.ts'
import { perObject } from '../../content/plain-object.ts'
import type { Language, RowNoun, VerbClass } from '../language/language.ts'
import { type PhraseTable, toPhraseTable } from '../message/phrases.ts'

/** A verb; its `particle` follows the object. */
export interface Verb {
  readonly classes: readonly VerbClass[]
  readonly particle?: string
}

/** The words of a language and of the block types of a site. */
export interface Vocabulary {
  readonly types: PhraseTable<string>
  readonly fields: PhraseTable<readonly string[]>
  readonly options: PhraseTable<string>
  readonly rows: PhraseTable<RowNoun>
  readonly manyRows: PhraseTable<RowNoun>
  readonly verbs: PhraseTable<Verb>
  readonly duties: PhraseTable<Verb>
  readonly particles: PhraseTable<string>
}

/** All block types of a site; those of the manifest come first. */
export function knownTypes(registry: Registry, manifest: Manifest | undefined): readonly BlockType[] {
  const declared = manifest?.types() ?? []
  const names = new Set(declared.map(({ type }) => type))
  return [...declared, ...registry.types().filter(({ type }) => !names.has(type))]
}

const vocabulariesOf = perObject<object, Map<Language, { readonly count: number; readonly vocabulary: Vocabulary }>>(() => new Map())

/** The vocabulary of a site, cached for each registry or manifest. */
export function vocabularyFor(language: Language, registry: Registry, manifest: Manifest | undefined): Vocabulary {
  const types = knownTypes(registry, manifest)
  const byLanguage = vocabulariesOf(manifest ?? registry)
  const found = byLanguage.get(language)
  if (found?.count === types.length) return found.vocabulary
  const vocabulary = createVocabulary(language, types)
  byLanguage.set(language, { count: types.length, vocabulary })
  return vocabulary
}

function createVocabulary(language: Language, types: readonly BlockType[]): Vocabulary {
  const { blockNouns, fieldNouns, rowNouns, options } = language
  const fields = types.flatMap((type) => fieldsIn(type.fields))
  const verbs = language.verbs.flatMap(([classes, phrases]) => phrases.map((phrase) => [phrase, classes] as const))
  return {
    types: toPhraseTable([
      ...Object.entries(blockNouns).flatMap(([type, nouns]) => nouns.map((noun) => [noun, type] as const)),
      ...types.flatMap(({ type, displayName }) => [displayName, splitName(type)].map((name) => [name, type] as const)),
    ]),
    fields: toPhraseTable([
      ...fieldNouns.flatMap(([props, words]) => words.map((word) => [word, props] as const)),
      ...fields.flatMap(([name, meta]) => [labelOf(name, meta), splitName(name)].map((phrase) => [phrase, [name]] as const)),
    ]),
    options: toPhraseTable([
      ...fields.flatMap(([, { options: own = [] }]) => own.map((option) => [option, option] as const)), ...Object.entries(options),
    ]),
    rows: toPhraseTable(rowNouns.flatMap((noun) => noun.one.map((phrase) => [phrase, noun] as const))),
    manyRows: toPhraseTable(rowNouns.flatMap((noun) => noun.many.map((phrase) => [phrase, noun] as const))),
    verbs: toPhraseTable(verbs.flatMap(([phrase, classes]): readonly (readonly [string, Verb])[] => {
      const [verb = '', particle] = phrase.split(' + ')
      return particle === undefined ? [[verb, { classes }]] : [[verb, { classes, particle }], [`${verb} ${particle}`, { classes }]]
    })),
    duties: toPhraseTable(language.duties.flatMap(([classes, phrases]) => phrases.map((phrase) => [phrase, { classes }] as const))),
    particles: toPhraseTable(verbs.flatMap(([phrase]) => phrase.split(' + ').slice(1).map((particle) => [particle, particle] as const))),
  }
}

/** Scalar fields of a type and of its rows. */
function fieldsIn(fields: Fields): readonly (readonly [string, FieldMeta])[] {
  return Object.entries(fields).flatMap(([name, meta]) => {
    if (isInternal(name, meta) || meta.kind === 'headingLevel') return []
    return isDeclaredList(meta) ? fieldsIn(everyItemField(meta)) : [[name, meta] as const]
  })
}

/** Splits an identifier into words: `ctaText` gives `cta text`, `FAQAccordion` gives `faq accordion`. */
export function splitName(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase()
}
