import type { SiteContent } from '../content/adapter.ts'
import { type ContentDiff, diffContent } from '../content/diff/index.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { DraftId } from '../scope/port.ts'
import { readDraft } from './pipeline/context.ts'
import type { Deps } from './pipeline/deps.ts'
import { check, type CheckDeps, type Checked } from './pipeline/validate.ts'
import { planNotFound } from './refusals.ts'
import type { PlanDetail, PlanSummary } from './schemas.ts'
import { type PendingPlans, siteOf } from './sessions/pending-plans.ts'
import { planTexts } from './texts/changes.ts'
import type { PendingPlan } from './types/pending-plan.ts'
import type { DraftSnapshot } from './types/planner.ts'
import type { DeclaredSite, PlanPreviews } from './types/run.ts'
import type { WholeDrafts } from './whole-drafts.ts'

export type PlanReadDeps = CheckDeps & Pick<Deps, 'drafts' | 'sites'> & { readonly pendingPlans: PendingPlans; readonly wholeDrafts: WholeDrafts }

/** Makes the reads of pending plans. */
export function createPlanReads(parts: PlanReadDeps) {
  const { pendingPlans, wholeDrafts } = parts
  const judge = async (id: DraftId, plan: PendingPlan) => {
    const draft = await readDraft(id, parts)
    const site = siteOf(plan)
    return { draft, site, checked: check(plan.steps, { draft, slug: plan.selection.slug, site }, parts) }
  }
  const previews: PlanPreviews = {
    async read(id, planId) {
      const plan = await pendingPlans.find(id)
      if (plan?.id !== planId) return undefined
      return wholeDrafts.use(id, async () => {
        const { draft, checked } = await judge(id, plan)
        return { message: plan.message, content: contentAfter(checked, draft) }
      })
    },
  }
  return {
    previews,
    /** None or one. */
    async list(id: DraftId): Promise<PlanSummary[]> {
      const plan = await pendingPlans.find(id)
      return plan ? wholeDrafts.use(id, async () => [toSummary(plan, (await readDraft(id, parts)).pages, siteOf(plan))]) : []
    },
    /** Refuses with 404 a plan that is not pending in this session. */
    async detail(id: DraftId, planId: string): Promise<PlanDetail> {
      const plan = await pendingPlans.find(id)
      if (plan?.id !== planId) throw planNotFound()
      return wholeDrafts.use(id, async () => {
        const { draft, site, checked } = await judge(id, plan)
        const ops = plan.steps.map(({ op }) => op)
        return { ...toSummary(plan, draft.pages, site), ops, ...verdictOf(checked), diff: diffOf(checked, draft) }
      })
    },
  }
}

function toSummary(plan: PendingPlan, pages: readonly Page[], site: DeclaredSite): PlanSummary {
  const { id, createdAt, expiresAt, message, steps, selection, draftVersion } = plan
  return { id, createdAt, expiresAt, slug: selection.slug, message, opCount: steps.length, draftVersion, ...planTexts(plan, pages, site) }
}

function verdictOf(checked: Checked): Pick<PlanDetail, 'valid' | 'validationErrors'> {
  switch (checked.kind) {
    case 'sound':
      return { valid: true }
    case 'broken':
      return { valid: false, validationErrors: checked.problems.map((problem) => `${checked.category}: ${problem}`) }
    case 'blocked': {
      const problems = checked.by.kind === 'demo' ? checked.by.problems : checked.by.ops.map((op) => `${op} is a structural edit, which this site currently does not allow`)
      return { valid: false, validationErrors: problems.map((problem) => `planner_refusal: ${problem}`) }
    }
  }
}

/** What the plan would change in the draft. */
function diffOf(checked: Checked, { pages, config }: DraftSnapshot): ContentDiff {
  const baseline = { pages: [...pages], siteConfig: config }
  return diffContent({ draft: contentAfter(checked, { pages, config }) ?? baseline, baseline, registry: builtinRegistry })
}

/** The draft with the plan applied; `undefined` for a plan that cannot be applied. */
function contentAfter(checked: Checked, { pages, config }: Pick<DraftSnapshot, 'pages' | 'config'>): SiteContent | undefined {
  if (checked.kind !== 'sound') return undefined
  const { change } = checked
  const kept = pages.flatMap((page) => (change.pages.has(page.slug) ? (change.pages.get(page.slug)?.after ?? []) : page))
  const added = [...change.pages.values()].flatMap(({ before, after }) => (before || !after ? [] : after))
  return { pages: [...kept, ...added], siteConfig: change.config ?? config }
}
