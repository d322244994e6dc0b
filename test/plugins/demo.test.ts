import { hash } from 'node:crypto'
import t from 'tap'
import * as v from 'valibot'
import { clock, gate, give, use, type Gate, type Injection, type Mount } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates, stillClock } from '../../kernel/testing.ts'
import demo from '../../plugins/demo/index.ts'
import { demoLock } from '../../plugins/demo/port.ts'
import { createWindows } from '../../plugins/auth/port.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { plain } from '../helpers/plain.ts'

const hour = 60 * 60 * 1000
const Draft = v.looseObject({ session: v.optional(v.string()), siteId: v.optional(v.string()) })
const closed = gate('closed')
const absent = gate('absent')
const refuseAll: Gate = {
  mounting: () => ({ mount: true }),
  admit: () => ({ admit: false, status: 401, error: 'unauthorized' }),
}
const leftOut: Gate = { ...refuseAll, mounting: () => ({ mount: false, because: 'of this test' }) }

/** Routes like the real ones, which echo their input. */
const echo = ({ query, body }: { readonly query?: object; readonly body?: object }) => ({
  status: 200,
  body: body ?? query ?? {},
})
const replies = { 200: v.object({ session: v.optional(v.string()), siteId: v.optional(v.string()) }) }
const sent = { replies, body: Draft, answer: echo }
const asked = { replies, query: Draft, answer: echo }
const bare = { replies, answer: () => ({ status: 200, body: {} }) }
const surface = plain(
  {
    'POST /ops': sent,
    'POST /chat': sent,
    'POST /chat/start': sent,
    'GET /chat/stream': asked,
    'GET /draft/pages': asked,
    'POST /draft/bootstrap': sent,
    'GET /sites': bare,
    'DELETE /sites': bare,
    'POST /draft/compare': { ...sent, traits: { effect: 'read' } },
    'GET /media/fetch': { ...asked, traits: { effect: 'change' } },
    'POST /auth/verify': sent,
    'GET /whoami': bare,
    'GET /sessions': bare,
    'GET /agent/stream': bare,
    'POST /restore/snapshot': { ...sent, gate: closed },
    'GET /agent/hidden': { ...bare, gate: absent },
  },
  [
    [closed, refuseAll],
    [absent, leftOut],
  ],
)

const on = { DEMO_MODE: '1' }
const setting = (env: Readonly<Record<string, string>> = on, time = stillClock()) => ({
  plugins: [use(demo), surface, use(scopePlugin, {})],
  seeds: [...openGates, give(clock, time)],
  env,
})
const visitor = (address: string) => `demo-${hash('sha1', address).slice(0, 10)}`
const mine = { session: 'mine', siteId: 'acme' }

t.test('the lock refuses by complete path segments and by the effect of a route', (t) =>
  everyWayIn(
    t,
    () => setting({ ...on, DEMO_RATE_LIMIT_PER_IP_PER_HOUR: '100' }),
    async (t, ask) => {
      const send = (request: string) => {
        const [method = '', url = ''] = request.split(' ')
        return ask({ method, url, ...(!['GET', 'HEAD'].includes(method) && { json: mine }) })
      }
      const refused =
        'GET /whoami,HEAD /whoami,GET /sessions,POST /sessions,GET /agent/stream,POST /agent/nowhere,' +
        'POST /sites-agent/start,GET /sites-agent,POST /jira/webhook,GET /jira,POST /draft/bootstrap,' +
        'DELETE /sites,GET /media/fetch?url=http://x,POST /restore/snapshot'
      for (const request of refused.split(',')) {
        const answer = await send(request)
        t.equal(answer.status, 403, request)
        const why = { code: 'demo_disabled', error: /public demo/, reason: /DEMO_MODE/ }
        if (!request.startsWith('HEAD')) t.match(answer.json(), why, request)
      }
      const served = {
        200:
          'GET /draft/pages?session=dev,GET /sites,POST /draft/compare,POST /auth/verify,POST /ops,' +
          'POST /chat/start,GET /chat/stream',
        404: 'GET /agents,GET /opsy,GET /,POST /nowhere,POST /chat/unknown',
        400: 'GET /%73essions,GET /%E0%A4%A/x',
      }
      for (const [status, requests] of Object.entries(served))
        for (const request of requests.split(','))
          t.equal((await send(request)).status, Number(status), request)
    },
  ),
)

