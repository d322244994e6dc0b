import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSiteEditor, type SiteEditorOptions } from '../../config/create-site-editor.ts'
import { give } from '../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { demoPages } from '../helpers/demo-pages.ts'
import type { Page } from '../../plugins/content/page.ts'
import { diffContent } from '../../plugins/content/diff/index.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { environment } from '../helpers/environment.ts'
import {
  at,
  fields,
  page,
  publishing,
  type PublishingOptions,
  repository,
  startWebsite,
  twoPages,
} from '../helpers/publishing.ts'
import { freePort, serve } from '../helpers/raw.ts'
import { bodyOf, editor, refused, statusOf, temporaryFolder } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'
import { emptyList } from '../helpers/plain.ts'

/** The header of a site, with a key that only the site knows. */
const header = {
  name: 'Fern & Wheel',
  logo: '/fern.svg',
  navLabels: { '/about': 'Who we are' },
  navGroups: { More: ['/about'] },
  footer: { text: 'Since 2011' },
}

/** A website with its content in a file, and its editor routes on a socket. */
async function website(
  t: Test,
  {
    content,
    path = join(temporaryFolder(t), 'content.json'),
    ...options
  }: Partial<SiteEditorOptions> & { readonly content: SiteContent; readonly path?: string },
) {
  writeFileSync(path, JSON.stringify(content))
  const adapter = jsonFile(path, { writeOnPublish: true })
  const publish = jsonFilePublishHandler(path, { shape: 'wrapper' })
  const site = createSiteEditor({ adapter, publish, logger: capturedLog('silent').log, ...options })
  t.teardown(() => site.close())
  const origin = await serve(t, site.node)
  return { path, adapter, origin, stored: () => toBaseline(JSON.parse(readFileSync(path, 'utf8'))) }
}

/** An orchestrator with a client of a draft of the site `acme`. */
function orchestrator(t: Test, options: PublishingOptions = {}) {
  const mounted = mountForTest(t, publishing(options))
  const as = (siteId: string, session = 'dev') =>
    editor((request) => mounted.inject(request), { siteId, session })
  const config = { tone: 'dry', logo: '/registered.svg' }
  const register = (previewUrl: string, siteId = 'acme', session = 'dev') =>
    as(siteId, session).send('/sites/register', { name: 'Registered', previewUrl, purpose: 'Sells', config })
  return { mounted, as, register, ...as(at.siteId) }
}
type Orchestrator = ReturnType<typeof orchestrator>

const noPages = { pagesAdded: 0, pagesRemoved: 0, pagesModified: 0 }
const untouched = {
  baselineAvailable: true,
  summary: { ...noPages, totalChangedFields: 0, siteConfigChangedFields: 0 },
  siteConfig: { status: 'unchanged', fieldDiffs: [] },
}

interface FillCase {
  /** Fills the draft. */
  readonly fill: (draft: Orchestrator, content: SiteContent, origin: string) => unknown
  readonly demoContent?: true
}

const ways: Readonly<Record<string, FillCase>> = {
  'its own site': { fill: async ({ register, slugs }, _, origin) => (await register(origin), slugs()) },
  'its own site, asked for the header first': {
    fill: async ({ register, get }, _, origin) => (await register(origin), get('/draft/site-config')),
  },
  'its own site, on the first diff': { fill: ({ register }, _, origin) => register(origin) },
  'a bootstrap with a config': {
    fill: ({ bootstrap }, { pages, siteConfig }) => bootstrap(pages, { siteConfig }),
  },
  'a bootstrap without one': { fill: ({ bootstrap }, { pages }) => bootstrap(pages) },
  'a bootstrap without one, then a read of the header': {
    fill: async ({ register, bootstrap, get }, { pages }, origin) => (
      await register(origin),
      await bootstrap(pages),
      get('/draft/site-config')
    ),
  },
  'the demo pages': { fill: ({ slugs }) => slugs(), demoContent: true },
  'a config that guides the editing, before anything was loaded': {
    fill: async ({ register, config }, _, origin) => (
      await register(origin),
      config({ tone: 'warm', purpose: 'Repairs' })
    ),
  },
  'the unchanged name, before anything was loaded': {
    fill: async ({ register, config }, { siteConfig }, origin) => (
      await register(origin),
      config({ name: siteConfig?.name })
    ),
  },
  'a new name and its undo': {
    async fill({ register, ops, undo }, _, origin) {
      await register(origin)
      await ops([
        { op: 'update_site_config', patch: { name: 'Another' } },
        { op: 'rename_page', pageSlug: '/', newTitle: 'Another' },
      ])
      return undo('/')
    },
  },
  'a snapshot': {
    async fill({ register, slugs, send, mounted, retitle }, _, origin) {
      await register(origin)
      await slugs()
      await send('/publish', { siteOrigin: origin })
      const {
        snapshots: [{ commit }],
      } = (await mounted.inject({ url: `/restore/snapshots?siteId=${at.siteId}` })).json() as {
        snapshots: [{ commit: string }]
      }
      await retitle('/', 'Changed later')
      return mounted.inject({ method: 'POST', url: '/restore/snapshot', json: { ...at, commit } })
    },
  },
}

