/** Runs jobs of one key one after another, in the order in which they came; jobs of different keys do not wait for each other. */
export interface KeyedQueue<K> {
  /**
   * Runs a job when every earlier one of its key has ended; a failed job does not stop later ones. `waited` is true if it had to wait.
   *
   * A job that has not begun is dropped when `signal` aborts, with the reason of the signal, or after the longest wait.
   */
  run<T>(key: K, job: (waited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** True while a job of this key has not ended. */
  has(key: K): boolean
  /** Resolves when every job so far has ended. */
  idle(): Promise<void>
}

export interface KeyedQueueOptions {
  /** Milliseconds for which a job waits at most. */
  readonly longestWaitMs?: number
  /** Makes the error of a job that waited too long. */
  readonly overdue?: () => unknown
  /** Milliseconds after which the next job begins although the one before has not ended. */
  readonly longestRunMs?: number
}

/** Makes the queues of one process: one for each key, removed when it is empty. */
export function createKeyedQueue<K = string>(options: KeyedQueueOptions = {}): KeyedQueue<K> {
  const { longestWaitMs, longestRunMs, overdue = () => new Error('the job waited too long') } = options
  const last = new Map<K, Promise<void>>()

  async function waitFor(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const { promise: givenUp, reject } = Promise.withResolvers<never>()
    const timer = longestWaitMs === undefined ? undefined : setTimeout(() => reject(overdue()), longestWaitMs)
    const cancel = (): void => reject(signal?.reason)
    signal?.addEventListener('abort', cancel)
    try {
      await Promise.race([before, givenUp])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    async run(key, job, signal) {
      signal?.throwIfAborted()
      const before = last.get(key)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      // A job that stops waiting must not let the next one overtake the ones before it.
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
