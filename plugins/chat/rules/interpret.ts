import { actions } from './actions/index.ts'
import { Ask, unfit, Unfit } from './ask.ts'
import { isFollowedBy, type Before, type Next, type Reading } from './grammar/parser.ts'
import { labelOfBlock } from './resolve/references.ts'
import { valueOf } from './resolve/fields.ts'
import { labelOf } from '../../content/field-meta.ts'
import { sameJson } from '../../content/same-json.ts'
import { blockOf, type BlockAt, type FieldAt, type Work } from './work.ts'

/**
 * Turns a message into operations, clause by clause.
 *
 * Throws `Unfit` when no reading covers the whole message, and `Ask` when the best one lacks something. Of the readings of a
 * clause the first that makes sense counts, unless one before it is clear and not possible; once it does, a question about a
 * later clause is no reason to read it otherwise.
 */
export function interpret(start: Work): Work {
  const done = clauses(start, 0, undefined)
  if (done.requests === 0) unfit('nothing is asked for')
  refuseChangesOfKept(start, done)
  return done
}

function clauses(work: Work, at: number, before: Before): Work {
  let question: Ask | undefined
  for (const reading of work.scene.parser.clausesAt(at, before)) {
    work.scene.parser.step()
    const after = attempt(work, reading)
    if (after instanceof Ask) question ??= after
    if (after instanceof Ask && after.inquiry.isFinal) break
    if (!after || after instanceof Ask) continue
    if (reading.next === 'end') return after
    try {
      return clauses(after, reading.next, isFollowedBy(reading))
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
    }
  }
  if (question) throw question
  return unfit('no reading of this clause makes sense')
}

function attempt(work: Work, { rule, parts }: Reading & { readonly next: Next }): Work | Ask | undefined {
  const action = actions[rule.action]
  if (!action) throw new Error(`The lexicon names an action '${rule.action}' that does not exist.`)
  try {
    const after = action(work, parts, rule.detail ?? '')
    return rule.leads || rule.action === 'keep' ? after : { ...after, requests: after.requests + 1 }
  } catch (error) {
    if (error instanceof Ask) return error
    if (error instanceof Unfit) return undefined
    throw error
  }
}

/** What is to stay as it is, and changed all the same, is asked back. */
function refuseChangesOfKept(before: Work, after: Work): void {
  for (const kept of after.kept) {
    if (isSame(before, after, kept)) continue
    const what = 'name' in kept ? labelOf(kept.name, kept.meta) : labelOfBlock(before, blockOf(before, kept))
    throw new Ask({ question: before.scene.texts.keptAndChanged(what) })
  }
}

function isSame(before: Work, after: Work, kept: FieldAt | BlockAt): boolean {
  const has = (work: Work) => work.draft.page(kept.slug)?.blocks.some(({ id }) => id === kept.id)
  if (!has(before) || !has(after)) return has(before) === has(after)
  if ('name' in kept) return sameJson(valueOf(before, kept), valueOf(after, kept))
  return sameJson(blockOf(before, kept).props, blockOf(after, kept).props)
}
