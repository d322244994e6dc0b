import { german } from './de.ts'
import { english } from './en.ts'
import type { Language } from './language.ts'

/** The supported languages of messages. */
export const languages: readonly Language[] = [english, german]

/** All languages, that of the locale first. */
export function languagesFor(locale: string): readonly Language[] {
  const isOwn = ({ code }: Language) => locale.toLowerCase().split('-')[0] === code
  return languages.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
}
