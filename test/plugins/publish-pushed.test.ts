import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { noon, page, type PublishingOptions } from '../helpers/publishing.ts'
import { threePages, withWebsite } from '../helpers/website.ts'
import { emptyList } from '../helpers/plain.ts'

/** Copies of a site that editors push over a draft, as they do on each load. */

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const History = v.object({
  entries: v.array(
    v.object({ version: v.number(), source: v.string(), summary: v.string(), slugs: v.array(v.string()) }),
  ),
})
const Config = v.record(v.string(), v.unknown())

/** A site with a draft that was filled from it; `push` sends pages as an editor does that loads. */
async function withEditor(t: Test, options: PublishingOptions = {}, pages: readonly Page[] = threePages) {
  const site = await withWebsite(t, options, [...pages])
  const dev = site.draft('dev')
  await dev.fill()
  return {
    ...site,
    dev,
    push: async (pushed: readonly Page[] = site.website.pages, more: object = {}) => {
      const answer = await dev.bootstrap(pushed, { overwrite: true, ...more })
      t.equal(answer.status, 200, answer.text)
      return v.parse(Config, answer.json())
    },
    config: async () => v.parse(Config, (await dev.get('/draft/site-config')).json()),
    history: async () => v.parse(History, (await dev.get('/history/log')).json()).entries,
    slugsOnSite: () => site.website.pages.map(({ slug }) => slug),
    pages: async () => Promise.all((await dev.slugs()).map((slug) => dev.page(slug))),
  }
}

const list = (...texts: readonly string[]): Page => ({
  ...page('/list'),
  blocks: [
    { id: 'b/list', type: 'FAQAccordion', props: { title: 'Faq', items: texts.map((q) => ({ q, a: 'A' })) } },
  ],
})
const textsOf = async ({ props }: { props: (slug: string) => Promise<Readonly<Record<string, unknown>>> }) =>
  v.parse(v.array(v.looseObject({ q: v.string() })), (await props('/list'))['items']).map(({ q }) => q)

t.test('a copy of the site that an editor pushes changes nothing in the draft', async (t) => {
  const { dev, push, history, headingOf } = await withEditor(t)
  await dev.heading('/', 'Mine')
  const before = [await dev.version(), await history()]
  t.match(await push(), {
    status: 'bootstrapped',
    count: 3,
    slugs: ['/', '/about', '/prices'],
    refused: emptyList,
  })
  t.equal(await dev.headingOf('/'), 'Mine')
  t.strictSame([await dev.version(), await history()], before)
  t.match(await push(), { previewVersion: before[0] })
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(headingOf('/'), 'Mine')
})

t.test('a page that the draft has removed, renamed or added stays so when a copy is pushed', async (t) => {
  const { dev, push, slugsOnSite } = await withEditor(t)
  await dev.ops([
    { op: 'remove_page', pageSlug: '/prices' },
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' },
    { op: 'create_page', page: page('/jobs') },
  ])
  const slugs = ['/', '/team', '/jobs']
  t.match(await push(), { slugs })
  t.strictSame(await dev.slugs(), slugs)
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame(slugsOnSite(), slugs)
})

