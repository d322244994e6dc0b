import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import {
  clock,
  definePlugin,
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
import bus from '../../../plugins/bus/index.ts'
import chatStreamsPlugin from '../../../plugins/chat/streams/index.ts'
import { type Meter, meters } from '../../../plugins/metrics/port.ts'
import {
  Canceled,
  chatRunner,
  type ChatResult,
  type RunEnd,
  type RunEvent,
} from '../../../plugins/chat/port.ts'
import scope from '../../../plugins/scope/index.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { store } from '../../../plugins/store/port.ts'
import { exchange, listen } from '../../helpers/raw.ts'
import { done, resultOf, scriptedRunner, type ScriptedRun } from '../../helpers/scripted-chat.ts'
import { askOver, eventsIn, refused, statusOf } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'

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
const Samples = v.array(
  v.pipe(
    v.object({ value: v.number() }),
    v.transform(({ value }) => value),
  ),
)

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
  let measured: readonly Meter[] = []
  const measuring = definePlugin({ name: 'measuring', tag: 'Chat', needs: { meters } }).setup(({ needs }) => {
    measured = needs.meters
    return {}
  })
  const mounted = mountForTest(t, {
    plugins: [use(scope, {}), use(bus), use(chatStreamsPlugin, limits), use(measuring), ...plugins],
    seeds: [...gates, give(clock, time), give(store, createMemoryStore()), give(chatRunner, chat.runner)],
    ...setting,
  })
  const port = await listen(
    t,
    createServer((request, response) => void mounted.node(request, response)),
  )
  const origin = `http://127.0.0.1:${port}`
  await mounted.ready()
  const read = (name: string) => v.parse(Samples, measured.find((meter) => meter.name === name)?.read())
  const streams = {
    /** The numbers of runs and of readers, as `GET /metrics` has them. */
    counts() {
      const [parked, active, ended] = read('orchestrator_chat_runs')
      return { parked, active, ended, readers: read('orchestrator_chat_streams')[0] }
    },
  }

  const post = (path: string, json: unknown, headers?: Readonly<Record<string, string>>): Promise<Injected> =>
    askOver(origin, { method: 'POST', url: path, json, ...(headers && { headers }) })
  const start = async (more: object = {}, headers?: Readonly<Record<string, string>>): Promise<string> =>
    v.parse(Started, (await post('/chat/start', { ...message, ...more }, headers)).json()).streamId
  const addressOf = (streamId: string, query: Readonly<Record<string, string>> = {}): string =>
    `${origin}/chat/stream?${new URLSearchParams({ streamId, ...query })}`
  type Fields = Readonly<Record<string, string>>
  const request = (streamId: string, query: Fields = {}, headers: Fields = {}) =>
    fetch(addressOf(streamId, query), { headers })
  const open = async (streamId: string, query?: Fields, headers?: Fields) => {
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
  const cancel = (json: object) => post('/chat/cancel', json)
  return { chat, mounted, port, origin, streams, post, start, addressOf, request, open, begin, cancel }
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
  t.equal(chat.runs.length, 0, 'nothing runs yet')
  t.same(streams.counts(), { parked: 1, active: 0, ended: 0, readers: 0 })

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
  const [{ headers, body } = { headers: new Map<string, string>(), body: '' }] = answers
  t.equal(
    body,
    'retry: 60000\n\n' +
      'id: 1\ndata: {"type":"token","text":"one\\ntwo","_seq":1}\n\n' +
      'id: 2\ndata: {"type":"op_candidate","index":1,"op":{"op":"remove_page","pageSlug":"/"},"_seq":2}\n\n' +
      'id: 3\ndata: {"type":"canceled","message":"Stopped. The draft is as it was before.","_seq":3}\n\n',
  )
  t.match(Object.fromEntries(headers), {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    vary: 'Origin',
  })
  t.notOk(headers.has('content-length'))
})

