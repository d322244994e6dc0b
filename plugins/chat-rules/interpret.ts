import { labelOf } from '../content/fields.ts'
import { sameJson } from '../content/same-json.ts'
import { act, fits, inside, partsOf } from './actions/action.ts'
import { actionsFor } from './actions/index.ts'
import { type Frame, framesOf } from './frame/frames.ts'
import { behind, type Ground, step } from './frame/ground.ts'
import type { VerbClass } from './language/language.ts'
import { labelOfBlock } from './resolve/choose.ts'
import { valueOf } from './resolve/fields.ts'
import { Ask, ask, tryTo, Unfit, unfit } from './work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, type Work } from './work/work.ts'

/**
 * Turns a message into operations, clause by clause.
 *
 * Throws `Unfit` when no reading covers the whole message, and `Ask` when the best one lacks something.
 */
export function interpret(start: Work): Work {
  return accepted(start, clauses(start, 0, []))
}

function clauses(work: Work, at: number, before: readonly VerbClass[]): Work {
  const { ground } = work.scene
  const last = ground.tokens.length
  let question: Ask | undefined
  for (const { end, next } of clauseEnds(ground, at)) {
    step(ground)
    const read = clause(work, at, end, before)
    if (!read) continue
    const { result, verbs } = read
    if (result instanceof Ask) {
      if (result.inquiry.isFinal && next >= last) throw result
      // What follows has to be understood, too.
      if (!question && (next >= last || tryTo(() => clauses(work, next, verbs)))) question = result
      continue
    }
    const rest = next >= last ? result : tryTo(() => clauses(result, next, verbs))
    if (rest instanceof Ask) question ??= rest
    else if (rest) return rest
  }
  throw question ?? new Unfit('no reading of this clause makes sense')
}

interface ClauseEnd {
  readonly end: number
  /** Where the next clause begins, behind what joins the two. */
  readonly next: number
}

const mostJoints = 12

/** Where a clause may end: at the end of the message, or in front of something that joins clauses; the longest first. */
function clauseEnds(ground: Ground, at: number): readonly ClauseEnd[] {
  const last = ground.tokens.length
  const found: ClauseEnd[] = []
  const mark = ground.tokens[last - 1]?.word ?? ''
  const bare = ['.', '!', '?'].includes(mark) && last - 1 > at ? last - 1 : last
  for (let end = at + 1; end < bare && found.length < mostJoints; end += 1) {
    const next = behind(ground, end)
    const isNewSentence = ground.tokens[end - 1]?.kind === 'quoted' && /^\p{Lu}/u.test(ground.tokens[end]?.text ?? '') && ground.tokens[end]?.kind === 'word'
    if ((next > end && next < bare) || isNewSentence) found.push({ end, next })
  }
  // A full stop ends the sentence, other signs may belong to a text.
  const ways = [{ end: last, next: last }, ...(bare < last ? [{ end: bare, next: last }] : [])]
  return [...(mark === '.' ? ways.toReversed() : ways), ...found.toReversed()]
}

interface Read {
  readonly result: Work | Ask
  /** The verbs that a clause without a verb takes over. */
  readonly verbs: readonly VerbClass[]
}

/** What the likeliest readings of a clause do; two that are equally likely and do different things are asked about. */
function clause(work: Work, at: number, last: number, before: readonly VerbClass[]): Read | undefined {
  let done: (Read & { readonly cost: number; readonly result: Work }) | undefined
  let question: Read | undefined
  for (const frame of framesOf(work.scene.ground, at, last)) {
    if (done && frame.cost > done.cost) break
    const own: readonly (readonly (VerbClass | 'none')[])[] = frame.hasVerb ? [frame.verbs] : [['none'], ...(before.length > 0 ? [before] : [])]
    for (const verbs of own) {
      const result = perform(work, frame, verbs)
      const read = { verbs: verbs.filter((verb) => verb !== 'none'), cost: frame.cost }
      if (result instanceof Ask) {
        question ??= { result, verbs: read.verbs }
        if (result.inquiry.isFinal && !done) return question
      } else if (result && done && !sameJson(result.ops, done.result.ops)) {
        return { result: new Ask({ question: work.scene.texts.missingField }), verbs: read.verbs }
      } else if (result) {
        done ??= { result, ...read }
      }
    }
  }
  return done ?? question
}

