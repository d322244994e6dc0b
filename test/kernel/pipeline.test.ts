import { createServer } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import t from 'tap'
import {
  allOf,
  defineRefusal,
  definePlugin,
  empty,
  events,
  file,
  gate,
  policies,
  publicGate,
  redirect,
  stored,
  text,
  use,
} from '../../kernel/index.ts'
import type { Call, Gate, Policy, Verdict } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest } from '../../kernel/testing.ts'
import { everyWay, ok, Ok, plain } from '../helpers/plain.ts'
import { listen } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'

const locked = defineRefusal({ status: 403, code: 'locked', reason: () => 'This is a demo.' })
const Saw = { 200: v.object({ saw: v.unknown() }) }
const ticking = { 200: events(Ok, { retry: 1, heartbeat: 1000 }) }

t.test('checks run in a fixed order, and the first that fails answers', (t) => {
  type Part = Readonly<Record<string, string>>
  const [door, cellar] = [gate('door'), gate('cellar')]
  const keeper: Gate = {
    ...publicGate,
    admit: ({ header }) =>
      header('x-stranger') === undefined
        ? { admit: true, caller: { via: 'token' } }
        : { admit: false, status: 401, error: 'unauthorized' },
  }
  const closed: Gate = { ...publicGate, mounting: () => ({ mount: false, because: 'closed' }) }
  let ran = 0
  const act = {
    gate: door,
    params: v.object({ id: v.pipe(v.string(), v.maxLength(3)) }),
    query: v.object({ q: v.optional(v.string()) }),
    body: v.object({ n: v.number() }),
    maxBytes: 20,
    answer: () => (ran++, ok),
  }
  const routes = plain({ 'POST /act/:id': act, 'POST /gone': { gate: cellar, answer: act.answer } }, [
    [door, keeper],
    [cellar, closed],
  ])
  const lock: Policy = {
    on: () => ({ refuse: ({ header }) => (header('x-demo') === undefined ? undefined : locked()) }),
    unknown: () => undefined,
  }
  const locking = definePlugin({ name: 'lock', tag: 'P', gives: { policies } })
  const setting = () => ({
    plugins: [routes, use(locking.setup(() => ({ gives: { policies: lock } })))],
    origins: { origins: ['https://editor.example'], hosts: ['service.example'] },
  })

  /** The faults of a request in the order of the checks: the answer, the fault, its fix, and the reason. */
  const faults: readonly (readonly [number, string | undefined, Part, Part, RegExp?])[] = [
    [400, 'bad_request', { path: '/%6Eowhere' }, { path: '/nowhere' }],
    [404, 'not_found', { path: '/nowhere' }, { path: '/act/abcd' }],
    [403, 'locked', { 'x-demo': '1' }, {}],
    [401, undefined, { 'x-stranger': '1' }, {}],
    [403, 'host_not_allowed', { host: 'evil.example' }, { host: 'service.example:4200' }],
    [403, 'origin_not_allowed', { origin: 'https://evil.example' }, { origin: 'https://editor.example' }],
    [415, 'unsupported_media_type', { 'content-type': 'text/plain' }, { 'content-type': 'application/json' }],
    [413, 'body_too_large', { body: `{"n":"${'x'.repeat(20)}"` }, { body: '{"n":' }],
    [400, 'invalid_json', {}, { body: '{"n":"x"}' }],
    [400, 'invalid_request', {}, { path: '/act/abc?q=1&q=2' }, /^'id' of the path is not valid/],
    [400, 'bad_request', {}, { path: '/act/abc' }, /^The query parameter 'q' is given more than once\./],
    [400, 'invalid_request', {}, { body: '{"n":1}' }, /^'n' of the body is not valid: expected number\.$/],
  ]
  return everyWayIn(t, setting, async (t, ask) => {
    ran = 0
    let request: Part = Object.assign({}, ...faults.toReversed().map(([, , wrong]) => wrong))
    const send = () => {
      const { path = '', body = '', ...headers } = request
      return ask({ url: path, method: 'POST', headers, body })
    }
    for (const [status, wanted, wrong, fix, reason] of faults) {
      // fetch sets the Host header itself.
      const code = t.name === 'node' && 'host' in wrong ? 'origin_not_allowed' : wanted
      const answer = await send()
      t.match(
        { status: answer.status, ...v.parse(v.looseObject({}), answer.json()) },
        { status, code, ...(reason !== undefined && { reason }) },
        code ?? 'unauthorized',
      )
      t.equal(
        answer.headers.get('access-control-allow-origin'),
        request['origin'] === 'https://editor.example' ? request['origin'] : null,
      )
      const kept = Object.entries(request).filter(([name]) => !(name in wrong))
      request = { ...Object.fromEntries(kept), ...fix }
    }
    t.equal(ran, 0, 'no handler ran before')
    t.strictSame((await send()).json(), { ok: true })
    t.equal(ran, 1)

    const gone = async (method: string, more: Part = {}) => {
      const headers = { host: 'evil.example', 'x-stranger': '1', ...more }
      return (await ask({ url: '/gone', method, headers })).status
    }
    const preflight = { origin: 'https://editor.example', 'access-control-request-method': 'POST' }
    t.equal(await gone('OPTIONS', { ...preflight, 'x-demo': '1' }), 204, 'answered without a caller')
    t.equal(await gone('POST', { 'x-demo': '1' }), 403, 'policies run before the 404 of an unmounted route')
    t.equal(await gone('POST'), 404, 'the gate runs after it')
  })
})

