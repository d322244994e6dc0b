export type TokenKind = 'quoted' | 'address' | 'route' | 'color' | 'id' | 'number' | 'word' | 'sign'

/** A token of a message. */
export interface Token {
  readonly kind: TokenKind
  /** In lower case, for comparing; empty for quoted text, so that no pattern matches it. */
  readonly word: string
  /** As written; quoted text without its quotes. */
  readonly text: string
  /** The offset in the message, before the article if there is one. */
  readonly start: number
  readonly end: number
  /** The article before this token. Articles are not tokens. */
  readonly article?: string
}

/** The longest message that is read. */
export const longestMessage = 2000

/** A request without the courtesies around it. */
export interface Request {
  readonly message: string
  readonly tokens: readonly Token[]
  /** Ends with a question mark, or begins like a question, and is not a polite request. */
  readonly isQuestion: boolean
}

const shapes: readonly (readonly [TokenKind, RegExp])[] = [
  ['address', /(?:https?:\/\/|mailto:|tel:)[^\s"`<>]*[^\s"`<>.,;:!?)]/iy],
  ['color', /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}_-])/iuy],
  ['address', /#[a-z][\w-]*/iy],
  ['route', /\/(?:[^\s"`,;<>]*[^\s"`<>.,;:!?)])?/y],
  ['id', /b_[\w-]+/iy],
  ['number', /\d+(?:\.\d+)?(?![\p{L}\p{N}])/uy],
  ['word', /'s(?![\p{L}\p{N}])/iuy],
  ['word', /[\p{L}\p{M}\p{N}]+(?:'(?!s(?![\p{L}\p{N}]))\p{L}+)*/uy],
]

/** Splits a message into tokens. Blanks and hyphens inside words separate them; a line break is a sign. */
function tokensOf(message: string): readonly Token[] {
  const folded = message.replace(/[“”„‟«»＂]/g, '"').replace(/[‘’‚‛‹›]/g, "'")
  const tokens: Token[] = []
  for (let at = 0; at < folded.length;) {
    const blank = /\s*[\r\n]\s*|\s+|[-\u2010\u2011](?=\p{L})/uy
    blank.lastIndex = at
    const gap = blank.exec(folded)?.[0]
    if (gap !== undefined && !(gap === '-' && !isLetter(folded[at - 1]))) {
      if (/[\r\n]/.test(gap))
        tokens.push({ kind: 'sign', word: ';', text: gap, start: at, end: at + gap.length })
      at += gap.length
      continue
    }
    const [kind, end] = quotedAt(folded, at) ?? shapedAt(folded, at)
    const text = kind === 'quoted' ? message.slice(at + 1, end - 1) : message.slice(at, end)
    const word = kind === 'quoted' ? '' : folded.slice(at, end).toLowerCase().normalize('NFC')
    tokens.push({ kind, word, text, start: at, end })
    at = end
  }
  return tokens
}

const isLetter = (character = '') => /[\p{L}\p{N}]/u.test(character)

/** A single quote opens only after a non-letter, not as in `'80s`, and closes only before a non-letter. */
function quotedAt(text: string, at: number): readonly [TokenKind, number] | undefined {
  const quote = text[at] ?? ''
  if (!`"'\``.includes(quote) || (quote === "'" && (isLetter(text[at - 1]) || /\d/.test(text[at + 1] ?? ''))))
    return undefined
  const isApostrophe = (close: number) => text[close] === "'" && isLetter(text[close + 1])
  let close = text.indexOf(quote, at + 1)
  while (isApostrophe(close)) close = text.indexOf(quote, close + 1)
  return close < 0 ? undefined : ['quoted', close + 1]
}

function shapedAt(text: string, at: number): readonly [TokenKind, number] {
  for (const [kind, pattern] of shapes) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found) return [kind, at + found.length]
  }
  return ['sign', at + String.fromCodePoint(text.codePointAt(at) ?? 0).length]
}

export const articles: ReadonlySet<string> = new Set(['the', 'a', 'an', 'my', 'our'])

/** Drops articles, and `new` before a page; the token behind keeps the article. */
function withoutArticles(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  let article: Token | undefined
  tokens.forEach((token, index) => {
    const next = tokens[index + 1]
    const isDropped = articles.has(token.word) || (token.word === 'new' && next?.word === 'page')
    if (isDropped && next && next.kind !== 'sign' && next.word !== "'s") {
      article ??= token
      return
    }
    kept.push(article ? { ...token, start: article.start, article: article.word } : token)
    article = undefined
  })
  return kept
}

const courtesies = 'please|now|ok|okay|hi|hello|hey'.split('|')
const requests = [
  'can you',
  'could you',
  'would you',
  'will you',
  'i want to',
  'i would like to',
  "i'd like to",
  'let us',
  "let's",
  "let 's",
].map((phrase) => phrase.split(' '))
const questions: ReadonlySet<string> = new Set(
  'what which who whose when where why how is are was were am do does did should shall may might has have had can could'.split(
    ' ',
  ),
)

const startsWith = (tokens: readonly Token[], words: readonly string[]): boolean =>
  words.every((word, index) => tokens[index]?.word === word)

/** Reads a message: drops the courtesies around the request and the final stop. */
export function readRequest(message: string): Request {
  let tokens = withoutArticles(tokensOf(message))
  let isPolite = false
  for (;;) {
    const polite = requests.find((words) => startsWith(tokens, words))
    const isCourtesy = tokens.length > 1 && courtesies.includes(tokens[0]?.word ?? '')
    const isComma = [',', '!'].includes(tokens[0]?.word ?? '')
    if (!polite && !isCourtesy && !isComma) break
    isPolite ||= polite !== undefined
    tokens = tokens.slice(polite?.length ?? 1)
  }
  const hasMark = tokens.at(-1)?.word === '?'
  while (tokens.length > 1 && ['.', '!', '?', ',', 'please', 'thanks'].includes(tokens.at(-1)?.word ?? ''))
    tokens = tokens.slice(0, -1)
  const isQuestion = !isPolite && (hasMark || questions.has(tokens[0]?.word ?? ''))
  return { message, tokens, isQuestion }
}

/** The offset behind the last token of a request. */
export const endOf = ({ tokens }: Request): number => tokens.at(-1)?.end ?? 0

/** The text from the first to the last of some tokens, as written, without the final stop. */
export function textOf(message: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last) return ''
  return tokens.length === 1 && first.kind === 'quoted'
    ? first.text
    : message.slice(first.start, last.end).trim()
}

/** The words of tokens as one phrase. */
export const phraseOf = (tokens: readonly Token[]): string =>
  tokens.map(({ word, text }) => word || text.toLowerCase()).join(' ')
