/** A message as it is tested by the rules that choose a prompt and a model; nothing here decides what is edited. */
export interface Words {
  /** Small letters, without what stands in quotes. */
  readonly list: readonly string[]
  /** The same words as one text, with a blank before and after each. */
  readonly text: string
  /** How many texts stand in quotes. */
  readonly quoted: number
}

/** A text in quotes. None may hold its own opening sign, so that a text of open quotes is read once. An apostrophe follows a letter. */
const quoted = /"[^"]*"|“[^“”]*”|„[^„“]*“|«[^«»]*»|`[^`]*`|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^']*'/gu

/** A message with a replacement for what stands in quotes, and what stood there. Quotes that are never closed are ignored. */
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

/** Every word of a text, in small letters. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Whether one of the words is in one of the sets. */
export const hasAny = ({ list }: Words, ...sets: readonly ReadonlySet<string>[]): boolean =>
  list.some((word) => sets.some((set) => set.has(word)))

/** Whether these words follow each other. */
export const hasPhrase = ({ text }: Words, phrase: string): boolean => text.includes(` ${phrase} `)

/** A set of words, written as one text. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

const imperative = /^\s*(?:please\s+)?(?:(?:can|could|would)\s+you|add|change|replace|make|use|find)\s/i

/**
 * Whether a text is a request rather than a description, as models sometimes put where an image is
 * described.
 *
 * Words that also begin ordinary descriptions, such as "set" and "show", do not count.
 */
export function readsAsInstruction(value: unknown): boolean {
  return typeof value === 'string' && imperative.test(value)
}
