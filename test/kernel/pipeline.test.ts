import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import t from 'tap'
import {
  allOf,
  defineRefusal,
  defineRoutes,
  definePlugin,
  empty,
  events,
  file,
  gate,
  gates,
  mount,
  policies,
  publicGate,
  queryValue,
  redirect,
  stored,
  text,
  use,
} from '../../kernel/index.ts'
import type { Call, Gate, Plugin, Policy, RoutePolicy, Verdict } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, type Ask } from '../../kernel/testing.ts'
import { listen } from '../helpers/raw.ts'

const locked = defineRefusal({
  status: 403,
  code: 'locked',
  reason: () => 'This is a demo. Run it yourself.',
})
const open = { gate: gates.public, summary: '' }
const Ok = v.object({ ok: v.literal(true) })
const ok = { status: 200, body: { ok: true } } as const

t.test('checks run in a fixed order, and the first that fails answers', (t) => {
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
  const rule: RoutePolicy = {
    refuse: ({ header }) => (header('x-demo') === undefined ? undefined : locked()),
  }
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
      policies: { on: () => rule, unknown: () => undefined },
    },
    handlers: { act: () => (ran++, ok), gone: () => (ran++, ok) },
  }))
  const setting = () => ({
    plugins: [use(plugin)],
    origins: { origins: ['https://editor.example'], hosts: ['service.example'] },
  })

  /** The faults of a request in the order of the checks, each with its fix and the expected answer. */
  const faults = [
    { fix: { path: '/nowhere' }, wrong: { path: '/%6Eowhere' }, status: 400, code: 'bad_request' },
    { fix: { path: '/act/abcd' }, wrong: { path: '/nowhere' }, status: 404, code: 'not_found' },
    { fix: {}, wrong: { 'x-demo': '1' }, status: 403, code: 'locked' },
    { fix: {}, wrong: { 'x-stranger': '1' }, status: 401, code: undefined },
    {
      fix: { host: 'service.example:4200' },
      wrong: { host: 'evil.example' },
      status: 403,
      code: 'host_not_allowed',
    },
    {
      fix: { origin: 'https://editor.example' },
      wrong: { origin: 'https://evil.example' },
      status: 403,
      code: 'origin_not_allowed',
    },
    {
      fix: { 'content-type': 'application/json' },
      wrong: { 'content-type': 'text/plain' },
      status: 415,
      code: 'unsupported_media_type',
    },
    {
      fix: { body: '{"n":' },
      wrong: { body: `{"n":"${'x'.repeat(20)}"` },
      status: 413,
      code: 'body_too_large',
    },
    { fix: { body: '{"n":"x"}' }, wrong: {}, status: 400, code: 'invalid_json' },
    {
      fix: { path: '/act/abc?q=1&q=2' },
      wrong: {},
      status: 400,
      code: 'invalid_request',
      reason: "'id' of the path is not valid: expected length <=3.",
    },
    {
      fix: { path: '/act/abc' },
      wrong: {},
      status: 400,
      code: 'bad_request',
      reason: "The query parameter 'q' is given more than once. Give it once.",
    },
    {
      fix: { body: '{"n":1}' },
      wrong: {},
      status: 400,
      code: 'invalid_request',
      reason: "'n' of the body is not valid: expected number.",
    },
  ]
  return everyWayIn(t, setting, async (t, ask) => {
    ran = 0
    let request: Record<string, string> = Object.assign({}, ...faults.toReversed().map(({ wrong }) => wrong))
    const send: () => ReturnType<Ask> = () => {
      const { path = '', body = '', ...headers } = request
      return ask({ url: path, method: 'POST', headers, body })
    }
    for (const { fix, wrong, ...expected } of faults) {
      // fetch sets the Host header itself.
      const { status, code, reason } =
        t.name === 'node' && 'host' in wrong ? { ...expected, code: 'origin_not_allowed' } : expected
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

t.test(
  'undeclared fields of a reply are never sent, and an invalid reply is an internal error without details',
  (t) => {
    const routes = defineRoutes({
      extra: {
        ...open,
        method: 'GET',
        path: '/extra',
        replies: { 200: v.object({ name: v.string(), tags: v.array(v.object({ id: v.number() })) }) },
      },
      status: { ...open, method: 'GET', path: '/status', replies: { 200: Ok } },
      body: {
        ...open,
        method: 'GET',
        path: '/body',
        replies: { 200: v.object({ list: v.array(v.object({ n: v.number() })) }) },
      },
      nothing: { ...open, method: 'GET', path: '/nothing', replies: { 200: Ok } },
      thrown: { ...open, method: 'GET', path: '/thrown', replies: { 200: Ok } },
      later: { ...open, method: 'GET', path: '/later', replies: { 200: Ok } },
      header: { ...open, method: 'GET', path: '/header', replies: { 200: Ok } },
      length: { ...open, method: 'GET', path: '/length', replies: { 200: Ok } },
      stored: { ...open, method: 'GET', path: '/stored', replies: { 200: stored(Ok) } },
      text: { ...open, method: 'GET', path: '/text', replies: { 200: text('text/plain') } },
      file: { ...open, method: 'GET', path: '/file', replies: { 200: file('text/plain') } },
      events: {
        ...open,
        method: 'GET',
        path: '/events',
        replies: { 200: events(Ok, { retry: 1, heartbeat: 1000 }) },
      },
      empty: { ...open, method: 'GET', path: '/empty', replies: { 204: empty('Nothing.') } },
    })
    // Answers as of a plugin in plain JavaScript, without type checks.
    const answers: Readonly<Record<keyof typeof routes, () => unknown>> = {
      extra: () => ({
        status: 200,
        body: { name: 'n', password: 'canary', tags: [{ id: 1, secret: 'canary' }] },
      }),
      status: () => ({ status: 201, body: { canary: 1 } }),
      body: () => ({ status: 200, body: { list: [{ n: 1 }, { n: 'canary' }] } }),
      nothing: () => undefined,
      thrown: () => {
        throw new Error('canary of /srv/canary')
      },
      later: () => Promise.reject(new TypeError('canary')),
      header: () => ({ ...ok, headers: { location: 'a\r\nset-cookie: canary=1' } }),
      length: () => ({ ...ok, headers: { 'content-length': '3' } }),
      stored: () => ({ status: 200, body: { canary: 1 } }),
      text: () => ({ status: 200, body: 12 }),
      file: () => ({ status: 200, body: 'canary' }),
      events: () => ({ status: 200, body: ['canary'] }),
      empty: () => ({ status: 204, body: 'canary' }),
    }
    const plugin: Plugin<undefined> = {
      ...definePlugin({ name: 'plain', tag: 'P' }).setup(() => ({})),
      routes,
      boot: async () => ({ handlers: answers as never, gives: {} }),
    }
    const { log, lines } = capturedLog()
    return everyWayIn(
      t,
      () => ({ plugins: [use(plugin)], faults: 'answer', log }),
      async (t, ask) => {
        t.strictSame((await ask({ url: '/extra' })).json(), { name: 'n', tags: [{ id: 1 }] })
        const none = await ask({ url: '/empty' })
        t.strictSame([none.status, none.text], [204, ''])
        for (const name of Object.keys(routes).filter((name) => !['extra', 'empty'].includes(name))) {
          const seen = lines.length
          const answer = await ask({ url: `/${name}` })
          t.equal(answer.status, 500, name)
          const requestId = answer.headers.get('x-request-id')
          const reason =
            'Something went wrong inside the service. The log has the details under this request id.'
          t.strictSame(answer.json(), { error: reason, code: 'internal_error', reason, requestId })
          t.equal(answer.headers.get('set-cookie'), null)
          t.match(
            lines.slice(seen).map((line): unknown => JSON.parse(line)),
            [{ level: 50, msg: 'request failed', route: `/${name}`, id: requestId, err: { stack: /Error/ } }],
          )
        }
        t.match(lines.join(), /'plain\.status' answered 201, which it does not declare/)
        t.match(lines.join(), /'plain\.body' answered 200 with list\.1\.n: /)
        t.match(lines.join(), /'plain\.text' answered 200 with a body that does not fit its reply 'text'/)
      },
    )
  },
)

t.test('with faults thrown, an error reaches the caller, and Express through next', async (t) => {
  const routes = defineRoutes({
    now: { ...open, method: 'GET', path: '/now', replies: { 200: Ok } },
    later: { ...open, method: 'GET', path: '/later', replies: { 200: Ok } },
    fine: { ...open, method: 'GET', path: '/fine', replies: { 200: Ok } },
  })
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      now: () => {
        throw new Error('at once')
      },
      later: () => Promise.reject(new Error('later')),
      fine: () => ok,
    },
  }))
  const mounted = mountForTest(t, { plugins: [use(plugin)] })
  await t.rejects(mounted.inject({ url: '/now' }), { message: 'at once' })
  await t.rejects(mounted.inject({ url: '/later' }), { message: 'later' })
  await t.rejects(mounted.fetch(new Request('http://localhost/now')), { message: 'at once' })

  const port = await listen(
    t,
    createServer((request, response) => {
      const next = (error?: unknown): void =>
        void response.end(error instanceof Error ? `next: ${error.message}` : 'next')
      void mounted.node(request, response, next)
    }),
  )
  const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  t.strictSame(await Promise.all(['/now', '/later', '/fine'].map(ask)), [
    'next: at once',
    'next: later',
    '{"ok":true}',
  ])
  const started = performance.now()
  await mounted.close()
  t.ok(performance.now() - started < 9_000, 'close does not wait ten seconds for failed requests')
})

