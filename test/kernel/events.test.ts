import { createServer } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import t, { type Test } from 'tap'
import {
  allOf,
  clock,
  defineRoutes,
  definePlugin,
  events,
  file,
  gate,
  give,
  mount,
  use,
  type Call,
  type Gate,
  type Mount,
  type ServerEvent,
} from '../../kernel/index.ts'
import { capturedLog, mountForTest, stillClock } from '../../kernel/testing.ts'
import { everyWay, Ok, open, plain } from '../helpers/plain.ts'
import { dial, listen, serve } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'

const Tick = v.object({ n: v.number(), text: v.optional(v.string()) })
type Tick = v.InferOutput<typeof Tick>
type TickSource = AsyncGenerator<ServerEvent<Tick>>

/** A source without events that counts its releases. */
function counted() {
  let released = 0
  const source: AsyncIterable<ServerEvent<Tick>> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => (released++, { done: true, value: undefined }),
    }),
  }
  return { source, count: () => released, reset: () => void (released = 0) }
}

/** A service with one event stream; `open` creates its source for each call. */
function streaming(
  t: Test,
  open: (call: Call) => AsyncIterable<ServerEvent<Tick>>,
  { heartbeat = 10_000 } = {},
): { readonly mounted: Mount; readonly lines: readonly string[] } {
  const routes = plain({
    'GET /stream': {
      replies: { 200: events(Tick, { retry: 1234, heartbeat }) },
      answer: (call) => ({ status: 200, body: open(call) }),
    },
  })
  const { log, lines } = capturedLog()
  const mounted = mount({ shape: 'standalone', env: {}, log, plugins: [routes] })
  t.teardown(() => mounted.close())
  return { mounted, lines }
}

/** Opens the stream over a socket and through `fetch`, each with a function that disconnects. */
async function bothWays(
  t: Test,
  mounted: Mount,
): Promise<
  readonly (() => Promise<{
    readonly reader: ReadableStreamDefaultReader<Uint8Array>
    leave(): Promise<void>
  }>)[]
> {
  const port = await listen(t, createServer(mounted.node))
  const reading = (response: Response): ReadableStreamDefaultReader<Uint8Array> => {
    if (!response.body) throw new Error('no body')
    return response.body.getReader()
  }
  return [
    async () => {
      const gone = new AbortController()
      const reader = reading(await fetch(`http://127.0.0.1:${port}/stream`, { signal: gone.signal }))
      return { reader, leave: async () => gone.abort() }
    },
    async () => {
      const reader = reading(await mounted.fetch(new Request('http://localhost/stream')))
      return { reader, leave: async () => void (await reader.cancel()) }
    },
  ]
}

async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  let text = ''
  while (!enough(text)) {
    const { done, value } = await reader.read()
    if (done) break
    text += new TextDecoder().decode(value)
  }
  return text
}

async function* listed(...items: readonly ServerEvent<Tick>[]): TickSource {
  yield* items
}

t.test('events are sent as text/event-stream, limited to what their schema declares', (t) => {
  const seen: (string | undefined)[] = []
  const canary = { n: 2, text: 'a\nb\r\ndata: \u2028', secret: 'canary', nested: { secret: 'canary' } }
  return everyWay(
    t,
    {
      'GET /stream': {
        replies: { 200: events(Tick, { retry: 1234, heartbeat: 10_000 }) },
        answer: ({ header }) => (
          seen.push(header('last-event-id')),
          { status: 200, body: listed({ data: { n: 1 } }, { id: '7', event: 'tick', data: canary }) }
        ),
      },
    },
    async (t, ask) => {
      const answer = await ask({ url: '/stream', headers: { 'last-event-id': '6' } })
      t.equal(
        answer.text,
        'retry: 1234\n\ndata: {"n":1}\n\nid: 7\nevent: tick\ndata: {"n":2,"text":"a\\nb\\r\\ndata: \u2028"}\n\n',
      )
      const headers = {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
        'content-length': null,
      }
      for (const [name, value] of Object.entries(headers)) t.equal(answer.headers.get(name), value, name)
      t.equal(seen.at(-1), '6', 'the handler receives last-event-id')
    },
  )
})

t.test('an idle stream sends comments as heartbeat', async (t) => {
  let push = (): void => undefined
  const { mounted } = streaming(
    t,
    async function* () {
      await new Promise<void>((resolve) => void (push = resolve))
      yield { data: { n: 1 } }
    },
    { heartbeat: 20 },
  )
  for (const open of await bothWays(t, mounted)) {
    const { reader, leave } = await open()
    const beats = await readUntil(reader, (text) => text.split(': \n\n').length > 3)
    t.equal(beats, 'retry: 1234\n\n: \n\n: \n\n: \n\n')
    push()
    t.match(await readUntil(reader, (text) => text.includes('data')), /^(: \n\n)*data: \{"n":1\}\n\n/)
    await leave()
  }
})

