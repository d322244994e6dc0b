import type { Named, Noun } from '../../chat/port.ts'
import type { BlockType } from '../../content/model.ts'
import { languages } from '../language/index.ts'
import * as vocab from './vocabulary.ts'

export type Nouns = ReadonlyMap<string, Noun>

/** Nouns for blocks and rows in all languages, and for the types of this site. */
export function nounsFor(types: readonly BlockType[]): Nouns {
  const nouns = new Map(knownNouns)
  for (const { type, displayName } of types) for (const name of [type, displayName]) join(nouns, name, { types: [type] })
  return nouns
}

/** Words for fields other than images; a message with one of them is about more than an image. */
export const otherFields: ReadonlySet<string> = new Set(
  languages.flatMap(({ fieldNouns }) => fieldNouns.flatMap(([props, words]) => (props.some((prop) => /^(?:imageUrl|src|posterUrl)$/.test(prop)) ? [] : words.map((word) => word.toLowerCase())))),
)

/** Ordinal words of all languages. */
export const ordinals: ReadonlyMap<string, number> = new Map(languages.flatMap((language) => Object.entries(language.ordinals)))

const knownNouns: Map<string, Noun> = new Map()
for (const { blockNouns, rowNouns } of languages) {
  for (const [type, names] of Object.entries(blockNouns)) for (const name of names) join(knownNouns, name, { types: [type] })
  for (const { one, many, lists } of rowNouns) {
    for (const name of one) join(knownNouns, name, { lists })
    for (const name of many) join(knownNouns, name, { lists, isPlural: true })
  }
}

function join(nouns: Map<string, Noun>, name: string, more: Partial<Noun>): void {
  const key = name.toLowerCase()
  const { types = [], lists = [], isPlural = false } = nouns.get(key) ?? {}
  nouns.set(key, { types: [...new Set([...types, ...(more.types ?? [])])], lists: [...lists, ...(more.lists ?? [])], isPlural: isPlural || more.isPlural === true })
}

/** The block or rows that words name, if every word belongs to the name. */
export function placeIn(words: readonly string[], nouns: Nouns): Named | undefined {
  const isEvery = words.some((word) => vocab.every.has(word))
  const places = words.flatMap((word, at) => numberOf(word, at) ?? [])
  const rest = words.filter((word, at) => !vocab.every.has(word) && !vocab.isPlain(word) && numberOf(word, at) === undefined)
  if (places.length > 1 || words.length === 0) return undefined
  const [place] = places
  const joined = rest.join(' ')
  const noun = nouns.get(joined) ?? nouns.get(rest.filter((word) => !vocab.sections.has(word)).join(' '))
  const isPointing = rest.length === 0 ? isEvery : rest.every((word) => vocab.sections.has(word))
  if (!noun && !(isPointing && place === undefined)) return undefined
  return { noun, place, isEvery: isEvery || (noun?.isPlural === true && place === undefined) }
}

export const numberOf = (word: string, at: number): number | undefined => (/^[1-9]\d?$/.test(word) ? Number(word) : at === 0 || ordinals.has(word) ? ordinals.get(word) : undefined)