const targets = ['its editor routes', 'an adapter', 'git', 'a deploy hook']
const [usualWay = ''] = Object.keys(ways)
const [usualTarget = ''] = targets
for (const [way, target] of [
  ...Object.keys(ways).map((each) => [each, usualTarget] as const),
  ...targets.slice(1).map((each) => [usualWay, each] as const),
])
  t.test(`publishing an untouched draft by ${target}, filled by ${way}, changes nothing`, async (t) => {
    environment(t, {})
    const { fill, demoContent } = ways[way] ?? { fill: () => t.fail() }
    const pages = demoContent ? demoPages : [page('/'), page('/about')]
    const content: SiteContent = { pages, siteConfig: header }
    const repo = target === 'git' ? repository(t, { content: JSON.stringify(content) }) : undefined
    const site = await website(t, { content, siteId: 'acme', ...(repo && { path: repo.contentPath }) })
    const hook = await startSite(t, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    const byHook = {
      PUBLISH_MODE: 'deploy_hook',
      VERCEL_DEPLOY_HOOK_URL: `${hook.origin}/hook`,
      PUBLISHED_CONTENT_PATH: site.path,
    }
    const byAdapter = target === 'an adapter'
    const draft = orchestrator(t, {
      env: {
        ORCHESTRATOR_CORS_ORIGINS: site.origin,
        ...((demoContent || byAdapter) && { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }),
        ...(target === 'a deploy hook' && byHook),
        ...repo?.env,
      },
      ...(demoContent && { sites: { demoContent } }),
      ...(byAdapter && { seeds: [give(contentAdapter, site.adapter)] }),
    })
    await fill(draft, content, site.origin)
    const named = target === usualTarget ? { siteOrigin: site.origin } : {}
    t.match((await draft.get('/publish/diff', named)).json(), untouched)
    t.equal(await statusOf(draft.send('/publish', named)), 200)
    t.strictSame(site.stored()?.siteConfig, header)
    const published = site.stored() ?? { pages: [] }
    t.match(diffContent({ draft: published, baseline: content, registry: builtinRegistry }), untouched)
    const { siteConfig } = fields(await draft.get('/publish/content'))
    const isWhole = [header, {}].some((each) => JSON.stringify(each) === JSON.stringify(siteConfig))
    t.ok(isWhole, 'the complete header or none')
  })

t.test('a change of the header keeps the rest of it, for any source of the draft', async (t) => {
  environment(t, {})
  const content = { pages: [page('/'), page('/about')], siteConfig: header }
  for (const bootstrapped of [false, true]) {
    for (const change of ['PUT', 'operation']) {
      const site = await website(t, { content, siteId: 'acme' })
      const { register, bootstrap, config, ops, send, get, undo, retitle } = orchestrator(t, {
        env: { ORCHESTRATOR_CORS_ORIGINS: site.origin },
      })
      await register(site.origin)
      if (bootstrapped) await bootstrap(content.pages)
      const patch = { name: 'Fern & Spoke' }
      const rename = { op: 'rename_page', pageSlug: '/', newTitle: 'Start again' }
      const by = change === 'PUT' ? config(patch) : ops([{ op: 'update_site_config', patch }, rename])
      t.equal(await statusOf(by), 200)
      if (change === 'PUT') await retitle('/', 'Start again')
      t.match(await bodyOf(get('/publish/diff', { siteOrigin: site.origin })), {
        summary: { siteConfigChangedFields: 1, pagesModified: 1 },
      })
      await send('/publish', { siteOrigin: site.origin })
      const changed = { ...header, ...patch }
      t.strictSame(site.stored()?.siteConfig, changed, `${change}, bootstrapped: ${bootstrapped}`)
      await undo('/')
      await send('/publish', { siteOrigin: site.origin })
      const undone = change === 'PUT' ? changed : header
      t.strictSame(site.stored()?.siteConfig, undone, 'an undo restores only the name')
    }
  }
})

t.test('the first header of a site without one can be undone', async (t) => {
  environment(t, {})
  const site = await website(t, { content: { pages: twoPages } })
  const { register, slugs, ops, undo, send } = orchestrator(t, {
    env: { ORCHESTRATOR_CORS_ORIGINS: site.origin },
  })
  await register(site.origin)
  await slugs()
  await ops([
    { op: 'update_site_config', patch: { name: 'First' } },
    { op: 'rename_page', pageSlug: '/', newTitle: 'First' },
  ])
  await send('/publish')
  t.strictSame(site.stored()?.siteConfig, { name: 'First' })
  await undo('/')
  await send('/publish')
  t.strictSame(site.stored()?.siteConfig, {})
})

t.test('a setting of a site that cannot be read stays as it is', async (t) => {
  const site = await startWebsite(t, { pages: twoPages, siteConfig: { name: 7, footer: 'kept' } })
  const { register, slugs, send, get } = orchestrator(t, { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } })
  await register(site.origin)
  t.same(await slugs(), ['/', '/about'])
  t.same(await bodyOf(get('/draft/site-config')), { footer: 'kept', purpose: 'Sells', tone: 'dry' })
  await send('/publish')
  t.match(site.sent()[0]?.body, { siteConfig: { name: 7, footer: 'kept' } })
})

