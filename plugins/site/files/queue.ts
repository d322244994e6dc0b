import { resolve } from 'node:path'
import { createKeyedQueue } from '../../../kernel/index.ts'

/** A job that does not end delays the next one of its source by two minutes. */
const queue = createKeyedQueue<string | object>({ longestRunMs: 120_000 })

/**
 * Runs jobs on one source one after another, in the order of arrival; a failed job does not stop later ones.
 *
 * A source is the path of a file, or an object such as a content adapter.
 */
export const inTurn = <T>(source: string | object, job: () => Promise<T>): Promise<T> => queue.run(typeof source === 'string' ? resolve(source) : source, job)
