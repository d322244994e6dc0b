/** The English sentence that says the same as a whole message in another language. */
import { ownValue, perObject } from '../../content/plain-object.ts'
import { home } from '../../content/slugs.ts'
import { typesNamed, wordsOf } from './names.ts'
import { isTitled, pagesNamed } from './references.ts'
import { isAsked, spelled, type Tokens } from './tokens.ts'
import type { Translation } from './translations.ts'
import { blocksOn, isPinned, type Item, itemsOf, pageAt, type PlanState, textsOf } from './work.ts'

/** Reads the words of a slot as English ones; `undefined` if they name nothing that the language knows. */
type ReadSlot = (work: PlanState, language: Translation, words: string) => string | undefined

const first = <T, R>(all: readonly T[], read: (each: T) => R | undefined): R | undefined => {
  for (const each of all) {
    const found = read(each)
    if (found !== undefined) return found
  }
  return undefined
}

/** A kind of section, row or field, by the name of the language or of the site, also in another case. */
const nounIn: ReadSlot = ({ names: site }, { names }, words) => {
  const noun = words.toLowerCase()
  const own = first([noun, noun.replace(/[sn]$/, ''), noun.replace(/e[sn]$/, '')], (each) =>
    ownValue(names, each),
  )
  return own ?? (typesNamed(site, wordsOf(noun)) || site.fields.has(noun) ? noun : undefined)
}

/** A page by its title, or by the English one. */
function pageIn(work: PlanState, language: Translation, words: string): Item | undefined {
  const phrase = words.replace(expressionsOf(language).articles, '')
  if (ownValue(language.names, phrase.toLowerCase()) === 'home page') return pageAt(work, home)
  const groups = expressionsOf(language).page.exec(phrase)?.slice(1)
  const title = groups?.find((each) => each !== undefined)?.replaceAll('"', '') ?? ''
  return pageTitled(work, language, title)
}

/** The only page with a title, or else with the English one that a language has for it. */
export function pageTitled(work: PlanState, { titles }: Translation, title: string): Item | undefined {
  const english = ownValue(titles, title.toLowerCase()) ?? ''
  const named = [title, english].map((each) => pagesNamed(work, each))
  const [only, ...others] = named.find((pages) => pages.length > 0) ?? []
  return others.length === 0 ? only : undefined
}

/** The only section or row of the page with a title. */
const titleIn: ReadSlot = (work, _language, words) => {
  const items = blocksOn(work, work.slug).flatMap((block) => [block, ...itemsOf(block)])
  const [only, ...others] = items.filter((item) => !isPinned(item) && isTitled(item, wordsOf(words)))
  const title = only && textsOf(only).find((text) => wordsOf(text) === wordsOf(words))
  return title === undefined || others.length > 0
    ? undefined
    : `the "${title}" ${only?.kind === 'row' ? 'entry' : 'section'}`
}

/** What is there: a page, a title, `die zweite Karte`, `die Frage "…"`, `der Text des Banners`. */
const thingIn: ReadSlot = (work, language, words) => {
  const phrase = words.replace(expressionsOf(language).articles, '')
  const page = pageIn(work, language, phrase)
  const [name, title] = [nameIn, titleIn].map((read) => read(work, language, phrase))
  // A kind that is also a title may mean either.
  if (name !== undefined && title !== undefined) return undefined
  if (page) return `the page "${page.name}"`
  return name ?? title ?? partIn(work, language, phrase)
}

/** A place among several, of which the noun follows. */
const ordinalIn: ReadSlot = (_work, language, words) => {
  const place = words.toLowerCase().replace(expressionsOf(language).articles, '')
  const ordinal = ownValue(language.ordinals, place) ?? ownValue(language.ordinals, place.slice(0, -1))
  return ordinal && `the ${ordinal}`
}

/** A noun, alone or with an ordinal or a text. */
const nameIn: ReadSlot = (work, language, words) => {
  const [, place = '', ordered = ''] = /^(\S+) (.+)$/u.exec(words) ?? []
  const ordinal = ordinalIn(work, language, place)
  const [, noun = ordinal === undefined ? words : ordered, quoted] = /^(.+) ("[^"]+")$/.exec(words) ?? []
  const name = nounIn(work, language, noun)
  const before = ordinal ?? 'the'
  return name && [before, quoted, name].filter((each) => each !== undefined).join(' ')
}

