import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createHttpServer } from '../../kernel/http/server.ts'
import { give, use, type Seed, type Shape, type Used } from '../../kernel/index.ts'
import { capturedLog, mountForTest, type TestSetting } from '../../kernel/testing.ts'
import agent from '../../plugins/agents/loop/index.ts'
import auth from '../../plugins/auth/index.ts'
import { allowedOrigins, authHook } from '../../plugins/auth/port.ts'
import demo from '../../plugins/demo/index.ts'
import llm from '../../plugins/models/anthropic/index.ts'
import sitesAgent from '../../plugins/agents/onboarding/index.ts'
import tools from '../../plugins/tools/index.ts'
import { exchange, listen } from '../helpers/raw.ts'
import { draftsInMemory, temporaryFolder } from '../helpers/stack.ts'
import { listedOrigin, passwordHash, secrets } from './callers.ts'

type Variables = Readonly<Record<string, string>>

/** A request to the surface, and its status when it is admitted. */
interface Probe {
  readonly method: string
  readonly url: string
  readonly json?: object
  readonly admitted?: number
}

const hello = { siteId: 'acme', message: 'Hello' }
const start = (json: object, admitted = 400): Probe => ({
  method: 'POST',
  url: '/agent/start',
  json,
  admitted,
})
const probes: readonly Probe[] = [
  start(hello, 200),
  start({}),
  { method: 'POST', url: '/agent/chat', json: { siteId: 'acme' }, admitted: 400 },
  { method: 'GET', url: '/agent/stream?streamId=gone', admitted: 410 },
  { method: 'POST', url: '/agent/cancel', json: { streamId: 'gone' }, admitted: 410 },
]

/** Paths of the surface without a route. */
const unknown: readonly Probe[] = [
  { method: 'DELETE', url: '/agent/start' },
  { method: 'GET', url: '/agent' },
  { method: 'POST', url: '/sites-agent/whatever', json: {} },
]

const credentials = {
  none: {},
  password: { ACCESS_PASSWORD_HASH: passwordHash, ACCESS_TOKEN_SECRET: secrets.signing },
  fixed: { ORCHESTRATOR_ACCESS_TOKEN: secrets.access },
} as const
type Credential = keyof typeof credentials

/** Headers of callers on this machine, for whom the loopback rules hold or do not. */
const callers: readonly (readonly [isLocal: boolean, headers: Variables])[] = [
  [true, {}],
  [true, { 'x-access-token': 'a-guess-that-is-32-characters-lo' }],
  [false, { origin: 'https://evil.test' }],
  [false, { 'x-forwarded-for': '127.0.0.1' }],
]

const forwarding =
  'Forwarded X-Forwarded-For X-Forwarded-Host X-Real-IP CF-Connecting-IP CF-Connecting-IPv6 True-Client-IP ' +
  'X-Client-IP X-Cluster-Client-IP Fly-Client-IP X-Azure-ClientIP X-Original-Forwarded-For Via'
