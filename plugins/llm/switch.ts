const words: ReadonlyMap<string, boolean> = new Map([
  ['1', true], ['true', true], ['yes', true], ['on', true],
  ['0', false], ['false', false], ['no', false], ['off', false],
])

/** Reads a switch; `undefined` for a word that is neither on nor off. */
export function toSwitch(word: string): boolean | undefined {
  return words.get(word.trim().toLowerCase())
}