t.test('paths below the base path are answered, and others go to the host', async (t) => {
  const routes = defineRoutes({ here: { ...open, method: 'GET', path: '/here', replies: { 200: Ok } } })
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({ handlers: { here: () => ok } }))
  const mounted = mount(
    { shape: 'library', env: {}, log: capturedLog('silent').log, plugins: [use(plugin)] },
    { basePath: '/api/orchestrator' },
  )
  t.teardown(() => mounted.close())
  const port = await listen(
    t,
    createServer(
      (request, response) =>
        void mounted.node(
          request,
          response,
          request.headers['x-next'] === undefined ? undefined : () => void response.end('the host'),
        ),
    ),
  )
  const over = async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return [answer.status, await answer.text()]
  }
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

const Everything = v.object({
  text: v.string(),
  list: v.array(v.object({ n: v.number() })),
  pattern: v.pipe(v.string(), v.regex(/^[a-z]+$/)),
  mail: v.pipe(v.string(), v.email()),
  short: v.pipe(v.string(), v.maxLength(5)),
  big: v.pipe(v.number(), v.minValue(10)),
  start: v.pipe(v.string(), v.startsWith('a')),
  check: v.pipe(
    v.string(),
    v.check(() => false),
  ),
  described: v.pipe(
    v.string(),
    v.check(() => false, 'name a page that exists'),
  ),
  choice: v.picklist(['a', 'b']),
  literal: v.literal(3),
  either: v.union([v.number(), v.boolean()]),
  exact: v.strictObject({}),
  record: v.record(v.pipe(v.string(), v.maxLength(3)), v.number()),
  custom: v.custom<string>(() => false),
})

