import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createOrchestrator, defineConfig, loadConfig, type OrchestratorOptions } from '../../config/index.ts'
import { systemClock, type Mount, type MountedRoute } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { scopedTokens } from '../../plugins/auth/port.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { demoPages } from '../helpers/demo-pages.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { signAccess } from '../../plugins/scope/port.ts'
import { environment } from '../helpers/environment.ts'
import { serve } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'
import { folderWith, problemsOf } from './helpers.ts'
import { emptyList } from '../helpers/plain.ts'

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
  const read = async (url: string) => (await mounted.inject({ url })).json()
  t.strictSame(await read('/auth/status'), { gateEnabled: false, mode: 'open-dev' })
  t.equal(await mounted.get(contentAdapter), adapter)
  t.match(await read('/status/planner'), { siteName: 'Acme', demoContent: true })
  const own = { id: 'acme', siteName: 'Acme', demoContent: true, mounted: true }
  t.strictSame(await read('/sites'), { sites: [own] })
  const previewUrl = 'http://localhost:3000'
  for (const json of [
    { siteId: 'other', name: 'Other' },
    { siteId: 'acme', name: 'Acme Ltd.', previewUrl },
  ])
    t.equal((await mounted.inject({ method: 'POST', url: '/sites/register', json })).status, 200)
  const other = { id: 'other', name: 'Other', siteName: 'Other', demoContent: false }
  t.strictSame(await read('/sites'), { sites: [{ ...own, name: 'Acme Ltd.', previewUrl }, other] })
  const nowhere = await mounted.inject({ url: '/nowhere' })
  t.equal(nowhere.status, 405)
  t.match(nowhere.json(), { error: 'Method GET /nowhere not handled by the mount' })
  const mistaken = await mounted.inject({ method: 'DELETE', url: '/draft/site-config' })
  t.match(mistaken.json(), { remedy: 'Use GET or PUT with this path.' })
  t.strictSame([mistaken.status, mistaken.headers.get('allow')], [405, 'GET, PUT'])
})

t.test('the block types of a mount are those of its site, with or without a website', async (t) => {
  const meta = { displayName: 'Teaser', fields: { title: { kind: 'text', label: 'Title' } } } as const
  const propsSchema = { type: 'object', properties: { title: { type: 'string' } } }
  const Teaser = { component: () => '', propsSchema, meta }
  const block = { id: 'b_1', type: 'Teaser', props: { title: 'Bread' } }
  const readContent = async () => ({ pages: [{ ...home, blocks: [block] }] })
  const token = 'an-access-token-of-some-length'
  environment(t, { ORCHESTRATOR_ACCESS_TOKEN: token })
  const mounted = website(t, { siteId: 'acme', adapter: { readContent }, blocks: { Teaser } })
  const headers = { 'x-access-token': token, accept: 'application/json, text/event-stream' }
  const get = (url: string) => mounted.inject({ url, headers })
  const post = (url: string, json: object) => mounted.inject({ method: 'POST', url, headers, json })
  t.match((await get('/sites/blocks')).json(), { blocks: { length: 1, 0: { type: 'Teaser' } } })
  t.match((await get('/sites/blocks?siteId=other')).text, /"Hero"/)

  const retitled = (title: string) => ({
    op: 'update_props',
    pageSlug: '/',
    blockId: 'b_1',
    patch: { title },
  })
  t.equal((await post('/ops', { ops: [retitled('Rolls')] })).status, 200)
  t.notMatch((await get('/checks')).text, /block-unknown/)
  const say = (message: string, more = {}) => post('/chat', { slug: '/', message, ...more })
  t.match((await say('Set the title of the teaser to "Cakes"')).json(), { status: 'applied' })
  t.match((await say('Remove the teaser', { executionMode: 'plan_only' })).json(), { status: 'plan_ready' })
  t.match((await get('/chat/plans')).text, /Teaser/)
  const etag = (await get('/draft/slugs')).headers.get('etag') ?? ''
  const ops = { ops: [retitled('Pies')], baseVersion: Number(etag.slice(1, -1)) }
  const params = { name: 'orchestrator-edit-content', arguments: ops }
  await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  t.match((await get('/draft/pages?slug=/')).json(), { blocks: { 0: { props: { title: 'Pies' } } } })

  const blocks = { Teaser: { ...Teaser, meta: { ...meta, displayName: '' } } }
  t.throws(() => website(t, { blocks }), { message: /Block type 'Teaser' needs 'displayName'/ })
  const odd = { Teaser: { ...Teaser, starter: { title: 7 } } }
  t.throws(() => website(t, { blocks: odd }), { message: /option 'blocks' .*the defaultProps of 'Teaser'/ })
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
  t.match(await shown(failing), { slugs: emptyList, notice: /could not be filled from the content adapter/ })
})

