import { refusals } from '../refusals.ts'

interface JsonLimits {
  readonly depth: number
  readonly values: number
}

type Parse = (text: string) => unknown

export const jsonLimits: JsonLimits = { depth: 64, values: 100_000 }

const excesses = {
  depth: ({ depth }: JsonLimits) => `The body is nested deeper than ${depth} levels.`,
  values: ({ values }: JsonLimits) => `The body holds more than ${values} values.`,
}

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i

/**
 * True for exactly `application/json`, with or without `charset=utf-8`.
 *
 * With a looser rule two readers of one header could disagree, and an unchecked body would be used.
 */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && jsonType.test(contentType)
}

/** A size in bytes that takes the parser a few milliseconds at most, with any content. */
export const harmlessBytes = 16 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses JSON. Refuses with `invalid_json` text that is not JSON, and JSON that is unsafe for later code. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits = jsonLimits): unknown {
  const value = parseUnchecked(bytes, limits)
  refuseUnsafe(value, limits)
  return value
}

/** The first half of `parseJson`; the value is to be checked with `refuseUnsafe` before it is used. */
export function parseUnchecked(bytes: Uint8Array, limits: JsonLimits, parseText?: Parse): unknown {
  if (bytes.byteLength === 0) throw refusals.invalidJson('The body is empty. Send a JSON value.')
  const excess = bytes.byteLength > harmlessBytes ? findExcess(bytes, limits) : undefined
  if (excess) throw refusals.invalidJson(excesses[excess](limits))
  return parse(bytes, parseText)
}

/** The second half of `parseJson`. */
export function refuseUnsafe(value: unknown, limits: JsonLimits): void {
  const problem = findProblem(value, limits)
  if (problem) throw refusals.invalidJson(problem)
}

function parse(bytes: Uint8Array, parseText: Parse = JSON.parse): unknown {
  try {
    return parseText(decoder.decode(bytes))
  } catch (error) {
    const at = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined
    const where = at === undefined ? ' in UTF-8.' : `: look at character ${at}.`
    throw refusals.invalidJson(`The body is not JSON${where}`)
  }
}

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Returns the first reason why a parsed value is unsafe, or `undefined`.
 *
 * One walk, without recursion: a deep value would overflow the stack of the code that prints it, a key such
 * as `__proto__` becomes a prototype when objects are merged, and a lone surrogate cannot be stored as UTF-8.
 */
export function findProblem(root: unknown, limits: JsonLimits = jsonLimits): string | undefined {
  const { depth, values } = limits
  let level: unknown[] = [root]
  let seen = 0
  for (let at = 0; level.length > 0; at++) {
    seen += level.length
    if (seen > values) return excesses.values(limits)
    const next: unknown[] = []
    const isDeepest = at >= depth
    for (const value of level) {
      if (typeof value === 'string') {
        if (!value.isWellFormed()) return 'The body holds a text with half of a surrogate pair.'
      } else if (typeof value === 'number') {
        if (!Number.isFinite(value)) return 'The body holds a number too large to be one.'
      } else if (typeof value !== 'object' || value === null) {
        continue
      } else if (isDeepest) {
        return excesses.depth(limits)
      } else if (Array.isArray(value)) {
        for (const item of value) next.push(item)
      } else {
        for (const key of Object.keys(value)) {
          if (unsafeKeys.has(key)) return `The body holds the key '${key}', which is not allowed.`
          if (!key.isWellFormed()) return 'The body holds a key with half of a surrogate pair.'
        }
        for (const item of Object.values(value)) next.push(item)
      }
    }
    level = next
  }
  return undefined
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/**
 * Detects from the bytes alone that JSON is nested too deep, or has too many values.
 *
 * Parsing megabytes of brackets blocks the event loop for most of a second; one pass over the bytes takes a
 * few milliseconds. For text that is not JSON the result is arbitrary: the parser refuses it later.
 */
export function findExcess(bytes: Uint8Array, { depth, values }: JsonLimits): 'depth' | 'values' | undefined {
  let level = 0
  let seen = 1
  /** True right after an opening bracket: the next value is the first one inside. */
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

/** Returns the position of the quote that ends a string, or the end. Strings may have megabytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let before = end
    while (before > start && bytes[before - 1] === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return bytes.length
}
