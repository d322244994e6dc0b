import { once } from 'node:events'
import { rename, rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { copyDatabase, openConnection } from './connection.ts'
import { createPrivately, FileError, syncFolder } from './files.ts'
import { copied } from './generation.ts'

/** Completes a copy: it stands for itself, without a log, and no log is taken for its own. */
export function complete(copy: string): void {
  const connection = openConnection(copy)
  try {
    connection.get('pragma journal_mode = delete')
    connection.run(`pragma user_version = ${copied}`)
  } finally {
    connection.close()
  }
}

/**
 * Copies the store's file as it is at one instant, and checks the copy before it gets its name, which takes
 * the place of what is there. A copy that cannot be made or is damaged is deleted, and the reason thrown;
 * damage as a FileError.
 */
export async function copyChecked(file: string, to: string): Promise<void> {
  const partial = `${to}.partial`
  try {
    createPrivately(partial)
    await copyDatabase(file, partial)
    complete(partial)
    await checkIntegrity(partial)
    await rename(partial, to)
    syncFolder(to)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** A text, because a bundler does not find a file that is only named. */
const program = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const database = new DatabaseSync(workerData)
  const { integrity_check } = database.prepare('pragma integrity_check(1)').get()
  database.close()
  parentPort.postMessage(integrity_check)
`

/**
 * Throws a FileError with the first damage that SQLite finds in a file, which the error calls `name`. It
 * looks on a thread of its own: a large file takes long.
 */
export async function checkIntegrity(file: string, name = file): Promise<void> {
  const worker = new Worker(program, { eval: true, workerData: file, env: {}, execArgv: [] })
  const found: unknown = await once(worker, 'message').then(([answer]) => answer, String)
  if (found !== 'ok') throw new FileError(`${name} is damaged: ${String(found)}`)
}
