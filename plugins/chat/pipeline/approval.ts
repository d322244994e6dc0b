import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { DestructiveReason } from '../types/plan.ts'

type Reasons = readonly DestructiveReason[]

const manyBlocks = 3

/**
 * Returns every reason why a plan must not be applied without approval.
 *
 * The operations must be resolved: a copy without its own slug counts as no page. A page that the plan
 * renames counts once under all its slugs.
 */
export function destructiveReasons(ops: readonly Operation[], pages: readonly Page[]): Reasons {
  const firstSlugs = new Map<string, string>()
  const writes = ops.flatMap((op) => {
    const slug = writtenBy(op)
    if (slug === undefined) return []
    const first = firstSlugs.get(slug) ?? slug
    if (op.op === 'rename_page' && op.newPageSlug !== undefined) firstSlugs.set(op.newPageSlug, first)
    return [{ kind: op.op, slug: first }]
  })
  const slugs = [...new Set(writes.map(({ slug }) => slug))]
  const removedBlocks = writes.filter(({ kind }) => kind === 'remove_block')
  const reasons: DestructiveReason[] = []
  const pageAt = (slug: string) => pages.find((page) => page.slug === slug)
  for (const { slug } of writes.filter(({ kind }) => kind === 'remove_page')) {
    const { title = slug, blocks = [] } = pageAt(slug) ?? {}
    reasons.push({ kind: 'remove_page', slug, title, blockCount: blocks.length })
  }
  if (slugs.length > 1) reasons.push({ kind: 'multi_page_plan', slugs })
  const { length: count } = removedBlocks
  if (count >= manyBlocks) reasons.push({ kind: 'bulk_remove_blocks', count })
  for (const [slug, { length: removing }] of Map.groupBy(removedBlocks, (write) => write.slug)) {
    const total = pageAt(slug)?.blocks.length ?? 0
    if (2 * removing > total && total > 0) reasons.push({ kind: 'majority_page_wipe', slug, removing, total })
  }
  return reasons
}

/** Returns the page that an operation writes: the copy, not its source; `undefined` for site settings. */
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
