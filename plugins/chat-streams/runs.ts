import type { DraftId } from '../scope/port.ts'
import { tooManyRuns } from './refusals.ts'
import type { Run } from './run.ts'

/** The runs that are known: parked, active, and those that have ended and can still be read again. */
export interface Runs {
  /** In the order in which they were asked for. */
  all(): readonly Run[]
  find(streamId: string): Run | undefined
  of(id: DraftId): readonly Run[]
  /** How many that have not ended a caller asked for. */
  goingOf(holder: string): number
  /** Open connections of a caller to any of them. */
  readersOf(holder: string): number
  /** Open connections to all of them. */
  readonly readers: number
  /** Keeps one more, in the place of one that is over where there are too many. Refuses with 429 when all of them go on. */
  add(make: () => Run): Run
  forget(run: Run): void
}

const minute = 60 * 1_000
const parkedFor = minute
const endedFor = 15 * minute
/** A run that takes longer than this is asked to stop. */
const activeFor = 30 * minute
/** What may be kept of runs that have ended, in bytes of events. */
const mostKept = 64 * 1024 * 1024
const tickEvery = 250

/** Makes the shelf of so many runs, which forgets by itself what is over. */
export function createRuns(most: number): Runs {
  const runs = new Map<string, Run>()
  /** One for all runs, and none while there is nothing to do. */
  let timer: NodeJS.Timeout | undefined

  function forget(run: Run): void {
    runs.delete(run.id)
    run.forget()
    if (runs.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const endedFirst = (): readonly Run[] =>
    [...runs.values()].filter(({ phase }) => phase === 'ended').toSorted((a, b) => b.age - a.age)

  function tick(): void {
    for (const run of runs.values()) {
      if (isExpired(run)) forget(run)
      else if (run.phase === 'active' && run.age >= activeFor) run.cancel()
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
    of: (id) => [...runs.values()].filter((run) => isSame(run.of, id) && !isExpired(run)),
    goingOf: (holder) => runs.values().reduce((sum, run) => sum + Number(run.holder === holder && run.phase !== 'ended' && !isExpired(run)), 0),
    readersOf: (holder) => runs.values().reduce((sum, { readers }) => sum + readers.values().filter((reader) => reader.holder === holder).toArray().length, 0),
    get readers() {
      return runs.values().reduce((sum, { readers }) => sum + readers.size, 0)
    },
    add(make) {
      if (runs.size >= most) {
        const spare = [...runs.values()].find(isExpired) ?? endedFirst()[0]
        if (!spare) throw tooManyRuns(most)
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

/** True when a run may be forgotten: nobody came for it in time, or it ended long ago. */
const isExpired = ({ phase, age }: Run): boolean =>
  (phase === 'parked' && age >= parkedFor) || (phase === 'ended' && age >= endedFor)
