import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { noon, page } from '../helpers/publishing.ts'
import { threePages, withWebsite } from '../helpers/website.ts'
import { emptyList } from '../helpers/plain.ts'
import { until } from '../helpers/until.ts'

type EditedDraft = ReturnType<Awaited<ReturnType<typeof withWebsite>>['draft']>

const minute = 60_000
const later = (minutes: number): string => new Date(Date.parse(noon) + minutes * minute).toISOString()
const anna = { client: { id: 'browser-of-anna', name: 'Anna' } }
const ben = { client: { id: 'browser-of-ben', name: 'Ben' } }
const isAnna = { kind: 'person', browser: { name: 'Anna' } }

const History = v.object({
  entries: v.array(
    v.looseObject({
      version: v.number(),
      summary: v.string(),
      source: v.string(),
      channel: v.string(),
      actor: v.unknown(),
    }),
  ),
})
const historyOf = async (draft: EditedDraft) =>
  v.parse(History, (await draft.get('/history/log')).json()).entries
const lastLine = async (draft: EditedDraft) => (await historyOf(draft)).at(-1)
async function undoLast(draft: EditedDraft) {
  const version = (await lastLine(draft))?.version
  return (await draft.send('/history/undo-change', { version })).json()
}
const Followed = v.looseObject({ status: v.string(), version: v.number(), conflicts: v.array(v.unknown()) })
async function decide(draft: EditedDraft, take: 'draft' | 'site', more: object = anna) {
  const { conflicts } = await draft.diff()
  const body = { decide: conflicts.map(({ id }) => ({ id, take })), ...more }
  return v.parse(Followed, (await draft.send('/draft/conflicts', body)).json())
}

t.test('a conflict says who published the value of the site, and when', async (t) => {
  const time = stillClock(noon)
  const { draft } = await withWebsite(t, { time })
  const [dev, review, late] = [draft('dev'), draft('review'), draft('late')]
  await Promise.all([dev.fill(), review.fill(), late.fill()])
  await dev.heading('/', 'From dev')
  time.advance(minute)
  t.match(await dev.publish(anna), { status: 'ready' })
  // Another value of the page is of another person.
  await late.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { subheading: 'New' } }])
  time.advance(minute)
  t.match(await late.publish(ben), { status: 'ready' })
  await review.heading('/', 'From review')
  time.advance(10 * minute)
  t.match((await review.diff()).conflicts, [{ theirs: 'From dev', at: later(1), actor: isAnna }])
  t.match(await review.publish(), {
    error:
      'Start, Hero: heading was changed on the site to "From dev" by Anna, 11 minutes ago. ' +
      'Decide which one to keep, or publish with overwrite.',
    conflicts: [{ at: later(1), actor: isAnna }],
  })
  await review.heading('/about', 'Something else')
  time.advance(minute)
  t.match(await review.follow(), { conflicts: [{ at: later(1), actor: isAnna }] }, 'the same value')
})

t.test('a value that came from elsewhere has the time when it was first seen, and no name', async (t) => {
  const time = stillClock(noon)
  const { website, draft } = await withWebsite(t, { time })
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  await dev.publish(anna)
  await dev.heading('/', 'Mine again')
  website.pages = threePages.with(0, page('/', 'Deployed'))
  time.advance(minute)
  const seen = { slug: '/', theirs: 'Deployed', at: later(1), actor: undefined }
  t.match((await dev.diff()).conflicts, [seen])
  time.advance(3 * 60 * minute)
  await dev.heading('/', 'Mine at last')
  t.match(await dev.follow(), { conflicts: [seen] })
  website.pages = threePages.with(0, page('/', 'Deployed again'))
  t.match((await dev.diff()).conflicts, [{ ...seen, theirs: 'Deployed again', at: later(181) }])
  time.advance(24 * 60 * minute)
  t.match(await dev.publish(), { error: /on the site to "Deployed again", 1 day ago\. / })
})

t.test('a conflict that was only counted is not decided by what is typed on', async (t) => {
  const { website, draft } = await withWebsite(t, { time: stillClock(noon) })
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  website.pages = threePages.with(0, page('/', 'Theirs'))
  await dev.get('/publish/diff', { shown: 'false' })
  await dev.heading('/', 'Mine, and more')
  t.match((await dev.diff()).conflicts, [{ slug: '/', theirs: 'Theirs' }])
  await dev.heading('/', 'Mine, although I have seen it')
  t.strictSame((await dev.diff()).conflicts, [])
})

