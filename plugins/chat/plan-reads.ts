import type { SiteContent } from '../content/adapter.ts'
import { diffContent } from '../content/diff/index.ts'
import { draftAfter, pagesIn, toDraft } from '../content/draft-view.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { DraftId } from '../scope/port.ts'
import { readDraft } from './pipeline/reading.ts'
import type { Chat } from './pipeline/run.ts'
import { check, type Unsound } from './pipeline/validate.ts'
import { planNotFound } from './refusals.ts'
import type { PlanDetail, PlanList, PlanSummary } from './schemas.ts'
import { siteOf } from './sessions/pending-plans.ts'
import { planTexts } from './texts/changes.ts'
import { texts } from './texts/texts.ts'
import type { PendingPlan } from './types/plan.ts'
import type { DeclaredSite, PlanPreviews } from './types/run.ts'

/** Creates the functions that read pending plans. */
export function createPlanReads(chat: Chat) {
  const { pendingPlans, wholeDrafts } = chat
  /** Checks a plan against the current draft; `content` is the draft with the plan applied, if it fits. */
  const judged = async (id: DraftId, plan: PendingPlan) => {
    const draft = await readDraft(chat, id)
    const site = siteOf(plan)
    const checked = check(plan.steps, site, { draft, selection: plan.selection }, chat)
    const after = checked.ok ? draftAfter(toDraft(draft), checked) : undefined
    const content: SiteContent | undefined = after && { pages: [...pagesIn(after)], siteConfig: after.config }
    return { draft, site, checked, content }
  }
  const previews: PlanPreviews = {
    async read(id, planId) {
      const plan = await pendingPlans.byId(id, planId)
      if (!plan) return undefined
      const { content } = await wholeDrafts.use(id, () => judged(id, plan))
      return { message: plan.message, content }
    },
  }
  return {
    previews,
    /** Returns the plans that a person may answer, the own one first, or why the own one ended. */
    async list(id: DraftId, person: string | undefined): Promise<PlanList> {
      const [found, ended] = await Promise.all([
        pendingPlans.answerable(id, person),
        pendingPlans.outdated(id, { person }),
      ])
      const outdated = ended && [
        { id: ended.id, message: ended.message, reason: texts.outdated(ended.outdated) },
      ]
      if (found.length === 0) return { plans: [], outdated }
      const { pages } = await wholeDrafts.use(id, () => readDraft(chat, id))
      return { plans: found.map((plan) => toSummary(plan, pages, siteOf(plan))), outdated }
    },
    /** Refuses with 404 if the plan is not pending in this session. */
    async detail(id: DraftId, planId: string): Promise<PlanDetail> {
      const plan = await pendingPlans.byId(id, planId)
      if (!plan) {
        const { outdated } = (await pendingPlans.outdated(id, { planId })) ?? {}
        throw planNotFound(outdated && texts.outdated(outdated))
      }
      return wholeDrafts.use(id, async () => {
        const {
          draft: { pages, config },
          site,
          checked,
          content,
        } = await judged(id, plan)
        const baseline = { pages: [...pages], siteConfig: config }
        const diff = diffContent({ draft: content ?? baseline, baseline, registry: builtinRegistry })
        const verdict = checked.ok ? { valid: true } : { valid: false, validationErrors: problemsOf(checked) }
        return { ...toSummary(plan, pages, site), ops: plan.steps.map(({ op }) => op), ...verdict, diff }
      })
    },
  }
}

/** Describes a pending plan for people. */
export function toSummary(plan: PendingPlan, pages: readonly Page[], site: DeclaredSite): PlanSummary {
  const {
    id,
    createdAt,
    expiresAt,
    message,
    steps,
    selection: { slug },
    draftVersion,
  } = plan
  const shown = planTexts(plan, pages, site)
  return { id, createdAt, expiresAt, slug, message, opCount: steps.length, draftVersion, ...shown }
}

/** Says why a plan does not fit the draft. */
export function problemsOf(unsound: Unsound): string[] {
  if (unsound.kind === 'broken') return unsound.problems.map((problem) => `${unsound.category}: ${problem}`)
  const { by } = unsound
  const locked = 'is a structural edit, which this site currently does not allow'
  const problems = by.kind === 'demo' ? by.problems : by.ops.map((op) => `${op} ${locked}`)
  return problems.map((problem) => `planner_refusal: ${problem}`)
}
