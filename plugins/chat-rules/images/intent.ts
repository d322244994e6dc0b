import type { Apart, ImageIntent, Noun, SourceKind } from '../../chat/port.ts'
import { outsideOfQuotes } from '../../content/words.ts'
import type { Nouns } from './nouns.ts'
import { type Head, readHead, readTail, type Sentence, sentenceOf, type Tail, tokensOf } from './sentence.ts'
import * as vocab from './vocabulary.ts'

/** Splits a sentence at its image or logo, and gives its owner if that is the page or the site. */
function splitAtImage(words: readonly string[]) {
  const at = words.findIndex((word) => vocab.isImage(word) || vocab.logos.has(word))
  const image = words[at]
  if (image === undefined) return undefined
  const [before, after] = [words.slice(0, at), words.slice(at + 1)]
  if (vocab.logos.has(image)) return { image, of: 'site' as const, before, after: vocab.one.has(after[0] ?? '') ? after.slice(1) : after }
  const start = startOfPreview(before)
  if (start !== undefined) return { image, of: 'page' as const, before: before.slice(0, start), after }
  return { image, ...withoutPreview(before, after) }
}

/** Nouns for the page and the site, used for their own images. */
const ownNouns: Readonly<Record<Apart, Nouns>> = { page: nounsOf(vocab.pages), site: nounsOf(vocab.sites) }

function nounsOf(words: ReadonlySet<string>): Nouns {
  return new Map([...words].map((word): [string, Noun] => [word, { types: [], lists: [], isPlural: false }]))
}

/** The start of trailing words for a preview, such as `social media` or `link preview`. */
function startOfPreview(words: readonly string[]): number | undefined {
  const start = words.findLastIndex((word) => !isOfPreview(word)) + 1
  return words.slice(start).some((word) => vocab.previews.has(word)) ? start : undefined
}

/** Strips the preview from `an image for the link previews of this page`. */
function withoutPreview(before: readonly string[], after: readonly string[]) {
  const start = after.findIndex((word) => word === 'for' || word === 'für')
  const from = after.findIndex((word, at) => at > start && !vocab.determiners.has(word))
  const length = after.slice(from).findIndex((word) => !isOfPreview(word))
  const end = length < 0 ? after.length : from + length
  const isPreview = start >= 0 && from >= 0 && after.slice(from, end).some((word) => vocab.previews.has(word))
  if (!isPreview) return { of: undefined, before, after }
  const rest = after.slice(end)
  // `Die Vorschau dieser Seite` has no preposition.
  const owner = vocab.determiners.has(rest[0] ?? '') ? ['von'] : []
  return { of: 'page' as const, before, after: [...after.slice(0, start), ...owner, ...rest] }
}

const isOfPreview = (word: string): boolean => vocab.previews.has(word) || vocab.previewContext.has(word)

/** Longer search queries are cut. */
const longestQuery = 200

/** Extracts row queries from a sentence: `card 2: "a harbor"`. */
function withoutRowQueries(tokens: readonly string[], quotes: readonly string[], nouns: Nouns) {
  const rest: string[] = []
  const quotesLeft: string[] = []
  const queries = new Map<number, string>()
  let noun: Noun | undefined
  let quote = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const [word = '', number = '', colon, mark] = tokens.slice(at, at + 4)
    const row = nouns.get(word)
    if (row && row.lists.length > 0 && /^[1-9]\d?$/.test(number) && colon === ':' && mark === '"') {
      while (rest.at(-1) === ',' || vocab.joining.has(rest.at(-1) ?? '')) rest.pop()
      queries.set(Number(number), (quotes[quote] ?? '').trim().slice(0, longestQuery))
      noun = row
      quote += 1
      at += 3
    } else {
      rest.push(word)
      if (word === '"') quotesLeft.push(quotes[quote++] ?? '')
    }
  }
  return { tokens: rest, quotes: quotesLeft, queries, noun }
}

