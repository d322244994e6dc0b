import { hash, scryptSync } from 'node:crypto'

import { mock } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import fc, { anyText as texts, runs } from '../helpers/property.ts'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import {
  clock,
  defineRoutes,
  definePlugin,
  events,
  gates,
  give,
  Refusal,
  safeEqual,
  use,
  type BootError,
  type Caller,
  type GateRequest,
  type Injection,
  type Mount,
  type Seed,
  type Shape,
} from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, stillClock, type TestSetting } from '../../kernel/testing.ts'
import auth from '../../plugins/auth/index.ts'
import {
  closedReason,
  PasswordHash,
  toPlainHash,
  toSaltedHash,
  attempts,
  createThrottle,
  createTokens,
  createVerify,
} from '../../plugins/auth/testing.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import {
  authHook,
  clientAddress,
  frameworkBuild,
  networkOf,
  TrustedProxies,
  type AuthHook,
  isLocalCaller,
  isLoopback,
} from '../../plugins/auth/port.ts'
import { store } from '../../plugins/store/port.ts'

const password = 'correct horse battery staple'
const plainHash = toPlainHash(password)
const fixedToken = 'fixed-token-of-the-operator'
const withPassword = { ACCESS_PASSWORD_HASH: plainHash }
const withFixed = { ORCHESTRATOR_ACCESS_TOKEN: fixedToken }
const production = { NODE_ENV: 'production' }

const Ok = v.object({ via: v.string() })
const Token = v.object({ ok: v.literal(true), accessToken: v.string() })

/** One route behind each gate, which answers how its caller was authenticated. */
const room = { summary: 'Answers how the caller was authenticated.', replies: { 200: Ok } } as const
const post = { ...room, method: 'POST', body: v.object({}) } as const
const inner = { ...room, method: 'GET', path: '/inner', gate: gates.access } as const
const rooms = definePlugin({
  name: 'rooms',
  tag: 'Test',
  routes: defineRoutes({
    open: { ...room, method: 'GET', path: '/open', gate: gates.public },
    inner,
    stream: {
      ...room,
      method: 'GET',
      path: '/stream',
      gate: gates.access,
      replies: { 200: events(v.object({}), { retry: 1, heartbeat: 1000 }) },
    },
    write: { ...post, path: '/inner', gate: gates.access },
    publish: { ...post, path: '/publish', gate: gates.publish },
    agent: { ...post, path: '/agent/start', gate: gates.agent },
  }),
}).setup(() => {
  const reply = ({ caller }: { readonly caller: Caller }) =>
    ({ status: 200, body: { via: caller.via } }) as const
  const silence = async function* () {
    await new Promise<never>(() => undefined)
    yield { data: {} }
  }
  return {
    handlers: {
      stream: () => ({ status: 200, body: silence() }),
      open: reply,
      inner: reply,
      write: reply,
      publish: reply,
      agent: reply,
    },
  }
})

interface Installation {
  readonly shape?: Shape
  readonly env?: Readonly<Record<string, string>>
  readonly hook?: AuthHook
  readonly seeds?: readonly Seed[]
}

function setting({ shape = 'library', env = {}, hook, seeds = [] }: Installation = {}): TestSetting {
  const given = seeds.some(({ ref }) => ref.id === store.id)
    ? seeds
    : [...seeds, give(store, createMemoryStore())]
  return {
    shape,
    env,
    plugins: [use(auth), use(rooms)],
    seeds: hook ? [...given, give(authHook, hook)] : given,
  }
}

/** Sends one request to a new installation. */
const injectInto = (t: Test, installation: Installation, injection: Injection) =>
  mountForTest(t, setting(installation)).inject(injection)
const verify = (guess: unknown, more: Partial<Injection> = {}): Injection => {
  return { method: 'POST', url: '/auth/verify', json: { password: guess }, ...more }
}
const bearing = (token: string): Partial<Injection> => ({ headers: { 'x-access-token': token } })
const bare = (path: string): GateRequest => {
  const about = { method: 'GET', path, search: '', secure: false, remote: undefined, httpVersion: '1.1' }
  return { ...about, header: () => 'evil.example', headers: new Headers() }
}

async function login(mounted: Mount): Promise<string> {
  return v.parse(Token, (await mounted.inject(verify(password))).json()).accessToken
}

t.test('the status says whether to show a password box, and whether a mount is open', async (t) => {
  const both = { ...withFixed, ...withPassword }
  const blank = { ACCESS_PASSWORD_HASH: ' ', ORCHESTRATOR_ACCESS_TOKEN: '' }
  const hook = () => true
  const table: readonly [Installation, gateEnabled: boolean, mode?: string][] = [
    [{ shape: 'standalone' }, false],
    [{ shape: 'standalone', env: withPassword }, true],
    [{ shape: 'standalone', env: withFixed }, false],
    [{ shape: 'standalone', env: production }, false],
    [{ hook }, false, 'hook'],
    [{ hook, env: { ...both, ...production } }, false, 'hook'],
    [{ env: withPassword }, true, 'token'],
    [{ env: { ...withPassword, ...production } }, true, 'token'],
    [{ env: withFixed }, false, 'token'],
    [{ env: both }, true, 'token'],
    [{}, false, 'open-dev'],
    [{ env: blank }, false, 'open-dev'],
    [{ env: production }, false, 'closed'],
  ]
  for (const [installation, gateEnabled, mode] of table) {
    const answer = await injectInto(t, installation, { url: '/auth/status' })
    const reason = mode === 'closed' && { reason: closedReason }
    t.same([answer.status, answer.json()], [200, { gateEnabled, ...(mode && { mode }), ...reason }])
  }
  t.match(closedReason, /ACCESS_PASSWORD_HASH.*ORCHESTRATOR_ACCESS_TOKEN/)
})