t.test('an invalid start is refused with a reason', async (t) => {
  const { post, streams, port } = await openChat(t)
  const { message: _message, ...silent } = message
  for (const [json, error] of [
    [{ ...message, session: 'other::dev' }, /session must/],
    [{ ...message, siteId: 'x'.repeat(65) }, /siteId must/],
    [{ ...message, slug: undefined }, /slug/],
    [{ ...message, message: ' \n' }, /message is required/],
    [{ ...message, executionMode: 'rush' }, /executionMode/],
    [[message], /./],
  ] as const) {
    const answer = refused(await post('/chat/start', json))
    t.match(answer, { status: 400, code: 'invalid_request', error, reason: error }, JSON.stringify(json))
  }
  t.equal(streams.counts().parked, 0)
  for (const executionMode of ['apply_pending_plan', 'discard_pending_plan', 'continue_chain']) {
    t.equal(await statusOf(post('/chat/start', { ...silent, session: executionMode, executionMode })), 200)
  }
  const head = 'POST /chat/start HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const declared = await exchange(t, port, `${head}Content-Length: ${512 * 1024 + 1}\r\n\r\n`, 300)
  t.match(declared.answers[0], { status: 413, body: /"code":"body_too_large"/ }, 'before the body is sent')
  const room = 512 * 1024 - Buffer.byteLength(JSON.stringify({ ...message, session: 'long', message: '' }))
  const longest = { ...message, session: 'long', message: 'x'.repeat(room) }
  t.equal(await statusOf(post('/chat/start', longest)), 200, 'the limit itself is accepted')
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
  const [page, elsewhere] = [{ origin: 'http://localhost:3000' }, { origin: 'http://other.example' }]
  const codes = {
    stream_id_missing: 400,
    invalid_request: 400,
    origin_differs: 403,
    stream_running: 409,
    stream_gone: 410,
  } as const
  const check = async (code: keyof typeof codes, response: Promise<Response>, error = /./) => {
    const answer = await response
    t.match([answer.status, await answer.json()], [codes[code], { code, error }])
    return answer.headers.get('access-control-allow-origin')
  }
  for (const query of ['', `?${new URLSearchParams(message)}`, '?streamId=']) {
    await check('stream_id_missing', fetch(`${origin}/chat/stream${query}`), /POST \/chat\/start/)
  }
  await check('stream_gone', request('00000000-0000-4000-8000-000000000000'), /no longer exists/)
  const bad = await start({ session: 'refused' })
  for (const afterSeq of ['x', '-1', '1.5', '', '9'.repeat(16)]) {
    await check('invalid_request', request(bad, { afterSeq }), /_seq/)
  }
  t.same([chat.runs.length, streams.counts().parked], [0, 1], 'no run was started')

  const late = await start()
  clock.advance(60_000)
  await check('stream_gone', request(late))
  await check('stream_gone', request(late, { afterSeq: '0' }))
  const justInTime = await start()
  clock.advance(59_999)
  await (await open(justInTime)).close()

  const streamId = await start({}, page)
  await check('origin_differs', request(streamId, {}, elsewhere), /another origin/)
  await check('origin_differs', request(streamId, {}, { origin: 'null' }))
  const stream = await open(streamId, {}, page)
  const readableBy = await check('stream_running', request(streamId, {}, page), /afterSeq/)
  t.equal(readableBy, page.origin, 'its page may read the reason')
  await check('origin_differs', request(streamId, { afterSeq: '0' }, elsewhere))
  t.equal(await statusOf(request(streamId, { afterSeq: '0' })), 200, 'a request without an origin is allowed')
  chat.last.end(done)
  await stream.toEnd()
  await check('stream_gone', request(streamId))
  t.equal(await statusOf(request(streamId, { afterSeq: '0' })), 200, 'it can still be read with afterSeq')
  const byProgram = await start()
  t.equal(await statusOf(request(byProgram, {}, elsewhere)), 200, 'started without an origin, any may read')
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
  matchEvents(t, await back.toEnd(), [
    { type: 'token', _seq: 4 },
    { type: 'final', _seq: 5 },
  ])
})

