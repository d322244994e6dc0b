import type { Ending } from '../types/ending.ts'
import type { MessageReader } from '../types/reader.ts'
import type { Run, RunContext, SessionState } from '../types/run.ts'

/** What a message wants: something of the pending plan or the chain, or a new plan. */
export type Intent = 'discard' | 'approve' | 'continue' | 'plan'

/** The part of a run that decides its intent. */
export interface Said extends Pick<Run, 'message'> {
  readonly request: Pick<Run['request'], 'executionMode'>
}

/**
 * Separates requests from a yes or a no to the pending plan.
 *
 * With an open question and without a pending plan, a yes answers that question, and "ok thanks" is not a yes.
 */
export function intentOf({ request, message }: Said, { memory, pending }: SessionState, words: MessageReader): Intent {
  if (request.executionMode === 'discard_pending_plan') return 'discard'
  if (request.executionMode === 'apply_pending_plan') return 'approve'
  if (request.executionMode === 'continue_chain') return 'continue'
  if (request.executionMode !== 'auto') return 'plan'
  if (words.isRefusal(message)) return 'discard'
  const isYes = words.isConfirmation(message)
  return isYes && (pending || (!memory.asked && !words.isCourtesy(message))) ? 'approve' : 'plan'
}

/** The pending plan, when the same message is sent again: a repetition does not approve it. */
export function repeated({ promptHash }: Run, { pending }: SessionState, { selection }: RunContext): Ending | undefined {
  if (!pending || pending.promptHash !== promptHash) return undefined
  const { slug, blockId, path } = pending.selection
  if (slug !== selection.slug || blockId !== selection.blockId || path !== selection.path) return undefined
  return { kind: 'held', plan: pending }
}
