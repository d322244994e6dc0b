import t from 'tap'
import * as v from 'valibot'
import { give, type Injected } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, oneWayIn, mountForTest, stillClock } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { demoPages } from '../helpers/demo-pages.ts'
import { Page } from '../../plugins/content/page.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { bodyOf, draftsInMemory, editor, openDrafts, refused, statusOf, textBlock } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'
import { emptyList } from '../helpers/plain.ts'
import { until } from '../helpers/until.ts'

const threePages = [pageOf('/about', [textBlock('b_1', 'About us')]), pageOf('/'), pageOf('/prices')]

// Draft keys -----------------------------------------------------------------------------------------------------

t.test('all spellings of a site and a session refer to one draft', async (t) => {
  const { ask } = openDrafts(t)
  const configOf = (siteId: string, session: string) =>
    bodyOf(editor(ask, { siteId, session }).get('/draft/site-config'))
  const legacy = 'avocado-stories'
  const long = 'x'.repeat(200)
  const rows: readonly (readonly [siteId: unknown, session: unknown, meant: readonly [string, string]])[] = [
    ['My Site!', 'dev', ['my-site', 'dev']],
    ['test@#$site', 'dev', ['test-site', 'dev']],
    ['--test--', 'dev', ['test', 'dev']],
    ['a--b', 'dev', ['a--b', 'dev']],
    ['!!!', 'dev', [legacy, 'dev']],
    ['', 'dev', [legacy, 'dev']],
    [undefined, 'dev', [legacy, 'dev']],
    ['default', 'dev', [legacy, 'dev']],
    ['Default', 'dev', [legacy, 'dev']],
    [' ACME\t', 'dev', ['acme', 'dev']],
    ['__acme__', 'dev', ['__acme__', 'dev']],
    ['ärzte', 'dev', ['rzte', 'dev']],
    ['x'.repeat(64), 'dev', ['x'.repeat(64), 'dev']],
    [`--${'x'.repeat(64)}!`, 'dev', ['x'.repeat(64), 'dev']],
    ['acme', ' mine ', ['acme', 'mine']],
    ['acme', 'Mine', ['acme', 'Mine']],
    ['acme', 'a:b c/d', ['acme', 'a:b c/d']],
    ['acme', long, ['acme', long]],
    ['acme', 'acme::mine', ['acme', 'mine']],
    ['Acme!', 'acme::mine', ['acme', 'mine']],
    [undefined, `${legacy}::mine`, [legacy, 'mine']],
  ]
  for (const [at, [siteId, session, [site, name]]] of rows.entries()) {
    const json = { siteId, session, config: { name: `row ${at}` } }
    t.equal(await statusOf(ask({ method: 'PUT', url: '/draft/site-config', json })), 200, `row ${at}`)
    t.match(await configOf(site, name), { name: `row ${at}` }, `row ${at} means ${site.slice(0, 20)}`)
  }
  t.same(await configOf('acme', 'mine'), { name: 'row 19' }, 'the last writer of one draft')
  t.same(await configOf('acme', 'MINE'), {}, 'the case of a session counts')
})

t.test(
  'a session that names the draft of another site, or is too long, is refused on every route',
  async (t) => {
    const { ask } = openDrafts(t)
    const rows: readonly [what: string, siteId: string, session: string, reason: RegExp][] = [
      ['another site', 'acme', 'other::dev', /session must be/],
      ['a key without a site', '', 'acme::dev', /session must be/],
      ['a site twice', 'acme', 'acme::acme::dev', /session must be/],
      ['a separator at the end', 'acme', 'dev::', /session must be/],
      ['201 characters', 'acme', 'x'.repeat(201), /at most 200/],
      ['a control character', 'acme', 'a\u0007b', /control characters/],
      ['65 characters of a site', 'x'.repeat(65), 'dev', /siteId must be at most 64/],
    ]
    const reads = '/draft/pages /draft/slugs /draft/site-config /history/status /history/log /events'.split(
      ' ',
    )
    for (const [what, siteId, session, reason] of rows) {
      const asker = editor(ask, { siteId, session })
      const answers = [
        ...(await Promise.all(reads.map((path) => asker.get(path, { slug: '/' })))),
        await asker.bootstrap([pageOf('/')]),
        await asker.config({ name: 'x' }),
        await asker.ops([{ op: 'create_page', page: { slug: '/' } }]),
        await asker.undo('/'),
        await asker.redo('/'),
        await asker.send('/history/restore', { targetVersion: 1 }),
        await asker.send('/history/discard'),
      ]
      for (const answer of answers)
        t.match(refused(answer), { status: 400, code: 'invalid_request', error: reason, reason }, what)
    }
  },
)

t.test('the site of a request that names none can be configured', async (t) => {
  const { ask } = openDrafts(t, { env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'Home Site' } })
  await editor(ask, {}).bootstrap([pageOf('/')])
  for (const siteId of ['home-site', 'default', ''])
    t.same(await editor(ask, { siteId, session: 'dev' }).slugs(), ['/'], siteId)
  t.same(await editor(ask, { siteId: 'avocado-stories', session: 'dev' }).slugs(), [])
})

// Reads ------------------------------------------------------------------------------------------------------------

