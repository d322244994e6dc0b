import type { Lexicon, VagueWords } from '../lexicon/lexicon.ts'
import type { Token } from '../message/tokens.ts'
import { noParts, type Node } from './node.ts'
import { textBetween } from './slots.ts'

/** What reading a value needs beside the tokens. */
export interface ValueGround {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly lexicon: Lexicon
  readonly vague: VagueWords
  /** Where the next clause would begin, when a connector stands at this token. */
  clauseAfter(at: number): number | undefined
  /** Tells whether everything from a token on reads as clauses. */
  canContinue(at: number): boolean
  /** Tells whether a span is the name of a field, a block or a page. */
  isName(start: number, end: number): boolean
  /** Tells whether a span says on which page or in which block something is. */
  isWhere(start: number, end: number): boolean
  /** Tells whether a verb in small letters stands at a token, as it would at the beginning of a request. */
  isVerb(at: number, isAnyCase?: boolean): boolean
  /** Tells whether the name of a field begins at a token. */
  isField(at: number): boolean
  /** Tells whether a span is one of the choices of some field. */
  isOption(start: number, end: number): boolean
  /** Where the longest phrase of a class begins that ends before a token, in small letters; classes may be missing. */
  phraseBefore(className: string, end: number): number | undefined
  /** Tells whether the name of something stands at a token; with a class, right before words of it. */
  isNameAt(at: number, className?: string): boolean
}

/**
 * Reads the value at a place. Quoted text is taken as it is. Other text runs to the end of the message, or to the first
 * connector after which everything else reads as clauses. Words of the class `closing` at its end may belong to the sentence
 * instead: a form that goes on with them finds the text in front of them.
 */
export function readValue(ground: ValueGround, at: number): readonly Node[] {
  const first = ground.tokens[at]
  if (!first) return []
  if (first.kind === 'quoted') return [{ slot: 'Value', start: at, parts: noParts, form: 'quoted', end: at + 1, text: first.text }]
  if (opensText.test(first.word)) return []
  const end = endOfText(ground, at)
  if (end === undefined || belongsToText(ground, at - 1)) return []
  const closing = ground.phraseBefore('closing', lastWordEnd(ground, end))
  return [...(isLeftOpen(ground, at, end, closing) ? [] : textUpTo(ground, at, end)), ...(closing === undefined ? [] : textUpTo(ground, at, closing))]
}

/** Signs between what is said and a text; no text begins with one. */
const opensText = /^[:=→]$/

function textUpTo(ground: ValueGround, at: number, end: number): readonly Node[] {
  const isNoText = [isOpenQuote, isVague, isNameOfSomething, saysWhere, isTorn, saysWhereFirst, goesOn, isRequest].some((test) => test(ground, at, end))
  if (isNoText || end === at) return []
  const last = end === ground.tokens.length && ground.tokens[end - 1]?.word === '.' ? end - 1 : end
  const text = textBetween(ground, at, last)
  const form = isAfterCopula(ground, at) || isRemark(ground, at, end) ? 'remark' : 'text'
  return text === '' ? [] : [{ slot: 'Value', start: at, parts: noParts, form, end, text }]
}

function lastWordEnd({ tokens }: ValueGround, end: number): number {
  return tokens.slice(0, end).findLastIndex(({ kind, word }) => kind !== 'sign' || !'.!?'.includes(word)) + 1
}

/** The end of the text may be the rest of the verb, or of another request: nobody knows where the text ends. */
function isLeftOpen(ground: ValueGround, at: number, end: number, closing: number | undefined): boolean {
  const isParticle = ground.phraseBefore('particle', lastWordEnd(ground, end)) !== undefined
  const isNoVerb = closing !== undefined && (closing === at || ground.tokens[at - 1]?.kind === 'sign' || joints(ground, at, end).length > 0)
  return isParticle || isNoVerb
}

/** Where something new could begin inside of a text. */
const joints = ({ clauseAfter }: ValueGround, at: number, end: number) => Array.from({ length: Math.max(0, end - at - 1) }, (_, index) => at + index)
  .flatMap((place) => clauseAfter(place) ?? []).filter((place) => place < end)

/** Inside of the text something else is spoken of, in small letters: `…, that sounds better`, `… and the tagline`. */
function goesOn(ground: ValueGround, at: number, end: number): boolean {
  const { tokens, phraseBefore, isNameAt, vague: { beginnings = [] } } = ground
  const isSmall = (place: number) => tokens[place]?.text === tokens[place]?.text.toLowerCase()
  const isDoubtful = tokens.slice(at, end).some((_, index) => phraseBefore('doubt', at + index + 1) !== undefined)
  return isDoubtful || joints(ground, at, end).filter(isSmall).some((place) => {
    const isAside = tokens[place - 1]?.kind === 'sign' && phraseBefore('aside', place + 1) !== undefined
    return isAside || (beginnings.includes(tokens[place]?.word ?? '') && isNameAt(place))
  })
}

/** A courtesy was taken out beside the text: it may have been a part of it. */
function isTorn({ message, tokens }: ValueGround, at: number, end: number): boolean {
  const isTornAt = (place: number) => {
    const [before, next] = [tokens[place - 1], tokens[place]]
    return before !== undefined && next !== undefined && /\S/.test(message.slice(before.end, next.start))
  }
  return isTornAt(at) || isTornAt(end)
}