t.test('undeclared fields of a reply are never sent, and an invalid one is a bare 500', (t) => {
  const { log, lines } = capturedLog()
  const list = { 200: v.object({ list: v.array(v.object({ n: v.number() })) }) }
  const wrong = {
    'GET /status': () => ({ status: 201, body: { canary: 1 } }),
    'GET /body': {
      replies: list,
      answer: () => ({ status: 200, body: { list: [{ n: 1 }, { n: 'canary' }] } }),
    },
    'GET /nothing': () => undefined,
    'GET /thrown': () => {
      throw new Error('canary of /srv/canary')
    },
    'GET /later': () => Promise.reject(new TypeError('canary')),
    'GET /header': () => ({ ...ok, headers: { location: 'a\r\nset-cookie: canary=1' } }),
    'GET /length': () => ({ ...ok, headers: { 'content-length': '3' } }),
    'GET /stored': { replies: { 200: stored(Ok) }, answer: () => ({ status: 200, body: { canary: 1 } }) },
    'GET /text': { replies: { 200: text('text/plain') }, answer: () => ({ status: 200, body: 12 }) },
    'GET /file': { replies: { 200: file('text/plain') }, answer: () => ({ status: 200, body: 'canary' }) },
    'GET /events': { replies: ticking, answer: () => ({ status: 200, body: ['canary'] }) },
  }
  const right = {
    'GET /extra': {
      replies: { 200: v.object({ name: v.string(), tags: v.array(v.object({ id: v.number() })) }) },
      answer: () => ({
        status: 200,
        body: { name: 'n', password: 'canary', tags: [{ id: 1, secret: 'canary' }] },
      }),
    },
    'GET /empty': { replies: { 204: empty('Nothing.') }, answer: () => ({ status: 204, body: 'canary' }) },
  }
  return everyWay(
    t,
    { ...wrong, ...right },
    async (t, ask) => {
      t.strictSame((await ask({ url: '/extra' })).json(), { name: 'n', tags: [{ id: 1 }] })
      const none = await ask({ url: '/empty' })
      t.strictSame([none.status, none.text], [204, ''])
      for (const url of Object.keys(wrong).map((name) => name.slice(4))) {
        const seen = lines.length
        const answer = await ask({ url })
        t.equal(answer.status, 500, url)
        const requestId = answer.headers.get('x-request-id')
        const reason =
          'Something went wrong inside the service. The log has the details under this request id.'
        t.strictSame(answer.json(), { error: reason, code: 'internal_error', reason, requestId })
        t.equal(answer.headers.get('set-cookie'), null)
        t.match(
          lines.slice(seen).map((line): unknown => JSON.parse(line)),
          [
            {
              level: 50,
              msg: 'request failed',
              route: url,
              plugin: 'plain',
              id: requestId,
              err: { stack: /Error/ },
            },
          ],
        )
      }
      t.match(lines.join(), /'plain\.status' answered 201, which it does not declare/)
      t.match(lines.join(), /'plain\.body' answered 200 with list\.1\.n: /)
      t.match(lines.join(), /'plain\.text' answered 200 with a body that does not fit its reply 'text'/)
    },
    { faults: 'answer', log },
  )
})

