/** Runs of one process, followed and steered through another one on the same PostgreSQL. */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give, randomIds, Refusal, systemClock, use } from '../../kernel/index.ts'
import { capturedLog, mountForTest, openGates } from '../../kernel/testing.ts'
import bus from '../../plugins/bus/index.ts'
import { createMemoryBus, createSharedBus } from '../../plugins/bus/testing.ts'
import { createMemoryStore, createPostgresStore } from '../../plugins/store/testing.ts'
import chatStreams from '../../plugins/chat/streams/index.ts'
import { chatRunner } from '../../plugins/chat/port.ts'
import scope from '../../plugins/scope/index.ts'
import storePlugin from '../../plugins/store/index.ts'
import { type Store, store } from '../../plugins/store/port.ts'
import { calling, hanging, opening, prose, startModelServer } from '../helpers/model-server.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { cancelWhileEnding, openProcess, readRandomly } from '../helpers/run-log.ts'
import { listen } from '../helpers/raw.ts'
import { done, scriptedRunner } from '../helpers/scripted-chat.ts'
import { deciding, sitesAgent } from '../helpers/sites-agent.ts'
import { askOver, eventsIn, refused, temporaryFolder } from '../helpers/stack.ts'
import { startService } from '../prove/service.ts'
import { until } from '../helpers/until.ts'

const server = await startPostgres(t)
const message = { session: 'dev', siteId: 'acme', slug: '/', message: 'Change the heading' }
const Started = v.object({ streamId: v.string() })
const Numbered = v.looseObject({ type: v.string(), _seq: v.number() })
type Numbered = v.InferOutput<typeof Numbered>

/** The streams of chat as one process has them, with a scripted runner. */
async function startChat(t: Test, url: string) {
  const chat = scriptedRunner()
  const mounted = mountForTest(t, {
    plugins: [use(storePlugin, { url }), use(bus), use(scope, {}), use(chatStreams, {})],
    seeds: [...openGates, give(chatRunner, chat.runner)],
  })
  const port = await listen(
    t,
    createServer((request, response) => void mounted.node(request, response)),
  )
  const origin = `http://127.0.0.1:${port}`
  const post = (path: string, json: unknown) => askOver(origin, { method: 'POST', url: path, json })
  const start = async (more: object = {}): Promise<string> =>
    v.parse(Started, (await post('/chat/start', { ...message, ...more })).json()).streamId
  return { chat, mounted, origin, post, start, open: opener(t, origin, 'chat') }
}