/** `contact to hello` may be a text, or a page and a text for something on it. */
function saysWhereFirst({ tokens, phraseBefore, isNameAt }: ValueGround, at: number, end: number): boolean {
  const isBeforeQuote = tokens.slice(at + 1, end).some(({ kind }, index) => kind === 'quoted' && phraseBefore('relink', at + 1 + index) !== undefined)
  return isBeforeQuote || isNameAt(at, 'relink')
}

/** Quotes that open and never close: nobody knows what they were to hold. */
function isOpenQuote({ tokens }: ValueGround, at: number, end: number): boolean {
  return tokens[at]?.word === "'" || tokens.slice(at, end).some(({ kind, word }) => kind === 'sign' && /^["`]$/.test(word))
}

/** `second card: change the title to …` goes on with a request, and so does a text that has quotes behind the name of a field. */
function isRequest({ tokens, lexicon, isVerb, canContinue, isField }: ValueGround, at: number, end: number): boolean {
  const { text = '' } = tokens[at] ?? {}
  const isQuoting = tokens.slice(at, end).some(({ kind }) => kind === 'quoted')
  if (isQuoting && (text === text.toLowerCase() || isField(at) || isVerb(at, true))) return true
  return (lexicon.words['colon'] ?? []).includes(tokens[at - 1]?.word ?? '') && (isVerb(at) || canContinue(at))
}

/** In `change the button to Say hello` the capital tells that the verb is part of the text. */
function belongsToText({ tokens, lexicon }: ValueGround, at: number): boolean {
  const { text = '', word = '' } = tokens[at] ?? {}
  return at > 0 && text !== text.toLowerCase() && (lexicon.words['says'] ?? []).includes(word)
}

/** `undefined` where the text would swallow what sounds like another request: nobody knows where it ends. */
function endOfText(ground: ValueGround, at: number): number | undefined {
  for (let end = at + 1; end < ground.tokens.length; end += 1) {
    const next = ground.clauseAfter(end)
    if (next === undefined || next >= ground.tokens.length) continue
    if (ground.canContinue(next)) return end
    if (ground.isVerb(next)) return undefined
  }
  return ground.tokens.length
}

/** Words that describe a text instead of being one, unless a capital says otherwise. */
function isVague({ tokens, vague, lexicon: { languageNames, numbers } }: ValueGround, at: number, end: number): boolean {
  const words = tokens.slice(at, end).map(({ word }) => word).filter((word) => word !== '.' && word !== '!')
  const [first = '', second = ''] = words
  if (words.length === 1 && languageNames.includes(first)) return true
  const text = tokens[at]?.text ?? ''
  if (text !== text.toLowerCase()) return false
  const isAfterArticle = vague.articles.includes(first) && [...vague.words, ...vague.afterArticle].includes(second)
  const isCounted = (Object.hasOwn(numbers, first) || /^\d+$/.test(first)) && (vague.afterNumber ?? []).includes(second)
  return vague.words.includes(first) || isAfterArticle || isCounted || (vague.whole ?? []).includes(words.join(' '))
}

function isRemark({ tokens, vague: { beginnings = [], alone = [] }, lexicon }: ValueGround, at: number, end: number): boolean {
  const [first, ...others] = tokens.slice(at, end).filter(({ word }) => word !== '.' && word !== '!')
  if (!first) return false
  const isSmall = ({ text }: Token) => text === text.toLowerCase()
  const isOutOfTone = lexicon.nounsAreCapital === true && tokens.slice(1, at).some((token) => !isSmall(token))
  return (others.length === 0 && alone.includes(first.word)) || (isSmall(first) && /^\p{L}/u.test(first.text) && (isOutOfTone || beginnings.includes(first.word)))
}

/** `the page title` is no text: whoever writes that means what stands there. A capital makes it one. */
function isNameOfSomething({ tokens, lexicon, isName, isOption }: ValueGround, at: number, end: number): boolean {
  const isDetermined = lexicon.words['det']?.includes(tokens[at]?.word ?? '') ?? false
  const isPlain = tokens.slice(at, end).every(({ kind, text }) => kind === 'word' && text === text.toLowerCase() && !/^\d/.test(text))
  return (isDetermined || (isPlain && !isOption(at, end))) && isName(at, end)
}

/** `Hello on the rentals page` may be a text, or a text and a page: nobody knows. */
function saysWhere({ tokens, isWhere }: ValueGround, at: number, end: number): boolean {
  const last = tokens[end - 1]?.word === '.' ? end - 1 : end
  return Array.from({ length: Math.max(0, last - at - 1) }, (_, index) => at + 1 + index).some((start) => isWhere(start, last))
}

/** After `should be` small letters may as well be a remark: `the button should be removed`. */
function isAfterCopula({ tokens, lexicon }: ValueGround, at: number): boolean {
  const text = tokens[at]?.text ?? ''
  return (lexicon.words['copula'] ?? []).includes(tokens[at - 1]?.word ?? '') && text === text.toLowerCase() && /^\p{L}/u.test(text)
}
