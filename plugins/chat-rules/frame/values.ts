import { ownValue } from '../../content/plain-object.ts'
import { languages } from '../language/index.ts'
import type { WordClass } from '../language/language.ts'
import { phraseEnds } from '../message/phrases.ts'
import { ends, isWord, type Parser, textBetween, wordsBetween } from './parser.ts'
import type { NounKind } from './noun.ts'
import { nounsAt, numberAt } from './nouns.ts'
import { placesAt } from './places.ts'

/** A value to set. A remark is lower case text that may only describe the text. */
export interface Value {
  readonly text: string
  readonly form: 'quoted' | 'text' | 'remark' | 'address' | 'figure' | 'option'
  readonly end: number
}

/** The values that may begin at a token: quoted text, an address, a figure, or everything to the end of the clause. */
export function valuesAt(parser: Parser, at: number, end: number): readonly Value[] {
  const token = parser.tokens[at]
  if (!token || at >= end) return []
  const one = (form: Value['form']): Value => ({ text: token.text, form, end: at + 1 })
  switch (token.kind) {
    case 'quoted': return [one('quoted')]
    case 'address': case 'route': case 'color': case 'blockId': return [one('address')]
    case 'word': case 'sign': return [...figuresAt(parser, at, end), ...textsAt(parser, at, end)]
  }
}

/** A number with its unit sign: `42`, `€ 75`, `94 %`, `21,000`. */
function figuresAt(parser: Parser, at: number, end: number): readonly Value[] {
  const { tokens, message } = parser
  const isSign = (index: number) => /^[€$£%]$/.test(tokens[index]?.word ?? '')
  const first = isSign(at) ? at + 1 : at
  if (!/^\d/.test(tokens[first]?.word ?? '')) return []
  let last = first + 1
  const isTight = (index: number) => tokens[index]?.start === tokens[index - 1]?.end
  const continues = (index: number) => isTight(index) && /^[.,:]$/.test(tokens[index]?.word ?? '')
    && isTight(index + 1) && /^\d/.test(tokens[index + 1]?.word ?? '')
  while (last + 1 < end && continues(last)) last += 2
  if (isSign(last)) last += 1
  if (last > end) return []
  return [{ text: message.slice(tokens[at]?.start, tokens[last - 1]?.end), form: 'figure', end: last }]
}

function textsAt(parser: Parser, at: number, end: number): readonly Value[] {
  const menuStart = Array.from({ length: Math.max(0, Math.min(4, end - at - 1)) }, (_, index) => end - 1 - index)
    .find((start) => start > at && ends(parser, start, 'in').flatMap((noun) => nounsAt(parser, noun)).some((noun) => noun.kind === 'menu' && noun.end === end))
  if (parser.language.verbLast && end > at + 1 && isVerbPart(parser, end - 1)) return hasPronoun(parser, at, end) ? [] : unquotedTexts(parser, at, end - 1)
  return [...unquotedTexts(parser, at, end), ...(menuStart === undefined ? [] : unquotedTexts(parser, at, menuStart))]
}

/** `Wir laden ein` may be the complete text. */
const hasPronoun = (parser: Parser, at: number, end: number): boolean => wordsBetween(parser, at, end, 'pronoun').length > 0

/** Whether the last word may belong to the verb, so that the text ends before it. */
const isVerbPart = ({ tokens, vocabulary }: Parser, at: number) => tokens[at]?.text === tokens[at]?.word
  && [vocabulary.verbs, vocabulary.particles, vocabulary.duties].some((table) => table.find(tokens, at).some(({ end }) => end === at + 1))

