import t from 'tap'
import { defineRefusal, randomIds } from '../../../kernel/index.ts'
import { capturedLog, openGates, stillClock } from '../../../kernel/testing.ts'
import { createRunStreams, type RunHandle } from '../../../plugins/agents/loop/port.ts'
import { createMemoryBus } from '../../../plugins/bus/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { openAgent } from '../../helpers/agent.ts'
import { calling, failing, hanging, opening, prose, saying } from '../../helpers/model-server.ts'
import { refused } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'

interface Told {
  readonly type: string
  readonly text?: string
}

/** Streams whose runs the test controls. */
function openStreams(
  limits: { readonly active?: number; readonly pending?: number; readonly readers?: number } = {},
) {
  const time = stillClock()
  const { log, lines } = capturedLog()
  const streams = createRunStreams<Told>({
    clock: time,
    ids: randomIds,
    log,
    store: createMemoryStore(),
    bus: createMemoryBus({ log }),
    limits: { active: 2, ...limits },
    prefix: 'agent',
    failed: (text) => ({ type: 'error', text }),
  })
  let handle: RunHandle<Told> | undefined
  let finish: (event: Told) => void = () => undefined
  const held = (given: RunHandle<Told>): Promise<Told> => {
    handle = given
    return new Promise((resolve, reject) => {
      finish = resolve
      given.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
    })
  }
  const run = (): RunHandle<Told> => {
    if (!handle) throw new Error('no run has begun')
    return handle
  }
  /** Waits until the reader that was added last has started its run. */
  const begun = async (): Promise<void> => {
    await until(() => handle !== undefined, 'a run')
  }
  const never = new AbortController().signal
  /** Whether a stream can be followed; it is not started. */
  const canFollow = (streamId: string): Promise<boolean> =>
    streams.follow(streamId, { signal: AbortSignal.abort() }).then(
      () => true,
      () => false,
    )
  const read = async (streamId: string, afterSeq = 0, events: (Told & { readonly _seq: number })[] = []) => {
    for await (const { data } of await streams.follow(streamId, { afterSeq, signal: never }))
      events.push(data)
    return events
  }
  return {
    time,
    lines,
    streams,
    held,
    never,
    read,
    end: (event: Told) => finish(event),
    run,
    begun,
    canFollow,
  }
}

t.test('pending streams expire after two minutes, ended ones five minutes after their end', async (t) => {
  const { time, streams, held, read, end, begun, canFollow } = openStreams()
  const waiting = await streams.start(held)
  time.advance(119_999)
  t.ok(await canFollow(waiting))
  time.advance(1)
  await t.rejects(streams.follow(waiting, { signal: new AbortController().signal }), {
    code: 'stream_gone',
    status: 410,
  })
  await t.rejects(streams.cancel(waiting), { code: 'stream_gone' })
  const streamId = await streams.start(held)
  const reading = read(streamId)
  await begun()
  time.advance(200_000)
  end({ type: 'final' })
  await reading
  time.advance(299_999)
  t.ok(await canFollow(streamId), 'counted from the end')
  time.advance(1)
  await t.rejects(streams.cancel(streamId), { code: 'stream_gone' })
  await streams.close()
})

t.test('heartbeats are sent every four seconds with the stage of the run', async (t) => {
  const { time, streams, held, read, run, end, begun } = openStreams()
  const streamId = await streams.start(held)
  const seen: Awaited<ReturnType<typeof read>> = []
  const reading = read(streamId, 0, seen)
  await begun()
  time.advance(4_000)
  await until(() => seen.length === 1, 'the first heartbeat')
  run().at('tool', 'Reading a page')
  time.advance(4_000)
  await until(() => seen.length === 2, 'the second heartbeat')
  end({ type: 'final' })
  t.match(await reading, [
    { type: 'heartbeat', stage: 'thinking', elapsedMs: 4_000 },
    { type: 'heartbeat', stage: 'tool', label: 'Reading a page', elapsedMs: 8_000 },
    { type: 'final' },
  ])
  await streams.close()
})

