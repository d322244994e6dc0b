import type { Server, ServerResponse } from 'node:http'
import { Server as SocketServer, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { BootError } from '../../../kernel/index.ts'
import { createHttpServer } from '../../../kernel/http/server.ts'
import type { NodeHandler } from '../../../kernel/http/node.ts'

/** Milliseconds that running requests have to finish once the server stops. */
const drainFor = 10_000
/**
 * Milliseconds in which clients that keep their connections busy hear with their next answer that they
 * should leave.
 */
const noticeFor = 100
/** Milliseconds between two looks for connections that have become idle. */
const sweepEvery = 50
/** The longest time, in milliseconds, in which those who wait to be accepted are taken in. */
const acceptFor = 1500

/** A server that answers everybody it has begun to serve before it ends. */
export interface DrainingServer {
  /**
   * Listens, and gives the port; 0 takes any free one. Refuses, as a BootError, an address that cannot be
   * had.
   */
  listen(port: number, host: string): Promise<number>
  /**
   * Accepts the connections that wait and then no more, asks clients to leave with their next answer,
   * and a moment later closes what is idle and calls `finish`. Resolves when that has and every connection is
   * closed.
   *
   * What is left after `within` milliseconds, ten seconds unless told, is cut off.
   */
  stop(finish: () => Promise<void>, within?: number): Promise<void>
}

/** Makes a server that stops without losing an answer. `onFault` gets unexpected errors. */
export function createDrainingServer(
  handler: NodeHandler,
  onFault: (error: unknown) => void,
): DrainingServer {
  // Each with the response it carries or carried last: cheaper to keep than a list of those under way.
  const connections = new Map<Socket, ServerResponse | undefined>()
  let stopping = false
  let accepted = 0
  let accepting: Promise<void> | undefined

  const server = createHttpServer((request, response) => {
    connections.set(request.socket, response)
    if (stopping) response.shouldKeepAlive = false
    const serve = () =>
      handler(request, response, (error) => {
        onFault(error)
        response.destroy()
      })
    return accepting ? accepting.then(serve) : serve()
  })
  server.on('connection', (socket) => {
    accepted++
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })

  return {
    listen: (port, host) => listen(server, port, host),
    async stop(finish, within = drainFor) {
      stopping = true
      for (const response of connections.values()) if (response) response.shouldKeepAlive = false
      const cut = setTimeout(() => server.closeAllConnections(), within)
      accepting = acceptWaiting(() => accepted, Math.min(acceptFor, within))
      await accepting
      accepting = undefined
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      // An HTTP server that closes also closes connections between two requests, although the next one may
      // be on its way.
      SocketServer.prototype.close.call(server, () => resolve())
      await wait(Math.min(noticeFor, within))
      await readArrived()
      const sweep = setInterval(async () => {
        await readArrived()
        server.closeIdleConnections()
        // Browsers open connections ahead of time, and Node takes one that never carried a request for busy.
        for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
      }, sweepEvery)
      server.close()
      try {
        await Promise.all([closed, finish()])
      } finally {
        clearInterval(sweep)
        clearTimeout(cut)
      }
    },
  }
}

/**
 * Waits until everybody is accepted who is connected as far as the system is concerned, and may have sent a
 * request.
 *
 * A listener that closes resets them, and a turn of the event loop accepts no more than one. So that the turns
 * are short, requests that come meanwhile are served after it.
 */
async function acceptWaiting(accepted: () => number, within: number): Promise<void> {
  const last = performance.now() + within
  for (let before = -1; before !== accepted() && performance.now() < last;) {
    before = accepted()
    await readArrived()
  }
}

/**
 * Waits until every request is read that has arrived: until then a connection looks idle, however long ago its
 * client has sent something to a busy process.
 */
async function readArrived(): Promise<void> {
  await turn()
  await turn()
}

/** Connections that wait to be accepted: beyond them clients try again after a second. The system may allow fewer. */
const backlog = 4096

async function listen(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen({ port, host, backlog }, resolve)
  try {
    await promise
  } catch (error) {
    throw new BootError([whyNot(error, port, host)], { cause: error })
  }
  server.off('error', reject)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function whyNot(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use; stop what listens there, or choose another with --port or PORT`
  }
  if (code === 'EACCES') {
    return `port ${port} of ${host} needs more rights; choose one above 1023 with --port or PORT`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine; choose another with --host or HOST`
  }
  return `cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`
}
