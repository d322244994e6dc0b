import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { capturedLog, mountForTest, stillClock } from '../../kernel/testing.ts'
import { type Redirect, redirectFor } from '../../plugins/content/redirects.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { conflictsIn } from '../helpers/conflicts.ts'
import fc, { costlyRuns } from '../helpers/property.ts'
import { withSite } from '../helpers/published-site.ts'
import { noon, page, publishing } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { editor, temporaryFolder } from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const siteId = 'acme'
const Listed = v.array(v.object({ from: v.string(), to: v.string(), at: v.optional(v.string()) }))
const Page = v.object({ slug: v.string() })

/** A website with a content file, and a draft of it, or one that was pushed before the site was registered. */
async function website(
  t: Test,
  shape: 'array' | 'wrapper',
  slugs: readonly string[],
  { isPushed = false }: { readonly isPushed?: boolean } = {},
) {
  const folder = temporaryFolder(t)
  const path = join(folder, 'pages.json')
  const pages = slugs.map((slug) => page(slug, `Of ${slug}`))
  writeFileSync(path, JSON.stringify(shape === 'array' ? pages : { pages, siteConfig: { name: 'Acme' } }))
  const site = createSiteEditor({
    adapter: jsonFile(path),
    publish: jsonFilePublishHandler(path, { shape }),
    logger: capturedLog('silent').log,
  })
  t.teardown(() => site.close())
  const origin = await serve(t, (request, response) => void site.node(request, response))
  const mounted = mountForTest(t, publishing({ env: { ORCHESTRATOR_CORS_ORIGINS: origin } }))
  const draft = editor((request) => mounted.inject(request), { siteId, session: 'dev' })
  const register = () => draft.send('/sites/register', { name: 'Acme', previewUrl: origin })
  if (isPushed) await draft.bootstrap(pages)
  else {
    await register()
    await draft.get('/draft/slugs')
  }
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return {
    ...draft,
    register,
    as: (session: string) => editor((request) => mounted.inject(request), { siteId, session }),
    rename: (pageSlug: string, newPageSlug: string) =>
      draft.ops([{ op: 'rename_page', pageSlug, newPageSlug }]),
    async publish(body: object = {}) {
      const answer = await draft.send('/publish', body)
      return v.parse(v.looseObject({ status: v.string() }), answer.json())
    },
    stored: () => read('pages.json'),
    /** The redirects that the website has. */
    listed(): readonly Redirect[] {
      const content = v.parse(
        v.union([v.array(Page), v.object({ redirects: v.optional(Listed) })]),
        this.stored(),
      )
      if ('redirects' in content) return content.redirects ?? []
      try {
        return v.parse(Listed, read('redirects.json'))
      } catch {
        return []
      }
    },
  }
}

const leads = (redirects: readonly Redirect[]) =>
  Object.fromEntries(redirects.map(({ from, to }) => [from, to]))

t.test(
  'a page of a pushed draft that was renamed before the first comparison leaves a redirect',
  async (t) => {
    const site = await website(t, 'wrapper', ['/', '/pricing', '/about'], { isPushed: true })
    await site.rename('/pricing', '/prices')
    await site.rename('/prices', '/rates')
    await site.rename('/about', '/company')
    await site.send('/history/undo', { slug: '/company' })
    await site.register()
    t.match(await site.publish(), { status: 'ready' })
    t.strictSame(leads(site.listed()), { '/pricing': '/rates' })
    const pages = v.parse(v.object({ pages: v.array(Page) }), site.stored()).pages
    t.strictSame(
      pages.map(({ slug }) => slug),
      ['/', '/rates', '/about'],
    )
  },
)

t.test('a published rename leaves a redirect, and its undo one back', async (t) => {
  for (const shape of ['array', 'wrapper'] as const)
    await t.test(shape, async (t) => {
      const site = await website(t, shape, ['/', '/pricing'])
      await site.rename('/pricing', '/prices')
      t.strictSame(site.listed(), [], 'not before it is published')
      t.match(await site.publish(), { status: 'ready' })
      t.match(site.listed(), [{ from: '/pricing', to: '/prices', at: /^\d{4}-/ }])
      await site.rename('/prices', '/rates')
      t.match(await site.publish(), { status: 'ready' })
      t.strictSame(leads(site.listed()), { '/pricing': '/rates', '/prices': '/rates' }, 'no chain')
      await site.send('/history/undo', { slug: '/rates' })
      t.match(await site.publish(), { status: 'ready' })
      t.strictSame(leads(site.listed()), { '/pricing': '/prices', '/rates': '/prices' })
      await site.rename('/prices', '/pricing')
      t.match(await site.publish(), { status: 'ready' })
      t.strictSame(leads(site.listed()), { '/rates': '/pricing', '/prices': '/pricing' }, 'no circle')
    })
})

