// Custom, because no answer may block the event loop: jsonrepair 3.15 takes 104 s for 900 KB of open quotes.

/** The path of a value: object keys and list indexes, from the outside in. */
export type Path = readonly (string | number)[]

/** Receives the values of a JSON text as it arrives. */
interface JsonListener {
  /** A string has grown by a piece of about a word, never by half a surrogate pair. */
  grew(path: Path, piece: string): void
  /** A value is complete; its parts were reported before it. */
  closed(path: Path, value: unknown): void
}

/** The defects of a JSON text that were repaired. */
type Repair =
  | 'text around it'
  | 'control characters'
  | 'bullets'
  | 'trailing commas'
  | 'bare dashes'
  | 'open end'
  | 'cut off'

interface ReadJson {
  readonly value: unknown
  readonly repairs: readonly Repair[]
  /** Set if the text was cut off: inside the last operation, or right after it. */
  readonly cut?: 'inside' | 'after'
}

interface Container {
  /** The values of a list, or of an object in the order of `keys`. */
  readonly items: unknown[]
  readonly keys: string[] | undefined
}

const mostDepth = 64
/** More than any model writes in one answer. */
const mostValues = 60_000
/** The depth of the plan and its list of operations; deeper levels are inside an operation. */
const outsideOfOperations = 2
/** A piece is reported at this length at the latest. */
const longestPiece = 16
const longestLiteral = 64
const anEscape = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/
const aLiteral = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
const white = new Set([' ', '\n', '\r', '\t'])
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Reads the first object in a text. */
export function readJson(text: string): ReadJson | undefined {
  const reader = createJsonReader()
  reader.push(text)
  return reader.end()
}

/**
 * Reads the first object of a text as it arrives, in arbitrary pieces, in a single pass.
 *
 * Repairs mistakes of models: prose around the object, raw control characters, bullets, trailing commas, bare
 * dashes, an open end. A cut-off string is left out, since half of it would become content. Reports depend
 * only on the text, never on how it was split; they end at a mistake that is not repaired.
 */
export function createJsonReader(listener?: JsonListener) {
  const stack: Container[] = []
  const repairs = new Set<Repair>()
  let expecting: 'value' | 'key' | 'colon' | 'comma' = 'value'
  let root: { readonly value: unknown } | undefined
  const state = { isLost: false }
  let values = 0
  let isInString = false
  let pieces: string[] = []
  let piece = ''
  /** An incomplete escape, such as `\u00`. */
  let escape = ''
  /** An incomplete number, true, false, null or dash. */
  let literal = ''

  const pathHere = (): Path => stack.map(({ items, keys }) => (keys ? (keys.at(-1) ?? '') : items.length))
  const lose = (): void => void (state.isLost = true)

  function open(keys: string[] | undefined): void {
    if (stack.length === mostDepth) return lose()
    stack.push({ items: [], keys })
    expecting = keys ? 'key' : 'value'
  }

  function close(isObject: boolean): void {
    const container = stack.at(-1)
    if (!container || (container.keys !== undefined) !== isObject) return lose()
    if (expecting !== 'comma' && container.items.length > 0) repairs.add('trailing commas')
    stack.pop()
    put(valueOf(container))
  }

  function put(value: unknown): void {
    values += 1
    if (values > mostValues) return lose()
    const path = pathHere()
    const parent = stack.at(-1)
    if (parent) parent.items.push(value)
    else root = { value }
    expecting = 'comma'
    listener?.closed(path, value)
  }

  function reportPiece(): void {
    if (piece === '') return
    pieces.push(piece)
    if (expecting !== 'key') listener?.grew(pathHere(), piece)
    piece = ''
  }

  function append(character: string): void {
    piece += character
    if (isHigh(character.charCodeAt(0))) return
    if (piece.length >= longestPiece || white.has(character)) reportPiece()
  }

  function endString(): void {
    reportPiece()
    isInString = false
    const text = pieces.join('')
    pieces = []
    if (expecting !== 'key') return put(text)
    stack.at(-1)?.keys?.push(text)
    expecting = 'colon'
  }

  function inString(character: string): void {
    if (escape !== '') return inEscape(escape + character)
    if (character === '"') return endString()
    if (character < ' ') repairs.add('control characters')
    if (character === '\\') escape = character
    else append(character)
  }

  function inEscape(soFar: string): void {
    escape = soFar.length < (soFar.startsWith('\\u') ? 6 : 2) ? soFar : ''
    if (escape !== '') return
    if (!anEscape.test(soFar)) return lose()
    const character: string = JSON.parse(`"${soFar}"`)
    append(character)
  }

  function endLiteral(next: string): void {
    const text = literal
    const isDash = text.trim() === '-'
    literal = isDash && white.has(next) ? '- ' : ''
    if (literal !== '') return
    const isBullet = isDash && /["{[]/.test(next)
    if (isDash) repairs.add(isBullet ? 'bullets' : 'bare dashes')
    if (!isDash && !aLiteral.test(text)) return lose()
    if (!isBullet) put(isDash ? 0 : JSON.parse(text))
    if (!state.isLost) outside(next)
  }

  function outside(character: string): void {
    if (white.has(character)) return
    if (stack.length === 0 && (root || character !== '{')) return void repairs.add('text around it')
    const inList = stack.at(-1)?.keys === undefined
    const wantsValue = expecting === 'value'
    if (character === '"' && (wantsValue || expecting === 'key')) isInString = true
    else if (character === '{' && wantsValue) open([])
    else if (character === '[' && wantsValue) open(undefined)
    else if (character === '}' && (expecting === 'key' || expecting === 'comma')) close(true)
    else if (character === ']' && ((wantsValue && inList) || expecting === 'comma')) close(false)
    else if (character === ':' && expecting === 'colon') expecting = 'value'
    else if (character === ',' && expecting === 'comma') expecting = inList ? 'value' : 'key'
    else if (wantsValue && /[-\dtfn]/.test(character)) literal = character
    else lose()
  }

  return {
    push(text: string): void {
      for (let at = 0; at < text.length && !state.isLost; at += 1) {
        const character = text.charAt(at)
        if (isInString) inString(character)
        else if (literal === '') outside(character)
        else if (/[-+.\da-z]/i.test(character) && literal.length < longestLiteral) literal += character
        else endLiteral(character)
      }
    },
    /** Ends the text; returns `undefined` if it has no object, or a mistake that is not repaired. */
    end(): ReadJson | undefined {
      if (state.isLost || (!root && stack.length === 0)) return undefined
      if (root) return { value: root.value, repairs: [...repairs] }
      const isCut =
        isInString ||
        literal !== '' ||
        expecting === 'colon' ||
        (expecting === 'value' && stack.at(-1)?.keys !== undefined)
      repairs.add(isCut ? 'cut off' : 'open end')
      const value = stack.reduceRight<unknown>(
        (inner, container) =>
          valueOf(inner === undefined ? container : { ...container, items: [...container.items, inner] }),
        undefined,
      )
      return {
        value,
        repairs: [...repairs],
        ...(isCut && { cut: stack.length > outsideOfOperations ? 'inside' : 'after' }),
      }
    },
  }
}

/** Returns the value of a container; a key without a value is left out. */
const valueOf = ({ items, keys }: Container): unknown =>
  keys ? Object.fromEntries(items.map((item, at) => [keys[at], item])) : items
