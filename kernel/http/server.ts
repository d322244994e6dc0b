import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'
import { defaultHeaders } from './headers.ts'
import { isAnswering, type NodeHandler } from './node.ts'

// A module import would initialise all of it, and its WebSocket alone takes as long as this kernel.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

export interface ServerTimes {
  /** Milliseconds for the header lines to arrive. */
  readonly headers: number
  /** Milliseconds for the complete request to arrive. */
  readonly request: number
  /** Interval of the checks of these timeouts, in milliseconds. */
  readonly check: number
  /** Milliseconds until an idle connection is closed; longer than the timeout of load balancers. */
  readonly keepAlive: number
}

export const serverTimes: ServerTimes = { headers: 10_000, request: 120_000, check: 5_000, keepAlive: 72_000 }

/** Creates a `node:http` server with explicit timeouts, whose own refusals have the error envelope. */
export function createHttpServer(handler: NodeHandler, times: ServerTimes = serverTimes): Server {
  const server = createServer(
    {
      headersTimeout: times.headers,
      requestTimeout: times.request,
      connectionsCheckingInterval: times.check,
      keepAliveTimeout: times.keepAlive,
      maxHeaderSize: 32 * 1024,
      insecureHTTPParser: false,
      optimizeEmptyRequests: true,
      // The handler checks the Host line itself, to refuse it in the error envelope.
      requireHostHeader: false,
    },
    (request, response) => void handler(request, response),
  )
  // No limit, because some versions silently drop lines beyond it. The handler counts the lines.
  server.maxHeadersCount = 0
  // Unknown expectations are ignored.
  server.on('checkExpectation', (request, response) => void handler(request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseOn(socket, error))
  return server
}

function refuseOn(socket: Duplex, { code }: NodeJS.ErrnoException): void {
  if (code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
  const refusal = toRefusal(code)
  const body = JSON.stringify(refusal.toBody())
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      ...Object.entries(defaultHeaders).map(([name, value]) => `${name}: ${value}`),
      'content-type: application/json; charset=utf-8',
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