t.test('a server that requires a token everywhere has the four modes of a mount', async (t) => {
  const all = { ORCHESTRATOR_GATE: 'all' }
  const callers = [{}, bearing('x'), bearing(fixedToken), { remote: '192.0.2.1' }]
  const requests: readonly Injection[] = [
    ...['/auth/status', '/open', '/inner'].map((url) => ({ url })),
    ...['/publish', '/agent/start'].map((url) => ({ url, method: 'POST', json: {} })),
  ]
  const outcomes = async (installation: Installation) => {
    const mounted = mountForTest(t, setting(installation))
    const sent = callers.flatMap((caller) => requests.map((request) => ({ ...request, ...caller })))
    const answers = await Promise.all([...sent, verify('guess')].map((each) => mounted.inject(each)))
    return answers.map(({ status, text }) => [status, text.replace(/"accessToken":"[^"]*"/, '')])
  }
  const published = { ...withFixed, PUBLISH_TOKEN: 'publish-me' }
  for (const env of [{}, withPassword, published, production, { ...published, ...production }]) {
    for (const how of [{}, { hook: () => false }]) {
      const mount = await outcomes({ env, ...how })
      const alone: Installation = { shape: 'standalone', env: { ...env, ...all }, ...how }
      t.same(await outcomes(alone), mount, JSON.stringify(env))
      const agent = { ...env, ORCHESTRATOR_GATE: 'agent' }
      t.same(await outcomes({ env: agent, ...how }), mount, 'a mount always authenticates')
    }
  }
  const usual = await outcomes({ shape: 'standalone', env: withFixed })
  for (const ORCHESTRATOR_GATE of ['agent', ' '])
    t.same(await outcomes({ shape: 'standalone', env: { ...withFixed, ORCHESTRATOR_GATE } }), usual)

  const message = /environment variable ORCHESTRATOR_GATE: must be all or agent/
  for (const ORCHESTRATOR_GATE of ['ALL', '1'])
    await t.rejects(mountForTest(t, setting({ env: { ORCHESTRATOR_GATE } })).ready(), { message })
})

t.test('a gated route is answered by the mode, alike through every entry point', async (t) => {
  const token = () => setting({ env: { ...withFixed, ...withPassword } })
  await t.test('token: any of three transports, one valid token is enough', (t) =>
    everyWayIn(t, token, async (t, ask) => {
      const issued = v.parse(Token, (await ask(verify(password))).json()).accessToken
      const inner = (headers: Readonly<Record<string, string>>, query = ''): Injection => {
        return { url: `/inner${query}`, headers }
      }
      const badHeaders = { 'x-access-token': 'wrong', authorization: 'Bearer wrong' }
      for (const token of [issued, fixedToken]) {
        const right = [
          inner({ 'x-access-token': token }),
          inner({ authorization: `Bearer ${token}` }),
          inner({ authorization: `bearer  ${token}` }),
          inner({}, `?accessToken=${token}`),
          inner(badHeaders, `?accessToken=${token}`),
          inner({ ...badHeaders, authorization: `Bearer ${token}` }, '?accessToken=wrong'),
        ]
        for (const injection of right) t.equal((await ask(injection)).status, 200, JSON.stringify(injection))
      }
      const wrong = [
        inner({}),
        inner({ 'x-access-token': '' }, '?accessToken='),
        inner({ authorization: `Basic ${fixedToken}` }),
        inner({ authorization: fixedToken }),
        inner({ cookie: `accessToken=${fixedToken}` }),
        inner({ 'x-publish-token': fixedToken }),
        inner({}, `?accessToken=${fixedToken}&accessToken=${fixedToken}`),
        inner({ 'x-access-token': plainHash }),
        inner({ 'x-access-token': password }),
      ]
      for (const injection of wrong) {
        const answer = await ask(injection)
        t.same([answer.status, answer.json()], [401, { error: 'unauthorized' }], JSON.stringify(injection))
      }
    }),
  )

  const closed = () => setting({ env: production })
  await t.test('closed: 401 with the one sentence, before the body is looked at', (t) =>
    everyWayIn(t, closed, async (t, ask) => {
      const unread = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
      for (const more of [{}, bearing('x'), unread]) {
        const { status, json } = await ask({ url: '/inner', ...more })
        t.same([status, json()], [401, { error: 'unauthorized', reason: closedReason }])
      }
      t.equal((await ask({ url: '/open' })).status, 200)
    }),
  )

  await t.test('open-dev and standalone: every caller', async (t) => {
    const table: readonly [Installation, string][] = [
      [{}, 'open-dev'],
      [{ shape: 'standalone', env: { ...withPassword, ...production } }, 'anyone'],
    ]
    for (const [installation, via] of table) {
      t.same((await injectInto(t, installation, { url: '/inner' })).json(), { via })
    }
  })
})

t.test('a hook of the host decides alone', async (t) => {
  const seen: unknown[] = []
  const env = { ...withPassword, ...withFixed }
  const hook: AuthHook = ({ headers, url, method }) => {
    seen.push([method, url.href])
    return headers.get('x-user') === 'anna'
  }
  const mounted = mountForTest(t, setting({ env, hook }))
  t.same((await mounted.inject({ url: '/inner?a=1', headers: { 'x-user': 'anna' } })).json(), { via: 'hook' })
  t.same(seen, [['GET', 'http://localhost/inner?a=1']])
  t.same((await mounted.inject({ url: '/inner', ...bearing(fixedToken) })).json(), { error: 'unauthorized' })

  const calls = seen.length
  t.equal((await mounted.inject({ url: '/%69nner', headers: { 'x-user': 'anna' } })).status, 400)
  t.equal(seen.length, calls, 'a path with two spellings is refused before the hook is called')

  const gate = await mounted.get(gates.access)
  await gate.admit(bare('//evil.example/inner'), inner)
  // A path with two leading slashes is not read as a host.
  t.match(seen.at(-1), ['GET', /^http:\/\/localhost\/\/evil/])

  const secret = 'canary-of-the-host'
  const failing: readonly [string, AuthHook][] = [
    ['throws', () => v.parse(v.never(secret), 1)],
    ['rejects', () => Promise.reject(new Error(secret))],
    ['refuses', () => false],
    ['refuses asynchronously', async () => false],
    ['returns something else', (() => ({ user: 'anna' })) as unknown as AuthHook],
  ]
  for (const [name, hook] of failing) {
    const { log, lines } = capturedLog()
    const answer = await mountForTest(t, { ...setting({ hook }), log }).inject({ url: '/inner' })
    t.same([answer.status, answer.json()], [401, { error: 'unauthorized' }], name)
    const logged = lines.some((line) => line.includes('auth hook failed'))
    t.equal(logged, name === 'throws' || name === 'rejects', name)
    t.notMatch(answer.text, secret)
  }
})

t.test('a hook that never settles is given up after 10 seconds', async (t) => {
  const { log, lines } = capturedLog()
  const called = Promise.withResolvers<void>()
  const hook: AuthHook = () => {
    called.resolve()
    return new Promise<never>(() => undefined)
  }
  const mounted = mountForTest(t, { ...setting({ hook }), log })
  await mounted.ready()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const asked = mounted.inject({ url: '/inner' })
  await called.promise
  await turn()
  mock.timers.tick(9_999)
  t.equal(await Promise.race([asked, turn('waiting')]), 'waiting')
  mock.timers.tick(1)
  const { status, json } = await asked
  const reason = /did not decide within 10 seconds\. Try again later/
  t.match([status, json()], [503, { error: 'unavailable', code: 'auth_hook_timeout', reason }])
  t.ok(lines.some((line) => line.includes('auth hook did not settle')))
})

t.test('the answer of verify depends on mode and body', async (t) => {
  const wrong = { ok: false, code: 'password_incorrect', error: /not correct/ }
  const missing = { error: 'password is required', code: 'invalid_request', reason: 'password is required' }
  const env = withPassword
  const hook = () => false
  const unavailable = { ok: false, error: 'unavailable', reason: closedReason }
  const ok = { ok: true, accessToken: String }
  const right = { json: { password } }
  const guess = { json: { password: 'guess' } }
  const text = { body: password, headers: { 'content-type': 'text/plain' } }
  const table: readonly [Installation, Partial<Injection>, number, object][] = [
    [{ env }, right, 200, ok],
    [{ env, shape: 'standalone' }, right, 200, ok],
    [{ env, hook }, right, 200, ok],
    [{ env }, guess, 401, wrong],
    [{ env, shape: 'standalone' }, guess, 401, wrong],
    [{ env }, { json: { password: ` ${password}` } }, 401, wrong],
    [{ env }, { json: { password: plainHash } }, 401, wrong],
    ...[{}, { password: '' }, { password: 7 }, { password: [password] }, null].map(
      (json): [Installation, Partial<Injection>, number, object] => [{ env }, { json }, 400, missing],
    ),
    [{ env }, {}, 400, missing],
    [{ env }, text, 415, {}],
    [{ env }, { json: { password: 'x'.repeat(17_000) } }, 413, { code: 'body_too_large' }],
    [{ env: withFixed }, { json: { password: fixedToken } }, 401, wrong],
    [{ env: withFixed, shape: 'standalone' }, {}, 200, ok],
    [{ hook }, guess, 200, ok],
    [{}, { json: null }, 200, ok],
    [{}, {}, 200, ok],
    [{ env: production }, right, 503, unavailable],
    [{ env: production }, {}, 503, unavailable],
  ]
  for (const [installation, injection, status, body] of table) {
    const answer = await injectInto(t, installation, { method: 'POST', url: '/auth/verify', ...injection })
    t.match([answer.status, answer.json()], [status, body], JSON.stringify([installation, injection]))
    t.notMatch(answer.text, 'unauthorized')
  }
  const closed = await injectInto(t, { env: production }, verify(password))
  t.same(Object.keys(v.parse(v.record(v.string(), v.unknown()), closed.json())), ['ok', 'error', 'reason'])
})

t.test('an issued token', async (t) => {
  const time = stillClock()
  const storage = createMemoryStore()
  const seeds = [give(store, storage), give(clock, time)]
  const open = (env: Readonly<Record<string, string>> = withPassword) =>
    mountForTest(t, setting({ env, seeds }))
  const token = await login(open())
  const opens = async (mounted: Mount, token: string) =>
    (await mounted.inject({ url: '/inner', ...bearing(token) })).status === 200

  await t.test('stays valid after a restart and with an uppercase hash', async (t) => {
    t.ok(await opens(open(), token))
    t.ok(await opens(open({ ACCESS_PASSWORD_HASH: plainHash.toUpperCase() }), token))
  })

  await t.test('becomes invalid when the password, the secret or the installation changes', async (t) => {
    t.notOk(await opens(open({ ACCESS_PASSWORD_HASH: toPlainHash('another') }), token))
    t.notOk(await opens(open({ ...withPassword, ACCESS_TOKEN_SECRET: 'x'.repeat(32) }), token))
    t.notOk(await opens(open(withFixed), token), 'the password was removed')
    t.notOk(await opens(mountForTest(t, setting({ env: withPassword })), token))
  })

  await t.test('needs no stored key when a secret is configured', async (t) => {
    const env = { ...withPassword, ACCESS_TOKEN_SECRET: 'x'.repeat(32) }
    const elsewhere = await login(mountForTest(t, setting({ env })))
    t.ok(await opens(mountForTest(t, setting({ env })), elsewhere))
  })

  await t.test('cannot be forged', async (t) => {
    const mounted = open()
    const [end = '', name = '', signature = ''] = token.split('.')
    const digest = hash('sha256', `${end}.${name}`, 'base64url')
    const altered = [`${Number(end) + 1}.${name}.${signature}`, `${end}.${name}x.${signature}`]
    const unsigned = [
      `${end}.${name}`,
      `${end}..${signature}`,
      `.${name}.${signature}`,
      `${end}.${name}.${digest}`,
    ]
    const longer = [
      `${token}=`,
      `${token}.`,
      `${token}.x`,
      token.toUpperCase(),
      signature,
      '..',
      token.slice(1),
    ]
    const cut = Array.from(token, (_, length) => token.slice(0, length))
    const others = [altered, unsigned, longer, cut].flat()
    for (const other of others) t.notOk(await opens(mounted, other), other)
    const changes = fc.tuple(fc.nat(token.length - 1), fc.constantFrom(...'abcXYZ019._-'))
    const stays = fc.asyncProperty(changes, async ([at, character]) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1)
      return changed === token || !(await opens(mounted, changed))
    })
    await fc.assert(stays, { numRuns: runs(70) })
  })

  await t.test('is valid for thirty days, and not a second longer', async (t) => {
    const mounted = open()
    const late = await login(mounted)
    time.advance(30 * 24 * 60 * 60 * 1000 - 1)
    t.ok(await opens(mounted, late))
    time.advance(1)
    t.notOk(await opens(mounted, late))
  })

  await t.test('ends the event stream it opened when it expires', async (t) => {
    const mounted = open()
    const token = await login(mounted)
    time.advance(30 * 24 * 60 * 60 * 1000 - 200)
    // The timer of a stream does not keep the process alive; this one does.
    const [{ status, text }] = await Promise.all([
      mounted.inject({ url: '/stream', ...bearing(token) }),
      wait(2000),
    ])
    t.equal(status, 200)
    t.match(text, /^retry: 1\n\n(?:: ?\n\n)*retry: \d+\n\n$/)
  })

  await t.test('is not accepted if it was issued without a password', async (t) => {
    const seeds = [give(store, createMemoryStore())]
    const shape = 'standalone'
    for (const installation of [{}, { hook: () => true }, { shape }, { shape, env: withFixed }] as const) {
      const free = await login(mountForTest(t, setting({ seeds, ...installation })))
      const gated = mountForTest(t, setting({ seeds, env: { ...withPassword, ...withFixed } }))
      t.notOk(await opens(gated, free))
      const start = { method: 'POST', url: '/agent/start', json: {} }
      const elsewhere = { remote: '192.0.2.1', ...start, ...bearing(free) }
      t.match(await mountForTest(t, setting({ seeds, ...installation })).inject(elsewhere), { status: 401 })
    }
  })

  await t.test('is an access token but not a publish token, and vice versa', async (t) => {
    const mounted = open({ ...withPassword, PUBLISH_TOKEN: 'publish-me' })
    const fresh = await login(mounted)
    t.notOk(await opens(mounted, 'publish-me'))
    const headers = { 'x-access-token': fresh, 'x-publish-token': fresh }
    const injection = { method: 'POST', url: '/publish', json: {}, headers }
    t.match(await mounted.inject(injection), { status: 401 })
  })
})