t.test('of two pages that have swapped their addresses each stays where it is', async (t) => {
  const { dev, push, pages } = await withEditor(t)
  await dev.heading('/about', 'About')
  await dev.ops([
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/between' },
    { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/about' },
    { op: 'rename_page', pageSlug: '/between', newPageSlug: '/prices' },
  ])
  const own = await pages()
  await push()
  t.strictSame(await pages(), own, 'a copy of the site')
  await push(own)
  t.strictSame(await pages(), own, 'a copy of the draft')
  await dev.ops([
    { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/between', newTitle: 'Prices' },
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/prices', newTitle: 'About' },
    { op: 'rename_page', pageSlug: '/between', newPageSlug: '/about', newTitle: 'Prices' },
  ])
  const back = await pages()
  await push(own)
  t.strictSame(await pages(), back, 'a copy of the draft from before they were swapped back')
})

t.test('of two pages that the site has swapped each stays where it is', async (t) => {
  const { dev, website, push, pages } = await withEditor(t)
  const copies = [website.pages]
  await dev.heading('/prices', 'Mine')
  copies.push(await pages())
  const to: Readonly<Record<string, string>> = { '/about': '/prices', '/prices': '/about' }
  website.pages = website.pages.map((each) => ({ ...each, slug: to[each.slug] ?? each.slug }))
  t.match((await dev.diff()).conflicts, { length: 0 })
  const own = await pages()
  for (const copy of copies) {
    await push(copy)
    t.strictSame(await pages(), own)
  }
  const [home, about] = threePages
  await push([home, about, page('/prices', 'Typed')].filter((each) => each !== undefined))
  const headings = (await pages()).map(({ slug, title, blocks }) => [
    slug,
    title,
    blocks[0]?.props['heading'],
  ])
  t.strictSame(headings, [
    ['/', 'Start', 'Hello'],
    ['/prices', 'about', 'Hello'],
    ['/about', 'prices', 'Typed'],
  ])
})

t.test('an edit of a page at its former address is one of the page where the draft has it', async (t) => {
  const { dev, push } = await withEditor(t)
  await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' }])
  await push([page('/about', 'Typed')])
  t.strictSame(await dev.slugs(), ['/', '/team', '/prices'])
  t.equal((await dev.page('/team')).blocks[0]?.props['heading'], 'Typed')
})

t.test('a page at an address that a publish has changed is the page at its new one', async (t) => {
  const rename = (pageSlug: string, newPageSlug: string) => [
    { op: 'rename_page', pageSlug, newPageSlug, newTitle: 'about' },
  ]
  for (const [name, then] of [
    ['published', []],
    ['published twice', rename('/team', '/people')],
    ['published and moved in the draft', rename('/team', '/people')],
  ] as const)
    await t.test(name, async (t) => {
      const { dev, push, slugsOnSite, history } = await withEditor(t)
      const slugs = then.length > 0 ? ['/', '/people', '/prices'] : ['/', '/team', '/prices']
      await dev.ops(rename('/about', '/team'))
      t.match(await dev.publish(), { status: 'ready' })
      if (then.length > 0) await dev.ops(then)
      if (name === 'published twice') t.match(await dev.publish(), { status: 'ready' })
      const before = [await dev.version(), await history()]
      t.match(await push(threePages), { slugs })
      t.strictSame([await dev.version(), await history()], before)
      await push([page('/about', 'Typed')])
      t.strictSame(await dev.slugs(), slugs)
      t.equal((await dev.page(slugs[1] ?? '')).blocks[0]?.props['heading'], 'Typed')
      await push([{ ...page('/about'), id: 'another' }])
      t.strictSame(await dev.slugs(), [...slugs, '/about'], 'another page')
      t.match(await dev.publish(), { status: 'ready' })
      t.strictSame(slugsOnSite(), [...slugs, '/about'])
    })
})

t.test('a page that draft and site have renamed alike is that page for an older copy', async (t) => {
  const rename = (pageSlug: string, newPageSlug: string) => [
    { op: 'rename_page', pageSlug, newPageSlug, newTitle: 'about' },
  ]
  const cases = {
    'as it is': { ops: [], slugs: ['/', '/team', '/prices'], about: '/team' },
    'renamed again': {
      ops: rename('/team', '/people'),
      slugs: ['/', '/people', '/prices'],
      about: '/people',
    },
    'with another page at its former address': {
      ops: [{ op: 'create_page', page: { ...page('/about', 'Mine'), id: 'mine', blocks: [] } }],
      slugs: ['/', '/team', '/prices', '/about'],
      about: '/team',
    },
  }
  for (const [name, { ops, slugs, about }] of Object.entries(cases))
    await t.test(name, async (t) => {
      const { website, dev, push, pages, history } = await withEditor(t)
      website.pages = threePages.map((each) => (each.slug === '/about' ? { ...each, slug: '/team' } : each))
      await dev.ops(rename('/about', '/team'))
      t.match(await dev.follow(), { conflicts: emptyList })
      if (ops.length > 0) await dev.ops(ops)
      const before = [await pages(), await dev.version(), await history()]
      t.match(await push(threePages), { slugs })
      t.strictSame([await pages(), await dev.version(), await history()], before)
      await push([page('/about', 'Typed')])
      t.strictSame([await dev.slugs(), await dev.headingOf(about)], [slugs, 'Typed'])
    })
})

t.test('an older copy of a page leaves the one that the draft has at its former address since', async (t) => {
  const time = stillClock(noon)
  const { dev, push, pages } = await withEditor(t, { time })
  await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'about' }])
  t.match(await dev.publish(), { status: 'ready' })
  time.advance(hourMs)
  await dev.ops([{ op: 'create_page', page: { ...page('/about', 'Mine'), id: 'mine' } }])
  const before = await pages()
  await push(threePages)
  t.strictSame(await pages(), before)
})

