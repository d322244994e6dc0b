import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { done, inHouse, noon, page } from '../helpers/publishing.ts'
import { Sent, threePages, withWebsite } from '../helpers/website.ts'

const Notes = v.looseObject({ notes: v.optional(v.array(v.string()), []) })
const Blocks = v.object({ blocks: v.array(v.looseObject({ id: v.string() })) })
const minute = 60_000

/** A draft that was filled, on a website whose answers can be put back to what it listed at a time before. */
async function withNodes(t: Test, siteConfig: Readonly<Record<string, unknown>> = {}) {
  const time = stillClock(noon)
  const { website, draft, headingOf } = await withWebsite(t, { time })
  website.siteConfig = siteConfig
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.get('/draft/site-config')
  const listed = () => ({ pages: website.pages, siteConfig: website.siteConfig })
  /** Looks at the site, as a node shows it that is at `then`; without it, as it is. */
  const look = async (then?: ReturnType<typeof listed>) => {
    website.lists = then && (() => then)
    time.advance(1_001)
    return v.parse(Notes, await dev.diff()).notes
  }
  const publish = async (body = {}) => t.match(await dev.publish(body), { status: 'ready' })
  return { website, draft, dev, review, time, listed, look, publish, headingOf }
}

/** The same after a publish that changes, adds and removes something; `before` is what was listed then. */
async function withPublish(t: Test) {
  const setup = await withNodes(t, { name: 'Before', logo: 'a.png' })
  const { dev, listed, publish } = setup
  const before = listed()
  await dev.heading('/', 'New')
  await dev.ops([
    { op: 'create_page', page: page('/made') },
    { op: 'remove_page', pageSlug: '/prices' },
  ])
  await dev.config({ name: 'After', logo: 'a.png' })
  await publish()
  return { ...setup, before }
}

t.test('an answer that shows again what a publish has replaced takes nothing back', async (t) => {
  const { website, dev, review, listed, look, before } = await withPublish(t)
  t.strictSame(await look(), [])
  t.match(await look(before), [/POST \/draft\/follow with confirm: true/])
  t.equal(await dev.headingOf('/'), 'New')
  t.strictSame(await dev.slugs(), ['/', '/about', '/made'])
  // Another draft that publishes what it has of its own.
  await review.heading('/about', 'Other')
  t.match(await review.publish(), { status: 'ready' })
  const after = {
    pages: [{ slug: '/' }, { slug: '/about' }, { slug: '/made' }],
    siteConfig: { name: 'After' },
  }
  t.match(listed(), after)
  t.match(website.pages, { length: 3, 0: { blocks: [{ props: { heading: 'New' } }] } })
})

t.test('a copy of an answer that is behind, which an editor pushes, takes nothing back', async (t) => {
  const { dev, time, look, before } = await withPublish(t)
  const push = async () => {
    const { siteConfig } = before
    const answer = await dev.bootstrap(before.pages, { overwrite: true, siteConfig })
    t.equal(answer.status, 200, answer.text)
    return [
      await dev.headingOf('/'),
      await dev.slugs(),
      v.parse(v.looseObject({ name: v.string() }), (await dev.get('/draft/site-config')).json()).name,
    ]
  }
  const own = ['New', ['/', '/about', '/made'], 'After']
  for (const shown of [undefined, before]) {
    await look(shown)
    t.strictSame(await push(), own, shown ? 'the site is behind' : 'the site is current')
  }
  await look()
  time.advance(11 * minute)
  await look()
  t.strictSame(await push(), ['Hello', ['/', '/about', '/made', '/prices'], 'Before'], 'after the time')
})

t.test('a site is behind also after the read that follows a publish was', async (t) => {
  const { website, dev, listed, look, publish } = await withNodes(t)
  const before = listed()
  await dev.heading('/', 'New')
  website.lists = () => before
  await publish()
  for (const shown of [undefined, before, undefined, before]) {
    await look(shown)
    t.equal(await dev.headingOf('/'), 'New')
  }
})

t.test('two publishes, and nodes that are behind by one or both', async (t) => {
  const { dev, time, listed, look, publish } = await withNodes(t)
  const first = listed()
  await dev.heading('/', 'Second')
  await publish()
  const second = listed()
  time.advance(9 * minute)
  await dev.heading('/', 'Third')
  await publish()
  for (const shown of [second, first, undefined, second]) {
    await look(shown)
    t.equal(await dev.headingOf('/'), 'Third')
  }
  time.advance(2 * minute)
  await look(second)
  t.equal(await dev.headingOf('/'), 'Third')
})

