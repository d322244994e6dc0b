import { outsideOfQuotes } from '../model/words.ts'
import { ordinals, otherFields, type Noun, type Nouns } from './nouns.ts'
import type { SourceKind } from './source.ts'
import * as say from './vocabulary.ts'

/** Which blocks or rows words name; nothing of it where they only point at what is selected. */
export interface Named {
  readonly noun?: Noun | undefined
  /** The second one, or -1 for the last. */
  readonly place?: number | undefined
  readonly isEvery: boolean
}

/** A message that asks for a new image and for nothing else. */
export interface ImageWish {
  readonly source?: SourceKind | undefined
  readonly named?: Named | undefined
  /** More than one image is asked for. */
  readonly isSeveral: boolean
  /** What the image should show, in the words of the message, in small letters. */
  readonly query?: string | undefined
  /** What images of single rows should show, by the place of the row from 1. */
  readonly queries: ReadonlyMap<number, string>
}

/** What is longer is no request that is read word for word. */
const longestMessage = 1_000
const longestQuery = 200
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

/** The source that a message names, where it says nothing else: the answer to the question for one. */
export function sourceAlone(message: string): SourceKind | 'any' | undefined {
  const said = tokensOf(message.slice(0, longestMessage).toLowerCase().replace(/\([^()]*\)/g, ' '))
  const words = said.filter((word) => !around.has(word))
  if (words.length === 0) return said.some((word) => say.generating.has(word)) ? 'generated' : undefined
  return words.every((word) => either.has(word)) ? 'any' : say.sourceIn(words)
}

const either = new Set(['either', 'any', 'both', 'whichever', 'egal', 'beides', 'beide', 'eins', 'of', 'them', 'von', 'beiden', 'is', 'ist', 'fine'])
const around = new Set([...say.before, ...say.afterwards, 'use', 'generate', 'it', 'them', 'with', 'from', 'by', 'an', 'nimm', 'nutze', 'erzeuge', 'erzeugen', 'verwende', 'mit', 'von', 'es', 'sie', 'create', 'make'])

const tokensOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+|[:",]/gu) ?? []

interface Sentence {
  readonly aim: say.Aim
  readonly verb: string
  readonly words: readonly string[]
}

function readClause(clause: readonly string[], quotes: readonly string[], nouns: Nouns): ImageWish | undefined {
  if (clause.some((word) => say.translating.has(word))) return undefined
  const rows = withoutRowQueries(clause, quotes, nouns)
  const said = sentenceOf(trimmed(rows.tokens.flatMap(parted)))
  const at = said?.words.findIndex(isImage) ?? -1
  if (!said || at < 0) return undefined
  const head = readHead(said, said.words.slice(0, at), nouns)
  const tail = head && readTail(said.aim, said.words.slice(at + 1), nouns)
  if (!tail || (head.named && tail.named)) return undefined
  const wish = toWish(said, { head, tail, rows, isMany: say.several.has(said.words[at] ?? '') })
  return isEnough(said, { head, tail }, wish) ? wish : undefined
}

interface Head {
  readonly named?: Named | undefined
  readonly source?: SourceKind | undefined
  readonly isFresh: boolean
  readonly isIndefinite: boolean
  readonly isDefinite: boolean
  readonly isEvery: boolean
  readonly subject: readonly string[]
}

interface Tail {
  readonly named?: Named | undefined
  readonly source?: SourceKind | undefined
  readonly isFresh: boolean
  readonly subject: readonly string[]
}

interface Read {
  readonly head: Head
  readonly tail: Tail
  readonly rows: RowQueries
  readonly isMany: boolean
}

function toWish({ verb }: Sentence, { head, tail, rows, isMany }: Read): ImageWish {
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

/** A sentence without what people say around a request; `undefined` where its verb is of other work. */
function sentenceOf(tokens: readonly string[]): Sentence | undefined {
  const start = tokens.findIndex((word) => !say.before.has(word))
  const verb = tokens[start] ?? ''
  const aim = say.aimOf(verb)
  if (aim) return sentence(aim, verb, tokens.slice(start + 1))
  const isPolite = start > 0 && tokens.slice(0, start).some((word) => say.modals.has(word))
  const last = tokens.at(-1) ?? ''
  const lastAim = isPolite ? say.aimOf(last) : undefined
  if (lastAim) return sentence(lastAim, last, tokens.slice(start, -1))
  const [first = '', second = ''] = tokens.slice(start)
  const isBare = say.fresh.has(first) || (say.indefinite.has(first) && say.fresh.has(second)) || (say.several.has(first) && second !== '')
  return isBare || isWanted(tokens.slice(0, start)) ? sentence('find', '', tokens.slice(start)) : undefined
}

/** `I would like …`, `ich hätte gern …`. */
const isWanted = (words: readonly string[]): boolean => words.some((word) => word === 'like' || word === 'hätte')

const sentence = (aim: say.Aim, verb: string, words: readonly string[]): Sentence | undefined => {
  const rest = verb === 'search' || verb === 'look' || verb === 'such' || verb === 'suche' ? words.slice(words[0] === 'for' || words[0] === 'nach' ? 1 : 0) : words
  return begins(rest) ? undefined : { aim, verb, words: rest }
}

/** Whether another request begins behind an `and`. */
const begins = (words: readonly string[]): boolean =>
  words.some((word, at) => (say.joining.has(word) || word === ',') && [1, 2].some((ahead) => {
    const next = words[at + ahead] ?? ''
    return say.otherVerbs.has(next) || say.aimOf(next) !== undefined
  }))

function trimmed(tokens: readonly string[]): readonly string[] {
  const isTail = (word: string): boolean => say.afterwards.has(word) || word === ',' || word === ':'
  return tokens.slice(0, tokens.findLastIndex((word) => !isTail(word)) + 1)
}

/** `Herobild` is two words. */
const compounds = /^(hero|karten|kachel|galerie|banner|video|poster|hintergrund|titel|ki|stock)(bild|bildes|bilder|bildern|foto|fotos)$/
const parted = (word: string): readonly string[] => compounds.exec(word)?.slice(1) ?? [word]

/** What is said before the image: whose it is, that it is another one, where it comes from, what it shows. */
function readHead({ aim }: Sentence, words: readonly string[], nouns: Nouns): Head | undefined {
  if (words.some((word) => say.negating.has(word) || say.connectors.has(word) || word === ',' || word === ':')) return undefined
  const rest = words.filter((word) => !isPlain(word))
  const facts = {
    source: words.map(say.isSourceWord).find((kind) => kind !== undefined),
    isFresh: words.some((word) => say.fresh.has(word)),
    isIndefinite: words.some((word) => say.indefinite.has(word)),
    isDefinite: words.some((word) => say.determiners.has(word)),
    isEvery: words.some((word) => say.every.has(word)),
  }
  const whole = placeIn(rest, nouns)
  if (rest.length === 0 || whole) return { ...facts, named: whole, subject: [] }
  if (aim === 'change' || aim === 'set') return undefined
  for (let length = rest.length - 1; length >= 0; length -= 1) {
    const [first, last] = [placeIn(rest.slice(0, length), nouns), placeIn(rest.slice(rest.length - length), nouns)]
    const named = first ?? last
    const subject = first ? rest.slice(length) : rest.slice(0, rest.length - length)
    if ((named || length === 0) && isSubject(subject, nouns)) return { ...facts, named, subject }
  }
  return undefined
}

const isImage = (word: string): boolean => say.one.has(word) || say.several.has(word)
const isPlain = (word: string): boolean =>
  say.determiners.has(word) || say.indefinite.has(word) || say.fresh.has(word) || say.neutral.has(word) || say.toWhom.has(word) || say.isSourceWord(word) !== undefined

/** What is said after it, part by part: each begins with a word such as `for`, `of` or `from`. */
function readTail(aim: say.Aim, words: readonly string[], nouns: Nouns): Tail | undefined {
  let tail: Tail = { isFresh: false, subject: [] }
  const owner = words[0] === 'der' || words[0] === 'des' ? ['von'] : []
  for (const { connector, words: part } of partsOf([...owner, ...words])) {
    const next = partOf(aim, tail, connector, part, nouns)
    if (!next) return undefined
    tail = next
  }
  return isSubject(tail.subject, nouns) || tail.subject.length === 0 ? tail : undefined
}

interface Part {
  readonly connector: string
  readonly words: readonly string[]
}

function partsOf(words: readonly string[]): readonly Part[] {
  const parts: { connector: string; words: string[] }[] = []
  for (const word of words) {
    const last = parts.at(-1)
    if (say.connectors.has(word) || word === ':' || !last) parts.push(say.connectors.has(word) || word === ':' ? { connector: word, words: [] } : { connector: '', words: [word] })
    else last.words.push(word)
  }
  return parts.filter(({ connector, words: rest }) => rest.length > 0 || connector !== ':')
}

function partOf(aim: say.Aim, tail: Tail, connector: string, words: readonly string[], nouns: Nouns): Tail | undefined {
  const content = words.filter((word) => !say.determiners.has(word) && !say.indefinite.has(word))
  const source = connector === '' || say.coming.has(connector) || content.some((word) => say.isSourceWord(word)) ? say.sourceIn(content) : undefined
  if (source) return { ...tail, source, isFresh: tail.isFresh || content.some(isImage) }
  const isTarget = say.placing.has(connector) && !(connector === 'to' && aim === 'change')
  const named = isTarget && !tail.named && words.length > 0 ? placeIn(content, nouns) : undefined
  if (named) return { ...tail, named }
  const isAnother = say.becoming.has(connector) && content.some((word) => isImage(word) || say.fresh.has(word)) && content.every((word) => isPlain(word) || isImage(word) || say.pronouns.has(word)) && !words.some((word) => say.determiners.has(word))
  if (isAnother) return { ...tail, isFresh: true, source: tail.source ?? content.map(say.isSourceWord).find((kind) => kind !== undefined) }
  if (tail.subject.length > 0) return { ...tail, subject: [...tail.subject, connector, ...words] }
  // Behind `for` may stand an occasion; what is called like a block is one that cannot be told.
  const isOccasion = (connector === 'for' || connector === 'für') && !content.some((word) => nouns.has(word))
  const begins = aim === 'change' || aim === 'set' ? say.becoming.has(connector) || (tail.isFresh && say.showing.has(connector)) : say.showing.has(connector) || isOccasion
  if (connector === '' ? words[0] !== '"' : connector !== ':' && !begins) return undefined
  return words.length === 0 ? undefined : { ...tail, subject: withoutArticle(words) }
}

const withoutArticle = (words: readonly string[]): readonly string[] => words.slice(words.findIndex((word) => !say.indefinite.has(word) && !say.determiners.has(word)))

/** Whether an image can show this. A quoted text may be anything. */
function isSubject(words: readonly string[], nouns: Nouns): boolean {
  const [only = '', ...more] = words
  if (words.length === 0 || (more.length === 0 && (say.hardlySubject.has(only) || say.indefinite.has(only)))) return words.length === 0
  return !words.some((word) => say.noSubject.has(word) || isImage(word) || otherFields.has(word) || word === ',' && words.at(-1) === ',') && !placeIn(words, nouns)
}

/** The block or the rows that words name, where every word of them says so. */
function placeIn(words: readonly string[], nouns: Nouns): Named | undefined {
  const isEvery = words.some((word) => say.every.has(word))
  const places = words.flatMap((word, at) => numberOf(word, at) ?? [])
  const rest = words.filter((word, at) => !say.every.has(word) && !isPlain(word) && numberOf(word, at) === undefined)
  if (places.length > 1 || words.length === 0) return undefined
  const [place] = places
  const joined = rest.join(' ')
  const noun = nouns.get(joined) ?? nouns.get(rest.filter((word) => !say.sections.has(word)).join(' '))
  const isPointing = rest.length === 0 ? isEvery : rest.every((word) => say.sections.has(word))
  if (!noun && !(isPointing && place === undefined)) return undefined
  return { noun, place, isEvery: isEvery || (noun?.isPlural === true && place === undefined) }
}

const numberOf = (word: string, at: number): number | undefined => (/^[1-9]\d?$/.test(word) ? Number(word) : at === 0 || ordinals.has(word) ? ordinals.get(word) : undefined)

interface RowQueries {
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
