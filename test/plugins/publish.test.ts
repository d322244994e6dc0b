import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import {
  BootError,
  clock,
  definePlugin,
  give,
  mount,
  randomIds,
  use,
  type Clock,
  type Injected,
  type Seed,
  type Used,
} from '../../kernel/index.ts'
import {
  capturedLog,
  everyWayIn,
  mountForTest,
  openGates,
  stillClock,
  type TestSetting,
} from '../../kernel/testing.ts'
import auth from '../../plugins/auth/index.ts'
import { createMemoryBlobs } from '../../plugins/blobs/memory.ts'
import { blobs, type Blobs } from '../../plugins/blobs/port.ts'
import bus from '../../plugins/bus/index.ts'
import { contentAdapter, type ContentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import draft from '../../plugins/draft/index.ts'
import eventsPlugin from '../../plugins/events/index.ts'
import ops from '../../plugins/ops/index.ts'
import outbound from '../../plugins/outbound/index.ts'
import { UpstreamFailure } from '../../plugins/outbound/port.ts'
import publish from '../../plugins/publish/index.ts'
import { createPublishLog } from '../../plugins/publish/log.ts'
import {
  publishTargets,
  type Publication,
  type PublishOutcome,
  type PublishTarget,
} from '../../plugins/publish/port.ts'
import restore from '../../plugins/restore/index.ts'
import scope from '../../plugins/scope/index.ts'
import sites from '../../plugins/sites/index.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { store, type Store } from '../../plugins/store/port.ts'
import { editor, temporaryFolder } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'

const noon = '2026-01-01T12:00:00.000Z'
const at = { session: 'dev', siteId: 'acme' }

function page(slug: string, heading = 'Hello', props: Readonly<Record<string, unknown>> = {}): Page {
  const blocks = [
    { id: `b${slug}`, type: 'Hero', props: { heading, imageUrl: '/hero.png', imageAlt: 'A hero', ...props } },
  ]
  return { id: `p${slug}`, slug, title: slug === '/' ? 'Start' : slug.slice(1), updatedAt: noon, blocks }
}
const twoPages = [page('/about'), page('/')]

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly Used[]
  readonly seeds?: readonly Seed[]
  readonly time?: Clock
  readonly kept?: Store
  readonly files?: Blobs
  readonly gates?: readonly Seed[]
  readonly more?: Partial<TestSetting>
}

/** The publish plugin with its neighbours, everything in memory. */
function publishing(options: Options = {}): TestSetting {
  const { env = {}, plugins = [], seeds = [], time = stillClock(noon), kept = createMemoryStore() } = options
  const { files = createMemoryBlobs({ clock: time, ids: randomIds }), gates = openGates, more = {} } = options
  return {
    plugins: [
      use(scope, {}),
      use(bus),
      use(outbound, {}),
      use(sites, {}),
      use(draft, {}),
      use(ops, {}),
      use(publish),
      use(restore),
      use(eventsPlugin, {}),
      ...plugins,
    ],
    seeds: [...gates, give(store, kept), give(clock, time), give(blobs, files), ...seeds],
    env,
    ...more,
  }
}

/** A mount whose draft of the site `acme` holds two pages. */
async function withDraft(t: Test, options: Options = {}, pages: readonly Page[] = twoPages) {
  const mounted = mountForTest(t, publishing(options))
  const edit = editor((wish) => mounted.inject(wish), at)
  if (pages.length > 0) await edit.bootstrap(pages)
  return { mounted, ...edit, publish: (body: object = {}) => edit.send('/publish', body) }
}
type Setup = Awaited<ReturnType<typeof withDraft>>

const Entry = v.looseObject({ id: v.string(), status: v.string(), summary: v.string(), target: v.string() })
const Log = v.object({ entries: v.array(Entry) })
const log = async ({ get }: Pick<Setup, 'get'>, query = {}) =>
  v.parse(Log, (await get('/publish/log', query)).json()).entries
const lastRow = async (setup: Pick<Setup, 'get'>) => (await log(setup)).at(-1)
const status = async ({ get }: Pick<Setup, 'get'>): Promise<unknown> => (await get('/publish/status')).json()
const Fields = v.record(v.string(), v.unknown())
const fields = (answer: Injected) => v.parse(Fields, answer.json())

