import type { Ending } from '../types/ending.ts'
import type { Words } from '../types/reader.ts'
import type { Run, RunContext, SessionState } from '../types/run.ts'

/** What a message wants with the plan that waits or the request that is done in steps, or that it wants a new plan. */
export type Intent = 'discard' | 'approve' | 'continue' | 'plan'

/** What a run is asked for, as far as it tells its intent. */
export interface Said extends Pick<Run, 'message'> {
  readonly request: Pick<Run['request'], 'executionMode'>
}

/**
 * Tells a request for a change from a yes or a no to the plan that waits.
 *
 * With a question open and no plan waiting, a yes is an answer to that question; "ok thanks" is thanks then, and no yes.
 */
export function intentOf({ request, message }: Said, { memory, pending }: SessionState, words: Words): Intent {
  if (request.executionMode === 'discard_pending_plan') return 'discard'
  if (request.executionMode === 'apply_pending_plan') return 'approve'
  if (request.executionMode === 'continue_chain') return 'continue'
  if (request.executionMode !== 'auto') return 'plan'
  if (words.isRefusal(message)) return 'discard'
  const isYes = words.isConfirmation(message)
  return isYes && (pending || (!memory.asked && !words.isCourtesy(message))) ? 'approve' : 'plan'
}

/** The plan that waits already, when the very same is asked for again: a repetition is no approval. */
export function repeated({ promptHash }: Run, { pending }: SessionState, { selection }: RunContext): Ending | undefined {
  if (!pending || pending.promptHash !== promptHash) return undefined
  const { slug, blockId, path } = pending.selection
  if (slug !== selection.slug || blockId !== selection.blockId || path !== selection.path) return undefined
  return { kind: 'held', plan: pending }
}
