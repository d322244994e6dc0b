import { setImmediate as turn } from 'node:timers/promises'

/** The longest time, in milliseconds, for which work on many pages holds the event loop. */
const longestHold = 20

/** To be awaited between the pages of long work: gives the event loop back when it was held for long enough. */
export function createBreather(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async (): Promise<void> => {
    await turn()
    since = performance.now()
  }
  return () => (performance.now() - since < longestHold ? undefined : rest())
}
