import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor, type SiteEditorOptions } from '../../config/create-site-editor.ts'
import { systemClock, type Clock, type Injected, type Injection } from '../../kernel/index.ts'
import { capturedLog, mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import type { ContentAdapter, SiteContent } from '../../plugins/content/adapter.ts'
import { demoPages, demoSiteConfig } from '../../plugins/demo-site/pages/index.ts'
import { diffContent } from '../../plugins/content/diff/index.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { generateManifest } from '../../plugins/content/manifest.ts'
import type { Page, SiteConfig } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { builtinBlocks, defineBlocks, type SiteBlocks } from '../../plugins/site/blocks.ts'
import { signAccess } from '../../plugins/site/draft/signature.ts'
import { draftLink } from '../../plugins/site/draft/signature.ts'
import { draftAccess } from '../../plugins/site/draft/access.ts'
import { draftsAt } from '../../plugins/site/draft/source.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/json-file.ts'
import type { Publication, PublishContext, PublishHandler, PublishResult } from '../../plugins/site/port.ts'
import { createWebsite, type WebsiteOptions } from '../../config/cli/serve/demo/website.ts'
import { draftsInMemory, editor, temporaryFolder } from '../helpers/stack.ts'

const page = (slug: string, title = 'A page'): Page => ({
  id: `p${slug}`,
  slug,
  title,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [],
})
const adapterOf = (content: SiteContent): ContentAdapter => ({ readContent: async () => content })
const adapter = adapterOf({ pages: [page('/'), page('/about')], siteConfig: { name: 'Acme' } })
const secret = 'draft-secret'

/** Sets the variables that the site reads, for the duration of one test. */
function environment(t: Test, variables: Readonly<Record<string, string>>): void {
  const before = { ...process.env }
  for (const name of [
    'NODE_ENV',
    'PUBLISH_TOKEN',
    'DRAFT_MODE_SECRET',
    'VITE_SITE_DRAFT_SECRET',
    'NEXT_DRAFT_MODE_SECRET',
    'EDITOR_CORS_ORIGINS',
    'NEXT_PUBLIC_EDITOR_ORIGIN',
    'NEXT_PUBLIC_SITE_URL',
    'ORCHESTRATOR_URL',
    'ORCHESTRATOR_PUBLIC_ORIGIN',
  ])
    delete process.env[name]
  Object.assign(process.env, variables)
  t.teardown(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  })
}

function siteEditor(t: Test, options: Partial<SiteEditorOptions> = {}) {
  const mounted = createSiteEditor({ adapter, logger: capturedLog('silent').log, ...options })
  t.teardown(() => mounted.close())
  return mounted
}

/** Listens on a free port of 127.0.0.1 until the test ends. */
async function listen(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

function toInit({ method = 'GET', headers, json, body }: Injection): RequestInit {
  const sent = json === undefined ? body : JSON.stringify(json)
  return {
    method,
    redirect: 'manual',
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(typeof sent === 'string' && { body: sent }),
  }
}

async function read(response: Response): Promise<Injected> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown }
}

/** Runs assertions for every way to call the editor routes of a site. */
async function everyWay(
  t: Test,
  options: () => Partial<SiteEditorOptions>,
  body: (t: Test, ask: Ask) => Promise<void>,
): Promise<void> {
  await t.test('inject', async (t) => {
    const mounted = siteEditor(t, options())
    await body(t, (injection) => mounted.inject(injection))
  })
  await t.test('node', async (t) => {
    const mounted = siteEditor(t, options())
    const origin = await listen(t, (request, response) => void mounted.node(request, response))
    await body(t, async (injection) => read(await fetch(origin + injection.url, toInit(injection))))
  })
  await t.test('web', async (t) => {
    const mounted = siteEditor(t, options())
    await body(t, async (injection) =>
      read(await mounted.fetch(new Request(`http://localhost${injection.url}`, toInit(injection)))),
    )
  })
}

const readable = /^[A-Z].* .*\.$/

t.test('the block types and the pages of a site are public', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  await everyWay(
    t,
    () => ({ siteId: 'acme' }),
    async (t, ask) => {
      const blocks = await ask({ url: '/api/editor/blocks' })
      t.equal(blocks.status, 200)
      t.match(blocks.json(), JSON.parse(JSON.stringify(generateManifest(builtinRegistry))))
      const content = { pages: [page('/'), page('/about')], siteConfig: { name: 'Acme' }, siteId: 'acme' }
      for (const query of ['', '?siteId=acme', '?siteId=ACME%20', '?siteId='])
        t.strictSame((await ask({ url: `/api/editor/pages${query}` })).json(), content, query)
      t.strictSame(
        (await ask({ url: '/api/editor/pages?siteId=other' })).json(),
        { pages: [], siteId: 'acme' },
        'another site id finds nothing',
      )
      t.equal((await ask({ url: '/api/editor/pages', method: 'HEAD' })).status, 200)
      for (const url of [
        '/api/editor',
        '/api/editor/',
        '/api/editor/unknown',
        '/api/editor/pages/',
        '/api/editor/draft/enable',
      ]) {
        const answer = await ask({ url })
        t.equal(answer.status, 404, url)
        t.match(answer.json(), { code: 'not_found' })
      }
      t.equal((await ask({ url: '/api/editor/pages', method: 'POST', json: {} })).status, 404)
    },
  )
  const bare = siteEditor(t, { adapter: adapterOf({ pages: [page('/')] }) })
  t.strictSame(
    (await bare.inject({ url: '/api/editor/pages?siteId=whatever' })).json(),
    { pages: [page('/')] },
    'a missing siteConfig stays missing',
  )
})

t.test('unreadable or invalid content is reported without its cause', async (t) => {
  environment(t, {})
  const { log, lines } = capturedLog()
  const odd = (content: unknown): ContentAdapter => ({
    readContent: async () => JSON.parse(JSON.stringify(content)) as SiteContent,
  })
  const failing: readonly ContentAdapter[] = [
    { readContent: () => Promise.reject(new Error('canary /srv/content')) },
    {
      readContent: () => {
        throw new Error('canary at once')
      },
    },
    odd({ pages: 'none' }),
    odd({ pages: [page('/'), { slug: '/x' }] }),
    odd(null),
  ]
  for (const broken of failing) {
    const answer = await siteEditor(t, { adapter: broken, logger: log }).inject({ url: '/api/editor/pages' })
    t.equal(answer.status, 503)
    t.match(answer.json(), { code: 'content_unavailable', reason: readable })
    t.notMatch(answer.text, /canary/)
  }
  const warnings = lines.filter((line) => line.includes('content could not be read'))
  t.equal(warnings.length, failing.length)
  t.match(warnings[0], /canary/)
  const nothing = odd({ pages: [], siteConfig: null })
  t.strictSame((await siteEditor(t, { adapter: nothing }).inject({ url: '/api/editor/pages' })).json(), {
    pages: [],
  })
})

t.test('the base path of the editor routes is configurable', async (t) => {
  environment(t, {})
  for (const basePath of ['/cms/edit', '/cms/edit/', 'cms/edit']) {
    const mounted = siteEditor(t, { basePath })
    const origin = await listen(t, (request, response) => void mounted.node(request, response))
    t.equal((await fetch(`${origin}/cms/edit/pages`)).status, 200, basePath)
    t.equal((await fetch(`${origin}/api/editor/pages`)).status, 404)
    t.equal((await mounted.fetch(new Request('http://localhost/cms/edit/blocks'))).status, 200)
    t.equal((await mounted.inject({ url: '/cms/edit/pages' })).status, 200)
  }
  for (const basePath of ['', '/'])
    t.equal(
      (await siteEditor(t, { basePath }).fetch(new Request('http://localhost/pages'))).status,
      200,
      'the root',
    )
})