t.test('a copy of a draft finds pages that the draft has renamed since, also back', async (t) => {
  const rename = (pageSlug: string, newPageSlug: string) => [{ op: 'rename_page', pageSlug, newPageSlug }]
  for (const [to, isEarly] of [
    ['/people', false],
    ['/people', true],
    ['/about', false],
    ['/about', true],
  ] as const)
    await t.test(to, async (t) => {
      const { website, dev, push, pages } = await withEditor(t)
      await dev.ops(rename('/about', '/team'))
      const copy = await pages()
      website.pages = [page('/'), page('/about', 'Deployed'), page('/prices')]
      if (isEarly) await dev.follow()
      await dev.ops(rename('/team', to))
      await dev.follow()
      t.equal(await dev.headingOf(to), 'Deployed')
      const slugs = await dev.slugs()
      await push(copy)
      t.strictSame([await dev.slugs(), await dev.headingOf(to)], [slugs, 'Deployed'])
      await push([{ ...page('/team'), id: 'another' }])
      t.strictSame(await dev.slugs(), [...slugs, '/team'], 'another page')
    })
})

t.test('a new page of a copy does not replace the one that another page of it is now', async (t) => {
  for (const renamed of ['in the draft', 'on the site']) {
    await t.test(renamed, async (t) => {
      const { website, dev, push } = await withEditor(t)
      const copy = [...website.pages, page('/n', 'New')]
      if (renamed === 'in the draft')
        await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/n' }])
      else
        website.pages = website.pages.map((each) => (each.slug === '/about' ? { ...each, slug: '/n' } : each))
      const reason = 'another page has the same slug'
      const slugs = ['/', '/n', '/prices']
      t.match(await push(copy), { count: 3, slugs, refused: [{ slug: '/n', reason }] })
      t.match(await dev.page('/n'), { blocks: [{ id: 'b/about' }] })
      t.match(await push(copy.toReversed()), { count: 3, slugs, refused: [{ slug: '/n', reason }] })
      t.match(await push([page('/n', 'Alone')]), { count: 1, slugs, refused: emptyList })
      t.equal(await dev.headingOf('/n'), 'Alone')
    })
  }
})

t.test('a page that the site has moved to such an address stays', async (t) => {
  const rename = (pageSlug: string, newPageSlug: string) => [
    { op: 'rename_page', pageSlug, newPageSlug, newTitle: 'about' },
  ]
  const { website, dev, push, pages } = await withEditor(t)
  await dev.ops(rename('/about', '/team'))
  const copy = await pages()
  await dev.ops(rename('/team', '/people'))
  website.pages = threePages.map((each) => (each.slug === '/prices' ? { ...each, slug: '/team' } : each))
  await dev.follow()
  const before = await pages()
  await push(copy)
  t.strictSame(await pages(), before)
})

t.test(
  'a copy of a page from between its rename and an edit is older than the publish of both',
  async (t) => {
    for (const isAgain of [false, true]) {
      const { dev, push, pages } = await withEditor(t)
      await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' }])
      const copy = await pages()
      await dev.ops([
        { op: 'update_props', pageSlug: '/team', blockId: 'b/about', patch: { heading: 'Mine' } },
      ])
      if (isAgain) await dev.ops([{ op: 'rename_page', pageSlug: '/team', newPageSlug: '/people' }])
      t.match(await dev.publish(), { status: 'ready' })
      await push(copy)
      const now = isAgain ? '/people' : '/team'
      t.strictSame(await dev.slugs(), ['/', now, '/prices'])
      t.equal(await dev.headingOf(now), 'Mine')
    }
  },
)