t.test('the password hash', async (t) => {
  const salted = await toSaltedHash(password)
  const salt = Buffer.from('salt of 16 bytes').toString('base64')
  const key = scryptSync(password, 'salt of 16 bytes', 32, { N: 4096 }).toString('base64')
  const padded = `scrypt$4096$8$1$${salt}$${key}`

  await t.test('is accepted in plain and salted form', async (t) => {
    for (const text of [plainHash, plainHash.toUpperCase(), ` ${plainHash}\n`, salted, padded]) {
      const known = v.parse(PasswordHash, text)
      t.ok(await known.matches(password))
      t.notOk(await known.matches(text))
    }
    const known = v.parse(PasswordHash, padded)
    for (const guess of ['', 'x', `${password} `, password.toUpperCase(), 'é'])
      t.notOk(await known.matches(guess))
    const mounted = mountForTest(t, setting({ env: { ACCESS_PASSWORD_HASH: salted } }))
    t.match(await mounted.inject(verify(password)), { status: 200 })
    t.match(await mounted.inject(verify('no')), { status: 401 })
  })

  await t.test('fails the boot when it is malformed, without being printed', async (t) => {
    const canary = 'c4n4ry'
    const parameters = ['1000$8$1', '0$8$1', '1$8$1', '1024$0$1', '1024$8$0', '4194304$8$1', '1024$8$99']
    const salted = parameters.map((each) => `scrypt$${each}$${salt}$${key}`)
    const broken = [`$${key}`, `${salt}$${canary}`, `${salt}$${key}$${canary}`].map(
      (end) => `scrypt$1024$8$1$${end}`,
    )
    const short = [
      canary,
      `${plainHash}${canary}`,
      plainHash.slice(1),
      `scrypt$${canary}`,
      `bcrypt$${canary}`,
    ]
    const malformed = [...short, ...salted, ...broken, `scrypt:1024:8:1:${salt}$${key}`, '$1024$8$1']
    for (const ACCESS_PASSWORD_HASH of malformed) {
      const mounted = mountForTest(t, setting({ env: { ACCESS_PASSWORD_HASH } }))
      const shown = await mounted
        .ready()
        .then(String, (error: BootError) => `${error.message} ${error.stack} ${error.problems}`)
      t.match(shown, /environment variable ACCESS_PASSWORD_HASH: must be 64 hexadecimal digits/)
      t.notMatch(shown, canary)
    }
  })

  await t.test('causes a warning in its plain form only', async (t) => {
    const warnings = async (ACCESS_PASSWORD_HASH: string) => {
      const { log, lines } = capturedLog('warn')
      await mountForTest(t, { ...setting({ env: { ACCESS_PASSWORD_HASH } }), log }).ready()
      return lines
    }
    t.equal((await warnings(plainHash)).length, 1)
    t.match((await warnings(plainHash))[0], /ACCESS_PASSWORD_HASH.*hash-password/)
    t.same(await warnings(salted), [])
  })

  await t.test('in salted form delays no other request', async (t) => {
    const known = v.parse(PasswordHash, padded)
    let isAnswered = false
    const answers = Promise.all([password, 'guess'].map((each) => known.matches(each)))
    const ended = answers.then(() => (isAnswered = true))
    // What is computed in this thread would be there after as many promises.
    for (let promises = 0; promises < 100; promises += 1) await undefined
    t.notOk(isAnswered, 'it comes from another thread')
    await ended
    t.same(await answers, [true, false])
  })
})

