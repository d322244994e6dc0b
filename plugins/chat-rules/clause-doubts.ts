import type { Frame } from './frame/frames.ts'
import type { Noun } from './frame/noun.ts'
import { ends, isWord, type Parser, wordsBetween } from './frame/parser.ts'
import type { WordClass } from './language/language.ts'
import { phraseEnds } from './message/phrases.ts'
import { tokensOf } from './message/tokens.ts'
import type { Doubts } from './work/ask.ts'
import type { Work } from './work/work.ts'

/** One reading of a clause, and the work of the clauses before it. */
interface Clause {
  readonly work: Work
  readonly frame: Frame
  readonly parser: Parser
}

/** Checked before the actions of a clause. */
export const clauseDoubts: Doubts<Clause> = [
  ['may correct the previous clause', (clause) => clause.work.requests > 0
    && wordsSince(clause, clause.frame.end).some((at) => ends(clause.parser, at, 'correction').length > 0)],
  ['may not inherit the verb', (clause) => !clause.frame.hasVerb && clause.work.requests > 0 && !isListed(clause)],
  ['may continue an open list', ({ work: { previousClause }, frame }) =>
    !frame.hasVerb && previousClause !== undefined && isOpenList(previousClause, frame)],
  ['may mean another section of the previous clause', ({ work: { previousClause }, frame }) =>
    previousClause !== undefined && mayMeanOther(previousClause, frame)],
  ['means what was removed', ({ work: { ops }, frame: { chunks } }) => ops.at(-1)?.op.startsWith('remove') === true
    && chunks.some(({ noun, place }) => [noun, noun?.owner, place?.anchor].some((one) => one?.kind === 'it' || one?.isIts))],
  ['may be a report', (clause) => isReported(clause.frame) && hasCourtesy(clause)],
  ['may be an exclamation', ({ frame, parser }) => isReported(frame) && parser.tokens.at(-1)?.word === '!'],
  ['may report an unquoted text', ({ frame: { isNewly, chunks } }) => isNewly
    && chunks.some(({ role, value }) => role === 'text' && value?.form === 'text')
    && !chunks.some(({ noun }) => noun?.props?.[0] === 'author')],
  ['may be so already', ({ frame: { isDuty, start, end }, parser }) => isDuty
    && wordsBetween(parser, start, end, 'still').length > 0],
  ['a page has no text of its own', ({ frame: { chunks, verbs }, parser }) => verbs.includes('edit')
    && chunks.some(({ noun }) => noun?.kind === 'page') && chunks.some(({ role, value, start }) =>
    role === 'value' && value?.form === 'text' && parser.tokens[start]?.word === ':')],
  ['may mean not all of them', ({ frame: { chunks, verbs } }) => verbs.includes('unwanted')
    && chunks.some(({ noun }) => noun?.kind === 'everything' || noun?.isAll || noun?.isBoth)],
]

/** The positions of the words between the previous clause and a position. */
function wordsSince({ work, parser: { tokens } }: Clause, end: number): readonly number[] {
  const start = work.previousClause?.end ?? 0
  return tokens.slice(start, end).flatMap(({ kind }, index) => (kind === 'word' ? [start + index] : []))
}

/** Whether a clause continues a list: `delete the hero, oh, the quote` is a correction. */
function isListed(clause: Clause): boolean {
  const words = wordsSince(clause, clause.frame.start)
  const isOf = (...names: readonly WordClass[]) => (at: number) => names.some((name) => isWord(clause.parser, at, name))
  return words.some(isOf('and', 'also')) || (words.every(isOf('connector')) && !words.some(isOf('except')))
}

/** `is now` and `a new …` may say what has changed. */
const isReported = ({ isNewly, verbs }: Frame): boolean =>
  (isNewly || verbs.includes('announce')) && !verbs.includes('remove')

/** Whether there are thanks or praise outside a clause: `Great, the headline is now …`. */
function hasCourtesy({ frame, parser: { message, tokens, language: { courtesies, typos } } }: Clause): boolean {
  const [from, to] = [tokens[frame.start]?.start ?? 0, tokens[frame.end - 1]?.end ?? 0]
  const outside = tokensOf(message, typos).filter(({ start, end }) => end <= from || start >= to)
  const isHere = (phrases: readonly string[]) => outside.some((_, at) => phraseEnds(outside, at, phrases).length > 0)
  return isHere(courtesies.thanks) || isHere(courtesies.praise)
}

/**
 * Whether a clause of noun phrases may continue a list in the previous clause: `the button of the hero and the CTA`,
 * `from services and FAQ`, `the hero and the quote on the about page`.
 */
function isOpenList(previous: Frame, { chunks }: Frame): boolean {
  const thing = chunks.find(({ role }) => role === 'object')?.noun
  if (previous.chunks.some(({ role }) => role === 'except')) return true
  const isCounted = previous.chunks.some(({ noun }) => noun?.count !== undefined)
  if (isCounted && thing?.isMany && thing.end - thing.start === 1) return true
  const last = previous.chunks.findLast(({ role }) => role === 'object')?.noun
  if ([last, thing].some((noun) => noun?.isShort === true && noun.ord !== undefined)) return true
  if (scopeRoles.has(previous.chunks.at(-1)?.role ?? '') && thing && !thing.isNew && !thing.isThe && !thing.isThis && thing.kind !== 'field' && thing.kind !== 'nth') return true
  const [first, second] = [previous.chunks, chunks].map((all) => all.find(({ role }) => role === 'object')?.noun?.kind)
  if (second === 'page' && first !== undefined && pagePartKinds.has(first)) return true
  if (!chunks.every(({ role }) => role === 'object' || scopeRoles.has(role))) return false
  const isField = (frame: Pick<Frame, 'chunks'>) => frame.chunks.some(({ role, noun }) => role === 'object' && noun?.kind === 'field')
  const saysWhere = (frame: Pick<Frame, 'chunks'>) => frame.chunks.some(({ role, noun }) => scopeRoles.has(role) || noun?.owner?.kind === 'page')
  return isField(previous) !== isField({ chunks }) || saysWhere(previous) !== saysWhere({ chunks })
}

const objectsOf = ({ chunks }: Frame): readonly Noun[] =>
  chunks.flatMap(({ role, noun }) => (role === 'object' && noun ? [noun] : []))

/** `Move A above it and rename it`, `swap A and B and rename it`: whether a pronoun may mean two sections. */
function mayMeanOther(before: Frame, frame: Frame): boolean {
  const [[old, other], [noun]] = [objectsOf(before), objectsOf(frame)]
  if (noun?.kind !== 'it') return false
  const anchor = before.chunks.find(({ role }) => role === 'place')?.place?.anchor
  const isPlaced = /^that/i.test(noun.text) || frame.verbs.includes('move') || frame.verbs.includes('remove')
    || ((anchor?.kind === 'it' || anchor?.kind === 'this') && old?.isNew !== true)
  const isSwapped = other !== undefined && before.verbs.includes('swap')
  return isSwapped || before.verbs.includes('remove') || (anchor !== undefined && isPlaced)
}

const pagePartKinds: ReadonlySet<string> = new Set(['meta', 'slug', 'pageTitle', 'entry'])

const scopeRoles: ReadonlySet<string> = new Set(['in', 'to', 'from'])
