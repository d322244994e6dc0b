import { draftAfter, pagesIn, toDraft } from '../../content/draft-view.ts'
import { sameJson } from '../../content/same-json.ts'
import { missingImages, noImages, type PlanImages, workingImages } from '../types/images.ts'
import { type PendingPlans, PlanTaken } from '../sessions/pending-plans.ts'
import { announcements } from '../texts/changes.ts'
import { type Done, type Ended, type Ending, placeOf } from '../types/ending.ts'
import { phases } from '../types/events.ts'
import { suggestionsIn } from '../types/plan.ts'
import type { Planner } from '../types/planner.ts'
import { checkpoint, type PendingPlan, type Run, type RunContext } from '../types/run.ts'
import type { Sound } from '../validate/index.ts'
import { mostMoves, type RunApplier } from './applier.ts'
import { type Begun, nothingBegun } from './apply-early.ts'
import { applyImages, withNotes } from './apply-images.ts'
import { applySteps, type Stepped, type StepTask } from './apply-steps.ts'
import type { Candidate } from './candidate.ts'
import { readDraft } from './context.ts'
import type { Deps } from './deps.ts'
import { gate } from './gate.ts'
import { planLocally } from './plan.ts'
import { render } from './render.ts'
import { remembered } from './respond.ts'
import { check, type Checked } from './validate.ts'

/** A plan, the hand that applies it, and what the hand has applied of it already. */
export interface Task {
  readonly candidate: Candidate
  readonly applier: RunApplier
  readonly begun?: Begun | undefined
}

/**
 * Checks a plan, then holds it or applies it: validate, gate, apply. What it wants of images is looked for at the end.
 *
 * When the draft moves in between, the plan is checked against the draft as it is then; it is refused only when it does not
 * fit that any more. What was applied while it was written is gone on with where the complete plan begins with the very same.
 */
export async function applyPlan(run: Run, start: RunContext, { candidate, applier, begun = nothingBegun }: Task, deps: Deps): Promise<Ended> {
  const again = async (): Promise<RunContext> => ({ ...start, draft: await readDraft(run.id, deps) })
  const isBegun = begun.ops.length > 0 && beginsWith(candidate, begun)
  if (!isBegun) await applier.rollBack('other')
  let context = isBegun || applier.version === undefined ? start : await again()
  for (let attempt = 1; ; attempt++) {
    checkpoint(run)
    const isFirst = attempt === 1
    const place = placeOf(context, candidate.slug)
    const ready = await prepared(run, context, { candidate, candidates: begun.candidates, isFirst }, deps)
    if (ready.kind !== 'ready') return { ending: ready, place }
    checkpoint(run)
    if (isFirst) run.how.emit({ type: 'status', message: phases.applying })
    const ended = await applied(run, { plan: ready.plan, candidate, context, begun: isBegun ? begun.told : 0 }, applier, deps)
    if (ended) return ended
    if (attempt === mostMoves || applier.count > 0) return { ending: await unapplied(run, candidate, keepsChanging, deps), place }
    context = await again()
    if (!(await stillWaits(run, candidate, deps))) return { ending: { kind: 'nothingPending' }, place: placeOf(context, candidate.slug) }
  }
}

interface Preparation {
  readonly candidate: Candidate
  /** How many of its operations were told while it was written. */
  readonly candidates: number
  /** What happens to a plan is told once, however often the draft moves. */
  readonly isFirst: boolean
}

/** Validates a plan and asks the gate: gives what may be applied, or how the run ends instead. */
async function prepared(run: Run, context: RunContext, { candidate, candidates, isFirst }: Preparation, deps: Deps): Promise<Ending | { readonly kind: 'ready'; readonly plan: Sound }> {
  const { steps, slug, site, source, approved } = candidate
  const judged = check(steps, { draft: context.draft, slug, site }, deps)
  if (judged.kind !== 'sound') return rejected(run, context, { candidate, checked: judged }, deps)
  const { images, question, notes } = imagesOf(candidate, judged, context, deps)
  const plan = withNotes(judged, [...leftBefore(candidate), ...notes])
  if (question) return { ...question, kind: 'asked', source }
  if (isFirst) {
    announce(run, candidate, plan, { context, candidates })
    logLeftOut(run, plan, deps)
  }
  if (plan.steps.length === 0 && images.length === 0) return nothingToDo(run, candidate, plan.notes, deps)
  const gated = approved ? ({ kind: 'go' } as const) : gate(run, { steps: plan.steps, hasImages: images.length > 0 }, context.draft)
  return gated.kind === 'hold' ? hold(run, context, { candidate, plan, images, reasons: gated.reasons }, deps) : { kind: 'ready', plan }
}

