import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BootError } from '../kernel/index.ts'
import { createHttpServer } from '../kernel/http/server.ts'
import type { NodeHandler } from '../kernel/http/node.ts'

/** Milliseconds that running requests have to finish once the server stops. */
const drainFor = 10_000
/** Milliseconds between two looks for connections that have become idle. */
const sweepEvery = 50

/** A server that answers everybody it has begun to serve before it ends. */
export interface DrainingServer {
  /** Listens, and gives the port; 0 takes any free one. Refuses, as a BootError, an address that cannot be had. */
  listen(port: number, host: string): Promise<number>
  /**
   * Accepts nothing new, closes what is idle, and resolves when `finish` has and every connection is closed.
   *
   * Answers that are still to come tell their clients to leave. What is left after `within` milliseconds, ten seconds
   * unless told, is cut off.
   */
  stop(finish: () => Promise<void>, within?: number): Promise<void>
}

/** Makes a server that can be stopped without losing an answer. `onFault` hears of errors that nobody expected. */
export function createDrainingServer(handler: NodeHandler, onFault: (error: unknown) => void): DrainingServer {
  const answering = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let stopping = false

  const server = createHttpServer(async (request, response) => {
    answering.add(response)
    if (stopping) response.shouldKeepAlive = false
    try {
      await handler(request, response)
    } catch (error) {
      onFault(error)
      response.destroy()
    } finally {
      answering.delete(response)
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    listen: (port, host) => listen(server, port, host),
    async stop(finish, within = drainFor) {
      stopping = true
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      for (const response of answering) response.shouldKeepAlive = false
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        // Browsers open connections ahead of time, and Node takes one that never carried a request for busy.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }, sweepEvery)
      const cut = setTimeout(() => server.closeAllConnections(), within)
      await Promise.all([closed, finish()])
      clearInterval(sweep)
      clearTimeout(cut)
    },
  }
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
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
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use; stop what listens there, or choose another with --port or PORT`
  if (code === 'EACCES') return `port ${port} of ${host} needs rights that this user has not; choose one above 1023 with --port or PORT`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is no address of this machine; choose another with --host or HOST`
  return `cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`
}
