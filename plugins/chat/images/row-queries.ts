import type { Noun, Nouns } from './nouns.ts'
import * as say from './vocabulary.ts'

/** What is longer says more than anybody looks for. */
export const longestQuery = 200

/** A sentence without what single rows should show. */
export interface RowQueries {
  readonly tokens: readonly string[]
  /** The quoted texts that are left. */
  readonly quotes: readonly string[]
  readonly queries: ReadonlyMap<number, string>
  readonly noun?: Noun | undefined
}

/** Takes `card 2: "a harbor"` out of a sentence: what the image of this row should show. */
export function withoutRowQueries(tokens: readonly string[], quotes: readonly string[], nouns: Nouns): RowQueries {
  const left: string[] = []
  const quotesLeft: string[] = []
  const queries = new Map<number, string>()
  let noun: Noun | undefined
  let quote = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const [word = '', number = '', colon, mark] = tokens.slice(at, at + 4)
    const row = nouns.get(word)
    if (row && row.lists.length > 0 && /^[1-9]\d?$/.test(number) && colon === ':' && mark === '"') {
      while (left.at(-1) === ',' || say.joining.has(left.at(-1) ?? '')) left.pop()
      queries.set(Number(number), (quotes[quote] ?? '').trim().slice(0, longestQuery))
      noun = row
      quote += 1
      at += 3
    } else {
      left.push(word)
      if (word === '"') quotesLeft.push(quotes[quote++] ?? '')
    }
  }
  return { tokens: left, quotes: quotesLeft, queries, noun }
}
