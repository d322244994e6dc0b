import type { Operation } from '../../content/operations/index.ts'
import type { Companion } from '../../draft/port.ts'
import { missingImages } from '../types/images.ts'
import { checkpoint, type Run, type RunContext } from '../types/run.ts'
import { type Applied, mostMoves, type RunApplier } from './applier.ts'
import type { Candidate } from './candidate.ts'
import { readDraft } from './context.ts'
import type { Deps } from './deps.ts'
import { check, type CheckedStep, isEffective, type Sound, type Unsound } from './validate.ts'

/** A valid plan to apply. */
export interface StepTask {
  readonly plan: Sound
  readonly candidate: Candidate
  readonly context: RunContext
  readonly applier: RunApplier
  /** The number of its operations that were handled early. */
  readonly begun: number
  /** Writes the plan to the session memory, in the transaction of its last change. */
  memory(plan: Sound): Companion
}

/** Why the rest of a plan was not applied. */
type Stopped =
  | Extract<Applied, { kind: 'moved' | 'refused' }>
  /** After a concurrent change the rest of the plan no longer fits. */
  | { readonly kind: 'unfit'; readonly checked: Unsound }

/** A plan with one of these operations is applied as one change. */
const pageLevel: ReadonlySet<Operation['op']> = new Set([
  'create_page', 'rename_page', 'remove_page', 'move_page', 'duplicate_page',
])

/**
 * Applies the rest of a plan: as one change, or operation by operation if a client follows.
 *
 * Stops when the run is canceled or a change fails; the caller rolls back.
 */
export async function applySteps(run: Run, task: StepTask, deps: Deps): Promise<Stopped | undefined> {
  const { plan, candidate: { images, also, approved }, context, applier, begun, memory } = task
  const missing = missingImages(images.map(({ type }) => type))
  const total = plan.all.length
  const isFollowed = deps.stepping.isStepwise && run.how.isStreamed
  const isStepwise = isFollowed && !plan.all.some(({ op }) => pageLevel.has(op.op))
  let left: readonly CheckedStep[] = plan.all.slice(begun)
  let expect = begun > 0 ? (applier.version ?? context.draft.version) : context.draft.version
  let moves = 0
  for (let [step] = left; step; [step] = left) {
    if (isStepwise && isEffective(step)) await applier.due(run.how.signal)
    // After the last change a run can no longer be canceled.
    if (left.some(isEffective)) checkpoint(run)
    const later = isStepwise ? left.slice(1) : []
    const isLast = !later.some(isEffective)
    // An approval removes its plan with the first change: of two, only one succeeds. A new plan drops
    // an older one with its last change.
    const companions = (approved ? applier.count === 0 : isLast) ? [also] : []
    const place = isStepwise ? { index: total - later.length, total } : undefined
    const remembers = isLast && images.length === 0 ? memory(plan) : undefined
    const addition = { expect, companions, memory: remembers, missing, place }
    const applied = await applier.add(isStepwise ? [step] : left, addition)
    if (applied.kind === 'moved' && applier.count > 0 && moves < mostMoves) {
      moves += 1
      const draft = await readDraft(run.id, deps)
      const checked = check(left, run, { ...context, draft }, deps)
      if (!checked.ok) return { kind: 'unfit', checked }
      left = checked.all
      expect = draft.version
    } else if (applied.kind === 'done' || applied.kind === 'skipped') {
      if (applied.kind === 'done') expect = applied.committed.previewVersion
      left = later
    } else return applied
  }
  return undefined
}
