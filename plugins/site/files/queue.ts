import { resolve } from 'node:path'
import { createKeyedQueue } from '../../../kernel/index.ts'

/** A job that does not end holds up the next one of its source for two minutes. */
const queue = createKeyedQueue<string | object>({ longestRunMs: 120_000 })

/**
 * Runs jobs on one source one after another, in the order they came; a job that fails stops no other.
 *
 * A source is the path of a file, or an object such as a content adapter.
 */
export const inTurn = <T>(source: string | object, job: () => Promise<T>): Promise<T> => queue.run(typeof source === 'string' ? resolve(source) : source, job)
