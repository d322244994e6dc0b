/** Connections to one PostgreSQL database. */
import { Socket } from 'node:net'
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { BootError, missingPackage } from '../../../kernel/index.ts'
import { obstacle, watchOutages, type Outages } from './problems.ts'

/** The name of the service, by which others see that it uses the database. */
export const serviceName = 'content-orchestrator'
/** The schema of the tables: a database may be shared with others. */
export const schema = 'content_orchestrator'
/** Where a restore keeps the earlier content until it is done. */
export const restoringSchema = `${schema}_restoring`
/** Exists while a copy into the schema is not complete; it has no rows. */
export const copyingTable = `${schema}._copying`
/** Held until the end of a transaction that completes the schema: several processes may do that at once. */
export const layoutLock = `select pg_advisory_xact_lock(hashtext('${schema}'))`
/** Locked by processes that write in turn; it has no rows. */
export const turnTable = `${schema}.turns`
/** A row for each process that uses the database. */
export const processTable = `${schema}._processes`
const oldestVersion = 150_000
const connectMs = 5000
/** Statements of this service take milliseconds; one that takes longer waits for something. */
const statementMs = 30_000
const lockMs = 10_000
/** A group that is not finished within this time has lost its process. */
const idleMs = 30_000
const poolSize = 10
const [reconnectMs, longestReconnectMs] = [100, 5000]
const beatMs = 15_000

/** A row as its values. */
export type SqlRow = readonly unknown[]
interface SqlResult {
  readonly rows: readonly SqlRow[]
  readonly rowCount: number | null
  readonly command: string
}
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<SqlResult>

export interface Connections {
  /** Runs a statement on any connection, in a transaction of its own. */
  readonly run: RunSql
  /** Runs statements in one transaction on one connection. */
  within<T>(work: (run: RunSql) => Promise<T>): Promise<T>
  /** Opens a connection that sends statements without waiting for the answers of earlier ones. */
  open(onEnd: () => void): Promise<{ readonly run: RunSql; end(): Promise<void> }>
  /**
   * Opens a connection for notifications, which is opened again whenever it ends; `onOpen` is called each
   * time.
   */
  listen(channel: string, on: ChannelListener): { isOpen(): boolean; close(): Promise<void> }
  close(): Promise<void>
}

interface ChannelListener {
  readonly onMessage: (message: string) => void
  readonly onOpen: () => void
}

/** The optional package. Inside `try`, bundlers let a missing package fail at run time. */
async function importLibrary() {
  try {
    return await import('pg')
  } catch (cause) {
    throw new BootError([missingPackage('PostgreSQL', 'pg')], { cause })
  }
}

/**
 * Connects to a database, and creates the schema of the tables. A tool creates nothing, and may take its
 * time.
 *
 * The address is that of `pg`, with TLS by `sslmode` and `sslrootcert`. Throws a BootError if the package
 * `pg` is missing, or if the database cannot be used.
 */
export async function connect(url: string, { isTool = false } = {}): Promise<Connections> {
  const { default: pg } = await importLibrary()
  const types: CustomTypesConfig = {
    // The service writes no integer beyond those that are safe.
    getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')),
  }
  const config: ClientConfig = {
    connectionString: url,
    types,
    connectionTimeoutMillis: connectMs,
    ...(!isTool && {
      statement_timeout: statementMs,
      query_timeout: statementMs + connectMs,
      idle_in_transaction_session_timeout: idleMs,
    }),
    lock_timeout: lockMs,
    keepAlive: true,
  }
  // Wins over a name in the address: a tool finds services by theirs.
  const session = `set search_path to ${schema}; set application_name to '${serviceName}${isTool ? ' (tool)' : ''}'`
  const onConnect = (client: Pick<Client, 'query'>) => client.query(session)
  const pool: Pool = new pg.Pool({ ...config, max: poolSize, onConnect })
  const outages = watchOutages()
  // A connection that ends while it is idle is replaced by the next read.
  pool.on('error', () => undefined)

  const connections: Connections = {
    run: runOn(pool, outages),
    async within(work) {
      const client = await pool.connect().catch(outages.refuse)
      const run = runOn(client, outages)
      try {
        await run('begin')
        const result = await work(run)
        await run('commit')
        client.release()
        return result
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    async open(onEnd) {
      const socket = new Socket()
      const client: Client = new pg.Client({
        ...config,
        pipeline: true,
        stream: () => socket,
      } as ClientConfig)
      client.on('error', onEnd)
      client.on('end', onEnd)
      await client.connect().catch(outages.refuse)
      const send = runOn(client, outages)
      const together = gathered(socket)
      const run: RunSql = (sql, values) => {
        together()
        return send(sql, values)
      }
      await run(session)
      return { run, end: () => client.end().catch(() => undefined) }
    },
    listen: (channel, on) => listenOn(channel, on, () => new pg.Client(config), session),
    close: () => pool.end(),
  }
  try {
    await prepare(connections, isTool)
  } catch (error) {
    await pool.end()
    throw error instanceof BootError ? error : new BootError([obstacle(error, url)], { cause: error })
  }
  return connections
}

/** Creates a function after which everything that is written until the end of the tick is sent in one piece. */
function gathered(socket: Socket): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    socket.cork()
    process.nextTick(() => {
      isWaiting = false
      socket.uncork()
    })
  }
}

