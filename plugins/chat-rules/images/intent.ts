import type { Apart, ImageIntent, Noun, SourceKind } from '../../chat/port.ts'
import { outsideOfQuotes } from '../../content/words.ts'
import type { Nouns } from './nouns.ts'
import { type Head, readHead, readTail, type Sentence, sentenceOf, type Tail, tokensOf } from './sentence.ts'
import * as say from './vocabulary.ts'

/** The words around an image, and where it stands if that is in no block. */
export interface AroundImage {
  readonly of?: Apart | undefined
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Splits a sentence at its image; `undefined` where it speaks of none. A logo is one by itself. */
function aroundImage(words: readonly string[]): (AroundImage & { readonly image: string }) | undefined {
  const at = words.findIndex((word) => say.isImage(word) || say.logos.has(word))
  const image = words[at]
  if (image === undefined) return undefined
  const [before, after] = [words.slice(0, at), words.slice(at + 1)]
  if (say.logos.has(image)) return { image, of: 'site', before, after: say.one.has(after[0] ?? '') ? after.slice(1) : after }
  const start = startOfPreview(before)
  if (start !== undefined) return { image, of: 'page', before: before.slice(0, start), after }
  return { image, ...withoutPreview(before, after) }
}

/** What the page and the site are called where it is clear that their own images are meant. */
const nounsApart: Readonly<Record<Apart, Nouns>> = { page: nounsOf(say.pages), site: nounsOf(say.sites) }

function nounsOf(words: ReadonlySet<string>): Nouns {
  return new Map([...words].map((word): [string, Noun] => [word, { types: [], lists: [], isPlural: false }]))
}

/** Where words for a preview begin at the end of others, such as `social media` or `link preview`. */
function startOfPreview(words: readonly string[]): number | undefined {
  const start = words.findLastIndex((word) => !isOfPreview(word)) + 1
  return words.slice(start).some((word) => say.previews.has(word)) ? start : undefined
}

/** `An image for the link previews of this page`. */
function withoutPreview(before: readonly string[], after: readonly string[]): AroundImage {
  const start = after.findIndex((word) => word === 'for' || word === 'für')
  const from = after.findIndex((word, at) => at > start && !say.determiners.has(word))
  const length = after.slice(from).findIndex((word) => !isOfPreview(word))
  const end = length < 0 ? after.length : from + length
  const isPreview = start >= 0 && from >= 0 && after.slice(from, end).some((word) => say.previews.has(word))
  if (!isPreview) return { before, after }
  const rest = after.slice(end)
  // `Die Vorschau dieser Seite` has no word between the two.
  const owner = say.determiners.has(rest[0] ?? '') ? ['von'] : []
  return { of: 'page', before, after: [...after.slice(0, start), ...owner, ...rest] }
}

const isOfPreview = (word: string): boolean => say.previews.has(word) || say.besidePreview.has(word)

/** What is longer says more than anybody looks for. */
export const longestQuery = 200

/** A sentence without what single rows should show. */
export interface RowQueries {
  readonly tokens: readonly string[]
  /** The quoted texts that are left. */
  readonly quotes: readonly string[]
  readonly queries: ReadonlyMap<number, string>
  readonly noun?: Noun | undefined
}

/** Takes `card 2: "a harbor"` out of a sentence: what the image of this row should show. */
function withoutRowQueries(tokens: readonly string[], quotes: readonly string[], nouns: Nouns): RowQueries {
  const left: string[] = []
  const quotesLeft: string[] = []
  const queries = new Map<number, string>()
  let noun: Noun | undefined
  let quote = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const [word = '', number = '', colon, mark] = tokens.slice(at, at + 4)
    const row = nouns.get(word)
    if (row && row.lists.length > 0 && /^[1-9]\d?$/.test(number) && colon === ':' && mark === '"') {
      while (left.at(-1) === ',' || say.joining.has(left.at(-1) ?? '')) left.pop()
      queries.set(Number(number), (quotes[quote] ?? '').trim().slice(0, longestQuery))
      noun = row
      quote += 1
      at += 3
    } else {
      left.push(word)
      if (word === '"') quotesLeft.push(quotes[quote++] ?? '')
    }
  }
  return { tokens: left, quotes: quotesLeft, queries, noun }
}