t.test('a disconnect releases the source at once and aborts the signal of the handler', async (t) => {
  const released = counted()
  let aborted = 0
  const { mounted, lines } = streaming(t, ({ signal }) => {
    signal.addEventListener('abort', () => aborted++)
    return released.source
  })
  for (const open of await bothWays(t, mounted)) {
    const streams = await Promise.all(Array.from({ length: 50 }, open))
    for (const { reader } of streams) await reader.read()
    t.equal(released.count(), 0)
    await Promise.all(streams.map(({ leave }) => leave()))
    await until(() => released.count() === 50, 'a release of each, even while a read is pending')
    t.equal(aborted, 50)
    released.reset()
    aborted = 0
  }
  t.strictSame(lines, [], 'nothing is logged as an error')
})

t.test('close ends every stream with a random retry delay and releases the sources', async (t) => {
  for (const way of [0, 1]) {
    const released = counted()
    const { mounted } = streaming(t, () => released.source)
    const open = (await bothWays(t, mounted))[way]
    const streams = await Promise.all(Array.from({ length: 20 }, async () => open?.()))
    for (const stream of streams) await stream?.reader.read()
    const closed = mounted.close()
    const ends = await Promise.all(streams.map(async (stream) => stream && readUntil(stream.reader)))
    const waits = ends.map((end) => Number(/^retry: (\d+)\n\n$/.exec(end ?? '')?.[1]))
    t.ok(waits.every((milliseconds) => milliseconds >= 500 && milliseconds < 5000))
    t.ok(new Set(waits).size > 5, 'the delays differ')
    await until(() => released.count() === 20)
    await closed
  }
})

t.test('a stream ends when the access of its caller expires, busy or idle, and not before', async (t) => {
  const still = stillClock()
  const now = still.now().getTime()
  const admitting = (until?: number): Gate => ({
    mounting: () => ({ mount: true }),
    admit: () => ({ admit: true, caller: { via: 'token', ...(until !== undefined && { until }) } }),
  })
  const gates: Readonly<Record<string, Gate>> = {
    lasting: admitting(now + 2 ** 40),
    brief: admitting(now + 150),
    busy: admitting(now + 150),
    both: allOf(admitting(now + 150), admitting(), admitting(now + 2 ** 40)),
    over: admitting(now - 1),
  }
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const silent = async function* (): TickSource {
    yield { data: { n: 1 } }
    await new Promise(() => undefined)
  }
  const busy = async function* (): TickSource {
    try {
      for (let n = 0; ; n++) yield (await wait(1), { data: { n } })
    } finally {
      release()
    }
  }
  const replies = { 200: events(Tick, { retry: 1, heartbeat: 20 }) }
  const routes = Object.keys(gates).map((name) => {
    const answer = () => ({ status: 200, body: name === 'busy' ? busy() : silent() })
    return [`GET /${name}`, { gate: gate(name), replies, answer }]
  })
  const given = Object.entries(gates).map(([name, each]) => [gate(name), each] as const)
  const plugins = [plain(Object.fromEntries(routes), given)]
  const mounted = mountForTest(t, { plugins, seeds: [give(clock, still)] })
  const over = async (path: string): Promise<string> => (await mounted.inject({ url: path })).text
  // A stream by itself does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  let isLasting = true
  void over('/lasting').then(() => (isLasting = false))
  for (const path of ['/brief', '/both', '/busy'])
    t.match(await over(path), /^retry: 1\n\ndata: .*\n\n[^]*retry: \d{3,4}\n\n$/, path)
  t.match(await over('/over'), /^retry: 1\n\nretry: \d{3,4}\n\n$/)
  await released
  t.ok(isLasting, 'the stream of a caller with lasting access is open')
})

t.test('a failing stream is cut off, and the cause is logged', async (t) => {
  const broken = async function* (): TickSource {
    yield { data: { n: 1 } }
    await wait(10)
    throw new Error('the model is gone')
  }
  const one = { data: { n: 1 } }
  const failing: readonly (readonly [TickSource, RegExp])[] = [
    [broken(), /the model is gone/],
    [listed(one, { data: { n: 'x' } as never }), /Expected number but received/],
    [listed(one, { id: '1\ndata: {}', ...one }), /the id of an event holds a line break/],
    [listed(one, { event: 'a\rb', ...one }), /the event of an event holds a line break/],
  ]
  for (const [source, message] of failing) {
    const { mounted, lines } = streaming(t, () => source)
    const port = await listen(t, createServer(mounted.node))
    const response = await fetch(`http://127.0.0.1:${port}/stream`).catch(() => undefined)
    await t.rejects(async () => response?.text() ?? Promise.reject(new Error('cut off')), message.source)
    t.match(
      lines.map((line): unknown => JSON.parse(line)),
      [{ level: 50, msg: 'stream broke off', route: '/stream', err: { message } }],
    )
  }
})

