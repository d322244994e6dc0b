import { everyItemField, isDeclaredList, isInternal } from '../content/fields.ts'
import type { BlockType, Fields, Manifest, Registry } from '../content/model.ts'
import { perObject } from '../content/plain-object.ts'
import { articles, phraseOf, type Token } from './tokens.ts'

/** Phrases in lower case to what they name. */
type Phrases<T> = ReadonlyMap<string, readonly T[]>

/** A list of a block type. */
export interface ListOf {
  readonly type: string
  readonly listKey: string
}

/** The names of block types and of the rows of their lists. */
export interface Names {
  readonly types: ReadonlyMap<string, BlockType>
  readonly typesByPhrase: Phrases<string>
  readonly listsByPhrase: Phrases<ListOf>
}

const aliasesOfTypes: Readonly<Record<string, string>> = {
  Hero: 'hero',
  FeatureGrid: 'features|benefits',
  FAQAccordion: 'faq|faqs',
  CTA: 'cta|call to action',
  CardGrid: 'cards',
  Testimonials: 'testimonials|reviews',
  Stats: 'stats|statistics',
  Gallery: 'gallery',
  Banner: 'banner',
  Footer: 'footer',
  SiteHeader: 'header',
  Carousel: 'slider',
  RichText: 'text section',
}

const aliasesOfRows: Readonly<Record<string, string>> = {
  Testimonials: 'quote|review',
  Stats: 'stat',
  Gallery: 'photo|picture',
}

/** Phrases for fields, and the props that they mean: the first one that a block has. */
const aliasesOfFields: readonly (readonly [phrases: string, props: string])[] = [
  ['headline|heading|title', 'heading|title'],
  ['subheading|subheadline|tagline|subtitle', 'subheading|subtitle'],
  ['text|body|copy|paragraph|description', 'text|body|description|content'],
  ['button|cta|call to action|button text|button label', 'ctaText'],
  ['button link|link|url|link target', 'ctaHref|href|url'],
  ['secondary button|second button|secondary button text', 'secondaryCtaText'],
  ['secondary button link|secondary link|second button link', 'secondaryCtaHref'],
  ['image|photo|picture', 'imageUrl|src|posterUrl'],
  ['alt text|alt|image alt text', 'imageAlt|alt'],
  ['question', 'q'],
  ['answer', 'a'],
]

/** The parts of a name such as `ctaText`, `FAQAccordion` or `Line above the heading`, in lower case, without articles. */
function wordsIn(name: string): string {
  const spaced = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  const words = spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return (words.length > 1 ? words.filter((word) => !articles.has(word)) : words).join(' ')
}

/** Returns a noun without the ending of its plural. */
export const singular = (phrase: string): string => phrase.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

function addTo<T>(map: Map<string, readonly T[]>, phrase: string, ...values: readonly T[]): void {
  if (phrase !== '') map.set(phrase, [...new Set([...(map.get(phrase) ?? []), ...values])])
}

/** Returns the names on a site: the types of its manifest, and those that every site has. */
export function namesOn(registry: Registry, manifest: Manifest | undefined): Names {
  return manifest ? namesOfSite(registry)(manifest) : namesOfRegistry(registry)
}

const namesOfSite = perObject((registry: Registry) =>
  perObject((manifest: Manifest) => {
    const declared = new Set(manifest.types().map(({ type }) => type))
    return namesOf([...manifest.types(), ...registry.types().filter(({ type }) => !declared.has(type))])
  }),
)
const namesOfRegistry = perObject((registry: Registry) => namesOf(registry.types()))

function namesOf(all: readonly BlockType[]): Names {
  const typesByPhrase = new Map<string, readonly string[]>()
  const listsByPhrase = new Map<string, readonly ListOf[]>()
  for (const { type, displayName, fields } of all) {
    const own = [wordsIn(displayName), wordsIn(type), ...(aliasesOfTypes[type]?.split('|') ?? [])]
    for (const phrase of own) addTo(typesByPhrase, phrase, type)
    for (const [listKey, meta] of Object.entries(fields)) {
      if (!isDeclaredList(meta) || isInternal(listKey, meta)) continue
      const list = { type, listKey }
      const names = [
        singular(wordsIn(meta.label ?? '')),
        singular(wordsIn(listKey)),
        ...(aliasesOfRows[type]?.split('|') ?? []),
      ]
      for (const name of names) addTo(listsByPhrase, name, list)
    }
  }
  return { types: new Map(all.map((type) => [type.type, type])), typesByPhrase, listsByPhrase }
}

/** The block types that a phrase names, in the singular or plural. */
export const typesNamed = ({ typesByPhrase }: Names, phrase: string): readonly string[] | undefined =>
  typesByPhrase.get(phrase) ?? typesByPhrase.get(singular(phrase))

/** The props that phrases name, for the fields of a block or row: labels and prop names, then aliases. */
export const propsByPhrase = perObject((fields: Fields): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const set = (phrase: string, name: string) => void (found.has(phrase) || found.set(phrase, name))
  const open = Object.entries(fields).filter(
    ([name, meta]) => !isInternal(name, meta) && !isDeclaredList(meta),
  )
  for (const [name, { label = '' }] of open) {
    set(wordsIn(name), name)
    set(wordsIn(label), name)
  }
  for (const [phrases, props] of aliasesOfFields) {
    const name = props.split('|').find((prop) => open.some(([own]) => own === prop))
    if (name !== undefined) for (const phrase of phrases.split('|')) set(phrase, name)
  }
  return found
})

/** Whether tokens name a field of any block type or row. */
export function isFieldName({ types }: Names, tokens: readonly Token[]): boolean {
  return (
    tokens.length > 0 &&
    tokens.every(({ kind }) => kind === 'word') &&
    fieldPhrases(types).has(phraseOf(tokens))
  )
}

const fieldPhrases = perObject((types: ReadonlyMap<string, BlockType>): ReadonlySet<string> => {
  const rows = (fields: Fields) => Object.values(fields).filter(isDeclaredList).map(everyItemField)
  const all = [...types.values()].flatMap(({ fields }) => [fields, ...rows(fields)])
  return new Set(all.flatMap((fields) => [...propsByPhrase(fields).keys()]))
})

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The position that an ordinal names, from 0; -1 for the last one. */
export function ordinalOf(token: Token | undefined): number | undefined {
  if (token?.word === 'last') return -1
  const [, digits] = /^(\d+)(?:st|nd|rd|th)$/.exec(token?.word ?? '') ?? []
  const index = digits === undefined ? ordinals.indexOf(token?.word ?? '') : Number(digits) - 1
  return index < 0 ? undefined : index
}

/** The digits of a number in digits or in words. */
export function numberOf(word: string): string | undefined {
  const index = numbers.indexOf(word.toLowerCase())
  return index >= 0 ? String(index + 1) : /^\d+(?:\.\d+)?$/.test(word) ? word : undefined
}
