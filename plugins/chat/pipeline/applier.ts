import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory, PageChange } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { Committed, Companion, Drafts, Playground } from '../../draft/port.ts'
import type { ApplySettings } from '../apply-settings.ts'
import { textsIn } from '../texts/index.ts'
import type { Remark } from '../types/plan.ts'
import { logLineOf } from '../texts/changes.ts'
import type { Done, Ended, Unapplied, Why } from '../types/ending.ts'
import type { Note, Step } from '../types/plan.ts'
import { Canceled, type DeclaredSite, type Run } from '../types/run.ts'
import type { Sound } from '../validate/index.ts'
import { timed } from './record.ts'

export interface Addition extends Omit<Change, 'logLine'> {
  /** The pages that the run began with. */
  readonly pages: readonly Page[]
  /** What is not there of the plan yet, and stays out where nothing follows. */
  readonly notes?: readonly Note[]
}

/** The hand of one run in the draft: what it did can be added to, told as a whole, and taken back. */
export interface Applier {
  /** How many operations of the run are in the draft. */
  readonly count: number
  /** The version at which the run left the draft; `undefined` before it changed anything. */
  readonly version: number | undefined
  /** Whether nobody else has changed the draft between this version and what the run did last. */
  isAlone(since: number): boolean
  /** Pages on which something was left when it was taken back. */
  readonly kept: readonly string[]
  /** Waits until the next step is due, or the signal aborts. */
  due(signal: AbortSignal): Promise<void>
  /** One change. */
  add(addition: Addition): Promise<Applied>
  /** Takes back what is there of the run, if anything; tells of it. */
  takeBack(why: Why): Promise<void>
  /** Everything that was added, and what a commit adds that is under way, as if it had been one change. */
  done(plan: Sound, suggestions: readonly string[], underWay?: Committed): Done
}

/** Makes the hand of a run, which waits for so many milliseconds between two steps. */
export function createApplier(run: Run, parts: ApplyParts, stepMs: number): Applier {
  let steps: readonly Step[] = []
  let logLine = ''
  let made: Made = nothingMade
  let newest: Committed | undefined
  /** The version before the first of it. */
  let since = 0
  let appliedAt = Number.NEGATIVE_INFINITY
  /** How many changes of the draft were made by this hand. */
  let changes = 0
  const kept = new Set<string>()

  return {
    get count() {
      return made.ops.length
    },
    get version() {
      return newest?.previewVersion
    },
    isAlone: (from) => newest === undefined || newest.previewVersion === from + changes,
    get kept() {
      return [...kept]
    },
    async due(signal) {
      const left = appliedAt + stepMs - performance.now()
      if (left > 0) await pause(left, undefined, { signal }).catch(() => undefined)
    },
    async add({ pages: known, notes = [], ...change }) {
      const all = [...steps, ...change.steps]
      const line = (missing: readonly Remark[]): string =>
        logLineOf(all, missing, { locale: run.locale, manifest: run.site.manifest }, [...[...made.pages.values()].flatMap(({ after }) => after ?? []), ...known])
      const applied = await timed(run.how, 'apply', () => apply(run, { ...change, logLine: line(notes) }, parts))
      if (applied.kind !== 'done') return applied
      if (made.ops.length === 0) since = applied.committed.previewVersion - 1
      steps = all
      logLine = line([])
      made = joined(made, applied.committed)
      newest = applied.committed
      changes += 1
      appliedAt = performance.now()
      run.timeline.reached('first_op_applied')
      return applied
    },
    async takeBack(why) {
      const count = made.ops.length
      if (count === 0) return
      made = nothingMade
      newest = await rollback(run, { why, count, since, logLine }, parts)
      if (newest.changed) changes += 1
      for (const slug of newest.kept ?? []) kept.add(slug)
      steps = []
    },
    done(plan, suggestions, underWay) {
      const last = underWay ?? newest
      if (!last) throw new Error('a plan that was applied has changed the draft')
      const { pages, ops } = underWay ? joined(made, underWay) : made
      const { results } = plan
      return { committed: { ...last, pages, ...(results && { results }) }, ops, notes: plan.notes, suggestions }
    },
  }
}

/** What several changes come to. */
interface Made {
  readonly ops: readonly Operation[]
  readonly pages: ReadonlyMap<string, PageChange>
}

const nothingMade: Made = { ops: [], pages: new Map() }

function joined({ ops, pages: earlier }: Made, committed: Committed): Made {
  const pages = new Map(earlier)
  for (const [slug, { before, after }] of committed.pages) pages.set(slug, { before: earlier.has(slug) ? earlier.get(slug)?.before : before, after })
  return { ops: [...ops, ...effectiveOps(committed)], pages }
}

