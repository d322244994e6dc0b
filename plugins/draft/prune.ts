import { answers, changes, versionKey } from './collections.ts'
import { logLength } from './edits/restore.ts'
import type { OpenDraft } from './open-draft.ts'

/** Changes that are kept at all, for clients that come back after a while. */
export const keptChanges = 10_000
/** Milliseconds for which the answer under an idempotency key is kept. */
export const keptAnswers = 24 * 60 * 60 * 1000
/** How many changes pass between two looks, so that most commits do not look. */
const every = 64

/**
 * Lets go of what no client can ask for any more.
 *
 * A change that has left the log and stands on no undo or redo stack keeps its row in the list and loses its record;
 * one that is older than the newest 10,000 goes altogether, and so does an answer that is older than a day.
 */
export async function prune(draft: OpenDraft, version: number, now: Date): Promise<void> {
  if (version % every !== 0) return
  const { tx, scope } = draft
  const writer = tx.of(changes)
  const gone = version - logLength
  const leaving = gone <= 0 ? [] : await writer.list(scope, { after: versionKey(Math.max(0, gone - every)), limit: every })
  for (const { key, body, columns } of leaving) {
    if (Number(key) > gone) break
    const standing = await Promise.all(body.pages.map(({ slug }) => isOnStack(draft, slug, Number(key))))
    if (!standing.includes(true)) await writer.put(scope, key, { body: { pages: [], config: [], actor: body.actor }, columns })
  }
  if (version > keptChanges) await writer.clear(scope, { before: versionKey(version - keptChanges + 1) })

  const oldest = new Date(now.getTime() - keptAnswers).toISOString()
  for (const { key, columns } of await tx.of(answers).rows(scope, { orderBy: 'at', limit: 2 * every })) {
    if (columns.at < oldest) await tx.of(answers).remove(scope, key)
  }
}

async function isOnStack(draft: OpenDraft, slug: string, version: number): Promise<boolean> {
  const { undo, redo } = await draft.stack(slug)
  return undo.includes(version) || redo.includes(version)
}
