/** Rich text in words, as histories, reviews and lists show it. */

const marks: readonly (readonly [mark: RegExp, text: string])[] = [
  [/^[ \t]*(?:```.*|-{3,}|\*{3,})[ \t]*$/gm, ''],
  [/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)+/gm, ''],
  [/^([ \t]*)[*+-][ \t]+/gm, '$1• '],
  [/`([^`\n]+)`/g, '$1'],
  [/\*{1,3}(?=\S)([^*]*[^*\s])\*{1,3}/g, '$1'],
  [/(?<![\p{L}\p{N}_])_{1,3}(?=\S)([^_]*[^_\s])_{1,3}(?![\p{L}\p{N}_])/gu, '$1'],
]
const link = /!?\[([^[\]]*)\]\(([^()\s]*)(?: "[^"]*")?\)/g
const escaped = /\\([!-/:-@[-`{-~])/g
const privateUse = 0xe000
const hidden = /[\ue021-\ue07e]/g

/** Returns a text in Markdown without its marks; of links the words, or with `addresses` also where they lead. */
export function markdownText(markdown: string, { addresses = false } = {}): string {
  let text = markdown.replace(escaped, (_, mark: string) =>
    String.fromCharCode(privateUse + mark.charCodeAt(0)),
  )
  text = text.replace(link, (_, words: string, address: string) =>
    addresses && address !== '' ? `${words} (${address})` : words,
  )
  // Twice, for what is bold and italic.
  for (const [mark, inner] of [...marks, ...marks]) text = text.replace(mark, inner)
  return text.replace(hidden, (mark) => String.fromCharCode(mark.charCodeAt(0) - privateUse))
}
