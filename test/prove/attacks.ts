/** Attacks of one caller on an open service. As a program, this module runs one attack in a separate process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listen } from '../helpers/raw.ts'
import { ask, Unanswered, type Reply, type RequestTarget, type RequestSpec } from './ask.ts'
import { attackedRoutes } from './bodies.ts'
import { at, blockOf, bootstrap, fillDraft, post, toPage } from './load-draft.ts'

export interface Attack {
  readonly name: string
  /** Prepares the service for the attack; not measured. */
  prepare?(port: number): Promise<void>
  /** Runs the attack, and describes the responses. */
  run(port: number): Promise<string>
}

const mebibyte = 1024 * 1024
const query = new URLSearchParams(at).toString()

async function sent(port: number, request: RequestSpec): Promise<Reply> {
  const reply = await ask({ port }, request)
  if (reply.status !== 200)
    throw new Error(`${request.path} was answered with ${reply.status}: ${reply.text.slice(0, 300)}`)
  return reply
}

/** Sends a first message, which loads the modules of chat. */
async function loadChat(port: number): Promise<void> {
  await sent(port, bootstrap([toPage('/', [])]))
  await sent(port, post('/chat', { slug: '/', message: 'hello' }))
}

/** The number of responses by status, such as `200 × 3, 413 × 1`. */
async function statuses(way: RequestTarget, requests: Iterable<RequestSpec>): Promise<string> {
  const verdicts: string[] = []
  for (const request of requests) {
    const verdict = await ask(way, request).then(
      ({ status }) => String(status),
      (error: unknown) => (error instanceof Unanswered ? 'none' : Promise.reject(error)),
    )
    verdicts.push(verdict)
  }
  return inNumbers(verdicts)
}

const counted = (connections: readonly AttackConnection[]): string =>
  inNumbers(connections.map(({ status }) => status()))
const inNumbers = (verdicts: readonly string[]): string =>
  [...Map.groupBy(verdicts, (verdict) => verdict)]
    .map(([verdict, { length }]) => `${verdict} × ${length}`)
    .join(', ')

interface AttackConnection {
  /** The status of the response; `none` before it arrives. */
  status(): string
  destroy(): void
}

/** Sends bytes on a connection that stays open. */
function send(port: number, bytes: readonly (string | Uint8Array)[], from?: string): AttackConnection {
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) })
  let answer = ''
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => (answer ||= chunk.toString('latin1', 9, 12)))
  for (const each of bytes) socket.write(each)
  return { status: () => answer || 'none', destroy: () => socket.destroy() }
}

/** Requests an event stream. */
const opened = (port: number, path: string, from?: string): AttackConnection =>
  send(port, [`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`], from)

