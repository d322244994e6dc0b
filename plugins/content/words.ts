/** Returns the words of a text, in lower case. */
export const wordsIn = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

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
