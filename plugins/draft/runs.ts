import { type ChangeSet, type Unchanged, unchanged } from './change-set.ts'
import type { Head } from './collections.ts'
import type { DraftTransaction } from './transaction.ts'

/** How long a run may pause between two steps: it has ended if its process died without a word. */
const longestPauseMs = 5 * 60_000

/** Returns the time until which a run may go on after a step. */
export const endOfPause = (at: string): string => new Date(Date.parse(at) + longestPauseMs).toISOString()

/** Whether the newest change is of a run that may have further steps. */
export const isOpen = ({ openUntil }: Head, now: Date): boolean =>
  openUntil !== undefined && now.getTime() < Date.parse(openUntil)

/** Plans the end of a run; nothing, if others have changed the draft since its newest step. */
export function planEndOfRun({ state: { head } }: DraftTransaction, run: string): ChangeSet | Unchanged {
  return head.run === run && head.openUntil !== undefined ? { isUnchanged: true, endsRun: true } : unchanged
}
