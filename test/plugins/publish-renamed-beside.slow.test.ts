import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { conflictsIn } from '../helpers/conflicts.ts'
import { withSite } from '../helpers/published-site.ts'
import { noon, page, type PublishingOptions } from '../helpers/publishing.ts'
import { until } from '../helpers/until.ts'
import { type draftOf, withWebsite } from '../helpers/website.ts'

type EditedDraft = ReturnType<typeof draftOf>
const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
const pages = [page('/'), page('/a', 'Of a'), page('/b', 'Of b')]

/** Two drafts of a website. */
async function withTwo(t: Test, options: PublishingOptions = {}, listed: Page[] = pages) {
  const { website, draft } = await withWebsite(t, options, listed)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  const live = () => website.pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']])
  return { website, dev, review, draft, live }
}

const rename = ({ ops }: EditedDraft, ...steps: readonly (readonly [string, string])[]) =>
  ops(steps.map(([pageSlug, newPageSlug]) => ({ op: 'rename_page', pageSlug, newPageSlug })))
const published = async (t: Test, { publish }: EditedDraft, body = {}) =>
  t.match(await publish(body), { status: 'ready' })
/** The block has an id from the first address of the page. */
const heading = ({ ops }: EditedDraft, pageSlug: string, blockId: string, text: string) =>
  ops([{ op: 'update_props', pageSlug, blockId, patch: { heading: text } }])

t.test('a change of a page that another draft has renamed is a change of the renamed page', async (t) => {
  for (const part of [undefined, ['/a']]) {
    const { dev, review, live } = await withTwo(t)
    await heading(review, '/a', 'b/a', 'Mine')
    await rename(dev, ['/a', '/c'])
    await heading(dev, '/b', 'b/b', 'Later')
    await published(t, dev, part && { pages: part })
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1, pagesAdded: 0 } })
    t.strictSame(await review.slugs(), ['/', '/c', '/b'])
    await published(t, review)
    t.strictSame(live(), [
      ['/', 'Hello'],
      ['/c', 'Mine'],
      ['/b', part ? 'Of b' : 'Later'],
    ])
    await heading(review, '/c', 'b/a', 'Again')
    await published(t, review)
    await rename(dev, ['/c', '/d'])
    await published(t, dev)
    t.match(live(), [Array, ['/d', 'Again'], Array])
  }
})

t.test('overwrite puts a page back from the address at which the draft has a new one', async (t) => {
  const { dev, review, live } = await withTwo(t)
  await rename(review, ['/a', '/n'])
  await dev.ops([{ op: 'create_page', page: page('/n', 'New') }])
  await heading(dev, '/a', 'b/a', 'Mine')
  await published(t, review)
  await published(t, dev, { overwrite: true })
  const wanted = { '/': 'Hello', '/a': 'Mine', '/b': 'Of b', '/n': 'New' }
  t.strictSame(Object.fromEntries(live()), wanted)
  t.match(await dev.diff(), { summary: { pagesModified: 0, pagesAdded: 0, pagesRemoved: 0 } })
  const { blocks } = (await dev.page('/a')) ?? {}
  t.match(blocks, [{ id: 'b/a', props: { heading: 'Mine' } }])
  t.equal(blocks?.length, 1, 'the blocks of the page alone')
})

t.test('several renames until the next look, also back, are one', async (t) => {
  for (const [steps, end] of [
    [
      [
        ['/a', '/c'],
        ['/c', '/d'],
      ],
      '/d',
    ],
    [
      [
        ['/a', '/c'],
        ['/c', '/a'],
      ],
      '/a',
    ],
    [
      [
        ['/a', '/c'],
        ['/c', '/a'],
        ['/a', '/d'],
      ],
      '/d',
    ],
  ] as const) {
    const { dev, review, live } = await withTwo(t)
    await heading(review, '/a', 'b/a', 'Mine')
    for (const step of steps) {
      await rename(dev, step)
      await published(t, dev)
    }
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1, pagesRemoved: 0 } })
    await published(t, review)
    t.strictSame(live(), [
      ['/', 'Hello'],
      [end, 'Mine'],
      ['/b', 'Of b'],
    ])
  }
})

t.test('a page that came back to its address, and then is renamed, is the same page', async (t) => {
  const { dev, review, live } = await withTwo(t)
  await heading(review, '/a', 'b/a', 'Mine')
  await rename(dev, ['/a', '/c'], ['/c', '/a'])
  await heading(dev, '/b', 'b/b', 'Later')
  await published(t, dev)
  await rename(dev, ['/a', '/d'])
  await published(t, dev)
  t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1, pagesRemoved: 0 } })
  await published(t, review)
  t.match(live(), [Array, ['/d', 'Mine'], Array])
})

t.test('a page at the former address of a renamed one is another page', async (t) => {
  const { dev, review, live } = await withTwo(t)
  await heading(review, '/a', 'b/a', 'Mine')
  await rename(dev, ['/a', '/c'], ['/b', '/a'])
  await published(t, dev)
  t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1 } })
  await published(t, review)
  t.strictSame(live(), [
    ['/', 'Hello'],
    ['/c', 'Mine'],
    ['/a', 'Of b'],
  ])
})

