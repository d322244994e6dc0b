import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { defineRefusal, errorCode } from '../../../kernel/index.ts'
import type { Outbound } from '../../outbound/port.ts'
import { createMirror } from '../files/mirror.ts'
import type { Workspace } from '../files/workspace.ts'
import { openDoor } from './door.ts'
import type { Launch, Launcher } from './launcher.ts'

const tooManyServers = defineRefusal({
  status: 429,
  code: 'too_many_servers',
  reason: (most: number) =>
    `${most} development servers are already running. Restart the service to end them, or work on one of their sites.`,
})
const serverFailed = defineRefusal({
  status: 502,
  code: 'server_failed',
  reason: (output: string) => `The site did not start. Output: ${output || 'none'}`,
})
const noPort = defineRefusal({
  status: 503,
  code: 'no_port',
  reason: () => 'No port from 3500 to 3999 is free on this machine. Stop a process that listens there.',
})

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

export interface StartOptions extends Pick<Launch, 'signal'> {
  /** The folder of the site. */
  readonly site: string
  /** Runs on a copy of the site, without network. */
  readonly isIsolated: boolean
  readonly command: ServerCommand
  readonly what: Pick<Launch, 'packages' | 'network' | 'isSite' | 'allow'>
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
export function createServers({
  launcher,
  workspace,
  outbound,
}: {
  readonly launcher: Launcher
  readonly workspace: Workspace
  readonly outbound: Pick<Outbound, 'fetch'>
}) {
  const all = new Map<
    string,
    RunningServer & {
      readonly isIsolated: boolean
      readonly stop: AbortController
      readonly ended: Promise<unknown>
    }
  >()
  const starting = new Map<string, Promise<RunningServer>>()

  const stop = async (siteId: string): Promise<void> => {
    const server = all.get(siteId)
    all.delete(siteId)
    server?.stop.abort()
    await server?.ended
  }

  async function startOnce(siteId: string, options: StartOptions): Promise<RunningServer> {
    const known = all.get(siteId)
    if (known?.isIsolated === options.isIsolated) return known
    if (known) await stop(siteId)
    else if (all.size + starting.size >= mostServers) throw tooManyServers(mostServers)
    return start(siteId, options)
  }

  async function start(siteId: string, options: StartOptions): Promise<RunningServer> {
    const { site, isIsolated, command, what, taken, port: wanted, signal } = options
    const port = await freePort(
      wanted,
      new Set([...taken, ...[...all.values()].map((server) => server.port)]),
    )
    const again = (): Promise<RunningServer> =>
      start(siteId, { ...options, taken: new Set([...taken, port]) })
    const isolated = isIsolated ? await isolate(siteId, site, port) : undefined
    if (isIsolated && !isolated) return again()
    const url = `http://localhost:${port}`
    const stopping = new AbortController()
    let output = ''
    const { program, args } = { program: command.program, args: command.args(port) }
    const ended = launcher
      .launch({
        ...what,
        ...(isolated
          ? {
              program: 'node',
              args: isolated.door.args(program, args),
              folder: isolated.folder,
              reads: [isolated.door.folder],
            }
          : { program, args, folder: site }),
        stream: `server-${siteId}`,
        tool: 'dev server',
        timeoutMs: 2 ** 31 - 1,
        signal: stopping.signal,
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
        all.delete(siteId)
        await isolated?.door.close()
      })
    all.set(siteId, { siteId, port, url, isIsolated, stop: stopping, ended })
    const over = new AbortController()
    void ended.then(() => over.abort())
    const isReady = await answers(url, AbortSignal.any([signal, over.signal, AbortSignal.timeout(readyMs)]))
    if (isReady) return { siteId, port, url }
    await stop(siteId)
    // Another process took the port.
    if (!isolated && output.includes('EADDRINUSE') && !signal.aborted) return again()
    throw serverFailed(output.slice(-2_000))
  }

  /** Makes a copy of a site, which follows its changes, and a port for it; `undefined` if the port is taken. */
  async function isolate(siteId: string, site: string, port: number) {
    const folder = await workspace.own('servers', siteId)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    const refresh = createMirror(site, folder)
    await refresh()
    const door = await openDoor(port, refresh).catch((error: unknown) => {
      if (errorCode(error) === 'EADDRINUSE') return undefined
      throw error
    })
    return door && { folder, door }
  }

  async function answers(url: string, over: AbortSignal): Promise<boolean> {
    while (!over.aborted) {
      const ask = outbound.fetch(url, { ...limits, allowOrigins: [url], signal: over })
      if (
        await ask.then(
          () => true,
          () => false,
        )
      )
        return true
      await wait(250, undefined, { signal: over }).catch(() => undefined)
    }
    return false
  }

  return {
    /** Returns a site's server once it answers. Refuses a fourth with 429, and a failed start with 502. */
    start(siteId: string, options: StartOptions): Promise<RunningServer> {
      const known = starting.get(siteId)
      if (known) return known
      const begun = startOnce(siteId, options)
      starting.set(siteId, begun)
      return begun.finally(() => starting.delete(siteId))
    },
    stop,
    running: (): readonly RunningServer[] =>
      [...all.values()].map(({ siteId, port, url }) => ({ siteId, port, url })),
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
