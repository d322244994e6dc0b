/** Where a value stands: keys of objects and positions in lists, from the outside in. */
export type Path = readonly (string | number)[]

/** Is told of a JSON text while it arrives. */
export interface JsonListener {
  /** A text has grown by a piece, which is a word or so and never half a character. */
  grew(path: Path, piece: string): void
  /** A value is complete, the parts of it before itself. */
  closed(path: Path, value: unknown): void
}

/** A reader of one JSON text. */
export interface JsonReader {
  push(text: string): void
  /** True once the text cannot be JSON any more; nothing is told from then on. */
  readonly isLost: boolean
}

interface Container {
  /** The values of a list, or of an object by their keys. */
  readonly items: unknown[]
  readonly keys: string[] | undefined
}

type Expecting = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing'

const deepest = 64
/** A piece is told at the latest when it has as many characters. */
const longestPiece = 16
const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const white = new Set([' ', '\n', '\r', '\t'])
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * Reads a JSON text as it arrives, in pieces cut anywhere, and looks at every character once.
 *
 * What is told depends on the text alone, never on how it was cut. Raw line breaks inside of texts are let through,
 * as models write them. A text that stops being JSON is given up: whoever has the whole of it may repair it.
 */
export function createJsonReader(listener: JsonListener): JsonReader {
  const stack: Container[] = []
  let expecting: Expecting = 'value'
  const state = { isLost: false }

  let isInString = false
  let pieces: string[] = []
  let piece = ''
  /** What came of an escape so far, such as `u00`. */
  let escape: string | undefined
  /** A number, true, false or null, as far as it came. */
  let literal = ''

  const pathHere = (): Path => stack.map(({ items, keys }) => (keys ? (keys.at(-1) ?? '') : items.length))
  const lose = (): void => void (state.isLost = true)

  function open(keys: string[] | undefined): void {
    if (stack.length === deepest) return lose()
    stack.push({ items: [], keys })
    expecting = keys ? 'first key' : 'first value'
  }

  function close(isObject: boolean): void {
    const container = stack.pop()
    if (!container || (container.keys !== undefined) !== isObject) return lose()
    const { items, keys } = container
    put(keys ? Object.fromEntries(keys.map((key, at) => [key, items[at]])) : items)
  }

  function put(value: unknown): void {
    const path = pathHere()
    stack.at(-1)?.items.push(value)
    expecting = stack.length === 0 ? 'nothing' : 'comma'
    listener.closed(path, value)
  }

  function tellPiece(): void {
    if (piece === '') return
    pieces.push(piece)
    if (expecting !== 'key') listener.grew(pathHere(), piece)
    piece = ''
  }

  function append(character: string): void {
    piece += character
    if (isHigh(character.charCodeAt(0))) return
    if (piece.length >= longestPiece || white.has(character)) tellPiece()
  }

  function endString(): void {
    tellPiece()
    isInString = false
    const text = pieces.join('')
    pieces = []
    if (expecting !== 'key') return put(text)
    stack.at(-1)?.keys?.push(text)
    expecting = 'colon'
  }

  function inString(character: string): void {
    if (escape !== undefined) return inEscape(escape + character)
    if (character === '"') return endString()
    if (character === '\\') escape = ''
    else append(character)
  }

  function inEscape(soFar: string): void {
    if (soFar.startsWith('u')) {
      if (!/^u[\da-f]{0,4}$/i.test(soFar)) return lose()
      escape = soFar.length === 5 ? undefined : soFar
      if (soFar.length === 5) append(String.fromCharCode(Number.parseInt(soFar.slice(1), 16)))
      return
    }
    const character = Object.hasOwn(escapes, soFar) ? escapes[soFar] : undefined
    if (character === undefined) return lose()
    escape = undefined
    append(character)
  }

  function endLiteral(): void {
    const text = literal
    literal = ''
    if (text === 'true' || text === 'false') return put(text === 'true')
    if (text === 'null') return put(null)
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return put(Number(text))
    lose()
  }

  function outside(character: string): void {
    if (white.has(character)) return
    const wantsValue = expecting === 'value' || expecting === 'first value'
    const wantsKey = expecting === 'key' || expecting === 'first key'
    if (character === '"' && (wantsValue || wantsKey)) {
      isInString = true
      if (wantsKey) expecting = 'key'
    } else if (character === '{' && wantsValue) open([])
    else if (character === '[' && wantsValue) open(undefined)
    else if (character === '}' && (expecting === 'first key' || expecting === 'comma')) close(true)
    else if (character === ']' && (expecting === 'first value' || expecting === 'comma')) close(false)
    else if (character === ':' && expecting === 'colon') expecting = 'value'
    else if (character === ',' && expecting === 'comma') expecting = stack.at(-1)?.keys ? 'key' : 'value'
    else if (wantsValue && /[-\dtfn]/.test(character)) literal = character
    else lose()
  }

  return {
    push(text) {
      for (let at = 0; at < text.length && !state.isLost; at += 1) {
        const character = text.charAt(at)
        if (isInString) inString(character)
        else if (literal === '') outside(character)
        else if (/[-+.\da-z]/i.test(character) && literal.length < 64) literal += character
        else {
          endLiteral()
          if (!state.isLost) outside(character)
        }
      }
    },
    get isLost() {
      return state.isLost
    },
  }
}
