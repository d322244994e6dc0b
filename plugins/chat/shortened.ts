const longest = 60

/** What somebody sent, short enough to be repeated in a sentence; no half of a character is left at the cut. */
export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text)
