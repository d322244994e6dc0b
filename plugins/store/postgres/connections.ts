/** Connections to one PostgreSQL database, and what their failures mean. */
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { BootError, errorCode, type Refusal } from '../../../kernel/index.ts'
import { storeUnavailable } from '../refusals.ts'

/** The schema of the tables: a database may be shared with others. */
export const schema = 'content_orchestrator'
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
export interface SqlResult {
  readonly rows: readonly SqlRow[]
  readonly rowCount: number | null
  readonly command: string
}
export type Run = (sql: string, values?: readonly unknown[]) => Promise<SqlResult>

export interface Connections {
  /** Runs a statement on any connection, in a transaction of its own. */
  readonly run: Run
  /** Runs statements in one transaction on one connection. */
  within<T>(work: (run: Run) => Promise<T>): Promise<T>
  /** Opens a connection that sends statements without waiting for the answers of earlier ones. */
  open(onEnd: () => void): Promise<{ readonly run: Run; end(): Promise<void> }>
  /** Opens a connection for notifications, which is opened again whenever it ends; `onOpen` is called each time. */
  listen(channel: string, on: Listening): { isOpen(): boolean; close(): Promise<void> }
  close(): Promise<void>
}

export interface Listening {
  readonly onMessage: (message: string) => void
  readonly onOpen: () => void
}

/**
 * Connects to a database, and creates the schema of the tables.
 *
 * The address is that of `pg`, with TLS by `sslmode` and `sslrootcert`. Throws a BootError if the package `pg` is
 * missing, or if the database cannot be used.
 */
export async function connect(url: string): Promise<Connections> {
  const { default: pg } = await import('pg').catch((error: unknown) => {
    throw new BootError(['PostgreSQL needs the package pg: npm install pg'], { cause: error })
  })
  const types: CustomTypesConfig = {
    // The service writes no integer beyond those that are safe.
    getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')),
  }
  const config: ClientConfig = {
    connectionString: url,
    types,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + connectMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    keepAlive: true,
    application_name: 'content-orchestrator',
  }
  const pool: Pool = new pg.Pool({ ...config, max: poolSize })
  // A connection that ends while it is idle is replaced by the next read.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.query(`set search_path to ${schema}`).catch(() => undefined))

  const connections: Connections = {
    run: runOn(pool),
    async within(work) {
      const client = await pool.connect().catch(refuse)
      const run = runOn(client)
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
      const client: Client = new pg.Client({ ...config, pipeline: true } as ClientConfig)
      client.on('error', onEnd)
      client.on('end', onEnd)
      await client.connect().catch(refuse)
      const run = runOn(client)
      await run(`set search_path to ${schema}`)
      return { run, end: () => client.end().catch(() => undefined) }
    },
    listen(channel, { onMessage, onOpen }) {
      let client: Client | undefined
      let isClosed = false
      const again = (afterMs: number): void => {
        if (!isClosed) setTimeout(() => void open(afterMs), afterMs).unref()
      }
      async function open(pausedMs: number): Promise<void> {
        const opened: Client = new pg.Client(config)
        opened.on('error', () => undefined)
        opened.on('notification', ({ payload = '' }) => onMessage(payload))
        try {
          await opened.connect()
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
    },
    close: () => pool.end(),
  }
  try {
    await prepare(connections)
  } catch (error) {
    await pool.end()
    throw error instanceof BootError ? error : new BootError([obstacle(error)], { cause: error })
  }
  return connections
}

async function prepare({ within }: Connections): Promise<void> {
  await within(async (run) => {
    // Several processes may start at once.
    await run(`select pg_advisory_xact_lock(hashtext('${schema}'))`)
    const { rows } = await run(
      `select current_setting('server_version_num'), current_setting('server_encoding'), to_regnamespace('${schema}')`,
    )
    const [version, encoding, found] = rows[0] ?? []
    if (Number(version) < oldestVersion)
      throw new BootError([`PostgreSQL is too old (${String(version)}): use version 15 or newer.`])
    if (encoding !== 'UTF8')
      throw new BootError([`The database has the encoding ${String(encoding)}: create one with UTF8.`])
    if (found === null) await run(`create schema ${schema}`)
  })
}

const names = new Map<string, string>()
/** Each statement is parsed once a connection, under a name of its own. */
function nameOf(sql: string): string {
  const known = names.get(sql) ?? `s${names.size}`
  names.set(sql, known)
  return known
}

const runOn =
  (client: Pick<Client, 'query'>): Run =>
  async (sql, values = []) => {
    const prepared = values.length > 0 ? { name: nameOf(sql) } : {}
    try {
      return await client.query({ ...prepared, text: sql, values: [...values], rowMode: 'array' })
    } catch (error) {
      throw toRefusal(error) ?? error
    }
  }

const away =
  'The database of the store does not answer; repeat the request when it does. Earlier changes are kept.'
/** Classes of SQLSTATE for a problem of the database, not of a statement. */
const problems: Readonly<Record<string, string>> = {
  '08': away,
  '28': 'The database of the store refuses the user; check DATABASE_URL.',
  '53': 'The database of the store is out of space, memory or connections; make room, then repeat the request.',
  '57': away,
  '25': 'The database of the store takes no changes now; repeat the request when it does.',
  '55': 'The database of the store is locked for too long; repeat the request.',
}
const systemErrors = /^(?:E[A-Z]+|ERR_\w+)$/

/** Turns a problem of the database into a refusal; `undefined` for an error in a statement, and for a conflict. */
function toRefusal(error: unknown): Refusal | undefined {
  const code = errorCode(error)
  const isLost = error instanceof Error && /terminated|timeout|not queryable|was closed/i.test(error.message)
  const isAway = isLost || (code !== undefined && systemErrors.test(code))
  const sentence = isAway ? away : problems[String(code).slice(0, 2)]
  return sentence === undefined ? undefined : storeUnavailable(sentence, error)
}

function refuse(error: unknown): never {
  throw toRefusal(error) ?? storeUnavailable(away, error)
}

/** Returns the reason why a database cannot be used; never its address, which has a password. */
function obstacle(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = errorCode(cause) ?? errorCode(error)
  return `The database of DATABASE_URL cannot be used (${code ?? String(cause)}). Check that it runs, and its address, user and rights.`
}

/** Whether a transaction failed only because another one was faster. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error) ?? '')
