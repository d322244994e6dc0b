import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { give, mount, use } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, oneWayIn, openGates, stillClock } from '../../kernel/testing.ts'
import auth from '../../plugins/auth/index.ts'
import { contentAdapter, type ContentAdapter } from '../../plugins/content/adapter.ts'
import demo from '../../plugins/demo/index.ts'
import { createPublishLog } from '../../plugins/publish/log.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { PublishOutcome } from '../../plugins/publish/port.ts'
import {
  type Answering,
  at,
  done,
  fields,
  goneOrigin,
  inHouse,
  lastRow,
  log,
  noon,
  page,
  publishing,
  readable,
  type Setup,
  startWebsite,
  status,
  twoPages,
  withDraft,
} from '../helpers/publishing.ts'
import { inPassingTime } from '../helpers/passing-time.ts'
import { editor } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'
import { emptyList } from '../helpers/plain.ts'
import { until } from '../helpers/until.ts'

t.test('a publish that is running when the service stops is aborted and logged', async (t) => {
  const storage = createMemoryStore()
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
    ...publishing({ plugins: [endless], storage }),
  })
  const edit = editor((request) => mounted.inject(request), at)
  await edit.bootstrap(twoPages)
  const answer = await inPassingTime(async () => {
    const published = edit.send('/publish')
    await called.promise
    await mounted.close()
    return published
  })
  t.equal(answer.status, 502)
  t.match(answer.json(), { status: 'failed', error: /stopped.*Publish again/ })
  const rows = await createPublishLog(storage).list(at, 5)
  t.match(rows, [{ status: 'failed', target: 'endless', error: /stopped/ }])
})

t.test('the content of a draft is returned completely, home first, for a required site', (t) =>
  everyWayIn(t, publishing, async (t, ask) => {
    const { bootstrap, config } = editor(ask, { session: ' dev ', siteId: 'Acme!' })
    for (const query of ['', '?siteId=%20']) {
      const refused = await ask({ url: `/publish/content${query}` })
      t.match(refused.json(), { error: 'siteId is required', code: 'invalid_request' })
    }
    const empty = { session: 'dev', slugs: [], pages: [], siteConfig: {}, generatedAt: noon }
    t.strictSame((await ask({ url: '/publish/content?siteId=acme' })).json(), empty)
    await bootstrap(twoPages)
    await config({ name: 'Acme', navLabels: { '/': 'Start' } })
    const answer = await ask({ url: '/publish/content?siteId=ACME&session=%20dev' })
    const pages = [{ slug: '/', blocks: [{ props: { heading: 'Hello' } }] }, { slug: '/about' }]
    t.match(answer.json(), { session: 'dev', slugs: ['/', '/about'], pages })
    t.strictSame(fields(answer)['siteConfig'], { name: 'Acme', navLabels: { '/': 'Start' } })
    t.equal((await ask({ url: '/publish/content?siteId=acme&session=a::b' })).status, 400)
  }),
)

t.test('a locked demo fetches no website for visitors', (t) =>
  oneWayIn(
    t,
    () => publishing({ plugins: [use(demo)], env: { DEMO_MODE: '1' } }),
    async (t, ask) => {
      const named = { siteOrigin: 'https://site.example' }
      const { get, send } = editor(ask, at)
      for (const refused of [
        await get('/publish/diff', named),
        await send('/publish/diff', named),
        await send('/publish', named),
      ]) {
        t.equal(refused.status, 403)
        t.match(refused.json(), { code: 'demo_disabled' })
      }
      t.equal((await get('/publish/content')).status, 200)
    },
  ),
)

t.test('a diff gives the same response to GET and POST', async (t) => {
  const site = await startWebsite(t, { pages: [page('/'), page('/gone')] })
  await oneWayIn(
    t,
    () => publishing({ env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } }),
    async (t, ask) => {
      const edit = editor(ask, at)
      await edit.bootstrap([page('/', 'New'), page('/about')])
      const got = await edit.get('/publish/diff', { siteOrigin: ` ${site.origin}/ ` })
      const pages = { pagesAdded: 1, pagesRemoved: 1, pagesModified: 1, pagesUnchanged: 0 }
      const fieldDiffs = [{ path: 'heading', before: 'Hello', after: 'New', kind: 'text' }]
      t.match(got.json(), {
        baselineAvailable: true,
        summary: { ...pages, totalChangedFields: 1, siteConfigChangedFields: 0 },
        pages: [
          { slug: '/about', status: 'added' },
          { slug: '/', status: 'modified', blockDiffs: [{ status: 'modified', fieldDiffs }] },
          { slug: '/gone', status: 'removed' },
        ],
        siteConfig: { status: 'unchanged', fieldDiffs: emptyList },
      })
      t.strictSame((await edit.send('/publish/diff', { siteOrigin: site.origin })).json(), got.json())
      const wrong = (await edit.send('/publish/diff', { siteOrigin: 7 })).json()
      t.match(wrong, { code: 'invalid_request', reason: /siteOrigin/ })
    },
  )
})