t.test('a page is returned as stored, and a list with home first', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { get, bootstrap, ops } = editor(ask)
    const meta = { title: 'M', robots: 'noindex' }
    const noted = { ...textBlock('b_1', 'About'), note: { deep: [1] } }
    const odd = { ...pageOf('/about', [noted], { meta }), theme: { dark: true } }
    await bootstrap([odd, pageOf('/'), pageOf('/prices', [textBlock('b_2', 'x'), textBlock('b_3', 'y')])])

    const page = await get('/draft/pages', { slug: '/about' })
    t.equal(page.status, 200)
    t.strictSame(page.json(), odd, 'unknown keys are content and stay')
    t.match(Object.fromEntries(page.headers), {
      etag: '"1"',
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: /Origin/,
    })

    const list = await get('/draft/slugs')
    t.equal(list.headers.get('etag'), '"1"')
    const updatedAt = '2026-01-01T00:00:00.000Z'
    const row = (slug: string, title: string, blockCount: number) => ({ slug, title, updatedAt, blockCount })
    t.strictSame(list.json(), {
      slugs: ['/', '/about', '/prices'],
      pages: [row('/', 'Home', 0), row('/about', 'about', 1), row('/prices', 'prices', 2)],
    })

    await ops([{ op: 'update_props', pageSlug: '/about', blockId: 'b_1', patch: { body: 'New' } }])
    const edited = await bodyOf(get('/draft/pages', { slug: '/about' }))
    const blocks = [{ note: { deep: [1] }, props: { body: 'New', title: 'Text' } }]
    t.match(edited, { theme: { dark: true }, meta, blocks }, 'an edit keeps them')
  }),
)

t.test('a request that names no session, or a blank one, means dev, on every route', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const dev = editor(ask)
    await dev.bootstrap([pageOf('/', [textBlock('b_1', 'Text')], { title: 'Home' })])
    for (const [named, session] of Object.entries({ nothing: {}, blank: { session: ' ' } })) {
      const same = editor(ask, { siteId: 'acme', ...session })
      await same.retitle('/', `By ${named}`)
      t.equal((await dev.page('/')).title, `By ${named}`)
      await same.config({ name: `Site of ${named}` })
      for (const [url, query] of [
        ['/draft/pages', { slug: '/' }],
        ['/draft/slugs'],
        ['/draft/site-config'],
        ['/history/status', { slug: '/' }],
        ['/history/log'],
        ['/publish/diff'],
        ['/publish/log'],
      ] as const) {
        const answer = await same.get(url, query)
        t.equal(answer.status, 200, url)
        t.same(answer.json(), (await dev.get(url, query)).json(), `${url} by ${named}`)
      }
      for (const [url, body] of [
        ['/history/undo', { slug: '/' }],
        ['/history/redo', { slug: '/' }],
        ['/history/restore', { targetVersion: 2 }],
      ] as const) {
        t.equal(await statusOf(same.send(url, body)), 200, `${url} by ${named}`)
      }
    }
  }),
)

t.test('reads refuse missing parameters, and create nothing', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const rows: readonly [url: string, status: number, error: string | RegExp][] = [
      ['/draft/pages', 400, 'slug is required'],
      ['/draft/pages?session=dev', 400, 'slug is required'],
      ['/draft/pages?session=dev&slug=', 400, 'slug is required'],
      ['/draft/pages?session=dev&session=x&slug=/', 400, /'session' is given more than once/],
      ['/draft/pages?session=dev&slug=/', 404, /no page '\/'/],
      ['/draft/pages?session=dev&slug=__proto__', 404, /no page '__proto__'/],
      ['/draft/slugs?siteId=a&siteId=b', 400, /'siteId' is given more than once/],
      ['/history/status?session=dev', 400, 'slug is required'],
    ]
    for (const [url, status, error] of rows) {
      t.match(refused(await ask({ url })), { status, reason: error }, url)
    }
    const notice = /no address of the site 'avocado-stories' is known.*previewUrl/
    t.match(await bodyOf(ask({ url: '/draft/slugs' })), {
      slugs: emptyList,
      pages: emptyList,
      notice,
      message: notice,
    })
    t.strictSame(await bodyOf(ask({ url: '/draft/site-config?session=dev' })), {})
    const status = await bodyOf(ask({ url: '/history/status?session=dev&slug=/' }))
    t.strictSame(status, { canUndo: false, canRedo: false })
    t.strictSame(await bodyOf(ask({ url: '/history/log?session=dev' })), { entries: [], currentVersion: 0 })
  }),
)

t.test('a client with the current version gets 304 without a body', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const { get, bootstrap, retitle } = editor(ask)
    await bootstrap(threePages)
    for (const [path, query] of [
      ['/draft/pages', { slug: '/about' }],
      ['/draft/slugs', {}],
    ] as const) {
      for (const known of ['"1"', 'W/"1"', '"0", "1"', '*']) {
        const answer = await get(path, query, { 'if-none-match': known })
        t.same(
          [answer.status, answer.text, answer.headers.get('etag'), answer.headers.get('cache-control')],
          [304, '', '"1"', 'private, no-cache'],
          `${path} ${known}`,
        )
      }
      for (const known of ['"0"', '"2"', '1', '"01"'])
        t.equal(await statusOf(get(path, query, { 'if-none-match': known })), 200, `${path} ${known}`)
    }
    t.equal(await statusOf(get('/draft/pages', { slug: '/nowhere' }, { 'if-none-match': '"1"' })), 404)
    await retitle('/about', 'New')
    t.equal(await statusOf(get('/draft/slugs', {}, { 'if-none-match': '"1"' })), 200)
    const head = await ask({ method: 'HEAD', url: '/draft/slugs?session=dev&siteId=acme' })
    t.same([head.status, head.headers.get('etag'), head.text], [200, '"2"', ''])
  }),
)

