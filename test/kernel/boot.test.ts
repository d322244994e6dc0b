import * as v from 'valibot'
import t, { type Test } from 'tap'
import {
  BootError,
  clock,
  createKernel,
  defineRoutes,
  definePlugin,
  gate,
  gates,
  give,
  ids,
  optional,
  routeList,
  service,
  slot,
  systemClock,
  use,
} from '../../kernel/index.ts'
import type { Gate, Kernel, KernelOptions, Plugin } from '../../kernel/index.ts'
import { capturedLog, mountForTest, openGates, stillClock } from '../../kernel/testing.ts'

/** Boots a kernel without log output, closed at the end of the test. */
async function boot(
  t: Test,
  plugins: KernelOptions['plugins'],
  more: Partial<KernelOptions> = {},
): Promise<Kernel> {
  const kernel = await createKernel({
    shape: 'standalone',
    env: {},
    log: capturedLog('silent').log,
    plugins,
    ...more,
  })
  t.teardown(() => kernel.close())
  return kernel
}

/** The problems of the `BootError` that these plugins cause. */
async function problemsOf(
  plugins: KernelOptions['plugins'],
  more: Partial<KernelOptions> = {},
): Promise<readonly string[]> {
  const log = capturedLog('silent').log
  const failure: unknown = await createKernel({ shape: 'standalone', env: {}, log, plugins, ...more }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof BootError)) throw failure
  return failure.problems
}

const left = service<string>('left')
const right = service<string>('right')
const lone = service<string>('lone')
const words = slot<string>('words')

/** A plugin with nothing but a name and needs. */
const needy = (name: string, needs: Plugin['needs']): Plugin<undefined> =>
  definePlugin({ name, tag: 'T', needs }).setup(() => ({}))
const giver = (name: string, needs: Plugin['needs'] = {}): Plugin<undefined> =>
  definePlugin({ name, tag: 'T', needs, gives: { left } }).setup(() => ({ gives: { left: name } }))
const table = defineRoutes({
  read: {
    method: 'GET',
    path: '/read',
    gate: gates.access,
    summary: 'Reads.',
    replies: { 200: v.object({ by: v.string() }) },
  },
})
const reader = (name: string, routes: typeof table = table): Plugin<undefined> =>
  definePlugin({ name, tag: 'Reading', routes }).setup(() => ({
    handlers: { read: () => ({ status: 200, body: { by: name } }) },
  }))

const unprovided = 'but no loaded plugin provides it; load one that gives it'

t.test('all dependency problems are reported at once', async (t) => {
  t.strictSame(
    await problemsOf(
      [
        use(giver('a')),
        use(giver('b')),
        use(needy('c', { lone, right, maybe: optional(lone), words })),
        use(needy('c', {})),
        use(reader('d')),
      ],
      { seeds: [give(left, 'host')] },
    ),
    [
      "'left' is provided by 'a' and by the host; leave out the plugin",
      "'left' is provided by 'b' and by the host; leave out the plugin",
      "plugin 'c' is listed twice",
      `'c' needs 'lone', ${unprovided}, or declare the need as optional`,
      `'c' needs 'right', ${unprovided}, or declare the need as optional`,
      `route 'd.read' uses the gate 'gate.access', ${unprovided}`,
    ],
  )
  t.strictSame(await problemsOf([use(giver('a')), use(giver('b'))]), [
    "'left' is provided by both 'a' and 'b'; leave out one of them",
  ])
  t.equal(new BootError(['one', 'two']).message, 'The orchestrator cannot start:\n  - one\n  - two')
})

/** Declares a plugin as JavaScript may, without types. */
const untyped = (declaration: object, product: object = {}) =>
  use(definePlugin(declaration as { name: string; tag: string }).setup(() => product))

