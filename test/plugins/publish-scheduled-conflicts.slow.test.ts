import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import { checking, noon, page } from '../helpers/publishing.ts'
import { emptyList } from '../helpers/plain.ts'
import { until } from '../helpers/until.ts'
import { threePages, withWebsite } from '../helpers/website.ts'

const minute = 60_000
const later = (minutes: number): string => new Date(Date.parse(noon) + minutes * minute).toISOString()
const anna = { client: { id: 'browser-of-anna', name: 'Anna' } }
const ben = { client: { id: 'browser-of-ben', name: 'Ben' } }

const Open = v.looseObject({ id: v.string(), theirsVersion: v.string() })
const Row = v.looseObject({
  id: v.string(),
  status: v.string(),
  error: v.optional(v.string()),
  conflicts: v.optional(v.array(Open), []),
  draftConflicts: v.optional(v.array(Open), []),
})
const List = v.object({ scheduled: v.array(v.unknown()) })

const sevenPages = [...threePages, ...['/a', '/b', '/c', '/d'].map((slug) => page(slug))]

/** A draft whose publish of two headings, of Anna, waits for an hour. */
async function setUp(t: Test, pages = threePages) {
  const time = stillClock(noon)
  let objection: string | undefined
  const plugins = [checking(async () => objection)]
  const options = { time, plugins, publish: { lookEveryMs: 10 } }
  const { website, headingOf, draft } = await withWebsite(t, options, pages)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Of Anna')
  await dev.heading('/about', 'The rest')
  const { id } = await dev.publish({ at: later(60), ...anna })
  const listed = async (query: Readonly<Record<string, string>> = { conflicts: '1' }) =>
    v.parse(List, (await dev.get('/publish/scheduled', query)).json()).scheduled[0]
  return {
    dev,
    draft,
    website,
    time,
    /** The row as it is. */
    listed,
    row: async () => v.parse(Row, await listed()),
    patch: (body: object) => dev.send('/publish/scheduled', { id, ...body }, {}, 'PATCH'),
    headings: () => [headingOf('/'), headingOf('/about')],
    /** Lets a check refuse every publish from now on. */
    refuse: () => void (objection = 'The legal department has to see it first.'),
    /** Lets its time come, and waits until the log has so many publishes. */
    async come(publishes: number) {
      time.advance(60 * minute)
      await until(async () => (await dev.log()).length === publishes, 'the scheduled publish')
    },
  }
}

type Scheduling = Awaited<ReturnType<typeof setUp>>

/** Publishes a newer heading of Ben before the time of the publish that waits. */
async function withNewer(t: Test) {
  const setup = await setUp(t)
  await setup.dev.heading('/', 'Of Ben')
  const answer = await setup.dev.publish(ben)
  return { ...setup, answer }
}
type Waiting = Awaited<ReturnType<typeof withNewer>>

/** Decides all conflicts of the publish that waits. */
async function decideAll({ row, patch }: Waiting, take: 'draft' | 'site', more: object = {}) {
  const { conflicts } = await row()
  const decide = conflicts.map(({ id, theirsVersion }) => ({ id, take, seen: theirsVersion }))
  return patch({ decide, ...more })
}

const value = { slug: '/', blockId: 'b/', path: 'heading', kind: 'changed' }

t.test('a publish that waits says what a newer value of the draft makes of it', async (t) => {
  const { dev, listed } = await setUp(t)
  t.match(await listed(), { conflicts: emptyList, draftConflicts: emptyList })
  await dev.heading('/', 'Of Ben')
  const open = { ...value, base: 'Hello', ours: 'Of Anna', theirs: 'Of Ben' }
  t.match(await listed(), { conflicts: emptyList, draftConflicts: [open] })

  const { status, notes } = await dev.publish(ben)
  const note =
    'The publish scheduled by Anna for 2026-01-01 13:00 UTC has an older value of Start, Hero: heading, ' +
    'so it will fail. Decide in the scheduled publishes which one to keep.'
  t.match([status, notes], ['ready', [note]])
  const actor = { browser: { name: 'Ben' } }
  t.match(await listed(), { conflicts: [{ ...open, at: noon, actor }], draftConflicts: emptyList })
  t.match(await listed({}), { conflicts: undefined, draftConflicts: undefined }, 'only when asked for')
  await dev.heading('/about', 'Else')
  const other = await dev.publish({ pages: ['/about'] })
  t.match(other, { notes: [/older value of about, Hero: heading,/] }, 'each publish names what is new')
})