t.test('with faults thrown, an error reaches the caller, and Express through next', async (t) => {
  const mounted = mountForTest(t, {
    plugins: [
      plain({
        'GET /now': () => {
          throw new Error('at once')
        },
        'GET /later': () => Promise.reject(new Error('later')),
        'GET /fine': () => ok,
      }),
    ],
  })
  await t.rejects(mounted.inject({ url: '/now' }), { message: 'at once' })
  await t.rejects(mounted.fetch(new Request('http://localhost/now')), { message: 'at once' })
  const server = createServer(
    (request, response) =>
      void mounted.node(request, response, (error) => void response.end(`next: ${String(error)}`)),
  )
  const port = await listen(t, server)
  const over = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  t.strictSame(await Promise.all(['/now', '/later', '/fine'].map(over)), [
    'next: Error: at once',
    'next: Error: later',
    '{"ok":true}',
  ])
  // With no timer close would never end if it waited for the failed requests.
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  await mounted.close()
})

const canary = 'Canary-73'
const never = () => false
const short = 'expected length <=3'
/** Schemas, a wrong value for each, and the description: `path: message`, the path if it differs. */
const kinds: Readonly<Record<string, readonly [v.GenericSchema, unknown, string, string?]>> = {
  text: [v.string(), 73, 'expected string'],
  list: [v.array(v.object({ n: v.number() })), [{ n: 1 }, { n: canary }], 'expected number', 'list[1].n'],
  pattern: [v.pipe(v.string(), v.regex(/^[a-z]+$/)), canary, 'expected format /^[a-z]+$/'],
  big: [v.pipe(v.number(), v.minValue(10)), 7.3, 'expected value >=10'],
  check: [v.pipe(v.string(), v.check(never)), canary, 'no valid input'],
  described: [v.pipe(v.string(), v.check(never, 'name a page')), canary, 'name a page'],
  choice: [v.picklist(['a', 'b']), canary, 'expected ("a" | "b")'],
  exact: [v.strictObject({}), { x: canary }, 'expected never', 'exact.x'],
  record: [v.record(v.pipe(v.string(), v.maxLength(3)), v.number()), { longer: 1 }, short, 'record.longer'],
  custom: [v.custom<string>(() => false), canary, 'expected unknown'],
}
const ofKinds = <T>(pick: (kind: (typeof kinds)[string]) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, pick(kind)]))

