import type { Page } from '../../../content/page.ts'
import type { PlanningInput } from '../../planners/planner.ts'
import { fenced } from '../prompt/fence.ts'
import { stableJson } from '../prompt/stable-json.ts'
import type { Words } from '../words.ts'
import { levels, type Level } from './levels.ts'
import { contextPack } from './pack.ts'

/** What the model is told to do, and what it is shown for that. */
export interface FittedRequest {
  readonly text: string
  readonly level: Level
  readonly bytes: number
}

/** What was wrong with the answer before, told when it is asked for again. */
export interface Feedback {
  readonly problem: unknown
  /** The plan to put right, as it came. It does not count towards the budget. */
  readonly plan?: string | undefined
}

/**
 * Writes a request so that it has at most `budget` bytes, at the level that was wished for or the next one that fits.
 *
 * Nothing is cut in the middle. Answers `undefined` when the message alone is too long.
 */
export function fitted(
  input: PlanningInput, page: Page, words: Words,
  { level: wished, budget, feedback }: { readonly level: Level; readonly budget: number; readonly feedback?: Feedback | undefined },
): FittedRequest | undefined {
  const task = stableJson({
    request: input.message,
    slug: page.slug,
    ...(input.open && { note: answerNote }),
    ...(feedback && { feedback: { instruction: feedback.plan === undefined ? againInstruction : repairInstruction } }),
  })
  const problem = feedback ? [fenced('problem', feedback.problem)] : []
  const attached = attachmentsOf(input)
  const earlier = feedback?.plan === undefined ? '' : `\n\n${fenced('earlier plan', feedback.plan)}`
  for (const level of levels.slice(levels.indexOf(wished))) {
    const parts = [task, ...problem, fenced('pages', { contextPack: contextPack(input, page, words, level) }), ...(level === 'bare' ? [] : attached)]
    const text = parts.join('\n\n')
    const bytes = Buffer.byteLength(text)
    if (bytes <= budget) return { text: text + earlier, level, bytes }
  }
  return undefined
}

const answerNote = 'A question was asked about the first part of the request; what follows after the empty line answers it.'
const againInstruction = 'Your last answer could not be used; the problem says why. Answer again, with one call of submit_edit_plan.'
const repairInstruction = 'Put right what the problem names, in the earlier plan. Keep every operation and all wording that is not concerned.'
const longestText = 10_000

function attachmentsOf({ attachments = [] }: PlanningInput): readonly string[] {
  if (attachments.length === 0) return []
  const shown = attachments.map(({ name, mimeType, url, text }) => ({ name, mimeType, url, text: text?.slice(0, longestText) }))
  return [fenced('attachments', shown)]
}
