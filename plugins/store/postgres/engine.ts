import type { Clock } from '../../../kernel/index.ts'
import type { AnySpec } from '../access.ts'
import { bodiesOf } from '../batches.ts'
import type { Engine } from '../group-commit.ts'
import { storeUnavailable } from '../refusals.ts'
import type { EngineLog } from '../sqlite-engine.ts'
import { createAhead } from './ahead.ts'
import { turnTable, type Connections, type RunSql } from './connections.ts'
import { isConflict, isTaken } from './problems.ts'
import { numbered, tableOf } from './tables.ts'

/** Milliseconds without a new connection after one has failed; doubled with each failure. */
const [firstPauseMs, longestPauseMs] = [100, 5000]
/** How long groups take turns with those of other processes after one was too slow: else most work would be repeated. */
const turnsMs = 10_000
/** A group in turn waits for those of other processes to end, and they for it: nothing is faster than a group that runs again. */
const lockFor = (inTurn: boolean): string =>
  `lock table ${turnTable} in ${inTurn ? 'exclusive' : 'row share'} mode`
/** A scan of a table would conflict with every write to it; a look-up by an index only with those of its documents. */
const lockRows = 'set enable_seqscan to off'

/** The failure of a group without marks in which one transaction failed after it had written. */
class NeedsMarks extends Error {}

/** Whether a group failed only because of one transaction, and succeeds without it. */
const failsApart = (failure: Error | undefined): boolean => failure instanceof NeedsMarks || isTaken(failure)

type Writer = Awaited<ReturnType<Connections['open']>>

export interface EngineGiven {
  readonly clock: Clock
  readonly log: EngineLog
}

/** The tables of collections. */
const withBody = `select table_name from information_schema.columns where table_schema = current_schema() and column_name = 'body' order by 1`

async function refuseReplica(run: RunSql): Promise<void> {
  const { rows } = await run('select pg_is_in_recovery()')
  if (rows[0]?.[0] === true)
    throw storeUnavailable('The database of the store is a replica that takes no changes.')
}

const unknown =
  'The database was lost while the change was stored; read again before you repeat it, or repeat it with its Idempotency-Key.'

/**
 * Creates an engine over one database: one connection writes in serializable groups, others read what is committed.
 *
 * A group first runs as if no transaction failed: without marks, and its writes are not waited for before the
 * commit is sent. If one fails after it has written, the group is rolled back and runs again with both.
 */
export function createPostgresEngine(
  connections: Connections,
  { clock, log, ready }: EngineGiven & { readonly ready: (spec: AnySpec) => Promise<void> | undefined },
) {
  let writer: Writer | undefined
  let failure: Error | undefined
  let [pauseMs, pausedUntil, turnsUntil] = [0, 0, 0]
  /** Whether each transaction of the group can fail separately. */
  let isApart = false
  /** Whether a statement of the group was sent late, after its table was created. */
  let hasWaited = false

  async function connected(): Promise<Writer> {
    if (writer) return writer
    if (clock.now().getTime() < pausedUntil)
      throw storeUnavailable('The database of the store does not answer; repeat the request in a moment.')
    try {
      let opened: Writer | undefined
      opened = await connections.open(() => {
        if (writer === opened) writer = undefined
      })
      await opened.run(lockRows)
      if (pauseMs > 0) log.warn({}, 'store can write again')
      pauseMs = 0
      return (writer = opened)
    } catch (error) {
      if (pauseMs === 0) log.error({ err: error }, 'store cannot write')
      pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs)
      pausedUntil = clock.now().getTime() + pauseMs
      throw error
    }
  }

  /** Runs a statement of the open group; its first failure is that of the group. */
  const run: RunSql = async (sql, values) => {
    try {
      if (failure) throw failure
      if (!writer) throw storeUnavailable(unknown)
      return await writer.run(sql, values)
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error))
      throw error
    }
  }
  const send = (sql: string): void => void run(sql).catch(() => undefined)

  const ahead = createAhead((spec) => {
    hasWaited ||= ready(spec) !== undefined
    return tableOf(spec, run, () => ready(spec), isApart ? 'add' : 'insert')
  })
  const engine: Engine = {
    committed: (spec) => tableOf(spec, connections.run, () => ready(spec)),
    staged: ahead.table,
    readAhead: ahead.read,
    bodies: () =>
      bodiesOf(async (sql, values) => (await connections.run(numbered(sql), values)).rows, withBody),
    // Changes when a transaction begins to write, and again when it ends; reads change nothing.
    commits: async () => String((await connections.run('select pg_current_snapshot()::text')).rows[0]?.[0]),
    async begin() {
      await connected()
      failure = undefined
      hasWaited = false
      send('begin isolation level serializable')
      // Before the first read, so that the group sees everything that it waited for.
      send(lockFor(clock.now().getTime() < turnsUntil))
    },
    async commit() {
      if (failure) throw failure
      try {
        const { command } = await run('commit')
        if (command !== 'COMMIT') throw failure ?? new Error('The group was rolled back.')
        isApart = false
      } catch (error) {
        if (writer || isConflict(error)) throw error
        throw storeUnavailable(unknown, error)
      }
    },
    async rollback() {
      isApart = failsApart(failure)
      if (isConflict(failure)) turnsUntil = clock.now().getTime() + turnsMs
      failure = undefined
      const used = writer
      await used?.run('rollback').catch(() => {
        if (writer === used) writer = undefined
        return used.end()
      })
    },
    mark: () => void (isApart && send('savepoint mark')),
    keep: () => void (isApart && send('release savepoint mark')),
    undo() {
      if (!isApart) throw (failure = new NeedsMarks())
      send('rollback to savepoint mark; release savepoint mark')
    },
    failure: () => failure,
    mayRepeat: () => isConflict(failure) || failsApart(failure),
    sendsAhead: () => !isApart && !hasWaited,
    touch: () => refuseReplica(run),
  }
  return { ...engine, close: async () => writer?.end() }
}
