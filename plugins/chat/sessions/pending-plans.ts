import { type Clock, type Ids } from '../../../kernel/index.ts'
import type { Companion } from '../../draft/port.ts'
import { draftKey, type DraftId } from '../../scope/port.ts'
import type { Store } from '../../store/port.ts'
import { everySession, keep, pendingPlans } from './collections.ts'
import type { PendingPlan } from './pending-plan.ts'
import { readStoredPlan } from './stored-plan.ts'

const lifetime = 60 * 60 * 1000
/** With its plan the block types of a site are kept, which may be large. */
const mostPlans = 1_000

/** Thrown inside a commit when the plan to be applied was taken by somebody else. */
export class PlanTaken extends Error {
  override readonly name = 'PlanTaken'
}

/** The plans that wait for approval: one for each session, for an hour, also over a restart. */
export interface PendingPlans {
  /** Nothing for a plan that cannot be read, such as one of another version of this service. */
  find(id: DraftId): Promise<PendingPlan | undefined>
  /** Puts a plan in the place of whichever waits. */
  hold(id: DraftId, plan: Omit<PendingPlan, 'id' | 'createdAt' | 'expiresAt'>): Promise<PendingPlan>
  /** Drops a plan; says whether it was there. */
  drop(id: DraftId, planId: string): Promise<boolean>
  /** Takes this very plan away with the change that it makes; throws `PlanTaken` when it does not wait any more. */
  spend(id: DraftId, planId: string): Companion
  /** Takes away whichever plan waits, because a newer request was applied. */
  supersede(id: DraftId): Companion
  /** The same without a change beside it. */
  clear(id: DraftId): Promise<void>
}

/** Makes the shelf of plans that wait. */
export function createPendingPlans({ store, clock, ids }: { readonly store: Store; readonly clock: Clock; readonly ids: Ids }): PendingPlans {
  const isOver = ({ expiresAt }: PendingPlan): boolean => Date.parse(expiresAt) <= clock.now().getTime()
  return {
    async find(id) {
      const stored = await store.of(pendingPlans).get(everySession, draftKey(id))
      const plan = stored && readStoredPlan(stored.body)
      return plan && !isOver(plan) ? plan : undefined
    },
    async hold(id, plan) {
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + lifetime).toISOString()
      const body: PendingPlan = { ...structuredClone(plan), id: ids.uuid(), createdAt: now.toISOString(), expiresAt }
      await store.transaction((tx) => keep(tx, pendingPlans, id, { body, expiresAt, most: mostPlans }))
      return body
    },
    drop: (id, planId) =>
      store.transaction(async (tx) => {
        const stored = await tx.of(pendingPlans).get(everySession, draftKey(id))
        return stored?.body.id === planId && tx.of(pendingPlans).remove(everySession, draftKey(id))
      }),
    spend: (id, planId) => async (tx) => {
      const stored = await tx.of(pendingPlans).get(everySession, draftKey(id))
      if (stored?.body.id !== planId || isOver(stored.body)) throw new PlanTaken()
      return () => tx.of(pendingPlans).remove(everySession, draftKey(id))
    },
    clear: (id) => store.transaction(async (tx) => void (await tx.of(pendingPlans).remove(everySession, draftKey(id)))),
    supersede: (id) => async (tx) => () => tx.of(pendingPlans).remove(everySession, draftKey(id)),
  }
}
