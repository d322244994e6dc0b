import type { PlanImages } from '../images/image-work.ts'
import { suggestionsIn } from '../planners/plan.ts'
import type { RulesPlanner } from '../planners/rules.ts'
import type { Ending } from '../run/ending.ts'
import type { Run, Scene } from '../run/run.ts'
import type { PendingPlan } from '../sessions/pending-plan.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import { inputOf } from '../stages/plan.ts'
import type { Checked } from '../stages/validate.ts'
import type { Sound } from '../validate/index.ts'
import type { Candidate } from './candidate.ts'

interface Shelf {
  readonly pendingPlans: PendingPlans
}

/** So many characters of a message are kept with its plan. */
const longestMessage = 2_000

interface Held extends Pick<PlanImages, 'images'>, Pick<PendingPlan, 'reasons'> {
  readonly candidate: Candidate
  readonly plan: Sound
}

/** Puts a plan where it waits for approval, in the place of one that waits already. */
export async function hold(run: Run, { draft, selection }: Scene, { candidate, plan, images, reasons }: Held, { pendingPlans }: Shelf): Promise<Ending> {
  const { source, summary, suggestions } = candidate
  const { request, message, promptHash, locale, site } = run
  const held = await pendingPlans.hold(run.id, {
    source,
    summary,
    suggestions,
    locale,
    selection,
    reasons,
    images,
    promptHash,
    message: message.slice(0, longestMessage),
    requestedSlug: request.slug,
    steps: plan.steps,
    notes: plan.notes,
    mentionedSlugs: [...new Set([...(plan.results?.mentionedSlugs ?? []), ...images.flatMap(({ at }) => ('pageSlug' in at ? [at.pageSlug] : []))])],
    draftVersion: draft.version,
    componentsManifest: request.componentsManifest,
    allowStructuralEdits: site.allowStructuralEdits,
  })
  return { kind: 'held', plan: held }
}

/** A plan that does not fit is dropped where a person had approved it; a part of one leaves the whole waiting. */
export async function rejected(
  run: Run,
  scene: Scene,
  { candidate: { source, approved }, checked }: { readonly candidate: Candidate; readonly checked: Exclude<Checked, { kind: 'sound' }> },
  { pendingPlans, rules }: Shelf & { readonly rules: RulesPlanner },
): Promise<Ending> {
  // A message that says nothing is answered with what can be said here.
  if (checked.kind === 'blocked') return { kind: 'blocked', by: checked.by, suggestions: suggestionsIn(rules({ ...inputOf(run, scene), message: '', open: undefined })), source }
  const { category, problems } = checked
  const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
  run.how.tell?.({ kind: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
  if (approved?.isWhole) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'invalid', outcome, category, problems, approved: approved && (approved.isWhole ? 'dropped' : 'kept'), source }
}

/** A plan of which nothing is left to do. */
export async function nothingToDo(run: Run, { source, approved }: Candidate, notes: Candidate['notes'], { pendingPlans }: Shelf): Promise<Ending> {
  if (approved) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'unchanged', notes, source }
}

type Failure = Pick<Extract<Ending, { kind: 'approvalFailed' }>, 'why' | 'category' | 'reason'>

/** A sound plan that could not be written. */
export async function unapplied(run: Run, { source, approved }: Candidate, { why, category, reason }: Failure, { pendingPlans }: Shelf): Promise<Ending> {
  run.how.tell?.({ kind: 'plan_apply_failed', outcome: 'apply_failed', category, reason })
  if (!approved) return { kind: 'invalid', outcome: 'apply_failed', category, problems: [reason], why, source }
  await pendingPlans.drop(run.id, approved.id)
  return { kind: 'approvalFailed', why, category, reason, source }
}
