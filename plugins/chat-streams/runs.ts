import { setTimeout as pause } from 'node:timers/promises'
import type { Refusal } from '../../kernel/index.ts'
import type { EventLog, Reader } from './event-log.ts'

/** A run as the store of runs sees it. */
export interface StoredRun {
  readonly id: string
  readonly phase: 'parked' | 'active' | 'ended'
  /** Milliseconds since it was parked, begun or ended. */
  readonly age: number
  /** The caller whose share it counts towards; `undefined` where callers cannot be distinguished. */
  readonly holder: string | undefined
  /** Its caller has lost access since. */
  readonly isRevoked?: boolean
  /** Resolves when it has ended, or at once where it never began. */
  readonly ended: Promise<void>
  readonly events: Pick<EventLog<never>, 'bytes'> & {
    readonly readers: ReadonlySet<Pick<Reader<never>, 'holder' | 'end'>>
  }
  cancel(): void
  /** Emits timed events, and ends readers that do not keep up. */
  tick(): void
  /** Called when it is removed. */
  forget?(): void
}

/** How many runs are kept, and how long, in milliseconds. */
export interface RunLimits {
  readonly most: number
  /** Until the first reader connects. */
  readonly parkedFor: number
  /** After the end. */
  readonly endedFor: number
  /** A run that takes longer is asked to stop. */
  readonly activeFor: number
  tooMany(most: number): Refusal
}

/** Most bytes of events of ended runs. */
const mostEndedBytes = 64 * 1024 * 1024
const tickEvery = 250
const closesWithin = 10_000

/** Parked, active and ended runs. */
export type Runs<R extends StoredRun> = ReturnType<typeof createRuns<R>>

/** Makes the store of runs, which removes expired ones. */
export function createRuns<R extends StoredRun>({ most, parkedFor, endedFor, activeFor, tooMany }: RunLimits) {
  const runs = new Map<string, R>()
  /** One for all runs; `undefined` without runs. */
  let timer: NodeJS.Timeout | undefined

  /** True when a run may be removed: it had no reader in time, its caller lost access before, or it ended long ago. */
  const isExpired = ({ phase, age, isRevoked = false }: R): boolean =>
    (phase === 'parked' && (isRevoked || age >= parkedFor)) || (phase === 'ended' && age >= endedFor)

  function forget(run: R): void {
    runs.delete(run.id)
    for (const reader of run.events.readers) reader.end()
    run.forget?.()
    if (runs.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const endedFirst = (): readonly R[] =>
    [...runs.values()].filter(({ phase }) => phase === 'ended').toSorted((a, b) => b.age - a.age)

  function tick(): void {
    for (const run of runs.values()) {
      if (isExpired(run)) forget(run)
      else if (run.phase === 'active' && (run.isRevoked || run.age >= activeFor)) run.cancel()
      run.tick()
    }
    const ended = endedFirst()
    let storedBytes = ended.reduce((sum, { events }) => sum + events.bytes, 0)
    for (const run of ended) {
      if (storedBytes <= mostEndedBytes) break
      storedBytes -= run.events.bytes
      forget(run)
    }
  }

  return {
    /** In the order in which they were started. */
    all: (): readonly R[] => [...runs.values()],
    find(streamId: string): R | undefined {
      const run = runs.get(streamId)
      return run && !isExpired(run) ? run : undefined
    },
    /** Those that can still be followed. */
    where: (test: (run: R) => boolean): readonly R[] => [...runs.values()].filter((run) => test(run) && !isExpired(run)),
    /** Open connections of a caller. */
    readersOf(holder: string): number {
      const readers = runs.values().flatMap(({ events }) => events.readers)
      return readers.filter((reader) => reader.holder === holder).toArray().length
    },
    /** Open connections. */
    get readers(): number {
      return runs.values().reduce((sum, { events }) => sum + events.readers.size, 0)
    },
    /** Adds a run, in place of an expired or ended one beyond the limit. Refuses where all are parked or active. */
    add(make: () => R): R {
      if (runs.size >= most) {
        const spare = [...runs.values()].find(isExpired) ?? endedFirst()[0]
        if (!spare) throw tooMany(most)
        forget(spare)
      }
      const run = make()
      runs.set(run.id, run)
      timer ??= setInterval(tick, tickEvery).unref()
      return run
    },
    forget,
    /** Waits at most ten seconds for runs, and for other work, to end, and forgets all runs. */
    async close(others: Iterable<Promise<unknown>> = []): Promise<void> {
      const all = [...runs.values().map(({ ended }) => ended), ...others]
      await Promise.race([Promise.allSettled(all), pause(closesWithin, undefined, { ref: false })])
      for (const run of runs.values()) forget(run)
    },
  }
}
