import { untilAborted } from './until-aborted.ts'
import { withTimeout } from './with-timeout.ts'

/** Runs jobs of the same key sequentially, in order of arrival, and jobs of different keys concurrently. */
export interface KeyedQueue<K> {
  /**
   * Runs a job once earlier ones of its key have ended, even if failed. `waited` is true if it had to wait.
   *
   * Drops a job that has not started when `signal` aborts, with its reason, or after the longest wait.
   */
  run<T>(key: K, job: (waited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** True while a job of this key has not ended. */
  has(key: K): boolean
  /** Resolves when all current jobs have ended. */
  idle(): Promise<void>
}

interface KeyedQueueOptions {
  /** The maximum wait of a job in milliseconds. */
  readonly longestWaitMs?: number
  /** Creates the error of a job that waited too long. */
  readonly overdue?: () => unknown
  /** Milliseconds after which the next job starts even if the previous one has not ended. */
  readonly longestRunMs?: number
}

export function createKeyedQueue<K = string>(options: KeyedQueueOptions = {}): KeyedQueue<K> {
  const { longestWaitMs, longestRunMs, overdue = () => new Error('the job waited too long') } = options
  const last = new Map<K, Promise<void>>()

  function waitFor(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const turn = signal ? untilAborted(before, signal) : before
    return longestWaitMs === undefined ? turn : withTimeout(longestWaitMs, turn, overdue)
  }

  return {
    async run(key, job, signal) {
      signal?.throwIfAborted()
      const before = last.get(key)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      // If a job gives up, the next one must still wait for the earlier ones.
      const turn = before ? before.then(() => ended) : ended
      last.set(key, turn)
      let timer: NodeJS.Timeout | undefined
      try {
        if (before) await waitFor(before, signal)
        if (longestRunMs !== undefined) timer = setTimeout(end, longestRunMs).unref()
        return await job(before !== undefined)
      } finally {
        clearTimeout(timer)
        end()
        void turn.then(() => last.get(key) === turn && last.delete(key))
      }
    },
    has: (key) => last.has(key),
    async idle() {
      await Promise.all(last.values())
    },
  }
}
