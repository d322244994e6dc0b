import { diffContent, type ContentDiff } from '../../content/diff/index.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { DraftId } from '../../scope/port.ts'
import { siteOf } from '../apply/candidate.ts'
import type { PendingPlan } from './pending-plan.ts'
import type { PendingPlans } from './pending-plans.ts'
import type { DraftSnapshot } from '../planners/planner.ts'
import { planNotFound } from '../refusals.ts'
import type { DeclaredSite } from '../run/run.ts'
import { readDraft, type ContextParts } from '../stages/context.ts'
import { planTexts } from '../stages/respond.ts'
import { check, type Checked, type CheckParts } from '../stages/validate.ts'

export type WaitingParts = CheckParts & Pick<ContextParts, 'drafts' | 'sites'> & { readonly pendingPlans: PendingPlans }

/** A plan that waits, as people see it. */
export interface WaitingPlan {
  readonly id: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly slug: string
  readonly message: string
  readonly summary: string
  readonly changes: readonly string[]
  readonly destructiveReasons: readonly string[]
  readonly opCount: number
  readonly draftVersion: number
}

export interface WaitingPlanDetail extends WaitingPlan {
  readonly ops: readonly Operation[]
  readonly valid: boolean
  readonly validationErrors?: readonly string[]
  readonly diff: ContentDiff
}

/** Makes the reading of plans that wait. */
export function createWaiting(parts: WaitingParts) {
  const { pendingPlans } = parts
  return {
    /** None or one. */
    async list(id: DraftId): Promise<readonly WaitingPlan[]> {
      const plan = await pendingPlans.find(id)
      return plan ? [toWaiting(plan, (await readDraft(id, parts)).pages, siteOf(plan))] : []
    },
    /** Refuses with 404 what does not wait in this session. */
    async detail(id: DraftId, planId: string): Promise<WaitingPlanDetail> {
      const plan = await pendingPlans.find(id)
      if (plan?.id !== planId) throw planNotFound()
      const draft = await readDraft(id, parts)
      const site = siteOf(plan)
      const checked = check(plan.steps, { draft, slug: plan.selection.slug, site }, parts)
      const ops = plan.steps.map(({ op }) => op)
      return { ...toWaiting(plan, draft.pages, site), ops, ...verdictOf(checked), diff: diffOf(checked, draft) }
    },
  }
}

function toWaiting(plan: PendingPlan, pages: readonly Page[], site: DeclaredSite): WaitingPlan {
  const { id, createdAt, expiresAt, message, steps, selection, draftVersion } = plan
  return { id, createdAt, expiresAt, slug: selection.slug, message, opCount: steps.length, draftVersion, ...planTexts(plan, pages, site) }
}

function verdictOf(checked: Checked): Pick<WaitingPlanDetail, 'valid' | 'validationErrors'> {
  switch (checked.kind) {
    case 'sound':
      return { valid: true }
    case 'broken':
      return { valid: false, validationErrors: checked.problems.map((problem) => `${checked.category}: ${problem}`) }
    case 'blocked': {
      const problems = checked.by.kind === 'demo' ? checked.by.problems : checked.by.ops.map((op) => `${op} is a structural edit, which this site does not allow at the moment`)
      return { valid: false, validationErrors: problems.map((problem) => `planner_refusal: ${problem}`) }
    }
  }
}

/** The draft as it would be, compared with the draft as it is. */
function diffOf(checked: Checked, { pages, config }: DraftSnapshot): ContentDiff {
  const baseline = { pages: [...pages], siteConfig: config }
  if (checked.kind !== 'sound') return diffContent({ draft: baseline, baseline, registry: builtinRegistry })
  const { change } = checked
  const kept = pages.flatMap((page) => (change.pages.has(page.slug) ? (change.pages.get(page.slug)?.after ?? []) : page))
  const added = [...change.pages.values()].flatMap(({ before, after }) => (before || !after ? [] : after))
  const draft = { pages: [...kept, ...added], siteConfig: change.config ?? config }
  return diffContent({ draft, baseline, registry: builtinRegistry })
}
