import * as v from 'valibot'
import type { Clock, Ids } from '../../../kernel/index.ts'
import type { NameSource } from '../../content/naming.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { type Actor, type Companion, personOf, readManifest } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { commonPlace, nameOfPlace, placesOf } from '../places.ts'
import { PendingPlan } from '../types/plan.ts'
import type { DeclaredSite, OutdatedPlan } from '../types/run.ts'
import { everySession, keep, pendingPlans } from './expiring.ts'

/** Returns the site as declared by the request, or else with the plan. */
export function siteOf(plan: PendingPlan, now: Partial<DeclaredSite> = {}): DeclaredSite {
  return {
    manifest: now.manifest ?? readManifest(plan.componentsManifest, builtinRegistry),
    allowStructuralEdits: now.allowStructuralEdits ?? plan.allowStructuralEdits,
  }
}

/** Whose plan it is, as stored with it. */
export const ownerOf = (actor: Actor | undefined): Pick<PendingPlan, 'person' | 'name'> => ({
  person: actor && personOf(actor),
  name: actor?.browser?.name,
})

const lifetimeMs = 60 * 60 * 1000
/** A plan is stored with the block types of its site, which may be large. */
const mostPlans = 1_000
const mostOfDraft = 50

/** Thrown inside a commit when the plan is no longer pending. */
export class PlanTaken extends Error {
  override readonly name = 'PlanTaken'
}

/** The person whose plan it is; all who state no browser are one, `undefined`. */
type PlanOwner = string | undefined

export type PendingPlans = ReturnType<typeof createPendingPlans>

/** Creates the persistent store of pending plans: one per person and session, for an hour. */
export function createPendingPlans({
  store,
  clock,
  ids,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}) {
  const stored = (from: Pick<Store, 'of'>, key: string) => readPlan(from, key, clock.now())
  /** The plans of all persons. */
  async function storedOf(from: Pick<Store, 'of'>, id: DraftId): Promise<readonly PendingPlan[]> {
    const found = await Promise.all((await planRows(from, id)).map(({ key }) => stored(from, key)))
    return found.filter((plan) => plan !== undefined)
  }
  const pendingOf = async (from: Pick<Store, 'of'>, id: DraftId): Promise<readonly PendingPlan[]> =>
    (await storedOf(from, id)).filter(isPending)
  const remove = (tx: Transaction, id: DraftId, { person }: Pick<PendingPlan, 'person'>): Promise<boolean> =>
    tx.of(pendingPlans).remove(everySession, planKey(id, person))

  const own = (from: Pick<Store, 'of'>, id: DraftId, person: PlanOwner) => stored(from, planKey(id, person))
  /** The pending plans that a person may answer, the own one first. */
  const answerable = async (id: DraftId, person: PlanOwner): Promise<readonly PendingPlan[]> =>
    (await pendingOf(store, id))
      .filter((plan) => plan.person === person || plan.person === undefined || plan.isOpen)
      .toSorted((a, b) => Number(b.person === person) - Number(a.person === person))

  return {
    answerable,
    /** Returns the plan that a request is about: the one that it names, else the own one of its person. */
    async find(id: DraftId, person: PlanOwner, planId?: string): Promise<PendingPlan | undefined> {
      const plans = await answerable(id, person)
      return plans.find((plan) => plan.id === planId) ?? plans.find((plan) => plan.person === person)
    },
    /** Returns any pending plan of a session by its id. */
    byId: async (id: DraftId, planId: string): Promise<PendingPlan | undefined> =>
      (await pendingOf(store, id)).find((plan) => plan.id === planId),
    /** Returns a plan that a change of another person has outdated, by its id, or else by its person. */
    async outdated(id: DraftId, { person, planId }: { person?: PlanOwner; planId?: string | undefined }) {
      const plan =
        planId === undefined
          ? await own(store, id, person)
          : (await storedOf(store, id)).find((each) => each.id === planId)
      return plan?.outdated && { ...plan, outdated: plan.outdated }
    },
    /** Stores a plan; replaces any other of its person. */
    async hold(id: DraftId, plan: Omit<PendingPlan, 'id' | 'createdAt' | 'expiresAt'>): Promise<PendingPlan> {
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString()
      const body = { ...structuredClone(plan), id: ids.uuid(), createdAt: now.toISOString(), expiresAt }
      const key = planKey(id, plan.person)
      await store.transaction(async (tx) => {
        await makeRoom(tx, id, key)
        await keep(tx, pendingPlans, key, { body, expiresAt, most: mostPlans })
      })
      return body
    },
    /** Drops a plan; returns whether it was pending. */
    drop: (id: DraftId, { id: planId, person }: Pick<PendingPlan, 'id' | 'person'>): Promise<boolean> =>
      store.transaction(async (tx) => {
        const plan = await own(tx, id, person)
        return plan?.id === planId && isPending(plan) && remove(tx, id, plan)
      }),
    /** Drops the plan of a person in the transaction of a change. */
    dropping:
      (id: DraftId, person: PlanOwner): Companion =>
      async (tx) =>
      () =>
        remove(tx, id, { person }),
    /** Removes a plan in the transaction that applies it. Throws `PlanTaken` unless it is pending. */
    taking:
      (id: DraftId, { id: planId, person }: Pick<PendingPlan, 'id' | 'person'>): Companion =>
      async (tx) => {
        const plan = await own(tx, id, person)
        if (plan?.id !== planId || !isPending(plan)) throw new PlanTaken()
        return () => remove(tx, id, plan)
      },
    /** Outdates, in the transaction of an applied plan, the plans that change the same, and reports them. */
    outdating:
      (
        id: DraftId,
        { by, source, report }: { by: Actor | undefined; source: NameSource; report: Report },
      ): Companion =>
      async (tx) =>
      async ({ pages, ops = [] }) => {
        let places: ReturnType<typeof placesOf> | undefined
        const met: OutdatedPlan[] = []
        for (const plan of await pendingOf(tx, id)) {
          const place = commonPlace((places ??= placesOf({ pages, ops })), plan.places ?? [])
          if (!place) continue
          const what = nameOfPlace(place, pages, source)
          const body = { ...plan, outdated: { what, ...(by?.browser?.name && { by: by.browser.name }) } }
          const { expiresAt } = plan
          await keep(tx, pendingPlans, planKey(id, plan.person), { body, expiresAt, most: mostPlans })
          met.push({ what, of: plan.name })
        }
        report(met)
      },
  }
}

