import { type Clock, type Ids, type Logger, Refusal } from '../../../kernel/index.ts'
import type { Bus } from '../../bus/port.ts'
import { isStorable, type Store } from '../../store/port.ts'
import type { LogLimits } from '../event-log.ts'
import type { OpenReader } from '../runs.ts'
import { type Answering, createCalls } from './calls.ts'
import { createMirror, type Mirror } from './mirror.ts'
import { createRecorder, type Facts, type RecordedRun, type Recorder } from './recorder.ts'
import { everyRun, type Head, type Phase, type Rows, rowsOf } from './rows.ts'

/** A run of another process. */
export interface Elsewhere<E extends object, A> {
  readonly id: string
  readonly phase: Phase
  readonly about: A
  /** Sends a request to its process. Refuses as that does, and with 503 `run_unreachable`. */
  call(what: string, body?: unknown): Promise<unknown>
  /** Starts it if it is parked, and returns its events so far and from now on. Refuses as its process does. */
  follow(): Promise<Mirror<E>['events']>
}

interface SharingGiven<E extends object> {
  /** Begins the names of collections and events. */
  readonly kind: string
  readonly store?: Store | undefined
  readonly bus?: Bus | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: LogLimits<E>
  /** How long an ended run can be read. */
  readonly endedMs: number
  /** Starts a parked run of this process, for a reader of another one. */
  readonly begin: (id: string) => void
  /** Answers a request about a run of this process. */
  readonly answer: Answering
}

/** The pace at which runs are written, and those of other processes are read. */
const tickEveryMs = 250
/** A run that has not ended, and has not been written for so long, has lost its process. */
const lostMs = 2 * 60_000
/** Every process has forgotten a run by then. */
const forgottenMs = 45 * 60_000
const sweptAtOnce = 4

/**
 * Shares runs between the processes of one store: each stays where it began, and the others read its events and pass
 * requests on. `undefined` with a store of one process, where nothing is written.
 */
export function createSharing<E extends object, A>(given: SharingGiven<E>): Sharing<E, A> | undefined {
  const { kind, store, bus } = given
  return store?.channel && bus ? shareOver<E, A>({ ...given, rows: rowsOf(kind), store, bus }) : undefined
}

export interface Sharing<E extends object, A> {
  /** Makes a run of this process known to the others. Rejects if the store cannot write. */
  add(run: RecordedRun<E>, facts: Facts<E, A>): Promise<void>
  /** Removes what was written about a run, unless the service is closing. */
  forget(id: string): void
  find(id: string): Promise<Elsewhere<E, A> | undefined>
  /** Runs of a draft that have not ended. */
  going(draft: string): Promise<readonly Elsewhere<E, A>[]>
  /** All readers here of runs elsewhere. */
  readers(): Iterable<OpenReader>
  /** Writes what is left of all runs. */
  close(): Promise<void>
}

function shareOver<E extends object, A>(
  given: SharingGiven<E> & { readonly rows: Rows<E, A>; readonly store: Store; readonly bus: Bus },
): Sharing<E, A> {
  const { kind, rows, store, bus, clock, ids, log, limits, endedMs, begin, answer } = given
  const own = ids.uuid()
  const now = (): number => clock.now().getTime()
  const heads = store.of(rows.heads)
  const closing = new AbortController()
  const { signal } = closing
  const recorders = new Map<string, Recorder>()
  const mirrors = new Map<string, Mirror<E>>()
  const timer = setInterval(tick, tickEveryMs).unref()
  const answerHere: Answering = (run, what, body) => (what === 'begin' ? begin(run) : answer(run, what, body))
  const call = createCalls({ kind, own, bus, ids, log, signal, answer: answerHere })

  function tick(): void {
    for (const recorder of recorders.values()) recorder.tick()
    for (const [id, mirror] of mirrors) {
      mirror.tick()
      if (mirror.isIdle) mirrors.delete(id)
    }
  }

  function toElsewhere(id: string, { owner, phase, about }: Head<E, A>): Elsewhere<E, A> {
    const callOwner = (what: string, body?: unknown) => call(owner, id, what, body)
    return {
      id,
      phase,
      about,
      call: callOwner,
      async follow() {
        // A process that does not answer may have ended, which the copy finds out.
        if (phase === 'parked') await callOwner('begin').catch(unlessUnreachable)
        const mirror = mirrors.get(id) ?? createMirror<E, A>({ id, store, rows, limits, now, log })
        mirrors.set(id, mirror)
        await mirror.read()
        return mirror.events
      },
    }
  }

  const remove = (id: string): Promise<void> =>
    store.transaction(async (tx) => {
      await tx.of(rows.heads).remove(everyRun, id)
      await tx.of(rows.events).clear(id)
    })

  /** Removes the oldest runs of processes that have ended. */
  async function sweep(): Promise<void> {
    const oldest = await heads.rows(everyRun, { orderBy: 'at', limit: sweptAtOnce })
    for (const { key, columns } of oldest) if (columns.at < now() - forgottenMs) await remove(key)
  }
  const failed = (err: unknown): void => log.warn({ err }, 'events of ended runs not removed')

  return {
    async add(run, facts) {
      const recorder = createRecorder<E, A>({ run, facts, rows, owner: own, store, now, log })
      recorders.set(run.id, recorder)
      await recorder.begin()
      void sweep().catch(failed)
    },
    forget(id) {
      const recorder = recorders.get(id)
      recorders.delete(id)
      if (!signal.aborted)
        void recorder
          ?.end()
          .then(() => remove(id))
          .catch(failed)
    },
    async find(id) {
      const found = isStorable(id) ? await heads.get(everyRun, id) : undefined
      const isGone = found?.body.phase === 'ended' && found.columns.at < now() - endedMs
      return !found || isGone || found.body.owner === own ? undefined : toElsewhere(id, found.body)
    },
    async going(draft) {
      const found = await heads.list(everyRun, { where: { draft } })
      return found
        .filter(({ body: { owner, phase } }) => owner !== own && phase !== 'ended')
        .filter(({ columns: { at } }) => at > now() - lostMs)
        .map(({ key, body }) => toElsewhere(key, body))
    },
    readers: () => mirrors.values().flatMap(({ events }) => events.readers),
    async close() {
      await Promise.all([...recorders.values()].map((recorder) => recorder.end()))
      clearInterval(timer)
      closing.abort()
    },
  }
}

function unlessUnreachable(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'run_unreachable')) throw error
}
