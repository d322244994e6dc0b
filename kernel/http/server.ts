import { createServer, STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'
import type { NodeHandler } from './node.ts'

export interface ServerTimes {
  /** Milliseconds for the header lines to arrive. */
  readonly headers: number
  /** Milliseconds for the whole request to arrive. */
  readonly request: number
  /** Milliseconds between two looks at the clock. */
  readonly check: number
  /** Milliseconds that an idle connection is kept; longer than the balancers in front of it keep theirs. */
  readonly keepAlive: number
}

export const serverTimes: ServerTimes = { headers: 10_000, request: 120_000, check: 5_000, keepAlive: 72_000 }

/** A `node:http` server whose time-outs are set on purpose, and whose own refusals speak the one envelope. */
export function createHttpServer(handler: NodeHandler, times: ServerTimes = serverTimes): Server {
  const server = createServer({
    headersTimeout: times.headers,
    requestTimeout: times.request,
    connectionsCheckingInterval: times.check,
    keepAliveTimeout: times.keepAlive,
    maxHeaderSize: 32 * 1024,
    insecureHTTPParser: false,
  }, (request, response) => void handler(request, response))
  // One line over the kernel's own limit, so that the parser never drops a line silently.
  server.maxHeadersCount = 0
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseOn(socket, error))
  return server
}

function refuseOn(socket: Duplex, { code }: NodeJS.ErrnoException): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = toRefusal(code)
  const body = JSON.stringify(refusal.toBody())
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

function toRefusal(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.timeout()
  if (code === 'HPE_HEADER_OVERFLOW') return refusals.headersTooLarge(200)
  return refusals.badRequest('This is not a well-formed HTTP/1.1 request.')
}
