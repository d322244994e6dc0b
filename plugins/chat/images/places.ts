import { ordinals, type Noun, type Nouns } from './nouns.ts'
import * as say from './vocabulary.ts'

/** Which blocks or rows words name; nothing of it where they only point at what is selected. */
export interface Named {
  readonly noun?: Noun | undefined
  /** The second one, or -1 for the last. */
  readonly place?: number | undefined
  readonly isEvery: boolean
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

const numberOf = (word: string, at: number): number | undefined => (/^[1-9]\d?$/.test(word) ? Number(word) : at === 0 || ordinals.has(word) ? ordinals.get(word) : undefined)
