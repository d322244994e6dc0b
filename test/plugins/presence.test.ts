import { mock } from 'node:test'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { clock, give, systemClock, use } from '../../kernel/index.ts'
import { capturedLog, mountForTest, openGates, stillClock } from '../../kernel/testing.ts'
import { scopedTokens } from '../../plugins/auth/port.ts'
import { createMemoryBus } from '../../plugins/bus/testing.ts'
import { bus } from '../../plugins/bus/port.ts'
import plugin from '../../plugins/presence/index.ts'
import { presence } from '../../plugins/presence/port.ts'
import scope from '../../plugins/scope/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'
import { pageOf } from '../helpers/content.ts'
import { editor, eventsIn, refused, startStack, type Stack, type StackOptions } from '../helpers/stack.ts'

const at = { session: 'dev', siteId: 'acme' }
const ana = { client: 'ana-and-sixteen-more', name: 'Ana', slug: '/' }
const ben = { client: 'ben-and-sixteen-more', name: 'Ben', slug: '/about' }

const People = v.looseObject({
  type: v.literal('presence'),
  people: v.array(v.looseObject({ name: v.string() })),
})

const sayIn =
  ({ ask }: Stack, headers: Readonly<Record<string, string>> = {}) =>
  (body: object) =>
    ask({ method: 'POST', url: '/presence', json: { ...at, ...body }, headers })

async function listenTo(t: Test, { origin }: Stack, query: object = { presence: '1' }, headers = {}) {
  const response = await fetch(`${origin}/events?${new URLSearchParams({ ...at, ...query })}`, { headers })
  const events = eventsIn(response)
  t.teardown(() => events.close())
  return {
    ...events,
    async names(): Promise<readonly string[]> {
      const [event] = await events.take(1)
      t.notOk(event?.id, 'the event has no id, and disturbs no Last-Event-ID')
      return v.parse(People, event?.data).people.map(({ name }) => name)
    },
  }
}

/** A service on a socket whose people stay for half a second. */
async function open(t: Test, options: object = {}, more: StackOptions = {}) {
  const stack = await startStack(t, { plugins: [['presence', { lifetimeMs: 500, ...options }]], ...more })
  return { stack, say: sayIn(stack) }
}

t.test('who asks for it sees who comes, moves, leaves and falls silent', async (t) => {
  const { stack, say } = await open(t)
  const reader = await listenTo(t, stack)
  t.match(await reader.take(1), [{ data: { type: 'hello' } }])
  t.strictSame(await reader.names(), [], 'a stream begins with who is there')
  const answer = await say({ ...ana, blockId: 'b_1', path: 'heading' })
  const { client } = v.parse(v.object({ client: v.string() }), answer.json())
  t.notMatch(client, ana.client, 'the secret of the client is not what others see')
  const [seen] = await reader.take(1)
  const person = { client, name: 'Ana', slug: '/', blockId: 'b_1', path: 'heading' }
  t.strictSame(seen, { data: { type: 'presence', ...at, people: [person] } })
  await say(ben)
  t.strictSame(await reader.names(), ['Ana', 'Ben'])
  t.equal((await say({ ...ben, left: true })).status, 200, 'leaving does not wait')
  t.strictSame(await reader.names(), ['Ana'])
  t.strictSame(await reader.names(), [], 'a silent one is gone after a while')
})

t.test('who does not ask sees none, and nothing of it is stored', async (t) => {
  const { stack, say } = await open(t)
  const [plain, other] = [
    await listenTo(t, stack, {}),
    await listenTo(t, stack, { session: 'x', presence: '1' }),
  ]
  await other.take(2)
  t.equal((await say(ana)).status, 200)
  await editor(stack.ask, at).bootstrap([pageOf('/')])
  t.match(await plain.take(2), [{ data: { type: 'hello' } }, { id: '1', data: { type: 'draft' } }])
  await t.rejects(other.next(200), /no event came/, 'another draft has its own people')
  const again = await listenTo(t, stack, {}, { 'last-event-id': '0' })
  t.match(await again.take(2), [{ data: { type: 'hello' } }, { data: { type: 'draft' } }])
  t.equal((await stack.ask({ url: '/events?presence=yes' })).status, 400)
})

