/** Raw bytes over a socket, for requests that no well-behaved client sends. */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** What ends with a test. */
export interface TeardownTest {
  teardown(end: () => unknown): void
}

/** Starts a server on a free local port, and closes it with the test. */
export async function listen(
  t: TeardownTest,
  server: Server & { readonly closeAllConnections?: () => void },
): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections?.()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}

/** The origin of a server with this listener. */
export const serve = async (t: TeardownTest, listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(t, createHttpServer(listener))}`

/** A free port, for programs that cannot listen on port 0. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Opens a connection that is destroyed with the test; its errors are ignored. */
export async function dial(t: Pick<TeardownTest, 'teardown'>, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** One answer as received; its header names in lower case. */
export interface WireAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface Exchange {
  readonly answers: readonly WireAnswer[]
  /** Whether the server closed the connection. */
  readonly closed: boolean
}

const turnMs = 20

/**
 * Sends bytes and returns the answers until the server closes, or is silent for `quiet` milliseconds.
 *
 * A request with `connection: close` waits for the end of the connection; a busy machine takes longer than a second.
 *
 * Text is sent as Latin-1, so that `\xff` is one byte.
 */
export async function exchange(
  t: TeardownTest,
  port: number,
  bytes: string | Uint8Array,
  quiet = /^connection: close\r$/im.test(bytes.toString()) ? 20_000 : 1000,
): Promise<Exchange> {
  const socket = await dial(t, port)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let received = ''
  let silent = 0
  // Counted in turns of the loop, in which the server runs too: a busy machine gives both less of its time.
  const timer = setInterval(() => (silent += turnMs) >= quiet && resolve(false), turnMs)
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    silent = 0
  })
  socket.once('close', () => resolve(true))
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  const closed = await promise
  clearInterval(timer)
  socket.destroy()
  return { answers: toAnswers(received), closed }
}

/** Parses a stream of answers; throws at anything else. */
export function toAnswers(received: string): readonly WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
    if (end === -1 || status === undefined) throw new Error(`this is not an answer: ${rest.slice(0, 200)}`)
    const headers = new Map(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const after = rest.slice(end + 4)
    const { body, length } =
      headers.get('transfer-encoding') === 'chunked'
        ? unchunk(after)
        : toPlain(after, headers.get('content-length'))
    if (!status.startsWith('1')) answers.push({ status: Number(status), headers, body })
    rest = after.slice(length)
  }
  return answers
}

interface RawPart {
  readonly body: string
  /** Its length in the received text. */
  readonly length: number
}

function toPlain(received: string, contentLength: string | undefined): RawPart {
  const length = Number(contentLength ?? 0)
  return { body: received.slice(0, length), length }
}

/** Reads chunks up to the last one, or to the end of a truncated answer. */
function unchunk(received: string): RawPart {
  let body = ''
  let at = 0
  for (;;) {
    const size = /^([0-9a-f]+)\r\n/i.exec(received.slice(at))
    if (!size) return { body, length: received.length }
    const length = Number.parseInt(size[1] ?? '', 16)
    const from = at + size[0].length
    body += received.slice(from, from + length)
    at = from + length + 2
    if (length === 0) return { body, length: at }
  }
}
