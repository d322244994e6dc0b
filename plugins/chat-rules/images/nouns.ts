import type { Named, Noun } from '../../chat/port.ts'
import type { BlockType } from '../../content/model.ts'
import { languages } from '../language/index.ts'
import * as say from './vocabulary.ts'

export type Nouns = ReadonlyMap<string, Noun>

/** What blocks and rows are called in every language, and on this site. */
export function nounsFor(types: readonly BlockType[]): Nouns {
  const nouns = new Map(known)
  for (const { type, displayName } of types) for (const name of [type, displayName]) join(nouns, name, { types: [type] })
  return nouns
}

/** Words for other fields than images: a message with one of them is about more than an image. */
export const otherFields: ReadonlySet<string> = new Set(
  languages.flatMap(({ fieldNouns }) => fieldNouns.flatMap(([props, words]) => (props.some((prop) => /^(?:imageUrl|src|posterUrl)$/.test(prop)) ? [] : words.map((word) => word.toLowerCase())))),
)

/** First, second and so on, as far as they have a word of their own. */
export const ordinals: ReadonlyMap<string, number> = new Map(languages.flatMap((language) => Object.entries(language.ordinals)))

const known: Map<string, Noun> = new Map()
for (const { blockNouns, rowNouns } of languages) {
  for (const [type, names] of Object.entries(blockNouns)) for (const name of names) join(known, name, { types: [type] })
  for (const { one, many, lists } of rowNouns) {
    for (const name of one) join(known, name, { lists })
    for (const name of many) join(known, name, { lists, isPlural: true })
  }
}

function join(nouns: Map<string, Noun>, name: string, more: Partial<Noun>): void {
  const key = name.toLowerCase()
  const { types = [], lists = [], isPlural = false } = nouns.get(key) ?? {}
  nouns.set(key, { types: [...new Set([...types, ...(more.types ?? [])])], lists: [...lists, ...(more.lists ?? [])], isPlural: isPlural || more.isPlural === true })
}

/** The block or the rows that words name, where every word of them says so. */
export function placeIn(words: readonly string[], nouns: Nouns): Named | undefined {
  const isEvery = words.some((word) => say.every.has(word))
  const places = words.flatMap((word, at) => numberOf(word, at) ?? [])
  const rest = words.filter((word, at) => !say.every.has(word) && !say.isPlain(word) && numberOf(word, at) === undefined)
  if (places.length > 1 || words.length === 0) return undefined
  const [place] = places
  const joined = rest.join(' ')
  const noun = nouns.get(joined) ?? nouns.get(rest.filter((word) => !say.sections.has(word)).join(' '))
  const isPointing = rest.length === 0 ? isEvery : rest.every((word) => say.sections.has(word))
  if (!noun && !(isPointing && place === undefined)) return undefined
  return { noun, place, isEvery: isEvery || (noun?.isPlural === true && place === undefined) }
}

export const numberOf = (word: string, at: number): number | undefined => (/^[1-9]\d?$/.test(word) ? Number(word) : at === 0 || ordinals.has(word) ? ordinals.get(word) : undefined)
