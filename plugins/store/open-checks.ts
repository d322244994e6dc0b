import { BootError } from '../../kernel/index.ts'
import { statSync } from 'node:fs'
import { openAlone, openConnection, type Connection } from './connection.ts'
import { isDamage } from './engine-errors.ts'
import { checkDatabase, FileError } from './files.ts'
import { checkLog, hasLog } from './log-identity.ts'

/** The file layout of this version; a file with a later layout is not touched. */
const layout = 1
/** Earlier versions can damage a write-ahead log if one connection checkpoints while another commits. */
const soundSince = '3.51.3'

/** Whether a version of SQLite never damages a write-ahead log. */
export const isSoundSqlite = (version: string): boolean => toNumber(version) >= toNumber(soundSince)

const toNumber = (version: string): number =>
  version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0)

/** Refuses to run on a version of SQLite that can damage data. */
export function checkSqliteVersion(writer: Connection): void {
  const version = String(writer.get('select sqlite_version()')?.[0])
  if (isSoundSqlite(version)) return
  throw new BootError([
    `This Node has SQLite ${version}, which can damage the store; use a Node with SQLite ${soundSince} or later.`,
  ])
}

/** The maximum size of a file that the start checks, which takes a second per gigabyte; backups check larger ones. */
const maxCheckedBytes = 512 * 1024 * 1024

/**
 * Refuses the file of another program, and a damaged one, before anything is written. A problem of the machine
 * is left to the opening.
 */
export function checkContent(file: string): void {
  const problem = problemIn(file)
  if (problem === 'foreign')
    throw new BootError([
      `The store's file ${file} belongs to another program; name another file in ORCHESTRATOR_DB_FILE.`,
    ])
  if (problem !== undefined)
    throw new BootError([
      `The store's file ${file} is damaged (${problem}): run ` +
        '`npx content-orchestrator restore BACKUP` with the newest backup.',
    ])
}

/**
 * Throws a FileError for a file to read that is missing, damaged or of another program: it is not the
 * store's own file.
 */
export function checkSource(file: string): void {
  checkDatabase(file)
  checkLog(file)
  let cause: unknown
  try {
    cause = problemIn(file)
  } catch (error) {
    if (!isDamage(error)) throw error
    cause = error
  }
  if (cause === 'foreign')
    throw new FileError(`${file} belongs to another program; name a database of this service`)
  if (cause !== undefined)
    throw new FileError(`${file} is damaged, or not a database; name another file`, { cause })
}

/** Returns `foreign` for the file of another program, the first damage that SQLite finds, or else `undefined`. */
function problemIn(file: string): string | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return undefined
  let connection: Connection | undefined
  try {
    connection = hasLog(file) ? openConnection(file, { readOnly: true }) : openAlone(file)
    const [tables, own] = connection.get(`select count(*), total(name = '_store') from sqlite_schema`) ?? []
    const isMarked = connection.get('pragma application_id')?.[0] !== 0
    if (own === 0 && (tables !== 0 || isMarked)) return 'foreign'
    if (own !== 0) refuseLater(connection, file)
    const [found] = (size <= maxCheckedBytes && connection.get('pragma quick_check(1)')) || ['ok']
    return found === 'ok' ? undefined : String(found).replace(/\s+/g, ' ')
  } catch (error) {
    if (error instanceof BootError || isDamage(error)) throw error
    return undefined
  } finally {
    connection?.close()
  }
}

/** Marks a new file with the layout of this version, and refuses a file that a later version has written. */
export function checkLayout(writer: Connection, file: string): void {
  if (!isOurs(writer)) createOwnTable(writer)
  refuseLater(writer, file)
}

function refuseLater(connection: Connection, file: string): void {
  const found = Number(connection.get(`select value from _store where name = 'layout'`)?.[0])
  if (found <= layout) return
  throw new BootError([
    `The store's file ${file} was written by a later version: its layout is ${found}, this one knows ${layout}. ` +
      'Start the later version, or run `npx content-orchestrator restore BACKUP` with a backup from before the update.',
  ])
}

/** Creates the table with the layout of the database, by which a file is known as one of this service. */
export function createOwnTable(writer: Connection): void {
  writer.run('begin immediate')
  writer.run('create table if not exists _store (name text primary key, value integer not null)')
  writer.run(`insert or ignore into _store values ('layout', ${layout}), ('probe', 0)`)
  writer.run('commit')
}

/** Whether a file belongs to this service, of any version. */
export function isOurs(connection: Connection): boolean {
  return connection.get(`select 1 from sqlite_schema where name = '_store'`) !== undefined
}
