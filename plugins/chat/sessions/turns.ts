import { createKeyedQueue } from '../../../kernel/index.ts'
import { sessionBusy } from '../refusals.ts'
import { Canceled } from '../types/run.ts'

/** Makes the queues of one process, one for each session. */
export function createTurns(longestWaitMs: number) {
  const queue = createKeyedQueue({ longestWaitMs, overdue: () => sessionBusy(longestWaitMs / 1000) })
  return {
    /**
     * Runs a job when every job before it under the same name has ended; `waited` says whether there was one.
     *
     * Refuses with 409 `session_busy` after too long a wait, and throws `Canceled` when the signal aborts before the job begins.
     */
    async take<T>(name: string, signal: AbortSignal, job: (waited: boolean) => Promise<T>): Promise<T> {
      let hasBegun = false
      const begin = (waited: boolean): Promise<T> => {
        hasBegun = true
        return job(waited)
      }
      return queue.run(name, begin, signal).catch((error: unknown) => {
        throw signal.aborted && !hasBegun ? new Canceled() : error
      })
    },
  }
}
