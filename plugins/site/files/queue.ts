import { resolve } from 'node:path'

/** By source, its newest job as far as the next one waits for it. */
const tails = new Map<unknown, Promise<unknown>>()

/** Milliseconds after which the next job begins although the one before has not ended. */
const longestTurn = 120_000

/**
 * Runs jobs on one source one after another, in the order they came. A job that fails stops no other, and one that does not
 * end holds up the next for two minutes.
 *
 * A source is the path of a file, or an object such as a content adapter.
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