t.test('a page that two drafts rename is a conflict of its address', async (t) => {
  const { dev, review, live } = await withTwo(t)
  await rename(review, ['/a', '/mine'])
  await heading(review, '/mine', 'b/a', 'Mine')
  await rename(dev, ['/a', '/theirs'])
  await published(t, dev)
  const { conflicts } = await review.diff()
  t.match(conflicts, [
    { path: 'slug', kind: 'changed', base: '/a', ours: '/mine', theirs: '/theirs' },
    { path: 'title', kind: 'changed', ours: 'Mine', theirs: 'Theirs' },
  ])
  t.match(await review.publish(), { code: 'site_conflict', conflicts: { length: 2 } })
  await review.decide(conflicts.map(({ id }) => ({ id, take: 'site' })))
  await published(t, review)
  t.match(live(), [Array, ['/theirs', 'Mine'], Array])
})

t.test('what is scheduled for a page comes to its new address', async (t) => {
  const time = stillClock(noon)
  const { dev, review, live } = await withTwo(t, { time, publish: { lookEveryMs: 10 } })
  await heading(review, '/a', 'b/a', 'Scheduled')
  await review.publish({ at: new Date(Date.parse(noon) + 3_600_000).toISOString() })
  await rename(dev, ['/a', '/c'])
  await published(t, dev)
  time.advance(3_600_000)
  await until(async () => (await review.log()).length === 1, 'the scheduled publish')
  t.strictSame([await review.scheduled(), live()[1]], [[], ['/c', 'Scheduled']])
  t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 0, pagesAdded: 0 } })
  t.strictSame(await review.slugs(), ['/', '/c', '/b'])
})

t.test(
  'what is scheduled with a rename that the draft has published back renames the page again',
  async (t) => {
    const time = stillClock(noon)
    const { dev, live } = await withTwo(t, { time, publish: { lookEveryMs: 10 } })
    const to = (pageSlug: string, newPageSlug: string) =>
      dev.ops([{ op: 'rename_page', pageSlug, newPageSlug, newTitle: 'a' }])
    await to('/a', '/c')
    await dev.publish({ at: new Date(Date.parse(noon) + 3_600_000).toISOString() })
    await to('/c', '/a')
    await published(t, dev)
    const { updatedAt } = await dev.page('/a')
    time.advance(3_600_000)
    await until(async () => (await dev.log()).length === 2, 'the scheduled publish')
    t.match(live()[1], ['/c', 'Of a'])
    t.match(await dev.page('/c'), { updatedAt, title: 'a', blocks: [{ id: 'b/a' }] })
    t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 0, pagesAdded: 0 } })
  },
)

t.test('a conflict of a page stays open when a scheduled publish renames the page', async (t) => {
  const time = stillClock(noon)
  const { website, dev, live } = await withTwo(t, { time, publish: { lookEveryMs: 10 } })
  await rename(dev, ['/a', '/c'])
  await dev.publish({ at: new Date(Date.parse(noon) + 3_600_000).toISOString() })
  await heading(dev, '/c', 'b/a', 'Mine')
  website.pages = [page('/'), page('/a', 'Theirs'), page('/b', 'Of b')]
  t.match(await dev.publish(), { code: 'site_conflict' })
  time.advance(3_600_000)
  await until(async () => (await dev.log()).length === 2, 'the scheduled publish')
  t.match(live()[1], ['/c', 'Theirs'])
  t.match(await dev.publish(), { code: 'site_conflict', conflicts: [{ slug: '/c', ours: 'Mine' }] })
  t.match(live()[1], ['/c', 'Theirs'])
})

t.test('a page that two drafts rename stays one page if one of them publishes with overwrite', async (t) => {
  for (const part of [{}, { pages: ['/mine'] }]) {
    const { dev, review, live } = await withTwo(t)
    await rename(review, ['/a', '/theirs'])
    await published(t, review)
    await rename(dev, ['/a', '/mine'])
    t.match(await dev.diff(), {
      conflicts: [{ path: 'slug' }, { path: 'title' }],
      summary: { pagesAdded: 0, pagesRemoved: 0, pagesModified: 1 },
    })
    await published(t, dev, { overwrite: true, ...part })
    t.match(live(), [['/'], ['/mine'], ['/b']])
    await heading(review, '/theirs', 'b/a', 'Later')
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1, pagesRemoved: 0 } })
    await published(t, review)
    t.match(live(), [['/'], ['/mine', 'Later'], ['/b']])
  }
})

const History = v.object({ entries: v.array(v.object({ version: v.number() })) })
const placesOf = async ({ diff }: EditedDraft) =>
  (await diff()).conflicts.map(({ slug, path, kind }) => [slug, path, kind])
const undoLast = async ({ get, send }: EditedDraft) => {
  const { entries } = v.parse(History, (await get('/history/log')).json())
  return send('/history/undo-change', { version: entries.at(-1)?.version })
}

