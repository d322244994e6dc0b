import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import { withSite } from '../helpers/published-site.ts'
import { withWebsite } from '../helpers/website.ts'
import { noon, page } from '../helpers/publishing.ts'
import { until } from '../helpers/until.ts'
import { emptyList } from '../helpers/plain.ts'

const Row = v.looseObject({ slug: v.string(), status: v.string(), slugBefore: v.optional(v.string()) })
const Diff = v.object({ summary: v.record(v.string(), v.number()), pages: v.array(Row) })
const swap = [
  ['/a', '/x'],
  ['/b', '/a'],
  ['/x', '/b'],
] as const
const chain = [
  ['/b', '/d'],
  ['/a', '/b'],
] as const
const Renames = v.object({
  entries: v.array(
    v.object({ renamed: v.optional(v.array(v.object({ from: v.string(), to: v.string() }))) }),
  ),
})
type RenameSetup = Awaited<ReturnType<typeof withSite>>

async function reviewed({ get }: Pick<RenameSetup, 'get'>) {
  const { summary, pages } = v.parse(Diff, (await get('/publish/diff')).json())
  const differing = pages.filter(({ status }) => status !== 'unchanged')
  return { summary, pages, rows: differing.map(({ slug, slugBefore, status }) => [slug, slugBefore, status]) }
}
const heading = (pageSlug: string, blockId: string, heading: string) => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { heading },
})
const shownAs = (slug: string, { pages }: Awaited<ReturnType<typeof reviewed>>) =>
  pages.find((row) => row.slug === slug)

t.test('a renamed page is one page of the diff, with its changes', async (t) => {
  const setup = await withSite(t, ['/', '/prices'])
  await setup.rename('/prices', '/rates')
  t.strictSame((await reviewed(setup)).rows, [['/rates', '/prices', 'modified']])
  await setup.ops([heading('/rates', 'b/prices', 'New')])
  const diff = await reviewed(setup)
  t.strictSame(diff.rows, [['/rates', '/prices', 'modified']])
  t.match(diff.summary, { pagesAdded: 0, pagesRemoved: 0, pagesModified: 1, totalChangedFields: 2 })
  t.match(shownAs('/rates', diff), {
    titleBefore: 'prices',
    titleAfter: 'Rates',
    blockDiffs: [
      { status: 'modified', fieldDiffs: [{ path: 'heading', before: 'Of /prices', after: 'New' }] },
    ],
  })

  t.match(await setup.publish(), { status: 'ready' })
  const [row] = v.parse(
    v.object({ entries: v.array(v.looseObject({})) }),
    (await setup.get('/publish/log')).json(),
  ).entries
  t.match(row, {
    changes: { added: emptyList, modified: ['/rates'], removed: emptyList, fields: 2 },
    diffSummary: { added: 0, removed: 0, changed: 1 },
  })
  t.strictSame((await reviewed(setup)).rows, [])
})

t.test('a part of the draft counts a renamed page once', async (t) => {
  const setup = await withSite(t, ['/', '/prices', '/about'])
  await setup.rename('/prices', '/rates')
  await setup.ops([heading('/about', 'b/about', 'New')])
  t.match(await setup.publish({ pages: ['/rates'] }), { status: 'ready' })
  t.strictSame((await reviewed(setup)).rows, [['/about', undefined, 'modified']])
  const { entries } = v.parse(
    v.object({ entries: v.array(v.unknown()) }),
    (await setup.get('/publish/log')).json(),
  )
  t.match(entries, [{ changes: { added: emptyList, modified: ['/rates'], removed: emptyList } }])
})

t.test('pages that swap their addresses, and one that is new at a former address', async (t) => {
  const setup = await withSite(t, ['/', '/a', '/b', '/c'])
  for (const [from, to] of [
    ['/a', '/x'],
    ['/b', '/a'],
    ['/x', '/b'],
    ['/c', '/d'],
  ] as const)
    await setup.rename(from, to)
  await setup.ops([{ op: 'create_page', page: page('/c', 'Another') }])
  t.strictSame((await reviewed(setup)).rows, [
    ['/c', undefined, 'added'],
    ['/a', '/b', 'modified'],
    ['/b', '/a', 'modified'],
    ['/d', '/c', 'modified'],
  ])
  t.match(await setup.publish(), { status: 'ready' })
  t.strictSame((await reviewed(setup)).rows, [])
})

