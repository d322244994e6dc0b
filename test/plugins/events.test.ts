import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { gates, give, publicGate, type Gate, type Mount } from '../../kernel/index.ts'
import { mountForTest, openGates, type Ask } from '../../kernel/testing.ts'
import { createReaders } from '../../plugins/chat/streams/readers.ts'
import { eventKey, runTables } from '../../plugins/chat/streams/rows.ts'
import type { Drafts } from '../../plugins/draft/port.ts'
import { createStreams } from '../../plugins/events/service.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { listen } from '../helpers/raw.ts'
import {
  draftsInMemory,
  editor,
  eventsIn,
  statusOf,
  textBlock,
  type Received,
  type SmallOptions,
} from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'

const at = { session: 'dev', siteId: 'acme' }

type Texts = Readonly<Record<string, string>>

function open(t: Test, options: SmallOptions = {}) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const ask: Ask = (injection) => mounted.inject(injection)
  const listen = (query: Texts = {}, headers: Texts = {}) =>
    listenTo(t, mounted, { ...at, ...query }, headers)
  return {
    mounted,
    ask,
    listen,
    request: (headers = {}, method = 'GET') => requestTo(mounted, at, headers, method),
    ...editor(ask, at),
  }
}

const requestTo = (mounted: Mount, query: Texts, headers: Texts, method = 'GET'): Promise<Response> =>
  mounted.fetch(new Request(`http://localhost/events?${new URLSearchParams(query)}`, { method, headers }))

async function listenTo(t: Test, mounted: Mount, query: Texts, headers: Texts) {
  const stream = eventsIn(await requestTo(mounted, query, headers))
  t.teardown(() => stream.close())
  return stream
}

const idsOf = (events: readonly Received[]) =>
  events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
const upTo = (last: number, first = 1) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)

t.test('a connection starts with the retry time and a hello with the version', async (t) => {
  const { mounted, bootstrap } = open(t)
  await bootstrap([pageOf('/')])
  const response = await requestTo(mounted, at, {})
  t.same(
    [response.status, response.headers.get('content-type'), response.headers.get('cache-control')],
    [200, 'text/event-stream', 'no-cache, no-transform'],
  )
  t.equal(response.headers.get('x-accel-buffering'), 'no')
  const stream = eventsIn(response)
  const hello = { id: '1', data: { type: 'hello', previewVersion: 1 } }
  t.strictSame([await stream.next(), await stream.next()], [{ retry: 5000 }, hello])
  await stream.close()

  const nothing = [{ id: '0', data: { type: 'hello', previewVersion: 0 } }]
  for (const query of [{ ...at, session: 'unknown', accessToken: 'x' }, {}])
    t.strictSame(await (await listenTo(t, mounted, query, {})).take(1), nothing, 'an unknown draft')
})

t.test('every kind of change is sent once, with the changed slugs and without content', async (t) => {
  const { ask, bootstrap, ops, undo, redo, config, send, get, listen } = open(t)
  const stream = await listen()
  const other = await listen({ session: 'other' })
  await stream.take(1)
  await bootstrap([pageOf('/about', [textBlock('b_1', 'secret content')]), pageOf('/')])
  await send('/publish')
  await ops([
    { op: 'update_props', pageSlug: '/about', blockId: 'b_1', patch: { body: 'other content' } },
    { op: 'update_page_meta', pageSlug: '/', patch: { title: 'T' } },
  ])
  await ops([{ op: 'remove_page', pageSlug: '/about' }])
  await undo('/about')
  await redo('/about')
  await config({ name: 'Nord' })
  await send('/history/restore', { targetVersion: 1 })
  await send('/history/discard')
  await ops([
    { op: 'update_site_config', patch: { name: 'Süd' } },
    { op: 'create_page', page: { slug: '/new' } },
    { op: 'move_page', pageSlug: '/about' },
  ])
  const commit = /"commit":"([0-9a-f]{7})"/.exec((await get('/restore/snapshots')).text)?.[1]
  await send('/restore/snapshot', { commit })
  await ask({ method: 'POST', url: '/sites/register', json: { siteId: 'acme', name: 'Acme' } })

  const change = (version: number, type: string, source: string, slugs: readonly string[], more = {}) => {
    const channel = type === 'history' ? 'history' : 'api'
    const data = { type, ...at, previewVersion: version, source, channel, slugs, ...more }
    return { id: String(version), data }
  }
  const events = await stream.take(11)
  const [, published] = events
  t.match(published, { data: { type: 'publish', ...at, id: String, status: 'success', at: /^20/ } })
  t.notOk(published && 'id' in published, 'a publish has no id: it is not replayed')
  t.strictSame(
    events.toSpliced(1, 1),
    [
      change(1, 'draft', 'bootstrap', ['/', '/about']),
      change(2, 'draft', 'direct', ['/', '/about']),
      change(3, 'draft', 'direct', [], { removedSlugs: ['/about'] }),
      change(4, 'history', 'undo', ['/about']),
      change(5, 'history', 'redo', [], { removedSlugs: ['/about'] }),
      change(6, 'draft', 'direct', [], { configChanged: true }),
      change(7, 'history', 'restore', ['/']),
      change(8, 'history', 'discard', ['/about']),
      change(9, 'draft', 'direct', ['/new', '/about'], { configChanged: true }),
      change(10, 'history', 'restore', [], { removedSlugs: ['/new'], channel: 'api' }),
    ],
    'in version order',
  )
  t.notMatch(JSON.stringify(events), /content/)
  await editor(ask, { ...at, session: 'other' }).config({ name: 'x' })
  const own = [{ data: { type: 'hello' } }, { id: '1', data: { session: 'other' } }]
  t.match(await other.take(2), own, 'other drafts receive no events')
})