t.test('siteOrigin must be listed; a registered address is accepted outside production only', async (t) => {
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
    const twin = site.origin.replace('127.0.0.1', 'localhost')
    const both = async (siteOrigin?: string) => {
      const named = siteOrigin === undefined ? {} : { siteOrigin }
      const answers = [await setup.get('/publish/diff', named), await setup.publish(named)]
      return answers.map((answer) => answer.status)
    }
    for (const siteOrigin of [site.origin, `${site.origin}/path?x`, twin])
      t.strictSame(await both(siteOrigin), [200, 200], siteOrigin)
    t.strictSame(await both(registered.origin), production ? [400, 400] : [200, 200])
    const elsewhere =
      'http://169.254.169.254 http://127.0.0.1:1 https://example.com ftp://x javascript:1 nonsense //x'
    const hosts = '127.0.0.2 [::1] localhost. [::ffff:127.0.0.1] 127.0.0.1.evil.test user:secret@127.0.0.1'
    const hostile = [
      ...elsewhere.split(' '),
      ...hosts.split(' ').map((host) => site.origin.replace('127.0.0.1', host)),
      site.origin.replace('http:', 'https:'),
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
    t.strictSame(await both(), production ? [200, 400] : [200, 200])
    t.equal(registered.seen.length > before, !production, 'production calls no registered address')
    const targets = new Set((await log(setup)).map(({ target }) => target))
    t.strictSame(targets, new Set(['site-contract']), 'refused publishes are not logged')
  }
  const listed = await withDraft(t, {
    env: { NODE_ENV: 'production', FETCH_ALLOWED_ORIGINS: registered.origin },
  })
  await listed.send('/sites/register', { name: 'Acme', previewUrl: registered.origin })
  t.equal((await listed.publish()).status, 200, 'in production, if the operator lists the registered address')
})