for (const [what, mine, theirs, decided] of [
  ['that the draft has given to another page', [['/a', '/x']], [['/b', '/x']], ['/', '/a', '/x']],
  [
    'of a page whose own is open, which goes with it,',
    [
      ['/a', '/x'],
      ['/b', '/y'],
    ],
    [
      ['/a', '/y'],
      ['/b', '/z'],
    ],
    ['/', '/y', '/z'],
  ],
] as const)
  t.test(`the choice of an address of the site ${what} is undone as one change`, async (t) => {
    const { dev, review } = await withTwo(t)
    for (const [{ ops }, steps] of [
      [dev, mine],
      [review, theirs],
    ] as const)
      await ops(
        steps.map(([pageSlug, newPageSlug]) => ({
          op: 'rename_page',
          pageSlug,
          newPageSlug,
          newTitle: 'Renamed',
        })),
      )
    await published(t, review)
    const open = await placesOf(dev)
    const before = await dev.slugs()
    const [first] = (await dev.diff()).conflicts
    await dev.decide([{ id: first?.id, take: 'site' }])
    t.strictSame(await dev.slugs(), decided)
    t.strictSame(await placesOf(dev), [])
    t.equal((await undoLast(dev)).status, 200)
    t.strictSame(await placesOf(dev), open)
    t.strictSame((await dev.slugs()).toSorted(), before.toSorted())
  })

t.test(
  'a refusal names the page that the draft has removed, and not the one at its new address',
  async (t) => {
    const { dev, review } = await withTwo(t)
    await rename(review, ['/a', '/moved'])
    await published(t, review)
    await rename(dev, ['/b', '/moved'])
    await dev.ops([
      { op: 'rename_page', pageSlug: '/moved', newTitle: 'Another' },
      { op: 'remove_page', pageSlug: '/a' },
    ])
    t.match(await dev.publish(), { error: /^Moved was removed in the draft, and changed on the site/ })
  },
)

t.test('a change of a page whose rename was stored without an answer comes to its new address', async (t) => {
  for (const isFirst of [true, false]) {
    const { website, dev, review, live } = await withTwo(t)
    await heading(review, '/b', 'b/b', 'Mine')
    await heading(review, '/a', 'b/a', 'Mine')
    await rename(dev, ['/a', '/c'])
    website.isUnanswered = true
    t.match(await dev.publish(), { status: 'failed' })
    website.isUnanswered = false
    if (isFirst) t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 2 } })
    const patch = { imageAlt: 'Later' }
    await dev.ops([{ op: 'update_props', pageSlug: '/c', blockId: 'b/a', patch }])
    if (!isFirst) await published(t, dev)
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 2 } })
    await published(t, review)
    t.strictSame(live(), [
      ['/', 'Hello'],
      ['/c', 'Mine'],
      ['/b', 'Mine'],
    ])
  }
})

for (const [what, { ops, at, discarded, looks }] of Object.entries({
  'that both have renamed': { ops: [['/a', '/mine']], at: '/mine', discarded: '/mine', looks: true },
  'that both have renamed, before it follows': {
    ops: [['/a', '/mine']],
    at: '/mine',
    discarded: '/mine',
    looks: false,
  },
  'at its address on the site': { ops: [['/a', '/mine']], at: '/mine', discarded: '/theirs', looks: true },
  'that the site alone has renamed': { ops: [], at: '/a', discarded: '/a', looks: false },
  'with all others': { ops: [['/a', '/mine']], at: '/mine', discarded: undefined, looks: true },
} as const)) {
  t.test(`a discard of a page ${what} is the page of the site`, async (t) => {
    const { dev, review, live } = await withTwo(t)
    await rename(review, ...ops)
    await heading(review, at, 'b/a', 'Mine')
    await heading(review, '/', 'b/', `Home`)
    await rename(dev, ['/a', '/theirs'])
    await published(t, dev)
    if (looks) t.match(await review.diff(), { conflicts: { length: 2 } })
    const body = discarded === undefined ? {} : { slug: discarded }
    const answer = await review.send('/history/discard', body)
    t.match(answer.json(), { status: 'applied' })
    if (discarded !== undefined) t.match(answer.json(), { navigateToSlug: '/theirs' })
    t.strictSame((await review.slugs()).toSorted(), ['/', '/b', '/theirs'])
    t.equal(await review.headingOf('/theirs').catch(() => undefined), 'Of a')
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesRemoved: 0, pagesAdded: 0 } })
    await published(t, review, { overwrite: true })
    t.same(
      live().toSorted(([a = ''], [b = '']) => String(a).localeCompare(String(b))),
      [
        ['/', discarded === undefined ? 'Hello' : 'Home'],
        ['/b', 'Of b'],
        ['/theirs', 'Of a'],
      ],
    )
    if (discarded === undefined) return
    await review.undo('/theirs')
    t.equal(await review.headingOf(at).catch(() => undefined), 'Mine', 'it is undone as one change')
    t.match(await review.diff(), { summary: { pagesRemoved: 0, pagesAdded: 0, pagesModified: 1 } })
  })
}

t.test(
  'a discard gives a page the address that another one has in the draft, and that one its own',
  async (t) => {
    const { dev, review, live } = await withTwo(t)
    await rename(review, ['/a', '/n'])
    await rename(dev, ['/b', '/n'])
    await published(t, dev)
    await rename(dev, ['/a', '/b'])
    await published(t, dev)
    await review.diff()
    t.match((await review.send('/history/discard', { slug: '/n' })).json(), { status: 'applied' })
    t.equal(await review.headingOf('/b'), 'Of a')
    t.equal(await review.headingOf('/n'), 'Of b')
    await heading(dev, '/b', 'b/a', 'Theirs')
    await published(t, dev)
    await heading(review, '/n', 'b/b', 'Mine')
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1 } })
    await published(t, review)
    t.match(
      new Map(live() as [string, string][]),
      new Map([
        ['/b', 'Theirs'],
        ['/n', 'Mine'],
      ]),
    )
  },
)