/** Listens on a connection that is opened again whenever it ends. */
function listenOn(
  channel: string,
  { onMessage, onOpen }: ChannelListener,
  create: () => Client,
  session: string,
): ReturnType<Connections['listen']> {
  let client: Client | undefined
  let isClosed = false
  const again = (afterMs: number): void => {
    if (!isClosed) setTimeout(() => void open(afterMs), afterMs).unref()
  }
  async function open(pausedMs: number): Promise<void> {
    const opened = create()
    opened.on('error', () => undefined)
    opened.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      await opened.connect()
      await opened.query(session)
      await opened.query(`listen ${channel}`)
    } catch {
      void opened.end().catch(() => undefined)
      return again(Math.min(Math.max(pausedMs * 2, reconnectMs), longestReconnectMs))
    }
    client = opened
    // A connection that is lost without a word answers nothing.
    const beat = setInterval(() => void opened.query('select 1').catch(() => opened.end()), beatMs)
    opened.on('end', () => {
      clearInterval(beat)
      client = undefined
      again(0)
    })
    if (isClosed) void opened.end()
    else onOpen()
  }
  void open(0)
  return {
    isOpen: () => client !== undefined,
    async close() {
      isClosed = true
      await client?.end().catch(() => undefined)
    },
  }
}

/**
 * Throws a BootError while a restore of the database is not complete, or a copy into it, unless that
 * `isRepeated`.
 */
export async function checkComplete(run: RunSql, { isRepeated = false } = {}): Promise<void> {
  const { rows } = await run(`select to_regnamespace('${restoringSchema}'), to_regclass('${copyingTable}')`)
  const [restoring, copying] = rows[0] ?? []
  if (restoring !== null)
    throw new BootError([
      'A restore of the database runs or was interrupted: repeat `restore` with the backup.',
    ])
  if (copying !== null && !isRepeated)
    throw new BootError([
      'A copy into the database runs or was interrupted: run `npx content-orchestrator copy` again, ' +
        'or `restore` where that began it. ' +
        `To begin with an empty store, drop the schema ${schema} and start again.`,
    ])
}

async function prepare({ within }: Connections, isTool: boolean): Promise<void> {
  await within(async (run) => {
    await run(layoutLock)
    const { rows } = await run(
      `select current_setting('server_version_num'), current_setting('server_encoding'), to_regnamespace('${schema}')`,
    )
    const [version, encoding, found] = rows[0] ?? []
    if (Number(version) < oldestVersion)
      throw new BootError([`PostgreSQL is too old (${String(version)}): use version 15 or newer.`])
    if (encoding !== 'UTF8')
      throw new BootError([`The database has the encoding ${String(encoding)}: create one with UTF8.`])
    if (isTool) return
    await checkComplete(run)
    if (found === null) await run(`create schema ${schema}`)
    await run(`create table if not exists ${turnTable} ()`)
    await run(
      `create table if not exists ${processTable} (id uuid primary key, version text not null, started timestamptz not null, clock timestamptz not null, seen timestamptz not null)`,
    )
  })
}

const names = new Map<string, string>()
/** Each statement is parsed once a connection, under a name of its own. */
function statementName(sql: string): string {
  const name = names.get(sql) ?? `s${names.size}`
  names.set(sql, name)
  return name
}

const runOn =
  (client: Pick<Client, 'query'>, { failed, answered }: Outages): RunSql =>
  async (sql, values = []) => {
    const prepared = values.length > 0 ? { name: statementName(sql) } : {}
    try {
      const result = await client.query({ ...prepared, text: sql, values: [...values], rowMode: 'array' })
      answered()
      return result
    } catch (error) {
      throw failed(error)
    }
  }
