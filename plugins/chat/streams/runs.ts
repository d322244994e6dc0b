import { type Clock, type Ids, type Logger, type Refusal, withTimeout } from '../../../kernel/index.ts'
import type { Bus } from '../../bus/port.ts'
import { isStorable, type Store } from '../../store/port.ts'
import { createNotices } from './notices.ts'
import type { ReaderStart, RunReader } from './reader.ts'
import { createReaders } from './readers.ts'
import { everyRun, type Phase, type RunRows, runTables, type StoredHead } from './rows.ts'
import { createRun, type Run, type RunParts } from './run.ts'
import { createWatch } from './watch.ts'
import type { LogLimits, Tail, Wishes } from './writer.ts'

interface RunsGiven<E extends object> {
  /** Begins the names of collections and events. */
  readonly kind: string
  readonly store: Store
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** The limits of the events of one run. */
  readonly limits: LogLimits<E>
  /** The maximum number of runs of this process. */
  readonly most: number
  /** Milliseconds until the first reader connects, and after the end. */
  readonly lifetimes: Readonly<Record<'parked' | 'ended', number>>
  /** A run that takes more milliseconds is asked to stop. */
  readonly activeMs: number
  tooMany(most: number): Refusal
  /** Refuses the begin of a run of this process. */
  admit?(): void
}

/** A run of any process. */
export interface Known<A> {
  readonly id: string
  readonly phase: Phase
  readonly about: A
  /** What was asked of its process that it has not read yet. */
  readonly asked: Wishes
}

/** The maximum bytes of the events of all ended runs. */
const mostEndedBytes = 64 * 1024 * 1024
const tickEveryMs = 250
const ticksOfPoll = 4
const closesWithinMs = 10_000
/** An active run without a sign of life for so long has lost its process. */
const lostMs = 30_000
/** Every process has forgotten a run by then. */
const forgottenMs = 45 * 60_000
const sweptAtOnce = 4
const failures = {
  remove: 'events of ended runs not removed',
  ask: 'request of another process not read',
  poll: 'run of another process not read',
}

/** Parked, active and ended runs, whose events are in the store. */
export type Runs<E extends object, A> = ReturnType<typeof createRuns<E, A>>

/**
 * Creates the runs of one kind. Each belongs to the process that started it, which writes its events to the
 * store; readers of all processes follow the rows. Other processes ask the owner with a row as well.
 */