t.test('a wrong declaration is reported by plugin, route and key, all at once', async (t) => {
  const route = { ...table.read, gate: gates.public }
  const { gate: _, summary: __, replies: ___, ...bare } = route
  const replies = { 200: undefined, 404: {} }
  const odd = { method: 'get', gate: 'access', path: 7, boby: 1, body: {}, refusals: { 404: 'not_found' } }
  const wrong = { ...route, replies, ...odd }
  const known =
    'method, path, gate, summary, replies, params, query, body, can, sites, headers, etag, upload, raw, ' +
    'refusals, maxBytes, maxValues, parse, timeoutMs, internal, tag, traits'
  const aGate = 'a gate, such as gates.access'
  const aReply = 'a valibot schema, or what file, text, events or another kind of reply returns'
  const aNeed = 'what service, optional, slot or gate returns'
  const aTag = 'the group that its routes are listed under'
  const problems = await problemsOf([
    untyped({ name: 'a', tag: 'T', routes: { bare, wrong, none: undefined }, neds: { left } }),
    untyped({ name: 'b', needs: { left: 'left', gone: undefined }, gives: { maybe: optional(left) } }),
    untyped({ name: 'c', tag: 'T', needs: 'left', gives: 1, routes: 'all', options: {}, env: { KEY: 1 } }),
    untyped({ tag: 1 }),
    use(giver('d')),
  ])
  t.strictSame(
    problems.map((problem) => problem.replace('expected ', '')),
    [
      "plugin 'a': 'neds' is unknown; name, tag, needs, gives, routes, collections, options, env",
      `route 'a.bare': 'gate': ${aGate}`,
      "route 'a.bare': 'summary': one sentence for the API description",
      "route 'a.bare': 'replies': an object",
      `route 'a.wrong': 'boby' is unknown; ${known}`,
      "route 'a.wrong': 'method': GET, POST, PUT, PATCH, DELETE",
      "route 'a.wrong': 'path': a path, such as /notes/:id",
      `route 'a.wrong': 'gate': ${aGate}`,
      "route 'a.wrong': 'body': a valibot schema",
      "route 'a.wrong': 'refusals': a list of what defineRefusal returns",
      ...[200, 404].map((status) => `route 'a.wrong': 'replies.${status}': ${aReply}`),
      "route 'a.none': an object",
      `plugin 'b': 'tag': ${aTag}`,
      ...['left', 'gone'].map((name) => `plugin 'b': 'needs.${name}': ${aNeed}`),
      "plugin 'b': 'gives.maybe': what service, slot or gate returns",
      ...['needs', 'gives', 'routes'].map((key) => `plugin 'c': '${key}': an object`),
      ...['options', 'env'].map((key) => `plugin 'c': '${key}': a valibot schema`),
      "plugin 'plugins[3]': 'name': a text that no other plugin has",
      `plugin 'plugins[3]': 'tag': ${aTag}`,
    ],
  )
})

t.test('what setup returns must match the declaration', async (t) => {
  const giving = (gives: object, product: object) => untyped({ name: 'a', tag: 'T', gives }, product)
  const lacks = (key: string, remedy: string) =>
    `plugin 'a' declares '${key}' in gives, but its setup returned no value for it; ${remedy}`
  t.strictSame(
    await problemsOf([
      giving({ left, own: right, words }, { gives: { own: 0, word: 'a', constructor: 0 } }),
      use(needy('b', { left })),
    ]),
    [
      lacks('left', 'return one'),
      lacks('words', 'return one, or undefined to add nothing'),
      "plugin 'a' returned 'word' in gives, but does not declare it; add it to gives in its declaration; did you mean 'words'?",
      "plugin 'a' returned 'constructor' in gives, but does not declare it; add it to gives in its declaration",
    ],
  )
  const neither = { gives: undefined, handlers: undefined }
  t.match(await problemsOf([giving({ left, right }, neither)]), [/'left'/, /'right'/])
  await boot(t, [
    giving({ left, words, more: words }, { gives: { left: undefined, words: undefined, more: 'a' } }),
  ])
  t.strictSame(await problemsOf([giving({ left, again: left }, {})]), [
    "'left' is provided by both 'a' and 'a'; leave out one of them",
  ])
  const handlers = { raed: () => undefined, read: 'soon' }
  t.strictSame(
    await problemsOf([untyped({ name: 'a', tag: 'T', routes: table }, { handlers })], { seeds: openGates }),
    ["plugin 'a' has the handler 'raed', but no route of that name", "route 'a.read' has no handler"],
  )
  await boot(t, [use(definePlugin({ name: 'a', tag: 'T' }).setup(() => undefined as never))])
})