t.test('chat and operations use the draft of the visitor, for any request', async (t) => {
  const mounted = mountForTest(t, setting())
  const answer = async (request: Injection) => (await mounted.inject(request)).json()
  const post = (url: string, json?: unknown) => answer({ method: 'POST', url, json })
  const own = { session: visitor('127.0.0.1'), siteId: 'avocado-stories' }
  t.same(await post('/ops', mine), own)
  t.same(await post('/chat', {}), own)
  t.same(await post('/chat/start', { session: 7, siteId: [] }), own)
  t.same(await post('/ops'), own)
  t.same(await post('/ops', [mine]), own, 'a list is read as an object without these fields')
  t.same(await answer({ url: '/chat/stream?session=mine&siteId=acme' }), own)
  t.same(await answer({ method: 'POST', url: '/ops', json: mine, remote: '::ffff:192.0.2.1' }), {
    ...own,
    session: visitor('192.0.2.1'),
  })
  t.same(await answer({ url: '/draft/pages?session=mine&siteId=acme' }), mine, 'reads are unchanged')
  for (const json of [null, 7, 'x']) t.match(await post('/ops', json), { code: 'invalid_request' })
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  const web = await mounted.fetch(new Request('http://localhost/ops', init))
  t.same(await web.json(), { ...own, session: visitor('anon') })
  const elsewhere = mountForTest(t, setting({ ...on, ORCHESTRATOR_DEFAULT_SITE_ID: 'bakery' }))
  t.match((await elsewhere.inject({ method: 'POST', url: '/ops', json: mine })).json(), { siteId: 'bakery' })
})

t.test('each visitor has a request limit per hour, starting with the first request', async (t) => {
  const ops = async (mounted: Mount, more: Partial<Injection> = {}) =>
    mounted.inject({ method: 'POST', url: '/ops', json: {}, ...more })
  const spend = async (mounted: Mount, count: number) => {
    for (let at = 0; at < count; at++) t.equal((await ops(mounted)).status, 200)
  }
  const limitedTo = (limit: string, env = {}) =>
    mountForTest(t, {
      ...setting({ ...on, DEMO_RATE_LIMIT_PER_IP_PER_HOUR: limit, ...env }),
      origins: { origins: ['http://localhost:4100'] },
    })

  await t.test('the request after the twentieth is refused with a retry time', async (t) => {
    const time = stillClock()
    const mounted = mountForTest(t, setting(on, time))
    await spend(mounted, 10)
    time.advance(hour / 2)
    await spend(mounted, 10)
    const over = await ops(mounted)
    t.equal(over.status, 429)
    t.match(over.json(), { code: 'rate_limited', error: /30 min\./, retryAfterSeconds: 1800 })
    t.equal(over.headers.get('retry-after'), '1800')
    t.equal((await mounted.inject({ url: '/draft/pages' })).status, 200)
    t.equal((await mounted.inject({ method: 'POST', url: '/auth/verify', json: {} })).status, 200)
    t.equal((await ops(mounted, { remote: '192.0.2.1' })).status, 200, 'other visitors are not limited')
    time.advance(hour / 2 - 1)
    t.match((await ops(mounted)).json(), { retryAfterSeconds: 1 })
    time.advance(1)
    await spend(mounted, 20)
    t.equal((await ops(mounted)).status, 429)
  })

  await t.test('streams, unknown paths and broken bodies count, preflights do not', async (t) => {
    const broken = { body: '{', headers: { 'content-type': 'application/json' } }
    for (const request of [
      { url: '/chat/stream' },
      { url: '/chat/nowhere' },
      { method: 'DELETE', url: '/ops' },
      { method: 'POST', url: '/ops', ...broken },
    ]) {
      const mounted = limitedTo('2')
      for (let at = 0; at < 2; at++) await mounted.inject(request)
      t.equal((await mounted.inject(request)).status, 429, request.url)
    }
    const mounted = limitedTo('2')
    const headers = { origin: 'http://localhost:4100', 'access-control-request-method': 'POST' }
    for (let at = 0; at < 5; at++)
      t.equal((await mounted.inject({ method: 'OPTIONS', url: '/ops', headers })).status, 204)
    await spend(mounted, 2)
  })

  await t.test('a header does not make a new visitor unless a trusted proxy set it', async (t) => {
    const from = (mounted: Mount, address: string) =>
      ops(mounted, { headers: { 'x-forwarded-for': address } })
    const direct = limitedTo('1')
    t.equal((await from(direct, '192.0.2.1')).status, 200)
    t.equal((await from(direct, '192.0.2.2')).status, 429)
    const behind = limitedTo('1', { TRUST_PROXY: '127.0.0.1' })
    t.match((await from(behind, '192.0.2.1')).json(), { session: visitor('192.0.2.1') })
    t.equal((await from(behind, '192.0.2.2')).status, 200)
    t.equal((await from(behind, '198.51.100.9, 192.0.2.2')).status, 429, 'only what the proxy added counts')
    t.equal((await from(behind, '2001:db8::1')).status, 200)
    t.equal((await from(behind, '2001:db8::2')).status, 429, 'one network of IPv6 is one visitor')
  })
})

