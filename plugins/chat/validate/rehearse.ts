import { applyBatch } from '../../content/batch.ts'
import type {
  BatchResults, Draft, DraftChange, ErrorCategory, Manifest, Registry, Skip, SkipReason,
} from '../../content/model.ts'
import { sameJson } from '../../content/same-json.ts'
import type { Playground } from '../../draft/port.ts'
import type { Step } from '../types/plan.ts'

/** The facts that plans are checked against. */
export interface Facts {
  readonly draft: Draft
  readonly registry: Registry
  readonly manifest: Manifest | undefined
  readonly playground: Playground | undefined
  readonly now: Date
  /** The page being edited. */
  readonly slug: string
  readonly maxOperations: number
}

/** Why a plan cannot be applied. */
export type Broken = ReturnType<typeof broken>

/** Each problem names the operation and what to do instead. */
export const broken = (category: ErrorCategory, ...problems: readonly string[]) =>
  ({ ok: false, kind: 'broken', category, problems }) as const

/** A step with resolved ids and slugs; `skipped` says why it changes nothing. */
export interface RehearsedStep extends Step {
  readonly skipped?: SkipReason | undefined
}

/** True for a step that changes something. */
export const isEffective = ({ skipped }: RehearsedStep): boolean => skipped === undefined

/** The effect of a plan. */
export interface Rehearsed {
  readonly ok: true
  readonly all: readonly RehearsedStep[]
  /** The steps that change something. */
  readonly steps: readonly Step[]
  readonly change: DraftChange
  readonly results?: BatchResults
}

/** The effect of a plan that changes nothing. */
const nothing = (all: readonly RehearsedStep[]): Rehearsed =>
  ({ ok: true, all, steps: [], change: { pages: new Map(), placed: [] } })

/**
 * Applies a plan to the draft in memory. Rejects steps that cannot be applied, for example because of a
 * missing target or an id in use, and drops steps that change nothing.
 */
export function rehearse(steps: readonly Step[], facts: Facts): Rehearsed | Broken {
  if (steps.length === 0) return nothing(steps)
  const { draft, slug, maxOperations: _most, ...source } = facts
  const ops = steps.map(({ op }) => op)
  const applied = applyBatch(draft, ops, { ...source, source: 'planner', currentSlug: slug })
  if (!applied.ok) {
    if (applied.category !== 'no_effective_change') return broken(applied.category, applied.message)
    return nothing(withReasons(steps, applied.skippedOps))
  }
  const { change, results } = applied
  const all = withReasons(applied.ops.map((op, index) => ({ ...steps[index], op })), results.skippedOps)
  if (isNoChange(change)) return nothing(all)
  return { ok: true, all, steps: all.filter(isEffective), change, results }
}

function withReasons(steps: readonly Step[], skips: readonly Skip[] = []): readonly RehearsedStep[] {
  const reasons = new Map(skips.map(({ index, reason }) => [index - 1, reason]))
  return steps.map((step, index) => {
    const skipped = reasons.get(index)
    return skipped ? { ...step, skipped } : step
  })
}

/** Some operations count as a change even if the content stays the same. */
function isNoChange({ pages, order, config }: DraftChange): boolean {
  if (order || config) return false
  return pages.values().every(({ before, after }) =>
    before && after && sameJson(before, { ...after, updatedAt: before.updatedAt }))
}
