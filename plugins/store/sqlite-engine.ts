import { setTimeout as pause } from 'node:timers/promises'
import { bodiesOf } from './batches.ts'
import type { Connection } from './connection.ts'
import { isBusy } from './engine-errors.ts'
import type { Engine } from './group-commit.ts'
import { createTables } from './tables.ts'

/** The number of attempts to get a lock of another process: with the pauses, about ten seconds. */
const attempts = 3000
/** The bytes that must fit before writing counts as possible again: one free page is not enough. */
const usualChangeBytes = 256 * 1024

/** The tables of collections. */
const withBody = `select name from sqlite_schema as each where type = 'table' and exists (select 1 from pragma_table_info(each.name) where name = 'body')`

export interface EngineLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Creates an engine over two connections to one file: one writes, the other reads committed data.
 *
 * Writes form groups, from `begin` to `commit` or `rollback`, with one level of marks inside. A write failure
 * is logged once, with its cause; the recovery is logged too.
 */
export function createSqliteEngine(
  {
    writer,
    reader,
    beforeFirstCommit,
  }: {
    readonly writer: Connection
    readonly reader: Connection
    /** Called before the first commit that writes; no other process writes meanwhile. */
    readonly beforeFirstCommit?: () => void
  },
  log: EngineLog,
): Engine {
  const committed = createTables(reader)
  let staged = createTables(writer)
  const forget = (): void => void (staged = createTables(writer))
  let failing = false
  let written = false
  let hasCommitted = false
  /** One transaction needs no mark: the group is rolled back instead. */
  let isAlone = false
  return {
    // Between transactions the writer has only committed data, and its cache survives its own commits.
    committed: (spec) => (writer.inTransaction() ? committed(spec) : staged(spec)),
    bodies: () => bodiesOf((sql, values) => reader.all(sql, ...values), withBody),
    commits: () => Number(reader.get('pragma data_version')?.[0]),
    staged: (spec) => staged(spec),
    async begin(transactions): Promise<void> {
      isAlone = transactions === 1
      written = false
      if (failing) shortenLog(writer)
      writer.clearFailure()
      await lock(writer)
    },
    commit(): void {
      if (written && !hasCommitted) beforeFirstCommit?.()
      writer.run('commit')
      hasCommitted ||= written
      if (failing && written) {
        failing = false
        log.warn({}, 'store can write again')
      }
    },
    rollback(): void {
      const failure = writer.failure()
      if (failure && !failing) {
        failing = true
        log.error({ err: failure.cause }, 'store cannot write')
      }
      forget()
      try {
        if (writer.inTransaction()) writer.run('rollback')
      } catch {
        // The transaction is over even if this fails; the first failure has reported the reason.
      }
    },
    mark(): void {
      written = true
      if (!isAlone) writer.run('savepoint mark')
    },
    keep(): void {
      if (!isAlone) writer.run('release mark')
    },
    undo(): void {
      forget()
      writer.run(isAlone ? 'rollback' : 'rollback to mark')
      writer.run(isAlone ? 'begin' : 'release mark')
    },
    failure: writer.failure,
    touch(): void {
      written = true
      writer.run(`update _store set value = zeroblob(?) where name = 'probe'`, failing ? usualChangeBytes : 1)
    },
  }
}

/** Begins a transaction as soon as no other process writes. */
async function lock(writer: Connection): Promise<void> {
  for (let remaining = attempts; ; remaining--) {
    try {
      writer.run('begin immediate')
      return
    } catch (error) {
      if (remaining === 0 || !isBusy(error)) throw error
      writer.clearFailure()
    }
    await pause(1 + Math.random() * 5)
  }
}

/**
 * Moves as much of the write-ahead log into the file as possible. The log may fill the disk, and SQLite moves
 * it only after a commit, for which there may be no room.
 */
function shortenLog(writer: Connection): void {
  try {
    writer.run('pragma wal_checkpoint(truncate)')
  } catch {
    // The disk has no room even for this, or another process reads; the next statement reports the reason.
  }
}
