import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from '../../helpers/property.ts'
import t, { type Test } from 'tap'
import { EventSource } from 'undici'
import * as v from 'valibot'
import {
  clock,
  defineRefusal,
  give,
  systemClock,
  use,
  type Clock,
  type Injected,
  type Seed,
  type Used,
} from '../../../kernel/index.ts'
import {
  capturedLog,
  mountForTest,
  openGates,
  stillClock,
  type TestSetting,
} from '../../../kernel/testing.ts'
import auth from '../../../plugins/auth/index.ts'
import chatStreamsPlugin from '../../../plugins/chat-streams/index.ts'
import { chatStreams } from '../../../plugins/chat-streams/port.ts'
import {
  Canceled,
  chatRunner,
  type ChatResult,
  type RunEnd,
  type RunEvent,
} from '../../../plugins/chat/port.ts'
import demo from '../../../plugins/demo/index.ts'
import scope from '../../../plugins/scope/index.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import { store } from '../../../plugins/store/port.ts'
import { exchange, listen } from '../../helpers/raw.ts'
import { done, resultOf, scriptedRunner, type ScriptedRun } from '../../helpers/scripted-chat.ts'
import { askOver, eventsIn, refused, statusOf } from '../../helpers/stack.ts'

type Scripted = ReturnType<typeof scriptedRunner>

interface ChatOptions extends Partial<Pick<TestSetting, 'env' | 'shape' | 'origins' | 'log'>> {
  readonly chat?: Scripted
  readonly clock?: Clock
  readonly limits?: {
    readonly maxRuns?: number
    readonly maxRunsPerCaller?: number
    readonly maxStreams?: number
    readonly maxStreamsPerCaller?: number
  }
  readonly plugins?: readonly Used[]
  /** Replaces the open gates. */
  readonly gates?: readonly Seed[]
}

const message = { session: 'dev', siteId: 'acme', slug: '/', message: 'Change the heading' }
const Started = v.object({ streamId: v.string() })
const Named = v.looseObject({ type: v.string(), _seq: v.number() })
type Named = v.InferOutput<typeof Named>