t.test('a bootstrap with a config replaces that of the draft only with overwrite', async (t) => {
  const { bootstrap, config, get, version, send } = orchestrator(t)
  const siteConfig = { ...header, previewUrl: 'kept, because the site has it' }
  await bootstrap(twoPages, { siteConfig })
  t.equal(await version(), 1, 'pages and config are one change')
  t.strictSame(await bodyOf(get('/draft/site-config')), siteConfig)
  t.match(await bodyOf(get('/history/status', { slug: '/' })), { canUndo: false })
  await config({ name: 'Mine' })
  t.match(await bodyOf(bootstrap(twoPages, { siteConfig: header })), { reason: 'already_initialized' })
  t.match(await bodyOf(bootstrap(twoPages, { siteConfig: null, overwrite: true })), { previewVersion: 2 })
  t.match(await bodyOf(get('/draft/site-config')), { name: 'Mine' })
  await bootstrap(twoPages, { siteConfig: { name: header.name }, overwrite: true })
  t.match(await bodyOf(get('/draft/site-config')), { name: header.name, logo: header.logo })
  t.equal(await version(), 3)
  const wrong = await send('/draft/bootstrap', { pages: twoPages, siteConfig: { name: 7 } })
  t.match(refused(wrong), { status: 400, reason: /siteConfig/ })
})

t.test('the header of a site is merged below what was set while it was unreachable', async (t) => {
  const site = await startWebsite(t, { pages: twoPages, siteConfig: header })
  site.answers.pages = { status: 500, body: {} }
  const { register, config, slugs, get } = orchestrator(t)
  await register(site.origin)
  t.match(await bodyOf(config({ name: 'Mine' })), { config: { name: 'Mine' } })
  site.answers.pages = { status: 200, body: { pages: twoPages, siteConfig: header } }
  await register(site.origin.replace('127.0.0.1', 'localhost'))
  t.same(await slugs(), ['/', '/about'])
  const merged = { ...header, name: 'Mine', purpose: 'Sells', tone: 'dry' }
  t.same(await bodyOf(get('/draft/site-config')), merged)
})

