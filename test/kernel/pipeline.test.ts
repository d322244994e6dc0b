import { createServer } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import t, { type Test } from 'tap'
import {
  allOf,
  defineRefusal,
  defineRoutes,
  definePlugin,
  empty,
  events,
  file,
  gate,
  mount,
  policies,
  publicGate,
  queryValue,
  redirect,
  stored,
  text,
  use,
} from '../../kernel/index.ts'
import type { Call, Gate, Plugin, Policy, Verdict } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, type Ask } from '../../kernel/testing.ts'
import { everyWay, ok, Ok, open, plain } from '../helpers/plain.ts'
import { listen } from '../helpers/raw.ts'

const locked = defineRefusal({
  status: 403,
  code: 'locked',
  reason: () => 'This is a demo. Run it yourself.',
})
const Saw = { 200: v.object({ saw: v.unknown() }) }
const ticking = { 200: events(Ok, { retry: 1, heartbeat: 1000 }) }
const overHttp = async (t: Test, mounted: ReturnType<typeof mount>, next?: string) => {
  const port = await listen(
    t,
    createServer(
      (request, response) =>
        void mounted.node(
          request,
          response,
          next !== undefined && request.headers[next] === undefined
            ? undefined
            : (error?: unknown) =>
                void response.end(error instanceof Error ? `next: ${error.message}` : 'the host'),
        ),
    ),
  )
  return async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return [answer.status, await answer.text()]
  }
}