/** The streams of chat behind a server, with a scripted runner. */
async function openChat(t: Test, options: ChatOptions = {}) {
  const {
    chat = scriptedRunner(),
    clock: time = systemClock,
    limits = {},
    plugins = [],
    gates = openGates,
    ...setting
  } = options
  const mounted = mountForTest(t, {
    plugins: [use(scope, {}), use(chatStreamsPlugin, limits), ...plugins],
    seeds: [...gates, give(clock, time), give(chatRunner, chat.runner)],
    ...setting,
  })
  const port = await listen(
    t,
    createServer((request, response) => void mounted.node(request, response)),
  )
  const origin = `http://127.0.0.1:${port}`
  const streams = await mounted.get(chatStreams)

  const post = (path: string, json: unknown, headers?: Readonly<Record<string, string>>): Promise<Injected> =>
    askOver(origin, { method: 'POST', url: path, json, ...(headers && { headers }) })
  const start = async (more: object = {}, headers?: Readonly<Record<string, string>>): Promise<string> =>
    v.parse(Started, (await post('/chat/start', { ...message, ...more }, headers)).json()).streamId
  const addressOf = (streamId: string, query: Readonly<Record<string, string>> = {}): string =>
    `${origin}/chat/stream?${new URLSearchParams({ streamId, ...query })}`
  const request = (
    streamId: string,
    query: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) => fetch(addressOf(streamId, query), { headers })
  const open = async (
    streamId: string,
    query?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => {
    const response = await request(streamId, query, headers)
    if (response.status !== 200)
      throw new Error(`the stream answered ${response.status}: ${await response.text()}`)
    const stream = eventsIn(response)
    t.teardown(() => stream.close())
    return {
      ...stream,
      /** The data of the next `count` events. */
      events: async (count: number) => (await stream.take(count)).map(({ data }) => v.parse(Named, data)),
      /** The data of all remaining events; then the reader leaves, like a client. */
      toEnd: async () =>
        (await stream.toLast()).flatMap(({ data }) => (data === undefined ? [] : [v.parse(Named, data)])),
    }
  }
  /** Starts a request and follows it from the beginning. */
  const begin = async (more: object = {}) => {
    const streamId = await start(more)
    const stream = await open(streamId)
    return { streamId, stream, run: chat.last }
  }
  return {
    chat,
    mounted,
    port,
    origin,
    streams,
    post,
    start,
    addressOf,
    request,
    open,
    begin,
    cancel: (json: object) => post('/chat/cancel', json),
  }
}

/** A clock that the test advances, together with the timer of the streams. */
function manualTime(t: Test) {
  const time = stillClock()
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  return {
    clock: time,
    async pass(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += 250) {
        time.advance(250)
        mock.timers.tick(250)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

/** Waits until a condition holds, for at most five seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !holds(); await wait(5)) {
    if (performance.now() > end) throw new Error('the condition did not hold in time')
  }
}

/** Matches each event with one pattern; `match` alone would allow further events. */
function matchEvents(t: Test, events: readonly Named[], patterns: readonly object[], what = 'events'): void {
  t.equal(events.length, patterns.length, what)
  t.match(events, patterns, what)
}

const typesOf = (events: readonly Named[]): readonly string[] => events.map(({ type }) => type)
const numbersOf = (events: readonly Named[]): readonly number[] => events.map(({ _seq }) => _seq)
const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
const token = (text: string): RunEvent => ({ type: 'token', text })
const applied = (index: number): RunEvent => ({
  type: 'op_applied',
  index,
  total: 3,
  previewVersion: 2,
  focusBlockId: null,
})

t.test('a request is parked until its first reader connects', async (t) => {
  const { chat, start, open, streams } = await openChat(t)
  const streamId = await start({ locale: 'de', unknown: 'dropped' })
  t.match(streamId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.same(
    [chat.runs.length, streams.counts()],
    [0, { parked: 1, active: 0, ended: 0, readers: 0 }],
    'nothing runs yet',
  )

  const stream = await open(streamId)
  t.same(streams.counts(), { parked: 0, active: 1, ended: 0, readers: 1 })
  const { last } = chat
  t.equal(last.id, streamId)
  t.strictSame(last.request, { ...message, locale: 'de', executionMode: 'auto' }, 'the validated request')
  last.emit({ type: 'status', message: 'Reading the page' })
  t.strictSame(await stream.events(1), [{ type: 'status', message: 'Reading the page', _seq: 1 }])
  last.end(done)
  t.strictSame(await stream.toEnd(), [{ type: 'final', result: done.result, _seq: 2 }])
  t.match(streams.counts(), { parked: 0, active: 0, ended: 1 })
})

t.test('the wire format of the stream', async (t) => {
  const chat = scriptedRunner({
    script(run) {
      run.emit(token('one\ntwo'))
      run.emit({ type: 'op_candidate', index: 1, op: { op: 'remove_page', pageSlug: '/' } })
      run.fail(new Canceled())
    },
  })
  const { port, start } = await openChat(t, { chat })
  const { answers } = await exchange(
    t,
    port,
    `GET /chat/stream?streamId=${await start()} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  t.equal(
    answers[0]?.body,
    'retry: 60000\n\n' +
      'id: 1\ndata: {"type":"token","text":"one\\ntwo","_seq":1}\n\n' +
      'id: 2\ndata: {"type":"op_candidate","index":1,"op":{"op":"remove_page","pageSlug":"/"},"_seq":2}\n\n' +
      'id: 3\ndata: {"type":"canceled","message":"Stopped. The draft is as it was before.","_seq":3}\n\n',
  )
})

t.test('the headers of a stream forbid caching and transformation by proxies', async (t) => {
  const { start, addressOf } = await openChat(t)
  const streamId = await start()
  const [response] = (await once(get(addressOf(streamId)), 'response')) as [IncomingMessage]
  t.teardown(() => response.destroy())
  t.match(response.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
    vary: 'Origin',
  })
  t.notOk('content-length' in response.headers)
})

t.test('an invalid start is refused with a reason', async (t) => {
  const { post, streams, port } = await openChat(t)
  const { slug: _slug, ...nopage } = message
  const { message: _message, ...silent } = message
  for (const [what, json, error] of [
    ['a session of another site', { ...message, session: 'other::dev' }, /session must/],
    ['a long session', { ...message, session: 'x'.repeat(201) }, /session must/],
    ['a long site', { ...message, siteId: 'x'.repeat(65) }, /siteId must/],
    ['no page', nopage, /slug/],
    ['an empty page', { ...message, slug: '' }, /slug is required/],
    ['no message', silent, /message is required/],
    ['a blank message', { ...message, message: ' \n' }, /message is required/],
    ['no message to plan', { ...silent, executionMode: 'plan_only' }, /message is required/],
    ['a message that is not a text', { ...message, message: 7 }, /message/],
    ['another mode', { ...message, executionMode: 'rush' }, /executionMode/],
    ['operations that are not numbers', { ...message, acceptedOps: ['1'] }, /acceptedOps/],
    ['a provider without a name', { ...message, provider: '' }, /provider/],
    ['an invalid context', { ...message, siteContext: 7 }, /siteContext/],
    ['a list', [message], /./],
    ['not an object', 'message', /./],
  ] as const) {
    const answer = await post('/chat/start', json)
    t.match([answer.status, refused(answer)], [400, { code: 'invalid_request', error, reason: error }], what)
  }
  t.equal(await statusOf(post('/chat/start', '', { 'content-type': 'text/plain' })), 415)
  t.equal(streams.counts().parked, 0)
  for (const executionMode of ['apply_pending_plan', 'discard_pending_plan', 'continue_chain']) {
    t.equal(
      await statusOf(post('/chat/start', { ...silent, session: executionMode, executionMode })),
      200,
      `${executionMode} needs no message`,
    )
  }

  const head = 'POST /chat/start HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const declared = await exchange(t, port, `${head}Content-Length: ${512 * 1024 + 1}\r\n\r\n`, 300)
  t.match(declared.answers[0], { status: 413, body: /"code":"body_too_large"/ }, 'before the body is sent')
  const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`
  const read = await exchange(
    t,
    port,
    `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(8)}1\r\n \r\n`,
    300,
  )
  t.match(
    read.answers[0],
    { status: 413, body: /"code":"body_too_large"/ },
    'regardless of the declared length',
  )
  const room = 512 * 1024 - Buffer.byteLength(JSON.stringify({ ...message, session: 'long', message: '' }))
  t.equal(
    await statusOf(post('/chat/start', { ...message, session: 'long', message: 'x'.repeat(room) })),
    200,
    'the limit itself is accepted',
  )
})

t.test('a session may have three unfinished runs; finished ones do not count', async (t) => {
  const { clock, pass } = manualTime(t)
  const { chat, post, start, open, cancel } = await openChat(t, { clock })
  const again = (more: object = {}) => post('/chat/start', { ...message, ...more })
  const ids = [await start(), await start(), await start({ siteId: 'ACME' })]
  const answer = await again()
  t.same([answer.status, answer.headers.get('retry-after')], [429, '5'])
  t.match(refused(answer), { code: 'too_many_runs', error: /^This session already has 3 chat requests/ })
  t.equal(await statusOf(again({ session: 'other' })), 200, 'another session has its own')
  t.equal(await statusOf(again({ siteId: 'other' })), 200, 'another site as well')

  const stream = await open(ids[0] ?? '')
  t.equal(await statusOf(again()), 429, 'an active run counts like a parked one')
  chat.last.end(done)
  await stream.toEnd()
  t.equal(await statusOf(again()), 200, 'an ended run does not count')
  t.equal(await statusOf(again()), 429)
  await cancel({ streamId: ids[1] })
  t.equal(await statusOf(again()), 200, 'nor does a canceled one')
  clock.advance(60_000)
  t.equal(await statusOf(again()), 200, 'nor does a just expired one, before the timer removes it')
  await pass(60_000)
  for (let count = 0; count < 3; count++) t.equal(await statusOf(again()), 200)
  t.equal(await statusOf(again()), 429)
})

t.test('an invalid or late request for a stream is refused', async (t) => {
  const { clock } = manualTime(t)
  const { chat, start, open, request, origin, streams } = await openChat(t, {
    clock,
    origins: { origins: ['http://localhost:3000', 'http://other.example'] },
  })
  const page = { origin: 'http://localhost:3000' }
  const elsewhere = { origin: 'http://other.example' }
  const asked = async (response: Promise<Response>) => {
    const answer = await response
    return {
      status: answer.status,
      body: await answer.json(),
      cors: answer.headers.get('access-control-allow-origin'),
    }
  }
  const row = async (
    what: string,
    response: Promise<Response>,
    status: number,
    code: string,
    error: RegExp,
  ) => t.match(await asked(response), { status, body: { code, error } }, what)

  await row('no id', fetch(`${origin}/chat/stream`), 400, 'stream_id_missing', /POST \/chat\/start/)
  await row(
    'the request in the query',
    fetch(`${origin}/chat/stream?${new URLSearchParams(message)}`),
    400,
    'stream_id_missing',
    /POST \/chat\/start/,
  )
  await row('an empty id', request(''), 400, 'stream_id_missing', /streamId is required/)
  await row(
    'an unknown id',
    request('00000000-0000-4000-8000-000000000000'),
    410,
    'stream_gone',
    /no longer exists/,
  )
  await row('a long id', request('x'.repeat(5_000)), 410, 'stream_gone', /no longer exists/)
  const twice = await start({ session: 'refused' })
  for (const afterSeq of ['x', '-1', '1.5', '', ' ', '1e3', '9'.repeat(16)]) {
    await row(`afterSeq '${afterSeq}'`, request(twice, { afterSeq }), 400, 'invalid_request', /_seq/)
  }
  await row(
    'an id that is there twice',
    fetch(`${origin}/chat/stream?streamId=${twice}&streamId=${twice}`),
    400,
    'bad_request',
    /./,
  )
  t.same([chat.runs.length, streams.counts().parked], [0, 1], 'no run was started')

  const late = await start()
  clock.advance(60_000)
  await row('one that was not followed in time', request(late), 410, 'stream_gone', /./)
  await row('even from the beginning', request(late, { afterSeq: '0' }), 410, 'stream_gone', /./)
  const justInTime = await start()
  clock.advance(59_999)
  await (await open(justInTime)).close()

  const streamId = await start({}, page)
  await row(
    'a page of another origin',
    request(streamId, {}, elsewhere),
    403,
    'origin_differs',
    /another origin/,
  )
  await row(
    'a page of a null origin',
    request(streamId, {}, { origin: 'null' }),
    403,
    'origin_differs',
    /another origin/,
  )
  const stream = await open(streamId, {}, page)
  await row('an active run', request(streamId, {}, page), 409, 'stream_running', /afterSeq/)
  await row(
    'an active run, from another origin',
    request(streamId, { afterSeq: '0' }, elsewhere),
    403,
    'origin_differs',
    /./,
  )
  t.equal((await asked(request(streamId, {}, page))).cors, page.origin, 'its page may read the reason')
  t.equal(await statusOf(request(streamId, { afterSeq: '0' })), 200, 'a request without an origin is allowed')
  chat.last.end(done)
  await stream.toEnd()
  await row('an ended run', request(streamId), 410, 'stream_gone', /./)
  t.equal(await statusOf(request(streamId, { afterSeq: '0' })), 200, 'it can still be read with afterSeq')

  const byProgram = await start()
  t.equal(
    await statusOf(request(byProgram, {}, elsewhere)),
    200,
    'a run started without an origin allows any',
  )
})

t.test('HEAD does not start a run', async (t) => {
  const { chat, start, addressOf, streams } = await openChat(t)
  const streamId = await start()
  const { status, headers } = await fetch(addressOf(streamId), { method: 'HEAD' })
  t.same([status, headers.get('content-type')], [200, 'text/event-stream'])
  t.same([chat.runs.length, streams.counts().parked], [0, 1])
})

t.test('several readers follow one run, and leaving does not stop it', async (t) => {
  const { begin, open, streams } = await openChat(t)
  const { streamId, stream, run } = await begin()
  run.emit(token('a'))
  await stream.events(1)
  const second = await open(streamId, { afterSeq: '0' })
  const third = await open(streamId, { afterSeq: '1' })
  run.emit(token('b'))
  t.same(
    [numbersOf(await stream.events(1)), numbersOf(await second.events(2)), numbersOf(await third.events(1))],
    [[2], [1, 2], [2]],
  )
  await Promise.all([stream.close(), third.close()])
  await until(() => streams.counts().readers === 1)
  run.emit(token('c'))
  t.same(numbersOf(await second.events(1)), [3])
  await second.close()
  await until(() => streams.counts().readers === 0)
  t.equal(run.signal.aborted, false, 'it continues without readers')
  run.emit(token('d'))
  const back = await open(streamId, { afterSeq: '3' })
  run.end(done)
  t.same(
    (await back.toEnd()).map(({ _seq, type }) => [_seq, type]),
    [
      [4, 'token'],
      [5, 'final'],
    ],
  )
})

t.test('a reconnecting reader receives the missed events, then the new ones', async (t) => {
  const { begin, open } = await openChat(t)
  const { streamId, run } = await begin()
  for (const number of upTo(5)) run.emit(token(String(number)))
  const rows: readonly [
    Readonly<Record<string, string>>,
    Readonly<Record<string, string>>,
    readonly number[],
  ][] = [
    [{ afterSeq: '0' }, {}, upTo(5)],
    [{ afterSeq: '3' }, {}, [4, 5]],
    [{ afterSeq: '5' }, {}, []],
    [{ afterSeq: '999' }, {}, []],
    [{}, { 'last-event-id': '3' }, [4, 5]],
    [{}, { 'last-event-id': '007' }, []],
    [{ afterSeq: '1' }, { 'last-event-id': '4' }, [5]],
    [{ afterSeq: '1' }, { 'last-event-id': 'junk' }, upTo(5, 2)],
  ]
  const streams = await Promise.all(rows.map(([query, headers]) => open(streamId, query, headers)))
  run.emit(token('6'))
  for (const [index, [query, headers, missed]] of rows.entries()) {
    t.same(
      numbersOf((await streams[index]?.events(missed.length + 1)) ?? []),
      [...missed, 6],
      JSON.stringify({ ...query, ...headers }),
    )
  }
  run.end(done)
  await Promise.all(streams.map((stream) => stream.toEnd()))
  for (const [query, headers, missed] of rows.slice(0, 2)) {
    t.same(
      numbersOf(await (await open(streamId, query, headers)).toEnd()),
      [...missed, 6, 7],
      'also after the end',
    )
  }
  t.same(
    await (await open(streamId, { afterSeq: '7' })).toEnd(),
    [],
    'a reader that has seen all events receives none',
  )
})

t.test('across random disconnects every event is received once and in order', async (t) => {
  const { begin, request } = await openChat(t)
  let session = 0
  const cut = fc.record({
    take: fc.nat(8),
    by: fc.constantFrom('afterSeq', 'last-event-id'),
    emits: fc.nat(6),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 8 }), fc.nat(30), fc.nat(8), async (cuts, first, last) => {
      const { streamId, stream, run } = await begin({ session: `by-chance-${session++}` })
      let written = 0
      const emit = (count: number): void => {
        for (let more = 0; more < count; more++) run.emit(token(String(++written)))
      }
      const seen: Named[] = []
      const read = async (from: ReturnType<typeof eventsIn>, count: number): Promise<void> => {
        for (const { data } of await from.take(Math.min(count, written - seen.length)))
          seen.push(v.parse(Named, data))
      }
      emit(first)
      await read(stream, cuts.length * 2)
      await stream.close()
      for (const { take, by, emits } of cuts) {
        const at = String(seen.length)
        const again = eventsIn(
          by === 'afterSeq'
            ? await request(streamId, { afterSeq: at })
            : await request(streamId, {}, { 'last-event-id': at }),
        )
        emit(emits)
        await read(again, take)
        await again.close()
      }
      emit(last)
      const end = eventsIn(await request(streamId, { afterSeq: String(seen.length) }))
      run.end(done)
      for (const { data } of await end.toLast()) if (data !== undefined) seen.push(v.parse(Named, data))
      const expected = upTo(written + 1).map((number) => (number > written ? 'final' : String(number)))
      if (JSON.stringify(seen.map(({ text, type }) => text ?? type)) !== JSON.stringify(expected))
        throw new Error(`saw ${JSON.stringify(seen)}`)
      if (numbersOf(seen).some((number, index) => number !== index + 1))
        throw new Error(`numbers ${numbersOf(seen)}`)
    }),
    { numRuns: 60 },
  )
})

t.test('a reader beyond the stored events receives the current status instead of a gap', async (t) => {
  const { clock } = manualTime(t)
  const { begin, open } = await openChat(t, { clock })
  const { streamId, stream, run } = await begin()
  run.emit({ type: 'status', message: 'Planning the pages' })
  for (const number of upTo(2_500, 2)) {
    run.emit(token(String(number)))
    if (number % 100 === 0) await stream.events(100)
  }
  t.same(
    numbersOf(await (await open(streamId, { afterSeq: '500' })).events(2_000)),
    upTo(2_500, 501),
    'the last 2,000 are stored',
  )
  for (const afterSeq of ['499', '0']) {
    const late = await open(streamId, { afterSeq })
    run.emit(token('on'))
    const [first, second] = await late.events(2)
    const { _seq: now = 0 } = second ?? {}
    t.strictSame(
      first,
      { type: 'status', message: 'Planning the pages', _seq: now - 1 },
      'the current status, in place of the newest event',
    )
    t.match(second, { type: 'token', text: 'on' }, 'and no number is skipped')
    await late.close()
  }
  run.end(done)
  matchEvents(
    t,
    await (await open(streamId, { afterSeq: '0' })).toEnd(),
    [{ type: 'final', _seq: 2_503 }],
    'the end',
  )
  t.equal(
    (await (await open(streamId, { afterSeq: '503' })).toEnd()).length,
    2_000,
    'the end is one of the 2,000',
  )
})

t.test('stored events are limited to five megabytes, the end is always stored', async (t) => {
  // No heartbeats, however long the megabytes take.
  const { clock } = manualTime(t)
  const { begin, open } = await openChat(t, { clock })
  const { streamId, run } = await begin()
  for (const number of upTo(12)) run.emit(token(`${number} ${'x'.repeat(1024 * 1024)}`))
  const late = await open(streamId, { afterSeq: '0' })
  matchEvents(t, await late.events(1), [{ type: 'status', _seq: 12 }])
  t.same(numbersOf(await (await open(streamId, { afterSeq: '8' })).events(4)), [9, 10, 11, 12])
  run.end({ status: 200, result: resultOf({ summary: 'x'.repeat(6 * 1024 * 1024) }) })
  matchEvents(t, await late.toEnd(), [{ type: 'final', _seq: 13 }])
  t.same(numbersOf(await (await open(streamId, { afterSeq: '8' })).toEnd()), [13])
})

t.test('a run is removed fifteen minutes after its end, however long it took', async (t) => {
  const { clock, pass } = manualTime(t)
  const { begin, open, request, cancel, streams } = await openChat(t, { clock })
  const { streamId, stream, run } = await begin()
  await pass(20 * 60_000)
  run.end(done)
  t.equal((await stream.toEnd()).at(-1)?.type, 'final')
  await pass(15 * 60_000 - 250)
  t.equal((await (await open(streamId, { afterSeq: '1' })).toEnd()).at(-1)?.type, 'final')
  t.match((await cancel({ streamId })).json(), { status: 'already_terminal' })
  clock.advance(250)
  t.equal(await statusOf(request(streamId, { afterSeq: '1' })), 410, 'before the timer removes it')
  t.equal(await statusOf(cancel({ streamId })), 404)
  await pass(250)
  t.same(streams.counts(), { parked: 0, active: 0, ended: 0, readers: 0 })
})

t.test('a run is canceled after half an hour', async (t) => {
  const { clock, pass } = manualTime(t)
  const { begin } = await openChat(t, { clock })
  const { stream, run } = await begin()
  await pass(30 * 60_000 - 250)
  t.equal(run.signal.aborted, false)
  await pass(250)
  t.equal(run.signal.aborted, true)
  t.equal((await stream.toEnd()).at(-1)?.type, 'canceled')
})

t.test(
  'a heartbeat every second has the stage and the last status, and the stage never goes back',
  async (t) => {
    const { clock, pass } = manualTime(t)
    const { begin } = await openChat(t, { clock })
    const { stream, run } = await begin()
    const beat = async (label: string | RegExp, stage: string, elapsedMs: number) => {
      await pass(1_000)
      matchEvents(t, await stream.events(1), [{ type: 'heartbeat', stage, label, elapsedMs }])
    }
    const say = async (message: string) => {
      run.emit({ type: 'status', message })
      await stream.events(1)
    }
    await pass(750)
    await say('Looking at the page')
    await pass(250)
    matchEvents(t, await stream.events(1), [
      { type: 'heartbeat', stage: 'planning', label: 'Looking at the page', elapsedMs: 1_000 },
    ])
    await say('Plan ready: 2 changes')
    await beat('Plan ready: 2 changes', 'planning', 2_000)
    const later = [
      'Applying 1 of 2',
      'Planning again, the first attempt did not fit',
      'Preparing image 1 of 1',
      'Almost done',
    ]
    for (const [index, message] of later.entries()) {
      await say(message)
      await beat(message, 'applying', 3_000 + index * 1_000)
    }
    run.end(done)
    t.same(typesOf(await stream.toEnd()), ['final'])
    await pass(5_000)

    const other = await begin({ session: 'other' })
    await pass(1_000)
    matchEvents(
      t,
      await other.stream.events(1),
      [{ type: 'heartbeat', stage: 'planning', label: /./ }],
      'before any status',
    )
    other.run.emit(applied(1))
    await pass(1_000)
    t.match((await other.stream.events(2))[1], { stage: 'applying' }, 'an applied operation sets the stage')
  },
)

t.test('after a suspension heartbeats are not made up for, and readers stay connected', async (t) => {
  const { clock, pass } = manualTime(t)
  const { begin } = await openChat(t, { clock })
  const { stream, run } = await begin()
  await pass(500)
  clock.advance(20 * 60_000)
  await pass(2_000)
  run.end(done)
  t.same(
    typesOf(await stream.toEnd()),
    ['heartbeat', 'heartbeat', 'heartbeat', 'final'],
    'one at once, then one a second',
  )
})

t.test('one timer serves all runs, and stops without runs and with the service', async (t) => {
  const set = mock.method(globalThis, 'setInterval')
  const cleared = mock.method(globalThis, 'clearInterval')
  t.teardown(() => mock.restoreAll())
  const timers = () =>
    set.mock.calls.flatMap(({ arguments: [, delay], result }) => (delay === 250 ? [result] : []))
  const running = () =>
    timers().filter((timer) => !cleared.mock.calls.some(({ arguments: [given] }) => given === timer))
  const { start, begin, cancel, mounted } = await openChat(t)
  t.equal(timers().length, 0)
  const parked = await start()
  for (const number of upTo(5)) await begin({ session: `timer-${number}` })
  t.same([timers().length, running()[0]?.hasRef()], [1, false])
  await cancel({ streamId: parked })
  t.equal(running().length, 1)
  await mounted.close()
  t.equal(running().length, 0)

  const other = await openChat(t)
  await other.cancel({ streamId: await other.start() })
  t.equal(running().length, 0, 'no timer without runs')
  await other.start()
  t.equal(running().length, 1, 'a new run starts it again')
})

t.test('1.5 seconds after the last applied operation a finishing status is emitted', async (t) => {
  const { clock, pass } = manualTime(t)
  const { begin } = await openChat(t, { clock })
  const finishing = (events: readonly Named[]) =>
    events.filter(({ message }) => /finalizing the response/.test(String(message)))
  const skipped: RunEvent = { type: 'op_skipped', index: 1, total: 1, reason: 'unchanged_value' }
  const rows: readonly [string, readonly (RunEvent | number)[], readonly number[]][] = [
    ['too early', [applied(1), 1_250], []],
    ['in time', [applied(1), 1_500], [3]],
    ['once', [applied(1), 10_000], [3]],
    ['another came', [applied(1), 1_250, applied(2), 1_250], []],
    ['after the other', [applied(1), 1_250, applied(2), 1_500], [5]],
    ['images follow', [applied(1), { type: 'status', message: 'Preparing image 1 of 1' }, 3_000], []],
    ['nothing is applied', [skipped, 3_000], []],
  ]
  for (const [what, script, expected] of rows) {
    const { stream, run } = await begin({ session: what })
    for (const step of script) await (typeof step === 'number' ? pass(step) : run.emit(step))
    run.end(done)
    t.same(numbersOf(finishing(await stream.toEnd())), expected, what)
  }
})

const busy = defineRefusal({
  status: 409,
  code: 'session_busy',
  reason: () => 'Another message of this session is under way. Wait for it to end.',
})
const readable = defineRefusal({
  status: 404,
  code: 'page_missing',
  reason: (slug: string) => `There is no page '${slug}'. Create it first.`,
})
const unavailable = defineRefusal({
  status: 503,
  code: 'store_unavailable',
  reason: () => 'The store is full. Make room.',
  extra: () => ({ secret: 'not told' }),
})

t.test('exactly one event ends a run, with its outcome', async (t) => {
  const internal = {
    type: 'error',
    code: 500,
    error: /^Internal error/,
    result: { status: 'error', summary: /^Internal error/ },
  }
  const bad = (status: RunEnd['status'], more: Partial<ChatResult>): RunEnd => ({
    status,
    result: resultOf(more),
  })
  const rows: readonly [string, (run: ScriptedRun) => void, object, (readonly string[])?][] = [
    ['a result', (run) => run.end(done), { type: 'final', result: done.result }],
    [
      'an answer',
      (run) => run.end(bad(200, { status: 'info' })),
      { type: 'final', result: { status: 'info' } },
    ],
    [
      'a result that was rejected',
      (run) => run.end(bad(400, { status: 'validation_error' })),
      { type: 'error', code: 400, result: { status: 'validation_error' } },
    ],
    [
      'a conflict',
      (run) => run.end(bad(409, { status: 'needs_clarification' })),
      { type: 'error', code: 409, result: { status: 'needs_clarification' } },
    ],
    [
      'a failure',
      (run) => run.end(bad(500, { status: 'error' })),
      { type: 'error', code: 500, result: { status: 'error' } },
    ],
    [
      'a provider',
      (run) => run.end(bad(503, { status: 'error' })),
      { type: 'error', code: 503, result: { status: 'error' } },
    ],
    [
      'a stop',
      (run) => run.fail(new Canceled('secret')),
      { type: 'canceled', message: /draft is as it was/ },
    ],
    [
      'a refusal',
      (run) => run.fail(busy()),
      {
        type: 'error',
        code: 409,
        error: /^Another message/,
        reason: /^Another message/,
        result: { status: 'error', summary: /^Another message/ },
      },
    ],
    [
      'a readable refusal',
      (run) => run.fail(readable('/x')),
      {
        type: 'error',
        code: 404,
        error: /^There is no page/,
        reason: /Create it first/,
        result: { status: 'error' },
      },
    ],
    [
      'a refusal that is a fault',
      (run) => run.fail(unavailable()),
      { type: 'error', code: 503, error: /^The store is full/, result: { summary: /^The store is full/ } },
      ['chat run refused'],
    ],
    ['a fault', (run) => run.fail(new Error('secret detail')), internal, ['chat run failed']],
    ['no error at all', (run) => run.fail(undefined), internal, ['chat run failed']],
  ]
  for (const [what, act, ending, logged = []] of rows) {
    const { log, lines } = capturedLog('warn')
    const { begin, open } = await openChat(t, { log })
    const { streamId, stream, run } = await begin()
    run.emit({ type: 'thinking_start' })
    act(run)
    run.end(done)
    run.fail(new Error('too late'))
    const events = await stream.toEnd()
    run.emit(token('too late'))
    t.same(await (await open(streamId, { afterSeq: '0' })).toEnd(), events, 'no event follows the end')
    matchEvents(
      t,
      events,
      [{ type: 'thinking_start' }, { type: 'thinking_end' }, ending],
      `${what}: open thinking is closed first`,
    )
    t.notMatch(JSON.stringify(events), /secret/, 'internals are not exposed')
    t.match(
      lines.map((line) => JSON.parse(line)),
      logged.map((msg) => ({ msg, run: run.id })),
      'server errors are logged',
    )
    t.equal(lines.length, logged.length)
  }
})

t.test('invalid events and undeclared fields are not sent', async (t) => {
  const { begin } = await openChat(t)
  const { stream, run } = await begin()
  run.emit({ type: 'token', text: 7 } as unknown as RunEvent)
  run.emit({ type: 'status', message: 'x', secret: 's' } as RunEvent)
  run.end({ status: 200, result: { ...resultOf(), secret: 's' } as ChatResult })
  t.notMatch(JSON.stringify(await stream.toEnd()), /secret/)
})

t.test('a run that ends before the first read is delivered completely', async (t) => {
  const chat = scriptedRunner({
    script(run) {
      for (const number of upTo(100)) run.emit(token(String(number)))
      run.end(done)
    },
  })
  const { begin } = await openChat(t, { chat })
  t.same(numbersOf(await (await begin()).stream.toEnd()), upTo(101))
})

t.test('a cancel stops a run in every phase', async (t) => {
  const { chat, start, begin, cancel, request, post, streams } = await openChat(t)
  const statusIn = async (answer: Promise<Injected>) => [
    await statusOf(answer),
    Reflect.get(Object((await answer).json()), 'status'),
  ]
  const gone = [404, 'not_found']
  const requested = [200, 'cancel_requested']

  await t.test('parked', async (t) => {
    const streamId = await start()
    t.same(await statusIn(cancel({ streamId })), requested)
    t.same(
      [await statusOf(request(streamId)), await statusOf(request(streamId, { afterSeq: '0' }))],
      [410, 410],
    )
    t.same([chat.runs.length, await statusIn(cancel({ streamId }))], [0, gone], 'it never started')
  })
  await t.test('before its first event', async (t) => {
    const { streamId, stream } = await begin()
    t.same(await statusIn(cancel({ streamId })), requested)
    matchEvents(t, await stream.toEnd(), [
      { type: 'status', message: /^Stopping/, _seq: 1 },
      { type: 'canceled', _seq: 2 },
    ])
    t.same(await statusIn(cancel({ streamId })), [200, 'already_terminal'])
  })
  await t.test('twice, before its commit', async (t) => {
    const uncancelable = await openChat(t, { chat: scriptedRunner({ deaf: true }) })
    const { streamId, stream, run } = await uncancelable.begin()
    t.same(await statusIn(uncancelable.cancel({ streamId })), requested)
    t.same([run.signal.aborted, run.signal.reason instanceof Canceled], [true, true])
    t.same(await statusIn(uncancelable.cancel({ streamId })), requested)
    run.fail(run.signal.reason)
    t.same(typesOf(await stream.toEnd()), ['status', 'canceled'], 'one status')
  })
  await t.test('after its commit, which is too late', async (t) => {
    const { streamId, stream, run } = await begin()
    run.emit(applied(1))
    t.same(await statusIn(cancel({ streamId })), [200, 'already_terminal'])
    t.same(await statusIn(cancel({ session: 'dev', siteId: 'acme' })), [200, 'already_terminal'])
    t.equal(run.signal.aborted, false)
    run.end(done)
    t.same(typesOf(await stream.toEnd()), ['op_applied', 'final'])
  })
  await t.test('at its end, which wins', async (t) => {
    const uncancelable = await openChat(t, { chat: scriptedRunner({ deaf: true }) })
    const { streamId, stream, run } = await uncancelable.begin()
    t.same(await statusIn(uncancelable.cancel({ streamId })), requested)
    run.end(done)
    t.same(typesOf(await stream.toEnd()), ['status', 'final'], 'the actual end is emitted')
    t.same(await statusIn(uncancelable.cancel({ streamId })), [200, 'already_terminal'])
  })
  await t.test('racing with its end', async (t) => {
    for (let round = 0; round < 20; round++) {
      const { streamId, stream, run } = await begin({ session: `race-${round}` })
      const asked = cancel({ streamId })
      if (round % 2 === 0) await wait(round / 10)
      run.end(done)
      const [status, verdict] = await statusIn(asked)
      const events = await stream.toEnd()
      t.equal(status, 200)
      t.ok(['cancel_requested', 'already_terminal'].includes(String(verdict)))
      t.equal(events.filter(({ type }) => type === 'final' || type === 'canceled').length, 1)
      t.match(events.at(-1), { type: /^(final|canceled)$/ })
    }
  })
  await t.test('by session and site', async (t) => {
    const at = { session: 'whole', siteId: 'Whole Site' }
    const first = await begin(at)
    const second = await begin(at)
    const parked = await start(at)
    const other = await begin({ ...at, session: 'other' })
    t.same(await statusIn(cancel({ ...at, siteId: 'whole-site' })), requested)
    t.equal((await first.stream.toEnd()).at(-1)?.type, 'canceled')
    t.equal((await second.stream.toEnd()).at(-1)?.type, 'canceled')
    t.equal(await statusOf(request(parked)), 410)
    t.equal(other.run.signal.aborted, false)
    t.same(await statusIn(cancel(at)), [200, 'already_terminal'])
    t.same(await statusIn(cancel({ ...at, session: 'other', siteId: 'another' })), gone)
    t.same(await statusIn(cancel({ session: 'nobody' })), gone)
    other.run.end(done)
    await other.stream.toEnd()
  })
  await t.test('of another session', async (t) => {
    const { streamId, stream, run } = await begin()
    for (const named of [{ session: 'other' }, { siteId: 'other' }, { session: 'other', siteId: 'acme' }]) {
      const answer = await cancel({ streamId, ...named })
      t.match(
        [answer.status, answer.json()],
        [404, { status: 'not_found', code: 'not_found', error: /no such run/, reason: /no such run/ }],
      )
    }
    t.same(await statusIn(cancel({ streamId: '00000000-0000-4000-8000-000000000000' })), gone)
    t.same(await statusIn(cancel({ streamId: '' })), gone)
    for (const named of [{ session: 'other' }, { siteId: 'other' }])
      t.equal(await statusOf(request(streamId, { afterSeq: '0', ...named })), 410)
    t.equal(run.signal.aborted, false)
    t.same(await statusIn(cancel({ streamId, session: 'dev', siteId: 'Acme' })), requested)
    await stream.toEnd()
  })
  await t.test('that names no session', async (t) => {
    const { stream, run } = await begin()
    t.same(await statusIn(cancel({})), gone, 'the default site has none')
    t.same(await statusIn(cancel({ siteId: 'acme', session: ' ' })), requested)
    t.equal(run.signal.aborted, true)
    await stream.toEnd()
    for (const body of [{ streamId: 7 }, []]) {
      t.match(refused(await post('/chat/cancel', body)), {
        status: 400,
        code: 'invalid_request',
        error: /streamId|body/,
      })
    }
    t.match(refused(await cancel({ session: 'a::b' })), { status: 400 })
  })
  t.same(streams.counts().active, 0)
})

t.test('a browser follows a run with EventSource', async (t) => {
  const { chat, start, addressOf } = await openChat(t)
  const streamId = await start()
  const follow = (query?: Readonly<Record<string, string>>) => {
    const source = new EventSource(addressOf(streamId, query))
    t.teardown(() => source.close())
    const seen: { readonly id: string; readonly event: Named }[] = []
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    source.addEventListener('message', ({ data, lastEventId }) => {
      seen.push({ id: lastEventId, event: v.parse(Named, JSON.parse(data)) })
      if (seen.at(-1)?.event.type === 'final') resolve(source.close())
    })
    return { seen, ended, source }
  }
  const first = follow()
  await once(first.source, 'open')
  chat.last.emit(token('a'))
  chat.last.emit(token('b'))
  await until(() => first.seen.length === 2)
  first.source.close()
  chat.last.emit(token('c'))
  const second = follow({ afterSeq: '2' })
  await once(second.source, 'open')
  chat.last.end(done)
  await second.ended
  t.same(
    [...first.seen, ...second.seen].map(({ id, event }) => [id, event._seq, event.type]),
    [
      ['1', 1, 'token'],
      ['2', 2, 'token'],
      ['3', 3, 'token'],
      ['4', 4, 'final'],
    ],
  )
})

t.test(
  'an editor that settles late sees no lost connection: the stream ends 1.5 seconds after its last event',
  async (t) => {
    const { clock, pass } = manualTime(t)
    const { start, addressOf, chat, streams, mounted } = await openChat(t, { clock })
    const outcomes: readonly [string, (run: ScriptedRun) => void][] = [
      ['final', (run) => run.end(done)],
      ['error', (run) => run.fail(busy())],
      ['canceled', (run) => run.fail(new Canceled())],
    ]
    /** An editor: it counts lost connections, which it shows as "Reconnecting…". */
    const edit = async (ending: (run: ScriptedRun) => void) => {
      const source = new EventSource(addressOf(await start()))
      t.teardown(() => source.close())
      const seen: string[] = []
      let lost = 0
      source.addEventListener('error', () => lost++)
      source.addEventListener('message', ({ data }) => seen.push(v.parse(Named, JSON.parse(data)).type))
      await once(source, 'open')
      ending(chat.last)
      await until(() => seen.length > 0)
      await pass(1_500)
      await statusOf(fetch(addressOf('unknown')))
      return { source, seen, lost: () => lost }
    }
    for (const [type, ending] of outcomes) {
      const { source, seen, lost } = await edit(ending)
      t.same([seen, lost(), source.readyState, streams.counts().readers], [[type], 0, EventSource.OPEN, 1])
      source.close()
      await until(() => streams.counts().readers === 0)
    }

    const stays = await edit((run) => run.end(done))
    await pass(250)
    await until(() => stays.lost() === 1)
    t.equal(streams.counts().readers, 0, 'then the server closes it')

    const open = await edit((run) => run.end(done))
    await mounted.close()
    await until(() => open.lost() === 1)
    t.equal(streams.counts().readers, 0, 'a service that stops does not wait for it')
  },
)

t.test('missed events may be long', async (t) => {
  const { clock, pass } = manualTime(t)
  const { start, mounted, chat, streams } = await openChat(t, { clock })
  const streamId = await start()
  const ask = (query: string) =>
    mounted.fetch(new Request(`http://localhost/chat/stream?streamId=${streamId}${query}`))
  const first = await ask('')
  for (const number of upTo(200)) chat.last.emit(token(`${number} ${'x'.repeat(1_000)}`))
  await first.body?.cancel()
  const back = eventsIn(await ask('&afterSeq=0'))
  t.teardown(() => back.close())
  await pass(5_000)
  t.equal(streams.counts().readers, 1)
  chat.last.end(done)
  t.equal((await back.toLast()).length, 1 + 200 + 5 + 1)
})

t.test('a reader that falls behind the stored events is disconnected before the gap', async (t) => {
  const { begin, mounted, open } = await openChat(t)
  const { streamId, run } = await begin()
  run.emit(token('1'))
  const slow = eventsIn(
    await mounted.fetch(new Request(`http://localhost/chat/stream?streamId=${streamId}&afterSeq=0`)),
  )
  for (const number of upTo(2_500, 2)) run.emit(token(String(number)))
  const seen = (await slow.rest()).flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
  t.ok(seen.length < 10, `${seen}`)
  t.same(seen, upTo(seen.length))
  matchEvents(t, await (await open(streamId, { afterSeq: String(seen.length) })).events(1), [
    { type: 'status', _seq: 2_500 },
  ])
})

t.test('a client that disconnects before the first event is not counted, and starts no run', async (t) => {
  const { mounted, start, chat, streams } = await openChat(t)
  const gone = new AbortController()
  gone.abort()
  const streamId = await start()
  const response = await mounted
    .fetch(new Request(`http://localhost/chat/stream?streamId=${streamId}`, { signal: gone.signal }))
    .catch(() => undefined)
  t.same(
    [response?.status, chat.runs.length, streams.counts()],
    [200, 0, { parked: 1, active: 0, ended: 0, readers: 0 }],
  )
})

t.test('a client that disconnects without reading is not counted', async (t) => {
  const { mounted, start, streams, chat } = await openChat(t)
  const going = new AbortController()
  await mounted.fetch(
    new Request(`http://localhost/chat/stream?streamId=${await start()}`, { signal: going.signal }),
  )
  t.equal(streams.counts().readers, 1)
  going.abort()
  await until(() => streams.counts().readers === 0)
  t.equal(chat.last.signal.aborted, false)
})

t.test('one caller cannot use up the runs and the streams of all others', async (t) => {
  const { clock } = manualTime(t)
  const { chat, post, start, open, request } = await openChat(t, {
    clock,
    env: { TRUST_PROXY: '127.0.0.1' },
    limits: { maxRuns: 10, maxRunsPerCaller: 3, maxStreamsPerCaller: 2 },
  })
  const [one, other] = [{ 'x-forwarded-for': '203.0.113.7' }, { 'x-forwarded-for': '203.0.113.8' }]
  const [first, second, third] = [
    await start({ session: 'a' }, one),
    await start({ session: 'b' }, one),
    await start({ session: 'c' }, one),
  ]
  const full = await post('/chat/start', { ...message, session: 'd' }, one)
  t.match(refused(full), { status: 429, code: 'too_many_runs', error: /^You already have 3 chat requests/ })
  t.equal(full.headers.get('retry-after'), '5')
  t.ok(await start({ session: 'd' }, other), 'other callers are not limited')
  const stream = await open(first, {}, one)
  const run = chat.last
  await open(second, {}, one)
  const spent = await request(third, {}, one)
  t.same([spent.status, spent.headers.get('retry-after')], [429, '30'])
  t.match(await spent.json(), { code: 'too_many_streams', error: /^You have 2 open chat streams/ })
  t.equal(await statusOf(request(third, {}, other)), 200)
  run.end(done)
  await stream.toEnd()
  t.ok(await start({ session: 'e' }, one), 'an ended run frees its share')
  t.equal(await statusOf(request(first, { afterSeq: '0' }, one)), 200, 'and so does its stream')
  await start({ session: 'f' }, other)
  clock.advance(60_000)
  t.ok(await start({ session: 'g' }, other), 'an expired request no longer counts')
})

t.test('runs and readers are limited, and one more is refused', async (t) => {
  const { clock } = manualTime(t)
  const { post, start, begin, open, request, mounted, streams } = await openChat(t, {
    clock,
    limits: { maxRuns: 4, maxStreams: 2 },
  })
  const first = await begin({ session: 'a' })
  for (const number of upTo(50)) first.run.emit(token(String(number)))
  const second = await begin({ session: 'b' })
  const answer = await request(first.streamId, { afterSeq: '0' })
  t.same([answer.status, answer.headers.get('retry-after')], [429, '30'])
  t.match(await answer.json(), { code: 'too_many_streams', error: /2 open chat streams/ })
  const parked = await start({ session: 'c' })
  t.equal(await statusOf(request(parked)), 429)
  t.equal(streams.counts().parked, 2 - 1, 'a refused request stays parked')
  await start({ session: 'd' })
  const full = await post('/chat/start', { ...message, session: 'e' })
  t.match(refused(full), { status: 429, code: 'too_many_runs', error: /^4 chat requests/ })
  second.run.end(done)
  await second.stream.toEnd()
  clock.advance(1)
  first.run.end(done)
  await first.stream.toEnd()
  await until(() => streams.counts().readers === 0)
  const back = eventsIn(
    await mounted.fetch(new Request(`http://localhost/chat/stream?streamId=${first.streamId}&afterSeq=0`)),
  )
  await start({ session: 'e' })
  t.same(streams.counts(), { parked: 3, active: 0, ended: 1, readers: 1 }, 'an ended run is replaced')
  t.same(
    [
      await statusOf(request(second.streamId, { afterSeq: '0' })),
      await statusOf(request(first.streamId, { afterSeq: '9' })),
    ],
    [410, 200],
    'the one that ended first',
  )
  await start({ session: 'f' })
  t.same(streams.counts(), { parked: 4, active: 0, ended: 0, readers: 0 })
  t.ok((await back.rest()).length < 10, 'its readers are disconnected')
  t.equal(await statusOf(post('/chat/start', { ...message, session: 'g' })), 429)
  await open(parked)
  clock.advance(60_000)
  t.equal(
    await statusOf(post('/chat/start', { ...message, session: 'g' })),
    200,
    'an expired request is replaced at once',
  )
})

t.test('stored events of ended runs are bounded, and the oldest runs are removed first', async (t) => {
  const { clock, pass } = manualTime(t)
  const { begin, streams, request } = await openChat(t, { clock })
  const ids: string[] = []
  for (let round = 0; round < 16; round++) {
    const { streamId, stream, run } = await begin({ session: `long-${round}` })
    await stream.close()
    for (const number of upTo(5)) run.emit(token(`${number} ${'x'.repeat(1024 * 1024 - 1000)}`))
    run.end(done)
    ids.push(streamId)
    await until(() => streams.counts().active === 0)
    clock.advance(1)
  }
  await pass(250)
  t.equal(streams.counts().ended, 12, '64 MiB of them')
  t.same(
    await Promise.all([0, 3, 4].map((index) => statusOf(request(ids[index] ?? '', { afterSeq: '0' })))),
    [410, 410, 200],
  )
})

t.test('when the service stops, streams end with a retry time, and runs are canceled', async (t) => {
  const uncancelable = scriptedRunner({ deaf: true })
  const { begin, start, mounted, streams, post } = await openChat(t, { chat: uncancelable })
  const { stream, run } = await begin()
  await start()
  run.emit(applied(1))
  await stream.events(1)
  let closed = false
  const closing = mounted.close().then(() => (closed = true))
  const rest = await stream.rest()
  t.match(rest.at(-1), { retry: Number })
  t.notOk(rest.some(({ data }) => /final|canceled/.test(JSON.stringify(data ?? ''))))
  t.equal(run.signal.aborted, true)
  t.equal(await statusOf(post('/chat/start', message)), 503)
  await wait(50)
  t.equal(closed, false, 'close waits for the runs')
  run.fail(run.signal.reason)
  await closing
  t.same(streams.counts(), { parked: 0, active: 0, ended: 0, readers: 0 })
})

t.test('a run that does not stop delays close by at most ten seconds', async (t) => {
  const { begin, mounted } = await openChat(t, { chat: scriptedRunner({ deaf: true }) })
  await begin()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  let closed = false
  const closing = mounted.close().then(() => (closed = true))
  const turns = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  await turns()
  mock.timers.tick(9_999)
  await turns()
  t.equal(closed, false)
  mock.timers.tick(1)
  await closing
})

t.test('a thousand runs leave no state behind', async (t) => {
  const { clock, pass } = manualTime(t)
  let round = 0
  const chat = scriptedRunner({
    script(run) {
      run.emit(token('a'))
      if (round % 4 === 0) run.end(done)
      if (round % 4 === 1) run.fail(busy())
    },
  })
  const { begin, start, streams, cancel } = await openChat(t, {
    limits: { maxRunsPerCaller: 1_000 },
    clock,
    chat,
  })
  for (; round < 1_000; round++) {
    const at = { session: `many-${round}` }
    if (round % 5 === 0) await start({ ...at, session: `parked-${round}` })
    const { stream, run, streamId } = await begin(at)
    if (round % 4 === 2) await stream.close()
    if (round % 4 === 3) await cancel({ streamId })
    else if (round % 4 === 2) run.end(done)
    if (round % 4 !== 2) await stream.toEnd()
  }
  await until(() => streams.counts().readers === 0)
  t.match(streams.counts(), { active: 0, readers: 0 })
  t.ok(streams.counts().ended + streams.counts().parked <= 1_000, 'at most as many as the limit')
  await pass(15 * 60_000)
  t.same(streams.counts(), { parked: 0, active: 0, ended: 0, readers: 0 })
})

t.test('as a library the token may be in the query, and listed origins may read', async (t) => {
  const { post, origin, start, request } = await openChat(t, {
    shape: 'library',
    plugins: [use(auth)],
    gates: [give(store, createMemoryStore())],
    env: { ORCHESTRATOR_ACCESS_TOKEN: 'a-token-of-thirty-two-characters' },
    origins: { origins: ['http://localhost:3000'] },
  })
  const accessToken = 'a-token-of-thirty-two-characters'
  for (const answer of [
    post('/chat/start', message),
    post('/chat/cancel', { session: 'dev' }),
    askOver(origin, { url: '/chat/stream?streamId=x' }),
  ]) {
    t.match([await statusOf(answer), (await answer).json()], [401, { error: 'unauthorized' }])
  }
  const byPage = { origin: 'http://localhost:3000', 'x-access-token': accessToken }
  const streamId = await start({}, byPage)
  t.equal(await statusOf(request(streamId, { accessToken: 'wrong' })), 401)
  const response = await request(streamId, { accessToken }, { origin: 'http://127.0.0.1:3000' })
  t.equal(response.status, 403, '127.0.0.1 is another origin than localhost')
  const stream = await request(streamId, { accessToken }, { origin: byPage.origin })
  t.same(
    [stream.status, stream.headers.get('access-control-allow-origin'), stream.headers.get('vary')],
    [200, byPage.origin, 'Origin'],
  )
  await stream.body?.cancel()
  t.equal(
    await statusOf(post('/chat/start', message, { ...byPage, origin: 'http://elsewhere.example' })),
    403,
  )
})

t.test('visitors of a public demo have separate sessions', async (t) => {
  const { post, origin, chat, streams } = await openChat(t, {
    plugins: [use(demo)],
    env: { DEMO_MODE: '1', TRUST_PROXY: '127.0.0.1', DEMO_RATE_LIMIT_PER_IP_PER_HOUR: '5' },
  })
  const [ada, bob] = [{ 'x-forwarded-for': '203.0.113.1' }, { 'x-forwarded-for': '198.51.100.1' }]
  const stream = (streamId: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${origin}/chat/stream?streamId=${streamId}`, { headers })
  const { streamId } = v.parse(Started, (await post('/chat/start', message, ada)).json())
  t.equal(await statusOf(stream(streamId, bob)), 410, 'the run of another visitor cannot be followed')
  t.equal(await statusOf(post('/chat/cancel', { streamId }, bob)), 404, 'or canceled')
  const own = await stream(streamId, ada)
  t.equal(own.status, 200)
  t.match(chat.last.request, { session: /^demo-[0-9a-f]{10}$/, siteId: 'avocado-stories' })
  await own.body?.cancel()
  t.match((await post('/chat/cancel', { streamId }, ada)).json(), { status: 'cancel_requested' })
  for (let more = 0; more < 2; more++) await post('/chat/start', message, ada)
  const spent = await post('/chat/start', message, ada)
  t.match(
    [spent.status, spent.json()],
    [429, { code: 'rate_limited' }],
    'each request counts towards the hourly limit',
  )
  t.equal(streams.counts().parked, 2)
})