t.test('a validation error describes what was expected, without the value', (t) =>
  everyWay(
    t,
    {
      'POST /all': { body: v.object(ofKinds(([schema]) => schema)) },
      'POST /whole': { body: v.array(v.number()) },
      'GET /query': {
        query: v.object({ session: v.string(), page: v.optional(v.pipe(v.string(), v.digits())) }),
      },
      'GET /path/:n': { params: v.object({ n: v.pipe(v.string(), v.digits()) }) },
    },
    async (t, ask) => {
      const answer = await ask({ url: '/all', method: 'POST', json: ofKinds(([, wrong]) => wrong) })
      t.strictSame(answer.json(), {
        error: "'text' of the body is not valid: expected string.",
        code: 'invalid_request',
        reason: "'text' of the body is not valid: expected string.",
        details: Object.entries(kinds).map(([name, [, , message, path = name]]) => ({ path, message })),
      })
      t.notMatch(answer.text, /Canary|7\.3|73/)
      const sentences = [
        [{ url: '/all', method: 'POST' }, 'text is required'],
        [{ url: '/whole', method: 'POST', json: {} }, 'The body is not valid: expected Array.'],
        [{ url: '/all', method: 'POST', json: [] }, 'The body is not valid: expected Object.'],
        [{ url: '/whole', method: 'POST', json: ['x'] }, "'[0]' of the body is not valid: expected number."],
        [{ url: '/query' }, 'session is required'],
        [{ url: `/query?session=a&page=${canary}` }, "'page' of the query is not valid: no valid digits."],
        [{ url: '/path/x' }, "'n' of the path is not valid: no valid digits."],
      ] as const
      for (const [request, reason] of sentences)
        t.match((await ask(request)).json(), { error: reason, code: 'invalid_request', reason })
      const many = await ask({ url: '/whole', method: 'POST', json: Array.from({ length: 50 }, () => 'x') })
      t.match(many.json(), { details: { length: 20 } }, 'details are limited to twenty')
    },
  ),
)

t.test('undeclared keys are dropped, and a repeated parameter of a query is refused', (t) =>
  everyWay(
    t,
    {
      'POST /echo/:id': {
        query: v.object({ a: v.optional(v.string()) }),
        body: v.object({ n: v.optional(v.number()) }),
        replies: Saw,
        answer: ({ params, query, body }) => ({ status: 200, body: { saw: { params, query, body } } }),
      },
      'GET /loose': { replies: Saw, answer: ({ query }) => ({ status: 200, body: { saw: { query } } }) },
    },
    async (t, ask) => {
      const saw = async (url: string, json?: unknown): Promise<unknown> =>
        (await ask({ url, ...(json !== undefined && { method: 'POST', json }) })).json()
      const reason = "The query parameter 'b' is given more than once. Give it once."
      const twice = await saw('/echo/%25%20x?a=%2B+1&b=2&b=3&toString=4&__proto__=5', { n: 1, m: 2 })
      t.strictSame(twice, { code: 'bad_request', error: reason, reason })
      t.strictSame(await saw('/echo/%25%20x?a=%2B+1&toString=4&__proto__=5', { n: 1, m: 2 }), {
        saw: { params: { id: '% x' }, query: { a: '+ 1' }, body: { n: 1 } },
      })
      t.strictSame(await saw('/loose?a=1&a=2'), { saw: { query: {} } })
    },
  ),
)

t.test('a parsed query is cached and cannot be changed by a handler', async (t) => {
  let read = 0
  const counted = v.pipe(
    v.string(),
    v.transform((text) => (read++, text)),
  )
  const routes = plain({
    'GET /see': {
      query: v.object({ a: counted }),
      replies: { 200: v.object({ a: v.string(), changed: v.boolean() }) },
      answer: ({ query }: { query: { a: string } }) => ({
        status: 200,
        body: { a: query.a, changed: Reflect.set(query, 'a', 'mine') },
      }),
    },
  })
  const mounted = mountForTest(t, { plugins: [routes] })
  const see = async (search: string) => (await mounted.inject({ url: `/see?${search}` })).json()
  for (let time = 0; time < 3; time++) {
    for (const a of ['1', '2']) t.same(await see(`a=${a}`), { a, changed: false })
    t.match(await see('b=1'), { code: 'invalid_request' })
  }
  t.equal(read, 2)
  for (let time = 0; time < 2; time++) t.match(await see('a=3&accessToken=x'), { a: '3' })
  t.equal(read, 4, 'a query that may hold a secret is not cached')
  for (let n = 0; n < 1_000; n++) await see(`a=${n}`)
  t.match(await see('a=1'), { a: '1' }, 'after the cache overflowed')
})