/** Unquoted text up to a position, unless it may contain more than a text: a connector or an explanation ends it. */
function unquotedTexts(parser: Parser, at: number, end: number): readonly Value[] {
  const { tokens } = parser
  const last = tokens[end - 1]?.word === '.' && end === tokens.length ? end - 1 : end
  const inner = tokens.slice(at, last)
  if (isCutShort(parser, last) || isReply(parser, at, last)) return []
  if (tokens[at]?.text === tokens[at]?.word && isWord(parser, at, 'by')) return []
  if (inner.length === 0 || /^(?:[:=→,;.*_]|'s)$/.test(tokens[at]?.word ?? '')) return []
  const text = textBetween(parser, at, last)
  if (numberAt(parser, at) !== undefined && ends(parser, at + 1, 'columns').includes(last)) return []
  if (isOption(parser, at, last)) return [{ text, form: 'option', end }]
  if (inner.some(({ kind, word }) => kind === 'quoted' || /^["`()[\]{}<>@#~]$/.test(word)) || tokens[at]?.word === "'") return []
  if (isFollowed(parser, at, end) || isStyle(parser, at, last)) return []
  if (inner.some(({ kind, word }, index) => index > 0 && (kind === 'route' || kind === 'address' || /^[→>]$/.test(word)))) return []
  if (inner.slice(0, -1).some(({ kind, word }) => kind === 'sign' && /^[.!?]$/.test(word))) return []
  const breaks = inner.flatMap((_, index) => (index > 0 && isBreak(parser, at + index) ? [at + index] : []))
  if (breaks.length > 1 || breaks.some((place) => !isPair(parser, place, last))) return []
  const isTarget = nounsAt(parser, at).some(({ kind, end: to }) => namedKinds.has(kind) && ends(parser, to, 'value').some((next) => next < last))
  if (isTarget || isDescription(parser, at, last) || hasTrailingPart(parser, at, last) || isName(parser, at, last)) return []
  const isSmall = /^(?:\d+ )?\p{Ll}/u.test(text)
  return [{ text, form: isSmall ? 'remark' : 'text', end }]
}

/** `Yes please`: a courtesy behind a single `yes` or `no` may belong to the text. */
const isReply = ({ tokens, message, language: { words: { yes, no } } }: Parser, at: number, end: number): boolean =>
  end === at + 1 && [...yes, ...no].includes(tokens[at]?.word ?? '') && /\p{L}/u.test(message.slice(tokens.at(-1)?.end))

/** `We say thanks`, `More 👉`, `Are you ready?`: the stripped end of the message may belong to the text. */
function isFollowed({ tokens, message, language: { words } }: Parser, at: number, end: number): boolean {
  const stripped = message.slice(tokens[end - 1]?.end)
  const isQuestion = stripped.startsWith('?') && words.question.includes(tokens[at]?.word ?? '')
  return end === tokens.length && (isQuestion || markOrCourtesy.test(stripped))
}

/** In the same line, except common ones. */
const markOrCourtesy = /^[^\S\r\n]*(?:[*~^™®©]|(?!please|pls|bitte|and|but|und|aber)\p{L}|(?![👍👌👋❤✨])[^\u{1f600}-\u{1f64f}\P{Extended_Pictographic}])/iu

/** `ALL CAPS`, `Bold`: the complete text names a style. */
const isStyle = (parser: Parser, at: number, end: number): boolean =>
  (['upper', 'lower', 'title', 'styled'] as const).some((name) => ends(parser, at, name).includes(end))

/** Whether the text may go on: `Here | and now and …`, `Greta F | . Role: …`. */
function isCutShort(parser: Parser, end: number): boolean {
  const { tokens } = parser
  if (tokens[end]?.word === '.' && /^(?:\p{Lu}|Inc|Ltd|Co|Est|Jr|Sr)$/u.test(tokens[end - 1]?.text ?? '')) return true
  const from = tokens[end]?.word === ',' ? end + 1 : end
  return ends(parser, from, 'echo').some((to) => to < tokens.length && (tokens[to]?.kind === 'sign' || ends(parser, to, 'connector').length > 0))
}

const namedKinds: ReadonlySet<string> = new Set(['name', 'row', 'block', 'section'])
const longestHalf = 3
const clauseWords: readonly WordClass[] = ['value', 'in', 'of', 'from', 'to', 'with', 'the', 'its', 'this', 'a', 'all', 'aside', 'otherVerb', 'filler', 'leadIn', 'polite', 'vague', 'breaking']

/** `Salt and silence`: up to three words without another meaning after the only connector. */
function isPair(parser: Parser, joint: number, end: number): boolean {
  const { tokens, vocabulary: { verbs } } = parser
  const half = tokens.slice(joint + 1, end)
  const hasMeaning = (place: number) => verbs.find(tokens, place).length > 0 || nounsAt(parser, place).length > 0 || clauseWords.some((name) => ends(parser, place, name).length > 0)
  const isText = !parser.language.verbLast || tokens[joint]?.word === 'and' || /^\p{Lu}/u.test(half[0]?.text ?? '')
  return isText && ['and', 'und', '&'].includes(tokens[joint]?.word ?? '') && half.length > 0 && half.length <= longestHalf
    && half.every(({ kind }, index) => kind === 'word' && !hasMeaning(joint + 1 + index))
}

/** Whether a connector or an explanation begins here: a lower case word, or a dash or slash between blanks. */
function isBreak(parser: Parser, at: number): boolean {
  const { kind, word = '', text, start, end } = parser.tokens[at] ?? {}
  if (kind === 'sign' && /^[-–—]$/.test(word) && parser.message[(start ?? 0) - 1] === ' ') return true
  if (kind === 'sign' && /^[+/]$/.test(word)) return parser.message[(start ?? 0) - 1] === ' ' && parser.message[end ?? 0] === ' '
  if (/^(?:LG|VG|MfG|TIA|FYI|BTW|xD)$/.test(text ?? '')) return true
  const isRequest = languages.some(({ requestVerbs, words: { the, a, it } }) => requestVerbs.includes(word)
    && [the, a, it].some((phrases) => phraseEnds(parser.tokens, at + 1, phrases).length > 0))
  if (isRequest) return true
  const names: readonly WordClass[] = text === word ? ['connector', 'instead', 'breaking'] : ['connector', 'instead']
  return languages.some(({ words }) => names.some((name) => phraseEnds(parser.tokens, at, words[name]).length > 0))
}

/** Whether words describe a text instead of being one; mostly lower case. */
function isDescription(parser: Parser, at: number, end: number): boolean {
  const { tokens, language: { languageNames, words: { vague, vagueAfterArticle, articles, modal } } } = parser
  const [first, second] = tokens.slice(at, end)
  if (!first) return true
  if (end === at + 1 && languageNames.includes(first.word)) return true
  const last = tokens[end - 1]?.word ?? ''
  if (parser.language.words.closingVerb.includes(last) || (parser.language.verbLast && end === at + 1 && vague.includes(first.word))) return true
  if (first.text !== first.text.toLowerCase()) return false
  if (parser.language.verbLast) return /^\p{Ll}/u.test(first.text)
  const isAfterArticle = articles.includes(first.word) && [...vague, ...vagueAfterArticle].includes(second?.word ?? '')
  return languages.some(({ words }) => words.vague.includes(first.word)) || isAfterArticle || modal.includes(first.word)
}

/** Whether lower case words are an option of a field. */
function isOption({ tokens, vocabulary, language }: Parser, at: number, end: number): boolean {
  const { left, right, full, center } = language.words
  if (!tokens.slice(at, end).every(({ text }) => text === text.toLowerCase())) return false
  const isNumber = end === at + 1 && numberAt({ tokens, language }, at) !== undefined
  return isNumber || vocabulary.options.find(tokens, at).some((found) => found.end === end)
    || [left, right, full, center].some((side) => phraseEnds(tokens, at, side).includes(end))
}

/** Unquoted texts before a position at the end of the clause: `titled Our fleet below the hero`. */
export const textsBeforePlace = (parser: Parser, at: number, end: number): readonly Value[] => innerStarts(at, end)
  .filter((start) => startsPlace(parser, start, end)).slice(0, 1).filter((start) => !isWord(parser, start, 'comes')).flatMap((start) => unquotedTexts(parser, at, start))

const innerStarts = (at: number, end: number): readonly number[] =>
  Array.from({ length: Math.max(0, end - at - 1) }, (_, index) => at + 1 + index)

/** Ambiguous texts: `Hello on the rentals page` may end with a position, `Tea with a button` with a field. */
const hasTrailingPart = (parser: Parser, at: number, end: number): boolean =>
  innerStarts(at, end).some((start) => startsPlace(parser, start, end) || startsStyle(parser, start, end) || startsPart(parser, start) || startsAssignment(parser, start, end))

const whereKinds: ReadonlySet<NounKind> = new Set(['page', 'block', 'section', 'row', 'field', 'everywhere', 'menu'])

/** `on the rentals page`, `to every page`, `at the top of this page`, `before Ben's`; `first` alone is not a position. */
function startsPlace(parser: Parser, start: number, end: number): boolean {
  const isEnd = (last: number): boolean => last === end || (last === end - 1 && parser.tokens[last]?.word === "'s") || (last < end && startsPlace(parser, last, end))
  const nouns = (name: WordClass) => ends(parser, start, name).flatMap((from) => nounsAt(parser, from)).filter((noun) => whereKinds.has(noun.kind) && isEnd(noun.end))
  return nouns('in').some(({ kind, name }) => kind !== 'page' || name?.isQuoted !== true)
    || nouns('to').some(({ page, isThe, isThis, isAll, isBoth, hasUnit }) => (page !== undefined && page !== 'bare') || isThe || isThis || isAll || isBoth || hasUnit)
    || ends(parser, start, 'everywhere').includes(end)
    || placesAt(parser, start).some(({ end: last, anchor }) => (anchor !== undefined || parser.language.verbLast || last > start + 1) && isEnd(last))
}

/** `in all caps`, `in the middle`, `in bold`; a single word may belong to the text. */
function startsStyle(parser: Parser, start: number, end: number): boolean {
  const last = parser.tokens[end - 1]?.word ?? ''
  return end > start + 1 && ((['left', 'right', 'center', 'full', 'otherSide', 'upper', 'lower', 'title', 'styled'] as const).some((name) => ends(parser, start, name).includes(end))
    || (end === start + 2 && isWord(parser, start, 'in') && (parser.language.languageNames.includes(last) || ownValue(parser.language.colors, last) !== undefined)))
}

/** `the button to Rent`, `Subheading: Ho`: another assignment without a connector. */
const startsAssignment = (parser: Parser, start: number, end: number): boolean => nounsAt(parser, start).some((noun) => noun.kind === 'field'
  && ends(parser, noun.end, 'value').some((next) => next < end && (noun.isThe || parser.tokens[noun.end]?.kind === 'sign')))

/** `with a button Go`, `without an image`. */
const startsPart = (parser: Parser, start: number): boolean => ends(parser, start, 'having')
  .flatMap((from) => [from, ...ends(parser, from, 'a'), ...ends(parser, from, 'the')])
  .some((from) => parser.vocabulary.fields.find(parser.tokens, from).length > 0 || numberAt(parser, from) !== undefined)

/** `the page title` is a reference, not a text; a capital makes it a text. */
function isName(parser: Parser, at: number, end: number): boolean {
  const plain = parser.tokens.slice(at, end)
  const isPlain = plain.every(({ kind, text }) => kind === 'word' && text === text.toLowerCase() && !/^\d/.test(text))
  const isDetermined = (['the', 'its', 'this', 'a'] as const).some((name) => isWord(parser, at, name))
  const isSmall = plain[0]?.text === plain[0]?.word
  if (isSmall && plain[0]?.word === 'of') return true
  return nounsAt(parser, at).some(({ end: last, kind }) => (last === end ? (isPlain || isDetermined) && (isDetermined || kind !== 'nth') : isSmall && isDetermined) && kind !== 'name')
}
