/** Matches the digest of a bundler before the extensions: `index-DiwrgTda.js`, `main.3f2a9c1b.css.map`. */
const digest = /[.-]([\w-]{8}|[\da-f]{8,64})(?:\.[a-z\d]{1,11}){1,2}$/
/** Folders in which bundlers never reuse a name. */
const bundled = /^(?:.*\/)?(?:assets|static|_astro|_next|immutable|chunks)\//

const hasDigit = (text: string): boolean => /\d/.test(text)
/** A word may start with a capital, but has none inside. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text.slice(1))

/**
 * True if the name of a file changes with its content, so a browser may cache it forever; false in doubt,
 * because a stale file stays for a year. A digest must look random: letters and digits in hexadecimal or base
 * 32, and in folders of bundlers any eight characters that are not a word.
 */
export function isHashed(path: string): boolean {
  const [, mark = ''] = digest.exec(path) ?? []
  if (/^[\da-f]+$/.test(mark) || /^[A-Z2-7]{8}$/.test(mark)) return hasDigit(mark) && /[a-z]/i.test(mark)
  return mark !== '' && bundled.test(path) && /[a-z]/i.test(mark) && (hasDigit(mark) || isMixed(mark))
}