const usual = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Origin',
}
const inJson = { 'content-type': 'application/json; charset=utf-8' }

t.test('replies of every kind arrive with the common headers, and HEAD gets these alone', (t) => {
  let opened = 0
  async function* streamed<T>(...parts: readonly T[]): AsyncGenerator<T> {
    opened++
    yield* parts
  }
  const words = ['a', 'b', 'c'].map((word) => Buffer.from(word.repeat(50_000)))
  const png = {
    'content-type': 'image/png',
    'cache-control': 'public, max-age=60',
    'content-security-policy': 'sandbox',
  }
  const self = { 'content-security-policy': "default-src 'self'" }
  const typed = (type: string) => ({ 'content-type': type })
  const cookies = ['a=1; Path=/', 'b=2, 3; HttpOnly']
  type Kind = readonly [
    reply: object,
    status: number,
    body: () => unknown,
    arrives: string,
    headers?: Readonly<Record<string, string | string[]>>,
    more?: Readonly<Record<string, string>>,
  ]
  /** The last one has the headers that arrive besides those of the answer. */
  const kinds: Readonly<Record<string, Kind>> = {
    json: [
      v.object({ x: v.string() }),
      201,
      () => ({ x: '\u2028 "ä"' }),
      '{"x":"\u2028 \\"ä\\""}',
      {},
      inJson,
    ],
    stored: [stored(Ok), 200, () => '{ "ok": true }', '{ "ok": true }', { etag: '"1"' }, inJson],
    bytes: [file('image/png'), 200, () => Buffer.from('png'), 'png', png],
    stream: [
      file('text/plain'),
      200,
      () => streamed(...words),
      Buffer.concat(words).toString(),
      typed('text/plain'),
    ],
    page: [
      text('text/html; charset=utf-8'),
      200,
      () => '<p>häß</p>',
      '<p>häß</p>',
      self,
      typed('text/html; charset=utf-8'),
    ],
    away: [redirect('Elsewhere.'), 302, () => null, '', { location: '/json?a=1' }],
    cookies: [empty('Sets cookies.'), 204, () => null, '', { 'set-cookie': cookies }],
    missing: [v.object({ error: v.string() }), 404, () => ({ error: 'gone' }), '{"error":"gone"}'],
  }
  const routes = Object.entries(kinds).map(([name, [reply, status, body, , headers]]) => [
    `GET /${name}`,
    {
      replies: { [status]: reply },
      answer: async () => ({ status, body: body(), ...(headers && { headers }) }),
    },
  ])
  const ticks = { replies: ticking, answer: () => ({ status: 200, body: streamed({ data: { ok: true } }) }) }
  return everyWay(t, { ...Object.fromEntries(routes), 'GET /events': ticks }, async (t, ask) => {
    for (const [name, [, status, , text, sent, more]] of Object.entries(kinds)) {
      const url = `/${name}`
      const answer = await ask({ url })
      t.strictSame([answer.status, answer.text], [status, text], name)
      opened = 0
      const head = await ask({ url, method: 'HEAD' })
      t.strictSame([head.status, head.text, opened], [status, '', 0], `HEAD ${url}`)
      for (const { headers } of [answer, head]) {
        for (const [header, value] of Object.entries({ ...usual, ...sent, ...more }))
          t.equal(headers.get(header), String(value).replace(',b', ', b'), `${name}: ${header}`)
        t.match(headers.get('x-request-id'), /^[0-9a-f]{8}-[0-9a-z]+$/)
        t.equal(headers.get('x-powered-by') ?? headers.get('server'), null)
      }
      const length = name === 'stream' || status === 204 ? null : String(Buffer.byteLength(text))
      if (t.name === 'node') t.equal(head.headers.get('content-length'), length, name)
    }
    t.strictSame((await ask({ url: '/cookies' })).headers.getSetCookie(), cookies)
    opened = 0
    t.match(await ask({ url: '/events', method: 'HEAD' }), { status: 200, text: '' })
    t.equal(opened, 0, 'no stream was opened')
    t.equal((await ask({ url: '/nowhere', method: 'HEAD' })).status, 404)
  })
})

