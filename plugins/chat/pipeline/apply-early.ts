import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import type { RollbackReason } from '../types/ending.ts'
import type { DraftSnapshot } from '../types/planner.ts'
import type { Run, RunContext } from '../types/run.ts'
import type { RunApplier } from './applier.ts'
import { applyStep } from './apply-steps.ts'
import type { Deps } from './deps.ts'
import { gate } from './gate.ts'
import { check } from './validate.ts'

/** These wait for the complete plan, and so does everything that comes after the first of them. */
const neverEarly: ReadonlySet<Operation['op']> = new Set([
  'create_page',
  'duplicate_page',
  'rename_page',
  'remove_page',
  'move_page',
  'remove_block',
  'remove_item',
  'update_site_config',
])

/** What was done of a plan before it was complete. */
export interface Begun {
  /** Operations as the planner told them, each applied, skipped or left out. */
  readonly ops: readonly Operation[]
  /** How many of them were told as applied or skipped. */
  readonly told: number
  /** How many the planner told, these and further ones. */
  readonly candidates: number
}

export const nothingBegun: Begun = { ops: [], told: 0, candidates: 0 }

export interface Early {
  /** The run for the planner: what it tells of its plan is heard. */
  readonly run: Run
  /** Applies nothing more, and waits for what is under way. Throws what went wrong meanwhile. */
  stop(): Promise<Begun>
}

/** What became of the operations that one attempt of a planner told. */
interface Attempt {
  readonly seen: Operation[]
  readonly dealt: Operation[]
  /** Those of them that changed something, with ids and slugs as they turned out. */
  readonly applied: Operation[]
  /** How many of them were told as applied or skipped. */
  told: number
  draft: DraftSnapshot
  /** What comes now waits for the complete plan. */
  isWaiting: boolean
  /** It was taken back: the complete plan is looked at as a whole. */
  isOver: boolean
}

/**
 * Applies operations while their plan is still being written, as far as they can be judged alone.
 *
 * Each passes the same checks as a complete plan, and the gate looks at all that were told so far. The first that has to wait
 * makes the rest wait; one that fails or is held, and a planner that begins anew, take back what is there.
 */
export function startEarly(run: Run, context: RunContext, applier: RunApplier, deps: Deps): Early {
  const { how, record, site } = run
  const isAllowed = deps.stepping.isEarly && !run.isPlanFirst
  let hasEnded = false
  /** Ends the wait for the next step, while there is one. */
  let pausing: AbortController | undefined
  const isStopped = (): boolean => hasEnded || how.signal.aborted
  let attempt = begin(context.draft)
  let work: Promise<void> = Promise.resolve()

  function enqueue(job: () => Promise<void>): void {
    work = work.then(job)
    // Whoever stops is told; nobody has to be before that.
    work.catch(() => undefined)
  }

  function saw(index: number, op: Operation): void {
    if (index <= attempt.seen.length) again()
    const mine = attempt
    // Whoever plans, what they tell is read like anything from outside.
    // The complete plan is refused anyway when it has more operations than may be.
    if (!parseOperations([op]).ok || mine.seen.length >= deps.maxOperations) return void (mine.isWaiting = true)
    mine.seen.push(op)
    enqueue(async () => {
      if (isAllowed && mine === attempt && !mine.isOver && !isStopped()) await deal(op, mine)
    })
  }

  /** The planner begins anew: its earlier operations count for nothing. */
  function again(): void {
    const fresh = (attempt = begin(context.draft))
    enqueue(async () => {
      await applier.rollBack('again')
      fresh.draft = { ...context.draft, version: applier.version ?? context.draft.version }
      // Where somebody else has changed the draft meanwhile, it is not the one that the run began with.
      fresh.isWaiting ||= !applier.isAlone(context.draft.version)
    })
  }

  async function rollBack(why: RollbackReason, mine: Attempt): Promise<void> {
    // Where nothing is to be taken back, what was told as skipped still holds.
    if (applier.count > 0) mine.isOver = true
    else mine.isWaiting = true
    await applier.rollBack(why)
  }

  async function deal(op: Operation, mine: Attempt): Promise<void> {
    const all = [...mine.applied, ...mine.seen.slice(mine.dealt.length)]
    if (gate(run, { steps: all.map((each) => ({ op: each })) }, context.draft).kind === 'hold') return rollBack('held', mine)
    mine.isWaiting ||= neverEarly.has(op.op) || !how.isStreamed
    if (mine.isWaiting) return
    const { draft } = mine
    const { slug } = context.selection
    const checked = check([{ op }], { draft, slug, site }, deps)
    if (checked.kind !== 'sound') return rollBack('unfit', mine)
    const [step] = checked.all
    // Such as a move to the same place: whether it counts depends on the rest of the plan.
    const isIdle = step !== undefined && !step.skipped && checked.steps.length === 0
    if (isIdle) return void (mine.isWaiting = true)
    pausing = new AbortController()
    await applier.due(AbortSignal.any([how.signal, pausing.signal]))
    if (isStopped() || mine !== attempt) return
    if (step) {
      const index = mine.told + 1
      const addition = { site, slug, expect: draft.version, beside: [], pages: draft.pages }
      const applied = await applyStep(run, step, { index, total: index, addition }, applier)
      if (applied.kind === 'refused') return rollBack('unfit', mine)
      if (applied.kind === 'moved') return void (mine.isWaiting = true)
      mine.told = index
      if (applied.kind === 'done') {
        mine.applied.push(step.op)
        const { pages, previewVersion: version } = applied.committed
        mine.draft = { ...draft, version, pages: draft.pages.map((page) => pages.get(page.slug)?.after ?? page) }
      }
    }
    mine.dealt.push(op)
  }

  return {
    run: {
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
    },
    async stop() {
      hasEnded = true
      pausing?.abort()
      await work
      const { seen, dealt, told, isOver } = attempt
      return { candidates: seen.length, ...(isOver ? { ops: [], told: 0 } : { ops: dealt, told }) }
    },
  }
}

const begin = (draft: DraftSnapshot): Attempt => ({ seen: [], dealt: [], applied: [], told: 0, draft, isWaiting: false, isOver: false })
