/** Why a line is not one command. */
export class NotOneCommand extends Error {
  override readonly name = 'NotOneCommand'
}

/**
 * Splits a line into the words of one command, with the quotes of a shell and none of its other meanings: what a shell would expand
 * or run as something else throws a NotOneCommand.
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (quote === "'" ? char === "'" : quote === '"' && char === '"') {
      quote = ''
    } else if (quote === '"' && /[$`\\]/.test(char)) {
      throw new NotOneCommand(`'${char}' means something else between double quotes; put the text between single quotes`)
    } else if (quote !== '') {
      word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (/[|&;<>$`(){}*?!~#\\\n\r\0]/.test(char) || (char === '[' && word === undefined)) {
      throw new NotOneCommand(`'${char}' is an operator of a shell, and there is none here; send one command, or put the text between single quotes`)
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote !== '') throw new NotOneCommand('a quote is opened and never closed')
  return word === undefined ? words : [...words, word]
}
