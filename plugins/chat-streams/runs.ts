import type { Refusal } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'

/** What the shelf has to know of a run. */
export interface ShelvedRun {
  readonly id: string
  readonly phase: 'parked' | 'active' | 'ended'
  /** Milliseconds since it was parked, begun or ended. */
  readonly age: number
  /** Bytes of the events that it keeps. */
  readonly bytes: number
  /** The caller whose share it counts towards; `undefined` where callers cannot be distinguished. */
  readonly holder: string | undefined
  /** Who asked for it has lost access since. */
  readonly isRevoked?: boolean
  readonly readers: ReadonlySet<{ readonly holder: string | undefined }>
  cancel(): void
  /** Tells what is due. */
  tick(): void
  /** Ends all who still follow. */
  forget(): void
}

/** The runs that are known: parked, active, and those that have ended and can still be read again. */
export interface Runs<R extends ShelvedRun> {
  /** In the order in which they were asked for. */
  all(): readonly R[]
  find(streamId: string): R | undefined
  /** Those that can still be followed. */
  where(test: (run: R) => boolean): readonly R[]
  /** How many that have not ended a caller asked for. */
  goingOf(holder: string): number
  /** Open connections of a caller to any of them. */
  readersOf(holder: string): number
  /** Open connections to all of them. */
  readonly readers: number
  /** Keeps one more, in the place of one that is over where there are too many. Refuses when all of them go on. */
  add(make: () => R): R
  forget(run: R): void
}

/** How long runs are kept, in milliseconds, and how many. */
export interface ShelfLimits {
  readonly most: number
  /** Until the first reader comes. */
  readonly parkedFor: number
  /** After the end. */
  readonly endedFor: number
  /** A run that takes longer than this is asked to stop. */
  readonly activeFor: number
  tooMany(most: number): Refusal
}

/** What may be kept of runs that have ended, in bytes of events. */
const mostKept = 64 * 1024 * 1024
const tickEvery = 250

/** Makes the shelf of so many runs, which forgets by itself what is over. */
export function createRuns<R extends ShelvedRun>({ most, parkedFor, endedFor, activeFor, tooMany }: ShelfLimits): Runs<R> {
  const runs = new Map<string, R>()
  /** One for all runs, and none while there is nothing to do. */
  let timer: NodeJS.Timeout | undefined

  /** True when a run may be forgotten: nobody came for it in time, who asked for it lost access before, or it ended long ago. */
  const isExpired = ({ phase, age, isRevoked = false }: R): boolean =>
    (phase === 'parked' && (isRevoked || age >= parkedFor)) || (phase === 'ended' && age >= endedFor)

  function forget(run: R): void {
    runs.delete(run.id)
    run.forget()
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
    let kept = ended.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const run of ended) {
      if (kept <= mostKept) break
      kept -= run.bytes
      forget(run)
    }
  }

  return {
    all: () => [...runs.values()],
    find(streamId) {
      const run = runs.get(streamId)
      return run && !isExpired(run) ? run : undefined
    },
    where: (test) => [...runs.values()].filter((run) => test(run) && !isExpired(run)),
    goingOf: (holder) => runs.values().reduce((sum, run) => sum + Number(run.holder === holder && run.phase !== 'ended' && !isExpired(run)), 0),
    readersOf: (holder) => runs.values().reduce((sum, { readers }) => sum + readers.values().filter((reader) => reader.holder === holder).toArray().length, 0),
    get readers() {
      return runs.values().reduce((sum, { readers }) => sum + readers.size, 0)
    },
    add(make) {
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
  }
}

export const isSame = (a: DraftId, b: DraftId): boolean => a.siteId === b.siteId && a.session === b.session
