import { Refusal } from '../../../kernel/index.ts'
import type { Actor } from '../actor.ts'
import type { ChangeSet, EditOf } from '../change-set.ts'
import type { Stack } from '../collections.ts'
import { ownSteps } from '../log.ts'
import { changedByOthers, noneOfYours } from '../refusals.ts'
import type { DraftTransaction } from '../transaction.ts'
import { planUndoOfChange } from './undo-change.ts'
import { planUndo } from './undo.ts'
import { hasEffect } from './without-changes.ts'

/**
 * Plans an undo of the newest change of a page that the actor made and that has an effect left, or a redo of
 * what the actor undid last: as any undo if it is next on the stack of the page, else like the undo of a
 * logged change, which leaves the changes of others as they are.
 *
 * Refuses with 409 `changed_since` if others changed the same since, and with 400 `nothing_to_undo` or
 * `nothing_to_redo`.
 */
export async function planStepOfMine(
  draft: DraftTransaction,
  { kind, slug, mine, manifest }: EditOf<'undo' | 'redo'> & { readonly mine: Actor },
  now: Date,
): Promise<ChangeSet> {
  const stack = await draft.stacks.get(slug)
  const own = await ownSteps(draft.log, { slug, undo: stack.undo, mine })
  let passed: ReadonlyMap<string, Stack> = new Map([[slug, stack]])
  for (const { version, of: [first] = [] } of own[kind]) {
    if (passed.get(slug)?.[kind].at(-1) === (kind === 'undo' ? version : first)) {
      const step = await planUndo(draft, { kind, slug, manifest }, now, passed)
      if (hasEffect(step)) return step
      passed = step.stacks.set
      continue
    }
    const edit = { kind: 'undo-change', version, withDependents: false, manifest } as const
    try {
      const changeSet = await planUndoOfChange(draft, edit, now, (_, dependents) =>
        changedByOthers({ kind, slug, version }, dependents),
      )
      return { ...changeSet, slug }
    } catch (error) {
      if (!(error instanceof Refusal) || !passedOver.has(error.code)) throw error
    }
  }
  throw noneOfYours[kind](slug)
}

/** The refusals of a change that has no effect left, or is no longer in the log. */
const passedOver: ReadonlySet<string> = new Set(['nothing_to_undo', 'no_snapshot', 'not_found'])