t.test('what was added, removed, set, or changed in rows is of the person who published it', async (t) => {
  const time = stillClock(noon)
  const faq = (...answers: readonly string[]): Page => ({
    ...page('/faq'),
    blocks: [
      {
        id: 'b_faq',
        type: 'FAQAccordion',
        props: { title: 'Questions', items: answers.map((a, at) => ({ q: `Question ${at}`, a })) },
      },
    ],
  })
  const { website, draft } = await withWebsite(t, { time }, [...threePages, faq('one', 'two', 'three')])
  website.siteConfig = { name: 'Acme' }
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await Promise.all([dev, review].map((each) => each.get('/draft/site-config')))
  const answer = (a: string) => ({
    op: 'update_item',
    pageSlug: '/faq',
    blockId: 'b_faq',
    listKey: 'items',
    index: 1,
    patch: { a },
  })
  await dev.ops([
    answer('Two of Anna'),
    { op: 'remove_block', pageSlug: '/', blockId: 'b/' },
    { op: 'remove_page', pageSlug: '/prices' },
    { op: 'create_page', page: page('/jobs', 'Jobs of Anna') },
    { op: 'update_props', pageSlug: '/about', blockId: 'b/about', patch: { heading: 'About Anna' } },
  ])
  await dev.config({ name: 'Anna & Co' })
  await review.ops([
    answer('Two of mine'),
    { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'Mine' } },
    { op: 'update_props', pageSlug: '/prices', blockId: 'b/prices', patch: { heading: 'Mine' } },
    { op: 'create_page', page: page('/jobs', 'Jobs of mine') },
    { op: 'remove_page', pageSlug: '/about' },
  ])
  await review.config({ name: 'Mine & Co' })
  t.match(await dev.publish({ ...anna, allowDelete: true }), { status: 'ready' })
  time.advance(60 * minute)
  const { conflicts } = await review.diff()
  t.strictSame(
    conflicts.map(({ slug, kind, at, actor }) => [slug, kind, at, Object(Object(actor).browser).name]),
    [
      ['/', 'removed_on_site', noon, 'Anna'],
      ['/about', 'removed_here', noon, 'Anna'],
      ['/prices', 'removed_on_site', noon, 'Anna'],
      ['/faq', 'changed', noon, 'Anna'],
      ['/jobs', 'changed', noon, 'Anna'],
      ['', 'changed', noon, 'Anna'],
    ],
  )
  const { error } = await review.publish()
  t.match(error, /^Start, Hero was removed on the site by Anna, 1 hour ago, and changed in the draft\. /)
  t.match(error, / 3 more values were changed as well\. /)
})

t.test('a line of the history from the site names who published it', async (t) => {
  const { website, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'From dev')
  await dev.publish(anna)
  await dev.heading('/about', 'From dev')
  await dev.publish(anna)
  await review.follow()
  t.match(await lastLine(review), { source: 'site', channel: 'site', actor: isAnna })
  await dev.heading('/', 'By Ben')
  await dev.publish(ben)
  await review.follow()
  t.match(await lastLine(review), { summary: /^From the site/, actor: { browser: { name: 'Ben' } } })
  await dev.heading('/', 'By Anna')
  await dev.publish(anna)
  await dev.heading('/about', 'By Ben')
  await dev.publish(ben)
  await review.follow()
  t.match(await lastLine(review), { actor: { kind: 'system' } }, 'two people are the website')
  website.pages = threePages
  await review.follow()
  t.match(await lastLine(review), { actor: { kind: 'system' } }, 'a deployment is the website')
})

t.test('a scheduled publish that fails names who published the value, and when', async (t) => {
  const time = stillClock(noon)
  const { draft } = await withWebsite(t, { time, publish: { lookEveryMs: 10 } })
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Scheduled')
  await dev.publish({ at: later(60) })
  await dev.heading('/', 'Today')
  time.advance(30 * minute)
  t.match(await dev.publish(anna), { status: 'ready' })
  const { conflicts } = await dev.diff()
  t.strictSame(conflicts, [])
  time.advance(30 * minute)
  const failed = async () => JSON.stringify(await dev.scheduled())
  await until(async () => (await failed()).includes('failed'), 'the publish to fail')
  t.match(
    await failed(),
    /Start, Hero: heading was changed on the site to \\"Today\\" by Anna, 2026-01-01 12:30 UTC\. Decide which/,
  )
})

t.test(
  'a decision for the draft is a line of the history, and its undo opens the conflict again',
  async (t) => {
    const time = stillClock(noon)
    const { website, draft } = await withWebsite(t, { time })
    const dev = draft('dev')
    await dev.fill()
    await dev.heading('/', 'Mine')
    website.pages = threePages.with(0, page('/', 'Theirs'))
    const [open] = (await dev.diff()).conflicts
    t.ok(open)
    time.advance(minute)
    const { version } = await dev.diff().then(() => decide(dev, 'draft'))
    t.match(await lastLine(dev), {
      version,
      summary: "Kept the draft's heading of Hero on Start",
      source: 'site',
      channel: 'api',
      slugs: ['/'],
      actor: isAnna,
    })
    t.strictSame((await dev.diff()).conflicts, [])
    time.advance(minute)
    t.match(await undoLast(dev), { status: 'applied' })
    t.match(await lastLine(dev), {
      source: 'undo',
      summary: "Undo of kept the draft's heading of Hero on Start",
    })
    t.strictSame((await dev.diff()).conflicts, [open], 'the same one, since the same time')
    t.match(await dev.publish(), { code: 'site_conflict' })
    t.equal(await dev.headingOf('/'), 'Mine')
    t.match(await undoLast(dev), { status: 'applied' })
    t.strictSame((await dev.diff()).conflicts, [], 'a redo decides it again')
    t.match(await dev.publish(), { status: 'ready' })
  },
)

