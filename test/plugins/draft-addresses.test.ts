import { validateHeaderValue } from 'node:http'
import t from 'tap'
import { give } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { readEditorPage } from '../../plugins/site/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { fields } from '../helpers/publishing.ts'
import { draftsInMemory, editor } from '../helpers/stack.ts'

const stored = '/%C3%BCber-uns/'
const spellings = [stored, '/über-uns', '/u\u0308ber-uns', '/%c3%bcber-uns', '//über-uns/']

t.test('a page keeps the spelling of its site and is found by every other', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const { bootstrap, get, page, ops } = editor(mounted.inject)
  await bootstrap([pageOf('/'), pageOf(stored)])
  for (const spelling of spellings) t.match(await page(spelling), { slug: stored }, spelling)
  t.equal((await get('/draft/pages', { slug: '/über' })).status, 404)

  const rename = { op: 'rename_page', pageSlug: '/über-uns', newTitle: 'Us' }
  t.equal((await ops([rename])).status, 200)
  t.match(await page(stored), { slug: stored, title: 'Us' })
  for (const slug of spellings.slice(1)) {
    const answer = await ops([{ op: 'create_page', page: { slug, title: 'Another' } }])
    t.match([answer.status, answer.text], [400, /there is a page .* already/], slug)
  }
})

t.test('a published page is found by every spelling as well', async (t) => {
  const adapter = {
    readContent: async () => ({ pages: [pageOf('/'), pageOf(stored)] }),
    publish: async () => ({}),
  }
  const parts = {
    adapter,
    drafts: async () => undefined,
    orchestrator: '',
    editorOrigins: [],
    siteId: 'acme',
  }
  for (const spelling of spellings) {
    const shown = await readEditorPage(spelling, { headers: {} }, { ...parts, secret: undefined })
    t.match(shown, { slug: stored, page: { slug: stored } }, spelling)
  }
})

t.test('a former address leads to a page in any script, and each spelling of that is the page', async (t) => {
  const adapter = {
    readContent: async () => ({
      pages: [pageOf('/'), pageOf('/日本'), pageOf('/が')],
      redirects: [{ from: '/pricing', to: '/日本' }],
    }),
  }
  const parts = { adapter, drafts: async () => undefined, orchestrator: '', editorOrigins: [] }
  const show = (path: string) => readEditorPage(path, { headers: {} }, { ...parts, secret: undefined })
  const { redirect = '' } = await show('/pricing')
  validateHeaderValue('location', redirect)
  t.equal(redirect, '/%E6%97%A5%E6%9C%AC')
  for (const path of [redirect, redirect.toLowerCase(), '/日本', `${redirect}/`])
    t.match(await show(path), { page: { slug: '/日本' } }, path)
  const decomposed = encodeURI('/が'.normalize('NFD'))
  for (const path of [encodeURI('/が'), decomposed, decomposed.toLowerCase()])
    t.match(await show(path), { page: { slug: '/が' } }, path)
})

t.test('links with the host of the registered site follow a rename, and back', async (t) => {
  const from = (slug: string) =>
    `[a](https://own.site${slug}) <http://own.site${slug}> [b](https://other.site${slug})`
  const text = { id: 'b', type: 'RichText', props: { title: 'T', body: from('/old') } }
  const pages = [pageOf('/', [text]), pageOf('/old')]
  const adapter = { readContent: async () => ({ pages }) }
  const mounted = mountForTest(t, draftsInMemory({ seeds: [give(contentAdapter, adapter)] }))
  const { send, page, ops } = editor(mounted.inject, { session: 'dev', siteId: 'avocado-stories' })
  await send('/sites/register', { name: 'Acme', previewUrl: 'https://own.site/start' })
  const rename = { op: 'rename_page', pageSlug: '/old', newPageSlug: '/new' }
  t.equal((await ops([rename])).status, 200)
  const [before, after] = [from('/old'), from('/new').replace('other.site/new', 'other.site/old')]
  t.match(await page('/'), { blocks: [{ props: { body: after } }] })
  const back = await send('/history/discard', { slug: '/new' })
  t.equal(back.status, 200, back.text)
  t.match(await page('/'), { blocks: [{ props: { body: before } }] })
})

t.test('a page at an address that cannot be opened is refused', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const { bootstrap, ops, slugs } = editor(mounted.inject)
  await bootstrap([pageOf('/'), pageOf('/about')])
  const ofEditors = ['/draft', '/Draft/', '/api/editor', '/api/editor/pages', '/api/editor/']
  const files = [
    '/robots.txt',
    '/Robots.TXT/',
    '/sitemap.xml',
    '/sitemap-0.xml',
    '/favicon.ico',
    '/%72obots.txt',
    '/index',
    '/404.html',
    '/500',
    '/_image',
    '/app-ads.txt',
    '/sw.js',
  ]
  const folders = [
    '/api/contact',
    '/API/x',
    '/_next/static/a',
    '/_astro/x',
    '/generated-images/a',
    '/.well-known/x',
    '/_server-islands/x',
    '/_actions/x',
    '/_vercel/x',
    '/cdn-cgi/x',
  ]
  for (const slug of [...ofEditors, ...files, ...folders])
    for (const op of [
      { op: 'create_page', page: { slug, title: 'T' } },
      { op: 'rename_page', pageSlug: '/about', newPageSlug: slug },
      { op: 'duplicate_page', pageSlug: '/about', newPageSlug: slug },
    ]) {
      const answer = await ops([op])
      t.match([answer.status, answer.text], [400, /choose another slug/], `${op.op} ${slug}`)
    }
  t.strictSame(await slugs(), ['/', '/about'])
  for (const slug of [
    '/drafts',
    '/api',
    '/apis/x',
    '/robots',
    '/docs/robots.txt',
    '/sitemap',
    '/docs/index',
    '/4040',
    '/docs/sw.js',
    '/images',
    '/cdn/x',
  ])
    t.equal((await ops([{ op: 'create_page', page: { slug, title: 'T' } }])).status, 200, slug)

  await bootstrap([pageOf('/'), pageOf('/api/intro')], { overwrite: true })
  const beside = { op: 'create_page', page: { slug: '/api/auth', title: 'T' } }
  t.equal((await ops([beside])).status, 200, 'the site has pages in this folder')
  t.equal((await ops([{ ...beside, page: { slug: '/api/editor/x', title: 'T' } }])).status, 400)
})

t.test('a change is undone and redone, and its history read, by every spelling of its page', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const { bootstrap, get, page, ops, send, undo } = editor(mounted.inject)
  await bootstrap([pageOf('/'), pageOf(stored)])
  for (const [at, slug] of spellings.entries()) {
    t.equal((await ops([{ op: 'rename_page', pageSlug: stored, newTitle: `Us ${at}` }])).status, 200)
    t.match(fields(await get('/history/status', { slug })), { canUndo: true }, slug)
    t.match(fields(await get('/history/log', { slug })), { entries: [{}] }, slug)
    for (const mine of [false, true]) {
      t.equal((await send('/history/undo', { slug, mine })).status, 200, slug)
      t.match(await page(stored), { title: at === 0 ? stored.slice(1) : `Us ${at - 1}` })
      t.equal((await send('/history/redo', { slug, mine })).status, 200, slug)
      t.match(await page(stored), { title: `Us ${at}` })
    }
  }
  t.equal((await ops([{ op: 'remove_page', pageSlug: stored }])).status, 200)
  t.equal((await undo('/über-uns')).status, 200, 'also of a page that is gone')
  t.match(await page(stored), { slug: stored })
  t.equal((await undo('/über')).status, 400)
})