t.test('a page is never newer than the version sent with it', async (t) => {
  const { get, bootstrap, retitle } = openDrafts(t)
  await bootstrap([pageOf('/', [], { title: '1' })])
  const edits = Promise.all(Array.from({ length: 40 }, (_, at) => retitle('/', String(at + 2))))
  const seen: Promise<Injected>[] = []
  for (let at = 0; at < 40; at++) {
    seen.push(get('/draft/pages', { slug: '/' }))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await edits
  for (const answer of await Promise.all(seen)) {
    const { title } = v.parse(Page, answer.json())
    const version = Number(answer.headers.get('etag')?.slice(1, -1))
    t.ok(Number(title) >= version, `version ${version} is not ahead of title ${title}`)
  }
  t.equal((await get('/draft/pages', { slug: '/' })).headers.get('etag'), '"41"')
})

// Bootstrap --------------------------------------------------------------------------------------------------------

t.test('a bootstrap creates, replaces or skips pages as the table says', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const empty = editor(ask, { session: 'empty', siteId: 'acme' })
    const none = { status: 'skipped', reason: 'no_pages', slugs: [] }
    for (const pages of [undefined, null, [], {}, 'text', 7]) {
      for (const overwrite of [false, true])
        t.strictSame(await bodyOf(empty.bootstrap(pages, { overwrite })), none, JSON.stringify(pages))
    }
    t.strictSame(await bodyOf(ask({ method: 'POST', url: '/draft/bootstrap' })), none, 'without a body')
    const bad = await empty.bootstrap([{ slug: '/' }, 7, null, { ...pageOf('/x'), title: '' }])
    t.match(refused(bad), { status: 400, code: 'invalid_pages', error: /page document/ })
    t.match(bad.json(), {
      refused: [{ slug: '/' }, { slug: 'pages[1]' }, { slug: 'pages[2]' }, { slug: '/x', reason: /title/ }],
    })
    t.equal(await empty.version(), 0, 'none of these is a change')

    const dev = editor(ask)
    const later = pageOf('/b', [], { title: 'Later' })
    const first = await dev.bootstrap([pageOf('/b'), pageOf('/'), { slug: '/broken' }, later, pageOf('/a')])
    t.equal(first.status, 200)
    t.match(first.json(), {
      status: 'bootstrapped',
      count: 4,
      slugs: ['/', '/b', '/a'],
      previewVersion: 1,
      refused: [{ slug: '/broken', reason: /title/ }],
    })
    t.equal((await dev.page('/b')).title, 'Later', 'the later of two pages with the same slug wins')

    const skipped = { status: 'skipped', reason: 'already_initialized', slugs: ['/', '/b', '/a'] }
    for (const overwrite of [undefined, false, 'true', 1, null])
      t.strictSame(await bodyOf(dev.bootstrap([pageOf('/c')], { overwrite })), skipped, String(overwrite))
    const newest = pageOf('/b', [], { title: 'Newest' })
    const replaced = { status: 'bootstrapped', count: 2, previewVersion: 2, refused: [] }
    const again = await bodyOf(dev.bootstrap([pageOf('/c'), newest], { overwrite: true }))
    t.match(again, { ...replaced, slugs: ['/', '/b', '/a', '/c'] }, 'others stay, positions too')
    const steps = async (slug: string) => bodyOf(dev.get('/history/status', { slug }))
    t.same(await steps('/b'), { canUndo: true, canRedo: false }, 'a replaced page can be restored')
    t.same(await steps('/c'), { canUndo: false, canRedo: false }, 'a new one cannot be undone')
    t.match(await bodyOf(dev.get('/history/log')), {
      entries: [
        { version: 1, source: 'bootstrap' },
        { version: 2, source: 'bootstrap', slug: '/b', slugs: ['/c', '/b'] },
      ],
    })

    const old = pageOf('/old', [{ id: 'b_h', type: 'Hero', props: { heading: 'Hi' } }])
    await dev.bootstrap([old], { overwrite: true, session: 'repaired' })
    const [repaired] = (await editor(ask, { session: 'repaired', siteId: 'acme' }).page('/old')).blocks
    const image = { imageUrl: '/hero-generated.svg', imageAlt: String }
    t.match(repaired?.props, image, 'older content is repaired on import')

    const restamped = pageOf('/c', [], { updatedAt: '2030-01-01T00:00:00.000Z' })
    const same = await bodyOf(dev.bootstrap([restamped], { overwrite: true }))
    t.match(same, { status: 'bootstrapped', count: 1, previewVersion: 2 }, 'existing pages change nothing')
  }),
)

