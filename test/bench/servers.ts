/** The measured servers, each run in a separate process: `node servers.ts <name> <options>`. */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createAccessLog,
  createLogger,
  give,
  mount,
  systemClock,
  type Mount,
  type Used,
} from '../../kernel/index.ts'
import { createHttpServer } from '../../kernel/http/server.ts'
import { createOrchestrator } from '../../config/create-orchestrator.ts'
import { importBuiltin, presets } from '../../config/builtins.ts'
import { chatRunner, type ChatRunner } from '../../plugins/chat/port.ts'
import { store, type Store } from '../../plugins/store/port.ts'
import { createSqliteStore } from '../../plugins/store/testing.ts'
import { resultOf } from '../helpers/scripted-chat.ts'
import { listening, type ListenOptions, type StartServer } from './listening.ts'

/** A minimal server that reads the body of a request, if any, and answers with the given bytes. */
const bare: StartServer = async ({
  headers = [],
  length,
  body = length === undefined ? '{"ok":true}' : Buffer.alloc(length, ' '),
}) => {
  // Node sends a short text together with the headers, and encodes a long one for each response.
  const sent = body.length < 4096 ? body : Buffer.from(body)
  const answer: RequestListener = (request, response) => {
    if (request.method === 'GET') return void response.writeHead(200, [...headers]).end(sent)
    request.on('data', () => undefined).on('end', () => response.writeHead(200, [...headers]).end(sent))
  }
  return listening(answer)
}

/** A minimal server that streams one file. */
const file: StartServer = async ({ headers = [], file: name = '' }) =>
  listening((_, response) => void createReadStream(name).pipe(response.writeHead(200, [...headers])))

/** The orchestrator mounted in a website. */
function mountedIn({ dataDir = '', token = '' }: ListenOptions): Mount {
  Object.assign(process.env, { ORCHESTRATOR_DATA_DIR: dataDir, ORCHESTRATOR_ACCESS_TOKEN: token })
  return createOrchestrator({
    adapter: { readContent: async () => ({ pages: [] }) },
    logger: createLogger({ level: 'warn' }),
  })
}

const expressMount: StartServer = async (options) => listening(express().use(mountedIn(options).node))
const expressAlone: StartServer = async ({ headers = [], body = '' }) =>
  listening(express().use((_, response) => void response.writeHead(200, [...headers]).end(body)))

const honoMount: StartServer = async (options) => {
  const mounted = mountedIn(options)
  return listening(getRequestListener(new Hono().all('*', ({ req }) => mounted.fetch(req.raw)).fetch))
}
const honoAlone: StartServer = async ({ headers = [], body = '' }) => {
  const sent = Object.fromEntries(
    headers.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])),
  )
  return listening(
    getRequestListener(new Hono().all('*', async () => new Response(body, { headers: sent })).fetch),
  )
}

/** The standalone service; plugins whose service is seeded are left out. */
async function served(
  { dataDir = '', database, model, published, siteId }: ListenOptions & { readonly siteId?: string },
  given: { readonly without?: string; readonly options?: Readonly<Record<string, object>> } & Partial<
    Parameters<typeof mount>[0]
  >,
) {
  const { without, options = {}, ...more } = given
  const plugins = await Promise.all(
    presets.standalone
      .filter((name) => name !== without)
      .map(async (name): Promise<Used> => ({ plugin: await importBuiltin(name), options: options[name] })),
  )
  const env = {
    ORCHESTRATOR_DATA_DIR: dataDir,
    ...(database !== undefined && { DATABASE_URL: database }),
    ...(model !== undefined && { ANTHROPIC_API_KEY: 'for-the-measurement', ANTHROPIC_BASE_URL: model }),
    ...(published !== undefined && { PUBLISHED_CONTENT_PATH: published }),
    ...(siteId !== undefined && { ORCHESTRATOR_DEFAULT_SITE_ID: siteId }),
  }
  const mounted = mount({ shape: 'standalone', plugins, env, log: createLogger({ level: 'warn' }), ...more })
  const server = createHttpServer(mounted.node).listen(0, '127.0.0.1')
  await mounted.ready()
  return {
    port: (server.address() as AddressInfo).port,
    get: mounted.get,
    stop: async () => (server.closeAllConnections(), mounted.close()),
  }
}

