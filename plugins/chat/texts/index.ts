import { inLanguage } from '../../content/naming.ts'
import { de } from './de.ts'
import { en } from './en.ts'

/** Every sentence of the pipeline for people, in one language. */
export type Texts = typeof en

/** Returns the sentences of a language such as `de` or `de-AT`; English if there are none. */
export function textsIn(locale: string): Texts {
  return inLanguage({ en, de }, locale)
}
