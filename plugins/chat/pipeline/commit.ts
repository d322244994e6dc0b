import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory, PageChange } from '../../content/model.ts'
import type { Companion } from '../../draft/port.ts'
import { changeLines, summaryOf } from '../texts/changes.ts'
import type { Note } from '../types/plan.ts'
import { timed } from '../types/record.ts'
import type { Done, Failure } from '../types/run.ts'
import type { MessageRun, RunContext } from './run.ts'
import type { Sound } from './validate.ts'

/** The maximum number of retries of a change after concurrent changes of the draft. */
export const mostMoves = 20

/** A change of the draft. */
export type CommittedChange = Pick<Done, 'committed' | 'ops' | 'changes' | 'met'>

type RunCommitted =
  | ({ readonly kind: 'done' } & CommittedChange)
  /** The draft has changed since the plan was validated. */
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'refused' } & Failure)

interface CommitOptions {
  /** Further writes in the same transaction. */
  readonly also: readonly Companion[]
  /** The lines of all operations of the run, and what it leaves out, for the log. */
  readonly changes: readonly string[]
  readonly omitted: readonly Note[]
  /** Whether the run has further steps. */
  readonly continues?: boolean
  /** The number of operations that were reported before. */
  readonly reported?: number
}

/** One line for each operation of a plan that changes something. */
export function linesOf(
  { steps, change }: Sound,
  { site }: MessageRun,
  { draft }: RunContext,
): readonly string[] {
  const ops = steps.map(({ op }) => op)
  const after = [...change.pages.values()].flatMap((page) => page.after ?? [])
  return changeLines(ops, 'done', site, after, draft.pages)
}

/**
 * Commits a validated plan as one change, and reports its operations. Throws refusals unrelated to the plan,
 * such as a store that cannot write.
 */
export async function commitPlan(
  run: MessageRun,
  { draft, selection }: RunContext,
  { all, steps, applied }: Sound,
  { also, changes, omitted, continues, reported = 0 }: CommitOptions,
): Promise<RunCommitted> {
  const { chat, how, site, id } = run
  let met: CommittedChange['met'] = []
  const report = (found: CommittedChange['met']): void => void (met = found)
  const outdating = chat.pendingPlans.outdating(id, { by: how.actor, source: site, report })
  const request = {
    id,
    actor: how.actor ?? ({ kind: 'person' } as const),
    channel: 'chat',
    run: run.changeRun,
    continues,
    expect: draft.version,
    also: together([...also, outdating]),
    edit: {
      kind: 'operations',
      source: 'planner',
      ops: all.map(({ op }) => op),
      ...site,
      playground: chat.playground,
      currentSlug: selection.slug,
      summary: summaryOf(changes, omitted, site),
      // What was validated is committed.
      applied,
    },
  } as const
  const committed = await timed(how, 'apply', () => chat.drafts.commit(request, (made) => made)).catch(
    refusedAs,
  )
  if ('kind' in committed) return committed
  run.record.reached('first_op_applied')
  const { previewVersion, results: { focusBlockId = null, updatedSlug } = {} } = committed
  const to = { previewVersion, focusBlockId, ...(updatedSlug !== undefined && { updatedSlug }) }
  for (const [at, { op, skipped: reason }] of all.entries()) {
    const place = { index: reported + at + 1, total: reported + all.length }
    if (reason) how.emit({ type: 'op_skipped', ...place, op, reason })
    else how.emit({ type: 'op_applied', ...place, op, ...to })
  }
  return { kind: 'done', committed, ops: steps.map(({ op }) => op), changes, met }
}

function refusedAs(error: unknown): Exclude<RunCommitted, { kind: 'done' }> {
  if (!(error instanceof Refusal)) throw error
  const { code, status, reason } = error
  if (code === 'version_mismatch') return { kind: 'moved' }
  if (isCategory(code)) return { kind: 'refused', category: code, reason }
  if (status === 413 || code === 'slug_unreadable')
    return { kind: 'refused', category: 'operation_failed', reason }
  throw error
}

/** The sum of two changes of one run; the later one has the lines of both. */
export function joined(earlier: CommittedChange, later: CommittedChange): CommittedChange {
  const pages = new Map<string, PageChange>(earlier.committed.pages)
  for (const [slug, { before, after }] of later.committed.pages) {
    pages.set(slug, { before: pages.has(slug) ? pages.get(slug)?.before : before, after })
  }
  const { results } = earlier.committed
  const mentionedSlugs = [...new Set([...(results?.mentionedSlugs ?? []), ...later.committed.pages.keys()])]
  const committed = { ...later.committed, pages, ...(results && { results: { ...results, mentionedSlugs } }) }
  const ops = [...earlier.ops, ...later.ops]
  return { committed, ops, changes: later.changes, met: [...earlier.met, ...later.met] }
}

const categories: ReadonlySet<string> = new Set<ErrorCategory>([
  'schema_violation',
  'not_found',
  'no_effective_change',
  'operation_failed',
  'planner_refusal',
])
const isCategory = (code: string): code is ErrorCategory => categories.has(code)

/** Combines several companions into one. */
export const together =
  (companions: readonly Companion[]): Companion =>
  async (tx) => {
    const writes: Awaited<ReturnType<Companion>>[] = []
    for (const companion of companions) writes.push(await companion(tx))
    return async (committed) => {
      for (const write of writes) await write(committed)
    }
  }