t.test('a reconnecting reader receives the missed events, then the new ones', async (t) => {
  const { begin, open } = await openChat(t)
  const { streamId, run } = await begin()
  for (const number of upTo(5)) run.emit(token(String(number)))
  type Fields = Readonly<Record<string, string>>
  const rows: readonly (readonly [query: Fields, headers: Fields, missed: readonly number[]])[] = [
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
  t.same(
    numbersOf(await (await open(streamId, { afterSeq: '3' })).toEnd()),
    [4, 5, 6, 7],
    'after the end too',
  )
  for (const afterSeq of ['7', '999']) {
    const again = await (await open(streamId, { afterSeq })).events(1)
    matchEvents(t, again, [{ type: 'final', _seq: 7 }], 'the end again: the client did not act on it')
  }
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
  const stored = await (await open(streamId, { afterSeq: '500' })).events(2_000)
  t.same(numbersOf(stored), upTo(2_500, 501), 'the last 2,000 are stored')
  const late = await open(streamId, { afterSeq: '499' })
  run.emit(token('on'))
  matchEvents(t, await late.events(2), [
    { type: 'status', message: 'Planning the pages', _seq: 2_500 },
    { type: 'token', text: 'on', _seq: 2_501 },
  ])
  await late.close()
  run.end(done)
  const end = await (await open(streamId, { afterSeq: '0' })).toEnd()
  matchEvents(t, end, [{ type: 'final', _seq: 2_502 }], 'the end')
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
    const beat = async (label: string, stage: string, elapsedMs: number) => {
      await pass(1_000)
      matchEvents(t, await stream.events(1), [{ type: 'heartbeat', stage, label, elapsedMs }])
    }
    const say = async (message: string) => {
      run.emit({ type: 'status', message })
      await stream.events(1)
    }
    const statuses = {
      'Looking at the page': 'planning',
      'Plan ready: 2 changes': 'planning',
      'Applying 1 of 2': 'applying',
      'Planning again, the first attempt did not fit': 'applying',
      'Preparing image 1 of 1': 'applying',
    }
    for (const [index, [message, stage]] of Object.entries(statuses).entries()) {
      await say(message)
      await beat(message, stage, 1_000 + index * 1_000)
    }
    run.end(done)
    t.same(typesOf(await stream.toEnd()), ['final'])
    await pass(5_000)

    const other = await begin({ session: 'other' })
    await pass(1_000)
    const beats = await other.stream.events(1)
    matchEvents(t, beats, [{ type: 'heartbeat', stage: 'planning', label: /./ }], 'before any status')
    other.run.emit(applied(1))
    await pass(1_000)
    t.match((await other.stream.events(2))[1], { stage: 'applying' }, 'an applied operation sets the stage')
  },
)

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
const unavailable = defineRefusal({
  status: 503,
  code: 'store_unavailable',
  reason: () => 'The store is full. Make room.',
  extra: () => ({ secret: 'not told' }),
})

t.test('exactly one event ends a run, with its outcome', async (t) => {
  const internal = { type: 'error', code: 500, error: /^Internal error/, result: { status: 'error' } }
  const ended = (status: RunEnd['status'], result: ChatResult['status']) => (run: ScriptedRun) =>
    run.end({ status, result: resultOf({ status: result }) })
  const rows: readonly [string, (run: ScriptedRun) => void, object, string?][] = [
    ['an answer', ended(200, 'info'), { type: 'final', result: { status: 'info' } }],
    ['a rejected plan', ended(400, 'validation_error'), { type: 'error', code: 400 }],
    ['a conflict', ended(409, 'needs_clarification'), { type: 'error', code: 409 }],
    ['a provider', ended(503, 'error'), { type: 'error', code: 503, result: { status: 'error' } }],
    ['a stop', (run) => run.fail(new Canceled('secret')), { type: 'canceled', message: /as it was/ }],
    [
      'a refusal',
      (run) => run.fail(busy()),
      { type: 'error', code: 409, error: /^Another/, reason: /^Another/, result: { summary: /^Another/ } },
    ],
    [
      'a refusal that is a fault',
      (run) => run.fail(unavailable()),
      { type: 'error', code: 503, error: /^The store is full/ },
      'chat run refused',
    ],
    ['a fault', (run) => run.fail(new Error('secret detail')), internal, 'chat run failed'],
  ]
  for (const [what, act, ending, logged] of rows) {
    const { log, lines } = capturedLog('warn')
    const { begin, open } = await openChat(t, { log })
    const { streamId, stream, run } = await begin()
    run.emit({ type: 'thinking_start' })
    act(run)
    run.fail(new Error('too late'))
    const events = await stream.toEnd()
    run.emit(token('too late'))
    t.same(await (await open(streamId, { afterSeq: '0' })).toEnd(), events, 'no event follows the end')
    matchEvents(t, events, [{ type: 'thinking_start' }, { type: 'thinking_end' }, ending], what)
    t.notMatch(JSON.stringify(events), /secret/, 'internals are not exposed')
    const messages = lines.map((line) => Object(JSON.parse(line)).msg)
    t.same(messages, logged === undefined ? [] : [logged], 'server errors are logged')
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

t.test('a cancel stops a run in every phase', async (t) => {
  const { chat, start, begin, cancel, request, post } = await openChat(t)
  const deaf = await openChat(t, { chat: scriptedRunner({ deaf: true }) })
  const said = async (answer: Promise<Injected>) => Object((await answer).json()).status
  const endsOf = async (stream: { toEnd(): Promise<readonly Named[]> }) => typesOf(await stream.toEnd())

  const parked = await start()
  t.equal(await said(cancel({ streamId: parked })), 'cancel_requested')
  t.same([await statusOf(request(parked)), chat.runs.length], [410, 0], 'a parked run never starts')
  t.equal(await statusOf(cancel({ streamId: parked })), 404)

  const early = await begin()
  t.equal(await said(cancel({ streamId: early.streamId })), 'cancel_requested')
  matchEvents(t, await early.stream.toEnd(), [
    { type: 'status', message: /^Stopping/, _seq: 1 },
    { type: 'canceled', _seq: 2 },
  ])
  t.equal(await said(cancel({ streamId: early.streamId })), 'already_terminal')

  const twice = await deaf.begin()
  for (let count = 0; count < 2; count++) {
    t.equal(await said(deaf.cancel({ streamId: twice.streamId })), 'cancel_requested')
  }
  twice.run.fail(twice.run.signal.reason)
  t.same(await endsOf(twice.stream), ['status', 'canceled'], 'one status')

  const late = await begin()
  late.run.emit(applied(1))
  t.equal(await said(cancel({ streamId: late.streamId })), 'already_terminal', 'after its commit')
  t.equal(await said(cancel({ session: 'dev', siteId: 'acme' })), 'already_terminal')
  late.run.end(done)
  t.same(await endsOf(late.stream), ['op_applied', 'final'])

  const ending = await deaf.begin()
  t.equal(await said(deaf.cancel({ streamId: ending.streamId })), 'cancel_requested')
  ending.run.end(done)
  t.same(await endsOf(ending.stream), ['status', 'final'], 'the actual end is emitted')

  const at = { session: 'whole', siteId: 'Whole Site' }
  const [first, waiting] = [await begin(at), await start(at)]
  const other = await begin({ ...at, session: 'other' })
  t.equal(await said(cancel({ ...at, siteId: 'whole-site' })), 'cancel_requested')
  t.equal((await first.stream.toEnd()).at(-1)?.type, 'canceled')
  t.same([await statusOf(request(waiting)), other.run.signal.aborted], [410, false])
  for (const named of [{ session: 'whole' }, { siteId: 'other' }, { session: 'other', siteId: 'acme' }]) {
    const answer = await cancel({ streamId: other.streamId, ...named })
    t.match([answer.status, answer.json()], [404, { status: 'not_found', error: /no such run/ }])
    t.equal(await statusOf(request(other.streamId, { afterSeq: '0', ...named })), 410)
  }
  for (const body of [{ streamId: '' }, { session: 'nobody' }, {}]) t.equal(await statusOf(cancel(body)), 404)
  t.match(refused(await post('/chat/cancel', { session: 'a::b' })), { status: 400, code: 'invalid_request' })
  t.equal(other.run.signal.aborted, false)
  other.run.end(done)
  await other.stream.toEnd()
})

t.test(
  'after the last event a stream of a browser waits fifteen seconds for its client to close',
  async (t) => {
    const { clock, pass } = manualTime(t)
    const { begin, open, streams, mounted } = await openChat(t, { clock })
    const outcomes: Readonly<Record<string, (run: ScriptedRun) => void>> = {
      final: (run) => run.end(done),
      error: (run) => run.fail(busy()),
      canceled: (run) => run.fail(new Canceled()),
    }
    for (const [type, end] of Object.entries(outcomes)) {
      const { streamId, stream, run } = await begin({ session: type })
      end(run)
      matchEvents(t, await stream.events(1), [{ type }])
      await pass(15_000)
      t.equal(streams.counts().readers, 1, type)
      await pass(250)
      await until(() => streams.counts().readers === 0)
      const late = await open(streamId, { afterSeq: '1' })
      matchEvents(t, await late.events(1), [{ type }], 'one that comes back gets the end at once')
      await pass(1_750)
      t.equal(streams.counts().readers, 1, 'and is waited for as well')
      await late.close()
      await until(() => streams.counts().readers === 0)
    }
    const { stream, run } = await begin({ session: 'stop' })
    run.end(done)
    await stream.events(1)
    await mounted.close()
    t.equal(streams.counts().readers, 0, 'a service that stops does not wait for it')
  },
)

t.test('a stream of a program ends 1.5 seconds after its last event', async (t) => {
  const { clock, pass } = manualTime(t)
  const { start, addressOf, streams, chat } = await openChat(t, { clock })
  for (const [headers, isBrowser] of [
    [{}, false],
    [{ origin: 'http://localhost:4100' }, true],
    [{ 'sec-fetch-mode': 'cors' }, true],
  ] as const) {
    const [response] = await once(get(addressOf(await start()), { headers }), 'response')
    response.resume()
    await until(() => streams.counts().active === 1)
    chat.last.end(done)
    await until(() => streams.counts().active === 0)
    await pass(1_750)
    t.equal(streams.counts().readers, Number(isBrowser), JSON.stringify(headers))
    response.destroy()
    await until(() => streams.counts().readers === 0)
  }
})

t.test('streams that wait for their clients count in no limit, and are no more than it', async (t) => {
  const { clock } = manualTime(t)
  const { begin, streams } = await openChat(t, { clock, limits: { maxStreams: 2, maxStreamsPerCaller: 2 } })
  for (let round = 0; round < 4; round++) {
    const { stream, run } = await begin()
    run.end(done)
    matchEvents(t, await stream.events(1), [{ type: 'final' }])
  }
  t.equal(streams.counts().readers, 2, 'the oldest were ended')
})

t.test('a client that disconnects before the first event is not counted, and starts no run', async (t) => {
  const { mounted, start, chat, streams } = await openChat(t)
  const signal = AbortSignal.abort()
  const address = `http://localhost/chat/stream?streamId=${await start()}`
  await mounted.fetch(new Request(address, { signal })).catch(() => undefined)
  t.equal(chat.runs.length, 0)
  t.same(streams.counts(), { parked: 1, active: 0, ended: 0, readers: 0 })
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
  const { post, start, begin, request, streams } = await openChat(t, {
    clock,
    limits: { maxRuns: 4, maxStreams: 2 },
  })
  const [first, second] = [await begin({ session: 'a' }), await begin({ session: 'b' })]
  const answer = await request(first.streamId, { afterSeq: '0' })
  t.same([answer.status, answer.headers.get('retry-after')], [429, '30'])
  t.match(await answer.json(), { code: 'too_many_streams', error: /2 open chat streams/ })
  t.equal(await statusOf(request(await start({ session: 'c' }))), 429)
  t.equal(streams.counts().parked, 1, 'a refused request stays parked')
  await start({ session: 'd' })
  const next = () => post('/chat/start', { ...message, session: 'e' })
  t.match(refused(await next()), { status: 429, code: 'too_many_runs', error: /^4 chat requests/ })
  second.run.end(done)
  await second.stream.toEnd()
  t.equal(await statusOf(next()), 200, 'an ended run is replaced')
  t.equal(await statusOf(request(second.streamId, { afterSeq: '0' })), 410)
  t.equal(await statusOf(next()), 429)
  clock.advance(60_000)
  t.equal(await statusOf(next()), 200, 'an expired request is replaced at once')
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
  const statuses = [0, 3, 4].map((index) => statusOf(request(ids[index] ?? '', { afterSeq: '0' })))
  t.same(await Promise.all(statuses), [410, 410, 200])
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

t.test('as a library the token may be in the query, and listed origins may read', async (t) => {
  const { post, start, request } = await openChat(t, {
    shape: 'library',
    plugins: [use(auth)],
    gates: [],
    env: { ORCHESTRATOR_ACCESS_TOKEN: 'a-token-of-thirty-two-characters' },
    origins: { origins: ['http://localhost:3000'] },
  })
  const accessToken = 'a-token-of-thirty-two-characters'
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
  const elsewhere = post('/chat/start', message, { ...byPage, origin: 'http://elsewhere.example' })
  t.equal(await statusOf(elsewhere), 403)
})