t.test('once a second is enough, and a draft shows only so many people', async (t) => {
  const seeds = [give(clock, stillClock())]
  const { say } = await open(t, { maxPeoplePerDraft: 2 }, { seeds })
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  t.equal((await say(ana)).status, 200)
  const soon = await say(ana)
  t.match(refused(soon), { status: 429, code: 'rate_limited', reason: /Try again in 1 s/ })
  t.equal(soon.headers.get('retry-after'), '1')
  t.equal((await say(ben)).status, 200, 'each client has its own second')
  const third = refused(await say({ ...ana, client: 'a-third-one-of-them' }))
  t.match(third, { status: 429, code: 'too_many_people' })
  mock.timers.tick(500)
  t.equal((await say({ ...ana, client: 'a-fourth-one-of-them' })).status, 200, 'the silent ones make room')
  t.equal((await say({ name: 'No id', slug: '/' })).status, 200, 'without an id the address is the client')
  t.equal((await say({ name: 'No id', slug: '/' })).status, 429)
})

t.test('names are one line of plain text, and places are bounded', async (t) => {
  const { say } = await open(t)
  const bad = [
    { name: '' },
    { name: 'two\nlines' },
    { name: 'turned \u202e round' },
    { name: '\u200b' },
    { name: 'Ana\u200b' },
    { name: '\u3164' },
    { name: '\u2800' },
    { name: '\u200d' },
    { name: '\ufe0f' },
    { name: 'Ana\u00ad' },
    { name: 'Ana\u200f' },
    { name: 'Ana\u2003B' },
    { name: '\u{e0041}' },
    { name: '\ue000' },
    { name: 'x'.repeat(61) },
    { slug: '' },
    { slug: '/'.repeat(301) },
    { blockId: 'b'.repeat(201) },
    { path: 'p'.repeat(301) },
    { client: 'short' },
    { left: 'yes' },
    { name: { toString: 1 } },
  ]
  for (const each of bad)
    t.equal((await say({ ...ana, ...each })).status, 400, JSON.stringify(each).slice(0, 40))
  for (const name of ['Ana B.', '李小龍', 'श्र\u200dी', 'می\u200cخواهم', '👩\u200d💻 Ana', '❤\ufe0f'])
    t.equal(
      (await say({ ...ana, client: `client-of-${Buffer.from(name).toString('hex')}`, name })).status,
      200,
      name,
    )
})

t.test('a token of one site says and sees who is at that site only', async (t) => {
  const env = { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: 'fixed-token-of-the-test' }
  const { stack } = await open(t, {}, { env })
  const { text } = await (await stack.get(scopedTokens)).create({ name: 'one', site: 'acme', can: ['read'] })
  const headers = { authorization: `Bearer ${text}` }
  const say = sayIn(stack, headers)
  t.equal((await sayIn(stack)(ana)).status, 401)
  t.equal((await say(ana)).status, 200)
  t.equal((await say({ ...ben, siteId: 'other' })).status, 403)
  t.equal((await stack.ask({ url: '/events?siteId=other&presence=1', headers })).status, 403)
  const reader = await listenTo(t, stack, { presence: '1' }, headers)
  await reader.take(1)
  t.strictSame(await reader.names(), ['Ana'])
})

t.test('processes that share a bus show the same people', async (t) => {
  const shared = createMemoryBus({ log: capturedLog().log })
  const kept = give(store, createMemoryStore())
  const seeds = [...openGates, give(bus, shared), give(clock, systemClock), kept]
  const [one, other] = [1, 2].map(() =>
    mountForTest(t, { plugins: [use(scope, {}), use(plugin, {})], seeds }),
  )
  const people = async () => (await other?.get(presence))?.at(at).map(({ name }) => name)
  t.strictSame(await people(), [])
  const say = (body: object) => one?.inject({ method: 'POST', url: '/presence', json: { ...at, ...body } })
  await say(ana)
  t.strictSame(await people(), ['Ana'])
  await say({ ...ana, left: true })
  t.strictSame(await people(), [])
  const { client: _client, ...nameless } = ana
  const json = { ...at, ...nameless }
  const [here, there] = [one, other].map((each) => each?.inject({ method: 'POST', url: '/presence', json }))
  t.same((await here)?.json(), (await there)?.json(), 'a client without an id has the same one for all')
  t.strictSame(await people(), ['Ana'])
})
