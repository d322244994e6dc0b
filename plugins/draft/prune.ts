import { answers, changes, versionKey, type Stack } from './collections.ts'
import type { OpenDraft } from './open-draft.ts'

/** Milliseconds for which the answer under an idempotency key is kept. */
export const keptAnswers = 24 * 60 * 60 * 1000
/** How many changes pass between two looks, so that most commits do not look. */
const every = 64

/** Lets go of changes beyond the newest `kept`, and of answers that are older than a day; looks after every 64th change. */
export async function prune(
  { tx, scope, head: { version } }: OpenDraft,
  { since, kept, now }: { readonly since: number; readonly kept: number; readonly now: Date },
): Promise<void> {
  if (Math.floor(since / every) === Math.floor(version / every)) return
  if (version > kept) await tx.of(changes).clear(scope, { before: versionKey(version - kept + 1) })
  const oldest = new Date(now.getTime() - keptAnswers).toISOString()
  for (const { key, columns } of await tx.of(answers).rows(scope, { orderBy: 'at', limit: 2 * every })) {
    if (columns.at < oldest) await tx.of(answers).remove(scope, key)
  }
}

/** A stack without the changes that are no longer kept. */
export function withoutGone(stack: Stack, version: number, kept: number): Stack {
  const stays = (each: number): boolean => each > version - kept
  if (stack.undo.every(stays) && stack.redo.every(stays)) return stack
  return { undo: stack.undo.filter(stays), redo: stack.redo.filter(stays) }
}
