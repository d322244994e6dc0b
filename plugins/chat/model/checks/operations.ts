import { applyBatch, type BatchSuccess } from '../../../content/batch.ts'
import type { BatchFailure } from '../../../content/model.ts'
import type { Operation } from '../../../content/operations/index.ts'
import { resolveBlock } from '../../../content/resolve-block.ts'
import { toDraft } from '../../../content/draft-view.ts'
import type { PlanningInput } from '../../types/planner.ts'
import { blockTypeAt } from '../normalise/place.ts'
import type { Violation } from './check.ts'

/** What applying a plan to a copy of the draft gives. Nothing is written. */
export function triedOut(ops: readonly Operation[], input: PlanningInput, now: Date): BatchSuccess | BatchFailure {
  const { draft, registry, manifest, selection } = input
  const known = ops.map((op) => withoutUnknownProps(op, input))
  return applyBatch(toDraft(draft), known, { source: 'planner', registry, manifest, now, currentSlug: selection.slug })
}

/**
 * What keeps a plan from being applied, as far as the model can put it right.
 *
 * A plan that changes nothing is in order, and so are props that no type has: those are taken out later, with a note.
 */
export function unfit(failure: BatchFailure): readonly Violation[] {
  if (failure.category === 'no_effective_change') return []
  const path = failure.path === undefined ? `ops[${failure.index ?? 0}]` : `ops[${failure.index ?? 0}].${failure.path}`
  return [{ path, kind: kindOf(failure), message: failure.message }]
}

function kindOf({ category, path, admissible, violation = 'unknown' }: BatchFailure): Violation['kind'] {
  if (category === 'not_found') return 'unknown target'
  if (path !== undefined && /(?:^|\.)(?:index|afterIndex)$/.test(path)) return 'out of range'
  if (admissible) return path?.startsWith('item.') || path?.endsWith('.type') ? 'invalid discriminator' : 'invalid enum'
  return violation
}

function withoutUnknownProps(op: Operation, input: PlanningInput): Operation {
  if (op.op !== 'update_props') return op
  const page = input.draft.pages.find(({ slug }) => slug === op.pageSlug)
  const block = page && resolveBlock(page.blocks, op.blockId, { byType: true })?.block
  const blockType = block && blockTypeAt({ input }, block.type)
  const allowed = blockType && (blockType.propsSchema.properties ?? blockType.fields)
  if (!allowed) return op
  return { ...op, patch: Object.fromEntries(Object.entries(op.patch).filter(([name]) => Object.hasOwn(allowed, name))) }
}