t.test('of two pages that have had one id in turn, the one of a copy has its blocks', async (t) => {
  const rename = (newTitle: string, pageSlug: string, newPageSlug: string) => [
    { op: 'rename_page', pageSlug, newPageSlug, newTitle },
  ]
  for (const isPublished of [false, true])
    await t.test(isPublished ? 'published' : 'in the draft', async (t) => {
      const time = stillClock(noon)
      const { dev, push, pages } = await withEditor(t, { time })
      await dev.ops(rename('about', '/about', '/team'))
      t.match(await dev.publish(), { status: 'ready' })
      const copy = await pages()
      const { id } = await dev.page('/team')
      time.advance(hourMs)
      await dev.ops(rename('about', '/team', '/people'))
      await dev.ops(rename('prices', '/prices', '/team'))
      if (isPublished) t.match(await dev.publish(), { status: 'ready' })
      time.advance(hourMs)
      t.equal((await dev.page('/team')).id, id, 'the id of the other page')
      const before = await pages()
      await push(copy)
      t.strictSame(await pages(), before)
      await push(
        copy.map((each) =>
          each.slug === '/team' ? { ...page('/about', 'Typed'), id, slug: '/team' } : each,
        ),
      )
      t.strictSame([await dev.headingOf('/people'), await dev.headingOf('/team')], ['Typed', 'Hello'])
    })
})

t.test(
  'a copy of a site that has moved on is followed, and what both have changed is a conflict',
  async (t) => {
    const { website, dev, push, history } = await withEditor(t)
    await dev.heading('/', 'Mine')
    website.pages = [page('/', 'Theirs'), page('/about', 'Deployed'), page('/prices'), page('/new')]
    t.match(await push(), { slugs: ['/', '/about', '/prices', '/new'] })
    t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Mine', 'Deployed'])
    await push()
    t.match((await dev.diff()).conflicts, [{ ours: 'Mine', theirs: 'Theirs' }])
    const sources = (await history()).map(({ source }) => source)
    t.strictSame(sources, ['bootstrap', 'direct', 'site'], 'the draft has followed, and nothing was pushed')
  },
)

t.test('what differs from the site is an edit, whose line names it and which is one undo', async (t) => {
  const { dev, push, history, config } = await withEditor(t)
  await dev.ops([{ op: 'remove_page', pageSlug: '/prices' }])
  await dev.heading('/about', 'Mine')
  const pushed = [page('/', 'Typed'), page('/about'), page('/prices', 'Back')]
  await push(pushed, { siteConfig: { logo: '/new.png' } })
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Typed', 'Mine'])
  t.strictSame(await dev.slugs(), ['/', '/about', '/prices'])
  const line = (await history()).at(-1)
  t.match(line, { source: 'bootstrap', slugs: ['/', '/prices'] })
  t.match(
    line?.summary,
    /^Pushed by an editor: heading of Hero on Start changed, page prices added, site settings changed$/,
  )
  t.equal((await dev.undo('/')).status, 200)
  t.strictSame([await dev.headingOf('/'), await dev.slugs()], ['Hello', ['/', '/about']])
  t.strictSame(await config(), {})
})

t.test('settings of the site that are pushed leave those that the draft has changed', async (t) => {
  const { website, dev, push, config } = await withEditor(t)
  website.siteConfig = { name: 'Acme', logo: '/a.png', navLabels: { '/': 'Home', '/about': 'About' } }
  await dev.diff()
  await dev.config({ name: 'Mine', navLabels: { '/': 'Start', '/about': 'About' } })
  const version = await dev.version()
  await push(website.pages, { siteConfig: website.siteConfig })
  t.match(await config(), { name: 'Mine', navLabels: { '/': 'Start', '/about': 'About' } })
  t.equal(await dev.version(), version)
  await push(website.pages, { siteConfig: { ...website.siteConfig, logo: '/typed.png' } })
  t.match(await config(), { name: 'Mine', logo: '/typed.png', navLabels: { '/': 'Start' } })
})