t.test('a publish of another draft says it as well', async (t) => {
  const { draft } = await setUp(t)
  const review = draft('review')
  await review.fill()
  await review.heading('/about', 'Newer')
  t.match(await review.publish(), { notes: [/scheduled by Anna .* older value of about, Hero: heading/] })
})

t.test('another draft sees before its publish what would meet it, and decides', async (t) => {
  for (const [take, heading] of [
    ['draft', 'The rest'],
    ['site', 'Newer'],
  ] as const)
    await t.test(take, async (t) => {
      const { draft, patch, listed, come, headings } = await setUp(t)
      const review = draft('review')
      await review.fill()
      const met = async (query = { conflicts: '1', others: '1' }) =>
        v.parse(List, (await review.get('/publish/scheduled', query)).json()).scheduled
      t.strictSame(await met(), [], 'nothing meets')
      await review.heading('/about', 'Newer')
      const open = { slug: '/about', path: 'heading', ours: 'The rest', theirs: 'Newer' }
      t.match(await met(), [
        { session: 'acme::dev', actor: { browser: { name: 'Anna' } }, draftConflicts: [open] },
      ])
      t.strictSame(
        v.parse(List, (await review.get('/publish/scheduled', { conflicts: '1' })).json()).scheduled,
        [],
      )

      const [row] = v.parse(v.array(Row), await met())
      const decide = row?.draftConflicts.map(({ id, theirsVersion }) => ({ id, take, seen: theirsVersion }))
      t.match((await patch({ decide })).json(), { code: 'unknown_conflict' }, 'its own draft has none')
      t.match((await patch({ decide, against: 'review' })).json(), { status: 'scheduled' })
      t.strictSame(await met(), [])
      t.match(await review.publish(), { status: 'ready', notes: undefined })
      t.match(await listed(), { conflicts: emptyList })
      await come(1)
      t.strictSame(headings(), ['Of Anna', heading])
    })
})

t.test('what is decided before its time is published then', async (t) => {
  for (const [take, heading] of [
    ['draft', 'Of Anna'],
    ['site', 'Of Ben'],
  ] as const)
    await t.test(take, async (t) => {
      const setup = await withNewer(t)
      t.match((await decideAll(setup, take)).json(), { status: 'scheduled', at: later(60) })
      t.strictSame((await setup.row()).conflicts, [])
      await setup.come(2)
      t.strictSame(setup.headings(), [heading, 'The rest'])
      t.strictSame(await setup.dev.scheduled(), [])
    })
})

t.test('it can be decided before the newer value is published', async (t) => {
  const { dev, row, patch, come, headings } = await setUp(t)
  await dev.heading('/', 'Of Ben')
  const [open] = (await row()).draftConflicts
  t.ok(open)
  t.equal((await patch({ decide: [{ id: open?.id, take: 'draft', seen: open?.theirsVersion }] })).status, 200)
  t.match(await dev.publish(ben), { status: 'ready', notes: undefined })
  await come(2)
  t.strictSame(headings(), ['Of Anna', 'The rest'])
})

t.test('what has failed is decided, and published at once', async (t) => {
  for (const [take, heading] of [
    ['draft', 'Of Anna'],
    ['site', 'Of Ben'],
  ] as const)
    await t.test(take, async (t) => {
      const setup = await withNewer(t)
      await setup.come(2)
      const error =
        'Start, Hero: heading was changed on the site to "Of Ben" by Ben, 2026-01-01 12:00 UTC. ' +
        'Decide which one to keep.'
      const both = { ours: 'Of Anna', theirs: 'Of Ben' }
      t.match(await setup.listed(), { status: 'failed', error, conflicts: [both] })
      t.match((await setup.dev.log()).at(-1), { status: 'failed', error })
      t.equal((await decideAll(setup, take)).status, 200)
      await setup.come(3)
      t.strictSame(setup.headings(), [heading, 'The rest'])
    })
})