const opener =
  (t: Test, origin: string, prefix: string) =>
  async (streamId: string, query: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${origin}/${prefix}/stream?${new URLSearchParams({ streamId, ...query })}`)
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    const stream = eventsIn(response)
    t.teardown(() => stream.close())
    const toEvents = (blocks: readonly { readonly data?: unknown }[]): readonly Numbered[] =>
      blocks.flatMap(({ data }) => (data === undefined ? [] : [v.parse(Numbered, data)]))
    return {
      next: stream.next,
      events: async (count: number) => toEvents(await stream.take(count)),
      toEnd: async () => toEvents(await stream.toLast()),
    }
  }

const withoutBeats = (events: readonly Numbered[]) => events.filter(({ type }) => type !== 'heartbeat')
const numbersOf = (events: readonly Numbered[]) => events.map(({ _seq }) => _seq)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

t.test('a run starts for a reader of another process, who gets every event in order', async (t) => {
  const url = await server.database()
  const [one, other] = [await startChat(t, url), await startChat(t, url)]
  const streamId = await one.start()
  t.equal(one.chat.runs.length, 0, 'parked')
  const there = await other.open(streamId)
  await until(() => one.chat.runs.length === 1)
  t.equal(other.chat.runs.length, 0, 'a run stays where it began')
  const here = await one.open(streamId, { afterSeq: '0' })
  for (let n = 0; n < 300; n++) {
    one.chat.last.emit({ type: 'status', message: `Step ${n}` })
    if (n % 50 === 0) await pause(100)
  }
  const seen = await there.events(200)
  t.match(refused(await askOver(other.origin, { url: `/chat/stream?streamId=${streamId}` })), {
    status: 409,
    code: 'stream_running',
  })
  const foreign = { url: `/chat/stream?streamId=${streamId}&afterSeq=0&session=other` }
  t.match(refused(await askOver(other.origin, foreign)), { status: 410, code: 'stream_gone' })
  const late = await other.open(streamId, { afterSeq: '150' })
  one.chat.last.end(done)
  const all = await here.toEnd()
  t.strictSame([...seen, ...(await there.toEnd())], all)
  t.strictSame(await late.toEnd(), all.slice(150))
  t.strictSame(numbersOf(all), upTo(all.length))
  t.equal(withoutBeats(all).length, 301)
  t.strictSame(await (await other.open(streamId, { afterSeq: '0' })).toEnd(), all, 'after its end too')
})

t.test('an ended run is read from another process after its own was stopped', async (t) => {
  const url = await server.database()
  const [one, other] = [await startChat(t, url), await startChat(t, url)]
  const streamId = await one.start()
  const stream = await one.open(streamId)
  one.chat.last.emit({ type: 'status', message: 'Almost there' })
  one.chat.last.end(done)
  const all = await stream.toEnd()
  await one.mounted.close()
  t.strictSame(await (await other.open(streamId, { afterSeq: '0' })).toEnd(), all)
  t.match(refused(await askOver(other.origin, { url: `/chat/stream?streamId=${streamId}` })), {
    status: 410,
    code: 'stream_gone',
  })
})

t.test('only pages of the origin that started a run follow it, through any process', async (t) => {
  const url = await server.database()
  const [one, other] = [await startChat(t, url), await startChat(t, url)]
  const headers = { origin: one.origin }
  const started = await askOver(one.origin, { method: 'POST', url: '/chat/start', headers, json: message })
  const { streamId } = v.parse(Started, started.json())
  const follow = { url: `/chat/stream?streamId=${streamId}`, headers: { origin: other.origin } }
  t.match(refused(await askOver(other.origin, follow)), { status: 403, code: 'origin_differs' })
  t.equal(one.chat.runs.length, 0, 'it was not started')
})

t.test('a run is canceled through another process, by its id and by its session', async (t) => {
  const url = await server.database()
  const [one, other] = [await startChat(t, url), await startChat(t, url)]
  const cancel = async (of: object) =>
    v.parse(v.looseObject({ status: v.string() }), (await other.post('/chat/cancel', of)).json())
  const at = { session: 'dev', siteId: 'acme' }
  for (const by of ['streamId', 'session']) {
    const streamId = await one.start()
    const stream = await one.open(streamId)
    t.match(await cancel(by === 'streamId' ? { ...at, streamId } : at), { status: 'cancel_requested' })
    t.match((await stream.toEnd()).at(-1), { type: 'canceled' })
    await until(async () => (await cancel({ ...at, streamId })).status === 'already_terminal')
  }
  const parked = await one.start()
  t.match(await cancel({ ...at, streamId: parked }), { status: 'cancel_requested' })
  await until(async () => (await cancel({ ...at, streamId: parked })).status === 'not_found')
  for (const { origin } of [one, other]) {
    const late = await askOver(origin, { url: `/chat/stream?streamId=${parked}` })
    t.match(refused(late), { status: 410, code: 'stream_gone' })
  }
  t.equal(one.chat.runs.length, 2, 'it never starts')
  t.match(await cancel({ session: 'other', siteId: 'acme' }), { code: 'not_found' })
  const foreign = await one.start()
  t.match(await cancel({ session: 'other', siteId: 'acme', streamId: foreign }), { code: 'not_found' })
  await one.start()
  await other.start()
  t.match(refused(await other.post('/chat/start', message)), { status: 429, code: 'too_many_runs' })
})

t.test(
  'a run is written while the database was away, and nothing of it stays after it is forgotten',
  async (t) => {
    const url = await server.database()
    const [one, other] = [await startChat(t, url), await startChat(t, url)]
    const streamId = await one.start()
    const stream = await other.open(streamId)
    await until(() => one.chat.runs.length === 1)
    one.chat.last.emit({ type: 'status', message: 'Before' })
    t.match(await stream.events(1), [{ message: 'Before' }])
    await server.stop('SIGKILL')
    one.chat.last.emit({ type: 'status', message: 'Meanwhile' })
    await pause(300)
    await server.start()
    one.chat.last.end(done)
    const seen: Numbered[] = []
    while (seen.at(-1)?.type !== 'final') {
      const block = await stream.next()
      if (block?.data !== undefined) seen.push(v.parse(Numbered, block.data))
    }
    t.match(withoutBeats(seen), [{ message: 'Meanwhile' }, { type: 'final' }])
    t.strictSame(numbersOf(seen), upTo(seen.length + 1).slice(1))
    const heads = async (): Promise<number> => {
      let count = 0
      for await (const text of (await other.mounted.get(store)).texts())
        if (text.includes('"wishes":')) count++
      return count
    }
    const parked = await one.start()
    t.equal(await heads(), 2)
    await one.post('/chat/cancel', { ...message, streamId: parked })
    await until(async () => (await heads()) === 1)
  },
)

t.test('questions of an agent are shown, answered and canceled through another process', async (t) => {
  const env = { DATABASE_URL: await server.database() }
  const [one, other] = [await sitesAgent(t, { env }), await sitesAgent(t, { env })]
  const options = ['Red', 'Blue'].map((label) => ({ label, description: '' }))
  const questions = [{ question: 'Which colour?', header: 'x', options, multiSelect: false }]
  one.script([['AskUserQuestion', { questions }]], { intent: 'create' })
  const streamId = await one.start({ message: 'Make a new website', mode: 'create' })
  t.match(await other.status(streamId), { streamId, state: 'pending', mode: 'create' })
  const respond = (json: object) => other.post('/sites-agent/respond', { streamId, ...json })
  const answers = { 'Which colour?': 'Blue' }
  t.match(await respond({ answers }), { status: 410, body: { code: 'no_pending_approval' } })
  const there = await opener(t, other.stack.origin, 'sites-agent')(streamId)
  await until(async () => (await other.status(streamId))['state'] === 'waiting')
  t.match(await respond({ answers: { 'Which size?': 'L' } }), { status: 400 }, 'a refusal comes back')
  t.match(await respond({ answers }), { status: 200 })
  const seen = await there.toEnd()
  t.match(seen.at(-1), { type: 'final', result: { status: 'applied' } })
  t.strictSame(numbersOf(seen), upTo(seen.length))
  t.match(await other.status(streamId), { state: 'done', toolCallCount: Number })
  t.equal(other.model.seen.length, 0)

  one.model.script(deciding('create'), hanging(opening() + prose('And')))
  const second = await one.start({ message: 'Make a new website', mode: 'create' })
  const watching = await opener(t, other.stack.origin, 'sites-agent')(second)
  await until(() => one.model.seen.length >= 4)
  t.match(await other.post('/sites-agent/cancel', { streamId: second }), { status: 200 })
  t.match((await watching.toEnd()).at(-1), { type: 'error', result: { summary: /canceled by user/ } })
  const gone = { status: 410, body: { code: 'stream_gone' } }
  t.match(await other.post('/sites-agent/cancel', { streamId: 'none' }), gone)
})

t.test('a run whose process was killed ends for readers of another one, and says so', async (t) => {
  const model = await startModelServer(t)
  const env = {
    DATABASE_URL: await server.database(),
    AGENT_API_KEY: 'sk-ant-key-of-a-test',
    ANTHROPIC_BASE_URL: model.origin,
  }
  const [one, other] = [startService(temporaryFolder(t), { env }), startService(temporaryFolder(t), { env })]
  t.teardown(() => [one, other].forEach((each) => each.kill('SIGKILL')))
  const [here, there] = (await Promise.all([one.ready, other.ready])).map(
    ({ port }) => `http://127.0.0.1:${port}`,
  )
  const at = { session: 'dev', siteId: 'acme' }
  const post = (path: string, json: unknown) => askOver(String(here), { method: 'POST', url: path, json })
  await post('/ops', { ...at, ops: [{ op: 'create_page', page: { slug: '/', title: 'Home' } }] })
  model.script(calling([['list_pages', {}]]), hanging(opening() + prose('And')))
  const agent = v.parse(Started, (await post('/agent/start', { ...at, message: 'Change it' })).json())
  const parked = v.parse(Started, (await post('/chat/start', message)).json())
  const stream = await opener(t, String(there), 'agent')(agent.streamId)
  await stream.events(2)
  one.kill('SIGKILL')
  await one.gone
  const lost = await opener(t, String(there), 'chat')(parked.streamId)
  const seen = async ({ next }: typeof stream) => {
    for (let block = await next(30_000); block; block = await next(30_000)) {
      const { type = '', ...event } = v.parse(
        v.looseObject({ type: v.optional(v.string()) }),
        block.data ?? {},
      )
      if (type === 'error') return event
    }
    return undefined
  }
  t.match(await Promise.all([seen(stream), seen(lost)]), [
    { result: { status: 'error', summary: /The process that ran this has ended/ } },
    { code: 503, reason: /The process that ran this request has ended/, result: { status: 'error' } },
  ])
  const again = await opener(t, String(there), 'chat')(parked.streamId, { afterSeq: '0' })
  t.match(await again.toEnd(), [{ type: 'error', _seq: 1 }])
})