t.test('what was discarded agrees with the site, whatever the site has next', async (t) => {
  for (const op of [
    { op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' },
    { op: 'update_props', pageSlug: '/a', blockId: 'b/a', patch: { heading: 'Mine' } },
    { op: 'remove_page', pageSlug: '/a' },
  ]) {
    const { website, dev, live } = await withTwo(t)
    await dev.ops([op])
    const other = op.op === 'remove_page' ? [page('/a', 'Theirs')] : []
    website.pages = [pages[0], ...other, pages[2]].filter((each) => each !== undefined)
    t.match(await dev.diff(), { conflicts: { length: 1 } }, op.op)
    const slug = op.op === 'rename_page' ? '/n' : '/a'
    t.match((await dev.send('/history/discard', { slug })).json(), { status: 'applied' })
    website.pages = pages
    t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesRemoved: 0, pagesModified: 0 } })
    await heading(dev, '/', 'b/', 'Home')
    await published(t, dev)
    t.strictSame(
      live(),
      [
        ['/', 'Home'],
        ['/a', 'Of a'],
        ['/b', 'Of b'],
      ],
      op.op,
    )
  }
})

t.test('a discard of one page leaves the base of another one that was at its address', async (t) => {
  const { website, dev } = await withTwo(t)
  await rename(dev, ['/a', '/n'])
  await heading(dev, '/n', 'b/a', 'Mine')
  await dev.ops([{ op: 'create_page', page: page('/a', 'New') }])
  website.pages = website.pages.filter(({ slug }) => slug !== '/a')
  t.match(await dev.diff(), { conflicts: [{ slug: '/n', kind: 'removed_on_site' }] })
  t.match((await dev.send('/history/discard', { slug: '/a' })).json(), { status: 'applied' })
  t.match(await dev.diff(), { conflicts: [{ slug: '/n', kind: 'removed_on_site' }] })
})

t.test('a discard brings a renamed page back to its place, though a new one is at its address', async (t) => {
  const menu = { navGroups: { More: ['/a'] }, navLabels: { '/a': 'First' } }
  for (const slug of ['/a', '/n', undefined]) {
    const { website, dev, live } = await withTwo(t)
    await dev.ops([{ op: 'update_site_config', patch: menu }])
    await published(t, dev)
    await rename(dev, ['/a', '/n'])
    const added = await dev.ops([
      { op: 'create_page', page: { ...page('/a', 'New'), id: slug === '/n' ? 'p/a' : 'new' } },
      { op: 'update_site_config', patch: { navGroups: { More: ['/n', '/a'] }, navLabels: { '/a': 'New' } } },
      { op: 'update_props', pageSlug: '/b', blockId: 'b/b', patch: { ctaHref: '/n' } },
    ])
    t.equal(added.status, 200, added.text)
    const before = await dev.slugs()
    const discarded = (await dev.send('/history/discard', slug ? { slug } : {})).json()
    t.match(discarded, { status: 'applied', navigateToSlug: slug === '/n' ? '/a' : undefined })
    t.strictSame(await dev.slugs(), ['/', '/a', '/b'])
    t.match(await dev.diff(), { summary: { pagesModified: slug ? 1 : 0, pagesAdded: 0, pagesRemoved: 0 } })
    await published(t, dev)
    t.match(live(), [Array, ['/a', 'Of a'], Array])
    t.strictSame(website.siteConfig, menu)
    t.equal(website.pages.at(-1)?.blocks[0]?.props['ctaHref'], slug && '/a')
    t.equal((await dev.undo(slug ?? '/a')).status, 200)
    t.strictSame(await dev.slugs(), before, 'it is undone with the places')
  }
})

t.test('pages to which a discard gives the addresses of each other are at their places', async (t) => {
  for (const circle of [false, true]) {
    const { dev, review, live } = await withTwo(t)
    await rename(review, ['/b', '/n'])
    await rename(dev, ['/a', '/n'])
    if (circle) await rename(review, ['/a', '/b'])
    await published(t, review)
    await dev.diff()
    const before = await dev.slugs()
    const discard = async () =>
      t.match((await dev.send('/history/discard', { slug: '/n' })).json(), { status: 'applied' })
    await discard()
    t.equal((await dev.undo('/n')).status, 200)
    t.strictSame(await dev.slugs(), before, 'it is undone with the places')
    await discard()
    const wanted = ['/', circle ? '/b' : '/a', '/n']
    t.strictSame(await dev.slugs(), wanted)
    t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 0, pagesAdded: 0 } })
    t.strictSame(await dev.slugs(), wanted)
    await heading(dev, '/', 'b/', 'Mine')
    await published(t, dev)
    t.match(live(), [
      ['/', 'Mine'],
      [wanted[1], 'Of a'],
      ['/n', 'Of b'],
    ])
  }
})

t.test('a discard brings a page back from the address at which the site has another page', async (t) => {
  const { dev, review, live } = await withTwo(t)
  await rename(review, ['/a', '/new'])
  await dev.ops([{ op: 'create_page', page: { slug: '/new' } }])
  await published(t, dev)
  t.match(await review.diff(), { conflicts: { length: 1 } })
  t.match((await review.send('/history/discard', { slug: '/new' })).json(), { status: 'applied' })
  t.strictSame(await review.slugs(), ['/', '/a', '/b', '/new'])
  t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 0, pagesAdded: 0 } })
  await heading(review, '/a', 'b/a', 'Mine')
  await published(t, review)
  t.match(live().toSorted(), [Array, ['/a', 'Mine'], Array, Array])
})