t.test('a matching if-none-match is answered 304', (t) => {
  const headers = { etag: '"12"', 'cache-control': 'private, no-cache' }
  return everyWay(
    t,
    {
      'GET /get': {
        replies: { 200: stored(Ok) },
        answer: () => ({ status: 200, headers, body: '{"ok":true}' }),
      },
      'GET /json': () => ok,
      'GET /gone': { replies: { 404: Ok }, answer: () => ({ status: 404, headers, body: { ok: true } }) },
      'POST /post': () => ({ ...ok, headers }),
    },
    async (t, ask) => {
      const asking = (url: string, known: string, method = 'GET') =>
        ask({ url, method, headers: { 'if-none-match': known } })
      for (const known of ['"12"', 'W/"12"', '"11", "12"', ' "11" ,W/"12" ', '*']) {
        const { status, text, headers } = await asking('/get', known)
        const shown = ['etag', 'cache-control', 'content-length', 'vary'].map((name) => headers.get(name))
        t.strictSame([status, text, ...shown], [304, '', '"12"', 'private, no-cache', null, 'Origin'], known)
        t.equal((await asking('/get', known, 'HEAD')).status, 304, `HEAD ${known}`)
      }
      for (const known of ['"1"', '12', '"12', '"120"', 'W/"1"', ''])
        t.equal((await asking('/get', known)).status, 200, known)
      t.equal((await asking('/json', '*')).status, 200, 'an answer without a tag is always sent')
      t.equal((await asking('/gone', '"12"')).status, 404)
      t.equal((await asking('/post', '"12"', 'POST')).status, 200)
    },
  )
})

t.test('a route timeout answers 503, aborts the handler, and ignores a late result', (t) => {
  const { log, lines } = capturedLog()
  // The timeout does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  const aborted = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  const late = async ({ signal }: Call) => {
    await aborted(signal).catch(() => wait(20))
    throw new Error('too late')
  }
  const timeoutMs = 30
  const quick = async ({ signal }: Call) => (await wait(1), t.notOk(signal.aborted), ok)
  return everyWay(
    t,
    {
      'GET /slow': { timeoutMs, answer: late },
      'GET /aborting': { timeoutMs, answer: ({ signal }) => aborted(signal) },
      'GET /quick': { timeoutMs: 30_000, answer: quick },
    },
    async (t, ask) => {
      const late = await ask({ url: '/slow' })
      t.strictSame([late.status, late.headers.get('retry-after')], [503, '1'])
      t.match(late.json(), { code: 'timed_out', reason: /Send the request again\.$/ })
      t.equal((await ask({ url: '/aborting' })).status, 503, 'a rejection on abort changes nothing')
      t.equal((await ask({ url: '/quick' })).status, 200)
      await wait(40)
      t.match(lines.at(-1), /"msg":"request refused"/)
    },
    { log },
  )
})

