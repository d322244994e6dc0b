import type { MessageReader } from '../types/reader.ts'
import type { Ending, Run, RunContext, SessionState } from '../types/run.ts'

/** The intent of a message: an action on the pending plan or the chain, or a new plan. */
export type Intent = 'discard' | 'approve' | 'continue' | 'plan'

const intents = {
  plan_only: 'plan',
  apply_pending_plan: 'approve',
  discard_pending_plan: 'discard',
  continue_chain: 'continue',
} as const satisfies Readonly<Record<string, Intent>>

/**
 * Separates requests from a yes or a no to the pending plan.
 *
 * Without a pending plan, a yes answers the open question, if any, and "ok thanks" is not a yes.
 */
export function intentOf(
  executionMode: Run['request']['executionMode'], message: string, { memory, pending }: SessionState,
  words: MessageReader,
): Intent {
  if (executionMode !== 'auto') return intents[executionMode]
  if (words.isRefusal(message)) return 'discard'
  const isYes = words.isConfirmation(message)
  return isYes && (pending || (!memory.asked && !words.isCourtesy(message))) ? 'approve' : 'plan'
}

/** Returns the pending plan if the same message is sent again: a repetition does not approve it. */
export function repeated(run: Run, { pending, selection }: RunContext): Ending | undefined {
  if (!pending || pending.promptHash !== run.promptHash) return undefined
  const keys = ['slug', 'blockId', 'path'] as const
  const isSamePlace = keys.every((key) => pending.selection[key] === selection[key])
  return isSamePlace ? { kind: 'held', plan: pending } : undefined
}
