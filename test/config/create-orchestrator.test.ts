import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createOrchestrator, defineConfig, loadConfig, type OrchestratorOptions } from '../../config/index.ts'
import type { OrchestratorConfig } from '../../config/define-config.ts'
import { systemClock, type Mount } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { demoPages } from '../../plugins/demo-site/pages/index.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { signAccess } from '../../plugins/site/draft/signature.ts'
import { environment } from '../helpers/environment.ts'
import { folderWith, problemsOf } from './helpers.ts'

const home = { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }
const adapter = { readContent: async () => ({ pages: [] }) }

function website(t: Test, options: Partial<OrchestratorOptions> = {}) {
  environment(t, { ORCHESTRATOR_DB_FILE: ':memory:', ORCHESTRATOR_DATA_DIR: folderWith(t) })
  const mounted = createOrchestrator({ adapter, logger: capturedLog().log, ...options })
  t.teardown(() => mounted.close())
  return mounted
}

t.test('a website mounts it with its adapter and settings, and the first request boots it', async (t) => {
  const mounted = website(t, { siteId: 'acme', siteName: 'Acme', demoContent: true })
  t.strictSame((await mounted.inject({ url: '/auth/status' })).json(), {
    gateEnabled: false,
    mode: 'open-dev',
  })
  t.equal(await mounted.get(contentAdapter), adapter)
  t.match((await mounted.inject({ url: '/status/planner' })).json(), { siteName: 'Acme', demoContent: true })
  const own = { id: 'acme', siteName: 'Acme', demoContent: true, mounted: true }
  t.strictSame((await mounted.inject({ url: '/sites' })).json(), { sites: [own] })
  const registration = { siteId: 'acme', name: 'Acme Ltd.', previewUrl: 'http://localhost:3000' }
  for (const json of [{ siteId: 'other', name: 'Other' }, registration])
    t.equal((await mounted.inject({ method: 'POST', url: '/sites/register', json })).status, 200)
  t.strictSame((await mounted.inject({ url: '/sites' })).json(), {
    sites: [
      { ...own, name: 'Acme Ltd.', previewUrl: 'http://localhost:3000' },
      { id: 'other', name: 'Other', siteName: 'Other', demoContent: false },
    ],
  })
  t.match(await mounted.inject({ url: '/nowhere' }).then(({ status, json }) => [status, json()]), [
    405,
    { error: 'Method GET /nowhere not handled by the mount' },
  ])
})

t.test('demo content fills a draft without pages, and never replaces the pages of a site', async (t) => {
  const file = join(t.testdir({ 'pages.json': JSON.stringify([home]) }), 'pages.json')
  const own = website(t, { adapter: jsonFile(file, { writeOnPublish: true }), demoContent: true })
  const Slugs = v.object({ slugs: v.array(v.string()), notice: v.optional(v.string()) })
  const shown = async (mounted: Mount) =>
    v.parse(Slugs, (await mounted.inject({ url: '/draft/slugs' })).json())
  t.strictSame(await shown(own), { slugs: ['/'] })
  t.equal(
    (await own.inject({ url: '/published/pages?slug=/services' })).status,
    404,
    'the demo pages are not published',
  )
  t.match((await own.inject({ url: '/status/planner' })).json(), { demoContent: true })
  const published = await own.inject({ method: 'POST', url: '/publish', json: {} })
  t.match([published.status, published.json()], [200, { status: 'ready' }])
  t.match(JSON.parse(readFileSync(file, 'utf8')), { length: 1, 0: { slug: '/', blocks: { length: 0 } } })

  t.strictSame(await shown(website(t, { demoContent: true })), { slugs: demoPages.map(({ slug }) => slug) })
  const failing = website(t, {
    adapter: { readContent: () => Promise.reject(new Error('offline')) },
    demoContent: true,
  })
  t.match(await shown(failing), { slugs: [], notice: /could not be filled from the content adapter/ })
})