t.test('a page takes the address at which draft and site agreed on another one', async (t) => {
  for (const isUnanswered of [false, true]) {
    const { website, review, live } = await withTwo(t)
    const at = (slug: string) => {
      website.pages = website.pages.map((each) => (each.id === 'p/a' ? { ...each, slug } : each))
    }
    at('/n')
    await review.follow()
    await rename(review, ['/n', '/x'])
    at('/a')
    t.match(await review.diff(), { conflicts: [{ slug: '/x', path: 'slug' }] })
    await rename(review, ['/b', '/n'])
    website.isUnanswered = isUnanswered
    t.match(await review.publish({ pages: ['/n'] }), { status: isUnanswered ? 'failed' : 'ready' })
    website.isUnanswered = false
    const addresses = [Array, ['/a', 'Of a'], ['/n', 'Of b']]
    t.match(live(), addresses)
    const { conflicts, pages } = await review.diff()
    t.match(conflicts, [{ slug: '/x', path: 'slug', base: '/n', ours: '/x', theirs: '/a' }])
    t.notOk(
      pages.some(({ slug, status }) => slug === '/n' && status !== 'unchanged'),
      'it has arrived',
    )
    await review.decide([{ id: conflicts[0]?.id, take: 'draft' }])
    await published(t, review)
    t.match(live(), [Array, ['/x', 'Of a'], ['/n', 'Of b']])
    t.match(await review.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 0, pagesAdded: 0 } })
  }
})

t.test('a removal that has arrived without an answer leaves pages that are added since', async (t) => {
  const { website, dev, live } = await withTwo(t)
  await dev.ops([{ op: 'remove_page', pageSlug: '/b' }])
  website.isUnanswered = true
  t.match(await dev.publish(), { status: 'failed' })
  website.isUnanswered = false
  await dev.ops([{ op: 'create_page', page: page('/new', 'New') }])
  t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesAdded: 1, pagesRemoved: 0 } })
  await published(t, dev)
  t.match(live(), [Array, ['/a', 'Of a'], ['/new', 'New']])
})

t.test('a page whose next id a swap has given to another page is the same page', async (t) => {
  for (const isDecided of [false, true])
    for (const take of ['draft', 'site']) {
      const { dev, review } = await withTwo(t)
      await rename(dev, ['/b', '/x'])
      await published(t, dev)
      await review.ops([{ op: 'create_page', page: page('/x', 'New') }])
      const [clash] = (await review.diff()).conflicts
      if (isDecided) {
        await review.decide([{ id: clash?.id, take: 'draft' }])
        await undoLast(review)
      }
      await rename(dev, ['/a', '/tmp'], ['/x', '/a'], ['/tmp', '/x'])
      await published(t, dev)
      const { conflicts } = await review.diff()
      t.match(conflicts, [{ slug: '/x' }, { slug: '/a' }])
      t.strictSame((await review.slugs()).toSorted(), ['/', '/a', '/b', '/x'])
      await review.decide(conflicts.map(({ id }) => ({ id, take })))
      const headings = Object.fromEntries(
        await Promise.all((await review.slugs()).map(async (slug) => [slug, await review.headingOf(slug)])),
      )
      const own = { '/': 'Hello', '/a': 'Of a', '/b': 'Of b', '/x': 'New' }
      t.strictSame(headings, take === 'draft' ? own : { '/': 'Hello', '/a': 'Of b', '/x': 'Of a' })
    }
})

t.test('a page that the site has moved to the address of a new one goes with that one', async (t) => {
  const all = { '/': 'Hello', '/a': 'Of a', '/b': 'Of b', '/n': 'New' }
  const headings = (live: readonly (readonly unknown[])[]) =>
    Object.fromEntries(live.map(([slug, text]) => [slug, text]))
  for (const body of [{ overwrite: true }, { pages: ['/n', '/b'], overwrite: true }]) {
    const { website, dev, live } = await withTwo(t)
    website.pages = website.pages.map((each) => (each.slug === '/b' ? { ...each, slug: '/n' } : each))
    await dev.ops([{ op: 'create_page', page: page('/n', 'New') }])
    t.match(await dev.diff(), { summary: { pagesAdded: 1, pagesModified: 1 }, conflicts: [{ slug: '/n' }] })
    for (const overwrite of [false, true])
      t.match(await dev.publish({ pages: ['/n'], overwrite }), {
        code: 'pages_belong_together',
        pages: ['/b'],
      })
    t.strictSame(headings(live()), { '/': 'Hello', '/a': 'Of a', '/n': 'Of b' })
    t.match(await dev.publish({ pages: ['/n', '/b'] }), { code: 'site_conflict' })
    await published(t, dev, body)
    t.strictSame(headings(live()), all)
    t.match(await dev.diff(), { summary: { pagesAdded: 0, pagesModified: 0, pagesRemoved: 0 } })
  }
})

