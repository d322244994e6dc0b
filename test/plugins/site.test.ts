import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor, type SiteEditorOptions } from '../../config/create-site-editor.ts'
import { systemClock, type Injected, type Injection } from '../../kernel/index.ts'
import { capturedLog, mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import type { ContentAdapter, SiteContent } from '../../plugins/content/adapter.ts'
import { demoPages, demoSiteConfig } from '../helpers/demo-pages.ts'
import { diffContent } from '../../plugins/content/diff/index.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { generateManifest } from '../../plugins/content/manifest.ts'
import type { Page, SiteConfig } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { builtinBlocks, defineBlocks, type SiteBlocks } from '../../config/site.ts'
import { draftLink, draftAccess, draftsAt } from '../../plugins/site/testing.ts'
import { readAccess, signAccess } from '../../plugins/scope/port.ts'
import type { Publication, PublishContext, PublishHandler, PublishResult } from '../../plugins/site/port.ts'
import { createWebsite, type WebsiteOptions } from '../../config/cli/serve/demo/website.ts'
import { environment as setEnvironment } from '../helpers/environment.ts'
import { serve } from '../helpers/raw.ts'
import { askOver, draftsInMemory, editor, temporaryFolder } from '../helpers/stack.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { emptyList } from '../helpers/plain.ts'

type Headers = Readonly<Record<string, string>>
const page = (slug: string, title = 'A page'): Page => ({
  id: `p${slug}`,
  slug,
  title,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [],
})
const adapterOf = (content: SiteContent): ContentAdapter => ({ readContent: async () => content })
const adapter = adapterOf({ pages: [page('/'), page('/about')], siteConfig: { name: 'Acme' } })
const down: ContentAdapter = { readContent: () => Promise.reject(new Error('canary /srv/content')) }
const secret = 'draft-secret'
const readable = /^[A-Z].* .*\.$/

/** Sets the variables that the site reads, for the duration of one test. */
function environment(t: Test, variables: Headers): void {
  const read =
    /^(?:NODE_ENV|PUBLISH_TOKEN|.*DRAFT_(?:MODE_)?SECRET|EDITOR_CORS_ORIGINS|NEXT_PUBLIC_.*|.*SITE_URL|ORCHESTRATOR_.*)$/
  setEnvironment(t, {})
  for (const name of Object.keys(process.env)) if (read.test(name)) delete process.env[name]
  Object.assign(process.env, variables)
}

function siteEditor(t: Test, options: Partial<SiteEditorOptions> = {}) {
  const mounted = createSiteEditor({ adapter, logger: capturedLog('silent').log, ...options })
  t.teardown(() => mounted.close())
  return mounted
}

/** Runs assertions on the editor routes of a site, with and without a socket. */
async function everyWay(
  t: Test,
  options: Partial<SiteEditorOptions>,
  body: (t: Test, ask: Ask) => Promise<void>,
): Promise<void> {
  const mounted = siteEditor(t, options)
  const origin = await serve(t, (request, response) => void mounted.node(request, response))
  await t.test('inject', (t) => body(t, (injection) => mounted.inject(injection)))
  await t.test('node', (t) => body(t, (injection) => askOver(origin, injection)))
}

t.test('the block types and the pages of a site are public', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  await everyWay(t, { siteId: 'acme' }, async (t, ask) => {
    const blocks = (await ask({ url: '/api/editor/blocks' })).json()
    t.match(blocks, JSON.parse(JSON.stringify(generateManifest(builtinRegistry))))
    const content = { pages: [page('/'), page('/about')], siteConfig: { name: 'Acme' }, siteId: 'acme' }
    for (const query of ['', '?siteId=acme', '?siteId=ACME%20', '?siteId='])
      t.strictSame((await ask({ url: `/api/editor/pages${query}` })).json(), content, query)
    const other = (await ask({ url: '/api/editor/pages?siteId=other' })).json()
    t.strictSame(other, { pages: [], siteId: 'acme' }, 'another site id finds nothing')
    t.equal((await ask({ url: '/api/editor/pages', method: 'HEAD' })).status, 200)
    t.strictSame(
      (await ask({ url: '/api/editor/pages/?siteId=acme' })).json(),
      content,
      'with a trailing slash',
    )
    for (const path of ['', '/', '/unknown', '/draft/enable'])
      t.match((await ask({ url: `/api/editor${path}` })).json(), { code: 'not_found' }, path)
    t.equal((await ask({ url: '/api/editor/pages', method: 'POST', json: {} })).status, 404)
  })
  const bare = siteEditor(t, { adapter: adapterOf({ pages: [page('/')] }) })
  const content = (await bare.inject({ url: '/api/editor/pages?siteId=whatever' })).json()
  t.strictSame(content, { pages: [page('/')] }, 'a missing siteConfig stays missing')
})

t.test('unreadable or invalid content is reported without its cause', async (t) => {
  environment(t, {})
  const { log, lines } = capturedLog()
  const odd = (content: unknown) => adapterOf(content as SiteContent)
  const atOnce = {
    readContent: () => {
      throw new Error('canary at once')
    },
  }
  const failing = [down, odd({ pages: 'none' }), odd(null), atOnce]
  for (const broken of failing) {
    const answer = await siteEditor(t, { adapter: broken, logger: log }).inject({ url: '/api/editor/pages' })
    t.match([answer.status, answer.json()], [503, { code: 'content_unavailable', reason: readable }])
    t.notMatch(answer.text, /canary/)
  }
  const warnings = lines.filter((line) => line.includes('content could not be read'))
  t.match([warnings.length, warnings[0]], [failing.length, /canary/])
})

t.test('the block types of a site are those of its registry, without their components', async (t) => {
  environment(t, {})
  const properties = { amount: { type: 'string' } } as const
  const propsSchema = { type: 'object', properties, required: ['amount'] } as const
  const fields = { amount: { kind: 'text', label: 'Amount' } } as const
  const Price = (): string => 'a component'
  const price = { component: Price, propsSchema, meta: { displayName: 'Price', fields } }
  const blocks = defineBlocks({ ...builtinBlocks, Price: price })
  t.equal(blocks.Price.component, Price, 'the site renders from the same registry')
  const { text } = await siteEditor(t, { blocks }).inject({ url: '/api/editor/blocks' })
  const shown = { amount: { kind: 'text', label: 'Amount', required: true } }
  const { blocks: types } = v.parse(v.object({ blocks: v.array(v.unknown()) }), JSON.parse(text))
  t.match(types.at(-1), { type: 'Price', displayName: 'Price', fields: shown })
  t.ok(types.length > 10)
  t.notMatch(text, 'a component')
  const money = { displayName: 'Price', fields: { amount: { kind: 'money' } } }
  const odd: object = { Price: { ...price, meta: money } }
  const message = /Price.*amount.*money/
  t.throws(() => createSiteEditor({ adapter, blocks: odd as SiteBlocks }), { message })
})

t.test('the base path of the editor routes is configurable', async (t) => {
  environment(t, {})
  for (const basePath of ['/cms/edit', '/cms/edit/', 'cms/edit']) {
    const mounted = siteEditor(t, { basePath })
    const origin = await serve(t, (request, response) => void mounted.node(request, response))
    t.equal((await fetch(`${origin}/cms/edit/pages`)).status, 200, basePath)
    t.equal((await fetch(`${origin}/api/editor/pages`)).status, 404)
    t.equal((await mounted.inject({ url: '/cms/edit/pages' })).status, 200)
  }
  for (const basePath of ['', '/'])
    t.equal((await siteEditor(t, { basePath }).inject({ url: '/pages' })).status, 200, 'the root')
})