t.test('the undo of a decision for the site brings back the value and the conflict', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  website.pages = threePages.with(0, page('/', 'Theirs'))
  t.match(await decide(dev, 'site'), { status: 'followed', conflicts: emptyList })
  t.match(await lastLine(dev), { summary: "Took the site's heading of Hero on Start" })
  t.equal(await dev.headingOf('/'), 'Theirs')
  // What came from the site in the meantime stays.
  website.pages = threePages.with(0, page('/', 'Theirs', { subheading: 'New' }))
  await dev.follow()
  const [, line] = (await historyOf(dev)).toReversed()
  t.match((await dev.send('/history/undo-change', { version: line?.version })).json(), { status: 'applied' })
  t.match(await dev.props('/'), { heading: 'Mine', subheading: 'New' })
  t.match(await dev.diff(), {
    conflicts: [{ path: 'heading', base: 'Hello', ours: 'Mine', theirs: 'Theirs' }],
    summary: { totalChangedFields: 1 },
  })
  t.match(await decide(dev, 'draft'), { conflicts: emptyList })
})

t.test('the refusal of a publish names settings as forms do', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme', navLabels: { '/about': 'About' } }
  const dev = draft('dev')
  await dev.fill()
  await dev.get('/draft/site-config')
  await dev.config({ navLabels: { '/about': 'Mine' } })
  website.siteConfig = { name: 'Acme', navLabels: { '/about': 'Theirs' } }
  t.match(await dev.publish(), {
    error: /^Site settings: Names in the menu.* was changed on the site to "Theirs"/,
  })
})

t.test('a decision about a block that cannot be read is undone as well', async (t) => {
  const shown = (text: string) => {
    const locked = { id: 'b/locked', type: null, props: { text } }
    return [{ ...page('/'), blocks: [...page('/').blocks, locked] }, ...threePages.slice(1)]
  }
  const { website, draft } = await withWebsite(t, {})
  website.lists = () => ({ pages: shown('One') })
  const dev = draft('dev')
  await dev.fill()
  await dev.ops([{ op: 'remove_block', pageSlug: '/', blockId: 'b/locked' }])
  website.lists = () => ({ pages: shown('Two') })
  t.match((await dev.diff()).conflicts, [{ slug: '/', blockId: 'b/locked' }])
  t.match(await decide(dev, 'draft'), { conflicts: emptyList })
  const version = (await historyOf(dev)).at(-1)?.version
  t.match((await dev.send('/history/undo-change', { version })).json(), { status: 'applied' })
  t.match((await dev.diff()).conflicts, [{ slug: '/', blockId: 'b/locked' }])
})

t.test('several decisions are one line, and are undone together', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme' }
  const dev = draft('dev')
  await dev.fill()
  await dev.get('/draft/site-config')
  await dev.heading('/', 'Mine')
  await dev.config({ name: 'Mine' })
  await dev.ops([
    { op: 'remove_page', pageSlug: '/about' },
    { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/our-prices', newTitle: 'Our prices' },
  ])
  website.siteConfig = { name: 'Theirs' }
  website.pages = [
    page('/', 'Theirs'),
    page('/about', 'Theirs'),
    { ...page('/prices'), slug: '/the-prices', title: 'The prices' },
  ]
  const before = (await dev.diff()).conflicts
  t.strictSame(
    before.map(({ slug, path }) => [slug, path]),
    [
      ['/', 'heading'],
      ['/about', undefined],
      ['/our-prices', 'slug'],
      ['/our-prices', 'title'],
      ['', 'name'],
    ],
  )
  t.match(await decide(dev, 'draft'), { status: 'followed', conflicts: emptyList })
  t.equal(
    (await lastLine(dev))?.summary,
    "Kept the draft's heading of Hero on Start, page about, slug of page Our prices, 2 more",
  )
  t.match(await undoLast(dev), { status: 'applied' })
  t.strictSame(
    (await dev.diff()).conflicts.map(({ id }) => id),
    before.map(({ id }) => id),
  )
  t.match(await decide(dev, 'site'), { conflicts: emptyList })
  t.match((await dev.get('/draft/site-config')).json(), { name: 'Theirs' })
  t.match(await undoLast(dev), { status: 'applied' })
  t.strictSame(
    (await dev.diff()).conflicts.map(({ id }) => id),
    before.map(({ id }) => id),
  )
  const [one, , other] = before
  const take = {
    decide: [
      { id: one?.id, take: 'site' },
      { id: other?.id, take: 'draft' },
    ],
  }
  await dev.send('/draft/conflicts', take)
  t.equal(
    (await lastLine(dev))?.summary,
    "Kept the draft's slug of page Our prices, and took the site's heading of Hero on Start",
  )
})

t.test('a decision that something else builds on is not undone alone', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme' }
  const dev = draft('dev')
  await dev.fill()
  await dev.get('/draft/site-config')
  await dev.heading('/', 'Mine')
  await dev.config({ name: 'Mine' })
  website.pages = threePages.with(0, page('/', 'Theirs'))
  website.siteConfig = { name: 'Theirs' }
  const { version } = await decide(dev, 'draft')
  t.match(await undoLast(dev), { status: 'applied' })
  t.match((await dev.send('/history/undo-change', { version })).json(), { code: 'nothing_to_undo' })
  const again = await decide(dev, 'draft')
  await dev.publish()
  t.match((await dev.send('/history/undo-change', { version: again.version })).json(), {
    code: 'changed_since',
  })
  t.match((await dev.send('/history/restore', { targetVersion: again.version })).json(), {
    code: 'no_snapshot',
  })
})

