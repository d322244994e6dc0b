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
