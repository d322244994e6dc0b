import { labelOf } from '../content/fields.ts'
import { sameJson } from '../content/same-json.ts'
import { fits, partsOf, runAction, scopedTo } from './actions/action.ts'
import { actionsFor } from './actions/index.ts'
import { type Frame, framesOf } from './frame/frames.ts'
import type { Noun } from './frame/nouns.ts'
import { ends, isWord, type Parser, skipConnectors, step, wordsBetween } from './frame/parser.ts'
import type { VerbClass } from './language/language.ts'
import { phraseEnds } from './message/phrases.ts'
import { tokensOf } from './message/tokens.ts'
import { labelOfBlock } from './resolve/choose.ts'
import { fieldIn, valueOf } from './resolve/fields.ts'
import { Ask, ask, type Doubts, tryTo, Rejected, reject, rejectDoubtful } from './work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, type Work } from './work/work.ts'

/**
 * Translates a message into operations, clause by clause.
 *
 * Throws `Rejected` when no reading covers the entire message, and `Ask` when the best reading is incomplete.
 */
export function interpret(start: Work): Work {
  return checkResult(start, interpretFrom(start, 0, []))
}

function interpretFrom(work: Work, at: number, previousVerbs: readonly VerbClass[]): Work {
  const { parser } = work.context
  const last = parser.tokens.length
  let question: Ask | undefined
  for (const { end, next } of clauseEnds(parser, at)) {
    step(parser)
    const read = readClause(work, at, end, previousVerbs)
    if (!read) continue
    const { result, verbs } = read
    if (result instanceof Ask) {
      if (result.inquiry.isFinal && next >= last) throw result
      // Ask only if the remaining clauses can be read as well.
      if (!question && (next >= last || tryTo(() => interpretFrom(work, next, verbs)))) question = result
      continue
    }
    const rest = next >= last ? result : tryTo(() => interpretFrom(result, next, verbs))
    if (rest instanceof Ask) question ??= rest
    else if (rest) return rest
  }
  throw question ?? new Rejected('no reading of this clause is valid')
}

const mostJoints = 12

/** Possible clause ends and starts of the next one, longest first: the end of the message, or a connector. */
function clauseEnds(parser: Parser, at: number) {
  const last = parser.tokens.length
  const found: { readonly end: number; readonly next: number }[] = []
  const mark = parser.tokens[last - 1]?.word ?? ''
  const bare = ['.', '!', '?'].includes(mark) && last - 1 > at ? last - 1 : last
  for (let end = at + 1; end < bare && found.length < mostJoints; end += 1) {
    const next = skipConnectors(parser, end)
    const isNewSentence = parser.tokens[end - 1]?.kind === 'quoted' && /^\p{Lu}/u.test(parser.tokens[end]?.text ?? '') && parser.tokens[end]?.kind === 'word'
    if ((next > end && next < bare) || isNewSentence) found.push({ end, next })
  }
  // A full stop ends the sentence; other punctuation may be part of a text.
  const fullEnds = [{ end: last, next: last }, ...(bare < last ? [{ end: bare, next: last }] : [])]
  return [...(mark === '.' ? fullEnds.toReversed() : fullEnds), ...found.toReversed()]
}

interface Read {
  readonly result: Work | Ask
  /** The verbs that the next clause inherits if it has none. */
  readonly verbs: readonly VerbClass[]
}

/** Applies the cheapest valid reading of a clause; asks when two readings of equal cost give different operations. */
function readClause(work: Work, at: number, last: number, previousVerbs: readonly VerbClass[]): Read | undefined {
  let done: (Read & { readonly cost: number; readonly result: Work }) | undefined
  let question: Read | undefined
  for (const frame of framesOf(work.context.parser, at, last)) {
    if (done && frame.cost > done.cost) break
    const verbSets: readonly (readonly (VerbClass | 'none')[])[] = frame.hasVerb ? [frame.verbs] : [['none'], ...(previousVerbs.length > 0 ? [previousVerbs] : [])]
    for (const verbs of verbSets) {
      const result = applyFrame(work, frame, verbs)
      const read = { verbs: verbs.filter((verb) => verb !== 'none'), cost: frame.cost }
      if (result instanceof Ask) {
        question ??= { result, verbs: read.verbs }
        if (result.inquiry.isFinal && !done) return question
      } else if (result && done && !sameJson(result.ops, done.result.ops)) {
        return { result: new Ask({ question: work.context.texts.missingField }), verbs: read.verbs }
      } else if (result) {
        done ??= { result, ...read }
      }
    }
  }
  return done ?? question
}