t.test('a bootstrap treats non-strings as defaults, and returns its session', async (t) => {
  const { ask } = openDrafts(t)
  const json = { session: 7, siteId: ['x'], pages: [pageOf('/')], siteOrigin: 7 }
  t.match(await bodyOf(ask({ method: 'POST', url: '/draft/bootstrap', json })), { status: 'bootstrapped' })
  t.same(await editor(ask, { session: 'dev', siteId: 'default' }).slugs(), ['/'])
})

t.test('pages that state another origin than the registered one are refused, with both named', async (t) => {
  const { ask, bootstrap, send } = openDrafts(t)
  const register = (previewUrl: string, session = 'dev') =>
    ask({
      method: 'POST',
      url: '/sites/register',
      json: { siteId: 'acme', name: 'Acme', session, previewUrl },
    })
  const from = async (siteOrigin: unknown) => bodyOf(bootstrap([pageOf('/')], { siteOrigin }))
  const unregistered = await from('http://anywhere.test')
  t.match(unregistered, { status: 'bootstrapped' }, 'without a registration any origin is accepted')
  await register('http://localhost:2/base')
  const local = 'http://localhost:2'
  for (const siteOrigin of [undefined, '', local, 'http://127.0.0.1:2/deep?x', 'http://LOCALHOST:2']) {
    t.match(await from(siteOrigin), { reason: 'already_initialized' }, String(siteOrigin))
  }
  for (const siteOrigin of [
    `${local.slice(0, -1)}1`,
    'https://localhost:2',
    'http://evil.test',
    'no address',
  ]) {
    for (const field of ['siteOrigin', 'origin']) {
      const body = { pages: [pageOf('/x')], overwrite: true, [field]: siteOrigin }
      const refusal = refused(await send('/draft/bootstrap', body))
      t.match(refusal, { status: 409, code: 'refused', error: 'refused' }, siteOrigin)
      t.ok(refusal.reason.includes(local) && refusal.reason.includes(siteOrigin), 'the reason names both')
    }
  }
  const other = editor(ask, { siteId: 'acme', session: 'other' })
  const evil = () => statusOf(other.bootstrap([pageOf('/')], { siteOrigin: 'http://evil.test' }))
  t.equal(await evil(), 409, 'a registration applies to every session of its site')
  await register('http://evil.test', 'other')
  t.equal(await evil(), 200, 'but to its own first')
})

t.test(
  'a restored snapshot is protected from the next overwriting bootstrap, once, for ten minutes',
  async (t) => {
    const clock = stillClock()
    const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
    const { get, send, bootstrap, retitle, version, slugs } = openDrafts(t, { clock })
    await bootstrap(threePages)
    await send('/publish')
    const commit = v.parse(Snapshots, await bodyOf(get('/restore/snapshots'))).snapshots[0]?.commit
    const restore = () => send('/restore/snapshot', { commit })
    const load = (overwrite = true) =>
      bootstrap([pageOf('/', [], { title: `Site ${clock.now().getTime()}` })], { overwrite })

    await retitle('/', 'Mine')
    t.match(await bodyOf(restore()), { status: 'restored', previewVersion: 3 })
    const kept = await bodyOf(load(false))
    t.match(kept, { reason: 'already_initialized' }, 'one without overwrite does not use the protection up')
    const all = ['/', '/about', '/prices']
    t.strictSame(await bodyOf(load()), { status: 'skipped', reason: 'recently_restored', slugs: all })
    t.match(await bodyOf(load()), { status: 'bootstrapped', previewVersion: 4 }, 'the protection is used up')

    await restore()
    clock.advance(10 * 60_000 - 1)
    t.match(await bodyOf(load()), { reason: 'recently_restored' })
    await restore()
    clock.advance(10 * 60_000)
    t.match(await bodyOf(load()), { status: 'bootstrapped' }, 'it ends after ten minutes')

    await restore()
    await retitle('/', 'Edited after the restore')
    t.match(await bodyOf(load()), { reason: 'recently_restored' }, 'an edit keeps the protection')
    await restore()
    const before = await version()
    const restored = { status: 'restored', previewVersion: before }
    t.match(await bodyOf(restore()), restored, 'restoring the current content is no change')
    t.match(await bodyOf(load()), { reason: 'recently_restored' }, 'but sets the protection as well')
    t.same(await slugs(), ['/', '/about', '/prices'])
  },
)

t.test('of two concurrent bootstraps without overwrite one fills the draft', async (t) => {
  const { bootstrap, page, version } = openDrafts(t)
  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((title) => bootstrap([pageOf('/', [], { title })])),
  )
  t.same(answers.map((answer) => Reflect.get(Object(answer.json()), 'status')).toSorted(), [
    'bootstrapped',
    'skipped',
    'skipped',
  ])
  t.same([await version(), (await page('/')).title], [1, 'One'])
})

