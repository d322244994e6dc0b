import t from 'tap'
import * as v from 'valibot'
import { use } from '../../kernel/index.ts'
import { stillClock } from '../../kernel/testing.ts'
import webhooks from '../../plugins/webhooks/index.ts'
import { withSite } from '../helpers/published-site.ts'
import { log, noon, page } from '../helpers/publishing.ts'
import { until } from '../helpers/until.ts'
import { emptyList } from '../helpers/plain.ts'
import { startReceiver, webhookSecret } from '../helpers/webhook-receiver.ts'
import { withWebsite } from '../helpers/website.ts'

const minute = 60_000
const later = (minutes: number): string => new Date(Date.parse(noon) + minutes * minute).toISOString()
const Slugs = v.array(v.string())
const Row = v.object({ id: v.string(), changes: v.object({ added: Slugs, modified: Slugs, removed: Slugs }) })
const Message = v.object({ data: v.looseObject({ publishId: v.string() }) })

const swap = [
  { op: 'rename_page', pageSlug: '/a', newPageSlug: '/tmp' },
  { op: 'rename_page', pageSlug: '/b', newPageSlug: '/a' },
  { op: 'rename_page', pageSlug: '/tmp', newPageSlug: '/b' },
]

t.test('two pages that swap their addresses are published together', async (t) => {
  for (const batches of [[swap], swap.map((op) => [op])])
    await t.test(`${batches.length} batches`, async (t) => {
      const { ops, publish, pages, open } = await withSite(t, ['/', '/a', '/b'])
      for (const batch of batches) await ops(batch)
      t.match(await publish(), { status: 'ready' })
      t.strictSame(
        new Map(pages() as [string, string][]),
        new Map([
          ['/', 'Of /'],
          ['/a', 'Of /b'],
          ['/b', 'Of /a'],
        ]),
      )
      t.strictSame(await open(), [])
      t.match(await publish(), { status: 'ready' })
      t.strictSame(
        pages().find(([slug]) => slug === '/a'),
        ['/a', 'Of /b'],
      )
    })
})

