/** What a column holds in documents that were written before it was declared. */
export const startValue = { text: '', integer: 0 } as const

/**
 * Compares text as UTF-8 databases do, by code point; JavaScript's `<` goes by UTF-16 units and differs
 * beyond U+D800.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Puts surrogates, which stand for the code points from U+10000 on, behind every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