const allowedOrigin = async (t: Test, options: Partial<SiteEditorOptions>, origin: string) => {
  const answer = await siteEditor(t, options).inject({ url: '/api/editor/blocks', headers: { origin } })
  t.match([answer.status, answer.headers.get('vary')], [200, /Origin/])
  return answer.headers.get('access-control-allow-origin')
}

t.test('pages of an editor may call if its origin is configured', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const [here, twin] = ['http://localhost:4100', 'http://127.0.0.1:4100']
  t.equal(await allowedOrigin(t, {}, here), null, 'in production with nothing configured')
  t.equal(await allowedOrigin(t, { editorOrigins: [`${here}/`] }, here), here)
  t.equal(await allowedOrigin(t, { editorOrigins: [here] }, twin), twin)
  t.equal(await allowedOrigin(t, { editorOrigins: [here] }, 'http://localhost:4101'), null)
  process.env['EDITOR_CORS_ORIGINS'] = ' https://a.test , https://b.test/'
  process.env['NEXT_PUBLIC_EDITOR_ORIGIN'] = 'https://c.test'
  for (const origin of ['https://a.test', 'https://b.test', 'https://c.test'])
    t.equal(await allowedOrigin(t, {}, origin), origin)
  t.equal(await allowedOrigin(t, { editorOrigins: [] }, 'https://a.test'), null, 'the option comes first')
  const send = (method: string, origin: string, more: Headers = {}) =>
    siteEditor(t).inject({ method, url: '/api/editor/publish', headers: { origin, ...more }, json: {} })
  const preflight = await send('OPTIONS', 'https://a.test', { 'access-control-request-method': 'POST' })
  t.equal(preflight.status, 204)
  t.match(preflight.headers.get('access-control-allow-headers'), /x-access-token, x-publish-token/)
  t.equal((await send('POST', 'https://evil.test')).status, 401, 'the gate is called first')
  const refusal = await send('POST', 'https://a.test')
  t.equal(refusal.headers.get('access-control-allow-origin'), 'https://a.test', 'a refusal can be read too')
})

t.test('an editor on this machine may call unconfigured in development, not in production', async (t) => {
  const twins = (port: number) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  const elsewhere = ['http://localhost:4101', 'http://127.0.0.2:4100', 'https://localhost:4100', 'null']
  const mine = 'https://edit.test'
  const production = { NODE_ENV: 'production' }
  const orchestrator = { ORCHESTRATOR_URL: 'http://localhost:5200', ORCHESTRATOR_PUBLIC_ORIGIN: mine }
  type Case = readonly [variables: Headers, given: readonly string[] | undefined, allowed: readonly string[]]
  const cases: readonly Case[] = [
    [{}, undefined, [...twins(4100), ...twins(4200)]],
    [{ ORCHESTRATOR_URL: 'http://127.0.0.1:5200/' }, undefined, [...twins(4100), ...twins(5200)]],
    [orchestrator, undefined, [...twins(4100), mine]],
    [{ EDITOR_CORS_ORIGINS: mine }, undefined, [mine, ...twins(4200)]],
    [{ NEXT_PUBLIC_EDITOR_ORIGIN: mine }, undefined, [mine, ...twins(4200)]],
    [{ EDITOR_CORS_ORIGINS: 'http://localhost:4200' }, undefined, [...twins(4100), ...twins(4200)]],
    [{ ...production, NEXT_PUBLIC_EDITOR_ORIGIN: 'http://localhost:4200' }, undefined, twins(4200)],
    [{ EDITOR_CORS_ORIGINS: 'not an origin' }, undefined, twins(4200)],
    [{}, [mine], [mine]],
    [{}, [], []],
    [production, undefined, []],
    [{ ...production, ORCHESTRATOR_PUBLIC_ORIGIN: mine }, undefined, []],
    [{ ...production, EDITOR_CORS_ORIGINS: mine }, undefined, [mine]],
  ]
  for (const [variables, editorOrigins, allowed] of cases) {
    await t.test(JSON.stringify([variables, editorOrigins]), async (t) => {
      environment(t, variables)
      for (const origin of [4100, 4200, 5200].flatMap(twins).concat(mine, elsewhere)) {
        const expected = allowed.includes(origin) ? origin : null
        t.equal(await allowedOrigin(t, { editorOrigins }, origin), expected, origin)
      }
    })
  }
})

const publishRequest = (json: unknown, token?: string): Injection => ({
  method: 'POST',
  url: '/api/editor/publish',
  json,
  ...(token !== undefined && { headers: { 'x-publish-token': token } }),
})

t.test('a publish requires the secret, in production always', async (t) => {
  const publish: PublishHandler = ({ pages }) => ({ ok: true, slugs: pages.map(({ slug }) => slug) })
  const send = (token?: string) => publishRequest({ pages: [page('/')] }, token)
  const refusal = { error: 'unauthorized', reason: /PUBLISH_TOKEN/ }
  environment(t, { NODE_ENV: 'production' })
  for (const publishSecret of [undefined, '   '])
    await everyWay(t, { publish, publishSecret }, async (t, ask) => {
      for (const injection of [send(), send(''), send('undefined')]) {
        const answer = await ask(injection)
        t.match([answer.status, answer.json()], [401, refusal])
        t.strictSame(Object.keys(v.parse(v.looseObject({}), answer.json())).toSorted(), ['error', 'reason'])
      }
    })
  const guarded = async (t: Test, ask: Ask) => {
    const wrong = ['', 'righ', 'right2', 'RIGHT', 'r\u00efght'].map(send)
    const unread = { ...send(), json: undefined, body: '{', headers: { 'content-type': 'application/json' } }
    const bearer = { ...send(), headers: { authorization: 'Bearer right' } }
    for (const injection of [send(), ...wrong, bearer, unread]) {
      const answer = await ask(injection)
      t.match([answer.status, answer.json()], [401, refusal])
      t.notMatch(answer.text, /right/)
    }
    t.strictSame((await ask(send('right'))).json(), { ok: true, slugs: ['/'] })
  }
  await everyWay(t, { publish, publishSecret: ' right ' }, guarded)
  process.env['PUBLISH_TOKEN'] = ' right '
  await everyWay(t, { publish, publishSecret: '' }, guarded)
  process.env['NODE_ENV'] = 'development'
  await everyWay(t, { publish }, guarded)
  delete process.env['PUBLISH_TOKEN']
  await everyWay(t, { publish }, async (t, ask) => {
    for (const injection of [send(), send('anything')]) t.equal((await ask(injection)).status, 200, 'open')
  })
})

/** A site in development, and the arguments of its handler. */
function publishable(t: Test, options: Partial<SiteEditorOptions> = {}, handle?: PublishHandler) {
  const calls: (readonly [Publication, PublishContext])[] = []
  const publish: PublishHandler = (publication, context) => {
    calls.push([publication, context])
    return handle?.(publication, context) ?? { ok: true, slugs: publication.pages.map(({ slug }) => slug) }
  }
  const mounted = siteEditor(t, { publish, ...options })
  const send = async (json: unknown) => {
    const answer = await mounted.inject(publishRequest(json))
    return [answer.status, answer.json()] as const
  }
  return { calls, send, mounted }
}

