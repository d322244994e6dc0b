import { resolve } from 'node:path'

/** The newest job of each source, as far as the next one waits for it. */
const tails = new Map<unknown, Promise<unknown>>()

/** Milliseconds after which the next job starts although the previous one has not ended. */
const longestTurn = 120_000

/**
 * Runs jobs on one source, such as the path of a file or a content adapter, one after another in their order. A failed job
 * does not stop the others, and one that does not end delays the next for two minutes.
 */
export async function inTurn<T>(source: string | object, job: () => Promise<T>): Promise<T> {
  const key = typeof source === 'string' ? resolve(source) : source
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
  const before = tails.get(key)
  tails.set(key, passed)
  await before
  const timer = setTimeout(pass, longestTurn).unref()
  try {
    return await job()
  } finally {
    clearTimeout(timer)
    pass()
    if (tails.get(key) === passed) tails.delete(key)
  }
}
