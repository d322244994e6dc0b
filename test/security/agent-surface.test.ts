import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give, use, type Shape, type Used } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import agent from '../../plugins/agent/index.ts'
import auth from '../../plugins/auth/index.ts'
import { allowedOrigins, commandLinePermit } from '../../plugins/auth/port.ts'
import demo from '../../plugins/demo/index.ts'
import llm from '../../plugins/llm/index.ts'
import sitesAgent from '../../plugins/sites-agent/index.ts'
import tools from '../../plugins/tools/index.ts'
import { draftsInMemory, temporaryFolder } from '../helpers/stack.ts'
import { listedOrigin, passwordHash, secrets } from './callers.ts'

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
const callers: readonly (readonly [isLocal: boolean, headers: Readonly<Record<string, string>>])[] = [
  [true, {}],
  [true, { origin: listedOrigin }],
  [true, { origin: listedOrigin.replace('localhost', '127.0.0.1') }],
  [true, { 'x-access-token': 'a-guess-that-is-32-characters-lo' }],
  [false, { origin: 'https://evil.test' }],
  [false, { host: 'evil.test' }],
  [false, { 'x-forwarded-for': '127.0.0.1' }],
  [false, { forwarded: 'for=127.0.0.1' }],
  [false, { 'cf-connecting-ip': '127.0.0.1' }],
  [false, { 'sec-fetch-site': 'cross-site' }],
]

interface Row {
  readonly shape: Shape
  readonly production: boolean
  readonly surface: 'on' | 'off' | undefined
  readonly credential: Credential
}

const development: Row = { shape: 'standalone', production: false, surface: undefined, credential: 'none' }
const rows = (['standalone', 'library'] as const).flatMap((shape) =>
  [false, true].flatMap((production) =>
    ([undefined, 'on', 'off'] as const).flatMap((surface) =>
      (['none', 'password', 'fixed'] as const).map((credential): Row => {
        return { shape, production, surface, credential }
      }),
    ),
  ),
)

/** Stage 1. */
const isMounted = ({ production, surface, credential }: Row): boolean =>
  production ? surface === 'on' && credential !== 'none' : surface !== 'off'

/** Stage 2, for callers without a valid token. */
const isLetIn = ({ shape, production, credential }: Row, isLocal: boolean): boolean =>
  !production && isLocal && credential !== 'password' && !(shape === 'library' && credential === 'fixed')

async function open(
  t: Test,
  { shape, production, surface, credential }: Row,
  more: Readonly<Record<string, string>> = {},
  plugins: readonly Used[] = [],
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
    seeds: [give(allowedOrigins, [listedOrigin])],
  })
  const mounted = mountForTest(t, { ...setting, shape, origins: { origins: [listedOrigin], hosts: [] } })
  const send = async (
    { method, url, json }: Probe,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> => {
    const about = { remote: '127.0.0.1', headers: { host: 'localhost', ...headers } }
    const answer = await mounted.inject({ method, url, ...(json && { json }), ...about })
    return { status: answer.status, body: answer.text === '' ? {} : answer.json() }
  }
  return { mounted, send }
}

/** A token that the row accepts; `undefined` where it has none. */
async function tokenOf({ credential }: Row, send: Awaited<ReturnType<typeof open>>['send']) {
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
      const { send, mounted } = await open(t, { ...development, shape }, more, [use(sitesAgent, {})])
      const answer = await send({ method: 'POST', url: '/sites-agent/start', json })
      t.match(answer, { status, body: { code } }, `${shape}, AGENT_CLI ${word ?? 'unset'}`)
      const permit = await mounted.get(commandLinePermit)
      if (word === '1') t.doesNotThrow(permit.check)
      else t.throws(permit.check, { code: 'cli_disabled' })
    }
  }
  for (const word of ['true', 'yes', '11', 'on']) {
    const failed = open(t, development, { AGENT_CLI: word }).then(({ mounted }) => mounted.ready())
    await t.rejects(failed, { message: /AGENT_CLI: must be 1 or 0/ }, word)
  }
})