t.test('what is published must be pages, each with a slug of its own', async (t) => {
  environment(t, {})
  const { calls, send } = publishable(t)
  const cases: readonly [unknown, RegExp][] = [
    [{}, /^pages must be an array/],
    [{ pages: {} }, /^pages must be an array/],
    [{ pages: [page('/'), 7] }, /^pages\.1 /],
    [{ pages: [page('/'), { ...page('/bad'), title: '' }] }, /^pages\.1\.title /],
    [{ pages: [{ ...page('/'), blocks: [{ id: 'b', type: 'Hero' }] }] }, /^pages\.0\.blocks\.0\.props /],
    [{ pages: [page('/a'), page('/a', 'Again')], allowDelete: true }, /'\/a' is the slug of two pages/],
  ]
  for (const [body, reason] of cases)
    t.match(await send(body), [400, { ok: false, error: 'invalid_request', reason }])
  for (const more of [{ assets: { a: { data: 1 } } }, { siteConfig: 'none' }, { session: 7 }])
    t.match(await send({ pages: [], ...more }), [400, { code: 'invalid_request' }])
  t.strictSame(calls, [])
  const asset = { data: 'aGk=', mimeType: 'image/png', fileName: 'a.png' }
  const blocks = [{ id: 'b', type: 'Own', props: { x: [1] }, pinned: true }]
  const body = {
    pages: [{ ...page('/'), theme: 'dark', blocks }],
    siteConfig: { name: 'Acme', previewUrl: 'http://x.test', port: 3000 },
    session: 'acme::dev',
    publishedAt: '2026-01-01T12:00:00.000Z',
    assets: { 'http://localhost:4200/generated-images/a.png': asset },
  }
  t.match(await send({ ...body, allowDelete: 'true', surplus: 1 }), [200, { ok: true, slugs: ['/'] }])
  t.strictSame(calls[0]?.[0], { ...body, allowDelete: false })
})

t.test('a publish handler gets the published content, also under its former property name', async (t) => {
  environment(t, {})
  const { calls, send } = publishable(t)
  await send({ pages: [page('/new')], session: 'acme::dev' })
  const baseline = [{ slug: '/' }, { slug: '/about' }]
  t.match(calls[0]?.[1], { baseline, siteConfig: { name: 'Acme' }, session: 'acme::dev' })
  t.equal(calls[0]?.[1].published, calls[0]?.[1].baseline)
  const blind = publishable(t, { adapter: down })
  t.match(await blind.send({ pages: [page('/')] }), [200])
  const unknown = blind.calls[0]?.[1]
  t.strictSame([unknown?.baseline, unknown?.published], [undefined, undefined], 'never an empty array')
})

t.test('a publish that removes too much is refused unless allowDelete is set', async (t) => {
  environment(t, {})
  const empty = { pages: [] }
  const refused = async (site: ReturnType<typeof publishable>, body: object, reason: RegExp) => {
    const [status, answer] = await site.send(body)
    t.match([status, answer], [409, { ok: false, error: 'refused', reason }])
    t.strictSame(Object.keys(v.parse(v.looseObject({}), answer)).toSorted(), ['error', 'ok', 'reason'])
    t.strictSame(site.calls, [])
  }
  const accepted = async (site: ReturnType<typeof publishable>, body: object, why = '') =>
    t.match(await site.send(body), [200], why)
  for (const allowDelete of [undefined, false, 'true', 1, null, ['true'], {}])
    await refused(publishable(t), { ...empty, allowDelete }, /allowDelete/)
  await accepted(publishable(t), { ...empty, allowDelete: true })
  await accepted(publishable(t, { adapter: adapterOf(empty) }), empty, 'an empty site stays empty')
  await accepted(publishable(t), { pages: [page('/other')] }, 'only a limit detects the replacement of all')

  const limited = publishable(t, { maxPagesRemoved: 1 })
  await refused(limited, { pages: [page('/new')] }, /: 2; maxPagesRemoved allows 1.*allowDelete/)
  await accepted(limited, { pages: [page('/')] })
  await accepted(limited, { pages: [page('/new')], allowDelete: true })
  await refused(publishable(t, { maxPagesRemoved: 0 }), { pages: [page('/')] }, /maxPagesRemoved allows 0/)
  await refused(publishable(t, { adapter: down }), empty, /could not be read.*allowDelete/)
  const blind = publishable(t, { adapter: down, maxPagesRemoved: 5 })
  await refused(blind, { pages: [page('/')] }, /maxPagesRemoved cannot be checked/)
})

t.test('an entry that cannot be used stays, also if it is sent, and null counts as absent', async (t) => {
  environment(t, {})
  const odd = { ...page('/odd'), title: '' }
  const content = { pages: [page('/'), odd] } as SiteContent
  const { calls, send, mounted } = publishable(t, { adapter: adapterOf(content) })
  t.match((await mounted.inject({ url: '/api/editor/pages' })).json(), {
    pages: [page('/')],
    unreadable: [{ slug: '/odd', reason: 'title is missing or of the wrong type' }],
  })
  const meta = { title: 'T', description: null }
  const whole = [
    { ...page('/'), meta: null },
    { ...page('/new'), meta },
  ]
  const sent = [whole, [...whole, odd], [odd, ...whole]]
  for (const pages of sent) t.match(await send({ pages }), [200, { slugs: ['/', '/new'] }])
  const stored = [page('/'), odd, { ...page('/new'), meta: { title: 'T' } }]
  t.strictSame(
    calls.map(([{ pages }]) => pages),
    sent.map(() => stored),
  )
  t.match(await send({ pages: [], allowDelete: true }), [200, { slugs: emptyList }])
  t.strictSame(calls.at(-1)?.[0].pages, [odd], 'by allowDelete neither')
  const other = { ...odd, own: 'another' }
  t.match(await send({ pages: [page('/'), other] }), [400, { reason: /^pages\.1\.title / }])
  const taken = { ok: false, error: 'slug_unreadable', reason: /at \/odd .*title is missing/ }
  t.match(await send({ pages: [page('/'), page('/odd', 'Corrected')] }), [400, taken])
})

t.test('concurrent publishes are judged one by one, each against the one before', async (t) => {
  environment(t, {})
  const pagesOf = (slugs: string) => ({ pages: slugs.split(' ').map((slug) => page(slug)) })
  let published: SiteContent = pagesOf('/ /a /b')
  const soon = () => turn()
  const slow: ContentAdapter = { readContent: async () => (await soon(), published) }
  const publish: PublishHandler = async ({ pages }) => {
    await soon()
    published = { pages }
    return { ok: true, slugs: [] }
  }
  // Two editors of one source share its queue.
  const options = { adapter: slow, publish, maxPagesRemoved: 1 }
  const [one, other] = [publishable(t, options), publishable(t, options)]
  const sent = [one.send(pagesOf('/ /a /b /c /d')), other.send(pagesOf('/ /a'))]
  const statuses = (await Promise.all(sent)).map(([status]) => status)
  t.strictSame([...statuses, published.pages.length], [200, 409, 5])
})

