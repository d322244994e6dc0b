import type { Outcome, Plan, PlanningInput } from '../chat/port.ts'
import { attempt } from './attempt.ts'
import { imageIntentOf } from './images/intent.ts'
import { nounsFor } from './images/nouns.ts'
import { languagesFor } from './language/index.ts'
import type { Language } from './language/language.ts'
import { isQuoted } from './message/replies.ts'
import { cleanMessage } from './message/request.ts'
import { type Answered, attemptAnswer, toOpenQuestion } from './open-question.ts'
import { examplesFor, followUps, suggestionsFor } from './suggest.ts'
import { changesNothing } from './work/perform.ts'
import type { Work } from './work/work.ts'

/**
 * Plans the literal content of a message, without a model.
 *
 * All or nothing: every word has to be parsed, and ambiguity leads to a question. Pure: the same input gives the same
 * outcome. The user's language is tried first. The site or a public demo may still refuse a plan; suggestions always
 * respect their restrictions.
 */
export function planByRules({ playground, allowStructuralEdits, ...input }: PlanningInput): Outcome {
  const locked = (work: Work): Work => ({ ...work, context: { ...work.context, input: { ...work.context.input, playground, allowStructuralEdits } } })
  const { open: _open, ...asked } = input
  const message = cleanMessage(input.message)
  const fresh = bestOf(input.locale, (language) => ({ attempt: attempt(asked, language), message, answers: {} }))
  const mayAnswer = isQuoted(message) || (fresh?.attempt.kind === 'failed' && !asksForImage(message, fresh.attempt.work))
  const best = (mayAnswer ? bestOf(input.locale, (language) => attemptAnswer(input, language)) : undefined) ?? fresh
  return best ? toOutcome(best, locked) : { kind: 'unsupported', suggestions: [] }
}

/** The first language that gives a plan or an answer, else the first that gives a question. */
function bestOf(locale: string, read: (language: Language) => Answered | undefined): Answered | undefined {
  let best: Answered | undefined
  for (const language of languagesFor(locale)) {
    const found = read(language)
    if (found && (!best || isBetter(found, best))) best = found
    if (best?.attempt.kind === 'done' || best?.attempt.kind === 'answered') break
  }
  return best
}

const isBetter = ({ attempt: { kind } }: Answered, { attempt: { kind: before } }: Answered): boolean =>
  (before === 'failed' && kind !== 'failed') || (before === 'asked' && kind === 'done')

/** `locked` adds the restrictions of the site and of a demo to the work. */
function toOutcome({ attempt: tried, message, answers }: Answered, locked: (work: Work) => Work): Outcome {
  switch (tried.kind) {
    case 'done':
      if (changesNothing(tried.work)) return { kind: 'unchanged', summary: tried.work.context.texts.alreadySo }
      return { kind: 'plan', plan: toPlan(tried.work, followUps(locked(tried.work))) }
    case 'asked': {
      const open = toOpenQuestion(message, tried.inquiry, answers)
      const suggestions = suggestionsFor(locked(tried.work), tried.inquiry, open)
      return { kind: 'question', question: tried.inquiry.question, suggestions, ...(open && { open }) }
    }
    case 'answered': return { ...tried.answer, suggestions: examplesFor(locked(tried.work)) }
    case 'failed': return tried.work ? notUnderstood(message, locked(tried.work)) : { kind: 'unsupported', suggestions: [] }
  }
}

/** A request for a new image is answered with how to get one; no other planner finds or generates images here. */
function notUnderstood(message: string, work: Work): Outcome {
  const { texts } = work.context
  const suggestions = examplesFor(work)
  return asksForImage(message, work) ? { kind: 'question', question: texts.wantsImage(texts.newImage), suggestions } : { kind: 'unsupported', suggestions }
}

const asksForImage = (message: string, work: Work | undefined) => imageIntentOf(message, nounsFor(work?.context.types ?? [])) !== undefined

function toPlan({ ops, context: { texts } }: Work, suggestions: readonly string[]): Plan {
  return { summary: texts.willDo(ops.length), changeLog: [], ops, ...(suggestions.length > 0 && { suggestions }) }
}
