import { pace } from '../../../kernel/index.ts'
import { applyBatch, type BatchSuccess, isNoChange, readsOf } from '../../content/batch.ts'
import type { DraftChange } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { sameJson } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { DraftTransaction } from '../transaction.ts'
import { unchanged, type EditOf, type Unchanged, type ChangeSet, type Ranks } from '../change-set.ts'
import { labelsOf } from '../label.ts'
import { batchRefused } from '../refusals.ts'
import { movesIn, slugsBefore } from '../renames.ts'
import { ranksFor } from './ranks.ts'

/** Plans a batch of operations. */
export async function planOperations(
  draft: DraftTransaction,
  edit: EditOf<'operations'>,
  now: Date,
): Promise<ChangeSet | Unchanged> {
  const { source, manifest, siteConfig } = edit
  const applied = edit.applied ?? (await appliedTo(draft, edit, now))
  const { change, results } = applied
  if (isNoChange(change)) return { ...unchanged, results }
  const ranks = change.order ? await ranksIn(draft, change, change.order) : noRanks
  const isInPlace = change.pages.size < 2 && !change.order
  const [first] = applied.ops
  const effective = effectiveOps(applied.ops, results)
  const slug = results.updatedSlug ?? (first && 'pageSlug' in first ? first.pageSlug : '/')
  return {
    pages: change.pages,
    ranks,
    config: change.config,
    siteConfig,
    renames: isInPlace ? undefined : slugsBefore(movesIn(effective)),
    stacks: { push: [...new Set([...change.pages.keys(), ...ranks.keys()])] },
    log: {
      source: edit.logSource ?? (source === 'direct' ? 'direct' : 'chat'),
      slug,
      summary: edit.summary,
      manifest,
      ops: applied.ops,
    },
    ...(source === 'direct' && { labels: labelsOf(effective, { pages: change.pages, manifest }) }),
    results,
    notes: results.notes,
  }
}

async function appliedTo(
  draft: DraftTransaction,
  { ops, siteConfig, allowStructuralEdits, ...edit }: EditOf<'operations'>,
  now: Date,
): Promise<BatchSuccess> {
  const reads = readsOf(ops)
  const pages = await draft.pages.view(reads)
  const view = { ...pages, config: reads.config ? { ...siteConfig, ...(await draft.config()) } : {} }
  await pace()
  const capabilities = allowStructuralEdits === undefined ? undefined : { allowStructuralEdits }
  const applied = applyBatch(view, ops, { ...edit, registry: builtinRegistry, now, capabilities })
  if (!applied.ok) throw batchRefused(applied)
  return applied
}

const noRanks: Ranks = new Map()

/** The operations that took effect. */
export function effectiveOps(
  ops: readonly Operation[],
  results: BatchSuccess['results'] | undefined,
): readonly Operation[] {
  if (!results || results.skippedOps.length === 0) return ops
  const skipped = new Set(results.skippedOps.map(({ index }) => index - 1))
  return ops.filter((_, index) => !skipped.has(index))
}

/** Returns places for the moved and new pages of the batch. */
async function ranksIn(
  draft: DraftTransaction,
  change: DraftChange,
  order: readonly string[],
): Promise<Ranks> {
  const { pages, placed } = change
  const { ranks } = await draft.pages.order()
  const unplaced = [...pages].filter(([slug, { before, after }]) => after && (!before || !ranks.has(slug)))
  return ranksFor(draft, order, [...new Set([...placed, ...unplaced.map(([slug]) => slug)])])
}

/** Plans a shallow patch of the site config. */
export async function planConfig(
  draft: DraftTransaction,
  { patch, siteConfig }: EditOf<'config'>,
): Promise<ChangeSet | Unchanged> {
  const before = await draft.config()
  const config = { ...siteConfig, ...before, ...patch }
  if (sameJson({ ...siteConfig, ...before }, config)) return unchanged
  return {
    pages: new Map(),
    ranks: new Map(),
    config,
    siteConfig,
    stacks: { push: [] },
    log: { source: 'direct', slug: '/' },
  }
}
