import type { Outcome, PlanningInput } from '../../chat/port.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { textsFor } from '../texts.ts'
import { readJson } from './json.ts'
import type { ReadPlan } from './plan.ts'

const mostNamed = 5
const shortestQuestion = 21

/** What a plan comes to, with the texts that it left out, and the pages of which the model was shown only a part. */
export function toOutcome(plan: ReadPlan, input: PlanningInput, { untranslated, partly }: { readonly untranslated: readonly { readonly label: string }[]; readonly partly: readonly string[] }): Outcome {
  const texts = textsFor(input.locale)
  const { summary, changeLog, ops, suggestions, dropped } = plan
  const images = input.findsImages ? plan.images : []
  const unseen = partly.length > 0 ? [texts.partly(partly.slice(0, mostNamed), partly.length - mostNamed)] : []
  if (plan.isAimless) return question(texts.whichBlock, input, suggestions)
  if (plan.intent === 'needs_clarification') return question(summary, input, suggestions)
  if (plan.intent === 'content_answer') return { kind: 'answer', status: 'info', summary, findings: [...changeLog, ...unseen], suggestions }
  if (ops.length === 0 && images.length === 0) return { kind: 'unchanged', summary: `${summary} ${texts.nothing}` }
  const remarks = [
    ...(untranslated.length > 0 ? [texts.left(untranslated.slice(0, mostNamed).map(({ label }) => label), untranslated.length - mostNamed)] : []),
    ...unseen,
    ...(dropped > 0 ? [texts.dropped(dropped)] : []),
  ]
  return { kind: 'plan', plan: { summary, ...(remarks.length > 0 && { remarks }), changeLog, ops, suggestions, ...(images.length > 0 && { images }) } }
}

/** Prose that is a plan after all, as some models write it; `undefined` where it is prose. */
export function planInProse(prose: string): string | undefined {
  const value = readJson(prose)?.value
  return isPlainObject(value) && ['ops', 'operations', 'intent', 'op'].some((key) => Object.hasOwn(value, key)) ? prose : undefined
}

/** What prose without a plan comes to: a question where it says something, else one that is always the same. */
export function fromProse(prose: string, input: PlanningInput): Outcome {
  const texts = textsFor(input.locale)
  const text = prose.trim()
  return text.length < shortestQuestion ? question(texts.whatInstead, input, texts.suggestions) : question(text, input, [])
}

/** A question back to the person, which the next message may answer. */
export function question(text: string, input: PlanningInput, suggestions: readonly string[]): Outcome {
  return { kind: 'question', question: text, suggestions, open: { message: input.message } }
}