t.test('a page that was never published leaves nothing behind', async (t) => {
  const site = await website(t, 'wrapper', ['/'])
  await site.ops([{ op: 'create_page', page: page('/new') }])
  await site.rename('/new', '/jobs')
  await site.publish()
  t.strictSame(site.listed(), [])
})

t.test('an undo before the publish leaves nothing behind', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a'])
  const before = await site.get('/draft/site-config')
  await site.rename('/a', '/b')
  await site.send('/history/undo', { slug: '/b' })
  t.strictSame((await site.get('/draft/site-config')).json(), before.json())
  await site.publish()
  t.strictSame(site.listed(), [])
})

t.test('renames are undone one by one, also the earlier one first', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a', '/b'])
  const first = v.parse(v.object({ previewVersion: v.number() }), (await site.rename('/a', '/x')).json())
  await site.rename('/b', '/y')
  const answer = await site.send('/history/undo-change', { version: first.previewVersion })
  t.equal(answer.status, 200)
  await site.publish()
  t.strictSame(leads(site.listed()), { '/b': '/y' })
})

t.test('a removed page leads to the address that is named', async (t) => {
  const site = await website(t, 'array', ['/', '/old', '/older'])
  await site.ops([{ op: 'remove_page', pageSlug: '/older', redirectTo: '/old' }])
  await site.ops([{ op: 'remove_page', pageSlug: '/old', redirectTo: '/#contact' }])
  await site.publish()
  t.strictSame(leads(site.listed()), { '/older': '/#contact', '/old': '/#contact' })
  await site.ops([{ op: 'create_page', page: page('/old') }])
  await site.publish()
  t.strictSame(leads(site.listed()), { '/older': '/#contact' }, 'a page at the address ends its redirect')
})

t.test('redirects are set and removed, and refused with the remedy', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/about'])
  const set = (redirects: object) => site.ops([{ op: 'update_site_config', patch: { redirects } }])
  t.equal((await set({ '/team/': '/about?from=team' })).status, 200)
  await site.publish()
  t.strictSame(leads(site.listed()), { '/team': '/about?from=team' })
  for (const [redirects, reason] of [
    [{ '/about': '/' }, /there is a page \/about; rename or remove it first/],
    [{ '/x': 'https://b.example/' }, /not an address of this site; wanted a path/],
    [{ '/x': '//b.example' }, /not an address of this site; wanted a path/],
    [{ 'javascript:1': '/' }, /cannot be a slug/],
    [{ '/about-us': '/about-us' }, /leads back to \/about-us/],
  ] as const) {
    const answer = await set(redirects)
    t.equal(answer.status, 400, JSON.stringify(redirects))
    t.match(JSON.stringify(answer.json()), reason)
  }
  t.equal((await set({ '/crew': '/team', '/team': '' })).status, 200)
  await site.publish()
  t.strictSame(leads(site.listed()), { '/crew': '/about?from=team' })
})

t.test('a part of the draft brings the redirects of its pages', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a', '/b'])
  await site.rename('/a', '/x')
  await site.rename('/b', '/y')
  t.match(await site.publish({ pages: ['/x'] }), { status: 'ready' })
  t.strictSame(leads(site.listed()), { '/a': '/x' })
  t.match(await site.publish(), { status: 'ready' })
  t.strictSame(leads(site.listed()), { '/a': '/x', '/b': '/y' })
})