t.test(
  'with demo content, the default site starts with the demo pages and stores them with the first change',
  async (t) => {
    const store = createMemoryStore()
    const { ask, mounted, as } = openDrafts(t, { store, sites: { demoContent: true } })
    const dev = as({ session: 'dev' })
    const slugs = demoPages.map(({ slug }) => slug)
    t.same([await dev.slugs(), await dev.version()], [slugs, 0])
    t.match(await dev.page('/services'), { id: 'p_services', title: 'Services' })
    t.same(await as({ session: 'dev', siteId: 'acme' }).slugs(), [], 'other sites start empty')
    t.match(await bodyOf(dev.bootstrap([pageOf('/mine')])), { reason: 'already_initialized' })
    t.same((await (await mounted.get(drafts)).list()).length, 0, 'nothing is stored yet')

    const edits = [
      { op: 'move_page', pageSlug: '/faq' },
      { op: 'remove_page', pageSlug: '/pricing' },
    ]
    t.equal(await statusOf(dev.ops(edits)), 200)
    t.same([await dev.slugs(), await dev.version()], [['/', '/faq', '/services', '/about'], 1])
    t.equal(await statusOf(dev.undo('/pricing')), 200)
    t.same(await dev.slugs(), slugs, 'undo restores the demo pages')
    const again = openDrafts(t, { store, sites: { demoContent: false } })
    const stored = await again.as({ session: 'dev' }).slugs()
    t.same(stored, slugs, 'which are stored now, whatever is configured later')
    t.ok((await ask({ url: '/draft/slugs?session=other' })).text.includes('/pricing'))
  },
)

// Filled from the site ---------------------------------------------------------------------------------------------

const sitePages = [pageOf('/shop', [textBlock('b_s', 'From the site')]), pageOf('/')]

/** The origin in the environment applies to the default site. */
const ofAcme = { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }

/** A site that answers with what the test sets, and counts its requests. */
async function siteAnswering(
  t: Parameters<typeof startSite>[0],
  given: { status?: number; type?: string; body: string; hold?: Promise<unknown> },
) {
  const site = await startSite(t, (_, response) => {
    const { status = 200, type = 'application/json', body, hold } = given
    void (hold ?? Promise.resolve()).then(() =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
  })
  return {
    site,
    env: { ...ofAcme, AUTO_BOOTSTRAP_SITE_ORIGIN: site.origin, FETCH_ALLOWED_ORIGINS: site.origin },
  }
}

t.test('an empty draft is filled from its site by the first reads, which share one request', async (t) => {
  const { site, env } = await siteAnswering(t, {
    body: JSON.stringify({ pages: [...sitePages, { slug: '/broken' }] }),
  })
  const { get, slugs } = openDrafts(t, { env })
  const answers = await Promise.all([
    get('/draft/slugs'),
    get('/draft/pages', { slug: '/shop' }),
    get('/draft/slugs'),
    get('/draft/pages', { slug: '/' }),
    get('/draft/pages', { slug: '/broken' }),
  ])
  const found = [200, '"1"']
  // The list of pages names the one that cannot be read, which can change without a version.
  const listed = [200, '"1;1"']
  t.same(
    answers.map(({ status, headers }) => [status, headers.get('etag')]),
    [listed, found, listed, found, [404, null]],
  )
  t.same(await slugs(), ['/', '/shop'])
  t.match(site.seen, [{ method: 'GET', url: '/api/editor/pages?siteId=acme' }])
  for (const name of ['authorization', 'x-access-token', 'cookie'])
    t.notOk(name in (site.seen[0]?.headers ?? {}), `no ${name} is sent`)
  t.same(await bodyOf(get('/history/status', { slug: '/' })), { canUndo: false, canRedo: false })
  t.match(await bodyOf(get('/history/log')), {
    currentVersion: 1,
    entries: [{ version: 1, source: 'bootstrap', channel: 'site', actor: { kind: 'system' } }],
  })
  t.equal(site.seen.length, 1)
})

t.test('a site may answer with a bare list of pages; invalid pages are omitted, and logged', async (t) => {
  const { env } = await siteAnswering(t, {
    body: JSON.stringify([...sitePages, 7, pageOf('/long', [textBlock('b_l', 'x'.repeat(2000))])]),
  })
  const { log, lines } = capturedLog()
  const mounted = mountForTest(t, { ...draftsInMemory({ env, draft: { maxPageBytes: 1500 } }), log })
  const { slugs } = editor((request) => mounted.inject(request))
  t.same(await slugs(), ['/', '/shop'])
  const refused = [
    { slug: 'pages[2]', reason: /the page is missing/ },
    { slug: '/long', reason: /larger/ },
  ]
  const logged = lines.map((line) => JSON.parse(line)).filter(({ refused }) => refused)
  t.match(logged, [{ siteId: 'acme', refused }])
})

t.test('the site to fill from is the first configured origin that is not an editor', async (t) => {
  const { site } = await siteAnswering(t, { body: JSON.stringify(sitePages) })
  const origins = `http://editor.test, http://localhost:4100 ,${site.origin}/,http://127.0.0.1:1`
  t.same(await openDrafts(t, { env: { ...ofAcme, ORCHESTRATOR_CORS_ORIGINS: origins } }).slugs(), [
    '/',
    '/shop',
  ])
  const none = { env: { ...ofAcme, ORCHESTRATOR_CORS_ORIGINS: 'http://editor.test' } }
  t.same(await openDrafts(t, none).slugs(), [])
  t.equal(site.seen.length, 1)
})

t.test('a change of an empty draft calls its site first; reads that need no page do not', async (t) => {
  const { site, env } = await siteAnswering(t, { body: JSON.stringify(sitePages) })
  const { get, ops, slugs } = openDrafts(t, { env })
  await get('/history/status', { slug: '/' })
  await get('/history/log')
  t.equal(site.seen.length, 0)
  t.match(await bodyOf(ops([{ op: 'create_page', page: { slug: '/mine' } }])), { previewVersion: 2 })
  t.same([await slugs(), site.seen.length], [['/', '/shop', '/mine'], 1])
})

t.test('a site that has no pages yet is no trouble, and is asked again later', async (t) => {
  for (const body of ['{"pages":[]}', '[]', '{"pages":[],"siteConfig":{"name":"New"}}']) {
    const given = { body }
    const { site, env } = await siteAnswering(t, given)
    const clock = stillClock()
    const { get, slugs } = openDrafts(t, { env, clock })
    t.strictSame((await get('/draft/slugs')).json(), { slugs: [], pages: [] }, body)
    await slugs()
    t.equal(site.seen.length, 1, 'the next attempt waits')
    given.body = JSON.stringify(sitePages)
    clock.advance(5_000)
    t.not((await slugs()).length, 0, 'its first pages are loaded')
  }
})

t.test('a failing site leaves the draft unchanged, and is retried with increasing delays', async (t) => {
  const right = JSON.stringify(sitePages)
  const bad: readonly (readonly [string, { status?: number; type?: string; body: string }])[] = [
    ['an error', { status: 500, body: '[]' }],
    ['another status', { status: 404, body: right }],
    ['no JSON', { body: '<html>' }],
    ['another type', { type: 'text/html', body: right }],
    ['something else', { body: '{"content":1}' }],
    ['null', { body: 'null' }],
    ['no usable page', { body: '[{"slug":"/"}]' }],
    [
      'a key that reaches a prototype',
      {
        body: JSON.stringify(sitePages.slice(0, 1)).replace(
          '"props":{',
          '"props":{"__proto__":{"canary":1},',
        ),
      },
    ],
    ['too deep', { body: right.replace('"From the site"', '['.repeat(1100) + ']'.repeat(1100)) }],
  ]
  for (const [what, answer] of bad) {
    const { env } = await siteAnswering(t, answer)
    const { get } = openDrafts(t, { env })
    const [page, list] = [await get('/draft/pages', { slug: '/' }), await get('/draft/slugs')]
    const unfilled = { slugs: [], pages: [], notice: /could not be filled from http/ }
    t.match([page.status, list.status, list.json()], [404, 200, unfilled], what)
  }
  t.equal(Reflect.get({}, 'canary'), undefined)

  const given = { status: 500, body: JSON.stringify(sitePages) }
  const { site, env } = await siteAnswering(t, given)
  const clock = stillClock()
  const { slugs, as } = openDrafts(t, { env, clock })
  await slugs()
  for (const [at, seconds] of [5, 10, 20, 40, 80, 160, 300, 300].entries()) {
    clock.advance(seconds * 1000 - 1)
    t.same([await slugs(), site.seen.length], [[], at + 1], `before ${seconds} seconds`)
    clock.advance(1)
    t.same([await slugs(), site.seen.length], [[], at + 2], `after ${seconds} seconds`)
  }
  const other = await as({ session: 'other', siteId: 'acme' }).slugs()
  t.same([other, site.seen.length], [[], 10], 'every draft has its own delay')
  given.status = 200
  clock.advance(300_000)
  t.same(await slugs(), ['/', '/shop'])
})

t.test('content added to a draft while its site is called is not overwritten', async (t) => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  const { site, env } = await siteAnswering(t, { body: JSON.stringify(sitePages), hold })
  const { slugs, bootstrap, page, version } = openDrafts(t, { env })
  const reading = slugs()
  await until(() => site.seen.length > 0, 'the call of the site')
  const filled = await bodyOf(bootstrap([pageOf('/', [], { title: 'Mine' })]))
  t.match(filled, { status: 'bootstrapped', previewVersion: 1 })
  release()
  t.same(await reading, ['/'])
  t.same([(await page('/')).title, await version()], ['Mine', 1])
})

t.test('in a website, the content of its adapter is loaded before the first change or read', async (t) => {
  let content: readonly Page[] | Error = [pageOf('/', [textBlock('b_1', 'From the adapter')]), pageOf('/a')]
  const adapter = {
    readContent: async () => {
      if (content instanceof Error) throw content
      return { pages: content }
    },
  }
  const clock = stillClock()
  const { as } = openDrafts(t, { clock, seeds: [give(contentAdapter, adapter)] })
  const edit = { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: 'Edited' } }
  const changing = as({ session: 'changing' })
  t.match(await bodyOf(changing.ops([edit])), { previewVersion: 2 }, 'the content is a version of its own')
  t.match(await bodyOf(changing.undo('/')), { canUndo: false }, 'and undo does not go back past the content')
  const stating = as({ session: 'stating' })
  t.match(await bodyOf(stating.ops([edit], { 'if-match': '"1"' })), { previewVersion: 2 })
  const reading = as({ session: 'reading' })
  t.same([await reading.slugs(), await reading.version()], [['/', '/a'], 1])
  const loading = as({ session: 'loading' })
  t.match(await bodyOf(loading.bootstrap([pageOf('/x')])), { reason: 'already_initialized' })
  t.same(await as({ session: 'dev', siteId: 'other' }).slugs(), [], 'other sites are not affected')

  content = new Error('no such file')
  const late = as({ session: 'late' })
  t.equal(await statusOf(late.ops([edit])), 404)
  content = [pageOf('/late')]
  t.same(await late.slugs(), [])
  clock.advance(5_000)
  t.same(await late.slugs(), ['/late'])
})

