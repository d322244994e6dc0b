import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createParser } from 'eventsource-parser'
import * as v from 'valibot'
import type { PluginEntry } from '../../config/define-config.ts'
import { resolvePlugins } from './resolve-plugins.ts'
import {
  clock,
  createLogger,
  give,
  mount,
  randomIds,
  systemClock,
  use,
  type Clock,
  type Injected,
  type Injection,
  type Logger,
  type Mount,
  type Seed,
  type Used,
} from '../../kernel/index.ts'
import { mountForTest, openGates, type Ask, type TestSetting } from '../../kernel/testing.ts'
import { createMemoryBlobs } from './memory-blobs.ts'
import { blobs, type Blobs } from '../../plugins/blobs/port.ts'
import bus from '../../plugins/bus/index.ts'
import { Page } from '../../plugins/content/page.ts'
import draft from '../../plugins/draft/index.ts'
import eventsPlugin from '../../plugins/events/index.ts'
import jobs from '../../plugins/jobs/index.ts'
import history from '../../plugins/draft/history/index.ts'
import ops from '../../plugins/draft/ops/index.ts'
import outbound from '../../plugins/outbound/index.ts'
import publish from '../../plugins/publish/index.ts'
import { publishTargets } from '../../plugins/publish/port.ts'
import restore from '../../plugins/publish/restore/index.ts'
import scope from '../../plugins/scope/index.ts'
import sites from '../../plugins/sites/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store, type Store } from '../../plugins/store/port.ts'
import type { TeardownTest } from './raw.ts'
import { giving } from './plain.ts'
import { patienceMs } from './until.ts'

/** A temporary folder, removed with the test. */
export function temporaryFolder(t: TeardownTest): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchestrator-stack-')))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export interface StackOptions {
  /** The data directory; by default a new folder. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** Options for built-ins, or further plugins. */
  readonly plugins?: readonly PluginEntry[]
  readonly seeds?: readonly Seed[]
  readonly log?: Logger
  /** Called with the port before the boot; its result is added to the environment. */
  readonly beforeBoot?: (port: number) => Promise<Readonly<Record<string, string | undefined>>>
}

/** The standalone service with every built-in plugin. */
export interface Stack {
  readonly port: number
  readonly origin: string
  readonly dataDir: string
  readonly inject: Mount['inject']
  /** Sends a request over the socket. */
  readonly ask: Ask
  readonly get: Mount['get']
  /** Stops gracefully, and starts again on the same port and data. */
  restart(): Promise<void>
}

