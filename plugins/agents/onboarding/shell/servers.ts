import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { errorCode } from '../../../../kernel/index.ts'
import type { Outbound } from '../../../outbound/port.ts'
import { createMirror } from '../files/working-copy.ts'
import type { Workspace } from '../files/workspace.ts'
import { Problem } from '../problem.ts'
import { openDoor } from './door.ts'
import type { Launch, Launcher } from './launcher.ts'

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

interface StartOptions extends Pick<Launch, 'signal'> {
  /** The folder of the site. */
  readonly site: string
  /** Runs on a copy of the site, without network. */
  readonly isIsolated: boolean
  readonly command: ServerCommand
  readonly launcher: Launcher
  readonly what: Pick<Launch, 'packages' | 'network' | 'isSite' | 'allow'>
  /** The ports of other sites. */
  readonly taken: ReadonlySet<number>
  readonly port?: number | undefined
}

interface ServerParts {
  readonly workspace: Workspace
  readonly outbound: Pick<Outbound, 'fetch'>
}

interface RegisteredServer extends RunningServer {
  readonly isIsolated: boolean
  readonly stop: AbortController
  readonly ended: Promise<unknown>
}

const mostServers = 3
const readyMs = 60_000
const limits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 30_000, followsRedirects: false } as const
const firstPort = 3500
const skipped: ReadonlySet<number> = new Set([3000, 4100, 4200])

/** The development servers. Never touches other processes: skips ports in use. */
export class Servers {
  readonly #parts: ServerParts
  readonly #servers = new Map<string, RegisteredServer>()
  readonly #starting = new Map<string, Promise<RunningServer>>()

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  /** Returns a site's server once it answers. Throws a Problem for a fourth one, and if it does not start. */
  start(siteId: string, options: StartOptions): Promise<RunningServer> {
    const starting =
      this.#starting.get(siteId) ??
      this.#startOnce(siteId, options).finally(() => this.#starting.delete(siteId))
    this.#starting.set(siteId, starting)
    return starting
  }

  async stop(siteId: string): Promise<void> {
    const server = this.#servers.get(siteId)
    this.#servers.delete(siteId)
    server?.stop.abort()
    await server?.ended
  }

  running(): readonly RunningServer[] {
    return [...this.#servers.values()].map(({ siteId, port, url }) => ({ siteId, port, url }))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((siteId) => this.stop(siteId)))
  }

  async #startOnce(siteId: string, options: StartOptions): Promise<RunningServer> {
    const existing = this.#servers.get(siteId)
    if (existing?.isIsolated === options.isIsolated) return existing
    if (existing) await this.stop(siteId)
    else if (this.#servers.size + this.#starting.size >= mostServers)
      throw new Problem(
        `${mostServers} development servers are already running. Restart the service to end them, or work on one of their sites.`,
      )
    const taken = new Set(options.taken)
    for (;;) {
      const port = await freePort(options.port, taken.union(new Set(this.running().map((each) => each.port))))
      const server = await this.#startAt(port, siteId, options)
      if (server) return server
      taken.add(port)
    }
  }

  /** Starts a server; returns `undefined` if another process took the port. */
  async #startAt(
    port: number,
    siteId: string,
    { site, isIsolated, command, launcher, what, signal }: StartOptions,
  ): Promise<RunningServer | undefined> {
    const isolated = isIsolated ? await this.#isolate(siteId, site, port) : undefined
    if (isIsolated && !isolated) return undefined
    const url = `http://localhost:${port}`
    const stop = new AbortController()
    const over = new AbortController()
    let output = ''
    const own = { program: command.program, args: command.args(port), folder: site }
    const ended = launcher
      .launch({
        ...what,
        ...(isolated?.launch(own) ?? own),
        stream: `server-${siteId}`,
        tool: 'dev server',
        timeoutMs: 2 ** 31 - 1,
        signal: stop.signal,
        // Publishing to a copy would lose the content: without the secret, the site refuses it.
        variables: {
          NODE_ENV: 'development',
          PORT: String(port),
          HOST: '127.0.0.1',
          ...(isolated && { PUBLISH_TOKEN: randomBytes(32).toString('hex') }),
        },
        limits: { countEveryMs: 2_000, graceMs: 2_000, outputBytes: 16 * 1024 },
      })
      .then(
        (result) => (output = result.output),
        (error: unknown) => (output = String(error)),
      )
      .finally(async () => {
        this.#servers.delete(siteId)
        over.abort()
        await isolated?.close()
      })
    this.#servers.set(siteId, { siteId, port, url, isIsolated, stop, ended })
    if (await this.#answers(url, AbortSignal.any([signal, over.signal, AbortSignal.timeout(readyMs)])))
      return { siteId, port, url }
    await this.stop(siteId)
    if (!isolated && output.includes('EADDRINUSE') && !signal.aborted) return undefined
    throw new Problem(`The site did not start. Output: ${output.slice(-2_000) || 'none'}`)
  }

  /** Makes a copy of a site, which follows its changes, and a port for it; `undefined` if the port is taken. */
  async #isolate(siteId: string, site: string, port: number) {
    const folder = await this.#parts.workspace.own('servers', siteId)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    const refresh = createMirror(site, folder)
    await refresh()
    const door = await openDoor(port, refresh).catch((error: unknown) => {
      if (errorCode(error) === 'EADDRINUSE') return undefined
      throw error
    })
    return (
      door && {
        launch: ({ program, args }: Pick<Launch, 'program' | 'args'>) => ({
          program: 'node',
          args: door.args(program, args),
          folder,
          reads: [door.folder],
        }),
        close: door.close,
      }
    )
  }

  async #answers(url: string, over: AbortSignal): Promise<boolean> {
    while (!over.aborted) {
      const ask = this.#parts.outbound.fetch(url, { ...limits, allowOrigins: [url], signal: over })
      if ((await ask.catch(() => undefined)) !== undefined) return true
      await wait(250, undefined, { signal: over }).catch(() => undefined)
    }
    return false
  }
}

/** Returns the wanted port, otherwise the first free port from 3500 that no known site uses. */
async function freePort(wanted: number | undefined, taken: ReadonlySet<number>): Promise<number> {
  if (wanted !== undefined && !taken.has(wanted) && (await isFree(wanted))) return wanted
  for (let port = firstPort; port < firstPort + 500; port++) {
    if (!skipped.has(port) && !taken.has(port) && (await isFree(port))) return port
  }
  throw new Problem('No port from 3500 to 3999 is free on this machine. Stop a process that listens there.')
}

async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', undefined]) {
    const server = createServer()
    try {
      await once(server.listen({ port, ...(host !== undefined && { host }), exclusive: true }), 'listening')
    } catch {
      return false
    }
    await new Promise((resolve) => void server.close(resolve))
  }
  return true
}
