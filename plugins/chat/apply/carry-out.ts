import type { Logger } from '../../../kernel/index.ts'
import { sameJson } from '../../content/same-json.ts'
import type { Applier } from './applier.ts'
import type { Candidate } from './candidate.ts'
import { promptHash } from '../sessions/digest.ts'
import { draftAfter, pagesIn, toDraft } from '../planners/draft-view.ts'
import { nothingBegun, type Begun } from './early.ts'
import type { Done, Ending } from '../run/ending.ts'
import type { PlanImages } from '../images/index.ts'
import { missingImages, noImages } from '../images/notes.ts'
import { PlanTaken, type PendingPlans } from '../sessions/pending-plans.ts'
import { phases } from '../run/phases.ts'
import { remembered } from '../sessions/remember.ts'
import { suggestionsIn } from '../planners/plan.ts'
import type { RulesPlanner } from '../planners/rules.ts'
import { checkpoint, type Run, type Scene } from '../run/run.ts'
import { readDraft } from '../stages/context.ts'
import { gate } from '../stages/gate.ts'
import { inputOf } from '../stages/plan.ts'
import { announcements, placeOf, type Place } from '../stages/respond.ts'
import { check, type Checked } from '../stages/validate.ts'
import { applyImages, withNotes, workingImages, type ImageStepParts } from './images.ts'
import { applySteps, type Stepped, type StepTask } from './steps.ts'
import type { Sound } from '../validate/index.ts'

export type CarryOutParts = ImageStepParts & { readonly pendingPlans: PendingPlans; readonly rules: RulesPlanner; readonly log: Logger }

/** An ending, and where the run was then. */
export interface Ended {
  readonly ending: Ending
  readonly place: Place
  /** The session remembers it already: what was committed and the talk about it are one transaction. */
  readonly isRemembered?: true
}

/** So often a plan is checked again because somebody else has changed the draft in between. */
const mostAttempts = 20
/** So many characters of a message are kept with its plan. */
const longestMessage = 2_000

/** A plan, the hand that applies it, and what the hand has applied of it already. */
export interface Task {
  readonly candidate: Candidate
  readonly applier: Applier
  readonly begun?: Begun | undefined
}

/**
 * Checks a plan, then holds it or applies it: validate, gate, apply. What it wants of images is looked for at the end.
 *
 * When the draft moves in between, the plan is checked against the draft as it is then; it is refused only when it does not
 * fit that any more. What was applied while it was written is gone on with where the complete plan begins with the very same.
 */
export async function carryOut(run: Run, start: Scene, { candidate, applier, begun = nothingBegun }: Task, parts: CarryOutParts): Promise<Ended> {
  const again = async (): Promise<Scene> => ({ ...start, draft: await readDraft(run.id, parts) })
  const isBegun = begun.ops.length > 0 && beginsWith(candidate, begun)
  if (!isBegun) await applier.takeBack('other')
  let scene = isBegun || applier.version === undefined ? start : await again()
  for (let attempt = 1; ; attempt++) {
    checkpoint(run)
    const place = placeOf(scene, candidate.slug)
    const judged = check(candidate.steps, { draft: scene.draft, slug: candidate.slug, site: candidate.site }, parts)
    if (judged.kind !== 'sound') return { ending: await rejected(run, scene, { candidate, checked: judged }, parts), place }
    const { images, question, notes: imageNotes } = imagesOf(candidate, judged, scene, parts)
    const checked = withNotes(judged, [...leftBefore(candidate), ...imageNotes])
    if (question) return { ending: { ...question, kind: 'asked', source: candidate.source }, place }
    if (attempt === 1) announce(run, candidate, checked, { scene, candidates: begun.candidates })
    const { steps, notes } = checked
    if (attempt === 1) for (const note of notes) if (note.kind !== 'said') parts.log.info({ run: run.how.id, validator: note.kind, type: note.type }, 'a part of a plan was left out')
    if (steps.length === 0 && images.length === 0) return { ending: await nothingToDo(run, candidate, notes, parts), place }
    const gated = candidate.approved ? ({ kind: 'go' } as const) : gate(run, { steps, hasImages: images.length > 0 }, scene.draft)
    if (gated.kind === 'hold') return { ending: await hold(run, scene, { candidate, checked, images, reasons: gated.reasons }, parts), place }
    checkpoint(run)
    if (attempt === 1) run.how.emit({ type: 'status', message: phases.applying })
    const endingOf = (done: Done): Ending => ({ kind: 'applied', done, source: candidate.source })
    const task = { plan: checked, candidate, scene, begun: isBegun ? begun.told : 0, remember: (done: Done) => remembered(run, endingOf(done), place) }
    const applied = await applyAll(run, task, applier, parts).catch(unlessTaken)
    if (applied.kind === 'taken') return { ending: { kind: 'nothingPending' }, place }
    if (applied.kind === 'through') {
      const { plan, isRemembered } = applied
      if (applier.version === undefined) return { ending: await nothingToDo(run, candidate, plan.notes, parts), place }
      if (!isRemembered && !candidate.approved) await parts.pendingPlans.clear(run.id)
      run.how.emit({ type: 'status', message: phases.finishing })
      return { ending: endingOf(applier.done(plan, candidate.suggestions)), place, ...(isRemembered && { isRemembered }) }
    }
    if (applied.kind === 'unfit') return { ending: await rejected(run, scene, { candidate, checked: applied.checked }, parts), place }
    if (applied.kind === 'refused') return { ending: await unapplied(run, candidate, applied, parts), place }
    if (attempt === mostAttempts || applier.count > 0) return { ending: await unapplied(run, candidate, keepsChanging, parts), place }
    scene = await again()
    if (!(await stillWaits(run, candidate, parts))) return { ending: { kind: 'nothingPending' }, place: placeOf(scene, candidate.slug) }
  }
}

