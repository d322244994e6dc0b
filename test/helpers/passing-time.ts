import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

/** Runs something while its timers pass as fast as the work between them allows; returns its result. */
export async function inPassingTime<T>(run: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  try {
    const ended = new AbortController()
    const end = (): void => ended.abort()
    const result = run()
    void result.then(end, end)
    while (!ended.signal.aborted) {
      await turn()
      mock.timers.tick(100)
    }
    return await result
  } finally {
    mock.timers.reset()
  }
}