t.test(
  'a client that reconnects gets missed changes, each once and in order, and then live events',
  async (t) => {
    const { bootstrap, retitle, listen } = open(t)
    await bootstrap([
      pageOf('/'),
      ...Array.from({ length: 40 }, (_, index) => pageOf(`/${'long-'.repeat(80)}${index}`)),
    ])
    for (let title = 2; title <= 60; title++) await retitle('/', String(title))
    for (const [headers, query, missed] of [
      [{ 'last-event-id': '58' }, {}, [59, 60]],
      [{}, { lastEventId: '58' }, [59, 60]],
      [{ 'last-event-id': '59' }, { lastEventId: '1' }, [60]],
      [{ 'last-event-id': '60' }, {}, []],
      [{ 'last-event-id': '0' }, {}, upTo(60)],
      [{ 'last-event-id': '007' }, {}, upTo(60, 8)],
    ] as const) {
      const stream = await listen(query, headers)
      const [hello, ...events] = await stream.take(1 + missed.length)
      t.strictSame(hello, { data: { type: 'hello', previewVersion: 60 } }, 'its hello has no id')
      t.strictSame(idsOf(events), missed, JSON.stringify({ ...headers, ...query }))
      await stream.close()
    }
    const stream = await listen({}, { 'last-event-id': '59' })
    await stream.take(2)
    await retitle('/', 'Live')
    t.match(await stream.take(1), [{ id: '61', data: { type: 'draft', slugs: ['/'] } }])
    for (const ignored of ['x', '-1', '1.5', '', '1e1', '0x1', '1 2']) {
      const hello = { id: '61', data: { type: 'hello', previewVersion: 61 } }
      t.strictSame(await (await listen({ lastEventId: ignored })).take(1), [hello], ignored)
    }
  },
)

t.test('a client that asks for deleted or future changes gets a reset', async (t) => {
  const { bootstrap, retitle, listen } = open(t, { draft: { keptChangesPerDraft: 10 } })
  await bootstrap([pageOf('/')])
  for (let title = 2; title <= 20; title++) await retitle('/', String(title))
  const reset = { id: '20', data: { type: 'reset', previewVersion: 20 } }
  for (const id of ['21', '9', '0', '9'.repeat(40)]) {
    const stream = await listen({ lastEventId: id })
    t.strictSame(await stream.take(2), [{ data: { type: 'hello', previewVersion: 20 } }, reset], id)
  }
  const [late, lost] = [await listen({ lastEventId: '10' }), await listen({ lastEventId: '9' })]
  t.same(idsOf(await late.take(11)), upTo(20, 11), 'the oldest stored change needs no reset')
  t.same(idsOf(await lost.take(2)), [20])
  await retitle('/', 'On')
  t.same([idsOf(await late.take(1)), idsOf(await lost.take(1))], [[21], [21]], 'and both streams continue')
})

t.test('a stream opened during concurrent changes has no gaps and no duplicates', async (t) => {
  const { bootstrap, retitle, listen, version, send } = open(t)
  await bootstrap([pageOf('/')])
  const streams: { readonly since: number; readonly stream: Awaited<ReturnType<typeof listen>> }[] = []
  const edits: Promise<unknown>[] = []
  for (let round = 0; round < 40; round++) {
    for (const edit of upTo(1 + (round % 4))) edits.push(retitle('/', `${round} ${edit}`))
    const since = round % 3 === 0 ? undefined : Math.max(0, (await version()) - (round % 7))
    const opening = listen(since === undefined ? {} : { lastEventId: String(since) })
    edits.push(retitle('/', `${round} while it opens`), send('/publish'))
    const stream = await opening
    const [hello] = await stream.take(1)
    t.match(hello, { data: { type: 'hello' } }, 'the first event is the hello')
    streams.push({ since: since ?? Number(hello?.id), stream })
  }
  await Promise.all(edits)
  await retitle('/', 'The end')
  const last = await version()
  for (const { since, stream } of streams) {
    const ids: number[] = []
    while (ids.at(-1) !== last) ids.push(...idsOf(await stream.take(1)))
    // Events may be merged, and then versions are left out.
    const increasing = [...new Set(ids)].toSorted((a, b) => a - b)
    t.strictSame([ids, ids.every((id) => id > since)], [increasing, true])
  }
})

