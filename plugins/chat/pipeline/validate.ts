import { applyBatch, type BatchOptions, type BatchSuccess } from '../../content/batch.ts'
import { toDraft } from '../../content/draft-view.ts'
import type { Draft, DraftChange, Skip, SkipReason } from '../../content/model.ts'
import { definitionOf } from '../../content/operations/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { sameJson } from '../../content/same-json.ts'
import type { Remark, Step } from '../types/plan.ts'
import type { Block, DeclaredSite } from '../types/run.ts'
import { broken, type Broken, rules } from './rules.ts'
import type { Chat, RunContext } from './run.ts'

/** A step with resolved ids and slugs; `skipped` says why it changes nothing. */
export interface CheckedStep extends Step {
  readonly skipped?: SkipReason | undefined
}

/** A valid plan: its effect and its omissions. */
export interface Sound {
  readonly ok: true
  readonly all: readonly CheckedStep[]
  /** The steps that change something. */
  readonly steps: readonly Step[]
  readonly change: DraftChange
  /** The outcome to commit; `undefined` if nothing changes. */
  readonly applied?: BatchSuccess
  readonly notes: readonly Remark[]
}

/** Why a plan may not be applied: it does not fit the draft, or the site or the demo does not allow it. */
export type Unsound = Broken | { readonly ok: false; readonly kind: 'blocked'; readonly by: Block }

/** Validates a plan by every rule, rehearses the remaining steps, and checks the limits of site and demo. */
export function check(
  steps: readonly Step[],
  { manifest, allowStructuralEdits }: DeclaredSite,
  { draft, selection: { slug: currentSlug } }: Pick<RunContext, 'draft' | 'selection'>,
  { clock, playground, maxOperations }: Pick<Chat, 'clock' | 'playground' | 'maxOperations'>,
): Sound | Unsound {
  const source = { draft: toDraft(draft), registry: builtinRegistry, manifest }
  const notes: Remark[] = []
  let left = steps
  for (const rule of rules) {
    const verdict = rule(left, { ...source, maxOperations })
    if (!verdict.ok) return verdict
    left = verdict.steps
    notes.push(...(verdict.notes ?? []))
  }
  const now = clock.now()
  const rehearsed = rehearse(left, { ...source, playground, now, source: 'planner', currentSlug })
  if (!rehearsed.ok) {
    const { category, problems } = rehearsed
    if (!playground || category !== 'planner_refusal') return rehearsed
    return { ok: false, kind: 'blocked', by: { kind: 'demo', playground, problems } }
  }
  const structural = rehearsed.steps.filter(({ op }) => definitionOf(op).structural).map(({ op }) => op.op)
  if (allowStructuralEdits !== false || structural.length === 0) return { ...rehearsed, notes }
  return { ok: false, kind: 'blocked', by: { kind: 'structure', ops: [...new Set(structural)] } }
}

/**
 * Applies a plan to the draft in memory. Rejects steps that cannot be applied, for example because of a
 * missing target or an id in use, and drops steps that change nothing.
 */
function rehearse(
  steps: readonly Step[],
  { draft, ...options }: BatchOptions & { readonly draft: Draft },
): Omit<Sound, 'notes'> | Broken {
  const nothing = (all: readonly CheckedStep[]) =>
    ({ ok: true, all, steps: [], change: { pages: new Map(), placed: [] } }) as const
  if (steps.length === 0) return nothing(steps)
  const applied = applyBatch(
    draft,
    steps.map(({ op }) => op),
    options,
  )
  if (!applied.ok) {
    if (applied.category !== 'no_effective_change') return broken(applied.category, applied.message)
    return nothing(withReasons(steps, applied.skippedOps))
  }
  const { change, results } = applied
  const all = withReasons(
    applied.ops.map((op, index) => ({ ...steps[index], op })),
    results.skippedOps,
  )
  return isNoChange(change)
    ? nothing(all)
    : { ok: true, all, steps: all.filter(({ skipped }) => skipped === undefined), change, applied }
}

function withReasons(steps: readonly Step[], skips: readonly Skip[] = []): readonly CheckedStep[] {
  const reasons = new Map(skips.map(({ index, reason }) => [index - 1, reason]))
  return steps.map((step, index) => {
    const skipped = reasons.get(index)
    return skipped ? { ...step, skipped } : step
  })
}

/** Some operations count as a change even if the content stays the same. */
function isNoChange({ pages, order, config }: DraftChange): boolean {
  if (order || config) return false
  return pages
    .values()
    .every(
      ({ before, after }) => before && after && sameJson(before, { ...after, updatedAt: before.updatedAt }),
    )
}