t.test('checks run in a fixed order, and the first that fails answers', (t) => {
  type Part = Readonly<Record<string, string>>
  const door = gate('door')
  const routes = defineRoutes({
    act: {
      method: 'POST',
      path: '/act/:id',
      gate: door,
      summary: '',
      params: v.object({ id: v.pipe(v.string(), v.maxLength(3)) }),
      query: v.object({ q: v.optional(v.string()) }),
      body: v.object({ n: v.number() }),
      maxBytes: 20,
      replies: { 200: Ok },
    },
    gone: { method: 'POST', path: '/gone', gate: gate('cellar'), summary: '', replies: { 200: Ok } },
  })
  const keeper: Gate = {
    ...publicGate,
    admit: ({ header }) =>
      header('x-stranger') === undefined
        ? { admit: true, caller: { via: 'token' } }
        : { admit: false, status: 401, error: 'unauthorized' },
  }
  let ran = 0
  const plugin = definePlugin({
    name: 'p',
    tag: 'P',
    gives: { door, cellar: gate('cellar'), policies },
    routes,
  }).setup(() => ({
    gives: {
      door: keeper,
      cellar: { ...publicGate, mounting: () => ({ mount: false, because: 'closed' }) },
      policies: {
        on: () => ({ refuse: ({ header }) => (header('x-demo') === undefined ? undefined : locked()) }),
        unknown: () => undefined,
      },
    },
    handlers: { act: () => (ran++, ok), gone: () => (ran++, ok) },
  }))
  const setting = () => ({
    plugins: [use(plugin)],
    origins: { origins: ['https://editor.example'], hosts: ['service.example'] },
  })

  /** The faults of a request in the order of the checks: the answer, the fault, its fix, and the reason. */
  const faults: readonly (readonly [number, string | undefined, Part, Part, string?])[] = [
    [400, 'bad_request', { path: '/%6Eowhere' }, { path: '/nowhere' }],
    [404, 'not_found', { path: '/nowhere' }, { path: '/act/abcd' }],
    [403, 'locked', { 'x-demo': '1' }, {}],
    [401, undefined, { 'x-stranger': '1' }, {}],
    [403, 'host_not_allowed', { host: 'evil.example' }, { host: 'service.example:4200' }],
    [403, 'origin_not_allowed', { origin: 'https://evil.example' }, { origin: 'https://editor.example' }],
    [415, 'unsupported_media_type', { 'content-type': 'text/plain' }, { 'content-type': 'application/json' }],
    [413, 'body_too_large', { body: `{"n":"${'x'.repeat(20)}"` }, { body: '{"n":' }],
    [400, 'invalid_json', {}, { body: '{"n":"x"}' }],
    [
      400,
      'invalid_request',
      {},
      { path: '/act/abc?q=1&q=2' },
      "'id' of the path is not valid: expected length <=3.",
    ],
    [
      400,
      'bad_request',
      {},
      { path: '/act/abc' },
      "The query parameter 'q' is given more than once. Give it once.",
    ],
    [400, 'invalid_request', {}, { body: '{"n":1}' }, "'n' of the body is not valid: expected number."],
  ]
  return everyWayIn(t, setting, async (t, ask) => {
    ran = 0
    let request: Record<string, string> = Object.assign(
      {},
      ...faults.toReversed().map(([, , wrong]) => wrong),
    )
    const send: () => ReturnType<Ask> = () => {
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
      request = {
        ...Object.fromEntries(Object.entries(request).filter(([name]) => !(name in wrong))),
        ...fix,
      }
    }
    t.equal(ran, 0, 'no handler ran before')
    t.strictSame((await send()).json(), { ok: true })
    t.equal(ran, 1)

    const preflight = {
      url: '/gone',
      method: 'OPTIONS',
      headers: {
        host: 'evil.example',
        origin: 'https://editor.example',
        'access-control-request-method': 'POST',
        'x-demo': '1',
        'x-stranger': '1',
      },
    }
    t.equal((await ask(preflight)).status, 204, 'a preflight is answered without a caller')
    const left = { url: '/gone', method: 'POST', headers: { 'x-stranger': '1', host: 'evil.example' } }
    t.equal(
      (await ask({ ...left, headers: { ...left.headers, 'x-demo': '1' } })).status,
      403,
      'policies run before the 404 of an unmounted route',
    )
    t.equal((await ask(left)).status, 404, 'the gate runs after it')
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
          [{ level: 50, msg: 'request failed', route: url, id: requestId, err: { stack: /Error/ } }],
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
  await t.rejects(mounted.inject({ url: '/later' }), { message: 'later' })
  await t.rejects(mounted.fetch(new Request('http://localhost/now')), { message: 'at once' })
  const over = await overHttp(t, mounted)
  t.strictSame(
    (await Promise.all(['/now', '/later', '/fine'].map((path) => over(path)))).map(([, text]) => text),
    ['next: at once', 'next: later', '{"ok":true}'],
  )
  // With no timer close would never end if it waited for the failed requests.
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  await mounted.close()
})

t.test('paths below the base path are answered, and others go to the host', async (t) => {
  const mounted = mount(
    {
      shape: 'library',
      env: {},
      log: capturedLog('silent').log,
      plugins: [plain({ 'GET /here': () => ok })],
    },
    { basePath: '/api/orchestrator' },
  )
  t.teardown(() => mounted.close())
  const over = await overHttp(t, mounted, 'x-next')
  t.strictSame(await over('/api/orchestrator/here?a=1'), [200, '{"ok":true}'])
  t.match(await over('/api/orchestrator/there'), [405, /"code":"not_handled"/])
  for (const path of ['/here', '/api/orchestrator', '/api/orchestratorhere', '/api']) {
    t.strictSame(await over(path, { 'x-next': '1' }), [200, 'the host'], path)
    t.match(await over(path), [404, /"code":"not_found"/], path)
    t.equal((await mounted.fetch(new Request(`http://localhost${path}`))).status, 404, path)
  }
  t.equal((await mounted.fetch(new Request('http://localhost/api/orchestrator/here'))).status, 200)
  t.equal((await mounted.inject({ url: '/api/orchestrator/here' })).status, 200)
})

const canary = 'Canary-73'
const never = v.check<string>(() => false)
/** Schemas, a wrong value for each, and the description: `path: message`, the path if it differs. */
const kinds: Readonly<Record<string, readonly [v.GenericSchema, unknown, string, string?]>> = {
  text: [v.string(), 73, 'expected string'],
  list: [v.array(v.object({ n: v.number() })), [{ n: 1 }, { n: canary }], 'expected number', 'list[1].n'],
  pattern: [v.pipe(v.string(), v.regex(/^[a-z]+$/)), canary, 'expected format /^[a-z]+$/'],
  mail: [v.pipe(v.string(), v.email()), canary, 'no valid email'],
  short: [v.pipe(v.string(), v.maxLength(5)), canary, 'expected length <=5'],
  big: [v.pipe(v.number(), v.minValue(10)), 7.3, 'expected value >=10'],
  start: [v.pipe(v.string(), v.startsWith('a')), canary, 'expected start "a"'],
  check: [v.pipe(v.string(), never), canary, 'no valid input'],
  described: [
    v.pipe(
      v.string(),
      v.check(() => false, 'name a page that exists'),
    ),
    canary,
    'name a page that exists',
  ],
  choice: [v.picklist(['a', 'b']), canary, 'expected ("a" | "b")'],
  literal: [v.literal(3), canary, 'expected 3'],
  either: [v.union([v.number(), v.boolean()]), canary, 'expected (number | boolean)'],
  exact: [v.strictObject({}), { x: canary }, 'expected never', 'exact.x'],
  record: [
    v.record(v.pipe(v.string(), v.maxLength(3)), v.number()),
    { longer: 1 },
    'expected length <=3',
    'record.longer',
  ],
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
      'GET /loose': {
        replies: Saw,
        answer: ({ query, body }) => ({ status: 200, body: { saw: { query, body: body ?? null } } }),
      },
    },
    async (t, ask) => {
      const saw = async (url: string, json?: unknown): Promise<unknown> =>
        (await ask({ url, ...(json !== undefined && { method: 'POST', json }) })).json()
      const reason = "The query parameter 'b' is given more than once. Give it once."
      t.strictSame(await saw('/echo/%25%20x?a=%2B+1&b=2&b=3&toString=4&__proto__=5', { n: 1, m: 2 }), {
        code: 'bad_request',
        error: reason,
        reason,
      })
      t.strictSame(await saw('/echo/%25%20x?a=%2B+1&toString=4&__proto__=5', { n: 1, m: 2 }), {
        saw: { params: { id: '% x' }, query: { a: '+ 1' }, body: { n: 1 } },
      })
      t.strictSame(await saw('/loose?a=1&a=2'), { saw: { query: {}, body: null } })
    },
  ),
)

