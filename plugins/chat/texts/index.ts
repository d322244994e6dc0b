import { inLanguage } from '../../content/naming.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

/** The sentences of a language such as `de` or `de-AT`; English where there are none. */
export function textsIn(locale: string): Texts {
  return inLanguage({ en, de }, locale)
}