/** What the first action does that takes a reading and makes sense of it. */
function perform(work: Work, frame: Frame, taken: readonly (VerbClass | 'none')[]): Work | Ask | undefined {
  let question: Ask | undefined
  const read = tryTo(() => led(work, frame))
  if (!read || read instanceof Ask) return read
  if (!frame.hasVerb && work.clause && isOpenList(work.clause, frame)) return undefined
  const parts = partsOf({ ...read.frame, verbs: taken.filter((verb) => verb !== 'none') })
  for (const action of actionsFor(taken)) {
    if (!fits(action, read.frame)) continue
    const result = tryTo(() => act(action, read.work, parts))
    if (result instanceof Ask) question ??= result
    else if (result) return { ...result, lead: read.work.lead, requests: work.requests + (action.isStatement ? 0 : 1), clause: frame, isElsewhere: isElsewhere(result, read.work) }
    if (question?.inquiry.isFinal) break
  }
  return question
}

/**
 * Whether a clause of things alone may belong to a part of the clause before: `the button of the hero and the CTA`,
 * `from services and FAQ`, `the hero and the quote on the about page`.
 */
function isOpenList(before: Frame, { chunks }: Frame): boolean {
  const thing = chunks.find(({ role }) => role === 'object')?.noun
  if (scopes.has(before.chunks.at(-1)?.role ?? '') && thing && !thing.isNew && !thing.isThe && !thing.isThis && thing.kind !== 'field' && thing.kind !== 'nth') return true
  const [first, second] = [before.chunks, chunks].map((all) => all.find(({ role }) => role === 'object')?.noun?.kind)
  if (second === 'page' && first !== undefined && partsOfPages.has(first)) return true
  if (!chunks.every(({ role }) => role === 'object' || scopes.has(role))) return false
  const isField = (frame: Pick<Frame, 'chunks'>) => frame.chunks.some(({ role, noun }) => role === 'object' && noun?.kind === 'field')
  const saysWhere = (frame: Pick<Frame, 'chunks'>) => frame.chunks.some(({ role, noun }) => scopes.has(role) || noun?.owner?.kind === 'page')
  return isField(before) !== isField({ chunks }) || saysWhere(before) !== saysWhere({ chunks })
}

const isElsewhere = ({ ops, slug }: Work, before: Work): boolean =>
  ops.length > before.ops.length && ops.slice(-1).some((op) => 'pageSlug' in op && op.pageSlug !== slug && (op.op !== 'rename_page' || op.newPageSlug !== slug))

const partsOfPages: ReadonlySet<string> = new Set(['meta', 'slug', 'pageTitle', 'entry'])

const scopes: ReadonlySet<string> = new Set(['in', 'to', 'from'])

/** The work where the sentence begins: in the block, row or page that its first words name. */
function led(work: Work, frame: Frame): { readonly work: Work; readonly frame: Frame } {
  const nouns = frame.chunks.flatMap(({ role, noun }) => (role === 'lead' && noun ? [noun] : []))
  const isMenu = nouns.some(({ kind }) => kind === 'menu')
  const chunks = isMenu ? frame.chunks.map((chunk) => (chunk.noun?.kind === 'menu' && chunk.role === 'lead' ? { ...chunk, role: 'in' as const } : chunk)) : frame.chunks
  return { work: nouns.filter(({ kind }) => kind !== 'menu').reduce(inside, work), frame: { ...frame, chunks } }
}

/** The work, if something was asked for; asks where what is to stay as it is changes all the same. */
function accepted(before: Work, after: Work): Work {
  if (after.requests === 0) return unfit('nothing is asked for')
  for (const kept of after.kept) {
    if (isSame(before, after, kept)) continue
    const label = 'name' in kept ? labelOf(kept.name, kept.meta) : labelOfBlock(before, blockOf(before, kept))
    ask(before.scene.texts.keptAndChanged(label))
  }
  return after
}

function isSame(before: Work, after: Work, kept: FieldAt | BlockAt): boolean {
  const has = (work: Work) => work.draft.page(kept.slug)?.blocks.some(({ id }) => id === kept.id)
  if (!has(before) || !has(after)) return has(before) === has(after)
  return 'name' in kept ? sameJson(valueOf(before, kept), valueOf(after, kept)) : sameJson(blockOf(before, kept).props, blockOf(after, kept).props)
}