t.test('a parsed query is cached and cannot be changed by a handler', (t) => {
  let read = 0
  const counted = v.pipe(
    v.string(),
    v.transform((text) => (read++, text)),
  )
  const see = plain({
    'GET /see': {
      query: v.object({ a: counted }),
      replies: { 200: v.object({ a: v.string(), changed: v.boolean() }) },
      answer: ({ query }: { query: { a: string } }) => ({
        status: 200,
        body: { a: query.a, changed: Reflect.set(query, 'a', 'mine') },
      }),
    },
  })
  return everyWayIn(
    t,
    () => ((read = 0), { plugins: [see] }),
    async (t, ask) => {
      const see = async (search: string): Promise<unknown> => (await ask({ url: `/see?${search}` })).json()
      for (let time = 0; time < 3; time++) {
        t.same(await see('a=1'), { a: '1', changed: false })
        t.same(await see('a=2'), { a: '2', changed: false })
        t.match(await see('b=1'), { code: 'invalid_request' })
      }
      t.equal(read, 2)
      for (let time = 0; time < 2; time++) t.same(await see('a=3&accessToken=x'), { a: '3', changed: false })
      t.equal(read, 4, 'a query that may hold a secret is not cached')
      for (let n = 0; n < 1_000; n++) await see(`a=${n}`)
      t.same(await see('a=1'), { a: '1', changed: false }, 'after the cache overflowed')
    },
  )
})

