import { draftAfter, pagesIn, toDraft } from '../../content/draft-view.ts'
import type { Operation } from '../../content/operations/index.ts'
import { placesOf } from '../places.ts'
import { ownerOf, PlanTaken } from '../sessions/pending-plans.ts'
import { announcements } from '../texts/changes.ts'
import { texts } from '../texts/texts.ts'
import { phases } from '../types/events.ts'
import type { PlanImages } from '../types/images.ts'
import type { PendingPlan, PlannedImage, Remark } from '../types/plan.ts'
import { byRules } from '../types/planner.ts'
import type { Done, Ending, Failure } from '../types/run.ts'
import { destructiveReasons } from './approval.ts'
import { commitPlan, joined, linesOf, mostMoves } from './commit.ts'
import { missingImages, setImages } from './images.ts'
import { type Candidate, suggestionsFor } from './plan.ts'
import { readDraft } from './reading.ts'
import { rememberedEdit } from './respond.ts'
import { checkpoint, type EndedRun, type MessageRun, type RunContext } from './run.ts'
import { check, type Sound, type Unsound } from './validate.ts'

const keepsChanging: Failure = {
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
export async function applyPlan(run: MessageRun, start: RunContext, candidate: Candidate): Promise<EndedRun> {
  const { chat, id } = run
  const { approved } = candidate
  let context = start
  for (let attempt = 1; attempt <= mostMoves; attempt++) {
    checkpoint(run)
    const ending = await applyOn(run, context, candidate, attempt === 1).catch((error: unknown) => {
      if (error instanceof PlanTaken) return nothingPending(run)
      throw error
    })
    if (ending) return { ending, context }
    context = { ...start, draft: await readDraft(chat, id) }
    // The concurrent change may have been an approval of the same plan.
    const isGone = approved && !(await chat.pendingPlans.byId(id, approved.plan.id))
    if (isGone) return { ending: await nothingPending(run), context }
  }
  return { ending: await unapplied(run, keepsChanging, candidate), context }
}

/** The end of an approval without a pending plan, with the reason if another person has outdated it. */
export async function nothingPending({ chat, id, person, request }: MessageRun): Promise<Ending> {
  const ended = await chat.pendingPlans.outdated(id, { person, planId: request.pendingPlanId })
  const isTheirs = ended?.person === person
  return { kind: 'nothingPending', outdated: isTheirs && ended ? texts.outdated(ended.outdated) : undefined }
}

/** Validates the plan, asks for approval, and applies it; `undefined` if the draft changed concurrently. */
async function applyOn(
  run: MessageRun,
  context: RunContext,
  candidate: Candidate,
  isFirst: boolean,
): Promise<Ending | undefined> {
  const { approved, source } = candidate
  const judged = check(candidate.steps, run.site, context, run.chat)
  if (!judged.ok) return rejected(run, context, judged, candidate)
  const { images, question, notes } = imagesOf(run, judged, context, candidate)
  if (question) return { ...question, source }
  // The notes on an approved plan were shown when it was held.
  const plan = withNotes(judged, [...(approved ? [] : candidate.notes), ...notes])
  // A plan is announced once, however often it is validated.
  if (isFirst) announce(run, context, plan, candidate)
  if (plan.steps.length === 0 && images.length === 0) return nothingToDo(run, plan, candidate)
  const reasons = approved ? undefined : objections(run, context, plan, images, candidate)
  if (reasons) return { kind: 'held', plan: await hold(run, context, plan, images, reasons, candidate) }
  checkpoint(run)
  if (isFirst) run.how.emit({ type: 'status', message: phases.applying })
  return applied(run, context, plan, images, candidate)
}

/** Commits the operations, then the images; both are one history entry. */
async function applied(
  run: MessageRun,
  context: RunContext,
  plan: Sound,
  images: readonly PlannedImage[],
  candidate: Candidate,
): Promise<Ending | undefined> {
  const { source, suggestions } = candidate
  const hasImages = images.length > 0
  const endingOf = (done: Done): Ending => ({ ...done, kind: 'applied', isRemembered: !hasImages, source })
  let done: Done | undefined
  if (plan.steps.length > 0) {
    const changes = linesOf(plan, run, context)
    const memory = rememberedEdit(run, context, { changes, notes: plan.notes, source })
    const also = [candidate.also, ...(hasImages ? [] : [run.chat.memories.along(run.id, memory)])]
    const omitted = hasImages ? missingImages(images.map(({ type }) => type)) : []
    const result = await commitPlan(run, context, plan, { also, changes, omitted, continues: hasImages })
    if (result.kind === 'moved') return undefined
    if (result.kind === 'refused') return unapplied(run, result, candidate)
    done = { ...result, notes: plan.notes, suggestions }
  }
  if (hasImages) {
    const found = await setImages(run, context, images, done, candidate.also).finally(
      () => done && run.chat.drafts.endRun(run.id, run.changeRun),
    )
    const notes = [...plan.notes, ...found.notes]
    const change = done && found.set ? joined(done, found.set) : (done ?? found.set)
    if (!change) return nothingToDo(run, { notes }, candidate)
    done = { ...change, notes, suggestions }
  }
  run.how.emit({ type: 'status', message: phases.finishing })
  return done && endingOf(done)
}

/** Reads the images of the plan, in the draft after its operations. */
function imagesOf(
  { chat: { images: work } }: MessageRun,
  checked: Sound,
  { draft }: RunContext,
  { imageRequest, images }: Candidate,
): PlanImages {
  // The images of an approved plan were read when it was held.
  if (!imageRequest) return { images, notes: [] }
  if (!work?.available) return { images, notes: [{ kind: 'no_images', type: '' }] }
  const { input, choice } = imageRequest.planned
  const after = draftAfter(toDraft(draft), checked)
  const changed = { ...draft, config: after.config, pages: pagesIn(after) }
  return work.planned(imageRequest.images, { ...input, draft: changed }, choice)
}

/** Why the plan needs approval, perhaps without a reason; `undefined` if it needs none. */
function objections(
  run: MessageRun,
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
function announce(run: MessageRun, context: RunContext, plan: Sound, { summary, source }: Candidate): void {
  const { chat, how, record, site } = run
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
    chat.log.info({ run: how.id, validator: note.kind, type: note.type }, 'a part of a plan was left out')
  }
}

/** Stores the plan for approval; replaces an older one. */
async function hold(
  { chat, id, how, message, promptHash, request, site }: MessageRun,
  { draft, selection }: RunContext,
  { steps, notes, applied, change: { pages } }: Sound,
  images: readonly PlannedImage[],
  reasons: PendingPlan['reasons'],
  { source, summary, suggestions }: Candidate,
): Promise<PendingPlan> {
  const illustrated = images.flatMap(({ at }) => ('pageSlug' in at ? [at.pageSlug] : []))
  return chat.pendingPlans.hold(id, {
    ...ownerOf(how.actor),
    isOpen: how.limits?.may('approve') === false,
    places: placesOf({ pages, ops: steps.map(({ op }) => op), images }),
    source,
    summary,
    suggestions,
    reasons,
    images,
    steps,
    notes,
    selection,
    promptHash,
    message: message.slice(0, longestMessage),
    requestedSlug: request.slug,
    mentionedSlugs: [...new Set([...(applied?.results.mentionedSlugs ?? []), ...illustrated])],
    draftVersion: draft.version,
    componentsManifest: request.componentsManifest || (await chat.sites.blocks(id)),
    allowStructuralEdits: site.allowStructuralEdits,
  })
}

/** Ends an invalid plan. An approved one is dropped; after a partial approval it stays pending. */
async function rejected(
  run: MessageRun,
  context: RunContext,
  checked: Unsound,
  { approved, source }: Candidate,
): Promise<Ending> {
  if (checked.kind === 'blocked')
    return { ...checked, suggestions: await suggestionsFor(run, context), source }
  const { category, problems } = checked
  const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
  run.how.emit({ type: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
  if (approved?.isWhole) await run.chat.pendingPlans.drop(run.id, approved.plan)
  const fate = approved && (approved.isWhole ? 'dropped' : 'pending')
  return { kind: 'invalid', outcome, category, problems, approved: fate, source }
}

/** Ends a plan that changes nothing. */
async function nothingToDo(
  { chat, id }: MessageRun,
  { notes }: Pick<Sound, 'notes'>,
  { approved, source }: Candidate,
): Promise<Ending> {
  if (approved) await chat.pendingPlans.drop(id, approved.plan)
  return { kind: 'unchanged', notes, source }
}

/** Ends a valid plan that could not be applied. */
async function unapplied(
  { chat, id, how }: MessageRun,
  { category, reason }: Failure,
  { approved, source }: Candidate,
): Promise<Ending> {
  const outcome = 'apply_failed'
  how.emit({ type: 'plan_apply_failed', outcome, category, reason })
  if (!approved) return { kind: 'invalid', outcome, category, problems: [reason], source }
  await chat.pendingPlans.drop(id, approved.plan)
  return { kind: 'approvalFailed', category, reason, source }
}

/** Adds remarks to a plan. */
const withNotes = (plan: Sound, notes: readonly Remark[]): Sound => ({
  ...plan,
  notes: [...plan.notes, ...notes],
})