t.test('a validation error describes what was expected, without the value', (t) => {
  const routes = defineRoutes({
    all: { ...open, method: 'POST', path: '/all', body: Everything, replies: { 200: Ok } },
    whole: { ...open, method: 'POST', path: '/whole', body: v.array(v.number()), replies: { 200: Ok } },
    query: {
      ...open,
      method: 'GET',
      path: '/query',
      query: v.object({ session: v.string(), page: v.optional(v.pipe(v.string(), v.digits())) }),
      replies: { 200: Ok },
    },
    path: {
      ...open,
      method: 'GET',
      path: '/path/:n',
      params: v.object({ n: v.pipe(v.string(), v.digits()) }),
      replies: { 200: Ok },
    },
  })
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: { all: () => ok, whole: () => ok, query: () => ok, path: () => ok },
  }))
  const canary = 'Canary-73'
  const wrong = {
    text: 73,
    list: [{ n: 1 }, { n: canary }],
    pattern: canary,
    mail: canary,
    short: canary,
    big: 7.3,
    start: canary,
    check: canary,
    described: canary,
    choice: canary,
    literal: canary,
    either: canary,
    exact: { x: canary },
    record: { longer: 1 },
    custom: canary,
  }
  const expected = {
    text: 'expected string',
    'list[1].n': 'expected number',
    pattern: 'expected format /^[a-z]+$/',
    mail: 'no valid email',
    short: 'expected length <=5',
    big: 'expected value >=10',
    start: 'expected start "a"',
    check: 'no valid input',
    described: 'name a page that exists',
    choice: 'expected ("a" | "b")',
    literal: 'expected 3',
    either: 'expected (number | boolean)',
    'exact.x': 'expected never',
    'record.longer': 'expected length <=3',
    custom: 'expected unknown',
  }
  return everyWayIn(
    t,
    () => ({ plugins: [use(plugin)] }),
    async (t, ask) => {
      const answer = await ask({ url: '/all', method: 'POST', json: wrong })
      t.strictSame(answer.json(), {
        error: "'text' of the body is not valid: expected string.",
        code: 'invalid_request',
        reason: "'text' of the body is not valid: expected string.",
        details: Object.entries(expected).map(([path, message]) => ({ path, message })),
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
  )
})

t.test(
  'undeclared keys are dropped, and a repeated parameter is refused if the route declares a query',
  (t) => {
    const routes = defineRoutes({
      echo: {
        ...open,
        method: 'POST',
        path: '/echo/:id',
        query: v.object({ a: v.optional(v.string()) }),
        body: v.object({ n: v.optional(v.number()) }),
        replies: { 200: v.object({ saw: v.unknown() }) },
      },
      loose: { ...open, method: 'GET', path: '/loose', replies: { 200: v.object({ saw: v.unknown() }) } },
    })
    const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
      handlers: {
        echo: ({ params, query, body }) => ({ status: 200, body: { saw: { params, query, body } } }),
        loose: ({ query, body }) => ({ status: 200, body: { saw: { query, body: body ?? null } } }),
      },
    }))
    return everyWayIn(
      t,
      () => ({ plugins: [use(plugin)] }),
      async (t, ask) => {
        const saw = async (url: string, json?: unknown): Promise<unknown> =>
          (await ask({ url, ...(json !== undefined && { method: 'POST', json }) })).json()
        t.strictSame(await saw('/echo/%25%20x?a=%2B+1&b=2&b=3&toString=4&__proto__=5', { n: 1, m: 2 }), {
          code: 'bad_request',
          error: "The query parameter 'b' is given more than once. Give it once.",
          reason: "The query parameter 'b' is given more than once. Give it once.",
        })
        t.strictSame(await saw('/echo/%25%20x?a=%2B+1&toString=4&__proto__=5', { n: 1, m: 2 }), {
          saw: { params: { id: '% x' }, query: { a: '+ 1' }, body: { n: 1 } },
        })
        t.strictSame(await saw('/loose?a=1&a=2'), { saw: { query: {}, body: null } })
      },
    )
  },
)