t.test('queryValue returns a parameter that occurs exactly once', (t) => {
  const cases = [
    ['accessToken=a%20b', 'a b'],
    ['x=1&accessToken=', ''],
    ['accessToken=1&accessToken=1', undefined],
    ['accesstoken=1', undefined],
    ['xaccessToken=1', undefined],
    ['x=accessToken', undefined],
    ['', undefined],
  ] as const
  for (const [search, value] of cases) t.equal(queryValue(search, 'accessToken'), value, search)
  t.end()
})

const usual = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Origin',
}
const inJson = 'application/json; charset=utf-8'

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
  const cookies = ['a=1; Path=/', 'b=2, 3; HttpOnly']
  /** Reply, answer, the text and the headers that arrive, and the length that HEAD states. */
  const kinds: Readonly<
    Record<
      string,
      readonly [
        object,
        { status: number; body: () => unknown; headers?: object },
        string,
        object,
        string | null,
      ]
    >
  > = {
    json: [
      v.object({ text: v.string() }),
      { status: 201, body: () => ({ text: '\u2028 "häß"' }) },
      '{"text":"\u2028 \\"häß\\""}',
      { 'content-type': inJson },
      '24',
    ],
    stored: [
      stored(Ok),
      { status: 200, body: () => '{ "ok": true }', headers: { etag: '"1"' } },
      '{ "ok": true }',
      { 'content-type': inJson, etag: '"1"' },
      '14',
    ],
    bytes: [
      file('image/png'),
      { status: 200, headers: png, body: () => Buffer.from('png') },
      'png',
      png,
      '3',
    ],
    stream: [
      file('text/plain'),
      { status: 200, headers: { 'content-type': 'text/plain' }, body: () => streamed(...words) },
      Buffer.concat(words).toString(),
      { 'content-type': 'text/plain' },
      null,
    ],
    page: [
      text('text/html; charset=utf-8'),
      { status: 200, body: () => '<p>häß</p>', headers: self },
      '<p>häß</p>',
      { 'content-type': 'text/html; charset=utf-8', ...self },
      '12',
    ],
    away: [
      redirect('Elsewhere.'),
      { status: 302, headers: { location: '/json?a=1' }, body: () => null },
      '',
      { location: '/json?a=1' },
      '0',
    ],
    cookies: [
      empty('Sets cookies.'),
      { status: 204, headers: { 'set-cookie': cookies }, body: () => null },
      '',
      { 'set-cookie': cookies.join(', ') },
      null,
    ],
    missing: [
      v.object({ error: v.string() }),
      { status: 404, body: () => ({ error: 'gone' }) },
      '{"error":"gone"}',
      {},
      '16',
    ],
  }
  const routes = Object.entries(kinds).map(([name, [reply, { body, ...answer }]]) => [
    `GET /${name}`,
    { replies: { [answer.status]: reply }, answer: async () => ({ ...answer, body: body() }) },
  ])
  return everyWay(
    t,
    Object.assign(Object.fromEntries(routes), {
      'GET /events': {
        replies: ticking,
        answer: () => ({ status: 200, body: streamed({ data: { ok: true } }) }),
      },
    }),
    async (t, ask) => {
      for (const [name, [, { status }, text, headers, length]] of Object.entries(kinds)) {
        const answer = await ask({ url: `/${name}` })
        t.strictSame([answer.status, answer.text], [status, text], name)
        for (const [header, value] of Object.entries({ ...usual, ...headers }))
          t.equal(answer.headers.get(header), value, `${name}: ${header}`)
        t.match(answer.headers.get('x-request-id'), /^[0-9a-f]{8}-[0-9a-z]+$/)
        t.equal(answer.headers.get('x-powered-by') ?? answer.headers.get('server'), null)

        opened = 0
        const head = await ask({ url: `/${name}`, method: 'HEAD' })
        t.strictSame([head.status, head.text, opened], [status, '', 0], `HEAD /${name}`)
        for (const [header, value] of Object.entries({ ...usual, ...headers }))
          t.equal(head.headers.get(header), value, `HEAD /${name}: ${header}`)
        if (t.name === 'node') t.equal(head.headers.get('content-length'), length, name)
      }
      t.strictSame((await ask({ url: '/cookies' })).headers.getSetCookie(), cookies)
      opened = 0
      t.match(await ask({ url: '/events', method: 'HEAD' }), { status: 200, text: '' })
      t.equal(opened, 0, 'no stream was opened')
      t.equal((await ask({ url: '/nowhere', method: 'HEAD' })).status, 404)
    },
  )
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
      const statusFor = async (url: string, known: string, method = 'GET'): Promise<number> =>
        (await ask({ url, method, headers: { 'if-none-match': known } })).status
      for (const known of ['"12"', 'W/"12"', '"11", "12"', ' "11" ,W/"12" ', '*']) {
        const answer = await ask({ url: '/get', headers: { 'if-none-match': known } })
        t.strictSame(
          [
            answer.status,
            answer.text,
            answer.headers.get('etag'),
            answer.headers.get('cache-control'),
            answer.headers.get('content-length'),
          ],
          [304, '', '"12"', 'private, no-cache', null],
          known,
        )
        t.equal(answer.headers.get('vary'), 'Origin')
        t.equal(await statusFor('/get', known, 'HEAD'), 304, `HEAD ${known}`)
      }
      for (const known of ['"1"', '12', '"12', '"120"', 'W/"1"', ''])
        t.equal(await statusFor('/get', known), 200, known)
      t.equal(await statusFor('/json', '*'), 200, 'an answer without a tag is always sent')
      t.equal(await statusFor('/gone', '"12"'), 404)
      t.equal(await statusFor('/post', '"12"', 'POST'), 200)
    },
  )
})

