import { ownValue } from '../../content/plain-object.ts'
import { languages } from '../language/index.ts'
import type { WordClass } from '../language/language.ts'
import { phraseEnds } from '../message/phrases.ts'
import { ends, type Ground, isWord, textBetween } from './ground.ts'
import { type NounKind, nounsAt, numberAt } from './nouns.ts'
import { placesAt } from './places.ts'

/** What something is set to. A remark is a text in small letters that may as well say something about the text. */
export interface Value {
  readonly text: string
  readonly form: 'quoted' | 'text' | 'remark' | 'address' | 'figure' | 'option'
  readonly end: number
}

/** The values that words at a place may be: in quotes, an address, a figure, or everything to the end of the clause. */
export function valuesAt(ground: Ground, at: number, end: number): readonly Value[] {
  const token = ground.tokens[at]
  if (!token || at >= end) return []
  const one = (form: Value['form']): Value => ({ text: token.text, form, end: at + 1 })
  switch (token.kind) {
    case 'quoted': return [one('quoted')]
    case 'address': case 'route': case 'color': case 'blockId': return [one('address')]
    case 'word': case 'sign': return [...figuresAt(ground, at, end), ...textsAt(ground, at, end)]
  }
}

/** A figure with its sign: `42`, `€ 75`, `94 %`, `21,000`. */
function figuresAt(ground: Ground, at: number, end: number): readonly Value[] {
  const { tokens, message } = ground
  const isSign = (index: number) => /^[€$£%]$/.test(tokens[index]?.word ?? '')
  const first = isSign(at) ? at + 1 : at
  if (!/^\d/.test(tokens[first]?.word ?? '')) return []
  let last = first + 1
  const isTight = (index: number) => tokens[index]?.start === tokens[index - 1]?.end
  const goesOn = (index: number) => isTight(index) && /^[.,:]$/.test(tokens[index]?.word ?? '')
    && isTight(index + 1) && /^\d/.test(tokens[index + 1]?.word ?? '')
  while (last + 1 < end && goesOn(last)) last += 2
  if (isSign(last)) last += 1
  if (last > end) return []
  return [{ text: message.slice(tokens[at]?.start, tokens[last - 1]?.end), form: 'figure', end: last }]
}

function textsAt(ground: Ground, at: number, end: number): readonly Value[] {
  const menu = Array.from({ length: Math.max(0, Math.min(4, end - at - 1)) }, (_, index) => end - 1 - index)
    .find((start) => start > at && ends(ground, start, 'in').flatMap((noun) => nounsAt(ground, noun)).some((noun) => noun.kind === 'menu' && noun.end === end))
  if (ground.language.verbLast && end > at + 1 && isVerbEnd(ground, end - 1)) return wholeTexts(ground, at, end - 1)
  return [...wholeTexts(ground, at, end), ...(menu === undefined ? [] : wholeTexts(ground, at, menu))]
}

/** The last word may belong to the verb: where it does, the text ends in front of it. */
const isVerbEnd = ({ tokens, vocabulary }: Ground, at: number) => tokens[at]?.text === tokens[at]?.word
  && [vocabulary.verbs, vocabulary.particles, vocabulary.duties].some((table) => table.find(tokens, at).some(({ end }) => end === at + 1))

