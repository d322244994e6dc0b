import { draftAfter, pagesIn, toDraft } from '../../content/draft-view.ts'
import { sameJson } from '../../content/same-json.ts'
import type { Companion } from '../../draft/port.ts'
import { promptExcerpt } from '../digest.ts'
import { PlanTaken } from '../sessions/pending-plans.ts'
import { announcements } from '../texts/changes.ts'
import { phases } from '../types/events.ts'
import { noImages, type PlanImages, workingImages } from '../types/images.ts'
import { type PendingPlan, suggestionsIn } from '../types/plan.ts'
import {
  checkpoint, type Done, type Ended, type Ending, type Failure, placeOf, type Run, type RunContext,
} from '../types/run.ts'
import { mostMoves, type RunApplier } from './applier.ts'
import { type Begun, nothingBegun } from './apply-early.ts'
import { applyImages, withNotes } from './apply-images.ts'
import { applySteps } from './apply-steps.ts'
import type { Candidate } from './candidate.ts'
import { readDraft } from './context.ts'
import type { Deps } from './deps.ts'
import { gate } from './gate.ts'
import { planLocally } from './plan.ts'
import { render } from './render.ts'
import { remembered } from './respond.ts'
import { check, type Sound, type Unsound } from './validate.ts'

/** A plan, its applier, and the operations applied early. */
export interface Task {
  readonly candidate: Candidate
  readonly applier: RunApplier
  readonly begun?: Begun | undefined
}

const keepsChanging: Failure = {
  why: 'moving', category: 'operation_failed', reason: 'Others keep changing the draft. Try again.',
}

/** The maximum number of characters of a message stored with its plan. */
const longestMessage = 2_000

/**
 * Validates a plan, then holds or applies it. Searches for its images at the end.
 *
 * If the draft changes concurrently, the plan is validated again, and refused only if it no longer fits.
 * Operations applied early stay if the complete plan begins with the same ones.
 */