const Field = v.looseObject({ path: v.string(), conflict: v.optional(v.string()) })
const Marked = v.looseObject({
  pages: v.array(
    v.looseObject({
      slug: v.string(),
      blockDiffs: v.array(v.looseObject({ fieldDiffs: v.optional(v.array(Field), []) })),
      metaDiffs: v.optional(v.array(Field), []),
    }),
  ),
  siteConfig: v.looseObject({ fieldDiffs: v.array(Field) }),
})

t.test('a difference names its conflict', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme', navLabels: { '/about': 'About' } }
  const dev = draft('dev')
  await dev.fill()
  await dev.get('/draft/site-config')
  await dev.ops([
    { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'Mine', subheading: 'Mine' } },
    { op: 'update_page_meta', pageSlug: '/', patch: { title: 'Mine', description: 'Mine' } },
  ])
  await dev.config({ name: 'Mine', navLabels: { '/about': 'Mine' } })
  website.siteConfig = { name: 'Acme', navLabels: { '/about': 'Theirs' } }
  website.pages = threePages.with(0, { ...page('/', 'Theirs'), meta: { title: 'Theirs' } })
  const { conflicts } = await dev.diff()
  const idOf = (wanted: string) => conflicts.find(({ path }) => path === wanted)?.id
  const diff = v.parse(Marked, (await dev.get('/publish/diff')).json())
  const [home] = diff.pages
  const marks = (fields: readonly v.InferOutput<typeof Field>[] = []) =>
    fields.map(({ path, conflict }) => [path, conflict])
  t.strictSame(marks(home?.blockDiffs[0]?.fieldDiffs).toSorted(), [
    ['heading', idOf('heading')],
    ['subheading', undefined],
  ])
  t.strictSame(marks(home?.metaDiffs).toSorted(), [
    ['description', undefined],
    ['title', idOf('meta.title')],
  ])
  t.strictSame(marks(diff.siteConfig.fieldDiffs), [
    ['name', undefined],
    ['navLabels["/about"]', idOf('navLabels["/about"]')],
  ])
  t.equal(new Set(conflicts.map(({ id }) => id)).size, 3)
  await decide(dev, 'draft')
  t.notMatch((await dev.get('/publish/diff')).text, /"conflict":/)
})

const Slugs = v.object({
  pages: v.array(v.looseObject({ slug: v.string(), conflicts: v.optional(v.number()) })),
})

t.test('the list of pages counts the conflicts of each, as of the last comparison', async (t) => {
  for (const storage of [createMemoryStore(), { ...createMemoryStore(), shared: true }]) {
    const { website, draft } = await withWebsite(t, { storage })
    const dev = draft('dev')
    await dev.fill()
    const list = async (headers = {}) => {
      const answer = await dev.get('/draft/slugs', {}, headers)
      if (answer.status === 304) return 304
      return v.parse(Slugs, answer.json()).pages.map(({ slug, conflicts }) => [slug, conflicts])
    }
    const tag = async () => (await dev.get('/draft/slugs')).headers.get('etag') ?? ''
    await dev.ops([
      { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: 'Mine', subheading: 'Mine' } },
    ])
    website.pages = threePages.with(0, page('/', 'Theirs', { subheading: 'Theirs' }))
    const none = [
      ['/', undefined],
      ['/about', undefined],
      ['/prices', undefined],
    ]
    t.strictSame(await list(), none, 'a read does not wait for the site')
    const before = await tag()
    await dev.diff()
    t.strictSame(await list({ 'if-none-match': before }), [['/', 2], ...none.slice(1)])
    const open = await tag()
    t.equal(await list({ 'if-none-match': open }), 304)
    const guarded = await dev.ops([{ op: 'update_page_meta', pageSlug: '/about', patch: { title: 'A' } }], {
      'if-match': open,
    })
    t.equal(guarded.status, 200, 'the tag is a version as well')
    await decide(dev, 'draft')
    t.strictSame(await list({ 'if-none-match': open }), none)
  }
})

t.test('a comparison that meets a publish has the conflicts', async (t) => {
  const memory = createMemoryStore()
  const { transaction } = memory
  let meanwhile: (() => Promise<unknown>) | undefined
  const storage: typeof memory = {
    ...memory,
    async transaction(run) {
      const act = meanwhile
      meanwhile = undefined
      await act?.()
      return transaction(run)
    },
  }
  const { website, draft } = await withWebsite(t, { storage })
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.diff()
  await dev.heading('/', 'Mine')
  for (const compare of [() => dev.diff(), () => dev.follow()]) {
    website.pages = threePages.with(0, page('/', 'Theirs'))
    await review.heading('/about', `From review ${compare}`)
    meanwhile = () => review.publish()
    t.match(await compare(), { conflicts: [{ slug: '/', theirs: 'Theirs' }] })
    t.equal(meanwhile, undefined, 'it was published meanwhile')
  }
})

