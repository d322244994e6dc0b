/** True for a text with something else than white space in it. */
export const filled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Characters as people count them: Unicode code points. */
export function lengthOf(value: unknown): number {
  let length = 0
  if (typeof value === 'string') for (const _ of value.trim()) length += 1
  return length
}

/** A text cut at a word, with at most so many characters. */
export function cutAtWord(text: string, max: number): string {
  const characters = [...text.trim()]
  if (characters.length <= max) return characters.join('')
  const cut = characters.slice(0, max + 1).join('')
  const end = cut.lastIndexOf(' ')
  return (end > 0 ? cut.slice(0, end) : characters.slice(0, max).join('')).trimEnd().replace(/[,;:.–-]$/, '')
}

/** Text without its markup: tags, and the marks of Markdown for emphasis, links and headings. */
export function plainText(text: string): string {
  return text
    .replace(/<[a-z/!][^<>]*>/gi, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|\*|_)(?=\S)([^*_\n]+?)(?<=\S)\1/g, '$2')
    .replace(/^ {0,3}#{1,6}\s+/gm, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}
