import { draftAfter, pagesIn, toDraft } from '../../content/draft-view.ts'
import { sameJson } from '../../content/same-json.ts'
import { PlanTaken } from '../sessions/pending-plans.ts'
import { announcements } from '../texts/changes.ts'
import { type Done, type Ended, type Ending, placeOf } from '../types/ending.ts'
import { phases } from '../types/events.ts'
import { missingImages, noImages, type PlanImages, workingImages } from '../types/images.ts'
import type { PendingPlan } from '../types/pending-plan.ts'
import { suggestionsIn } from '../types/plan.ts'
import { checkpoint, type Run, type RunContext } from '../types/run.ts'
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

/** A plan, its applier, and what of it was applied early. */
export interface Task {
  readonly candidate: Candidate
  readonly applier: RunApplier
  readonly begun?: Begun | undefined
}

/**
 * Validates a plan, then holds or applies it. Its images are searched at the end.
 *
 * When the draft changes meanwhile, the plan is validated again, and refused only when it does not fit any more. Operations
 * that were applied early stay where the complete plan begins with the same ones.
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
    const ended = await applied(run, { plan: ready.plan, candidate, context, begun: isBegun ? begun.reported : 0 }, applier, deps)
    if (ended) return ended
    if (attempt === mostMoves || applier.count > 0) return { ending: await unapplied(run, candidate, keepsChanging, deps), place }
    context = await again()
    if (!(await stillWaits(run, candidate, deps))) return { ending: { kind: 'nothingPending' }, place: placeOf(context, candidate.slug) }
  }
}

interface Preparation extends Pick<Begun, 'candidates'> {
  readonly candidate: Candidate
  /** A plan is announced once, however often it is validated. */
  readonly isFirst: boolean
}

/** Validates a plan and asks the gate: returns what may be applied, or how the run ends instead. */
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

/** Applies a plan and returns how the run ends; `undefined` when the draft has changed meanwhile. */
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

/** Applies the operations of a plan, then its images. */
async function applyAll(run: Run, task: Omit<StepTask, 'missing'>, applier: RunApplier, deps: Deps): Promise<Stepped> {
  const { images } = task.candidate
  const applied = await applySteps(run, { ...task, missing: missingImages(images.map(({ type }) => type)) }, applier, deps)
  return applied.kind === 'through' && images.length > 0 ? applyImages(run, task, applier, deps) : applied
}

/** Notes on a fresh plan; those on an approved one were shown when it was held. */
const leftBefore = ({ notes, approved }: Candidate): Candidate['notes'] => (approved ? [] : notes)

/** The images of a plan, in the draft as its operations leave it; those of an approved plan were read when it was held. */
function imagesOf({ asked, images }: Candidate, checked: Sound, { draft }: RunContext, deps: Deps): PlanImages {
  if (!asked) return { images, notes: [] }
  const work = workingImages(deps)
  if (!work) return { images, notes: [noImages] }
  const after = draftAfter(toDraft(draft), checked)
  const input = { ...asked.input, draft: { ...draft, config: after.config, pages: pagesIn(after) } }
  return work.planned(asked.images, { ...asked, input })
}

/** Whether a plan begins with the operations that were handled with while it was written. */
function beginsWith({ steps }: Candidate, { ops }: Begun): boolean {
  return ops.every((op, index) => sameJson(op, steps[index]?.op))
}

const keepsChanging = { why: 'moving', category: 'operation_failed', reason: 'Others keep changing the draft. Try again.' } as const

/** The concurrent change may have been an approval of the same plan. */
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

/** Emits what is about to be applied. */
function announce(run: Run, { summary, source }: Candidate, { all, steps }: Sound, { context, candidates }: { readonly context: RunContext; readonly candidates: number }): void {
  run.timeline.reached('plan_ready')
  run.how.emit({ type: 'plan_meta', intent: 'edit_plan', summary, estimatedOps: steps.length })
  // Planners that do not stream have emitted nothing yet, and an approved plan comes from another run.
  for (const [index, { op }] of all.entries()) if (index >= candidates) run.how.emit({ type: 'op_candidate', index: index + 1, op })
  if (source.modelUsed === 'rules') {
    for (const entry of announcements(steps, { locale: run.locale, manifest: run.site.manifest }, context.draft.pages)) run.how.emit({ type: 'changelog_entry', entry })
  }
  run.how.emit({ type: 'status', message: phases.ready })
}

/** Most characters of a message that are stored with its plan. */
const longestMessage = 2_000

interface Held extends Pick<PlanImages, 'images'>, Pick<PendingPlan, 'reasons'> {
  readonly candidate: Candidate
  readonly plan: Sound
}

/** Stores a plan for approval, in place of an older one. */
async function hold(run: Run, { draft, selection }: RunContext, { candidate, plan, images, reasons }: Held, { pendingPlans }: Deps): Promise<Ending> {
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

/** Ends a run whose plan is not valid. An approved plan is dropped; after a partial approval it stays pending. */
async function rejected(
  run: Run,
  context: RunContext,
  { candidate: { source, approved }, checked }: { readonly candidate: Candidate; readonly checked: Exclude<Checked, { kind: 'sound' }> },
  { pendingPlans, planners }: Deps,
): Promise<Ending> {
  // The local planners answer an empty message with suggestions.
  if (checked.kind === 'blocked') return { kind: 'blocked', by: checked.by, suggestions: suggestionsIn(await planLocally({ ...run, message: '', isStep: true }, context, planners)), source }
  const { category, problems } = checked
  const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
  run.how.emit({ type: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
  if (approved?.isWhole) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'invalid', outcome, category, problems, approved: approved && (approved.isWhole ? 'dropped' : 'kept'), source }
}

/** Ends a run whose plan changes nothing. */
async function nothingToDo(run: Run, { source, approved }: Candidate, notes: Candidate['notes'], { pendingPlans }: Deps): Promise<Ending> {
  if (approved) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'unchanged', notes, source }
}

type Failure = Pick<Extract<Ending, { kind: 'approvalFailed' }>, 'why' | 'category' | 'reason'>

/** Ends a run whose valid plan could not be applied. */
async function unapplied(run: Run, { source, approved }: Candidate, { why, category, reason }: Failure, { pendingPlans }: Deps): Promise<Ending> {
  run.how.emit({ type: 'plan_apply_failed', outcome: 'apply_failed', category, reason })
  if (!approved) return { kind: 'invalid', outcome: 'apply_failed', category, problems: [reason], why, source }
  await pendingPlans.drop(run.id, approved.id)
  return { kind: 'approvalFailed', why, category, reason, source }
}
