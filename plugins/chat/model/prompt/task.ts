import { fenced, stableJson } from '../../../llm/port.ts'
import type { PlanningInput } from '../../types/planner.ts'

/** What was wrong with the answer before, told when it is asked for again. */
export interface Feedback {
  readonly problem: unknown
  /** The plan to put right, as it came. */
  readonly plan?: string | undefined
}

const answerNote = 'A question was asked about the first part of the request; what follows after the empty line answers it.'
const againInstruction = 'Your last answer could not be used; the problem says why. Answer again, with one call of submit_edit_plan.'
const repairInstruction = 'Put right what the problem names, in the earlier plan. Keep every operation and all wording that is not concerned.'

/** The message that asks for a plan: the request, what is wrong with the answer before, and what is shown for it. */
export function taskText({ message, selection, open }: PlanningInput, shown: string, feedback: Feedback | undefined): string {
  const task = stableJson({
    request: message,
    slug: selection.slug,
    ...(open && { note: answerNote }),
    ...(feedback && { feedback: { instruction: feedback.plan === undefined ? againInstruction : repairInstruction } }),
  })
  return [
    task,
    ...(feedback ? [fenced('problem', feedback.problem)] : []),
    shown,
    ...(feedback?.plan === undefined ? [] : [fenced('earlier plan', feedback.plan)]),
  ].join('\n\n')
}
