import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { PluginEntry } from '../../config/define-config.ts'
import { serveHere } from '../helpers/serve-demo.ts'
import type { TeardownTest } from '../helpers/raw.ts'

/** A request of a possibly hostile client: any Host, any Origin, any type, a raw body. */
export interface HostileRequest {
  readonly method?: string
  /** Sent as it is, without normalisation. */
  readonly path: string
  /** Another server on this machine, such as the demo site. */
  readonly port?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface HostileAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** What `orchestrator serve` starts, with its output recorded. */
export type Service = Awaited<ReturnType<typeof startService>>

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly PluginEntry[]
  /** Also starts the demo site, as a target for publishes. */
  readonly demo?: boolean
}

/** Starts the service over a real socket and a real SQLite file in a temporary folder; stopped with the test. */
export async function startService(t: TeardownTest, options: ServiceOptions = {}) {
  const { env = {}, plugins = [], demo = false } = options
  // Jira is configured so that its routes read their bodies; nothing listens there.
  const jira = { JIRA_BASE_URL: 'http://127.0.0.1:1', JIRA_API_TOKEN: 'token-of-a-test' }
  let written = ''
  const write = (line: string): void => void (written += line)
  const started = { plugins, demo, env: { ...jira, ...env }, logLevel: 'trace', write }
  const { port, origin, stop, folder: dataDir } = await serveHere(t, started)
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  t.teardown(() => agent.destroy())
  return {
    port,
    origin,
    dataDir,
    /** Every log line so far. */
    written: (): string => written,
    send: (request: HostileRequest): Promise<HostileAnswer> => send(agent, { port, ...request }),
    /** Every row of every table, one per line, to detect writes by comparison. */
    stored: (): string => storedRows(join(dataDir, 'orchestrator.db')),
    stop,
  }
}

async function send(
  agent: Agent,
  { method = 'GET', path, port, headers = {}, body }: HostileRequest,
): Promise<HostileAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HostileAnswer>()
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const about = { host: '127.0.0.1', port, agent, method, path }
  const request = httpRequest({ ...about, headers: { ...length, ...headers } })
  request.on('error', reject).on('response', (response) => {
    const { statusCode: status = 0, headers: received } = response
    text(response).then((body) => resolve({ status, headers: received, text: body }), reject)
  })
  request.end(body)
  return promise
}

/** A request with a JSON body. */
export function json(
  path: string,
  value: unknown,
  method = 'POST',
  headers: HostileRequest['headers'] = {},
): HostileRequest {
  const type = { 'content-type': 'application/json' }
  return { method, path, headers: { ...type, ...headers }, body: JSON.stringify(value) }
}

function storedRows(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
    const rowsOf = (name: unknown) => database.prepare(`SELECT * FROM "${name}"`).all()
    const textOf = (name: unknown) => rowsOf(name).map((row) => `${name} ${JSON.stringify(row)}`)
    return tables.flatMap(({ name }) => textOf(name)).join('\n')
  } finally {
    database.close()
  }
}

const Envelope = v.looseObject({ error: v.optional(v.string(), 'none'), code: v.optional(v.string()) })

/** The machine verdict of a refusal: its code, or its `error` where a gate refused; `none` for other answers. */
export function verdictOf({ text }: Pick<HostileAnswer, 'text'>): string {
  const { error, code = error } = v.parse(Envelope, JSON.parse(text))
  return code
}

/** Whether a request was handled: a route that lacks a key answers 503, an agent 501. */
export const isAnswered = (status: number): boolean => status < 500 || status === 503 || status === 501