t.test('an error while releasing a source is logged', async (t) => {
  const { mounted, lines } = streaming(t, () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: () => Promise.reject(new Error('could not let go')),
    }),
  }))
  for (const open of await bothWays(t, mounted)) {
    const seen = lines.length
    const { reader, leave } = await open()
    await reader.read()
    await leave()
    await until(() => lines.length > seen)
    t.match(lines.at(-1), /could not let go/)
  }
})

t.test('a client that reads nothing pauses its stream, and is disconnected after 30 seconds', async (t) => {
  let [made, ended] = [0, 0]
  const text = 'x'.repeat(10_000)
  const { mounted } = streaming(t, () =>
    (async function* (): AsyncGenerator<ServerEvent<Tick>> {
      try {
        for (;;) yield { data: { n: made++, text } }
      } finally {
        ended++
      }
    })(),
  )
  await mounted.ready()
  const port = await listen(t, createServer(mounted.node))
  const socket = await dial(t, port)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  socket.pause().write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  for (let before = -1; before !== made; await turns()) before = made
  t.ok(made > 0 && made < 2000, `${made} events were made for a reader that takes none`)
  t.equal(ended, 0)
  mock.timers.tick(29_999)
  t.equal(ended, 0)
  mock.timers.tick(1)
  await turns()
  t.equal(ended, 1)
})

t.test('close lets requests and streams finish, refuses later ones, and closes plugins last', async (t) => {
  const steps: string[] = []
  const routes = defineRoutes({
    slow: { ...open, method: 'POST', path: '/slow', body: v.unknown(), replies: { 200: Ok } },
    file: { ...open, method: 'GET', path: '/file', replies: { 200: file('text/plain') } },
  })
  const counting = async function* () {
    for (const word of ['one ', 'two ', 'three']) {
      yield Buffer.from(word)
      await wait(60)
    }
    steps.push('sent')
  }
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      slow: async () => (await wait(100), steps.push('answered'), { status: 200, body: { ok: true } }),
      file: () => ({ status: 200, body: counting() }),
    },
    close: () => void steps.push('closed'),
  }))
  const origin = 'https://editor.example'
  const origins = { origins: [origin] }
  const mounted = mountForTest(t, { shape: 'library', plugins: [use(plugin)], origins })
  await mounted.ready()
  const address = await serve(t, mounted.node)
  const post = () => fetch(`${address}/slow`, { method: 'POST', headers: { origin } })
  const running = Array.from({ length: 100 }, post)
  const streams = [fetch(`${address}/file`), mounted.fetch(new Request('http://localhost/file'))]
  const injected = mounted.inject({ url: '/file' })
  await Promise.all(streams)
  await wait(20)
  const closed = mounted.close()
  const late = await post()
  const reason = 'The service is stopping. Send the request again in a moment.'
  t.match([late.status, await late.json()], [503, { code: 'closing', reason }])
  const sent = ['retry-after', 'connection', 'access-control-allow-origin'].map((name) =>
    late.headers.get(name),
  )
  t.strictSame(sent, ['1', 'close', origin])
  const headers = { origin, 'access-control-request-method': 'POST' }
  for (const url of ['/slow', '/nowhere'])
    t.equal((await mounted.inject({ url, method: 'OPTIONS', headers })).status, 503)

  t.ok((await Promise.all(running)).every(({ status }) => status === 200))
  const texts = streams.map(async (answer) => (await answer).text())
  for (const text of [...(await Promise.all(texts)), (await injected).text]) t.equal(text, 'one two three')
  await closed
  t.equal(steps.at(-1), 'closed')
  t.equal(steps.filter((step) => step === 'answered').length, 100)
  t.equal((await mounted.inject({ url: '/file' })).status, 503, 'requests after close are refused')
})

t.test('a stream that a handler returns during close is sent before plugins close', async (t) => {
  const routes = defineRoutes({
    file: { ...open, method: 'GET', path: '/file', replies: { 200: file('text/plain') } },
  })
  for (const way of ['node', 'web'] as const) {
    const steps: string[] = []
    const begun = Promise.withResolvers<void>()
    const body = async function* () {
      yield Buffer.from('a')
      await wait(40)
      yield Buffer.from('b')
      steps.push('sent')
    }
    const late = async () => (begun.resolve(), await wait(20), { status: 200, body: body() } as const)
    const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
      handlers: { file: late },
      close: () => void steps.push('closed'),
    }))
    const mounted = mountForTest(t, { shape: 'library', plugins: [use(plugin)] })
    await mounted.ready()
    const port = await listen(t, createServer(mounted.node))
    const asked =
      way === 'node'
        ? fetch(`http://127.0.0.1:${port}/file`)
        : mounted.fetch(new Request('http://localhost/file'))
    await begun.promise
    const [response] = await Promise.all([asked.then((answer) => answer.text()), mounted.close()])
    t.strictSame([response, steps], ['ab', ['sent', 'closed']], way)
  }
})
