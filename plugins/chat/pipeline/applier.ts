import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory, PageChange } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Committed, CommitRequest, Companion } from '../../draft/port.ts'
import { logLineOf } from '../texts/changes.ts'
import { textsIn } from '../texts/index.ts'
import { timed } from '../types/events.ts'
import type { Note, Step } from '../types/plan.ts'
import {
  Canceled, type Done, type Ended, type Failure, type RollbackReason, type Run, type RunContext,
} from '../types/run.ts'
import type { Deps } from './deps.ts'
import { type CheckedStep, isEffective, type Sound } from './validate.ts'

/** The parameters of one change of the draft. */
export interface Addition {
  /** The draft version that the steps were checked against. */
  readonly expect: number
  /** Further writes in the same transaction. */
  readonly companions?: readonly Companion[]
  /** Writes the session memory in the same transaction. */
  readonly memory?: Companion | undefined
  /** The omissions of the plan. */
  readonly missing?: readonly Note[]
  /** The position of a single step, which is emitted as applied or skipped. */
  readonly place?: { readonly index: number; readonly total: number } | undefined
}

export type Applied =
  | { readonly kind: 'done'; readonly committed: Committed }
  /** No step changes anything. */
  | { readonly kind: 'skipped' }
  /** The draft has changed since the steps were validated. */
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'refused' } & Failure)

/** The maximum number of retries of a change after concurrent changes of the draft. */
export const mostMoves = 20

/** Applies the operations of one run, reports them as one change, and can roll them back. */
export type RunApplier = ReturnType<typeof createRunApplier>

function createRunApplier(run: Run, { draft, selection }: RunContext, deps: Deps) {
  const { drafts, playground, stepping } = deps
  const { how, locale, site, record } = run
  let total = nothing
  let newest: Committed | undefined
  /** The version before the first operation. */
  let since = 0
  let appliedAt = Number.NEGATIVE_INFINITY
  /** The number of draft changes by this run. */
  let changes = 0
  const kept = new Set<string>()
  let isRemembered = false

  const commit = (edit: CommitRequest['edit'], more: Partial<CommitRequest> = {}): Promise<Committed> => {
    const { actor = { kind: 'person' } } = how
    const request = { id: run.id, actor, channel: 'chat', requestId: how.id, edit, ...more } as const
    return drafts.commit(request, (committed) => committed)
  }

  /** The log entry of the run once some more steps are applied. */
  function logLine(added: readonly Step[] = [], missing: readonly Note[] = []): string {
    const ops = [...total.ops, ...added.map(({ op }) => op)]
    const pages = [...[...total.pages.values()].flatMap(({ after }) => after ?? []), ...draft.pages]
    return logLineOf(ops, missing, { locale, manifest: site.manifest }, pages)
  }

  /** Commits steps. Throws refusals unrelated to the plan, such as a store that cannot write. */
  async function commitSteps(added: readonly Step[], addition: Addition): Promise<Applied> {
    const { expect, companions = [], memory, missing } = addition
    const also = together(memory ? [...companions, memory] : companions)
    const ops = added.map(({ op }) => op)
    const of = { ...site, playground, currentSlug: selection.slug, summary: logLine(added, missing) }
    const edit = { kind: 'operations', source: 'planner', ops, ...of } as const
    try {
      return { kind: 'done', committed: await commit(edit, { run: how.id, expect, also }) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, status, reason } = error
      if (code === 'version_mismatch') return { kind: 'moved' }
      if (isCategory(code)) return { kind: 'refused', why: 'unfit', category: code, reason }
      if (status === 413) return { kind: 'refused', why: 'too_large', category: 'operation_failed', reason }
      throw error
    }
  }

  return {
    /** The number of operations of the run in the draft. */
    get count() {
      return total.ops.length
    },
    /** The draft version after the last change by the run; `undefined` before the first one. */
    get version() {
      return newest?.previewVersion
    },
    /** True once the session memory was written with a change. */
    get isRemembered() {
      return isRemembered
    },
    /** Pages on which changes remained after a rollback. */
    get kept(): readonly string[] {
      return [...kept]
    },
    /** Whether only this run has changed the draft since a version. */
    isAlone: (since: number): boolean => newest === undefined || newest.previewVersion === since + changes,
    /** Waits until the next step is due, or the signal aborts. */
    async due(signal: AbortSignal): Promise<void> {
      const left = appliedAt + stepping.stepMs - performance.now()
      if (left > 0) await pause(left, undefined, { signal }).catch(() => undefined)
    },
    /** Applies the steps that change something as one change, all or nothing. */
    async add(added: readonly CheckedStep[], addition: Addition): Promise<Applied> {
      const { place, memory } = addition
      const effective = added.filter(isEffective)
      const [first] = added
      if (effective.length === 0) {
        const { op, skipped: reason } = first ?? {}
        if (place && reason) how.emit({ type: 'op_skipped', ...place, op, reason })
        return { kind: 'skipped' }
      }
      const applied = await timed(how, 'apply', () => commitSteps(effective, addition))
      if (applied.kind !== 'done') return applied
      const { committed } = applied
      const { previewVersion, results: { focusBlockId = null, updatedSlug } = {} } = committed
      if (total.ops.length === 0) since = previewVersion - 1
      total = joined(total, committed)
      newest = committed
      changes += 1
      appliedAt = performance.now()
      isRemembered ||= memory !== undefined
      record.reached('first_op_applied')
      if (place) {
        const op = effectiveOps(committed)[0] ?? first?.op
        const to = { previewVersion, focusBlockId, ...(updatedSlug !== undefined && { updatedSlug }) }
        how.emit({ type: 'op_applied', ...place, op, ...to })
      }
      return applied
    },
    /** Rolls back the applied operations as one further change; skips pages with later changes by others. */
    async rollBack(reason: RollbackReason): Promise<void> {
      const { length: appliedCount } = total.ops
      if (appliedCount === 0) return
      const texts = textsIn(locale)
      const summary = texts.rolledBack(logLine())
      total = nothing
      how.emit({ type: 'rollback_started', appliedCount, reason: texts.rollingBack(reason) })
      newest = await commit({ kind: 'rollback', run: how.id, since, summary })
      how.emit({ type: 'rollback_done', ...(newest.changed && { restoredVersion: newest.previewVersion }) })
      if (newest.changed) changes += 1
      for (const slug of newest.kept ?? []) kept.add(slug)
    },
    /** Returns all applied operations as one change, including a commit in progress. */
    done({ results, notes }: Sound, suggestions: readonly string[], underWay?: Committed): Done {
      const last = underWay ?? newest
      if (!last) throw new Error('a plan that was applied has changed the draft')
      const { pages, ops } = underWay ? joined(total, underWay) : total
      return { committed: { ...last, pages, ...(results && { results }) }, ops, notes, suggestions }
    },
  }
}

