/** The last part of a name before its endings, where bundlers put a digest: `index-DiwrgTda.js`, `main.3f2a9c1b.css.map`. */
const digest = /[.-]([\w-]{8}|[\da-f]{8,64})(?:\.[a-z\d]{1,11}){1,2}$/

const hasDigit = (text: string): boolean => /\d/.test(text)
/** A word may begin with a capital; inside of one there is none. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text.slice(1))
/** Into these folders bundlers write nothing by a name that it had before. */
const bundled = /^(?:.*\/)?(?:assets|static|_astro|_next|immutable|chunks)\//

/**
 * True for a file whose name changes with its content, so that a browser may keep it for ever.
 *
 * It is a guess by the name, and in doubt it says no: asking again costs a moment, an old file for a year does not
 * go away. A digest has to look like chance: letters and digits in hexadecimal or in the capitals of base 32, and
 * among bundled files any eight characters that are no word.
 */
export function isHashed(path: string): boolean {
  const [, mark = ''] = digest.exec(path) ?? []
  if (/^[\da-f]+$/.test(mark) || /^[A-Z2-7]{8}$/.test(mark)) return hasDigit(mark) && /[a-z]/i.test(mark)
  return mark !== '' && bundled.test(path) && /[a-z]/i.test(mark) && (hasDigit(mark) || isMixed(mark))
}