t.test('a parsed query is cached and cannot be changed by a handler', (t) => {
  let read = 0
  const counted = v.pipe(
    v.string(),
    v.transform((text) => (read++, text)),
  )
  const routes = defineRoutes({
    see: {
      ...open,
      method: 'GET',
      path: '/see',
      query: v.object({ a: counted }),
      replies: { 200: v.object({ a: v.string(), changed: v.boolean() }) },
    },
  })
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      see: ({ query }) => ({ status: 200, body: { a: query.a, changed: Reflect.set(query, 'a', 'mine') } }),
    },
  }))
  return everyWayIn(
    t,
    () => ((read = 0), { plugins: [use(plugin)] }),
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

t.test('every GET route answers HEAD with the same headers and no body', async (t) => {
  let opened = 0
  const routes = defineRoutes({
    json: { ...open, method: 'GET', path: '/json', replies: { 200: v.object({ text: v.string() }) } },
    stored: { ...open, method: 'GET', path: '/stored', replies: { 200: stored(Ok) } },
    bytes: { ...open, method: 'GET', path: '/bytes', replies: { 200: file('image/png') } },
    stream: { ...open, method: 'GET', path: '/stream', replies: { 200: file('text/plain') } },
    text: { ...open, method: 'GET', path: '/text', replies: { 200: text('text/html; charset=utf-8') } },
    redirect: { ...open, method: 'GET', path: '/redirect', replies: { 302: redirect('Elsewhere.') } },
    empty: { ...open, method: 'GET', path: '/empty', replies: { 204: empty('Nothing.') } },
    missing: { ...open, method: 'GET', path: '/missing', replies: { 404: v.object({ error: v.string() }) } },
    events: {
      ...open,
      method: 'GET',
      path: '/events',
      replies: { 200: events(Ok, { retry: 1, heartbeat: 1000 }) },
    },
  })
  async function* bytes(): AsyncGenerator<Uint8Array> {
    opened++
    yield Buffer.from('streamed')
  }
  async function* ticks(): AsyncGenerator<{ readonly data: { readonly ok: true } }> {
    opened++
    yield { data: { ok: true } }
  }
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      json: () => ({ status: 200, body: { text: 'häß' } }),
      stored: () => ({ status: 200, body: Buffer.from('{"ok":true}') }),
      bytes: () => ({
        status: 200,
        headers: { 'content-type': 'image/png' },
        body: new Uint8Array([1, 2, 3]),
      }),
      stream: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: bytes() }),
      text: () => ({ status: 200, body: '<p>' }),
      redirect: () => ({ status: 302, headers: { location: '/json' }, body: null }),
      empty: () => ({ status: 204, body: null }),
      missing: () => ({ status: 404, body: { error: 'gone' } }),
      events: () => ({ status: 200, body: (opened++, ticks()) }),
    },
  }))
  const lengths: Record<string, string | null> = {
    json: '16',
    stored: '11',
    bytes: '3',
    stream: null,
    text: '3',
    redirect: '0',
    empty: null,
    missing: '16',
    events: null,
  }
  await everyWayIn(
    t,
    () => ({ plugins: [use(plugin)] }),
    async (t, ask) => {
      for (const name of Object.keys(routes)) {
        const [get, head] = [
          await ask({ url: `/${name}` }),
          ((opened = 0), await ask({ url: `/${name}`, method: 'HEAD' })),
        ]
        const comparable = ({ headers }: typeof get): unknown =>
          Object.fromEntries(
            [...headers].filter(
              ([key]) =>
                !['date', 'x-request-id', 'transfer-encoding', 'keep-alive', 'connection'].includes(key),
            ),
          )
        t.equal(head.status, get.status, name)
        t.equal(head.text, '', name)
        t.strictSame(comparable(head), comparable(get), name)
        t.equal(opened, 0, `${name}: no source was opened`)
        if (t.name === 'node') t.equal(head.headers.get('content-length'), lengths[name] ?? null, name)
      }
      t.equal((await ask({ url: '/nowhere', method: 'HEAD' })).status, 404)
    },
  )
})

