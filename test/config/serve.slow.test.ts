import { startDemo } from '../../config/cli/serve/demo/index.ts'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { registerHooks } from 'node:module'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { assemble } from '../../config/assemble.ts'
import { serve } from '../../config/cli/serve/start.ts'
import { freePort } from '../helpers/raw.ts'
import { folderWith, inHouse, orchestrator, problemsOf, smallConfig } from './helpers.ts'
import { cli, start, type Line } from './process.ts'

const withSlow = { 'orchestrator.config.json': smallConfig({ plugins: [inHouse('slow.ts')] }) }

const ask = (
  port: number,
  path: string,
  agent?: Agent,
): Promise<{
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly text: string
}> =>
  new Promise((resolve, reject) => {
    get({ port, path, host: '127.0.0.1', ...(agent && { agent }) }, (response) => {
      text(response).then(
        (text) => resolve({ status: response.statusCode, connection: response.headers.connection, text }),
        reject,
      )
    }).on('error', reject)
  })

/** Connects until a connection is refused: a stop accepts those that come before its listener closes. */
async function refusalOf(port: number): Promise<unknown> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } catch (error) {
      return error
    }
    socket.destroy()
    await wait(50)
  }
}

/** Retries until `run` succeeds. */
async function until<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch {
      await wait(5)
    }
  }
}

t.test('SIGTERM loses no answer, ends streams with a hint, closes plugins and exits with 0', async (t) => {
  const { port, kill, logged, lines, ended, folder } = await start(t, withSlow)
  t.match(JSON.parse((await ask(port, '/health')).text), { ok: true })
  t.ok(existsSync(join(folder, '.orchestrator/orchestrator.db')))
  t.match(await logged('routes of in-house plugins are public'), {
    level: 40,
    routes: ['GET /quick', 'GET /slow', 'GET /ticks', 'GET /crash'],
  })

  const agent = new Agent({ keepAlive: true, maxSockets: 250 })
  t.teardown(() => agent.destroy())
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  const slow = Array.from({ length: 200 }, () => ask(port, '/slow?ms=700', agent))
  const stream = ask(port, '/ticks', agent)
  await logged('slow begins', 200)
  kill('SIGTERM')
  await logged('stopping')
  t.match(await refusalOf(port), { code: 'ECONNREFUSED' })
  const successor = createServer().listen(port, '127.0.0.1')
  await once(successor, 'listening')
  successor.close()

  const answers = await Promise.all(slow)
  t.equal(answers.filter(({ status, connection }) => status === 200 && connection === 'close').length, 200)
  t.match((await stream).text, /^retry: 100\n\ndata: 1\n\nretry: \d+\n\n$/)
  t.equal(await ended, 0)
  t.match(
    lines()
      .filter(({ level, msg }) => level === 30 && msg !== 'request')
      .slice(-3),
    [{ msg: 'stopping', cause: 'SIGTERM' }, { msg: 'slow closed', served: 200 }, { msg: 'stopped' }],
  )
  t.notOk(existsSync(join(folder, '.orchestrator/orchestrator.db-wal')), 'the store is closed last')
})

t.test('serve limits its memory by itself', { skip: process.platform !== 'linux' }, async (t) => {
  const { pid, kill, ended, stderr } = await start(t, withSlow)
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  t.strictSame(words.slice(1, 5), ['--max-semi-space-size=16', '--heap-growing-percent=35', cli, 'serve'])
  kill('SIGTERM')
  t.strictSame([await ended, stderr()], [0, ''])
})

t.test('SIGTERM during the start loses no answer either, and exits with 0', async (t) => {
  const port = await freePort()
  const { kill, ended } = await start(t, withSlow, ['--port', String(port)])
  const socket = await until(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  })
  kill('SIGTERM')
  socket.end('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
  t.match(await text(socket), /^HTTP\/1\.1 200 /)
  t.equal(await ended, 0)
})

