import { Refusal } from '../../../kernel/index.ts'
import type { Store } from '../../store/port.ts'
import type { EventLog } from '../event-log.ts'
import { everyRun, keyOf, type Batch, type Head, type Phase, type Rows } from './rows.ts'

/** A run of this process. */
export interface RecordedRun<E extends object> {
  readonly id: string
  readonly phase: Phase
  readonly events: EventLog<E>
}

/** What is recorded about a run besides its events. */
export interface Facts<E, A> {
  /** The draft by which its runs are found. */
  readonly draft: string
  readonly lost: E
  about(): A
}

interface RecorderGiven<E extends object, A> {
  readonly run: RecordedRun<E>
  readonly facts: Facts<E, A>
  readonly rows: Rows<E, A>
  readonly owner: string
  readonly store: Store
  readonly now: () => number
  readonly log: { warn(details: object, message: string): void }
}

export type Recorder = Pick<ReturnType<typeof createRecorder>, 'begin' | 'tick' | 'end'>

/**
 * Creates the recorder of one run, which writes its events in batches. While the store cannot write, it tries again; it
 * stops if another process has declared the run lost.
 */
export function createRecorder<E extends object, A>(given: RecorderGiven<E, A>) {
  const { run, facts, rows, owner, store, now, log } = given
  let version = 0
  let last = 0
  /** The first number of every stored batch. */
  let batches: readonly number[] = []
  /** The batch that was not written for sure; it is written again as it was. */
  let pending: Batch<E> | undefined
  let isFailing = false
  let isOver = false
  let work: Promise<void> | undefined

  async function write(): Promise<void> {
    const after = Math.max(last, run.events.first - 1)
    const batch = (pending ??= { after, events: run.events.since(after), isLast: run.events.closed })
    const phase = batch.isLast ? 'ended' : run.phase === 'parked' ? 'parked' : 'active'
    const body: Head<E, A> = { owner, phase, about: facts.about(), lost: facts.lost }
    const first = batch.after + 1
    const isEmpty = batch.events.length === 0
    // A batch goes once this process has dropped all its events.
    const added = isEmpty ? batches : [...batches, first]
    const kept = added.filter((_, at) => (added[at + 1] ?? Infinity) > run.events.first)
    version = await store.transaction(async (tx) => {
      if (!isEmpty) await tx.of(rows.events).put(run.id, keyOf(first), { body: batch, columns: {} })
      if (kept.length < added.length)
        await tx.of(rows.events).clear(run.id, { before: keyOf(kept[0] ?? first) })
      const head = { body, columns: { draft: facts.draft, at: now() } }
      return tx.of(rows.heads).put(everyRun, run.id, head, { expect: version })
    })
    batches = kept
    pending = undefined
    isFailing = false
    last = batch.events.at(-1)?._seq ?? last
  }

  async function failed(err: unknown): Promise<void> {
    if (err instanceof Refusal && err.code === 'version_mismatch') {
      // Written despite an error, or declared lost.
      const head = await store.of(rows.heads).get(everyRun, run.id)
      if (head?.body.owner === owner) version = head.version
      else isOver = true
    }
    if (!isFailing || isOver) log.warn({ err, run: run.id }, 'events of a run not recorded')
    isFailing = true
  }

  /** Writes the events so far, unless there are no new ones. */
  async function writeNew(): Promise<void> {
    if (isOver || last === run.events.last) return
    await write()
      .catch(failed)
      .catch(() => undefined)
  }

  const writeOnce = (): Promise<void> => (work ??= writeNew().finally(() => (work = undefined)))
  const writeRest = async (): Promise<void> => {
    await work
    await writeOnce()
  }

  return {
    /** Writes the run for the first time; rejects if the store cannot. */
    async begin(): Promise<void> {
      await write()
      // Others count the run as active until they read of its end.
      run.events.onClose = () => void writeRest()
    },
    /** Writes new events in the background. */
    tick: (): void => void writeOnce(),
    /** Writes what is left, unless the store cannot, and stops. */
    async end(): Promise<void> {
      await writeRest()
      isOver = true
    },
  }
}
