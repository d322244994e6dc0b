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
export type Tokens = readonly Token[]

/**
 * Blanks and hyphens inside words separate tokens. A single quote opens and closes only beside a non-letter.
 */
const shapes = {
  gap: /[^\S\r\n]+|(?<=[\p{L}\p{N}])[-\u2010\u2011](?=\p{L})/u,
  quoted: /"[^"]*"|`[^`]*`|(?<![\p{L}\p{N}])'(?!\d)(?:[^']|'(?=[\p{L}\p{N}]))*'/u,
  color: /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}_-])/u,
  address: /(?:https?:\/\/|mailto:|tel:)[^\s"`<>]*[^\s"`<>.,;:!?)]|#[a-z][\w-]*/u,
  route: /\/(?:[^\s"`,;<>]*[^\s"`<>.,;:!?)])?/u,
  id: /b_[\w-]+/u,
  number: /(?<!\d)\d+(?:[.,]\d+)*(?![\p{L}\p{N}])/u,
  word: /'s(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}]+(?:'(?!s(?![\p{L}\p{N}]))\p{L}+)*/u,
  sign: /[\r\n]\s*|./u,
}
type TokenKind = Exclude<keyof typeof shapes, 'gap'>
/** The kinds of the groups of the expression, which is tried in this order. */
const kinds = ['quoted', 'color', 'address', 'route', 'id', 'number', 'word', 'sign'] as const
const shape = new RegExp(
  [shapes.gap.source, ...kinds.map((kind) => `(${shapes[kind].source})`)].join('|'),
  'gisu',
)

/** The tokens of a message, from an offset; `folded` has its quotes straight. */
export function tokensOf(message: string, folded: string, from: number): Tokens {
  return folded
    .slice(from)
    .matchAll(shape)
    .flatMap((match): Tokens => {
      const kind = kinds.find((_, at) => match[at + 1] !== undefined)
      if (!kind) return []
      const { 0: found, index } = match
      const [start, end] = [from + index, from + index + found.length]
      if (kind === 'quoted') return [{ kind, word: '', text: message.slice(start + 1, end - 1), start, end }]
      const word = found.toLowerCase().normalize('NFC').trim() || ';'
      return [{ kind, word, text: message.slice(start, end), start, end }]
    })
    .toArray()
}

export const articles: ReadonlySet<string> = new Set(['the', 'a', 'an', 'my', 'our'])

/** Drops articles, and `new` before a page; the token behind keeps the article. */
export function withoutArticles(tokens: Tokens): Tokens {
  const remaining: Token[] = []
  let article: Token | undefined
  tokens.forEach((token, index) => {
    const next = tokens[index + 1]
    const isDropped = articles.has(token.word) || (token.word === 'new' && next?.word === 'page')
    if (isDropped && next && next.kind !== 'sign' && next.word !== "'s") article ??= token
    else {
      remaining.push(article ? { ...token, start: article.start, article: article.word } : token)
      article = undefined
    }
  })
  return remaining
}

/** Words that name nothing: a message means the same without them. */
export const fillers: ReadonlySet<string> = new Set(
  (
    "the a an i'd we'd i'm it's my our your their its i we you it they me us he she this that these those there here which who what 's is are " +
    'am be been being was were do does did has have had having will would shall should may might can could must let lets ' +
    'of in on at to for from by with into onto as and or so but then than also too just simply please kindly thanks now ' +
    'maybe perhaps still again some any one want wants wanted need needs like get gets got give make makes made put puts ' +
    'take takes taken place see show shows use say says said saying read reads go goes come comes sit sits stand stands belong belongs ' +
    'section sections block blocks part area site website text called named titled order somewhere about instead build'
  ).split(' '),
)

/** The words of tokens as one phrase. */
export const phraseOf = (tokens: Tokens): string =>
  tokens.map(({ word, text }) => word || text.toLowerCase()).join(' ')

/** The message of tokens with straight quotes around its texts. */
export const spelled = (message: string, tokens: Tokens): string =>
  tokens
    .map(({ kind, text, start, end, article }, at) => {
      const gap = message.slice(end, tokens[at + 1]?.start ?? end)
      const quoted = `${article === undefined ? '' : `${article} `}"${text.trim()}"`
      return `${kind === 'quoted' ? quoted : message.slice(start, end)}${gap}`
    })
    .join('')

/** Whether what is behind the last token of a message asks: no text in quotes does. */
export const isAsked = (rest: string): boolean => /^[^"]*\?\s*$/.test(rest)