t.test('the undo of a decision about an address opens the conflict again', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  const rename = { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/ours', newTitle: 'Prices' }
  await dev.ops([rename, { op: 'create_page', page: { ...page('/clash'), id: 'own' } }])
  website.pages = [
    page('/'),
    { ...page('/about'), slug: '/clash' },
    { ...page('/prices'), slug: '/theirs', title: 'Prices' },
  ]
  const idsOf = async () => (await dev.diff()).conflicts.map(({ id }) => id)
  const [slugs, ids] = [await dev.slugs(), await idsOf()]
  t.equal(ids.length, 2)
  for (const take of ['site', 'draft'] as const) {
    t.strictSame(
      v.parse(v.looseObject({ conflicts: v.array(v.unknown()) }), await decide(dev, take)).conflicts,
      [],
    )
    t.match(await undoLast(dev), { status: 'applied' })
    t.strictSame(await idsOf(), ids, take)
    t.strictSame((await dev.slugs()).toSorted(), slugs.toSorted(), take)
  }
})

t.test('a decision that cannot be made leaves the conflict that it was about', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  // The one page is where the site has moved the other one, which is at the former address of the first.
  const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
  await dev.ops([rename('/prices', '/x')])
  website.pages = threePages.with(1, { ...page('/about'), slug: '/x' })
  await dev.ops([rename('/about', '/prices')])
  const open = (await dev.diff()).conflicts
  t.match(open, [{ slug: '/prices', path: 'slug' }])
  const lines = await historyOf(dev)
  t.match(await dev.decide([{ id: open[0]?.id, take: 'site' }]), { conflicts: [{ slug: '/x' }] })
  t.strictSame(await historyOf(dev), lines, 'which is no line of the history')
  t.strictSame((await dev.diff()).conflicts, open)
  await dev.decide([{ id: open[0]?.id, take: 'draft' }])
  t.strictSame((await dev.diff()).conflicts, [])
})

t.test('its undo does so where the site has given each address to another page', async (t) => {
  const [home, about, prices] = [page('/'), page('/about'), page('/prices')]
  for (const [name, pages] of [
    ['one after the other', [home, { ...about, slug: '/n' }, { ...prices, slug: '/about' }]],
    [
      'in a circle',
      [
        { ...home, slug: '/n' },
        { ...about, slug: '/' },
        { ...prices, slug: '/about' },
      ],
    ],
  ] as const)
    await t.test(name, async (t) => {
      const { website, draft } = await withWebsite(t)
      const dev = draft('dev')
      await dev.fill()
      await dev.ops([{ op: 'create_page', page: page('/n') }])
      website.pages = pages
      const conflictsOf = async () => (await dev.diff()).conflicts.map(({ id }) => id)
      const [slugs, ids] = [await dev.slugs(), await conflictsOf()]
      t.not(ids.length, 0)
      await decide(dev, 'site')
      t.match(await undoLast(dev), { status: 'applied' })
      t.strictSame(await conflictsOf(), ids)
      t.strictSame(await dev.slugs(), slugs)
    })
})

t.test('an edit of a value in conflict during the publish of another page decides nothing', async (t) => {
  const { website, draft, headingOf } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await review.heading('/', 'From review')
  await review.heading('/about', 'New')
  await dev.heading('/', 'From dev')
  await dev.publish()
  website.whilePublished = () => review.heading('/', 'From review again')
  t.match(await review.publish({ pages: ['/about'] }), { status: 'ready' })
  website.whilePublished = undefined
  t.match((await review.diff()).conflicts, [{ slug: '/', ours: 'From review again', theirs: 'From dev' }])
  t.match(await review.publish(), { code: 'site_conflict' })
  t.equal(headingOf('/'), 'From dev')
})

t.test('a value with its keys in another order is the value that was shown', async (t) => {
  const faq = (row: object) => ({
    ...page('/'),
    blocks: [{ id: 'faq', type: 'FAQAccordion', props: { title: 'Questions', items: [row] } }],
  })
  const { website, draft } = await withWebsite(t, {}, [faq({ q: 'One', a: 'A' }), page('/about')])
  const dev = draft('dev')
  await dev.fill()
  const write = (q: string) =>
    dev.ops([{ op: 'update_props', pageSlug: '/', blockId: 'faq', patch: { items: [{ q, a: 'A' }] } }])
  t.equal((await write('Mine')).status, 200)
  website.pages = [faq({ q: 'Theirs', a: 'A' }), page('/about')]
  t.equal((await dev.diff()).conflicts.length, 1)
  website.pages = [faq({ a: 'A', q: 'Theirs' }), page('/about')]
  await write('Mine again')
  t.strictSame((await dev.diff()).conflicts, [], 'typing it again decides it')
})

const heading = (text: string, slug = '/') => ({
  op: 'update_props',
  pageSlug: slug,
  blockId: `b${slug}`,
  patch: { heading: text },
})

