import { resolve } from 'node:path'

const tails = new Map<unknown, Promise<unknown>>()

/**
 * Runs jobs on one source one after another, in the order they came; a job that fails stops no other.
 *
 * A source is the path of a file, or an object such as a content adapter.
 */
export async function inTurn<T>(source: string | object, job: () => Promise<T>): Promise<T> {
  const key = typeof source === 'string' ? resolve(source) : source
  const turn = (tails.get(key) ?? Promise.resolve()).then(job, job)
  tails.set(key, turn)
  try {
    return await turn
  } finally {
    if (tails.get(key) === turn) tails.delete(key)
  }
}