t.test(
  'a page that another draft has swapped, and this one renames, is a conflict of its address',
  async (t) => {
    const { dev, review } = await withTwo(t)
    await rename(dev, ['/a', '/n'])
    await published(t, dev)
    await review.diff()
    await rename(review, ['/b', '/x'], ['/n', '/b'], ['/x', '/n'])
    await published(t, review)
    await rename(dev, ['/n', '/a'])
    const { conflicts } = await dev.diff()
    t.match(
      conflicts.filter(({ path }) => path === 'slug'),
      [{ base: '/n', ours: '/a', theirs: '/b' }],
    )
    t.strictSame((await dev.slugs()).toSorted(), ['/', '/a', '/n'])
  },
)

/** Pages with ids that no rename gives. */
const withOwnIds = pages.map((each) => ({ ...each, id: `own ${each.slug}` }))
const swap = (draft: EditedDraft) => rename(draft, ['/a', '/tmp'], ['/b', '/a'], ['/tmp', '/b'])

t.test('a page renamed here and swapped back there is a conflict of its address at each look', async (t) => {
  for (const own of ['/a', '/b']) {
    const { dev, review, live } = await withTwo(t, {}, withOwnIds)
    for (const step of [swap, published.bind(undefined, t)]) await step(dev)
    await review.follow()
    for (const step of [swap, published.bind(undefined, t)]) await step(dev)
    await rename(review, [own, '/n'])
    const wanted = [{ path: 'slug', base: own, ours: '/n', theirs: own === '/a' ? '/b' : '/a' }]
    for (const text of ['One', 'Two']) {
      await heading(dev, '/', 'b/', text)
      await published(t, dev)
      const { conflicts } = await review.diff()
      t.match(
        conflicts.filter(({ slug }) => slug !== ''),
        wanted,
      )
    }
    t.match(await review.publish(), { code: 'site_conflict' })
    t.match(live(), [['/'], ['/a', 'Of a'], ['/b', 'Of b']])
  }
})

t.test('so is one of a page that was swapped here and moved to the other address there', async (t) => {
  const { website, dev, review } = await withTwo(t)
  const to: Readonly<Record<string, string>> = { '/a': '/b', '/b': '/x' }
  website.pages = website.pages.map((each) => ({ ...each, slug: to[each.slug] ?? each.slug }))
  await swap(review)
  const conflicts = [{ path: 'slug', base: '/b', ours: '/a', theirs: '/x' }]
  for (const text of ['One', 'Two']) {
    t.match(await review.diff(), { conflicts })
    await heading(dev, '/', 'b/', text)
    await published(t, dev)
  }
  t.match(await review.diff(), { conflicts })
})

t.test('a change of a page is one of that page after each draft has followed two swaps', async (t) => {
  const { dev, review, draft, live } = await withTwo(t)
  const late = draft('late')
  await swap(dev)
  await published(t, dev)
  for (const { follow } of [review, late]) await follow()
  await heading(dev, '/b', 'b/a', 'Mine')
  await swap(review)
  await published(t, review)
  await late.follow()
  await heading(late, '/', 'b/', 'Later')
  await published(t, late)
  t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1 } })
  await published(t, dev)
  t.strictSame(live().toSorted(), [
    ['/', 'Later'],
    ['/a', 'Mine'],
    ['/b', 'Of b'],
  ])
})

t.test(
  'one of two swapped pages is discarded to an address of its own: the other one stays renamed',
  async (t) => {
    const { website, dev, review } = await withTwo(t)
    await swap(review)
    const to: Readonly<Record<string, string>> = { '/a': '/n', '/b': '/x' }
    website.pages = website.pages.map((each) => ({ ...each, slug: to[each.slug] ?? each.slug }))
    t.match((await review.diff()).conflicts, [{ path: 'slug' }, { path: 'slug' }])
    t.match((await review.send('/history/discard', { slug: '/a' })).json(), { status: 'applied' })
    t.strictSame((await review.slugs()).toSorted(), ['/', '/b', '/x'])
    for (const text of ['One', 'Two']) {
      t.match((await review.diff()).conflicts, [{ path: 'slug', base: '/a', ours: '/b', theirs: '/n' }])
      await heading(dev, '/', 'b/', text)
      await published(t, dev)
    }
  },
)

t.test(
  'a conflict of two pages at an address stays open while the page of the draft has to stay',
  async (t) => {
    const { website, dev, live } = await withTwo(t)
    await dev.ops([{ op: 'create_page', page: page('/n', 'New') }])
    const to: Readonly<Record<string, string>> = { '/a': '/b', '/b': '/n' }
    website.pages = website.pages.map((each) => ({ ...each, slug: to[each.slug] ?? each.slug }))
    const { conflicts } = await dev.diff()
    t.match(conflicts.map(({ slug }) => slug).toSorted(), ['/b', '/n'])
    const [first] = conflicts.filter(({ slug }) => slug === '/b')
    const version = await dev.version()
    const left = { conflicts: conflicts.map(({ id }) => ({ id })) }
    t.match(await dev.decide([{ id: first?.id, take: 'site' }]), left)
    t.equal(await dev.version(), version, 'nothing is decided')
    const all = conflicts.map(({ id }) => ({ id, take: 'site' }))
    t.match(await dev.decide(all), { conflicts: { length: 0 } })
    await heading(dev, '/', 'b/', 'Mine')
    await published(t, dev)
    t.strictSame(live(), [
      ['/', 'Mine'],
      ['/b', 'Of a'],
      ['/n', 'Of b'],
    ])
  },
)