/** A draft with a conflict about the heading of the home page. */
async function withConflict(t: Test) {
  const setup = await withWebsite(t)
  const [dev, review] = [setup.draft('dev'), setup.draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await review.heading('/', 'Mine')
  await dev.heading('/', 'Theirs')
  await dev.publish()
  await review.follow()
  return { ...setup, dev, review }
}

t.test('a value that is typed again decides its conflict once that was shown', async (t) => {
  const { headingOf, review } = await withConflict(t)
  const again = async (more: object = {}) =>
    (await review.send('/ops', { ops: [heading('Mine')], ...anna, ...more })).json()
  t.match(await again(), { code: 'no_effective_change' }, 'nothing was shown')
  t.match(await review.publish(), { code: 'site_conflict' })
  const before = (await historyOf(review)).length
  t.match(await again(), { status: 'applied', changes: [/heading/] })
  t.equal((await historyOf(review)).length, before + 1)
  t.match(await lastLine(review), { source: 'site', actor: isAnna })
  t.strictSame((await review.diff()).conflicts, [])
  t.match(await again(), { code: 'no_effective_change' }, 'it is decided')

  await undoLast(review)
  t.match(await review.diff(), { conflicts: [{ ours: 'Mine', theirs: 'Theirs' }] })
  t.match(await again(), { status: 'applied' })
  t.match(await review.publish(), { status: 'ready' })
  t.equal(headingOf('/'), 'Mine')
})

t.test('so does one that is removed again, also where it was the last one of its kind', async (t) => {
  const menuName = (to: string) => ({ op: 'update_site_config', patch: { navLabels: { '/about': to } } })
  const metaText = (to: string) => ({ op: 'update_page_meta', pageSlug: '/', patch: { description: to } })
  const leads = (to: string) => ({ op: 'update_site_config', patch: { redirects: { '/old': to } } })
  for (const change of [menuName, metaText, leads]) {
    const { website, draft } = await withWebsite(t)
    const meta = { description: 'Former' }
    const redirects = [{ from: '/old', to: '/about' }]
    website.pages = threePages.with(0, { ...page('/'), meta })
    website.siteConfig = { name: 'Acme', navLabels: { '/about': 'Former', '/prices': 'Other' } }
    website.lists = () => ({ ...website, redirects })
    const [dev, review] = [draft('dev'), draft('review')]
    await Promise.all([dev.fill(), review.fill()])
    await dev.ops([change('')])
    const other = { op: 'update_site_config', patch: { navLabels: { '/prices': '' } } }
    await review.ops([change(change === leads ? '/prices' : 'Theirs'), other])
    website.lists = () => ({ redirects, ...website })
    t.match(await review.publish(), { status: 'ready' })
    t.equal((await dev.diff()).conflicts.length, 1, change.name)
    t.equal((await dev.ops([change('')])).status, 200, change.name)
    t.strictSame((await dev.diff()).conflicts, [], change.name)
  }
})

t.test('a request that types a value again is repeated under its key', async (t) => {
  const { review } = await withConflict(t)
  await review.diff()
  const key = { 'idempotency-key': 'again' }
  const [first, second] = [await review.ops([heading('Mine')], key), await review.ops([heading('Mine')], key)]
  t.match([first.status, second.status], [200, 200])
  t.strictSame(second.json(), first.json())
})

t.test('a value that is typed again decides beside what a batch changes', async (t) => {
  const { review } = await withConflict(t)
  await review.diff()
  t.match((await review.ops([heading('Mine'), heading('Other', '/about')])).json(), { status: 'applied' })
  t.strictSame((await review.diff()).conflicts, [])
  await undoLast(review)
  t.equal((await review.diff()).conflicts.length, 1)
  await review.ops([{ ...heading('Mine'), patch: { heading: 'Mine', subheading: 'New' } }])
  t.equal((await review.diff()).conflicts.length, 1, 'an operation that changes something else')
})

t.test('of two conflicts at one address each is decided as it was shown', async (t) => {
  for (const at of [0, 1]) {
    const { website, draft } = await withWebsite(t)
    const review = draft('review')
    await review.fill()
    website.pages = website.pages.flatMap((each) =>
      each.slug === '/about' ? [] : [each.slug === '/prices' ? { ...each, slug: '/n' } : each],
    )
    await review.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/n' }])
    const { conflicts } = await review.diff()
    t.match(conflicts, [{ slug: '/n' }, { slug: '/n' }])
    const decided = await review.decide([{ id: conflicts[at]?.id, take: 'site' }])
    t.notMatch(decided, { code: 'conflict_changed' })
  }
})

t.test('an agent and a value that the site has changed again decide nothing', async (t) => {
  const { dev, review } = await withConflict(t)
  await review.diff()
  const agent = await review.ops([heading('Mine')], { 'x-orchestrator-client': 'robot' })
  t.match(agent.json(), { code: 'no_effective_change' })
  await dev.heading('/', 'Theirs again')
  await dev.publish()
  t.match((await review.ops([heading('Mine')])).json(), { code: 'no_effective_change' })
  t.equal((await review.diff()).conflicts.length, 1)
  await review.ops([heading('Other')], { 'x-orchestrator-client': 'robot' })
  t.equal((await review.diff()).conflicts.length, 1, 'nor does another value of an agent')
  await review.ops([heading('Mine once more')])
  t.strictSame((await review.diff()).conflicts, [])
})

t.test('an edit decides a conflict that was shown, also where the page was renamed since', async (t) => {
  /** A draft that was shown two conflicts of a page, and has renamed it since. */
  const renamedAgain = async () => {
    const { website, draft } = await withWebsite(t)
    const review = draft('review')
    await review.fill()
    const rename = (pageSlug: string, newPageSlug: string) =>
      review.ops([{ op: 'rename_page', pageSlug, newPageSlug }])
    await review.heading('/about', 'Mine')
    await rename('/about', '/mine')
    const theirs = { ...page('/about', 'Theirs'), slug: '/theirs' }
    website.pages = website.pages.map((each) => (each.slug === '/about' ? theirs : each))
    t.match((await review.diff()).conflicts, [{ path: 'slug' }, { path: 'heading' }])
    t.equal((await rename('/mine', '/again')).status, 200)
    const type = (text: string) => review.ops([{ ...heading(text, '/again'), blockId: 'b/about' }])
    return { review, type }
  }
  const { review } = await renamedAgain()
  t.match((await review.diff()).conflicts, [{ path: 'heading', slug: '/again', ours: 'Mine' }])
  for (const text of ['Mine', 'Mine again']) {
    const { review, type } = await renamedAgain()
    t.equal((await type(text)).status, 200)
    t.strictSame((await review.diff()).conflicts, [], text)
    t.match(await review.publish(), { status: 'ready' })
  }
  const other = await renamedAgain()
  await other.review.ops([{ ...heading('Of an agent', '/again'), blockId: 'b/about' }], {
    'x-orchestrator-client': 'robot',
  })
  t.match(
    (await other.review.diff()).conflicts,
    [{ ours: 'Of an agent' }],
    'an edit of an agent decides none',
  )
})

t.test('so is one on a page that has swapped its address with another one since', async (t) => {
  for (const [slug = '', other = ''] of [
    ['/about', '/jobs'],
    ['/jobs', '/about'],
  ]) {
    const { website, draft } = await withWebsite(t, {}, [page('/'), page('/about'), page('/jobs')])
    const review = draft('review')
    await review.fill()
    await review.heading(slug, 'Mine')
    website.pages = website.pages.map((each) => (each.slug === slug ? page(slug, 'Theirs') : each))
    t.match((await review.diff()).conflicts, [{ slug, path: 'heading' }])
    const swap = [
      ['/about', '/between'],
      ['/jobs', '/about'],
      ['/between', '/jobs'],
    ].map(([pageSlug, newPageSlug]) => ({ op: 'rename_page', pageSlug, newPageSlug }))
    t.equal((await review.ops(swap)).status, 200)
    await review.ops([{ ...heading('Mine again', other), blockId: `b${slug}` }])
    t.strictSame((await review.diff()).conflicts, [], slug)
  }
})

t.test('texts of a page, settings and rows are typed again as well', async (t) => {
  const faq = (a: string): Page => ({
    ...page('/faq'),
    blocks: [{ id: 'b_faq', type: 'FAQAccordion', props: { title: 'Questions', items: [{ q: 'Why?', a }] } }],
  })
  const { website, draft } = await withWebsite(t, {}, [...threePages, faq('So')])
  website.siteConfig = { name: 'Acme', navLabels: { '/': 'Start' } }
  const review = draft('review')
  await review.fill()
  await review.get('/draft/site-config')
  const row = { op: 'update_item', pageSlug: '/faq', blockId: 'b_faq', listKey: 'items', index: 0 }
  const edits: readonly object[] = [
    { op: 'update_page_meta', pageSlug: '/', patch: { description: 'Mine' } },
    { op: 'rename_page', pageSlug: '/about', newTitle: 'Mine' },
    { ...row, patch: { a: 'Mine' } },
    { op: 'update_site_config', patch: { navLabels: { '/': 'Mine' } } },
  ]
  await review.ops(edits)
  await review.config({ name: 'Mine' })
  website.pages = website.pages.map((each) => ({
    ...(each.slug === '/faq' ? faq('Theirs') : each),
    ...(each.slug === '/' && { meta: { description: 'Theirs' } }),
    ...(each.slug === '/about' && { title: 'Theirs' }),
  }))
  website.siteConfig = { name: 'Theirs', navLabels: { '/': 'Theirs' } }
  t.equal((await review.diff()).conflicts.length, 5)
  for (const [at, op] of edits.entries()) {
    t.equal((await review.ops([op])).status, 200, JSON.stringify(op))
    t.equal((await review.diff()).conflicts.length, 4 - at)
  }
  t.equal((await review.config({ name: 'Mine' })).status, 200)
  t.strictSame((await review.diff()).conflicts, [])
  t.match(await review.publish(), { status: 'ready' })
  t.match(website, { siteConfig: { name: 'Mine', navLabels: { '/': 'Mine' } } })
})

t.test(
  'a conflict has the same id while the site changes, and a decision is about the value seen',
  async (t) => {
    const { website, draft } = await withWebsite(t)
    const dev = draft('dev')
    await dev.fill()
    await dev.heading('/', 'Mine')
    const onSite = async (heading: string) => {
      website.pages = threePages.with(0, page('/', heading))
      return (await dev.diff()).conflicts[0]
    }
    const [first, second] = [await onSite('One'), await onSite('Two')]
    t.match(second, { id: first?.id, theirs: 'Two' })
    t.not(first?.['theirsVersion'], second?.['theirsVersion'])
    const take = { id: first?.id, take: 'draft' }
    const changed = { code: 'conflict_changed', conflicts: [{ id: first?.id, theirs: 'Two' }] }
    t.match(await dev.decide([{ ...take, seen: first?.['theirsVersion'] }]), changed)
    website.pages = threePages.with(0, page('/', 'Three'))
    const third = { ...changed, conflicts: [{ theirs: 'Three' }] }
    t.match(await dev.decide([take]), third, 'without `seen`, the value that was shown last is meant')
    t.match((await dev.diff()).conflicts, [{ theirs: 'Three' }], 'nothing was decided')
    t.match(await dev.decide([take]), { conflicts: { length: 0 } }, 'the refusal has shown the value')
    t.match(await dev.publish(), { status: 'ready' })
    t.match(website.pages, [{ blocks: [{ props: { heading: 'Mine' } }] }])
  },
)

t.test('of several decisions, one about another value than was seen decides none', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  await dev.heading('/about', 'Mine')
  website.pages = threePages.with(0, page('/', 'One')).with(1, page('/about', 'One'))
  const { conflicts } = await dev.diff()
  website.pages = threePages.with(0, page('/', 'Two')).with(1, page('/about', 'One'))
  const decide = conflicts.map(({ id, theirsVersion: seen }) => ({ id, take: 'site', seen }))
  t.match(await dev.decide(decide), { code: 'conflict_changed', conflicts: [{ slug: '/', theirs: 'Two' }] })
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Mine', 'Mine'])
  t.equal((await dev.diff()).conflicts.length, 2)
})

