import * as v from 'valibot'
import type { Clock, Ids } from '../../../kernel/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { type Companion, readManifest } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { PendingPlan } from '../types/plan.ts'
import type { DeclaredSite } from '../types/run.ts'
import { everySession, keep, pendingPlans } from './expiring.ts'

/** Returns the site as declared by the request, or else with the plan. */
export function siteOf(plan: PendingPlan, now: Partial<DeclaredSite> = {}): DeclaredSite {
  return {
    manifest: now.manifest ?? readManifest(plan.componentsManifest, builtinRegistry),
    allowStructuralEdits: now.allowStructuralEdits ?? plan.allowStructuralEdits,
  }
}

const lifetime = 60 * 60 * 1000
/** A plan is stored with the block types of its site, which may be large. */
const mostPlans = 1_000

/** Thrown inside a commit when the plan is no longer pending. */
export class PlanTaken extends Error {
  override readonly name = 'PlanTaken'
}

export type PendingPlans = ReturnType<typeof createPendingPlans>

/** Creates the persistent store of pending plans: one per session, for an hour. */
export function createPendingPlans({
  store,
  clock,
  ids,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}) {
  const isOver = ({ expiresAt }: PendingPlan): boolean => Date.parse(expiresAt) <= clock.now().getTime()
  const isPending = (plan: PendingPlan): boolean => !isOver(plan) && plan.droppedFor === undefined
  const stored = async (from: Pick<Store, 'of'>, id: DraftId): Promise<PendingPlan | undefined> =>
    (await from.of(pendingPlans).get(everySession, draftKey(id)))?.body
  const remove = (tx: Transaction, id: DraftId): Promise<boolean> =>
    tx.of(pendingPlans).remove(everySession, draftKey(id))
  /** Keeps a dropped plan until it expires, to tell an approval what happened to it. */
  const dropFor = async (tx: Transaction, id: DraftId, droppedFor: string): Promise<void> => {
    const plan = await stored(tx, id)
    if (!plan || !isPending(plan)) return
    const { expiresAt } = plan
    await tx
      .of(pendingPlans)
      .put(everySession, draftKey(id), { body: { ...plan, droppedFor }, columns: { expiresAt } })
  }
  return {
    /** Returns `undefined` for an unreadable plan, for example from another version of this service. */
    async find(id: DraftId): Promise<PendingPlan | undefined> {
      const { success, output } = v.safeParse(PendingPlan, await stored(store, id))
      return success && isPending(output) ? output : undefined
    },
    /** Returns the request that was applied instead of the last plan; `undefined` if there was none. */
    async droppedFor(id: DraftId): Promise<string | undefined> {
      const plan = await stored(store, id)
      return plan && !isOver(plan) ? plan.droppedFor : undefined
    },
    /** Stores a plan; replaces any other of the session. */
    async hold(id: DraftId, plan: Omit<PendingPlan, 'id' | 'createdAt' | 'expiresAt'>): Promise<PendingPlan> {
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + lifetime).toISOString()
      const body: PendingPlan = {
        ...structuredClone(plan),
        id: ids.uuid(),
        createdAt: now.toISOString(),
        expiresAt,
      }
      await store.transaction((tx) => keep(tx, pendingPlans, id, { body, expiresAt, most: mostPlans }))
      return body
    },
    /** Drops a plan; returns whether it was pending. */
    drop: (id: DraftId, planId: string): Promise<boolean> =>
      store.transaction(async (tx) => (await stored(tx, id))?.id === planId && remove(tx, id)),
    /** Removes the plan in the transaction of its change; throws `PlanTaken` if it is no longer pending. */
    spend:
      (id: DraftId, planId: string): Companion =>
      async (tx) => {
        const plan = await stored(tx, id)
        if (plan?.id !== planId || !isPending(plan)) throw new PlanTaken()
        return () => remove(tx, id)
      },
    /** Drops any pending plan in the transaction of a change, because a newer request is applied. */
    supersede:
      (id: DraftId, request: string): Companion =>
      async (tx) =>
      () =>
        dropFor(tx, id, request),
    /** Drops any pending plan, because a newer request is applied. */
    clear: (id: DraftId, request: string): Promise<void> =>
      store.transaction((tx) => dropFor(tx, id, request)),
  }
}
