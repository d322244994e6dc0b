import type { Lexicon } from '../lexicon/lexicon.ts'
import type { Token } from '../message/tokens.ts'
import { noParts, type Node } from './node.ts'
import { textBetween } from './slots.ts'

/** What reading a value needs beside the tokens. */
export interface ValueGround {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly lexicon: Lexicon
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
}

/**
 * Reads the value at a place. Quoted text is taken as it is. Other text runs to the end of the message, or to the first
 * connector after which everything else reads as clauses.
 */
export function readValue(ground: ValueGround, at: number): readonly Node[] {
  const first = ground.tokens[at]
  if (!first) return []
  const node = { slot: 'Value', start: at, parts: noParts }
  if (first.kind === 'quoted') return [{ ...node, form: 'quoted', end: at + 1, text: first.text }]
  const end = endOfText(ground, at)
  if (end === undefined) return []
  const isNoText = [isOpenQuote, isVague, isNameOfSomething, saysWhere, isRequest].some((test) => test(ground, at, end))
  if (isNoText || belongsToText(ground, at - 1)) return []
  const last = end === ground.tokens.length && ground.tokens[end - 1]?.word === '.' ? end - 1 : end
  const text = textBetween(ground, at, last)
  const form = isAfterCopula(ground, at) ? 'remark' : 'text'
  return text === '' ? [] : [{ ...node, form, end, text }]
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
function isVague({ tokens, lexicon: { vague, languageNames, numbers } }: ValueGround, at: number, end: number): boolean {
  const words = tokens.slice(at, end).map(({ word }) => word).filter((word) => word !== '.' && word !== '!')
  const [first = '', second = ''] = words
  if (words.length === 1 && languageNames.includes(first)) return true
  const text = tokens[at]?.text ?? ''
  if (text !== text.toLowerCase()) return false
  const isAfterArticle = vague.articles.includes(first) && [...vague.words, ...vague.afterArticle].includes(second)
  const isCounted = (Object.hasOwn(numbers, first) || /^\d+$/.test(first)) && (vague.afterNumber ?? []).includes(second)
  return vague.words.includes(first) || isAfterArticle || isCounted || (vague.whole ?? []).includes(words.join(' '))
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