t.test('a demo path is refused before its gate is called, and only while the lock is on', async (t) => {
  const status = async (env: Readonly<Record<string, string>>, request: Injection) =>
    (await mountForTest(t, setting(env)).inject(request)).status
  for (const [request, open] of [
    [{ method: 'POST', url: '/restore/snapshot', json: {} }, 401],
    [{ url: '/agent/hidden' }, 404],
    [{ url: '/agent/nowhere' }, 404],
    [{ method: 'DELETE', url: '/sites' }, 200],
  ] as const)
    t.same([await status(on, request), await status({}, request)], [403, open], request.url)
  const unlocked = mountForTest(t, setting({ DEMO_RATE_LIMIT_PER_IP_PER_HOUR: '1' }))
  for (let at = 0; at < 3; at++)
    t.same((await unlocked.inject({ method: 'POST', url: '/ops', json: mine })).json(), mine, 'without limit')
})

t.test('four values turn the lock on, four turn it off, and any other fails the boot', async (t) => {
  const isOn = async (env: Readonly<Record<string, string>>) =>
    (await mountForTest(t, setting(env)).inject({ url: '/whoami' })).status === 403
  for (const word of ['1', 'true', 'YES', ' On ']) t.ok(await isOn({ DEMO_MODE: word }), word)
  for (const word of ['', ' ', '0', 'false', 'No', 'off']) t.notOk(await isOn({ DEMO_MODE: word }), word)
  await t.rejects(mountForTest(t, setting({ DEMO_MODE: 'enabled' })).ready(), {
    message: /DEMO_MODE: must be one of 1, true/,
  })
  for (const limit of ['0', '-1', 'many', 'Infinity']) {
    await t.rejects(
      mountForTest(t, setting({ DEMO_RATE_LIMIT_PER_IP_PER_HOUR: limit })).ready(),
      { message: /PER_HOUR: must be a positive number/ },
      limit,
    )
  }
})

t.test('other plugins can read the limits of the operations', async (t) => {
  const lock = async (env: Readonly<Record<string, string>>) => mountForTest(t, setting(env)).get(demoLock)
  t.same(await lock({}), { playground: undefined, requestsPerHour: 20 })
  t.same(await lock(on), {
    playground: { ops: new Set(['update_props']), blockTypes: new Set(['Hero']) },
    requestsPerHour: 20,
  })
  const wider = {
    ...on,
    DEMO_ALLOWED_OPS: 'update_props, add_item,',
    DEMO_ALLOWED_BLOCK_TYPES: ' Hero,Faq ',
    DEMO_RATE_LIMIT_PER_IP_PER_HOUR: '7',
  }
  t.same(await lock(wider), {
    playground: { ops: new Set(['update_props', 'add_item']), blockTypes: new Set(['Hero', 'Faq']) },
    requestsPerHour: 7,
  })
})

t.test('the number of remembered visitors is limited', async (t) => {
  const windows = createWindows({ limit: 1, length: hour, remembered: 3 })
  for (const visitor of ['a', 'b', 'c']) t.equal(windows.count(visitor, 0), 0)
  t.equal(windows.count('a', 1), hour - 1)
  t.equal(windows.count('d', 2), 0)
  t.equal(windows.count('b', 3), hour - 3, 'only the oldest visitor was evicted')
  t.equal(windows.count('a', 4), 0)
  t.equal(windows.count('d', hour + 3), 0, 'an hour later all counts are reset')
})