/** Returns a plan, also an outdated one; `undefined` for an unreadable one, as of another version. */
async function readPlan(from: Pick<Store, 'of'>, key: string, now: Date): Promise<PendingPlan | undefined> {
  const found = await from.of(pendingPlans).get(everySession, key)
  if (!found) return undefined
  const { success, output } = v.safeParse(PendingPlan, found.body)
  return success && Date.parse(output.expiresAt) > now.getTime() ? output : undefined
}

/** Removes the oldest plan of a draft that has the most that it may have, besides the one under this key. */
async function makeRoom(tx: Transaction, id: DraftId, key: string): Promise<void> {
  const others = (await planRows(tx, id)).filter((row) => row.key !== key)
  const [oldest] = others.toSorted((a, b) => a.columns.expiresAt.localeCompare(b.columns.expiresAt))
  if (oldest && others.length >= mostOfDraft) await tx.of(pendingPlans).remove(everySession, oldest.key)
}

type Report = (met: readonly OutdatedPlan[]) => void

const isPending = ({ outdated }: PendingPlan): boolean => outdated === undefined

/** The key of a plan; those of a session begin alike. */
const planKey = (id: DraftId, person: PlanOwner): string =>
  person === undefined ? draftKey(id) : `${beginningOf(id)},${JSON.stringify(person)}]`
const beginningOf = (id: DraftId): string => draftKey(id).slice(0, -1)

async function planRows(from: Pick<Store, 'of'>, id: DraftId) {
  const beginning = beginningOf(id)
  const range = { after: beginning, limit: mostOfDraft + 1 }
  const rows = await from.of(pendingPlans).rows(everySession, range)
  return rows.filter(({ key }) => key.startsWith(`${beginning},`) || key === draftKey(id))
}
