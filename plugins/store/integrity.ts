import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { FileError } from './files.ts'

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