t.test('pages of an editor may call if its origin is configured', async (t) => {
  const editorOrigin = 'http://localhost:4100'
  const allowed = async (options: Partial<SiteEditorOptions>, origin: string) => {
    const answer = await siteEditor(t, options).inject({ url: '/api/editor/pages', headers: { origin } })
    t.equal(answer.status, 200)
    t.match(answer.headers.get('vary'), /Origin/)
    return answer.headers.get('access-control-allow-origin')
  }
  environment(t, { NODE_ENV: 'production' })
  t.equal(await allowed({}, editorOrigin), null, 'in production with nothing configured')
  t.equal(await allowed({ editorOrigins: [`${editorOrigin}/`] }, editorOrigin), editorOrigin)
  t.equal(await allowed({ editorOrigins: [editorOrigin] }, 'http://127.0.0.1:4100'), 'http://127.0.0.1:4100')
  t.equal(await allowed({ editorOrigins: [editorOrigin] }, 'http://localhost:4101'), null)
  process.env['EDITOR_CORS_ORIGINS'] = ' https://a.test , https://b.test/'
  process.env['NEXT_PUBLIC_EDITOR_ORIGIN'] = 'https://c.test'
  for (const origin of ['https://a.test', 'https://b.test', 'https://c.test'])
    t.equal(await allowed({}, origin), origin)
  t.equal(
    await allowed({ editorOrigins: [] }, 'https://a.test'),
    null,
    'the option takes precedence over the variables',
  )
  const preflight = {
    method: 'OPTIONS',
    url: '/api/editor/publish',
    headers: { origin: 'https://a.test', 'access-control-request-method': 'POST' },
  }
  const answer = await siteEditor(t).inject(preflight)
  t.equal(answer.status, 204)
  t.match(answer.headers.get('access-control-allow-headers'), /x-access-token, x-publish-token/)
  const foreign = await siteEditor(t).inject({
    method: 'POST',
    url: '/api/editor/publish',
    headers: { origin: 'https://evil.test' },
    json: { pages: [page('/')] },
  })
  t.equal(foreign.status, 401, 'the gate is called first')
  const refusal = await siteEditor(t).inject({
    method: 'POST',
    url: '/api/editor/publish',
    headers: { origin: 'https://a.test' },
    json: {},
  })
  t.equal(
    refusal.headers.get('access-control-allow-origin'),
    'https://a.test',
    'an editor can read a refusal too',
  )
})

t.test(
  'in development an editor on this machine may call without being configured, in production none',
  async (t) => {
    const port4100 = ['http://localhost:4100', 'http://127.0.0.1:4100']
    const port4200 = ['http://localhost:4200', 'http://127.0.0.1:4200']
    const elsewhere = [
      'http://localhost:4101',
      'http://127.0.0.2:4100',
      'https://localhost:4100',
      'https://evil.test',
      'null',
    ]
    const mine = 'https://edit.test'
    const cases: readonly (readonly [
      variables: Readonly<Record<string, string>>,
      given: readonly string[] | undefined,
      allowed: readonly string[],
    ])[] = [
      [{}, undefined, [...port4100, ...port4200]],
      [
        { NODE_ENV: 'development', ORCHESTRATOR_URL: 'http://127.0.0.1:5200/' },
        undefined,
        [...port4100, 'http://127.0.0.1:5200', 'http://localhost:5200'],
      ],
      [
        { ORCHESTRATOR_URL: 'http://localhost:5200', ORCHESTRATOR_PUBLIC_ORIGIN: mine },
        undefined,
        [...port4100, mine],
      ],
      [{ EDITOR_CORS_ORIGINS: mine }, undefined, [mine, ...port4200]],
      [{ NEXT_PUBLIC_EDITOR_ORIGIN: mine }, undefined, [mine, ...port4200]],
      [{ EDITOR_CORS_ORIGINS: 'not an origin' }, undefined, port4200],
      [{}, [mine], [mine]],
      [{}, [], []],
      [{ NODE_ENV: 'production' }, undefined, []],
      [{ NODE_ENV: 'production', ORCHESTRATOR_PUBLIC_ORIGIN: mine }, undefined, []],
      [{ NODE_ENV: 'production', EDITOR_CORS_ORIGINS: mine }, undefined, [mine]],
    ]
    for (const [variables, editorOrigins, allowed] of cases) {
      await t.test(JSON.stringify([variables, editorOrigins]), async (t) => {
        environment(t, variables)
        const mounted = siteEditor(t, { editorOrigins })
        for (const origin of [
          ...port4100,
          ...port4200,
          'http://127.0.0.1:5200',
          'http://localhost:5200',
          mine,
          ...elsewhere,
        ]) {
          const answer = await mounted.inject({ url: '/api/editor/blocks', headers: { origin } })
          t.equal(
            answer.headers.get('access-control-allow-origin'),
            allowed.includes(origin) ? origin : null,
            origin,
          )
        }
      })
    }
  },
)