t.test('the first baseline that applies is used, also when it fails', async (t) => {
  const dir = t.testdir({
    'array.json': JSON.stringify([page('/from-file')]),
    'wrapper.json': JSON.stringify({ pages: [page('/from-file')], siteConfig: { name: 'File' } }),
    'broken.json': '[{]',
  })
  const named = await startWebsite(t, [page('/from-named')])
  const registered = await startWebsite(t, { pages: [page('/from-registered')] })
  const adapter: ContentAdapter = { readContent: async () => ({ pages: [page('/from-adapter')] }) }
  const Pages = v.array(v.looseObject({ slug: v.string(), status: v.string() }))
  const Diff = v.looseObject({ baselineAvailable: v.boolean(), pages: Pages })
  const sourceOf = async (setup: Pick<Setup, 'get'>, query = {}) => {
    const { baselineAvailable, pages } = v.parse(Diff, (await setup.get('/publish/diff', query)).json())
    const found = pages.find(({ slug, status }) => slug.startsWith('/from-') && status !== 'added')
    return baselineAvailable ? found?.slug : 'unavailable'
  }
  const env = { ORCHESTRATOR_CORS_ORIGINS: named.origin, PUBLISHED_CONTENT_PATH: join(dir, 'array.json') }
  const library = {
    env: { ...env, ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: [give(contentAdapter, adapter)],
  }
  const mounted = await withDraft(t, library)
  t.equal(await sourceOf(mounted, { siteOrigin: named.origin }), '/from-named')
  t.equal(await sourceOf(mounted), '/from-adapter')
  const other = editor((request) => mounted.mounted.inject(request), { session: 'dev', siteId: 'other' })
  await other.bootstrap(twoPages)
  t.equal(await sourceOf(other), '/from-file', 'the adapter is used for its own site only')

  const filed = await withDraft(t, { env })
  await filed.send('/sites/register', { name: 'Acme', previewUrl: registered.origin })
  t.equal(await sourceOf(filed), '/from-file')
  await filed.publish()
  const compared = { diffSummary: { added: 2, removed: 1, changed: 0 } }
  t.match(await lastRow(filed), compared, 'a publish compares with the same baseline')
  t.equal(registered.asked(), 0)
  const wrapped = await withDraft(t, { env: { PUBLISHED_CONTENT_PATH: join(dir, 'wrapper.json') } })
  const sameHeader = { summary: { pagesRemoved: 1 }, siteConfig: { status: 'unchanged', fieldDiffs: [] } }
  t.match((await wrapped.get('/publish/diff')).json(), sameHeader, 'without a config there is no header diff')

  const live = await withDraft(t)
  t.equal(await sourceOf(live), 'unavailable', 'nothing to compare with')
  await live.send('/sites/register', { name: 'Registered', previewUrl: registered.origin })
  t.equal(await sourceOf(live), '/from-registered')

  const target = await withDraft(t, { plugins: [inHouse({ name: 'archive' })] })
  await target.publish()
  await target.bootstrap([page('/', 'Changed'), page('/new')], { overwrite: true })
  const summary = { pagesAdded: 1, pagesModified: 1, pagesUnchanged: 1 }
  t.match((await target.get('/publish/diff')).json(), { summary }, 'the newest publish')

  const unsafe = '{"pages":[],"__proto__":{}}'
  const failures: readonly Answering[] = [
    { status: 500, body: {} },
    { status: 200, body: '<html>' },
    { status: 200, body: { pages: 'none' } },
    { status: 200, headers: { 'content-type': 'application/json' }, body: unsafe },
  ]
  const nothing = { baselineAvailable: false, pages: [], siteConfig: { status: 'unchanged', fieldDiffs: [] } }
  for (const answer of failures) {
    registered.answers.pages = answer
    t.match((await live.get('/publish/diff')).json(), nothing, JSON.stringify(answer))
  }
  for (const broken of ['broken.json', 'missing.json']) {
    const plugins = [inHouse({ name: 'archive' })]
    const setup = await withDraft(t, { env: { PUBLISHED_CONTENT_PATH: join(dir, broken) }, plugins })
    await setup.publish()
    t.match((await setup.get('/publish/diff')).json(), nothing, 'an unusable file is not skipped')
  }
  const failing: ContentAdapter = { readContent: () => Promise.reject(new Error('the CMS is down')) }
  const down = await withDraft(t, { ...library, seeds: [give(contentAdapter, failing)] })
  t.match((await down.get('/publish/diff')).json(), nothing)
})

t.test('publishes of one site are serialized across sessions, and other sites do not wait', async (t) => {
  const waiting: { readonly key: string; readonly finish: () => void }[] = []
  const slow = inHouse({
    name: 'slow',
    publish: ({ key }) => new Promise((resolve) => void waiting.push({ key, finish: () => resolve(done) })),
  })
  const setup = await withDraft(t, { plugins: [slow] })
  const session = editor((request) => setup.mounted.inject(request), { ...at, session: 'other' })
  const other = editor((request) => setup.mounted.inject(request), { ...at, siteId: 'other' })
  for (const draft of [session, other]) await draft.bootstrap(twoPages)
  const first = setup.publish()
  await until(() => waiting.length >= 1, 'the first publish')
  const second = session.send('/publish')
  const third = other.send('/publish')
  await until(() => waiting.length >= 2, 'two publishes')
  t.match(waiting, [{ key: 'acme::dev' }, { key: 'other::dev' }])
  waiting[0]?.finish()
  await first
  await until(() => waiting.length >= 3, 'the publish that waited')
  t.equal(waiting[2]?.key, 'acme::other')
  for (const { finish } of waiting) finish()
  t.match(await Promise.all([second, third]), [{ status: 200 }, { status: 200 }])
  t.strictSame([(await log(setup)).length, (await log(session)).length], [1, 1])
})

t.test('a publish whose client disconnected is finished and logged', async (t) => {
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
  await until(() => signals.length > 0, 'the publish')
  gone.abort()
  t.equal(signals[0]?.aborted, false)
  finish()
  await answer
  t.match(await lastRow(setup), { status: 'success' })
  t.equal((await log(setup)).length, 1)
})

t.test('the log keeps 200 rows of a draft in order, and survives a restart', async (t) => {
  const storage = createMemoryStore()
  const options = { plugins: [inHouse({ name: 'archive' })], storage }
  const setup = await withDraft(t, options)
  const ids: string[] = []
  for (let n = 0; n < 203; n++) {
    await setup.publish()
    ids.push((await lastRow(setup))?.id ?? '')
  }
  t.equal(new Set(ids).size, 203)
  const idsIn = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const limits = { '': 50, 7: 7, 101: 100, 2.9: 2, 0: 50, '-1': 50, x: 50 }
  for (const [limit, count] of Object.entries(limits))
    t.strictSame(idsIn(await log(setup, { limit })), ids.slice(-count), `limit ${limit}`)
  t.strictSame(idsIn(await createPublishLog(storage).list(at, 1000)), ids.slice(-200))
  const later = await withDraft(t, options, [])
  t.strictSame(idsIn(await log(later, { limit: '100' })), ids.slice(-100), 'after a restart')
  t.match(await status(later), { status: 'ready' })
  const other = editor((request) => later.mounted.inject(request), { ...at, session: 'other' })
  t.strictSame(await log(other), [], 'of this draft only')
})

t.test('a publish without a status from the host counts as ready after its grace time', async (t) => {
  const time = stillClock(noon)
  const triggered = (tracker: PublishOutcome['tracker']) =>
    inHouse({ name: 'started', publish: async () => ({ ...done, status: 'triggered', tracker }) })
  const hosted = { vercelState: 'TRIGGERED' }
  for (const [grace, seconds, tracker, after] of [
    ['', 120, hosted, { status: 'triggered', vercelState: 'READY' }],
    ['0', 120, hosted, { status: 'triggered', vercelState: 'READY' }],
    ['5', 5, {}, { status: 'ready', vercelState: undefined }],
  ] as const) {
    const env = { PUBLISH_GRACE_SECONDS: grace }
    const setup = await withDraft(t, { plugins: [triggered(tracker)], time, env })
    const none = await setup.get('/publish/status')
    t.match([none.status, none.json()], [404, { error: readable, code: 'not_found', reason: readable }])
    await setup.publish()
    await setup.publish()
    time.advance(seconds * 1000 - 1)
    t.match(await status(setup), { status: 'triggered', ...tracker })
    t.match(await lastRow(setup), { status: 'triggered' })
    time.advance(1)
    const now = time.now().toISOString()
    t.match(await status(setup), { ...after, updatedAt: now })
    const rows = await log(setup)
    t.match(rows, [{ status: 'triggered' }, { status: 'success', updatedAt: now }], 'the newest row only')
    time.advance(1000)
    await status(setup)
    t.strictSame(await log(setup), rows, 'a settled row is unchanged')
    time.advance(24 * 60 * 60 * 1000)
    t.equal((await setup.get('/publish/status')).status, 404, 'after a day nothing is tracked')
  }
})

t.test('the deployment status is polled from the hosting API, rarely and with its token', async (t) => {
  const time = stillClock(noon)
  let answer: Answering = { status: 200, body: { readyState: 'building' } }
  const api = await startSite(t, (_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  const tracker = { vercelState: 'QUEUED', deploymentId: 'dpl_1' }
  const deployed = inHouse({
    name: 'deployed',
    publish: async () => ({ ...done, status: 'triggered', tracker }),
  })
  const env = { VERCEL_BASE_URL: `${api.origin}/`, VERCEL_TOKEN: 'canary-vercel', VERCEL_TEAM_ID: 'team 1' }
  const setup = await withDraft(t, { plugins: [deployed], time, env })
  await setup.publish()
  const look = async (milliseconds = 3_000) => (time.advance(milliseconds), await status(setup))
  t.match(await look(0), { vercelState: 'QUEUED' }, 'not polled immediately')
  const many = await Promise.all(Array.from({ length: 5 }, () => look(1_000)))
  t.match(many.at(-1), { vercelState: 'BUILDING' })
  t.equal(api.seen.length, 1, 'several editors share one request')
  t.match(api.seen[0], {
    url: '/v13/deployments/dpl_1?teamId=team%201',
    headers: { authorization: 'Bearer canary-vercel' },
  })
  await look(2_999)
  t.equal(api.seen.length, 1)
  const building = { vercelState: 'BUILDING' }
  answer = { status: 403, body: {} }
  t.match(await look(), { ...building, lastCheckError: 'vercel_api_403' })
  answer = { status: 200, body: '<html>' }
  t.match(await look(), { ...building, lastCheckError: 'fetch_error' })
  answer = { status: 200, body: { state: 'building' } }
  t.match(await look(10 * 60_000), { ...building, lastCheckError: undefined }, 'no grace time applies')
  const asked = api.seen.length
  t.match(await look(60 * 60_000), { ...building, status: 'triggered' }, 'an unknown status stays unknown')
  t.equal(api.seen.length, asked, 'and polling ends after an hour')

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
      error: expected === 'failed' ? /^The deployment ended as [A-Z]+\. / : undefined,
    })
    const before = api.seen.length
    await look()
    t.equal(api.seen.length, before, 'a settled deployment is not polled')
  }
  t.notMatch(JSON.stringify([await status(setup), await log(setup)]), /canary/)
})

