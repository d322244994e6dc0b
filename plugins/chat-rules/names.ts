import { everyItemField, isDeclaredList, isInternal } from '../content/fields.ts'
import type { BlockType, Fields, Manifest, Registry } from '../content/model.ts'
import { perObject } from '../content/plain-object.ts'
import { wordsIn } from '../content/words.ts'
import { articles, type Token } from './tokens.ts'

/** Phrases in lower case to what they name. */
type Phrases<T> = ReadonlyMap<string, ReadonlySet<T>>

/** The names of block types, of the rows of their lists, and of the fields of both. */
export interface Names {
  readonly types: ReadonlyMap<string, BlockType>
  readonly typesByPhrase: Phrases<string>
  /** Lists as `TYPE.prop`. */
  readonly listsByPhrase: Phrases<string>
  readonly fields: ReadonlySet<string>
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
function partsOf(name: string): string {
  const words = wordsIn(
    name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  )
  return (words.length > 1 ? words.filter((word) => !articles.has(word)) : words).join(' ')
}

/** Returns a noun without the ending of its plural. */
export const singular = (phrase: string): string => phrase.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

/** Returns the names on a site: the types of its manifest, and those that every site has. */
export const namesOn = (registry: Registry, manifest: Manifest | undefined): Names =>
  manifest ? namesOfSite(registry)(manifest) : namesOfRegistry(registry)

const namesOfSite = perObject((registry: Registry) =>
  perObject((manifest: Manifest) =>
    namesOf([...manifest.types(), ...registry.types().filter(({ type }) => !manifest.get(type))]),
  ),
)
const namesOfRegistry = perObject((registry: Registry) => namesOf(registry.types()))

function namesOf(all: readonly BlockType[]): Names {
  const types = new Map(all.map((type) => [type.type, type]))
  const [typesByPhrase, listsByPhrase] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const add = (map: Map<string, Set<string>>, phrases: readonly string[], named: string) => {
    for (const phrase of phrases.filter((each) => each !== ''))
      map.set(phrase, (map.get(phrase) ?? new Set()).add(named))
  }
  const fields = new Set<string>()
  for (const { type, displayName, fields: own } of types.values()) {
    add(typesByPhrase, [partsOf(displayName), partsOf(type), ...aliasesIn(aliasesOfTypes, type)], type)
    for (const phrase of propsByPhrase(own).keys()) fields.add(phrase)
    for (const [listKey, meta] of Object.entries(own)) {
      if (!isDeclaredList(meta) || isInternal(listKey, meta)) continue
      const labels = [meta.label ?? '', listKey].map((name) => singular(partsOf(name)))
      add(listsByPhrase, [...labels, ...aliasesIn(aliasesOfRows, type)], `${type}.${listKey}`)
      for (const phrase of propsByPhrase(everyItemField(meta)).keys()) fields.add(phrase)
    }
  }
  return { types, typesByPhrase, listsByPhrase, fields }
}

const aliasesIn = (aliases: Readonly<Record<string, string>>, type: string): readonly string[] =>
  Object.hasOwn(aliases, type) ? (aliases[type]?.split('|') ?? []) : []

/** The block types that a phrase names, in the singular or plural, perhaps with a word such as "section" behind. */
export function typesNamed({ typesByPhrase }: Names, phrase: string): ReadonlySet<string> | undefined {
  const noun = phrase.replace(/ (?:section|block|one)$/, '')
  return [phrase, singular(phrase), noun, singular(noun)]
    .map((each) => typesByPhrase.get(each))
    .find((types) => types !== undefined)
}

/** The props that phrases name, for the fields of a block or row: labels and prop names, then aliases. */
export const propsByPhrase = perObject((fields: Fields): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (phrase: string, name: string) => void (found.has(phrase) || found.set(phrase, name))
  const open = Object.entries(fields).filter(
    ([name, meta]) => !isInternal(name, meta) && !isDeclaredList(meta),
  )
  for (const [name, { label = '' }] of open) for (const own of [name, label]) add(partsOf(own), name)
  for (const [phrases, props] of aliasesOfFields) {
    const name = props.split('|').find((prop) => open.some(([own]) => own === prop))
    if (name !== undefined) for (const phrase of phrases.split('|')) add(phrase, name)
  }
  return found
})

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The position that an ordinal names, from 0; -1 for the last one. */
export function ordinalOf(token: Token | undefined): number | undefined {
  if (token?.word === 'last') return -1
  const digits = /^(\d+)(?:st|nd|rd|th)$/.exec(token?.word ?? '')?.[1]
  const index = digits === undefined ? ordinals.indexOf(token?.word ?? '') : Number(digits) - 1
  return index < 0 ? undefined : index
}

/** The digits of a number in digits or in words. */
export function numberOf(word: string): string | undefined {
  const index = numbers.indexOf(word.toLowerCase())
  return index >= 0 ? String(index + 1) : /^\d+(?:\.\d+)?$/.test(word) ? word : undefined
}