t.test('a site without a config is rarely asked for one', async (t) => {
  const site = await startWebsite(t, { pages: twoPages })
  const { register, slugs, get, config } = orchestrator(t)
  await register(site.origin)
  await slugs()
  for (let n = 0; n < 5; n++)
    t.strictSame(await bodyOf(get('/draft/site-config')), { purpose: 'Sells', tone: 'dry' })
  await config({ name: 'First' })
  t.equal(site.asked(), 1)
})

t.test('two sites on one machine never mix their drafts', async (t) => {
  environment(t, {})
  const contents = ['shop', 'blog'].map((name): SiteContent => ({
    pages: [page('/', `Home of ${name}`), page(`/${name}`)],
    siteConfig: { name },
  }))
  const [shop, blog] = await Promise.all(contents.map((content) => website(t, { content })))
  if (!shop || !blog) throw new Error('two sites are required')
  const env = {
    AUTO_BOOTSTRAP_SITE_ORIGIN: shop.origin,
    ORCHESTRATOR_CORS_ORIGINS: `${shop.origin},${blog.origin}`,
  }
  const { as, register, mounted } = orchestrator(t, { env })
  const [ofShop, ofBlog, ofNone] = [as('shop'), as('blog'), as('none')]
  t.same([await ofBlog.slugs(), await ofNone.slugs()], [[], []], 'the address of another site is not used')
  await register(shop.origin, 'shop')
  await register(blog.origin, 'blog')
  t.same(await Promise.all([ofShop.slugs(), ofBlog.slugs(), ofNone.slugs(), as('blog', 'other').slugs()]), [
    ['/', '/shop'],
    ['/', '/blog'],
    [],
    ['/', '/blog'],
  ])
  const ofDefault = editor((request) => mounted.inject(request), { session: 'dev' })
  t.same(await ofDefault.slugs(), ['/', '/shop'], 'the default site has the address of the environment')
  for (const round of ['one', 'two']) {
    await Promise.all([ofShop.retitle('/', `Shop ${round}`), ofBlog.retitle('/', `Blog ${round}`)])
    const answers = await Promise.all([ofShop, ofBlog].map((draft) => draft.send('/publish')))
    const statuses = answers.map(({ status }) => status)
    t.same(statuses, [200, 200])
  }
  const stored = [shop, blog].map((site) => site.stored())
  t.match(stored, [
    { pages: [{ slug: '/', title: 'Shop two' }, { slug: '/shop' }], siteConfig: { name: 'shop' } },
    { pages: [{ slug: '/', title: 'Blog two' }, { slug: '/blog' }], siteConfig: { name: 'blog' } },
  ])
})

