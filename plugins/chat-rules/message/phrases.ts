import { perObject } from '../../content/plain-object.ts'
import { fold, type Token, withoutEnd } from './tokens.ts'

/** A phrase found in tokens. */
export interface Found<T> {
  readonly phrase: string
  readonly values: readonly T[]
  readonly end: number
}

/** Maps phrases to values; indexed by first word. */
export interface PhraseTable<T> {
  /** All phrases that begin at a token, longest first. */
  find(tokens: readonly Token[], at: number): readonly Found<T>[]
}

/** Creates a table; repeated phrases collect their values. */
export function toPhraseTable<T>(entries: Iterable<readonly [phrase: string, value: T]>): PhraseTable<T> {
  const byWords = Map.groupBy(entries, ([phrase]) => wordsIn(phrase).join(' '))
  const phrases = [...byWords].map(([phrase, same]) =>
    ({ phrase, words: phrase.split(' '), values: [...new Set(same.map(([, value]) => value))] }))
  const longestFirst = phrases.toSorted((a, b) => b.words.length - a.words.length)
  const byFirst = Map.groupBy(longestFirst, ({ words: [first] }) => first)
  return {
    find(tokens, at) {
      const isHere = (words: readonly string[]) => words.every((word, index) => isWord(tokens[at + index], word))
      return (byFirst.get(tokens[at]?.word) ?? []).filter(({ words }) => isHere(words))
        .map(({ phrase, words, values }) => ({ phrase, values, end: at + words.length }))
    },
  }
}

const isWord = (token: Token | undefined, word: string) => token?.word === word && token.kind !== 'quoted'

/** Splits a text into words as in tokens; drops trailing punctuation unless there is nothing else. */
export function wordsIn(text: string): readonly string[] {
  const folded = fold(text).toLowerCase().normalize('NFC').trim()
  const bare = withoutEnd(folded, /[^\p{L}\p{N}]/u) || folded
  return bare.match(/'s(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}]+(?:'(?!s(?![\p{L}\p{N}]))\p{L}+)*|[^\p{L}\p{M}\p{N}\s-]|-(?=$)/gu) ?? []
}

const tableOf = perObject((phrases: readonly string[]) => toPhraseTable(phrases.map((phrase) => [phrase, true as const])))

/** The ends of listed phrases that begin at a token, longest first. */
export const phraseEnds = (tokens: readonly Token[], at: number, phrases: readonly string[]): readonly number[] =>
  tableOf(phrases).find(tokens, at).map(({ end }) => end)

/** Compares names, ignoring case and trailing punctuation. */
export const sameWords = (a: string, b: string): boolean => {
  if (a.trim().toLowerCase() === b.trim().toLowerCase()) return true
  if (a.length > longestName || b.length > longestName) return false
  const words = wordsIn(a).join(' ')
  return words !== '' && words === wordsIn(b).join(' ')
}

/** Characters; longer texts are compared without splitting. */
const longestName = 1000