t.test('a log row has a summary of what was published', async (t) => {
  const setup = await withDraft(t, { plugins: [inHouse({ name: 'archive' })] }, [page('/')])
  const after = async (change: () => unknown, summary: RegExp, message?: string) => {
    await change()
    const answer = await setup.publish()
    if (message !== undefined)
      t.match(answer.json(), { message }, 'with titles, and nothing else that was sent')
    t.match(await lastRow(setup), { summary, status: 'success' })
  }
  const pagesOf = (slugs: readonly string[]) => slugs.map((slug) => page(slug, `Hello ${Math.random()}`))
  const add = (...slugs: readonly string[]) => setup.bootstrap(pagesOf(slugs), { overwrite: true })
  const remove = (...slugs: readonly string[]) =>
    setup.ops(slugs.map((pageSlug) => ({ op: 'remove_page', pageSlug })))
  await after(
    () => undefined,
    /^Published the draft with 1 page; what that changes is not known$/,
    'Published the draft with 1 page; what that changes is not known.',
  )
  t.equal('diffSummary' in ((await lastRow(setup)) ?? {}), false, 'nothing to compare with')
  await after(() => undefined, /no content changes/i)
  await after(() => add('/'), /^Published: updated Home$/)
  await after(() => add('/b/c', '/', '/a'), /^Published: added a and b\/c; updated Home$/)
  await after(() => add('/', '/a', '/b/c', '/d'), /^Published: added d; updated Home, a and b\/c$/)
  await after(() => remove('/d'), /^Published: removed d$/)
  await after(() => remove('/a', '/b/c'), /^Published: removed 2 pages$/)
  await after(async () => (await add('/x'), await setup.retitle('/', 'New')), /: added x; updated Home$/)
  await after(async () => (await add('/y'), await remove('/x')), /^Published: added y; removed x$/)
  t.match(await lastRow(setup), {
    diffSummary: { added: 1, removed: 1, changed: 0 },
    pageCount: 2,
    slugs: ['/', '/y'],
  })
  await after(() => setup.config({ name: 'Acme' }), /^Published: updated the site settings$/)
  await setup.retitle('/', 'Welcome')
  await setup.retitle('/y', 'Old news')
  await setup.publish()
  const change = async () => (
    await remove('/y'),
    await add('/z'),
    await setup.retitle('/z', 'Fresh'),
    await setup.config({ name: 'B' })
  )
  const summary = /^Published: added z; removed y; updated the site settings$/
  const message = 'Published: added Fresh; removed Old news; updated the site settings.'
  await after(change, summary, message)
  t.match(await lastRow(setup), { changes: { titles: { '/z': 'Fresh', '/y': 'Old news' } } })
  await after(() => undefined, /no content/, 'Republished with no content changes.')
})

t.test('the publish token is required if one is configured', async (t) => {
  const gates = openGates.filter(({ ref }) => ref.id === 'none')
  const setting = () =>
    publishing({
      gates,
      plugins: [use(auth), inHouse({ name: 'archive' })],
      env: { PUBLISH_TOKEN: 'right-token' },
    })
  await oneWayIn(t, setting, async (t, ask) => {
    const edit = editor(ask, at)
    await edit.bootstrap(twoPages)
    const tokens = ['', 'wrong-token', 'right-toke\u00e9'].map((token) => ({ 'x-publish-token': token }))
    for (const headers of [{}, ...tokens, { authorization: 'Bearer right-token' }]) {
      const answer = await edit.send('/publish', {}, headers)
      t.match([answer.status, answer.json()], [401, { error: /x-publish-token/, reason: /PUBLISH_TOKEN/ }])
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
