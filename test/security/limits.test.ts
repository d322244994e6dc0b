import t from 'tap'
import { give, gates, publicGate, type Gate, type Injected } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { draftsInMemory, editor } from '../helpers/stack.ts'
import { bodyRoutes } from './bodies.ts'
import { startService, verdictOf } from './service.ts'

/** Everything at its default, as it is where nobody configured a limit. */
const open = (t: Parameters<typeof mountForTest>[0], more: Parameters<typeof draftsInMemory>[0] = {}) => {
  const mounted = mountForTest(t, draftsInMemory(more))
  return { mounted, ...editor((wish) => mounted.inject(wish)) }
}
const pageOf = (slug: string, text = '') => ({ id: `p${slug}`, slug, title: 'T', updatedAt: '2026-01-01T00:00:00.000Z', blocks: text === '' ? [] : [{ id: 'b', type: 'RichText', props: { title: 'T', body: text } }] })
const pagesOf = (count: number, from = 0) => Array.from({ length: count }, (_, at) => pageOf(`/p${from + at}`))
const verdict = ({ status, text }: Injected): string => (status === 200 ? 'fine' : `${status} ${verdictOf({ text })}`)

t.test('every route takes a body as large as it says, and not one byte more', async (t) => {
  const { send } = await startService(t)
  for (const { name, method, path, limit } of bodyRoutes) {
    const status = async (length: number) => (await send({ method, path, headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(length - 2)}"` })).status
    t.strictSame([await status(limit), await status(limit + 1)], [name === 'POST /auth/verify' ? 200 : 400, 413], `${name}: ${limit} bytes`)
  }
})

t.test('5,000 pages come in at once, 20,000 fit, and one more does not', async (t) => {
  const { bootstrap, ops, version } = open(t)
  t.equal(verdict(await bootstrap(pagesOf(5_001))), '413 too_many_pages')
  for (const from of [0, 5_000, 10_000, 15_000]) t.equal(verdict(await bootstrap(pagesOf(5_000, from), { overwrite: true })), 'fine', `from ${from}`)
  t.equal(verdict(await ops([{ op: 'create_page', page: { slug: '/more' } }])), '413 too_many_pages')
  t.equal(verdict(await bootstrap([pageOf('/more')], { overwrite: true })), '413 too_many_pages')
  t.equal(await version(), 4)
})

t.test('a page of a mebibyte fits, and one byte more does not', async (t) => {
  const { bootstrap, page } = open(t)
  const room = 1024 * 1024 - JSON.stringify(pageOf('/', '?')).length
  const answer = await bootstrap([pageOf('/', 'x'.repeat(room + 1)), pageOf('/a', 'x'.repeat(room + 1))])
  t.match(answer.json(), { count: 1, slugs: ['/'], refused: [{ slug: '/a', reason: /larger than 1048576 bytes/ }] }, 'the slug and the id of the other make it two bytes longer')
  t.equal(JSON.stringify(await page('/')).length, 1024 * 1024)
})

t.test('a thousand sessions of a site are kept, and no more', async (t) => {
  const { mounted } = open(t)
  const change = (session: string, siteId = 'acme') => editor((wish) => mounted.inject(wish), { session, siteId }).config({ tone: session })
  for (let at = 0; at < 1000; at++) if ((await change(`s${at}`)).status !== 200) t.fail(`session ${at}`)
  t.equal(verdict(await change('one-more')), '429 too_many_sessions')
  t.equal(verdict(await change('one-more', 'other')), 'fine')
})

t.test('the name of a session has 200 characters, of a site 64, on every route that takes them', async (t) => {
  const { mounted } = open(t)
  const routes = bodyRoutes.filter(({ example, path }) => 'session' in example && path !== '/restore/snapshot')
  t.ok(routes.length > 5)
  const send = async (route: (typeof bodyRoutes)[number], names: object) => (await mounted.inject({ method: route.method, url: route.path, json: { ...route.example, ...names } })).text
  const refused = /(?:session|siteId) must be at most/
  for (const route of routes) {
    t.notMatch(await send(route, { session: 's'.repeat(200), siteId: 'i'.repeat(64) }), refused, route.name)
    for (const names of [{ session: 's'.repeat(201) }, { siteId: 'i'.repeat(65) }, { session: 'a\nb' }, { session: 'other::dev' }]) t.match(await send(route, names), refused, `${route.name} ${JSON.stringify(names).slice(0, 30)}`)
  }
})

t.test('a token holds a thousand streams, the process ten thousand', async (t) => {
  const byName: Gate = { mounting: () => ({ mount: true }), admit: ({ header }) => ({ admit: true, caller: { via: 'token', id: header('x-access-token') ?? '' } }) }
  const { mounted } = open(t, { gates: [give(gates.access, byName), give(gates.publish, publicGate), give(gates.agent, publicGate)] })
  const listen = async (token: string) => (await mounted.fetch(new Request('http://localhost/events?session=dev', { headers: { 'x-access-token': token } }))).status
  for (let token = 0; token < 10; token++) {
    const statuses = new Set(await Promise.all(Array.from({ length: 1000 }, () => listen(`t${token}`))))
    t.strictSame([...statuses], [200], `the thousand of token ${token}`)
    if (token === 0) t.equal(await listen('t0'), 429, 'one more of the same token')
  }
  t.equal(await listen('another'), 429, 'one more of all')
})
