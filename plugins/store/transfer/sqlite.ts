import { existsSync } from 'node:fs'
import { openConnection, type Connection } from '../connection.ts'
import { writeChecked } from '../copy.ts'
import { FileError, makeFolderOf } from '../files.ts'
import { createOwnTable } from '../open-checks.ts'
import { sqliteTypes } from '../statements.ts'
import { toSpecs, type Database } from './database.ts'

const tables = `sqlite_schema as each join pragma_table_info(each.name) as part`
const columns = `select each.name, part.name, part.type from ${tables} where each.type = 'table' and each.name in (select each.name from ${tables} where part.name = 'body') order by each.name, part.cid`
const indexes = `select tbl_name, name from sqlite_schema where type = 'index' and sql is not null`

const databaseOn = (connection: Connection): Database => ({
  types: sqliteTypes,
  run: async (sql, values = []) => connection.all(sql, ...values),
  specs: async () => toSpecs(connection.all(columns), connection.all(indexes)),
})

async function within<T>(connection: Connection, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    connection.run('begin')
    const result = await work(databaseOn(connection))
    connection.run('commit')
    return result
  } finally {
    connection.close()
  }
}

/** Reads one state of a file that `checkSource` allows, also while a service writes to it. */
export const readSqlite = <T>(file: string, work: (database: Database) => Promise<T>): Promise<T> =>
  within(openConnection(file, { readOnly: true }), work)

/** Creates a file, which appears when it is complete and checked. Throws a FileError if it exists. */
export async function writeSqlite<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  if (existsSync(file)) throw new FileError(`${file} exists; name a file that does not`)
  makeFolderOf(file)
  return writeChecked(file, (partial) => {
    const connection = openConnection(partial)
    createOwnTable(connection)
    return within(connection, work)
  })
}
