/**
 * Makes quotes and blanks uniform. Every character stays at its place, so that values can be cut from the original.
 */
export function fold(text: string): string {
  return text.replace(/[“”„‟«»＂]/g, '"').replace(/[‘’‚‛‹›]/g, "'").replace(/\s/g, ' ')
}