t.test('a lost run has one end, for readers of two processes, who also resume by number', async (t) => {
  const env = { DATABASE_URL: await server.database() }
  const services = Array.from({ length: 3 }, () => startService(temporaryFolder(t), { env }))
  t.teardown(() => services.forEach((each) => each.kill('SIGKILL')))
  const ports = await Promise.all(services.map(({ ready }) => ready))
  const [owner = '', ...others] = ports.map(({ port }) => `http://127.0.0.1:${port}`)
  const started = await askOver(owner, { method: 'POST', url: '/chat/start', json: message })
  const { streamId } = v.parse(Started, started.json())
  services[0]?.kill('SIGKILL')
  await services[0]?.gone
  const follow = async (query = {}) =>
    Promise.all(others.map(async (origin) => (await opener(t, origin, 'chat')(streamId, query)).toEnd()))
  const [first] = others
  const begun = opener(t, String(first), 'chat')(streamId).then((stream) => stream.toEnd())
  const lost = { type: 'error', code: 503, _seq: 1 }
  t.match([await begun, ...(await follow({ afterSeq: '0' }))], [[lost], [lost], [lost]])
  t.match(await follow({ afterSeq: '1' }), [[lost], [lost]], 'the end again: the client did not act on it')
})

/** A process with runs of a test, on a database. */
async function processOn(t: Test, url: string) {
  const { log } = capturedLog()
  const opened = await createPostgresStore({ url, clock: systemClock, log })
  const { channel } = opened
  if (!channel) throw new Error('PostgreSQL has a channel')
  const closing = new AbortController()
  const given = { store: opened, channel, clock: systemClock, ids: randomIds, log }
  const process = openProcess({ store: opened, bus: createSharedBus({ ...given, signal: closing.signal }) })
  t.teardown(async () => {
    await process.runs.close()
    closing.abort()
    await opened.close()
  })
  return process
}

