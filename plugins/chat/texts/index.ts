import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

/** The sentences of a language such as `de` or `de-AT`; English where there are none. */
export function textsIn(locale: string): Texts {
  return inLanguage({ en, de }, locale)
}

/** What there is in English, and in other languages by their codes. */
export interface Languages<T> {
  readonly en: T
  readonly [code: string]: T
}

/** The code of the language of a locale such as `de-AT` or `de_AT`. */
export const codeOf = (locale: string): string => locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** Gives what there is in the language of a locale; the English one where there is none. */
export function inLanguage<T>(languages: Languages<T>, locale: string): T {
  const code = codeOf(locale)
  return (Object.hasOwn(languages, code) ? languages[code] : undefined) ?? languages.en
}