t.test('a page of a site that cannot be used costs itself, and is listed with the reason', async (t) => {
  const noList = { ...pageOf('/about'), blocks: {} }
  const cases: readonly (readonly [page: object, reason: RegExp, slug?: string])[] = [
    [noList, /^blocks is missing or of the wrong type$/],
    [{ ...pageOf('/about'), title: '' }, /^title is missing/],
    [{ title: 'About' }, /^id is missing/, 'pages[1]'],
    [{ ...pageOf('/about'), title: 'x\0' }, /cannot be stored$/],
    [pageOf('/about', [textBlock('b_l', 'x'.repeat(2000))]), /^the page is larger/],
    [pageOf('/'), /^another page has the same slug$/, '/'],
  ]
  for (const [page, reason, slug = '/about'] of cases) {
    const adapter = { readContent: async () => JSON.parse(JSON.stringify({ pages: [pageOf('/'), page] })) }
    const options = { seeds: [give(contentAdapter, adapter)], draft: { maxPageBytes: 1500 } }
    const { get, retitle, bootstrap } = openDrafts(t, options, { session: 'dev' })
    t.match(await bodyOf(get('/draft/slugs')), { slugs: ['/'], unreadable: [{ slug, reason }] })
    t.equal(await statusOf(retitle('/', 'Start')), 200)
    const pushed = await bootstrap([pageOf(slug)], { overwrite: true })
    const { unreadable } = v.parse(v.looseObject({}), await bodyOf(get('/draft/slugs')))
    if (slug === '/') t.equal(unreadable, undefined, 'the page is that of the client')
    else t.match([pushed.status, pushed.json(), unreadable], [400, { code: 'slug_unreadable' }, [{ slug }]])
  }
  const adapter = { readContent: async () => JSON.parse(JSON.stringify({ pages: [noList] })) }
  const { get } = openDrafts(t, { seeds: [give(contentAdapter, adapter)] }, { session: 'dev' })
  const notice = /It has no usable page: '\/about' \(blocks is missing or of the wrong type\)\.$/
  t.match(await bodyOf(get('/draft/slugs')), { slugs: emptyList, notice, message: notice })
})

t.test('null counts as absent in a bootstrap, and what can be derived is repaired', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, page, get, ops } = editor(ask)
    const text = { type: 'RichText', props: { title: 'One', body: 'x' } }
    const twice = [
      { id: 'same', ...text },
      { id: 'same', ...text, props: { title: 'Two', body: 'x' } },
    ]
    const { updatedAt: _at, ...unstamped } = pageOf('/a')
    const pages = [
      { ...pageOf('/'), meta: null, blocks: twice },
      { ...unstamped, meta: { title: 'x', description: null }, blocks: [{ ...text, id: null }] },
    ]
    const siteConfig = { name: null, logo: '/l.png', navLabels: { '/': null } }
    t.match(await bodyOf(bootstrap(pages, { siteConfig })), {
      status: 'bootstrapped',
      count: 2,
      refused: emptyList,
    })
    t.strictSame(await bodyOf(get('/draft/site-config')), { logo: '/l.png', navLabels: {} })
    for (const other of [{ logo: { src: '/l.png' } }, { navLabels: { '/': 1 } }, 'none'])
      t.equal((await bootstrap(pages, { siteConfig: other, overwrite: true })).status, 400)
    const [one, two] = (await page('/')).blocks
    t.match([one?.id, two?.id], ['same', 'b_richtext_home_2'])
    const patch = { title: 'Changed' }
    await ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_richtext_home_2', patch }])
    t.match(await page('/'), { blocks: [{ props: { title: 'One' } }, { props: { title: 'Changed' } }] })
    t.match(await page('/a'), { meta: { title: 'x' }, blocks: [{ id: 'b_richtext_a_1' }] })
  }),
)

t.test('pages without ids get ids that no other page has, the same at every read', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, page } = editor(ask)
    const { id: _id, ...unnamed } = pageOf('/a-b')
    const pages = [unnamed, { ...unnamed, slug: '/a/b' }, { ...unnamed, slug: '/c', id: 'p_a_b_2' }]
    await bootstrap(pages)
    const slugs = ['/a-b', '/a/b', '/c']
    const ids = await Promise.all(slugs.map(async (slug) => (await page(slug)).id))
    t.strictSame(ids, ['p_a_b', 'p_a_b_3', 'p_a_b_2'])
    t.strictSame(
      toBaseline(pages)?.pages.map(({ id }) => id),
      ids,
      'as where the site is read',
    )
  }),
)

// Site config ------------------------------------------------------------------------------------------------------