/** Runs the first action that accepts a reading and does not reject it. */
function applyFrame(work: Work, frame: Frame, verbs: readonly (VerbClass | 'none')[]): Work | Ask | undefined {
  let question: Ask | undefined
  const read = tryTo(() => {
    rejectDoubtful(doubts, { work, frame, parser: work.context.parser })
    return withLead(work, frame)
  })
  if (!read || read instanceof Ask) return read
  const isLed = frame.chunks.some(({ role }) => role === 'lead')
  const parts = partsOf({ ...read.frame, verbs: verbs.filter((verb) => verb !== 'none') })
  for (const action of actionsFor(verbs)) {
    if (!fits(action, read.frame)) continue
    const result = tryTo(() => runAction(action, read.work, parts))
    if (result instanceof Ask) question ??= result
    else if (result && (!isLed || staysInLead(result, read.work)) && !editsAnother(frame, result, read.work)) {
      const requests = work.requests + (action.isStatement ? 0 : 1)
      return { ...result, lead: read.work.lead, requests, previousClause: frame, isOnOtherPage: targetsOtherPage(result, read.work) }
    }
    if (question?.inquiry.isFinal) break
  }
  return question
}

interface Clause {
  readonly work: Work
  readonly frame: Frame
  readonly parser: Parser
}

/** The positions of the words between the previous clause and a position. */
const wordsSince = ({ work, parser }: Clause, end: number): readonly number[] => {
  const start = work.previousClause?.end ?? 0
  return Array.from({ length: end - start }, (_, index) => start + index).filter((at) => parser.tokens[at]?.kind === 'word')
}

/** Checked before the actions. */
const doubts: Doubts<Clause> = [
  ['may correct the previous clause', (clause) => clause.work.requests > 0
    && wordsSince(clause, clause.frame.end).some((at) => ends(clause.parser, at, 'correction').length > 0)],
  // Only words such as `and` or `also` continue a list: `delete the hero, oh, the quote` is a correction.
  ['may not inherit the verb', (clause) => !clause.frame.hasVerb && clause.work.requests > 0
    && wordsSince(clause, clause.frame.start).some((at) => !isListWord(clause.parser, at))],
  ['may continue an open list', ({ work: { previousClause }, frame }) =>
    !frame.hasVerb && previousClause !== undefined && isOpenList(previousClause, frame)],
  ['may mean the place of the previous clause', ({ work: { previousClause }, frame }) =>
    previousClause !== undefined && mayMeanOther(previousClause, frame)],
  ['means what was removed', ({ work: { ops }, frame: { chunks } }) => ops.at(-1)?.op.startsWith('remove') === true
    && chunks.some(({ noun, place }) => [noun, noun?.owner, place?.anchor].some((one) => one?.kind === 'it' || one?.isIts === true))],
  ['may be a report', (clause) => isReported(clause.frame) && hasCourtesy(clause)],
  ['may report an unquoted text', ({ frame: { isNewly, chunks } }) => isNewly
    && chunks.some(({ role, value }) => role === 'text' && value?.form === 'text') && !chunks.some(({ noun }) => noun?.props?.[0] === 'author')],
  ['may be an exclamation', ({ frame, parser: { tokens } }) => isReported(frame) && tokens.at(-1)?.word === '!'],
  ['may be so already', ({ frame: { isDuty, start, end }, parser }) => isDuty && wordsBetween(parser, start, end, 'still').length > 0],
  ['a page has no text of its own', ({ frame: { chunks, verbs }, parser: { tokens } }) => verbs.includes('edit')
    && chunks.some(({ noun }) => noun?.kind === 'page')
    && chunks.some(({ role, value, start }) => role === 'value' && value?.form === 'text' && tokens[start]?.word === ':')],
  ['may mean not all of them', ({ frame: { chunks, verbs } }) => verbs.includes('unwanted')
    && chunks.some(({ noun }) => noun?.kind === 'everything' || noun?.isAll || noun?.isBoth)],
]

/** `is now` and `a new …` may say what has changed. */
const isReported = ({ isNewly, verbs }: Frame): boolean => (isNewly || verbs.includes('announce')) && !verbs.includes('remove')

