import { setTimeout as pause } from 'node:timers/promises'
import type { Refusal } from '../../kernel/index.ts'
import type { EventLog, Reader } from './event-log.ts'

/** A run, as seen by the store of runs. */
export interface StoredRun {
  readonly id: string
  readonly phase: 'parked' | 'active' | 'ended'
  /** Milliseconds since the run was parked, started or ended. */
  readonly age: number
  /** The caller whose share the run counts towards; `undefined` if callers cannot be distinguished. */
  readonly holder: string | undefined
  /** True once its caller has lost access. */
  readonly isRevoked?: boolean
  /** Resolves when the run has ended, or at once if it never started. */
  readonly ended: Promise<void>
  readonly events: Pick<EventLog<never>, 'bytes'> & {
    readonly readers: ReadonlySet<Pick<Reader<never>, 'holder' | 'end'>>
  }
  cancel(): void
  /** Emits timed events, and ends readers that are done. */
  tick(): void
  /** Called when the run is removed. */
  forget?(): void
}

/** The maximum number of runs, and their lifetimes in milliseconds. */
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

/** The maximum bytes of the events of all ended runs. */
const mostEndedBytes = 64 * 1024 * 1024
const tickEvery = 250
const closesWithin = 10_000

/** Parked, active and ended runs. */
export type Runs<R extends StoredRun> = ReturnType<typeof createRuns<R>>

/** Creates the store of runs, which removes expired ones. */
export function createRuns<R extends StoredRun>(limits: RunLimits) {
  const { most, parkedFor, endedFor, activeFor, tooMany } = limits
  const runs = new Map<string, R>()
  /** One timer for all runs; `undefined` without runs. */
  let timer: NodeJS.Timeout | undefined

  /** True if a run may be removed: no reader in time, access lost while parked, or ended long ago. */
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
    /** Returns all runs in the order of their start. */
    all: (): readonly R[] => [...runs.values()],
    find(streamId: string): R | undefined {
      const run = runs.get(streamId)
      return run && !isExpired(run) ? run : undefined
    },
    /** Returns the matching runs that can still be followed. */
    where: (test: (run: R) => boolean): readonly R[] =>
      [...runs.values()].filter((run) => test(run) && !isExpired(run)),
    /** Returns the number of open connections of a caller. */
    readersOf: (holder: string): number =>
      runs
        .values()
        .flatMap(({ events }) => events.readers)
        .reduce((count, reader) => count + (reader.holder === holder ? 1 : 0), 0),
    /** The number of open connections. */
    get readers(): number {
      return runs.values().reduce((sum, { events }) => sum + events.readers.size, 0)
    },
    /** Adds a run. At the limit, replaces an expired or ended one; refuses if all are parked or active. */
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
    /** Waits at most ten seconds for runs and other work to end, then forgets all runs. */
    async close(others: Iterable<Promise<unknown>> = []): Promise<void> {
      const all = [...runs.values().map(({ ended }) => ended), ...others]
      await Promise.race([Promise.allSettled(all), pause(closesWithin, undefined, { ref: false })])
      for (const run of runs.values()) forget(run)
    },
  }
}