t.test('a page that is at one address here and there again is found when the site moves it', async (t) => {
  const swaps = [
    { from: '/a', to: '/tmp', title: 'a' },
    { from: '/b', to: '/a', title: 'b' },
    { from: '/tmp', to: '/b', title: 'a' },
  ]
  const back = [
    { from: '/a', to: '/n', title: 'a' },
    { from: '/n', to: '/a', title: 'a' },
  ]
  for (const [own, there, slug] of [
    [swaps, { '/a': '/b', '/b': '/a' }, '/b'],
    [back, {}, '/a'],
  ] as const) {
    const { website, dev, live } = await withTwo(t)
    const move = (to: Readonly<Record<string, string>>) => {
      website.pages = website.pages.map((each) => ({ ...each, slug: to[each.slug] ?? each.slug }))
    }
    await dev.ops(
      own.map(({ from, to, title }) => ({
        op: 'rename_page',
        pageSlug: from,
        newPageSlug: to,
        newTitle: title,
      })),
    )
    move(there)
    await dev.diff()
    await heading(dev, slug, 'b/a', 'Mine')
    move({ [slug]: '/x' })
    await published(t, dev)
    t.strictSame(
      live().filter(([, text]) => text === 'Mine' || text === 'Of a'),
      [['/x', 'Mine']],
    )
  }
})

/** Two drafts, of which one has swapped two pages and swapped them back: these have the ids of each other. */
async function withSwappedBack(t: Test) {
  const ids: Readonly<Record<string, string>> = { '/a': 'p_b', '/b': 'p_a' }
  const crossed = pages.map((each) => ({ ...each, id: ids[each.slug] ?? each.id }))
  const setup = await withTwo(t, {}, crossed)
  await swap(setup.dev)
  await swap(setup.dev)
  return setup
}

t.test('pages that a publish has left where they were are moved by their site afterwards', async (t) => {
  const { website, dev, live } = await withSwappedBack(t)
  await heading(dev, '/', 'b/', 'New')
  await published(t, dev)
  const to: Readonly<Record<string, string>> = { '/a': '/b', '/b': '/a' }
  website.pages = website.pages.map((each) => ({ ...each, slug: to[each.slug] ?? each.slug }))
  await heading(dev, '/', 'b/', 'Newer')
  await published(t, dev)
  t.strictSame(live().toSorted(), [
    ['/', 'Newer'],
    ['/a', 'Of b'],
    ['/b', 'Of a'],
  ])
})

t.test('a change of a page is one of that page where a draft has swapped addresses back', async (t) => {
  const { dev, review, live } = await withSwappedBack(t)
  await heading(review, '/a', 'b/a', 'Theirs')
  await published(t, review)
  await heading(dev, '/b', 'b/b', 'Mine')
  t.match(await dev.diff(), { conflicts: { length: 0 } })
  await published(t, dev)
  t.strictSame(live().toSorted(), [
    ['/', 'Hello'],
    ['/a', 'Theirs'],
    ['/b', 'Mine'],
  ])
})

t.test('a change of a page is one of that page after another draft has swapped addresses back', async (t) => {
  const { website, dev, review } = await withTwo(t)
  await swap(dev)
  await published(t, dev)
  await dev.ops([{ op: 'update_page_meta', pageSlug: '/b', patch: { description: 'Of a' } }])
  await review.follow()
  await swap(review)
  await published(t, review)
  t.match(await dev.diff(), { conflicts: { length: 0 } })
  await published(t, dev)
  const descriptions = website.pages.map(({ slug, meta }) => [slug, meta?.['description']])
  t.match(Object.fromEntries(descriptions), { '/a': 'Of a', '/b': undefined })
})

t.test('a change of a page is one of that page after another draft has swapped addresses', async (t) => {
  for (const [first, ...rest] of [
    [
      ['/b', '/x'],
      ['/n', '/b'],
      ['/x', '/n'],
    ],
    [
      ['/b', '/x'],
      ['/n', '/b'],
      ['/c', '/n'],
      ['/x', '/c'],
    ],
  ] as const) {
    const { dev, review, live } = await withTwo(t)
    await dev.ops([{ op: 'create_page', page: { slug: '/c' } }])
    await rename(dev, ['/a', '/n'])
    await published(t, dev)
    await review.diff()
    await rename(review, first, ...rest)
    await published(t, review)
    await heading(dev, '/n', 'b/a', 'Mine')
    t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1 } })
    await published(t, dev)
    const headings = new Map(live().map(([slug, text]) => [slug, text]))
    t.equal(headings.get('/b'), 'Mine')
    t.equal(headings.get(rest.length === 2 ? '/n' : '/c'), 'Of b')
  }
})

for (const [what, moves] of Object.entries({
  'a rename': [['/a', '/n']],
  'a swap': [
    ['/a', '/wait'],
    ['/b', '/a'],
    ['/wait', '/b'],
  ],
} as const))
  t.test(
    `an earlier publish again undoes ${what}, and the changes of drafts come to the pages`,
    async (t) => {
      const { dev, review, live } = await withTwo(t)
      await published(t, dev)
      const [first] = v.parse(Snapshots, (await dev.get('/restore/snapshots')).json()).snapshots
      await rename(dev, ...moves)
      await published(t, dev)
      await review.diff()
      const address = moves.length === 1 ? '/n' : '/b'
      await heading(dev, address, 'b/a', 'Mine')
      await heading(review, '/', 'b/', 'Home')
      t.match(await dev.publish({ commit: first?.commit }), { status: 'ready' })
      t.strictSame(live(), [
        ['/', 'Hello'],
        ['/a', 'Of a'],
        ['/b', 'Of b'],
      ])
      t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { pagesModified: 1, pagesAdded: 0 } })
      t.match(await review.diff(), { conflicts: { length: 0 } })
      await published(t, dev)
      t.strictSame(live(), [
        ['/', 'Hello'],
        ['/a', 'Mine'],
        ['/b', 'Of b'],
      ])
    },
  )