t.test('the hook of the host decides', async (t) => {
  const mounted = website(t, { auth: ({ headers }) => headers.get('cookie') === 'editor=1' })
  t.match((await mounted.inject({ url: '/auth/status' })).json(), { mode: 'hook' })
  t.equal((await mounted.inject({ url: '/draft/slugs' })).status, 401)
  t.equal((await mounted.inject({ url: '/draft/slugs', headers: { cookie: 'editor=1' } })).status, 200)
})

t.test('a hook that always returns true opens a mount in production', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const mounted = website(t, { auth: () => true })
  t.strictSame((await mounted.inject({ url: '/auth/status' })).json(), { gateEnabled: false, mode: 'hook' })
  t.equal((await mounted.inject({ url: '/draft/slugs' })).status, 200)
})

const Told = v.object({ reason: v.string() })

t.test('in production without a credential it is closed, and gives the same reason everywhere', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const { log, lines } = capturedLog()
  const mounted = website(t, { logger: log })
  const status = await mounted.inject({ url: '/auth/status' })
  const { reason } = v.parse(Told, status.json())
  t.match(reason, /^[A-Z].*ACCESS_PASSWORD_HASH.*ORCHESTRATOR_ACCESS_TOKEN.*\.$/)
  t.strictSame(status.json(), { gateEnabled: false, mode: 'closed', reason })
  const verify = await mounted.inject({ method: 'POST', url: '/auth/verify', json: { password: 'any' } })
  t.strictSame([verify.status, verify.json()], [503, { ok: false, error: 'unavailable', reason }])
  const gated = (await mounted.ready()).filter(
    ({ spec, leftOut }) => spec.gate.id !== 'gate.public' && leftOut === undefined,
  )
  t.ok(gated.length > 30)
  for (const { spec } of gated) {
    const answer = await mounted.inject({
      method: spec.method,
      url: spec.path,
      headers: { 'x-access-token': 'any' },
    })
    t.strictSame(
      [answer.status, answer.json()],
      [401, { error: 'unauthorized', reason }],
      `${spec.method} ${spec.path}`,
    )
  }
  const [closed, ...more] = lines.filter((line) => line.includes('library mode is closed'))
  t.match(closed, reason)
  t.strictSame(more, [])
})