interface Answering {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** A website with editor routes, whose answers a test may change. */
async function startWebsite(t: Test, pages: unknown = { pages: twoPages }) {
  const answers: { pages: Answering; publish: Answering } = {
    pages: { status: 200, body: pages },
    publish: { status: 200, body: { ok: true } },
  }
  const listener: RequestListener = (request, response) => {
    const { status, body, headers } = request.url?.startsWith('/api/editor/publish')
      ? answers.publish
      : answers.pages
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }
  const site = await startSite(t, listener)
  const sent = () =>
    site.seen
      .filter(({ url }) => url === '/api/editor/publish')
      .map(({ headers, body }) => ({ headers, body: v.parse(Fields, JSON.parse(body)) }))
  return {
    ...site,
    answers,
    sent,
    asked: () => site.seen.filter(({ url }) => url?.startsWith('/api/editor/pages')).length,
  }
}

/** The origin of a server that is not there any more. */
async function goneOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const done: PublishOutcome = {
  ok: true,
  httpStatus: 200,
  status: 'ready',
  body: {},
  tracker: { vercelState: 'READY' },
}

/** A target of an in-house plugin. */
function inHouse(target: Partial<PublishTarget> & Pick<PublishTarget, 'name'>): Used {
  const plugin = definePlugin({
    name: `in-house-${target.name}`,
    tag: 'Publish',
    gives: { target: publishTargets },
  })
  return use(
    plugin.setup(() => ({ gives: { target: { claims: () => true, publish: async () => done, ...target } } })),
  )
}

const readable = /^[A-Z].* .*\.$/

// Runs beside the other tests, because a service that stops waits ten seconds for what is under way.
const stopped = stopWhilePublishing()
async function stopWhilePublishing() {
  const kept = createMemoryStore()
  const called = Promise.withResolvers<void>()
  const endless = inHouse({
    name: 'endless',
    publish: ({ signal }) =>
      new Promise((_, reject) => {
        called.resolve()
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const mounted = mount({
    shape: 'standalone',
    log: capturedLog().log,
    env: {},
    ...publishing({ plugins: [endless], kept }),
  })
  const alive = setTimeout(() => undefined, 60_000)
  const edit = editor((wish) => mounted.inject(wish), at)
  await edit.bootstrap(twoPages)
  const answer = edit.send('/publish')
  await called.promise
  await mounted.close()
  clearTimeout(alive)
  return { answer: await answer, rows: await createPublishLog(kept).list(at, 5) }
}

t.test('the content of a draft is given whole, home first, for a site that must be named', (t) =>
  everyWayIn(t, publishing, async (t, ask) => {
    const { bootstrap, config } = editor(ask, { session: ' dev ', siteId: 'Acme!' })
    for (const url of [
      '/publish/content',
      '/publish/content?siteId=',
      '/publish/content?siteId=%20',
      '/publish/content?session=dev',
    ]) {
      const refused = await ask({ url })
      t.equal(refused.status, 400)
      t.match(refused.json(), {
        error: 'siteId is required',
        code: 'invalid_request',
        reason: 'siteId is required',
      })
    }
    t.strictSame((await ask({ url: '/publish/content?siteId=acme' })).json(), {
      session: 'dev',
      slugs: [],
      pages: [],
      siteConfig: {},
      generatedAt: noon,
    })
    await bootstrap(twoPages)
    await config({ name: 'Acme', navLabels: { '/': 'Start' } })
    const answer = await ask({ url: '/publish/content?siteId=ACME&session=%20dev' })
    t.equal(answer.status, 200)
    t.match(answer.json(), {
      session: 'dev',
      slugs: ['/', '/about'],
      pages: [{ slug: '/', blocks: [{ props: { heading: 'Hello' } }] }, { slug: '/about' }],
    })
    t.strictSame(fields(answer)['siteConfig'], { name: 'Acme', navLabels: { '/': 'Start' } })
    t.equal((await ask({ url: '/publish/content?siteId=acme&session=a::b' })).status, 400)
  }),
)

t.test('a diff answers GET and POST alike', async (t) => {
  const site = await startWebsite(t, { pages: [page('/'), page('/gone')] })
  await everyWayIn(
    t,
    () => publishing({ env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } }),
    async (t, ask) => {
      const edit = editor(ask, at)
      await edit.bootstrap([page('/', 'New'), page('/about')])
      const got = await edit.get('/publish/diff', { siteOrigin: ` ${site.origin}/ ` })
      t.equal(got.status, 200)
      t.match(got.json(), {
        baselineAvailable: true,
        summary: {
          pagesAdded: 1,
          pagesRemoved: 1,
          pagesModified: 1,
          pagesUnchanged: 0,
          totalChangedFields: 1,
          siteConfigChangedFields: 0,
        },
        pages: [
          { slug: '/about', status: 'added' },
          {
            slug: '/',
            status: 'modified',
            blockDiffs: [
              {
                status: 'modified',
                fieldDiffs: [{ path: 'heading', before: 'Hello', after: 'New', kind: 'text' }],
              },
            ],
          },
          { slug: '/gone', status: 'removed' },
        ],
        siteConfig: { status: 'unchanged', fieldDiffs: [] },
      })
      t.strictSame((await edit.send('/publish/diff', { siteOrigin: site.origin })).json(), got.json())
      for (const refused of [
        await ask({ url: '/publish/diff?siteId=acme' }),
        await ask({ method: 'POST', url: '/publish/diff', json: {} }),
        await ask({ method: 'POST', url: '/publish/diff', json: { session: ' ' } }),
      ]) {
        t.equal(refused.status, 400)
        t.match(refused.json(), {
          error: 'session is required',
          reason: 'session is required',
          code: 'invalid_request',
        })
      }
      t.match((await edit.send('/publish/diff', { siteOrigin: 7 })).json(), {
        code: 'invalid_request',
        reason: /siteOrigin/,
      })
    },
  )
})

t.test('siteOrigin must be listed; a registered address counts outside production only', async (t) => {
  const site = await startWebsite(t)
  const registered = await startWebsite(t)
  const refusal = {
    error: /^siteOrigin is not an allowed URL/,
    reason: /ORCHESTRATOR_CORS_ORIGINS/,
    code: 'site_origin_not_allowed',
  }
  for (const production of [false, true]) {
    const env = {
      ORCHESTRATOR_CORS_ORIGINS: `${site.origin.toUpperCase()}/`,
      ...(production && { NODE_ENV: 'production' }),
    }
    const setup = await withDraft(t, { env })
    await setup.send('/sites/register', { name: 'Acme', previewUrl: `${registered.origin}/start` })
    for (const siteOrigin of [
      site.origin,
      `${site.origin}/path?x`,
      site.origin.replace('127.0.0.1', 'localhost'),
    ]) {
      t.equal((await setup.get('/publish/diff', { siteOrigin })).status, 200, siteOrigin)
      t.equal((await setup.publish({ siteOrigin })).status, 200, siteOrigin)
    }
    const opened = [
      await setup.get('/publish/diff', { siteOrigin: registered.origin }),
      await setup.publish({ siteOrigin: registered.origin }),
    ]
    t.strictSame(
      opened.map((answer) => answer.status),
      production ? [400, 400] : [200, 200],
    )
    const hostile = [
      'http://169.254.169.254',
      'http://127.0.0.1:1',
      'https://example.com',
      'ftp://x',
      'javascript:1',
      'nonsense',
      '//x',
      site.origin.replace('//', '//user:secret@'),
      site.origin.replace('http:', 'https:'),
      site.origin.replace('127.0.0.1', '127.0.0.2'),
      site.origin.replace('127.0.0.1', '[::1]'),
    ]
    for (const siteOrigin of hostile) {
      for (const answer of [
        await setup.get('/publish/diff', { siteOrigin }),
        await setup.send('/publish/diff', { siteOrigin }),
        await setup.publish({ siteOrigin }),
      ]) {
        t.equal(answer.status, 400, siteOrigin)
        t.match(answer.json(), refusal)
        t.notMatch(answer.text, /secret/)
      }
    }
    const before = registered.seen.length
    const unnamed = [await setup.get('/publish/diff'), await setup.publish()]
    t.strictSame(
      unnamed.map((answer) => answer.status),
      production ? [200, 400] : [200, 200],
    )
    t.equal(registered.seen.length > before, !production, 'production calls no registered address')
    t.match(
      (await log(setup)).every(({ target }) => target === 'site-contract'),
      true,
      'what was refused is not logged',
    )
  }
  const listed = await withDraft(t, {
    env: { NODE_ENV: 'production', FETCH_ALLOWED_ORIGINS: registered.origin },
  })
  await listed.send('/sites/register', { name: 'Acme', previewUrl: registered.origin })
  t.equal(
    (await listed.publish()).status,
    200,
    'a registered address that the operator lists may be called in production',
  )
})

t.test('the first baseline that applies decides, also when it fails', async (t) => {
  const dir = t.testdir({
    'array.json': JSON.stringify([page('/from-file')]),
    'wrapper.json': JSON.stringify({ pages: [page('/from-file')], siteConfig: { name: 'File' } }),
    'broken.json': '[{]',
  })
  const named = await startWebsite(t, [page('/from-named')])
  const registered = await startWebsite(t, {
    pages: [page('/from-registered')],
    siteConfig: { name: 'Registered' },
  })
  const adapter: ContentAdapter = { readContent: async () => ({ pages: [page('/from-adapter')] }) }
  const sourceOf = async (setup: Setup, query = {}) => {
    const diff = v.parse(
      v.looseObject({
        baselineAvailable: v.boolean(),
        pages: v.array(v.looseObject({ slug: v.string(), status: v.string() })),
      }),
      (await setup.get('/publish/diff', query)).json(),
    )
    return diff.baselineAvailable
      ? diff.pages.find((each) => each.slug.startsWith('/from-') && each.status !== 'added')?.slug
      : 'unavailable'
  }
  const env = { ORCHESTRATOR_CORS_ORIGINS: named.origin, PUBLISHED_CONTENT_PATH: join(dir, 'array.json') }
  const library = {
    env: { ...env, ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: [give(contentAdapter, adapter)],
  }
  const mounted = await withDraft(t, library)
  t.equal(await sourceOf(mounted, { siteOrigin: named.origin }), '/from-named')
  t.equal(await sourceOf(mounted), '/from-adapter')
  t.equal(
    await sourceOf({
      ...mounted,
      ...editor((wish) => mounted.mounted.inject(wish), { session: 'dev', siteId: 'other' }),
    }),
    '/from-file',
    'the adapter speaks for its own site only',
  )

  const filed = await withDraft(t, { env })
  await filed.send('/sites/register', { name: 'Acme', previewUrl: registered.origin })
  t.equal(await sourceOf(filed), '/from-file')
  t.match((await filed.publish()).json(), { status: 'ready' })
  t.match(
    await lastRow(filed),
    { diffSummary: { added: 2, removed: 1, changed: 0 } },
    'a publish compares with the same baseline',
  )
  t.equal(registered.asked(), 0)
  t.match(
    (
      await (
        await withDraft(t, { env: { PUBLISHED_CONTENT_PATH: join(dir, 'wrapper.json') } })
      ).get('/publish/diff')
    ).json(),
    { siteConfig: { status: 'removed', fieldDiffs: [{ path: 'name' }] } },
  )

  const live = await withDraft(t)
  t.equal(await sourceOf(live), 'unavailable', 'nothing to compare with')
  await live.send('/sites/register', { name: 'Registered', previewUrl: registered.origin })
  t.equal(await sourceOf(live), '/from-registered')

  const shelf = await withDraft(t, { plugins: [inHouse({ name: 'shelf' })] })
  await shelf.publish()
  await shelf.bootstrap([page('/', 'Changed'), page('/new')], { overwrite: true })
  t.match(
    (await shelf.get('/publish/diff')).json(),
    { baselineAvailable: true, summary: { pagesAdded: 1, pagesModified: 1, pagesUnchanged: 1 } },
    'the newest publish',
  )

  const failures: readonly [string, Answering][] = [
    ['an error', { status: 500, body: {} }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no pages', { status: 200, body: { pages: 'none' } }],
    ['one bad page', { status: 200, body: { pages: [page('/'), { slug: '/x' }] } }],
    [
      'an unsafe key',
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"pages":[{"id":"p","slug":"/","title":"T","updatedAt":"x","blocks":[{"id":"b","type":"Hero","props":{"__proto__":{"x":1}}}]}]}',
      },
    ],
  ]
  const nothing = {
    baselineAvailable: false,
    summary: {
      pagesAdded: 0,
      pagesRemoved: 0,
      pagesModified: 0,
      pagesUnchanged: 0,
      totalChangedFields: 0,
      siteConfigChangedFields: 0,
    },
    pages: [],
    siteConfig: { status: 'unchanged', fieldDiffs: [] },
  }
  for (const [name, answer] of failures) {
    registered.answers.pages = answer
    t.strictSame((await live.get('/publish/diff')).json(), nothing, name)
  }
  for (const broken of [join(dir, 'broken.json'), join(dir, 'missing.json')]) {
    const setup = await withDraft(t, {
      env: { PUBLISHED_CONTENT_PATH: broken },
      plugins: [inHouse({ name: 'shelf' })],
    })
    await setup.publish()
    t.strictSame(
      (await setup.get('/publish/diff')).json(),
      nothing,
      'a file that cannot be used is not passed over',
    )
  }
  const failing: ContentAdapter = {
    readContent: () => {
      throw new Error('the CMS is down')
    },
  }
  const down = await withDraft(t, { ...library, seeds: [give(contentAdapter, failing)] })
  t.strictSame((await down.get('/publish/diff')).json(), nothing)
})

t.test('a site is published to by its editor routes', async (t) => {
  const site = await startWebsite(t)
  const env = { ORCHESTRATOR_CORS_ORIGINS: site.origin, PUBLISH_TOKEN: ' the-token ' }
  const setup = await withDraft(t, { env })
  await setup.send('/sites/register', { name: 'Acme', previewUrl: 'https://www.acme.test', port: 3000 })
  const answer = await setup.publish({ siteOrigin: `${site.origin}///`, allowDelete: 'true' })
  t.equal(answer.status, 200)
  const { commitSha, message, ...rest } = fields(answer)
  t.strictSame(rest, { status: 'ready', session: 'dev', slugs: ['/', '/about'], vercelState: 'READY' })
  t.match(commitSha, /^[0-9a-f]{12}$/)
  t.match(message, /2 pages/)
  const [sent] = site.sent()
  t.equal(sent?.headers['x-publish-token'], 'the-token')
  t.equal(sent?.headers['content-type'], 'application/json')
  t.match(sent?.body, {
    pages: [{ slug: '/' }, { slug: '/about' }],
    siteConfig: { name: 'Acme', previewUrl: 'https://www.acme.test', port: 3000 },
    session: 'acme::dev',
    publishedAt: noon,
  })
  t.strictSame(
    Object.keys(sent?.body ?? {}).toSorted(),
    ['pages', 'publishedAt', 'session', 'siteConfig'],
    'assets only where there are some, allowDelete only as true',
  )
  t.match(await status(setup), {
    session: 'dev',
    status: 'triggered',
    startedAt: noon,
    updatedAt: noon,
    slugs: ['/', '/about'],
    deployStatus: 200,
    deployResponse: 'site_contract',
    vercelState: 'READY',
  })
  t.match(await lastRow(setup), {
    session: 'acme::dev',
    siteId: 'acme',
    target: 'site-contract',
    status: 'success',
    at: noon,
    updatedAt: noon,
    pageCount: 2,
    slugs: ['/', '/about'],
    commit: /^[0-9a-f]{40}$/,
    diffSummary: { added: 0, removed: 0, changed: 0 },
    summary: /no content changes/i,
    error: undefined,
  })
  await setup.publish({ siteOrigin: site.origin, allowDelete: true })
  t.equal(site.sent()[1]?.body['allowDelete'], true)
  t.equal(await setup.version(), 1, 'a publish changes no draft')
})

t.test('what a site answers comes back in the shape that editors read', async (t) => {
  const site = await startWebsite(t)
  const setup = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } })
  const failed = { status: 'failed', session: 'dev', slugs: ['/', '/about'] }
  const because = (reason: unknown) => ({ ...failed, error: reason, reason, code: 'publish_failed' })
  const notes = { notes: ['Two images are large.'], unsupported: ['Video'] }
  const cases: readonly [name: string, answer: Answering, status: number, body: object][] = [
    [
      'ok',
      { status: 200, body: { ok: true, slugs: ['/', '/about', '/live'], ...notes } },
      200,
      { status: 'ready', slugs: ['/', '/about', '/live'], ...notes },
    ],
    ['ok by silence', { status: 201, body: {} }, 200, { status: 'ready', slugs: ['/', '/about'] }],
    [
      'ok with fields of other kinds',
      { status: 200, body: { ok: true, slugs: '/', notes: [1], unsupported: { Video: 2 } } },
      200,
      { status: 'ready', slugs: ['/', '/about'], notes: undefined, unsupported: undefined },
    ],
    ['no contract', { status: 404, body: '<h1>Not found</h1>' }, 400, because(/no \/api\/editor\/publish/)],
    [
      'an error',
      { status: 500, body: { error: 'The disk is full.', ...notes } },
      400,
      { ...because('The disk is full.'), ...notes },
    ],
    [
      'an error with a reason',
      { status: 500, body: { ok: false, error: 'write_failed', reason: 'The file could not be written.' } },
      400,
      because('The file could not be written.'),
    ],
    ['an error without words', { status: 503, body: {} }, 400, because(/status 503/)],
    [
      'ok false',
      { status: 200, body: { ok: false, error: 'The CMS is frozen.' } },
      400,
      because('The CMS is frozen.'),
    ],
    [
      'a wrong secret',
      { status: 401, body: { error: 'unauthorized', reason: 'Set PUBLISH_TOKEN on the site.' } },
      400,
      because('Set PUBLISH_TOKEN on the site.'),
    ],
    [
      'a wrong secret without a reason',
      { status: 401, body: { ok: false, error: 'Unauthorized' } },
      400,
      because(/PUBLISH_TOKEN/),
    ],
    [
      'a refusal',
      { status: 409, body: { ok: false, error: 'refused', reason: 'It would remove 3 pages.', ...notes } },
      409,
      { ...failed, ok: false, error: 'refused', reason: 'It would remove 3 pages.', ...notes },
    ],
    [
      'a refusal without words',
      { status: 409, body: {} },
      409,
      { ...failed, ok: false, error: 'refused', reason: readable },
    ],
    ['no JSON', { status: 200, body: '<h1>Welcome</h1>' }, 502, because(/gave no usable answer/)],
    ['an error page', { status: 500, body: '<h1>Oops</h1>' }, 502, because(/gave no usable answer/)],
    ['JSON that is no object', { status: 200, body: null }, 502, because(/gave no usable answer/)],
    [
      'a way to a private address',
      { status: 307, headers: { location: 'http://127.0.0.2:1/' }, body: {} },
      400,
      { ...because(/may not be fetched/), code: 'fetch_refused' },
    ],
  ]
  for (const [name, answer, expected, body] of cases) {
    site.answers.publish = answer
    const got = await setup.publish({ siteOrigin: site.origin })
    t.equal(got.status, expected, name)
    t.match(got.json(), body, name)
    const words = fields(got)
    t.not(words['error'], 'unauthorized', 'the word by which editors ask for the password')
    const succeeded = expected === 200
    t.match(
      await status(setup),
      { status: succeeded ? 'triggered' : 'failed', slugs: words['slugs'] },
      `${name}: tracker`,
    )
    const row = await lastRow(setup)
    t.match(
      row,
      { status: succeeded ? 'success' : 'failed', target: 'site-contract', slugs: words['slugs'] },
      `${name}: row`,
    )
    if (!succeeded)
      t.match(row, { error: words['reason'], summary: words['reason'] }, `${name}: the row says why`)
  }
  const gone = await goneOrigin()
  const lost = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: gone } })
  const answer = await lost.publish({ siteOrigin: gone })
  t.equal(answer.status, 502)
  t.match(answer.json(), because(/gave no usable answer/))
  t.match(await status(lost), { status: 'failed', deployStatus: 502, deployResponse: 'site_contract' })
  site.answers.publish = { status: 404, body: {} }
  await setup.publish({ siteOrigin: site.origin })
  t.match(await status(setup), { status: 'failed', deployStatus: 400 })
})

