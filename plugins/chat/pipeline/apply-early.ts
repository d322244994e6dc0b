import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import type { DraftSnapshot } from '../types/planner.ts'
import type { RollbackReason, Run, RunContext } from '../types/run.ts'
import type { RunApplier } from './applier.ts'
import type { Deps } from './deps.ts'
import { gate } from './gate.ts'
import { check } from './validate.ts'

/** Operations that wait for the complete plan, as do all operations after them. */
const neverEarly: ReadonlySet<Operation['op']> = new Set([
  'create_page', 'duplicate_page', 'rename_page', 'remove_page', 'move_page', 'remove_block', 'remove_item',
  'update_site_config',
])

/** The operations applied before their plan was complete. */
export interface Begun {
  /** The operations as the planner emitted them, each applied, skipped or left out. */
  readonly ops: readonly Operation[]
  /** The number of operations reported as applied or skipped. */
  readonly reported: number
  /** The total number of operations emitted by the planner. */
  readonly candidates: number
}

export const nothingBegun: Begun = { ops: [], reported: 0, candidates: 0 }

/** The operations of one attempt of a planner. */
interface Attempt {
  readonly seen: Operation[]
  readonly handled: Operation[]
  /** The operations that changed something, with resolved ids and slugs. */
  readonly applied: Operation[]
  /** The number of operations reported as applied or skipped. */
  reported: number
  draft: DraftSnapshot
  /** True if further operations wait for the complete plan. */
  isWaiting: boolean
}

/**
 * Applies operations while their plan is still being written, if they can be validated separately.
 *
 * Each is validated like a complete plan, and the gate sees all operations so far. One that has to wait makes
 * the rest wait. A failed or held operation, or a new attempt of the planner, rolls back the applied ones.
 */
export function startEarly(run: Run, context: RunContext, applier: RunApplier, deps: Deps) {
  const { how, record } = run
  const { pages } = context.draft
  const isWaiting = !deps.stepping.isEarly || run.isPlanFirst
  const begin = (): Attempt =>
    ({ seen: [], handled: [], applied: [], reported: 0, draft: context.draft, isWaiting })
  /** Aborts when the plan is complete, which also ends the wait for the next step. */
  const complete = new AbortController()
  const stopped = AbortSignal.any([how.signal, complete.signal])
  let attempt = begin()
  let work: Promise<void> = Promise.resolve()

  function enqueue(job: () => Promise<void>): void {
    work = work.then(job)
    // `stop` throws the error; until then it must not be an unhandled rejection.
    work.catch(() => undefined)
  }

  function saw(index: number, op: Operation): void {
    if (index <= attempt.seen.length) again()
    const mine = attempt
    // Operations of a planner are untrusted; a plan with too many of them is refused later.
    const isUsable = parseOperations([op]).ok && mine.seen.length < deps.maxOperations
    if (!isUsable) return void (mine.isWaiting = true)
    mine.seen.push(op)
    enqueue(async () => {
      if (mine === attempt && !stopped.aborted) await handle(op, mine)
    })
  }

  /** Starts a new attempt, which voids the earlier operations of the planner. */
  function again(): void {
    const fresh = (attempt = begin())
    enqueue(async () => {
      await applier.rollBack('again')
      fresh.draft = { ...context.draft, version: applier.version ?? context.draft.version }
      // After a concurrent change the draft differs from the one at the start of the run.
      fresh.isWaiting ||= !applier.isAlone(context.draft.version)
    })
  }

  async function rollBack(why: RollbackReason, mine: Attempt): Promise<void> {
    mine.isWaiting = true
    // With nothing to roll back, the reported skips still count.
    if (applier.count === 0) return
    mine.handled.length = 0
    mine.reported = 0
    await applier.rollBack(why)
  }

  async function handle(op: Operation, mine: Attempt): Promise<void> {
    const ops = [...mine.applied, ...mine.seen.slice(mine.handled.length)]
    if (gate(run, ops, pages)) return rollBack('held', mine)
    mine.isWaiting ||= neverEarly.has(op.op) || !how.isStreamed
    if (mine.isWaiting) return
    const { draft } = mine
    const checked = check([{ op }], run, { ...context, draft }, deps)
    if (!checked.ok) return rollBack('unfit', mine)
    const [step] = checked.all
    // For example a move to the same place: whether it changes anything depends on the rest of the plan.
    if (step && !step.skipped && checked.steps.length === 0) return void (mine.isWaiting = true)
    await applier.due(stopped)
    if (stopped.aborted || mine !== attempt) return
    if (step) {
      const index = mine.reported + 1
      const applied = await applier.add([step], { expect: draft.version, place: { index, total: index } })
      if (applied.kind === 'refused') return rollBack('unfit', mine)
      if (applied.kind === 'moved') return void (mine.isWaiting = true)
      mine.reported = index
      if (applied.kind === 'done') {
        mine.applied.push(step.op)
        const { pages: changed, previewVersion: version } = applied.committed
        const now = draft.pages.map((page) => changed.get(page.slug)?.after ?? page)
        mine.draft = { ...draft, version, pages: now }
      }
    }
    mine.handled.push(op)
  }

  const watched: Run = {
    ...run,
    how: {
      ...how,
      emit(event) {
        how.emit(event)
        if (event.type === 'op_candidate') saw(event.index, event.op)
      },
    },
    record: {
      ...record,
      attempting(facts) {
        record.attempting(facts)
        if (facts.attempt > 1) again()
      },
      wantsImages: () => void (attempt.isWaiting = true),
    },
  }
  return {
    /** The run to pass to the planner; its events are observed. */
    run: watched,
    /** Stops applying, and waits for work in progress. Throws its error. */
    async stop(): Promise<Begun> {
      // Without a reason, each run would create an error with a stack.
      complete.abort('the plan is complete')
      await work
      const { seen, handled, reported } = attempt
      return { candidates: seen.length, ops: handled, reported }
    },
  }
}
