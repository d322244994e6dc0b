import { statSync } from 'node:fs'
import {
  backup,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isDamage, isNoDatabase, toRefusal } from './engine-errors.ts'

type SqlValues = readonly SQLInputValue[]
type SqlRow = readonly SQLOutputValue[]

/** An open database with its prepared statements; rows are arrays. */
export interface Connection {
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValues): number
  get(sql: string, ...values: SqlValues): SqlRow | undefined
  all(sql: string, ...values: SqlValues): readonly SqlRow[]
  /** The first failure of this connection since the last `clearFailure`. */
  failure(): Error | undefined
  clearFailure(): void
  inTransaction(): boolean
  close(): void
}

interface ConnectionOptions {
  readonly readOnly?: boolean
  /** Called for every statement that finds the file damaged. */
  readonly onDamage?: (error: unknown) => void
}

/**
 * Opens a file. Prepares every statement once, and turns failures of the machine into refusals. The
 * declarations of node:sqlite have no type for rows as arrays.
 */
export function openConnection(
  file: string | URL,
  { onDamage, ...options }: ConnectionOptions = {},
): Connection {
  const database = new DatabaseSync(file, options)
  const statements = new Map<string, StatementSync>()
  let failure: Error | undefined

  function prepare(sql: string): StatementSync {
    const prepared = database.prepare(sql)
    prepared.setReturnArrays(true)
    statements.set(sql, prepared)
    return prepared
  }

  function attempt<T>(sql: string, work: (prepared: StatementSync) => T): T {
    try {
      return work(statements.get(sql) ?? prepare(sql))
    } catch (error) {
      const refusal = toRefusal(error)
      failure ??= refusal
      if (isDamage(error)) onDamage?.(error)
      throw refusal ?? error
    }
  }

  return {
    run: (sql, ...values) => attempt(sql, (prepared) => Number(prepared.run(...values).changes)),
    get: (sql, ...values) =>
      attempt(sql, (prepared) => prepared.get(...values) as unknown as SqlRow | undefined),
    all: (sql, ...values) =>
      attempt(sql, (prepared) => prepared.all(...values) as unknown as readonly SqlRow[]),
    failure: () => failure,
    clearFailure() {
      failure = undefined
    },
    inTransaction: () => database.isOpen && database.isTransaction,
    close: () => database.close(),
  }
}

/** Copies a consistent state of a file, even while others write to it, without blocking the event loop. */
export async function copyDatabase(file: string, to: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, to, { rate: 2 ** 31 - 1 })
  } finally {
    source.close()
  }
}

/** Opens a file without reading or replaying its log, and without creating files next to it. */
export function openAlone(file: string): Connection {
  const address = pathToFileURL(file)
  address.search = '?immutable=1'
  return openConnection(address, { readOnly: true })
}

/**
 * Returns the `user_version` in the header of a file, without reading or replaying its log; `undefined` if
 * the file is missing, empty or not a database, and `unreadable` if a crash left it half written.
 *
 * Reads through SQLite, because closing the file directly would release the locks of this process.
 */
export function versionInHeader(file: string): number | 'unreadable' | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return undefined
  try {
    const connection = openAlone(file)
    try {
      return Number(connection.get('pragma user_version')?.[0])
    } finally {
      connection.close()
    }
  } catch (error) {
    return isNoDatabase(error) ? undefined : 'unreadable'
  }
}