t.test('a matching if-none-match is answered 304', (t) => {
  const routes = defineRoutes({
    get: { ...open, method: 'GET', path: '/get', replies: { 200: stored(Ok), 404: Ok } },
    json: { ...open, method: 'GET', path: '/json', replies: { 200: Ok } },
    gone: { ...open, method: 'GET', path: '/gone', replies: { 404: Ok } },
    post: { ...open, method: 'POST', path: '/post', replies: { 200: Ok } },
  })
  const headers = { etag: '"12"', 'cache-control': 'private, no-cache' }
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      get: () => ({ status: 200, headers, body: '{"ok":true}' }),
      json: () => ok,
      gone: () => ({ status: 404, headers, body: { ok: true } }),
      post: () => ({ ...ok, headers }),
    },
  }))
  return everyWayIn(
    t,
    () => ({ plugins: [use(plugin)] }),
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

t.test('replies of every kind arrive unchanged, with the common headers', (t) => {
  const routes = defineRoutes({
    json: { ...open, method: 'GET', path: '/json', replies: { 201: v.object({ text: v.string() }) } },
    stored: { ...open, method: 'GET', path: '/stored', replies: { 200: stored(Ok) } },
    bytes: { ...open, method: 'GET', path: '/bytes', replies: { 200: file('image/png') } },
    stream: { ...open, method: 'GET', path: '/stream', replies: { 200: file('text/plain') } },
    page: { ...open, method: 'GET', path: '/page', replies: { 200: text('text/html; charset=utf-8') } },
    away: { ...open, method: 'GET', path: '/away', replies: { 302: redirect('Elsewhere.') } },
    cookies: { ...open, method: 'GET', path: '/cookies', replies: { 204: empty('Sets cookies.') } },
  })
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      json: () => ({ status: 201, body: { text: '\u2028 "häß"' } }),
      stored: () => ({ status: 200, body: '{ "ok": true }', headers: { etag: '"1"' } }),
      bytes: () => ({
        status: 200,
        headers: {
          'content-type': 'image/png',
          'cache-control': 'public, max-age=60',
          'content-security-policy': 'sandbox',
        },
        body: Buffer.from('png'),
      }),
      async stream() {
        return {
          status: 200,
          headers: { 'content-type': 'text/plain' },
          body: (async function* () {
            for (const word of ['a', 'b', 'c']) yield Buffer.from(word.repeat(50_000))
          })(),
        }
      },
      page: () => ({
        status: 200,
        body: '<p>häß</p>',
        headers: { 'content-security-policy': "default-src 'self'" },
      }),
      away: () => ({ status: 302, headers: { location: '/json?a=1' }, body: null }),
      cookies: () => ({
        status: 204,
        headers: { 'set-cookie': ['a=1; Path=/', 'b=2, 3; HttpOnly'] },
        body: null,
      }),
    },
  }))
  const usual = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Origin',
  }
  const expected: Readonly<Record<string, readonly [number, string, Readonly<Record<string, string>>]>> = {
    json: [201, '{"text":"\u2028 \\"häß\\""}', { 'content-type': 'application/json; charset=utf-8' }],
    stored: [200, '{ "ok": true }', { 'content-type': 'application/json; charset=utf-8', etag: '"1"' }],
    bytes: [
      200,
      'png',
      {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=60',
        'content-security-policy': 'sandbox',
      },
    ],
    stream: [
      200,
      'a'.repeat(50_000) + 'b'.repeat(50_000) + 'c'.repeat(50_000),
      { 'content-type': 'text/plain' },
    ],
    page: [
      200,
      '<p>häß</p>',
      { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'self'" },
    ],
    away: [302, '', { location: '/json?a=1' }],
    cookies: [204, '', {}],
  }
  return everyWayIn(
    t,
    () => ({ plugins: [use(plugin)] }),
    async (t, ask) => {
      for (const [name, [status, text, headers]] of Object.entries(expected)) {
        const answer = await ask({ url: `/${name}` })
        t.strictSame([answer.status, answer.text], [status, text], name)
        for (const [header, value] of Object.entries({ ...usual, ...headers }))
          t.equal(answer.headers.get(header), value, `${name}: ${header}`)
        t.match(answer.headers.get('x-request-id'), /^[0-9a-f]{8}-[0-9a-z]+$/)
        t.equal(answer.headers.get('x-powered-by') ?? answer.headers.get('server'), null)
      }
      t.strictSame((await ask({ url: '/cookies' })).headers.getSetCookie(), [
        'a=1; Path=/',
        'b=2, 3; HttpOnly',
      ])
    },
  )
})

