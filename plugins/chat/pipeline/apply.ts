import type { Logger } from '../../../kernel/index.ts'
import { draftAfter, pagesIn, toDraft } from '../../content/draft-view.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Memories } from '../sessions/memory.ts'
import { type PendingPlans, PlanTaken } from '../sessions/pending-plans.ts'
import { announcements } from '../texts/changes.ts'
import { phases } from '../types/events.ts'
import { type ImageWork, missingImages, noImages, type PlanImages } from '../types/images.ts'
import type { PendingPlan, PlannedImage, Remark } from '../types/plan.ts'
import { byRules } from '../types/planner.ts'
import {
  checkpoint,
  type Done,
  type Ended,
  type Ending,
  type Failure,
  placeOf,
  type Run,
  type RunContext,
} from '../types/run.ts'
import { destructiveReasons } from './approval.ts'
import type { Candidate } from './candidate.ts'
import { joined, mostMoves } from './commit.ts'
import { type ImageParts, setImages } from './images.ts'
import { render } from './render.ts'
import { remembered } from './respond.ts'
import { check, type Sound, type Unsound } from './validate.ts'

export interface ApplyParts extends ImageParts {
  readonly pendingPlans: PendingPlans
  readonly memories: Memories
  readonly log: Logger
}

const keepsChanging: Failure = {
  why: 'moving',
  category: 'operation_failed',
  reason: 'Others keep changing the draft. Try again.',
}

/** The maximum number of characters of a message stored with its plan. */
const longestMessage = 2_000

/**
 * Validates a plan, then holds or applies it as one commit. Its images follow as a second one.
 *
 * If the draft changes concurrently, the plan is validated again, and refused only if it no longer fits.
 */
export async function applyPlan(
  run: Run,
  start: RunContext,
  candidate: Candidate,
  parts: ApplyParts,
): Promise<Ended> {
  const { reading, pendingPlans } = parts
  const { approved } = candidate
  let context = start
  for (let attempt = 1; attempt <= mostMoves; attempt++) {
    checkpoint(run)
    const ending = await applyOn(run, context, candidate, parts, attempt === 1)
    if (ending) return { ending, place: placeOf(context) }
    context = { ...start, draft: await reading.draft(run.id) }
    // The concurrent change may have been an approval of the same plan.
    const isGone = approved && (await pendingPlans.find(run.id))?.id !== approved.id
    if (isGone) return { ending: { kind: 'nothingPending' }, place: placeOf(context) }
  }
  return { ending: await unapplied(run, keepsChanging, candidate, parts), place: placeOf(context) }
}

/** Validates the plan, asks for approval, and applies it; `undefined` if the draft changed concurrently. */
async function applyOn(
  run: Run,
  context: RunContext,
  candidate: Candidate,
  parts: ApplyParts,
  isFirst: boolean,
): Promise<Ending | undefined> {
  const { approved, source } = candidate
  const judged = check(candidate.steps, run.site, context, parts.limits)
  if (!judged.ok) return rejected(run, context, judged, candidate, parts)
  const { images, question, notes } = imagesOf(judged, context, candidate, parts.images)
  // The notes on an approved plan were shown when it was held.
  const plan = withNotes(judged, [...(approved ? [] : candidate.notes), ...notes])
  if (question) return { ...question, source }
  // A plan is announced once, however often it is validated.
  if (isFirst) announce(run, context, plan, candidate, parts.log)
  if (plan.steps.length === 0 && images.length === 0) return nothingToDo(run, plan, candidate, parts)
  const reasons = approved ? undefined : objections(run, context, plan, images, candidate)
  if (reasons)
    return { kind: 'held', plan: await hold(run, context, plan, images, reasons, candidate, parts) }
  checkpoint(run)
  if (isFirst) run.how.emit({ type: 'status', message: phases.applying })
  return applied(run, context, plan, images, candidate, parts).catch((error: unknown): Ending => {
    if (error instanceof PlanTaken) return { kind: 'nothingPending' }
    throw error
  })
}

/** Commits the operations, then the images; both are one history entry. */
async function applied(
  run: Run,
  context: RunContext,
  plan: Sound,
  images: readonly PlannedImage[],
  candidate: Candidate,
  parts: ApplyParts,
): Promise<Ending | undefined> {
  const { commit, memories } = parts
  const { source, suggestions, also } = candidate
  const hasImages = images.length > 0
  const endingOf = (done: Done): Ending => ({ kind: 'applied', done, isRemembered: !hasImages, source })
  let done: Done | undefined
  if (plan.steps.length > 0) {
    const memory = memories.along(run.id, (committed) => {
      const ending = endingOf({ committed, ops: committed.ops ?? [], notes: plan.notes, suggestions })
      return remembered(run, render(run, { ending, place: placeOf(context) }))
    })
    const notes = hasImages ? missingImages(images.map(({ type }) => type)) : []
    const result = await commit(run, context, plan, {
      companions: hasImages ? [also] : [also, memory],
      notes,
    })
    if (result.kind === 'moved') return undefined
    if (result.kind === 'refused') return unapplied(run, result, candidate, parts)
    done = { committed: result.committed, ops: result.ops, notes: plan.notes, suggestions }
  }
  if (hasImages) {
    const found = await setImages(run, context, images, done, candidate, parts)
    const notes = [...plan.notes, ...found.notes]
    done = found.done && { ...joined(done, found.done), notes, suggestions }
    if (!done) return nothingToDo(run, withNotes(plan, found.notes), candidate, parts)
  }
  run.how.emit({ type: 'status', message: phases.finishing })
  return done && endingOf(done)
}

