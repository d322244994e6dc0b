import type { BatchFailure, BatchResults, Draft, DraftChange, Reads, Skip } from './model.ts'
import type { Needs } from './operations/definition.ts'
import { definitionOf, type Operation } from './operations/index.ts'
import { refuse, RefusedOperation, violates } from './operations/refuse.ts'
import {
  type BatchContext,
  type BatchState,
  changeOf,
  notesOf,
  orderOf,
  pageAt,
  settleMoves,
  startBatch,
} from './operations/state.ts'
import { homeFirst, slugSpellings } from './slugs.ts'

/** The context of a batch in addition to the draft and its operations. */
export interface BatchOptions extends BatchContext {
  readonly capabilities?: { readonly allowStructuralEdits: boolean } | undefined
  /** The time of the batch: the stamp of each changed page, or later if its previous stamp is not older. */
  readonly now: Date
  /** The page that the client shows; by default the first page that the batch names. */
  readonly currentSlug?: string | undefined
}

export interface BatchSuccess {
  readonly ok: true
  /** Copies of the operations at the same positions, with final ids and slugs. */
  readonly ops: readonly Operation[]
  readonly change: DraftChange
  readonly results: BatchResults
}

/**
 * Applies operations to a draft in order, all or none.
 *
 * Pure: neither the draft nor the operations change, and equal input produces equal results, ids and times
 * included. Unchanged parts are shared between before and after. Reads only the parts of the draft that
 * `readsOf` lists. The operations must come from `parseOperations`.
 */
export function applyBatch(
  draft: Draft,
  ops: readonly Operation[],
  options: BatchOptions,
): BatchSuccess | BatchFailure {
  if (ops.length === 0) return emptyBatch
  const state = startBatch(draft, options, options.now)
  const resolved: Operation[] = []
  const applied: Operation[] = []
  const skippedOps: Skip[] = []
  const reasons: string[] = []
  const refused =
    attempt(ops, gateFor(options)) ??
    attempt(ops, (op, index) => {
      const { op: done, skipped } = definitionOf(op).apply(state, op)
      resolved.push(done)
      if (state.moves && index === ops.length - 1) settleMoves(state)
      if (!skipped) return void applied.push(done)
      skippedOps.push({
        index: index + 1,
        op: done.op,
        reason: skipped.reason,
        ...('pageSlug' in done && { pageSlug: done.pageSlug }),
        ...('blockId' in done && { blockId: done.blockId }),
      })
      reasons.push(`ops[${index}]: nothing would change: ${skipped.because}`)
    })
  if (refused) return refused
  if (applied.length === 0) return { ...nothingChanged(reasons, state), skippedOps }
  const currentSlug = options.currentSlug ?? resolved.find((op) => 'pageSlug' in op)?.pageSlug
  const results = resultsOf(state, applied, skippedOps, currentSlug)
  return { ok: true, ops: resolved, change: changeOf(state), results }
}

/** Whether a batch leaves the draft as it is; some operations count as applied even then. */
export const isNoChange = ({ pages, order, config }: DraftChange): boolean =>
  pages.size === 0 && !order && !config

/** Returns the parts of a draft to load before a batch is applied. */
export function readsOf(ops: readonly Operation[]): Reads {
  const needs = ops.map((op) => definitionOf(op).needs?.(op) ?? itsPage(op))
  const named = new Set<string>()
  for (const { pages } of needs) {
    if (pages !== 'all')
      for (const slug of pages ?? []) for (const spelling of slugSpellings(slug)) named.add(spelling)
  }
  return {
    pages: needs.some(({ pages }) => pages === 'all') ? 'all' : named,
    order: needs.some(({ order }) => order) || named.size === 0, // a batch without a page mentions the first
    config: needs.some(({ config }) => config),
    blockIds: needs.some(({ blockIds }) => blockIds),
    pageIds: needs.some(({ pageIds }) => pageIds),
  }
}

