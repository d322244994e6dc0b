import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../kernel/index.ts'

/** The reason why a backup or a restore fails, as a sentence. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/**
 * Creates an empty file for its owner only, unless it exists; SQLite creates the files next to it with the
 * same mode.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
    giveToOwner(file, dirname(file))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Gives a file the owner of another one: root may work for a service of another user, who could not open the file. */
export function giveToOwner(file: string, of: string): void {
  if (process.getuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(of)
    chownSync(file, uid, gid)
  } catch {
    // Some containers do not allow it; a service of that user then names the file that it cannot use.
  }
}

/** Makes the folder of a file. Throws a FileError if it cannot be made or written. */
export function makeFolderOf(file: string): void {
  const folder = dirname(file)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const remedy = 'name another folder, or run this as a user who may write it'
    throw new FileError(`the folder ${folder} cannot be made or written (${errorCode(cause)}); ${remedy}`, {
      cause,
    })
  }
}

/** Finds a file. Throws a FileError if it is missing, with `remedy`, is a folder, or if this user may not read it. */
function findReadable(file: string, what: string, remedy: string): Stats {
  try {
    const found = statSync(file)
    accessSync(file, constants.R_OK)
    if (!found.isDirectory()) return found
  } catch (cause) {
    const code = errorCode(cause)
    const problem =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `does not exist; ${remedy}`
        : `cannot be read (${code}); run this as a user who may read it`
    throw new FileError(`the ${what} ${file} ${problem}`, { cause })
  }
  throw new FileError(`${file} is a folder; name a ${what} in it`)
}

/** Throws a FileError if the file of a database is missing, or if this user may not read it. */
export function checkDatabase(file: string): void {
  findReadable(file, 'database', 'start the service once, or name its folder with --data-dir')
}

/** Throws a FileError if a backup is missing or unreadable. */
export function checkBackup(file: string): void {
  findReadable(file, 'backup', 'name another file')
}

/** Replaces the content of a file; after a crash, the file has either its old or its new content. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`
  writeFileSync(fresh, text, { mode: 0o600, flush: true })
  renameSync(fresh, file)
  syncFolder(file)
}

/** Makes the names in the folder of a file durable, if the system supports that. */
export function syncFolder(file: string): void {
  if (process.platform !== 'win32') syncFile(dirname(file), 'r')
}

/** Makes the content of a file durable. */
export function syncFile(file: string, flags = 'r+'): void {
  const opened = openSync(file, flags)
  fsyncSync(opened)
  closeSync(opened)
}
