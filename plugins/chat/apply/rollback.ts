import type { Committed } from '../../draft/port.ts'
import type { Run } from '../run/run.ts'
import { textsIn } from '../texts/index.ts'
import type { ApplyParts } from '../stages/apply.ts'

/** Why a run takes back what it applied. */
export type Why = 'canceled' | 'again' | 'unfit' | 'held' | 'other' | 'ended'

export interface RollbackTask {
  readonly why: Why
  /** How many operations are taken back. */
  readonly count: number
  /** The version before the first of them. */
  readonly since: number
  /** What the log calls them. */
  readonly logLine: string
}

/** Takes back what a run applied, as one further change, and tells it; pages that others have changed since stay. */
export async function rollback(run: Run, { why, count, since, logLine }: RollbackTask, { drafts }: ApplyParts): Promise<Committed> {
  const { actor = { kind: 'person' }, id } = run.how
  const texts = textsIn(run.locale)
  const edit = { kind: 'rollback', run: id, since, summary: texts.tookBack(logLine) } as const
  run.how.emit({ type: 'rollback_started', appliedCount: count, reason: texts.takingBack(why) })
  const committed = await drafts.commit({ id: run.id, edit, actor, channel: 'chat', requestId: id }, (each) => each)
  run.how.emit({ type: 'rollback_done', ...(committed.changed && { restoredVersion: committed.previewVersion }) })
  return committed
}