t.test(
  'a signal to npm or npx stops the service that they started',
  { skip: process.platform === 'win32' && 'npm gets no signals' },
  async (t) => {
    const files = {
      ...withSlow,
      'package.json': JSON.stringify({
        name: 'site',
        scripts: { start: `"${process.execPath}" "${cli}" serve` },
      }),
      'node_modules/.bin/content-orchestrator': `#!/usr/bin/env node\nimport(${JSON.stringify(cli)})\n`,
    }
    const wrappers = [
      ['npm', 'start', '--silent', '--'],
      ['npx', 'content-orchestrator', 'serve'],
    ] as const
    for (const wrapper of wrappers) {
      const { folder, port, kill, lines, ended } = await start(
        t,
        files,
        ['--port', '0'],
        ['sh', '-c', 'chmod +x node_modules/.bin/*; exec "$@"', 'sh', ...wrapper],
      )
      kill('SIGTERM')
      await ended
      t.match(
        lines()
          .slice(-3)
          .map(({ msg }) => msg),
        ['stopping', 'slow closed', 'stopped'],
        wrapper.join(' '),
      )
      t.notOk(existsSync(join(folder, '.orchestrator/orchestrator.db-wal')))
      t.match(await refusalOf(port), { code: 'ECONNREFUSED' })
    }
  },
)

t.test('a signal that comes twice, as from a terminal and from npm, stops the service once', async (t) => {
  const { kill, lines, ended } = await start(t, withSlow)
  kill('SIGINT')
  await wait(50)
  kill('SIGINT')
  t.equal(await ended, 0)
  t.equal(lines().at(-1)?.msg, 'stopped')
})

t.test('a second signal exits at once', async (t) => {
  const twice = async (signal: NodeJS.Signals, code: number) => {
    const { port, kill, logged, ended } = await start(t, withSlow)
    const lost = ask(port, '/slow?ms=20000').then(
      () => 'answered',
      () => 'lost',
    )
    await logged('slow begins')
    kill(signal)
    await logged('stopping')
    await wait(1_000)
    kill(signal)
    t.strictSame([await ended, await lost], [code, 'lost'], signal)
  }
  await Promise.all([twice('SIGTERM', 143), twice('SIGINT', 130)])
})

t.test('an unexpected error ends the process, and is logged without secrets', async (t) => {
  const { port, lines, ended } = await start(t, withSlow)
  await ask(port, '/crash').catch(() => undefined)
  t.equal(await ended, 1)
  t.match(lines().at(-1), {
    level: 60,
    msg: 'ended by an unexpected error',
    err: { message: 'lost [redacted]' },
  })
})

t.test('a failed start reports its cause, exits with 1 and leaves nothing behind', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const gone = { 'orchestrator.config.json': smallConfig({ without: ['auth'] }) }
  const [inUse, broken] = await Promise.all([
    start(t, withSlow, ['--port', String(port)]),
    start(t, gone, ['--port', String(port), '--host', '127.0.0.2']),
  ])
  t.equal(await inUse.ended, 1)
  const remedy = 'is in use; stop what listens there, or choose another with --port or PORT'
  t.equal(inUse.stderr(), `The orchestrator cannot start:\n  - port ${port} of 127.0.0.1 ${remedy}\n`)
  t.notOk(existsSync(join(inUse.folder, '.orchestrator')))
  t.equal(await broken.ended, 1)
  t.match(
    broken.stderr(),
    /^The orchestrator cannot start:\n( {2}- .*but no loaded plugin provides it; load one that gives it.*\n)+$/,
  )
})

type Variables = Readonly<Record<string, string>>
const inMemory = { ORCHESTRATOR_DB_FILE: ':memory:' }
const kept = { ORCHESTRATOR_DATA_DIR: 'kept' }
/** All plugins, without a terminal. */
const plain = { files: {}, isTerminal: false }

/** Serves a small configuration in this process, unless others are given. */
async function serveHere(
  t: Test,
  env: Variables,
  {
    files = { 'orchestrator.config.json': smallConfig() } as Variables,
    isTerminal = true,
    demo = false,
    insecure = false,
  } = {},
) {
  const cwd = folderWith(t, files)
  let out = ''
  const io = {
    write: (text: string) => void (out += text),
    print: (text: string) => void (out += `${text}\n`),
    isTerminal,
    paint: (_: string, text: string) => text,
  }
  const { settings, plugins, ...assembled } = await assemble(
    { isTerminal, cwd, environment: () => env },
    { port: '0' },
  )
  const { port, stop } = await serve({
    settings,
    plugins,
    env: assembled.env,
    website: demo ? startDemo : undefined,
    insecure,
    io,
  })
  t.teardown(stop)
  const warnings = () => out.split('\n').filter((line) => /^(?:warning|error) /.test(line))
  return { port, stop, cwd, out: () => out, warnings }
}