t.test(
  'the stored reason of a failure has no age, no parameter of a request, and nothing twice',
  async (t) => {
    const cases: readonly (readonly [
      name: string,
      reason: RegExp,
      before: (setup: Scheduling) => unknown,
    ])[] = [
      [
        'a newer value',
        /^Start, Hero: heading was changed on the site to "Of Ben" by Ben, .* UTC\. Decide/,
        async ({ dev }) => {
          await dev.heading('/', 'Of Ben')
          await dev.publish(ben)
        },
      ],
      [
        'a site that does not answer',
        /^The site could be read before, but not now, .* Try again once it answers\.$/,
        ({ website }) => (website.isAway = true),
      ],
      [
        'a site that has lost its pages',
        /^The site lists less than half .* Choose in the review what becomes of them, then try again\.$/,
        ({ website }) => (website.pages = threePages),
      ],
      ['a check that refuses', /^The legal department has to see it first\.$/, ({ refuse }) => refuse()],
    ]
    for (const [name, reason, before] of cases)
      await t.test(name, async (t) => {
        const setup = await setUp(t, sevenPages)
        await before(setup)
        await setup.come((await setup.dev.log()).length + 1)
        const { error = '' } = await setup.row()
        t.match(error, reason)
        t.notMatch(error, /\bago\b|just now|overwrite|allowDelete|confirm|\b(?:GET|POST|PATCH)\b/)
        const sentences = error.split(/(?<=\.) /)
        t.strictSame(sentences, [...new Set(sentences)])
        t.match((await setup.dev.log()).at(-1), { error, summary: error }, 'the log has the same')
      })
  },
)

t.test('a decision with a time waits for it, and a time alone changes nothing else', async (t) => {
  const setup = await withNewer(t)
  await setup.come(2)
  t.match((await decideAll(setup, 'draft', { at: later(120) })).json(), {
    status: 'scheduled',
    at: later(120),
  })
  t.match((await setup.patch({ at: later(180) })).json(), { status: 'scheduled', at: later(180) })
  t.equal(setup.headings()[0], 'Of Ben')
  setup.time.advance(60 * minute)
  await setup.come(3)
  t.equal(setup.headings()[0], 'Of Anna')
})

t.test('a decision about a part leaves a publish that has failed in the list', async (t) => {
  const setup = await withNewer(t)
  await setup.dev.heading('/about', 'Else')
  await setup.dev.publish(ben)
  await setup.come(3)
  const { conflicts } = await setup.row()
  t.equal(conflicts.length, 2)
  const answer = await setup.patch({ decide: [{ id: conflicts[0]?.id, take: 'site' }] })
  t.match(answer.json(), { status: 'failed', error: /./ })
  t.strictSame((await setup.row()).conflicts, conflicts.slice(1))
  await decideAll(setup, 'site')
  await setup.come(4)
  t.strictSame(setup.headings(), ['Of Ben', 'Else'])
})

t.test('a decision is about what was seen', async (t) => {
  const setup = await withNewer(t)
  const { dev, patch, row } = setup
  const [open] = (await row()).conflicts
  const keep = { id: open?.id, take: 'draft', seen: open?.theirsVersion }
  t.match((await patch({ decide: [{ ...keep, id: 'none' }] })).json(), { code: 'unknown_conflict' })
  t.match((await patch({})).json(), { code: 'invalid_request', reason: /`at` or `decide`/ })
  await dev.heading('/', 'Newest')
  await dev.publish(ben)
  const changed = await patch({ decide: [keep] })
  t.match(
    [changed.status, changed.json()],
    [409, { code: 'conflict_changed', conflicts: [{ theirs: 'Newest' }] }],
  )
  await decideAll(setup, 'draft')
  await dev.heading('/', 'Newest of all')
  await dev.publish(ben)
  await setup.come(4)
  t.match(await setup.listed(), { status: 'failed', conflicts: [{ theirs: 'Newest of all' }] })
  const other = setup.draft('other')
  const body = { id: (await row()).id, decide: [{ id: open?.id, take: 'site' }] }
  t.equal((await other.send('/publish/scheduled', body, {}, 'PATCH')).status, 404, 'of its own draft only')
})