t.test('guessing is slowed down', async (t) => {
  const compared = (answers: readonly { readonly status: number }[]) =>
    answers.filter(({ status }) => status === 401).length
  const started = () => {
    const time = stillClock()
    const storage = createMemoryStore()
    const seeds = [give(store, storage), give(clock, time)]
    const open = (env: Readonly<Record<string, string>> = {}) =>
      mountForTest(t, setting({ shape: 'standalone', env: { ...withPassword, ...env }, seeds }))
    return { time, open }
  }
  const guesses = (mounted: Mount, count: number, from: (index: number) => string = () => '192.0.2.1') =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        mounted.inject(verify(`guess ${index}`, { remote: from(index) })),
      ),
    )
  const minute = 60_000

  /** Many clients that guess and one that knows the password, under a virtual clock. */
  function attackSetup(t: Test) {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const time = stillClock()
    const storage = createMemoryStore()
    const compares: number[] = []
    const matches = async (guess: string) => {
      if (guess !== 'right') compares.push(time.now().getTime())
      return guess === 'right'
    }
    const tokens = createTokens({ secret: 'secret', password: plainHash, fixed: undefined, clock: time })
    const open = () =>
      createVerify({
        password: { form: 'sha256', fingerprint: plainHash, matches },
        tokens,
        throttle: createThrottle({ store: storage, clock: time }),
      })
    const guess = open()
    let pending = 0
    const refused: string[] = []
    /** Sends a wrong guess and counts its outcome. */
    const attack = (network: string, by = guess, signal = new AbortController().signal): void => {
      pending++
      void by('wrong', network, signal)
        .catch(
          (error: unknown) =>
            void (error instanceof Refusal && error.status === 429 && refused.push(error.reason)),
        )
        .finally(() => pending--)
    }
    /** Runs everything that is due without advancing the clock. */
    const settle = async (turns = 60): Promise<void> => {
      for (let at = 0; at < turns; at++) await turn()
    }
    const pass = async (milliseconds: number): Promise<void> => {
      await settle()
      for (let at = 0; at < milliseconds; at += 100) {
        time.advance(100)
        mock.timers.tick(100)
        await settle(6)
      }
    }
    /** Logs in with the right password; resolves with whether it gets in. */
    const login = (network: string): Promise<boolean> =>
      guess('right', network, new AbortController().signal).then(
        () => true,
        () => false,
      )
    const mostInAMinute = (): number =>
      Math.max(
        ...compares.map((from, at) => compares.slice(at).filter((then) => then - from < minute).length),
      )
    const counts = () => ({ pending, refused })
    return { storage, open, attack, pass, login, compares, mostInAMinute, counts }
  }

  const attackers: readonly (readonly [string, owner: string, first: number, (at: number) => string])[] = [
    ['100 addresses of one provider', '198.51.100', 0, (at) => `192.0.2.${at % 100}`],
    ['100 addresses next to that of the owner', '192.0.3', 9, (at) => `192.0.2.${at % 100}`],
    ['10,000 addresses of 40 providers', '198.51.100', 0, (at) => `100.${at % 40}.${at >> 8}.${at & 255}`],
  ]
  await t.test('at most sixty guesses a minute are compared, and the right password gets in', async (t) => {
    for (const [name, owner, first, from] of attackers) {
      await t.test(name, async (t) => {
        const { attack, pass, login, mostInAMinute, counts } = attackSetup(t)
        const logins: Promise<boolean>[] = []
        for (let second = 0; second < 100; second++) {
          for (let at = 0; at < 100; at++) attack(from(second * 100 + at))
          await pass(500)
          if (second % 10 === first) logins.push(login(`${owner}.${second}`))
          await pass(500)
        }
        await pass(6_000)
        for (const [at, isIn] of (await Promise.all(logins)).entries()) t.ok(isIn, `login ${at} gets in`)
        t.ok(mostInAMinute() <= 60, `${mostInAMinute()} in a minute`)
        t.equal(counts().pending, 0, 'every request was answered')
      })
    }
  })

  await t.test('at most a hundred guesses of connected clients wait, for five seconds', async (t) => {
    const { attack, pass, compares, counts } = attackSetup(t)
    const gone = new AbortController()
    attack('203.0.113.1', undefined, gone.signal)
    for (let at = 0; at < 114; at++) attack(`192.0.2.${at}`, undefined, gone.signal)
    await pass(0)
    const { pending, refused } = counts()
    t.same([compares.length, refused.length], [10, 105 - pending])
    t.same([...new Set(refused)], ['Too many wrong passwords. Try again in 5 s.'])
    t.ok(pending > 80 && pending <= 100, `${pending} wait`)
    gone.abort()
    await pass(0)
    t.match(counts(), { pending: 0 })
    await pass(2_000)
    t.equal(compares.length, 10, 'no hash is compared for aborted requests')
    for (let at = 0; at < 60; at++) attack(`198.51.100.${at}`)
    await pass(5_000)
    t.match(counts(), { pending: 0 })
  })

  await t.test('processes share one limit, and a failing store affects no other request', async (t) => {
    const { attack, pass, storage, open, compares, mostInAMinute, counts } = attackSetup(t)
    const others = [open(), open()]
    for (let at = 0; at < 3_000; at++) {
      attack(`10.${at % 250}.0.${at % 7}`, others[at % 2])
      if (at % 20 === 0) await pass(1_000)
    }
    t.ok(compares.length > 60 && mostInAMinute() <= 60, `${mostInAMinute()}`)
    await pass(minute)
    const { transaction } = storage
    const failing = mock.method(storage, 'transaction', () => Promise.reject(new Error('disk full')), {
      times: 1,
    })
    const before = compares.length
    const broken = open()('wrong', '203.0.113.1', new AbortController().signal)
    await t.rejects(broken, { message: 'disk full' })
    failing.mock.restore()
    t.equal(storage.transaction, transaction)
    attack('203.0.113.2')
    await pass(100)
    t.equal(compares.length, before + 1)
    t.match(counts(), { pending: 0 })
  })

  await t.test('a right password and a request without one do not count as guesses', async (t) => {
    const { open } = started()
    const mounted = open()
    for (let at = 0; at < 30; at++) {
      t.equal((await mounted.inject(verify(password))).status, 200)
      t.equal((await mounted.inject(verify(''))).status, 400)
    }
    t.equal(compared(await guesses(mounted, 12)), 10)
  })

  await t.test('repeated guesses from one address are delayed increasingly', async (t) => {
    const { time, open } = started()
    const mounted = open()
    const status = async (guess = 'guess', remote = '192.0.2.1') =>
      (await mounted.inject(verify(guess, { remote }))).status
    const waits = async () => {
      const answer = await mounted.inject(verify('guess', { remote: '192.0.2.1' }))
      const seconds = Number(answer.headers.get('retry-after'))
      const reason = `in ${seconds} s.`
      const body = { code: 'rate_limited', reason, retryAfterSeconds: seconds }
      t.match([answer.status, answer.json()], [429, body])
      return seconds
    }
    await guesses(mounted, 10)
    const seen: number[] = []
    for (let at = 0; at < 9; at++) {
      const seconds = await waits()
      seen.push(seconds)
      time.advance(seconds * 1000 - 1)
      t.equal(await status(), 429)
      time.advance(1)
      t.equal(await status(), 401)
    }
    t.same(seen, [12, 24, 48, 96, 192, 384, 768, 768, 768])
    t.equal(await status('guess', '192.0.2.2'), 401, 'other addresses can still log in')
    time.advance(768_000)
    t.equal(await status(password), 200)
    t.equal(await status(), 401)
    t.equal(await waits(), 12, 'a right password ends the delays')
  })

  await t.test('a restart allows no additional guesses', async (t) => {
    const { time, open } = started()
    t.equal(compared(await guesses(open(), 20)), 10)
    t.equal(compared(await guesses(open(), 20)), 0)
    time.advance(-minute)
    t.equal(compared(await guesses(open(), 5)), 0, 'nor does a clock that goes back')
  })

  await t.test('the address is that of a trusted proxy, and an IPv6 network counts as one', async (t) => {
    const via = (mounted: Mount, client: string) =>
      mounted.inject(verify('guess', { remote: '10.0.0.7', headers: { 'x-forwarded-for': client } }))
    const wait = async (mounted: Mount, client: string) =>
      Number((await via(mounted, client)).headers.get('retry-after'))
    const { time, open } = started()
    const trusting = open({ TRUST_PROXY: '10.0.0.0/8' })
    for (let at = 0; at < 10; at++) await via(trusting, `2001:db8:1:2::${at}`)
    time.advance(12_000)
    await via(trusting, '2001:db8:1:2:9::1')
    time.advance(12_000)
    t.equal(await wait(trusting, '2001:db8:1:2::77'), 12, 'backed off together')
    t.equal((await via(trusting, '2001:db8:1:3::1')).status, 401)
    const other = started()
    const distrusting = other.open()
    for (let at = 0; at < 11; at++) await via(distrusting, `192.0.2.${at}`)
    other.time.advance(12_000)
    await via(distrusting, '192.0.2.200')
    other.time.advance(12_000)
    t.equal(await wait(distrusting, '192.0.2.201'), 12, 'any client can set the header')
  })

  await t.test('old records are deleted', async (t) => {
    const { time, open } = started()
    const mounted = open()
    const held = await mounted.get(store)
    for (let at = 0; at < 40; at++) {
      await mounted.inject(verify('guess', { remote: `192.0.2.${at}` }))
      time.advance(12 * minute)
    }
    t.equal(await held.of(attempts).count('verify'), 41)
    time.advance(48 * 60 * minute)
    for (let at = 0; at < 12; at++) {
      await mounted.inject(verify('guess', { remote: '198.51.100.1' }))
      time.advance(12 * minute)
    }
    t.equal(await held.of(attempts).count('verify'), 2)
  })

  await t.test('all wrong passwords get the same answer', async (t) => {
    const { open } = started()
    const mounted = open()
    const bodies = new Set<string>()
    const wrong = ['a', 'é', password.slice(1), 'x'.repeat(1000), plainHash]
    for (const guess of wrong) bodies.add((await mounted.inject(verify(guess))).text)
    t.equal(bodies.size, 1)
  })
})