t.test('a publish without pages has the same result in development and in production', async (t) => {
  environment(t, { PUBLISH_TOKEN: 'right' })
  const cases: readonly (readonly [ContentAdapter, object, number])[] = [
    [adapter, {}, 409],
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
      const answer = await mounted.inject(publishRequest({ pages: [], ...more }, 'right'))
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
  const never: ContentAdapter = { readContent: () => (asked.resolve(), new Promise(() => undefined)) }
  const answer = publishable(t, { adapter: never }).send({ pages: [] })
  await asked.promise
  mock.timers.tick(8_000)
  t.match(await answer, [409, { error: 'refused', reason: /could not be read/ }])
})

t.test('the site answers with the result of the publish handler', async (t) => {
  environment(t, {})
  const { log, lines } = capturedLog()
  const after = (result: unknown) => {
    const handle = () => {
      if (result instanceof Error) throw result
      return result as PublishResult
    }
    const mounted = publishable(t, { logger: log, publish: handle })
    return mounted.send({ pages: [page('/')] })
  }
  const remarks = { notes: ['Two images are large.'], unsupported: [{ type: 'Video', count: 2 }] }
  t.strictSame(await after({ ok: true, slugs: ['/live'], ...remarks }), [
    200,
    { ok: true, slugs: ['/live'], ...remarks },
  ])
  t.strictSame(await after({ ok: true }), [200, { ok: true, slugs: ['/'] }], 'slugs may be omitted')
  const half = { ok: false, error: 'half_done', reason: 'The CMS stopped.', slugs: ['/'], ...remarks }
  t.strictSame(await after(half), [500, half])
  t.strictSame(await after({ ok: false, slugs: [] }), [500, { ok: false, error: 'publish_failed' }])
  for (const result of [new Error('canary /srv'), undefined, 'done', { slugs: ['/'] }, { ok: 'yes' }]) {
    const answer = await after(result)
    t.match(answer, [500, { ok: false, error: 'publish_failed', reason: readable }])
    t.notMatch(JSON.stringify(answer), /canary/)
  }
  t.ok(lines.some((line) => line.includes('canary')))
  const none = await siteEditor(t).inject(publishRequest({ pages: [page('/')] }))
  t.match([none.status, none.json()], [500, { error: 'no_publish_handler', reason: /createSiteEditor/ }])
})

t.test('a publish of 64 MiB is accepted, and one byte more is refused', async (t) => {
  environment(t, {})
  const { calls, send, mounted } = publishable(t)
  const post = (size: number) => {
    const start = `{"pages":[${JSON.stringify(page('/'))}],"assets":{"a":{"mimeType":"image/png","fileName":"a.png","data":"`
    const body = `${start}${'A'.repeat(size - start.length - 4)}"}}}`
    const headers = { 'content-type': 'application/json' }
    return mounted.inject({ method: 'POST', url: '/api/editor/publish', headers, body })
  }
  t.equal((await post(64 * 1024 * 1024)).status, 200)
  const over = await post(64 * 1024 * 1024 + 1)
  t.match([over.status, over.json()], [413, { code: 'body_too_large', reason: /67108864 bytes/ }])
  t.equal(calls.length, 1)
  const many = { pages: Array.from({ length: 200_001 }, () => 0) }
  t.match(await send(many), [400, { reason: /^pages\.0/ }], 'more values than other bodies may have')
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown
  t.match(await send({ pages: deep }), [400, { code: 'invalid_json' }])
})

const draftUrl = (query: Headers, route = 'draft') => `/api/editor/${route}?${new URLSearchParams(query)}`
const cookiesIn = (answer: Pick<Injected, 'headers'>) => answer.headers.getSetCookie()
/** The draft that the signed cookie of an answer opens. */
const signedFor = (answer: Injected) =>
  draftAccess({ cookie: cookiesIn(answer).at(-1)?.split(';')[0], search: '' }, { secret })
const overHttp = 'Path=/; HttpOnly; SameSite=Lax'

t.test('draft mode sets four cookies, of which one is signed', async (t) => {
  environment(t, {})
  const editorOrigin = 'https://editor.test/path'
  const enable = { secret, redirect: '/about?x=1#top', session: 'se;ss=ion', siteId: 'acme', editorOrigin }
  await everyWay(t, { draftSecret: secret }, async (t, ask) => {
    const answer = await ask({ url: draftUrl(enable) })
    t.strictSame([answer.status, answer.headers.get('location'), answer.text], [307, '/about?x=1#top', ''])
    const [signed, ...named] = cookiesIn(answer).toReversed()
    t.match(signed, new RegExp(`^editor_draft=[\\w-]+\\.[\\w-]{43}; ${overHttp}$`))
    t.strictSame(named.toReversed(), [
      `editor_draft_session=se%3Bss%3Dion; ${overHttp}`,
      `editor_draft_site_id=acme; ${overHttp}`,
      `editor_origin=https%3A%2F%2Feditor.test; ${overHttp}`,
    ])
    t.notMatch([...answer.headers].join(), secret)

    const ended = await ask({ url: '/api/editor/draft/disable?redirect=/about' })
    t.strictSame([ended.status, ended.headers.get('location')], [307, '/about'])
    const names = ['editor_draft_session', 'editor_draft_site_id', 'editor_origin', 'editor_draft']
    t.strictSame(
      cookiesIn(ended),
      names.map((name) => `${name}=; Max-Age=0; ${overHttp}`),
    )
  })
  const mounted = siteEditor(t, { draftSecret: secret })
  const older = await mounted.inject({ url: draftUrl({ secret, slug: '/about' }) })
  t.equal(older.headers.get('location'), '/about', 'the older name of redirect')
  const odd = await mounted.inject({ url: draftUrl({ secret, editorOrigin: 'javascript:alert(1)' }) })
  t.match(cookiesIn(odd), [/^editor_draft_session=dev;/, /^editor_draft_site_id=;/, /^editor_draft=/])
  for (const [query, status] of [
    [`secret=${secret}&redirect=/a&redirect=/b`, 400],
    [`secret=${secret}&session=${'x'.repeat(201)}`, 400],
    ['', 401],
    ['secret=', 401],
    [`secret=${secret}x`, 401],
    [`secret=${secret}&secret=${secret}`, 401],
    [`Secret=${secret}`, 401],
  ] as const) {
    const refused = await mounted.inject({ url: `/api/editor/draft?${query}` })
    t.strictSame([refused.status, cookiesIn(refused)], [status, []], query)
    if (status === 401) t.match(refused.json(), { error: 'unauthorized', reason: /DRAFT_MODE_SECRET/ })
  }
  for (const draftSecret of [undefined, '', ' ']) {
    const answer = await siteEditor(t, { draftSecret }).inject({ url: draftUrl({ secret: '' }) })
    t.match([answer.status, answer.json()], [503, { error: 'unavailable', reason: /DRAFT_MODE_SECRET/ }])
  }
  const variables: Record<string, string> = {}
  for (const name of ['NEXT_DRAFT_MODE_SECRET', 'VITE_SITE_DRAFT_SECRET', 'DRAFT_MODE_SECRET']) {
    environment(t, { ...variables, [name]: ` ${secret} ` })
    t.equal((await siteEditor(t).inject({ url: draftUrl(enable) })).status, 307, name)
    variables[name] = 'another secret'
  }
})

t.test('draft mode reads session, site and editor from the redirect too, but no secret', async (t) => {
  environment(t, {})
  const inside = '/about?session=s-1&siteId=acme&editorOrigin=http%3A%2F%2Flocalhost%3A4100&__editor=1'
  const mounted = siteEditor(t, { draftSecret: secret })
  const ask = (query: Headers, route?: string) => mounted.inject({ url: draftUrl(query, route) })
  const named = { siteId: 'acme', session: 's-1' }
  for (const name of ['redirect', 'slug']) {
    const answer = await ask({ secret, [name]: inside })
    t.strictSame([answer.status, answer.headers.get('location'), signedFor(answer)], [307, inside, named])
    t.match(cookiesIn(answer)[2], /^editor_origin=http%3A%2F%2Flocalhost%3A4100;/)
  }
  const first = { secret, redirect: inside, session: 's-2', siteId: 'other' }
  t.strictSame(signedFor(await ask(first)), { siteId: 'other', session: 's-2' }, 'parameters come first')
  t.strictSame(signedFor(await ask({ ...first, session: '', siteId: '' })), named)
  const elsewhere = await ask({ secret, redirect: `https://evil.test${inside}` })
  t.strictSame(
    [elsewhere.headers.get('location'), signedFor(elsewhere)],
    ['/', { siteId: '', session: 'dev' }],
  )
  const long = await ask({ secret, redirect: `/?session=${'x'.repeat(201)}` })
  t.match([long.status, long.json()], [400, { reason: /redirect.*at most 200 characters/ }])
  t.equal((await ask({ secret: 'wrong', redirect: `${inside}&secret=${secret}` })).status, 401)
  for (const [redirect, location] of [
    [`${inside}&secret=${secret}&q=a%20b#top`, '/about?q=a+b#top'],
    ['/about?q=a%20b#top', '/about?q=a%20b#top'],
  ] as const) {
    const left = await ask({ redirect }, 'draft/disable')
    t.equal(left.headers.get('location'), location, 'after leaving, the page is that of every visitor')
  }
  const own = siteEditor(t, { draftSecret: secret, siteId: 'mine' })
  const minted = await own.inject({ url: draftUrl({ secret, redirect: inside }) })
  t.match(cookiesIn(minted)[1], /^editor_draft_site_id=mine;/, 'no site signs for another')
})

t.test('a signed address replaces the secret for an hour, and the cookie of a draft does not', async (t) => {
  environment(t, {})
  const mounted = siteEditor(t, { draftSecret: secret, siteId: 'acme' })
  const [hour, now] = [60 * 60 * 1000, systemClock.now().getTime()]
  const review = { siteId: 'acme', session: 'review' }
  const linkOf = ({ siteId = 'acme', by = secret, age = 0 } = {}): string => {
    const signing = { secret: by, now: new Date(now - age) }
    const link = draftLink('https://site.test/about?a=b#c', { ...review, siteId }, signing)
    t.match(link.origin, 'https://site.test')
    t.notMatch(link.href, secret)
    return link.pathname + link.search
  }
  const statusOf = async (url: string) => (await mounted.inject({ url })).status
  const opened = await mounted.inject({ url: linkOf() })
  t.match([opened.status, opened.headers.get('location')], [307, '/about?a=b#c'])
  t.strictSame(signedFor(opened), review)
  t.equal(await statusOf(linkOf({ age: hour - 60_000 })), 307)
  const cookie = /^editor_draft=(.+?);/.exec(cookiesIn(opened).at(-1) ?? '')?.[1] ?? ''
  const wrong = [linkOf({ age: hour + 1 }), linkOf({ by: 'another' }), linkOf({ siteId: 'other' })]
  for (const url of [...wrong, draftUrl({ secret: cookie })]) t.equal(await statusOf(url), 401, url)
  const signed = new URL(linkOf(), 'https://site.test').searchParams.get('secret') ?? ''
  const access = (cookie: string | undefined, search: string) =>
    draftAccess({ cookie, search }, { secret, siteId: 'acme' })
  t.equal(access(`editor_draft=${signed}`, ''), undefined, 'not as a cookie')
  t.strictSame(access(undefined, `secret=${signed}`), review, 'but for one page, without cookies')
  const anySite = await siteEditor(t, { draftSecret: secret }).inject({ url: linkOf() })
  t.equal(anySite.status, 307, 'a site without an id uses that of the address')
})

t.test('over https the cookies are Secure, and cross-site only where required', async (t) => {
  environment(t, {})
  const own = 'Path=/; HttpOnly; Secure; SameSite=Lax'
  const framed = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned'
  const set = async (options: Partial<SiteEditorOptions>, from?: string, scheme = 'https') => {
    const mounted = siteEditor(t, { draftSecret: secret, ...options })
    const headers: HeadersInit = from === undefined ? {} : { 'sec-fetch-site': from }
    const answer = await mounted.fetch(
      new Request(`${scheme}://site.test${draftUrl({ secret })}`, { headers }),
    )
    const signed = cookiesIn(answer).at(-1) ?? ''
    return [signed.split('=')[0], signed.slice(signed.indexOf('; ') + 2)]
  }
  for (const from of ['same-origin', 'same-site', 'none'])
    t.strictSame(await set({}, from), ['__Host-editor_draft', own])
  for (const from of ['cross-site', undefined])
    t.strictSame(await set({}, from), ['__Host-editor_draft', framed])
  t.strictSame(await set({}, 'cross-site', 'http'), ['editor_draft', overHttp])
  t.strictSame(await set({ secure: true }, 'cross-site', 'http'), ['__Host-editor_draft', framed], 'by proxy')
  t.strictSame(await set({ secure: false }, 'cross-site'), ['editor_draft', overHttp])
  process.env['NEXT_PUBLIC_SITE_URL'] = 'https://site.test'
  t.strictSame(await set({}, 'none', 'http'), ['__Host-editor_draft', own])
  delete process.env['NEXT_PUBLIC_SITE_URL']
  t.strictSame((await set({}, 'none', 'http'))[0], 'editor_draft', 'no address is known')
  for (const name of ['SITE_URL', 'PUBLIC_SITE_URL', 'NUXT_PUBLIC_SITE_URL', 'VITE_SITE_URL']) {
    environment(t, { [name]: 'https://site.test' })
    t.strictSame(await set({}, 'none', 'http'), ['__Host-editor_draft', own], name)
  }
  environment(t, { NEXT_PUBLIC_SITE_URL: 'http://site.test', SITE_URL: 'https://site.test' })
  t.strictSame((await set({}, 'none', 'http'))[0], 'editor_draft', 'the first of them wins')
  environment(t, { NEXT_PUBLIC_SITE_URL: 'https://site.test' })
  const ended = cookiesIn(await siteEditor(t).inject({ url: '/api/editor/draft/disable' }))
  const named = ['editor_draft_session', 'editor_draft_site_id', 'editor_origin']
  const names = [...named, '__Host-editor_draft', 'editor_draft']
  const everyForm = [own, framed].flatMap((form) => names.map((name) => `${name}=; Max-Age=0; ${form}`))
  t.strictSame(ended, everyForm)
})

t.test('a redirect stays on the site', async (t) => {
  environment(t, {})
  const mounted = siteEditor(t, { draftSecret: secret })
  const goesTo = async (redirect: string) => {
    const routes = ['draft', 'draft/disable'].map((route) => draftUrl({ secret, redirect }, route))
    const answers = await Promise.all(routes.map((url) => mounted.inject({ url })))
    const [location = '', other] = answers.map(({ headers }) => headers.get('location') ?? '')
    t.equal(location, other)
    return location
  }
  const home =
    '//evil.test|/\\evil.test|/\t/evil.test|\\/evil.test|https:evil.test|https://evil.test|http:/evil.test' +
    '|javascript:alert(1)| //evil.test|evil.test||/.//evil.test|/..//evil.test|/./\\evil.test|/\n/evil.test' +
    '|///evil.test|/a/../..//evil.test|/%0d/../\\evil.test'
  for (const redirect of home.split('|'))
    t.match(new URL(await goesTo(redirect), 'https://site.test').origin, 'https://site.test', redirect)
  for (const [redirect, location] of Object.entries({
    '//evil.test': '/',
    'https:evil.test': '/',
    '/.//evil.test': '/',
    '/about?next=//evil.test#x': '/about?next=//evil.test#x',
    '/%2f/evil.test': '/',
    '/%5cevil.test': '/',
    '/@evil.test': '/@evil.test',
    '/a\r\nset-cookie: x=1': '/',
    '/ümläut': '/%C3%BCml%C3%A4ut',
  }))
    t.equal(await goesTo(redirect), location)
})

t.test('only a cookie that this site signed, or the secret, opens a draft', async (t) => {
  const clock = stillClock()
  const acme = { siteId: 'acme', session: 'dev' }
  const sign = (access = acme, key = secret) => signAccess(access, { secret: key, now: clock.now() })
  const cookie = sign()
  const good = `editor_draft=${cookie}`
  const opens = (
    header: string | undefined,
    search = '',
    options: { siteId?: string | undefined; secret?: string | undefined } = {},
  ) => draftAccess({ cookie: header, search }, { secret, siteId: 'acme', clock, ...options })
  t.strictSame(opens(`a=1;__Host-${good} ; b=2`), acme)
  t.strictSame(opens(good, 'session=other'), { siteId: 'acme', session: 'other' })
  t.strictSame(opens(good, 'session='), acme)
  t.strictSame(opens(`__Host-editor_draft=old; editor_draft=no; ${good}`), acme, 'a valid one among others')
  const [claims = '', signature = ''] = cookie.split('.')
  const forged = Buffer.from(JSON.stringify({ ...acme, until: 9e15 })).toString('base64url')
  const parts = ['', '.', claims, `${claims}.`, `.${signature}`]
  const cut = [...parts, cookie.slice(0, -1), `${cookie}x`, `${cookie}.x`]
  const made = [`${forged}.${signature}`, `${forged}.${forged}`, encodeURIComponent('{"siteId":"acme"}')]
  const foreign = [sign(acme, 'another secret'), sign({ ...acme, siteId: 'other' })]
  const values = [cut, made, foreign].flat().map((value) => `editor_draft=${value}`)
  const named = 'editor_draft_session=dev; editor_draft_site_id=acme; editor_origin=http://localhost:4100'
  const hints = '__editor=1&siteId=acme&session=dev&editorOrigin=http://localhost:4100'
  for (const header of [undefined, '', `Editor_Draft=${cookie}`, `xeditor_draft=${cookie}`, named, ...values])
    t.equal(opens(header, hints), undefined, header ?? 'no cookie')
  t.strictSame(opens(good, 'siteId=other'), acme, 'the address names no other site')
  t.equal(opens(good, '', { siteId: 'other' }), undefined, 'a cookie of another site on the same machine')
  t.strictSame(opens(good, 'siteId=other', { siteId: undefined }), acme)
  t.equal(opens(good, `secret=${secret}`, { secret: undefined }), undefined)
  const byAddress = `secret=${secret}&siteId=other&session=s`
  t.strictSame(opens(undefined, byAddress), { siteId: 'acme', session: 's' })
  t.strictSame(opens(undefined, byAddress, { siteId: undefined }), { siteId: 'other', session: 's' })
  for (const search of ['secret=', `secret=${secret}x`]) t.equal(opens(undefined, search), undefined)
  clock.advance(12 * 60 * 60 * 1000 - 1)
  t.strictSame(opens(good), acme)
  clock.advance(1)
  t.equal(opens(good), undefined, 'after twelve hours')
})

t.test('a signed entry gives the cookie what is left of it, the plain secret twelve hours', async (t) => {
  environment(t, {})
  const editor = siteEditor(t, { draftSecret: secret, siteId: 'acme' })
  const now = Date.now()
  const untilOf = async (given: string) => {
    const query = new URLSearchParams({ secret: given, session: 'dev', redirect: '/' })
    const cookies = cookiesIn(await editor.inject({ url: `/api/editor/draft?${query}` }))
    const [, signed = ''] = /editor_draft=([^;]+)/.exec(cookies.join('\n')) ?? []
    return readAccess(signed, { secret, now: new Date() })
  }
  const acme = { siteId: 'acme', session: 'dev' }
  const until = now + 600_000
  const signing = { secret, now: new Date(now), carrier: 'link', by: 'token-1' } as const
  t.match(await untilOf(signAccess(acme, { ...signing, until })), { until, by: 'token-1' })
  t.match(await untilOf(signAccess(acme, signing)), { until: now + 3_600_000, by: 'token-1' })
  const plain = await untilOf(secret)
  t.ok((plain?.until ?? 0) >= now + 12 * 3_600_000)
  t.equal(plain?.by, undefined)
})

t.test('options of older releases and mistyped ones are refused with the remedy', async (t) => {
  environment(t, {})
  const removed = /^createSiteEditor has no option 'editorApiPath', which was removed in 0\.13\.0.*basePath$/
  const origin = { editorOrigins: ['editor.example'] }
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ editorApiPath: '/api/edit' }, removed],
    [{ maxPagesRemoved: -1 }, /^option 'maxPagesRemoved' .*0 or more/],
    [{ maxPagesRemoved: 1.5 }, /whole number/],
    [{ maxPagesRemoved: '2' }, /expected a number/],
    [{ publish: {} }, /^option 'publish' .*jsonFilePublishHandler/],
    [origin, /^option 'editorOrigins\[0\]' .*https:\/\/editor\.example/],
    [{ editorOrigins: ['*'] }, /expected an origin/],
    [{ blocks: [] }, /^option 'blocks' /],
    [{ registry: {} }, /^createSiteEditor has no option 'registry'/],
    ...['Acme', 'a b', '', 'x'.repeat(65)].map(
      (siteId) => [{ siteId }, /^option 'siteId' of createSiteEditor: /] as const,
    ),
  ]
  for (const [options, sentence] of cases)
    t.throws(() => createSiteEditor(Object.assign({ adapter }, options)), {
      name: 'BootError',
      problems: [sentence],
    })
  t.doesNotThrow(() => createSiteEditor({ adapter, editorOrigins: ['', ' https://edit.example/ '] }))
  const problems = [/^createSiteEditor expects an object of options/]
  t.throws(() => createSiteEditor(undefined as never), { name: 'BootError', problems })
})