export function createRuns<E extends object, A>(given: RunsGiven<E>) {
  const { kind, store, bus, clock, ids, log, limits, most, lifetimes, activeMs, tooMany, admit } = given
  // Declared for each store: `migrate` creates the tables of what is declared.
  const rows: RunRows<E, A> = runTables<E, A>(kind)
  const [heads, events] = [store.of(rows.heads), store.of(rows.events)]
  const owner = ids.uuid()
  const now = (): number => clock.now().getTime()
  const own = new Map<string, Run<E, A>>()
  /** Parked runs of this process with readers in another one. */
  const awaited = new Set<string>()
  const pending = new Set<Promise<unknown>>()
  const closing = new AbortController()
  const readers = createReaders<E>({ events, limits, onNoReaders })
  const notices = createNotices({ kind, bus, owner, now, log, signal: closing.signal, received })
  const watch = createWatch({ store, rows, now, log, lost: announce })
  /** One timer for all runs and readers; `undefined` without any. */
  let timer: NodeJS.Timeout | undefined
  let ticks = 0

  const isOver = (phase: Phase, age: number): boolean => phase !== 'active' && age >= lifetimes[phase]
  const isExpired = ({ phase, since, isRevoked }: Run<E, A>, at = now()): boolean =>
    isOver(phase, at - since) || (phase === 'parked' && isRevoked?.() === true)
  const usable = (isMeant: (run: Run<E, A>) => boolean): readonly Run<E, A>[] => {
    const at = now()
    return [...own.values()].filter((run) => isMeant(run) && !isExpired(run, at))
  }

  function background(work: Promise<unknown>, message: string): void {
    const done = work.catch((err: unknown) => log.warn({ err }, message)).finally(() => pending.delete(done))
    pending.add(done)
  }

  function onNoReaders(run: string): void {
    notices.leave(run)
    watch.forget(run)
  }

  /** Wakes the readers of a run, here and in other processes. */
  function announce(run: string): Promise<void> {
    readers.wake(run)
    return notices.send(run)
  }

  function received(id: string): void {
    readers.wake(id)
    const run = own.get(id)
    if (!run) return
    notices.setFollowed(id)
    background(run.commit(), failures.ask)
  }

  async function committed(run: Run<E, A>, wishes: Wishes = {}): Promise<void> {
    readers.wake(run.id)
    for (const [what, value] of Object.entries(wishes)) {
      try {
        obey(run, what, value)
      } catch (err) {
        log.info({ err, run: run.id, what }, 'request of another process came too late')
      }
    }
    await notices.announce(run.id)
  }

  function obey(run: Run<E, A>, what: string, value: unknown): void {
    if (what === 'cancel') return run.isTooLate?.() ? undefined : run.cancel(run)
    if (what !== 'begin') return run.asked?.(what, value)
    awaited.add(run.id)
    background(beginAwaited(run), failures.ask)
  }

  /** Begins a run for readers of another process, at once or when others have ended. */
  async function beginAwaited(run: Run<E, A>): Promise<void> {
    try {
      admit?.()
    } catch {
      return
    }
    if (await run.begin()) awaited.delete(run.id)
  }

  function forget({ id, forgotten, leave }: Run<E, A>, { isRemoved = true } = {}): void {
    own.delete(id)
    leave()
    awaited.delete(id)
    notices.forget(id)
    readers.end(id)
    forgotten?.()
    if (isRemoved) background(remove(id), failures.remove)
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

  const endedFirst = (): readonly Run<E, A>[] =>
    [...own.values()].filter(({ phase }) => phase === 'ended').toSorted((a, b) => a.since - b.since)

  /** At the limit, replaces an expired or ended run; refuses if all are parked or active. */
  function makeRoom(): void {
    if (own.size < most) return
    const spare = [...own.values()].find((run) => isExpired(run)) ?? endedFirst()[0]
    if (!spare) throw tooMany(most)
    forget(spare)
  }

  function tick(): void {
    const isPoll = ++ticks % ticksOfPoll === 0
    for (const run of own.values()) tickRun(run, isPoll)
    let bytes = 0
    for (const run of endedFirst().toReversed()) if ((bytes += run.bytes()) > mostEndedBytes) forget(run)
    readers.tick(now())
    for (const id of isPoll ? readers.runs() : []) if (!own.has(id)) background(poll(id), failures.poll)
    if (own.size === 0 && readers.runs().length === 0) rest()
  }

  function tickRun(run: Run<E, A>, isPoll: boolean): void {
    if (isExpired(run)) return forget(run)
    if (run.phase === 'active' && (now() - run.since >= activeMs || run.isRevoked?.())) run.cancel(run)
    if (run.phase !== 'ended') run.tick?.(run)
    void run.flush()
    // Events read what is asked as well; a parked run has none.
    if (run.phase !== 'parked' || !isPoll || !store.shared) return
    if (awaited.has(run.id)) background(beginAwaited(run), failures.ask)
    background(run.commit(), failures.ask)
  }

  /** Follows a run of another process without its notices. */
  async function poll(id: string): Promise<void> {
    readers.wake(id)
    await notices.follow(id)
    if (!(await watch.isThere(id))) readers.end(id)
  }

  const work = (): void => void (timer ??= setInterval(tick, tickEveryMs).unref())
  function rest(): void {
    clearInterval(timer)
    timer = undefined
  }

  /** Asks the process of a run for something; returns whether the run could still do it. */
  async function ask(id: string, what: string, value: unknown): Promise<boolean> {
    const isRequested = await store.transaction(async (tx) => {
      const found = await tx.of(rows.heads).get(everyRun, id)
      if (!found || !mayAsk(found, what)) return false
      const body = { ...found.body, wishes: { ...found.body.wishes, [what]: value } }
      await tx.of(rows.heads).put(everyRun, id, { body, columns: found.columns })
      return true
    })
    if (isRequested) await announce(id)
    return isRequested
  }

  /** Reads a run of another process. Alone on a store, that process has ended, and so does the run. */
  async function readOther(id: string) {
    const found = await heads.get(everyRun, id)
    if (!found || store.shared || phaseOf(found) === 'ended') return found
    await watch.declareLost(id, found.version)
    return heads.get(everyRun, id)
  }

  return {
    /** All runs of this process in the order of their start. */
    all: (): readonly Run<E, A>[] => [...own.values()],
    /** Those runs of this process that can still be followed. */
    usable,
    /** Finds a run of any process that can still be followed. */
    async find(id: string): Promise<Known<A> | undefined> {
      const run = own.get(id)
      if (run) return isExpired(run) ? undefined : describeRun(run)
      const found = isStorable(id) ? await readOther(id) : undefined
      if (!found || found.columns.owner === owner) return undefined
      return isOver(phaseOf(found), now() - found.body.since) ? undefined : describeHead(found)
    },
    /** Runs of a draft that have not ended in other processes, and all of this one. */
    async ofDraft(draft: string): Promise<readonly Known<A>[]> {
      const found = store.shared ? await heads.list(everyRun, { where: { draft } }) : []
      const others = found
        .filter(({ columns: { owner: of, phase } }) => of !== owner && phase !== 'ended')
        .filter(({ columns: { phase, at } }) => now() - at < (phase === 'parked' ? lifetimes.parked : lostMs))
      const here = usable((run) => run.draft === draft)
      return [...here.map(describeRun), ...others.map(describeHead)]
    },
    /** The open connections of this process. */
    readers: readers.all,
    /**
     * Parks a run. Refuses if all are parked or active at the limit, and while a store of several processes
     * cannot write.
     */
    async add(parts: RunParts<E, A>): Promise<Run<E, A>> {
      makeRoom()
      const { id } = parts
      const isAwaited = (): boolean => awaited.has(id)
      const run = createRun<E, A>(parts, { store, rows, owner, limits, now, log, isAwaited, committed })
      own.set(id, run)
      work()
      try {
        // Alone on a store, no other process needs to find it before it has events.
        if (store.shared) await run.commit()
      } catch (error) {
        forget(run)
        throw error
      }
      background(sweep(), failures.remove)
      return run
    },
    forget: (run: Run<E, A>): void => forget(run),
    /** Starts a parked run. Returns false if it has started; refuses as `admit` does, and like `add`. */
    async begin(id: string): Promise<boolean> {
      const run = own.get(id)
      if (!run) return ask(id, 'begin', true)
      if (run.phase === 'parked') admit?.()
      return run.begin()
    },
    /**
     * Asks a run of any process; returns false if it has ended. Refuses as the run does, if it is of this
     * process.
     */
    async ask(id: string, what: string, value: unknown): Promise<boolean> {
      const run = own.get(id)
      if (!run) return ask(id, what, value)
      if (run.phase === 'ended') return false
      obey(run, what, value)
      return true
    },
    /** Returns the end of the log of a run. */
    async tail(id: string): Promise<Tail> {
      const run = own.get(id)
      if (run) return run.tail()
      const [newest] = await events.list(id, { descending: true, limit: 1 })
      const { events: batch = [], lost = 0, isLast = false } = newest?.body ?? {}
      return { last: batch.at(-1)?._seq ?? 0, lost, isEnded: isLast }
    },
    /** Adds a reader of a run. */
    follow(id: string, start: ReaderStart<E>): RunReader<E> {
      const reader = readers.add(id, start)
      work()
      if (!own.has(id) && !start.signal.aborted) background(notices.follow(id), failures.poll)
      return reader
    },
    /**
     * Waits at most ten seconds for runs and other work to end, and forgets all runs; their events stay for
     * other processes.
     */
    async close(others: Iterable<Promise<unknown>> = []): Promise<void> {
      const all = [...own.values().map(({ ended }) => ended), ...others]
      await withTimeout(closesWithinMs, Promise.allSettled(all), () => 'late').catch(() => undefined)
      await Promise.all(own.values().map((run) => run.flush()))
      await readers.close()
      closing.abort()
      for (const run of own.values()) forget(run, { isRemoved: false })
      rest()
      await Promise.all(pending)
    },
  }
}

const describeRun = <E extends object, A>(run: Run<E, A>): Known<A> => ({
  id: run.id,
  phase: run.phase,
  about: run.about(),
  asked: {},
})

const phaseOf = ({ columns: { phase } }: Pick<StoredHead<unknown, unknown>, 'columns'>): Phase =>
  phase === 'parked' || phase === 'active' ? phase : 'ended'

const describeHead = <E, A>(head: StoredHead<E, A>): Known<A> => ({
  id: head.key,
  phase: phaseOf(head),
  about: head.body.about,
  asked: head.body.wishes,
})

/** Whether a run can do something that is asked of it; it begins once. */
const mayAsk = (
  { columns: { phase }, body: { wishes } }: Pick<StoredHead<unknown, unknown>, 'columns' | 'body'>,
  what: string,
): boolean => (what === 'begin' ? phase === 'parked' && !('begin' in wishes) : phase !== 'ended')
