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
 * Plans what a message says word for word, without any model.
 *
 * All or nothing: every word of the message has to be accounted for, and what could mean several things is asked back.
 * Pure: the same input gives the same outcome. The language of the person is tried first. A plan may be one that the site or
 * a public demo refuses later; what is suggested is none of these.
 */
export function planByRules({ playground, allowStructuralEdits, ...input }: PlanningInput): Outcome {
  const locked = (work: Work): Work => ({ ...work, scene: { ...work.scene, input: { ...work.scene.input, playground, allowStructuralEdits } } })
  const { open: _open, ...asked } = input
  const message = cleanMessage(input.message)
  const fresh = bestOf(input.locale, (language) => ({ attempt: attempt(asked, language), message, answers: {} }))
  const mayAnswer = isQuoted(message) || (fresh?.attempt.kind === 'failed' && !asksForImage(message, fresh.attempt.work))
  const best = (mayAnswer ? bestOf(input.locale, (language) => attemptAnswer(input, language)) : undefined) ?? fresh
  return best ? toOutcome(best, locked) : { kind: 'unsupported', suggestions: [] }
}

/** The first language in which something can be done or answered, else the first in which something is asked back. */
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

/** `locked` gives work that is held to what the site and a demo allow. */
function toOutcome({ attempt: tried, message, answers }: Answered, locked: (work: Work) => Work): Outcome {
  switch (tried.kind) {
    case 'done':
      if (changesNothing(tried.work)) return { kind: 'unchanged', summary: tried.work.scene.texts.alreadySo }
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

/** Who asks for a new image reads what would do, where nothing else finds or makes one. */
function notUnderstood(message: string, work: Work): Outcome {
  const { texts } = work.scene
  const suggestions = examplesFor(work)
  return asksForImage(message, work) ? { kind: 'question', question: texts.wantsImage(texts.newImage), suggestions } : { kind: 'unsupported', suggestions }
}

const asksForImage = (message: string, work: Work | undefined) => imageIntentOf(message, nounsFor(work?.scene.types ?? [])) !== undefined

function toPlan({ ops, scene: { texts } }: Work, suggestions: readonly string[]): Plan {
  return { summary: texts.willDo(ops.length), changeLog: [], ops, ...(suggestions.length > 0 && { suggestions }) }
}
