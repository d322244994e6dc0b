/** What one caller sends to an open service to stop it for all others. Run as a program, a process of its own attacks. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask, Unanswered, type Reply, type Way, type Wish } from './ask.ts'

export interface Attack {
  readonly name: string
  /** Brings the service into the state that the attack needs; not measured. */
  prepare?(port: number): Promise<void>
  /** Attacks, and tells how the service answered. */
  run(port: number): Promise<string>
}

const at = { session: 'load', siteId: 'load' }
const stamp = '2026-01-01T00:00:00.000Z'
const mebibyte = 1024 * 1024

const post = (path: string, body: object): Wish => ({ method: 'POST', path, body: { ...at, ...body } })
const query = new URLSearchParams(at).toString()

const toPage = (slug: string, blocks: readonly object[]) => ({ id: `p${slug}`, slug, title: slug, updatedAt: stamp, blocks })
const bootstrap = (pages: readonly object[]): Wish => post('/draft/bootstrap', { pages, overwrite: true })
const blockOf = (id: string, props: object) => ({ id, type: 'CTA', props })

async function sent(port: number, wish: Wish): Promise<Reply> {
  const reply = await ask({ port }, wish)
  if (reply.status !== 200) throw new Error(`${wish.path} was answered with ${reply.status}: ${reply.text.slice(0, 300)}`)
  return reply
}

/** Sends a first message: it loads what chat is made of, which happens once. */
async function loadChat(port: number): Promise<void> {
  await sent(port, bootstrap([toPage('/', [])]))
  await sent(port, post('/chat', { slug: '/', message: 'hello' }))
}

/** How often each status came, such as `200 × 3, 413 × 1`. */
async function statuses(way: Way, wishes: Iterable<Wish>): Promise<string> {
  const verdicts: string[] = []
  for (const wish of wishes) {
    const verdict = await ask(way, wish).then(
      ({ status }) => String(status),
      (error: unknown) => (error instanceof Unanswered ? 'none' : Promise.reject(error)),
    )
    verdicts.push(verdict)
  }
  return inNumbers(verdicts)
}

const counted = (connections: readonly Connection[]): string => inNumbers(connections.map(({ status }) => status()))
const inNumbers = (verdicts: readonly string[]): string =>
  [...Map.groupBy(verdicts, (verdict) => verdict)].map(([verdict, { length }]) => `${verdict} × ${length}`).join(', ')

interface Connection {
  /** The status of the answer; `none` before it comes. */
  status(): string
  destroy(): void
}

/** Sends bytes, and leaves the connection open. */
function send(port: number, bytes: readonly (string | Uint8Array)[], from?: string): Connection {
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) })
  let answer = ''
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answer ||= chunk.toString('latin1', 9, 12)))
  for (const each of bytes) socket.write(each)
  return { status: () => answer || 'none', destroy: () => socket.destroy() }
}

/** Asks for a stream of events. */
const opened = (port: number, path: string, from?: string): Connection =>
  send(port, [`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`], from)

