import type { AnySpec } from '../access.ts'
import {
  checkComplete,
  connect,
  copyingTable,
  layoutLock,
  schema,
  serviceName,
  type Connections,
  type RunSql,
} from '../postgres/connections.ts'
import { createFiles } from '../postgres/files.ts'
import { createLayout, migrate, types } from '../postgres/layout.ts'
import { readProcesses, type DatabaseProcess } from '../postgres/processes.ts'
import { numbered } from '../postgres/tables.ts'
import { FileError } from '../files.ts'
import { checkEmpty, toSpecs, type Database } from './database.ts'

const columns = `select table_name, column_name, data_type from information_schema.columns
  where table_schema = '${schema}' and table_name in
    (select table_name from information_schema.columns where table_schema = '${schema}' and column_name = 'body')
  order by table_name, ordinal_position`
const indexes = `select tablename, indexname from pg_indexes where schemaname = '${schema}'`

/**
 * Works in one transaction of a connection that sends statements without waiting for earlier ones. `reading` reads one
 * state of documents and files; written files are outside of the transaction, because each takes a lock until its end.
 */
async function within<T>(
  connections: Connections,
  work: (database: Database) => Promise<T>,
  { reading = false } = {},
): Promise<T> {
  const { run, end } = await connections.open(() => undefined)
  const files = createFiles(reading ? { ...connections, run } : connections, createLayout(connections).files)
  try {
    await run(reading ? 'begin isolation level repeatable read read only' : 'begin')
    const result = await work({
      types,
      files,
      run: async (sql, values) => (await run(numbered(sql), values)).rows,
      specs: async () => toSpecs((await run(columns)).rows, (await run(indexes)).rows),
    })
    await run('commit')
    return result
  } finally {
    await end()
  }
}

/** Connects for as long as `work` takes. */
export async function connected<T>(url: string, work: (connections: Connections) => Promise<T>): Promise<T> {
  const connections = await connect(url, { isTool: true })
  try {
    return await work(connections)
  } finally {
    await connections.close()
  }
}

/**
 * Completes the tables of these collections and of files, under a lock, and returns the statements that were missing;
 * with `check` it changes nothing. Throws a TypeError if a column would have another type.
 */
export const migrateDatabase = (
  url: string,
  collections: readonly AnySpec[],
  options: { readonly check: boolean },
): Promise<readonly string[]> =>
  connected(url, async (connections) => {
    await checkComplete(connections.run)
    return migrate(connections, collections, options)
  })

/** Returns the processes that use a database. Throws a BootError if it cannot be used. */
export const processesOf = (url: string): Promise<readonly DatabaseProcess[]> =>
  connected(url, ({ run }) => readProcesses(run))

/** Throws a FileError if a service is connected to the database. */
export async function checkUnused(run: RunSql): Promise<void> {
  const { rows } = await run(
    'select count(*) from pg_stat_activity where datname = current_database() and application_name = $1',
    [serviceName],
  )
  if (Number(rows[0]?.[0]) > 0) throw new FileError('a service uses the database; stop it, then repeat this')
}

/**
 * Reads one state of a database, also while services write to it. Throws a BootError if it is not
 * complete.
 */
export const readPostgres = <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> =>
  connected(url, async (connections) => {
    await checkComplete(connections.run)
    return within(connections, work, { reading: true })
  })

/**
 * Fills a database without documents, completely or not at all; if the process is killed meanwhile, services refuse to
 * start until this is repeated. Throws a FileError if it has any or is in use.
 */
export const writePostgres = <T>(
  url: string,
  collections: readonly AnySpec[],
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  connected(url, async (connections) => {
    const complete = () => migrate(connections, collections, { check: false })
    await within(connections, async (database) => {
      // A service that starts holds it, and is connected afterwards.
      await database.run(layoutLock)
      await checkUnused(connections.run)
      await database.run(`create schema if not exists ${schema}`)
      await checkEmpty(database)
      await database.run(`create table if not exists ${copyingTable} ()`)
    })
    try {
      await complete()
      const result = await within(connections, async (database) => {
        const copied = await work(database)
        await database.run(`drop table ${copyingTable}`)
        return copied
      })
      await complete()
      return result
    } catch (error) {
      await connections.run(`drop table if exists ${copyingTable}`).catch(() => undefined)
      throw error
    }
  })
