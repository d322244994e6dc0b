import type { Noun } from '../../chat/types/reader.ts'
import type { BlockType } from '../../content/model.ts'
import { nounsOfLanguages } from '../names.ts'

export type Nouns = ReadonlyMap<string, Noun>

/** What blocks and rows are called in every language, and on this site. */
export function nounsFor(types: readonly BlockType[]): Nouns {
  const nouns = new Map(known)
  for (const { type, displayName } of types) for (const name of [type, displayName]) join(nouns, name, { types: [type] })
  return nouns
}

/** Words for other fields than images: whoever says one speaks of more than an image. */
export const otherFields: ReadonlySet<string> = new Set(
  nounsOfLanguages.fields.flatMap(({ word, props }) => (props.some((prop) => /^(?:imageUrl|src|posterUrl)$/.test(prop)) ? [] : [word])),
)

/** First, second and so on, as far as they are told by a word of their own. */
export const ordinals: ReadonlyMap<string, number> = nounsOfLanguages.ordinals

const known: Map<string, Noun> = new Map()
for (const { name, type } of nounsOfLanguages.blocks) join(known, name, { types: [type] })
for (const { name, lists, isMany } of nounsOfLanguages.rows) join(known, name, { lists, isPlural: isMany })

function join(nouns: Map<string, Noun>, name: string, more: Partial<Noun>): void {
  const key = name.toLowerCase()
  const { types = [], lists = [], isPlural = false } = nouns.get(key) ?? {}
  nouns.set(key, { types: [...new Set([...types, ...(more.types ?? [])])], lists: [...lists, ...(more.lists ?? [])], isPlural: isPlural || more.isPlural === true })
}
