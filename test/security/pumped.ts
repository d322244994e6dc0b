import fc from '../helpers/property.ts'

/** Characters that stand for a class: one or two that are in it. */
const inClass: Readonly<Record<string, readonly string[]>> = {
  d: ['0'],
  w: ['a', '_'],
  s: [' ', '\t'],
  p: ['\u00e9', '0'],
  D: ['x'],
  W: ['-'],
  S: ['x'],
  P: ['-'],
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
  u: ['\ufeff'],
  x: [],
  b: [],
  B: [],
}
const syntax = new Set('^$*+?{}()[]|')

/** The characters in an expression, and a few others. */
function characters(source: string): readonly string[] {
  const named = [...source.matchAll(/\\(.)|([^\\])/gs)].flatMap(([, escaped, plain = '']) => {
    if (escaped !== undefined) return inClass[escaped] ?? [escaped]
    return syntax.has(plain) ? [] : [plain]
  })
  return [...new Set([...named, 'a', ' ', '!'])]
}

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32))

/** Short texts that an expression matches; empty where they cannot be generated. */
function matches({ source, flags }: RegExp): readonly string[] {
  // The generator tries printable characters only, endlessly if none matches.
  const isOutside = (some: string): boolean =>
    !new RegExp(some, flags.replaceAll(/[gym]/g, '')).test(printable)
  if ((source.match(/\[\^(?:\\.|[^\]\\])*\]/g) ?? []).some(isOutside)) return []
  try {
    const plain = new RegExp(source, flags.replaceAll(/[gym]/g, ''))
    return [...new Set(fc.sample(fc.stringMatching(plain, { size: 'xsmall' }), { numRuns: 8, seed: 1 }))]
  } catch {
    return []
  }
}

/**
 * Texts of any size that are expensive for an expression: its own characters repeated, and matching texts with each of
 * their parts repeated, all with an end that breaks the match.
 */
export function* pumped(expression: RegExp): Generator<(size: number) => string> {
  const all = characters(expression.source)
  const some = all.slice(0, 8)
  for (const one of all) for (const end of ['', '!', '\n', 'a']) yield (size) => one.repeat(size) + end
  for (const one of some)
    for (const other of some) if (one !== other) yield (size) => `${(one + other).repeat(size / 2)}!`
  for (const match of matches(expression)) {
    const text = match.slice(0, 24)
    for (let from = 0; from < text.length; from++) {
      for (const part of [text.slice(from, from + 1), text.slice(from, from + 3)]) {
        const start = (size: number) => text.slice(0, from) + part.repeat(size / part.length)
        yield (size) => `${start(size)}!`
        yield (size) => `${start(size)}${text.slice(from + part.length)}!`
      }
    }
  }
}