t.test('a route timeout answers 503, aborts the handler, and ignores a late result', (t) => {
  const routes = defineRoutes({
    slow: { ...open, method: 'GET', path: '/slow', timeoutMs: 30, replies: { 200: Ok } },
    aborting: { ...open, method: 'GET', path: '/aborting', timeoutMs: 30, replies: { 200: Ok } },
    quick: { ...open, method: 'GET', path: '/quick', timeoutMs: 5000, replies: { 200: Ok } },
  })
  const { log, lines } = capturedLog()
  // The timeout does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  return everyWayIn(
    t,
    () => {
      const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
        handlers: {
          async slow({ signal }) {
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
            await wait(20)
            throw new Error('too late')
          },
          aborting: ({ signal }) =>
            new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
          quick: async ({ signal }) => (await wait(1), t.notOk(signal.aborted), ok),
        },
      }))
      return { plugins: [use(plugin)], log }
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
  )
})

t.test('a handler receives caller, headers, raw body and a logger with the request id', async (t) => {
  const calls: Call[] = []
  const routes = defineRoutes({
    see: { ...open, method: 'POST', path: '/see', raw: true, replies: { 200: Ok } },
  })
  const { log, lines } = capturedLog()
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      see(call) {
        calls.push(call)
        call.log.info({ bytes: call.body.byteLength }, 'seen')
        const { header } = call
        return header('x-one') === '1' ? ok : { status: 200, body: { ok: true } }
      },
    },
  }))
  const remotes: Record<string, string | undefined> = {
    inject: '127.0.0.1',
    node: '127.0.0.1',
    web: undefined,
  }
  await everyWayIn(
    t,
    () => ({ plugins: [use(plugin)], log }),
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
  const mounted = mountForTest(t, { plugins: [use(plugin)] })
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
  const refs = {
    both: gate('both'),
    first: gate('first'),
    second: gate('second'),
    off: gate('off'),
    odd: gate('odd'),
  }
  const lines = {
    method: 'POST',
    summary: '',
    raw: true,
    replies: { 200: v.object({ via: v.string(), id: v.optional(v.string()) }) },
  } as const
  const routes = defineRoutes({
    both: { ...lines, path: '/both', gate: refs.both },
    first: { ...lines, path: '/first', gate: refs.first },
    second: { ...lines, path: '/second', gate: refs.second },
    off: { ...lines, path: '/off', gate: refs.off },
    odd: { ...lines, path: '/odd', gate: refs.odd },
  })
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
  const routes = defineRoutes({
    breaks: { ...open, method: 'GET', path: '/breaks', replies: { 200: file('text/plain') } },
    endless: { ...open, method: 'GET', path: '/endless', replies: { 200: file('text/plain') } },
  })
  const plugin = definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({
    handlers: {
      breaks: () => ({
        status: 200,
        body: (async function* () {
          yield Buffer.from('half')
          await wait(20)
          throw new Error('the disk is gone')
        })(),
      }),
      endless: ({ signal }) => ({
        status: 200,
        body: (async function* () {
          signal.addEventListener('abort', () => ends.push('aborted'))
          try {
            for (;;) {
              yield Buffer.alloc(1000)
              await wait(1)
            }
          } finally {
            ends.push('ended')
          }
        })(),
      }),
    },
  }))
  const mounted = mountForTest(t, { plugins: [use(plugin)], log })
  const port = await listen(
    t,
    createServer((request, response) => void mounted.node(request, response)),
  )
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
