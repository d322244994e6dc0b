import { setImmediate as turn } from 'node:timers/promises'

/** The maximum milliseconds for which a paced request blocks the event loop. */
const longestHold = 10

/** Creates a pace, to be awaited between the steps of long work: it yields to the event loop every 10 ms. */
export function createPace(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async (): Promise<void> => {
    await turn()
    since = performance.now()
  }
  return () => (performance.now() - since < longestHold ? undefined : rest())
}

/** Waits at most this many milliseconds for `work`, then rejects with `overdue()`; the work continues. */
export async function within<T>(milliseconds: number, work: Promise<T>, overdue: () => unknown): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(overdue()), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