/**
 * Runs a job that changes the draft with the applier of a run. The changes stay only if the ending is
 * `applied`; after any other ending, or if the job fails or is canceled, they are rolled back.
 */
export async function withApplier(
  run: Run, context: RunContext, deps: Deps, job: (applier: RunApplier) => Promise<Ended>,
): Promise<Ended> {
  const applier = createRunApplier(run, context, deps)
  const { ending, place } = await job(applier).catch(async (error: unknown) => {
    await applier.rollBack(error instanceof Canceled ? 'canceled' : 'ended')
    if (!(error instanceof Canceled) || applier.kept.length === 0) throw error
    const texts = textsIn(run.locale)
    throw new Canceled(error.message, { notice: `${texts.stopped()} ${texts.kept(applier.kept)}` })
  })
  if (ending.kind !== 'applied') await applier.rollBack(ending.kind === 'held' ? 'held' : 'ended')
  return { ending, place: { ...place, version: applier.version ?? place.version, kept: applier.kept } }
}

/** The sum of several changes. */
interface Total {
  readonly ops: readonly Operation[]
  readonly pages: ReadonlyMap<string, PageChange>
}

const nothing: Total = { ops: [], pages: new Map() }

function joined({ ops, pages: earlier }: Total, committed: Committed): Total {
  const pages = new Map(earlier)
  for (const [slug, { before, after }] of committed.pages) {
    pages.set(slug, { before: earlier.has(slug) ? earlier.get(slug)?.before : before, after })
  }
  return { ops: [...ops, ...effectiveOps(committed)], pages }
}

/** The operations of a commit that changed something, with resolved ids and slugs. */
function effectiveOps({ ops = [], results }: Committed): readonly Operation[] {
  const skipped = new Set(results?.skippedOps.map(({ index }) => index - 1))
  return ops.filter((_, index) => !skipped.has(index))
}

const categories: ReadonlySet<string> = new Set<ErrorCategory>([
  'schema_violation', 'not_found', 'no_effective_change', 'operation_failed', 'planner_refusal',
])
const isCategory = (code: string): code is ErrorCategory => categories.has(code)

/** Combines several companions into one. */
const together = (companions: readonly Companion[]): Companion => async (tx) => {
  const writes: Awaited<ReturnType<Companion>>[] = []
  for (const companion of companions) writes.push(await companion(tx))
  return async (committed) => {
    for (const write of writes) await write(committed)
  }
}
