import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory, PageChange } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { Committed, Companion } from '../../draft/port.ts'
import { logLineOf } from '../texts/changes.ts'
import { textsIn } from '../texts/index.ts'
import type { Done, Ended, RollbackReason, Unapplied } from '../types/ending.ts'
import { timed } from '../types/events.ts'
import type { Note, Step } from '../types/plan.ts'
import { Canceled, type DeclaredSite, type Run } from '../types/run.ts'
import type { Sound } from '../validate/index.ts'
import type { Deps } from './deps.ts'

/** Steps that become one change of the draft. */
export interface Addition {
  readonly steps: readonly Step[]
  readonly site: DeclaredSite
  readonly slug: string
  /** The version of the draft that they were checked against. */
  readonly expect: number
  /** Writes in the same transaction. */
  readonly beside: readonly Companion[]
  /** The pages that the run began with. */
  readonly pages: readonly Page[]
  /** What is still missing of the plan. */
  readonly notes?: readonly Note[]
}

export type Applied =
  | { readonly kind: 'done'; readonly committed: Committed }
  /** The draft has changed since the steps were validated. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly why: Unapplied; readonly category: ErrorCategory; readonly reason: string }

/** How often a change is tried again after concurrent changes of the draft. */
export const mostMoves = 20

/** Applies operations of one run: they can be added to, reported as one change, and rolled back. */
export type RunApplier = ReturnType<typeof createRunApplier>

/** Makes the applier of a run. */
function createRunApplier({ id: draftId, how, locale, site: { manifest }, timeline }: Run, { drafts, playground, stepping }: Pick<Deps, 'drafts' | 'playground' | 'stepping'>) {
  let steps: readonly Step[] = []
  let logLine = ''
  let total = nothing
  let newest: Committed | undefined
  /** The version before the first operation. */
  let since = 0
  let appliedAt = Number.NEGATIVE_INFINITY
  /** How many changes of the draft this run has made. */
  let changes = 0
  const kept = new Set<string>()
  const { actor = { kind: 'person' } } = how
  const change = { id: draftId, actor, channel: 'chat', requestId: how.id } as const

  /** Refusals that say nothing about the plan, such as a store that cannot write, are thrown. */
  async function commit({ steps: added, site, slug, expect, beside }: Addition, summary: string): Promise<Applied> {
    const ops = added.map(({ op }) => op)
    const edit = { kind: 'operations', source: 'planner', ops, ...site, playground, summary, currentSlug: slug } as const
    try {
      return { kind: 'done', committed: await drafts.commit({ ...change, edit, run: how.id, expect, also: together(beside) }, (committed) => committed) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'version_mismatch') return { kind: 'moved' }
      if (isCategory(error.code)) return { kind: 'refused', why: 'unfit', category: error.code, reason: error.reason }
      if (error.status === 413) return { kind: 'refused', why: 'too_large', category: 'operation_failed', reason: error.reason }
      throw error
    }
  }

  return {
    /** How many operations of the run are in the draft. */
    get count() {
      return total.ops.length
    },
    /** The version at which the run left the draft; `undefined` before it changed anything. */
    get version() {
      return newest?.previewVersion
    },
    /** Pages on which something stayed after a rollback. */
    get kept(): readonly string[] {
      return [...kept]
    },
    /** Whether only this run has changed the draft since a version. */
    isAlone: (version: number): boolean => newest === undefined || newest.previewVersion === version + changes,
    /** Waits until the next step is due, or the signal aborts. */
    async due(signal: AbortSignal): Promise<void> {
      const left = appliedAt + stepping.stepMs - performance.now()
      if (left > 0) await pause(left, undefined, { signal }).catch(() => undefined)
    },
    /** Applies steps as one change, all or nothing. */
    async add(addition: Addition): Promise<Applied> {
      const all = [...steps, ...addition.steps]
      const pages = [...[...total.pages.values()].flatMap(({ after }) => after ?? []), ...addition.pages]
      const line = (missing: readonly Note[]): string => logLineOf(all, missing, { locale, manifest }, pages)
      const applied = await timed(how, 'apply', () => commit(addition, line(addition.notes ?? [])))
      if (applied.kind !== 'done') return applied
      if (total.ops.length === 0) since = applied.committed.previewVersion - 1
      steps = all
      logLine = line([])
      total = joined(total, applied.committed)
      newest = applied.committed
      changes += 1
      appliedAt = performance.now()
      timeline.reached('first_op_applied')
      return applied
    },
    /** Rolls back what the run applied, as one further change; pages with later changes by others stay. */
    async rollBack(reason: RollbackReason): Promise<void> {
      const { length: appliedCount } = total.ops
      if (appliedCount === 0) return
      total = nothing
      steps = []
      const texts = textsIn(locale)
      how.emit({ type: 'rollback_started', appliedCount, reason: texts.rollingBack(reason) })
      newest = await drafts.commit({ ...change, edit: { kind: 'rollback', run: how.id, since, summary: texts.rolledBack(logLine) } }, (committed) => committed)
      how.emit({ type: 'rollback_done', ...(newest.changed && { restoredVersion: newest.previewVersion }) })
      if (newest.changed) changes += 1
      for (const slug of newest.kept ?? []) kept.add(slug)
    },
    /** Everything that was added, including a commit under way, as if it were one change. */
    done({ results, notes }: Sound, suggestions: readonly string[], underWay?: Committed): Done {
      const last = underWay ?? newest
      if (!last) throw new Error('a plan that was applied has changed the draft')
      const { pages, ops } = underWay ? joined(total, underWay) : total
      return { committed: { ...last, pages, ...(results && { results }) }, ops, notes, suggestions }
    },
  }
}