t.test('publishing requires the publish token if one is configured', async (t) => {
  const secret = 'publish-me'
  const alone: Installation = { shape: 'standalone', env: { PUBLISH_TOKEN: ` ${secret}\n` } }
  const mount: Installation = { env: { ...withFixed, PUBLISH_TOKEN: secret } }
  const right = { 'x-publish-token': secret }
  const reason = /PUBLISH_TOKEN.*x-publish-token/
  const invalid = { code: 'publish_token_invalid', reason, error: /publish token/ }
  const unauthorized = { error: 'unauthorized' }
  const token = { 'x-access-token': fixedToken }
  const closed = { env: { ...production, PUBLISH_TOKEN: secret } }
  const table: readonly [Installation, Readonly<Record<string, string>>, object][] = [
    [{ shape: 'standalone' }, {}, { via: 'anyone' }],
    [alone, right, { via: 'publish-secret' }],
    [alone, {}, invalid],
    [alone, { 'x-publish-token': 'publish-you' }, invalid],
    [alone, { 'x-publish-token': '' }, invalid],
    [alone, { 'x-publish-token': 'publish-m\u00e9' }, invalid],
    [alone, { authorization: `Bearer ${secret}` }, invalid],
    [{ env: withFixed }, token, { via: 'token' }],
    [mount, { ...token, ...right }, { via: 'publish-secret' }],
    [mount, right, unauthorized],
    [mount, token, invalid],
    [closed, right, { ...unauthorized, reason: closedReason }],
    [{ ...mount, hook: () => false }, right, unauthorized],
  ]
  for (const [installation, headers, body] of table) {
    const answer = await injectInto(t, installation, { method: 'POST', url: '/publish', json: {}, headers })
    const name = JSON.stringify([installation, headers])
    t.match([answer.status, answer.json()], ['via' in body ? 200 : 401, body], name)
    if (body === invalid) t.notMatch(answer.text, 'unauthorized', name)
  }
})