t.test('a visitor of a draft may watch it if the website allows that, and do nothing else', async (t) => {
  const [secret, token] = ['a-draft-secret-of-some-length', 'an-access-token-of-some-length']
  environment(t, { DRAFT_MODE_SECRET: secret, ORCHESTRATOR_ACCESS_TOKEN: token })
  const cookieFor = (siteId: string, by = secret, now = systemClock.now()) =>
    `a=b; editor_draft=${signAccess({ siteId, session: 'dev' }, { secret: by, now })}`
  const watching = website(t, {
    adapter: { readContent: async () => ({ pages: [home] }) },
    siteId: 'acme',
    livePreview: true,
  })
  const withoutOption = website(t, { siteId: 'acme' })
  const withHook = website(t, { siteId: 'acme', livePreview: true, auth: () => false })
  const status = async (
    mounted: Mount,
    path: string,
    { cookie = cookieFor('acme'), ...init }: RequestInit & { cookie?: string } = {},
  ): Promise<number> => {
    const answer = await mounted.fetch(
      new Request(`http://localhost${path}`, { ...init, headers: { cookie } }),
    )
    await answer.body?.cancel()
    return answer.status
  }
  const [pages, events] = ['/draft/pages?slug=/&session=dev&siteId=acme', '/events?session=dev&siteId=acme']
  for (const path of [pages, events]) {
    t.equal(await status(watching, path), 200, path)
    t.equal(
      await status(watching, `${path}&secret=${secret}`, { cookie: '' }),
      200,
      'the secret is accepted too',
    )
    for (const [name, cookie] of Object.entries({
      none: '',
      'for another site': cookieFor('other'),
      'signed with another secret': cookieFor('acme', 'a-guess'),
      expired: cookieFor('acme', secret, new Date('2020-01-01')),
      'without authorization': 'editor_draft_session=dev; editor_draft_site_id=acme',
    }))
      t.equal(await status(watching, path, { cookie }), 401, `cookie: ${name}`)
    t.equal(await status(withoutOption, path), 401, 'only where the option is set')
    t.equal(await status(withHook, path), 401, 'a hook decides alone')
  }
  for (const path of [
    '/draft/pages?slug=/',
    '/draft/pages?slug=/&siteId=other',
    `${pages}&siteId=other`,
    '/draft/slugs?siteId=acme',
    '/sessions',
    '/publish/content?siteId=acme',
  ])
    t.equal(await status(watching, path), 401, path)
  const validFor = 12 * 60 * 60 * 1000
  const ending = cookieFor('acme', secret, new Date(systemClock.now().getTime() - validFor + 300))
  const answer = await watching.fetch(
    new Request(`http://localhost${events}&presence=1`, { headers: { cookie: ending } }),
  )
  // The timer of the stream does not keep this process alive.
  const alive = setInterval(() => undefined, 1_000)
  const received = await answer.text()
  clearInterval(alive)
  t.match(received, /^retry: [^]*"hello"[^]*\n\nretry: \d+\n\n$/, 'the stream ends when the cookie expires')
  t.notMatch(received, /people/, 'visitors do not see who edits')
  for (const method of ['PUT', 'DELETE', 'POST'])
    for (const path of ['/draft/pages?siteId=acme', '/ops?siteId=acme', '/publish'])
      t.not(await status(watching, path, { method }), 200, `${method} ${path}`)
  t.equal(
    await status(watching, `${pages}&accessToken=${token}`, { cookie: '' }),
    200,
    'a token is still accepted',
  )
  environment(t, { NODE_ENV: 'production', ORCHESTRATOR_ACCESS_TOKEN: '' })
  t.equal(
    await status(website(t, { siteId: 'acme', livePreview: true }), pages),
    401,
    'other routes stay closed',
  )
})

t.test("two mounts on the same data in one process see each other's changes", async (t) => {
  environment(t, { ORCHESTRATOR_DATA_DIR: folderWith(t) })
  const make = () => {
    const made = createOrchestrator({
      adapter: { readContent: async () => ({ pages: [home] }) },
      logger: capturedLog().log,
    })
    t.teardown(() => made.close())
    return made
  }
  const [pages, routes] = [make(), make()]
  const titles = async () => {
    const answers = await Promise.all(
      [pages, routes].map((mounted) => mounted.inject({ url: '/draft/pages?slug=/&session=dev' })),
    )
    return answers.map((answer) => /"title":"([^"]*)"/.exec(answer.text)?.[1])
  }
  const rename = (mounted: Mount, newTitle: string) =>
    mounted.inject({
      method: 'POST',
      url: '/ops',
      json: { session: 'dev', ops: [{ op: 'rename_page', pageSlug: '/', newTitle }] },
    })
  t.strictSame(await titles(), ['Home', 'Home'])
  for (const [by, title] of [
    [routes, 'One'],
    [pages, 'Two'],
    [routes, 'Three'],
  ] as const) {
    t.equal((await rename(by, title)).status, 200)
    t.strictSame(await titles(), [title, title])
  }
  t.equal(
    (await routes.inject({ method: 'POST', url: '/history/undo', json: { session: 'dev', slug: '/' } }))
      .status,
    200,
  )
  t.strictSame(await titles(), ['Two', 'Two'])
})