/** Applies the operations of a plan, and then what there is of the images that it wants. */
async function applyAll(run: Run, task: Omit<StepTask, 'missing'>, applier: Applier, parts: CarryOutParts): Promise<Stepped> {
  const { images } = task.candidate
  const applied = await applySteps(run, { ...task, missing: missingImages(images.map(({ type }) => type)) }, applier, parts)
  return applied.kind === 'through' && images.length > 0 ? applyImages(run, task, applier, parts) : applied
}

/** What a fresh plan lacks already; of one that was held, it was told then. */
const leftBefore = ({ notes, approved }: Candidate): Candidate['notes'] => (approved ? [] : notes)

/** The images of a plan in the draft as its operations leave it; of one that was held, it was looked at then. */
function imagesOf({ asked, images }: Candidate, checked: Sound, { draft }: Scene, parts: CarryOutParts): PlanImages {
  if (!asked) return { images, notes: [] }
  const work = workingImages(parts)
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
async function stillWaits(run: Run, { approved }: Candidate, { pendingPlans }: CarryOutParts): Promise<boolean> {
  return approved === undefined || (await pendingPlans.find(run.id))?.id === approved.id
}

function unlessTaken(error: unknown): { readonly kind: 'taken' } {
  if (error instanceof PlanTaken) return { kind: 'taken' }
  throw error
}

/** Tells whoever follows the run what is about to happen. */
function announce(run: Run, { summary, source }: Candidate, { all, steps }: Sound, { scene, candidates }: { readonly scene: Scene; readonly candidates: number }): void {
  run.timeline.reached('plan_ready')
  run.how.emit({ type: 'plan_meta', intent: 'edit_plan', summary, estimatedOps: steps.length })
  // Planners that do not write word by word tell nothing before, and what was approved was planned in another run.
  for (const [index, { op }] of all.entries()) if (index >= candidates) run.how.emit({ type: 'op_candidate', index: index + 1, op })
  if (source.modelUsed === 'rules') {
    for (const entry of announcements(steps, { locale: run.locale, manifest: run.site.manifest }, scene.draft.pages)) run.how.emit({ type: 'changelog_entry', entry })
  }
  run.how.emit({ type: 'status', message: phases.ready })
}

/** Puts a plan where it waits for approval, in the place of one that waits already. */
async function hold(
  run: Run,
  { draft, selection }: Scene,
  { candidate, checked, images, reasons }: Pick<PlanImages, 'images'> & { readonly candidate: Candidate; readonly checked: Sound; readonly reasons: Parameters<PendingPlans['hold']>[1]['reasons'] },
  { pendingPlans }: CarryOutParts,
): Promise<Ending> {
  const { source, summary, suggestions } = candidate
  const { request, message, locale, site } = run
  const plan = await pendingPlans.hold(run.id, {
    source,
    summary,
    suggestions,
    locale,
    selection,
    reasons,
    images,
    promptHash: promptHash(message),
    message: message.slice(0, longestMessage),
    requestedSlug: request.slug,
    steps: checked.steps,
    notes: checked.notes,
    mentionedSlugs: [...new Set([...(checked.results?.mentionedSlugs ?? []), ...images.flatMap(({ at }) => ('pageSlug' in at ? [at.pageSlug] : []))])],
    draftVersion: draft.version,
    componentsManifest: request.componentsManifest,
    allowStructuralEdits: site.allowStructuralEdits,
  })
  return { kind: 'held', plan }
}

/** A plan that does not fit is dropped where a person had approved it; a part of one leaves the whole waiting. */
async function rejected(
  run: Run,
  scene: Scene,
  { candidate: { source, approved }, checked }: { readonly candidate: Candidate; readonly checked: Exclude<Checked, { kind: 'sound' }> },
  { pendingPlans, rules }: CarryOutParts,
): Promise<Ending> {
  // A message that says nothing is answered with what can be said here.
  if (checked.kind === 'blocked') return { kind: 'blocked', by: checked.by, suggestions: suggestionsIn(rules({ ...inputOf(run, scene), message: '', open: undefined })), source }
  const { category, problems } = checked
  const outcome = run.record.wasRepaired() ? 'repair_failed' : 'guardrail_failure'
  run.how.tell?.({ kind: 'plan_apply_failed', outcome, category, reason: problems.join('; ') })
  if (approved?.isWhole) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'invalid', outcome, category, problems, approved: approved && (approved.isWhole ? 'dropped' : 'kept'), source }
}

async function nothingToDo(run: Run, { source, approved }: Candidate, notes: Candidate['notes'], { pendingPlans }: CarryOutParts): Promise<Ending> {
  if (approved) await pendingPlans.drop(run.id, approved.id)
  return { kind: 'unchanged', notes, source }
}

type Failure = Pick<Extract<Ending, { kind: 'approvalFailed' }>, 'why' | 'category' | 'reason'>

async function unapplied(run: Run, { source, approved }: Candidate, { why, category, reason }: Failure, { pendingPlans }: CarryOutParts): Promise<Ending> {
  run.how.tell?.({ kind: 'plan_apply_failed', outcome: 'apply_failed', category, reason })
  if (!approved) return { kind: 'invalid', outcome: 'apply_failed', category, problems: [reason], why, source }
  await pendingPlans.drop(run.id, approved.id)
  return { kind: 'approvalFailed', why, category, reason, source }
}
