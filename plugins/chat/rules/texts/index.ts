import { english } from './en.ts'
import { german } from './de.ts'
import type { Texts } from './texts.ts'

const byLanguage: Readonly<Record<string, Texts>> = { en: english, de: german }

/** The texts for a locale such as `de` or `de-AT`; English where there are none. */
export function textsFor(locale: string): Texts {
  const language = locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? english
}