/** Starts the complete service in this process: real sockets, a real SQLite file. */
export async function startStack(
  t: TeardownTest,
  {
    dataDir = temporaryFolder(t),
    env = {},
    plugins = [],
    seeds = [],
    log = createLogger({ level: 'silent' }),
    beforeBoot,
  }: StackOptions = {},
): Promise<Stack> {
  const isGiven = (name: string) => plugins.some((entry) => Array.isArray(entry) && entry[0] === name)
  const entries: readonly PluginEntry[] = [
    // Tests need data to survive the process, not a power loss, which would cost a disk flush per change.
    ...(isGiven('store') ? [] : [['store', { synchronous: 'normal' }] as const]),
    // Their sites change at any time.
    ...(isGiven('publish') ? [] : [['publish', { sharedLookMs: 0 }] as const]),
    ...plugins,
  ]
  const used = await resolvePlugins({ shape: 'standalone', plugins: entries })
  let more: Readonly<Record<string, string | undefined>> = {}
  let mounted = boot()
  let server = createServer(mounted.node).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  more = (await beforeBoot?.(port)) ?? {}
  await mounted.ready()
  t.teardown(stop)

  function boot(): Mount {
    return mount(async () => ({
      shape: 'standalone',
      plugins: used,
      seeds,
      env: { ORCHESTRATOR_DATA_DIR: dataDir, ...more, ...env },
      log,
      faults: 'throw',
    }))
  }

  async function stop(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    await mounted.close()
    server.closeAllConnections()
    await closed
  }

  const origin = `http://127.0.0.1:${port}`
  return {
    port,
    origin,
    dataDir,
    inject: (request) => mounted.inject(request),
    ask: (request) => askOver(origin, request),
    get: (ref) => mounted.get(ref),
    async restart() {
      await stop()
      mounted = boot()
      await mounted.ready()
      server = createServer(mounted.node).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** Sends a request to a server over a socket. */
export async function askOver(
  origin: string,
  { method = 'GET', url, headers, json, body }: Injection,
): Promise<Injected> {
  const response = await fetch(new URL(url, origin), {
    method,
    redirect: 'manual',
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown }
}

/** A publish target that accepts everything and stores nothing: the service itself keeps a snapshot. */
const acceptingTarget = giving('shelf', publishTargets, {
  name: 'shelf',
  claims: () => true,
  publish: async () => ({ ok: true, httpStatus: 200, status: 'ready', body: {}, tracker: {} }),
})

export interface SmallOptions {
  readonly clock?: Clock
  readonly store?: Store
  readonly env?: Readonly<Record<string, string>>
  /** Options by plugin. */
  readonly draft?: Parameters<typeof use<Record<string, number>>>[1]
  readonly ops?: { readonly maxOperations?: number }
  readonly publish?: Parameters<typeof use<Record<string, number>>>[1]
  /** Publish targets, in place of one that accepts everything. */
  readonly targets?: readonly Used[]
  readonly files?: Blobs
  readonly events?: {
    readonly maxStreams?: number
    readonly maxStreamsPerToken?: number
    readonly maxStreamsPerAddress?: number
  }
  readonly sites?: { readonly demoContent?: boolean; readonly maxSites?: number }
  readonly plugins?: readonly Used[]
  /** In place of open gates. */
  readonly gates?: readonly Seed[]
  readonly seeds?: readonly Seed[]
}

/** The plugins around drafts with everything in memory, for `mountForTest` and `everyWayIn`. */
export function draftsInMemory({
  clock: time = systemClock,
  store: kept = createMemoryStore(),
  env = {},
  gates = openGates,
  seeds = [],
  plugins = [],
  targets = [use(acceptingTarget)],
  files = createMemoryBlobs({ clock: time, ids: randomIds }),
  ...options
}: SmallOptions = {}): TestSetting {
  return {
    plugins: [
      use(scope, {}),
      use(bus),
      use(jobs),
      use(outbound),
      use(sites, options.sites ?? {}),
      use(draft, options.draft ?? {}),
      use(ops, options.ops ?? {}),
      use(history),
      use(publish, { sharedLookMs: 0, ...options.publish }),
      use(restore),
      use(eventsPlugin, options.events ?? {}),
      ...targets,
      ...plugins,
    ],
    seeds: [...gates, give(store, kept), give(clock, time), give(blobs, files), ...seeds],
    env,
  }
}

const Version = v.looseObject({ previewVersion: v.number() })
const Slugs = v.looseObject({ slugs: v.array(v.string()) })

/** A client of one draft. */
export function editor(ask: Ask, at: Readonly<Record<string, string>> = { session: 'dev', siteId: 'acme' }) {
  const get = (
    path: string,
    query: Readonly<Record<string, string>> = {},
    headers?: Readonly<Record<string, string>>,
  ): Promise<Injected> =>
    ask({ url: `${path}?${new URLSearchParams({ ...at, ...query })}`, ...(headers && { headers }) })
  const send = (
    path: string,
    body: object = {},
    headers?: Readonly<Record<string, string>>,
    method = 'POST',
  ): Promise<Injected> => ask({ method, url: path, json: { ...at, ...body }, ...(headers && { headers }) })
  const ops = (list: readonly object[], headers?: Readonly<Record<string, string>>): Promise<Injected> =>
    send('/ops', { ops: list }, headers)
  return {
    at,
    get,
    send,
    ops,
    bootstrap: (pages: unknown, more: object = {}) => send('/draft/bootstrap', { pages, ...more }),
    config: (config: object, headers?: Readonly<Record<string, string>>) =>
      send('/draft/site-config', { config }, headers, 'PUT'),
    undo: (slug: string) => send('/history/undo', { slug }),
    redo: (slug: string) => send('/history/redo', { slug }),
    retitle: (slug: string, newTitle: string, headers?: Readonly<Record<string, string>>) =>
      ops([{ op: 'rename_page', pageSlug: slug, newTitle }], headers),
    page: async (slug: string): Promise<Page> => v.parse(Page, (await get('/draft/pages', { slug })).json()),
    slugs: async (): Promise<readonly string[]> => v.parse(Slugs, (await get('/draft/slugs')).json()).slugs,
    version: async (): Promise<number> =>
      Number(/\d+/.exec((await get('/draft/slugs')).headers.get('etag') ?? '')),
  }
}

/** Drafts in memory with a client of one of them; `as` gives the client of another. */
export function openDrafts(
  t: Parameters<typeof mountForTest>[0],
  options: SmallOptions = {},
  at?: Readonly<Record<string, string>>,
) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const ask: Ask = (request) => mounted.inject(request)
  const as = (other: Readonly<Record<string, string>>) => editor(ask, other)
  return { mounted, ask, as, ...editor(ask, at) }
}

const Refused = v.looseObject({ error: v.string(), code: v.string(), reason: v.string() })

/** The status and the envelope of a refusal. */
export const refused = (answer: Injected) => ({ status: answer.status, ...v.parse(Refused, answer.json()) })

/** A block of text. */
export const textBlock = (id: string, body: string) => ({
  id,
  type: 'RichText',
  props: { title: 'Text', body },
})

/** The body of a pending answer. */
export const bodyOf = async (answer: Promise<Injected>): Promise<unknown> => (await answer).json()

/** The status of a pending answer. */
export const statusOf = async (answer: Promise<{ readonly status: number }>): Promise<number> =>
  (await answer).status

/** The draft version in an answer. */
export const versionIn = (answer: Injected): number => v.parse(Version, answer.json()).previewVersion

/** One block of an event stream: an event, the time to wait before the next connection, or a comment. */
export interface Received {
  readonly id?: string
  readonly retry?: number
  readonly comment?: true
  readonly data?: unknown
}

/** Reads the event stream of a response, block by block. */
export function eventsIn({ body }: Pick<Response, 'body'>) {
  if (!body) throw new Error('the answer has no body')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const arrived: Received[] = []
  const parser = createParser({
    onEvent: ({ id, data }) =>
      arrived.push({ ...(id !== undefined && { id }), data: JSON.parse(data) as unknown }),
    onRetry: (retry) => arrived.push({ retry }),
    onComment: () => arrived.push({ comment: true }),
    onError(error) {
      throw error
    },
  })

  /** The next block; `undefined` at the end. Throws when none arrives in time. */
  async function next(within = patienceMs): Promise<Received | undefined> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('no event came in time')), within)
    try {
      while (arrived.length === 0) {
        const { done, value } = await Promise.race([reader.read(), late])
        if (done) return undefined
        parser.feed(value)
      }
      return arrived.shift()
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    next,
    /** The next `count` events, without other blocks. */
    async take(count: number): Promise<readonly Received[]> {
      const events: Received[] = []
      while (events.length < count) {
        const event = await next()
        if (!event) throw new Error(`the stream ended after ${events.length} of ${count} events`)
        if ('data' in event) events.push(event)
      }
      return events
    },
    /** Everything up to the end of the stream. */
    async rest(): Promise<readonly Received[]> {
      const blocks: Received[] = []
      for (let block = await next(); block; block = await next()) blocks.push(block)
      return blocks
    },
    /** Everything up to the last event of a run, as a client reads it, which then closes the stream. */
    async toLast(): Promise<readonly Received[]> {
      const blocks: Received[] = []
      for (let block = await next(); block; block = isLast(block) ? undefined : await next())
        blocks.push(block)
      await reader.cancel()
      return blocks
    },
    close: () => reader.cancel(),
  }
}

const lastTypes: ReadonlySet<unknown> = new Set(['final', 'error', 'canceled'])
export const isLast = ({ data }: Pick<Received, 'data'>): boolean =>
  lastTypes.has(Reflect.get(Object(data), 'type'))

/** The bytes of the bodies of documents in a store. */
export const storedBytes = (documents: readonly { readonly bytes: Uint8Array }[]): number =>
  documents.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