t.test('below a base path it answers node:http and web requests alike', async (t) => {
  const mounted = website(t, {
    basePath: '/api/orchestrator/',
    config: defineConfig({ shape: 'library', preset: 'minimal' }),
  })
  const server = createServer((request, response) => void mounted.node(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const wrong = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":5}' }
  for (const ask of [
    (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    (path: string, init?: RequestInit) => mounted.fetch(new Request(`https://www.example.com${path}`, init)),
  ]) {
    t.strictSame(await (await ask('/api/orchestrator/health?x=1')).json(), { ok: true })
    t.equal((await ask('/api/orchestrator/sites/register', wrong)).status, 400, 'the body arrives')
    t.equal((await ask('/health')).status, 404)
    t.equal((await ask('/api/orchestrators/health')).status, 404)
  }
})

t.test('configuration errors are reported at boot, and an invalid base path at once', async (t) => {
  const unshaped: object = {}
  for (const config of [
    defineConfig({ shape: 'standalone' }),
    defineConfig({}),
    unshaped as OrchestratorConfig,
  ]) {
    t.match(await problemsOf(() => website(t, { config }).ready()), [
      /^config: createOrchestrator needs shape: 'library'/,
    ])
  }
  const several: object = { shape: 'librari', logLevle: 'info' }
  t.match(
    await problemsOf(() =>
      website(t, { config: Promise.resolve(several as OrchestratorConfig), plugins: ['./gone.mjs'] }).ready(),
    ),
    [/^config: 'logLevle' is not a setting/, /^config: 'shape': expected/, /^'\.\/gone\.mjs' does not exist/],
  )
  t.match(await problemsOf(() => website(t, { plugins: ['./nowhere.mjs'] }).ready()), [
    /^'\.\/nowhere\.mjs' does not exist in /,
  ])
  t.match(await problemsOf(() => website(t, { config: loadConfig(folderWith(t)) }).ready()), [
    /^.* has no configuration; /,
  ])
  t.strictSame((await website(t, { basePath: '/' }).inject({ url: '/health' })).json(), { ok: true })
})

t.test('invalid options are refused at once, each with a message', async (t) => {
  const made = (options: object) => () => createOrchestrator(options as OrchestratorOptions)
  for (const [options, ...sentences] of [
    [{}, "createOrchestrator needs the option 'adapter'"],
    [
      { adapter: 'content/pages.json' },
      /^option 'adapter' of createOrchestrator: expected an adapter with a function readContent, such as jsonFile/,
    ],
    [{ adapter: {} }, /expected an adapter/],
    [{ adapter, auth: true }, /^option 'auth' of createOrchestrator: expected a function/],
    [{ adapter, siteId: 'My Site' }, /^option 'siteId' .*lower case letters/],
    [{ adapter, siteName: ' ' }, /^option 'siteName' .*blank/],
    [{ adapter, demoContent: 'yes' }, /^option 'demoContent' .*true or false/],
    [{ adapter, livePreview: 1 }, /^option 'livePreview' .*true or false/],
    [{ adapter, basePath: 'api' }, /^option 'basePath' .*begins with a slash/],
    [{ adapter, config: 'orchestrator.config.ts' }, /^option 'config' .*an object/],
    [{ adapter, plugins: 'jira' }, /^option 'plugins' .*a list/],
    [{ adapter, logger: console.log }, /^option 'logger' .*a logger/],
    [{ adapter, sitename: 'Acme' }, "createOrchestrator has no option 'sitename'; did you mean 'siteName'?"],
    [
      { adaptor: adapter, demoContent: 1 },
      /no option 'adaptor'; did you mean 'adapter'/,
      /needs the option 'adapter'/,
      /demoContent/,
    ],
  ] as const)
    t.throws(made(options), { name: 'BootError', problems: sentences })
  t.doesNotThrow(made({ adapter, auth: undefined, siteName: undefined, basePath: undefined }))
  const sentence = 'createOrchestrator expects an object of options, such as { adapter }'
  for (const none of [undefined, null, 'content/pages.json', [adapter]])
    t.throws(() => createOrchestrator(none as never), { name: 'BootError', problems: [sentence] })
})