t.test('a need that is not declared is reported by plugin and name when it is read', async (t) => {
  /** Declares a plugin that reads what it receives as JavaScript may. */
  const reading = (read: (needs: Readonly<Record<string, unknown>>) => unknown) =>
    use(
      definePlugin({ name: 'a', tag: 'T', needs: { words, maybe: optional(left) } }).setup(({ needs }) => {
        read(needs)
        return {}
      }),
    )
  const undeclared = (key: string, meant = '') =>
    `plugin 'a' uses '${key}' of its needs, but does not declare it; add it to needs in its declaration${meant}`
  t.strictSame(await problemsOf([reading(({ right }) => right)]), [undeclared('right')])
  t.strictSame(await problemsOf([reading((needs) => needs['word'])]), [
    undeclared('word', "; did you mean 'words'?"),
  ])
  await boot(t, [
    reading(async (needs) => {
      t.strictSame({ ...needs }, { words: [], maybe: undefined }, 'an optional need may be absent')
      t.equal(String(needs), '[object Object]')
      t.equal(JSON.stringify(needs), '{"words":[]}')
      t.equal(await Promise.resolve(needs), needs)
      t.notOk('right' in needs)
    }),
  ])

  const { log, lines } = capturedLog()
  const late = definePlugin({
    name: 'late',
    tag: 'T',
    routes: { read: { ...table.read, gate: gates.public } },
  })
  const plugin = late.setup(({ needs }: { readonly needs: { readonly words?: string } }) => ({
    handlers: { read: () => ({ status: 200, body: { by: needs.words ?? '' } }) },
  }))
  const mounted = mountForTest(t, { plugins: [use(plugin)], faults: 'answer', log })
  t.equal((await mounted.inject({ url: '/read' })).status, 500)
  t.match(
    lines.join(''),
    "plugin 'late' uses 'words' of its needs",
    'a handler that reads it first is named too',
  )
})

t.test('a circular dependency is reported as the complete cycle, also one of optional needs', async (t) => {
  const rightAfter = (name: string, needs: Plugin['needs']): Plugin<undefined> =>
    definePlugin({ name, tag: 'T', needs, gives: { right } }).setup(() => ({ gives: { right: name } }))
  const [outside, harmless] = [needy('outside', { left }), needy('harmless', {})]
  const maybe = [giver('a', { maybe: optional(right) }), rightAfter('b', { maybe: optional(left) })]
  const cases: readonly (readonly [readonly Plugin<undefined>[], string])[] = [
    [[outside, giver('a', { right }), harmless, rightAfter('b', { left })], 'a -> b -> a'],
    [[giver('a', { left })], 'a -> a'],
    [maybe, 'a -> b -> a'],
  ]
  for (const [plugins, cycle] of cases)
    t.strictSame(await problemsOf(plugins.map((plugin) => use(plugin))), [
      `circular plugin dependency: ${cycle}; move what one needs of the other into a plugin of its own, or emit an event instead`,
    ])
})