t.test('without a target nothing is published; a forced one needs its site', async (t) => {
  const setup = await withDraft(t)
  const answer = await setup.publish()
  t.equal(answer.status, 400)
  t.match(answer.json(), {
    error: /nowhere to publish.*PUBLISH_MODE/,
    code: 'no_publish_target',
    reason: /siteOrigin/,
  })
  t.strictSame(await log(setup), [])
  t.equal((await setup.get('/publish/status')).status, 404)

  const forced = await withDraft(t, { env: { PUBLISH_TARGET: 'site-contract' } })
  const refused = await forced.publish()
  t.equal(refused.status, 400)
  t.match(refused.json(), {
    status: 'failed',
    session: 'dev',
    slugs: ['/', '/about'],
    error: /siteOrigin/,
    reason: /siteOrigin/,
    code: 'publish_failed',
  })
  t.match(await lastRow(forced), { status: 'failed', target: 'site-contract' })
})

t.test(
  'an empty draft is refused before the site is called, unless the site is empty or it is meant',
  async (t) => {
    const site = await startWebsite(t)
    const setup = await withDraft(
      t,
      { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin, AUTO_BOOTSTRAP_SITE_ORIGIN: site.origin } },
      [],
    )
    const publish = (more = {}) => setup.publish({ siteOrigin: site.origin, ...more })
    for (const allowDelete of [undefined, false, 'true', 1, {}]) {
      const answer = await publish({ allowDelete })
      t.equal(answer.status, 409)
      t.match(answer.json(), {
        ok: false,
        error: 'refused',
        code: 'refused',
        reason: /every published page \(2\).*allowDelete/,
        status: 'failed',
        session: 'dev',
        slugs: [],
      })
    }
    t.strictSame(site.sent(), [], 'and a publish fills no draft by itself')
    t.match(await lastRow(setup), {
      status: 'failed',
      pageCount: 0,
      error: /allowDelete/,
      summary: /allowDelete/,
    })
    site.answers.pages = { status: 500, body: {} }
    t.match((await publish()).json(), { error: 'refused', reason: /could not be read.*allowDelete/ })
    site.answers.pages = { status: 200, body: { pages: [] } }
    t.equal((await publish()).status, 200, 'nothing is removed from an empty site')
    site.answers.pages = { status: 500, body: {} }
    t.equal((await publish({ allowDelete: true })).status, 200)
    t.equal(site.sent().at(-1)?.body['allowDelete'], true)
  },
)

