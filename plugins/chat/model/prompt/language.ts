import { codeOf } from '../../../content/naming.ts'

const names: Readonly<Record<string, string>> = {
  en: 'English', de: 'German', fr: 'French', es: 'Spanish', it: 'Italian',
  pt: 'Portuguese', nl: 'Dutch', ja: 'Japanese', ko: 'Korean', zh: 'Chinese',
}

/** A language by its code, as a model is told it; an unknown code stands for itself, anything else for English. */
export function languageOf(locale: string): string {
  const code = codeOf(locale)
  if (Object.hasOwn(names, code)) return names[code] ?? code
  return /^[a-z]{2,3}$/.test(code) ? `the language with the code ${code}` : 'English'
}