t.test('a route timeout answers 503, aborts the handler, and ignores a late result', (t) => {
  const { log, lines } = capturedLog()
  // The timeout does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  return everyWay(
    t,
    {
      'GET /slow': {
        timeoutMs: 30,
        async answer({ signal }) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          await wait(20)
          throw new Error('too late')
        },
      },
      'GET /aborting': {
        timeoutMs: 30,
        answer: ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      },
      'GET /quick': {
        timeoutMs: 5000,
        answer: async ({ signal }) => (await wait(1), t.notOk(signal.aborted), ok),
      },
    },
    async (t, ask) => {
      const late = await ask({ url: '/slow' })
      t.equal(late.status, 503)
      t.equal(late.headers.get('retry-after'), '1')
      t.match(late.json(), { code: 'timed_out', reason: /Send the request again\.$/ })
      t.equal(
        (await ask({ url: '/aborting' })).status,
        503,
        'a handler that rejects on abort does not change the answer',
      )
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
        call.log.info({ bytes: (call.body as Uint8Array).byteLength }, 'seen')
        const { header } = call
        return header('x-one') === '1' ? ok : { status: 200, body: { ok: true } }
      },
    },
  })
  const remotes: Record<string, string | undefined> = {
    inject: '127.0.0.1',
    node: '127.0.0.1',
    web: undefined,
  }
  await everyWayIn(
    t,
    () => ({ plugins: [see], log }),
    async (t, ask) => {
      const answer = await ask({
        url: '/see?x=1',
        method: 'POST',
        headers: { 'x-one': '1', 'content-type': 'text/plain', 'content-encoding': 'whatever' },
        body: new Uint8Array([0, 255, 13, 10]),
      })
      t.equal(answer.status, 200)
      const call = calls.at(-1)
      t.equal(call?.id, answer.headers.get('x-request-id'))
      t.strictSame(
        [...v.parse(v.instance(Uint8Array), call?.body)],
        [0, 255, 13, 10],
        'raw bytes arrive unchanged',
      )
      t.equal(call?.headers.get('x-one'), '1')
      t.equal(call?.header('x-two'), undefined)
      t.strictSame([call?.secure, call?.caller, call?.signal.aborted], [false, { via: 'anyone' }, false])
      t.equal(call?.remote?.replace('::ffff:', ''), remotes[t.name])
      t.match(lines.map((line): unknown => JSON.parse(line)).at(-1), { msg: 'seen', bytes: 4 })
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
  const verdict = (name: string, verdict: Verdict | Promise<Verdict>, mount = true): Gate => ({
    mounting: () => (mount ? { mount } : { mount, because: `${name} is off` }),
    admit: ({ method, path, search, header, headers, remote, secure }) => (
      asked.push(
        [name, method, path, search, header('x-a'), headers.get('x-a'), typeof remote, secure].join(' '),
      ),
      verdict
    ),
  })
  const names = ['both', 'first', 'second', 'off', 'odd'] as const
  const refs = Object.fromEntries(names.map((name) => [name, gate(name)]))
  const routes = Object.fromEntries(
    names.map((name) => [
      name,
      {
        method: 'POST',
        path: `/${name}`,
        gate: gate(name),
        summary: '',
        raw: true,
        replies: { 200: v.object({ via: v.string(), id: v.optional(v.string()) }) },
      } as const,
    ]),
  )
  const token: Verdict = { admit: true, caller: { via: 'token', id: 'holder' } }
  const loopback: Verdict = { admit: true, caller: { via: 'loopback' } }
  const no: Verdict = { admit: false, status: 401, error: 'unauthorized' }
  const busy: Verdict = {
    admit: false,
    status: 503,
    error: 'unavailable',
    reason: 'The hook is down. Try again.',
    extra: { hint: 'x' },
  }
  const plugin = definePlugin({ name: 'p', tag: 'P', gives: refs, routes }).setup(() => ({
    gives: {
      both: allOf(verdict('a', token), verdict('b', Promise.resolve(loopback))),
      first: allOf(verdict('a', no), verdict('b', token)),
      second: allOf(verdict('a', token), verdict('b', Promise.resolve(busy)), verdict('c', token)),
      off: allOf(verdict('a', token), verdict('b', token, false)),
      odd: { mounting: () => ({ mount: true }), admit: () => Promise.reject(new Error('the hook threw')) },
    },
    handlers: Object.fromEntries(
      Object.keys(routes).map((key) => [key, ({ caller }: Call) => ({ status: 200, body: caller })]),
    ) as never,
  }))
  return everyWayIn(
    t,
    () => ({ plugins: [use(plugin)], faults: 'answer' }),
    async (t, ask) => {
      const post = async (url: string): Promise<readonly [number, unknown]> => {
        asked.length = 0
        const answer = await ask({ url: `${url}?q=1`, method: 'POST', headers: { 'x-a': 'y' }, body: 'x' })
        return [answer.status, answer.json()]
      }
      const remote = t.name === 'web' ? 'undefined' : 'string'
      t.strictSame(await post('/both'), [200, { via: 'loopback' }], 'the last gate names the caller')
      t.strictSame(asked, [`a POST /both q=1 y y ${remote} false`, `b POST /both q=1 y y ${remote} false`])
      t.strictSame(await post('/first'), [401, { error: 'unauthorized' }])
      t.strictSame(asked.length, 1)
      t.strictSame(await post('/second'), [
        503,
        { error: 'unavailable', reason: 'The hook is down. Try again.', hint: 'x' },
      ])
      t.strictSame(asked.length, 2)
      t.match(await post('/off'), [404, { code: 'not_found' }])
      t.match(await post('/odd'), [500, { code: 'internal_error' }])
    },
  )
})

