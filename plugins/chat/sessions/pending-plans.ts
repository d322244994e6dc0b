import * as v from 'valibot'
import type { Clock, Ids } from '../../../kernel/index.ts'
import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { type Companion, readManifest } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import type { Store } from '../../store/port.ts'
import { ChatDebug, Tier } from '../result.ts'
import { type PlannedImage, type Remark, sourceKinds, type Step } from '../types/plan.ts'
import type { DeclaredSite, PendingPlan } from '../types/run.ts'
import { everySession, keep, pendingPlans } from './expiring.ts'

/** The site as the request declares it, or else as the plan was made for it. */
export function siteOf({ componentsManifest, allowStructuralEdits }: PendingPlan, now: DeclaredSite = nothingDeclared): DeclaredSite {
  return {
    manifest: now.manifest ?? readManifest(componentsManifest, builtinRegistry),
    allowStructuralEdits: now.allowStructuralEdits ?? allowStructuralEdits,
  }
}

const nothingDeclared: DeclaredSite = { manifest: undefined, allowStructuralEdits: undefined }

const lifetime = 60 * 60 * 1000
/** A plan is stored with the block types of its site, which may be large. */
const mostPlans = 1_000

/** Thrown inside a commit when the plan is no longer pending. */
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

const text = v.string()
const number = v.number()
const texts = v.array(text)
const onBlock = { pageSlug: text, blockId: text, field: text }

const Step = v.object({ op: v.custom<Operation>((op) => parseOperations([op]).ok), line: v.optional(text) })

const PlannedImage = v.object({
  at: v.variant('kind', [
    v.object({ kind: v.literal('block'), ...onBlock }),
    v.object({ kind: v.literal('row'), ...onBlock, listKey: text, index: number }),
    v.object({ kind: v.literal('page'), pageSlug: text }),
    v.object({ kind: v.literal('site') }),
  ]),
  type: text,
  query: text,
  source: v.optional(v.picklist(sourceKinds)),
  was: text,
})

const Remark = v.variant('kind', [
  v.object({ kind: v.literal('said'), text }),
  v.object({ kind: v.picklist(['unknown_props', 'references', 'descriptions', 'images', 'unfit_images', 'no_images']), type: text }),
])

const Reason = v.variant('kind', [
  v.object({ kind: v.literal('remove_page'), slug: text, title: text, blockCount: number }),
  v.object({ kind: v.literal('multi_page_plan'), slugs: texts }),
  v.object({ kind: v.literal('bulk_remove_blocks'), count: number }),
  v.object({ kind: v.literal('majority_page_wipe'), slug: text, removing: number, total: number }),
])

/** Texts about a plan may be missing: another version of this service may have stored it. */
const StoredPlan = v.object({
  id: text,
  createdAt: text,
  expiresAt: text,
  promptHash: text,
  message: text,
  locale: text,
  requestedSlug: text,
  selection: v.object({ slug: text, blockId: v.optional(text), path: v.optional(text) }),
  summary: text,
  steps: v.array(Step),
  images: v.optional(v.array(PlannedImage)),
  suggestions: v.optional(texts, []),
  mentionedSlugs: v.optional(texts, []),
  notes: v.optional(v.array(Remark), []),
  reasons: v.optional(v.array(Reason), []),
  source: v.object({ plannerSource: text, modelUsed: text, plannerTier: ChatDebug.entries.plannerTier, modelKey: v.optional(Tier) }),
  draftVersion: number,
  componentsManifest: v.optional(v.unknown()),
  allowStructuralEdits: v.optional(v.boolean()),
})

/** Reads a stored plan; `undefined` where it cannot be shown and applied. */
export function readStoredPlan(stored: unknown): PendingPlan | undefined {
  const read = v.safeParse(StoredPlan, stored)
  return read.success ? read.output : undefined
}
