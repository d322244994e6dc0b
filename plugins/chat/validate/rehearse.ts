import { applyBatch } from '../../content/batch.ts'
import type { BatchResults, DraftChange } from '../../content/model.ts'
import { sameJson } from '../../content/same-json.ts'
import { broken, type Broken, type Facts, type Step } from './step.ts'

/** What a plan would do. */
export interface Rehearsed {
  readonly ok: true
  /** Those that change something, with ids and slugs as they turn out; none when everything is so already. */
  readonly steps: readonly Step[]
  readonly change: DraftChange
  readonly results?: BatchResults
}

const nothing: DraftChange = { pages: new Map(), placed: [] }

/**
 * Applies a plan to the draft in memory: refuses what cannot be applied, such as a target that is gone or an id that is
 * taken, and drops what changes nothing.
 */
export function rehearse(steps: readonly Step[], facts: Facts): Rehearsed | Broken {
  if (steps.length === 0) return { ok: true, steps, change: nothing }
  const { draft, registry, manifest, playground, now, slug } = facts
  const ops = steps.map(({ op }) => op)
  const applied = applyBatch(draft, ops, { source: 'planner', registry, manifest, playground, now, currentSlug: slug })
  if (!applied.ok) {
    return applied.category === 'no_effective_change' ? { ok: true, steps: [], change: nothing } : broken(applied.category, applied.message)
  }
  const { change, results } = applied
  if (isNoChange(change)) return { ok: true, steps: [], change: nothing }
  const skipped = new Set(results.skippedOps.map(({ index }) => index - 1))
  const kept = applied.ops.map((op, index): Step => ({ ...steps[index], op })).filter((_, index) => !skipped.has(index))
  return { ok: true, steps: kept, change, results }
}

/** Some operations count as a change also where they lead to the very same content. */
function isNoChange({ pages, order, config }: DraftChange): boolean {
  if (order || config) return false
  return [...pages.values()].every(({ before, after }) => before && after && sameJson(before, { ...after, updatedAt: before.updatedAt }))
}