t.test('loopback addresses are recognized in every spelling', async (t) => {
  const own =
    'localhost LocalHost localhost. 127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1 0000::0001 ::ffff:127.0.0.1 ' +
    '::FFFF:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:127.9.8.7 ::1%lo'
  for (const host of own.split(' ')) t.ok(isLoopback(host), host)
  const others =
    ' 0.0.0.0 :: 126.255.255.255 128.0.0.1 192.0.2.1 ::2 ::ffff:192.0.2.1 ::ffff:0:0 fe80::1%lo 127.0.0.1.example ' +
    'localhost.example notlocalhost 127.0.0.256 127.0.0 [::1] 127.0.0.1:80'
  for (const host of others.split(' ')) t.notOk(isLoopback(host), host)
  const isLocal = isLocalCaller({ ...bare('/agent/start'), remote: '127.0.0.1', header: () => undefined }, [])
  t.notOk(isLocal, 'a request without a Host')
})

t.test('a closed mount is logged at boot, as a warning during a framework build', async (t) => {
  const levels = async (installation: Installation) => {
    const { log, lines } = capturedLog()
    await mountForTest(t, { ...setting(installation), log }).ready()
    return lines
      .filter((line) => line.includes('library mode is closed'))
      .map((line) => v.parse(v.object({ level: v.number() }), JSON.parse(line)).level)
  }
  t.same(await levels({ env: production }), [50])
  t.same(await levels({ env: production, seeds: [give(frameworkBuild, true)] }), [40])
  const open: readonly Installation[] = [{ shape: 'standalone' }, { env: withFixed }, { hook: () => true }]
  for (const each of open) t.same(await levels({ ...each, env: { ...production, ...each.env } }), [])
  t.same(await levels({}), [])
  const { log, lines } = capturedLog('error')
  const server = setting({ shape: 'standalone', env: { ...production, ORCHESTRATOR_GATE: 'all' } })
  await mountForTest(t, { ...server, log }).ready()
  t.match(lines, [/this server is closed, every request is refused: .*ACCESS_PASSWORD_HASH/])
})