t.test('published content that is read back and imported into a draft is not a change', async (t) => {
  environment(t, {})
  const registry = builtinRegistry
  const Live = v.object({
    pages: v.array(v.custom<Page>(() => true)),
    siteConfig: v.exactOptional(v.custom<SiteConfig>(() => true)),
  })
  for (const shape of ['array', 'wrapper'] as const) {
    const path = join(temporaryFolder(t), 'content.json')
    const publish = jsonFilePublishHandler(path, { shape })
    const mounted = siteEditor(t, { adapter: jsonFile(path), publish })
    const pages = demoPages.map((each) => ingestPage(each, { registry }))
    const answer = await mounted.inject(publishRequest({ pages, siteConfig: demoSiteConfig }))
    const notes = shape === 'array' && { notes: [/settings/] }
    t.match([answer.status, answer.json()], [200, { ok: true, ...notes }])
    t.equal(Array.isArray(JSON.parse(readFileSync(path, 'utf8'))), shape === 'array')
    const baseline = v.parse(Live, (await mounted.inject({ url: '/api/editor/pages' })).json())
    t.equal('siteConfig' in baseline, shape === 'wrapper')
    const again = baseline.pages.map((each) => ingestPage(each, { registry }))
    for (const imported of [pages, again]) {
      const draft = { pages: imported, siteConfig: demoSiteConfig }
      const { pagesUnchanged, ...changes } = diffContent({ draft, baseline, registry }).summary
      t.equal(pagesUnchanged, demoPages.length)
      t.ok(Object.values(changes).every((count) => count === 0))
    }
  }
})

