import type { BatchFailure, BatchResults, Draft, DraftChange, Manifest, Reads, Registry, Skip, Source } from './model.ts'
import { definitionOf, type Operation } from './operations/index.ts'
import { RefusedOperation } from './operations/refuse.ts'
import { slugSpellings } from './operations/slug-spellings.ts'
import { changeOf, startBatch, type BatchState, type Playground } from './operations/state.ts'
import { resultsOf } from './results.ts'

/** What a batch needs to know beside the draft and its operations. */
export interface BatchOptions {
  readonly source: Source
  readonly registry: Registry
  /** The block types of the site, when it declares them. */
  readonly manifest?: Manifest | undefined
  /** The one time of the batch: every page it changes is stamped with it, or pushed past its earlier stamp. */
  readonly now: Date
  readonly capabilities?: { readonly allowStructuralEdits: boolean } | undefined
  readonly playground?: Playground | undefined
  /** The page that the client shows; the first page that the batch names when left out. */
  readonly currentSlug?: string | undefined
}

export interface BatchSuccess {
  readonly ok: true
  /** Copies of the operations, at the same places, with ids and slugs as they turned out. */
  readonly ops: readonly Operation[]
  readonly change: DraftChange
  readonly results: BatchResults
}

/**
 * Applies operations to a draft, one after another; all of them or none.
 *
 * Pure: neither the draft nor the operations change, and the same input gives the same result, ids and times included.
 * What is not touched is shared between before and after, and of the draft no more is read than `readsOf` announces.
 * The operations have to come from `parseOperations`.
 */
export function applyBatch(draft: Draft, ops: readonly Operation[], options: BatchOptions): BatchSuccess | BatchFailure {
  const { source, registry, manifest, playground, now } = options
  const refused = refusedOutright(ops, options)
  if (refused) return refused

  const state = startBatch(draft, { source, registry, manifest, playground }, now)
  const resolved: Operation[] = []
  const applied: Operation[] = []
  const skippedOps: Skip[] = []
  const reasons: string[] = []
  for (const op of ops) {
    const index = resolved.length
    try {
      const { op: done, skipped } = definitionOf(op).apply(state, op)
      resolved.push(done)
      if (!skipped) applied.push(done)
      else {
        skippedOps.push(toSkip(done, index, skipped.reason))
        reasons.push(`ops[${index}]: nothing would change: ${skipped.because}`)
      }
    } catch (error) {
      if (error instanceof RefusedOperation) return toFailure(error, index)
      throw error
    }
  }
  if (applied.length === 0) return nothingChanged(reasons, state)
  const currentSlug = options.currentSlug ?? firstPageIn(resolved)
  return { ok: true, ops: resolved, change: changeOf(state), results: resultsOf(state, { applied, skippedOps, currentSlug }) }
}

/** Tells what of a draft has to be loaded before a batch can be applied to it. */
export function readsOf(ops: readonly Operation[]): Reads {
  const needs = ops.map((op) => definitionOf(op).needs(op))
  const named = needs.flatMap(({ pages = [] }) => (pages === 'all' ? [] : pages))
  const all = needs.some(({ pages }) => pages === 'all')
  return {
    pages: all ? 'all' : new Set(named.flatMap(slugSpellings)),
    order: needs.some(({ order }) => order) || named.length === 0, // a batch without a page leads to the first one
    config: needs.some(({ config }) => config),
    blockIds: needs.some(({ blockIds }) => blockIds),
  }
}

/** Refuses a batch for what stands in it, before anything is looked up. */
function refusedOutright(ops: readonly Operation[], { capabilities, playground }: BatchOptions): BatchFailure | undefined {
  if (ops.length === 0) return failure('schema_violation', 'ops: wanted at least one operation, got an empty list')
  const added = new Set<string>()
  for (const [index, op] of ops.entries()) {
    if (playground && !playground.ops.has(op.op)) {
      const admissible = [...playground.ops]
      return failure('planner_refusal', `ops[${index}]: ${op.op} is not possible in this demo; try ${admissible.join(', ')}`, { index, admissible })
    }
    if (capabilities?.allowStructuralEdits === false && definitionOf(op).structural) {
      return failure('operation_failed', `ops[${index}]: ${op.op} changes the structure of a page, which this site does not allow; use update_props or update_item`, { index })
    }
    if (op.op !== 'add_block') continue
    if (added.has(op.block.id)) {
      return failure('schema_violation', `ops[${index}].block.id: ${op.block.id} is added twice in this batch; send another id`, { index, path: 'block.id' })
    }
    added.add(op.block.id)
  }
  return undefined
}

function toFailure({ category, message, details }: RefusedOperation, index: number): BatchFailure {
  const at = details.path === undefined ? `ops[${index}]` : `ops[${index}].${details.path}`
  return failure(category, `${at}: ${message}`, { ...details, index })
}

/** Names a few reasons; a long batch has the same one over and over. */
function nothingChanged(reasons: readonly string[], { notes }: BatchState): BatchFailure {
  const more = reasons.length > 3 ? [`and ${reasons.length - 3} more like these`] : []
  const message = [...reasons.slice(0, 3), ...more, ...notes].join('; ')
  return failure('no_effective_change', message, reasons.length === 1 ? { index: 0 } : {})
}

function toSkip(op: Operation, index: number, reason: Skip['reason']): Skip {
  return {
    index: index + 1,
    op: op.op,
    reason,
    ...('pageSlug' in op && { pageSlug: op.pageSlug }),
    ...('blockId' in op && { blockId: op.blockId }),
  }
}

const failure = (category: BatchFailure['category'], message: string, details: Omit<Partial<BatchFailure>, 'ok' | 'category' | 'message'> = {}): BatchFailure =>
  ({ ok: false, category, message, ...details })

function firstPageIn(ops: readonly Operation[]): string | undefined {
  for (const op of ops) if ('pageSlug' in op) return op.pageSlug
  return undefined
}