t.test('a move and a redirect are not taken back', async (t) => {
  const { website, dev, look, publish } = await withNodes(t)
  const redirects: readonly unknown[] = []
  const before = { pages: website.pages, siteConfig: website.siteConfig, redirects }
  await look(before)
  await dev.ops([
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' },
    { op: 'move_page', pageSlug: '/prices', afterPageSlug: '/' },
  ])
  await publish()
  t.strictSame(await dev.slugs(), ['/', '/prices', '/us'])
  const after = {
    pages: website.pages,
    siteConfig: website.siteConfig,
    redirects: [{ from: '/about', to: '/us', at: noon }],
  }
  for (const shown of [after, before, after, before]) {
    await look(shown)
    t.strictSame(await dev.slugs(), ['/', '/prices', '/us'])
    t.match(await dev.diff(), { summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
  }
})

t.test(
  'a site that a person has changed back is followed after the time, or if that is confirmed',
  async (t) => {
    for (const [name, end] of [
      ['after the time', async ({ time }) => void time.advance(10 * minute)],
      ['confirmed', async ({ dev }) => t.match(await dev.follow({ confirm: true }), { status: 'followed' })],
    ] as const satisfies [string, (nodes: Awaited<ReturnType<typeof withNodes>>) => Promise<unknown>][])
      await t.test(name, async (t) => {
        const nodes = await withNodes(t)
        const { dev, listed, look, publish } = nodes
        const before = listed()
        await dev.heading('/', 'New')
        await publish()
        await look()
        t.equal((await look(before)).length, 1)
        await end(nodes)
        t.strictSame(await look(before), [])
        t.equal(await dev.headingOf('/'), 'Hello')
      })
  },
)

t.test('what the site changes meanwhile is followed, also beside what it shows of before', async (t) => {
  const { dev, listed, look, publish } = await withNodes(t)
  const before = listed()
  await dev.heading('/', 'New')
  await publish()
  await look()
  await look({ ...before, pages: threePages.with(1, page('/about', 'Deployed')) })
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['New', 'Deployed'])
  await look({ ...before, pages: threePages.with(0, page('/', 'Deployed')) })
  t.equal(await dev.headingOf('/'), 'Deployed')
})

t.test('an answer that was seen before a publish stands as a whole for what is known', async (t) => {
  const { website, dev, listed, look, publish } = await withNodes(t)
  const oldest = listed()
  await look()
  website.pages = threePages.with(1, page('/about', 'Deployed'))
  await look()
  t.equal(await dev.headingOf('/about'), 'Deployed')
  await dev.heading('/', 'New')
  await publish()
  t.equal((await look(oldest)).length, 1)
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['New', 'Deployed'])
})

t.test('it does so also where another draft was filled with it', async (t) => {
  const { website, dev, draft, listed, look, publish } = await withNodes(t)
  const before = listed()
  await look(before)
  website.pages = [...website.pages, page('/own')]
  await look()
  await dev.heading('/about', 'New')
  await publish()
  await look(before)
  await draft('late').fill()
  await look(before)
  t.strictSame(await dev.slugs(), ['/', '/about', '/prices', '/own'])
})

t.test('what a publish has only sent along has no former value: the site changes it back', async (t) => {
  const { website, dev, review, look, publish } = await withNodes(t, { name: 'Acme', logo: 'a.png' })
  await look()
  const added = page('/added', 'Of the site').blocks
  const [start, about, prices] = [page('/'), page('/about'), page('/prices')]
  const hasAdded = () => website.pages.map(({ slug, blocks }) => [slug, blocks.length])
  // The site changes, adds and removes by itself.
  website.pages = [{ ...start, title: 'Deployed', blocks: [...start.blocks, ...added] }, about, page('/made')]
  website.siteConfig = { name: 'Deployed', logo: 'a.png', tagline: 'Of the site' }
  await look()
  await dev.heading('/', 'New')
  await dev.config({ logo: 'b.png' })
  await publish()
  await look()
  t.match(website, { pages: { length: 3 }, siteConfig: { name: 'Deployed', logo: 'b.png' } })
  t.strictSame(hasAdded(), [
    ['/', 2],
    ['/about', 1],
    ['/made', 1],
  ])
  // And back, beside what was published.
  const [home = start] = website.pages
  website.pages = [{ ...home, title: start.title, blocks: home.blocks.slice(0, 1) }, about, prices]
  website.siteConfig = { name: 'Acme', logo: 'b.png' }
  t.strictSame(await look(), [])
  await review.heading('/about', 'Other')
  t.match(await review.publish(), { status: 'ready' })
  t.strictSame(hasAdded(), [
    ['/', 1],
    ['/about', 1],
    ['/prices', 1],
  ])
  t.match(website.pages, [{ title: start.title, blocks: [{ props: { heading: 'New' } }] }])
  t.strictSame(website.siteConfig, { name: 'Acme', logo: 'b.png' })
  // And once more.
  website.pages = website.pages.map((each) => (each.slug === '/' ? { ...each, title: 'Deployed' } : each))
  website.siteConfig = { name: 'Deployed', logo: 'b.png' }
  t.strictSame(await look(), [])
  t.match(await dev.publish(), { status: 'ready' })
  t.match(website, { pages: [{ title: 'Deployed' }], siteConfig: { name: 'Deployed', logo: 'b.png' } })
})