/** A request whose body misses its last byte. */
const stalled = (port: number, bytes: number): AttackConnection =>
  send(port, [
    `POST /draft/bootstrap HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    blanks.subarray(0, bytes - 1),
  ])

const blanks = Buffer.alloc(8 * mebibyte, ' ')

/** Pipelined requests whose responses are not read. */
async function unread(port: number, request: string, count: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('cut off')))
  const many = Buffer.from(request.repeat(1_000))
  for (let left = count; left > 0 && !socket.destroyed; left -= 1_000) {
    if (!socket.write(many)) await Promise.race([closed, pause(20)])
  }
  const verdict = await Promise.race([closed, pause(40_000).then(() => 'still open after 40 s')])
  socket.destroy()
  return verdict
}

/** Bootstraps pages in batches. */
async function bringIn(
  port: number,
  count: number,
  toBlocks: (index: number) => readonly object[],
  perRequest: number,
  session = at.session,
) {
  for (let from = 0; from < count; from += perRequest) {
    const some = Array.from({ length: Math.min(perRequest, count - from) }, (_, index) => from + index)
    const pages = some.map((index) => toPage(`/page-${index}`, toBlocks(index)))
    const { status } = await ask({ port }, post('/draft/bootstrap', { session, pages, overwrite: true }))
    if (status !== 200) return `${status} at page ${from}`
  }
  return `${count} pages let in`
}

/** A website with one page that accepts every publish. */
async function startSite() {
  const ends: (() => unknown)[] = []
  const server = createServer((request, response) => {
    const body = JSON.stringify({ ok: true, pages: [toPage('/', [])] })
    response.setHeader('content-type', 'application/json')
    request.resume().once('end', () => response.end(body))
  })
  const port = await listen({ teardown: (end: () => unknown) => void ends.push(end) }, server)
  return { origin: `http://127.0.0.1:${port}`, close: () => ends.forEach((end) => end()) }
}

const largeDrafts = ['a', 'b', 'c', 'd', 'e', 'f']
const longText = 'x'.repeat(mebibyte - 1024)

export const attacks: readonly Attack[] = [
  {
    name: 'pipelined requests whose answers are not read',
    prepare: async (port) =>
      void (await sent(port, bootstrap([toPage('/', [blockOf('b', { title: longText })])]))),
    run: (port) => unread(port, `GET /publish/content?${query} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, 200_000),
  },
  {
    name: 'a draft of the largest pages, read completely',
    prepare: loadChat,
    async run(port) {
      const site = await startSite()
      await sent(port, post('/sites/register', { name: 'Load', previewUrl: site.origin }))
      const filled = await bringIn(port, 300, (index) => [blockOf(`b${index}`, { title: longText })], 7)
      const reads = await statuses({ port }, [
        { path: `/draft/slugs?${query}` },
        { path: `/publish/diff?${query}` },
        { path: `/publish/content?${query}` },
        post('/chat', { slug: '/page-1', message: 'Replace "foo" with "bar" on all pages' }),
        post('/publish', {}),
      ])
      site.close()
      return `${filled}; ${reads}`
    },
  },
  {
    name: 'messages to six large drafts at once',
    async prepare(port) {
      await loadChat(port)
      for (const session of largeDrafts)
        await bringIn(port, 60, (index) => [blockOf(`b${index}`, { title: longText })], 7, session)
    },
    run: async (port) => {
      const message = 'Replace "foo" with "bar" on all pages'
      return (
        await Promise.all(
          largeDrafts.map((session) =>
            statuses({ port }, [post('/chat', { session, slug: '/page-1', message })]),
          ),
        )
      ).join(', ')
    },
  },
  {
    name: 'batches of 2,000 calls of tools',
    run(port) {
      const calls = Array.from({ length: 2_000 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'x', arguments: { text: 'x'.repeat(19_000) } },
      }))
      const headers = {
        authorization: 'Bearer load-load-load-load-load-load-load',
        accept: 'application/json, text/event-stream',
      }
      return statuses(
        { port },
        [1, 2].map(() => ({ method: 'POST', path: '/mcp', body: calls, headers })),
      )
    },
  },
  {
    name: 'every width of three pictures of 40 megapixels',
    async run(port) {
      const { default: sharp } = await import('sharp')
      const pictures = (['jpeg', 'png', 'webp'] as const).map((format) =>
        sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: '#c04020' } })
          .toFormat(format)
          .toBuffer({ resolveWithObject: true }),
      )
      const uploads = (await Promise.all(pictures)).map(async ({ data, info }) => {
        const form = new FormData()
        form.append('image', new Blob([new Uint8Array(data)], { type: `image/${info.format}` }), 'large')
        const answer = await fetch(`http://127.0.0.1:${port}/image/upload`, { method: 'POST', body: form })
        return String(Object(await answer.json()).url)
      })
      const names = (await Promise.all(uploads)).map((address) => address.slice(address.lastIndexOf('/')))
      const widths = [320, 640, 960, 1280, 1920, 2560]
      const reads = names.flatMap((name) =>
        widths.map((width) => statuses({ port }, [{ path: `/generated-images${name}?w=${width}` }])),
      )
      return inNumbers(await Promise.all(reads))
    },
  },
  {
    name: '200 bodies that stall',
    async run(port) {
      // Limited to 3 Gbit/s: the loopback interface drops packets of others at higher rates.
      const bodies: AttackConnection[] = []
      for (; bodies.length < 200; await pause(100))
        for (let at = 0; at < 5; at++) bodies.push(stalled(port, 8 * mebibyte))
      await pause(10_000)
      const small = await statuses({ port }, [bootstrap([toPage('/', [])])])
      const other = await statuses({ port, from: '127.0.0.2' }, [
        bootstrap([toPage('/', [blockOf('b', { title: longText })])]),
      ])
      const verdict = `${counted(bodies)}; in the meantime a small one: ${small}, a large one of another caller: ${other}`
      for (const { destroy } of bodies) destroy()
      return verdict
    },
  },
  {
    name: 'streams and chats of one caller',
    async run(port) {
      const streams: AttackConnection[] = []
      // 2,000 a second: faster ones queue for the CPU, also before a bare server of Node, and hide what holds it.
      for (; streams.length < 5_000; await pause(50))
        for (let at = 0; at < 100; at++) streams.push(opened(port, `/events?${query}`))
      const starts = Array.from({ length: 2_000 }, (_, index) => chatIn(`${index}`))
      const chats = await statuses({ port }, starts)
      const other = { port, from: '127.0.0.2' }
      const others = await statuses(other, [chatIn('other')])
      const stream = opened(port, `/events?${query}`, other.from)
      await pause(1_000)
      const verdict = `streams: ${counted(streams)}, of another caller: ${counted([stream])}; chats: ${chats}, of another caller: ${others}`
      for (const { destroy } of [...streams, stream]) destroy()
      return verdict
    },
  },
]

const chatIn = (session: string): RequestSpec => post('/chat/start', { session, slug: '/', message: 'hello' })

const script = fileURLToPath(import.meta.url)

/** The generated attack of each route: bodies with a part at its limits, a few at a time. */
const generated: readonly Attack[] = attackedRoutes.map(({ name, method, path, bodies }) => ({
  name,
  prepare: (port) => fillDraft(port),
  async run(port) {
    const left = bodies()
    const next = async (): Promise<readonly string[]> => {
      const verdicts: string[] = []
      for (const [, body] of left) verdicts.push(await verdictOf(port, method, path, body))
      return verdicts
    }
    return inNumbers((await Promise.all(Array.from({ length: 4 }, next))).flat())
  },
}))

const patience = 20_000

const verdictOf = (port: number, method: string, path: string, body: string): Promise<string> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    body,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(patience),
  }).then(
    async (answer) => {
      await answer.body?.cancel()
      return String(answer.status)
    },
    () => 'none',
  )

/** Prepares an attack in another process at low priority, so that it leaves the CPU to the service. */
export async function attackFromOutside(port: number, name: string) {
  const child = fork(script, [String(port), name])
  const message = async (): Promise<string> => {
    const [text] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (typeof text !== 'string') throw new Error(`the attack '${name}' failed`)
    return text
  }
  await message()
  return {
    run(): Promise<string> {
      child.send('run')
      return message()
    },
  }
}

if (process.argv[1] === script) {
  setPriority(19)
  const [, , port, name] = process.argv
  const attack = [...generated, ...attacks].find((each) => each.name === name)
  await attack?.prepare?.(Number(port))
  process.send?.('ready')
  await once(process, 'message')
  process.send?.(await attack?.run(Number(port)))
  process.exit()
}
