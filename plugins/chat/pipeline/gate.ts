import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { DestructiveReason } from '../types/plan.ts'
import type { Run } from '../types/run.ts'

type Reasons = readonly DestructiveReason[]

/** What the gate looks at. */
interface Gated {
  readonly ops: readonly Operation[]
  /** Of the draft before the plan. */
  readonly pages: readonly Page[]
  /** The plan asks for new images, which always need approval. */
  readonly hasImages?: boolean
}

/** Why a plan needs approval, none of it where its wording asks for one; `undefined` where it needs none. */
export function gate({ isPlanFirst }: Run, { ops, pages, hasImages }: Gated): Reasons | undefined {
  const reasons = destructiveReasons(ops, pages)
  return isPlanFirst || hasImages || reasons.length > 0 ? reasons : undefined
}

const manyBlocks = 3

/**
 * Every reason why a plan must not be applied without approval.
 *
 * The operations have to be resolved: a copy without its own slug counts for no page. A page that the plan renames
 * counts once under all its slugs.
 */
export function destructiveReasons(ops: readonly Operation[], pages: readonly Page[]): Reasons {
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  const firstSlugs = new Map<string, string>()
  const written = new Set<string>()
  const removedPages: string[] = []
  const removedBlocks = new Map<string, number>()
  for (const op of ops) {
    const slug = writtenBy(op)
    if (slug === undefined) continue
    const first = firstSlugs.get(slug) ?? slug
    written.add(first)
    if (op.op === 'rename_page' && op.newPageSlug !== undefined) firstSlugs.set(op.newPageSlug, first)
    if (op.op === 'remove_page') removedPages.push(first)
    if (op.op === 'remove_block') removedBlocks.set(first, (removedBlocks.get(first) ?? 0) + 1)
  }
  const count = [...removedBlocks.values()].reduce((sum, each) => sum + each, 0)
  return [
    ...removedPages.map((slug): DestructiveReason => {
      const { title = slug, blocks = [] } = bySlug.get(slug) ?? {}
      return { kind: 'remove_page', slug, title, blockCount: blocks.length }
    }),
    ...(written.size > 1 ? [{ kind: 'multi_page_plan', slugs: [...written] } as const] : []),
    ...(count >= manyBlocks ? [{ kind: 'bulk_remove_blocks', count } as const] : []),
    ...[...removedBlocks].flatMap(([slug, removing]): readonly DestructiveReason[] => {
      const total = bySlug.get(slug)?.blocks.length ?? 0
      return 2 * removing > total && total > 0 ? [{ kind: 'majority_page_wipe', slug, removing, total }] : []
    }),
  ]
}

/** The page that an operation writes: the copy, not its source; `undefined` for settings of the site. */
function writtenBy(op: Operation): string | undefined {
  switch (op.op) {
    case 'create_page':
      return op.page.slug
    case 'duplicate_page':
      return op.newPageSlug
    case 'duplicate_block':
      return op.toPageSlug || op.pageSlug
    case 'update_site_config':
      return undefined
    default:
      return op.pageSlug
  }
}
