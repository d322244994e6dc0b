import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { done, inHouse, noon, page, type PublishingOptions } from '../helpers/publishing.ts'
import { until } from '../helpers/until.ts'
import { withWebsite } from '../helpers/website.ts'

const Noticed = v.looseObject({ notice: v.optional(v.string()), shrunk: v.optional(v.boolean()) })
const History = v.object({ entries: v.array(v.looseObject({ source: v.string(), summary: v.string() })) })
const DraftPage = v.looseObject({
  title: v.string(),
  blocks: v.array(v.looseObject({ id: v.string(), props: v.record(v.string(), v.unknown()) })),
})
const address = (signature: number) => `https://files.example/a.png?signature=${signature}`
const withImage = (imageUrl: unknown): Page => ({
  ...page('/'),
  blocks: page('/').blocks.map((block) => ({ ...block, props: { ...block.props, imageUrl } })),
})
const others = ['/a', '/b', '/c', '/d'].map((slug) => page(slug))

/**
 * A website that answers at each read what `pagesAt` returns for its number, and a draft of it that has
 * looked once.
 */
async function withAnswers(
  t: Test,
  pagesAt: (read: number) => readonly Page[],
  options: Pick<PublishingOptions, 'targets'> = {},
) {
  const time = stillClock(noon)
  const { website, draft, mounted } = await withWebsite(
    t,
    { time, publish: { lookEveryMs: 10 }, ...options },
    [...pagesAt(0)],
  )
  const state = { reads: 0, pagesAt }
  website.lists = () => ({ pages: state.pagesAt(++state.reads) })
  const dev = draft('dev')
  await dev.fill()
  const look = async () => {
    time.advance(1_001)
    return dev.diff()
  }
  const linesOfSite = async () => {
    const { entries } = v.parse(History, (await dev.get('/history/log')).json())
    return entries.filter(({ source }) => source === 'site').map(({ summary }) => summary)
  }
  const image = (imageUrl: string) =>
    dev.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { imageUrl } }])
  await look()
  return { website, dev, draft, state, look, linesOfSite, image, time, mounted }
}
const signed = (read: number) => [withImage(address(read)), ...others]

