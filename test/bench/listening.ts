import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListenOptions {
  readonly dataDir?: string
  readonly headers?: readonly string[]
  readonly body?: string
  /** The address of a PostgreSQL database. */
  readonly database?: string
  /** Length of a generated body. */
  readonly length?: number
  /** The file sent as every response. */
  readonly file?: string
  /** Commits every transaction separately, for comparison. */
  readonly oneTransactionEach?: boolean
  /** The address of a language model. */
  readonly model?: string
  /** A file with the published content. */
  readonly published?: string
  /** The access token of a mount. */
  readonly token?: string
  /** A website's folder, and the place of its checkout. */
  readonly folder?: string
  readonly place?: string
}

export type StartServer = (
  options: ListenOptions,
) => Promise<{ readonly port: number; readonly facts?: object; stop(): Promise<void> }>

/** Listens on a free port. */
export async function listening(answer: RequestListener) {
  const server = createServer({ keepAliveTimeout: 72_000 }, answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: (server.address() as AddressInfo).port, stop: async () => server.closeAllConnections() }
}
