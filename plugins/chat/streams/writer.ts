import type { Logger } from '../../../kernel/index.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { everyRun, type Head, eventKey, type Numbered, type Phase, type RunRows } from './rows.ts'
import { createSizes, batchesOf, type Sizes } from './sizes.ts'

/** The maximum number and bytes of the events of one run. The newest event always stays. */
export interface LogLimits<E> {
  readonly events: number
  readonly bytes: number
  /** Merges events beyond the limits; without it, or if that is not enough, the oldest events are dropped. */
  merge?(events: readonly Numbered<E>[]): readonly Numbered<E>[]
  /** Returns the part of a stored event that a reader lacks who has seen those up to a number. */
  unseen?(event: Numbered<E>, seen: number): Numbered<E>
}

/** The place of the runs of one kind, for one process. */
export interface RunStore<E extends object, A> {
  readonly store: Store
  readonly rows: RunRows<E, A>
  /** The id of this process. */
  readonly owner: string
  readonly limits: LogLimits<E>
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
}

/** What the head of a run should be. */
export interface HeadState<E, A> extends Omit<Head<E, A>, 'wishes'> {
  readonly draft: string
  readonly phase: Phase
  /** True if other processes wait for signs of life. */
  readonly isLive: boolean
}

export type Wishes = Head<object, unknown>['wishes']

interface WriterGiven<E extends object, A> extends RunStore<E, A> {
  readonly id: string
  readonly head: () => HeadState<E, A>
  /**
   * Called after each commit with what other processes ask; `undefined` if the run was removed or declared
   * lost.
   */
  readonly committed: (wishes: Wishes | undefined) => Promise<void>
}

/** The end of a log: the numbers of the newest event and of the newest dropped one. */
export interface Tail {
  readonly last: number
  readonly lost: number
  /** True if the newest event is the last one. */
  readonly isEnded: boolean
}

/** The pace of signs of life. */
const signMs = 3_000
/** The number of dropped events after which their rows are removed. */
const removedAtOnce = 100
/** The share of the limits to reduce to after a merge, so that not every event triggers one. */
const freed = 0.9

/**
 * Creates the writer of one run: it numbers events and writes them in batches. While one batch is written the next
 * gathers; while the store cannot write, events wait.
 */
export function createWriter<E extends object, A>(given: WriterGiven<E, A>) {
  const { id, store, limits, log, head, committed } = given
  const sizes = createSizes(limits)
  let waiting: Numbered<E>[] = []
  let [last, lost, removed] = [0, 0, 0]
  let [isNew, isClosed, isAbandoned, isFailing] = [true, false, false, false]
  let turn: Promise<unknown> = Promise.resolve()
  let flushing: Promise<void> | undefined

  async function write(): Promise<void> {
    if (isAbandoned) return
    const [batch, state] = [waiting, head()]
    waiting = []
    const writing = { batch, sizes, lost, removed, isEnded: state.phase === 'ended' }
    const work = store.transaction(async (tx) => {
      const wishes = await writeHead(tx, given, state, isNew)
      return wishes && { wishes, ...(await writeEvents(tx, given, writing)) }
    })
    const written = await work.catch((error: unknown) => {
      if (!isAbandoned) waiting = [...batch, ...waiting].filter(({ _seq }) => _seq > lost)
      throw error
    })
    isNew = false
    if (written) ({ removed } = written)
    if (written?.remaining)
      sizes.set([...written.remaining.after(0), ...sizes.after(batch.at(-1)?._seq ?? 0)])
    lost = Math.max(lost, written?.lost ?? 0)
    await committed(written?.wishes)
  }

  /** Writes what has changed, after the writes before. */
  function commit(): Promise<void> {
    const done = turn.then(write)
    turn = done.catch(() => undefined)
    return done
  }

  async function drain(): Promise<void> {
    try {
      while (waiting.length > 0) await commit()
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err, run: id }, 'events of a run wait for the store')
      isFailing = true
    } finally {
      flushing = undefined
    }
  }
  const flush = (): Promise<void> =>
    flushing ?? (waiting.length === 0 ? Promise.resolve() : (flushing = drain()))

  return {
    commit,
    /** Writes the events that wait; resolves also if the store cannot. */
    flush,
    /** Adds an event. Ignored after the last one. */
    emit(event: E, isLast = false): void {
      if (isClosed) return
      isClosed = isLast
      const numbered = { ...event, _seq: ++last }
      waiting.push(numbered)
      sizes.add(numbered)
      // What can be merged is merged by the next write.
      lost = Math.max(lost, sizes.drop(limits.merge ? 2 : 1))
      if (waiting[0] && waiting[0]._seq <= lost) waiting = waiting.filter(({ _seq }) => _seq > lost)
      void flush()
    },
    /** Writes nothing more. */
    leave(): void {
      isClosed = true
      isAbandoned = true
      waiting = []
    },
    tail: (): Tail => ({ last, lost, isEnded: isClosed }),
    bytes: sizes.bytes,
  }
}

/**
 * Writes the head if it has changed, and returns what other processes ask; `undefined` if it is not of this
 * process.
 */
async function writeHead<E extends object, A>(
  tx: Transaction,
  { id, rows, owner, now }: WriterGiven<E, A>,
  { draft, phase, isLive, ...rest }: HeadState<E, A>,
  isNew: boolean,
): Promise<Wishes | undefined> {
  const heads = tx.of(rows.heads)
  const found = await heads.get(everyRun, id)
  if (found ? found.columns.owner !== owner : !isNew) return undefined
  const body = { ...rest, wishes: {} }
  const isDue = isLive && now() - (found?.columns.at ?? 0) >= signMs
  if (isDue || found?.columns.phase !== phase || found.text !== JSON.stringify(body))
    await heads.put(everyRun, id, { body, columns: { draft, owner, phase, at: now() } })
  return found?.body.wishes ?? {}
}

/** The events to write, and the state of the log before. */
interface Writing<E extends object> {
  readonly batch: readonly Numbered<E>[]
  readonly sizes: Sizes
  readonly lost: number
  /** The number up to which rows of dropped events are removed. */
  readonly removed: number
  /** True if the last of them is the last of the run. */
  readonly isEnded: boolean
}

/**
 * Writes events, or merges all of the run if they are too many; returns the state after, with the sizes of
 * merged ones.
 */
async function writeEvents<E extends object, A>(
  tx: Transaction,
  { id, rows, limits }: WriterGiven<E, A>,
  { batch, sizes, removed, isEnded, ...before }: Writing<E>,
) {
  const events = tx.of(rows.events)
  const merge = sizes.isOver(1) ? limits.merge : undefined
  const stored = merge ? (await events.list(id)).flatMap(({ body }) => body.events) : []
  const merged = merge?.([...stored, ...batch])
  const remaining = createSizes(limits)
  for (const event of merged ?? []) remaining.add(event)
  const lost = Math.max(before.lost, remaining.drop(freed))
  const isDue = merged !== undefined || lost - removed >= removedAtOnce
  if (isDue) await events.clear(id, merged ? {} : { before: eventKey(lost + 1) })
  const parts = batchesOf((merged ?? batch).filter(({ _seq }) => _seq > lost))
  for (const [at, part] of parts.entries()) {
    const isLast = isEnded && at === parts.length - 1
    const body = { lost, events: part, isLast }
    await events.put(id, eventKey(part.at(-1)?._seq ?? 0), { body, columns: {} })
  }
  return { lost, removed: isDue ? lost : removed, remaining: merged && remaining }
}
