import { fold } from '../message/fold.ts'
import { withoutEnd } from '../message/trim.ts'
import type { Token } from '../message/tokens.ts'

/** A phrase that was found, and what it stands for. */
export interface Found<T> {
  readonly phrase: string
  readonly value: T
  readonly end: number
}

/** Phrases and what they stand for, looked up at a place among tokens. */
export interface PhraseTable<T> {
  /** All phrases that begin at a token, longest first. */
  find(tokens: readonly Token[], at: number): readonly Found<T>[]
}

/** A phrase in words, and what it stands for. */
export interface PhraseRow<T> {
  readonly words: readonly string[]
  readonly value: T
}

/** Makes a table; of a phrase that comes more than once, the values are merged. */
export function toPhraseTable<T>(
  entries: Iterable<readonly [phrase: string, value: T]>, merge: (a: T, b: T) => T,
): PhraseTable<T> {
  return tableOfRows([...entries].map(([phrase, value]) => ({ words: wordsIn(phrase), value })).filter(({ words }) => words.length > 0), merge)
}

/** The same of phrases that are in words already. */
export function tableOfRows<T>(rows: readonly PhraseRow<T>[], merge: (a: T, b: T) => T): PhraseTable<T> {
  const byPhrase = new Map<string, PhraseRow<T>>()
  for (const row of rows) {
    const key = row.words.join(' ')
    const known = byPhrase.get(key)
    byPhrase.set(key, known ? { ...known, value: merge(known.value, row.value) } : row)
  }
  const byFirst = new Map<string, PhraseRow<T>[]>()
  for (const row of byPhrase.values()) {
    const [first = ''] = row.words
    const others = byFirst.get(first)
    if (others) others.push(row)
    else byFirst.set(first, [row])
  }
  for (const same of byFirst.values()) same.sort((a, b) => b.words.length - a.words.length)
  return {
    find: (tokens, at) => (byFirst.get(tokens[at]?.word ?? '') ?? []).flatMap(({ words, value }) =>
      (words.every((word, index) => isSame(tokens[at + index], word)) ? [{ phrase: words.join(' '), value, end: at + words.length }] : [])),
  }
}

/** The words of a text, as tokens have them; signs at the end do not count. */
export function wordsIn(text: string): readonly string[] {
  const folded = withoutEnd(fold(text).toLowerCase().normalize('NFC'), /[^\p{L}\p{N}]/u)
  return folded.match(/'s(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}]+(?:'(?!s(?![\p{L}\p{N}]))\p{L}+)*|[^\p{L}\p{M}\p{N}\s-]/gu) ?? []
}

const isSame = (token: Token | undefined, word: string) => token?.word === word && token.kind !== 'quoted'

/** Merges lists of names, the first ones first. */
export const mergeNames = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])]
