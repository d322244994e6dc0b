import type { JsonLimits } from './body.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/**
 * Tells from the bytes alone that JSON is nested too deep, or holds too many values.
 *
 * Parsing megabytes of brackets takes most of a second, in which no other request is served; reading the bytes once takes
 * a few milliseconds. Text that is not JSON may get either verdict, or none: the parser refuses it then.
 */
export function findExcess(bytes: Uint8Array, { depth, values }: JsonLimits): 'depth' | 'values' | undefined {
  let level = 0
  let seen = 1
  /** Right after an opening bracket: a value that comes now is the first one inside. */
  let isEmpty = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte <= 0x20) continue
    if (byte === 0x5d || byte === 0x7d) {
      level--
      isEmpty = false
      continue
    }
    if (isEmpty || byte === comma) seen++
    isEmpty = byte === 0x5b || byte === 0x7b
    if (isEmpty && ++level > depth) return 'depth'
    if (seen > values) return 'values'
    if (byte === quote) at = endOfString(bytes, at + 1)
  }
  return undefined
}

/** Where the quote is that ends a string; the end of the bytes without one. Megabytes of one string are not read one by one. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let before = end
    while (before > start && bytes[before - 1] === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return bytes.length
}