/** A repository with a content file and a bare remote of it. */
function repository(t: Test, { content = '[]\n', branch = 'main' } = {}) {
  const dir = temporaryFolder(t)
  mkdirSync(join(dir, 'home'))
  writeFileSync(
    join(dir, 'home', '.gitconfig'),
    '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n',
  )
  const [remote, work] = [join(dir, 'remote.git'), join(dir, 'work')]
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(dir, 'home') }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', work, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  execFileSync('git', ['init', '--quiet', '--bare', remote], { env })
  execFileSync('git', ['clone', '--quiet', remote, work], { env, stdio: 'ignore' })
  mkdirSync(join(work, 'content'))
  const contentPath = join(work, 'content', 'pages.json')
  writeFileSync(contentPath, content)
  writeFileSync(join(work, 'notes.txt'), 'notes\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  const inRemote = (path: string): string =>
    execFileSync('git', ['-C', remote, 'show', `${branch}:${path}`], { env, encoding: 'utf8' })
  const hook = (name: string, script: string): void => {
    const path = join(work, '.git', 'hooks', name)
    mkdirSync(join(work, '.git', 'hooks'), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  return {
    dir,
    remote,
    work,
    contentPath,
    git,
    hook,
    inRemote,
    env: { ...env, PUBLISH_MODE: 'git', PUBLISHED_CONTENT_PATH: contentPath },
  }
}

t.test('git commits the content file alone and pushes it', async (t) => {
  const repo = repository(t, { branch: 'live' })
  const canaries = {
    PUBLISH_TOKEN: 'canary-publish',
    VERCEL_TOKEN: 'canary-vercel',
    ORCHESTRATOR_ACCESS_TOKEN: 'canary-access',
    DRAFT_MODE_SECRET: 'canary-draft',
  }
  const setup = await withDraft(t, { env: { ...repo.env, ...canaries, PUBLISH_GIT_BRANCH: 'live' } })
  repo.hook('pre-push', `env > ${join(repo.dir, 'seen-by-hook')}`)
  writeFileSync(join(repo.work, 'notes.txt'), 'staged by somebody else\n')
  repo.git('add', 'notes.txt')
  const answer = await setup.publish()
  t.equal(answer.status, 200)
  const { commitSha } = fields(answer)
  t.strictSame(answer.json(), {
    status: 'triggered',
    session: 'dev',
    slugs: ['/', '/about'],
    branch: 'live',
    commitSha,
    vercelState: 'TRIGGERED',
  })
  t.equal(commitSha, repo.git('rev-parse', 'HEAD').trim())
  t.match(JSON.parse(repo.inRemote('content/pages.json')), [{ slug: '/' }, { slug: '/about' }])
  t.equal(repo.inRemote('notes.txt'), 'notes\n')
  t.equal(repo.git('diff', '--cached', '--name-only').trim(), 'notes.txt', 'what others staged stays staged')
  t.match(await lastRow(setup), { target: 'git', status: 'triggered', commit: commitSha })
  t.match(await status(setup), {
    status: 'triggered',
    deployStatus: 200,
    deployResponse: 'git_publish',
    vercelState: 'TRIGGERED',
  })
  const seen = readFileSync(join(repo.dir, 'seen-by-hook'), 'utf8')
  t.match(seen, /^HOME=/m)
  t.notMatch(seen, /canary/)

  const again = await setup.publish()
  t.equal(again.status, 200)
  t.match(again.json(), { status: 'ready', branch: 'live', message: /nothing new/i, vercelState: 'READY' })
  t.match(await lastRow(setup), { status: 'success' })
  const wrapped = repository(t, { content: '{"pages":[],"siteConfig":{"name":"Old"}}' })
  const wrapper = await withDraft(t, { env: wrapped.env })
  await wrapper.config({ name: 'New' })
  await wrapper.publish()
  t.match(JSON.parse(wrapped.inRemote('content/pages.json')), {
    pages: [{ slug: '/' }, { slug: '/about' }],
    siteConfig: { name: 'New' },
  })
})

t.test('git failures name their kind, at most twelve lines, and no path', async (t) => {
  const repo = repository(t)
  const failures = async (setup: Setup, reason: string, details: unknown) => {
    const answer = await setup.publish()
    t.equal(answer.status, 400, reason)
    t.match(answer.json(), {
      status: 'failed',
      session: 'dev',
      slugs: ['/', '/about'],
      error: readable,
      code: reason,
      reason,
      details,
    })
    t.notOk(answer.text.includes(repo.dir), 'no path of the server')
    t.match(await status(setup), { status: 'failed', deployStatus: 500, deployResponse: 'git_publish' })
    t.match(await lastRow(setup), {
      status: 'failed',
      target: 'git',
      error: fields(answer)['error'],
      summary: fields(answer)['error'],
    })
  }
  const strict = await withDraft(t, { env: { ...repo.env, PUBLISH_GIT_STRICT: '1' } })
  for (let n = 0; n < 15; n++) writeFileSync(join(repo.work, 'content', `other-${n}-pages.json`), '')
  await failures(strict, 'working_tree_not_clean', [/other-0-pages\.json/])
  t.equal(v.parse(v.array(v.string()), fields(await strict.publish())['details']).length, 12)
  t.equal(readFileSync(repo.contentPath, 'utf8'), '[]\n', 'nothing is written into a tree that is not clean')
  repo.git('clean', '-fdq')
  repo.hook('pre-commit', 'env >&2; exit 1')
  await failures(strict, 'commit_failed', [])
  repo.hook('pre-commit', 'exit 0')
  repo.hook('pre-push', 'env >&2; exit 1')
  await failures(strict, 'push_failed', [])
  await failures(strict, 'push_failed', [])
  repo.hook('pre-push', 'exit 0')
  t.match(
    (await strict.publish()).json(),
    { status: 'triggered', commitSha: repo.git('rev-parse', 'HEAD').trim() },
    'what could not be pushed is pushed next time',
  )
  t.match(JSON.parse(repo.inRemote('content/pages.json')), [{ slug: '/' }, { slug: '/about' }])
  const nowhere = await withDraft(t, {
    env: { ...repo.env, PUBLISHED_CONTENT_PATH: join(repo.dir, 'home', 'pages.json') },
  })
  await failures(nowhere, 'commit_failed', [])
})

t.test('a deploy hook is called with what was published, and its answer is shown', async (t) => {
  const answers: Answering = {
    status: 201,
    body: { job: { id: 'job_1', state: 'pending', inspectorUrl: 'https://vercel.test/x' } },
  }
  const hook = await startSite(t, (_, response) => {
    response.writeHead(answers.status, { 'content-type': 'application/json', ...answers.headers })
    response.end(typeof answers.body === 'string' ? answers.body : JSON.stringify(answers.body))
  })
  const setup = await withDraft(t, {
    env: { PUBLISH_MODE: 'deploy_hook', VERCEL_DEPLOY_HOOK_URL: `${hook.origin}/hook/canary` },
  })
  const answer = await setup.publish()
  t.equal(answer.status, 200)
  t.match(answer.json(), {
    status: 'triggered',
    session: 'dev',
    slugs: ['/', '/about'],
    deployStatus: 201,
    deployResponse: JSON.stringify(answers.body),
    inspectUrl: 'https://vercel.test/x',
    deploymentId: 'job_1',
    vercelState: 'PENDING',
  })
  t.notMatch(answer.text, /canary/)
  t.strictSame(JSON.parse(hook.seen[0]?.body ?? ''), {
    source: 'orchestrator',
    session: 'acme::dev',
    slugs: ['/', '/about'],
    publishedAt: noon,
  })
  t.match(await lastRow(setup), {
    target: 'deploy-hook',
    status: 'triggered',
    deploymentId: 'job_1',
    inspectUrl: 'https://vercel.test/x',
  })
  t.match(await status(setup), {
    status: 'triggered',
    deployStatus: 201,
    deploymentId: 'job_1',
    vercelState: 'PENDING',
  })

  answers.body = {
    deep: [
      { url: 'javascript:alert(1)', status: 200 },
      { deploymentId: '../../x', state: { no: 1 } },
    ],
    long: 'é'.repeat(900),
  }
  const odd = fields(await setup.publish())
  t.equal(String(odd['deployResponse']).length, 500)
  t.match(
    odd,
    { vercelState: 'TRIGGERED', inspectUrl: undefined, deploymentId: undefined },
    'addresses that open nothing and ids that name nothing are left out',
  )
  answers.body = 'plain text'
  t.match((await setup.publish()).json(), {
    status: 'triggered',
    deployResponse: 'plain text',
    vercelState: 'TRIGGERED',
  })
  answers.body = { state: 'error' }
  await setup.publish()
  t.match(await lastRow(setup), { status: 'failed' }, 'born failed when the deployment is')

  answers.status = 500
  answers.body = 'no such hook'
  const failed = await setup.publish()
  t.equal(failed.status, 200, 'the hook was called')
  t.match(failed.json(), {
    status: 'failed',
    session: 'dev',
    slugs: ['/', '/about'],
    error: /answered 500/,
    reason: /answered 500/,
    code: 'publish_failed',
    deployStatus: 500,
    deployResponse: 'no such hook',
    vercelState: 'ERROR',
  })
  t.match(await status(setup), { status: 'failed', deployStatus: 500 })
  t.match(await lastRow(setup), { status: 'failed', error: /answered 500/ })

  const none = await withDraft(t, { env: { PUBLISH_MODE: 'deploy_hook' } })
  t.match(
    [(await none.publish()).status, (await none.publish()).json()],
    [400, { error: /VERCEL_DEPLOY_HOOK_URL/, status: 'failed' }],
  )
  const lost = await withDraft(t, {
    env: { PUBLISH_MODE: 'deploy_hook', VERCEL_DEPLOY_HOOK_URL: `${await goneOrigin()}/hook/canary` },
  })
  const unreachable = await lost.publish()
  t.match(
    [unreachable.status, unreachable.json()],
    [502, { error: /could not be reached/, reason: /VERCEL_DEPLOY_HOOK_URL/, status: 'failed' }],
  )
  t.notMatch(unreachable.text, /canary/)
})

t.test('a mount publishes into its adapter where that can be written', async (t) => {
  const site = await startWebsite(t)
  const written: SiteContent[] = []
  const reading: ContentAdapter = { readContent: async () => ({ pages: [] }) }
  const writing: ContentAdapter = {
    ...reading,
    writeContent: async (content) => (written.push(content), { notes: ['Settings were dropped.'] }),
  }
  const env = {
    ORCHESTRATOR_DEFAULT_SITE_ID: 'acme',
    ORCHESTRATOR_CORS_ORIGINS: site.origin,
    PUBLISH_MODE: 'deploy_hook',
  }
  const setup = await withDraft(t, { env, seeds: [give(contentAdapter, writing)] })
  const answer = await setup.publish()
  t.equal(answer.status, 200)
  t.match(answer.json(), {
    status: 'ready',
    session: 'dev',
    slugs: ['/', '/about'],
    vercelState: 'READY',
    notes: ['Settings were dropped.'],
  })
  t.match(written, [{ pages: [{ slug: '/' }, { slug: '/about' }], siteConfig: {} }])
  t.match(await lastRow(setup), { target: 'adapter', status: 'success', session: 'dev' })
  await setup.publish({ siteOrigin: site.origin })
  t.match(await lastRow(setup), { target: 'site-contract' }, 'a site that is named comes first')

  const readOnly = await withDraft(t, { env, seeds: [give(contentAdapter, reading)] })
  const refused = await readOnly.publish()
  t.equal(refused.status, 400)
  t.match(refused.json(), { status: 'failed', error: /writeOnPublish/, reason: /writeOnPublish/ })

  const forced = mountForTest(
    t,
    publishing({ env: { ...env, PUBLISH_TARGET: 'adapter' }, seeds: [give(contentAdapter, writing)] }),
  )
  const other = editor((wish) => forced.inject(wish), { session: 'dev', siteId: 'other' })
  await other.bootstrap([page('/', 'Of another site')])
  const foreign = await other.send('/publish')
  t.equal(foreign.status, 400, 'drafts of other sites never reach the content of this one')
  t.match(foreign.json(), { status: 'failed', error: /acme/ })
  t.equal(written.length, 1)

  const failing: ContentAdapter = {
    ...reading,
    writeContent: async () => {
      throw new Error('EACCES /srv/content')
    },
  }
  const broken = await withDraft(t, { env, seeds: [give(contentAdapter, failing)] })
  const failed = await broken.publish()
  t.equal(failed.status, 500)
  t.match(failed.json(), { status: 'failed', error: readable, reason: readable, code: 'publish_failed' })
  t.notMatch(failed.text, /EACCES|srv/)
  t.match(await lastRow(broken), { status: 'failed', target: 'adapter' })
})

t.test('targets of in-house plugins claim publishes, or are forced by name', async (t) => {
  const seen: Publication[] = []
  const house = inHouse({
    name: 'house',
    claims: ({ siteOrigin, id }) => siteOrigin === undefined && id.siteId === 'acme',
    publish: async (publication) => (
      seen.push(publication),
      { ...done, slugs: ['/house'], body: { message: 'Done.' } }
    ),
  })
  const quiet = inHouse({
    name: 'quiet',
    claims: () => false,
    publish: async () => ({ ...done, status: 'triggered', tracker: { vercelState: 'queued' } }),
  })
  const setup = await withDraft(t, { plugins: [house, quiet] })
  const { commitSha, ...rest } = fields(await setup.publish())
  t.strictSame(rest, { status: 'ready', session: 'dev', slugs: ['/house'], message: 'Done.' })
  t.match(commitSha, /^[0-9a-f]{12}$/)
  t.match(seen, [
    {
      id: at,
      key: 'acme::dev',
      pages: [{ slug: '/' }, { slug: '/about' }],
      siteConfig: {},
      siteOrigin: undefined,
      allowDelete: false,
      publishedAt: noon,
      assets: {},
    },
  ])
  t.match(await lastRow(setup), { target: 'house', slugs: ['/house'] })

  const forced = await withDraft(t, { plugins: [house, quiet], env: { PUBLISH_TARGET: 'quiet' } })
  t.match((await forced.publish()).json(), { status: 'triggered' })
  t.match(await lastRow(forced), { target: 'quiet', status: 'triggered' })

  const failsToBoot = async (options: Options, message: RegExp) => {
    const mounted = mount({
      shape: 'standalone',
      log: capturedLog().log,
      ...publishing(options),
      env: options.env ?? {},
    })
    const problem = await mounted.ready().catch((error: unknown) => error)
    t.ok(problem instanceof BootError)
    t.match(problem, { problems: [message] })
    await mounted.close()
  }
  await failsToBoot(
    { plugins: [house], env: { PUBLISH_TARGET: 'hous' } },
    /PUBLISH_TARGET: 'hous' is no publish target; there are house, site-contract, deploy-hook/,
  )
  await failsToBoot(
    { plugins: [inHouse({ name: 'git' }), inHouse({ name: 'site-contract' })] },
    /'site-contract' is given twice/,
  )
  await failsToBoot({ env: { PUBLISH_MODE: 'git' } }, /PUBLISHED_CONTENT_PATH/)
  await failsToBoot({ env: { PUBLISH_TARGET: 'git' } }, /PUBLISHED_CONTENT_PATH/)
  for (const env of [
    { PUBLISH_MODE: 'ftp' },
    { PUBLISH_GRACE_SECONDS: 'soon' },
    { PUBLISH_GRACE_SECONDS: '-1' },
    { PUBLISH_GIT_STRICT: 'yes' },
    { PUBLISH_GIT_BRANCH: '--force' },
    { VERCEL_DEPLOY_HOOK_URL: 'nope' },
    { VERCEL_BASE_URL: 'x' },
  ]) {
    await failsToBoot({ env }, new RegExp(`environment variable ${Object.keys(env)[0]}: must`))
  }
  const own = await withDraft(t, {
    plugins: [inHouse({ name: 'git', claims: () => false })],
    env: { PUBLISH_TARGET: 'git' },
  })
  t.match((await own.publish()).json(), { status: 'ready' }, 'a target of that name needs nothing of ours')
})

t.test('whatever a target does, the publish is answered, tracked and logged', async (t) => {
  const { log: logger, lines } = capturedLog()
  let act: () => Promise<PublishOutcome> = async () => done
  const setup = await withDraft(t, {
    plugins: [inHouse({ name: 'moody', publish: () => act() })],
    more: { log: logger },
  })
  const odd = (outcome: object) => async () => JSON.parse(JSON.stringify(outcome)) as PublishOutcome
  const cases: readonly [name: string, act: () => Promise<PublishOutcome>, status: number, body: object][] = [
    [
      'throws at once',
      () => {
        throw new Error('canary-path /srv/secret')
      },
      500,
      { error: readable, reason: readable, code: 'publish_failed' },
    ],
    ['rejects', () => Promise.reject(new TypeError('canary-path')), 500, { code: 'publish_failed' }],
    [
      'reaches nobody',
      () => Promise.reject(new UpstreamFailure('timeout')),
      502,
      { code: 'upstream_timeout', error: /took too long/, reason: /took too long/ },
    ],
    ['answers nothing', odd([]), 500, { code: 'publish_failed' }],
    ['answers another shape', odd({ ...done, body: { message: 7 } }), 500, { code: 'publish_failed' }],
    [
      'fails without words',
      odd({ ...done, ok: false, httpStatus: 400, status: 'failed' }),
      400,
      { error: readable, reason: readable, code: 'publish_failed' },
    ],
    [
      'fails with a reason',
      odd({ ...done, ok: false, httpStatus: 400, status: 'failed', body: { reason: 'The gate is shut.' } }),
      400,
      { error: 'The gate is shut.', reason: 'The gate is shut.' },
    ],
  ]
  for (const [name, does, expected, body] of cases) {
    act = does
    const answer = await setup.publish()
    t.equal(answer.status, expected, name)
    t.match(answer.json(), { status: 'failed', session: 'dev', slugs: ['/', '/about'], ...body }, name)
    t.notMatch(answer.text, /canary|Error/)
    t.match(await status(setup), { status: 'failed' }, name)
    t.match(await lastRow(setup), { status: 'failed', target: 'moody', error: fields(answer)['error'] }, name)
  }
  t.equal((await log(setup)).length, cases.length)
  t.equal(lines.filter((line) => line.includes('canary-path')).length, 2, 'the log of the server says why')
})

t.test('publishes of one draft take turns, and other drafts do not wait', async (t) => {
  const waiting: { readonly key: string; readonly finish: () => void }[] = []
  const slow = inHouse({
    name: 'slow',
    publish: ({ key }) => new Promise((resolve) => void waiting.push({ key, finish: () => resolve(done) })),
  })
  const setup = await withDraft(t, { plugins: [slow] })
  const other = editor((wish) => setup.mounted.inject(wish), { ...at, session: 'other' })
  await other.bootstrap(twoPages)
  const first = setup.publish()
  const second = setup.publish()
  const third = other.send('/publish')
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.strictSame(
    waiting.map(({ key }) => key),
    ['acme::dev', 'acme::other'],
  )
  waiting[0]?.finish()
  await first
  while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
  for (const { finish } of waiting) finish()
  t.strictSame(
    (await Promise.all([second, third])).map((answer) => answer.status),
    [200, 200],
  )
  t.equal((await log(setup)).length, 2)
})

t.test('a publish whose caller went away is finished and logged', async (t) => {
  const signals: AbortSignal[] = []
  let finish = (): void => undefined
  const slow = inHouse({
    name: 'slow',
    publish: ({ signal }) =>
      new Promise((resolve, reject) => {
        signals.push(signal)
        finish = () => resolve(done)
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const setup = await withDraft(t, { plugins: [slow] })
  const gone = new AbortController()
  const answer = setup.mounted.inject({ method: 'POST', url: '/publish', json: at, signal: gone.signal })
  while (signals.length < 1) await new Promise((resolve) => setTimeout(resolve, 1))
  gone.abort()
  t.equal(signals[0]?.aborted, false)
  finish()
  await answer
  t.match(await lastRow(setup), { status: 'success' })
  t.equal((await log(setup)).length, 1)
})

t.test('the log keeps 200 rows of a draft in the order they were written, and survives', async (t) => {
  const kept = createMemoryStore()
  const options = { plugins: [inHouse({ name: 'shelf' })], kept }
  const setup = await withDraft(t, options)
  for (const url of ['/publish/log', '/publish/log?session=', '/publish/log?siteId=acme']) {
    t.match(
      [(await setup.mounted.inject({ url })).status, (await setup.mounted.inject({ url })).json()],
      [400, { error: 'session is required', code: 'invalid_request' }],
    )
  }
  const ids: string[] = []
  for (let n = 0; n < 203; n++) {
    await setup.publish()
    ids.push((await lastRow(setup))?.id ?? '')
  }
  t.equal(new Set(ids).size, 203)
  const limits: readonly [string | undefined, number][] = [
    [undefined, 50],
    ['7', 7],
    ['100', 100],
    ['101', 100],
    ['2.9', 2],
    ['0', 50],
    ['-1', 50],
    ['x', 50],
    ['', 50],
    ['1e9', 100],
    ['Infinity', 100],
  ]
  for (const [limit, count] of limits) {
    t.strictSame(
      (await log(setup, limit === undefined ? {} : { limit })).map(({ id }) => id),
      ids.slice(-count),
      `limit ${limit}`,
    )
  }
  t.strictSame(
    (await createPublishLog(kept).list(at, 1000)).map(({ id }) => id),
    ids.slice(-200),
  )
  const later = await withDraft(t, options, [])
  t.strictSame(
    (await log(later, { limit: '100' })).map(({ id }) => id),
    ids.slice(-100),
    'after a restart',
  )
  t.match(await status(later), { status: 'triggered', vercelState: 'READY' })
  t.strictSame(
    await log({ get: editor((wish) => later.mounted.inject(wish), { ...at, session: 'other' }).get }),
    [],
    'of this draft only',
  )
})

t.test('a publish without news from a host counts as ready after its grace time', async (t) => {
  const time = stillClock(noon)
  const started = inHouse({
    name: 'started',
    publish: async () => ({ ...done, status: 'triggered', tracker: { vercelState: 'TRIGGERED' } }),
  })
  for (const [grace, seconds] of [
    [undefined, 120],
    ['0', 120],
    ['5', 5],
  ] as const) {
    const setup = await withDraft(t, {
      plugins: [started],
      time,
      env: grace === undefined ? {} : { PUBLISH_GRACE_SECONDS: grace },
    })
    const none = await setup.get('/publish/status')
    t.equal(none.status, 404)
    t.match(none.json(), { error: readable, code: 'not_found', reason: readable })
    await setup.publish()
    await setup.publish()
    time.advance(seconds * 1000 - 1)
    t.match(await status(setup), { status: 'triggered', vercelState: 'TRIGGERED' })
    t.match(await lastRow(setup), { status: 'triggered' })
    time.advance(1)
    const now = time.now().toISOString()
    t.match(await status(setup), { status: 'triggered', vercelState: 'READY', updatedAt: now })
    const rows = await log(setup)
    t.match(
      rows,
      [{ status: 'triggered' }, { status: 'success', updatedAt: now }],
      'the newest row, and no other',
    )
    time.advance(1000)
    await status(setup)
    t.strictSame(await log(setup), rows, 'a settled row stays as it is')
    time.advance(24 * 60 * 60 * 1000)
    t.equal((await setup.get('/publish/status')).status, 404, 'after a day nothing is tracked')
  }
})

t.test('a hosting API is asked for the deployment, seldom, with its token, and believed', async (t) => {
  const time = stillClock(noon)
  let answer: Answering = { status: 200, body: { readyState: 'building' } }
  const api = await startSite(t, (_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  const deployed = inHouse({
    name: 'deployed',
    publish: async () => ({
      ...done,
      status: 'triggered',
      tracker: { vercelState: 'QUEUED', deploymentId: 'dpl_1' },
    }),
  })
  const env = { VERCEL_BASE_URL: `${api.origin}/`, VERCEL_TOKEN: 'canary-vercel', VERCEL_TEAM_ID: 'team 1' }
  const setup = await withDraft(t, { plugins: [deployed], time, env })
  await setup.publish()
  const look = async (milliseconds = 3_000) => (time.advance(milliseconds), await status(setup))
  t.match(await look(0), { vercelState: 'QUEUED' }, 'not asked at once')
  const many = await Promise.all(Array.from({ length: 5 }, () => look(1_000)))
  t.match(many.at(-1), { vercelState: 'BUILDING' })
  t.equal(api.seen.length, 1, 'several editors share one question')
  t.match(api.seen[0], {
    method: 'GET',
    url: '/v13/deployments/dpl_1?teamId=team%201',
    headers: { authorization: 'Bearer canary-vercel' },
  })
  await look(2_999)
  t.equal(api.seen.length, 1)
  answer = { status: 403, body: {} }
  t.match(await look(), { vercelState: 'BUILDING', lastCheckError: 'vercel_api_403' })
  answer = { status: 200, body: '<html>' }
  t.match(await look(), { vercelState: 'BUILDING', lastCheckError: 'fetch_error' })
  answer = { status: 200, body: { state: 'building' } }
  t.match(
    await look(10 * 60_000),
    { vercelState: 'BUILDING', lastCheckError: undefined },
    'the grace time is for those who have nobody to ask',
  )
  const asked = api.seen.length
  t.match(
    await look(60 * 60_000),
    { vercelState: 'BUILDING', status: 'triggered' },
    'what is unknown stays unknown',
  )
  t.equal(api.seen.length, asked, 'and is given up after an hour')

  for (const [state, expected] of [
    ['READY', 'success'],
    ['error', 'failed'],
    ['CANCELED', 'failed'],
  ] as const) {
    await setup.publish()
    answer = { status: 200, body: { readyState: state } }
    t.match(await look(), { status: 'triggered', vercelState: state.toUpperCase() })
    t.match(await lastRow(setup), {
      status: expected,
      deploymentId: 'dpl_1',
      updatedAt: time.now().toISOString(),
    })
    const before = api.seen.length
    await look()
    t.equal(api.seen.length, before, 'a settled deployment is not asked about')
  }
  t.notMatch(JSON.stringify([await status(setup), await log(setup)]), /canary/)
})

t.test('a slow answer about an earlier publish does not touch the next one', async (t) => {
  const time = stillClock(noon)
  const held: (() => void)[] = []
  const api = await startSite(
    t,
    (_, response) => void held.push(() => response.end('{"readyState":"ERROR"}')),
  )
  const deployed = inHouse({
    name: 'deployed',
    publish: async () => ({
      ...done,
      status: 'triggered',
      tracker: { vercelState: 'QUEUED', deploymentId: 'dpl_1' },
    }),
  })
  const setup = await withDraft(t, {
    plugins: [deployed],
    time,
    env: { VERCEL_BASE_URL: api.origin, VERCEL_TOKEN: 'token' },
  })
  await setup.publish()
  time.advance(5_000)
  const late = status(setup)
  while (held.length < 1) await new Promise((resolve) => setTimeout(resolve, 1))
  await setup.publish()
  held[0]?.()
  await late
  t.match(await status(setup), { startedAt: time.now().toISOString(), vercelState: 'QUEUED' })
  t.match(await log(setup), [{ status: 'triggered' }, { status: 'triggered' }])
})

t.test('a log row says in words what was published', async (t) => {
  const setup = await withDraft(t, { plugins: [inHouse({ name: 'shelf' })] }, [page('/')])
  const after = async (change: () => unknown, summary: RegExp) => {
    await change()
    await setup.publish()
    t.match(await lastRow(setup), { summary, status: 'success' })
  }
  const add =
    (...slugs: readonly string[]) =>
    () =>
      setup.bootstrap(
        slugs.map((slug) => page(slug, `Hello ${Math.random()}`)),
        { overwrite: true },
      )
  const remove =
    (...slugs: readonly string[]) =>
    () =>
      setup.ops(slugs.map((pageSlug) => ({ op: 'remove_page', pageSlug })))
  await after(() => undefined, /^Published 1 page$/)
  t.equal('diffSummary' in ((await lastRow(setup)) ?? {}), false, 'nothing to compare with')
  await after(() => undefined, /no content changes/i)
  await after(add('/'), /^Published: updated Home$/)
  await after(add('/', '/a'), /^Published: updated a and Home$/)
  await after(
    add('/b/c', '/', '/a'),
    /^Published: updated b\/c, Home and a$|^Published: updated b\/c, Home and a$|^Published: updated b\/c, a and Home$|^Published: updated b\/c, Home and a$|updated b\/c, .* and/,
  )
  await after(add('/', '/a', '/b/c', '/d'), /^Published: updated d, \S+ and 2 more$/)
  await after(remove('/d'), /^Published: removed d$/)
  await after(remove('/a', '/b/c'), /^Published: removed 2 pages$/)
  await after(
    async () => (await add('/x')(), await setup.retitle('/', 'New name')),
    /^Published: updated x and Home$/,
  )
  await after(async () => (await add('/y')(), await remove('/x')()), /^Published: updated y; removed x$/)
  t.match(await lastRow(setup), {
    diffSummary: { added: 1, removed: 1, changed: 0 },
    pageCount: 2,
    slugs: ['/', '/y'],
  })
  await after(() => setup.config({ name: 'Acme' }), /^Published: updated the site settings$/)
})

t.test('images of our own travel with a publish and point to the site afterwards', async (t) => {
  const files = createMemoryBlobs({ clock: stillClock(noon), ids: randomIds })
  const put = (key: string, text: string, type = 'image/png', extension = 'png') =>
    files.put(Buffer.from(text), { type, extension, key })
  await put('upload_1.png', 'one')
  await put('upload_2.JPG', 'two', 'image/jpeg', 'JPG')
  await put('gdrive_abc-1.webp', 'drive', 'image/webp', 'webp')
  const site = await startWebsite(t)
  const env = { ORCHESTRATOR_CORS_ORIGINS: site.origin, ORCHESTRATOR_PUBLIC_ORIGIN: 'http://localhost:4200/' }
  const own = 'http://localhost:4200'
  const props = {
    imageUrl: `${own}/generated-images/upload_1.png`,
    twin: 'http://127.0.0.1:4200/generated-images/upload_2.JPG',
    drive: `${own}/gdrive/images/abc-1`,
    nested: [{ src: `${own}/generated-images/upload_1.png` }],
    markup: `<p><img src="${own}/generated-images/upload_1.png"> and ${own}/generated-images/upload_1.png.</p>`,
    missing: `${own}/generated-images/gone.png`,
    foreign: 'http://localhost:9999/generated-images/upload_1.png',
    lookalike: 'http://localhost:42000/generated-images/upload_1.png',
    other: `${own}/generated-images/../secret.png`,
    '"quote\\': 'kept "as\\ it" is',
  }
  const setup = await withDraft(t, { env, files }, [page('/', 'Hello', props)])
  await setup.config({ logo: `${own}/generated-images/upload_2.JPG` })
  t.equal((await setup.publish({ siteOrigin: site.origin })).status, 200)
  const [sent] = site.sent()
  const asset = (text: string, mimeType: string, fileName: string) => ({
    data: Buffer.from(text).toString('base64'),
    mimeType,
    fileName,
  })
  t.strictSame(sent?.body['assets'], {
    [`${own}/generated-images/upload_1.png`]: asset('one', 'image/png', 'upload_1.png'),
    'http://127.0.0.1:4200/generated-images/upload_2.JPG': asset('two', 'image/jpeg', 'upload_2.JPG'),
    [`${own}/gdrive/images/abc-1`]: asset('drive', 'image/webp', 'gdrive_abc-1.webp'),
    [`${own}/generated-images/upload_2.JPG`]: asset('two', 'image/jpeg', 'upload_2.JPG'),
  })
  t.match(sent?.body, {
    pages: [
      {
        blocks: [
          {
            props: {
              imageUrl: '/generated-images/upload_1.png',
              twin: '/generated-images/upload_2.JPG',
              drive: '/generated-images/gdrive_abc-1.webp',
              nested: [{ src: '/generated-images/upload_1.png' }],
              markup: '<p><img src="/generated-images/upload_1.png"> and /generated-images/upload_1.png.</p>',
              missing: props.missing,
              foreign: props.foreign,
              lookalike: props.lookalike,
              other: props.other,
              '"quote\\': 'kept "as\\ it" is',
            },
          },
        ],
      },
    ],
    siteConfig: { logo: '/generated-images/upload_2.JPG' },
  })
  t.match((await setup.page('/')).blocks[0]?.props, props, 'the draft stays as it is')

  site.answers.pages = {
    status: 200,
    body: { pages: sent?.body['pages'], siteConfig: sent?.body['siteConfig'] },
  }
  t.match(
    (await setup.get('/publish/diff', { siteOrigin: site.origin })).json(),
    { summary: { pagesModified: 0, pagesUnchanged: 1, siteConfigChangedFields: 0 } },
    'an image is no change because of where it is kept',
  )
  await put('upload_3.png', 'three')
  await setup.ops([
    {
      op: 'update_props',
      pageSlug: '/',
      blockId: 'b/',
      patch: { imageUrl: `${own}/generated-images/upload_3.png` },
    },
  ])
  t.match(
    (await setup.get('/publish/diff', { siteOrigin: site.origin })).json(),
    {
      pages: [
        {
          blockDiffs: [
            {
              fieldDiffs: [
                {
                  path: 'imageUrl',
                  before: '/generated-images/upload_1.png',
                  after: `${own}/generated-images/upload_3.png`,
                  kind: 'image',
                },
              ],
            },
          ],
        },
      ],
    },
    'and a new one is shown where an editor can load it',
  )

  const bare: Publication[] = []
  const elsewhere = await withDraft(
    t,
    {
      env,
      files,
      plugins: [inHouse({ name: 'bare', publish: async (publication) => (bare.push(publication), done) })],
    },
    [page('/', 'Hello', props)],
  )
  await elsewhere.publish()
  t.match(
    bare,
    [{ assets: {}, pages: [{ blocks: [{ props: { imageUrl: props.imageUrl } }] }] }],
    'a target that takes no files gets addresses that work',
  )

  const repo = repository(t)
  const git = await withDraft(t, { env: { ...env, ...repo.env }, files }, [page('/', 'Hello', props)])
  await git.publish()
  t.match(JSON.parse(repo.inRemote('content/pages.json')), [
    { blocks: [{ props: { imageUrl: '/generated-images/upload_1.png' } }] },
  ])
  t.equal(repo.inRemote('content/generated-images/upload_1.png'), 'one', 'beside the content file')
})

t.test('every publish is announced on the live stream', async (t) => {
  const setup = await withDraft(t, { plugins: [inHouse({ name: 'shelf' })] })
  const listening = new AbortController()
  const response = await setup.mounted.fetch(
    new Request('http://localhost/events?session=dev&siteId=acme', { signal: listening.signal }),
  )
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const until = async (wanted: RegExp) => {
    while (!wanted.test(heard)) heard += (await reader?.read())?.value ?? ''
  }
  await until(/hello/)
  await setup.publish()
  await until(/"publish".*\n/)
  const row = await lastRow(setup)
  t.strictSame(JSON.parse(/^data: (.*"publish".*)$/m.exec(heard)?.[1] ?? '{}'), {
    type: 'publish',
    ...at,
    id: row?.id,
    status: 'success',
    at: noon,
  })
  t.notMatch(/.*"publish".*/.exec(heard)?.[0], /id: /)
  listening.abort()
  await reader?.cancel()
})

t.test('the publish token is asked for where there is one', async (t) => {
  const gates = openGates.filter(({ ref }) => ref.id === 'none')
  const setting = () =>
    publishing({
      gates,
      plugins: [use(auth), inHouse({ name: 'shelf' })],
      env: { PUBLISH_TOKEN: 'right-token' },
    })
  await everyWayIn(t, setting, async (t, ask) => {
    const edit = editor(ask, at)
    await edit.bootstrap(twoPages)
    for (const headers of [
      {},
      { 'x-publish-token': '' },
      { 'x-publish-token': 'wrong-token' },
      { 'x-publish-token': 'right-toke\u00e9' },
      { authorization: 'Bearer right-token' },
    ]) {
      const answer = await edit.send('/publish', {}, { ...headers })
      t.equal(answer.status, 401)
      t.match(answer.json(), { error: /x-publish-token/, reason: /PUBLISH_TOKEN/ })
      t.notMatch(answer.text, /right-token/)
    }
    t.equal((await edit.send('/publish', {}, { 'x-publish-token': 'right-token' })).status, 200)
    t.equal((await edit.get('/publish/log')).status, 200)
  })
})

t.test('secrets reach neither answers nor logs', async (t) => {
  const { log: logger, lines } = capturedLog()
  const gone = await goneOrigin()
  const site = await startWebsite(t, '<h1>canary-site</h1>')
  site.answers.publish = { status: 500, body: '<h1>canary-site</h1>' }
  const env = {
    PUBLISH_TOKEN: 'canary-publish',
    VERCEL_TOKEN: 'canary-vercel',
    VERCEL_DEPLOY_HOOK_URL: `${gone}/canary-hook`,
    VERCEL_BASE_URL: gone,
    ORCHESTRATOR_CORS_ORIGINS: `${site.origin},${gone}`,
  }
  const deployed = inHouse({
    name: 'deployed',
    claims: () => false,
    publish: async () => ({ ...done, status: 'triggered', tracker: { deploymentId: 'dpl_1' } }),
  })
  const answers: string[] = []
  for (const target of ['site-contract', 'deploy-hook', 'deployed']) {
    const time = stillClock(noon)
    const setup = await withDraft(t, {
      env: { ...env, PUBLISH_TARGET: target },
      plugins: [deployed],
      time,
      more: { log: logger },
    })
    for (const siteOrigin of [site.origin, gone])
      answers.push(
        (await setup.publish({ siteOrigin })).text,
        (await setup.get('/publish/diff', { siteOrigin })).text,
      )
    time.advance(5_000)
    answers.push((await setup.get('/publish/status')).text, (await setup.get('/publish/log')).text)
  }
  t.ok(answers.length > 12 && lines.length > 3)
  t.notMatch(answers.join('\n'), /canary/)
  t.notMatch(lines.join('\n'), /canary/)
})

t.test('a thousand pages are published without holding everybody up', async (t) => {
  const pages = Array.from({ length: 1000 }, (_, n) =>
    page(n === 0 ? '/' : `/page-${n}`, 'Hello', { text: 'words '.repeat(200) }),
  )
  const site = await startWebsite(t, { pages })
  const setup = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } }, pages)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  t.equal((await setup.publish({ siteOrigin: site.origin })).status, 200)
  t.equal((await setup.get('/publish/diff', { siteOrigin: site.origin })).status, 200)
  delay.disable()
  const longest = delay.max / 1e6
  t.comment(`longest pause ${longest.toFixed(0)} ms`)
  t.ok(longest < 400, `the longest pause was ${longest.toFixed(0)} ms`)
})

t.test('a publish that is under way when the service stops is broken off and logged', async (t) => {
  const { answer, rows } = await stopped
  t.equal(answer.status, 502)
  t.match(answer.json(), { status: 'failed', error: /stopped.*Publish again/ })
  t.match(rows, [{ status: 'failed', target: 'endless', error: /stopped/ }])
})
