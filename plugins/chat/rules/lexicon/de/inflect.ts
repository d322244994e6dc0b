/** `neue`, `neuen`, `neuer`, `neues`, `neuem`: an adjective as it stands before a noun. */
export const declined = (...stems: readonly string[]): readonly string[] =>
  stems.flatMap((stem) => ['e', 'en', 'er', 'es', 'em'].map((ending) => stem + ending))

/** `den Abschnitt`, `dem Abschnitt`: every one of some words before every one of others. */
export const each = (...parts: readonly (readonly string[])[]): readonly string[] =>
  parts.reduce((phrases, words) => phrases.flatMap((phrase) => words.map((word) => `${phrase} ${word}`.trim())), [''])

const plainLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
const dots = /[äöüß]/g

/** Words as keyboards without umlauts write them, each with its proper spelling. */
export function plainSpellings(phrases: Iterable<string>): Readonly<Record<string, string>> {
  const words = [...phrases].flatMap((phrase) => phrase.toLowerCase().match(/\p{L}+/gu) ?? [])
  return Object.fromEntries(words.filter((word) => word.search(dots) >= 0).flatMap((word) =>
    [word.replace(dots, (letter) => plainLetters[letter] ?? letter), word.replaceAll('ß', 'ss')].map((plain) => [plain, word])).filter(([plain, word]) => plain !== word))
}
