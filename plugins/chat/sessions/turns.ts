import { sessionBusy } from '../refusals.ts'
import { Canceled } from '../types/run.ts'

/** Makes the queues of one process, one for each name. */
export function createTurns(longestWaitMs: number) {
  const last = new Map<string, Promise<void>>()
  return {
    /**
     * Runs a job when every job before it under the same name has ended; `waited` says whether there was one.
     *
     * Refuses with 409 `session_busy` after too long a wait, and throws `Canceled` when the signal aborts meanwhile.
     */
    async take<T>(name: string, signal: AbortSignal, job: (waited: boolean) => Promise<T>): Promise<T> {
      const before = last.get(name)
      const { promise: done, resolve: end } = Promise.withResolvers<void>()
      // A job that gives up waiting must not let the next one overtake earlier jobs.
      const turn = before ? before.then(() => done) : done
      last.set(name, turn)
      const leave = (): void => {
        if (last.get(name) === turn) last.delete(name)
      }
      try {
        if (before) await within(before, longestWaitMs, signal)
      } catch (error) {
        end()
        void turn.then(leave)
        throw error
      }
      try {
        return await job(before !== undefined)
      } finally {
        end()
        leave()
      }
    },
  }
}

async function within(before: Promise<void>, longestWaitMs: number, signal: AbortSignal): Promise<void> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(sessionBusy(longestWaitMs / 1000)), longestWaitMs)
  const cancel = (): void => reject(new Canceled())
  signal.addEventListener('abort', cancel)
  try {
    if (signal.aborted) throw new Canceled()
    await Promise.race([before, givenUp])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}
