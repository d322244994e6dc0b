import type { BatchResults, Skip } from './model.ts'
import type { Operation } from './operations/index.ts'
import { notesOf, orderOf, pageAt, type BatchState } from './operations/state.ts'
import { homeFirst } from './slugs.ts'

/** Returns the results of an applied batch for its client: where to navigate next, and notes. */
export function resultsOf(
  state: BatchState,
  {
    applied,
    skippedOps,
    currentSlug,
  }: {
    /** The operations that had an effect, with all optional values filled in. */
    readonly applied: readonly Operation[]
    readonly skippedOps: readonly Skip[]
    /** The page that the client shows. */
    readonly currentSlug: string | undefined
  },
): BatchResults {
  const focusBlockId = focusOf(applied)
  const updatedSlug = updatedSlugOf(state, applied, currentSlug)
  return {
    ...(focusBlockId === undefined ? undefined : { focusBlockId }),
    ...(updatedSlug === undefined ? undefined : { updatedSlug }),
    mentionedSlugs: mentionedIn(state, applied, [currentSlug, updatedSlug]),
    duplicatedPages: state.copies,
    appliedCount: applied.length,
    skippedOps,
    fuzzyMatches: state.fuzzyMatches,
    notes: notesOf(state),
  }
}

/** Returns the block to select: that of the first operation of the first of these kinds. */
function focusOf(ops: readonly Operation[]): string | undefined {
  const leading = focusKinds.map((kinds) => ops.find(({ op }) => kinds.includes(op)))
  const first = leading.find((op) => op !== undefined)
  return first && blockOf(first)
}

const focusKinds: readonly (readonly string[])[] = [
  ['add_block'],
  ['duplicate_block'],
  ['add_item', 'update_item', 'remove_item', 'move_item'],
  ['move_block'],
  ['update_props'],
]

function blockOf(op: Operation): string | undefined {
  if (op.op === 'add_block') return op.block.id
  if (op.op === 'duplicate_block') return op.newBlockId
  return 'blockId' in op ? op.blockId : undefined
}

/** Returns the page to show next; `undefined` if the current one stays. */
function updatedSlugOf(
  state: BatchState,
  ops: readonly Operation[],
  current: string | undefined,
): string | undefined {
  const created = ops.filter((op) => op.op === 'create_page')
  if (created.length === 1 && created[0]) return slugAfter(ops, created[0], created[0].page.slug)
  if (current === undefined) return undefined
  for (const op of ops) {
    if (op.op === 'duplicate_page' && op.pageSlug === current)
      return slugAfter(ops, op, op.newPageSlug ?? current)
  }
  const rename = ops.find((op) => op.op === 'rename_page' && op.pageSlug === current)
  if (rename) return slugAfter(ops, undefined, current)
  return isGone(state, current) ? firstSlug(state) : undefined
}

/** Returns a slug after the renames that follow an operation, or after all renames. */
function slugAfter(ops: readonly Operation[], since: Operation | undefined, slug: string): string {
  let now = slug
  for (const op of since ? ops.slice(ops.indexOf(since) + 1) : ops) {
    if (op.op === 'rename_page' && op.pageSlug === now) now = op.newPageSlug ?? now
  }
  return now
}

function mentionedIn(
  state: BatchState,
  ops: readonly Operation[],
  fallbacks: readonly (string | undefined)[],
): readonly string[] {
  const mentioned = [...new Set(ops.flatMap(slugsOf))].filter((slug) => !isGone(state, slug))
  if (mentioned.length > 0) return homeFirst(mentioned)
  const fallback = fallbacks.find((slug) => slug !== undefined && !isGone(state, slug)) ?? firstSlug(state)
  return fallback === undefined ? [] : [fallback]
}

function slugsOf(op: Operation): readonly string[] {
  switch (op.op) {
    case 'create_page':
      return [op.page.slug]
    case 'rename_page':
      return [op.newPageSlug ?? op.pageSlug]
    case 'move_page':
      return present(op.pageSlug, op.afterPageSlug)
    case 'duplicate_block':
      return present(op.toPageSlug)
    case 'duplicate_page':
      return present(op.newPageSlug, op.afterPageSlug).filter((other) => other !== op.pageSlug)
    case 'update_site_config':
      return []
    default:
      return [op.pageSlug]
  }
}

const present = (...slugs: readonly (string | undefined)[]) => slugs.filter((slug) => slug !== undefined)

/** Only pages changed by the batch are looked up: no others can be removed. */
const isGone = (state: BatchState, slug: string) => state.touched.has(slug) && !pageAt(state, slug)
const firstSlug = (state: BatchState) => homeFirst(orderOf(state))[0]