t.test('a page that is back at its address stays there if that of the site is taken', async (t) => {
  const { site, draft } = await withSite(t, ['/', '/a', '/b'], {
    siteConfig: { navGroups: { More: ['/a', '/b'] } },
  })
  site.redirects = []
  const [dev, review] = [draft('dev'), draft('review')]
  await review.slugs()
  const move = (editor: typeof dev, pageSlug: string, newPageSlug: string, newTitle: string) =>
    editor.ops([{ op: 'rename_page', pageSlug, newPageSlug, newTitle }])
  await dev.get('/publish/diff')
  await move(review, '/a', '/x', 'a')
  await move(dev, '/b', '/x', 'b')
  t.equal((await review.send('/publish')).status, 200)
  await move(dev, '/a', '/n', 'a')
  t.match(conflictsIn(await dev.get('/publish/diff')), [
    { slug: '/n', path: 'slug' },
    { path: 'navGroups["More"]' },
    { path: 'redirects["/a"]' },
  ])
  await move(dev, '/n', '/a', 'a')
  for (let round = 0; round < 3; round++) {
    t.match(conflictsIn(await dev.get('/publish/diff')), [{ slug: '/x', kind: 'changed', path: undefined }])
    t.strictSame(await dev.slugs(), ['/', '/a', '/x'], 'no page is lost')
  }
  t.equal((await dev.send('/publish', { overwrite: true })).status, 200)
  t.strictSame(
    site.pages.map(({ slug, title }) => [slug, title]),
    [
      ['/', 'Start'],
      ['/a', 'a'],
      ['/x', 'b'],
    ],
  )
})

t.test('an undone decision is back, with its base, after another undo of the page', async (t) => {
  const { website, dev } = await withTwo(t)
  await rename(dev, ['/b', '/n'])
  website.pages = pages.with(1, { ...page('/a', 'Of a'), slug: '/n' })
  const [open] = (await dev.diff()).conflicts
  const isOpen = async () => (await dev.diff()).conflicts.map(({ id }) => id)
  await dev.send('/draft/conflicts', { decide: [{ id: open?.id, take: 'site' }] })
  t.equal((await undoLast(dev)).status, 200)
  t.strictSame(await isOpen(), [open?.id])
  t.equal((await dev.undo('/n')).status, 200)
  t.strictSame(await dev.slugs(), ['/', '/n', '/b'])
  t.strictSame(await isOpen(), [])
  t.equal((await dev.redo('/n')).status, 200)
  t.strictSame(await isOpen(), [open?.id], 'a redo undoes it again')
})

t.test('a page that the site had removed is the same one where a publish has put it back', async (t) => {
  for (const part of [{}, { pages: ['/x'] }]) {
    const { website, dev, review, live } = await withTwo(t)
    await rename(review, ['/b', '/n'])
    await heading(review, '/n', 'b/b', 'Mine')
    website.pages = pages.slice(0, 2)
    await rename(dev, ['/b', '/x'])
    await published(t, dev, { overwrite: true, ...part })
    t.strictSame(await placesOf(review), [
      ['/n', 'slug', 'changed'],
      ['/n', 'title', 'changed'],
    ])
    await published(t, review, { overwrite: true })
    t.strictSame(live(), [
      ['/', 'Hello'],
      ['/a', 'Of a'],
      ['/n', 'Mine'],
    ])
  }
})

t.test(
  'a change of a page that the site had removed is one of the page that a publish has put back',
  async (t) => {
    const { website, dev, review, live } = await withTwo(t)
    await heading(review, '/b', 'b/b', 'Mine')
    website.pages = pages.slice(0, 2)
    await rename(dev, ['/b', '/x'])
    await published(t, dev, { overwrite: true })
    t.strictSame(await placesOf(review), [])
    await published(t, review)
    t.strictSame(live().at(-1), ['/x', 'Mine'])
  },
)

t.test('a page that comes to an address which a discard leaves stands where the site has it', async (t) => {
  const { website, dev, review, live } = await withTwo(t)
  await rename(dev, ['/a', '/n'])
  await review.ops([{ op: 'create_page', page: page('/n', 'New') }])
  await published(t, review)
  t.match(await dev.diff(), { conflicts: { length: 1 } })
  website.pages = [...website.pages, page('/x', 'Of x')]
  await dev.diff()
  t.strictSame(await dev.slugs(), ['/', '/n', '/b', '/x'])
  t.equal((await dev.send('/history/discard', { slug: '/n' })).status, 200)
  await dev.diff()
  t.strictSame(await dev.slugs(), ['/', '/a', '/b', '/n', '/x'])
  await heading(dev, '/b', 'b/b', 'Later')
  await published(t, dev)
  t.strictSame(
    live().map(([slug]) => slug),
    ['/', '/a', '/b', '/n', '/x'],
    'the draft has moved no page',
  )
})