t.test('on a terminal serve prints the addresses, and warnings as text', async (t) => {
  const withDocs = { 'orchestrator.config.json': smallConfig({ plugins: ['docs'] }) }
  const { port, out, cwd } = await serveHere(t, { ORCHESTRATOR_DATA_DIR: 'kept' }, { files: withDocs })
  const address = `http://localhost:${port}`
  t.equal(out(), `Service    ${address}\nAPI docs   ${address}/docs\nData       ${cwd}/kept\n`)
  t.equal((await ask(port, '/docs/json')).status, 200)
  const root = (path: string, method = 'GET') => fetch(address + path, { method, redirect: 'manual' })
  const { status, headers } = await root('/?accessToken=a%2Fb')
  t.same([status, headers.get('location')], [302, './docs?accessToken=a%2Fb'], 'the root leads to the docs')
  t.same([(await root('/', 'POST')).status, (await root('/other')).status], [404, 404])

  const beyond = await serveHere(t, { HOST: '0.0.0.0', ...inMemory }, { files: withSlow })
  t.equal((await ask(beyond.port, '/')).status, 404, 'no redirect without the docs')
  t.match(
    beyond.out(),
    new RegExp(`^Service {4}http://localhost:${beyond.port}\nData {7}in memory, until the process ends\n`),
  )
  for (const warning of [
    /^warning reachable from other machines without a credential: .* host=0\.0\.0\.0$/m,
    /^warning answering to any host name: .*ORCHESTRATOR_ALLOWED_HOSTS host=0\.0\.0\.0$/m,
    /^warning reachable from other machines with the development rules: set NODE_ENV=production host=/m,
    /^warning routes of in-house plugins are public routes=\["GET \/quick"/m,
  ])
    t.match(beyond.out(), warning)
})

t.test('an address that other machines reach causes warnings while settings are missing', async (t) => {
  const credential = { ORCHESTRATOR_ACCESS_TOKEN: 'x'.repeat(32) }
  const production = { NODE_ENV: 'production', TELEMETRY_HTTP: 'off' }
  const all = { ORCHESTRATOR_GATE: 'all' }
  const far = { HOST: '0.0.0.0', ORCHESTRATOR_ALLOWED_HOSTS: 'orchestrator' }
  const proxied = { ...production, ...credential, ORCHESTRATOR_PUBLIC_ORIGIN: 'https://edit.example.com' }
  const open =
    /^warning most routes require no token.* as ORCHESTRATOR_PUBLIC_ORIGIN says: set ORCHESTRATOR_GATE=all/m
  const mistyped = { ...inMemory, ...proxied, ORCHESTRATOR_GAET: 'all' }
  const behindProxy = (await serveHere(t, mistyped)).out()
  t.match(behindProxy, open)
  t.match(behindProxy, /^warning unknown variables are ignored .*GAET; did you mean 'ORCHESTRATOR_GATE'/m)
  t.notMatch((await serveHere(t, { ...inMemory, ...proxied, ...all })).out(), /^warning/m)
  const guarded =
    /^0\.0\.0\.0 is reachable from other machines, .* set ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN, and ORCHESTRATOR_GATE=all; --insecure starts without$/
  for (const more of [{}, all]) {
    const env = { ...inMemory, ...far, ...production, ...more }
    t.match(await problemsOf(() => serveHere(t, env)), [guarded])
    const { out, cwd } = await serveHere(t, env, { insecure: true })
    const closed = 'ORCHESTRATOR_GATE' in more
    t.match(
      out(),
      closed ? /^error .*this server is closed/m : /^warning .*without a credential/m,
      'if meant',
    )
    const refused = { code: 1, out: '', err: /--insecure starts without/ }
    t.match(await orchestrator(cwd, ['serve', '--port', '0'], { env }), refused)
  }
  type Case = readonly [env: Variables, warnings: readonly RegExp[], plugins?: readonly string[]]
  const cases: readonly Case[] = [
    [{}, []],
    [{ HOST: 'localhost' }, []],
    [far, [/without a credential.*ORCHESTRATOR_GATE=all/, /NODE_ENV=production/]],
    [{ ...far, ...credential }, [/NODE_ENV=production/]],
    [{ ...far, ...production, ...credential }, []],
    [{ ...far, ...production, ...credential, ...all }, []],
    [{ ...far, ...all }, [/without a credential/, /NODE_ENV=production/]],
    [{ ...far, ...production, ...all }, [], [inHouse('hook.ts')]],
  ]
  for (const [env, warnings, plugins = []] of cases) {
    const files = { 'orchestrator.config.json': smallConfig({ plugins }) }
    const found = (await serveHere(t, { ...inMemory, ...env }, { files })).warnings()
    t.match([found.length, ...found], [warnings.length, ...warnings], JSON.stringify(env))
  }
})

t.test('serve refuses a configuration that asks for missing packages, with the line for each', async (t) => {
  const missing = new Set(['openai', 'sharp', 'playwright-core', '@anthropic-ai/sdk'])
  const hooks = registerHooks({
    resolve: (name, context, next) => next(missing.has(name) ? 'not-installed' : name, context),
  })
  t.teardown(() => hooks.deregister())
  const models = { OPENAI_MODEL: 'gpt-4o', OPENAI_API_KEY: 'k', AGENT_API_KEY: 'sk-ant-x' }
  const pictures = { IMAGE_GEN_PROVIDER: 'placeholder', PREVIEW_BROWSER: process.execPath }
  const needs = (variable: string, name: string) =>
    `${variable} needs the package ${name}, which is not installed: run npm install ${name}, and start again`
  const started = { ...inMemory, ...models, ...pictures }
  t.strictSame(await problemsOf(() => serveHere(t, started)), [
    needs('OPENAI_MODEL', 'openai'),
    needs('AGENT_API_KEY', '@anthropic-ai/sdk'),
    needs('IMAGE_GEN_PROVIDER', 'sharp'),
    needs('PREVIEW_BROWSER', 'playwright-core'),
  ])
  const without = { ...inMemory, OPENAI_API_KEY: 'k', IMAGE_GEN_PROVIDER: 'openai' }
  t.strictSame((await serveHere(t, without)).warnings(), [], 'what works without them')
})

t.test('in production serve warns while telemetry shows messages', async (t) => {
  const warning = /"level":40,.*below \/telemetry without a token: set TELEMETRY_HTTP=off/
  const production = { NODE_ENV: 'production' }
  const cases: readonly (readonly [env: Variables, warns: boolean, status: number])[] = [
    [production, true, 200],
    [{ ...production, TELEMETRY_HTTP: 'off' }, false, 404],
    [{}, false, 200],
  ]
  for (const [more, warns, status] of cases) {
    const { out, port } = await serveHere(t, { ...inMemory, ...kept, ...more }, plain)
    t.equal(warning.test(out()), warns, JSON.stringify(more))
    t.equal((await ask(port, '/telemetry/chat')).status, status)
  }
})

t.test('with the demo site serve prints six lines, and the site is registered and may call', async (t) => {
  const { port, out } = await serveHere(t, { DEMO_SITE_PORT: '0', ...inMemory }, { files: {}, demo: true })
  const service = `http://localhost:${port}`
  const [, origin = ''] = /^Demo site {2}(http:\/\/localhost:\d+)$/m.exec(out()) ?? []
  t.match(out().split('\n'), [
    `Service    ${service}`,
    `Demo site  ${origin}`,
    `Its draft  ${origin}/draft`,
    `Studio     ${service}/studio`,
    `API docs   ${service}/docs`,
    /^Data {7}in memory/,
    /^$/,
  ])
  const root = await fetch(`${service}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  t.equal(root.headers.get('location'), './studio', 'the root leads a browser to the studio')
  t.equal((await fetch(origin)).status, 200)
  const sites = await fetch(`${service}/sites`, { headers: { origin } })
  t.equal(sites.headers.get('access-control-allow-origin'), origin)
  t.match(await sites.json(), { sites: [{ id: 'demo', previewUrl: origin }] })
})

t.test('with ORCHESTRATOR_GATE=all the demo site shows its draft, with any credential', async (t) => {
  const credentials = [
    {},
    { ORCHESTRATOR_ACCESS_TOKEN: 'token-of-the-test-itself' },
    { ACCESS_PASSWORD_HASH: hash('sha256', 'open sesame') },
  ]
  for (const credential of credentials) {
    const env = { DEMO_SITE_PORT: '0', ...inMemory, ORCHESTRATOR_GATE: 'all', ...credential }
    const { port, out } = await serveHere(t, env, { files: {}, demo: true })
    t.notMatch(out(), /could not be registered/, JSON.stringify(credential))
    const api = `http://127.0.0.1:${port}`
    const site = /^Demo site {2}(\S+)$/m.exec(out())?.[1] ?? ''
    const entered = await fetch(`${site}/draft`, { redirect: 'manual' })
    const cookies = entered.headers.getSetCookie().map((line) => line.split(';')[0])
    const headers = { cookie: cookies.join('; ') }
    const page = await (await fetch(site, { headers })).text()
    const [, leave = ''] = /<a href="([^"]*)" title="Leave the draft" class="ribbon">Draft</.exec(page) ?? []
    const left = await fetch(`${site}${leave}`, { headers, redirect: 'manual' })
    const ended = [left.status, left.headers.get('location'), left.headers.getSetCookie().join()]
    t.match(ended, [307, '/', /editor_draft=;/])

    const draft = 'siteId=demo&session=dev'
    const pass = /"accessToken":"([^"]+)"/.exec(page)?.[1] ?? ''
    const status = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const stop = new AbortController()
      const answer = await fetch(api + path, { headers, signal: stop.signal })
      stop.abort()
      return answer.status
    }
    const follow = (token: string) => status(`/events?${draft}&accessToken=${encodeURIComponent(token)}`)
    t.equal(await follow(pass), 200)
    t.equal(await status(`/draft/pages?${draft}&slug=/`, { 'x-access-token': pass }), 200)
    const elsewhere = [
      '/draft/pages?siteId=other&session=dev&slug=/',
      `/draft/pages?${draft}&siteId=other&slug=/`,
    ]
    if (Object.keys(credential).length > 0) {
      for (const path of [`/draft/slugs?${draft}`, ...elsewhere, '/sites'])
        t.equal(await status(path, { 'x-access-token': pass }), 401, path)
      t.equal(await follow(`${pass}x`), 401)
    }
    t.notMatch(await (await fetch(site)).text(), 'accessToken', 'visitors get no draft')
  }
})

t.test('without a terminal serve writes JSON lines, one per request, without secrets', async (t) => {
  const env = { ORCHESTRATOR_ACCESS_TOKEN: 'canary-token-canary', ...inMemory }
  const { port, stop, out } = await serveHere(t, env, { files: withSlow, isTerminal: false })
  await ask(port, '/quick?accessToken=canary-token-canary')
  await ask(port, '/%2e/unknown?accessToken=canary-token-canary')
  await stop()
  const lines = out().split('\n').slice(0, -1)
  const requests = lines.map((line): Line => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  t.match(requests, [
    { method: 'GET', route: '/quick', status: 200 },
    { method: 'GET', route: '(unknown)', status: 400 },
  ])
  t.equal(requests.length, 2)
  t.notOk(out().includes('canary'))
})

t.test('a second start on the same folder waits until the first has stopped, and says so', async (t) => {
  const env = { ORCHESTRATOR_DATA_DIR: folderWith(t) }
  const first = await serveHere(t, env)
  const starting = serveHere(t, env)
  await wait(500)
  await first.stop()
  const waiting =
    /^warning the file of the store is in use, waiting up to 15 s for the other process to stop .*file=/
  t.match((await starting).warnings(), [waiting])
})