t.test('a policy refuses requests, rewrites input, and answers unknown paths', (t) => {
  const routes = defineRoutes({
    write: {
      ...open,
      method: 'POST',
      path: '/write',
      traits: { effect: 'change' },
      query: v.object({ session: v.string() }),
      body: v.object({ session: v.string() }),
      replies: { 200: v.object({ saw: v.unknown() }) },
    },
    read: { ...open, method: 'GET', path: '/read', replies: { 200: Ok } },
  })
  const asked: string[] = []
  const demo: Policy = {
    on({ plugin, spec }) {
      asked.push(`${plugin} ${spec.path}`)
      if (spec.traits?.['effect'] !== 'change') return undefined
      return {
        refuse: ({ header }) => (header('x-no') === undefined ? undefined : locked()),
        rewrite: (input, { remote }) => ({
          ...v.parse(v.looseObject({}), input),
          session: `demo-${remote === undefined ? 'anon' : 'known'}`,
        }),
      }
    },
    unknown: ({ path }) => (path.startsWith('/agent') ? locked() : undefined),
  }
  const second: Policy = {
    on: () => ({
      rewrite: (input) => ({ ...v.parse(v.looseObject({ session: v.string() }), input), twice: true }),
    }),
  }
  const doer = definePlugin({ name: 'doer', tag: 'P', routes }).setup(() => ({
    handlers: {
      write: ({ query, body }) => ({ status: 200, body: { saw: [query.session, body.session] } }),
      read: () => ok,
    },
  }))
  const rule = (name: string, policy: Policy): Plugin<undefined> =>
    definePlugin({ name, tag: 'P', gives: { policies } }).setup(() => ({ gives: { policies: policy } }))
  return everyWayIn(
    t,
    () => (
      (asked.length = 0),
      { plugins: [use(doer), use(rule('demo', demo)), use(rule('second', second))], shape: 'library' }
    ),
    async (t, ask) => {
      const session = t.name === 'web' ? 'demo-anon' : 'demo-known'
      t.strictSame(
        (await ask({ url: '/write?session=mine', method: 'POST', json: { session: 'mine' } })).json(),
        { saw: [session, session] },
      )
      t.match((await ask({ url: '/write', method: 'POST', json: {}, headers: { 'x-no': '1' } })).json(), {
        code: 'locked',
        reason: 'This is a demo. Run it yourself.',
      })
      t.equal((await ask({ url: '/read', headers: { 'x-no': '1' } })).status, 200)
      t.equal((await ask({ url: '/agent/start' })).status, 403)
      t.equal((await ask({ url: '/elsewhere' })).status, 405)
      t.strictSame(asked, ['doer /write', 'doer /read'], 'called once per route')
    },
  )
})