t.test('pages and settings that a copy lacks stay, also those that were published after it', async (t) => {
  const { website, dev, push, config } = await withEditor(t)
  website.siteConfig = { logo: '/a.png' }
  await dev.diff()
  const copy = { pages: website.pages, siteConfig: website.siteConfig }
  await dev.config({ name: 'Mine', navLabels: { '/about': 'About' } })
  await dev.ops([{ op: 'create_page', page: page('/new') }])
  t.match(await dev.publish(), { status: 'ready' })
  const version = await dev.version()
  await push(copy.pages, { siteConfig: copy.siteConfig })
  t.strictSame(await dev.slugs(), ['/', '/about', '/prices', '/new'])
  t.match(await config(), { name: 'Mine', logo: '/a.png', navLabels: { '/about': 'About' } })
  t.equal(await dev.version(), version)
})

t.test('rows without ids are compared by their content', async (t) => {
  const { dev, push } = await withEditor(t, {}, [page('/'), list('One', 'Two', 'Three', 'Four')])
  await dev.ops([
    {
      op: 'update_item',
      pageSlug: '/list',
      blockId: 'b/list',
      listKey: 'items',
      index: 1,
      patch: { q: 'Mine' },
    },
  ])
  const version = await dev.version()
  await push()
  t.strictSame([await textsOf(dev), await dev.version()], [['One', 'Mine', 'Three', 'Four'], version])
  await push([list('One', 'Two', 'Three', 'Typed')])
  t.strictSame(await textsOf(dev), ['One', 'Mine', 'Three', 'Typed'])
})

t.test('a page that only the draft has is as it is pushed', async (t) => {
  const { dev, push } = await withEditor(t)
  const block = { id: 'b_more', type: 'RichText', props: { title: 'More', body: 'x' } }
  const jobs = page('/jobs')
  await dev.ops([{ op: 'create_page', page: { ...jobs, blocks: [...jobs.blocks, block] } }])
  await push([page('/jobs', 'Typed')])
  const { blocks } = await dev.page('/jobs')
  t.match(blocks, [{ props: { heading: 'Typed' } }])
  t.equal(blocks.length, 1)
})

t.test('what a site leaves out of its answer is not removed from the draft by a copy of that', async (t) => {
  const { website, dev, push } = await withEditor(t)
  const subheading = (text?: string) => page('/', 'Hello', text === undefined ? {} : { subheading: text })
  await dev.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { subheading: 'Below' } }])
  website.lists = () => ({ pages: [subheading(), ...website.pages.slice(1)] })
  t.match(await dev.publish(), { status: 'ready' })
  await push([subheading(), ...website.pages.slice(1)])
  t.equal((await dev.props('/'))['subheading'], 'Below')
})

t.test('a copy from before the draft followed changes nothing, for a day', async (t) => {
  const time = stillClock(noon)
  const { website, dev, push, history, config } = await withEditor(t, { time })
  website.siteConfig = { name: 'Old' }
  await dev.follow()
  const copy = website.pages
  website.pages = [page('/', 'Deployed'), page('/about'), page('/new')]
  website.siteConfig = { name: 'New' }
  t.match(await dev.follow(), { status: 'followed' })
  await dev.heading('/about', 'Mine')
  website.pages = [page('/', 'Deployed again'), page('/about'), page('/new')]
  t.match(await dev.follow(), { status: 'followed' })
  const before = [await dev.version(), (await history()).length]
  t.match(await push(copy, { siteConfig: { name: 'Old' } }), { slugs: ['/', '/about', '/new'] })
  t.strictSame([await dev.version(), (await history()).length], before)
  t.strictSame(await dev.slugs(), ['/', '/about', '/new'])
  t.match(await config(), { name: 'New' })
  const headings = async () => [await dev.headingOf('/'), await dev.headingOf('/about')]
  t.strictSame(await headings(), ['Deployed again', 'Mine'])
  await push([page('/', 'Deployed'), page('/about', 'Typed')])
  t.strictSame(await headings(), ['Deployed again', 'Typed'], 'a value of its own is an edit')
  time.advance(dayMs + 1)
  await push(copy)
  t.equal(await dev.headingOf('/'), 'Hello', 'an edit after that')
})