/** The headers and the address of a caller, and whether it is taken for one on this machine. */
const places: readonly (readonly [isLocal: boolean, headers: Variables, remote?: string])[] = [
  ...['127.9.8.7', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'].map((each) => [true, {}, each] as const),
  ...['192.0.2.1', '127.0.0.1.evil', '::ffff:192.0.2.1'].map((each) => [false, {}, each] as const),
  ...['[::1]:4200', '127.1.2.3:4200', '[::ffff:7f00:1]:4200'].map((host) => [true, { host }] as const),
  ...['192.0.2.7:4200', ':4200', 'evil.test', 'localhost.evil.test'].map(
    (host) => [false, { host }] as const,
  ),
  ...[listedOrigin, 'http://127.0.0.1:4100'].map((origin) => [true, { origin }] as const),
  ...['https://evil.test', 'null'].map((origin) => [false, { origin }] as const),
  ...forwarding.split(' ').map((name) => [false, { [name]: '127.0.0.1' }] as const),
  ...['cross-site', 'same-site', 'odd'].map((from) => [false, { 'sec-fetch-site': from }] as const),
  ...['same-origin', 'none'].map((from) => [true, { 'sec-fetch-site': from }] as const),
  [true, { origin: listedOrigin, 'sec-fetch-site': 'cross-site' }],
]

interface SurfaceCase {
  readonly shape: Shape
  readonly production: boolean
  readonly surface: 'on' | 'off' | undefined
  readonly credential: Credential
}

const development: SurfaceCase = {
  shape: 'standalone',
  production: false,
  surface: undefined,
  credential: 'none',
}
const rows = (['standalone', 'library'] as const).flatMap((shape) =>
  [false, true].flatMap((production) =>
    ([undefined, 'on', 'off'] as const).flatMap((surface) =>
      (['none', 'password', 'fixed'] as const).map((credential): SurfaceCase => {
        return { shape, production, surface, credential }
      }),
    ),
  ),
)

/** Stage 1. */
const isMounted = ({ production, surface, credential }: SurfaceCase): boolean =>
  production ? surface === 'on' && credential !== 'none' : surface !== 'off'

/** Stage 2, for callers without a valid token. */
const isLetIn = ({ shape, production, credential }: SurfaceCase, isLocal: boolean): boolean =>
  !production && isLocal && credential !== 'password' && !(shape === 'library' && credential === 'fixed')

async function open(
  t: Test,
  { shape, production, surface, credential }: SurfaceCase,
  more: Variables = {},
  plugins: readonly Used[] = [],
  options: Partial<TestSetting> = {},
  seeds: readonly Seed[] = [],
) {
  const env = {
    AGENT_API_KEY: 'sk-ant-marker',
    ...credentials[credential],
    ...(production && { NODE_ENV: 'production' }),
    ...(surface && { AGENT_SURFACE: surface }),
    ...more,
  }
  const setting = draftsInMemory({
    env,
    gates: [],
    plugins: [use(auth), use(demo), use(llm, {}), use(tools), use(agent, {}), ...plugins],
    seeds: [give(allowedOrigins, [listedOrigin]), ...seeds],
  })
  const origins = { origins: [listedOrigin], hosts: [] }
  const mounted = mountForTest(t, { ...setting, shape, origins, ...options })
  const send = async (
    { method, url, json }: Probe,
    headers: Variables = {},
    remote = '127.0.0.1',
  ): Promise<{ readonly status: number; readonly body: unknown }> => {
    const about = { remote, headers: { host: 'localhost', ...headers } }
    const answer = await mounted.inject({ method, url, ...(json && { json }), ...about })
    return { status: answer.status, body: answer.text === '' ? {} : answer.json() }
  }
  return { mounted, send }
}

/** A token that the row accepts; `undefined` where it has none. */
async function tokenOf({ credential }: SurfaceCase, send: Awaited<ReturnType<typeof open>>['send']) {
  if (credential !== 'password') return credential === 'fixed' ? secrets.access : undefined
  const { body } = await send({ method: 'POST', url: '/auth/verify', json: { password: secrets.password } })
  return v.parse(v.object({ accessToken: v.string() }), body).accessToken
}

t.test('access to the agent surface depends on shape, mode, setting and credential', async (t) => {
  const elsewhere = await (await open(t, development)).send({ method: 'GET', url: '/nothing-here' })
  const notFound = {
    status: 404,
    body: v.parse(v.object({ code: v.string(), error: v.string() }), elsewhere.body),
  }
  for (const row of rows) {
    await t.test(`${JSON.stringify(row)}: ${isMounted(row) ? 'mounted' : 'not found'}`, async (t) => {
      const { send, mounted } = await open(t, row)
      const token = await tokenOf(row, send)
      const withToken = token === undefined ? {} : { 'x-access-token': token }
      if (!isMounted(row)) {
        for (const probe of [...probes, ...unknown])
          for (const headers of [{}, withToken]) t.match(await send(probe, headers), notFound, probe.url)
        const unread = {
          method: 'POST',
          url: '/agent/start',
          headers: { 'content-type': 'text/plain' },
          body: 'x',
        }
        t.equal((await mounted.inject(unread)).status, 404, 'before the body is read')
        return
      }
      for (const probe of probes) {
        for (const [isLocal, headers] of callers) {
          const expected = isLetIn(row, isLocal)
            ? { status: probe.admitted }
            : { status: 401, body: { error: 'unauthorized' } }
          t.match(await send(probe, headers), expected, `${JSON.stringify(headers)}: ${probe.url}`)
        }
        if (token === undefined) continue
        const proxied = { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' }
        for (const headers of [withToken, proxied])
          t.equal((await send(probe, headers)).status, probe.admitted, `a token: ${probe.url}`)
      }
      if (token === undefined) return
      const elsewhere = await send(start({}), { ...withToken, host: 'evil.test' })
      t.equal(elsewhere.status, 403, 'the host check comes after the gate')
    })
  }
})

t.test('a caller on this machine is recognized by its address and headers', async (t) => {
  const { send } = await open(t, development, {}, [], { origins: { origins: [listedOrigin] } })
  for (const [isLocal, headers, remote] of places) {
    const { status } = await send(start({}), headers, remote)
    t.equal(status, isLocal ? 400 : 401, `${remote} ${JSON.stringify(headers)}`)
  }
})

t.test('a proxy that speaks HTTP/1.0 and adds no header is not taken for a local caller', async (t) => {
  const { mounted } = await open(t, development)
  const port = await listen(t, createHttpServer(mounted.node))
  const statusOf = async (version: string) => {
    const head = `POST /agent/start HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n`
    return (
      await exchange(t, port, `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`, 5000)
    ).answers[0]?.status
  }
  t.equal(await statusOf('1.0'), 401)
  t.equal(await statusOf('1.1'), 400)
})

t.test('on a mount the gate of the mount is checked before that of the agents', async (t) => {
  const fixed = { 'x-access-token': secrets.access }
  const rows: readonly (readonly [number, hook: boolean, Credential, Variables, remote?: string])[] = [
    [401, false, 'none', {}],
    [200, true, 'none', {}],
    [401, true, 'fixed', {}, '192.0.2.1'],
    [200, true, 'fixed', fixed, '192.0.2.1'],
  ]
  for (const [status, hook, credential, headers, remote] of rows) {
    const mount: SurfaceCase = { ...development, shape: 'library', credential }
    const { send } = await open(t, mount, {}, [], {}, [give(authHook, () => hook)])
    t.match(await send(start(hello), headers, remote), { status })
  }
  const { mounted } = await open(t, { ...development, shape: 'library' })
  const unknown = new Request('http://localhost/agent/start', { method: 'POST' })
  t.match(await mounted.fetch(unknown), { status: 401 }, 'an unknown address is not local')
})

t.test(
  'an agent surface without a credential is logged, and an unclear setting stops the boot',
  async (t) => {
    for (const row of rows.filter(({ production, surface }) => production && surface === 'on')) {
      const { log, lines } = capturedLog('error')
      await (await open(t, row, {}, [], { log })).mounted.ready()
      const named = lines.some((line) => /ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN/.test(line))
      t.equal(named, row.credential === 'none')
    }
    const { mounted } = await open(t, development, { AGENT_SURFACE: 'yes' })
    await t.rejects(mounted.ready(), { message: /AGENT_SURFACE: must be on or off/ })
  },
)

t.test('a demo answers 403 before anything else, mounted or not', async (t) => {
  for (const surface of ['on', 'off'] as const) {
    const { send } = await open(t, { ...development, surface }, { DEMO_MODE: '1' })
    for (const probe of [...probes, ...unknown])
      t.match(await send(probe), { status: 403, body: { code: 'demo_disabled' } }, probe.url)
  }
})

t.test('the body is validated before the model, and the model before the number of runs', async (t) => {
  const { send } = await open(t, development, { AGENT_API_KEY: ' ', AGENT_MAX_CONCURRENT: '1' })
  t.match(await send(start({ siteId: 'acme' })), { status: 400, body: { code: 'message_required' } })
  t.match(await send(start(hello)), { status: 501, body: { code: 'agent_not_configured' } })
  const full = await open(t, development)
  for (let n = 0; n < 50; n += 1) t.equal((await full.send(start(hello))).status, 200)
  t.equal((await full.send(start({ siteId: 'acme' }))).status, 400)
  t.match(await full.send(start(hello)), { status: 429, body: { code: 'too_many_runs' } })
})

t.test('a command-line program is started only if AGENT_CLI is exactly 1', async (t) => {
  const json = { message: 'Make a site', useCliAgent: true }
  for (const shape of ['standalone', 'library'] as const) {
    for (const [word, status, code] of [
      [undefined, 403, 'cli_disabled'],
      ['0', 403, 'cli_disabled'],
      ['1', 501, 'cli_unavailable'],
    ] as const) {
      const command = {
        SITES_WORKSPACE_DIR: temporaryFolder(t),
        AGENT_CLI_COMMAND: 'no-such-program-of-agents',
      }
      const more = { ...command, ...(word !== undefined && { AGENT_CLI: word }) }
      const { send } = await open(t, { ...development, shape }, more, [use(sitesAgent, {})])
      const answer = await send({ method: 'POST', url: '/sites-agent/start', json })
      t.match(answer, { status, body: { code } }, `${shape}, AGENT_CLI ${word ?? 'unset'}`)
      t.match(await send({ method: 'POST', url: '/sites-agent/start', json }, {}, '192.0.2.1'), {
        status: 401,
      })
    }
  }
  for (const word of ['true', 'yes', '11', 'on']) {
    const failed = open(t, development, { AGENT_CLI: word }).then(({ mounted }) => mounted.ready())
    await t.rejects(failed, { message: /AGENT_CLI: must be 1 or 0/ }, word)
  }
})