t.test('options and variables are validated before any setup, and every problem is reported', async (t) => {
  let setUp = 0
  const PORT = v.optional(v.pipe(v.string(), v.regex(/^\d+$/, 'must be a number')))
  const options = v.object({ level: v.picklist(['low', 'high']), size: v.optional(v.number(), 3) })
  const count = () => (setUp++, {})
  const strict = definePlugin({ name: 'strict', tag: 'T', options, env: v.object({ PORT, KEY: v.string() }) })
  const other = definePlugin({ name: 'other', tag: 'T', env: v.object({ PORT }) })
  const wrong = { plugin: strict.setup(count), options: { level: 'secret-level', size: 'big' } }
  const plugins = [wrong, use(other.setup(count)), { plugin: needy('plain', {}), options: { any: 1 } }]
  t.strictSame(
    await problemsOf(plugins, { env: { PORT: 'secret-port', KEY: ' ' } }),
    [
      `strict: option 'level': expected ("low" | "high")`,
      "strict: option 'size': expected number",
      'environment variable PORT: must be a number',
      "environment variable KEY: the plugin 'strict' needs it; set it",
      'plain: options: expected undefined',
    ],
    'a variable that two plugins read is reported once, and values are not included',
  )
  t.equal(setUp, 0)
})

t.test('a plugin gets only the options and variables it declares, and blank means unset', async (t) => {
  const seen: unknown[] = []
  const curious = definePlugin({
    name: 'curious',
    tag: 'T',
    options: v.object({ size: v.optional(v.number(), 3) }),
    env: v.object({
      GIVEN: v.string(),
      BLANK: v.optional(v.string(), 'fallback'),
      EMPTY: v.optional(v.string()),
    }),
  }).setup(({ options, env, production, shape }) => (seen.push([options, env, production, shape]), {}))
  const blank = { BLANK: ' \t', EMPTY: '', SECRET: 'of somebody else', NODE_ENV: 'production' }
  const env = { GIVEN: ' kept as it is ', ...blank }
  await boot(t, [{ plugin: curious, options: undefined }], { env, shape: 'library' })
  await boot(t, [use(curious, { size: 5 })], { env: { GIVEN: 'x' } })
  t.strictSame(seen, [
    [{ size: 3 }, { GIVEN: ' kept as it is ', BLANK: 'fallback' }, true, 'library'],
    [{ size: 5 }, { GIVEN: 'x', BLANK: 'fallback' }, false, 'standalone'],
  ])
})

t.test('plugins are set up and made ready in dependency order, and closed in reverse', async (t) => {
  const steps: string[] = []
  const noting = (name: string, needs: Plugin['needs'], own: typeof left) =>
    use(
      definePlugin({ name, tag: 'T', needs, gives: { own } }).setup(async ({ signal }) => {
        steps.push(`set up ${name}`)
        signal.addEventListener('abort', () => steps.push(`signal ${name}`))
        return {
          gives: { own: name },
          ready: () => void steps.push(`ready ${name}`),
          close: async () => void steps.push(`close ${name}`),
        }
      }),
    )
  const kernel = await boot(t, [noting('late', { left }, right), noting('early', {}, left)])
  t.strictSame(steps.splice(0), ['set up early', 'set up late', 'ready early', 'ready late'])
  const [early, late] = [
    { plugin: 'early', needs: [] },
    { plugin: 'late', needs: ['early'] },
  ]
  t.strictSame(kernel.plan, [early, late])
  await Promise.all([kernel.close(), kernel.close()])
  t.strictSame(steps, ['signal early', 'signal late', 'close late', 'close early'], 'close is idempotent')
})

