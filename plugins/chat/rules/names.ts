import { everyItemField, isDeclaredList, isInternal } from '../../content/fields.ts'
import type { BlockType, Fields, Manifest, Registry } from '../../content/model.ts'
import { perObject } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { wordsIn } from '../../content/words.ts'
import { articles, type Token } from './tokens.ts'

/**
 * What messages call a block type, a list of rows (`TYPE.prop`) or props (the first one that a block has).
 */
const aliases = (
  [
    ['features|benefits', 'FeatureGrid'],
    ['faq|frequently asked questions', 'FAQAccordion'],
    ['cards', 'CardGrid'],
    ['reviews', 'Testimonials'],
    ['statistics', 'Stats'],
    ['header', 'SiteHeader'],
    ['slider|slideshow', 'Carousel'],
    ['text section', 'RichText'],
    ['quote|review', 'Testimonials.items'],
    ['photo|picture', 'Gallery.images'],
    ['headline|heading|title|big headline|main headline', 'heading|title'],
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
    ['address|page address', 'pageSlug'],
    ['search title|google title|browser title|title for google|page title for google', 'metaTitle'],
    ['page description|search description|google description|seo description', 'metaDescription'],
    ['description for google|page description for google', 'metaDescription'],
    ['menu title|menu name|menu entry|navigation label|name in menu|title in menu', 'menuLabel'],
    ['number of columns', 'columns'],
  ] as const
).map(([phrases, names]) => ({ phrases: phrases.split('|'), names: names.split('|') }))

/** The fields of a page and of the site, which messages speak of like those of a block. */
export const pageFields: Fields = {
  pageTitle: { kind: 'text', label: 'Title', required: true },
  pageSlug: { kind: 'url', label: 'Slug', required: true },
  menuLabel: { kind: 'text', label: 'Menu label' },
  metaTitle: { kind: 'text', label: 'SEO title' },
  metaDescription: { kind: 'text', label: 'Meta description' },
  socialImage: { kind: 'image', label: 'Social image' },
}
export const siteFields: Fields = {
  site: { kind: 'text', label: 'Site', required: true },
  logo: { kind: 'image', label: 'Logo' },
}

/** The lists of rows that a phrase names, by the types of their blocks. */
type Lists = Map<string, readonly string[]>

/** The maximum number of lists of a block that one phrase names. */
const mostLists = 5

/** The names of block types, of the rows of their lists, and of all fields. */
export type Names = ReturnType<typeof namesOf>

/** The words of a name such as `ctaText`, `FAQAccordion` or `Line above the heading`, without articles. */
export function wordsOf(name: string): string {
  const words = wordsIn(
    name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  )
  return (words.length > 1 ? words.filter((word) => !articles.has(word)) : words).join(' ')
}

/** Returns a noun without the ending of its plural. */
export const singular = (phrase: string): string => phrase.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

/** Returns the names on a site: of the block types that it declares, and of those that every site has. */
export const namesOn = perObject((declared: Registry | Manifest) => {
  const others = builtinRegistry.types().filter(({ type }) => !declared.get(type))
  return namesOf([...declared.types(), ...others])
})

function namesOf(all: readonly BlockType[]) {
  const typesByPhrase = new Map<string, Set<string>>()
  const listsByPhrase = new Map<string, Lists>()
  const withAliases = (named: string, phrases: readonly string[]) =>
    new Set([
      ...phrases,
      ...aliases.filter(({ names }) => names.includes(named)).flatMap((alias) => alias.phrases),
    ])
  const fieldSets = [pageFields, siteFields]
  for (const { type, displayName, fields } of all) {
    for (const phrase of withAliases(type, [wordsOf(displayName), wordsOf(type)]))
      typesByPhrase.set(phrase, (typesByPhrase.get(phrase) ?? new Set()).add(type))
    fieldSets.push(fields)
    for (const [listKey, list] of Object.entries(fields)) {
      if (!isDeclaredList(list) || isInternal(listKey, list)) continue
      const labels = [list.label ?? listKey, listKey].map((name) => singular(wordsOf(name)))
      for (const phrase of withAliases(`${type}.${listKey}`, labels)) {
        const lists = listsByPhrase.get(phrase) ?? new Map<string, readonly string[]>()
        listsByPhrase.set(phrase, lists.set(type, [...(lists.get(type) ?? []), listKey].slice(0, mostLists)))
      }
      fieldSets.push(everyItemField(list))
    }
  }
  const fields = new Set(fieldSets.flatMap((each) => [...propsByPhrase(each).keys()]))
  return { types: new Map(all.map((type) => [type.type, type])), typesByPhrase, listsByPhrase, fields }
}

/**
 * The block types that a phrase names, in the singular or plural, perhaps with a word such as "section"
 * behind.
 */
export function typesNamed({ typesByPhrase }: Names, phrase: string): ReadonlySet<string> | undefined {
  const noun = phrase.replace(/ (?:section|block|one)$/, '')
  return [phrase, singular(phrase), noun, singular(noun)]
    .map((each) => typesByPhrase.get(each))
    .find((types) => types !== undefined)
}

/** The props that phrases name, for the fields of a block or row: labels and prop names, then aliases. */
export const propsByPhrase = perObject((fields: Fields): ReadonlyMap<string, string> => {
  const open = Object.entries(fields).filter(
    ([name, meta]) => !isInternal(name, meta) && !isDeclaredList(meta),
  )
  const own = open.flatMap(([name, { label }]) =>
    [name, label ?? name].map((each) => [wordsOf(each), name] as const),
  )
  const openNames = new Set(open.map(([name]) => name))
  const others = aliases.flatMap(({ phrases, names }) => {
    const name = names.find((prop) => openNames.has(prop))
    return name === undefined ? [] : phrases.map((phrase) => [phrase, name] as const)
  })
  // The first one of a phrase stays.
  return new Map([...own, ...others].toReversed())
})

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The position that an ordinal names, from 0; -1 for the last one. */
export function ordinalOf(token: Pick<Token, 'word'> | undefined): number | undefined {
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