/**
 * Lets a job change the draft by the hand of a run. Only an ending that says `applied` leaves what it did: with every other
 * one, and when the job fails or is canceled, it is taken back first.
 */
export async function withApplier(run: Run, parts: ApplyParts & { readonly stepping: ApplySettings }, job: (applier: Applier) => Promise<Ended>): Promise<Ended> {
  const applier = createApplier(run, parts, parts.stepping.stepMs)
  const ended = await job(applier).catch(async (error: unknown) => {
    await applier.takeBack(error instanceof Canceled ? 'canceled' : 'ended')
    if (!(error instanceof Canceled) || applier.kept.length === 0) throw error
    const texts = textsIn(run.locale)
    throw new Canceled(error.message, { told: `${texts.stopped()} ${texts.kept(applier.kept)}` })
  })
  const { ending, place } = ended
  if (ending.kind !== 'applied') await applier.takeBack(ending.kind === 'held' ? 'held' : 'ended')
  return { ...ended, place: { ...place, version: applier.version ?? place.version, kept: applier.kept } }
}

export interface RollbackTask {
  readonly why: Why
  /** How many operations are taken back. */
  readonly count: number
  /** The version before the first of them. */
  readonly since: number
  /** What the log calls them. */
  readonly logLine: string
}

/** Takes back what a run applied, as one further change, and tells it; pages that others have changed since stay. */
export async function rollback(run: Run, { why, count, since, logLine }: RollbackTask, { drafts }: ApplyParts): Promise<Committed> {
  const { actor = { kind: 'person' }, id } = run.how
  const texts = textsIn(run.locale)
  const edit = { kind: 'rollback', run: id, since, summary: texts.tookBack(logLine) } as const
  run.how.emit({ type: 'rollback_started', appliedCount: count, reason: texts.takingBack(why) })
  const committed = await drafts.commit({ id: run.id, edit, actor, channel: 'chat', requestId: id }, (each) => each)
  run.how.emit({ type: 'rollback_done', ...(committed.changed && { restoredVersion: committed.previewVersion }) })
  return committed
}

export interface ApplyParts {
  readonly drafts: Drafts
  readonly playground: Playground | undefined
}

/** So often something is tried again because somebody else has changed the draft in between. */
export const mostMoves = 20

export type Applied =
  | { readonly kind: 'done'; readonly committed: Committed }
  /** Somebody has changed the draft since the steps were checked. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly why: Unapplied; readonly category: ErrorCategory; readonly reason: string }

/** What makes steps of a plan a change: the sentence for the log, and what goes with it. */
export interface Change {
  readonly steps: readonly Step[]
  readonly site: DeclaredSite
  readonly slug: string
  readonly logLine: string
  /** The version of the draft that they were checked against. */
  readonly expect: number
  /** What changes together with it. */
  readonly beside: readonly Companion[]
}

const categories: ReadonlySet<string> = new Set<ErrorCategory>(['schema_violation', 'not_found', 'no_effective_change', 'operation_failed', 'planner_refusal'])
const isCategory = (code: string): code is ErrorCategory => categories.has(code)

/** Several writes beside one change. */
const together = (companions: readonly Companion[]): Companion => async (tx) => {
  const writes: Awaited<ReturnType<Companion>>[] = []
  for (const companion of companions) writes.push(await companion(tx))
  return async (committed) => {
    for (const write of writes) await write(committed)
  }
}

/**
 * Applies steps of a plan as one change, whole or not at all.
 *
 * Refusals that say nothing about the plan, such as a store that cannot write, are thrown.
 */
export async function apply(run: Run, { steps, site, slug, logLine, expect, beside }: Change, { drafts, playground }: ApplyParts): Promise<Applied> {
  const edit = {
    kind: 'operations',
    source: 'planner',
    ops: steps.map(({ op }) => op),
    manifest: site.manifest,
    allowStructuralEdits: site.allowStructuralEdits,
    playground,
    summary: logLine,
    currentSlug: slug,
  } as const
  const { actor = { kind: 'person' }, id } = run.how
  const request = { id: run.id, edit, actor, channel: 'chat', requestId: id, run: id, expect, also: together(beside) } as const
  try {
    return { kind: 'done', committed: await drafts.commit(request, (committed) => committed) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'version_mismatch') return { kind: 'moved' }
    if (isCategory(error.code)) return { kind: 'refused', why: 'unfit', category: error.code, reason: error.reason }
    if (error.status === 413) return { kind: 'refused', why: 'too_large', category: 'operation_failed', reason: error.reason }
    throw error
  }
}

/** The operations of a commit that changed something, as they turned out. */
export function effectiveOps({ ops = [], results }: Committed): readonly Operation[] {
  const skipped = new Set(results?.skippedOps.map(({ index }) => index - 1))
  return ops.filter((_, index) => !skipped.has(index))
}