t.test('a slow reader gets adjacent events merged, and misses nothing', async (t) => {
  const { bootstrap, ops, send, listen } = open(t)
  const slugs = upTo(40).map((index) => `/p${index}`)
  await bootstrap([pageOf('/'), ...slugs.map((slug) => pageOf(slug))])
  const stream = await listen()
  await stream.take(1)
  for (const slug of slugs) await ops([{ op: 'update_page_meta', pageSlug: slug, patch: { title: 'Seen' } }])
  await ops([
    { op: 'update_site_config', patch: { name: 'x' } },
    { op: 'remove_page', pageSlug: '/p39' },
  ])
  await ops([{ op: 'remove_page', pageSlug: '/p40' }])
  await ops([{ op: 'create_page', page: { slug: '/p40' } }])
  await send('/publish')
  const events: Received[] = []
  while (events.at(-1) === undefined || !/publish/.test(JSON.stringify(events.at(-1))))
    events.push(...(await stream.take(1)))
  t.ok(events.length <= 20, `${events.length} events for 44`)
  const ids = idsOf(events)
  t.same([ids.at(-1), ids], [44, ids.toSorted((a, b) => a - b)])
  const last = events.at(-2)
  t.match(last, { id: '44', data: { type: 'draft', configChanged: true, removedSlugs: ['/p39'] } })
  const seen = new Set(events.flatMap(({ data }) => Reflect.get(Object(data), 'slugs') ?? []))
  const unnamed = slugs.filter((slug) => !seen.has(slug))
  t.same(unnamed, ['/p39'], 'every changed page that still exists is named')
})

t.test('a reader with 64 KiB pending is disconnected, and can reconnect', async (t) => {
  const { bootstrap, ops, listen, request, version } = open(t, { events: { maxStreams: 1 } })
  const long = (index: number) => `/${'x'.repeat(500)}${index}`
  await bootstrap([pageOf('/'), ...upTo(200).map((index) => pageOf(long(index)))])
  const stream = await listen()
  await stream.take(1)
  for (let index = 1; index <= 100; index++)
    await ops([{ op: 'update_page_meta', pageSlug: long(index), patch: { title: 'Seen' } }])
  t.equal(await statusOf(request()), 429, 'a slow reader still counts as open')
  for (let index = 101; index <= 200; index++)
    await ops([{ op: 'update_page_meta', pageSlug: long(index), patch: { title: 'Seen' } }])
  const got = idsOf((await stream.rest()).filter(({ data }) => data !== undefined))
  t.ok(got.length < 10, `pending events are dropped: ${got}`)
  const again = await listen({ lastEventId: String(got.at(-1) ?? 1) })
  const missed = idsOf(await again.take(1 + (await version()) - (got.at(-1) ?? 1)))
  t.same([...got, ...missed], upTo(201, 2), 'its slot is free, and nothing is lost')
})

t.test('the number of streams is limited', async (t) => {
  await t.test('in total', async (t) => {
    const { mounted, listen, request } = open(t, { events: { maxStreams: 2 } })
    for (let round = 0; round < 5; round++) await request({}, 'HEAD')
    const first = await listen()
    await listenTo(t, mounted, { session: 'another' }, {})
    const refused = await request()
    t.same([refused.status, refused.headers.get('retry-after')], [429, '30'])
    t.match(await refused.json(), { code: 'too_many_streams', reason: /2 open event streams/ })
    t.equal(await statusOf(request({}, 'HEAD')), 200, 'HEAD opens no stream')
    await first.close()
    await until(async () => (await statusOf(request())) === 200, 'a closed stream to free its slot')
  })
  await t.test('of one token', async (t) => {
    const byName: Gate = {
      mounting: () => ({ mount: true }),
      admit: ({ header }) => ({ admit: true, caller: { via: 'token', id: header('x-access-token') ?? '' } }),
    }
    const { listen, request } = open(t, {
      events: { maxStreamsPerToken: 2 },
      gates: [give(gates.access, byName), give(gates.publish, publicGate), give(gates.agent, publicGate)],
    })
    for (const token of ['a', 'a', 'b', 'b']) await listen({}, { 'x-access-token': token })
    for (const token of ['a', 'b']) t.equal(await statusOf(request({ 'x-access-token': token })), 429, token)
    t.equal(await statusOf(request({ 'x-access-token': 'c' })), 200)
  })
})