/** Whether there are thanks or praise outside a clause: `Great, the headline is now …`. */
function hasCourtesy({ frame: { start, end }, parser: { message, tokens, language: { courtesies, typos } } }: Clause): boolean {
  const [from, to] = [tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0]
  const outside = tokensOf(message, typos).filter((token) => token.end <= from || token.start >= to)
  return outside.some((_, at) => (['thanks', 'praise'] as const).some((kind) => phraseEnds(outside, at, courtesies[kind]).length > 0))
}

const isListWord = (parser: Parser, at: number): boolean =>
  (isWord(parser, at, 'connector') || isWord(parser, at, 'also')) && !isWord(parser, at, 'except')

/** `Add a FAQ and cards in 2 columns`: whether a clause without a verb edits another block. */
function editsAnother({ hasVerb }: Frame, { ops, touched }: Work, before: Work): boolean {
  const isEdit = [before.ops.at(-1), ops[before.ops.length]].map((op) => op?.op.startsWith('update'))
  return !hasVerb && touched?.id !== before.touched?.id && isEdit[0] === false && isEdit[1] === true
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
  return (anchor !== undefined && isPlaced) || before.verbs.includes('remove') || (other !== undefined && before.verbs.includes('swap'))
}

const targetsOtherPage = ({ ops, slug }: Work, before: Work): boolean =>
  ops.length > before.ops.length && ops.slice(-1).some((op) => 'pageSlug' in op && op.pageSlug !== slug && (op.op !== 'rename_page' || op.newPageSlug !== slug))

/** Whether a clause changes only the block or row that its lead names, not `Update the CTA: move the quote`. */
function staysInLead({ ops }: Work, { lead, touched, ops: before }: Work): boolean {
  const isRow = touched !== undefined && 'listKey' in touched
  return !lead || ops.slice(before.length).every((op) => 'blockId' in op && op.blockId === lead.id && (!isRow || op.op.endsWith('item')))
}

const pagePartKinds: ReadonlySet<string> = new Set(['meta', 'slug', 'pageTitle', 'entry'])

const scopeRoles: ReadonlySet<string> = new Set(['in', 'to', 'from'])

/** Applies the lead of a sentence: scopes the work to the block, row or page that the first words name. */
function withLead(work: Work, frame: Frame): { readonly work: Work; readonly frame: Frame } {
  const nouns = frame.chunks.flatMap(({ role, noun }) => (role === 'lead' && noun ? [noun] : []))
  const isMenu = nouns.some(({ kind }) => kind === 'menu')
  const chunks = isMenu ? frame.chunks.map((chunk) => (chunk.noun?.kind === 'menu' && chunk.role === 'lead' ? { ...chunk, role: 'in' as const } : chunk)) : frame.chunks
  return { work: nouns.filter(({ kind }) => kind !== 'menu').reduce(scopedToLead, work), frame: { ...frame, chunks } }
}

/** Rejects the author of a row, who is spoken to: `Ben, delete the quote`. */
function scopedToLead(work: Work, noun: Noun): Work {
  const scoped = scopedTo(work, noun)
  const author = noun.kind === 'name' && scoped.touched ? fieldIn(scoped, scoped.touched, ['author']) : undefined
  const isAuthor = author !== undefined && String(valueOf(scoped, author)).toLowerCase().includes(noun.text.toLowerCase())
  return isAuthor ? reject('a person is spoken to') : scoped
}

/** Rejects a message without a request; asks when something that should stay unchanged has changed. */
function checkResult(before: Work, after: Work): Work {
  if (after.requests === 0) return reject('no request')
  for (const target of after.unchangedTargets) {
    if (isSame(before, after, target)) continue
    const label = 'name' in target ? labelOf(target.name, target.meta) : labelOfBlock(before, blockOf(before, target))
    ask(before.context.texts.keptAndChanged(label))
  }
  return after
}

function isSame(before: Work, after: Work, target: FieldAt | BlockAt): boolean {
  const has = (work: Work) => work.draft.page(target.slug)?.blocks.some(({ id }) => id === target.id)
  if (!has(before) || !has(after)) return has(before) === has(after)
  return 'name' in target ? sameJson(valueOf(before, target), valueOf(after, target)) : sameJson(blockOf(before, target).props, blockOf(after, target).props)
}
