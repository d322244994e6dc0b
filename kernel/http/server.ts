import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'
import { defaultHeaders } from './headers.ts'
import type { NodeHandler } from './node.ts'

// Imported as a module it would make everything that it can, and its WebSocket alone takes as long as this kernel.
const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

export interface ServerTimes {
  /** Milliseconds for the header lines to arrive. */
  readonly headers: number
  /** Milliseconds for the complete request to arrive. */
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
    // The handler asks for the Host line itself, and says so in the envelope.
    requireHostHeader: false,
  }, (request, response) => void handler(request, response))
  // No limit: with one, some versions drop the lines over it without a word. The handler counts them.
  server.maxHeadersCount = 0
  // A request that expects something beyond the standard is answered without it.
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

/** True while an answer is on its way, into which a refusal would fall. Node keeps it under a name that only its own code shows. */
function isAnswering(socket: Duplex): boolean {
  const answer = '_httpMessage' in socket ? socket._httpMessage : undefined
  return answer instanceof ServerResponse && answer.headersSent && !answer.writableEnded
}

function toRefusal(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.timeout()
  if (code === 'HPE_HEADER_OVERFLOW') return refusals.headersTooLarge(200)
  return refusals.badRequest('This is not a well-formed HTTP/1.1 request.')
}