/** The demo website and an orchestrator whose draft differs from the published content. */
async function website(t: Test, more: Partial<WebsiteOptions> = {}) {
  environment(t, {})
  const orchestrator = mountForTest(t, draftsInMemory())
  const url = await serve(t, (request, response) => void orchestrator.node(request, response))
  const draft = editor((injection) => orchestrator.inject(injection), { session: 'dev', siteId: 'acme' })
  await draft.bootstrap([page('/', 'Draft home'), page('/draft-only', 'Draft only')])
  const publicDir = temporaryFolder(t)
  const assetsDir = join(publicDir, 'generated-images')
  mkdirSync(assetsDir)
  writeFileSync(join(assetsDir, 'upload_1.png'), 'png')
  writeFileSync(join(publicDir, 'secret.png'), 'canary')
  symlinkSync(join(publicDir, 'secret.png'), join(assetsDir, 'link.png'))
  const pages = [page('/', 'Published home'), page('/about', 'Published about')]
  const own = adapterOf({ pages, siteConfig: { name: 'Acme' } })
  const mounted = siteEditor(t, { adapter: own, draftSecret: secret, siteId: 'acme' })
  const options = {
    siteId: 'acme',
    adapter: own,
    drafts: draftsAt(url),
    orchestrator: url,
    origins: [],
    editorOrigins: ['http://localhost:4100'],
    draftSecret: secret,
    publicDir,
    clock: systemClock,
    editor: mounted,
    hosts: ['www.nord.example'],
    hasCredential: false,
    log: capturedLog('silent').log,
    ...more,
  }
  const origin = await serve(t, createWebsite(options))
  const get = async (path: string, headers: Headers = {}, method = 'GET') =>
    askOver(origin, { url: path, headers, method })
  /** Sends a path and any Host header unchanged. */
  const raw = async (path: string, headers: Headers = {}) => {
    const request = httpRequest(origin, { path, headers })
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject).end()
    })
    return {
      status: answer.statusCode ?? 0,
      cookies: answer.headers['set-cookie'],
      text: await textOf(answer),
    }
  }
  /** Enters draft mode and returns the cookies. */
  const enter = async (path = '/draft') => {
    const cookies = cookiesIn(await get(path)).map((line) => line.split(';')[0])
    return { cookie: cookies.join('; ') }
  }
  return { get, raw, enter, url }
}