t.test(
  'a page gets another id than a page that stays, though the draft has renamed that one as well',
  async (t) => {
    const pages = [page('/'), page('/a'), { ...page('/b'), id: 'p_n' }]
    const { website, draft } = await withWebsite(t, {}, pages)
    const dev = draft('dev')
    await dev.fill()
    await dev.ops([
      { op: 'rename_page', pageSlug: '/b', newPageSlug: '/c' },
      { op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' },
    ])
    t.match(await dev.publish({ pages: ['/n'] }), { status: 'ready' })
    t.strictSame(
      website.pages.map(({ slug, id }) => [slug, id]),
      [
        ['/', 'p/'],
        ['/n', 'p_n_2'],
        ['/b', 'p_n'],
      ],
    )
    t.match(await dev.diff(), { summary: { pagesModified: 1, pagesAdded: 0 }, conflicts: { length: 0 } })
  },
)

const byAddress = (pages: readonly (readonly unknown[])[]) =>
  Object.fromEntries(pages.map(([slug, of]) => [slug, of]))

t.test('either address names a renamed page, and what links to it is a note', async (t) => {
  for (const name of ['/a', '/z'])
    await t.test(name, async (t) => {
      const { ops, rename, publish, pages, open } = await withSite(t, ['/', '/a', '/b'], {
        props: { '/b': { ctaText: 'Go', ctaHref: '/a?x=1#part' } },
      })
      await rename('/a', '/z')
      await ops([{ op: 'create_page', page: page('/new') }])
      await ops([
        { op: 'update_props', pageSlug: '/z', blockId: 'b/a', patch: { ctaText: 'New', ctaHref: '/new/' } },
      ])
      t.match(await publish({ pages: [name] }), {
        status: 'ready',
        notes: [/^\/z links to \/new, which is not on the site/, /^\/b links to \/a, /],
      })
      t.strictSame(byAddress(pages()), { '/': 'Of /', '/z': 'Of /a', '/b': 'Of /b' })
      t.strictSame(await open(), ['/new', '/b'])
      t.notOk('notes' in (await publish({ pages: ['/new', '/b'] })), 'no link is lost')
      t.strictSame(await open(), [])
    })
})

t.test('a link with the host of the site is a note as well, and one to another site is not', async (t) => {
  const { ops, publish, origin } = await withSite(t, ['/', '/a'])
  await ops([{ op: 'create_page', page: page('/new') }])
  const linked = (href: string) => ({
    op: 'update_props',
    pageSlug: '/a',
    blockId: 'b/a',
    patch: { ctaText: 'Go', ctaHref: href },
  })
  for (const own of [`${origin}/new?x#y`, `${origin.replace('http:', '')}/new`, 'new']) {
    await ops([linked(own)])
    t.match(await publish({ pages: ['/a'] }), { notes: [/^\/a links to \/new, which/] }, own)
  }
  await ops([linked('https://other.site/new')])
  t.notOk('notes' in (await publish({ pages: ['/a'] })))
})

/**
 * Pages that take or free each other's address: what is done, what is missing for a choice, and what is then
 * published.
 */
const together: Readonly<
  Record<
    string,
    {
      readonly ops: readonly object[]
      readonly alone: readonly (readonly [chosen: readonly string[], missing: readonly string[]])[]
      readonly chosen: readonly string[]
      readonly published: Readonly<Record<string, string>>
    }
  >
> = {
  'a swap': {
    ops: swap,
    alone: [
      [['/a'], ['/b']],
      [['/b'], ['/a']],
    ],
    chosen: ['/a', '/b'],
    published: { '/a': 'Of /b', '/b': 'Of /a' },
  },
  'a chain': {
    ops: [
      { op: 'rename_page', pageSlug: '/b', newPageSlug: '/c' },
      { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' },
    ],
    alone: [
      [['/a'], ['/c']],
      [['/b'], ['/c']],
      [['/c'], ['/b']],
    ],
    chosen: ['/b', '/c'],
    published: { '/b': 'Of /a', '/c': 'Of /b' },
  },
  'a new page at the old address of another': {
    ops: [
      { op: 'rename_page', pageSlug: '/a', newPageSlug: '/z' },
      { op: 'create_page', page: page('/a', 'New') },
    ],
    alone: [
      [['/a'], ['/z']],
      [['/z'], ['/a']],
    ],
    chosen: ['/z', '/a'],
    published: { '/a': 'New', '/b': 'Of /b', '/z': 'Of /a' },
  },
  'a page at the address of one that is removed': {
    ops: [
      { op: 'remove_page', pageSlug: '/b' },
      { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' },
    ],
    alone: [[['/a'], ['/b']]],
    chosen: ['/b'],
    published: { '/b': 'Of /a' },
  },
}

t.test(
  'a page that the site has moved to the slug of another goes back together with that one',
  async (t) => {
    const { site, rename, publish, diff, pages } = await withSite(t, ['/', '/a', '/b'])
    await publish()
    site.pages = site.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/n' } : each))
    await rename('/b', '/n')
    t.match(await diff(), { conflicts: [{ slug: '/n', kind: 'changed' }] })
    const alone = await publish({ pages: ['/n'], overwrite: true })
    t.match(alone, { code: 'pages_belong_together', error: /\/a/ })
    t.match(await publish({ pages: ['/n', '/a'], overwrite: true }), { status: 'ready' })
    t.strictSame(byAddress(pages()), { '/': 'Of /', '/a': 'Of /a', '/n': 'Of /b' })
  },
)

for (const [name, { ops, alone, chosen, published }] of Object.entries(together))
  t.test(`${name} is published together`, async (t) => {
    const setup = await withSite(t, ['/', '/a', '/b', '/last'])
    await setup.ops(ops)
    await setup.ops([
      { op: 'update_props', pageSlug: '/last', blockId: 'b/last', patch: { heading: 'Later' } },
    ])
    for (const [slugs, missing] of alone)
      t.match(await setup.publish({ pages: slugs }), {
        code: 'pages_belong_together',
        reason: new RegExp(`: ${missing.join(', ')}\\.$`),
        pages: missing,
      })
    t.match(await setup.publish({ pages: chosen }), { status: 'ready' })
    t.strictSame(byAddress(setup.pages()), { '/': 'Of /', ...published, '/last': 'Of /last' })
    t.strictSame(await setup.open(), ['/last'], 'the rest is a change of the draft still')
    t.match(await setup.publish(), { status: 'ready' })
    t.strictSame(byAddress(setup.pages()), { '/': 'Of /', ...published, '/last': 'Later' })
  })

t.test('a page that is created as the one that it follows is published alone', async (t) => {
  const { rename, ops, publish, open } = await withSite(t, ['/', '/a'])
  await rename('/a', '/z')
  await ops([{ op: 'create_page', page: page('/a', 'Of /a') }])
  t.match(await publish({ pages: ['/z'] }), { status: 'ready' })
  t.strictSame(await open(), [])
})

const menus = {
  navLabels: { '/a': 'A', '/b': 'B', '/c': 'C' },
  navGroups: { All: ['/a', '/b'], More: ['/c'] },
}

t.test('a page that is created at an address between two of another is no renamed one', async (t) => {
  const { rename, ops, publish, pages, open } = await withSite(t, ['/', '/a'])
  await rename('/a', '/z')
  await rename('/z', '/b')
  await ops([
    { op: 'create_page', page: page('/z', 'New') },
    { op: 'rename_page', pageSlug: '/z', newPageSlug: '/y' },
    { op: 'duplicate_page', pageSlug: '/y', newPageSlug: '/z' },
  ])
  t.match(await publish({ pages: ['/a'] }), { status: 'ready' })
  t.strictSame(byAddress(pages()), { '/': 'Of /', '/b': 'Of /a' })
  t.strictSame(await open(), ['/y', '/z'])
})

t.test('what is scheduled brings its renames, and they are no change of a later one', async (t) => {
  const time = stillClock(noon)
  const { ops, retitle, publish, pages, get, open, site } = await withSite(t, ['/', '/a', '/b'], { time })
  const inHours = (hours: number): object => ({
    at: new Date(Date.parse(noon) + hours * 3_600_000).toISOString(),
  })
  const isPublished = (count: number) =>
    until(async () => (await log({ get })).length === count, 'the scheduled publish')
  await ops(swap)
  t.match(await publish({ ...inHours(1), pages: ['/a', '/b'] }), {
    status: 'scheduled',
    changes: { added: emptyList, modified: ['/a', '/b'], titles: { '/a': 'A', '/b': 'B' } },
  })
  await retitle('/b', 'Later')
  t.match(await publish(inHours(2)), { status: 'scheduled' })
  time.advance(3_600_000)
  await isPublished(1)
  t.strictSame(byAddress(pages()), { '/': 'Of /', '/a': 'Of /b', '/b': 'Of /a' })
  t.strictSame(await open(), ['/b'])
  time.advance(3_600_000)
  await isPublished(2)
  t.match(await log({ get }), [{ status: 'success' }, { status: 'success' }])
  t.match(
    site.pages.find(({ slug }) => slug === '/b'),
    { title: 'Later' },
  )
  t.strictSame(byAddress(pages()), { '/': 'Of /', '/a': 'Of /b', '/b': 'Of /a' })
  t.strictSame(await open(), [])
})

t.test('menu entries go with their pages', async (t) => {
  const { config, rename, ops, publish, site, open } = await withSite(t, ['/', '/a', '/b', '/c'], {
    siteConfig: { name: 'Acme', ...menus },
  })
  await rename('/a', '/z')
  await rename('/b', '/y')
  await ops([
    { op: 'remove_page', pageSlug: '/c' },
    { op: 'create_page', page: page('/new') },
  ])
  const settings = {
    name: 'Renamed',
    navLabels: { '/y': 'Y', '/z': 'Z', '/new': 'New', '/': 'Start' },
    navGroups: { All: ['/y', '/z', '/new'], Other: ['/new'] },
  }
  await config(settings)
  t.match(await publish({ pages: ['/z'] }), { status: 'ready' })
  t.strictSame(site.siteConfig, {
    name: 'Acme',
    navLabels: { '/b': 'B', '/c': 'C', '/z': 'Z' },
    navGroups: { All: ['/b', '/z'], More: ['/c'] },
  })
  t.match(await publish({ pages: ['/c'], siteConfig: true }), { status: 'ready' })
  t.strictSame(site.siteConfig, {
    name: 'Renamed',
    navLabels: { '/b': 'B', '/z': 'Z', '/': 'Start' },
    navGroups: { All: ['/b', '/z'] },
  })
  t.match(await publish({ pages: ['/b', '/new'] }), { status: 'ready' })
  t.strictSame(await open(), [])
  t.same(site.siteConfig, settings)
})

t.test('a page that stays at its address brings no place in the groups of the menu', async (t) => {
  const onSite = { All: ['/', '/a', '/c'], More: ['/', '/a', '/b'] }
  for (const [part, groups] of [
    [{ pages: ['/'] }, onSite],
    [{ pages: ['/', '/z'] }, { All: ['/', '/c'], More: ['/', '/b'] }],
    [
      { pages: ['/'], siteConfig: true },
      { All: ['/a'], More: ['/a'], Other: ['/'] },
    ],
  ] as const)
    await t.test(JSON.stringify(part), async (t) => {
      const { config, rename, retitle, publish, site } = await withSite(t, ['/', '/a', '/b', '/c'], {
        siteConfig: { navGroups: { All: ['/a'], More: ['/a', '/b'] } },
      })
      await retitle('/', 'Welcome')
      await rename('/a', '/z')
      await config({ navGroups: { Other: ['/'] } })
      Object.assign(site, { siteConfig: { navGroups: onSite } })
      t.match(await publish({ ...part, overwrite: true }), { status: 'ready' })
      t.strictSame(site.siteConfig, { navGroups: groups })
    })
})

t.test('a page whose menu name alone has changed is published as a part', async (t) => {
  const { config, publish, site, diff } = await withSite(t, ['/', '/a', '/b'], { siteConfig: menus })
  await config({ navLabels: { '/a': 'New', '/b': 'Other', '/c': 'C', '/gone': 'Gone' } })
  t.match(await publish({ pages: ['/'] }), { code: 'pages_not_changed' })
  t.match(await publish({ pages: ['/gone'] }), { code: 'pages_not_changed' })
  t.match(await publish({ pages: ['/a'] }), { message: 'Published: updated the site settings.' })
  t.match(site.siteConfig, { navLabels: { '/a': 'New', '/b': 'B' } })
  const { siteConfig } = await diff()
  t.match(siteConfig, { fieldDiffs: [{ path: 'navLabels["/b"]' }, { path: 'navLabels["/gone"]' }] })
})

/**
 * Settings that both have changed and that go with a page: what the draft does, what the site has then, and
 * the part.
 */
const settingsInConflict: Readonly<
  Record<
    string,
    {
      readonly ops: readonly object[]
      readonly onSite: object
      readonly part: string
      readonly path: string
      readonly published: object
    }
  >
> = {
  'the menu name of a changed page': {
    ops: [
      { op: 'rename_page', pageSlug: '/a', newTitle: 'Ours' },
      { op: 'update_site_config', patch: { navLabels: { '/a': 'Ours' } } },
    ],
    onSite: { ...menus, navLabels: { ...menus.navLabels, '/a': 'Theirs' } },
    part: '/a',
    path: 'navLabels["/a"]',
    published: { ...menus, navLabels: { ...menus.navLabels, '/a': 'Ours' } },
  },
  'the menu name of a removed page': {
    ops: [
      { op: 'remove_page', pageSlug: '/c' },
      { op: 'update_site_config', patch: { navLabels: { '/c': '' } } },
    ],
    onSite: { ...menus, navLabels: { ...menus.navLabels, '/c': 'Theirs' } },
    part: '/c',
    path: 'navLabels["/c"]',
    published: { ...menus, navLabels: { '/a': 'A', '/b': 'B' } },
  },
  'the place of a new page in a removed group': {
    ops: [
      { op: 'create_page', page: page('/new') },
      { op: 'update_site_config', patch: { navGroups: { ...menus.navGroups, More: ['/c', '/new'] } } },
    ],
    onSite: { ...menus, navGroups: { All: ['/a', '/b'] } },
    part: '/new',
    path: 'navGroups["More"]',
    published: { ...menus, navGroups: { All: ['/a', '/b'], More: ['/new'] } },
  },
  'the place of a renamed page in a group': {
    ops: [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/z' }],
    onSite: { ...menus, navGroups: { All: ['/b'], More: ['/c'] } },
    part: '/z',
    path: 'navGroups["All"]',
    published: {
      navLabels: { '/b': 'B', '/c': 'C', '/z': 'A' },
      navGroups: { ...menus.navGroups, All: ['/z', '/b'] },
    },
  },
}

t.test('a part is published in spite of a conflict of groups that it brings no place in', async (t) => {
  const { retitle, config, publish, site } = await withSite(t, ['/', '/a', '/b', '/c'], { siteConfig: menus })
  await retitle('/a', 'Ours')
  await config({ navGroups: { All: ['/b', '/a'], More: ['/c'], Other: ['/a'] } })
  const onSite = { ...menus, navGroups: { All: ['/a'], More: ['/c'], Other: ['/', '/a'] } }
  site.siteConfig = onSite
  t.match(await publish({ pages: ['/a'] }), { status: 'ready' })
  t.strictSame(site.siteConfig, onSite)
})

for (const [name, { ops, onSite, part, path, published }] of Object.entries(settingsInConflict))
  t.test(`a part is refused with a conflict of ${name}`, async (t) => {
    const setup = await withSite(t, ['/', '/a', '/b', '/c'], { siteConfig: menus })
    await setup.ops(ops)
    await setup.retitle('/b', 'Other')
    setup.site.siteConfig = { ...onSite }
    t.match(await setup.publish({ pages: [part] }), {
      code: 'site_conflict',
      conflicts: [{ slug: '', path }],
    })
    t.strictSame(setup.site.siteConfig, onSite, 'nothing is replaced')
    t.match(await setup.publish({ pages: ['/b'] }), { status: 'ready' })
    t.strictSame(setup.site.siteConfig, onSite, 'it does not go with another page')
    t.match(await setup.publish({ pages: [part], overwrite: true }), { status: 'ready' })
    t.strictSame(setup.site.siteConfig, published)
    t.strictSame(await setup.open(), [])
  })

t.test(
  'a part meets the place of its page where the site has it at the address of another page',
  async (t) => {
    const { rename, publish, site } = await withSite(t, ['/', '/a', '/b', '/c'], { siteConfig: menus })
    await rename('/a', '/x')
    const slugs = new Map([
      ['/a', '/b'],
      ['/b', '/n'],
    ])
    site.pages = site.pages.map((each) => ({ ...each, slug: slugs.get(each.slug) ?? each.slug }))
    site.siteConfig = { ...menus, navGroups: { All: ['/b', '/n'], More: ['/c'] } }
    t.match(await publish({ pages: ['/x'] }), {
      code: 'site_conflict',
      conflicts: [
        { slug: '/x', path: 'slug' },
        { slug: '', path: 'navGroups["All"]' },
      ],
    })
  },
)

t.test('a page of a part stays behind those that only the draft has renamed', async (t) => {
  const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
  const renameA = rename('/a', '/x')
  for (const [name, ops, part, slugs, All] of [
    ['edited', [renameA], '/b', ['/', '/a', '/b', '/c'], ['/a', '/b']],
    ['renamed', [renameA, rename('/b', '/y')], '/y', ['/', '/a', '/y', '/c'], ['/a', '/y']],
    ['swapped', swap, '/c', ['/', '/a', '/b', '/c'], ['/a', '/b']],
  ] as const)
    await t.test(name, async (t) => {
      const setup = await withSite(t, ['/', '/a', '/b', '/c'], { siteConfig: menus })
      await setup.ops(ops)
      await setup.retitle(part, 'Ours')
      t.match(await setup.publish({ pages: [part] }), { status: 'ready' })
      t.strictSame(
        setup.site.pages.map(({ slug }) => slug),
        slugs,
      )
      t.match(setup.site.siteConfig, { navGroups: { All } })
    })
})

t.test('a group that lists the address which the page of a part gets', async (t) => {
  for (const [name, before, onSite, published] of [
    ['listed it before', ['/a', '/n'], ['/', '/a', '/n'], ['/n', '/']],
    ['lists it on the site alone', ['/a'], ['/a', '/n'], undefined],
    ['does not list it on the site any more', ['/a', '/n'], ['/a'], undefined],
  ] as const)
    await t.test(name, async (t) => {
      const siteConfig = (All: readonly string[]) => ({ ...menus, navGroups: { All } })
      const slugs = ['/', '/a', '/b', '/c']
      const { rename, publish, site } = await withSite(t, slugs, { siteConfig: siteConfig(before) })
      await rename('/a', '/n')
      site.siteConfig = siteConfig(onSite)
      const refused = { code: 'site_conflict', conflicts: [{ path: 'navGroups["All"]' }] }
      t.match(await publish({ pages: ['/n'] }), published ? { status: 'ready' } : refused)
      t.match(site.siteConfig, { navGroups: { All: published ?? onSite } })
    })
})

t.test('a part takes over what the site has changed in groups beside its page', async (t) => {
  const { rename, config, publish, site } = await withSite(t, ['/', '/a', '/b', '/c'], { siteConfig: menus })
  await rename('/a', '/z')
  await config({ navGroups: { All: ['/z', '/b'], More: ['/c'], Other: ['/z', '/c'] } })
  site.siteConfig = { ...menus, navGroups: { All: ['/a', '/b', '/c'], Other: ['/b'] } }
  t.match(await publish({ pages: ['/z'] }), { status: 'ready' })
  t.match(site.siteConfig, { navGroups: { All: ['/z', '/b', '/c'], Other: ['/z', '/b'] } })
})

t.test('a menu name that is typed again after a refused part is decided', async (t) => {
  const { retitle, config, publish, site, open } = await withSite(t, ['/', '/a'], { siteConfig: menus })
  await retitle('/a', 'Ours')
  await config({ navLabels: { '/a': 'Ours' } })
  site.siteConfig = { ...menus, navLabels: { ...menus.navLabels, '/a': 'Theirs' } }
  t.match(await publish({ pages: ['/a'] }), { code: 'site_conflict' })
  await config({ navLabels: { '/a': 'Newer' } })
  t.match(await publish({ pages: ['/a'] }), { status: 'ready' })
  t.match(site.siteConfig, { navLabels: { '/a': 'Newer' } })
  t.strictSame(await open(), [])
})

t.test('a page that the site has renamed is named by the address that the draft has', async (t) => {
  const about = { ...page('/about'), slug: '/team' }
  for (const [name, pages, at] of [
    ['renamed', [page('/'), about, page('/prices')], '/team'],
    [
      'swapped',
      [page('/'), { ...page('/about'), slug: '/prices' }, { ...page('/prices'), slug: '/about' }],
      '/prices',
    ],
  ] as const)
    await t.test(name, async (t) => {
      const { website, draft, headingOf } = await withWebsite(t)
      const dev = draft('dev')
      await dev.fill()
      await dev.heading('/about', 'Mine')
      await dev.heading('/prices', 'Later')
      website.pages = pages
      t.match(await dev.publish({ pages: ['/about'] }), { status: 'ready' })
      t.equal(headingOf(at), 'Mine')
      t.notOk(
        website.pages.some(({ blocks }) => blocks[0]?.props['heading'] === 'Later'),
        'only that page',
      )
      t.match(await dev.publish({ pages: ['/nowhere'] }), { code: 'pages_not_changed' })
    })
})

const Made = v.object({
  slugs: v.array(v.string()),
  actor: v.object({ browser: v.object({ name: v.string() }) }),
})
const Listed = v.object({ changes: v.object({ edits: v.array(Made), editCount: v.number() }) })

t.test('a part moves no page beside one that draft and site have renamed apart', async (t) => {
  const { site, retitle, rename, publish, pages, ...draft } = await withSite(t, ['/', '/a', '/b'])
  await rename('/a', '/x')
  await retitle('/b', 'New')
  site.pages = site.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/n' } : each))
  t.match(await publish({ pages: ['/b'] }), { status: 'ready' })
  t.strictSame(
    pages().map(([slug]) => slug),
    ['/', '/n', '/b'],
  )
  t.match((await draft.get('/draft/slugs')).json(), { slugs: ['/', '/x', '/b'] })
})

t.test('a publish lists the changes and the people that it brought, whenever they were made', async (t) => {
  const setup = await withSite(t, ['/', '/a', '/b'], { siteConfig: { name: 'Acme' } })
  const { send, publish } = setup
  const by = (name: string) => ({ id: `browser-${name}`, name })
  const heading = (name: string, pageSlug: string, heading: string) =>
    send('/ops', {
      client: by(name),
      ops: [
        {
          op: 'update_props',
          pageSlug,
          blockId: `b${pageSlug === '/z' ? '/a' : pageSlug}`,
          patch: { heading },
        },
      ],
    })
  await heading('Anna', '/a', 'One')
  await heading('Ben', '/b', 'Two')
  await send('/draft/site-config', { client: by('Cleo'), config: { name: 'Other' } }, {}, 'PUT')
  const listed = async () => {
    const { edits, editCount } = v.parse(Listed, (await log(setup)).at(-1)).changes
    return [editCount, edits.map(({ actor, slugs }) => [actor.browser.name, ...slugs].join(' '))]
  }
  await publish({ pages: ['/b'] })
  t.strictSame(await listed(), [1, ['Ben /b']])
  await send('/ops', { client: by('Dora'), ops: [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/z' }] })
  await heading('Ben', '/b', 'Three')
  await publish({ pages: ['/z'] })
  t.strictSame(await listed(), [2, ['Dora /z', 'Anna /a']], 'with those before it was renamed')
  await publish()
  t.strictSame(await listed(), [2, ['Ben /b', 'Cleo']], 'and what earlier publishes of a part left out')
  await publish()
  t.strictSame(await listed(), [0, []])
})

t.test('the webhook of a part has what the part brought, and whose it was', async (t) => {
  const receiver = await startReceiver(t)
  const events = ['publish.completed' as const]
  const endpoint = { name: 'one', url: receiver.url, secret: webhookSecret, events }
  const time = stillClock(noon)
  const plugins = [use(webhooks, { endpoints: [endpoint] })]
  const { website, draft } = await withWebsite(t, { time, plugins, publish: { lookEveryMs: 10 } })
  website.siteConfig = { name: 'Acme' }
  const dev = draft('dev')
  await dev.fill()
  const by = (name: string) => ({ client: { id: `browser-${name}`, name } })
  const change = (name: string, pageSlug: string, heading = `Of ${name}`) =>
    dev.send('/ops', {
      ...by(name),
      ops: [{ op: 'update_props', pageSlug, blockId: `b${pageSlug}`, patch: { heading } }],
    })
  await change('Anna', '/')
  await change('Ben', '/about')
  await dev.send('/ops', { ...by('Cleo'), ops: [{ op: 'create_page', page: page('/new') }] })
  await dev.send('/ops', { ...by('Dora'), ops: [{ op: 'remove_page', pageSlug: '/prices' }] })
  await dev.send('/draft/site-config', { ...by('Emil'), config: { name: 'Other' } }, {}, 'PUT')
  const sent = async (count: number) => {
    await receiver.arrived(count)
    const rows = v.parse(v.array(Row), await dev.log())
    const newest = rows.at(-1)
    const all = receiver.seen.map(({ body }) => v.parse(Message, JSON.parse(body)).data)
    const data = all.find(({ publishId }) => publishId === newest?.id)
    const { added, modified, removed } = newest?.changes ?? {}
    t.match(data, { added, modified, removed }, 'the list of its row')
    return data
  }
  const none = { added: emptyList, modified: emptyList, removed: emptyList, configChanged: false }

  await dev.publish({ pages: ['/about'], ...by('Ben') })
  t.match(await sent(1), { ...none, modified: ['/about'], people: ['Ben'] })
  await dev.publish({ pages: ['/new', '/prices'], ...by('Ben') })
  t.match(await sent(2), { ...none, added: ['/new'], removed: ['/prices'], people: ['Dora', 'Cleo'] })
  await change('Ben', '/about', 'Again')
  await dev.publish({ at: later(60), pages: ['/'], ...by('Ben') })
  time.advance(60 * minute)
  t.match(await sent(3), { ...none, modified: ['/'], people: ['Anna'], scheduledId: /./ })
  await dev.publish({ pages: ['/about'], siteConfig: true, ...by('Anna') })
  const rest = { modified: ['/about'], configChanged: true, people: ['Ben', 'Emil'] }
  t.match(await sent(4), { ...none, ...rest }, 'the settings with a page')
})

t.test('a part with the settings is published in spite of a conflict that it leaves out', async (t) => {
  const labels = { navLabels: { '/a': 'A', '/b': 'B' } }
  const { rename, retitle, config, publish, site } = await withSite(t, ['/', '/a', '/b'], {
    siteConfig: labels,
  })
  await rename('/a', '/z')
  await config({ name: 'Ours' })
  await retitle('/b', 'Ours')
  site.siteConfig = { navLabels: { '/a': 'Theirs', '/b': 'B' } }
  t.match(await publish({ pages: ['/b'], siteConfig: true }), { status: 'ready' })
  t.strictSame(site.siteConfig, { name: 'Ours', navLabels: { '/a': 'Theirs', '/b': 'B' } })
  t.match(await publish({ pages: ['/z'] }), { code: 'site_conflict' })
})

t.test('a page of a part is named in any spelling', async (t) => {
  for (const name of ['/cafe\u0301', '/caf%C3%A9', '/caf\u00e9/', '/caf\u00e9']) {
    const { ops, retitle, publish, open } = await withSite(t, ['/', '/caf\u00e9', '/b'])
    await ops([{ op: 'rename_page', pageSlug: '/b', newTitle: 'Other' }])
    await retitle('/caf\u00e9', 'Ours')
    t.match(await publish({ pages: [name] }), { status: 'ready' })
    t.strictSame(await open(), ['/b'])
  }
})
