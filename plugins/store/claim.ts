import { chmodSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { BootError } from '../../kernel/index.ts'
import { openConnection, type Connection } from './connection.ts'
import { isBusy } from './engine-errors.ts'
import { createPrivately } from './files.ts'
import type { EngineLog } from './sqlite-engine.ts'

/** Milliseconds to wait until another process releases the file: more than a stopping process needs. */
const patienceMs = 15_000
const lookEveryMs = 50

/**
 * Claims a store for this process with a lock that always ends with the process.
 *
 * Two processes that both trust their memory would overwrite each other's changes, and a stopping process may
 * still be writing when the next one starts. So `claim` waits, and throws a BootError after a while.
 */
export async function claim(
  lock: Connection,
  { file, log }: { readonly file: string; readonly log: EngineLog },
): Promise<void> {
  const last = performance.now() + patienceMs
  for (let isReported = false; !isFree(lock); isReported = true) {
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
    await pause(lookEveryMs)
  }
}

/** Takes the claim unless another process has it; returns whether it took the claim. */
export function isFree(lock: Connection): boolean {
  try {
    lock.run('begin exclusive')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

export const claimOf = (file: string): string => `${file}.claim`

/** Opens the claim file. It is separate: others may be able to read, and lock, the file of an old version. */
export function openClaim(file: string): Connection {
  const name = claimOf(file)
  createPrivately(name)
  chmodSync(name, 0o600)
  return openConnection(name)
}