t.test('a page of a draft is read with one request', async (t) => {
  const asked: (string | undefined)[] = []
  const view = { page: page('/about'), slugs: ['/', '/about'], siteConfig: { name: 'Acme' }, redirects: {} }
  const origin = await serve(t, ({ url }, response) => {
    asked.push(url)
    response.end(JSON.stringify(url?.endsWith('about') ? view : { ...view, page: null }))
  })
  const read = draftsAt(origin)
  const access = { siteId: 'acme', session: 'dev' }
  t.strictSame(await read(access, '/about'), view)
  t.strictSame((await read(access, '/nowhere'))?.page, undefined)
  const path = '/draft/view?siteId=acme&session=dev&slug='
  t.strictSame(asked, [`${path}%2Fabout`, `${path}%2Fnowhere`])
})

t.test('the demo site answers to its own host names only', async (t) => {
  const { raw } = await website(t)
  const paths = ['/', '/draft', '/api/editor/pages', '/generated-images/a.png', '/a.svg', '/%']
  for (const host of ['evil.test', 'evil.test:4210', 'localhost.evil.test', 'www.nord.example.evil.test'])
    for (const path of paths) t.equal((await raw(path, { host })).status, 403, `${host} ${path}`)
  t.match((await raw('/', { host: 'evil.test' })).text, /ORCHESTRATOR_ALLOWED_HOSTS/)
  for (const host of [
    'localhost:4210',
    '127.0.0.1:4210',
    '[::1]:4210',
    'www.nord.example',
    'WWW.nord.example:80',
  ])
    t.equal((await raw('/', { host })).status, 200, host)
})

t.test('frames of the site, its editors and the orchestrator are sandboxed from their origin', async (t) => {
  const apart = ['https://www.nord.example/', 'https://edit.nord.example/', 'http://127.0.0.1:1/']
  const blocks = [...apart, 'https://maps.test/'].map((url, n) => ({
    id: `b${n}`,
    type: 'Embed',
    props: { url },
  }))
  const adapter = adapterOf({ pages: [{ ...page('/', 'Home'), blocks }] })
  const { raw } = await website(t, { adapter, origins: ['https://edit.nord.example'] })
  const frame = /<iframe[^>]* src="([^"]*)"[^>]* sandbox="(?![^"]*allow-same-origin)/g
  const sandboxed = async (headers: Headers) =>
    [...(await raw('/', headers)).text.matchAll(frame)].map(([, src]) => src)
  t.strictSame(await sandboxed({ host: 'www.nord.example:8080' }), apart)
  t.strictSame(await sandboxed({}), apart.slice(1))
})