t.test('a push that is repeated with its key, and one with a version, are merged alike', async (t) => {
  const { dev } = await withEditor(t)
  await dev.heading('/', 'Mine')
  const version = await dev.version()
  const body = { pages: [page('/'), page('/about', 'Typed')], overwrite: true, baseVersion: version }
  const send = async (more = {}) =>
    dev.send('/draft/bootstrap', { ...body, ...more }, { 'idempotency-key': 'k' })
  const first = await send()
  t.match([first.status, first.json()], [200, { count: 2, previewVersion: version + 1 }])
  t.strictSame((await send()).json(), first.json())
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Mine', 'Typed'])
  t.equal((await dev.send('/draft/bootstrap', body)).status, 409)
})

t.test('a draft that a client has filled has the site as its base, also for the next copy', async (t) => {
  const { website, draft, headingOf } = await withWebsite(t)
  const dev = draft('dev')
  const push = () => dev.bootstrap(website.pages, { overwrite: true })
  await push()
  await dev.heading('/', 'Mine')
  website.pages = [page('/'), page('/about', 'Deployed'), page('/prices')]
  await push()
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Mine', 'Deployed'])
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame([headingOf('/'), headingOf('/about')], ['Mine', 'Deployed'])
})

t.test('a site that is pushed in parts is in the draft as a whole', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  const push = (...slugs: readonly string[]) =>
    dev.bootstrap(
      website.pages.filter(({ slug }) => slugs.includes(slug)),
      { overwrite: true },
    )
  await push('/')
  t.match(await dev.diff(), { summary: { pagesRemoved: 2 } })
  await push('/about')
  await push('/prices')
  t.strictSame(await dev.slugs(), ['/', '/about', '/prices'])
  t.match(await dev.diff(), { summary: { pagesRemoved: 0, pagesUnchanged: 3 }, conflicts: emptyList })
  await dev.ops([{ op: 'remove_page', pageSlug: '/prices' }])
  await push('/', '/about', '/prices')
  t.strictSame(await dev.slugs(), ['/', '/about'], 'a page that was removed since stays so')
})

t.test('a copy of a site that cannot be read now is compared with what was agreed on', async (t) => {
  const { website, dev, push } = await withEditor(t)
  await dev.heading('/', 'Mine')
  await dev.ops([{ op: 'remove_page', pageSlug: '/prices' }])
  website.lists = () => 'away'
  await push([page('/'), page('/about', 'Typed'), page('/prices')])
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Mine', 'Typed'])
  t.strictSame(await dev.slugs(), ['/', '/about'])
})

t.test('blocks and pages that came or went by a follow, or in the draft, do so once', async (t) => {
  const text = (id: string) => ({ id, type: 'RichText', props: { title: id, body: 'x' } })
  const home = (...ids: readonly string[]): Page => ({
    ...page('/'),
    blocks: [...page('/').blocks, ...ids.map(text)],
  })
  const { website, draft, dev, push } = await withEditor(t, {}, [home('b_one', 'b_two'), page('/about')])
  const copy = website.pages
  const review = draft('review')
  await review.fill()
  await review.ops([
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' },
    { op: 'add_block', pageSlug: '/', block: text('b_theirs') },
  ])
  t.match(await review.publish(), { status: 'ready' })
  await dev.ops([
    { op: 'remove_block', pageSlug: '/', blockId: 'b_one' },
    { op: 'add_block', pageSlug: '/', block: text('b_mine') },
  ])
  t.match(await dev.follow(), { status: 'followed' })
  const state = async () => [await dev.slugs(), (await dev.page('/')).blocks.map(({ id }) => id)]
  const before = await state()
  t.match(before, [
    ['/', '/team'],
    ['b/', 'b_two'],
  ])
  for (const pushed of [copy, website.pages]) {
    await push(pushed)
    t.strictSame(await state(), before)
  }
})
