import { labelOf } from '../content/fields.ts'
import { sameJson } from '../content/same-json.ts'
import { fits, partsOf, runAction, scopedTo } from './actions/action.ts'
import { actionsFor } from './actions/index.ts'
import { clauseDoubts } from './clause-doubts.ts'
import { type Frame, framesOf } from './frame/frames.ts'
import type { Noun } from './frame/noun.ts'
import { type Parser, skipConnectors, step } from './frame/parser.ts'
import type { VerbClass } from './language/language.ts'
import { labelOfBlock } from './resolve/choose.ts'
import { fieldIn, valueOf } from './resolve/block-fields.ts'
import { Ask, ask, tryTo, Rejected, reject, rejectDoubtful } from './work/ask.ts'
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
    rejectDoubtful(clauseDoubts, { work, frame, parser: work.context.parser })
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

/** `Add a FAQ and cards in 2 columns`: whether a clause without a verb edits another block. */
function editsAnother({ hasVerb }: Frame, { ops, touched }: Work, before: Work): boolean {
  const isEdit = [before.ops.at(-1), ops[before.ops.length]].map((op) => op?.op.startsWith('update'))
  return !hasVerb && touched?.id !== before.touched?.id && isEdit[0] === false && isEdit[1] === true
}

const targetsOtherPage = ({ ops, slug }: Work, before: Work): boolean =>
  ops.length > before.ops.length && ops.slice(-1).some((op) => 'pageSlug' in op && op.pageSlug !== slug && (op.op !== 'rename_page' || op.newPageSlug !== slug))

/** Whether only what the lead names is changed, not as in `Update the CTA: move the quote`. */
function staysInLead({ ops }: Work, { lead, touched, ops: before }: Work): boolean {
  const isRow = touched !== undefined && 'listKey' in touched
  return !lead || ops.slice(before.length)
    .every((op) => 'blockId' in op && op.blockId === lead.id && (!isRow || op.op.endsWith('item')))
}

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
  const name = author && String(valueOf(scoped, author)).toLowerCase()
  return name?.includes(noun.text.toLowerCase()) ? reject('a person is spoken to') : scoped
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