t.test('a handler receives caller, headers, raw body and a logger with the request id', async (t) => {
  const calls: Call[] = []
  const { log, lines } = capturedLog()
  const see = plain({
    'POST /see': {
      raw: true,
      answer(call) {
        calls.push(call)
        call.log.info('seen')
        return ok
      },
    },
  })
  await everyWayIn(
    t,
    () => ({ plugins: [see], log }),
    async (t, ask) => {
      const headers = { 'x-one': '1', 'content-type': 'text/plain', 'content-encoding': 'whatever' }
      const bytes = [0, 255, 13, 10]
      const answer = await ask({ url: '/see', method: 'POST', headers, body: new Uint8Array(bytes) })
      t.equal(answer.status, 200)
      const call = calls.at(-1)
      t.equal(call?.id, answer.headers.get('x-request-id'))
      t.strictSame([...v.parse(v.instance(Uint8Array), call?.body)], bytes, 'raw bytes arrive unchanged')
      t.strictSame(
        [call?.headers.get('x-one'), call?.header('x-one'), call?.header('x-two')],
        ['1', '1', undefined],
      )
      t.strictSame([call?.secure, call?.caller, call?.signal.aborted], [false, { via: 'anyone' }, false])
      t.equal(call?.remote?.replace('::ffff:', ''), t.name === 'web' ? undefined : '127.0.0.1')
      t.match(JSON.parse(lines.at(-1) ?? ''), { msg: 'seen' })
    },
  )
  const mounted = mountForTest(t, { plugins: [see] })
  await mounted.fetch(new Request('https://service.example/see', { method: 'POST', body: 'x' }))
  t.equal(calls.at(-1)?.secure, true)
  await mounted.inject({ url: '/see', method: 'POST', remote: '192.0.2.1' })
  t.equal(calls.at(-1)?.remote, '192.0.2.1')
})

t.test('gates decide before the body is read, and all gates of allOf must admit', (t) => {
  const asked: string[] = []
  const judge = (name: string, verdict: Verdict | Promise<Verdict>, mount = true): Gate => ({
    mounting: () => (mount ? { mount } : { mount, because: `${name} is off` }),
    admit({ method, path, search, header, headers, remote, secure }) {
      const values = [method, path, search, header('x-a'), headers.get('x-a'), typeof remote, secure]
      asked.push([name, ...values].join(' '))
      return verdict
    },
  })
  const token: Verdict = { admit: true, caller: { via: 'token', id: 'holder' } }
  const loopback: Verdict = { admit: true, caller: { via: 'loopback' } }
  const no: Verdict = { admit: false, status: 401, error: 'unauthorized' }
  const down = { error: 'unavailable', reason: 'The hook is down. Try again.' }
  const busy: Verdict = { admit: false, status: 503, ...down, extra: { hint: 'x' } }
  const given: Readonly<Record<string, Gate>> = {
    both: allOf(judge('a', token), judge('b', Promise.resolve(loopback))),
    first: allOf(judge('a', no), judge('b', token)),
    second: allOf(judge('a', token), judge('b', Promise.resolve(busy)), judge('c', token)),
    off: allOf(judge('a', token), judge('b', token, false)),
    odd: { mounting: () => ({ mount: true }), admit: () => Promise.reject(new Error('the hook threw')) },
  }
  const replies = { 200: v.object({ via: v.string(), id: v.optional(v.string()) }) }
  const answer = ({ caller }: Call) => ({ status: 200, body: caller })
  const lines = Object.keys(given).map((name) => [
    `POST /${name}`,
    { gate: gate(name), raw: true, replies, answer },
  ])
  const gates = Object.entries(given).map(([name, each]) => [gate(name), each] as const)
  const plugins = [plain(Object.fromEntries(lines), gates)]
  return everyWayIn(
    t,
    () => ({ plugins, faults: 'answer' }),
    async (t, ask) => {
      const post = async (url: string) => {
        asked.length = 0
        const answer = await ask({ url: `${url}?q=1`, method: 'POST', headers: { 'x-a': 'y' }, body: 'x' })
        return [answer.status, answer.json(), asked.length]
      }
      const seen = `POST /both q=1 y y ${t.name === 'web' ? 'undefined' : 'string'} false`
      t.strictSame(await post('/both'), [200, { via: 'loopback' }, 2], 'the last gate names the caller')
      t.strictSame(asked, [`a ${seen}`, `b ${seen}`])
      t.strictSame(await post('/first'), [401, { error: 'unauthorized' }, 1])
      t.strictSame(await post('/second'), [503, { ...down, hint: 'x' }, 2])
      t.match(await post('/off'), [404, { code: 'not_found' }])
      t.match(await post('/odd'), [500, { code: 'internal_error' }])
    },
  )
})