t.test('a part brings the redirect of a page from the address where draft and site agreed', async (t) => {
  const dev = await website(t, 'wrapper', ['/', '/a'])
  const late = dev.as('late')
  await late.get('/publish/diff')
  await dev.rename('/a', '/x')
  t.match(await dev.publish(), { status: 'ready' })
  await late.ops([{ op: 'remove_page', pageSlug: '/a', redirectTo: '/#old' }])
  const refusal = await late.send('/publish', { pages: ['/x'] })
  t.match(conflictsIn(refusal), [{ kind: 'removed_here' }, { path: 'redirects["/a"]' }])
  t.equal((await late.send('/publish', { pages: ['/x'], overwrite: true })).status, 200)
  t.match(dev.listed(), [{ from: '/a', to: '/#old' }])
})

t.test('a renamed page is one change of the diff, without its redirect', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a'])
  await site.rename('/a', '/b')
  const diff = (await site.get('/publish/diff')).json()
  t.match(diff, {
    summary: { pagesModified: 1, siteConfigChangedFields: 0 },
    siteConfig: { status: 'unchanged' },
  })
  await site.ops([{ op: 'update_site_config', patch: { redirects: { '/old': '/b' } } }])
  t.match((await site.get('/publish/diff')).json(), {
    siteConfig: { fieldDiffs: [{ path: 'redirects["/old"]', after: '/b' }] },
  })
})

/** Two drafts of a website that have set one redirect differently; that of `other` is published. */
async function withOpposed(t: Test) {
  const site = await website(t, 'wrapper', ['/', '/about', '/prices'])
  const other = site.as('other')
  const set = (client: typeof other, to: string) =>
    client.ops([{ op: 'update_site_config', patch: { redirects: { '/old': to } } }])
  await set(other, '/prices')
  await set(site, '/about')
  await other.send('/publish')
  return { site, other, set }
}

t.test('a redirect that both have set is a conflict at the path of the diff', async (t) => {
  const { site, other, set } = await withOpposed(t)
  const answer = await site.get('/publish/diff')
  t.match(conflictsIn(answer), [{ path: 'redirects["/old"]', ours: '/about', theirs: '/prices' }])
  const [{ id } = { id: '' }] = conflictsIn(answer)
  t.match(answer.json(), { siteConfig: { fieldDiffs: [{ path: 'redirects["/old"]', conflict: id }] } })
  await set(site, '/about#team')
  t.strictSame(conflictsIn(await site.get('/publish/diff')), [], 'one that is typed again is decided')
  await set(other, '')
  await other.send('/publish')
  await site.send('/draft/follow')
  await set(site, '')
  t.equal((await site.publish()).status, 'ready')
  t.strictSame(site.listed(), [], 'the site takes redirects, and has none')
})

t.test('a redirect that is typed again as it is decides its conflict', async (t) => {
  const { site, set } = await withOpposed(t)
  t.equal(conflictsIn(await site.get('/publish/diff')).length, 1)
  t.equal((await set(site, '/about')).status, 200)
  t.match(await site.publish(), { status: 'ready' })
  t.strictSame(leads(site.listed()), { '/old': '/about' })
})