/** Words without quotes up to a place, unless they may be more than one text: what joins clauses, or explains, ends a text. */
function wholeTexts(ground: Ground, at: number, end: number): readonly Value[] {
  const { tokens } = ground
  const last = tokens[end - 1]?.word === '.' && end === tokens.length ? end - 1 : end
  const inner = tokens.slice(at, last)
  if (inner.length === 0 || /^(?:[:=→,;.*_]|'s)$/.test(tokens[at]?.word ?? '')) return []
  const text = textBetween(ground, at, last)
  if (numberAt(ground, at) !== undefined && ends(ground, at + 1, 'columns').includes(last)) return []
  if (isOption(ground, at, last)) return [{ text, form: 'option', end }]
  if (inner.some(({ kind, word }) => kind === 'quoted' || /^["`(]$/.test(word)) || tokens[at]?.word === "'") return []
  if (inner.some(({ kind, word }, index) => index > 0 && (kind === 'route' || kind === 'address' || /^[→>]$/.test(word)))) return []
  if (inner.slice(0, -1).some(({ kind, word }) => kind === 'sign' && /^[.!?]$/.test(word))) return []
  const breaks = inner.flatMap((_, index) => (index > 0 && isBreak(ground, at + index) ? [at + index] : []))
  if (breaks.length > 1 || breaks.some((place) => !isPair(ground, place, last))) return []
  const isTarget = nounsAt(ground, at).some(({ kind, end: to }) => named.has(kind) && ends(ground, to, 'value').some((next) => next < last))
  if (isTarget || isVague(ground, at, last) || saysMore(ground, at, last) || isName(ground, at, last)) return []
  const isSmall = /^\p{Ll}/u.test(text)
  return [{ text, form: isSmall && isAfterBe(ground, at) ? 'remark' : 'text', end }]
}

const named: ReadonlySet<string> = new Set(['name', 'row', 'block', 'section'])
const longestHalf = 3
const halves: readonly WordClass[] = ['value', 'in', 'of', 'from', 'to', 'with', 'the', 'its', 'this', 'a', 'all', 'aside', 'otherVerb', 'filler', 'leadIn', 'polite', 'vague', 'breaking']

/** `Salt and silence`: a few words behind the only joint that mean nothing else. */
function isPair(ground: Ground, joint: number, end: number): boolean {
  const { tokens, vocabulary: { verbs } } = ground
  const half = tokens.slice(joint + 1, end)
  const means = (place: number) => verbs.find(tokens, place).length > 0 || nounsAt(ground, place).length > 0 || halves.some((name) => ends(ground, place, name).length > 0)
  const isText = !ground.language.verbLast || /^\p{Lu}/u.test(half[0]?.text ?? '')
  return isText && ['and', 'und', '&'].includes(tokens[joint]?.word ?? '') && half.length > 0 && half.length <= longestHalf
    && half.every(({ kind }, index) => kind === 'word' && !means(joint + 1 + index))
}

/** What joins clauses, or begins to explain; a capital makes a word a part of the text, and a sign between blanks none. */
function isBreak(ground: Ground, at: number): boolean {
  const { kind, word = '', text, start, end } = ground.tokens[at] ?? {}
  if (kind === 'sign' && /^[-+/–—]$/.test(word)) return ground.message[(start ?? 0) - 1] === ' ' && ground.message[end ?? 0] === ' '
  return (['connector', 'instead'] as const).some((name) => ends(ground, at, name).length > 0) || (text === word && ends(ground, at, 'breaking').length > 0)
}

/** Words that describe a text instead of being one, unless a capital says otherwise. */
function isVague(ground: Ground, at: number, end: number): boolean {
  const { tokens, language: { languageNames, words: { vague, vagueAfterArticle, articles, modal } } } = ground
  const [first, second] = tokens.slice(at, end)
  if (!first) return true
  if (end === at + 1 && languageNames.includes(first.word)) return true
  const last = tokens[end - 1]?.word ?? ''
  if (ground.language.words.closingVerb.includes(last) || (ground.language.verbLast && end === at + 1 && vague.includes(first.word))) return true
  if (first.text !== first.text.toLowerCase()) return false
  if (ground.language.verbLast) return /^\p{Ll}/u.test(first.text)
  const isAfterArticle = articles.includes(first.word) && [...vague, ...vagueAfterArticle].includes(second?.word ?? '')
  return languages.some(({ words }) => words.vague.includes(first.word)) || isAfterArticle || modal.includes(first.word)
}

/** What a choice of a field may be, in small letters. */
function isOption({ tokens, vocabulary, language }: Ground, at: number, end: number): boolean {
  const { left, right, full, center } = language.words
  if (!tokens.slice(at, end).every(({ text }) => text === text.toLowerCase())) return false
  const isNumber = end === at + 1 && numberAt({ tokens, language }, at) !== undefined
  return isNumber || vocabulary.options.find(tokens, at).some((found) => found.end === end)
    || [left, right, full, center].some((side) => phraseEnds(tokens, at, side).includes(end))
}

/** Texts without quotes in front of a place with which the clause ends: `titled Our fleet below the hero`. */
export const textsInFront = (ground: Ground, at: number, end: number): readonly Value[] => inside(at, end)
  .filter((start) => saysWhere(ground, start, end)).slice(0, 1).filter((start) => !goes.has(ground.tokens[start]?.word ?? '')).flatMap((start) => wholeTexts(ground, at, start))

/** Verbs that a text may end with. */
const goes: ReadonlySet<string> = new Set(['come', 'go', 'sit', 'appear'])

const inside = (at: number, end: number): readonly number[] => Array.from({ length: Math.max(0, end - at - 1) }, (_, index) => at + 1 + index)

/** `Hello on the rentals page` may be a text, or a text and a place; `Tea with a button` a text, or a text and a part. */
const saysMore = (ground: Ground, at: number, end: number): boolean =>
  inside(at, end).some((start) => saysWhere(ground, start, end) || saysHow(ground, start, end) || namesPart(ground, start) || setsMore(ground, start, end))

const whereKinds: ReadonlySet<NounKind> = new Set(['page', 'block', 'section', 'row', 'field', 'everywhere', 'menu'])

/** `on the rentals page`, `to every page`, `at the top of this page`, `before Ben's`; `first` alone is not a place. */
function saysWhere(ground: Ground, start: number, end: number): boolean {
  const isEnd = (last: number): boolean => last === end || (last === end - 1 && ground.tokens[last]?.word === "'s") || (last < end && saysWhere(ground, last, end))
  const nouns = (name: WordClass) => ends(ground, start, name).flatMap((from) => nounsAt(ground, from)).filter((noun) => whereKinds.has(noun.kind) && isEnd(noun.end))
  return nouns('in').some(({ kind, name }) => kind !== 'page' || name?.isQuoted !== true)
    || nouns('to').some(({ page, isThe, isThis, isAll, isBoth, hasUnit }) => (page !== undefined && page !== 'bare') || isThe || isThis || isAll || isBoth || hasUnit)
    || ends(ground, start, 'everywhere').includes(end)
    || placesAt(ground, start).some(({ end: last, anchor }) => (anchor !== undefined || ground.language.verbLast || last > start + 1) && isEnd(last))
}

/** `in all caps`, `in the middle`, `in bold`; a word alone may belong to the text. */
function saysHow(ground: Ground, start: number, end: number): boolean {
  const last = ground.tokens[end - 1]?.word ?? ''
  return end > start + 1 && ((['left', 'right', 'center', 'full', 'otherSide', 'upper', 'lower', 'title', 'styled'] as const).some((name) => ends(ground, start, name).includes(end))
    || (end === start + 2 && isWord(ground, start, 'in') && (ground.language.languageNames.includes(last) || ownValue(ground.language.colors, last) !== undefined)))
}

/** `the button to Rent`, `Subheading: Ho`: one more thing is set, with nothing that joins the two. */
const setsMore = (ground: Ground, start: number, end: number): boolean => nounsAt(ground, start).some((noun) => noun.kind === 'field'
  && ends(ground, noun.end, 'value').some((next) => next < end && (noun.isThe || ground.tokens[noun.end]?.kind === 'sign')))

/** `with a button Go`, `without an image`. */
const namesPart = (ground: Ground, start: number): boolean => ends(ground, start, 'having')
  .flatMap((from) => [from, ...ends(ground, from, 'a'), ...ends(ground, from, 'the')])
  .some((from) => ground.vocabulary.fields.find(ground.tokens, from).length > 0 || numberAt(ground, from) !== undefined)

/** `the page title` is what stands there and not a text; a capital makes it one. */
function isName(ground: Ground, at: number, end: number): boolean {
  const plain = ground.tokens.slice(at, end)
  const isPlain = plain.every(({ kind, text }) => kind === 'word' && text === text.toLowerCase() && !/^\d/.test(text))
  const isDetermined = (['the', 'its', 'this', 'a'] as const).some((name) => isWord(ground, at, name))
  const isSmall = plain[0]?.text === plain[0]?.word
  if (isSmall && plain[0]?.word === 'of') return true
  return nounsAt(ground, at).some(({ end: last, kind }) => (last === end ? (isPlain || isDetermined) && (isDetermined || kind !== 'nth') : isSmall && isDetermined) && kind !== 'name')
}

/** After `should be` and `is`, small letters may as well be a remark. */
function isAfterBe({ tokens, language: { words, duties } }: Ground, at: number): boolean {
  const before = tokens[at - 1]?.word ?? ''
  return words.newly.some((phrase) => phrase.split(' ').at(-1) === before)
    || duties.some(([classes, phrases]) => classes.includes('be') && phrases.includes(before))
}