/**
 * Lets a job change the draft by the applier of a run. Only an ending that says `applied` leaves the changes in the draft:
 * with every other one, and when the job fails or is canceled, they are rolled back first.
 */
export async function withApplier(run: Run, deps: Pick<Deps, 'drafts' | 'playground' | 'stepping'>, job: (applier: RunApplier) => Promise<Ended>): Promise<Ended> {
  const applier = createRunApplier(run, deps)
  const ended = await job(applier).catch(async (error: unknown) => {
    await applier.rollBack(error instanceof Canceled ? 'canceled' : 'ended')
    if (!(error instanceof Canceled) || applier.kept.length === 0) throw error
    const texts = textsIn(run.locale)
    throw new Canceled(error.message, { notice: `${texts.stopped()} ${texts.kept(applier.kept)}` })
  })
  const { ending, place } = ended
  if (ending.kind !== 'applied') await applier.rollBack(ending.kind === 'held' ? 'held' : 'ended')
  return { ...ended, place: { ...place, version: applier.version ?? place.version, kept: applier.kept } }
}

/** The sum of several changes. */
interface Total {
  readonly ops: readonly Operation[]
  readonly pages: ReadonlyMap<string, PageChange>
}

const nothing: Total = { ops: [], pages: new Map() }

function joined({ ops, pages: earlier }: Total, committed: Committed): Total {
  const pages = new Map(earlier)
  for (const [slug, { before, after }] of committed.pages) pages.set(slug, { before: earlier.has(slug) ? earlier.get(slug)?.before : before, after })
  return { ops: [...ops, ...effectiveOps(committed)], pages }
}

/** The operations of a commit that changed something, with resolved ids and slugs. */
export function effectiveOps({ ops = [], results }: Committed): readonly Operation[] {
  const skipped = new Set(results?.skippedOps.map(({ index }) => index - 1))
  return ops.filter((_, index) => !skipped.has(index))
}

const categories: ReadonlySet<string> = new Set<ErrorCategory>(['schema_violation', 'not_found', 'no_effective_change', 'operation_failed', 'planner_refusal'])
const isCategory = (code: string): code is ErrorCategory => categories.has(code)

/** Several companions as one. */
const together = (companions: readonly Companion[]): Companion => async (tx) => {
  const writes: Awaited<ReturnType<Companion>>[] = []
  for (const companion of companions) writes.push(await companion(tx))
  return async (committed) => {
    for (const write of writes) await write(committed)
  }
}