t.test('a failed boot closes the plugins set up so far in reverse, and says the cause', async (t) => {
  const { log, lines } = capturedLog()
  const steps: string[] = []
  const opening = (name: string, needs: Plugin['needs'], own: typeof left, fail?: () => Promise<void>) =>
    use(
      definePlugin({ name, tag: 'T', needs, gives: { own } }).setup(() => ({
        gives: { own: name },
        ready: () => void steps.push(`ready ${name}`),
        close: () => (steps.push(`close ${name}`), fail?.()),
      })),
    )
  const atOnce = () => {
    throw new Error('at once')
  }
  const plugins = [
    opening('a', {}, left),
    opening('b', { left }, right, atOnce),
    opening('c', { right }, lone, () => Promise.reject(new Error('later'))),
  ]
  const last = definePlugin({ name: 'd', tag: 'T', needs: { lone } })
  const start = (plugin: Plugin<undefined>) =>
    createKernel({ shape: 'standalone', env: {}, log, plugins: [...plugins, use(plugin)] })
  const full = (): never => {
    throw new Error('the disk is full')
  }
  await t.rejects(start(last.setup(full)), { message: 'the disk is full' })
  t.strictSame(steps.splice(0), ['close c', 'close b', 'close a'], 'an error in close stops no other')
  t.match(
    lines.map((line): unknown => JSON.parse(line)),
    [
      { plugin: 'd', msg: 'plugin failed to start' },
      { plugin: 'c', err: { message: 'later' }, msg: 'plugin failed to close' },
      { plugin: 'b', err: { message: 'at once' } },
    ],
  )
  const unready = { ready: () => Promise.reject(new Error('not ready')) }
  await t.rejects(start(last.setup(() => unready)), { message: 'not ready' })
  t.strictSame(steps, ['ready a', 'ready b', 'ready c', 'close c', 'close b', 'close a'])
})

t.test('a plugin that hangs is named after its time limit, and keeps no other from closing', async (t) => {
  const steps: string[] = []
  const { log, lines } = capturedLog()
  const never = new Promise<void>(() => undefined)
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  const hanging = (
    name: string,
    { setup, ready, close }: Readonly<Partial<Record<'setup' | 'ready' | 'close', Promise<void>>>>,
  ) =>
    use(
      definePlugin({ name, tag: 'T' }).setup(async () => {
        await setup
        return {
          ready: () => ready,
          async close() {
            steps.push(`close ${name}`)
            await close
          },
        }
      }),
    )
  const times = { setup: 50, close: 50 }
  const start = (...plugins: ReturnType<typeof hanging>[]) =>
    createKernel({ shape: 'standalone', env: {}, log, plugins, times })

  await t.rejects(start(hanging('a', {}), hanging('b', { setup: resumed })), {
    name: 'BootError',
    problems: [`plugin 'b' was not set up within 50 ms: look at what it waits for`],
  })
  t.strictSame(steps.splice(0), ['close a'])
  resume()
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(steps.splice(0), ['close b'], 'a plugin set up after its time limit is closed')

  await t.rejects(start(hanging('a', {}), hanging('b', { setup: Promise.reject(new Error('no disk')) })), {
    message: 'no disk',
  })
  await t.rejects(start(hanging('a', {}), hanging('b', { ready: never })), {
    name: 'BootError',
    problems: [`plugin 'b' was not ready within 50 ms: look at what it waits for`],
  })
  t.strictSame(steps.splice(0), ['close a', 'close b', 'close a'])

  const kernel = await start(hanging('a', {}), hanging('b', { close: never }), hanging('c', {}))
  await kernel.close()
  t.strictSame(steps, ['close c', 'close b', 'close a'])
  t.match(
    lines.map((line): unknown => JSON.parse(line)),
    [
      { plugin: 'b', msg: 'plugin failed to start' },
      { plugin: 'b', err: { message: 'plugin did not close within 50 ms' }, msg: 'plugin failed to close' },
    ],
  )
})

t.test('requests that wait for a boot get its timeout, and the next request boots again', async (t) => {
  let boots = 0
  const stuck = definePlugin({ name: 'stuck', tag: 'T' }).setup(() =>
    ++boots === 1 ? new Promise<never>(() => undefined) : {},
  )
  const mounted = mountForTest(t, { plugins: [use(stuck)], times: { setup: 50, close: 50 } })
  const waiting = await Promise.allSettled([mounted.inject({ url: '/a' }), mounted.inject({ url: '/b' })])
  for (const each of waiting)
    t.match(each, {
      status: 'rejected',
      reason: { name: 'BootError', problems: [/^plugin 'stuck' was not set up/] },
    })
  t.equal((await mounted.inject({ url: '/a' })).status, 404)
})

