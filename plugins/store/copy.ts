import { rename, rm } from 'node:fs/promises'
import { copyDatabase, openConnection } from './connection.ts'
import { createPrivately, syncFolder } from './files.ts'
import { copied } from './generation.ts'
import { checkIntegrity } from './integrity.ts'

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