/** A body that is announced, and arrives but for its last byte. */
const stalled = (port: number, bytes: number): Connection =>
  send(port, [
    `POST /draft/bootstrap HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    blanks.subarray(0, bytes - 1),
  ])

const blanks = Buffer.alloc(8 * mebibyte, ' ')

/** A schema that offers two forms at each of so many levels, none of which fits. */
function manyForms(levels: number): object {
  if (levels === 0) return { type: 'number' }
  const form = manyForms(levels - 1)
  return { anyOf: [form, form] }
}

/** Requests on one connection, none of whose answers is read. */
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

const twentyThousand = Array.from({ length: 20_000 }, (_, index) => index)

/** Pages in as many requests as their number needs. */
async function bringIn(port: number, count: number, toBlocks: (index: number) => readonly object[], perRequest: number, session = at.session) {
  for (let from = 0; from < count; from += perRequest) {
    const some = Array.from({ length: Math.min(perRequest, count - from) }, (_, index) => from + index)
    const pages = some.map((index) => toPage(`/page-${index}`, toBlocks(index)))
    const { status } = await ask({ port }, post('/draft/bootstrap', { session, pages, overwrite: true }))
    if (status !== 200) return `${status} at page ${from}`
  }
  return `${count} pages let in`
}

/** A website that has one page, and takes whatever is published. */
async function startSite() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, pages: [toPage('/', [])] })))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Drafts that are large in one way each. */
const isShared: Readonly<Record<string, { readonly count: number; readonly toBlocks: (index: number) => readonly object[] }>> = {
  blocks: { count: 2, toBlocks: (page) => twentyThousand.map((index) => ({ id: `${page}-${index}`, type: 'CTA', props: {} })) },
  rows: { count: 4, toBlocks: (page) => [{ id: `c${page}`, type: 'CardGrid', props: { title: 'x', cards: Array.from({ length: 8_000 }, (_, index) => ({ id: `${index}`, imageUrl: '/a.jpg', imageAlt: '', ctaText: '', ctaHref: `/b${index}` })) } }] },
  links: { count: 30, toBlocks: (page) => [{ id: `l${page}`, type: 'RichText', props: { title: 'x', body: twentyThousand.map((index) => `[a](/${page}-${index})`).join(' ').repeat(3) } }] },
  headings: { count: 30, toBlocks: (page) => [{ id: `h${page}`, type: 'RichText', props: { title: 'x', body: '# a\n'.repeat(200_000) } }] },
  pages: { count: 2_000, toBlocks: (page) => Array.from({ length: 60 }, (_, index) => blockOf(`p${page}-${index}`, { title: 'x', ctaText: 'Here', ctaHref: `/near-${index}` })) },
  forms: { count: 2, toBlocks: (page) => Array.from({ length: 40 }, (_, index) => ({ id: `t${page}-${index}`, type: 'Tree', props: { rows: Array(60).fill('x') } })) },
}

const largeDrafts = ['a', 'b', 'c', 'd', 'e', 'f']
const longText = 'x'.repeat(mebibyte - 1024)

export const attacks: readonly Attack[] = [
  {
    name: 'schemas whose forms are a tree, in 200 operations',
    prepare: async (port) =>
      void (await sent(port, bootstrap([toPage('/', [{ id: 'b', type: 'Tree', props: { rows: Array(60).fill('x') } }])]))),
    run: (port) => {
      const rows = { type: 'array', items: manyForms(13) }
      const propsSchema = { type: 'object', properties: { rows } }
      const componentsManifest = { version: 1, blocks: [{ type: 'Tree', propsSchema }] }
      const ops = Array.from({ length: 200 }, (_, index) => ({ op: 'update_props', pageSlug: '/', blockId: 'b', patch: { rows: Array(60).fill(`${index}`) } }))
      return statuses({ port }, [post('/ops', { ops, componentsManifest })])
    },
  },
  {
    name: 'pipelined requests whose answers are not read',
    prepare: async (port) => void (await sent(port, bootstrap([toPage('/', [blockOf('b', { title: longText })])]))),
    run: (port) => unread(port, `GET /publish/content?${query} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, 200_000),
  },
  {
    name: 'a draft of the largest pages, read as a whole',
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
      for (const session of largeDrafts) await bringIn(port, 60, (index) => [blockOf(`b${index}`, { title: longText })], 7, session)
    },
    run: async (port) => {
      const message = 'Replace "foo" with "bar" on all pages'
      return (await Promise.all(largeDrafts.map((session) => statuses({ port }, [post('/chat', { session, slug: '/page-1', message })])))).join(', ')
    },
  },
  {
    name: 'a choice among 20,000 blocks',
    async prepare(port) {
      await loadChat(port)
      await sent(port, bootstrap([toPage('/', twentyThousand.map((index) => ({ id: `${index}`, type: 'CTA', props: {} })))]))
    },
    run: (port) => statuses({ port }, [post('/chat', { slug: '/', message: 'change the heading to "x"' })]),
  },
  {
    name: '200 renames among 20,000 pages',
    prepare: async (port) => void (await bringIn(port, 20_000, (index) => [blockOf(`b${index}`, { title: 'x', ctaHref: `/page-${index + 1}` })], 4_000)),
    run: (port) => {
      const ops = Array.from({ length: 200 }, (_, index) => ({ op: 'rename_page', pageSlug: `/page-${index}`, newPageSlug: `/renamed-${index}` }))
      return statuses({ port }, [post('/ops', { ops })])
    },
  },
  {
    name: 'a rename of the page that 20,000 pages link to, and its undo',
    prepare: async (port) => void (await bringIn(port, 20_000, (index) => [blockOf(`b${index}`, { title: 'x', ctaHref: '/page-0' })], 4_000)),
    run: (port) =>
      statuses({ port }, [post('/ops', { ops: [{ op: 'rename_page', pageSlug: '/page-0', newPageSlug: '/renamed' }] }), post('/history/undo', { slug: '/renamed' })]),
  },
  {
    name: 'checks of isShared drafts, twice each and after a change',
    async prepare(port) {
      for (const [session, { count, toBlocks }] of Object.entries(isShared)) await bringIn(port, count, toBlocks, Math.min(count, 7), session)
    },
    async run(port) {
      const componentsManifest = { version: 1, blocks: [{ type: 'Tree', propsSchema: { type: 'object', properties: { rows: { type: 'array', items: manyForms(8) } } } }] }
      const verdicts = Object.keys(isShared).map(async (session) => {
        const change = { op: 'update_page_meta', pageSlug: '/page-0', patch: { title: 'Another title' } }
        const read = { path: `/checks?${new URLSearchParams({ ...at, session })}` }
        return `${session}: ${await statuses({ port }, [read, read, post('/ops', { session, ops: [change] }), read, post('/checks/run', { session, componentsManifest })])}`
      })
      return (await Promise.all(verdicts)).join('; ')
    },
  },
  {
    name: 'the first message to a service',
    prepare: async (port) => void (await sent(port, bootstrap([toPage('/', [blockOf('b', { title: 'x' })])]))),
    run: (port) => statuses({ port }, [post('/chat', { slug: '/', message: 'Change the title to "y"' })]),
  },
  {
    name: '200 bodies that stall',
    async run(port) {
      // As fast as a network of 3 Gbit/s: more at once makes the loopback of the system drop packets of others.
      const bodies: Connection[] = []
      for (; bodies.length < 200; await pause(100)) for (let at = 0; at < 5; at++) bodies.push(stalled(port, 8 * mebibyte))
      await pause(10_000)
      const small = await statuses({ port }, [bootstrap([toPage('/', [])])])
      const other = await statuses({ port, from: '127.0.0.2' }, [bootstrap([toPage('/', [blockOf('b', { title: longText })])])])
      const verdict = `${counted(bodies)}; meanwhile a small one: ${small}, a large one of another caller: ${other}`
      for (const { destroy } of bodies) destroy()
      return verdict
    },
  },
  {
    name: 'streams and chats of one caller',
    async run(port) {
      const streams: Connection[] = []
      for (; streams.length < 5_000; await pause(25)) for (let at = 0; at < 100; at++) streams.push(opened(port, `/events?${query}`))
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

const chatIn = (session: string): Wish => post('/chat/start', { session, slug: '/', message: 'hello' })

const script = fileURLToPath(import.meta.url)

/** Attacks from another process, which leaves the processor to the service as another machine would, and tells how that answered. */
export async function attackFromOutside(port: number, name: string): Promise<string> {
  const [verdict] = await once(fork(script, [String(port), name]), 'message')
  return String(verdict)
}

if (process.argv[1] === script) {
  setPriority(19)
  const [, , port, name] = process.argv
  process.send?.(await attacks.find((attack) => attack.name === name)?.run(Number(port)))
  process.exit()
}