/** Applies what may be applied, and gives how the run ends with that; `undefined` when the draft has moved. */
async function applied(run: Run, task: Omit<StepTask, 'missing' | 'remember'>, applier: RunApplier, deps: Deps): Promise<Ended | undefined> {
  const { candidate, context } = task
  const place = placeOf(context, candidate.slug)
  const endedWith = (done: Done) => ({ ending: { kind: 'applied', done, source: candidate.source }, place }) as const
  const came = await applyAll(run, { ...task, remember: (done) => remembered(run, render(run, endedWith(done))) }, applier, deps).catch(unlessTaken)
  switch (came.kind) {
    case 'moved':
      return undefined
    case 'taken':
      return { ending: { kind: 'nothingPending' }, place }
    case 'unfit':
      return { ending: await rejected(run, context, { candidate, checked: came.checked }, deps), place }
    case 'refused':
      return { ending: await unapplied(run, candidate, came, deps), place }
    case 'through': {
      const { plan, isRemembered } = came
      if (applier.version === undefined) return { ending: await nothingToDo(run, candidate, plan.notes, deps), place }
      if (!isRemembered && !candidate.approved) await deps.pendingPlans.clear(run.id)
      run.how.emit({ type: 'status', message: phases.finishing })
      return { ...endedWith(applier.done(plan, candidate.suggestions)), ...(isRemembered && { isRemembered }) }
    }
  }
}

/** Applies the operations of a plan, and then what there is of the images that it wants. */
async function applyAll(run: Run, task: Omit<StepTask, 'missing'>, applier: RunApplier, deps: Deps): Promise<Stepped> {
  const { images } = task.candidate
  const applied = await applySteps(run, { ...task, missing: missingImages(images.map(({ type }) => type)) }, applier, deps)
  return applied.kind === 'through' && images.length > 0 ? applyImages(run, task, applier, deps) : applied
}

/** What a fresh plan lacks already; of one that was held, it was told then. */
const leftBefore = ({ notes, approved }: Candidate): Candidate['notes'] => (approved ? [] : notes)

/** The images of a plan in the draft as its operations leave it; of one that was held, it was looked at then. */
function imagesOf({ asked, images }: Candidate, checked: Sound, { draft }: RunContext, deps: Deps): PlanImages {
  if (!asked) return { images, notes: [] }
  const work = workingImages(deps)
  if (!work) return { images, notes: [noImages] }
  const after = draftAfter(toDraft(draft), checked)
  const input = { ...asked.input, draft: { ...draft, config: after.config, pages: pagesIn(after) } }
  return work.planned(asked.images, { ...asked, input })
}

/** Whether a plan begins with the operations that were dealt with while it was written. */
function beginsWith({ steps }: Candidate, { ops }: Begun): boolean {
  return ops.every((op, index) => sameJson(op, steps[index]?.op))
}

const keepsChanging = { why: 'moving', category: 'operation_failed', reason: 'Others keep changing the draft at this moment. Try again.' } as const

/** What moved the draft may have been the very plan, approved by somebody else. */
async function stillWaits(run: Run, { approved }: Candidate, { pendingPlans }: Deps): Promise<boolean> {
  return approved === undefined || (await pendingPlans.find(run.id))?.id === approved.id
}

function unlessTaken(error: unknown): { readonly kind: 'taken' } {
  if (error instanceof PlanTaken) return { kind: 'taken' }
  throw error
}

function logLeftOut(run: Run, { notes }: Sound, { log }: Deps): void {
  for (const note of notes) if (note.kind !== 'said') log.info({ run: run.how.id, validator: note.kind, type: note.type }, 'a part of a plan was left out')
}

/** Tells whoever follows the run what is about to happen. */
function announce(run: Run, { summary, source }: Candidate, { all, steps }: Sound, { context, candidates }: { readonly context: RunContext; readonly candidates: number }): void {
  run.timeline.reached('plan_ready')
  run.how.emit({ type: 'plan_meta', intent: 'edit_plan', summary, estimatedOps: steps.length })
  // Planners that do not write word by word tell nothing before, and what was approved was planned in another run.
  for (const [index, { op }] of all.entries()) if (index >= candidates) run.how.emit({ type: 'op_candidate', index: index + 1, op })
  if (source.modelUsed === 'rules') {
    for (const entry of announcements(steps, { locale: run.locale, manifest: run.site.manifest }, context.draft.pages)) run.how.emit({ type: 'changelog_entry', entry })
  }
  run.how.emit({ type: 'status', message: phases.ready })
}

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
export async function hold(run: Run, { draft, selection }: RunContext, { candidate, plan, images, reasons }: Held, { pendingPlans }: Shelf): Promise<Ending> {
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
  context: RunContext,
  { candidate: { source, approved }, checked }: { readonly candidate: Candidate; readonly checked: Exclude<Checked, { kind: 'sound' }> },
  { pendingPlans, planners }: Shelf & { readonly planners: readonly Planner[] },
): Promise<Ending> {
  // A message that says nothing is answered with what can be said here.
  if (checked.kind === 'blocked') return { kind: 'blocked', by: checked.by, suggestions: suggestionsIn(await planLocally({ ...run, message: '', isStep: true }, context, planners)), source }
  const { category, problems } = checked
  const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
  run.how.emit({ type: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
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
  run.how.emit({ type: 'plan_apply_failed', outcome: 'apply_failed', category, reason })
  if (!approved) return { kind: 'invalid', outcome: 'apply_failed', category, problems: [reason], why, source }
  await pendingPlans.drop(run.id, approved.id)
  return { kind: 'approvalFailed', why, category, reason, source }
}