t.test('two values in conflict that are equal are two conflicts', async (t) => {
  const twice = (heading: string): Page => {
    const [block] = page('/', heading).blocks
    return { ...page('/'), blocks: block ? [block, block] : [] }
  }
  const { website, draft } = await withWebsite(t, {}, [twice('Hello'), ...threePages.slice(1)])
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  await dev.heading('/about', 'Mine')
  website.pages = [twice('Other'), page('/about', 'Other'), page('/prices')]
  const { conflicts } = await dev.diff()
  t.equal(new Set(conflicts.map(({ id }) => id)).size, conflicts.length)
  t.ok(conflicts.length >= 2)
})

t.test('a typed setting decides its conflict, whatever the site changes beside it', async (t) => {
  const maps = { navLabels: { '/': 'Start', '/about': 'Us' }, navGroups: { A: ['/'], B: ['/about'] } }
  const siteConfig = { name: 'Acme', ...maps }
  const label = (text: string) => ({ navLabels: { '/': text } })
  const group = (text: string) => ({ navGroups: { A: [`/${text}`], B: ['/about'] } })
  for (const [what, patchOf, onSite, then, sent] of [
    ['a label', label, { navLabels: { '/': 'Three', '/about': 'Us' } }, label('Three'), label('two')],
    ['a group', group, group('three'), { navGroups: { A: ['/three'] } }, { navGroups: { A: ['/two'] } }],
    ['its own value', label, label('Three'), label('Four'), undefined],
  ] as const)
    await t.test(what, async (t) => {
      const { website, draft } = await withWebsite(t)
      website.siteConfig = siteConfig
      const dev = draft('dev')
      await dev.fill()
      await dev.ops([{ op: 'update_site_config', patch: patchOf('one') }])
      website.siteConfig = { ...siteConfig, ...onSite }
      t.equal((await dev.diff()).conflicts.length, 1)
      await dev.ops([{ op: 'update_site_config', patch: patchOf('two') }])
      website.siteConfig = { ...siteConfig, ...then }
      t.match(await dev.publish(), sent ? { status: 'ready' } : { code: 'site_conflict' })
      t.strictSame(website.siteConfig, { ...siteConfig, ...(sent ?? then) })
    })
})

