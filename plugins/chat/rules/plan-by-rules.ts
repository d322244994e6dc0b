import type { Outcome, Plan } from '../planners/plan.ts'
import type { PlanningInput } from '../planners/planner.ts'
import { attempt } from './attempt.ts'
import { describe } from './describe.ts'
import { isThanks } from './intent.ts'
import { lexiconsFor } from './lexicon/index.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { cleanMessage } from './message/clean.ts'
import { attemptAnswer, toOpenQuestion, type Answered } from './open-question.ts'
import { examplesFor, followUps, suggestionsFor } from './suggest.ts'
import { changesNothing, type Work } from './work.ts'

/**
 * Plans what a message says word for word, without any model.
 *
 * All or nothing: every word of the message has to be accounted for, and what could mean several things is asked back.
 * Pure: the same input gives the same outcome. The language of the person is tried first; what only another one knows how to do
 * is done all the same.
 */
export function planByRules(input: PlanningInput): Outcome {
  let best: Answered | undefined
  for (const lexicon of lexiconsFor(input.locale)) {
    const answered = read(input, lexicon)
    if (!best || isBetter(answered, best)) best = answered
    if (best.attempt.kind === 'done' || best.attempt.kind === 'answered') break
  }
  return best ? toOutcome(best) : { kind: 'unsupported', suggestions: [] }
}

/** Anything is better than nothing, and what can be done is better than a question. */
function isBetter({ attempt: { kind } }: Answered, { attempt: { kind: before } }: Answered): boolean {
  return (before === 'failed' && kind !== 'failed') || (before === 'asked' && kind === 'done')
}

/** A complete request stands for itself, and so do thanks; anything else may be the answer to what was asked last. */
function read(input: PlanningInput, lexicon: Lexicon): Answered {
  const message = cleanMessage(input.message)
  const fresh = attempt(input, lexicon)
  const isBareText = /^["'“„«‘`]/.test(message)
  if ((input.open && isThanks(message)) || (fresh.kind === 'done' && !isBareText)) return { attempt: fresh, message, answers: {} }
  return attemptAnswer(input, lexicon) ?? { attempt: fresh, message, answers: {} }
}

function toOutcome({ attempt: tried, message, answers }: Answered): Outcome {
  switch (tried.kind) {
    case 'done': return changesNothing(tried.work)
      ? { kind: 'unchanged', summary: tried.work.scene.texts.alreadySo }
      : { kind: 'plan', plan: toPlan(tried.work) }
    case 'asked': {
      const open = toOpenQuestion(message, tried.inquiry, answers)
      const { question } = tried.inquiry
      return { kind: 'question', question, suggestions: suggestionsFor(tried.work, tried.inquiry), ...(open && { open }) }
    }
    case 'answered': return { ...tried.answer, suggestions: examplesFor(tried.work) }
    case 'failed': return { kind: 'unsupported', suggestions: tried.work ? examplesFor(tried.work) : [] }
  }
}

function toPlan(work: Work): Plan {
  const { ops, drafts, scene: { texts } } = work
  const changeLog = ops.map((op, index) => describe({ ...work, draft: drafts[index] ?? work.draft }, op))
  const [line = ''] = changeLog
  const suggestions = followUps(work)
  return {
    summary: changeLog.length === 1 ? texts.willDo(line) : texts.willDoMany(changeLog.length),
    changeLog,
    ops,
    ...(suggestions.length > 0 && { suggestions }),
  }
}
