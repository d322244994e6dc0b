import { chmodSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { BootError } from '../../kernel/index.ts'
import { openConnection, type Connection } from './connection.ts'
import { isBusy, unusable } from './engine-errors.ts'
import { createPrivately, FileError } from './files.ts'
import { belongsToItsLog, noteNoLog } from './log-identity.ts'
import type { EngineLog } from './sqlite-engine.ts'

/** Milliseconds to wait until another process releases the file: more than a stopping process needs. */
const patienceMs = 15_000
const pollIntervalMs = 50

/**
 * Claims a store for this process until the returned connection is closed, with a lock that always ends with the process.
 *
 * Two processes that both trust their memory would overwrite each other's changes, and a stopping process may
 * still be writing when the next one starts. So `claim` waits, and throws a BootError after a while.
 */
export async function claim(file: string, log: EngineLog): Promise<Connection> {
  const last = performance.now() + patienceMs
  for (let isReported = false; ; isReported = true) {
    const lock = tryClaim(file)
    if (lock) return lock
    if (performance.now() > last) {
      throw new BootError([
        `Another process uses the store's file ${file}: stop it, choose another folder with --data-dir or ` +
          'ORCHESTRATOR_DATA_DIR, or set the option `shared` of the plugin store in both.',
      ])
    }
    if (!isReported)
      log.warn(
        { file },
        `the file of the store is in use, waiting up to ${patienceMs / 1000} s for the other process to stop`,
      )
    await pause(pollIntervalMs)
  }
}

/** Works on a file that no service uses or begins to use meanwhile; throws a FileError if one does. */
export async function unused<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = tryClaim(file)
  try {
    if (!lock || isOpen(file)) throw new FileError(`a service uses ${file}; stop it, then repeat this`)
    return await work()
  } finally {
    lock?.close()
  }
}

/**
 * Takes the claim; `undefined` if another process has it. It is a separate file: others may be able to read, and lock,
 * the file of an old version.
 */
function tryClaim(file: string): Connection | undefined {
  const name = `${file}.claim`
  let lock: Connection | undefined
  try {
    createPrivately(name)
    chmodSync(name, 0o600)
    lock = openConnection(name)
    lock.run('begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    throw unusable(name, error)
  }
}

/**
 * Whether a process has the file open, even one without a claim. If none has, moves the log into the
 * file.
 */
function isOpen(file: string): boolean {
  if (!existsSync(file) || !belongsToItsLog(file)) return false
  const hadLog = existsSync(`${file}-wal`)
  const connection = openConnection(file)
  let isFound = false
  try {
    isFound = !isAlone(connection)
  } catch {
    // A damaged file fails here; it is replaced anyway.
  } finally {
    connection.close()
  }
  // The last connection moves the log into the file and deletes it.
  if (!isFound && hadLog && !existsSync(`${file}-wal`)) noteNoLog(file)
  return isFound
}

/** Whether no other connection has the file open. From then on none can open it until this one is closed. */
export function isAlone(connection: Connection): boolean {
  connection.get('pragma locking_mode = exclusive')
  try {
    connection.run('begin immediate')
  } catch (error) {
    if (!isBusy(error)) throw error
    connection.get('pragma locking_mode = normal')
    return false
  }
  connection.run('rollback')
  return true
}
