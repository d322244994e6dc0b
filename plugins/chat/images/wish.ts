import { outsideOfQuotes } from '../../content/words.ts'
import { aroundImage, nounsApart, type Apart } from './apart.ts'
import { readHead, readTail, type Head, type Tail } from './around-image.ts'
import type { Nouns } from './nouns.ts'
import type { Named } from './places.ts'
import { longestQuery, withoutRowQueries, type RowQueries } from './row-queries.ts'
import { sentenceOf, tokensOf, type Sentence } from './sentence.ts'
import type { SourceKind } from '../types/plan.ts'
import * as say from './vocabulary.ts'

/** A message that asks for a new image and for nothing else. */
export interface ImageWish {
  readonly source?: SourceKind | undefined
  readonly named?: Named | undefined
  /** The image that link previews show of the page, or the logo of the site. */
  readonly of?: Apart | undefined
  /** More than one image is asked for. */
  readonly isSeveral: boolean
  /** What the image should show, in the words of the message, in small letters. */
  readonly query?: string | undefined
  /** What images of single rows should show, by the place of the row from 1. */
  readonly queries: ReadonlyMap<number, string>
}

/** What is longer is no request that is read word for word. */
export const longestMessage = 1_000
const address = /(?<![a-z])[a-z]{2,}:[^\s"'“„«`]|www\.|(?:^|[\s"'“„«`])\/[\w.]/i

/**
 * Reads a message as the request for a new image; `undefined` where it is none, or asks for other things as well.
 *
 * Every word has to be accounted for: what is wanted, for which blocks or rows, where it comes from, and what it shows. An
 * address, a position or a size of an image that is there is a plain update, which others plan.
 */
export function imageWish(message: string, nouns: Nouns): ImageWish | undefined {
  if (message.length > longestMessage || address.test(message)) return undefined
  const { text, quotes } = outsideOfQuotes(message, ' " ')
  const clauses = text.toLowerCase().split(/[.!?;\n](?=\s|$)/).map(tokensOf).filter((tokens) => tokens.some((word) => !say.before.has(word) && !say.afterwards.has(word)))
  const [clause, ...more] = clauses
  if (!clause || more.length > 0 || clause.filter((word) => word === '"').length !== quotes.length) return undefined
  return readClause(clause, quotes, nouns)
}

function readClause(clause: readonly string[], quotes: readonly string[], nouns: Nouns): ImageWish | undefined {
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
  const wish = toWish(said, { of, head, tail, rows, isMany })
  return isEnough(said, { head, tail }, wish) ? wish : undefined
}

interface Read {
  readonly of: Apart | undefined
  readonly head: Head
  readonly tail: Tail
  readonly rows: RowQueries
  readonly isMany: boolean
}

function toWish({ verb }: Sentence, { of, head, tail, rows, isMany }: Read): ImageWish {
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
function isEnough({ aim, verb }: Sentence, { head: { isFresh, isIndefinite, isDefinite, source }, tail }: Pick<Read, 'head' | 'tail'>, wish: ImageWish): boolean {
  const isSaid = wish.query !== undefined || wish.queries.size > 0
  switch (aim) {
    case 'change':
      return !say.swapping.has(verb) || isSaid || isFresh || tail.isFresh
    case 'make':
      return true
    case 'find':
      return isFresh || isIndefinite || !isDefinite
    case 'put':
      return isFresh || isIndefinite || source !== undefined || (!isDefinite && wish.isSeveral)
    case 'set':
      return isFresh || isSaid
  }
}
