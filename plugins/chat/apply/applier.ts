import { setTimeout as pause } from 'node:timers/promises'
import type { PageChange } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import type { Committed } from '../../draft/port.ts'
import type { Done } from '../run/ending.ts'
import type { Run } from '../run/run.ts'
import { whileTold } from '../run/told-work.ts'
import { logLineOf, logLineWith } from '../texts/plan-texts.ts'
import type { Sound } from '../validate/index.ts'
import type { Note, Step } from '../validate/step.ts'
import { apply, effectiveOps, type Applied, type ApplyParts, type Change } from '../stages/apply.ts'
import { rollback, type Why } from './rollback.ts'

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
      const tongue = { locale: run.locale, manifest: run.site.manifest }
      const line = logLineOf(all, tongue, [...[...made.pages.values()].flatMap(({ after }) => after ?? []), ...known])
      const applied = await whileTold(run.how, 'apply', () => apply(run, { ...change, logLine: logLineWith(line, notes, tongue) }, parts))
      if (applied.kind !== 'done') return applied
      if (made.ops.length === 0) since = applied.committed.previewVersion - 1
      steps = all
      logLine = line
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
