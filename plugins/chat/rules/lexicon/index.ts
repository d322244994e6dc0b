import { english } from './en.ts'
import type { Lexicon } from './lexicon.ts'

/** Every language that messages are understood in. */
export const lexicons: readonly Lexicon[] = [english]

/** The languages to try, that of the person first. */
export function lexiconsFor(locale: string): readonly Lexicon[] {
  const language = locale.toLowerCase().split(/[-_]/, 1)[0]
  return lexicons.toSorted((a, b) => Number(b.language === language) - Number(a.language === language))
}
