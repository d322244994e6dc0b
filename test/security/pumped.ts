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

/** The characters in an expression, and a few others: the ends of lines are in most negated classes. */
function characters(source: string): readonly string[] {
  const named = [...source.matchAll(/\\(.)|([^\\])/gs)].flatMap(([, escaped, plain = '']) => {
    if (escaped !== undefined) return inClass[escaped] ?? [escaped]
    return syntax.has(plain) ? [] : [plain]
  })
  return [...new Set([...named, 'a', ' ', '!', '\t', '\n', '\r', '\u2028'])]
}

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32))

/** Short texts that an expression matches; empty where they cannot be generated. */
function matches(expression: RegExp): readonly string[] {
  const { flags } = expression
  // One letter for a property of Unicode, whose thousands of characters would be listed each time.
  const source = expression.source.replaceAll(/\\p\{[^}]*\}/g, 'a').replaceAll(/\\P\{[^}]*\}/g, '-')
  // The generator tries printable characters only, endlessly if none matches.
  const isOutside = (some: string): boolean =>
    !new RegExp(some, flags.replaceAll(/[gym]/g, '')).test(printable)
  if ((source.match(/\[\^(?:\\.|[^\]\\])*\]/g) ?? []).some(isOutside)) return []
  try {
    const plain = new RegExp(source, flags.replaceAll(/[gym]/g, ''))
    return [...new Set(fc.sample(fc.stringMatching(plain, { size: 'xsmall' }), { numRuns: 3, seed: 1 }))]
  } catch {
    return []
  }
}

/** A text of any length: a part of it is repeated. */
export interface Pumped {
  readonly start: string
  readonly part: string
  readonly end: string
}

/** Returns a text of about the given length. */
export const textOf = ({ start, part, end }: Pumped, length: number): string =>
  start + part.repeat(length / part.length) + end

function* shapes(expression: RegExp): Generator<Pumped> {
  const all = characters(expression.source)
  const some = all.slice(0, 8)
  for (const part of all) for (const end of ['', '!', '\n', 'a', '\0\n']) yield { start: '', part, end }
  for (const one of some) for (const other of some) yield { start: '', part: one + other, end: '!' }
  for (const match of matches(expression)) {
    const text = match.slice(0, 16)
    for (let from = 0; from < text.length; from++) {
      for (const part of [text.slice(from, from + 1), text.slice(from, from + 3)]) {
        const start = text.slice(0, from)
        yield { start, part, end: '!' }
        yield { start, part, end: `${text.slice(from + part.length)}!` }
      }
    }
  }
}

/**
 * Returns texts that are expensive for an expression: its own characters and the ends of lines repeated, and matching
 * texts with each of their parts repeated, all with an end that breaks the match.
 */
export function pumped(expression: RegExp): readonly Pumped[] {
  const different = new Map([...shapes(expression)].map((shape) => [Object.values(shape).join('\0'), shape]))
  return [...different.values()]
}

/** Inputs that `recheck` found for expressions of this project, which were slow. They are tried on all. */
export const foundInputs: readonly Pumped[] = [
  { start: '', part: '\r', end: '\n|\0' },
  { start: '', part: '\0', end: '#\n' },
  { start: '#\t', part: '\t', end: '\0\n' },
  { start: '', part: '\r/\r', end: '\n/:0' },
  { start: 'W://+', part: '?R', end: '=' },
  { start: '/N', part: '.GIF?', end: '\t' },
  { start: '', part: 'k link d', end: '\n' },
  { start: 'u', part: 'api/editor/[.../', end: '.' },
  { start: '', part: '{{#0}}0', end: '' },
  { start: '', part: '<svg>', end: '' },
  { start: '', part: "')import('", end: ')' },
  { start: '', part: '//', end: '\0' },
]
