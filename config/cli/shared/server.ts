import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as SocketServer, type Socket } from 'node:net'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { createHttpServer } from '../../../kernel/http/server.ts'
import type { NodeHandler } from '../../../kernel/http/node.ts'
import { BootError, errorCode } from '../../../kernel/index.ts'
import { currentEnvironment } from '../../env.ts'

/** For running requests to finish. */
const drainMs = 10_000
/** Without a connection before the listener closes, and without a request before idle connections do. */
const noticeMs = 100
/** Between two checks for idle connections. */
const sweepMs = 50
/**
 * Of CPU time at most, to accept waiting connections: on a busy machine it takes longer, and they are as
 * many.
 */
const acceptMs = 1500
/** The queue of connections to accept; others retry after a second. The system may allow fewer. */
const backlog = 4096

/**
 * Creates a server that answers every accepted request before it closes.
 *
 * Libraries such as close-with-grace wait for signals and leave the connections to the server; what takes
 * work here is to lose no connection that the system has accepted already, and no request on an idle one.
 */
export function createDrainingServer(handler: NodeHandler, onFault: (error: unknown) => void) {
  // Maps each connection to its current or last response: cheaper than a list of running requests.
  const connections = new Map<Socket, ServerResponse | undefined>()
  /** Those of another protocol, which have no request that could end. */
  const upgraded = new WeakSet<Duplex>()
  let stopping = false
  let accepted = 0
  let accepting: Promise<void> | undefined
  /** When the last request came, or was answered, after the stop began. */
  let busyAt = 0
  const noteBusy = (): void => void (busyAt = performance.now())

  const server = createHttpServer((request, response) => {
    connections.set(request.socket, response)
    if (stopping) {
      response.shouldKeepAlive = false
      noteBusy()
      response.once('close', noteBusy)
    }
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
    listen: (port: number, host: string): Promise<number> => listen(server, port, host),
    /** Answers requests to change the protocol, which are plain requests until this is called. */
    onUpgrade: (answer: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void =>
      void server.on('upgrade', (request, socket: Duplex, head) => {
        upgraded.add(socket)
        answer(request, socket, head)
      }),
    /**
     * Accepts the waiting connections and then no more, asks clients to disconnect with their next answer,
     * closes idle connections once requests have come to an end, and calls `finish`. A proxy opens and uses its
     * connections one after the other, and loses a request that it sends while one closes. After `withinMs`,
     * cuts the remaining connections.
     */
    async stop(finish: () => Promise<void>, withinMs = drainMs): Promise<void> {
      stopping = true
      for (const response of connections.values()) if (response) response.shouldKeepAlive = false
      const cut = setTimeout(() => server.closeAllConnections(), withinMs)
      const quiet = connections.size > 0 ? untilQuiet(() => accepted, withinMs / 10) : undefined
      accepting = Promise.resolve(quiet).then(() => acceptWaiting(() => accepted, withinMs / 2))
      await accepting
      accepting = undefined
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      // `close` of an HTTP server also ends idle connections, although a request may be on its way.
      SocketServer.prototype.close.call(server, () => resolve())
      for (const last = performance.now() + withinMs / 2; performance.now() < last;) {
        await wait(Math.min(noticeMs, withinMs))
        await readPending()
        if (performance.now() - busyAt > noticeMs) break
      }
      const sweep = setInterval(async () => {
        await readPending()
        server.closeIdleConnections()
        // Browsers open connections in advance, and Node considers one without a request busy.
        for (const socket of connections.keys())
          if (socket.bytesRead === 0 || upgraded.has(socket)) socket.destroy()
      }, sweepMs)
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
 * Waits until no connection has come for some time. Requests wait as well, so that clients which send one after
 * the other come to rest: a connection that is established while the listener closes is reset.
 */
async function untilQuiet(accepted: () => number, withinMs: number): Promise<void> {
  const last = performance.now() + withinMs
  for (let before = -1; before !== accepted() && performance.now() < last;) {
    before = accepted()
    await wait(noticeMs)
  }
}

/**
 * Waits until all connections established by the system are accepted: closing the listener would reset them.
 * A turn of the event loop accepts only one, so requests that arrive meanwhile are served afterwards.
 */
async function acceptWaiting(accepted: () => number, withinMs: number): Promise<void> {
  const last = performance.now() + withinMs
  const began = process.cpuUsage()
  const hasTime = (): boolean => {
    const { user, system } = process.cpuUsage(began)
    return performance.now() < last && (user + system) / 1000 < acceptMs
  }
  for (let before = -1; before !== accepted() && hasTime();) {
    before = accepted()
    await readPending()
  }
}

/** Waits until all arrived requests are read: until then their connections look idle. */
const readPending = (): Promise<void> => turn().then(() => turn())

/** Listens, and returns the port; 0 selects a free one. Throws a BootError for an unusable address. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen({ port, host, backlog })
  await once(server, 'listening').catch((cause: unknown) => {
    throw new BootError([whyNot(cause, port, host)], { cause })
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function whyNot(error: unknown, port: number, host: string): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; stop what listens there, or choose another with --port or PORT`
  if (code === 'EACCES')
    return `port ${port} of ${host} needs more permissions; choose one above 1023 with --port or PORT`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine; choose another with --host or HOST`
  return `cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`
}

const tries = 20

type ListeningServer = Pick<ReturnType<typeof createDrainingServer>, 'listen'>

/** Listens on the first free port from `first`. Throws a BootError for problems other than a port in use. */
export async function listenNear({ listen }: ListeningServer, first: number, host: string): Promise<number> {
  for (let port = first; port < first + tries; port++) {
    try {
      return await listen(port, host)
    } catch (error) {
      if (!(error instanceof BootError) || errorCode(error.cause) !== 'EADDRINUSE') throw error
    }
  }
  throw new BootError([
    `the ports ${first} to ${first + tries - 1} of ${host} are all in use; choose another with --port or PORT`,
  ])
}

/** Milliseconds between checks that the parent process is still there. */
const parentCheckMs = 200

/** Milliseconds after a signal in which a second one is the same, as a terminal and npm send it both. */
const sameSignalMs = 500

/**
 * Resolves with the cause when the process has to stop: SIGTERM, SIGINT or, started by npm or npx, the end of
 * the shell between them, which ends by a signal without passing it on. A later second signal exits at once.
 */
export function untilStopped(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let stoppingSince: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const isSame = performance.now() - (stoppingSince ??= performance.now()) < sameSignalMs
      // The exit code that shells report for a process ended by a signal.
      if (!isSame) process.exit(128 + constants.signals[signal])
      resolve(signal)
    })
  }
  const { ppid } = process
  if (currentEnvironment()['npm_lifecycle_event'] !== undefined) {
    setInterval(() => process.ppid === ppid || resolve('npm has ended'), parentCheckMs).unref()
  }
  return promise
}