t.test('a site that states its id is not used as another site', async (t) => {
  environment(t, {})
  const content: SiteContent = { pages: twoPages, siteConfig: { name: 'Blog' } }
  const blog = await website(t, { content, siteId: 'blog' })
  const { log, lines } = capturedLog()
  const { as, register } = orchestrator(t, { env: { ORCHESTRATOR_CORS_ORIGINS: blog.origin }, more: { log } })
  const shop = as('shop')
  await register(blog.origin, 'shop')
  t.match(await bodyOf(shop.get('/draft/slugs')), {
    slugs: emptyList,
    notice: /127\.0\.0\.1.*is the site 'blog', not 'shop'\. Register 'shop'/,
  })
  await shop.bootstrap([page('/', 'Of the shop')])
  const named = { siteOrigin: blog.origin }
  const foreign = /is the site 'blog', not 'shop'/
  t.match(await bodyOf(shop.get('/publish/diff', named)), {
    baselineAvailable: false,
    pages: emptyList,
    notice: foreign,
  })
  t.match(await bodyOf(shop.send('/publish', { ...named, allowDelete: true })), {
    status: 'failed',
    error: 'refused',
    reason: foreign,
  })
  t.equal(await statusOf(shop.send('/publish')), 409)
  t.match(refused(await shop.send('/history/discard', named)), {
    status: 409,
    code: 'baseline_unavailable',
    reason: foreign,
  })
  t.same(blog.stored(), content)
  t.match(lines.join(''), foreign)
  const direct = await fetch(`${blog.origin}/api/editor/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ siteId: 'shop', pages: [page('/')] }),
  })
  const refusal = { ok: false, error: 'refused', reason: /This is the site 'blog', not 'shop'/ }
  t.match([direct.status, await direct.json()], [409, refusal])
  for (const [siteId, isOwn] of [
    [' BLOG! ', true],
    ['blog', true],
    ['', true],
    [7, true],
    ['x'.repeat(99), false],
  ] as const) {
    const site = await startWebsite(t, { pages: twoPages, siteId })
    const own = orchestrator(t)
    await own.register(site.origin, 'blog')
    t.same((await own.as('blog').slugs()).length, isOwn ? 2 : 0, String(siteId))
  }
})

t.test('a client learns why a draft is empty, and a new address is tried at once', async (t) => {
  const site = await startWebsite(t, { pages: twoPages })
  const broken = await startWebsite(t)
  broken.answers.pages = { status: 503, body: {} }
  const { register, get, ops, page: read, slugs } = orchestrator(t)
  const change = [{ op: 'rename_page', pageSlug: '/', newTitle: 'New' }]
  const nowhere = /no address of the site 'acme' is known that may be called\. Register its previewUrl/
  t.match(await bodyOf(get('/draft/slugs')), { slugs: emptyList, notice: nowhere })
  t.match(refused(await ops(change)), { status: 404, error: nowhere, reason: nowhere })
  t.notMatch(refused(await ops([{ op: 'nonsense' }])).reason, nowhere, 'only for a missing page')
  await register(broken.origin)
  const failing = /could not be filled from http:\/\/127\.0\.0\.1:\d+\. It answered with an error/
  t.match(refused(await ops(change)), { status: 404, error: failing, code: 'not_found', errorCode: String })
  t.match(await bodyOf(get('/draft/slugs')), { notice: failing })
  t.equal(broken.asked(), 1, 'the next attempt waits')
  await register(site.origin)
  t.equal(await statusOf(ops(change)), 200)
  t.equal((await read('/')).title, 'New')
  t.notOk('notice' in fields(await get('/draft/slugs')))
  t.match(refused(await ops([{ op: 'rename_page', pageSlug: '/gone', newTitle: 'x' }])).reason, /\/gone/)
  t.same(await slugs(), ['/', '/about'])
})

t.test('a draft whose site was not running is filled at the next read after it has started', async (t) => {
  const { register, get, slugs } = orchestrator(t)
  const port = await freePort()
  await register(`http://127.0.0.1:${port}`)
  for (let read = 0; read < 2; read++)
    t.match(await bodyOf(get('/draft/slugs')), { slugs: emptyList, notice: /could not be reached/ })
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ pages: twoPages })),
  )
  t.teardown(() => site.close())
  await once(site.listen(port, '127.0.0.1'), 'listening')
  t.same(await slugs(), ['/', '/about'])
})

t.test('in production a draft is filled only from a registered address that is configured', async (t) => {
  const site = await startWebsite(t, { pages: twoPages })
  const production = { NODE_ENV: 'production' }
  const closed = orchestrator(t, { env: production })
  await closed.register(site.origin)
  t.match(await bodyOf(closed.get('/draft/slugs')), {
    slugs: emptyList,
    notice: /in production one of ORCHESTRATOR_CORS_ORIGINS/,
  })
  t.equal(site.seen.length, 0)
  const open = orchestrator(t, { env: { ...production, SITE_PUBLIC_ORIGIN: site.origin } })
  await open.register(site.origin)
  t.same(await open.slugs(), ['/', '/about'])
})

t.test('a diff fills a draft first, and reports nothing for one that cannot be filled', async (t) => {
  const site = await startWebsite(t, { pages: twoPages, siteConfig: header })
  const { register, get } = orchestrator(t, { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } })
  const named = { siteOrigin: site.origin }
  const nothing = {
    baselineAvailable: false,
    pages: [],
    summary: { pagesRemoved: 0 },
    siteConfig: { status: 'unchanged' },
    notice: /no address of the site 'acme'/,
  }
  t.match(await bodyOf(get('/publish/diff', named)), nothing)
  await register(site.origin)
  t.match(await bodyOf(get('/publish/diff', named)), {
    baselineAvailable: true,
    summary: { pagesRemoved: 0, pagesUnchanged: 2 },
    notice: undefined,
  })
})