export async function applyPlan(run: Run, start: RunContext, task: Task, deps: Deps): Promise<Ended> {
  const { candidate, applier, begun = nothingBegun } = task
  const { how, request, locale, site } = run
  const { pendingPlans, memories, log } = deps
  const { steps: planned, source, summary, suggestions, approved } = candidate
  const isBegun = begun.ops.length > 0 && begun.ops.every((op, index) => sameJson(op, planned[index]?.op))
  if (!isBegun) await applier.rollBack('other')
  let context = isBegun || applier.version === undefined ? start : await again()
  for (let attempt = 1; ; attempt++) {
    checkpoint(run)
    const ending = await ended(attempt === 1)
    if (ending) return { ending, place: placeOf(context) }
    const isLast = attempt === mostMoves || applier.count > 0
    if (isLast) return { ending: await unapplied(keepsChanging), place: placeOf(context) }
    context = await again()
    // The concurrent change may have been an approval of the same plan.
    const isGone = approved && (await pendingPlans.find(run.id))?.id !== approved.id
    if (isGone) return { ending: { kind: 'nothingPending' }, place: placeOf(context) }
  }

  async function again(): Promise<RunContext> {
    return { ...start, draft: await readDraft(run.id, deps) }
  }

  /** Validates the plan, asks the gate, and applies it; `undefined` if the draft changed concurrently. */
  async function ended(isFirst: boolean): Promise<Ending | undefined> {
    const judged = check(planned, run, context, deps)
    if (!judged.ok) return rejected(judged)
    const { images, question, notes } = imagesOf(judged)
    // The notes on an approved plan were shown when it was held.
    const plan = withNotes(judged, [...(approved ? [] : candidate.notes), ...notes])
    if (question) return { ...question, source }
    // A plan is announced once, however often it is validated.
    if (isFirst) announce(plan)
    if (plan.steps.length === 0 && images.length === 0) return nothingToDo(plan)
    const ops = plan.steps.map(({ op }) => op)
    const reasons = approved ? undefined : gate(run, ops, context.draft.pages, images.length > 0)
    if (reasons) return { kind: 'held', plan: await hold(plan, images, reasons) }
    checkpoint(run)
    if (isFirst) how.emit({ type: 'status', message: phases.applying })
    return applied(plan).catch((error: unknown): Ending => {
      if (error instanceof PlanTaken) return { kind: 'nothingPending' }
      throw error
    })
  }

  async function applied(plan: Sound): Promise<Ending | undefined> {
    const appliedAs = (done: Done, isRemembered: boolean): Ending =>
      ({ kind: 'applied', done, isRemembered, source })
    const memory = (plan: Sound): Companion => memories.along(run.id, (committed) => {
      const ending = appliedAs(applier.done(plan, suggestions, committed), true)
      return remembered(run, render(run, { ending, place: placeOf(context) }))
    })
    const task = { plan, candidate, context, applier, begun: isBegun ? begun.reported : 0, memory }
    const stopped = await applySteps(run, task, deps)
    if (stopped?.kind === 'moved') return undefined
    if (stopped?.kind === 'unfit') return rejected(stopped.checked)
    if (stopped) return unapplied(stopped)
    const done = candidate.images.length > 0 ? await applyImages(run, task, deps) : plan
    if (applier.version === undefined) return nothingToDo(done)
    if (!applier.isRemembered && !approved) await pendingPlans.clear(run.id, promptExcerpt(run.message))
    how.emit({ type: 'status', message: phases.finishing })
    return appliedAs(applier.done(done, suggestions), applier.isRemembered)
  }

  /** Reads the images of the plan, in the draft after its operations. */
  function imagesOf(checked: Sound): PlanImages {
    const { asked, images } = candidate
    // The images of an approved plan were read when it was held.
    if (!asked) return { images, notes: [] }
    const work = workingImages(deps)
    if (!work) return { images, notes: [noImages] }
    const { draft } = context
    const after = draftAfter(toDraft(draft), checked)
    const input = { ...asked.input, draft: { ...draft, config: after.config, pages: pagesIn(after) } }
    return work.planned(asked.images, { ...asked, input })
  }

  /** Emits the operations to apply, and logs the omissions. */
  function announce({ all, steps, notes }: Sound): void {
    run.record.reached('plan_ready')
    how.emit({ type: 'plan_meta', intent: 'edit_plan', summary, estimatedOps: steps.length })
    // Planners that do not stream have emitted nothing yet, and an approved plan comes from another run.
    for (const [index, { op }] of all.entries()) {
      if (index >= begun.candidates) how.emit({ type: 'op_candidate', index: index + 1, op })
    }
    if (source.modelUsed === 'rules') {
      const entries = announcements(steps, { locale, manifest: site.manifest }, context.draft.pages)
      for (const entry of entries) how.emit({ type: 'changelog_entry', entry })
    }
    how.emit({ type: 'status', message: phases.ready })
    for (const note of notes) {
      if (note.kind === 'said') continue
      log.info({ run: how.id, validator: note.kind, type: note.type }, 'a part of a plan was left out')
    }
  }

  /** Stores the plan for approval; replaces an older one. */
  function hold(
    { steps, notes, results }: Sound, images: PlanImages['images'], reasons: PendingPlan['reasons'],
  ): Promise<PendingPlan> {
    const { mentionedSlugs = [] } = results ?? {}
    const illustrated = images.flatMap(({ at }) => ('pageSlug' in at ? [at.pageSlug] : []))
    return pendingPlans.hold(run.id, {
      source, summary, suggestions, locale, reasons, images, steps, notes,
      selection: context.selection,
      promptHash: run.promptHash,
      message: run.message.slice(0, longestMessage),
      requestedSlug: request.slug,
      mentionedSlugs: [...new Set([...mentionedSlugs, ...illustrated])],
      draftVersion: context.draft.version,
      componentsManifest: request.componentsManifest,
      allowStructuralEdits: site.allowStructuralEdits,
    })
  }

  /** Ends an invalid plan. An approved one is dropped; after a partial approval it stays pending. */
  async function rejected(checked: Unsound): Promise<Ending> {
    if (checked.kind === 'blocked') {
      // The local planners answer an empty message with suggestions.
      const allowed = await planLocally({ ...run, message: '', isStep: true }, context, deps)
      return { ...checked, suggestions: suggestionsIn(allowed), source }
    }
    const { category, problems } = checked
    const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
    how.emit({ type: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
    if (approved?.isWhole) await pendingPlans.drop(run.id, approved.id)
    const fate = approved && (approved.isWhole ? 'dropped' : 'kept')
    return { kind: 'invalid', outcome, category, problems, approved: fate, source }
  }

  /** Ends a plan that changes nothing. */
  async function nothingToDo({ notes }: Sound): Promise<Ending> {
    if (approved) await pendingPlans.drop(run.id, approved.id)
    return { kind: 'unchanged', notes, source }
  }

  /** Ends a valid plan that could not be applied. */
  async function unapplied({ why, category, reason }: Failure): Promise<Ending> {
    const outcome = 'apply_failed'
    how.emit({ type: 'plan_apply_failed', outcome, category, reason })
    if (!approved) return { kind: 'invalid', outcome, category, problems: [reason], why, source }
    await pendingPlans.drop(run.id, approved.id)
    return { kind: 'approvalFailed', why, category, reason, source }
  }
}
