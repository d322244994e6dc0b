import type { Operation } from '../content/operations/index.ts'
import type { FormerSlugs } from './change-set.ts'
import { metadataOf } from './collections.ts'
import type { DraftTransaction } from './transaction.ts'

export const noRenames: FormerSlugs = new Map()

/** Returns the renames of a batch. */
export function formerSlugs(ops: readonly Operation[]): FormerSlugs {
  const former = new Map<string, string | undefined>()
  for (const op of ops) {
    if (op.op === 'create_page') former.set(op.page.slug, undefined)
    if (op.op === 'duplicate_page' && op.newPageSlug !== undefined) former.set(op.newPageSlug, undefined)
    if (op.op !== 'rename_page' || op.newPageSlug === undefined || op.newPageSlug === op.pageSlug) continue
    former.set(op.newPageSlug, former.has(op.pageSlug) ? former.get(op.pageSlug) : op.pageSlug)
    former.delete(op.pageSlug)
  }
  return former
}

/** Returns the renames of an undo or a redo of changes, from what the draft has now. */
export async function formerSlugsOver(
  draft: DraftTransaction,
  { source, of = [] }: { readonly source: 'undo' | 'redo'; readonly of?: readonly number[] | undefined },
): Promise<FormerSlugs> {
  const ops: Operation[] = []
  for (const version of of.toSorted((a, b) => a - b)) ops.push(...(await opsOf(draft, version)))
  const former = formerSlugs(ops)
  if (source === 'redo') return former
  return new Map([...former].flatMap(([now, then]) => (then === undefined ? [] : [[then, now] as const])))
}

/** Returns the operations of a change, with those of the earlier steps of its run. */
async function opsOf(draft: DraftTransaction, version: number): Promise<readonly Operation[]> {
  const steps: (readonly Operation[])[] = []
  for (let at = version, step = await draft.change(at); step; step = await draft.change(--at)) {
    if (at < version && !metadataOf(step).isExtended) break
    steps.unshift(step.body.ops ?? [])
    if (step.body.run === undefined) break
  }
  return steps.flat()
}
