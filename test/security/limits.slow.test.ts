import t, { type Test } from 'tap'
import { gates, give, publicGate, use, type Gate, type Injected } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import agent from '../../plugins/agents/loop/index.ts'
import chat from '../../plugins/chat/index.ts'
import chatRules from '../../plugins/chat/rules/index.ts'
import chatStreams from '../../plugins/chat/streams/index.ts'
import chatVariations from '../../plugins/chat/variations/index.ts'
import checks from '../../plugins/checks/index.ts'
import dismissals from '../../plugins/checks/dismissals/index.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import preview from '../../plugins/preview/index.ts'
import telemetry from '../../plugins/telemetry/index.ts'
import tools from '../../plugins/tools/index.ts'
import { pageOf } from '../helpers/content.ts'
import { draftsInMemory, editor, temporaryFolder, textBlock, type SmallOptions } from '../helpers/stack.ts'
import { bodyRoutes, type BodyRoute } from './bodies.ts'
import { startService, verdictOf } from './service.ts'

/** Everything with default limits. */
function open(t: Test, more: SmallOptions = {}) {
  const mounted = mountForTest(t, draftsInMemory(more))
  const as = (session: string, siteId = 'acme') =>
    editor((request) => mounted.inject(request), { session, siteId })
  return { mounted, as, ...as('dev') }
}

const pagesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => pageOf(`/p${from + at}`))
const verdict = ({ status, text }: Injected): string =>
  status === 200 ? 'fine' : `${status} ${verdictOf({ text })}`

t.test('every route accepts a body up to its limit, and not one byte more', async (t) => {
  const { send } = await startService(t)
  for (const { name, method, path, limit } of bodyRoutes) {
    const headers = { 'content-type': 'application/json' }
    const verdictOn = async (size: number): Promise<string> =>
      verdictOf(await send({ method, path, headers, body: `"${'x'.repeat(size - 2)}"` }))
    t.not(await verdictOn(limit), 'body_too_large', `${name}: ${limit} bytes`)
    t.equal(await verdictOn(limit + 1), 'body_too_large', `${name}: one more`)
  }
})

t.test('a request takes 5,000 pages and a draft 20,000, and no more', async (t) => {
  const { bootstrap, ops, version } = open(t)
  t.equal(verdict(await bootstrap(pagesOf(5_001))), '413 too_many_pages')
  for (const from of [0, 5_000, 10_000, 15_000]) {
    t.equal(verdict(await bootstrap(pagesOf(5_000, from), { overwrite: true })), 'fine', `from ${from}`)
  }
  t.equal(verdict(await ops([{ op: 'create_page', page: { slug: '/more' } }])), '413 too_many_pages')
  t.equal(verdict(await bootstrap([pageOf('/more')], { overwrite: true })), '413 too_many_pages')
  t.equal(await version(), 4)
})

t.test('a page of a mebibyte fits, and one byte more does not', async (t) => {
  const { bootstrap, page } = open(t)
  const most = 1024 * 1024
  const [fits, tooLarge] = ['/a', '/b'].map((slug, at) => {
    const around = JSON.stringify(pageOf(slug, [textBlock('b', 'x')])).length - 1
    return pageOf(slug, [textBlock('b', 'x'.repeat(most - around + at))])
  })
  const answer = await bootstrap([fits, tooLarge])
  const tooLong = { slug: '/b', reason: /larger than 1048576 bytes/ }
  t.match(answer.json(), { count: 1, slugs: ['/a'], refused: [tooLong] })
  t.equal(JSON.stringify(await page('/a')).length, most)
})

t.test('a site has at most a thousand sessions', async (t) => {
  const { as } = open(t)
  for (let at = 0; at < 1000; at++) {
    const { status } = await as(`s${at}`).config({ tone: 'calm' })
    if (status !== 200) t.fail(`session ${at} got ${status}`)
  }
  t.equal(verdict(await as('one-more').config({ tone: 'calm' })), '429 too_many_sessions')
  const elsewhere = await as('one-more', 'other').config({ tone: 'calm' })
  t.equal(verdict(elsewhere), 'fine', 'they are counted per site')
})

t.test('on every route a session name has at most 200 characters and a site id 64', async (t) => {
  const env = { ORCHESTRATOR_DATA_DIR: temporaryFolder(t) }
  const chats = [use(chat, {}), use(chatRules), use(chatStreams, {}), use(chatVariations)]
  const others = [use(dismissals), use(preview, {}), use(telemetry), use(llm, {}), use(tools), use(agent, {})]
  const { mounted } = open(t, { env, plugins: [...chats, use(checks, {}), ...others] })
  const routes = bodyRoutes.filter(({ example }) => 'session' in example)
  t.ok(routes.length > 5)
  const send = async ({ method, path, example }: BodyRoute, names: object): Promise<string> =>
    (await mounted.inject({ method, url: path, json: { ...example, ...names } })).text
  const refused = /(?:session|siteId) must be at most/
  const longest = { session: 's'.repeat(200), siteId: 'i'.repeat(64) }
  const wrong = [
    { session: 's'.repeat(201) },
    { siteId: 'i'.repeat(65) },
    { session: 'a\nb' },
    { session: 'other::dev' },
  ]
  for (const route of routes) {
    t.notMatch(await send(route, longest), refused, route.name)
    for (const names of wrong)
      t.match(await send(route, names), refused, `${route.name} ${JSON.stringify(names).slice(0, 30)}`)
  }
})

const byName: Gate = {
  mounting: () => ({ mount: true }),
  admit: ({ header }) => ({ admit: true, caller: { via: 'token', id: header('x-access-token') ?? '' } }),
}

t.test('a token opens at most a thousand streams, the process ten thousand', async (t) => {
  const seeds = [give(gates.access, byName), give(gates.publish, publicGate), give(gates.agent, publicGate)]
  const { mounted } = open(t, { gates: seeds })
  const listen = async (token: string): Promise<number> => {
    const headers = { 'x-access-token': token }
    return (await mounted.fetch(new Request('http://localhost/events?session=dev', { headers }))).status
  }
  for (let at = 0; at < 10; at++) {
    const statuses = await Promise.all(Array.from({ length: 1000 }, () => listen(`token-${at}`)))
    t.strictSame([...new Set(statuses)], [200], `the thousand of token ${at}`)
    if (at === 0) t.equal(await listen('token-0'), 429, 'one more of the same token')
  }
  t.equal(await listen('another'), 429, 'one more of all')
})
