import { withTimeout, type Refusal } from '../../kernel/index.ts'
import type { Reader } from './event-log.ts'
import type { createRun } from './run.ts'

/** One open connection. */
export type OpenReader = Pick<Reader<object>, 'holder' | 'isDone' | 'end'>

/** A run, as seen by the store of runs. */
export interface StoredRun {
  readonly run: Pick<ReturnType<typeof createRun>, 'id' | 'phase' | 'age' | 'ended'> & {
    readonly events: { readonly bytes: number; readonly readers: ReadonlySet<OpenReader> }
  }
  /** True once its caller has lost access. */
  readonly isRevoked?: boolean
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
  readonly parkedMs: number
  /** After the end. */
  readonly endedMs: number
  /** A run that takes longer is asked to stop. */
  readonly activeMs: number
  tooMany(most: number): Refusal
}

interface Closing {
  readonly others?: Iterable<Promise<unknown>>
  readonly last?: (() => Promise<void>) | undefined
}

/** The maximum bytes of the events of all ended runs. */
const mostEndedBytes = 64 * 1024 * 1024
const tickEveryMs = 250
const closesWithinMs = 10_000

/** Parked, active and ended runs. */
export type Runs<R extends StoredRun> = ReturnType<typeof createRuns<R>>

/** Creates the store of runs, which removes expired ones. */
export function createRuns<R extends StoredRun>(limits: RunLimits) {
  const { most, parkedMs, endedMs, activeMs, tooMany } = limits
  const runs = new Map<string, R>()
  /** One timer for all runs; `undefined` without runs. */
  let timer: NodeJS.Timeout | undefined

  /** True if a run may be removed: no reader in time, access lost while parked, or ended long ago. */
  const isExpired = ({ run: { phase, age }, isRevoked = false }: R): boolean =>
    (phase === 'parked' && (isRevoked || age >= parkedMs)) || (phase === 'ended' && age >= endedMs)

  function forget(stored: R): void {
    runs.delete(stored.run.id)
    for (const reader of stored.run.events.readers) reader.end()
    stored.forget?.()
    if (runs.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const endedFirst = (): readonly R[] =>
    [...runs.values()].filter(({ run }) => run.phase === 'ended').toSorted((a, b) => b.run.age - a.run.age)

  function tick(): void {
    for (const stored of runs.values()) {
      const { run, isRevoked } = stored
      if (isExpired(stored)) forget(stored)
      else if (run.phase === 'active' && (isRevoked || run.age >= activeMs)) stored.cancel()
      stored.tick()
    }
    const ended = endedFirst()
    let storedBytes = ended.reduce((sum, { run }) => sum + run.events.bytes, 0)
    for (const stored of ended) {
      if (storedBytes <= mostEndedBytes) break
      storedBytes -= stored.run.events.bytes
      forget(stored)
    }
  }

  return {
    /** Returns all runs in the order of their start. */
    all: (): readonly R[] => [...runs.values()],
    find(streamId: string): R | undefined {
      const stored = runs.get(streamId)
      return stored && !isExpired(stored) ? stored : undefined
    },
    /** Returns the matching runs that can still be followed. */
    where: (test: (stored: R) => boolean): readonly R[] =>
      [...runs.values()].filter((stored) => test(stored) && !isExpired(stored)),
    /** The open connections. */
    readers: (): IteratorObject<OpenReader> => runs.values().flatMap(({ run }) => run.events.readers),
    /** Adds a run. At the limit, replaces an expired or ended one; refuses if all are parked or active. */
    add(make: () => R): R {
      if (runs.size >= most) {
        const spare = [...runs.values()].find(isExpired) ?? endedFirst()[0]
        if (!spare) throw tooMany(most)
        forget(spare)
      }
      const stored = make()
      runs.set(stored.run.id, stored)
      timer ??= setInterval(tick, tickEveryMs).unref()
      return stored
    },
    forget,
    /** Waits at most ten seconds for runs and other work to end, then for `last`, and forgets all runs. */
    async close({ others = [], last }: Closing = {}): Promise<void> {
      const all = [...runs.values().map(({ run }) => run.ended), ...others]
      await withTimeout(closesWithinMs, Promise.allSettled(all), () => 'late').catch(() => undefined)
      await last?.()
      for (const stored of runs.values()) forget(stored)
    },
  }
}
