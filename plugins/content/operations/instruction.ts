const imperative = /^\s*(?:please\s+)?(?:(?:can|could|would)\s+you|add|change|replace|make|use|find)\s/i

/**
 * Tells whether a text is a request rather than a description, as models sometimes put where an image is
 * described.
 *
 * Words that also begin ordinary descriptions, such as "set" and "show", do not count.
 */
export function readsAsInstruction(value: unknown): boolean {
  return typeof value === 'string' && imperative.test(value)
}
