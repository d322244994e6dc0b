/** A text without the characters at its end that are all of one kind. Takes time in proportion to the text. */
export function withoutEnd(text: string, kind: RegExp): string {
  const characters = [...text]
  return characters.slice(0, characters.findLastIndex((character) => !kind.test(character)) + 1).join('')
}
