import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { defineRefusal } from '../../../kernel/index.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { Launch, Launcher } from './launcher.ts'

const tooManyServers = defineRefusal({ status: 429, code: 'too_many_servers', reason: (most: number) => `${most} development servers are already running. Restart the service to end them, or work on one of their sites.` })
const serverFailed = defineRefusal({ status: 502, code: 'server_failed', reason: (output: string) => `The site did not start. Output: ${output || 'none'}` })
const noPort = defineRefusal({ status: 503, code: 'no_port', reason: () => 'No port from 3500 to 3999 is free on this machine. Stop a process that listens there.' })

/** The command that starts a site. */
export interface ServerCommand {
  readonly program: string
  readonly args: (port: number) => readonly string[]
}

export interface RunningServer {
  readonly siteId: string
  readonly port: number
  readonly url: string
}

export interface StartOptions extends Pick<Launch, 'stream' | 'signal'> {
  readonly folder: string
  readonly command: ServerCommand
  /** The ports of other sites. */
  readonly taken: ReadonlySet<number>
  readonly port?: number | undefined
}

export type Servers = ReturnType<typeof createServers>

const mostServers = 3
const readyMs = 60_000
const limits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 30_000, followsRedirects: false } as const
const firstPort = 3500
const skipped: ReadonlySet<number> = new Set([3000, 4100, 4200])

/** Creates the manager of development servers. Never touches other processes: skips ports in use. */
export function createServers({ launcher, outbound }: { readonly launcher: Launcher; readonly outbound: Pick<Outbound, 'fetch'> }) {
  const all = new Map<string, RunningServer & { readonly stop: AbortController; readonly ended: Promise<unknown> }>()
  const starting = new Map<string, Promise<RunningServer>>()

  const stop = async (siteId: string): Promise<void> => {
    const server = all.get(siteId)
    all.delete(siteId)
    server?.stop.abort()
    await server?.ended
  }

  async function start(siteId: string, options: StartOptions): Promise<RunningServer> {
    const { folder, command, taken, port: wanted, stream, signal } = options
    const known = all.get(siteId)
    if (known) return known
    if (all.size + starting.size >= mostServers) throw tooManyServers(mostServers)
    const port = await freePort(wanted, new Set([...taken, ...[...all.values()].map((server) => server.port)]))
    const url = `http://localhost:${port}`
    const stopping = new AbortController()
    let output = ''
    const ended = launcher
      .launch({
        program: command.program,
        args: command.args(port),
        cwd: folder,
        stream,
        tool: 'dev server',
        network: true,
        timeoutMs: 2 ** 31 - 1,
        signal: stopping.signal,
        variables: { NODE_ENV: 'development', PORT: String(port), HOST: '127.0.0.1' },
        limits: { countEveryMs: 2_000, graceMs: 2_000, outputBytes: 16 * 1024 },
      })
      .then((result) => (output = result.output), (error: unknown) => (output = String(error)))
      .finally(() => all.delete(siteId))
    const server = { siteId, port, url, stop: stopping, ended }
    all.set(siteId, server)
    const over = new AbortController()
    void ended.then(() => over.abort())
    const isReady = await answers(url, AbortSignal.any([signal, over.signal, AbortSignal.timeout(readyMs)]))
    if (isReady) return server
    await stop(siteId)
    // Another process took the port.
    const isTaken = output.includes('EADDRINUSE') && !signal.aborted
    if (isTaken) return start(siteId, { ...options, taken: new Set([...taken, port]) })
    throw serverFailed(output.slice(-2_000))
  }

  async function answers(url: string, over: AbortSignal): Promise<boolean> {
    while (!over.aborted) {
      const ask = outbound.fetch(url, { ...limits, allowOrigins: [url], signal: over })
      if (await ask.then(() => true, () => false)) return true
      await wait(250, undefined, { signal: over }).catch(() => undefined)
    }
    return false
  }

  return {
    /** Returns a site's server once it answers. Refuses a fourth with 429, and a failed start with 502. */
    start(siteId: string, options: StartOptions): Promise<RunningServer> {
      const known = starting.get(siteId)
      if (known) return known
      const begun = start(siteId, options)
      starting.set(siteId, begun)
      return begun.finally(() => starting.delete(siteId))
    },
    stop,
    running: (): readonly RunningServer[] => [...all.values()].map(({ siteId, port, url }) => ({ siteId, port, url })),
    async close(): Promise<void> {
      await Promise.all([...all.keys()].map(stop))
    },
  }
}

/** Returns the wanted port, otherwise the first free port from 3500 that no known site uses. */
async function freePort(wanted: number | undefined, taken: ReadonlySet<number>): Promise<number> {
  if (wanted !== undefined && !taken.has(wanted) && (await isFree(wanted))) return wanted
  for (let port = firstPort; port < firstPort + 500; port++) {
    if (!skipped.has(port) && !taken.has(port) && (await isFree(port))) return port
  }
  throw noPort()
}

async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', undefined]) {
    const server = createServer()
    try {
      server.listen({ port, ...(host !== undefined && { host }), exclusive: true })
      await once(server, 'listening')
    } catch {
      return false
    } finally {
      server.close()
    }
    await once(server, 'close').catch(() => undefined)
  }
  return true
}
