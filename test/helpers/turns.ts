import { setImmediate as turn } from 'node:timers/promises'

/** The microseconds of CPU that this thread has taken since a reading of `process.threadCpuUsage()`. */
function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** Returns the microseconds of CPU that this thread takes for a function. */
export function cpuOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  return since(before)
}

/** Returns a result, and the microseconds of CPU of this thread in the longest turn of the event loop until then. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<readonly [result: T, longest: number]> {
  let longest = 0
  const done = new AbortController()
  const watching = (async () => {
    while (!done.signal.aborted) {
      const before = process.threadCpuUsage()
      await turn()
      longest = Math.max(longest, since(before))
    }
  })()
  const result = await work().finally(() => done.abort())
  await watching
  return [result, longest]
}