t.test('a site without pages empties a draft by a decision alone', async (t) => {
  let pages: readonly Page[] = twoPages
  const adapter = { readContent: async () => ({ pages, siteConfig: header }) }
  const { send, slugs, get } = orchestrator(t, {
    env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: [give(contentAdapter, adapter)],
  })
  t.same(await slugs(), ['/', '/about'])
  pages = []
  const refused = await send('/history/discard')
  t.match([refused.status, refused.json()], [409, { reason: /call POST \/draft\/follow with confirm: true/ }])
  t.same(await slugs(), ['/', '/about'])
  t.equal(await statusOf(send('/draft/follow', { confirm: true })), 200)
  t.strictSame(await bodyOf(get('/draft/slugs')), { slugs: [], pages: [] })
  t.match(await bodyOf(get('/publish/diff')), { baselineAvailable: true, notice: undefined })
  t.strictSame(await bodyOf(get('/draft/slugs')), { slugs: [], pages: [] }, 'it is not filled again')
})

t.test('the publish token is not sent to an address that is only registered', async (t) => {
  const owner = await startWebsite(t)
  const attacker = await startWebsite(t)
  attacker.answers.publish = {
    status: 401,
    body: { ok: false, error: 'unauthorized', reason: 'Send me the secret.' },
  }
  const { log, lines } = capturedLog()
  const secret = 'canary-publish-token'
  const { register, bootstrap, send, mounted, get } = orchestrator(t, {
    env: { ORCHESTRATOR_CORS_ORIGINS: owner.origin, PUBLISH_TOKEN: secret },
    more: { log },
  })
  await register(`${owner.origin}/preview?key=canary-query`)
  await bootstrap(twoPages)
  t.equal(await statusOf(send('/publish')), 200)
  t.equal(owner.sent()[0]?.headers['x-publish-token'], secret)

  await register(owner.origin.replace('127.0.0.1', 'localhost'))
  t.notMatch(lines.join(''), 'changed the origin', 'localhost and 127.0.0.1 are one origin')
  await register(`${attacker.origin}/steal`)
  const change = { from: owner.origin.replace('127.0.0.1', 'localhost'), to: attacker.origin, siteId: 'acme' }
  t.match(JSON.parse(lines.at(-1) ?? '{}'), {
    ...change,
    msg: 'a registration changed the origin of a known site',
    level: 40,
  })
  t.match((await mounted.inject({ url: '/sites' })).json(), {
    sites: [
      {
        id: 'acme',
        previewUrl: `${attacker.origin}/steal`,
        previewUrlChanged: { from: change.from, at: String },
      },
    ],
  })

  const reason = new RegExp(`^PUBLISH_TOKEN is not sent to ${attacker.origin}.*ORCHESTRATOR_CORS_ORIGINS`)
  for (const named of [{}, { siteOrigin: attacker.origin }]) {
    const answer = await send('/publish', named)
    t.match([answer.status, answer.json()], [400, { status: 'failed', error: reason, reason }])
  }
  owner.answers.publish = {
    status: 307,
    headers: { location: `${attacker.origin}/api/editor/publish` },
    body: {},
  }
  await send('/publish', { siteOrigin: owner.origin })
  await get('/publish/diff')
  t.equal(attacker.sent().length, 2, 'a redirect leads to no registered address')
  t.notMatch(JSON.stringify(attacker.seen), secret)
  t.notMatch(lines.join(''), /canary/)
  const hasToken = attacker.seen.some(({ headers }) => 'x-publish-token' in headers)
  t.equal(hasToken, false)

  await register(`${attacker.origin}/steal`, 'acme', 'another-session')
  t.match((await mounted.inject({ url: '/sites?session=another-session' })).json(), {
    sites: [{ previewUrlChanged: undefined }],
  })
  await register('http://127.0.0.1:1', 'acme', 'a-third-one')
  t.match((await mounted.inject({ url: '/sites?session=a-third-one' })).json(), {
    sites: [{ previewUrlChanged: { from: attacker.origin } }],
  })
})