t.test('a block that a publish has moved, and the site moves elsewhere, is changed there', async (t) => {
  const { website, dev, review, look, publish } = await withNodes(t)
  const block = (id: string) => ({ id, type: 'RichText', props: { title: id, body: 'Text' } })
  const withOrder = (ids: string) =>
    (website.pages = threePages.with(1, { ...page('/about'), blocks: [...ids].map(block) }))
  const orderOf = async ({ get }: typeof dev) =>
    v
      .parse(Blocks, (await get('/draft/pages', { slug: '/about' })).json())
      .blocks.map(({ id }) => id)
      .join('')
  const move = (blockId: string, afterBlockId?: string) => ({
    op: 'move_block',
    pageSlug: '/about',
    blockId,
    ...(afterBlockId && { afterBlockId }),
  })
  withOrder('abc')
  await look()
  await review.follow()
  await dev.ops([move('b')])
  await review.ops([move('b', 'c')])
  await publish()
  await review.diff()
  t.equal(await orderOf(review), 'acb', 'what both have moved has the place in the draft')
  withOrder('acb')
  await look()
  t.equal(await orderOf(dev), 'acb')
  withOrder('bac')
  await look()
  await dev.ops([{ op: 'remove_page', pageSlug: '/about' }])
  withOrder('acb')
  await look()
  t.match(await dev.diff(), { conflicts: [{ slug: '/about', kind: 'removed_here' }] })
})

t.test('a block that a publish has added, and the site moves, is where the site has it', async (t) => {
  const { website, dev, look, publish } = await withNodes(t)
  await look()
  const block = { id: 'added', type: 'RichText', props: { title: 'Added', body: 'Text' } }
  await dev.ops([{ op: 'add_block', pageSlug: '/', afterBlockId: 'b/', block }])
  await publish()
  website.pages = website.pages.map((each) => ({ ...each, blocks: each.blocks.toReversed() }))
  await look()
  const { blocks } = v.parse(Blocks, (await dev.get('/draft/pages', { slug: '/' })).json())
  t.strictSame(
    blocks.map(({ id }) => id),
    ['added', 'b/'],
  )
})

t.test(
  'what a publish has added stays also where the site changes something in it, and is behind then',
  async (t) => {
    const { website, dev, listed, look, publish } = await withNodes(t)
    await look()
    const before = listed()
    const block = { id: 'added', type: 'RichText', props: { title: 'Added', body: 'Text' } }
    await dev.ops([
      { op: 'add_block', pageSlug: '/', afterBlockId: 'b/', block },
      { op: 'create_page', page: page('/made') },
    ])
    await publish()
    await look()
    website.pages = website.pages.map((each) => ({
      ...each,
      blocks: each.blocks.map((block) => ({ ...block, props: { ...block.props, title: 'Of the site' } })),
    }))
    await look()
    t.equal((await dev.props('/made'))['title'], 'Of the site')
    // Not an answer that was seen before: another page has changed.
    await look({ ...before, pages: before.pages.map((each) => ({ ...each, title: `${each.title}!` })) })
    t.strictSame(await dev.slugs(), ['/', '/about', '/prices', '/made'])
    const { blocks } = v.parse(Blocks, (await dev.get('/draft/pages', { slug: '/' })).json())
    t.match(blocks, [{ id: 'b/' }, { id: 'added' }])
  },
)

t.test('an answer that stands for what is known takes no entry back that cannot be read', async (t) => {
  const { website, dev, review, listed, look, publish } = await withNodes(t)
  const before = listed()
  await look()
  const { pages } = v.parse(Sent, { pages: [...threePages, { slug: '/broken', title: 5 }] })
  website.pages = pages
  await look()
  await dev.heading('/', 'New')
  await publish()
  await look(before)
  await review.heading('/about', 'Other')
  t.match(await review.publish(), { status: 'ready' })
  t.match(website.pages, [
    { slug: '/' },
    { slug: '/about' },
    { slug: '/prices' },
    { slug: '/broken', title: 5 },
  ])
})

/** Drafts of a website to which publishes come only when they `arrive`. */
async function withDeployments(
  t: Test,
  pages = [page('/'), page('/a', 'A'), page('/b', 'B'), page('/c', 'C')],
) {
  const time = stillClock(noon)
  let sent: readonly Page[] = []
  const starter = inHouse({
    name: 'starter',
    async publish(publication) {
      sent = publication.pages
      return { ...done, status: 'triggered', tracker: {} }
    },
  })
  const { website, draft } = await withWebsite(t, { time, targets: [starter] }, pages)
  const [dev, review, late] = [draft('dev'), draft('review'), draft('late')]
  for (const each of [dev, review, late]) await each.fill()
  /** Has a draft follow its site. */
  const look = async (follower = dev) => {
    time.advance(1_001)
    return follower.diff()
  }
  const publish = async (of: typeof dev) => {
    time.advance(1_001)
    t.match(await of.publish(), { status: 'triggered' })
  }
  return {
    website,
    draft,
    dev,
    review,
    late,
    look,
    publish,
    slugsOf: () => sent.map(({ slug }) => slug),
    sent: () => sent,
  }
}
const swapped = [
  { op: 'rename_page', pageSlug: '/a', newPageSlug: '/swap' },
  { op: 'rename_page', pageSlug: '/b', newPageSlug: '/a' },
  { op: 'rename_page', pageSlug: '/swap', newPageSlug: '/b' },
]