const itsPage = (op: Operation): Needs => ('pageSlug' in op ? { pages: [op.pageSlug] } : {})

const emptyBatch: BatchFailure = {
  ok: false,
  category: 'schema_violation',
  message: 'ops: wanted at least one operation',
}

/** Runs `step` for each operation, up to the first refused one. */
function attempt(
  ops: readonly Operation[],
  step: (op: Operation, index: number) => void,
): BatchFailure | undefined {
  for (const [index, op] of ops.entries()) {
    try {
      step(op, index)
    } catch (error) {
      if (!(error instanceof RefusedOperation)) throw error
      const { category, message, details } = error
      const at = details.path === undefined ? `ops[${index}]` : `ops[${index}].${details.path}`
      return { ok: false, category, message: `${at}: ${message}`, ...details, index }
    }
  }
  return undefined
}

/** Lists a few reasons; a long batch may repeat the same one. */
function nothingChanged(reasons: readonly string[], state: BatchState): BatchFailure {
  const more = reasons.length > 3 ? [`and ${reasons.length - 3} more like these`] : []
  const message = [...reasons.slice(0, 3), ...more, ...notesOf(state)].join('; ')
  return { ok: false, category: 'no_effective_change', message, ...(reasons.length === 1 && { index: 0 }) }
}

/**
 * Returns the check that every operation of a batch must pass before any is applied.
 *
 * Refuses structural edits if the site has disabled them, operations locked by a public demo, and an id
 * that is added twice, even to two pages: clients find a new block by its id only.
 */
function gateFor({ capabilities, playground }: BatchOptions): (op: Operation) => void {
  const added = new Set<string>()
  return (op) => {
    if (playground && !playground.ops.has(op.op)) {
      const admissible = [...playground.ops]
      const message = `${op.op} is not possible in this demo; try ${admissible.join(', ')}`
      refuse('planner_refusal', message, { admissible })
    }
    if (capabilities?.allowStructuralEdits === false && definitionOf(op).structural) {
      const why = 'changes the structure of a page, which this site does not allow'
      refuse('operation_failed', `${op.op} ${why}; use update_props or update_item`)
    }
    if (op.op !== 'add_block') return
    const { id } = op.block
    if (added.has(id)) violates('block.id', `${id} is added twice in this batch; send another id`)
    added.add(id)
  }
}

/**
 * Returns the results of a batch for its client: where to navigate next, and notes. `applied` are the
 * operations that had an effect, with all optional values filled in; `current` is the page that the client shows.
 */
function resultsOf(
  state: BatchState,
  applied: readonly Operation[],
  skippedOps: readonly Skip[],
  current: string | undefined,
): BatchResults {
  const focusBlockId = focusOf(applied)
  const updatedSlug = updatedSlugOf(state, applied, current)
  return {
    ...(focusBlockId === undefined ? undefined : { focusBlockId }),
    ...(updatedSlug === undefined ? undefined : { updatedSlug }),
    mentionedSlugs: mentionedIn(state, applied, [current, updatedSlug]),
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
  if (created.length === 1 && created[0]) return slugAfter(ops, created[0].page.slug, created[0])
  const copy = ops.find((op) => op.op === 'duplicate_page' && op.pageSlug === current)
  if (copy?.op === 'duplicate_page') return slugAfter(ops, copy.newPageSlug ?? copy.pageSlug, copy)
  if (current === undefined) return undefined
  if (ops.some((op) => op.op === 'rename_page' && op.pageSlug === current)) return slugAfter(ops, current)
  return isGone(state, current) ? firstSlug(state) : undefined
}

/** Returns a slug after the renames that follow an operation, or after all renames. */
function slugAfter(ops: readonly Operation[], slug: string, since?: Operation): string {
  const later = since ? ops.slice(ops.indexOf(since) + 1) : ops
  return later.reduce(
    (now, op) => (op.op === 'rename_page' && op.pageSlug === now ? (op.newPageSlug ?? now) : now),
    slug,
  )
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
