import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorCode, Refusal } from '../../kernel/index.ts'
import { stampOf } from './backups.ts'
import { unused } from './claim.ts'
import { openConnection } from './connection.ts'
import { checkIntegrity, complete, copyChecked } from './copy.ts'
import {
  checkBackup,
  checkDatabase,
  FileError,
  giveToOwner,
  makeFolderOf,
  syncFile,
  syncFolder,
} from './files.ts'
import { checkLog, noteNoLog, restoringOf } from './log-identity.ts'
import { checkLayout, isOurs } from './open-checks.ts'

/**
 * Copies the store's file to a new file, even while a service runs, and checks the copy.
 *
 * Throws a FileError if the file is missing, unreadable or damaged, or if `to` exists or cannot be created.
 */
export async function backUp(file: string, to: string): Promise<void> {
  checkDatabase(file)
  if (existsSync(to)) throw new FileError(`${to} exists; name a file that does not`)
  checkLog(file)
  // Reserved: a file created in the meantime must not be overwritten.
  reserve(to)
  try {
    await copyChecked(file, to)
  } catch (error) {
    rmSync(to)
    throw error
  }
}

function reserve(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    const remedy = 'name a file in a folder that exists and can be written'
    throw new FileError(`${file} cannot be created (${errorCode(cause)}); ${remedy}`, { cause })
  }
}

/**
 * Replaces the store's file with a copy of a backup, keeps the old file with its log next to it, and returns
 * the names of the old files. A failure changes nothing.
 *
 * If the process is killed meanwhile, either state remains, or one in which a start is refused. Throws a
 * FileError if a process has the file open, or if the backup is damaged or not from this service.
 */
export async function restore(file: string, backup: string, now: Date): Promise<readonly string[]> {
  checkBackup(backup)
  if (existsSync(file) && realpathSync(backup) === realpathSync(file)) {
    throw new FileError(`${backup} is the database itself; name a backup`)
  }
  makeFolderOf(file)
  return unused(file, async () => {
    const ready = restoringOf(file)
    try {
      prepare(backup, ready, file)
      await checkIntegrity(ready, backup)
      return await exchange(file, ready, `${file}.before-restore-${stampOf(now)}`)
    } finally {
      for (const each of [ready, `${ready}-wal`]) rmSync(each, { force: true })
    }
  })
}

/** Creates a copy of the backup that a service can open; only reads the backup and its folder. */
function prepare(backup: string, ready: string, file: string): void {
  for (const part of ['', '-wal']) {
    rmSync(ready + part, { force: true })
    if (!existsSync(backup + part)) continue
    copyFileSync(backup + part, ready + part)
    chmodSync(ready + part, 0o600)
  }
  const connection = openConnection(ready)
  try {
    if (!isOurs(connection)) throw new FileError(`${backup} is not a backup of this service`)
    checkLayout(connection, backup)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new FileError(`${backup} is damaged, or not a database`, { cause: error })
  } finally {
    connection.close()
  }
  complete(ready)
  giveToOwner(ready, existsSync(file) ? file : dirname(file))
  syncFile(ready)
}

/**
 * Replaces `file` with `ready`, renames the old file to `formerFile`, and returns the names of the former files.
 */
async function exchange(file: string, ready: string, formerFile: string): Promise<readonly string[]> {
  // In this order, no start finds a database without its log or creates a new one: a start is refused.
  const moves = [
    [file, formerFile],
    [ready, file],
    [`${file}-wal`, `${formerFile}-wal`],
    [`${file}-shm`, `${formerFile}-shm`],
  ] as const
  const moved: (readonly [from: string, to: string])[] = []
  try {
    for (const [from, to] of moves) {
      if (!existsSync(from)) continue
      renameSync(from, to)
      moved.push([from, to])
    }
    syncFolder(file)
    await checkIntegrity(file)
    noteNoLog(file)
    return moved.map(([, to]) => to).filter((each) => each !== file)
  } catch (error) {
    for (const [from, to] of moved.toReversed()) renameSync(to, from)
    syncFolder(file)
    throw error
  }
}