t.test(
  'cancel, expired access and an abort signal end a run; a pending run never starts and says why',
  async (t) => {
    const { time, streams, held, read } = openStreams({ active: 4 })
    const waiting = await streams.start(() => Promise.reject(new Error('it began')))
    await streams.cancel(waiting)
    await streams.cancel(waiting)
    t.match(await read(waiting), [{ type: 'error', text: /canceled by user/ }])
    const active = await streams.start(held)
    const reading = read(active)
    await streams.cancel(active)
    t.match(await reading, [{ type: 'error', text: /canceled by user/ }])
    const limited = await streams.start(held, { until: time.now().getTime() + 1_000 })
    const seen: Awaited<ReturnType<typeof read>> = []
    const watching = read(limited, 0, seen)
    time.advance(1_000)
    await until(() => seen.length > 0, 'the end of the run')
    t.match(await watching, [{ type: 'error', text: /access of its caller has ended/ }])
    const revoked = defineRefusal({ status: 401, code: 'revoked', reason: () => 'The token was revoked.' })
    const outer = new AbortController()
    const [one, two] = [
      await streams.start(held, { signal: outer.signal }),
      await streams.start(held, { signal: outer.signal }),
    ]
    const following = read(one)
    outer.abort(revoked())
    const late = await streams.start(held, { signal: outer.signal })
    for (const events of [await following, await read(two), await read(late)])
      t.match(events, [{ text: 'The token was revoked.' }])
    const gone = await streams.start(held, { signal: AbortSignal.abort() })
    t.match(await read(gone), [{ text: /canceled by user/ }])
    await streams.close()
  },
)

t.test('a fault ends the stream with a generic message, a refusal with its own', async (t) => {
  const { streams, read, lines } = openStreams()
  const endOf = async (error: Error) => read(await streams.start(() => Promise.reject(error)))
  t.match(await endOf(new Error('secret detail')), [{ type: 'error', text: /internal error/ }])
  t.match(lines.join(''), 'secret detail')
  const refusal = defineRefusal({ status: 404, code: 'not_found', reason: () => 'There is no such site.' })
  t.match(await endOf(refusal()), [{ type: 'error', text: 'There is no such site.' }])
  await streams.close()
})

t.test(
  'active runs, pending streams and readers are limited, on creation and when a run would start',
  async (t) => {
    const { streams, held, read, never } = openStreams({ active: 1, pending: 2, readers: 2 })
    const [first, second] = [await streams.start(held), await streams.start(held)]
    await t.rejects(streams.start(held), { code: 'too_many_runs', status: 429 })
    const reading = read(first)
    await t.rejects(streams.start(held), { code: 'too_many_runs' })
    await t.rejects(streams.follow(second, { signal: never }), { code: 'too_many_runs' })
    t.equal(streams.active(), 1)
    await t.rejects(
      streams.runDirectly(async () => 1, never),
      { code: 'too_many_runs' },
    )
    const other = read(first)
    await t.rejects(streams.follow(first, { signal: never }), { code: 'too_many_streams' })
    await streams.cancel(first)
    await Promise.all([reading, other])
    t.equal(await streams.runDirectly(async (signal) => signal.aborted, never), false)
    await t.rejects(
      streams.runDirectly(() => Promise.reject(new Error('broken')), never),
      { message: 'broken' },
    )
    await streams.close()
  },
)

t.test(
  'a long stream merges texts and drops status events; no reader gets a text twice or misses one',
  async (t) => {
    const { streams, held, read, run, end, begun } = openStreams()
    const streamId = await streams.start(held)
    const live = read(streamId)
    await begun()
    const words = Array.from({ length: 9_000 }, (_, n) => `w${n} `)
    for (const [n, word] of words.entries()) {
      if (n % 100 === 0) run().emit({ type: 'status', text: `at ${n}` })
      if (n % 1_000 === 0) run().emit({ type: 'op_applied', text: String(n) })
      run().emit({ type: 'summary_token', text: word })
    }
    end({ type: 'final' })
    await live
    const textOf = (events: Awaited<ReturnType<typeof read>>): string =>
      events.map(({ type, text }) => (type === 'summary_token' ? text : '')).join('')
    const all = await read(streamId)
    t.ok(all.length < 5_000)
    t.equal(textOf(all), words.join(''))
    t.equal(all.filter(({ type }) => type === 'op_applied').length, 9)
    t.equal(all.at(-1)?.type, 'final')
    for (const after of [1, 2, 57, 1_234, 4_321, 8_999]) {
      const rest = await read(streamId, after)
      t.ok(
        rest.every(({ _seq }, n) => _seq > (rest[n - 1]?._seq ?? after)),
        'in order, without events already seen',
      )
      t.ok(words.join('').endsWith(textOf(rest)))
      const seen = after - Math.ceil(after / 101) - Math.ceil(after / 1_010)
      t.ok(
        Math.abs(words.length - seen - textOf(rest).split(' ').length) < 100,
        `after ${after} no text is missing`,
      )
    }
    await streams.close()
  },
)

