import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The reason why a backup or a restore fails, as a sentence. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/**
 * Creates an empty file for its owner only, unless it exists; SQLite gives the files next to it the
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

/** Makes the names in the folder of a file durable, if the system supports that. */
export function syncFolder(file: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Makes the content of a file durable. */
export function syncFile(file: string): void {
  const opened = openSync(file, 'r+')
  fsyncSync(opened)
  closeSync(opened)
}