t.test('a value of a page that is renamed meanwhile is decided before the rename is published', async (t) => {
  for (const [take, heading] of [
    ['draft', 'The rest'],
    ['site', 'Newer'],
  ] as const)
    await t.test(take, async (t) => {
      const { dev, row, patch, come, website } = await setUp(t)
      await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' }])
      await dev.ops([
        { op: 'update_props', pageSlug: '/team', blockId: 'b/about', patch: { heading: 'Newer' } },
      ])
      const { draftConflicts } = await row()
      t.match(draftConflicts, [{ slug: '/team', path: 'heading', theirs: 'Newer' }])
      t.equal((await patch({ decide: draftConflicts.map(({ id }) => ({ id, take })) })).status, 200)
      t.match(await dev.publish(ben), { status: 'ready', notes: [/^The site takes no redirects/] })
      await come(2)
      t.strictSame(await dev.scheduled(), [])
      const team = website.pages.find(({ slug }) => slug === '/team')
      t.equal(team?.blocks[0]?.props['heading'], heading)
    })
})

t.test('a decision about the draft does not publish what has failed', async (t) => {
  const setup = await withNewer(t)
  await setup.come(2)
  setup.website.pages = setup.website.pages.map((each) => (each.slug === '/' ? page('/') : each))
  setup.time.advance(60 * minute)
  await setup.dev.heading('/about', 'Else')
  const { conflicts, draftConflicts } = await setup.row()
  t.strictSame(conflicts, [])
  const decide = draftConflicts.map(({ id }) => ({ id, take: 'site' }))
  t.ok(decide.length > 0)
  t.match((await setup.patch({ decide })).json(), { status: 'failed' })
})

t.test('a page that the site has removed is decided like a value', async (t) => {
  for (const [take, slugs] of [
    ['draft', ['/', '/about', '/prices']],
    ['site', ['/', '/prices']],
  ] as const)
    await t.test(take, async (t) => {
      const setup = await setUp(t)
      await setup.dev.ops([{ op: 'remove_page', pageSlug: '/about' }])
      const answer = await setup.dev.publish(ben)
      t.match(answer, { notes: [/has an older value of about, so it will fail/] })
      t.match(await setup.listed(), { conflicts: [{ slug: '/about', kind: 'removed_on_site' }] })
      await decideAll({ ...setup, answer }, take)
      await setup.come(2)
      t.strictSame(setup.website.pages.map(({ slug }) => slug).toSorted(), slugs)
      t.equal(setup.headings()[0], 'Of Anna')
    })
})

t.test('settings of the site, and an older publish that waits behind a newer one', async (t) => {
  const { dev, listed, row, patch, come, website, time } = await setUp(t)
  const name = (name: string) => dev.ops([{ op: 'update_site_config', patch: { name } }])
  website.siteConfig = { name: 'Acme' }
  await dev.diff()
  await patch({ at: later(180) })
  await name('Older')
  const { id } = await dev.publish({ at: later(120), ...anna })
  time.advance(1)
  await name('Newer')
  await dev.heading('/', 'Newer')
  await dev.publish({ at: later(60), ...ben })
  await come(1)
  const rows = v.parse(List, (await dev.get('/publish/scheduled', { conflicts: '1' })).json()).scheduled
  const setting = { slug: '', path: 'name', ours: 'Older', theirs: 'Newer' }
  t.match(rows, [{ id, conflicts: [{ path: 'heading' }, setting] }, { conflicts: [{ path: 'heading' }] }])
  t.match(await listed(), rows[0] ?? {})
  const { conflicts } = await row()
  t.equal((await patch({ id, decide: conflicts.map((each) => ({ id: each.id, take: 'site' })) })).status, 200)
  await come(2)
  t.match(website.siteConfig, { name: 'Newer' })
})