t.test('services, optional services and slots are injected', async (t) => {
  const received: unknown[] = []
  const adding = (name: string, word?: string) =>
    use(definePlugin({ name, tag: 'T', gives: { words } }).setup(() => ({ gives: { words: word } })))
  const collector = definePlugin({
    name: 'collector',
    tag: 'T',
    needs: { words, left, maybe: optional(right), clock, routes: routeList },
    gives: { lone, own: words },
  }).setup(({ needs }) => {
    const now = needs.clock.now().toISOString()
    received.push(needs.words, needs.left, needs.maybe, now, needs.routes.all().length)
    return {
      gives: { lone: 'given', own: 'collector' },
      ready: () => void received.push(needs.routes.all().length),
    }
  })
  const plugins = [use(collector), adding('one', 'one'), adding('silent'), adding('two', 'two')]
  const seeds = [...openGates, give(left, 'from the host'), give(clock, stillClock())]
  const kernel = await boot(t, [...plugins, use(reader('d'))], { seeds })
  t.strictSame(received, [['one', 'two'], 'from the host', undefined, '2026-01-01T12:00:00.000Z', 0, 1])
  t.strictSame([kernel.get(lone), kernel.get(left)], ['given', 'from the host'])
  t.throws(() => kernel.get(right), { name: 'BootError', problems: ["nothing loaded gives 'right'"] })
  t.match(kernel.get(ids).uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  t.ok(Math.abs(systemClock.now().getTime() - performance.timeOrigin - performance.now()) < 5000)
})

t.test('the clock of a service follows another one, and no other service does', async (t) => {
  const [one, other] = [await boot(t, [], { seeds: openGates }), await boot(t, [], { seeds: openGates })]
  one.get(clock).follow?.(stillClock())
  t.equal(one.get(clock).now().toISOString(), '2026-01-01T12:00:00.000Z')
  t.ok(Math.abs(systemClock.now().getTime() - other.get(clock).now().getTime()) < 60_000)
})

t.test('routes that cannot be mounted fail the boot, and all are reported at once', async (t) => {
  const odd = (path: string): typeof table => ({ read: { ...table.read, path: path as '/read' } })
  const mute = { ...reader('mute', odd('/mute')), boot: async () => ({ handlers: {}, gives: {} }) }
  const wrong = '/b/:x(\\d+) /b/:x-:y /b/* /b/:x? /b/: /b/c?d /b/%63'.split(' ')
  const plugins = ['/a/:id', '/a/:name', ...wrong].map((path, at) => use(reader(`p${at}`, odd(path))))
  t.strictSame(
    await problemsOf([use(reader('one')), use(reader('two')), use(mute), ...plugins], { seeds: openGates }),
    [
      "route 'two.read' is a second GET /read after route 'one.read'; give one of them another path",
      "route 'mute.read' has no handler",
      "route 'p1.read' is a second GET /a/:name after route 'p0.read'; give one of them another path",
      ...wrong.map(
        (path, at) =>
          `route 'p${at + 2}.read' has the path '${path}'; a segment is plain text or one ':name'`,
      ),
    ],
  )
})

t.test('a route with parameters matches even when it is the only route', async (t) => {
  const only = reader('one', { read: { ...table.read, path: '/:any' as '/read' } })
  const { inject } = mountForTest(t, { plugins: [use(only)], seeds: openGates })
  t.equal((await inject({ url: '/x' })).status, 200)
  t.equal((await inject({ url: '/' })).status, 404)
})

t.test('a gate decides once whether its routes are mounted, and others answer 404', async (t) => {
  const cellar = gate('cellar')
  const fail = () => t.fail('the gate and the handler of an unmounted route are not called') as never
  const replies = {}
  const routes = defineRoutes({
    in: { gate: cellar, replies, method: 'GET', path: '/cellar', summary: '' },
    deep: { gate: cellar, replies, method: 'POST', path: '/cellar/:depth', summary: '', body: v.unknown() },
  })
  const notHandled = 'Method GET /nowhere not handled by the mount'
  const answers = {
    standalone: [404, { code: 'not_found', reason: /GET \/docs/ }],
    library: [405, { error: notHandled, code: 'not_handled', message: notHandled }],
    site: [404, { code: 'not_found', reason: /case-sensitive\.$/ }],
  } as const
  for (const shape of ['standalone', 'library', 'site'] as const) {
    let asked = 0
    const never: Gate = { mounting: () => (asked++, { mount: false, because: 'switched off' }), admit: fail }
    const plugin = definePlugin({ name: 'p', tag: 'P', gives: { cellar }, routes }).setup(() => ({
      gives: { cellar: never },
      handlers: { in: fail, deep: fail },
    }))
    const { inject } = mountForTest(t, { plugins: [use(plugin)], shape })
    for (const request of [{ url: '/cellar' }, { url: '/cellar/2', method: 'POST', json: {} }]) {
      const answer = await inject(request)
      const reason = /`content-orchestrator routes` names\./
      t.match([answer.status, answer.json()], [404, { code: 'not_found', reason }])
    }
    t.equal((await inject({ url: '/cellar', method: 'HEAD' })).status, 404)
    const nowhere = await inject({ url: '/nowhere' })
    t.match([nowhere.status, nowhere.json()], answers[shape], shape)
    t.equal(asked, 1)
  }
})

t.test('concurrent requests boot a mount once, and a failed boot is retried', async (t) => {
  let boots = 0
  let isBroken = true
  const flaky = definePlugin({ name: 'flaky', tag: 'T' }).setup(async () => {
    boots++
    if (isBroken) throw new Error('no database yet')
    return {}
  })
  const mounted = mountForTest(t, { plugins: [use(flaky), use(reader('one'))], seeds: openGates })
  const first = await Promise.allSettled([
    mounted.inject({ url: '/read' }),
    mounted.ready(),
    mounted.get(clock),
  ])
  t.ok(first.every(({ status }) => status === 'rejected'))
  t.equal(boots, 1)
  isBroken = false
  const [answer, routes] = await Promise.all([mounted.inject({ url: '/read' }), mounted.ready()])
  t.strictSame([answer.json(), routes.map(({ key }) => key), boots], [{ by: 'one' }, ['read'], 2])
})

t.test('`await using` closes a mount, also during its boot', async (t) => {
  const steps: string[] = []
  const { promise: goingOn, resolve: goOn } = Promise.withResolvers<void>()
  const slow = definePlugin({ name: 'slow', tag: 'T' }).setup(async () => {
    await goingOn
    return { close: () => void steps.push('closed') }
  })
  const mounted = mountForTest(t, { plugins: [use(slow)] })
  void mounted.ready()
  // What `await using` calls at the end of its block; Node 22 cannot parse the keywords.
  const closing = mounted[Symbol.asyncDispose]()
  goOn()
  await closing
  t.strictSame(steps, ['closed'])
  const failing = mountForTest(t, { plugins: [use(needy('needy', { left }))] })
  const booting = failing.ready()
  await failing.close()
  await t.rejects(booting, { name: 'BootError' }, 'the boot error rejects ready(), not close()')
})

t.test('a mount closed before its boot stays closed', async (t) => {
  const boots: string[] = []
  const noted = definePlugin({ name: 'noted', tag: 'T' }).setup(() => {
    boots.push('noted')
    return {}
  })
  const mounted = mountForTest(t, { plugins: [use(noted)] })
  await mounted.close()
  t.match(await mounted.inject({ url: '/anything' }), { status: 503 })
  await t.rejects(mounted.ready(), { code: 'closing' })
  t.strictSame(boots, [])
})