t.test('a config patch is merged at its first level, and is a change only if it has an effect', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const { config, get, version, send } = editor(ask)
    await ask({
      method: 'POST',
      url: '/sites/register',
      json: { siteId: 'acme', name: 'Acme', config: { tone: 'dry', logo: '/registered.png' } },
    })
    t.equal(await version(), 0, 'a registration is not a change of the draft')
    t.strictSame(await bodyOf(get('/draft/site-config')), { tone: 'dry' }, 'its editing guidance alone')
    const complete = {
      name: 'Nord',
      logo: '/l.png',
      purpose: 'p',
      tone: 't',
      constraints: ['c'],
      navLabels: { '/': 'Start' },
      navGroups: { More: ['/'] },
      themeOverrides: { '--x': 'red' },
    }
    const saved = await config({ ...complete, previewUrl: 'javascript:1', port: 1, admin: true })
    t.strictSame(saved.json(), { status: 'ok', config: complete }, 'all that is stored, without unknown keys')
    t.strictSame(await bodyOf(get('/draft/site-config')), complete)
    t.match(await bodyOf(ask({ url: '/sites' })), {
      sites: [{ name: 'Acme', logo: '/registered.png', purpose: 'p', tone: 't', constraints: ['c'] }],
    })
    t.equal(await version(), 1)

    const navLabels = { '/a': 'A' }
    t.match(await bodyOf(config({ navLabels })), { config: { navLabels } }, 'a map is replaced completely')
    for (const patch of [{}, { name: 'Nord' }, { navLabels }, { unknown: 1 }, { tone: 'warm' }])
      t.match(await bodyOf(config(patch)), { config: { name: 'Nord' } })
    t.equal(await version(), 2, 'a patch of unpublished settings, or without an effect, changes no version')
    t.match(await bodyOf(get('/draft/site-config')), { purpose: 'p', tone: 'warm' })
    t.match(await bodyOf(get('/history/log')), {
      entries: [
        { version: 1 },
        {
          version: 2,
          slug: '/',
          source: 'direct',
          opTypes: emptyList,
          opCount: 0,
          slugs: emptyList,
          channel: 'api',
        },
      ],
    })

    const rows: readonly [body: object, error: RegExp][] = [
      [{}, /^config is required$/],
      [{ config: null }, /config/],
      [{ config: { name: 7 } }, /'config.name'/],
      [{ config: { navLabels: { '/': 7 } } }, /navLabels/],
      [{ config: {}, baseVersion: '1' }, /baseVersion/],
    ]
    for (const [body, error] of rows) {
      const answer = await send('/draft/site-config', body, {}, 'PUT')
      t.match(refused(answer), { status: 400, code: 'invalid_request', error }, JSON.stringify(body))
      t.match(answer.json(), { details: [{ path: String, message: String }] })
    }
    t.equal(await version(), 2)
  }),
)

t.test(
  'a draft and the registration of its site are two records, listed as one and removed together',
  async (t) => {
    const { ask, as } = openDrafts(t, { sites: { maxSites: 2 } })
    const list = async (session: string) =>
      Reflect.get(Object(await bodyOf(ask({ url: `/sites?session=${session}` }))), 'sites')
    const dev = as({ siteId: 'acme', session: 'dev' })
    await dev.config({ name: 'Of the draft', navLabels: { '/': 'Start' } })
    const navLabels = { '/': 'Start' }
    t.match(await list('dev'), [{ id: 'acme', siteName: 'Of the draft', navLabels }])
    const register = (json: object) => ask({ method: 'POST', url: '/sites/register', json })
    await register({ siteId: 'acme', session: 'other', name: 'Registered', port: 3000 })
    for (const session of ['dev', 'other', 'unseen'])
      t.match(await list(session), [{ name: 'Registered', navLabels, port: 3000 }], session)
    t.strictSame(await bodyOf(dev.get('/draft/site-config')), { name: 'Of the draft', navLabels })

    await register({ siteId: 'second', name: 'Second' })
    const third = as({ siteId: 'third', session: 'dev' })
    t.match(refused(await third.config({ tone: 'dry', name: 'Third' })), {
      status: 429,
      code: 'too_many_sites',
      reason: /maxSites/,
    })
    t.equal(await third.version(), 0, 'none of it is stored')
    t.equal(await statusOf(third.config({ name: 'Third' })), 200, 'a draft needs no registration')
    for (const _ of ['once', 'again'])
      t.match(await bodyOf(dev.config({ purpose: 'Sells' }, { 'idempotency-key': 'k' })), {
        config: { name: 'Of the draft', purpose: 'Sells' },
      })
    t.match(refused(await dev.config({ purpose: 'Buys' }, { 'if-match': '"7"' })), { status: 409 })
    t.match(await bodyOf(dev.get('/draft/site-config')), { purpose: 'Sells' })

    t.same(await bodyOf(ask({ method: 'DELETE', url: '/sites?filter=:3000' })), {
      removed: ['acme::other'],
      remaining: 3,
    })
    t.match(await list('other'), [
      { id: 'acme', purpose: 'Sells', port: undefined },
      { id: 'second' },
      { id: 'third' },
    ])
    t.same(await bodyOf(ask({ method: 'DELETE', url: '/sites?key=::' })), {
      removed: ['acme::dev', 'second::dev', 'third::dev'],
      remaining: 0,
    })
    t.same([await list('dev'), await bodyOf(dev.get('/draft/site-config')), await dev.version()], [[], {}, 1])
  },
)
