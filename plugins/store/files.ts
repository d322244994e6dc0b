import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What stands in the way of a backup or a restore, as a sentence. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/**
 * Makes an empty file that is its owner's alone, unless it is there; SQLite gives the files beside it the
 * same mode.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Replaces a file by a text: after a crash the file has either its old or its new content. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`
  writeFileSync(fresh, text, { mode: 0o600, flush: true })
  renameSync(fresh, file)
  syncFolder(file)
}

/** Makes the names in the folder of a file durable, where the system can. */
export function syncFolder(file: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Makes what was written to a file durable. */
export function syncFile(file: string): void {
  const opened = openSync(file, 'r+')
  fsyncSync(opened)
  closeSync(opened)
}
