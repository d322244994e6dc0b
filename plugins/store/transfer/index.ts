import { existsSync } from 'node:fs'
import type { AnySpec } from '../access.ts'
import { unused } from '../claim.ts'
import { FileError, makeFolderOf } from '../files.ts'
import { checkSource } from '../open-checks.ts'
import type { Files } from '../port.ts'
import { dump, isUsable, type Environment } from './dump.ts'
import { copyDocuments, type Copied, type Database, type Progress } from './database.ts'
import {
  checkComplete,
  checkRestored,
  checkUnused,
  connected,
  readPostgres,
  writePostgres,
} from './postgres.ts'
export { migrateDatabase, processesOf } from './postgres.ts'
export { restorePostgres } from './restore.ts'
import { readSqlite, writeSqlite } from './sqlite.ts'

/** A database: the path of an SQLite file, or the address of PostgreSQL. */
export type DatabaseAddress = { readonly file: string } | { readonly url: string }

interface TransferOptions {
  /** What the target needs tables for, besides what the source has. */
  readonly collections: readonly AnySpec[]
  readonly onProgress: (progress: Progress) => void
  /** Copies the files that are kept beside the documents, before them. */
  readonly copyFiles?: (from: Files | undefined, to: Files | undefined) => Promise<void>
  /** Copies one state of a source while a service goes on writing to it: for backups. */
  readonly mayBeUsed?: boolean
}

/**
 * Copies all documents of a database into another one that has none, and verifies number and size for each collection.
 *
 * A failure leaves the target without documents. Throws a FileError if the target has documents, or if a service uses
 * one of them: what it writes meanwhile would be lost.
 */
export async function transfer(
  from: DatabaseAddress,
  to: DatabaseAddress,
  { collections, onProgress, copyFiles = async () => undefined, mayBeUsed = false }: TransferOptions,
): Promise<readonly Copied[]> {
  if ('file' in from && 'file' in to) throw new FileError('both are files; use backup and restore')
  if ('file' in from) checkSource(from.file)
  for (const place of mayBeUsed ? [] : [from, to])
    if ('url' in place)
      await connected(place.url, async (connections) => {
        await (place === from ? checkComplete : checkRestored)(connections)
        await checkUnused(connections.run)
      })
  const copy = () =>
    read(from, async (source) => {
      if ((await source.specs()).length === 0)
        throw new FileError('the source has no content; check its address')
      return write(to, collections, async (target) => {
        await copyFiles(source.files, target.files)
        return copyDocuments(source, target, onProgress)
      })
    })
  return !mayBeUsed && 'file' in from ? unused(from.file, copy) : copy()
}

type Work<T> = (database: Database) => Promise<T>
const read = <T>(place: DatabaseAddress, work: Work<T>): Promise<T> =>
  'file' in place ? readSqlite(place.file, work) : readPostgres(place.url, work)
const write = <T>(place: DatabaseAddress, collections: readonly AnySpec[], work: Work<T>): Promise<T> =>
  'file' in place ? writeSqlite(place.file, work) : writePostgres(place.url, collections, work)

/** Writes a backup of PostgreSQL to a new file with `pg_dump`; returns false if `pg_dump` cannot be used. */
export async function dumpPostgres(url: string, to: string, env: Environment): Promise<boolean> {
  if (existsSync(to)) throw new FileError(`${to} exists; name a file that does not`)
  await connected(url, checkComplete)
  makeFolderOf(to)
  const has = (program: 'pg_dump' | 'pg_restore') => isUsable(program, url, env)
  if (!(await has('pg_dump')) || !(await has('pg_restore'))) return false
  await dump(url, to, env)
  return true
}