t.test('a page at the address of a removed one is compared with that one', async (t) => {
  const setup = await withSite(t, ['/', '/a', '/b'])
  await setup.ops([
    { op: 'remove_page', pageSlug: '/b' },
    { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' },
  ])
  t.strictSame((await reviewed(setup)).rows, [
    ['/b', undefined, 'modified'],
    ['/a', undefined, 'removed'],
  ])
})

t.test('a discard brings the old address back, with the links and the menu', async (t) => {
  const setup = await withSite(t, ['/', '/prices'], {
    props: { '/': { ctaHref: '/prices#top' } },
    siteConfig: { navLabels: { '/prices': 'What it costs' } },
  })
  const state = async () => [
    await setup.slugs(),
    (await setup.page('/')).blocks[0]?.props['ctaHref'],
    (await setup.get('/draft/site-config')).json(),
  ]
  const before = await state()
  await setup.rename('/prices', '/rates')
  await setup.ops([heading('/rates', 'b/prices', 'New'), heading('/', 'b/', 'Mine')])
  const changed = await state()
  t.notSame(changed, before)

  const part = { slug: '/rates', blockId: 'b/prices', field: 'heading' }
  t.equal((await setup.send('/history/discard', part)).status, 200)
  t.equal((await setup.page('/rates')).blocks[0]?.props['heading'], 'Of /prices')
  const discarded = await setup.send('/history/discard', { slug: '/rates' })
  t.match(discarded.json(), { status: 'applied', navigateToSlug: '/prices' })
  t.strictSame(await state(), before)
  t.equal((await setup.page('/')).blocks[0]?.props['heading'], 'Mine', 'other changes stay')
  t.strictSame((await reviewed(setup)).rows, [['/', undefined, 'modified']])

  t.equal((await setup.undo('/prices')).status, 200)
  t.strictSame(await state(), changed)
  t.strictSame((await reviewed(setup)).rows, [
    ['/', undefined, 'modified'],
    ['/rates', '/prices', 'modified'],
  ])
  t.equal((await setup.redo('/prices')).status, 200)
  await setup.rename('/prices', '/rates')
  t.equal((await setup.send('/history/discard', {})).status, 200)
  t.strictSame(await state(), before)
  t.strictSame((await reviewed(setup)).rows, [])
})

for (const [what, renames] of Object.entries({
  'one of two swapped pages': [
    ['/a', '/x'],
    ['/b', '/a'],
    ['/x', '/b'],
  ],
  'one of three pages in a circle': [
    ['/a', '/x'],
    ['/c', '/a'],
    ['/b', '/c'],
    ['/x', '/b'],
  ],
  'a page at the former address of another': [
    ['/a', '/x'],
    ['/b', '/a'],
  ],
} as const))
  t.test(`a discard of ${what} brings all back, with the links and the menu`, async (t) => {
    const slugs = ['/a', '/b', '/c']
    const setup = await withSite(t, ['/', ...slugs], {
      props: { '/': Object.fromEntries(slugs.map((slug) => [`${slug.slice(1)}Href`, slug])) },
      siteConfig: { navLabels: { '/a': 'A', '/b': 'B' }, navGroups: { All: slugs } },
    })
    const state = async () => [
      await Promise.all(
        (await setup.slugs())
          .toSorted()
          .map(async (slug) => [slug, (await setup.page(slug)).blocks[0]?.props['heading']]),
      ),
      (await setup.page('/')).blocks[0]?.props,
      (await setup.get('/draft/site-config')).json(),
    ]
    const before = await state()
    for (const [from, to] of renames) await setup.rename(from, to)
    const [changed, review] = [await state(), await reviewed(setup)]
    t.equal((await setup.send('/history/discard', { slug: '/a' })).status, 200)
    t.strictSame((await reviewed(setup)).rows, [])
    t.same(await state(), before)
    t.equal((await setup.undo('/a')).status, 200)
    t.same(await state(), changed)
    t.same(await reviewed(setup), review)
  })

t.test('a renamed or removed page that is discarded is at its place', async (t) => {
  for (const [op, slug] of [
    [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/x' }, '/x'],
    [{ op: 'remove_page', pageSlug: '/a' }, '/a'],
  ] as const) {
    const setup = await withSite(t, ['/', '/a', '/b'])
    await setup.ops([op])
    t.equal((await setup.send('/history/discard', { slug })).status, 200)
    t.strictSame(await setup.slugs(), ['/', '/a', '/b'])
    await setup.diff()
    t.strictSame(await setup.slugs(), ['/', '/a', '/b'])
  }
})

t.test('the order of a draft with renamed pages comes together with that of its site', async (t) => {
  const slugsOf = (setup: RenameSetup) => setup.site.pages.map(({ slug }) => slug)
  /** The site puts /c behind the home page. */
  const moveOnSite = ({ site }: RenameSetup) => void site.pages.splice(1, 0, ...site.pages.splice(3, 1))
  const move = (pageSlug: string, afterPageSlug: string) => ({ op: 'move_page', pageSlug, afterPageSlug })

  const renamed = await withSite(t, ['/', '/a', '/b', '/c'])
  await renamed.rename('/a', '/y')
  moveOnSite(renamed)
  t.match(await renamed.publish(), { status: 'ready' })
  t.strictSame(slugsOf(renamed), ['/', '/c', '/y', '/b'], 'the draft has moved nothing')

  const both = await withSite(t, ['/', '/a', '/b', '/c'])
  await both.rename('/a', '/y')
  moveOnSite(both)
  for (const each of both.site.pages) if (each.slug === '/a') Object.assign(each, { slug: '/y' })
  t.match(await both.publish(), { status: 'ready' })
  t.strictSame(slugsOf(both), ['/', '/c', '/y', '/b'], 'also where the site has renamed it as well')

  const moved = await withSite(t, ['/', '/a', '/b', '/c', '/d'])
  await moved.rename('/a', '/y')
  await moved.ops([move('/y', '/b')])
  await moved.diff()
  moved.site.pages.splice(1, 0, ...moved.site.pages.splice(4, 1))
  t.match(await moved.publish(), { status: 'ready' })
  t.strictSame(slugsOf(moved), ['/', '/d', '/b', '/y', '/c'], 'both have moved a page')

  const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
  for (const ops of [
    [move('/c', '/'), rename('/c', '/y')],
    [rename('/c', '/y'), move('/y', '/')],
    [rename('/c', '/x'), move('/x', '/'), rename('/x', '/y')],
  ]) {
    const atOnce = await withSite(t, ['/', '/a', '/b', '/c'])
    await atOnce.ops(ops)
    await atOnce.diff()
    t.match(await atOnce.publish(), { status: 'ready' })
    t.strictSame(slugsOf(atOnce), ['/', '/y', '/a', '/b'], 'a page is moved and renamed by one change')
  }
})

/** A site that lists redirects, with a draft that can publish at a time. */
async function withLater(t: Test, slugs: readonly string[]) {
  const time = stillClock(noon)
  const setup = await withSite(t, slugs, { time })
  Object.assign(setup.site, { redirects: [] })
  await setup.diff()
  const scheduledOf = async () =>
    v.parse(
      v.object({ scheduled: v.array(v.looseObject({ status: v.string(), at: v.string() })) }),
      (await setup.get('/publish/scheduled')).json(),
    ).scheduled
  return {
    ...setup,
    scheduledOf,
    create: (slug: string) => setup.ops([{ op: 'create_page', page: page(slug, `Of ${slug}`) }]),
    schedule: async (hours: number, body: object = {}) =>
      t.match(
        await setup.publish({ at: new Date(Date.parse(noon) + hours * 3_600_000).toISOString(), ...body }),
        { status: 'scheduled' },
      ),
    /** Lets an hour pass, and what is scheduled for its end be published. */
    async arrive() {
      time.advance(3_600_000)
      const now = time.now().toISOString()
      const isDone = ({ at, status }: { readonly at: string; readonly status: string }) =>
        at > now || status === 'failed'
      await until(async () => (await scheduledOf()).every(isDone), 'the scheduled publish')
    },
    leads: () =>
      Object.fromEntries(
        v
          .parse(v.array(v.object({ from: v.string(), to: v.string() })), setup.site.redirects)
          .map(({ from, to }) => [from, to]),
      ),
  }
}

t.test('a new page that is renamed while its publish waits stays one page', async (t) => {
  for (const part of [{}, { pages: ['/jobs'] }]) {
    const setup = await withLater(t, ['/', '/a'])
    await setup.create('/jobs')
    await setup.schedule(1, part)
    await setup.rename('/jobs', '/careers')
    await setup.rename('/careers', '/work')
    await setup.arrive()
    t.strictSame(
      setup.pages().map(([slug]) => slug),
      ['/', '/a', '/jobs'],
    )
    t.strictSame(await setup.slugs(), ['/', '/a', '/work'])
    t.strictSame((await reviewed(setup)).rows, [['/work', '/jobs', 'modified']])
    t.match(await setup.publish(), { status: 'ready' })
    t.strictSame(setup.pages().slice(1), [
      ['/a', 'Of /a'],
      ['/work', 'Of /jobs'],
    ])
    t.strictSame(setup.leads(), { '/jobs': '/work' })
    t.strictSame(await setup.open(), [])
  }
})

t.test(
  'each address of a page that is renamed again while its publish waits leads to the last',
  async (t) => {
    const setup = await withLater(t, ['/', '/a'])
    await setup.rename('/a', '/b')
    await setup.schedule(1)
    await setup.rename('/b', '/c')
    await setup.arrive()
    t.strictSame(setup.leads(), { '/a': '/b' })
    t.strictSame((await reviewed(setup)).rows, [['/c', '/b', 'modified']])
    t.match(await setup.publish(), { status: 'ready' })
    t.strictSame(setup.pages()[1], ['/c', 'Of /a'])
    t.strictSame(setup.leads(), { '/a': '/c', '/b': '/c' })
    t.strictSame(await setup.open(), [])
  },
)

t.test('two publishes that wait have the renames between them', async (t) => {
  for (const isNew of [true, false]) {
    const setup = await withLater(t, isNew ? ['/'] : ['/', '/a'])
    if (isNew) await setup.create('/a')
    else await setup.rename('/a', '/b')
    await setup.schedule(1)
    await setup.rename(isNew ? '/a' : '/b', '/c')
    await setup.schedule(2)
    await setup.rename('/c', '/d')
    await setup.schedule(3)
    await setup.rename('/d', '/e')
    await setup.arrive()
    await setup.arrive()
    t.strictSame(setup.pages().slice(1), [['/c', 'Of /a']])
    await setup.arrive()
    t.strictSame(setup.pages().slice(1), [['/d', 'Of /a']])
    t.strictSame(await setup.slugs(), ['/', '/e'])
    t.match(await setup.publish(), { status: 'ready' })
    t.strictSame(setup.pages().slice(1), [['/e', 'Of /a']])
    t.strictSame(setup.leads(), { '/a': '/e', ...(!isNew && { '/b': '/e' }), '/c': '/e', '/d': '/e' })
  }
})

t.test('pages that swap their addresses while their publish waits are the same pages', async (t) => {
  for (const isNew of [true, false]) {
    const setup = await withLater(t, isNew ? ['/'] : ['/', '/a', '/b'])
    if (isNew) {
      await setup.create('/a')
      await setup.create('/b')
    } else await setup.ops([heading('/a', 'b/a', 'A'), heading('/b', 'b/b', 'B')])
    await setup.schedule(1)
    for (const [from, to] of swap) await setup.rename(from, to)
    await setup.arrive()
    t.strictSame((await reviewed(setup)).rows, [
      ['/a', '/b', 'modified'],
      ['/b', '/a', 'modified'],
    ])
    t.match(await setup.publish(), { status: 'ready' })
    t.strictSame(setup.pages().slice(1).toSorted(), [
      ['/a', isNew ? 'Of /b' : 'B'],
      ['/b', isNew ? 'Of /a' : 'A'],
    ])
    t.strictSame(setup.leads(), {})
    t.strictSame(await setup.open(), [])
  }
})

t.test('a page that is new at the address of one whose publish waits is another page', async (t) => {
  const setup = await withLater(t, ['/'])
  await setup.create('/jobs')
  await setup.schedule(1)
  await setup.rename('/jobs', '/careers')
  await setup.ops([{ op: 'create_page', page: { ...page('/jobs', 'Another'), id: 'p_jobs' } }])
  await setup.arrive()
  t.strictSame((await reviewed(setup)).rows, [
    ['/jobs', undefined, 'added'],
    ['/careers', '/jobs', 'modified'],
  ])
  t.match(await setup.publish(), { status: 'ready' })
  t.strictSame(setup.pages().slice(1).toSorted(), [
    ['/careers', 'Of /jobs'],
    ['/jobs', 'Another'],
  ])
})

t.test(
  'a new page that is removed with a redirect while its publish waits is removed from the site',
  async (t) => {
    for (const isLed of [true, false]) {
      const setup = await withLater(t, ['/', '/a'])
      await setup.create('/jobs')
      await setup.schedule(1)
      const redirectTo = isLed ? { redirectTo: '/a' } : {}
      await setup.ops([{ op: 'remove_page', pageSlug: '/jobs', ...redirectTo }])
      await setup.arrive()
      t.strictSame((await reviewed(setup)).rows, isLed ? [['/jobs', undefined, 'removed']] : [])
      t.match(await setup.publish(), { status: 'ready' })
      t.strictSame(await setup.slugs(), isLed ? ['/', '/a'] : ['/', '/a', '/jobs'])
      t.strictSame(setup.leads(), isLed ? { '/jobs': '/a' } : {})
      t.strictSame(await setup.open(), [])
    }
  },
)

t.test('a new page whose removal with a redirect is published comes back with its publish', async (t) => {
  for (const isLedAgain of [false, true]) {
    const setup = await withLater(t, ['/', '/a'])
    await setup.create('/jobs')
    await setup.schedule(1)
    await setup.ops([{ op: 'remove_page', pageSlug: '/jobs', redirectTo: '/a' }])
    t.match(await setup.publish(), { status: 'ready' })
    const patch = { redirects: { '/jobs': '/' } }
    if (isLedAgain) await setup.ops([{ op: 'update_site_config', patch }])
    await setup.arrive()
    t.strictSame(await setup.slugs(), isLedAgain ? ['/', '/a'] : ['/', '/a', '/jobs'])
    t.strictSame((await reviewed(setup)).rows, isLedAgain ? [['/jobs', undefined, 'removed']] : [])
  }
})

t.test('a page that is removed while the publish of its rename waits leaves no address behind', async (t) => {
  const setup = await withLater(t, ['/', '/x', '/a'])
  await setup.rename('/a', '/b')
  await setup.schedule(1)
  await setup.ops([{ op: 'remove_page', pageSlug: '/b', redirectTo: '/x' }])
  await setup.arrive()
  t.strictSame((await reviewed(setup)).rows, [['/b', undefined, 'removed']])
  t.match(await setup.publish(), { status: 'ready' })
  t.strictSame(await setup.slugs(), ['/', '/x'])
  t.strictSame(setup.leads(), { '/a': '/x', '/b': '/x' })
  t.strictSame(await setup.open(), [])
})

t.test('what waits does not add a page again that was published at another address since', async (t) => {
  for (const isLater of [false, true]) {
    const setup = await withLater(t, ['/', '/a'])
    await setup.create('/jobs')
    await setup.schedule(3)
    await setup.rename('/jobs', '/careers')
    if (isLater) {
      await setup.arrive()
      await setup.schedule(2)
      await setup.arrive()
    } else t.match(await setup.publish({ pages: ['/careers'] }), { status: 'ready' })
    await setup.rename('/careers', '/work')
    t.match(await setup.publish(), { status: 'ready' })
    for (const _ of isLater ? ['3rd hour'] : ['1st', '2nd', '3rd']) await setup.arrive()
    t.strictSame(
      setup.pages().map(([slug]) => slug),
      ['/', '/a', '/work'],
    )
    t.match(await setup.scheduledOf(), [
      { status: 'failed', error: /^jobs: slug was changed on the site to "\/work"/ },
    ])
  }
})

t.test('an address that another draft gave a page leads on after a publish with overwrite', async (t) => {
  for (const part of [{}, { pages: ['/c'] }]) {
    const setup = await withLater(t, ['/', '/a'])
    const review = setup.draft('review')
    await review.get('/draft/slugs')
    await review.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' }])
    await review.send('/publish')
    t.strictSame(setup.leads(), { '/a': '/b' })
    await setup.rename('/a', '/c')
    t.match(await setup.publish({ overwrite: true, ...part }), { status: 'ready' })
    t.strictSame(
      setup.pages().map(([slug]) => slug),
      ['/', '/c'],
    )
    t.strictSame(setup.leads(), { '/a': '/c', '/b': '/c' })
  }
})

t.test('a rename that the site has stored, and whose answer was lost, is no conflict', async (t) => {
  for (const steps of [[['/a', '/d']], swap, chain]) {
    const setup = await withSite(t, ['/', '/a', '/b', '/c'])
    for (const [from, to] of steps) await setup.rename(from, to)
    const before = await setup.slugs()
    t.match(await setup.publishUnanswered(), { status: 'failed' })
    t.strictSame(await setup.open(), [], JSON.stringify(steps))
    t.strictSame((await setup.slugs()).toSorted(), before.toSorted())
    t.match(await setup.publish(), { status: 'ready' })
    t.strictSame(setup.site.pages.map(({ slug }) => slug).toSorted(), before.toSorted())
  }
})

t.test('nor is one whose page the draft has edited since', async (t) => {
  for (const [steps, to] of [
    [[['/a', '/c']], '/c'],
    [swap, '/b'],
    [chain, '/b'],
  ] as const) {
    const setup = await withSite(t, ['/', '/a', '/b'])
    for (const [from, to] of steps) await setup.rename(from, to)
    t.match(await setup.publishUnanswered(), { status: 'failed' })
    await setup.ops([heading(to, 'b/a', 'Later')])
    t.strictSame((await reviewed(setup)).rows, [[to, undefined, 'modified']])
    t.strictSame(await setup.open(), [to])
    t.match(await setup.publish(), { status: 'ready' })
    t.equal(setup.pages().length, 3)
    t.strictSame(Object.fromEntries(setup.pages())[to], 'Later')
  }
})

t.test(
  'renames that a draft takes over from its site are renames of its log, one after the other',
  async (t) => {
    for (const steps of [[['/a', '/d']], swap, chain] as const) {
      const setup = await withSite(t, ['/', '/a', '/b', '/c'])
      const other = setup.draft('other')
      await other.get('/draft/slugs')
      await other.ops(steps.map(([pageSlug, newPageSlug]) => ({ op: 'rename_page', pageSlug, newPageSlug })))
      t.match((await other.send('/publish', {})).json(), { status: 'ready' })
      await setup.send('/draft/follow', {})
      for (const get of [other.get, setup.get]) {
        const { entries } = v.parse(Renames, (await get('/history/log')).json())
        const { renamed = [] } = entries.findLast((entry) => entry.renamed) ?? {}
        const after = (slug: string) => renamed.reduce((now, { from, to }) => (now === from ? to : now), slug)
        const expected = (slug: string) => steps.reduce((now, [from, to]) => (now === from ? to : now), slug)
        const slugs = ['/', '/a', '/b', '/c']
        t.strictSame(slugs.map(after), slugs.map(expected), JSON.stringify([steps, entries]))
      }
    }
  },
)

t.test('a page that is new at the address of a renamed one is not that page for other drafts', async (t) => {
  const { website, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
  await Promise.all([dev.fill(), review.fill()])
  await dev.ops([{ op: 'create_page', page: page('/new') }])
  await dev.publish()
  await review.follow()
  await review.heading('/new', 'Of review')
  await dev.ops([rename('/new', '/jobs')])
  await dev.publish()
  const other = { ...page('/new'), blocks: [{ ...page('/team').blocks[0], type: 'Hero' }] }
  await dev.ops([{ op: 'create_page', page: other }])
  await dev.ops([rename('/new', '/team')])
  await dev.publish()
  await review.publish()
  t.match(
    website.pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]),
    [['/'], ['/about'], ['/prices'], ['/jobs', 'Of review'], ['/team', /^(?!Of review)/]],
  )
})
