import type { Operation } from '../content/operations/index.ts'
import type { FormerSlugs } from './change-set.ts'
import type { Move } from './collections.ts'
import type { DraftTransaction } from './transaction.ts'

export const noRenames: FormerSlugs = new Map()

/** Returns the pages that operations rename or add. */
export const movesIn = (ops: readonly Operation[] = []): readonly Move[] =>
  ops.flatMap((op): readonly Move[] => {
    if (op.op === 'create_page') return [{ to: op.page.slug }]
    if (op.op !== 'rename_page' && op.op !== 'duplicate_page') return []
    const { pageSlug, newPageSlug: to = pageSlug } = op
    if (to === pageSlug) return []
    return [op.op === 'rename_page' ? { from: pageSlug, to } : { to }]
  })

export function formerSlugs(moves: readonly Move[]): FormerSlugs {
  const former = new Map<string, string | undefined>()
  for (const { from, to } of moves) {
    former.set(to, from !== undefined && former.has(from) ? former.get(from) : from)
    if (from !== undefined) former.delete(from)
  }
  return former
}

/** Returns the renames of an undo or a redo of changes, from what the draft has now. */
export async function formerSlugsOver(
  draft: DraftTransaction,
  { source, of = [] }: { readonly source: 'undo' | 'redo'; readonly of?: readonly number[] | undefined },
): Promise<FormerSlugs> {
  const moves: Move[] = []
  for (const version of of.toSorted((a, b) => a - b))
    moves.push(...((await draft.change(version))?.body.moves ?? []))
  const former = formerSlugs(moves)
  if (source === 'redo') return former
  return new Map([...former].flatMap(([now, then]) => (then === undefined ? [] : [[then, now] as const])))
}