t.test('a site that is behind moves a page itself, beside what a publish has done with places', async (t) => {
  for (const [name, op, wanted] of [
    [
      'copied',
      { op: 'duplicate_page', pageSlug: '/a', newPageSlug: '/copy' },
      ['/', '/c', '/a', '/copy', '/b'],
    ],
    ['renamed', { op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' }, ['/', '/c', '/n', '/b']],
    ['removed', { op: 'remove_page', pageSlug: '/a' }, ['/', '/c', '/b']],
    ['moved', { op: 'move_page', pageSlug: '/b', afterPageSlug: '/' }, ['/', '/c', '/b', '/a']],
  ] as const)
    await t.test(name, async (t) => {
      const { website, review, late, dev, look, publish, slugsOf } = await withDeployments(t)
      await review.ops([op])
      await publish(review)
      const [home, a, b, c] = website.pages
      website.pages = [home, c, a, b].filter((each) => each !== undefined)
      await look(late)
      const own = await late.slugs()
      t.strictSame(new Set(own), new Set(wanted))
      t.strictSame(own, wanted)
      await publish(late)
      t.strictSame(slugsOf(), wanted)
      await look(dev)
      t.strictSame(await dev.slugs(), wanted)
    })
})

t.test('a page that a publish and a site that is behind both add stands where both have it', async (t) => {
  const [create, moveC, moveX] = [
    { op: 'create_page', page: page('/x', 'X') },
    { op: 'move_page', pageSlug: '/c', afterPageSlug: '/' },
    { op: 'move_page', pageSlug: '/x', afterPageSlug: '/c' },
  ]
  const shown = ['/', '/a', '/b', '/c', '/x']
  for (const [name, ops, wanted] of [
    ['beside a page that was moved', [create, moveC], ['/', '/c', '/a', '/b', '/x']],
    ['behind that', [create, moveC, moveX], ['/', '/c', '/x', '/a', '/b']],
  ] as const)
    await t.test(name, async (t) => {
      const { website, review, dev, look, publish, sent, slugsOf } = await withDeployments(t)
      await review.ops(ops)
      await publish(review)
      const [own, pages] = [page('/x', 'X of the site'), website.pages]
      website.pages = shown.flatMap((slug) => [...pages, own].find((each) => each.slug === slug) ?? [])
      await look(dev)
      t.strictSame(await dev.slugs(), wanted)
      await publish(dev)
      t.strictSame(slugsOf(), wanted)
      t.match(sent()[wanted.indexOf('/x')], own)
    })
})

t.test('a site that is behind changes one of two pages that a publish has swapped', async (t) => {
  for (const [name, ids] of [
    ['with new ids', ['one', 'two']],
    ['with the ids of each other', ['p_a', 'p_b']],
  ] as const)
    await t.test(name, async (t) => {
      const [a, b] = [page('/a', 'A'), page('/b', 'B')]
      const pages = [page('/'), { ...a, id: ids[0] }, { ...b, id: ids[1] }]
      const { website, late, review, look, publish, sent } = await withDeployments(t, pages)
      await late.ops(swapped)
      await publish(late)
      website.pages = pages.with(1, { ...page('/a', 'A of the site'), id: ids[0] })
      const wanted = [
        { slug: '/' },
        { slug: '/b', blocks: [{ id: 'b/a', props: { heading: 'A of the site' } }] },
        { slug: '/a', blocks: [{ id: 'b/b', props: { heading: 'B' } }] },
      ]
      await look(review)
      for (const each of [review, late]) {
        await publish(each)
        t.match(sent(), wanted)
        t.strictSame(
          sent().map(({ blocks }) => blocks.length),
          [1, 1, 1],
        )
      }
      website.pages = sent()
      t.match(await look(review), { summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
      t.strictSame(await review.slugs(), ['/', '/b', '/a'])
    })
})

t.test(
  'a site that is behind gives a page another address: it keeps what a publish has changed',
  async (t) => {
    const { website, late, dev, look, publish, sent } = await withDeployments(t)
    await late.heading('/a', 'Published')
    await publish(late)
    website.pages = website.pages
      .filter(({ slug }) => slug !== '/b')
      .map((each) => (each.slug === '/a' ? { ...each, slug: '/b' } : each))
    await look(dev)
    const wanted = [{ slug: '/' }, { slug: '/b', blocks: [{ id: 'b/a', props: { heading: 'Published' } }] }]
    await publish(dev)
    t.match(sent().slice(0, 2), wanted)
    t.strictSame(
      sent().map(({ blocks }) => blocks.length),
      [1, 1, 1],
    )
  },
)

t.test('a site gives a page the address that a publish has given another one', async (t) => {
  const { website, late, dev, look, publish, sent } = await withDeployments(t)
  await late.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' }])
  await publish(late)
  website.pages = website.pages.map((each) => (each.slug === '/b' ? { ...each, slug: '/n' } : each))
  await look(dev)
  await publish(dev)
  const headings = sent().map(({ slug, blocks }) => [slug, blocks.map(({ id }) => id)])
  t.strictSame(headings, [
    ['/', ['b/']],
    ['/a', ['b/a']],
    ['/n', ['b/b']],
    ['/c', ['b/c']],
  ])
})

t.test('a page that a deployment brings to an address of the site is a conflict of its draft', async (t) => {
  const all = { '/': 'b/', '/a': 'b/a', '/b': 'b/b', '/c': 'b/c' }
  for (const [name, op, own, bySite] of [
    ['renamed', { op: 'rename_page', pageSlug: '/b', newPageSlug: '/x' }, { '/x': 'b/b' }, all],
    ['added', { op: 'create_page', page: page('/x') }, { '/b': 'b/b', '/x': 'b/x' }, all],
  ] as const)
    for (const take of ['draft', 'site'])
      await t.test(`${name}, decided for the ${take}`, async (t) => {
        const { website, late, dev, look, publish, sent } = await withDeployments(t)
        const blocks = (pages: readonly Page[]) =>
          Object.fromEntries(pages.map(({ slug, blocks: [block] }) => [slug, block?.id]))
        const ofSite = { ...bySite, '/a': undefined, '/x': 'b/a' }
        const ofDraft = { ...(name === 'renamed' ? { ...all, '/b': undefined } : all), ...own }
        const only = (pages: object) => JSON.parse(JSON.stringify(pages))
        await late.ops([op])
        await publish(late)
        website.pages = website.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/x' } : each))
        await look(dev)
        t.strictSame((await dev.slugs()).toSorted(), Object.keys(only(ofSite)).toSorted())
        await publish(dev)
        t.strictSame(blocks(sent()), only(ofSite))
        const { conflicts } = await look(late)
        t.match(conflicts, [{ slug: '/x', ours: { slug: '/x' }, theirs: { blocks: [{ id: 'b/a' }] } }])
        t.strictSame((await late.slugs()).toSorted(), Object.keys(only(ofDraft)).toSorted())
        t.match(await late.publish(), { code: 'site_conflict' })
        await late.decide([{ id: conflicts[0]?.id, take }])
        await publish(late)
        t.strictSame(blocks(sent()), only(take === 'draft' ? ofDraft : ofSite))
      })
})

t.test('what the site changes in a page that loses its address is no change of the draft', async (t) => {
  const alt = { op: 'update_props', pageSlug: '/x', blockId: 'b/b', patch: { imageAlt: 'Own' } }
  const again = { op: 'rename_page', pageSlug: '/x', newPageSlug: '/y' }
  for (const [name, since, slug, own] of [
    ['as it was published', [], '/x', {}],
    ['edited since', [alt], '/x', { imageAlt: 'Own' }],
    ['renamed again', [again], '/y', {}],
  ] as const)
    await t.test(name, async (t) => {
      const { website, late, dev, look, publish, sent } = await withDeployments(t)
      await late.ops([{ op: 'rename_page', pageSlug: '/b', newPageSlug: '/x' }])
      await publish(late)
      if (since.length > 0) await late.ops([...since])
      website.pages = website.pages.map((each) => {
        if (each.slug === '/a') return { ...each, slug: '/x' }
        const [block] = each.blocks
        const changed = block && { ...block, props: { ...block.props, heading: 'Of the site' } }
        return each.slug === '/b' && changed ? { ...each, blocks: [changed] } : each
      })
      await look(dev)
      const { conflicts } = await look(late)
      t.equal(conflicts.length, slug === '/x' ? 1 : 0)
      if (conflicts.length > 0) {
        t.match(conflicts, [{ slug, ours: { slug } }])
        await late.decide([{ id: conflicts[0]?.id, take: 'draft' }])
      }
      await publish(late)
      t.match(
        sent().find(({ blocks }) => blocks[0]?.id === 'b/b'),
        { slug, blocks: [{ props: { heading: 'Of the site', ...own } }] },
      )
    })
})

t.test('a page that has lost its address has no id of another one that is published there', async (t) => {
  const { website, draft, late, look, publish } = await withDeployments(t)
  const rename = (pageSlug: string, newPageSlug: string) => [{ op: 'rename_page', pageSlug, newPageSlug }]
  await late.ops(rename('/b', '/n'))
  await publish(late)
  website.pages = website.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/n' } : each))
  const later = draft('later')
  await later.fill()
  await later.ops(rename('/n', '/x'))
  await publish(later)
  await later.ops(rename('/x', '/n'))
  await publish(later)
  await late.ops(rename('/a', '/b'))
  for (const heading of ['One', 'Two']) {
    t.match((await look(late)).conflicts, [{ path: 'slug', ours: '/b', theirs: '/n' }])
    await late.heading('/', heading)
  }
})

t.test('a page that a publish and the site have both renamed is found where the site moves it', async (t) => {
  const { website, late, look, publish } = await withDeployments(t)
  const move = (from: string, slug: string) => {
    website.pages = website.pages.map((each) => (each.slug === from ? { ...each, slug } : each))
  }
  const rename = (pageSlug: string, newPageSlug: string) =>
    late.ops([{ op: 'rename_page', pageSlug, newPageSlug, newTitle: page('/a').title }])
  move('/a', '/n')
  await rename('/a', '/n')
  await publish(late)
  await rename('/n', '/a')
  move('/n', '/x')
  t.match((await look(late)).conflicts, [{ path: 'slug', ours: '/a', theirs: '/x' }])
})

t.test('two pages of a deployment, of which the site moves one to the address of the other', async (t) => {
  const { website, late, dev, look, publish, sent } = await withDeployments(t)
  const redirects: readonly unknown[] = []
  website.lists = () => ({ pages: website.pages, siteConfig: {}, redirects })
  await late.ops([
    { op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' },
    { op: 'rename_page', pageSlug: '/b', newPageSlug: '/x' },
  ])
  await publish(late)
  website.pages = website.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/x' } : each))
  await look(dev)
  t.match(await look(late), { conflicts: [{ slug: '/x' }] })
  t.strictSame((await late.slugs()).toSorted(), ['/', '/c', '/n', '/x'])
  t.match((await late.get('/draft/site-config', { redirects: '1' })).json(), { redirects: { '/b': '/x' } })
  await late.publish({ overwrite: true })
  t.match(
    sent().map(({ slug, blocks }) => [slug, blocks[0]?.id]),
    [['/'], ['/n', 'b/a'], ['/x', 'b/b'], ['/c']],
  )
})

t.test('the redirect of a rename ends where the site gives its address to another page', async (t) => {
  const slugs = async (draft: { slugs(): Promise<string[]> }) => (await draft.slugs()).toSorted()
  for (const isGone of [false, true]) {
    const { website, late, dev, review, look, publish } = await withDeployments(t)
    website.lists = () => ({ pages: website.pages, siteConfig: {}, redirects: [] })
    const change = (from: string, to: string | undefined) => {
      website.pages = website.pages.flatMap((each) =>
        each.slug !== from ? [each] : to === undefined ? [] : [{ ...each, slug: to }],
      )
    }
    const redirects = async (draft: typeof dev) =>
      (await draft.get('/draft/site-config', { redirects: '1' })).json()
    await look(late)
    await late.ops([{ op: 'rename_page', pageSlug: '/b', newPageSlug: '/n' }])
    await publish(late)
    await look(dev)
    t.match(await redirects(dev), { redirects: { '/b': '/n' } })
    change('/a', '/n')
    await look(dev)
    t.match(await redirects(dev), { redirects: { '/b': undefined } })
    change('/b', isGone ? undefined : '/m')
    for (const draft of [dev, review]) {
      await look(draft)
      t.strictSame(await slugs(draft), isGone ? ['/', '/c', '/n'] : ['/', '/c', '/m', '/n'])
      t.match(await redirects(draft), { redirects: { '/b': undefined } }, `${isGone}`)
    }
  }
})

t.test('what such a publish has sent is on the site as soon as that shows it', async (t) => {
  for (const more of ['none', 'heading'] as const) {
    const { website, late, dev, look, publish, sent } = await withDeployments(t)
    let redirects: readonly unknown[] = []
    website.lists = () => ({ pages: website.pages, siteConfig: {}, redirects })
    await look(late)
    await late.ops([{ op: 'rename_page', pageSlug: '/b', newPageSlug: '/n' }])
    await publish(late)
    const first = sent()
    if (more === 'heading')
      await late.ops([{ op: 'update_props', pageSlug: '/n', blockId: 'b/b', patch: { heading: 'Newer' } }])
    await late.heading('/', 'Second')
    await publish(late)
    website.pages = website.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/n' } : each))
    await look(dev)
    t.strictSame((await dev.slugs()).toSorted(), ['/', '/b', '/c', '/n'])
    website.pages = first
    redirects = [{ from: '/b', to: '/n' }]
    await look(dev)
    t.strictSame((await dev.slugs()).toSorted(), ['/', '/a', '/c', '/n'], more)
    t.equal(await dev.headingOf('/n'), more === 'heading' ? 'Newer' : 'B')
    t.match((await dev.get('/draft/site-config', { redirects: '1' })).json(), { redirects: { '/b': '/n' } })
  }
})

t.test('it is a change of its draft as that has it since', async (t) => {
  for (const [op, wanted] of [
    [{ op: 'rename_page', pageSlug: '/x', newPageSlug: '/y' }, ['/', '/c', '/x', '/y']],
    [{ op: 'rename_page', pageSlug: '/x', newPageSlug: '/b' }, ['/', '/b', '/c', '/x']],
    [{ op: 'remove_page', pageSlug: '/x' }, ['/', '/c', '/x']],
  ] as const) {
    const { website, late, look, publish, sent } = await withDeployments(t)
    await late.ops([{ op: 'rename_page', pageSlug: '/b', newPageSlug: '/x' }])
    await publish(late)
    await late.ops([op])
    website.pages = website.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/x' } : each))
    t.match(await look(late), { conflicts: { length: 0 } })
    t.strictSame((await late.slugs()).toSorted(), wanted)
    await publish(late)
    t.strictSame(
      sent()
        .map(({ slug }) => slug)
        .toSorted(),
      wanted,
    )
    t.match(
      sent().find(({ slug }) => slug === '/x'),
      { blocks: [{ id: 'b/a' }] },
    )
  }
})

t.test('a site that is behind gives another address to a page that a publish has renamed', async (t) => {
  const { website, late, dev, look, publish } = await withDeployments(t)
  await late.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' }])
  await publish(late)
  await look(dev)
  await dev.ops([{ op: 'update_props', pageSlug: '/n', blockId: 'b/a', patch: { heading: 'Edited' } }])
  website.pages = website.pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/x' } : each))
  t.match(await look(dev), { conflicts: { length: 0 } })
  t.strictSame(await dev.slugs(), ['/', '/x', '/b', '/c'])
  t.equal(await dev.headingOf('/x'), 'Edited')
})

t.test(
  'a site that is behind gives another address to a page of which a publish has changed the place',
  async (t) => {
    const orders = {
      moved: [{ op: 'move_page', pageSlug: '/about', afterPageSlug: '/prices' }],
      'beside a page that was added': [
        { op: 'duplicate_page', pageSlug: '/', newPageSlug: '/copy' },
        { op: 'move_page', pageSlug: '/about', afterPageSlug: '/prices' },
      ],
    }
    for (const [name, ops] of Object.entries(orders))
      await t.test(name, async (t) => {
        const { website, dev, review, look, publish } = await withNodes(t)
        const [home, about, prices] = website.pages
        if (!home || !about || !prices) return t.fail('three pages')
        await dev.ops(ops)
        await publish()
        const moved = await dev.slugs()
        const team = { ...about, slug: '/team' }
        await look({ pages: [home, team, prices], siteConfig: {} })
        const wanted = moved.map((slug) => (slug === '/about' ? '/team' : slug))
        t.strictSame(await dev.slugs(), wanted)
        await look({ pages: [home, team, prices, { ...page('/new'), slug: '/about' }], siteConfig: {} })
        const added = wanted.flatMap((slug) => (slug === '/prices' ? [slug, '/about'] : [slug]))
        t.strictSame(await dev.slugs(), added, 'another page at its former address is another one')
        await review.diff()
        t.strictSame(await review.slugs(), added)
      })
  },
)

t.test('an order of before the newest publish is known, also of what an earlier one has added', async (t) => {
  const move = (pageSlug: string, afterPageSlug: string) => ({ op: 'move_page', pageSlug, afterPageSlug })
  const { website, late, dev, look, publish } = await withDeployments(t)
  const own = website.pages
  await late.ops([{ op: 'create_page', page: page('/n') }])
  await publish(late)
  const earlier = [...own, page('/n', 'Typed')]
  await dev.follow()
  await dev.ops([{ op: 'create_page', page: page('/x') }, move('/x', '/c'), move('/a', '/n')])
  await publish(dev)
  const wanted = ['/', '/b', '/c', '/x', '/n', '/a']
  t.strictSame(await dev.slugs(), wanted)
  website.pages = earlier
  await look(late)
  t.strictSame([await late.slugs(), await late.headingOf('/n')], [wanted, 'Typed'])
  website.pages = [...earlier, page('/m')]
  await look(late)
  t.strictSame(
    (await late.slugs()).filter((slug) => slug !== '/m'),
    wanted,
    'beside a page of the site',
  )
})

t.test('so is an order of blocks', async (t) => {
  const text = (id: string) => ({ id, type: 'RichText', props: { title: id, body: 'x' } })
  const add = (id: string, afterBlockId: string) => ({
    op: 'add_block',
    pageSlug: '/a',
    block: text(id),
    afterBlockId,
  })
  const { website, late, dev, look, publish } = await withDeployments(t)
  const [home, a, ...others] = website.pages
  if (!home || !a) return t.fail('two pages')
  website.pages = [home, { ...a, blocks: [...a.blocks, text('two')] }, ...others]
  await look(late)
  await late.ops([add('n', 'two')])
  await publish(late)
  await dev.follow()
  await dev.ops([add('x', 'two'), { op: 'move_block', pageSlug: '/a', blockId: 'b/a', afterBlockId: 'n' }])
  await publish(dev)
  const wanted = ['two', 'x', 'n', 'b/a']
  const blocks = async () => (await late.page('/a')).blocks.map(({ id }) => id)
  const n = { ...text('n'), props: { title: 'Typed', body: 'x' } }
  website.pages = [home, { ...a, blocks: [...a.blocks, text('two'), n] }, ...others]
  await look(late)
  t.strictSame(await blocks(), wanted)
  t.match(await late.page('/a'), { blocks: { 2: { props: { title: 'Typed' } } } })
})

t.test('what a site that is behind adds is where it shows it beside a publish', async (t) => {
  const text = (id: string) => ({ id, type: 'RichText', props: { title: id, body: 'x' } })
  await t.test('a page', async (t) => {
    const { website, late, dev, look, publish, slugsOf } = await withDeployments(t)
    const [home, a, b, c] = website.pages
    await dev.ops([{ op: 'move_page', pageSlug: '/b', afterPageSlug: '/c' }])
    await publish(dev)
    const shows = async (...pages: (typeof home)[]) => {
      website.pages = pages.flatMap((each) => each ?? [])
      await look(late)
    }
    await shows(home, a, b, c, page('/n'))
    await shows(home, a, c, b, page('/n'))
    t.strictSame(await late.slugs(), ['/', '/a', '/c', '/b', '/n'])
    await late.ops([{ op: 'remove_page', pageSlug: '/c' }])
    await publish(late)
    t.strictSame(slugsOf(), ['/', '/a', '/b', '/n'])
  })
  await t.test('a block', async (t) => {
    const { website, late, dev, look, publish } = await withDeployments(t)
    const [home, a, ...others] = website.pages
    if (!home || !a) return t.fail('two pages')
    const shows = async (...ids: string[]) => {
      const blocks = ids.flatMap(
        (id) => [...a.blocks, text('two'), text('n')].find((each) => each.id === id) ?? [],
      )
      website.pages = [home, { ...a, blocks }, ...others]
      await look(late)
    }
    await shows('b/a', 'two')
    await dev.follow()
    await dev.ops([{ op: 'move_block', pageSlug: '/a', blockId: 'b/a', afterBlockId: 'two' }])
    await publish(dev)
    await shows('b/a', 'two', 'n')
    await shows('two', 'b/a', 'n')
    t.strictSame(
      (await late.page('/a')).blocks.map(({ id }) => id),
      ['two', 'b/a', 'n'],
    )
  })
})

const rowNotes = async ({ log }: { log(): Promise<readonly unknown[]> }) =>
  v.parse(Notes, (await log()).at(-1)).notes

t.test('a publish of which the site does not show a page says so', async (t) => {
  const { website, dev, time, listed, look } = await withNodes(t)
  const before = listed()
  await dev.heading('/', 'New')
  await dev.ops([
    { op: 'rename_page', pageSlug: '/about', newTitle: 'Other' },
    { op: 'create_page', page: page('/made') },
    { op: 'remove_page', pageSlug: '/prices' },
  ])
  // A handler that answers as if it had stored all that it was sent, and has stored one page.
  const dropping = () => ({
    pages: before.pages.with(0, website.pages.find(({ slug }) => slug === '/') ?? page('/')),
  })
  website.lists = () => ({ ...before, ...(website.pages === before.pages ? {} : dropping()) })
  const { status, notes } = await dev.publish()
  t.equal(status, 'ready')
  t.match(notes, [/^The site still shows the older \/about, \/made and \/prices\..* publish again\.$/])
  t.strictSame(await rowNotes(dev), notes)

  const shown = dropping()
  time.advance(11 * minute)
  await look({ ...before, ...shown })
  t.strictSame(await dev.slugs(), ['/', '/about', '/made'], 'what the draft has stays')
})

t.test('a page that a site never shows stays in the draft as it was published', async (t) => {
  const { website, dev, time, listed, look } = await withNodes(t)
  const before = listed()
  await dev.heading('/', 'New')
  website.lists = () => before
  t.match(await dev.publish(), { status: 'ready', notes: [/still shows the older \/\./] })
  await look(before)
  time.advance(10 * minute)
  await look(before)
  t.equal(await dev.headingOf('/'), 'New', 'it is published again with the next publish')
  t.match(await rowNotes(dev), [/still shows the older \/\./], 'the log says how it was then')
})

t.test('a publish after one that the cache does not show yet says so as well', async (t) => {
  const { website, dev, listed } = await withNodes(t)
  const before = listed()
  website.lists = () => before
  await dev.heading('/', 'Second')
  t.match(await dev.publish(), { notes: [/the older \/\./] })
  await dev.heading('/', 'Third')
  t.match(await dev.publish(), { notes: [/the older \/\./] })
  await dev.heading('/', 'Hello')
  t.notMatch(await dev.publish(), { notes: [/./] }, 'what the site shows is what was sent')
  t.strictSame(await rowNotes(dev), [])
})

t.test('a site that has a value in another form shows the page', async (t) => {
  const { website, dev } = await withNodes(t)
  const dropped = () => ({
    pages: website.pages.map((each) => ({
      ...each,
      blocks: each.blocks.map(({ props, ...block }) => ({
        ...block,
        props: { ...props, subheading: undefined },
      })),
    })),
  })
  website.lists = dropped
  await dev.ops([
    { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'New', subheading: 'Dropped' } },
  ])
  t.notMatch(await dev.publish(), { notes: [/./] })
  await dev.heading('/', 'Newer')
  t.notMatch(await dev.publish(), { notes: [/./] })
})

const CTA = (id: string) => ({
  id,
  type: 'CTA',
  props: { title: 'Call', description: 'Us', ctaText: 'Now', ctaHref: '/' },
})

t.test('a block that the site drops, or does not remove, is named with its page', async (t) => {
  const { website, dev } = await withNodes(t)
  const first = website.pages
  website.lists = () => ({
    pages: website.pages.map((each) => ({
      ...each,
      blocks: first.find(({ slug }) => slug === each.slug)?.blocks ?? [],
    })),
  })
  const edited = await dev.ops([
    { op: 'rename_page', pageSlug: '/', newTitle: 'Begin' },
    { op: 'add_block', pageSlug: '/', block: CTA('cta') },
    { op: 'rename_page', pageSlug: '/about', newTitle: 'Other' },
    { op: 'remove_block', pageSlug: '/about', blockId: 'b/about' },
  ])
  t.match(edited.json(), { status: 'applied' })
  t.match(await dev.publish(), { status: 'ready', notes: [/still shows the older \/ and \/about\./] })
  website.lists = () => ({
    pages: website.pages.map((each) => ({
      ...each,
      blocks: each.blocks.map((block, at) => ({ ...block, id: `own_${at}` })),
    })),
  })
  await dev.ops([{ op: 'add_block', pageSlug: '/', block: CTA('again') }])
  t.notMatch(await dev.publish(), { notes: [/./] }, 'a block that the site gives an id of its own')
})

t.test('a rename that does not arrive is named by both addresses, and a part by its own page', async (t) => {
  const { website, dev, review, listed } = await withNodes(t)
  const before = listed()
  website.lists = () => before
  await dev.heading('/', 'Mine')
  await dev.heading('/prices', 'Mine too')
  t.match(await dev.publish({ pages: ['/prices'] }), { notes: [/the older \/prices\./] })
  await review.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }])
  t.match(await review.publish(), { notes: [/the older \/about and \/us\./] })
  t.match(await review.publish(), { message: /no content changes/ })
  t.match((await review.log()).at(-1), { notes: undefined }, 'a publish without changes waits for none')
})