t.test('two spellings of an address are one address, unless the site has a page at each', async (t) => {
  const added = (slug: string, heading: string) => ({
    ...page(slug, heading),
    id: heading,
    blocks: page(slug, heading).blocks.map((block) => ({ ...block, id: heading })),
  })
  const create = { op: 'create_page', page: added('/caf\u00e9', 'Mine') }
  const rename = { op: 'rename_page', pageSlug: '/about', newPageSlug: '/caf\u00e9' }
  for (const op of [create, rename])
    for (const slug of ['/caf\u00e9/', '/cafe\u0301', '/caf%C3%A9'])
      await t.test(`${op.op} ${slug}`, async (t) => {
        const { website, draft } = await withWebsite(t)
        const dev = draft('dev')
        await dev.fill()
        await dev.ops([op])
        website.pages = [...threePages, added(slug, 'Theirs')]
        const before = await dev.slugs()
        const { conflicts } = await dev.diff()
        t.match(conflicts, [{ slug: '/caf\u00e9', kind: 'changed' }])
        t.strictSame(await dev.slugs(), before)
        t.match(await dev.publish(), { code: 'site_conflict' })
        await dev.decide([{ id: conflicts[0]?.id, take: 'draft' }])
        t.match(await dev.publish({ pages: ['/caf\u00e9'] }), { status: 'ready' })
        t.strictSame(website.pages.map((each) => each.slug).toSorted(), before.toSorted())
        t.match((await dev.diff())['summary'], { totalChangedFields: 0, pagesRemoved: 0 })
      })
  const { website, draft } = await withWebsite(t)
  website.pages = [...threePages, page('/caf\u00e9'), { ...page('/caf\u00e9/'), id: 'other' }]
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(website.pages.length, 5)
})

t.test('a site that spells an address in another way has not renamed the page', async (t) => {
  const { website, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }])
  website.pages = threePages.map((each) => (each.slug === '/about' ? { ...each, slug: '/about/' } : each))
  t.strictSame((await dev.diff()).conflicts, [])
  await review.diff()
  t.strictSame(await review.slugs(), ['/', '/about/', '/prices'], 'a draft without a change follows it')
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/us', '/prices'],
  )
  await review.diff()
  t.strictSame(await review.slugs(), ['/', '/us', '/prices'])
})