t.test('readers of two processes of a database get each event once and in order', async (t) => {
  const url = await server.database()
  const processes = [await processOn(t, url), await processOn(t, url)] as const
  for (let seed = 1; seed <= 4; seed++) {
    const { expected, read } = await readRandomly(processes, seed)
    for (const seen of read) t.ok(JSON.stringify(seen) === JSON.stringify(expected), `seed ${seed}`)
  }
  for (let seed = 1; seed <= 20; seed++) {
    const { isAsked, types, again } = await cancelWhileEnding(...processes, seed)
    t.strictSame(types, again)
    t.equal(types.length, 1)
    if (!isAsked) t.strictSame(types, ['end'], 'a cancel that is too late changes nothing')
  }
})

t.test('a run that was declared lost while its process could not write ends there as well', async (t) => {
  const bus = createMemoryBus({ log: capturedLog().log })
  const memory = { ...createMemoryStore(), shared: true }
  let isAway = false
  const away = () => new Refusal({ status: 503, code: 'store_unavailable', reason: 'It is away.' })
  const transaction: Store['transaction'] = (run) =>
    isAway ? Promise.reject(away()) : memory.transaction(run)
  const [owner, other] = [
    openProcess({ bus, store: { ...memory, transaction } }),
    openProcess({ bus, store: memory }),
  ]
  const run = await owner.start()
  const [there, here] = [other.read(run.id, 0), run.begun.then(() => owner.read(run.id, 0))]
  await run.begun
  run.emit({ type: 'text', text: 'one' })
  await until(async () => (await other.runs.tail(run.id)).last === 1)
  isAway = true
  run.emit({ type: 'text', text: 'two' })
  const expected = [
    { type: 'text', text: 'one', _seq: 1 },
    { type: 'lost', _seq: 2 },
  ]
  t.strictSame(await there, expected)
  isAway = false
  await until(async () => (await owner.runs.find(run.id))?.phase === 'ended')
  run.end({ type: 'end' })
  t.strictSame([await here, await other.read(run.id, 0)], [expected, expected])
  for (const each of [owner, other]) await each.runs.close()
})