t.test('a mount that finds DATABASE_URL names the option that it reads', async (t) => {
  const hints = async (variables: Readonly<Record<string, string>>) => {
    const { log, lines } = capturedLog()
    environment(t, { DATABASE_URL: 'postgres://db.example/site', ...variables })
    const mounted = createOrchestrator({ adapter, logger: log })
    t.teardown(() => mounted.close())
    await mounted.ready()
    return lines.filter((line) => line.includes('option url of store')).length
  }
  t.equal(await hints({ ORCHESTRATOR_DATA_DIR: folderWith(t) }), 1)
  t.equal(await hints({ ORCHESTRATOR_DB_FILE: ':memory:' }), 0, 'not where a file is chosen')
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

t.test('in production without a credential it is closed, and gives the same reason everywhere', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const { log, lines } = capturedLog()
  const mounted = website(t, { logger: log })
  const status = await mounted.inject({ url: '/auth/status' })
  const { reason } = v.parse(v.object({ reason: v.string() }), status.json())
  t.match(reason, /^[A-Z].*ACCESS_PASSWORD_HASH.*ORCHESTRATOR_ACCESS_TOKEN.*\.$/)
  t.strictSame(status.json(), { gateEnabled: false, mode: 'closed', reason })
  const verify = await mounted.inject({ method: 'POST', url: '/auth/verify', json: { password: 'any' } })
  t.strictSame([verify.status, verify.json()], [503, { ok: false, error: 'unavailable', reason }])
  const isGated = ({ spec, leftOut }: MountedRoute) => spec.gate.id !== 'gate.public' && !leftOut
  const gated = (await mounted.ready()).filter(isGated)
  t.ok(gated.length > 30)
  const headers = { 'x-access-token': 'any' }
  for (const { method, path: url } of gated.map(({ spec }) => spec)) {
    const answer = await mounted.inject({ method, url, headers })
    t.strictSame([answer.status, answer.json()], [401, { error: 'unauthorized', reason }], `${method} ${url}`)
  }
  const closed = lines.filter((line) => line.includes('library mode is closed'))
  t.match([closed.length, closed[0]], [1, reason])
})

t.test('a visitor of a draft may watch it if the website allows that, and do nothing else', async (t) => {
  const [secret, token] = ['a-draft-secret-of-some-length', 'an-access-token-of-some-length']
  environment(t, { DRAFT_MODE_SECRET: secret, ORCHESTRATOR_ACCESS_TOKEN: token })
  const cookieFor = (siteId: string, by = secret, now = systemClock.now()) =>
    `a=b; editor_draft=${signAccess({ siteId, session: 'dev' }, { secret: by, now })}`
  const readContent = async () => ({ pages: [home] })
  const watching = website(t, { adapter: { readContent }, siteId: 'acme', livePreview: true })
  const withoutOption = website(t, { siteId: 'acme' })
  const withHook = website(t, { siteId: 'acme', livePreview: true, auth: () => false })
  const status = async (
    mounted: Mount,
    path: string,
    { cookie = cookieFor('acme'), method = 'GET' } = {},
  ): Promise<number> => {
    const request = new Request(`http://localhost${path}`, { method, headers: { cookie } })
    const answer = await mounted.fetch(request)
    await answer.body?.cancel()
    return answer.status
  }
  const [pages, events] = ['/draft/pages?slug=/&session=dev&siteId=acme', '/events?session=dev&siteId=acme']
  const refused = {
    none: '',
    'for another site': cookieFor('other'),
    'signed with another secret': cookieFor('acme', 'a-guess'),
    expired: cookieFor('acme', secret, new Date('2020-01-01')),
    'without authorization': 'editor_draft_session=dev; editor_draft_site_id=acme',
  }
  for (const path of [pages, events]) {
    t.equal(await status(watching, path), 200, path)
    t.equal(await status(watching, `${path}&secret=${secret}`, { cookie: '' }), 200, 'or with the secret')
    for (const [name, cookie] of Object.entries(refused))
      t.equal(await status(watching, path, { cookie }), 401, `cookie: ${name}`)
    t.equal(await status(withoutOption, path), 401, 'only where the option is set')
    t.equal(await status(withHook, path), 401, 'a hook decides alone')
  }
  const elsewhere = ['/draft/pages?slug=/', '/draft/pages?slug=/&siteId=other', `${pages}&siteId=other`]
  for (const path of [...elsewhere, '/draft/slugs?siteId=acme', '/sessions', '/publish/content?siteId=acme'])
    t.equal(await status(watching, path), 401, path)
  for (const method of ['PUT', 'DELETE', 'POST'])
    for (const path of ['/draft/pages?siteId=acme', '/ops?siteId=acme', '/publish'])
      t.not(await status(watching, path, { method }), 200, `${method} ${path}`)
  t.equal(await status(watching, `${pages}&accessToken=${token}`, { cookie: '' }), 200, 'a token still works')

  const tokens = await watching.get(scopedTokens)
  const { token: guest } = await tokens.create({ name: 'guest', can: ['read'] })
  const [now, acme] = [systemClock.now(), { siteId: 'acme', session: 'dev' }]
  const entered = `editor_draft=${signAccess(acme, { secret, now, by: guest.id })}`
  t.equal(await status(watching, pages, { cookie: entered }), 200)
  const ending = await watching.fetch(
    new Request(`http://localhost${events}`, { headers: { cookie: entered } }),
  )
  t.equal(ending.status, 200)
  await tokens.remove(guest.id)
  let isOver = false
  void ending.text().then(() => (isOver = true))
  await until(() => isOver, 'the end of its stream')
  for (const path of [pages, events]) t.equal(await status(watching, path, { cookie: entered }), 401, path)
  const replaced = `editor_draft=${signAccess(acme, { secret, now, by: 'fixed.another' })}`
  t.equal(await status(watching, pages, { cookie: replaced }), 401)

  const validFor = 12 * 60 * 60 * 1000
  const cookie = cookieFor('acme', secret, new Date(systemClock.now().getTime() - validFor + 300))
  const watch = new Request(`http://localhost${events}&presence=1`, { headers: { cookie } })
  const answer = await watching.fetch(watch)
  // The timer of the stream does not keep this process alive.
  const alive = setInterval(() => undefined, 1_000)
  const received = await answer.text()
  clearInterval(alive)
  t.match(received, /^retry: [^]*"hello"[^]*\n\nretry: \d+\n\n$/, 'the stream ends when the cookie expires')
  t.notMatch(received, /people/, 'visitors do not see who edits')
  environment(t, { NODE_ENV: 'production', ORCHESTRATOR_ACCESS_TOKEN: '' })
  const closed = website(t, { siteId: 'acme', livePreview: true })
  t.equal(await status(closed, pages), 401, 'other routes stay closed')
})

t.test('below a base path it answers node:http and web requests alike', async (t) => {
  const config = defineConfig({ shape: 'library', preset: 'minimal' })
  const mounted = website(t, { basePath: '/api/orchestrator/', config })
  const origin = await serve(t, (request, response) => void mounted.node(request, response))
  const wrong = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":5}' }
  for (const ask of [
    (path: string, init?: RequestInit) => fetch(origin + path, init),
    (path: string, init?: RequestInit) => mounted.fetch(new Request(`https://www.example.com${path}`, init)),
  ]) {
    t.strictSame(await (await ask('/api/orchestrator/health?x=1')).json(), { ok: true })
    t.equal((await ask('/api/orchestrator/sites/register', wrong)).status, 400, 'the body arrives')
    for (const path of ['/health', '/api/orchestrators/health']) t.equal((await ask(path)).status, 404, path)
  }
})

t.test('configuration errors are reported at boot, and an invalid base path at once', async (t) => {
  const needed = /^config: createOrchestrator needs shape: 'library'/
  const several: object = { shape: 'librari', logLevle: 'info' }
  const wrong = [
    /^config: 'logLevle' is not a setting/,
    /^config: 'shape': expected/,
    /^'\.\/gone\.mjs' does/,
  ]
  const cases: readonly (readonly [object, readonly RegExp[]])[] = [
    [{ config: defineConfig({ shape: 'standalone' }) }, [needed]],
    [{ config: defineConfig({}) }, [needed]],
    [{ config: {} }, [needed]],
    [{ config: Promise.resolve(several), plugins: ['./gone.mjs'] }, wrong],
    [{ config: loadConfig(folderWith(t)) }, [/^.* has no configuration; /]],
  ]
  for (const [options, problems] of cases)
    t.match(await problemsOf(() => website(t, options).ready()), problems)
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