t.test('a decided clash of two addresses leaves the redirects of the draft with their pages', async (t) => {
  for (const take of ['draft', 'site', 'overwrite']) {
    const site = await website(t, 'wrapper', ['/', '/a', '/b'])
    const other = site.as('other')
    await other.get('/draft/slugs')
    await site.rename('/b', '/n')
    await other.ops([
      { op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' },
      { op: 'update_site_config', patch: { redirects: { '/old': '/n' } } },
    ])
    await other.send('/publish')
    const open = conflictsIn(await site.get('/publish/diff'))
    t.match(open, [{ slug: '/n', kind: 'changed' }])
    const overwrite = take === 'overwrite'
    if (!overwrite) {
      const decided = await site.send('/draft/conflicts', { decide: open.map(({ id }) => ({ id, take })) })
      t.equal(decided.status, 200, decided.text)
    }
    t.equal((await site.publish({ overwrite })).status, 'ready')
    const wanted = take === 'site' ? { '/old': '/n', '/a': '/n' } : { '/old': '/a', '/b': '/n' }
    t.match(leads(site.listed()), wanted, take)
  }
})

t.test('a page leads to its new address from the one of another page that the site gave it', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a', '/b'])
  const other = site.as('other')
  await other.get('/draft/slugs')
  await site.rename('/a', '/x')
  await other.ops([
    { op: 'rename_page', pageSlug: '/b', newPageSlug: '/c' },
    { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' },
    { op: 'rename_page', pageSlug: '/c', newPageSlug: '/a' },
  ])
  await other.send('/publish')
  const open = conflictsIn(await site.get('/publish/diff'))
  t.match(open, [{ path: 'slug', base: '/a', ours: '/x', theirs: '/b' }])
  await site.send('/draft/conflicts', { decide: open.map(({ id }) => ({ id, take: 'draft' })) })
  t.match(await site.publish(), { status: 'ready' })
  t.strictSame(leads(site.listed()), { '/b': '/x' })
})

t.test('a draft has the redirects that its publish with overwrite has sent', async (t) => {
  for (const body of [{}, { pages: ['/n', '/x'] }]) {
    const site = await website(t, 'wrapper', ['/', '/a', '/b'])
    const other = site.as('other')
    await other.get('/draft/slugs')
    await other.ops([
      { op: 'rename_page', pageSlug: '/b', newPageSlug: '/c' },
      { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' },
      { op: 'rename_page', pageSlug: '/c', newPageSlug: '/a' },
    ])
    await other.send('/publish')
    await site.rename('/b', '/x')
    await site.rename('/a', '/n')
    t.match(await site.publish({ ...body, overwrite: true }), { status: 'ready' })
    t.match(site.stored(), { pages: [{ slug: '/' }, { slug: '/n' }, { slug: '/x' }] })
    t.strictSame(leads(site.listed()), { '/a': '/x', '/b': '/n' })
    t.match((await site.get('/publish/diff')).json(), { summary: { siteConfigChangedFields: 0 } })
    t.strictSame(await redirectsIn(site), { '/a': '/x', '/b': '/n' })
  }
})

t.test('an address that is chosen stays so beside the page whose address the site gave it', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a', '/b'])
  const other = site.as('other')
  await other.get('/draft/slugs')
  await other.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/x', newTitle: 'A' }])
  await site.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/n', newTitle: 'A' }])
  await other.send('/publish')
  await other.ops([
    { op: 'rename_page', pageSlug: '/b', newPageSlug: '/n', newTitle: 'B' },
    { op: 'rename_page', pageSlug: '/x', newPageSlug: '/b', newTitle: 'A' },
  ])
  await other.send('/publish')
  const open = async () => conflictsIn(await site.get('/publish/diff'))
  const decide = async (path: string | undefined) => {
    const some = (await open()).filter((each) => each.path === path)
    return site.send('/draft/conflicts', { decide: some.map(({ id }) => ({ id, take: 'draft' })) })
  }
  t.match(await open(), [{ path: 'slug', base: '/a', ours: '/n', theirs: '/b' }, { slug: '/n' }, Object])
  t.equal((await decide('slug')).status, 200)
  t.match(await redirectsIn(site), { '/x': '/n' }, 'its former address leads to it')
  await site.ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Welcome' } }])
  t.match(await open(), [{ path: 'redirects["/a"]' }], 'and stays decided')
  await decide('redirects["/a"]')
  t.match(await site.publish(), { status: 'ready' })
  t.match(site.stored(), { pages: [{ slug: '/' }, { slug: '/n', title: 'A' }, { slug: '/b', title: 'B' }] })
  t.strictSame(leads(site.listed()), { '/a': '/n', '/x': '/n' })
})

/** The redirects that a draft has. */
const redirectsIn = async ({ get }: Pick<ReturnType<typeof editor>, 'get'>) =>
  v.parse(v.object({ redirects: v.unknown() }), (await get('/draft/site-config', { redirects: '1' })).json())
    .redirects

t.test('a redirect that a page of the site has ended does not come back when the page moves', async (t) => {
  const time = stillClock(noon)
  const { site, rename, publish, open, ...draft } = await withSite(t, ['/', '/a'], { time })
  Object.assign(site, { redirects: [] })
  const movesTo = (slug: string) => {
    site.pages = site.pages.map((each) => (each.slug === '/' ? each : { ...each, slug }))
  }
  await rename('/a', '/n')
  await publish()
  t.match(site.redirects, [{ from: '/a', to: '/n' }])
  // Before that, the former address would be that of an answer that is behind.
  time.advance(60 * 60 * 1000)
  movesTo('/a')
  t.strictSame(await open(), [], 'a redirect beside a page of the site is no change of the draft')
  t.strictSame(await redirectsIn(draft), {})
  await draft.retitle('/', 'Welcome')
  t.match(await publish(), { status: 'ready' })
  t.strictSame(site.redirects, [])
  movesTo('/x')
  t.strictSame(await open(), [])
  t.strictSame(await redirectsIn(draft), {})
  await draft.retitle('/', 'Home')
  await publish()
  t.strictSame(site.redirects, [])
})

t.test('a page of the draft ends a redirect that the site has set since', async (t) => {
  const { site, diff, ops, publish, open, ...draft } = await withSite(t, ['/', '/a'])
  Object.assign(site, { redirects: [{ from: '/y', to: '/' }] })
  await open()
  await ops([
    { op: 'create_page', page: page('/x') },
    { op: 'create_page', page: page('/y') },
  ])
  site.redirects = [
    { from: '/x', to: '/' },
    { from: '/y', to: '/a' },
    { from: '/z', to: '/a' },
  ]
  t.match(await diff(), { conflicts: emptyList })
  t.strictSame(await redirectsIn(draft), { '/z': '/a' })
  t.match(await publish(), { status: 'ready' })
  t.strictSame(site.redirects, [{ from: '/z', to: '/a' }])
  t.strictSame(await redirectsIn(draft), { '/z': '/a' })
  await ops([{ op: 'remove_page', pageSlug: '/x' }])
  t.match(await publish({ allowDelete: true }), { status: 'ready' })
  t.strictSame(site.redirects, [{ from: '/z', to: '/a' }])
})

t.test('a draft is filled without the redirects that pages of the site have ended', async (t) => {
  const { site, draft } = await withSite(t, ['/', '/a', '/b'])
  Object.assign(site, { redirects: [{ from: '/b', to: '/a' }] })
  const late = draft('late')
  await late.get('/draft/slugs')
  t.strictSame(await redirectsIn(late), {})
  await late.ops([{ op: 'rename_page', pageSlug: '/b', newPageSlug: '/x' }])
  t.match((await late.send('/publish')).json(), { status: 'ready' })
  t.match(site.redirects, [{ from: '/b', to: '/x' }])
})

t.test('a renamed page that goes takes the redirect of its rename along', async (t) => {
  for (const how of ['removed', 'discarded']) {
    const { site, rename, ops, send, publish, ...draft } = await withSite(t, ['/', '/a', '/b'])
    Object.assign(site, { redirects: [] })
    await publish()
    await rename('/a', '/n')
    t.strictSame(await redirectsIn(draft), { '/a': '/n' })
    if (how === 'removed') await ops([{ op: 'remove_page', pageSlug: '/n' }])
    else {
      site.pages = site.pages.filter(({ slug }) => slug !== '/a')
      t.equal((await send('/history/discard', { slug: '/n' })).status, 200)
    }
    t.strictSame(await redirectsIn(draft), {}, how)
    t.match(await publish({ allowDelete: true }), { status: 'ready' })
    t.strictSame(site.redirects, [])
    t.equal((await send('/history/undo', { slug: '/n' })).status, 200)
    t.strictSame(await redirectsIn(draft), { '/a': '/n' }, `${how}, undone`)
  }
})

t.test('a page that leaves an address gives the redirect of the site back', async (t) => {
  const leave = {
    renamed: { op: 'rename_page', pageSlug: '/old', newPageSlug: '/a' },
    removed: { op: 'remove_page', pageSlug: '/old' },
  }
  for (const [how, op] of Object.entries(leave))
    for (const isShown of [false, true]) {
      const { site, diff, ops, rename, publish, open, ...draft } = await withSite(t, ['/', '/a'])
      Object.assign(site, { redirects: [{ from: '/old', to: '/' }] })
      await open()
      if (how === 'renamed') await rename('/a', '/old')
      else await ops([{ op: 'create_page', page: page('/old') }])
      t.notOk(Object.hasOwn(Object(await redirectsIn(draft)), '/old'))
      if (isShown) await diff()
      await ops([op])
      await open()
      t.strictSame(await redirectsIn(draft), { '/old': '/' }, `${how}, ${isShown}`)
      t.match(await publish(), { status: 'ready' })
      t.match(site.redirects, [{ from: '/old', to: '/' }])
    }
})

t.test('redirects that lead on to those of the site are known as they are sent', async (t) => {
  const setup = await withSite(t, ['/', '/a', '/b', '/c'])
  Object.assign(setup.site, { redirects: [] })
  const [dev, review] = [setup.draft('other'), setup.draft('review')]
  for (const each of [setup, dev, review]) await each.get('/publish/diff')
  const remove = (draft: typeof dev, pageSlug: string, redirectTo: string) =>
    draft.ops([{ op: 'remove_page', pageSlug, redirectTo }])
  await remove(dev, '/a', '/b')
  await remove(review, '/b', '/c')
  t.match((await review.send('/publish', { allowDelete: true })).json(), { status: 'ready' })
  t.match((await dev.send('/publish', { allowDelete: true })).json(), { status: 'ready' })
  t.strictSame(leads(v.parse(Listed, setup.site.redirects)), { '/b': '/c', '/a': '/c' })
  t.strictSame(await redirectsIn(dev), { '/a': '/c', '/b': '/c' })
  t.match((await dev.get('/publish/diff')).json(), {
    siteConfig: { status: 'unchanged' },
    conflicts: emptyList,
  })
  await remove(review, '/a', '/c')
  t.match((await review.send('/publish', { allowDelete: true })).json(), { status: 'ready' })
  t.strictSame(await setup.open(), [])
  t.strictSame(await redirectsIn(setup), { '/a': '/c', '/b': '/c' })
})

t.test('a chain of redirects that an undo has made is known as it is sent', async (t) => {
  const { draft, site, open, ops, publish, ...dev } = await withSite(t, ['/', '/b', '/c'])
  Object.assign(site, { redirects: [{ from: '/a', to: '/b' }] })
  await open()
  await ops([{ op: 'update_site_config', patch: { redirects: { '/a': '' } } }])
  const version = await dev.version()
  await ops([{ op: 'remove_page', pageSlug: '/b', redirectTo: '/c' }])
  t.equal((await dev.send('/history/undo-change', { version })).status, 200)
  t.match(await publish({ allowDelete: true }), { status: 'ready' })
  t.strictSame(leads(v.parse(Listed, site.redirects)), { '/a': '/c', '/b': '/c' })
  t.match((await dev.get('/publish/diff')).json(), {
    siteConfig: { status: 'unchanged' },
    conflicts: emptyList,
  })
  t.strictSame(await redirectsIn(dev), { '/a': '/c', '/b': '/c' })
  const other = draft('other')
  await other.get('/publish/diff')
  await ops([{ op: 'update_site_config', patch: { redirects: { '/a': '/' } } }])
  t.match(await publish(), { status: 'ready' })
  await other.ops([{ op: 'update_site_config', patch: { redirects: { '/a': '/' } } }])
  t.match((await other.get('/publish/diff')).json(), { conflicts: emptyList })
})

t.test('a part is sent, and known, without redirects round in a circle or beside a page', async (t) => {
  const { site, open, rename, ops, publish, draft } = await withSite(t, ['/', '/a', '/b'])
  Object.assign(site, { redirects: [] })
  await open()
  await rename('/b', '/c')
  await ops([{ op: 'remove_page', pageSlug: '/a', redirectTo: '/b' }])
  t.match(await publish({ pages: ['/a'], allowDelete: true }), { status: 'ready' })
  const sent = leads(v.parse(Listed, site.redirects))
  const other = draft('other')
  await other.get('/publish/diff')
  t.strictSame(await redirectsIn(other), sent)
  t.match(await publish(), { status: 'ready' })
  t.strictSame(leads(v.parse(Listed, site.redirects)), { '/a': '/c', '/b': '/c' })
})

t.test('a part brings the redirect of a page that it puts back on the site elsewhere', async (t) => {
  const { site, rename, publish } = await withSite(t, ['/', '/a', '/b'])
  Object.assign(site, { redirects: [] })
  await publish()
  await rename('/b', '/n')
  await rename('/a', '/x')
  site.pages = site.pages.filter(({ slug }) => slug !== '/b')
  t.match(await publish({ pages: ['/n'] }), { status: 'failed', code: 'site_conflict' })
  t.match(await publish({ pages: ['/n'], overwrite: true }), { status: 'ready' })
  t.strictSame(leads(v.parse(Listed, site.redirects)), { '/b': '/n' })
})

t.test('what the website lists in another form stays, and its own redirects are followed', async (t) => {
  const site = await website(t, 'wrapper', ['/', '/a'])
  const content = v.parse(v.looseObject({}), site.stored())
  t.ok(content)
  await site.rename('/a', '/b')
  await site.publish()
  const Wrapper = v.looseObject({ redirects: v.array(v.looseObject({})) })
  const stored = v.parse(Wrapper, site.stored())
  t.match(stored, { siteConfig: { name: 'Acme' } })
  t.notOk(JSON.stringify(stored).includes('$redirects'))
})

t.test('a site that takes no redirects is sent none, and the answer says what is lost', async (t) => {
  const { site, rename, send, ops } = await withSite(t, ['/', '/pricing'], { siteConfig: { name: 'Acme' } })
  await rename('/pricing', '/prices')
  const answer = await send('/publish')
  t.match(answer.json(), {
    status: 'ready',
    notes: [/takes no redirects, so visitors do not find \/pricing/],
    message: /^Published: updated Prices\. The site takes no redirects, .*\/pricing any more\. Sites that /,
  })
  t.strictSame(site, { pages: site.pages, siteConfig: { name: 'Acme' } })
  const patch = { redirects: { '/x': '/prices' } }
  const refused = await ops([{ op: 'update_site_config', patch }])
  t.match([refused.status, JSON.stringify(refused.json())], [400, /takes no redirects/])
})

t.test('a site that begins to list redirects gets those of earlier renames', async (t) => {
  const { site, rename, publish } = await withSite(t, ['/', '/a', '/b'])
  await rename('/a', '/x')
  Object.assign(site, { redirects: [{ from: '/older', to: '/a' }] })
  await publish()
  t.match(site.redirects, [
    { from: '/older', to: '/x' },
    { from: '/a', to: '/x' },
  ])
  await rename('/b', '/y')
  await publish()
  t.match(site.redirects, [{ from: '/older' }, { from: '/a' }, { from: '/b', to: '/y' }])
})

t.test('a site keeps a setting of its own that is named redirects', async (t) => {
  const siteConfig = { name: 'Acme', redirects: { '/p': '/q' } }
  for (const listed of [undefined, [{ from: '/older', to: '/a' }]]) {
    const { site, rename, publish } = await withSite(t, ['/', '/a'], { siteConfig })
    if (listed) Object.assign(site, { redirects: listed })
    await rename('/a', '/x')
    await publish()
    t.strictSame(site.siteConfig, siteConfig)
    t.match(
      site.redirects,
      listed && [
        { from: '/older', to: '/x' },
        { from: '/a', to: '/x' },
      ],
    )
  }
})

t.test('a requested address leads on with its query and its slash at the end', async (t) => {
  const redirects = { '/prices': '/rates', '/team': '/about?by=team#us', '/old': '/', '/über': '/about#us' }
  for (const [address, target] of [
    ['/prices', '/rates'],
    ['/prices?x=1#y', '/rates?x=1'],
    ['/prices/', '/rates/'],
    ['/prices/?x=1', '/rates/?x=1'],
    ['/team?x=1', '/about?by=team#us'],
    ['/team/', '/about/?by=team#us'],
    ['/old/', '/'],
    ['/%C3%BCber/?x=1', '/about/?x=1#us'],
    ['/other', undefined],
  ])
    t.equal(redirectFor(redirects, String(address)), target, String(address))
})

t.test('where an address leads is written as a header can have it', async (t) => {
  for (const [to, sent] of [
    ['/日本', '/%E6%97%A5%E6%9C%AC'],
    ['/über-uns', '/%C3%BCber-uns'],
    ['/%c3%bcber-uns', '/%c3%bcber-uns'],
    ['/ü%C3%BC?q=ü&p=%20#täglich', '/%C3%BC%C3%BC?q=%C3%BC&p=%20#t%C3%A4glich'],
    ['/two words', '/two%20words'],
    ['/a\r\nset-cookie: b', '/aset-cookie:%20b'],
    ['https://bücher.example/über', 'https://xn--bcher-kva.example/%C3%BCber'],
  ] as const)
    t.equal(redirectFor({ '/old': to }, '/old'), sent, to)
  t.equal(redirectFor({ '/old': '/日本' }, '/old/?über=1'), '/%E6%97%A5%E6%9C%AC/?%C3%BCber=1')
})

/** What can happen to the pages of a site. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('rename' as const), from: fc.nat(5), to: fc.nat(5) }),
  fc.record({ kind: fc.constant('remove' as const), from: fc.nat(5), to: fc.option(fc.nat(5)) }),
  fc.record({ kind: fc.constant('create' as const), from: fc.nat(5) }),
  fc.record({ kind: fc.constant('undo' as const), from: fc.nat(5) }),
  fc.record({ kind: fc.constant('publish' as const) }),
)

const addresses = ['/a', '/b', '/c', '/d', '/e', '/f']
const at = (n: number): string => addresses[n] ?? '/a'
const Marked = v.object({
  pages: v.array(v.object({ slug: v.string(), blocks: v.tuple([v.object({ props: v.looseObject({}) })]) })),
})

t.test('no sequence of renames, removals and undos leaves a chain, a circle or a lost address', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const site = await website(t, 'wrapper', ['/', '/a', '/b', '/c'])
      /** The heading of the page that visitors saw last at each address. */
      const seen = new Map<unknown, unknown>()
      for (const [n, each] of [...steps, { kind: 'publish' as const }].entries()) {
        if (each.kind === 'rename') await site.rename(at(each.from), at(each.to))
        if (each.kind === 'create')
          await site.ops([{ op: 'create_page', page: page(at(each.from), `New ${n}`) }])
        if (each.kind === 'undo') await site.send('/history/undo', { slug: at(each.from) })
        if (each.kind === 'remove') {
          const redirectTo = each.to === null ? {} : { redirectTo: at(each.to) }
          await site.ops([{ op: 'remove_page', pageSlug: at(each.from), ...redirectTo }])
        }
        if (each.kind !== 'publish') continue
        const { status } = await site.publish({ allowDelete: true })
        if (status !== 'ready') throw new Error(`the publish was ${String(status)}`)
        const redirects = leads(site.listed())
        const live = v.parse(Marked, site.stored()).pages
        const headings = new Map(live.map(({ slug, blocks }) => [slug, blocks[0].props['heading']]))
        for (const [from, to] of Object.entries(redirects))
          if (headings.has(from) || to in redirects) throw new Error(`${from} leads to ${to}`)
        for (const [address, heading] of seen) {
          const isStill = [...headings.values()].includes(heading)
          const shown = headings.get(String(address)) ?? headings.get(redirects[String(address)] ?? '')
          if (isStill && !headings.has(String(address)) && shown !== heading)
            throw new Error(`${String(address)} showed ${String(heading)}, and now ${String(shown)}`)
        }
        for (const [slug, heading] of headings) seen.set(slug, heading)
      }
    }),
    { numRuns: costlyRuns(20) },
  )
})

t.test(
  'the redirects of a draft leave the service only where they are asked for, by their name',
  async (t) => {
    const site = await website(t, 'wrapper', ['/', '/a'])
    await site.rename('/a', '/b')
    const before = (await site.get('/draft/site-config')).json()
    t.strictSame(before, { name: 'Acme' })
    t.match((await site.get('/draft/site-config', { redirects: '1' })).json(), { redirects: { '/a': '/b' } })
    const config = { ...v.parse(v.looseObject({}), before), name: 'Acme & Sons' }
    const sentBack = { $redirects: { '/x': '/b' }, $redirectsOnly: true, redirects: { '/y': '/b' } }
    const saved = await site.send('/draft/site-config', { config: { ...config, ...sentBack } }, {}, 'PUT')
    t.strictSame(saved.json(), { status: 'ok', config: { name: 'Acme & Sons' } })
    const body = { pages: [page('/c')], siteConfig: { ...config, ...sentBack }, overwrite: true }
    t.equal((await site.send('/draft/bootstrap', body)).status, 200)
    t.strictSame(
      (await site.get('/draft/site-config', { redirects: '1' })).json(),
      { name: 'Acme & Sons', redirects: { '/a': '/b' } },
      'an editor that sends them back changes none',
    )
  },
)