t.test('a failing stream is cut off and logged; a disconnect ends the stream', async (t) => {
  const { log, lines } = capturedLog()
  const ends: string[] = []
  const replies = { 200: file('text/plain') }
  const breaking = async function* () {
    yield Buffer.from('half')
    await wait(20)
    throw new Error('the disk is gone')
  }
  const endless = async function* (signal: AbortSignal) {
    signal.addEventListener('abort', () => ends.push('aborted'))
    try {
      for (;;) yield (await wait(1), Buffer.alloc(1000))
    } finally {
      ends.push('ended')
    }
  }
  const routes = plain({
    'GET /breaks': { replies, answer: () => ({ status: 200, body: breaking() }) },
    'GET /endless': { replies, answer: ({ signal }) => ({ status: 200, body: endless(signal) }) },
  })
  const mounted = mountForTest(t, { plugins: [routes], log })
  const port = await listen(t, createServer(mounted.node))
  for (const open of [
    (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    (path: string) => mounted.fetch(new Request(`http://localhost${path}`)),
  ]) {
    const broken = await open('/breaks')
    t.equal(broken.status, 200)
    await t.rejects(broken.text())
    const err = { message: 'the disk is gone' }
    const id = broken.headers.get('x-request-id')
    const logged = { level: 50, msg: 'stream broke off', route: '/breaks', id, err }
    t.match(JSON.parse(lines.at(-1) ?? ''), logged)

    const reader = (await open('/endless')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await until(() => ends.length >= 2, 'both ends')
    t.strictSame(ends.splice(0).toSorted(), ['aborted', 'ended'])
  }
  await t.rejects(mounted.inject({ url: '/breaks' }), { message: 'the disk is gone' })
})

t.test('a client that leaves is no error in the log, a fault meanwhile is', async (t) => {
  const { log, lines } = capturedLog()
  const replies = { 200: file('application/octet-stream') }
  const ended: string[] = []
  const until = (signal: AbortSignal, how: string) =>
    wait(60_000, undefined, { signal }).finally(() => void ended.push(how))
  const streamed = async function* (signal: AbortSignal) {
    yield Buffer.alloc(10)
    await until(signal, 'streamed')
  }
  const faulty = async (signal: AbortSignal) => {
    await until(signal, 'faulty').catch(() => undefined)
    throw new Error('the disk is gone')
  }
  const routes = plain({
    'GET /streamed': { replies, answer: ({ signal }) => ({ status: 200, body: streamed(signal) }) },
    'GET /awaited': {
      replies,
      answer: async ({ signal }) => ({ status: 200, body: await until(signal, 'awaited') }),
    },
    'GET /faulty': { replies, answer: async ({ signal }) => ({ status: 200, body: await faulty(signal) }) },
  })
  const mounted = mountForTest(t, { plugins: [routes], log, faults: 'answer' })
  const port = await listen(t, createServer(mounted.node))
  for (const name of ['streamed', 'awaited', 'faulty']) {
    const leaving = new AbortController()
    const asked = fetch(`http://127.0.0.1:${port}/${name}`, { signal: leaving.signal })
    asked.catch(() => undefined)
    await wait(100)
    leaving.abort()
    for (let at = 0; !ended.includes(name) && at < 1000; at++) await wait(5)
    await wait(20)
  }
  t.strictSame(ended, ['streamed', 'awaited', 'faulty'])
  t.match(
    lines.map((line): unknown => JSON.parse(line)),
    [{ msg: 'request failed', route: '/faulty', err: { message: 'the disk is gone' } }],
  )
})
