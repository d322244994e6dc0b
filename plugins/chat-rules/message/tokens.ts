export type TokenKind = 'word' | 'quoted' | 'address' | 'route' | 'color' | 'blockId' | 'sign'

/** A token of a message, with its offsets. */
export interface Token {
  readonly kind: TokenKind
  /** Normalized: lower case, known typos corrected; empty for quoted text. */
  readonly word: string
  /** As written; quoted text without the quotes. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Normalizes quotes and blanks; offsets are preserved. */
export const fold = (text: string): string =>
  text.replace(/[“”„‟«»＂]/g, '"').replace(/[‘’‚‛‹›]/g, "'").replace(/\s/g, ' ')

type Typos = Readonly<Record<string, string>>

const noTypos: Typos = {}
/** Caches the last message: the reader and the planner tokenize the same one several times in a row. */
const lastResult = new WeakMap<Typos, { readonly message: string; readonly tokens: readonly Token[] }>()

/** Splits a message into tokens. Blanks, and hyphens inside words, separate them. */
export function tokensOf(message: string, typos = noTypos): readonly Token[] {
  const known = lastResult.get(typos)
  if (known?.message === message) return known.tokens
  const tokens = split(message, typos)
  lastResult.set(typos, { message, tokens })
  return tokens
}

function split(message: string, typos: Typos): readonly Token[] {
  const folded = fold(message)
  const tokens: Token[] = []
  for (let at = 0; at < folded.length;) {
    if (folded[at] === ' ' || isHyphen(folded, at)) {
      const end = lineEndAt(message, at)
      if (end !== undefined && !isContinued(tokens.at(-1))) tokens.push({ kind: 'sign', word: lineEnd, text: '', start: at, end })
      at = end ?? at + 1
      continue
    }
    const { kind, end } = quotedAt(folded, at) ?? shapedAt(folded, at)
    tokens.push(toToken(kind, message, folded, at, end, typos))
    at = end
  }
  return tokens
}

/** The word of a line break, which ends a text and separates requests. */
export const lineEnd = '↵'

/** The start of the next line, after its bullet. */
function lineEndAt(message: string, at: number): number | undefined {
  nextLine.lastIndex = at
  const found = nextLine.exec(message)?.[0]
  return found === undefined || at + found.length === message.length ? undefined : at + found.length
}
const nextLine = /[^\S\r\n]*[\r\n]\s*(?:[-–—*•]\s+)?/y

/** Whether a line break is ignored after this token: at the start, or when the text continues on the next line. */
const isContinued = (token: Token | undefined): boolean => token === undefined || (token.kind === 'sign' && [':', '→', lineEnd].includes(token.word))

function toToken(kind: TokenKind, message: string, folded: string, start: number, end: number, typos: Typos): Token {
  if (kind === 'quoted') return { kind, word: '', text: message.slice(start + 1, end - 1), start, end }
  const text = message.slice(start, end)
  const word = folded.slice(start, end).toLowerCase().normalize('NFC')
  if (kind === 'sign' && /^(?:->|=>|→|⇒)$/.test(word)) return { kind, word: '→', text, start, end }
  return { kind, word: Object.hasOwn(typos, word) ? (typos[word] ?? word) : word, text, start, end }
}

const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Splits `call-to-action` into words, but not `2-3`. */
const isHyphen = (text: string, at: number) => /[-\u2010\u2011]/.test(text[at] ?? '')
  && isLetter(text[at - 1]) && isLetter(text[at + 1]) && !/^\d.\d$/.test(text.slice(at - 1, at + 2))

/** An apostrophe inside a word neither opens nor closes a quotation. */
function quotedAt(text: string, at: number): Pick<Token, 'kind' | 'end'> | undefined {
  const quote = text[at]
  if (quote === '"' || quote === '`') {
    const close = text.indexOf(quote, at + 1)
    return close < 0 ? undefined : { kind: 'quoted', end: close + 1 }
  }
  // `'80s` is an abbreviation.
  if (quote !== "'" || isLetter(text[at - 1]) || /\d/.test(text[at + 1] ?? '')) return undefined
  for (let close = text.indexOf("'", at + 1); close >= 0; close = text.indexOf("'", close + 1)) {
    if (!isLetter(text[close + 1])) return { kind: 'quoted', end: close + 1 }
  }
  return undefined
}

interface Shape {
  readonly kind: TokenKind
  readonly pattern: RegExp
  /** Trailing punctuation belongs to the sentence. */
  readonly isTrimmed?: true
  readonly notAfterLetter?: true
}

const shapes: readonly Shape[] = [
  { kind: 'address', pattern: /(?:https?:\/\/|mailto:|tel:)[^\s"`<>]+/iy, isTrimmed: true, notAfterLetter: true },
  { kind: 'color', pattern: /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}_-])/iuy, notAfterLetter: true },
  { kind: 'color', pattern: /(?:rgb|hsl)a?\([\d\s.,%/-]{1,40}\)/iy, notAfterLetter: true },
  { kind: 'address', pattern: /#[a-z][\w-]*/iy, notAfterLetter: true },
  { kind: 'route', pattern: /\/[^\s"`,;<>]*/y, isTrimmed: true, notAfterLetter: true },
  { kind: 'blockId', pattern: /b_[\w-]+/iy, notAfterLetter: true },
  { kind: 'word', pattern: /'s(?![\p{L}\p{N}])/iuy },
  { kind: 'word', pattern: /[\p{L}\p{M}\p{N}]+(?:'(?!s(?![\p{L}\p{N}]))\p{L}+)*/uy },
  { kind: 'sign', pattern: /->|=>/y },
]

function shapedAt(text: string, at: number): Pick<Token, 'kind' | 'end'> {
  const afterLetter = at > 0 && isLetter(text[at - 1])
  for (const { kind, pattern, isTrimmed, notAfterLetter } of shapes) {
    if (notAfterLetter && afterLetter) continue
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) return { kind, end: at + (isTrimmed ? withoutEnd(found, /[.,;:!?)]/) || found : found).length }
  }
  return { kind: 'sign', end: at + String.fromCodePoint(text.codePointAt(at) ?? 0).length }
}

/** Trims trailing characters that match; linear in the length. */
export function withoutEnd(text: string, kind: RegExp): string {
  const characters = [...text]
  return characters.slice(0, characters.findLastIndex((character) => !kind.test(character)) + 1).join('')
}