t.test('a visitor sees published content, and never a draft', async (t) => {
  const { get } = await website(t)
  const home = await get('/')
  t.match([home.status, home.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  t.match(home.headers.get('content-security-policy'), /^default-src 'none';.*frame-ancestors 'self'/)
  t.notMatch(home.text, '<script')
  const hints = '__editor=1&siteId=acme&session=dev&editorOrigin=http://localhost:4100'
  const named = 'editor_draft_session=dev; editor_draft_site_id=acme;'
  const access = { siteId: 'acme', session: 'dev' }
  const other = signAccess(access, { secret: 'another secret', now: systemClock.now() })
  for (const query of ['', '__editor=1', hints, 'secret=wrong', 'secret='])
    for (const signed of ['forged.forged', other]) {
      const { status, text } = await get(`/?${query}`, { cookie: `${named} editor_draft=${signed}` })
      t.match([status, text], [200, /Published home/], `${query}: a wrong secret is not an error`)
      t.notMatch(text, /Draft home|class="ribbon"/)
    }
  t.equal((await get('/draft-only')).status, 404)
  t.equal((await get('/about')).status, 200)
})

t.test('a visitor with access sees the draft until the access ends', async (t) => {
  const { get, enter, url } = await website(t)
  const cookie = await enter()
  const home = await get('/', cookie)
  for (const part of [/Draft home/, /class="ribbon"/, /noindex/]) t.match(home.text, part)
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(home.text) ?? []
  t.match(script, url)
  t.match(
    home.headers.get('content-security-policy'),
    `script-src 'sha256-${hash('sha256', script, 'base64')}'; connect-src 'self' ${url}; frame-ancestors`,
  )
  t.equal((await get('/draft-only', cookie)).status, 200)
  t.equal((await get('/about', cookie)).status, 404, 'a page that the draft lacks')
  t.match((await get(`/?secret=${secret}`)).text, /Draft home/)
  t.match((await get('/?siteId=other', cookie)).text, /Draft home/, 'of this site only')
  const minted = await enter(`/api/editor/draft?secret=${secret}&siteId=other&session=dev`)
  t.match((await get('/', minted)).text, /Draft home/)
  const other = signAccess({ siteId: 'other', session: 'dev' }, { secret, now: systemClock.now() })
  t.match((await get('/', { cookie: `editor_draft=${other}` })).text, /Published home/)
  for (const path of ['/generated-images/upload_1.png', '/api/editor/blocks', '/api/editor/pages'])
    t.equal((await get(path, cookie)).text, (await get(path)).text, 'everything but pages is unchanged')
  t.match(cookiesIn(await get('/api/editor/draft/disable')), [/Max-Age=0/])
})

t.test('the shortcut into a draft reveals no secret, and works on this machine only', async (t) => {
  const { get, raw } = await website(t)
  const answer = await get('/draft')
  t.strictSame([answer.status, answer.headers.get('location')], [302, '/'])
  t.notMatch(JSON.stringify([...answer.headers, answer.text]), secret)
  const elsewhere = await raw('/draft', { host: 'www.nord.example' })
  t.match([elsewhere.status, elsewhere.cookies], [404, undefined], 'nor by another host name')
})

t.test('a frame of an editor is admitted without a cookie, any other frame is not', async (t) => {
  const { get, raw } = await website(t)
  const inFrame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
  const context = 'session=dev&siteId=acme&editorOrigin=http://localhost:4100&__editor=1'
  const twin = '/?editorOrigin=http://127.0.0.1:4100'
  const redirected = '/draft?redirect=/draft-only?x=1'
  for (const address of [`/?${context}`, `/draft-only?${context}`, twin, '/draft', redirected]) {
    const answer = await get(address, inFrame)
    t.equal(answer.status, 302, address)
    t.notMatch(JSON.stringify([...answer.headers]), secret, address)
    t.match(cookiesIn(answer).at(-1), /^editor_draft=/, 'for frames that get cookies')
    const location = answer.headers.get('location') ?? ''
    t.match(location, /[?&]pass=/)
    t.match(await get(location, inFrame), { status: 200, text: /Draft (?:home|only)/ }, address)
    t.match(await get(location), { status: 200, text: /class="ribbon"/ }, 'when its live preview reads it')
  }
  t.match((await get('/draft?redirect=//evil.test', inFrame)).headers.get('location'), /^\/\?pass=/)
  const published: readonly (readonly [query: string, headers: Headers])[] = [
    [context, { 'sec-fetch-dest': 'document' }],
    [context, {}],
    ['__editor=1', inFrame],
    ['editorOrigin=http://evil.test&__editor=1', inFrame],
    ['editorOrigin=http://localhost:4101&__editor=1', inFrame],
    ['editorOrigin=http://localhost:4100&session=another', inFrame],
    [`${context}&secret=wrong`, inFrame],
    [`${context}&pass=forged.forged`, inFrame],
  ]
  for (const [query, headers] of published) {
    const answer = await get(`/?${query}`, headers)
    t.match([answer.status, answer.text], [200, /Published home/], query)
    t.strictSame(cookiesIn(answer), [], query)
  }
  const byName = await raw(`/?${context}`, { ...inFrame, host: 'www.nord.example' })
  t.match(byName.text, /Published home/, 'nor by another host name')
})

t.test('with a credential, a frame gets no draft by itself', async (t) => {
  const { get } = await website(t, { hasCredential: true })
  const inFrame = { 'sec-fetch-dest': 'iframe' }
  for (const path of [`/?session=dev&editorOrigin=http://localhost:4100`, '/draft?redirect=/']) {
    const answer = await get(path, inFrame)
    t.notMatch(answer.text, /Draft home/)
    t.strictSame([cookiesIn(answer), answer.headers.get('location')], [[], null], path)
  }
  t.equal((await get('/draft')).status, 302, 'a person of this machine still opens it')
})

t.test('a page of the demo site that cannot be shown is an error in its log', async (t) => {
  const { log, lines } = capturedLog()
  const readContent = () => Promise.reject(new Error('the disk is gone'))
  const { get } = await website(t, { log, adapter: { readContent } })
  t.match(await get('/about'), { status: 500, text: 'This page cannot be shown now.' })
  t.match(
    lines.map((line): unknown => JSON.parse(line)),
    [{ level: 50, path: '/about', err: { message: 'the disk is gone' } }],
  )
})

t.test('only listed editors can show the site in a frame, and no referrer is sent', async (t) => {
  const { get, enter } = await website(t, { editorOrigins: ['https://edit.test', 'http://localhost:4100'] })
  const ancestors =
    /; frame-ancestors 'self' https:\/\/edit\.test http:\/\/localhost:4100 http:\/\/127\.0\.0\.1:4100$/
  const [visitor, editing] = [await get('/'), await get('/', await enter())]
  for (const { headers } of [visitor, editing, await get(`/?secret=${secret}`), await get('/draft')]) {
    t.match(headers.get('content-security-policy'), ancestors)
    t.strictSame([headers.get('referrer-policy'), headers.get('cache-control')], ['no-referrer', 'no-store'])
  }
})

t.test('the website handles unusual requests', async (t) => {
  const { get, raw } = await website(t)
  const unknown = await get('/unknown')
  t.match([unknown.status, unknown.text], [404, /Page not found/])
  t.notMatch(unknown.text, /Unknown/, 'and the menu does not list it')
  const head = await get('/', {}, 'HEAD')
  const length = Buffer.byteLength((await get('/')).text)
  t.strictSame([head.status, head.text, head.headers.get('content-length')], [200, '', String(length)])
  for (const method of ['POST', 'OPTIONS']) {
    const answer = await get('/', {}, method)
    t.strictSame([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], method)
  }
  const broken = await (await website(t, { adapter: down })).get('/')
  t.equal(broken.status, 500)
  t.notMatch(broken.text, /canary/)
  for (const [path, status, type] of [
    ['/%zz', 400],
    ['/%ff', 400],
    ['/%61bout', 200, /html/],
    ['/about/', 200, /html/],
    ['/hero-generated.svg', 200, 'image/svg+xml'],
    ['/generated-images/upload_1.png', 200, 'image/png'],
    ['/generated-images/none.png', 404],
  ] as const) {
    const answer = await get(path)
    t.equal(answer.status, status, path)
    if (type) t.match(answer.headers.get('content-type'), type, path)
  }
  const inFolder = ['../', '..%2f', '%2e%2e/', '..%5c', '.%2e/', '/../'].map((up) => `${up}secret.png`)
  const images = [...inFolder, 'link.png', 'secret.png%00.png', ''].map((name) => `/generated-images/${name}`)
  const odd = ['/../secret.png', '//evil.test/secret.png', 'http://evil.test/secret.png', '*', '//', '/?']
  for (const path of [...images, ...odd, '/\\..\\secret.png', 'http://:80', 'http://a:b@[::1']) {
    const answer = await raw(path)
    t.ok([200, 400, 404].includes(answer.status), `${path}: ${answer.status}`)
    t.notMatch(answer.text, /canary/, path)
  }
})

t.test('missing variables are logged once, at the first request of an editor', async (t) => {
  const logged = async (variables: Headers) => {
    environment(t, variables)
    const { log, lines } = capturedLog()
    const site = siteEditor(t, { logger: log })
    for (const url of ['/blocks', '/pages', '/blocks']) await site.inject({ url: `/api/editor${url}` })
    return lines
      .filter((line) => line.includes('variables for editors are not set'))
      .map((line) => v.parse(v.object({ variables: v.array(v.string()) }), JSON.parse(line)).variables)
  }
  t.strictSame(await logged({}), [['DRAFT_MODE_SECRET']])
  const production = { NODE_ENV: 'production', DRAFT_MODE_SECRET: 'a-secret' }
  t.strictSame(await logged(production), [['PUBLISH_TOKEN', 'EDITOR_CORS_ORIGINS']])
  t.strictSame(await logged({ DRAFT_MODE_SECRET: 'a-secret' }), [])
})
