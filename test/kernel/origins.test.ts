import t from 'tap'
import { createHttpServer } from '../../kernel/http/server.ts'
import { definePlugin, gate, publicGate, use, type OriginRules } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, type TestSetting } from '../../kernel/testing.ts'
import { ok, plain } from '../helpers/plain.ts'
import { exchange, listen } from '../helpers/raw.ts'

const cellar = gate('cellar')
const closed = definePlugin({ name: 'closed', tag: 'P', gives: { cellar } }).setup(() => ({
  gives: { cellar: { ...publicGate, mounting: () => ({ mount: false, because: 'dark' }) } },
}))
const routes = plain({
  'GET /thing': () => ok,
  'POST /thing': () => ok,
  'PUT /thing': () => ok,
  'DELETE /thing': () => ok,
  'POST /cellar': { gate: cellar },
})
const known = ['http://localhost:3000', 'https://editor.example', 'http://127.0.0.1']
const setting = (origins: OriginRules): TestSetting => ({ plugins: [use(closed), routes], origins })

/** The expected verdict on each origin, by a service reached as `service.example:4200`; one is empty. */
const verdicts = {
  listed:
    'http://localhost:3000 http://127.0.0.1:3000 http://127.0.0.1 http://localhost https://editor.example',
  own: 'http://service.example:4200 https://service.example:4200',
  foreign:
    'http://service.example http://localhost:3001 https://localhost:3000 http://[::1]:3000 null * ' +
    'http://127.0.0.2:3000 http://editor.example https://editor.example:8443 https://editor.example.evil ' +
    'https://evil-editor.example https://editor.example/ http://localhost:3000.evil.example ' +
    'https://evil.example ',
}

t.test('pages of listed origins may read and change, those of other origins may do neither', async (t) => {
  const mounted = mountForTest(t, setting({ origins: known }))
  const reason = /Add it to ORCHESTRATOR_CORS_ORIGINS\.$/
  for (const [verdict, origin] of Object.entries(verdicts).flatMap(([verdict, origins]) =>
    origins.split(' ').map((origin) => [verdict, origin] as const),
  )) {
    const ask = async (method: string, more: Record<string, string> = {}) => {
      const headers = { origin, host: 'service.example:4200', ...more }
      const answer = await mounted.inject({ url: '/thing', method, headers })
      if (verdict === 'foreign' && ['POST', 'PUT', 'DELETE'].includes(method))
        t.match(answer.json(), { code: 'origin_not_allowed', reason })
      return [answer.status, answer.headers.get('access-control-allow-origin')]
    }
    const allowed = verdict === 'listed' ? origin : null
    const changed = verdict === 'foreign' ? 403 : 200
    for (const method of ['GET', 'HEAD'])
      t.strictSame(await ask(method), [200, allowed], `${method} ${origin}`)
    for (const method of ['POST', 'PUT', 'DELETE'])
      t.strictSame(await ask(method), [changed, allowed], `${method} from ${origin}`)
    const preflight = await ask('OPTIONS', { 'access-control-request-method': 'POST' })
    t.strictSame(preflight, [verdict === 'foreign' ? 403 : 204, allowed], `preflight from ${origin}`)
  }
})

t.test('a preflight gets the same response for every path, without an echo of the request', (t) =>
  everyWayIn(
    t,
    () => setting({ origins: known }),
    async (t, ask) => {
      const origin = 'https://editor.example'
      const asking = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'x-evil' }
      const preflight = (url: string, headers: Readonly<Record<string, string>>) =>
        ask({ url, method: 'OPTIONS', headers })
      for (const url of ['/thing', '/cellar', '/nowhere']) {
        const answer = await preflight(url, { origin, ...asking })
        t.strictSame([answer.status, answer.text], [204, ''], url)
        const ofTransport = ['date', 'connection', 'keep-alive']
        const sent = [...answer.headers].filter(([name]) => !ofTransport.includes(name))
        const { 'x-request-id': id, ...rest } = Object.fromEntries(sent)
        t.match(id, /^[0-9a-f]{8}-[0-9a-z]+$/)
        t.strictSame(rest, {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
          'access-control-allow-headers':
            'content-type, authorization, x-access-token, x-publish-token, if-match, if-none-match, idempotency-key, last-event-id',
          'access-control-expose-headers': 'etag, retry-after, x-request-id',
          'access-control-max-age': '600',
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
          'x-content-type-options': 'nosniff',
        })
      }
      const reason = /^A preflight names its Origin and Access-Control-Request-Method\./
      for (const incomplete of [{}, { origin }, asking]) {
        const answer = await preflight('/thing', incomplete)
        t.match([answer.status, answer.json()], [400, { code: 'bad_request', reason }])
      }
    },
  ),
)

t.test('a host name that is not one of the service is refused', async (t) => {
  const own =
    'service.example service.example:4200 SERVICE.Example:1 service.example: second.example localhost ' +
    'LOCALHOST:4200 127.0.0.1 192.0.2.7:80 [::1]:4200 [2001:db8::1]'
  const foreign =
    'evil.example service.example.evil.example localhost.evil.example 127.0.0.1.nip.example ' +
    'service.example. service.example:80:80 service.example@evil.example [service.example] ' +
    'evil.example#service.example '
  const strict = mountForTest(t, setting({ origins: [], hosts: ['service.example', 'Second.Example'] }))
  const loose = mountForTest(t, setting({ origins: [] }))
  const [strictPort, loosePort] = [
    await listen(t, createHttpServer(strict.node)),
    await listen(t, createHttpServer(loose.node)),
  ]
  const send = async (port: number, first: string, host?: string) => {
    const line = host === undefined ? '' : `Host: ${host}\r\nConnection: close\r\n`
    return (await exchange(t, port, `${first}\r\n${line}\r\n`, 5000)).answers[0]?.status
  }
  const old = 'GET /thing HTTP/1.0'
  t.equal(await send(strictPort, old), 403, 'a request without a Host is refused, also as the first one')
  t.equal(await send(loosePort, old), 200, 'but not where no hosts are configured')
  const [get, post] = ['GET /thing HTTP/1.1', 'POST /thing HTTP/1.1']
  for (const [status, hosts] of [
    [200, own],
    [403, foreign],
  ] as const) {
    for (const host of hosts.split(' ')) {
      const asked = [send(strictPort, get, host), send(strictPort, post, host), send(loosePort, get, host)]
      t.strictSame(await Promise.all(asked), [status, status, 200], `'${host}'`)
    }
  }
  t.match((await strict.inject({ url: '/thing', headers: { host: 'evil.example' } })).json(), {
    code: 'host_not_allowed',
    reason: /add the name to ORCHESTRATOR_ALLOWED_HOSTS\.$/,
  })
})