/** Longer messages are not parsed. */
const longestMessage = 1_000
const address = /(?<![a-z])[a-z]{2,}:[^\s"'“„«`]|www\.|(?:^|[\s"'“„«`])\/[\w.]/i

/**
 * Parses a request for a new image; `undefined` if the message is not one, or requests other things as well.
 *
 * Every word has to be parsed: the verb, the blocks or rows, the source, and the subject. The address, position or size of
 * an existing image is a plain update, which other planners handle.
 */
export function imageIntentOf(message: string, nouns: Nouns): ImageIntent | undefined {
  if (message.length > longestMessage || address.test(message)) return undefined
  const { text, quotes } = outsideOfQuotes(message, ' " ')
  const clauses = text.toLowerCase().split(/[.!?;\n](?=\s|$)/).map(tokensOf).filter((tokens) => tokens.some((word) => !vocab.before.has(word) && !vocab.afterwards.has(word)))
  const [clause, ...more] = clauses
  if (!clause || more.length > 0 || clause.filter((word) => word === '"').length !== quotes.length) return undefined
  return readClause(clause, quotes, nouns)
}

function readClause(clause: readonly string[], quotes: readonly string[], nouns: Nouns): ImageIntent | undefined {
  if (clause.some((word) => vocab.translating.has(word))) return undefined
  const rows = withoutRowQueries(clause, quotes, nouns)
  const sentence = sentenceOf(rows.tokens)
  const context = sentence && splitAtImage(sentence.words)
  if (!context) return undefined
  const { of, image, before, after } = context
  const isMany = vocab.several.has(image)
  if (of && (isMany || rows.noun)) return undefined
  const known = of ? ownNouns[of] : nouns
  const head = readHead(sentence, before, known)
  const tail = head && readTail(sentence.aim, after, known)
  if (!tail || (head.named && tail.named)) return undefined
  const intent = toIntent(sentence, { of, head, tail, rows, isMany })
  return asksForNewImage(sentence, { head, tail }, intent) ? intent : undefined
}

interface Read {
  readonly of: Apart | undefined
  readonly head: Head
  readonly tail: Tail
  readonly rows: ReturnType<typeof withoutRowQueries>
  readonly isMany: boolean
}

function toIntent({ verb }: Sentence, { of, head, tail, rows, isMany }: Read): ImageIntent {
  const { noun, place, isEvery = false } = head.named ?? {}
  // `The card images` are those of all cards; `the cards image` is not.
  const isOfRows = isMany && place === undefined && noun !== undefined && noun.lists.length > 0
  const before = head.named && { noun, place, isEvery: isOfRows || (isEvery && (isMany || head.isEvery)) }
  const named = before ?? tail.named ?? (rows.noun && { noun: rows.noun, isEvery: false })
  let quote = 0
  const subject = [...head.subject, ...tail.subject].map((word) => (word === '"' ? (rows.quotes[quote++] ?? '').trim() : word)).join(' ')
  return {
    source: head.source ?? tail.source ?? (vocab.generating.has(verb) ? 'generated' : undefined),
    named,
    of,
    isSeveral: isMany || named?.isEvery === true,
    query: subject === '' ? undefined : subject.slice(0, longestQuery),
    queries: rows.queries,
  }
}

/** Whether a new image is requested: by the verb, the determiner, the source, or the subject. */
function asksForNewImage({ aim, verb }: Sentence, { head: { isFresh, isIndefinite, isDefinite, source }, tail }: Pick<Read, 'head' | 'tail'>, intent: ImageIntent): boolean {
  const hasQuery = intent.query !== undefined || intent.queries.size > 0
  switch (aim) {
    case 'change':
      return !vocab.swapping.has(verb) || hasQuery || isFresh || tail.isFresh
    case 'make':
      return true
    case 'find':
      return isFresh || isIndefinite || !isDefinite
    case 'put':
      return isFresh || isIndefinite || source !== undefined || (!isDefinite && intent.isSeveral)
    case 'set':
      return isFresh || hasQuery
  }
}

/** The image source that a message consists of: the answer to the question for one. */
export function sourceAlone(message: string): SourceKind | 'any' | undefined {
  const tokens = tokensOf(message.slice(0, longestMessage).toLowerCase().replace(/\([^()]*\)/g, ' '))
  const words = tokens.filter((word) => !courtesyWords.has(word))
  if (words.length === 0) return tokens.some((word) => vocab.generating.has(word)) ? 'generated' : undefined
  return words.every((word) => either.has(word)) ? 'any' : vocab.sourceIn(words)
}

const either = new Set(['either', 'any', 'both', 'whichever', 'egal', 'beides', 'beide', 'eins', 'of', 'them', 'von', 'beiden', 'is', 'ist', 'fine'])
const courtesyWords = new Set([...vocab.before, ...vocab.afterwards, 'use', 'generate', 'it', 'them', 'with', 'from', 'by', 'an', 'nimm', 'nutze', 'erzeuge', 'erzeugen', 'verwende', 'mit', 'von', 'es', 'sie', 'create', 'make'])
