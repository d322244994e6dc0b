import type { BlockType } from '../../content/model.ts'
import { lexicons } from '../rules/lexicon/index.ts'

/** What a noun means: blocks of these types, or rows of these lists. */
export interface Noun {
  readonly types: readonly string[]
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** It means all rows of a list. */
  readonly isPlural: boolean
}

export type Nouns = ReadonlyMap<string, Noun>

/** What blocks and rows are called in every language, and on this site. */
export function nounsFor(types: readonly BlockType[]): Nouns {
  const nouns = new Map(known)
  for (const { type, displayName } of types) for (const name of [type, displayName]) join(nouns, name, { types: [type] })
  return nouns
}

/** Words for other fields than images: whoever says one speaks of more than an image. */
export const otherFields: ReadonlySet<string> = new Set(
  lexicons.flatMap(({ fieldNouns }) => Object.entries(fieldNouns).flatMap(([word, props]) => (props.some((prop) => /^(?:imageUrl|src|posterUrl)$/.test(prop)) ? [] : [word.toLowerCase()]))),
)

/** First, second and so on, as far as they are told by a word of their own. */
export const ordinals: ReadonlyMap<string, number> = new Map(lexicons.flatMap((lexicon) => Object.entries(lexicon.ordinals)))

const known: Map<string, Noun> = new Map()
for (const { blockNouns, rowNouns } of lexicons) {
  for (const [type, names] of Object.entries(blockNouns)) for (const name of names) join(known, name, { types: [type] })
  for (const { singular, plural, lists } of rowNouns) {
    for (const name of singular) join(known, name, { lists })
    for (const name of plural) join(known, name, { lists, isPlural: true })
  }
}

function join(nouns: Map<string, Noun>, name: string, more: Partial<Noun>): void {
  const key = name.toLowerCase()
  const { types = [], lists = [], isPlural = false } = nouns.get(key) ?? {}
  nouns.set(key, { types: [...new Set([...types, ...(more.types ?? [])])], lists: [...lists, ...(more.lists ?? [])], isPlural: isPlural || more.isPlural === true })
}
