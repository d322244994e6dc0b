import * as v from 'valibot'

/** What an argument must be, by the name that valibot gives it. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
}
const limits: readonly (readonly [sign: RegExp, words: string])[] = [
  [/^!0$/, 'at least one character'],
  [/^>=/, 'at least '],
  [/^<=/, 'at most '],
]

/** Describes an invalid argument in a sentence, without its value. */
export function problemOf({ expected, received, message, path, type }: v.BaseIssue<unknown>): string {
  const name = path?.map(({ key }) => key).join('.') ?? 'The list of arguments'
  if (received === 'undefined') return `${name} is missing.`
  // Messages of our own complete the sentence; those of valibot repeat the value.
  if (!message.startsWith('Invalid ')) return `${name} ${message.replace(/^wanted /, 'must be ')}.`
  return `${name} must be ${kinds[type] ?? kinds[expected ?? ''] ?? toWords(expected ?? 'valid')}.`
}

function toWords(expected: string): string {
  const [sign, words] = limits.find(([sign]) => sign.test(expected)) ?? []
  if (sign) return expected.replace(sign, words ?? '')
  return expected.replaceAll(/[()]/g, '').replaceAll(' | ', ' or ')
}