/** The standalone service with the access log enabled. */
const standalone: StartServer = async (options) => {
  const lines: string[] = []
  const access = createAccessLog((text) => void ((lines.length = 0), lines.push(text)), Date.now)
  const origins = { origins: ['http://localhost:3000'], hosts: ['localhost'] }
  if (!options.oneTransactionEach) return served(options, { access, origins })
  const file = join(options.dataDir ?? '', 'orchestrator.db')
  const opened = createSqliteStore({ file, clock: systemClock, log: createLogger(), backups: false })
  return served(options, {
    without: 'store',
    options: { draft: { maxChangesPerTransaction: 1 } },
    seeds: [give(store, lonely(opened))],
    access,
    origins,
  })
}

/** The service of a website in a folder. */
const files: StartServer = async ({ folder = '', place = '', ...options }) => {
  const { websiteIn } = await import('./files-server.ts')
  const { seeds, show } = websiteIn(folder, place)
  const server = await served({ ...options, siteId: 'files' }, { seeds })
  await show(server.get)
  return server
}

/** The standalone service with chat streams, whose runs emit one event and wait until they are canceled. */
const chat: StartServer = async (options) => {
  const runner: ChatRunner = {
    run: (_, { signal, emit }) =>
      new Promise((_resolve, reject) => {
        emit({ type: 'status', message: 'Reading the page' })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    resultOf: async () => resultOf(),
  }
  return served(options, { without: 'chat', seeds: [give(chatRunner, runner)] })
}

/** The same, with runs that emit the present time every 20 ms. */
const ticking: StartServer = async (options) => {
  const runner: ChatRunner = {
    async run(_, { signal, emit }) {
      for (;;) {
        emit({ type: 'token', text: String(performance.timeOrigin + performance.now()) })
        await pause(20)
        signal.throwIfAborted()
      }
    },
    resultOf: async () => resultOf(),
  }
  return served(options, { without: 'chat', seeds: [give(chatRunner, runner)] })
}

/** A store that commits transactions one at a time. */
function lonely(shared: Store): Store {
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...shared,
    transaction(run) {
      const next = last.then(() => shared.transaction(run))
      last = next.catch(() => undefined)
      return next
    },
  }
}

/** A server of `frameworks.ts`, which loads them all. */
const inFramework =
  (name: 'plain' | 'inFastify' | 'inHono' | 'inExpress'): StartServer =>
  async (options) =>
    (await import('./frameworks.ts'))[name](options)

const servers: Readonly<Record<string, StartServer>> = {
  bare,
  file,
  plain: inFramework('plain'),
  fastify: inFramework('inFastify'),
  hono: inFramework('inHono'),
  express: inFramework('inExpress'),
  standalone,
  files,
  chat,
  ticking,
  expressMount,
  expressAlone,
  honoMount,
  honoAlone,
}

const [name = '', options = '{}'] = process.argv.slice(2)
const {
  port,
  facts = {},
  stop,
} = (await servers[name]?.(JSON.parse(options) as ListenOptions)) ?? { port: 0, stop: async () => undefined }

const session = new Session()
session.connect()
const resolution = 5
const delays = monitorEventLoopDelay({ resolution })
/** Milliseconds of CPU of the programs that have run, where the system says it. */
const ofChildren = (): number => {
  const [, times = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user, system] = times.split(' ').slice(13, 15)
  return (Number(user) + Number(system)) * 10
}
/** From now on `peak` is that of what follows, where the system says it. */
const rest = (): number => {
  writeFileSync('/proc/self/clear_refs', '5')
  return process.memoryUsage.rss()
}
const peak = (): number =>
  1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)

process.on('message', async (question) => {
  if (question === 'cpu') process.send?.({ value: process.cpuUsage().user + process.cpuUsage().system })
  if (question === 'memory' || question === 'live') {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 200))
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ value: question === 'memory' ? rss : heapUsed + external })
  }
  if (question === 'written')
    process.send?.({ value: Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0) })
  if (question === 'rest') process.send?.({ value: rest() })
  if (question === 'peak') process.send?.({ value: peak() })
  if (question === 'children') process.send?.({ value: ofChildren() })
  if (question === 'watch') {
    delays.reset()
    delays.enable()
    process.send?.({ value: 0 })
  }
  if (question === 'held') {
    delays.disable()
    process.send?.({ value: Math.max(0, delays.max / 1e6 - resolution) })
  }
  if (question === 'profile') {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    process.send?.({ value: 0 })
  }
  if (question === 'profiled') process.send?.(await session.post('Profiler.stop'))
  if (question === 'stop') {
    await stop()
    process.exit(0)
  }
})
process.on('disconnect', () => process.exit())
process.send?.({ port, ...facts })
