import { rename, rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { messageOf, workerResult } from '../../kernel/index.ts'
import { copyDatabase, openConnection } from './connection.ts'
import { isDamage } from './engine-errors.ts'
import { createPrivately, FileError, syncFolder } from './files.ts'
import { copied, partialOf } from './log-identity.ts'

/** Completes a copy: removes its log, and marks it as a match of no other log. */
export function complete(copy: string): void {
  const connection = openConnection(copy)
  try {
    connection.get('pragma journal_mode = delete')
    connection.run(`pragma user_version = ${copied}`)
  } finally {
    connection.close()
  }
}

/** Copies a consistent state of the store's file. */
export const copyChecked = (file: string, to: string): Promise<void> =>
  writeChecked(to, (partial) => copyDatabase(file, partial))

/**
 * Writes a copy of a database, and checks it before it replaces an existing file. Deletes a failed or damaged copy and
 * throws the reason; damage is a FileError.
 */
export async function writeChecked<T>(to: string, write: (partial: string) => Promise<T>): Promise<T> {
  const partial = partialOf(to)
  try {
    createPrivately(partial)
    const result = await write(partial)
    complete(partial)
    await checkIntegrity(partial)
    await rename(partial, to)
    syncFolder(to)
    return result
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Throws a FileError with the first damage that SQLite finds in a file; `name` is the file in the message.
 * Runs in a worker thread, because a large file takes long.
 */
export async function checkIntegrity(file: string, name = file): Promise<void> {
  const worker = new Worker(new URL('./integrity-worker.ts', import.meta.url), {
    workerData: file,
    env: {},
    execArgv: [],
  })
  const found = await workerResult(worker).catch((error: unknown) => {
    if (!isDamage(error)) throw error
    return messageOf(error)
  })
  if (found !== 'ok') throw new FileError(`${name} is damaged: ${String(found)}`)
}