t.test(
  'an address that is signed anew at every read is taken over without a version and a line',
  async (t) => {
    const { dev, state, look, linesOfSite } = await withAnswers(t, signed)
    const before = v.parse(v.looseObject({ previewVersion: v.number() }), await look()).previewVersion
    for (let looks = 0; looks < 3; looks++) {
      const diff = await look()
      t.match(diff, { previewVersion: before, summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
      t.equal((await dev.props('/'))['imageUrl'], address(state.reads), 'the newest address')
    }
    t.ok((await linesOfSite()).length <= 1, 'at most until it is known')
  },
)

t.test('so is one whose ? is an escape in the JSON of the answer', async (t) => {
  const { rawJSON } = Object.assign<typeof JSON, { rawJSON(text: string): unknown }>(JSON, JSON as never)
  const escaped = (read: number) => rawJSON(JSON.stringify(address(read)).replace('?', '\\u003f'))
  const { dev, state, look } = await withAnswers(t, (read) => [withImage(escaped(read)), ...others])
  const { previewVersion } = await look()
  for (let looks = 0; looks < 3; looks++) t.match(await look(), { previewVersion })
  t.equal((await dev.props('/'))['imageUrl'], address(state.reads), 'the newest address')
})

t.test('an address that is signed anew is taken over with a new order of the pages', async (t) => {
  const { dev, state, look, linesOfSite } = await withAnswers(t, signed)
  for (let looks = 0; looks < 3; looks++) await look()
  const lines = (await linesOfSite()).length
  state.pagesAt = (read) => [withImage(address(read)), ...others.toReversed()]
  await look()
  t.equal((await linesOfSite()).length, lines + 1, 'the order is a line of the history')
  t.equal((await dev.props('/'))['imageUrl'], address(state.reads), 'the newest address')
})

t.test('a conditional edit, and a publish, meet no address that is signed anew', async (t) => {
  const { website, dev, state, look } = await withAnswers(t, signed)
  const { previewVersion } = v.parse(v.looseObject({ previewVersion: v.number() }), await look())
  await look()
  const patch = { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'Mine' } }
  const edited = await dev.send('/ops', { ops: [patch], baseVersion: previewVersion })
  t.equal(edited.status, 200)
  t.match(await dev.publish(), { status: 'ready' })
  const { heading, imageUrl } = website.pages[0]?.blocks[0]?.props ?? {}
  t.strictSame([heading, String(imageUrl).split('?')[0]], ['Mine', address(0).split('?')[0]])
  t.ok(Number(String(imageUrl).split('=')[1]) >= state.reads - 1, 'the newest address')
})

t.test('another picture in its place is one conflict, which stays decided', async (t) => {
  const { dev, look, image } = await withAnswers(t, signed)
  await look()
  await image('/mine.png')
  const [first] = (await look()).conflicts
  const [second, ...more] = (await look()).conflicts
  t.match(second, { id: first?.id, theirsVersion: first?.['theirsVersion'], ours: '/mine.png' })
  t.strictSame(more, [])
  t.match(await dev.publish(), { code: 'site_conflict' })
  t.match(await dev.decide([{ id: first?.id, take: 'draft' }]), { conflicts: { length: 0 } })
  for (let looks = 0; looks < 3; looks++) t.strictSame((await look()).conflicts, [])
  t.equal((await dev.props('/'))['imageUrl'], '/mine.png')
  const undone = await dev.send('/history/undo-change', { version: Number((await look())['previewVersion']) })
  t.equal(undone.status, 200, undone.text)
  t.match((await look()).conflicts, [{ id: first?.id }], 'its undo opens it again')
  await dev.decide([{ id: first?.id, take: 'draft' }])
  t.match(await dev.publish(), { status: 'ready' })
})

t.test('the same address without a signature, as before the site signed it, is no conflict', async (t) => {
  const { dev, look, image } = await withAnswers(t, signed)
  await look()
  await image('https://files.example/a.png')
  t.match(await look(), { conflicts: { length: 0 } })
  t.match(await dev.publish(), { status: 'ready' })
})

t.test('the address of the site is chosen, and followed from then on', async (t) => {
  const { dev, state, look, image } = await withAnswers(t, signed)
  await look()
  await image('/mine.png')
  const [conflict] = (await look()).conflicts
  t.match(await dev.decide([{ id: conflict?.id, take: 'site' }]), { conflicts: { length: 0 } })
  t.match(await look(), { conflicts: { length: 0 }, summary: { totalChangedFields: 0 } })
  t.equal((await dev.props('/'))['imageUrl'], address(state.reads))
})

t.test('pages without a fixed order keep theirs, and new pages are taken', async (t) => {
  const turned = (read: number, pages = others) => [
    page('/'),
    ...pages.slice(read % pages.length),
    ...pages.slice(0, read % pages.length),
  ]
  const { dev, state, look, linesOfSite } = await withAnswers(t, turned)
  const before = await dev.slugs()
  for (let looks = 0; looks < 3; looks++) t.match(await look(), { conflicts: { length: 0 } })
  t.strictSame(await dev.slugs(), before)
  const lines = (await linesOfSite()).length
  t.ok(lines <= 1)
  state.pagesAt = (read) => turned(read, [...others, page('/new')])
  await look()
  t.ok((await dev.slugs()).includes('/new'))
  t.equal((await linesOfSite()).length, lines + 1)
  await dev.ops([{ op: 'move_page', pageSlug: '/d', afterPageSlug: '/' }])
  const moved = await dev.slugs()
  t.match(await dev.publish(), { status: 'ready' })
  for (let looks = 0; looks < 2; looks++) await look()
  t.strictSame(await dev.slugs(), moved)
})

t.test('pages that come in a fixed order again have that after five equal reads', async (t) => {
  const [one, other] = [others, others.toReversed()]
  const { dev, state, look } = await withAnswers(t, (read) => [page('/'), ...(read % 2 === 0 ? one : other)])
  await look()
  const before = await dev.slugs()
  const settled = [page('/'), ...(before[1] === '/a' ? other : one)]
  state.pagesAt = () => settled
  for (let looks = 0; looks < 4; looks++) await look()
  t.strictSame(await dev.slugs(), before)
  for (let looks = 0; looks < 2; looks++) await look()
  t.strictSame(
    await dev.slugs(),
    settled.map(({ slug }) => slug),
  )
})

t.test('it is named once, ends after five equal reads, and other changes are followed', async (t) => {
  const { dev, draft, state, look, linesOfSite, time } = await withAnswers(t, signed)
  const review = draft('review')
  await review.fill()
  const named: v.InferOutput<typeof Noticed>[] = []
  for (let looks = 0; looks < 3; looks++) {
    time.advance(1_001)
    named.push(v.parse(Noticed, await review.diff()))
  }
  t.match(
    named.filter(({ notice }) => notice),
    [{ notice: /files\.example\/a\.png/, shrunk: undefined }],
  )
  state.pagesAt = () => [withImage('https://files.example/other.png?signature=1'), ...others]
  await look()
  t.equal((await dev.props('/'))['imageUrl'], 'https://files.example/other.png?signature=1')
  const lines = await linesOfSite()
  state.pagesAt = () => [withImage(address(1)), ...others]
  for (let looks = 0; looks < 6; looks++) await look()
  state.pagesAt = () => [withImage(address(2)), ...others]
  await look()
  t.equal((await dev.props('/'))['imageUrl'], address(2))
  t.equal((await linesOfSite()).length, lines.length + 2, 'a change as any other')
})

t.test('a draft that has not read since an address was signed last has no conflict about it', async (t) => {
  const signedOnA = (imageUrl: string) => [
    page('/'),
    { ...page('/a'), blocks: withImage(imageUrl).blocks },
    ...others.slice(1),
  ]
  const { draft, state, look, time } = await withAnswers(t, (read) => signedOnA(address(100 + read)))
  const review = draft('review')
  await review.fill()
  time.advance(1_001)
  await review.diff()
  await review.ops([{ op: 'remove_page', pageSlug: '/a' }])
  for (let looks = 0; looks < 2; looks++) await look()
  state.pagesAt = () => signedOnA(address(5))
  for (let looks = 0; looks < 7; looks++) await look()
  t.strictSame((await review.diff()).conflicts, [])
  state.pagesAt = () => signedOnA(address(6))
  await look()
  t.match((await review.diff()).conflicts, [{ slug: '/a', kind: 'removed_here' }], 'what differs later')
})

t.test('a row that the site puts before rows with signed addresses is no conflict about them', async (t) => {
  const rowsOf = (read: number, names: readonly string[]) => {
    const items = names.map((q) => ({ q, a: `https://files.example/${q}.png?signature=${read}` }))
    const faq = { id: 'faq', type: 'FAQAccordion', props: { title: 'Questions', items } }
    return [{ ...page('/'), blocks: [faq] }, ...others]
  }
  const { dev, state, look } = await withAnswers(t, (read) => rowsOf(read, ['one', 'two']))
  for (let looks = 0; looks < 2; looks++) await look()
  const item = { pageSlug: '/', blockId: 'faq', listKey: 'items', index: 1 }
  await dev.ops([{ op: 'update_item', ...item, patch: { q: 'Mine' } }])
  state.pagesAt = (read) => rowsOf(read, ['first', 'one', 'two'])
  for (let looks = 0; looks < 3; looks++) t.strictSame((await look()).conflicts, [])
  const { items } = (await dev.page('/')).blocks[0]?.props ?? {}
  t.match(items, [{ q: 'first' }, { q: 'one', a: new RegExp(`=${state.reads}$`) }, { q: 'Mine' }])
})

t.test('so is an address in the settings, and what is scheduled brings no line either', async (t) => {
  const { website, dev, state, look, linesOfSite, time } = await withAnswers(t, signed)
  const logo = (signature: number) => `https://files.example/logo.png?signature=${signature}`
  website.lists = () => ({ pages: signed(++state.reads), siteConfig: { logo: logo(state.reads) } })
  for (let looks = 0; looks < 3; looks++) await look()
  const lines = (await linesOfSite()).length
  const { previewVersion } = v.parse(v.looseObject({ previewVersion: v.number() }), await look())
  t.match(await look(), { previewVersion, summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
  t.match((await dev.get('/draft/site-config')).json(), { logo: logo(state.reads) })
  await dev.heading('/a', 'Later')
  await dev.publish({ at: new Date(time.now().getTime() + 60_000).toISOString() })
  time.advance(60_000)
  await until(async () => (await dev.scheduled()).length === 0, 'the scheduled publish')
  await look()
  t.equal((await linesOfSite()).length, lines)
})

t.test('what the site changes on a page with a signed address is published as the site has it', async (t) => {
  const { website, dev, state, look, time } = await withAnswers(t, signed)
  await look()
  state.pagesAt = (read) =>
    signed(read).map((each) => (each.slug === '/' ? { ...each, title: 'Theirs' } : each))
  time.advance(1_001)
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(website.pages.find(({ slug }) => slug === '/')?.title, 'Theirs')
})

t.test('a copy of a client is pushed after an address came from the site and was signed anew', async (t) => {
  const { dev, state, look } = await withAnswers(t, () => [withImage('/plain.png'), ...others])
  state.pagesAt = signed
  for (let looks = 0; looks < 3; looks++) await look()
  const pushed = await dev.bootstrap([withImage('/plain.png'), ...others], { overwrite: true })
  t.equal(pushed.status, 200, pushed.text)
  t.match(await look(), { conflicts: { length: 0 } })
})

/** A website as `withAnswers`, which lists what is published to it, with addresses that are signed anew. */
async function withSignedPages(t: Test, options?: Pick<PublishingOptions, 'targets'>) {
  const setup = await withAnswers(t, signed, options)
  const { website, state, dev, time } = setup
  const signedAs = (each: Page, read: number): Page => ({
    ...each,
    blocks: each.blocks.map((block) => ({
      ...block,
      props: {
        ...block.props,
        ...(String(block.props['imageUrl']).startsWith('https:') && { imageUrl: address(read) }),
      },
    })),
  })
  state.pagesAt = (read) => website.pages.map((each) => signedAs(each, read))
  for (let looks = 0; looks < 2; looks++) await setup.look()
  return {
    ...setup,
    publishLater: async () => {
      const answer = await dev.publish({ at: new Date(time.now().getTime() + 60_000).toISOString() })
      t.match(answer, { status: 'scheduled' })
    },
    /** The time has come; returns what failed. */
    arrive: async () => {
      time.advance(60_000)
      const failed = async () => (await dev.scheduled()).flatMap((row) => v.parse(Row, row).error ?? [])
      const isOver = async () => (await failed()).length === (await dev.scheduled()).length
      await until(isOver, 'the scheduled publish')
      return failed()
    },
  }
}
const Row = v.looseObject({ error: v.optional(v.string()) })

t.test('what is published at a time meets no address that is signed anew', async (t) => {
  await t.test('of a page that is published before', async (t) => {
    const { website, dev, publishLater, arrive } = await withSignedPages(t)
    await dev.ops([{ op: 'duplicate_page', pageSlug: '/', newPageSlug: '/copy' }])
    await publishLater()
    t.match(await dev.publish(), { status: 'ready' })
    t.strictSame(await arrive(), [])
    t.strictSame(
      website.pages.map(({ slug }) => slug),
      await dev.slugs(),
    )
  })
  await t.test('where another picture was decided to take its place', async (t) => {
    const { website, dev, image, look, publishLater, arrive } = await withSignedPages(t)
    await image('/mine.png')
    const [conflict] = (await look()).conflicts
    await dev.decide([{ id: conflict?.id, take: 'draft' }])
    await publishLater()
    t.strictSame(await arrive(), [])
    t.equal(website.pages[0]?.blocks[0]?.props['imageUrl'], '/mine.png')
  })
})

t.test('an address that is signed anew is taken over beside renames', async (t) => {
  const { dev, draft, look, linesOfSite } = await withSignedPages(t)
  const review = draft('review')
  await review.fill()
  const rename = (pageSlug: string, newPageSlug: string) => [{ op: 'rename_page', pageSlug, newPageSlug }]
  await review.ops([{ op: 'duplicate_page', pageSlug: '/', newPageSlug: '/copy' }])
  t.match(await review.publish(), { status: 'ready' })
  await look()
  await dev.ops(rename('/a', '/new'))
  await review.ops(rename('/copy', '/new'))
  t.match(await review.publish(), { status: 'ready' })
  await look()
  const before = [await dev.version(), await linesOfSite()]
  for (let looks = 0; looks < 2; looks++) await look()
  t.strictSame([await dev.version(), await linesOfSite()], before)
})

t.test('a copy with an address as it was signed before changes nothing', async (t) => {
  const { dev, state, look, linesOfSite } = await withSignedPages(t)
  const copy = await Promise.all((await dev.slugs()).map((slug) => dev.page(slug)))
  for (let looks = 0; looks < 2; looks++) await look()
  const before = [await dev.version(), await linesOfSite()]
  const pushed = await dev.bootstrap(copy, { overwrite: true })
  t.equal(pushed.status, 200, pushed.text)
  t.strictSame([await dev.version(), await linesOfSite()], before)
  await look()
  t.equal((await dev.props('/'))['imageUrl'], address(state.reads))
})

t.test('a site without a fixed order changes a value after a publish, and changes it back', async (t) => {
  let home = page('/')
  const turned = (read: number) => [home, ...(read % 2 === 0 ? others : others.toReversed())]
  const { dev, look } = await withAnswers(t, turned)
  // In both orders.
  for (let looks = 0; looks < 3; looks++) await look()
  t.match(await dev.publish(), { status: 'ready' })
  for (const heading of ['Of the site', 'Hello', 'Of the site', 'Hello']) {
    home = page('/', heading)
    for (let looks = 0; looks < 2; looks++) {
      await look()
      t.equal(await dev.headingOf('/'), heading)
    }
  }
})

const starter = inHouse({
  name: 'starter',
  publish: async () => ({ ...done, status: 'triggered', tracker: {} }),
})
const made = { id: 'made', type: 'RichText', props: { title: 'Made', body: 'Text' } }
/**
 * What is published of the second page, and what a draft has of that page then: its slug, blocks and heading.
 */
const published = {
  'a removed page': [[{ op: 'remove_page', pageSlug: '/a' }], undefined],
  'a heading beside the picture': [
    [{ op: 'update_props', pageSlug: '/a', blockId: 'b/a', patch: { heading: 'New' } }],
    ['/a', ['b/a'], 'New'],
  ],
  'another picture': [
    [{ op: 'update_props', pageSlug: '/a', blockId: 'b/a', patch: { imageUrl: '/mine.png' } }],
    ['/a', ['b/a'], 'Hello'],
  ],
  'another block in place of the one with the picture': [
    [
      { op: 'add_block', pageSlug: '/a', afterBlockId: 'b/a', block: made },
      { op: 'remove_block', pageSlug: '/a', blockId: 'b/a' },
    ],
    ['/a', ['made'], undefined],
  ],
  'a renamed page': [
    [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/n', newTitle: page('/a').title }],
    ['/n', ['b/a'], 'Hello'],
  ],
} as const

t.test('a site that is behind, and signs its addresses anew, takes nothing back', async (t) => {
  for (const [kind, targets] of [
    ['during a deployment', [starter]],
    ['for some time after a publish', []],
  ] as const)
    for (const [name, [ops, wanted]] of Object.entries(published))
      await t.test(`${name}, ${kind}`, async (t) => {
        const { website, dev, draft, look, time } = await withSignedPages(t, { targets: [...targets] })
        const review = draft('review')
        await review.fill()
        const before = website.pages
        await dev.ops(ops)
        for (const conflict of (await look()).conflicts)
          await dev.decide([{ id: conflict.id, take: 'draft' }])
        t.match(await dev.publish(), { status: targets.length > 0 ? 'triggered' : 'ready' })
        if (targets.length === 0) await look()
        const check = async (title: string) => {
          for (const each of [dev, review]) {
            time.advance(1_001)
            t.match(await each.diff(), { summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
            const found = (await each.slugs()).filter((slug) => !['/', '/b', '/c', '/d'].includes(slug))
            t.strictSame(found, wanted ? [wanted[0]] : [])
            if (!wanted) continue
            const own = v.parse(DraftPage, await (await each.get('/draft/pages', { slug: wanted[0] })).json())
            t.strictSame(
              [own.blocks.map(({ id }) => id), own.blocks[0]?.props['heading'], own.title],
              [wanted[1], wanted[2], title],
            )
            const imageUrl = String(own.blocks[0]?.props['imageUrl'])
            if (name === 'another picture') t.equal(imageUrl, '/mine.png')
          }
        }
        website.pages = before
        for (let looks = 0; looks < 2; looks++) await check(page('/a').title)
        if (!wanted) return
        // What the site changes beside it is followed.
        website.pages = before.map((each) => (each.slug === '/a' ? { ...each, title: 'Theirs' } : each))
        for (let looks = 0; looks < 2; looks++) await check('Theirs')
      })
})

t.test('an address that the site signs once it is published stays as it was published', async (t) => {
  const plain = 'https://files.example/a.png'
  const { website, dev, state, look, linesOfSite, image } = await withAnswers(t, () => [
    withImage('/plain.png'),
    ...others,
  ])
  await image(plain)
  state.pagesAt = (read) =>
    website.pages[0]?.blocks[0]?.props['imageUrl'] === plain ? signed(read) : website.pages
  t.match(await dev.publish(), { status: 'ready' })
  for (let looks = 0; looks < 3; looks++) {
    t.match(await look(), { summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
    t.equal((await dev.props('/'))['imageUrl'], plain)
  }
  t.strictSame(await linesOfSite(), [])
})
