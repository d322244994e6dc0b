import { createServer, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
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
import { listen } from '../helpers/raw.ts'
import { draftsInMemory, temporaryFolder } from '../helpers/stack.ts'
import { listedOrigin, passwordHash, secrets } from './callers.ts'

/** A request to the surface, and its status when it is admitted. */
interface Probe {
  readonly method: string
  readonly path: string
  readonly json?: object
  readonly admitted: number
}

const probes: readonly Probe[] = [
  { method: 'POST', path: '/agent/start', json: { siteId: 'acme', message: 'Hello' }, admitted: 200 },
  { method: 'POST', path: '/agent/start', json: {}, admitted: 400 },
  { method: 'POST', path: '/agent/chat', json: { siteId: 'acme' }, admitted: 400 },
  { method: 'GET', path: '/agent/stream?streamId=gone', admitted: 410 },
  { method: 'POST', path: '/agent/cancel', json: { streamId: 'gone' }, admitted: 410 },
]

/** Paths of the surface without a route. */
const unknown: readonly Probe[] = [
  { method: 'DELETE', path: '/agent/start', admitted: 404 },
  { method: 'GET', path: '/agent', admitted: 404 },
  { method: 'POST', path: '/sites-agent/whatever', json: {}, admitted: 404 },
]

const credentials = {
  none: {},
  password: { ACCESS_PASSWORD_HASH: passwordHash, ACCESS_TOKEN_SECRET: secrets.signing },
  fixed: { ORCHESTRATOR_ACCESS_TOKEN: secrets.access },
} as const
type Credential = keyof typeof credentials

/** Callers on this machine, over a socket; `isLocal` is the verdict of the loopback rules. */
const callers = [
  { name: 'a program here', headers: {}, isLocal: true },
  { name: 'a page of a listed origin', headers: { origin: listedOrigin }, isLocal: true },
  {
    name: 'a page of its twin',
    headers: { origin: listedOrigin.replace('localhost', '127.0.0.1') },
    isLocal: true,
  },
  { name: 'a page of another origin', headers: { origin: 'https://evil.test' }, isLocal: false },
  { name: 'a name that leads here', headers: { host: 'evil.test' }, isLocal: false },
  { name: 'a proxy', headers: { 'x-forwarded-for': '127.0.0.1' }, isLocal: false },
  { name: 'a proxy of the newer kind', headers: { forwarded: 'for=127.0.0.1' }, isLocal: false },
  { name: 'a proxy of a network', headers: { 'cf-connecting-ip': '127.0.0.1' }, isLocal: false },
  { name: 'an image in a page', headers: { 'sec-fetch-site': 'cross-site' }, isLocal: false },
  { name: 'a guess', headers: { 'x-access-token': 'a-guess-that-is-32-characters-lo' }, isLocal: true },
] as const

interface Row {
  readonly shape: Shape
  readonly production: boolean
  readonly surface: 'on' | 'off' | undefined
  readonly credential: Credential
}

const rows: readonly Row[] = (['standalone', 'library'] as const).flatMap((shape) =>
  [false, true].flatMap((production) =>
    ([undefined, 'on', 'off'] as const).flatMap((surface) =>
      (['none', 'password', 'fixed'] as const).map((credential): Row => ({
        shape,
        production,
        surface,
        credential,
      })),
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
  const port = await listen(t, createServer(mounted.node))
  const send = async (
    { method, path, json }: Omit<Probe, 'admitted'>,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>()
    const body = json && JSON.stringify(json)
    const type =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    httpRequest({ host: '127.0.0.1', port, method, path, headers: { ...type, ...headers } })
      .on('error', reject)
      .on(
        'response',
        (response) =>
          void text(response).then(
            (said) =>
              resolve({ status: response.statusCode ?? 0, body: said === '' ? {} : JSON.parse(said) }),
            reject,
          ),
      )
      .end(body)
    return promise
  }
  return { mounted, send }
}

/** A token that the row accepts; `undefined` where it has none. */
async function tokenOf(
  { credential }: Row,
  send: Awaited<ReturnType<typeof open>>['send'],
): Promise<string | undefined> {
  if (credential === 'fixed') return secrets.access
  if (credential === 'none') return undefined
  const { body } = await send({ method: 'POST', path: '/auth/verify', json: { password: secrets.password } })
  return v.parse(v.object({ accessToken: v.string() }), body).accessToken
}

t.test('access to the agent surface depends on shape, mode, setting and credential', async (t) => {
  for (const row of rows) {
    const { shape, production, surface, credential } = row
    await t.test(
      `${shape}, ${production ? 'production' : 'development'}, AGENT_SURFACE ${surface ?? 'unset'}, credential ${credential}: ${isMounted(row) ? 'mounted' : 'not found'}`,
      async (t) => {
        const { send } = await open(t, row)
        const token = await tokenOf(row, send)
        const withToken = token === undefined ? {} : { 'x-access-token': token }
        if (!isMounted(row)) {
          const elsewhere = (
            await (
              await open(t, { ...row, shape: 'standalone' })
            ).send({ method: 'GET', path: '/nothing-here' })
          ).body
          const { code, error } = v.parse(v.object({ code: v.string(), error: v.string() }), elsewhere)
          for (const probe of [...probes, ...unknown]) {
            for (const headers of [{}, withToken])
              t.match(
                await send(probe, headers),
                { status: 404, body: { code, error } },
                `${probe.method} ${probe.path}`,
              )
          }
          t.equal(
            (await send({ method: 'POST', path: '/agent/start' }, { 'content-type': 'text/plain' })).status,
            404,
            'before the body is read',
          )
          return
        }
        for (const probe of probes) {
          for (const { name, headers, isLocal } of callers) {
            const answer = await send(probe, headers)
            if (isLetIn(row, isLocal)) t.equal(answer.status, probe.admitted, `${name}: ${probe.path}`)
            else t.match(answer, { status: 401, body: { error: 'unauthorized' } }, `${name}: ${probe.path}`)
          }
          if (token === undefined) continue
          t.equal((await send(probe, withToken)).status, probe.admitted, `a token: ${probe.path}`)
          t.equal(
            (await send(probe, { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' })).status,
            probe.admitted,
            `a token through a proxy: ${probe.path}`,
          )
        }
        if (token !== undefined)
          t.equal(
            (
              await send(
                { method: 'POST', path: '/agent/cancel', json: {} },
                { ...withToken, host: 'evil.test' },
              )
            ).status,
            403,
            'the host check comes after the gate',
          )
      },
    )
  }
})

t.test('a demo answers 403 before anything else, mounted or not', async (t) => {
  for (const surface of ['on', 'off'] as const) {
    const { send } = await open(
      t,
      { shape: 'standalone', production: false, surface, credential: 'none' },
      { DEMO_MODE: '1' },
    )
    for (const probe of [...probes, ...unknown])
      t.match(
        await send(probe),
        { status: 403, body: { code: 'demo_disabled' } },
        `${probe.method} ${probe.path}`,
      )
  }
})

t.test(
  'the body is validated before the model is checked, and the model before the number of runs',
  async (t) => {
    const row: Row = { shape: 'standalone', production: false, surface: undefined, credential: 'none' }
    const start = (json: object) => ({ method: 'POST', path: '/agent/start', json })
    const { send } = await open(t, row, { AGENT_API_KEY: ' ', AGENT_MAX_CONCURRENT: '1' })
    t.match(await send(start({ siteId: 'acme' })), { status: 400, body: { code: 'message_required' } })
    t.match(await send(start({ siteId: 'acme', message: 'x' })), {
      status: 501,
      body: { code: 'agent_not_configured' },
    })
    const full = await open(t, row)
    for (let n = 0; n < 50; n += 1)
      t.equal((await full.send(start({ siteId: 'acme', message: 'x' }))).status, 200)
    t.match(await full.send(start({ siteId: 'acme' })), { status: 400 })
    t.match(await full.send(start({ siteId: 'acme', message: 'x' })), {
      status: 429,
      body: { code: 'too_many_runs' },
    })
  },
)

t.test('a command-line program is started only if AGENT_CLI is exactly 1', async (t) => {
  const row: Row = { shape: 'standalone', production: false, surface: undefined, credential: 'none' }
  for (const [word, isAllowed] of [
    [undefined, false],
    ['0', false],
    ['1', true],
  ] as const) {
    const { mounted } = await open(t, row, word === undefined ? {} : { AGENT_CLI: word })
    const permit = await mounted.get(commandLinePermit)
    if (isAllowed) t.doesNotThrow(permit.check)
    else t.throws(permit.check, { code: 'cli_disabled' }, String(word))
  }
  for (const shape of ['standalone', 'library'] as const) {
    for (const [word, status, code] of [
      [undefined, 403, 'cli_disabled'],
      ['0', 403, 'cli_disabled'],
      ['1', 501, 'cli_unavailable'],
    ] as const) {
      const more = {
        SITES_WORKSPACE_DIR: temporaryFolder(t),
        AGENT_CLI_COMMAND: 'no-such-program-of-agents',
        ...(word !== undefined && { AGENT_CLI: word }),
      }
      const { send } = await open(t, { ...row, shape }, more, [use(sitesAgent, {})])
      const answer = await send({
        method: 'POST',
        path: '/sites-agent/start',
        json: { message: 'Make a site', useCliAgent: true },
      })
      t.match(answer, { status, body: { code } }, `${shape}, AGENT_CLI ${word ?? 'unset'}`)
    }
  }
  for (const word of ['true', 'yes', '11', 'on'])
    await t.rejects(
      async () => (await open(t, row, { AGENT_CLI: word })).mounted.ready(),
      { message: /AGENT_CLI: must be 1 or 0/ },
      word,
    )
})
