import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory, PageChange } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Committed, Companion } from '../../draft/port.ts'
import { logLineOf } from '../texts/changes.ts'
import type { Remark } from '../types/plan.ts'
import { timed } from '../types/record.ts'
import type { Done, Failure } from '../types/run.ts'
import type { Run, RunContext } from './run.ts'
import type { Sound } from './validate.ts'

/** The maximum number of retries of a change after concurrent changes of the draft. */
export const mostMoves = 20

/** A change of the draft; `ops` are its operations that changed something, with resolved ids and slugs. */
export type Change = Pick<Done, 'committed' | 'ops'>

type RunCommitted =
  | ({ readonly kind: 'done' } & Change)
  /** The draft has changed since the plan was validated. */
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'refused' } & Failure)

interface CommitOptions {
  /** Further writes in the same transaction. */
  readonly also: readonly Companion[]
  /** The omissions of the plan, for the log. */
  readonly notes: readonly Remark[]
  /** The operations that the run has committed before. */
  readonly before?: readonly Operation[]
  /** The number of operations that were reported before. */
  readonly reported?: number
}

/**
 * Commits a validated plan as one change, and reports its operations. Throws refusals unrelated to the plan,
 * such as a store that cannot write.
 */
export async function commitPlan(
  run: Run,
  { draft, selection }: RunContext,
  { all, steps, applied }: Sound,
  { also, notes, before = [], reported = 0 }: CommitOptions,
): Promise<RunCommitted> {
  const { chat, how, site, id } = run
  const ops = [...before, ...steps.map(({ op }) => op)]
  const request = {
    id,
    actor: how.actor ?? ({ kind: 'person' } as const),
    channel: 'chat',
    requestId: how.id,
    run: how.id,
    expect: draft.version,
    also: together(also),
    edit: {
      kind: 'operations',
      source: 'planner',
      ops: all.map(({ op }) => op),
      ...site,
      playground: chat.playground,
      currentSlug: selection.slug,
      summary: logLineOf(ops, notes, { manifest: site.manifest }, draft.pages),
      // What was validated is committed.
      applied,
    },
  } as const
  const committed = await timed(how, 'apply', () => chat.drafts.commit(request, (made) => made)).catch(
    refusedAs,
  )
  if ('kind' in committed) return committed
  run.record.reached('first_op_applied')
  const effective = effectiveOps(committed)
  const { previewVersion, results: { focusBlockId = null, updatedSlug } = {} } = committed
  const to = { previewVersion, focusBlockId, ...(updatedSlug !== undefined && { updatedSlug }) }
  let next = 0
  for (const [at, { op: planned, skipped: reason }] of all.entries()) {
    const place = { index: reported + at + 1, total: reported + all.length }
    if (reason) how.emit({ type: 'op_skipped', ...place, op: planned, reason })
    else how.emit({ type: 'op_applied', ...place, op: effective[next++] ?? planned, ...to })
  }
  return { kind: 'done', committed, ops: effective }
}

function refusedAs(error: unknown): Exclude<RunCommitted, { kind: 'done' }> {
  if (!(error instanceof Refusal)) throw error
  const { code, status, reason } = error
  if (code === 'version_mismatch') return { kind: 'moved' }
  if (isCategory(code)) return { kind: 'refused', category: code, reason }
  if (status === 413) return { kind: 'refused', category: 'operation_failed', reason }
  throw error
}

/** The sum of two changes of one run. */
export function joined(earlier: Change, later: Change): Change {
  const pages = new Map<string, PageChange>(earlier.committed.pages)
  for (const [slug, { before, after }] of later.committed.pages) {
    pages.set(slug, { before: pages.has(slug) ? pages.get(slug)?.before : before, after })
  }
  const { results } = earlier.committed
  const mentionedSlugs = [...new Set([...(results?.mentionedSlugs ?? []), ...later.committed.pages.keys()])]
  const committed = { ...later.committed, pages, ...(results && { results: { ...results, mentionedSlugs } }) }
  return { committed, ops: [...earlier.ops, ...later.ops] }
}

/** The operations of a commit that changed something, with resolved ids and slugs. */
function effectiveOps({ ops = [], results }: Committed): readonly Operation[] {
  const skipped = new Set(results?.skippedOps.map(({ index }) => index - 1))
  return ops.filter((_, index) => !skipped.has(index))
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
const together =
  (companions: readonly Companion[]): Companion =>
  async (tx) => {
    const writes: Awaited<ReturnType<Companion>>[] = []
    for (const companion of companions) writes.push(await companion(tx))
    return async (committed) => {
      for (const write of writes) await write(committed)
    }
  }
