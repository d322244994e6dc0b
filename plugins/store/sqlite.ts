import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BootError, type Clock } from '../../kernel/index.ts'
import { createStoreOver } from './group-commit.ts'
import { scheduleBackups, type BackupRhythm } from './backups.ts'
import { claim, isAlone } from './claim.ts'
import { openConnection, type Connection } from './connection.ts'
import { copyChecked } from './copy.ts'
import { watchDamage } from './damage.ts'
import { isBusy, unusable } from './engine-errors.ts'
import { createPrivately } from './files.ts'
import { beginLogIdentity, checkLog, noteLogInUse, noteNoLog } from './log-identity.ts'
import { checkContent, checkSqliteVersion, checkLayout } from './open-checks.ts'
import type { Store } from './port.ts'
import { createSqliteEngine, type EngineLog } from './sqlite-engine.ts'

/** Milliseconds that a read or the opening waits for another process. */
const lockWaitMs = 5000
const lockPauseMs = 1
/** The number of 4 KB pages at which the log is moved into the file; frequently changed pages move once. */
const logPages = 4000
/** A write-ahead log that has grown beyond this many bytes is truncated when it restarts. */
const logLimitBytes = 64 * 1024 * 1024

export interface SqliteOptions {
  /** A path, created with its folder if missing. */
  readonly file: string
  /** `full`, the default, survives a power loss; `normal` is faster and survives only a crash. */
  readonly synchronous?: 'full' | 'normal'
  /** Set it if several processes write to the file; then values in memory are never trusted. */
  readonly shared?: boolean
  readonly clock: Clock
  readonly log: EngineLog
  /** The schedule of copies next to the file; `false` for none. */
  readonly backups?: BackupRhythm | false
}

export interface SqliteStore extends Store {
  /**
   * Claims the file: other processes that claim it wait until this one closes the store or ends. Waits for
   * another process with the claim, and throws a BootError if it does not stop within fifteen seconds.
   */
  claim(): Promise<void>
  /** Creates a copy now, and resolves with its path; `undefined` after a failure. */
  backup(): Promise<string | undefined>
  /** Finishes running transactions, moves the write-ahead log into the file and closes it. */
  close(): Promise<void>
}

/**
 * Opens the store in one SQLite file.
 *
 * Transactions of one event-loop tick share a commit and are answered after it. Reads outside transactions
 * use a second connection, so they never see writes that are not durable. Several processes, and several
 * stores in one process, may open the same file. Throws a BootError if the file cannot be used.
 */
export function createSqliteStore(options: SqliteOptions): SqliteStore {
  const { file: name, synchronous = 'full', shared = false, clock, log, backups = {} } = options
  const file = resolve(name)
  const damage = watchDamage(file, { clock, log })
  const { writer, reader } = open(file, synchronous, damage.report)
  const others = watchOthers(writer, () => log.warn({ file }, notAlone))
  const store = createStoreOver(
    createSqliteEngine({ writer, reader, beforeFirstCommit: () => noteLogInUse(file) }, log),
    { shared },
  )
  const copies = scheduleBackups(backups, { file, copy: (to) => copyChecked(file, to), clock, log })
  let closing: Promise<void> | undefined
  let lock: Connection | undefined

  async function shut(): Promise<void> {
    await Promise.allSettled([store.transaction(async () => {}), copies.stop(), damage.stop()])
    reader.close()
    try {
      const isLast = isAlone(writer)
      const [busy] = writer.get('pragma wal_checkpoint(truncate)') ?? []
      if (isLast && busy === 0) noteNoLog(file)
    } catch (error) {
      log.warn({ err: error }, 'write-ahead log could not be merged into the store')
    }
    writer.close()
    lock?.close()
  }

  return {
    ...store,
    get shared() {
      return shared || others()
    },
    health: async () => damage.ask() ?? (await store.health()),
    async claim() {
      lock ??= await claim(file, log)
      // This is the only server on the file now, so the check is not needed.
      Object.defineProperty(this, 'shared', { value: shared })
    },
    backup: copies.make,
    close: () => (closing ??= shut()),
  }
}

const notAlone =
  'another process, or another store of this one, writes to the file, so every read goes to it from now on; ' +
  'where a bundler loads the module of an orchestrator more than once, share one on globalThis; where several ' +
  'processes are intended, set the option `shared` of the plugin store'

/**
 * Returns a function that checks whether a connection other than `writer` has committed to its file since
 * this call. Once true, it stays true, and `onFound` is called once. Until then, each call costs a read lock,
 * about two microseconds.
 */
function watchOthers(writer: Connection, onFound: () => void): () => boolean {
  const dataVersion = () => writer.get('pragma data_version')?.[0]
  const alone = dataVersion()
  let found = false
  return () => {
    if (found || dataVersion() === alone) return found
    onFound()
    return (found = true)
  }
}

/** Opens both connections, or throws a BootError with the reason in one sentence. */
function open(
  file: string,
  synchronous: 'full' | 'normal',
  onDamage: (error: unknown) => void,
): { writer: Connection; reader: Connection } {
  const opened: Connection[] = []
  function connect(readOnly: boolean): Connection {
    const connection = openConnection(file, { readOnly, onDamage })
    opened.push(connection)
    connection.run(`pragma busy_timeout = ${lockWaitMs}`)
    return connection
  }

  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    checkStart(file)
    createPrivately(file)
    const writer = connect(false)
    prepareWriter(writer, file, synchronous)
    return { writer, reader: connect(true) }
  } catch (error) {
    for (const connection of opened) connection.close()
    throw unusable(file, error)
  }
}

/** Throws a BootError if a service would not start on this file. Changes nothing. */
export function checkStart(file: string): void {
  try {
    checkLog(file)
    checkContent(file)
  } catch (error) {
    throw unusable(file, error)
  }
}

function prepareWriter(writer: Connection, file: string, synchronous: 'full' | 'normal'): void {
  checkSqliteVersion(writer)
  writer.run('pragma page_size = 4096')
  if (writeAhead(writer) !== 'wal') {
    throw new BootError([
      `The store's file ${file} is on a file system that cannot share memory; put it on a local disk.`,
    ])
  }
  writer.run(`pragma synchronous = ${synchronous}`)
  writer.run(`pragma wal_autocheckpoint = ${logPages}`)
  writer.run('pragma temp_store = memory')
  writer.run(`pragma journal_size_limit = ${logLimitBytes}`)
  checkLayout(writer, file)
  // From here on, the engine waits for locks between turns of the event loop, never within one.
  writer.run('pragma busy_timeout = 0')
  patiently(() => beginLogIdentity(writer, file))
}

/** Enables the write-ahead log and returns the resulting mode. */
const writeAhead = (writer: Connection): unknown =>
  patiently(() => writer.get('pragma journal_mode = wal')?.[0])

/**
 * Tries again while another process holds a lock. SQLite does not wait where processes open a new file at the
 * same time, and waits too long between two tries to get past a process that writes without a break.
 */
function patiently<T>(work: () => T): T {
  for (let waitedMs = 0; ; waitedMs += lockPauseMs) {
    try {
      return work()
    } catch (error) {
      if (waitedMs >= lockWaitMs || !isBusy(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPauseMs)
    }
  }
}