t.test('one caller without a token cannot use up the streams of all others', async (t) => {
  const { mounted, bootstrap } = open(t, {
    env: { TRUST_PROXY: '127.0.0.1' },
    events: { maxStreams: 10, maxStreamsPerAddress: 2 },
  })
  await bootstrap([])
  const port = await listen(
    t,
    createServer((request, response) => void mounted.node(request, response)),
  )
  const from = async (address: string) => {
    const going = new AbortController()
    t.teardown(() => going.abort())
    const response = await fetch(`http://127.0.0.1:${port}/events?${new URLSearchParams(at)}`, {
      headers: { 'x-forwarded-for': address },
      signal: going.signal,
    })
    return { response, close: () => going.abort() }
  }
  const first = await from('203.0.113.7')
  t.same([first.response.status, (await from('203.0.113.7')).response.status], [200, 200])
  const refused = await from('203.0.113.7')
  t.same([refused.response.status, refused.response.headers.get('retry-after')], [429, '30'])
  t.match(await refused.response.json(), {
    code: 'too_many_streams',
    reason: /^This token or address already has 2 open event streams/,
  })
  for (const other of ['203.0.113.8', '2001:db8::1', '2001:db8::2'])
    t.equal((await from(other)).response.status, 200, other)
  t.equal((await from('2001:db8::3')).response.status, 429, 'addresses of one network are one caller')
  first.close()
  await until(
    async () => (await from('203.0.113.7')).response.status === 200,
    'a stream that ends to free its slot',
  )
})

t.test('a client that disconnects before the first event holds no slot', async (t) => {
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>()
  const { promise: opened, resolve: admit } = Promise.withResolvers<void>()
  const slow: Gate = {
    mounting: () => ({ mount: true }),
    async admit() {
      wasAsked()
      await opened
      return { admit: true, caller: { via: 'anyone' } }
    },
  }
  const { mounted, request } = open(t, {
    events: { maxStreams: 1 },
    gates: [...openGates.filter(({ ref }) => ref.id !== gates.access.id), give(gates.access, slow)],
  })
  const port = await listen(
    t,
    createServer((request, response) => void mounted.node(request, response)),
  )
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await asked
  socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  admit()
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(await statusOf(request()), 200)
})

t.test('a stream whose draft cannot be read ends, and holds no slot', async (t) => {
  const sound = createMemoryStore()
  let broken = false
  const store = {
    ...sound,
    of: ((spec) => {
      const reader = sound.of(spec)
      return { ...reader, get: (...at) => (broken ? Promise.reject(new Error('broken')) : reader.get(...at)) }
    }) satisfies typeof sound.of,
  }
  const { mounted, listen } = open(t, { store, events: { maxStreams: 1 } })
  await mounted.ready()
  broken = true
  t.strictSame(await (await listen()).rest(), [{ retry: 5000 }])
  broken = false
  t.match(await (await listen()).take(1), [{ data: { type: 'hello' } }])
})

t.test('an ended reader leaves no listener on the signal of its caller, which lives for long', async (t) => {
  const { signal } = new AbortController()
  const listeners = (): number => getEventListeners(signal, 'abort').length
  const drafts = { head: async () => ({ version: 1 }) } as unknown as Drafts
  const limits = { total: 9, perToken: 9, perAddress: 9 }
  const streams = createStreams({ drafts, followAgain: () => undefined, peopleAt: () => [], limits })
  const about = { lastEventId: undefined, withPeople: false, holder: undefined, hasToken: true, signal }
  for await (const _ of streams.open(at, about)) break
  t.strictSame([listeners(), streams.count()], [0, 0], 'of the changes of a draft')

  const store = createMemoryStore()
  const { events } = runTables<{ readonly n: number }, undefined>('counted')
  const readers = createReaders({
    events: store.of(events),
    limits: { events: 9, bytes: 1000 },
    onNoReaders() {},
  })
  const reader = readers.add('run', { after: 0, holder: undefined, signal })
  t.equal(listeners(), 1)
  const body = { lost: 0, events: [{ n: 1, _seq: 1 }], isLast: true }
  await store.transaction((tx) => tx.of(events).put('run', eventKey(1), { body, columns: {} }))
  for await (const _ of reader);
  t.strictSame([listeners(), readers.all().length], [0, 0], 'of a run')
})
