import { pace, Refusal } from '../../../kernel/index.ts'
import { type Actor, isSameActor } from '../change.ts'
import type { ChangeSet } from '../change-set.ts'
import { aboutOf } from '../collections.ts'
import { changedByOthers, noneOfYours } from '../refusals.ts'
import type { DraftTransaction } from '../transaction.ts'
import { planUndoOfChange } from './undo-change.ts'
import { planUndo } from './undo.ts'

/**
 * Plans an undo of the newest change of a page that the actor made and that has an effect left: as any undo if it is the
 * newest of the page, else like the undo of a logged change, which leaves the changes of others as they are.
 *
 * Refuses with 409 `changed_since` if others changed the same since, and with 400 `nothing_to_undo`.
 */
export async function planUndoOfMine(
  draft: DraftTransaction,
  { slug, mine }: { readonly slug: string; readonly mine: Actor },
  now: Date,
): Promise<ChangeSet> {
  const { undo } = await draft.stack(slug)
  for (const version of await versionsOf(draft, undo, mine)) {
    if (version === undo.at(-1)) return planUndo(draft, { kind: 'undo', slug }, now)
    const edit = { kind: 'undo-change', version, withDependents: false } as const
    try {
      const changeSet = await planUndoOfChange(draft, edit, now, (_, dependents) =>
        changedByOthers({ slug, version }, dependents),
      )
      return { ...changeSet, slug }
    } catch (error) {
      if (!(error instanceof Refusal) || !passedOver.has(error.code)) throw error
    }
  }
  throw noneOfYours(slug)
}

/** The refusals of a change that has no effect left, or is no longer in the log. */
const passedOver: ReadonlySet<string> = new Set(['nothing_to_undo', 'no_snapshot', 'not_found'])

/** Returns the changes of an actor on a stack that no later change undid, newest first. */
async function versionsOf(
  draft: DraftTransaction,
  versions: readonly number[],
  mine: Actor,
): Promise<readonly number[]> {
  /** Whether the newest step over a change was an undo. */
  const undone = new Map<number, boolean>()
  const own: number[] = []
  for (const version of versions.toReversed()) {
    await pace()
    const record = await draft.change(version)
    if (!record) break
    const { source, of = [], actor } = aboutOf(record)
    if (source === 'undo' || source === 'redo') {
      for (const each of of) if (!undone.has(each)) undone.set(each, source === 'undo')
    } else if (isSameActor(actor, mine) && undone.get(version) !== true) own.push(version)
  }
  return own
}
