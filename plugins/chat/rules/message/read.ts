import { indexPhrases, matchAll, phraseEnds, stepsOf, type Ground, type PhraseIndex, type Step } from '../grammar/matcher.ts'
import { toPattern } from '../grammar/pattern.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import { emoji, tokensOf, type Token } from './tokens.ts'

/** A message without what is said around a request. */
export interface Request {
  /** As it was written; the places of tokens are places in it. */
  readonly message: string
  readonly tokens: readonly Token[]
  /** It asks to see the plan before anything is done. */
  readonly isPlanFirst: boolean
  /** It begins as a polite request does, such as `can you`. */
  readonly isPolite: boolean
  /** It ends in a question mark that is no part of a polite request. */
  readonly isQuestion: boolean
}

/** Takes greetings, courtesies and `plan first` off a message. Something always stays. */
export function readRequest(message: string, lexicon: Lexicon): Request {
  const all = withoutCourtesies(withoutOrnament(tokensOf(message, lexicon.typos), indexFor(lexicon, 'to')), indexFor(lexicon, 'anywhere'))
  const opening = readOpening(all, lexicon)
  const { tokens: request, isAsked } = withoutTail(all.slice(opening.at), indexFor(lexicon, 'tail'), opening.isPolite)
  const tokens = withoutPlanLast(request, lexicon)
  const isPlanFirst = opening.isPlanFirst || tokens.length < request.length
  return { message, tokens, isPlanFirst, isPolite: opening.isPolite, isQuestion: isAsked && !opening.isPolite }
}

const isOrnament = (word: string) => emoji.test(word) || /^[~*^]$/.test(word)

/** Emoji and signs before the first word, and emoji after the last, unless something is set to them. */
function withoutOrnament(tokens: readonly Token[], to: PhraseIndex): readonly Token[] {
  const start = tokens.findIndex(({ kind }) => kind !== 'sign')
  if (start < 0) return tokens
  const end = tokens.findLastIndex(({ kind, word }) => kind !== 'sign' || !isOrnament(word)) + 1
  return tokens.slice(start, phraseEnds(tokens, to, end - 1).includes(end) ? tokens.length : end)
}

/** Little words that may stand between any two words of a request, before the last. With a capital they may begin a text. */
function withoutCourtesies(tokens: readonly Token[], courtesies: PhraseIndex): readonly Token[] {
  if (courtesies.size === 0) return tokens
  const last = tokens.findLastIndex(({ kind }) => kind !== 'sign')
  const isCourtesy = (token: Token, at: number) => at < last && token.text === token.word && phraseEnds(tokens, courtesies, at).includes(at + 1)
  return tokens.filter((token, at) => !isCourtesy(token, at))
}

interface Opening {
  readonly at: number
  readonly isPlanFirst: boolean
  readonly isPolite: boolean
}

function readOpening(tokens: readonly Token[], lexicon: Lexicon): Opening {
  let opening: Opening = { at: 0, isPlanFirst: false, isPolite: false }
  for (;;) {
    const { at } = opening
    const plan = patternEnd(tokens, at, lexicon, planPatterns)
    const polite = phraseEnds(tokens, indexFor(lexicon, 'polite'), at)[0]
    const next = plan ?? polite ?? phraseEnds(tokens, indexFor(lexicon, 'leadIn'), at)[0] ?? patternEnd(tokens, at, lexicon, openingPatterns)
    if (next === undefined) return opening
    const end = tokens[next]?.kind === 'sign' && ',!.:'.includes(tokens[next].word) ? next + 1 : next
    if (end >= tokens.length) return opening
    opening = { at: end, isPlanFirst: opening.isPlanFirst || plan !== undefined, isPolite: opening.isPolite || polite !== undefined }
  }
}

function withoutTail(
  tokens: readonly Token[], tail: PhraseIndex, isPolite: boolean,
): { readonly tokens: readonly Token[]; readonly isAsked: boolean } {
  const end = tokens.findLastIndex(({ kind, word }) => kind !== 'sign' || !'.!?'.includes(word)) + 1
  const isAsked = tokens.slice(end).some(({ word }) => word === '?')
  const start = [end - 1, end - 2].find((at) => at > 0 && phraseEnds(tokens, tail, at).includes(end))
  if (start !== undefined) {
    const cut = tokens[start - 1]?.word === ',' ? start - 1 : start
    const rest = withoutTail(tokens.slice(0, cut), tail, isPolite)
    return { tokens: rest.tokens, isAsked: isAsked || rest.isAsked }
  }
  return { tokens: isPolite && isAsked ? tokens.slice(0, end) : tokens, isAsked }
}

/** Nobody says it in more tokens. */
const longestPlanLast = 16

/** What is left where a message ends in the wish to see the plan first. */
function withoutPlanLast(tokens: readonly Token[], lexicon: Lexicon): readonly Token[] {
  const end = tokens.findLastIndex(({ kind, word }) => kind !== 'sign' || !'.!?'.includes(word)) + 1
  const first = Math.max(1, end - longestPlanLast)
  const start = tokens.findIndex((_, at) => at >= first && patternEnd(tokens, at, lexicon, planLastPatterns) === end)
  return start < 0 ? tokens : tokens.slice(0, start)
}

function patternEnd(
  tokens: readonly Token[], at: number, lexicon: Lexicon, patternsOf: (lexicon: Lexicon) => readonly Step[],
): number | undefined {
  const ground: Ground = { tokens, phrases: (name) => indexFor(lexicon, name), slot: () => [], step() {} }
  const ends = patternsOf(lexicon).flatMap((pattern) => matchAll(ground, pattern, at)).map(({ end }) => end)
  return ends.length === 0 ? undefined : Math.max(...ends)
}

const indexes = new WeakMap<Lexicon, Map<string, PhraseIndex>>()

function indexFor(lexicon: Lexicon, name: string): PhraseIndex {
  const known = indexes.get(lexicon) ?? new Map<string, PhraseIndex>()
  indexes.set(lexicon, known)
  const index = known.get(name) ?? indexPhrases(lexicon.words[name] ?? [])
  known.set(name, index)
  return index
}

const planPatterns = patternsFrom(({ planFirst }) => planFirst)
const planLastPatterns = patternsFrom(({ planLast }) => planLast)
const openingPatterns = patternsFrom(({ openings = [] }) => openings)

/** The forms of a lexicon are read once. */
function patternsFrom(formsOf: (lexicon: Lexicon) => readonly string[]): (lexicon: Lexicon) => readonly Step[] {
  const read = new WeakMap<Lexicon, readonly Step[]>()
  return (lexicon) => {
    const patterns = read.get(lexicon) ?? formsOf(lexicon).map((form) => stepsOf(toPattern(form)))
    read.set(lexicon, patterns)
    return patterns
  }
}
