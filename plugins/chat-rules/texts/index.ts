import { inLanguage } from '../../content/naming.ts'
import { german } from './de.ts'
import { english, type Texts } from './en.ts'

export type { Texts }

/** The texts for a locale such as `de` or `de-AT`; falls back to English. */
export const textsFor = (locale: string): Texts => inLanguage({ en: english, de: german }, locale)
