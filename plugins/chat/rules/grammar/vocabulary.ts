import { isDeclaredList } from '../../../content/fields.ts'
import { isInternal, labelOf } from '../../../content/field-meta.ts'
import type { BlockType, FieldMeta, Fields, Manifest, Registry } from '../../../content/model.ts'
import { everyItemField } from '../../../content/list-fields.ts'
import type { Lexicon, RowNoun } from '../lexicon/lexicon.ts'
import { mergeNames, toPhraseTable, type PhraseTable } from './phrase-table.ts'

/** The words of a language together with those that the block types of a site bring. */
export interface Vocabulary {
  readonly blockTypes: PhraseTable<readonly string[]>
  readonly fieldNames: PhraseTable<readonly string[]>
  readonly options: PhraseTable<readonly string[]>
  readonly rowNouns: PhraseTable<RowNoun>
  readonly rowNounsPlural: PhraseTable<RowNoun>
}

/** Every type that a block on this site may have; what a manifest declares comes first. */
export function knownTypes(registry: Registry, manifest: Manifest | undefined): readonly BlockType[] {
  const declared = manifest?.types() ?? []
  const names = new Set(declared.map(({ type }) => type))
  return [...declared, ...registry.types().filter(({ type }) => !names.has(type))]
}

export function createVocabulary(lexicon: Lexicon, types: readonly BlockType[]): Vocabulary {
  const fields = types.flatMap((type) => fieldsIn(type.fields))
  const byPhrase = (plural: boolean) => lexicon.rowNouns.flatMap((noun) =>
    (plural ? noun.plural : noun.singular).map((phrase): [string, RowNoun] => [phrase, noun]))
  return {
    blockTypes: toPhraseTable([
      ...Object.entries(lexicon.blockNouns).flatMap(([type, nouns]) => nouns.map((noun) => [noun, [type]] as const)),
      ...types.flatMap(({ type, displayName }) => [displayName, splitName(type)].map((name) => [name, [type]] as const)),
    ], (own) => own),
    fieldNames: toPhraseTable([
      ...Object.entries(lexicon.fieldNouns),
      ...fields.flatMap(([name, meta]) => [labelOf(name, meta), splitName(name)].map((phrase) => [phrase, [name]] as const)),
    ], mergeNames),
    options: toPhraseTable([
      ...fields.flatMap(([, { options = [] }]) => options.map((option) => [option, [option]] as const)),
      ...Object.entries(lexicon.optionWords ?? {}).map(([phrase, option]) => [phrase, [option]] as const),
    ], mergeNames),
    rowNouns: toPhraseTable(byPhrase(false), (first) => first),
    rowNounsPlural: toPhraseTable(byPhrase(true), (first) => first),
  }
}

/** Scalar fields of blocks and rows; lists have words of their own. */
function fieldsIn(fields: Fields): readonly (readonly [string, FieldMeta])[] {
  return Object.entries(fields).flatMap(([name, meta]) => {
    if (isInternal(name, meta) || meta.kind === 'headingLevel') return []
    return isDeclaredList(meta) ? fieldsIn(everyItemField(meta)) : [[name, meta] as const]
  })
}

/** `ctaText` as people say it: `cta text`; `FAQAccordion` becomes `faq accordion`. */
export function splitName(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase()
}