t.test('a publish requires the secret, in production always', async (t) => {
  const publish: PublishHandler = ({ pages }) => ({ ok: true, slugs: pages.map(({ slug }) => slug) })
  const body = { method: 'POST', url: '/api/editor/publish', json: { pages: [page('/')] } }
  const withToken = (token: string) => ({ ...body, headers: { 'x-publish-token': token } })
  environment(t, { NODE_ENV: 'production' })
  for (const publishSecret of [undefined, '', '   ']) {
    await everyWay(
      t,
      () => ({ publish, publishSecret }),
      async (t, ask) => {
        for (const injection of [body, withToken(''), withToken('x'), withToken('undefined')]) {
          const answer = await ask(injection)
          t.equal(answer.status, 401)
          t.strictSame(Object.keys(v.parse(v.looseObject({}), answer.json())).toSorted(), ['error', 'reason'])
          t.match(answer.json(), { error: 'unauthorized', reason: /PUBLISH_TOKEN/ })
        }
      },
    )
  }
  const guarded = async (t: Test, ask: Ask) => {
    for (const injection of [
      body,
      withToken(''),
      withToken('righ'),
      withToken('right2'),
      withToken('RIGHT'),
      withToken('r\u00efght'),
      { ...body, headers: { authorization: 'Bearer right' } },
    ]) {
      const answer = await ask(injection)
      t.equal(answer.status, 401)
      t.match(answer.json(), { error: 'unauthorized', reason: /PUBLISH_TOKEN/ })
      t.notMatch(answer.text, /right/)
    }
    t.strictSame((await ask(withToken('right'))).json(), { ok: true, slugs: ['/'] })
    t.equal(
      (
        await ask({
          ...withToken('wrong'),
          json: undefined,
          body: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
      401,
      'the body is not read before',
    )
  }
  await everyWay(t, () => ({ publish, publishSecret: ' right ' }), guarded)
  process.env['PUBLISH_TOKEN'] = ' right '
  await everyWay(t, () => ({ publish, publishSecret: '' }), guarded)
  process.env['NODE_ENV'] = 'development'
  await everyWay(t, () => ({ publish }), guarded)
  delete process.env['PUBLISH_TOKEN']
  await everyWay(
    t,
    () => ({ publish }),
    async (t, ask) => {
      t.equal((await ask(body)).status, 200, 'open in development without a secret')
      t.equal((await ask(withToken('anything'))).status, 200)
    },
  )
})

/** A site in development, and the arguments of its handler. */
function publishable(t: Test, options: Partial<SiteEditorOptions> = {}, handle?: PublishHandler) {
  const calls: (readonly [Publication, PublishContext])[] = []
  const publish: PublishHandler = (publication, context) => {
    calls.push([publication, context])
    return handle
      ? handle(publication, context)
      : { ok: true, slugs: publication.pages.map(({ slug }) => slug) }
  }
  const mounted = siteEditor(t, { publish, ...options })
  const send = (json: unknown) => mounted.inject({ method: 'POST', url: '/api/editor/publish', json })
  return { calls, send }
}

t.test('what is published must be pages', async (t) => {
  environment(t, {})
  const { calls, send } = publishable(t)
  const bad = { ...page('/bad'), title: '' }
  const cases: readonly [unknown, RegExp][] = [
    [{}, /^pages must be an array/],
    [{ pages: null }, /^pages must be an array/],
    [{ pages: {} }, /^pages must be an array/],
    [{ pages: 'all' }, /^pages must be an array/],
    [{ pages: [page('/'), 7] }, /^pages\.1 /],
    [{ pages: [page('/'), bad] }, /^pages\.1\.title /],
    [{ pages: [{ ...page('/'), blocks: [{ id: 'b', type: 'Hero' }] }] }, /^pages\.0\.blocks\.0\.props /],
  ]
  for (const [body, reason] of cases) {
    const answer = await send(body)
    t.equal(answer.status, 400)
    t.match(answer.json(), { ok: false, error: 'invalid_request', reason })
  }
  for (const body of [
    { pages: [], assets: { a: { data: 1 } } },
    { pages: [], siteConfig: 'none' },
    { pages: [], session: 7 },
    [],
  ]) {
    t.match([(await send(body)).status, (await send(body)).json()], [400, { code: 'invalid_request' }])
  }
  t.strictSame(calls, [])
  const assets = {
    'http://localhost:4200/generated-images/a.png': {
      data: 'aGk=',
      mimeType: 'image/png',
      fileName: 'a.png',
    },
  }
  const kept = {
    ...page('/'),
    theme: 'dark',
    blocks: [{ id: 'b', type: 'Own', props: { x: [1] }, pinned: true }],
  }
  const body = {
    pages: [kept],
    siteConfig: { name: 'Acme', previewUrl: 'http://x.test', port: 3000 },
    session: 'acme::dev',
    publishedAt: '2026-01-01T12:00:00.000Z',
    assets,
    allowDelete: 'true',
    surplus: 1,
  }
  t.strictSame((await send(body)).json(), { ok: true, slugs: ['/'] })
  const { surplus: _, ...received } = body
  t.strictSame(calls[0]?.[0], { ...received, allowDelete: false })
})

t.test('a publish handler gets the published content, also under its former property name', async (t) => {
  environment(t, {})
  const { calls, send } = publishable(t)
  await send({ pages: [page('/new')], session: 'acme::dev' })
  const context = calls[0]?.[1]
  t.match(context, {
    baseline: [{ slug: '/' }, { slug: '/about' }],
    siteConfig: { name: 'Acme' },
    session: 'acme::dev',
  })
  t.equal(context?.published, context?.baseline)
  t.ok(context?.baseline)
  const blind = publishable(t, { adapter: { readContent: () => Promise.reject(new Error('down')) } })
  t.equal((await blind.send({ pages: [page('/')] })).status, 200)
  t.match(blind.calls[0]?.[1], { baseline: undefined, published: undefined })
  t.equal(blind.calls[0]?.[1].baseline, undefined, 'never an empty array')
})

t.test('a publish that removes too much is refused unless allowDelete is set', async (t) => {
  environment(t, {})
  const empty = { pages: [] }
  const refused = async (site: ReturnType<typeof publishable>, body: object, reason: RegExp) => {
    const answer = await site.send(body)
    t.equal(answer.status, 409)
    t.strictSame(Object.keys(v.parse(v.looseObject({}), answer.json())).toSorted(), ['error', 'ok', 'reason'])
    t.match(answer.json(), { ok: false, error: 'refused', reason })
    t.strictSame(site.calls, [])
  }
  const site = publishable(t)
  for (const allowDelete of [undefined, false, 'true', 1, null, ['true'], {}])
    await refused(site, { ...empty, allowDelete }, /allowDelete/)
  t.equal((await site.send({ ...empty, allowDelete: true })).status, 200)
  t.equal(
    (await publishable(t, { adapter: adapterOf({ pages: [] }) }).send(empty)).status,
    200,
    'an empty site can always be published to',
  )
  t.equal(
    (await publishable(t).send({ pages: [page('/other'), page('/more')] })).status,
    200,
    'replacing every page is detected only by a limit',
  )

  const limited = publishable(t, { maxPagesRemoved: 1 })
  await refused(limited, { pages: [page('/new')] }, /: 2; maxPagesRemoved allows 1.*allowDelete/)
  t.equal((await limited.send({ pages: [page('/')] })).status, 200)
  t.equal((await limited.send({ pages: [page('/new')], allowDelete: true })).status, 200)
  await refused(publishable(t, { maxPagesRemoved: 0 }), { pages: [page('/')] }, /maxPagesRemoved allows 0/)

  const down: ContentAdapter = { readContent: () => Promise.reject(new Error('down')) }
  await refused(publishable(t, { adapter: down }), empty, /could not be read.*allowDelete/)
  await refused(
    publishable(t, { adapter: down, maxPagesRemoved: 5 }),
    { pages: [page('/')] },
    /maxPagesRemoved cannot be checked/,
  )
})

t.test(
  'concurrent publishes are judged one after the other, each against the result of the previous one',
  async (t) => {
    environment(t, {})
    let published: readonly Page[] = ['/', '/a', '/b'].map((slug) => page(slug))
    const soon = () => new Promise((resolve) => setTimeout(resolve, 2))
    const slow: ContentAdapter = { readContent: async () => (await soon(), { pages: published }) }
    const publish: PublishHandler = async ({ pages }) => {
      await soon()
      published = pages
      return { ok: true, slugs: [] }
    }
    const [one, other] = [1, 2].map(() => publishable(t, { adapter: slow, publish, maxPagesRemoved: 1 }))
    const send = (site: typeof one, slugs: readonly string[]) =>
      site?.send({ pages: slugs.map((slug) => page(slug)) })
    const grown = send(one, ['/', '/a', '/b', '/c', '/d'])
    const shrunk = send(other, ['/', '/a'])
    t.same(
      [(await grown)?.status, (await shrunk)?.status],
      [200, 409],
      'two editors of one source share its queue',
    )
    t.same(
      published.map(({ slug }) => slug),
      ['/', '/a', '/b', '/c', '/d'],
    )
    const pairs = await Promise.all(['/a', '/b', '/c', '/d'].map((slug) => send(one, ['/', slug])))
    t.ok(pairs.every((answer) => answer?.status === 409))
  },
)

t.test('a publish with a duplicate slug is refused, and the slug is named', async (t) => {
  environment(t, {})
  const { calls, send } = publishable(t)
  for (const allowDelete of [true, false]) {
    const answer = await send({ pages: [page('/'), page('/about'), page('/about', 'Again')], allowDelete })
    t.equal(answer.status, 400)
    t.match(answer.json(), {
      ok: false,
      error: 'invalid_request',
      reason: /'\/about' is the slug of two pages/,
    })
  }
  t.strictSame(calls, [])
})

t.test('a publish without pages has the same result in development and in production', async (t) => {
  environment(t, { PUBLISH_TOKEN: 'right' })
  const down: ContentAdapter = { readContent: () => Promise.reject(new Error('down')) }
  const cases: readonly (readonly [ContentAdapter, object, number])[] = [
    [adapter, {}, 409],
    [adapter, { allowDelete: false }, 409],
    [adapter, { allowDelete: 'true' }, 409],
    [adapter, { allowDelete: true }, 200],
    [adapterOf({ pages: [] }), {}, 200],
    [down, {}, 409],
    [down, { allowDelete: true }, 200],
  ]
  for (const mode of ['development', 'production']) {
    process.env['NODE_ENV'] = mode
    for (const [own, more, status] of cases) {
      const mounted = siteEditor(t, { adapter: own, publish: () => ({ ok: true, slugs: [] }) })
      const answer = await mounted.inject({
        method: 'POST',
        url: '/api/editor/publish',
        headers: { 'x-publish-token': 'right' },
        json: { pages: [], ...more },
      })
      t.equal(answer.status, status, `${mode}: ${JSON.stringify(more)}`)
      if (status === 409) t.match(answer.json(), { ok: false, error: 'refused', reason: /allowDelete/ })
    }
  }
})

t.test('a destructive publish is refused if the published content arrives too late', async (t) => {
  environment(t, {})
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const asked = Promise.withResolvers<void>()
  const site = publishable(t, {
    adapter: { readContent: () => (asked.resolve(), new Promise(() => undefined)) },
  })
  const answer = site.send({ pages: [] })
  await asked.promise
  mock.timers.tick(8_000)
  t.equal((await answer).status, 409)
  t.match((await answer).json(), { error: 'refused', reason: /could not be read/ })
})

t.test('the site answers with the result of the publish handler', async (t) => {
  environment(t, {})
  const { log, lines } = capturedLog()
  const after = async (result: unknown) => {
    const handle: PublishHandler = () => {
      if (result instanceof Error) throw result
      return (result === undefined ? undefined : JSON.parse(JSON.stringify(result))) as PublishResult
    }
    const { send } = publishable(t, { logger: log }, handle)
    const answer = await send({ pages: [page('/')] })
    return [answer.status, answer.json()]
  }
  const notes = ['Two images are large.']
  t.strictSame(await after({ ok: true, slugs: ['/live'], notes, unsupported: ['Video'] }), [
    200,
    { ok: true, slugs: ['/live'], notes, unsupported: ['Video'] },
  ])
  t.strictSame(
    await after({ ok: true, unsupported: [{ type: 'Video', count: 2 }] }),
    [200, { ok: true, slugs: ['/'], unsupported: [{ type: 'Video', count: 2 }] }],
    'a handler may omit the slugs, and report in its own form what it cannot store',
  )
  t.strictSame(
    await after({ ok: false, slugs: ['/'], error: 'half_done', reason: 'The CMS stopped.', notes }),
    [500, { ok: false, error: 'half_done', reason: 'The CMS stopped.', slugs: ['/'], notes }],
  )
  t.strictSame(await after({ ok: false, slugs: [] }), [500, { ok: false, error: 'publish_failed' }])
  for (const result of [new Error('canary /srv'), undefined, null, 'done', { slugs: ['/'] }, { ok: 'yes' }]) {
    const [status, body] = await after(result)
    t.equal(status, 500)
    t.match(body, { ok: false, error: 'publish_failed', reason: readable })
    t.notMatch(JSON.stringify(body), /canary/)
  }
  t.ok(lines.some((line) => line.includes('canary')))
  const none = siteEditor(t)
  const answer = await none.inject({
    method: 'POST',
    url: '/api/editor/publish',
    json: { pages: [page('/')] },
  })
  t.match(
    [answer.status, answer.json()],
    [500, { ok: false, error: 'no_publish_handler', reason: /createSiteEditor/ }],
  )
})

t.test('a publish of 64 MiB is accepted, and one byte more is refused', async (t) => {
  environment(t, {})
  const limit = 64 * 1024 * 1024
  const { calls, send } = publishable(t)
  const bytes = (size: number) => {
    const start = `{"pages":[${JSON.stringify(page('/'))}],"assets":{"a":{"mimeType":"image/png","fileName":"a.png","data":"`
    return `${start}${'A'.repeat(size - start.length - 4)}"}}}`
  }
  const mounted = siteEditor(t, {
    publish: (publication, context) => (calls.push([publication, context]), { ok: true, slugs: [] }),
  })
  const post = (size: number) =>
    mounted.inject({
      method: 'POST',
      url: '/api/editor/publish',
      headers: { 'content-type': 'application/json' },
      body: bytes(size),
    })
  t.equal((await post(limit)).status, 200)
  const over = await post(limit + 1)
  t.match([over.status, over.json()], [413, { code: 'body_too_large', reason: /67108864 bytes/ }])
  t.equal(calls.length, 1)
  t.equal(
    (await send({ pages: Array.from({ length: 200_001 }, () => 0) })).status,
    400,
    'more values than other bodies may have are counted, and then judged',
  )
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown
  t.match((await send({ pages: deep })).json(), { code: 'invalid_json' })
})

const draftUrl = (query: Readonly<Record<string, string>>) =>
  `/api/editor/draft?${new URLSearchParams(query)}`
const cookiesIn = (answer: Pick<Injected, 'headers'>) => answer.headers.getSetCookie()

t.test('draft mode sets four cookies, of which one is signed', async (t) => {
  environment(t, {})
  const enable = draftUrl({
    secret,
    redirect: '/about?x=1#top',
    session: 'se;ss=ion',
    siteId: 'acme',
    editorOrigin: 'https://editor.test/path',
  })
  await everyWay(
    t,
    () => ({ draftSecret: secret }),
    async (t, ask) => {
      const answer = await ask({ url: enable })
      t.equal(answer.status, 307)
      t.equal(answer.headers.get('location'), '/about?x=1#top')
      t.equal(answer.text, '')
      const attributes = 'Path=/; HttpOnly; SameSite=Lax'
      const [session, site, origin, signed, ...more] = cookiesIn(answer)
      t.equal(session, `editor_draft_session=se%3Bss%3Dion; ${attributes}`)
      t.equal(site, `editor_draft_site_id=acme; ${attributes}`)
      t.equal(origin, `editor_origin=https%3A%2F%2Feditor.test; ${attributes}`)
      t.match(signed, /^editor_draft=[\w-]+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
      t.strictSame(more, [])
      t.notMatch([...answer.headers].join(), secret)

      const ended = await ask({ url: '/api/editor/draft/disable?redirect=/about' })
      t.equal(ended.status, 307)
      t.equal(ended.headers.get('location'), '/about')
      t.strictSame(
        cookiesIn(ended),
        ['editor_draft_session', 'editor_draft_site_id', 'editor_origin', 'editor_draft'].map(
          (name) => `${name}=; Max-Age=0; ${attributes}`,
        ),
      )
      t.equal(
        (await ask({ url: draftUrl({ secret, slug: '/about' }) })).headers.get('location'),
        '/about',
        'the older name of redirect',
      )
      t.match(cookiesIn(await ask({ url: draftUrl({ secret, editorOrigin: 'javascript:alert(1)' }) })), [
        /^editor_draft_session=dev;/,
        /^editor_draft_site_id=;/,
        /^editor_draft=/,
      ])
      for (const query of [
        `secret=${secret}&redirect=/a&redirect=/b`,
        `secret=${secret}&session=${'x'.repeat(201)}`,
      ])
        t.equal((await ask({ url: `/api/editor/draft?${query}` })).status, 400)
      for (const query of [
        '',
        'secret=',
        'secret=wrong',
        `secret=${secret}x`,
        `secret=${secret}&secret=${secret}`,
        `Secret=${secret}`,
      ]) {
        const refused = await ask({ url: `/api/editor/draft?${query}` })
        t.equal(refused.status, 401, query)
        t.match(refused.json(), { error: 'unauthorized', reason: /DRAFT_MODE_SECRET/ })
        t.strictSame(cookiesIn(refused), [])
      }
    },
  )
  for (const draftSecret of [undefined, '', ' ']) {
    const answer = await siteEditor(t, { draftSecret }).inject({ url: draftUrl({ secret: '' }) })
    t.equal(answer.status, 503)
    t.match(answer.json(), { error: 'unavailable', reason: /DRAFT_MODE_SECRET/ })
  }
  const names = ['NEXT_DRAFT_MODE_SECRET', 'VITE_SITE_DRAFT_SECRET', 'DRAFT_MODE_SECRET']
  for (const [at, name] of names.entries()) {
    const before = Object.fromEntries(names.slice(0, at).map((each) => [each, 'another secret']))
    await t.test(name, async (t) => {
      environment(t, { ...before, [name]: ` ${secret} ` })
      t.equal(
        (await siteEditor(t).inject({ url: enable })).status,
        307,
        'the secret comes from the environment',
      )
    })
  }
})

t.test(
  'draft mode reads session, site and editor from the redirect if they are not separate parameters',
  async (t) => {
    environment(t, {})
    const inside = '/about?session=s-1&siteId=acme&editorOrigin=http%3A%2F%2Flocalhost%3A4100&__editor=1'
    await everyWay(
      t,
      () => ({ draftSecret: secret }),
      async (t, ask) => {
        const signedFor = (answer: Injected) =>
          draftAccess({ cookie: cookiesIn(answer).at(-1)?.split(';')[0], search: '' }, { secret })
        for (const name of ['redirect', 'slug']) {
          const answer = await ask({ url: draftUrl({ secret, [name]: inside }) })
          t.strictSame([answer.status, answer.headers.get('location')], [307, inside], name)
          t.match(cookiesIn(answer), [
            /^editor_draft_session=s-1;/,
            /^editor_draft_site_id=acme;/,
            /^editor_origin=http%3A%2F%2Flocalhost%3A4100;/,
            /^editor_draft=/,
          ])
          t.strictSame(signedFor(answer), { siteId: 'acme', session: 's-1' })
        }
        const outside = await ask({
          url: draftUrl({
            secret,
            redirect: inside,
            session: 's-2',
            siteId: 'other',
            editorOrigin: 'https://edit.test',
          }),
        })
        t.strictSame(signedFor(outside), { siteId: 'other', session: 's-2' })
        t.match(cookiesIn(outside)[2], 'https%3A%2F%2Fedit.test')
        t.strictSame(
          signedFor(await ask({ url: draftUrl({ secret, redirect: inside, session: '', siteId: '' }) })),
          { siteId: 'acme', session: 's-1' },
        )
        const elsewhere = await ask({ url: draftUrl({ secret, redirect: `https://evil.test${inside}` }) })
        t.strictSame(
          [elsewhere.headers.get('location'), signedFor(elsewhere)],
          ['/', { siteId: '', session: 'dev' }],
          'an address that is not followed is ignored',
        )
        const long = await ask({ url: draftUrl({ secret, redirect: `/?session=${'x'.repeat(201)}` }) })
        t.match([long.status, long.json()], [400, { reason: /redirect.*at most 200 characters/ }])
        t.equal(
          (await ask({ url: draftUrl({ secret: 'wrong', redirect: `${inside}&secret=${secret}` }) })).status,
          401,
          'but no secret',
        )

        for (const [redirect, location] of [
          [inside, '/about'],
          [`${inside}&secret=${secret}&q=a%20b#top`, '/about?q=a+b#top'],
          ['/about?q=a%20b#top', '/about?q=a%20b#top'],
        ] as const) {
          const left = await ask({ url: `/api/editor/draft/disable?${new URLSearchParams({ redirect })}` })
          t.equal(left.headers.get('location'), location, 'after leaving, the page is that of every visitor')
        }
      },
    )
    const own = siteEditor(t, { draftSecret: secret, siteId: 'mine' })
    t.match(
      cookiesIn(await own.inject({ url: draftUrl({ secret, redirect: inside }) }))[1],
      /^editor_draft_site_id=mine;/,
      'no site signs for another',
    )
  },
)

t.test(
  'an address signed for this site replaces the secret for an hour, and its cookie does not',
  async (t) => {
    environment(t, {})
    const mounted = siteEditor(t, { draftSecret: secret, siteId: 'acme' })
    const hour = 60 * 60 * 1000
    const now = systemClock.now()
    const linkOf = (siteId: string, { by = secret, age = 0 } = {}): string => {
      const link = draftLink(
        'https://site.test/about?a=b#c',
        { siteId, session: 'review' },
        { secret: by, now: new Date(now.getTime() - age) },
      )
      t.equal(link.origin, 'https://site.test')
      t.notMatch(link.href, secret)
      return link.pathname + link.search
    }
    const opened = await mounted.inject({ url: linkOf('acme') })
    t.match([opened.status, opened.headers.get('location')], [307, '/about?a=b#c'])
    const cookie = /^editor_draft=(.+?);/.exec(cookiesIn(opened).at(-1) ?? '')?.[1] ?? ''
    t.match(draftAccess({ cookie: `editor_draft=${cookie}`, search: '' }, { secret, siteId: 'acme' }), {
      siteId: 'acme',
      session: 'review',
    })
    t.equal((await mounted.inject({ url: linkOf('acme', { age: hour - 60_000 }) })).status, 307)
    const refused = [
      linkOf('acme', { age: hour + 1 }),
      linkOf('acme', { by: 'another secret' }),
      linkOf('other'),
      `/api/editor/draft?secret=${cookie}`,
    ]
    for (const url of refused) t.equal((await mounted.inject({ url })).status, 401, url)
    const signed = new URL(linkOf('acme'), 'https://site.test').searchParams.get('secret') ?? ''
    t.equal(
      draftAccess({ cookie: `editor_draft=${signed}`, search: '' }, { secret, siteId: 'acme' }),
      undefined,
      'not as a cookie',
    )
    t.match(
      draftAccess({ cookie: undefined, search: `secret=${signed}` }, { secret, siteId: 'acme' }),
      { siteId: 'acme', session: 'review' },
      'but for one page, as for a camera without cookies',
    )
    t.equal(
      (await siteEditor(t, { draftSecret: secret }).inject({ url: linkOf('acme') })).status,
      307,
      'a site without an id uses that of the address',
    )
  },
)

t.test('over https the cookies are Secure, and cross-site only where required', async (t) => {
  environment(t, {})
  const own = 'Path=/; HttpOnly; Secure; SameSite=Lax'
  const framed = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned'
  const attributesFrom = async (
    options: Partial<SiteEditorOptions>,
    from: string | undefined,
    scheme = 'https',
  ) => {
    const mounted = siteEditor(t, { draftSecret: secret, ...options })
    const headers = from === undefined ? undefined : { 'sec-fetch-site': from }
    const answer = await mounted.fetch(
      new Request(`${scheme}://site.test${draftUrl({ secret })}`, { headers: headers ?? {} }),
    )
    const signed = cookiesIn(answer).at(-1) ?? ''
    return [signed.split('=')[0], signed.slice(signed.indexOf('; ') + 2)]
  }
  for (const from of ['same-origin', 'same-site', 'none'])
    t.strictSame(await attributesFrom({}, from), ['__Host-editor_draft', own])
  for (const from of ['cross-site', undefined])
    t.strictSame(await attributesFrom({}, from), ['__Host-editor_draft', framed])
  const plain = ['editor_draft', 'Path=/; HttpOnly; SameSite=Lax']
  t.strictSame(await attributesFrom({}, 'cross-site', 'http'), plain)
  t.strictSame(
    await attributesFrom({ secure: true }, 'cross-site', 'http'),
    ['__Host-editor_draft', framed],
    'behind a proxy',
  )
  t.strictSame(await attributesFrom({ secure: false }, 'cross-site'), plain)
  process.env['NEXT_PUBLIC_SITE_URL'] = 'https://site.test'
  t.strictSame(await attributesFrom({}, 'none', 'http'), ['__Host-editor_draft', own])
  const ended = cookiesIn(await siteEditor(t).inject({ url: '/api/editor/draft/disable' }))
  const names = [
    'editor_draft_session',
    'editor_draft_site_id',
    'editor_origin',
    '__Host-editor_draft',
    'editor_draft',
  ]
  t.strictSame(
    ended,
    [own, framed].flatMap((attributes) => names.map((name) => `${name}=; Max-Age=0; ${attributes}`)),
    'in every allowed form',
  )
})

t.test('a redirect stays on the site', async (t) => {
  environment(t, {})
  const mounted = siteEditor(t, { draftSecret: secret })
  const goesTo = async (redirect: string) => {
    const locations = await Promise.all(
      [draftUrl({ secret, redirect }), `/api/editor/draft/disable?${new URLSearchParams({ redirect })}`].map(
        async (url) => (await mounted.inject({ url })).headers.get('location'),
      ),
    )
    t.equal(locations[0], locations[1])
    return locations[0] ?? ''
  }
  const home = [
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/%0d/../\\evil.test',
    '\\/evil.test',
    'https:evil.test',
    'https://evil.test',
    'http:/evil.test',
    'javascript:alert(1)',
    ' //evil.test',
    'evil.test',
    '',
    '/.//evil.test',
    '/..//evil.test',
    '/./\\evil.test',
    '/\n/evil.test',
    '///evil.test',
    '/a/../..//evil.test',
  ]
  const same: Readonly<Record<string, string>> = {
    '/': '/',
    '/about?next=//evil.test#x': '/about?next=//evil.test#x',
    '/%2f/evil.test': '/%2f/evil.test',
    '/%09/evil.test': '/%09/evil.test',
    '/%5cevil.test': '/%5cevil.test',
    '/@evil.test': '/@evil.test',
    '/a\r\nset-cookie: x=1': '/aset-cookie:%20x=1',
    '/ümläut': '/%C3%BCml%C3%A4ut',
  }
  for (const redirect of home) {
    const location = await goesTo(redirect)
    t.equal(new URL(location, 'https://site.test').origin, 'https://site.test', JSON.stringify(redirect))
  }
  for (const redirect of ['//evil.test', '/\\evil.test', 'https:evil.test', 'evil.test', '/.//evil.test'])
    t.equal(await goesTo(redirect), '/')
  for (const [redirect, location] of Object.entries(same)) t.equal(await goesTo(redirect), location)
})

t.test('only a cookie that this site signed, or the secret, opens a draft', async (t) => {
  const clock = stillClock()
  const acme = { siteId: 'acme', session: 'dev' }
  const sign = (access = acme, key = secret) => signAccess(access, { secret: key, now: clock.now() })
  const cookie = sign()
  const opens = (
    header: string | undefined,
    search = '',
    options: { siteId?: string | undefined; secret?: string | undefined } = {},
  ) => draftAccess({ cookie: header, search }, { secret, siteId: 'acme', clock, ...options })
  t.strictSame(opens(`editor_draft=${cookie}`), acme)
  t.strictSame(opens(`a=1;__Host-editor_draft=${cookie} ; b=2`), acme)
  t.strictSame(opens(`editor_draft=${cookie}`, 'session=other'), { siteId: 'acme', session: 'other' })
  t.strictSame(opens(`editor_draft=${cookie}`, 'session='), acme)
  t.strictSame(
    opens(`__Host-editor_draft=old; editor_draft=no; editor_draft=${cookie}`),
    acme,
    'a valid one among invalid ones',
  )
  const [claims = '', signature = ''] = cookie.split('.')
  const forged = Buffer.from(JSON.stringify({ ...acme, until: 9e15 })).toString('base64url')
  const worthless = [
    undefined,
    '',
    'editor_draft=',
    'editor_draft',
    'editor_draft=.',
    `editor_draft=${claims}`,
    `editor_draft=${claims}.`,
    `editor_draft=.${signature}`,
    `editor_draft=${cookie.slice(0, -1)}`,
    `editor_draft=${cookie}x`,
    `editor_draft=${cookie}.x`,
    `editor_draft=${forged}.${signature}`,
    `editor_draft=${forged}.${forged}`,
    `editor_draft=${sign(acme, 'another secret')}`,
    `editor_draft=${sign({ ...acme, siteId: 'other' })}`,
    `Editor_Draft=${cookie}`,
    `xeditor_draft=${cookie}`,
    'editor_draft_session=dev; editor_draft_site_id=acme; editor_origin=http://localhost:4100',
    `editor_draft=${encodeURIComponent('{"siteId":"acme"}')}`,
  ]
  for (const header of worthless)
    t.equal(
      opens(header, '__editor=1&siteId=acme&session=dev&editorOrigin=http://localhost:4100'),
      undefined,
      String(header),
    )
  t.strictSame(opens(`editor_draft=${cookie}`, 'siteId=other'), acme, 'the address names no other site')
  t.equal(
    opens(`editor_draft=${cookie}`, '', { siteId: 'other' }),
    undefined,
    'a cookie of another site on the same machine',
  )
  t.strictSame(opens(`editor_draft=${cookie}`, 'siteId=other', { siteId: undefined }), acme)
  t.equal(opens(`editor_draft=${cookie}`, `secret=${secret}`, { secret: undefined }), undefined)
  t.strictSame(opens(undefined, `secret=${secret}&siteId=other&session=s`), { siteId: 'acme', session: 's' })
  t.strictSame(opens(undefined, `secret=${secret}&siteId=other`, { siteId: undefined }), {
    siteId: 'other',
    session: 'dev',
  })
  t.equal(opens(undefined, 'secret='), undefined)
  t.equal(opens(undefined, `secret=${secret}x`), undefined)
  clock.advance(12 * 60 * 60 * 1000 - 1)
  t.strictSame(opens(`editor_draft=${cookie}`), acme)
  clock.advance(1)
  t.equal(opens(`editor_draft=${cookie}`), undefined, 'after twelve hours')
  environment(t, {})
  const minted = await siteEditor(t, { draftSecret: secret, siteId: 'acme' }).inject({
    url: draftUrl({ secret, siteId: 'other' }),
  })
  t.match(cookiesIn(minted)[1], /^editor_draft_site_id=acme;/, 'no site signs for another')
  t.strictSame(
    draftAccess({ cookie: cookiesIn(minted).at(-1)?.split(';')[0], search: '' }, { secret, siteId: 'acme' }),
    acme,
  )
})

t.test('options of older releases and mistyped ones are refused with the remedy', async (t) => {
  environment(t, {})
  const made = (options: object) => () => createSiteEditor({ adapter, ...options })
  for (const [options, sentence] of [
    [
      { editorApiPath: '/api/edit' },
      /^createSiteEditor has no option 'editorApiPath', which was removed in 0\.13\.0.*basePath$/,
    ],
    [{ maxPagesRemoved: -1 }, /^option 'maxPagesRemoved' .*0 or more/],
    [{ maxPagesRemoved: 1.5 }, /whole number/],
    [{ maxPagesRemoved: '2' }, /expected a number/],
    [{ publish: {} }, /^option 'publish' .*jsonFilePublishHandler/],
    [{ editorOrigins: ['editor.example'] }, /^option 'editorOrigins\[0\]' .*https:\/\/editor\.example/],
    [{ editorOrigins: ['*'] }, /expected an origin/],
    [{ blocks: [] }, /^option 'blocks' /],
    [{ registry: {} }, /^createSiteEditor has no option 'registry'/],
  ] as const)
    t.throws(made(options), { name: 'BootError', problems: [sentence] })
  t.doesNotThrow(made({ editorOrigins: ['', ' https://edit.example/ '], siteId: undefined }))
  const problems = [/^createSiteEditor expects an object of options/]
  t.throws(() => createSiteEditor(undefined as never), { name: 'BootError', problems })
})

t.test('the block types are those of the component registry', async (t) => {
  environment(t, {})
  const Price = (): string => 'a component'
  const blocks = defineBlocks({
    ...builtinBlocks,
    Price: {
      component: Price,
      propsSchema: {
        type: 'object',
        properties: { amount: { type: 'string' }, _rate: { type: 'string' } },
        required: ['amount'],
      },
      meta: { displayName: 'Price', fields: { amount: { kind: 'text', label: 'Amount' } } },
    },
  })
  t.equal(blocks.Price.component, Price, 'the site renders from the same registry')
  const answer = await siteEditor(t, { blocks }).inject({ url: '/api/editor/blocks' })
  const manifest = v.parse(v.object({ blocks: v.array(v.looseObject({ type: v.string() })) }), answer.json())
  t.match(
    manifest.blocks.find(({ type }) => type === 'Price'),
    {
      displayName: 'Price',
      fields: { amount: { kind: 'text', label: 'Amount', required: true }, _rate: { internal: true } },
    },
  )
  t.ok(manifest.blocks.some(({ type }) => type === 'Hero'))
  t.notMatch(answer.text, 'component')
  const odd: object = {
    Price: {
      propsSchema: { type: 'object' },
      meta: { displayName: 'Price', fields: { amount: { kind: 'money' } } },
    },
  }
  t.throws(() => createSiteEditor({ adapter, blocks: odd as SiteBlocks }), {
    message: /Price.*amount.*money/,
  })
})

t.test('an invalid option is reported at the start', async (t) => {
  environment(t, {})
  for (const siteId of ['Acme', 'a b', '', 'x'.repeat(65)]) {
    t.throws(() => siteEditor(t, { siteId }), {
      name: 'BootError',
      problems: [/^option 'siteId' of createSiteEditor: /],
    })
  }
})

t.test('published content that is read back and imported into a draft is not a change', async (t) => {
  environment(t, {})
  for (const shape of ['array', 'wrapper'] as const) {
    const path = join(temporaryFolder(t), 'content.json')
    const mounted = siteEditor(t, {
      adapter: jsonFile(path),
      publish: jsonFilePublishHandler(path, { shape }),
    })
    const draft = {
      pages: demoPages.map((each) => ingestPage(each, { registry: builtinRegistry })),
      siteConfig: demoSiteConfig,
    }
    const answer = await mounted.inject({ method: 'POST', url: '/api/editor/publish', json: draft })
    t.equal(answer.status, 200)
    t.match(answer.json(), {
      ok: true,
      slugs: demoPages.map(({ slug }) => slug),
      ...(shape === 'array' && { notes: [/settings/] }),
    })
    t.equal(Array.isArray(JSON.parse(readFileSync(path, 'utf8'))), shape === 'array')
    const live = v.parse(
      v.object({
        pages: v.array(v.custom<Page>(() => true)),
        siteConfig: v.optional(v.custom<SiteConfig>(() => true)),
      }),
      (await mounted.inject({ url: '/api/editor/pages' })).json(),
    )
    t.equal('siteConfig' in live, shape === 'wrapper')
    const again = live.pages.map((each) => ingestPage(each, { registry: builtinRegistry }))
    const baseline = { pages: live.pages, ...(live.siteConfig && { siteConfig: live.siteConfig }) }
    for (const pages of [draft.pages, again]) {
      t.match(diffContent({ draft: { ...draft, pages }, baseline, registry: builtinRegistry }), {
        summary: {
          pagesAdded: 0,
          pagesRemoved: 0,
          pagesModified: 0,
          pagesUnchanged: demoPages.length,
          totalChangedFields: 0,
          siteConfigChangedFields: 0,
        },
      })
    }
  }
})

/** The demo website and an orchestrator whose draft differs from the published content. */
async function website(t: Test, more: Partial<WebsiteOptions> = {}) {
  environment(t, {})
  const orchestrator = mountForTest(t, draftsInMemory())
  const url = await listen(t, (request, response) => void orchestrator.node(request, response))
  const draft = editor((injection) => orchestrator.inject(injection), { session: 'dev', siteId: 'acme' })
  await draft.bootstrap([page('/', 'Draft home'), page('/draft-only', 'Draft only')])
  const publicDir = temporaryFolder(t)
  const assetsDir = join(publicDir, 'generated-images')
  mkdirSync(assetsDir)
  writeFileSync(join(assetsDir, 'upload_1.png'), 'png')
  writeFileSync(join(assetsDir, 'att_1.pdf'), 'pdf')
  writeFileSync(join(publicDir, 'secret.png'), 'canary')
  symlinkSync(join(publicDir, 'secret.png'), join(assetsDir, 'link.png'))
  const own = adapterOf({
    pages: [page('/', 'Published home'), page('/about', 'Published about')],
    siteConfig: { name: 'Acme' },
  })
  const clock: Clock = systemClock
  const options = {
    siteId: 'acme',
    adapter: own,
    drafts: draftsAt(url),
    orchestrator: url,
    origins: [],
    editorOrigins: ['http://localhost:4100'],
    draftSecret: secret,
    publicDir,
    clock,
    ...more,
  }
  const mounted = siteEditor(t, { adapter: own, draftSecret: secret, siteId: 'acme' })
  const origin = await listen(t, createWebsite({ ...options, editor: mounted }))
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    read(await fetch(origin + path, { headers, redirect: 'manual', method }))
  return { origin, get, orchestrator, url }
}

/** Enters draft mode and returns the cookies. */
async function enter(
  get: (path: string) => Promise<Injected>,
  path = '/draft',
): Promise<{ readonly cookie: string }> {
  return {
    cookie: cookiesIn(await get(path))
      .map((line) => line.split(';')[0])
      .join('; '),
  }
}

/** Requests a page with any Host header, which fetch does not allow. */
const pageFor = (address: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise(
    (resolve, reject) =>
      void httpRequest(address, { headers }, (answer) => resolve(textOf(answer)))
        .on('error', reject)
        .end(),
  )

t.test(
  'frames of the website, its editors and the orchestrator are sandboxed from their origin',
  async (t) => {
    const embed = (id: string, url: string) => ({ id, type: 'Embed', props: { url } })
    const blocks = [
      embed('site', 'https://www.nord.example/'),
      embed('editor', 'https://edit.nord.example/'),
      embed('orchestrator', 'http://127.0.0.1:1/'),
      embed('map', 'https://maps.test/'),
    ]
    const adapter = adapterOf({ pages: [{ ...page('/', 'Home'), blocks }] })
    const { origin } = await website(t, { adapter, origins: ['https://edit.nord.example'] })
    const apart = async (headers: Readonly<Record<string, string>>) =>
      [...(await pageFor(origin, headers)).matchAll(/<iframe[^>]* src="([^"]*)"[^>]* sandbox="([^"]*)"/g)]
        .filter(([, , sandbox]) => !sandbox?.includes('allow-same-origin'))
        .map(([, src]) => src)
    t.strictSame(await apart({ host: 'www.nord.example:8080' }), [
      'https://www.nord.example/',
      'https://edit.nord.example/',
      'http://127.0.0.1:1/',
    ])
    t.strictSame(await apart({}), ['https://edit.nord.example/', 'http://127.0.0.1:1/'])
  },
)

t.test('a visitor sees published content, and never a draft', async (t) => {
  const { get } = await website(t)
  const home = await get('/')
  t.equal(home.status, 200)
  t.match(home.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(home.headers.get('content-security-policy'), /^default-src 'none';.*frame-ancestors 'self'/)
  t.equal(home.headers.get('x-content-type-options'), 'nosniff')
  t.match(home.text, /Published home/)
  for (const path of [
    '/?__editor=1',
    '/?__editor=1&siteId=acme&session=dev&editorOrigin=http://localhost:4100',
    '/?secret=wrong',
    '/?secret=',
  ]) {
    const answer = await get(path, {
      cookie: 'editor_draft_session=dev; editor_draft_site_id=acme; editor_draft=forged.forged',
    })
    t.equal(answer.status, 200, path)
    t.match(answer.text, /Published home/, path)
    t.notMatch(answer.text, /Draft home|class="ribbon"/)
  }
  const other = signAccess(
    { siteId: 'acme', session: 'dev' },
    { secret: 'another secret', now: systemClock.now() },
  )
  const mismatched = await get('/?__editor=1', { cookie: `editor_draft=${other}` })
  t.equal(mismatched.status, 200, 'a wrong secret is not an error')
  t.match(mismatched.text, /Published home/)
  t.equal((await get('/draft-only')).status, 404)
  t.equal((await get('/about')).status, 200)
})

t.test('a visitor with access sees the draft until the access ends', async (t) => {
  const { get } = await website(t)
  const { cookie } = await enter(get)
  const home = await get('/', { cookie })
  t.match(home.text, /Draft home/)
  t.match(home.text, /class="ribbon"/)
  t.match(home.text, /noindex/)
  t.equal((await get('/draft-only', { cookie })).status, 200)
  t.equal((await get('/about', { cookie })).status, 404, 'a page that the draft lacks')
  t.match((await get(`/?secret=${secret}`)).text, /Draft home/)
  t.match((await get('/?siteId=other', { cookie })).text, /Draft home/, 'of this site only')
  const minted = await enter(get, `/api/editor/draft?secret=${secret}&siteId=other&session=dev`)
  t.match((await get('/', minted)).text, /Draft home/)
  t.match(
    (
      await get('/', {
        cookie: `editor_draft=${signAccess({ siteId: 'other', session: 'dev' }, { secret, now: systemClock.now() })}`,
      })
    ).text,
    /Published home/,
  )
  t.match(cookiesIn(await get('/api/editor/draft/disable')), [/Max-Age=0/])
})

t.test(
  'a draft page listens for changes with one script allowed by its policy, a published page has none',
  async (t) => {
    const { get, url } = await website(t)
    const draft = await get('/', await enter(get))
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(draft.text) ?? []
    t.match(script, url)
    const policy = draft.headers.get('content-security-policy') ?? ''
    t.match(
      policy,
      `script-src 'sha256-${hash('sha256', script, 'base64')}'; connect-src 'self' ${url}; frame-ancestors`,
    )
    const published = await get('/')
    t.notMatch(published.text, '<script')
    t.notMatch(published.headers.get('content-security-policy'), 'script-src')
  },
)

t.test('the shortcut into a draft reveals no secret, and works on this machine only', async (t) => {
  const { get, origin } = await website(t)
  const answer = await get('/draft')
  t.equal(answer.status, 302)
  t.equal(answer.headers.get('location'), '/')
  t.notMatch(JSON.stringify([...answer.headers, answer.text]), secret)
  const elsewhere = await new Promise<number | undefined>((resolve, reject) => {
    httpRequest(`${origin}/draft`, { headers: { host: 'evil.test' } }, (response) => {
      t.strictSame(response.headers['set-cookie'], undefined)
      resolve(response.resume().statusCode)
    })
      .on('error', reject)
      .end()
  })
  t.equal(elsewhere, 404, 'an unknown host name is not used')
})

t.test('a frame of an editor is admitted without a cookie, any other frame is not', async (t) => {
  const { get, origin } = await website(t)
  const inFrame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
  const context = 'session=dev&siteId=acme&editorOrigin=http://localhost:4100&__editor=1'
  for (const address of [
    `/?${context}`,
    `/draft-only?${context}`,
    '/?editorOrigin=http://127.0.0.1:4100',
    '/draft',
    '/draft?redirect=/draft-only?x=1',
  ]) {
    const answer = await get(address, inFrame)
    t.equal(answer.status, 302, address)
    t.notMatch(JSON.stringify([...answer.headers]), secret, address)
    t.match(cookiesIn(answer).at(-1), /^editor_draft=/, 'for frames that get cookies')
    const location = answer.headers.get('location') ?? ''
    t.match(location, /[?&]pass=/)
    const shown = await get(location, inFrame)
    t.match([shown.status, shown.text], [200, /Draft (?:home|only)/], address)
    t.match(
      await get(location),
      { status: 200, text: /class="ribbon"/ },
      'also when its live preview reads it again',
    )
  }
  t.match(cookiesIn(await get(`/?${context}`, inFrame))[2], /^editor_origin=http%3A%2F%2Flocalhost%3A4100;/)
  t.equal(
    (await get('/draft?redirect=//evil.test', inFrame)).headers.get('location')?.startsWith('/?pass='),
    true,
  )

  const published: readonly (readonly [address: string, headers: Readonly<Record<string, string>>])[] = [
    [`/?${context}`, { 'sec-fetch-dest': 'document' }],
    [`/?${context}`, {}],
    ['/?__editor=1', inFrame],
    ['/?editorOrigin=http://evil.test&__editor=1', inFrame],
    ['/?editorOrigin=http://localhost:4101&__editor=1', inFrame],
    ['/?editorOrigin=http://localhost:4100&session=another', inFrame],
    [`/?${context}&secret=wrong`, inFrame],
    [`/?${context}&pass=forged.forged`, inFrame],
  ]
  for (const [address, headers] of published) {
    const answer = await get(address, headers)
    t.match([answer.status, answer.text], [200, /Published home/], address)
    t.strictSame(cookiesIn(answer), [], address)
  }
  t.match(
    await pageFor(`${origin}/?${context}`, { ...inFrame, host: 'evil.test' }),
    /Published home/,
    'an unknown host name is not used',
  )
})

t.test('a page names the two host names that prevent the draft in a frame', async (t) => {
  const { get } = await website(t)
  const asked = (session: string, editorOrigin: string) =>
    get(`/?${new URLSearchParams({ session, editorOrigin, __editor: '1' })}`)
  t.match(
    (await asked('another', 'http://localhost:4100')).text,
    /<p class="notice" role="note">The editor is at localhost, this site at 127\.0\.0\.1: over http a browser sends no cookie/,
  )
  for (const editorOrigin of ['http://127.0.0.1:4100', 'http://evil.test', 'evil']) {
    const { text } = await asked('another', editorOrigin)
    t.match(
      text,
      /<p class="notice" role="note">This visitor asked for a draft without a valid cookie or secret/,
      editorOrigin,
    )
    t.notMatch(text, 'evil')
  }
  t.match((await get('/gone?__editor=1')).text, /class="notice"/)
  for (const page of [await get('/'), await get('/', await enter(get))])
    t.notMatch(page.text, 'class="notice"')
  const tile = await get('/?session=dev&siteId=acme&__editor=1&__refresh=0', {
    'sec-fetch-dest': 'iframe',
    'sec-fetch-site': 'cross-site',
  })
  t.match(tile.text, /Published home/)
  t.notMatch(tile.text, 'class="notice"', 'a tile in the list of sites of an editor has none')
})

t.test(
  'only listed editors can show the site in a frame, and its address is not sent as a referrer',
  async (t) => {
    const { get } = await website(t, { editorOrigins: ['https://edit.test', 'http://localhost:4100'] })
    for (const answer of [
      await get('/'),
      await get('/', await enter(get)),
      await get(`/?secret=${secret}`),
      await get('/draft'),
    ]) {
      t.match(
        answer.headers.get('content-security-policy'),
        /; frame-ancestors 'self' https:\/\/edit\.test http:\/\/localhost:4100 http:\/\/127\.0\.0\.1:4100$/,
      )
      t.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      t.equal(answer.headers.get('cache-control'), 'no-store')
    }
  },
)

t.test('with the draft cookie pages are of the draft, and everything else is unchanged', async (t) => {
  const { get } = await website(t)
  const headers = await enter(get)
  for (const path of [
    '/hero-generated.svg',
    '/generated-images/upload_1.png',
    '/api/editor/blocks',
    '/api/editor/pages',
  ]) {
    const [with_, without] = [await get(path, headers), await get(path)]
    t.strictSame(
      [with_.status, with_.headers.get('content-type'), with_.text],
      [200, without.headers.get('content-type'), without.text],
      path,
    )
    t.notMatch(with_.headers.get('content-type'), 'html', path)
  }
})

t.test('without the orchestrator a draft viewer sees the published content', async (t) => {
  const broken = await listen(t, (_, response) => void response.writeHead(500).end('{}'))
  const odd = await listen(t, (_, response) => void response.end('{"slugs":7}'))
  for (const url of ['http://127.0.0.1:1', broken, odd]) {
    const { get } = await website(t, { drafts: draftsAt(url) })
    const answer = await get('/', await enter(get))
    t.equal(answer.status, 200)
    t.match(answer.text, /Published home/)
    t.notMatch(answer.text, /class="ribbon"/)
  }
  const { get } = await website(t, { adapter: { readContent: () => Promise.reject(new Error('canary')) } })
  const down = await get('/')
  t.equal(down.status, 500)
  t.notMatch(down.text, /canary/)
})

t.test('the website handles unusual requests', async (t) => {
  const { get, origin } = await website(t)
  const unknown = await get('/unknown')
  t.equal(unknown.status, 404)
  t.match(unknown.text, /Page not found/)
  t.notMatch(unknown.text, /Unknown/, 'and the menu does not list it')
  const head = await get('/', {}, 'HEAD')
  t.strictSame(
    [head.status, head.text, Number(head.headers.get('content-length'))],
    [200, '', Buffer.byteLength((await get('/')).text)],
  )
  t.equal((await get('/nowhere', {}, 'HEAD')).status, 404)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const answer = await get('/', {}, method)
    t.strictSame([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], method)
  }
  for (const path of ['/%', '/%zz', '/%e0%a4%a', '/%ff', '/about%'])
    t.equal((await get(path)).status, 400, path)
  t.equal((await get('/%61bout')).status, 200)
  t.equal((await get('/about/')).status, 404)
  t.equal((await get('/hero-generated.svg')).headers.get('content-type'), 'image/svg+xml')
  t.equal((await get('/api/editor/pages')).status, 200)
  t.match((await get('/api/editor/nothing')).json(), { code: 'not_found' })

  const image = await get('/generated-images/upload_1.png')
  t.strictSame([image.status, image.headers.get('content-type'), image.text], [200, 'image/png', 'png'])
  t.strictSame([(await get('/generated-images/att_1.pdf')).headers.get('content-type')], ['application/pdf'])
  t.equal((await get('/generated-images/none.png')).status, 404)
  /** Sends a path unchanged, which `fetch` would normalise. */
  const raw = (path: string) =>
    new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
      httpRequest(origin, { path }, async (response) =>
        resolve({ status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() }),
      )
        .on('error', reject)
        .end()
    })
  const escapes = [
    '/generated-images/../secret.png',
    '/generated-images/..%2fsecret.png',
    '/generated-images/%2e%2e/secret.png',
    '/generated-images/..%5csecret.png',
    '/generated-images/.%2e/secret.png',
    '/generated-images//../secret.png',
    '/generated-images/link.png',
    '/generated-images/secret.png%00.png',
    '/generated-images/',
    '/../secret.png',
    '//evil.test/secret.png',
    'http://evil.test/secret.png',
    '*',
    '/\\..\\secret.png',
    '//',
    '/?',
    'http://:80',
    'http://a:b@[::1',
  ]
  for (const path of escapes) {
    const answer = await raw(path)
    t.ok([200, 400, 404].includes(answer.status ?? 0), `${path}: ${answer.status}`)
    t.notMatch(answer.text, /canary/, path)
  }
  t.equal((await get('/')).status, 200, 'and it still runs')
})

t.test('missing variables are logged once, at the first request of an editor', async (t) => {
  const askedOf = async (variables: Readonly<Record<string, string>>) => {
    environment(t, variables)
    const { log, lines } = capturedLog()
    const site = siteEditor(t, { logger: log })
    for (const url of ['/blocks', '/pages', '/blocks']) await site.inject({ url: `/api/editor${url}` })
    return lines.filter((line) => line.includes('variables for editors are not set'))
  }
  const [line, ...more] = await askedOf({})
  t.match(JSON.parse(line ?? '{}'), { level: 40, variables: ['DRAFT_MODE_SECRET'] })
  t.strictSame(more, [])
  t.match(JSON.parse((await askedOf({ NODE_ENV: 'production', DRAFT_MODE_SECRET: 'a-secret' }))[0] ?? '{}'), {
    variables: ['PUBLISH_TOKEN', 'EDITOR_CORS_ORIGINS'],
  })
  t.strictSame(await askedOf({ DRAFT_MODE_SECRET: 'a-secret' }), [])
})
