import type { Operation } from '../../content/operations/index.ts'
import type { Remembered } from '../sessions/memory.ts'
import type { Done } from '../types/ending.ts'
import type { Note } from '../types/plan.ts'
import { checkpoint, type Run, type RunContext } from '../types/run.ts'
import type { Sound } from '../validate/index.ts'
import type { RehearsedStep } from '../validate/rehearse.ts'
import { type Addition, type Applied, effectiveOps, mostMoves, type RunApplier } from './applier.ts'
import type { Candidate } from './candidate.ts'
import { readDraft } from './context.ts'
import type { Deps } from './deps.ts'
import { check, type Checked } from './validate.ts'

/** A valid plan to apply. */
export interface StepTask {
  readonly plan: Sound
  readonly candidate: Candidate
  readonly context: RunContext
  /** How many of its operations were handled early. */
  readonly begun: number
  /** What is still missing once the operations are applied, and follows. */
  readonly missing: readonly Note[]
  /** What the session remembers of it. */
  readonly remember: (done: Done) => Remembered
}

export type Stepped =
  /** `isRemembered`: the session memory was written with the last change. */
  | { readonly kind: 'through'; readonly plan: Sound; readonly isRemembered: boolean }
  | Exclude<Applied, { kind: 'done' }>
  /** After a concurrent change the rest of the plan does not fit any more. */
  | { readonly kind: 'unfit'; readonly checked: Exclude<Checked, { kind: 'sound' }> }

/** Plans with one of these are applied as one change. */
const pageLevel: ReadonlySet<Operation['op']> = new Set(['create_page', 'rename_page', 'remove_page', 'move_page', 'duplicate_page'])

/**
 * Applies the rest of a plan: as one change, or operation by operation for a client that follows.
 *
 * Stops when the run is canceled or a change fails; the caller rolls back.
 */
export async function applySteps(run: Run, { plan, candidate, context, begun, missing, remember }: StepTask, applier: RunApplier, deps: Deps): Promise<Stepped> {
  const { site, slug, also, approved, suggestions } = candidate
  const memory = deps.memories.along(run.id, (committed) => remember(applier.done(plan, suggestions, committed)))
  const total = plan.all.length
  const isStepwise = deps.stepping.isStepwise && run.how.isStreamed && !plan.all.some(({ op }) => pageLevel.has(op.op))
  let left: readonly RehearsedStep[] = plan.all.slice(begun)
  let expect = begun > 0 ? (applier.version ?? context.draft.version) : context.draft.version
  let isRemembered = false
  let moves = 0
  for (let [step] = left; step; [step] = left) {
    if (isStepwise && isEffective(step)) await applier.due(run.how.signal)
    // After the last change a run can no longer be canceled.
    if (left.some(isEffective)) checkpoint(run)
    const later = isStepwise ? left.slice(1) : []
    const isLast = !later.some(isEffective)
    const isEnd = isLast && missing.length === 0
    // An approval removes its plan with the first change, so that only one of two succeeds; a new plan drops an older one with the last.
    const beside = [...((approved ? applier.count === 0 : isLast) ? [also] : []), ...(isEnd ? [memory] : [])]
    const addition = { site, slug, expect, beside, pages: context.draft.pages, notes: missing }
    const applied = isStepwise ? await applyStep(run, step, { index: total - later.length, total, addition }, applier) : await applyAll(left, addition, applier)
    if (applied.kind === 'moved' && applier.count > 0 && moves < mostMoves) {
      moves += 1
      const draft = await readDraft(run.id, deps)
      const checked = check(left, { draft, slug, site }, deps)
      if (checked.kind !== 'sound') return { kind: 'unfit', checked }
      left = checked.all
      expect = draft.version
    } else if (applied.kind === 'done' || applied.kind === 'skipped') {
      if (applied.kind === 'done') {
        expect = applied.committed.previewVersion
        isRemembered = isEnd
      }
      left = later
    } else return applied
  }
  return { kind: 'through', plan, isRemembered }
}

type Skipped = { readonly kind: 'skipped' }

const isEffective = ({ skipped }: RehearsedStep): boolean => skipped === undefined

async function applyAll(steps: readonly RehearsedStep[], addition: Omit<Addition, 'steps'>, applier: RunApplier): Promise<Applied | Skipped> {
  const effective = steps.filter(isEffective)
  return effective.length === 0 ? { kind: 'skipped' } : applier.add({ ...addition, steps: effective })
}

interface Position {
  readonly index: number
  readonly total: number
  readonly addition: Omit<Addition, 'steps'>
}

/** Applies one operation as a separate change and emits it; one that changes nothing is emitted as skipped. */
export async function applyStep(run: Run, step: RehearsedStep, { index, total, addition }: Position, applier: RunApplier): Promise<Applied | Skipped> {
  const { op, skipped } = step
  if (skipped) {
    run.how.emit({ type: 'op_skipped', index, total, op, reason: skipped })
    return { kind: 'skipped' }
  }
  const applied = await applier.add({ ...addition, steps: [step] })
  if (applied.kind !== 'done') return applied
  const { previewVersion, results: { focusBlockId = null, updatedSlug } = {} } = applied.committed
  run.how.emit({
    type: 'op_applied',
    index,
    total,
    op: effectiveOps(applied.committed)[0] ?? op,
    previewVersion,
    focusBlockId,
    ...(updatedSlug !== undefined && { updatedSlug }),
  })
  return applied
}