t.test('a failing stream is cut off and logged; a disconnect ends the stream', async (t) => {
  const { log, lines } = capturedLog()
  const ends: string[] = []
  const replies = { 200: file('text/plain') }
  async function* breaking() {
    yield Buffer.from('half')
    await wait(20)
    throw new Error('the disk is gone')
  }
  async function* endless(signal: AbortSignal) {
    signal.addEventListener('abort', () => ends.push('aborted'))
    try {
      for (;;) {
        yield Buffer.alloc(1000)
        await wait(1)
      }
    } finally {
      ends.push('ended')
    }
  }
  const plugin = plain({
    'GET /breaks': { replies, answer: () => ({ status: 200, body: breaking() }) },
    'GET /endless': { replies, answer: ({ signal }) => ({ status: 200, body: endless(signal) }) },
  })
  const mounted = mountForTest(t, { plugins: [plugin], log })
  const port = await listen(t, createServer(mounted.node))
  for (const open of [
    (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    (path: string) => mounted.fetch(new Request(`http://localhost${path}`)),
  ]) {
    const broken = await open('/breaks')
    t.equal(broken.status, 200)
    await t.rejects(broken.text())
    t.match(lines.map((line): unknown => JSON.parse(line)).at(-1), {
      level: 50,
      msg: 'stream broke off',
      route: '/breaks',
      id: broken.headers.get('x-request-id'),
      err: { message: 'the disk is gone' },
    })

    const reader = (await open('/endless')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    for (let at = 0; ends.length < 2 && at < 1000; at++) await wait(5)
    t.strictSame(ends.splice(0).toSorted(), ['aborted', 'ended'])
  }
  await t.rejects(mounted.inject({ url: '/breaks' }), { message: 'the disk is gone' })
})
