import { codeOf } from '../../../content/naming.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import type { Lexicon, VagueWords } from './lexicon.ts'

/** Every language that messages are understood in. */
export const lexicons: readonly Lexicon[] = [english, german]

/** The languages to try, that of the person first. */
export function lexiconsFor(locale: string): readonly Lexicon[] {
  const language = codeOf(locale)
  return lexicons.toSorted((a, b) => Number(b.language === language) - Number(a.language === language))
}

/**
 * What is no text in a language: its own words, and those of other languages that mean nothing in it. A sentence of
 * loanwords such as `headline: …` is read in every language, whatever the remark behind it is written in.
 */
export function vagueWordsFor(lexicon: Lexicon): VagueWords {
  const known = vagueWords.get(lexicon)
  if (known) return known
  const own = new Set(Object.values(lexicon.words).flat().flatMap((phrase) => phrase.split(' ')))
  const foreign = lexicons.filter((other) => other !== lexicon).flatMap(({ vague }) => vague.words).filter((word) => !own.has(word))
  const vague = { ...lexicon.vague, words: [...lexicon.vague.words, ...foreign] }
  vagueWords.set(lexicon, vague)
  return vague
}

const vagueWords = new WeakMap<Lexicon, VagueWords>()
