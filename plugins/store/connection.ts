import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { toRefusal } from './engine-errors.ts'

type Values = readonly SQLInputValue[]
type Row = readonly SQLOutputValue[]

/** An open database with its prepared statements; rows come as arrays. */
export interface Connection {
  /** Gives how many rows changed. */
  run(sql: string, ...values: Values): number
  get(sql: string, ...values: Values): Row | undefined
  all(sql: string, ...values: Values): readonly Row[]
  /** What has kept this connection from working since the last `forgive`. */
  failure(): Error | undefined
  forgive(): void
  inTransaction(): boolean
  close(): void
}

/** The type of rows that come as arrays is not known to the declarations of node:sqlite. */
const asRow = (found: unknown): Row | undefined => found as Row | undefined

/** Wraps a database: prepares every statement once, and turns what the machine fails at into refusals. */
export function createConnection(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>()
  let failure: Error | undefined

  function statement(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known) return known
    const prepared = database.prepare(sql)
    prepared.setReturnArrays(true)
    statements.set(sql, prepared)
    return prepared
  }

  function explained(error: unknown): unknown {
    const refusal = toRefusal(error)
    failure ??= refusal
    return refusal ?? error
  }

  return {
    run(sql, ...values) {
      try {
        return Number(statement(sql).run(...values).changes)
      } catch (error) {
        throw explained(error)
      }
    },
    get(sql, ...values) {
      try {
        return asRow(statement(sql).get(...values))
      } catch (error) {
        throw explained(error)
      }
    },
    all(sql, ...values) {
      try {
        return statement(sql).all(...values) as unknown as readonly Row[]
      } catch (error) {
        throw explained(error)
      }
    },
    failure: () => failure,
    forgive() {
      failure = undefined
    },
    inTransaction: () => database.isOpen && database.isTransaction,
    close: () => database.close(),
  }
}