t.test('close aborts active runs and waits for them', async (t) => {
  const { streams, held, read, never } = openStreams()
  const streamId = await streams.start(held)
  const reading = read(streamId)
  const direct = streams.runDirectly(
    (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    never,
  )
  const [, rejected] = await Promise.all([streams.close(), direct.catch((error: unknown) => error)])
  t.match(rejected, { message: 'stopped' })
  t.match(await reading, [{ type: 'error' }])
  await t.rejects(streams.cancel(streamId), { code: 'stream_gone' })
})

t.test('invalid requests are rejected before a stream is created', async (t) => {
  const { post, at, server, mounted } = await openAgent(t)
  const wrong: readonly (readonly [object, number, string])[] = [
    [{ ...at, message: '  ' }, 400, 'message_required'],
    [{ session: 'dev', message: 'Hello' }, 400, 'site_required'],
    [{ ...at, message: 'x'.repeat(8_001) }, 400, 'invalid_request'],
    [{ ...at, message: 'x', model: 'a b' }, 400, 'invalid_request'],
    [{ ...at, message: 'x', session: 'a::b' }, 400, 'invalid_request'],
    [{ ...at, message: 'x', sitePurpose: 'x'.repeat(501) }, 400, 'invalid_request'],
    [{ ...at, message: 'x', componentsManifest: '{' }, 400, 'schema_violation'],
    [{ ...at, message: 'x', siteCapabilities: {} }, 400, 'schema_violation'],
  ]
  for (const [body, status, code] of wrong) {
    const what = JSON.stringify(body).slice(0, 80)
    for (const path of ['/agent/start', '/agent/chat'])
      t.match(refused(await post(path, body)), { status, code }, `${path} ${what}`)
  }
  const missing = { status: 400, code: 'stream_required' }
  const gone = { status: 410, code: 'stream_gone' }
  const follow = (query: string) => mounted.inject({ url: `/agent/stream?${query}` })
  t.match(refused(await post('/agent/cancel', {})), missing)
  t.match(refused(await post('/agent/cancel', { streamId: 'gone' })), gone)
  t.match(refused(await follow('')), missing)
  t.match(refused(await follow('streamId=gone')), gone)
  t.match(refused(await follow('streamId=gone&afterSeq=-1')), { status: 400, code: 'invalid_request' })
  t.equal(server.seen.length, 0)
})

t.test(
  'without a key the agent answers 501 and names the variable; an unrecognized key is 500',
  async (t) => {
    for (const [env, status, code] of [
      [{ AGENT_API_KEY: ' ' }, 501, 'agent_not_configured'],
      [{ AGENT_API_KEY: 'AIza-something' }, 500, 'agent_key_unrecognized'],
    ] as const) {
      const { post, at } = await openAgent(t, { env })
      for (const path of ['/agent/start', '/agent/chat']) {
        const answer = refused(await post(path, { ...at, message: 'Hello' }))
        t.match(answer, { status, code, reason: /AGENT_API_KEY/ })
        t.notMatch(JSON.stringify(answer), 'AIza')
      }
    }
  },
)

t.test(
  'a stream opens with a retry line, resumes by Last-Event-ID or afterSeq, and allows several readers',
  async (t) => {
    const { server, start, open } = await openAgent(t)
    server.script(calling([['list_pages', {}]]), saying('Two pages.'))
    const streamId = await start('Which pages?')
    const first = await open(streamId)
    t.match(await first.next(), { retry: 60_000 })
    const all = await first.toEnd()
    const second = await (await open(streamId, { afterSeq: '0' })).toEnd()
    t.strictSame(second, all)
    const last = all.at(-1)?._seq ?? 0
    const resumed = await open(streamId, { afterSeq: String(last - 1) })
    t.strictSame(await resumed.toEnd(), all.slice(-1))
    const byHeader = await open(streamId, { afterSeq: '0' }, { 'last-event-id': String(last - 2) })
    t.strictSame(await byHeader.toEnd(), all.slice(-2))
    const nonsense = await open(streamId, {}, { 'last-event-id': 'nonsense' })
    t.strictSame(await nonsense.toEnd(), all)
  },
)

t.test(
  'cancel aborts the model call, keeps the changes as one undo, and says that a user canceled',
  async (t) => {
    const { server, start, open, post, page, undo } = await openAgent(t)
    server.script(
      calling([['batch_update_props', { pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Fresh' } }]]),
      hanging(opening() + prose('And')),
    )
    const streamId = await start('Change everything')
    const stream = await open(streamId)
    for (let seen = ''; seen !== 'And';) {
      const [event] = await stream.events(1)
      seen = event?.type === 'summary_token' ? seen + String(event['text']) : seen
    }
    t.equal((await post('/agent/cancel', { streamId })).status, 200)
    t.match(await stream.toEnd(), [
      { type: 'error', result: { status: 'error', summary: /canceled by user/ } },
    ])
    await server.idle()
    t.equal((await post('/agent/cancel', { streamId })).status, 200)
    t.equal((await page('/')).blocks[0]?.props['heading'], 'Fresh')
    t.equal((await undo('/')).status, 200)
    t.equal((await page('/')).blocks[0]?.props['heading'], 'Boats')
    t.equal(server.seen.length, 2)
  },
)

t.test(
  'a stream belongs to its starter: the id of its run, which others see, neither follows nor cancels it',
  async (t) => {
    const { streams, held, read, run, end, begun, never } = openStreams()
    const streamId = await streams.start(held)
    const reading = read(streamId)
    await begun()
    const { id } = run()
    t.not(id, streamId)
    const foreign = { status: 403, code: 'not_the_starter', reason: /that POST \/agent\/start returned/ }
    await t.rejects(streams.cancel(id), foreign)
    await t.rejects(streams.follow(id, { signal: never }), foreign)
    for (const wrong of [streamId.toUpperCase(), `${streamId} `, streamId.slice(1), ''])
      await t.rejects(streams.cancel(wrong), { status: 410, code: 'stream_gone' })
    t.equal(streams.active(), 1)
    end({ type: 'final' })
    t.match(await reading, [{ type: 'final' }])
    await streams.close()

    const { lines, log } = capturedLog()
    const agent = await openAgent(t, { log })
    agent.server.script(saying('Done.'))
    const secret = await agent.start('Look around')
    const events = await (await agent.open(secret)).toEnd()
    t.match(events.at(-1), {
      type: 'final',
      result: { debug: { traceId: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ } },
    })
    t.notOk((JSON.stringify(events) + lines.join('')).includes(secret))
  },
)

t.test('the blocking route returns the result and its events, or 500 if the run failed', async (t) => {
  const { server, post, at, mounted } = await openAgent(t)
  server.script(
    calling([['batch_update_props', { pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Fresh' } }]]),
    saying('Done.'),
  )
  const { json, status } = await post('/agent/chat', { ...at, message: 'Change the heading' })
  t.equal(status, 200)
  const events = ['status', 'op_applied', 'changelog_entry', 'summary_token'].map((type) => ({ type }))
  const counts = { toolCallCount: 1, usage: { totalTokens: 300 } }
  t.match(json(), { status: 'applied', summary: 'Done.', ...counts, events })
  t.notMatch(JSON.stringify(json()), 'untrusted_data')
  server.script(failing(400, 'invalid_request_error'))
  const failed = await post('/agent/chat', { ...at, message: 'Change the heading' })
  const failure = { status: 'error', error: String, reason: /AGENT|ANTHROPIC|account/, events: [] }
  t.match([failed.status, failed.json()], [500, failure])
  server.script(hanging(opening()))
  const gone = new AbortController()
  const asked = mounted
    .fetch(
      new Request('http://localhost/agent/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...at, message: 'x' }),
        signal: gone.signal,
      }),
    )
    .catch(() => undefined)
  await until(() => server.seen.length >= 4, 'the call of the model')
  gone.abort()
  await asked
  await server.idle()
})

t.test('a run ends when the access of its caller expires', async (t) => {
  const time = stillClock()
  const admits = {
    mounting: () => ({ mount: true }) as const,
    admit: () =>
      ({ admit: true, caller: { via: 'token', id: 'a', until: time.now().getTime() + 60_000 } }) as const,
  }
  const gates = openGates.map((seed, n) => (n === 2 ? { ...seed, value: admits } : seed))
  const { server, start, open } = await openAgent(t, { gates, clock: time })
  server.script(hanging(opening() + prose('W')))
  const stream = await open(await start('Go'))
  t.match(await stream.events(1), [{ type: 'summary_token' }])
  time.advance(60_000)
  await server.idle()
  t.equal(server.open(), 0)
})