/** A part of something, or of a page, behind one of the words that are between them. */
const partIn: ReadSlot = (work, language, words) =>
  first([...words.matchAll(expressionsOf(language).owners)], ({ index, 0: { length } }) => {
    const [part, rest] = [nameIn(work, language, words.slice(0, index)), words.slice(index + length)]
    if (part === undefined) return undefined
    const page = pageIn(work, language, rest)
    const owner = page ? undefined : thingIn(work, language, rest)
    return page ? `${part} on ${page.slug}` : owner && `${part} of ${owner}`
  })

/** What is new: it has an article that says so. */
const kindIn: ReadSlot = (work, language, words) => {
  const noun = words.replace(expressionsOf(language).another, '')
  return noun === words ? undefined : nounIn(work, language, noun)
}

const slots: Readonly<Record<string, ReadSlot>> = {
  THING: thingIn,
  PATH: (work, language, words) => pageIn(work, language, words)?.slug,
  KIND: kindIn,
  PLACE: (work, language, words) => inRows(work, language, language.places, words)?.sentence,
  ORDINAL: ordinalIn,
  TEXT: (_work, _language, words) => words,
}
const slot = new RegExp(Object.keys(slots).join('|'), 'g')

/** The expression of a slot, as narrow as it can be: what follows a slot is not a part of it. */
const expressionOf = (name: string, { another, places }: Translation): string => {
  if (name === 'TEXT') return '"[^"]+"'
  if (name === 'KIND') return `${another}.+?`
  return name === 'PLACE' ? places.map(([pattern]) => pattern.replaceAll(slot, '.+?')).join('|') : '.+?'
}

const expressionsOf = perObject((language: Translation) => {
  const { articles, another, owners, page, courtesy, polite, places, requests, questions } = language
  const whole = (pattern: string): RegExp =>
    new RegExp(`^(?:${pattern.replaceAll(slot, (name) => `(${expressionOf(name, language)})`)})$`, 'iu')
  return {
    articles: new RegExp(`^${articles}`, 'iu'),
    another: new RegExp(`^${another}`, 'iu'),
    owners: new RegExp(` (?:${owners}) `, 'giu'),
    page: whole(page),
    courtesy: new RegExp(`"[^"]*"|,? ?(?<!\\p{L})(?:${courtesy})(?!\\p{L}),?`, 'giu'),
    polite: new RegExp(`^(?:${polite}) `, 'iu'),
    rows: new Map([...places, ...requests, ...questions].map(([pattern]) => [pattern, whole(pattern)])),
  }
})

/** The English of the first row that has all of the words, and whose slots can all be read. */
function inRows<R extends readonly [pattern: string, english: string, ...unknown[]]>(
  work: PlanState,
  language: Translation,
  rows: readonly R[],
  words: string,
): { readonly row: R; readonly sentence: string } | undefined {
  return first(rows, (row) => {
    const [pattern, english] = row
    const [found, ...groups] = expressionsOf(language).rows.get(pattern)?.exec(words) ?? []
    if (found === undefined) return undefined
    const names = [...pattern.matchAll(slot)].map(([name]) => name)
    const read = names.map((name, at) => ({ name, text: slots[name]?.(work, language, groups[at] ?? '') }))
    if (read.some(({ text }, at) => text === undefined && groups[at] !== undefined)) return undefined
    const sentence = english.replaceAll(slot, (name) => {
      const at = read.findIndex((each) => each.name === name)
      return read.splice(at, 1)[0]?.text ?? ''
    })
    return { row, sentence }
  })
}

/** In characters: patterns are tried on short messages. */
const mostLetters = 200

/** Returns a message without courtesies; `undefined` if it is too long, or asks without requesting anything. */
function requestOf({ message, end }: PlanState, tokens: Tokens, language: Translation): string | undefined {
  const { courtesy, polite } = expressionsOf(language)
  const text = spelled(message, tokens).replaceAll('’', "'")
  if (text.length > mostLetters) return undefined
  const plain = text.replace(courtesy, (each) => (each.startsWith('"') ? each : '')).trim()
  const request = plain.replace(polite, '')
  return isAsked(message.slice(end)) && request === plain ? undefined : request
}

/** The English sentence of a message in a language, if it asks for an edit. */
export function requestIn(work: PlanState, tokens: Tokens, language: Translation): string | undefined {
  const request = requestOf(work, tokens, language)
  return request === undefined ? undefined : inRows(work, language, language.requests, request)?.sentence
}

/** The English sentence of a question in a language, and its answer in that language. */
export function questionIn(work: PlanState, tokens: Tokens, language: Translation) {
  const asked = requestOf({ ...work, end: work.message.length }, tokens, language)
  const found = asked === undefined ? undefined : inRows(work, language, language.questions, asked)
  return found && { sentence: found.sentence, answer: found.row[2] }
}
