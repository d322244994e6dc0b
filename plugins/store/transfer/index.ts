import type { AnySpec } from '../access.ts'
import { FileError } from '../files.ts'
import { unused } from '../claim.ts'
import { checkSource } from '../open-checks.ts'
import type { Files } from '../port.ts'
import { checkComplete } from '../postgres/connections.ts'
import { copyDocuments, type Copied, type Database, type Progress } from './database.ts'
import { checkUnused, connected, readPostgres, writePostgres } from './postgres.ts'
export { migrateDatabase, processesOf } from './postgres.ts'
export { restorePostgres } from './restore.ts'
import { readSqlite, writeSqlite } from './sqlite.ts'

/** A database: the path of an SQLite file, or the address of PostgreSQL. */
export type DatabaseAddress = { readonly file: string } | { readonly url: string }

interface TransferOptions {
  /** What the target needs tables for, besides what the source has. */
  readonly collections: readonly AnySpec[]
  readonly onProgress: (progress: Progress) => void
  /** Copies the files that are stored beside the documents, before them. */
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
): Promise<Copied> {
  if ('file' in from && 'file' in to) throw new FileError('both are files; use backup and restore')
  if ('file' in from) checkSource(from.file)
  else if (!mayBeUsed) await connected(from.url, ({ run }) => checkUnused(run))
  if (!mayBeUsed && 'url' in to)
    await connected(to.url, ({ run }) => checkComplete(run, { isRepeated: true }))
  const copy = () =>
    readDatabase(from, async (source) => {
      if ((await source.specs()).length === 0)
        throw new FileError('the source has no content; check its address')
      return write(to, collections, async (target) => {
        await copyFiles(source.files, target.files)
        return copyDocuments(source, target, onProgress)
      })
    })
  return !mayBeUsed && 'file' in from ? unused(from.file, copy) : copy()
}

type DatabaseWork<T> = (database: Database) => Promise<T>
const readDatabase = <T>(place: DatabaseAddress, work: DatabaseWork<T>): Promise<T> =>
  'file' in place ? readSqlite(place.file, work) : readPostgres(place.url, work)
const write = <T>(
  place: DatabaseAddress,
  collections: readonly AnySpec[],
  work: DatabaseWork<T>,
): Promise<T> =>
  'file' in place ? writeSqlite(place.file, work) : writePostgres(place.url, collections, work)
