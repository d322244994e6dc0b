import { inLanguage } from '../../../content/naming.ts'
import { english } from './en.ts'
import { german } from './de.ts'
import type { Texts } from './texts.ts'

/** The texts for a locale such as `de` or `de-AT`; English where there are none. */
export function textsFor(locale: string): Texts {
  return inLanguage({ en: english, de: german }, locale)
}
