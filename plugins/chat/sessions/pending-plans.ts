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

const lifetimeMs = 60 * 60 * 1000
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
  /** Returns `undefined` for an unreadable plan, for example from another version of this service. */
  async function find(from: Pick<Store, 'of'>, id: DraftId): Promise<PendingPlan | undefined> {
    const stored = await from.of(pendingPlans).get(everySession, draftKey(id))
    if (!stored) return undefined
    const { success, output } = v.safeParse(PendingPlan, stored.body)
    return success && Date.parse(output.expiresAt) > clock.now().getTime() ? output : undefined
  }
  const remove = (tx: Transaction, id: DraftId): Promise<boolean> =>
    tx.of(pendingPlans).remove(everySession, draftKey(id))
  return {
    find: (id: DraftId) => find(store, id),
    /** Stores a plan; replaces any other of the session. */
    async hold(id: DraftId, plan: Omit<PendingPlan, 'id' | 'createdAt' | 'expiresAt'>): Promise<PendingPlan> {
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString()
      const body = { ...structuredClone(plan), id: ids.uuid(), createdAt: now.toISOString(), expiresAt }
      await store.transaction((tx) => keep(tx, pendingPlans, id, { body, expiresAt, most: mostPlans }))
      return body
    },
    /** Drops a plan; returns whether it was pending. */
    drop: (id: DraftId, planId: string): Promise<boolean> =>
      store.transaction(async (tx) => (await find(tx, id))?.id === planId && remove(tx, id)),
    /**
     * Drops the pending plan in the transaction of a change. With the plan that is applied, throws `PlanTaken`
     * if that is no longer the pending one.
     */
    taking:
      (id: DraftId, applied?: string): Companion =>
      async (tx) => {
        if (applied !== undefined && (await find(tx, id))?.id !== applied) throw new PlanTaken()
        return () => remove(tx, id)
      },
  }
}