t.test('the address of a client is the one reported by trusted proxies', async (t) => {
  const trusted = v.parse(TrustedProxies, '10.0.0.7, 192.168.0.0/16, 2001:db8::/32')
  const table: readonly [string | undefined, string | undefined, string | undefined][] = [
    [undefined, '1.1.1.1', undefined],
    ['1.1.1.1', undefined, '1.1.1.1'],
    ['1.1.1.1', '2.2.2.2', '1.1.1.1'],
    ['::ffff:1.1.1.1', '2.2.2.2', '1.1.1.1'],
    ['10.0.0.7', undefined, '10.0.0.7'],
    ['10.0.0.7', '2.2.2.2', '2.2.2.2'],
    ['::ffff:10.0.0.7', '2.2.2.2', '2.2.2.2'],
    ['10.0.0.8', '2.2.2.2', '10.0.0.8'],
    ['10.0.0.7', '9.9.9.9, 2.2.2.2', '2.2.2.2'],
    ['10.0.0.7', '9.9.9.9, 2.2.2.2, 192.168.3.4', '2.2.2.2'],
    ['2001:db8::1', '2.2.2.2,10.0.0.7', '2.2.2.2'],
    ['10.0.0.7', '192.168.3.4', '192.168.3.4'],
    ['10.0.0.7', 'unknown', '10.0.0.7'],
    ['10.0.0.7', '2.2.2.2, rubbish', '10.0.0.7'],
    ['10.0.0.7', '', '10.0.0.7'],
    ['10.0.0.7', '2001:DB9::5', '2001:DB9::5'],
  ]
  for (const [remote, forwarded, expected] of table) {
    const header = (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined)
    t.equal(clientAddress({ remote, header }, trusted), expected, JSON.stringify([remote, forwarded]))
  }
  t.equal(clientAddress({ remote: '10.0.0.7', header: () => '2.2.2.2' }, undefined), '10.0.0.7')

  for (const bad of ['10.0.0.0/33', 'proxy.example', '10.0.0.1,,', '1.2.3.4/8/8', '::1/129', '10.0.0.0/']) {
    const mounted = mountForTest(t, setting({ env: { TRUST_PROXY: bad } }))
    await t.rejects(mounted.ready(), { message: /TRUST_PROXY: must list addresses/ }, bad)
  }
  for (const all of ['0.0.0.0/0', '::/0', '10.0.0.7, 0.0.0.0/1', '2000::/3', '::ffff:0:0/96', '::/90']) {
    const mounted = mountForTest(t, setting({ env: { TRUST_PROXY: all } }))
    await t.rejects(mounted.ready(), { message: /TRUST_PROXY: must name the proxies themselves/ }, all)
  }
  for (const some of ['10.0.0.0/8', 'fc00::/7', '::ffff:10.0.0.0/104', '::1/128'])
    t.ok(v.is(TrustedProxies, some), some)

  t.equal(networkOf('192.0.2.1'), '192.0.2.1')
  const sameNetwork = '2001:db8:1:2::1 2001:db8:1:2:3:4:5:6 2001:0DB8:0001:0002:: 2001:db8:1:2::1%eth0'
  for (const address of sameNetwork.split(' ')) t.equal(networkOf(address), '2001:db8:1:2::/64', address)
  t.equal(networkOf('::1'), '0:0:0:0::/64')
  t.equal(networkOf('fe80::1'), 'fe80:0:0:0::/64')
})

t.test('texts of any length are compared completely', async (t) => {
  const isSame = (a: string, b: string) =>
    safeEqual(a, a) && safeEqual(a, b) === (a.toWellFormed() === b.toWellFormed())
  t.doesNotThrow(() => fc.assert(fc.property(texts, texts, isSame)))
})
