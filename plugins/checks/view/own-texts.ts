export type OwnTexts = (text: string) => string

/**
 * Creates a function that returns one string for all equal ones, which is never a part of another: in memory, a
 * link found in a paragraph holds the paragraph.
 */
export function createOwnTexts(): OwnTexts {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const own: string = JSON.parse(JSON.stringify(text))
    known.set(own, own)
    return own
  }
}
