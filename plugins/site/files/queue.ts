import { resolve } from 'node:path'

const tails = new Map<string, Promise<unknown>>()

/** Runs jobs on one file one after another, in the order they came; a job that fails stops no other. */
export async function inTurn<T>(path: string, job: () => Promise<T>): Promise<T> {
  const key = resolve(path)
  const turn = (tails.get(key) ?? Promise.resolve()).then(job, job)
  tails.set(key, turn)
  try {
    return await turn
  } finally {
    if (tails.get(key) === turn) tails.delete(key)
  }
}