/** Longer messages are not read word for word. */
export const longestMessage = 1_000
const address = /(?<![a-z])[a-z]{2,}:[^\s"'“„«`]|www\.|(?:^|[\s"'“„«`])\/[\w.]/i

/**
 * Reads a message as the request for a new image; `undefined` where it is none, or asks for other things as well.
 *
 * Every word has to be accounted for: what is wanted, for which blocks or rows, where it comes from, and what it shows. An
 * address, a position or a size of an image that is there is a plain update, which others plan.
 */
export function imageIntentOf(message: string, nouns: Nouns): ImageIntent | undefined {
  if (message.length > longestMessage || address.test(message)) return undefined
  const { text, quotes } = outsideOfQuotes(message, ' " ')
  const clauses = text.toLowerCase().split(/[.!?;\n](?=\s|$)/).map(tokensOf).filter((tokens) => tokens.some((word) => !say.before.has(word) && !say.afterwards.has(word)))
  const [clause, ...more] = clauses
  if (!clause || more.length > 0 || clause.filter((word) => word === '"').length !== quotes.length) return undefined
  return readClause(clause, quotes, nouns)
}

function readClause(clause: readonly string[], quotes: readonly string[], nouns: Nouns): ImageIntent | undefined {
  if (clause.some((word) => say.translating.has(word))) return undefined
  const rows = withoutRowQueries(clause, quotes, nouns)
  const said = sentenceOf(rows.tokens)
  const around = said && aroundImage(said.words)
  if (!around) return undefined
  const { of, image, before, after } = around
  const isMany = say.several.has(image)
  if (of && (isMany || rows.noun)) return undefined
  const known = of ? nounsApart[of] : nouns
  const head = readHead(said, before, known)
  const tail = head && readTail(said.aim, after, known)
  if (!tail || (head.named && tail.named)) return undefined
  const intent = toIntent(said, { of, head, tail, rows, isMany })
  return isEnough(said, { head, tail }, intent) ? intent : undefined
}

interface Read {
  readonly of: Apart | undefined
  readonly head: Head
  readonly tail: Tail
  readonly rows: RowQueries
  readonly isMany: boolean
}

function toIntent({ verb }: Sentence, { of, head, tail, rows, isMany }: Read): ImageIntent {
  const { noun, place, isEvery = false } = head.named ?? {}
  // `The card images` are those of all cards, as `the cards image` is of none.
  const isOfRows = isMany && place === undefined && noun !== undefined && noun.lists.length > 0
  const before = head.named && { noun, place, isEvery: isOfRows || (isEvery && (isMany || head.isEvery)) }
  const named = before ?? tail.named ?? (rows.noun && { noun: rows.noun, isEvery: false })
  let quote = 0
  const subject = [...head.subject, ...tail.subject].map((word) => (word === '"' ? (rows.quotes[quote++] ?? '').trim() : word)).join(' ')
  return {
    source: head.source ?? tail.source ?? (say.generating.has(verb) ? 'generated' : undefined),
    named,
    of,
    isSeveral: isMany || named?.isEvery === true,
    query: subject === '' ? undefined : subject.slice(0, longestQuery),
    queries: rows.queries,
  }
}

/** Whether what was said asks for another image: the verb does, or the word before it, or what it should show. */
function isEnough({ aim, verb }: Sentence, { head: { isFresh, isIndefinite, isDefinite, source }, tail }: Pick<Read, 'head' | 'tail'>, intent: ImageIntent): boolean {
  const isSaid = intent.query !== undefined || intent.queries.size > 0
  switch (aim) {
    case 'change':
      return !say.swapping.has(verb) || isSaid || isFresh || tail.isFresh
    case 'make':
      return true
    case 'find':
      return isFresh || isIndefinite || !isDefinite
    case 'put':
      return isFresh || isIndefinite || source !== undefined || (!isDefinite && intent.isSeveral)
    case 'set':
      return isFresh || isSaid
  }
}

/** The source that a message names, where it says nothing else: the answer to the question for one. */
export function sourceAlone(message: string): SourceKind | 'any' | undefined {
  const said = tokensOf(message.slice(0, longestMessage).toLowerCase().replace(/\([^()]*\)/g, ' '))
  const words = said.filter((word) => !around.has(word))
  if (words.length === 0) return said.some((word) => say.generating.has(word)) ? 'generated' : undefined
  return words.every((word) => either.has(word)) ? 'any' : say.sourceIn(words)
}

const either = new Set(['either', 'any', 'both', 'whichever', 'egal', 'beides', 'beide', 'eins', 'of', 'them', 'von', 'beiden', 'is', 'ist', 'fine'])
const around = new Set([...say.before, ...say.afterwards, 'use', 'generate', 'it', 'them', 'with', 'from', 'by', 'an', 'nimm', 'nutze', 'erzeuge', 'erzeugen', 'verwende', 'mit', 'von', 'es', 'sie', 'create', 'make'])
