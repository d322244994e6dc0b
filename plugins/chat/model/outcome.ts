import type { Outcome, PlanningInput, PlanningRun } from '../port.ts'
import type { ReadPlan } from './answer/plan.ts'
import type { ModelDeps } from './call/ask.ts'
import { described, isToDescribe } from './describe.ts'
import { texts } from './texts.ts'

interface OutcomeOptions extends ModelDeps {
  readonly run: PlanningRun
  readonly input: PlanningInput
  /** The slugs of pages that were shown to the model in part. */
  readonly partly: readonly string[]
  /** The labels of fields that a translation leaves out. */
  readonly untranslated?: readonly string[] | undefined
}

/** The outcome of a plan, with remarks on what it leaves out. Images that are there are described. */
export async function outcomeOf(plan: ReadPlan, options: OutcomeOptions): Promise<Outcome> {
  const { input, partly, untranslated = [] } = options
  const { intent, summary, changeLog, suggestions } = plan
  const isSeen = plan.onlyReplaces || input.selection.blockId !== undefined
  const unseen = isSeen ? [] : named(partly, texts.partly)
  if (intent === 'variations') return { kind: 'variations', isAgain: plan.isAgain }
  if (plan.isAimless) return question(texts.whichBlock, input, suggestions)
  if (intent === 'needs_clarification') return question(summary, input, suggestions)
  if (intent === 'content_answer')
    return { kind: 'answer', status: 'info', summary, findings: [...changeLog, ...unseen], suggestions }
  const toDescribe = plan.images.filter(isToDescribe)
  const wanted = plan.images.filter((image) => !isToDescribe(image))
  const images = input.findsImages ? wanted : []
  const { steps, missed } = await described(
    plan.ops.map((op, at) => ({ op, line: changeLog[at] ?? '' })),
    toDescribe,
    options,
  )
  if (steps.length === 0 && images.length === 0) {
    if (missed > 0) return question(texts.whatIsShown, input)
    return wanted.length > 0
      ? question(texts.whichAddress, input)
      : { kind: 'unchanged', summary: `${summary} ${texts.nothing}` }
  }
  const remarks = [
    ...named(untranslated, texts.unchanged),
    ...unseen,
    ...(plan.isCut ? [texts.cut] : []),
    ...(plan.beyond > 0 ? [texts.beyond(plan.beyond)] : []),
    ...(missed > 0 ? [texts.undescribed(missed)] : []),
  ]
  return {
    kind: 'plan',
    plan: {
      summary,
      ...(remarks.length > 0 && { remarks }),
      changeLog: steps.map(({ line }) => line),
      ops: steps.map(({ op }) => op),
      suggestions,
      ...(images.length > 0 && { images }),
      ...(plan.isPlanFirst && { isPlanFirst: true }),
    },
  }
}

const mostNamed = 5

/** A remark that names the first of some things, if there are any. */
const named = (
  names: readonly string[],
  remark: (first: readonly string[], more: number) => string,
): readonly string[] =>
  names.length > 0 ? [remark(names.slice(0, mostNamed), names.length - mostNamed)] : []

/** A question back to the person, which the next message may answer. */
export function question(text: string, input: PlanningInput, suggestions: readonly string[] = []): Outcome {
  return { kind: 'question', question: text, suggestions, open: { message: input.message } }
}