/** Reads the images of the plan, in the draft after its operations. */
function imagesOf(
  checked: Sound,
  { draft }: RunContext,
  { ask, asked, images }: Candidate,
  work: ImageWork | undefined,
): PlanImages {
  // The images of an approved plan were read when it was held.
  if (asked.length === 0 || !ask) return { images, notes: [] }
  if (!work?.available) return { images, notes: [noImages] }
  const after = draftAfter(toDraft(draft), checked)
  return work.planned(asked, {
    ...ask,
    input: { ...ask.input, draft: { ...draft, config: after.config, pages: pagesIn(after) } },
  })
}

/** Why the plan needs approval, perhaps without a reason; `undefined` if it needs none. */
function objections(
  run: Run,
  { draft }: RunContext,
  { steps }: Sound,
  images: readonly PlannedImage[],
  { isPlanFirst }: Candidate,
): PendingPlan['reasons'] | undefined {
  const ofImages = images.flatMap(({ at }): readonly Operation[] =>
    'pageSlug' in at ? [{ op: 'update_page_meta', pageSlug: at.pageSlug, patch: {} }] : [],
  )
  const reasons = destructiveReasons([...steps.map(({ op }) => op), ...ofImages], draft.pages)
  const isMixed = steps.length > 0 && images.length > 0
  return run.isPlanFirst || isPlanFirst || isMixed || reasons.length > 0 ? reasons : undefined
}

/** Emits the operations to apply, and logs the omissions. */
function announce(
  run: Run,
  context: RunContext,
  plan: Sound,
  { summary, source }: Candidate,
  log: Logger,
): void {
  const { how, record, site } = run
  const { all, steps, notes } = plan
  record.reached('plan_ready')
  how.emit({ type: 'plan_meta', intent: 'edit_plan', summary, estimatedOps: steps.length })
  // Planners that do not stream have emitted nothing yet, and an approved plan comes from another run.
  for (const [index, { op }] of all.entries()) {
    if (index >= record.candidates()) how.emit({ type: 'op_candidate', index: index + 1, op })
  }
  record.announced(all.length)
  if (source.modelUsed === byRules.modelUsed) {
    const entries = announcements(steps, { manifest: site.manifest }, context.draft.pages)
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
  run: Run,
  context: RunContext,
  { steps, notes, results }: Sound,
  images: readonly PlannedImage[],
  reasons: PendingPlan['reasons'],
  { source, summary, suggestions }: Candidate,
  { pendingPlans }: ApplyParts,
): Promise<PendingPlan> {
  const { request, site } = run
  const illustrated = images.flatMap(({ at }) => ('pageSlug' in at ? [at.pageSlug] : []))
  return pendingPlans.hold(run.id, {
    source,
    summary,
    suggestions,
    reasons,
    images,
    steps,
    notes,
    selection: context.selection,
    promptHash: run.promptHash,
    message: run.message.slice(0, longestMessage),
    requestedSlug: request.slug,
    mentionedSlugs: [...new Set([...(results?.mentionedSlugs ?? []), ...illustrated])],
    draftVersion: context.draft.version,
    componentsManifest: request.componentsManifest,
    allowStructuralEdits: site.allowStructuralEdits,
  })
}

/** Ends an invalid plan. An approved one is dropped; after a partial approval it stays pending. */
async function rejected(
  run: Run,
  context: RunContext,
  checked: Unsound,
  { approved, source }: Candidate,
  { planning, pendingPlans }: ApplyParts,
): Promise<Ending> {
  if (checked.kind === 'blocked') {
    return { ...checked, suggestions: await planning.suggestions(run, context), source }
  }
  const { category, problems } = checked
  const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
  run.how.emit({ type: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
  if (approved?.isWhole) await pendingPlans.drop(run.id, approved.id)
  const fate = approved && (approved.isWhole ? 'dropped' : 'kept')
  return { kind: 'invalid', outcome, category, problems, approved: fate, source }
}

/** Ends a plan that changes nothing. */
async function nothingToDo(
  run: Run,
  { notes }: Sound,
  { approved, source }: Candidate,
  { pendingPlans }: ApplyParts,
): Promise<Ending> {
  if (approved) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'unchanged', notes, source }
}

/** Ends a valid plan that could not be applied. */
async function unapplied(
  run: Run,
  { why, category, reason }: Failure,
  { approved, source }: Candidate,
  { pendingPlans }: ApplyParts,
): Promise<Ending> {
  const outcome = 'apply_failed'
  run.how.emit({ type: 'plan_apply_failed', outcome, category, reason })
  if (!approved) return { kind: 'invalid', outcome, category, problems: [reason], why, source }
  await pendingPlans.drop(run.id, approved.id)
  return { kind: 'approvalFailed', why, category, reason, source }
}

/** Adds remarks to a plan. */
const withNotes = (plan: Sound, notes: readonly Remark[]): Sound => ({
  ...plan,
  notes: [...plan.notes, ...notes],
})
