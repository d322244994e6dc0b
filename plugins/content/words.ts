/** A message as seen by the rules that choose a prompt and a model; it does not affect the edit itself. */
export interface Words {
  /** In lower case, without quoted text. */
  readonly list: readonly string[]
  /** The same words as one text, with a blank before and after each. */
  readonly text: string
  /** The number of quoted texts. */
  readonly quoted: number
}

/** A quoted text without its opening quote, so that unclosed quotes take linear time. An apostrophe follows a letter. */
const quoted = /"[^"]*"|“[^“”]*”|„[^„“]*“|«[^«»]*»|`[^`]*`|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^']*'/gu

/** Replaces the quoted texts of a message, and returns them as well. Unclosed quotes are ignored. */
export function outsideOfQuotes(message: string, instead: string): { readonly text: string; readonly quotes: readonly string[] } {
  const quotes: string[] = []
  const text = message.replace(quoted, (quote) => {
    quotes.push(quote.slice(1, -1))
    return instead
  })
  return { text, quotes }
}

/** Splits a message into words. Apostrophes belong to their word. */
export function wordsOf(message: string): Words {
  const { text, quotes } = outsideOfQuotes(message, ' ')
  const list = wordsIn(text)
  return { list, text: ` ${list.join(' ')} `, quoted: quotes.length }
}

/** Returns the words of a text, in lower case. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Whether one of the words is in one of the sets. */
export const hasAny = ({ list }: Words, ...sets: readonly ReadonlySet<string>[]): boolean =>
  list.some((word) => sets.some((set) => set.has(word)))

/** Whether a message contains the words of `phrase` in sequence. */
export const hasPhrase = ({ text }: Words, phrase: string): boolean => text.includes(` ${phrase} `)

/** Creates a set of words from a text. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Truncates a text that is shown in a message. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text

const imperative = /^\s*(?:please\s+)?(?:(?:can|could|would)\s+you|add|change|replace|make|use|find)\s/i

/**
 * Whether a text is an instruction: models sometimes write one instead of the description of an image.
 *
 * Words that also begin ordinary descriptions, such as "set" and "show", do not count.
 */
export function readsAsInstruction(value: unknown): boolean {
  return typeof value === 'string' && imperative.test(value)
}
