import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds for which one request holds the event loop at most while it keeps a pace. */
const longestHold = 10

/** Makes a pace, to be awaited between the parts of long work: it gives the event loop back when it was held for 10 ms. */
export function createPace(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async (): Promise<void> => {
    await turn()
    since = performance.now()
  }
  return () => (performance.now() - since < longestHold ? undefined : rest())
}

/** Waits so many milliseconds for `work`, and then rejects with what `overdue` gives; the work goes on. */
export async function within<T>(milliseconds: number, work: Promise<T>, overdue: () => unknown): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(overdue()), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
