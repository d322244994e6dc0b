import { mock } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { capturedLog, mountForTest, stillClock } from '../../kernel/testing.ts'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { bases } from '../../plugins/draft/testing.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { jobs } from '../../plugins/jobs/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import type { Page } from '../../plugins/content/page.ts'
import {
  checking,
  done,
  inHouse,
  noon,
  page,
  publishing,
  startWebsite,
  type PublishingOptions,
} from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'
import { Diff, draftOf, Fields, Sent, siteId, threePages, withWebsite } from '../helpers/website.ts'
import { emptyList } from '../helpers/plain.ts'

t.test('two drafts change different pages, and both changes are on the site', async (t) => {
  const { headingOf, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'From dev')
  t.match(await dev.publish(), { status: 'ready' })
  await review.heading('/about', 'From review')
  t.match(await review.publish(), { status: 'ready' })
  t.equal(headingOf('/'), 'From dev')
  t.equal(headingOf('/about'), 'From review')
  t.equal(await review.headingOf('/'), 'From dev', 'the draft has followed')
  t.match((await review.diff())['summary'], { pagesModified: 0, pagesAdded: 0, pagesRemoved: 0 })
})

t.test('base, site and draft have the values of the timeline in the README at each step', async (t) => {
  const storage = createMemoryStore()
  const { website, draft } = await withWebsite(t, { storage })
  const dev = draft('dev')
  type Shown = readonly unknown[] | undefined
  const shown = (found?: Page): Shown => {
    const { heading, imageAlt } = found?.blocks[0]?.props ?? {}
    return found && [heading, imageAlt]
  }
  const base = async () => {
    const body = (await storage.of(bases).get(draftKey({ siteId, session: 'dev' }), 'page /prices'))?.body
    return shown(body && 'page' in body ? (body.page ?? undefined) : undefined)
  }
  const site = () => shown(website.pages.find(({ slug }) => slug === '/prices'))
  const step = async (name: string, expected: readonly [draft: Shown, base: Shown, site: Shown]) => {
    const { heading, imageAlt } = await dev.props('/prices')
    t.strictSame([[heading, imageAlt], await base(), site()], expected, name)
  }
  const [first, edited] = [
    ['Hello', 'A hero'],
    ['Offers', 'A hero'],
  ]
  await dev.fill()
  await step('filled', [first, undefined, first])
  await dev.heading('/prices', 'Offers')
  await step('edited', [edited, first, first])
  website.pages = threePages.map((each) =>
    each.slug === '/prices' ? page('/prices', 'Hello', { imageAlt: 'A shop' }) : each,
  )
  await step('changed by the site', [edited, first, ['Hello', 'A shop']])
  t.match(await dev.diff(), { summary: { totalChangedFields: 1 }, conflicts: { length: 0 } })
  await step('followed', [
    ['Offers', 'A shop'],
    ['Hello', 'A shop'],
    ['Hello', 'A shop'],
  ])
  t.match(await dev.publish(), { status: 'ready' })
  await step('published', [['Offers', 'A shop'], undefined, ['Offers', 'A shop']])
})

t.test('a page that another draft has added stays', async (t) => {
  const { website, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.ops([{ op: 'create_page', page: page('/jobs') }])
  t.match(await dev.publish(), { status: 'ready' })
  await review.heading('/about', 'From review')
  t.match(await review.publish(), { status: 'ready' })
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/about', '/prices', '/jobs'],
  )
})

t.test(
  'a page that is removed and created again has its new place in the draft and on the site',
  async (t) => {
    const remove = { op: 'remove_page', pageSlug: '/about' }
    const create = { op: 'create_page', page: page('/about') }
    const batches = {
      'two changes': [[remove], [create]],
      'one change': [[remove, create]],
      'a read of the site between them': [[remove], [], [create]],
    }
    const slugs = ['/', '/prices', '/about']
    for (const [name, changes] of Object.entries(batches))
      await t.test(name, async (t) => {
        const { website, draft } = await withWebsite(t)
        const dev = draft('dev')
        await dev.fill()
        for (const ops of changes) await (ops.length > 0 ? dev.ops(ops) : dev.diff())
        t.match(await dev.diff(), { conflicts: { length: 0 } })
        t.strictSame(await dev.slugs(), slugs, 'the site has moved nothing')
        t.match(await dev.publish(), { status: 'ready' })
        t.strictSame(
          website.pages.map(({ slug }) => slug),
          slugs,
        )
      })
  },
)

t.test('the log says what a publish brought, and what the site had on its own', async (t) => {
  const time = stillClock(noon)
  const { website, draft } = await withWebsite(t, atTimes(time))
  website.siteConfig = { name: 'Before' }
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'From dev')
  await dev.ops([
    { op: 'create_page', page: page('/jobs') },
    { op: 'remove_page', pageSlug: '/prices' },
  ])
  await dev.config({ name: 'Acme' })
  await dev.publish()
  const brought = { added: ['/jobs'], modified: ['/'], removed: ['/prices'], fields: 1, siteConfigFields: 1 }
  const [first] = await dev.log()
  t.match(first, { version: 4, changes: brought, followed: undefined })

  await review.heading('/about', 'From review')
  await review.diff()
  await review.publish()
  const followed = { pages: ['/', '/jobs', '/prices'], siteConfig: true }
  const [second] = await review.log()
  t.match(second, { changes: { modified: ['/about'], fields: 1 }, followed })

  await dev.heading('/', 'Again')
  time.advance(hour / 6)
  website.pages = website.pages.filter(({ slug }) => slug !== '/jobs')
  website.lists = () => ({ pages: website.pages, siteConfig: { name: 'Deployed' } })
  t.match(await dev.publish(), { status: 'ready' })
  const own = { pages: ['/about', '/jobs'], siteConfig: true }
  t.match((await dev.log()).at(-1), { changes: { modified: ['/'], removed: emptyList }, followed: own })

  website.lists = undefined
  await dev.publish()
  t.match((await dev.log()).at(-1), { changes: { modified: emptyList }, followed: undefined })
  await dev.heading('/', 'Later')
  await dev.publish({ at: inHours(1) })
  website.pages = [...website.pages, page('/deployed')]
  time.advance(hour)
  await until(async () => (await dev.log()).length === 4)
  const stayed = { pages: ['/deployed'], siteConfig: false }
  t.match((await dev.log()).at(-1), { changes: { modified: ['/'], added: emptyList }, followed: stayed })

  await dev.heading('/about', 'Refused')
  await dev.publish({ baseVersion: 1 })
  t.match((await dev.log()).at(-1), { status: 'failed', changes: undefined, followed: undefined })
})

t.test('what is deployed with the site stays', async (t) => {
  const { website, headingOf, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/about', 'From the editor')
  website.pages = [page('/', 'Deployed'), page('/about'), page('/new')]
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(headingOf('/'), 'Deployed')
  t.equal(headingOf('/about'), 'From the editor')
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/about', '/new'],
  )
})

t.test('what both have changed is refused until somebody decides', async (t) => {
  const { website, headingOf, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'From dev')
  await dev.publish()
  await review.heading('/', 'From review')
  t.equal(await review.headingOf('/'), 'From review')
  const refused = await review.publish()
  t.match(refused, {
    status: 'failed',
    code: 'site_conflict',
    error: /Start, Hero: heading was changed on the site to "From dev"/,
  })
  t.equal(headingOf('/'), 'From dev')
  const { conflicts } = await review.diff()
  t.match(conflicts, [
    {
      slug: '/',
      blockId: 'b/',
      path: 'heading',
      kind: 'changed',
      base: 'Hello',
      ours: 'From review',
      theirs: 'From dev',
    },
  ])
  t.match(await review.publish({ overwrite: true }), { status: 'ready' })
  t.equal(headingOf('/'), 'From review')
  t.strictSame((await review.diff())['conflicts'], [])
  t.equal(website.pages.length, 3)
})

t.test('a conflict is decided for one side', async (t) => {
  const { headingOf, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  for (const [slug, take] of [
    ['/', 'site'],
    ['/about', 'draft'],
  ] as const) {
    await dev.heading(slug, 'From dev')
    await dev.publish()
    await review.heading(slug, 'From review')
    const id = (await review.diff()).conflicts[0]?.id ?? 'none'
    t.match(await review.decide([{ id: 'no-such', take }]), { code: 'unknown_conflict' })
    t.match(await review.decide([{ id, take }]), { conflicts: emptyList })
    t.equal(await review.headingOf(slug), take === 'site' ? 'From dev' : 'From review')
    t.match(await review.publish(), { status: 'ready' })
    t.equal(headingOf(slug), take === 'site' ? 'From dev' : 'From review')
  }
})

t.test('a site that lost most of its pages is followed only if that is confirmed', async (t) => {
  const pages = ['/', '/a', '/b', '/c', '/d'].map((slug) => page(slug))
  const { website, draft } = await withWebsite(t, {}, pages)
  const dev = draft('dev')
  await dev.fill()
  await dev.diff()
  website.pages = pages.slice(0, 2)
  t.match(await dev.diff(), { notice: /confirm: true/, message: /confirm: true/, summary: { pagesAdded: 3 } })
  t.match(await dev.follow(), { status: 'confirm' })
  t.strictSame(
    await dev.slugs(),
    pages.map(({ slug }) => slug),
  )
  t.match(await dev.follow({ confirm: true }), { status: 'followed' })
  t.strictSame(await dev.slugs(), ['/', '/a'])
})

t.test('an undo beneath what came from the site takes only its own change back', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  const [home = page('/')] = threePages
  const [block] = home.blocks
  website.pages = [
    { ...home, blocks: block ? [{ ...block, props: { ...block.props, subheading: 'New' } }] : [] },
    ...threePages.slice(1),
  ]
  t.match(await dev.follow(), { status: 'followed', taken: [{ slug: '/', path: 'subheading' }] })
  await dev.undo('/')
  t.match(await dev.props('/'), { heading: 'Hello', subheading: 'New' })
  await dev.redo('/')
  t.match(await dev.props('/'), { heading: 'Mine', subheading: 'New' })
  t.match(await dev.diff(), { summary: { totalChangedFields: 1 } })
})

t.test('the changes of single pages are published, and the others stay changes of the draft', async (t) => {
  const { website, headingOf, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'Later')
  await dev.heading('/about', 'Now')
  await dev.ops([
    { op: 'remove_page', pageSlug: '/prices' },
    { op: 'create_page', page: page('/jobs') },
  ])
  t.match(await dev.publish({ pages: ['/nowhere', '/about'] }), {
    code: 'pages_not_changed',
    reason: /\/nowhere/,
  })
  t.match(await dev.publish({ pages: ['/about', '/jobs'] }), { status: 'ready' })
  t.strictSame([headingOf('/'), headingOf('/about')], ['Hello', 'Now'])
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/about', '/jobs', '/prices'],
  )
  const { pages, conflicts } = await dev.diff()
  const changed = pages.filter(({ status }: { status: string }) => status !== 'unchanged')
  t.match(changed, [
    { slug: '/', status: 'modified' },
    { slug: '/prices', status: 'removed' },
  ])
  t.strictSame(conflicts, [])
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(headingOf('/'), 'Later')
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/about', '/jobs'],
  )
})

const hour = 3_600_000
const inHours = (hours: number): string => new Date(Date.parse(noon) + hours * hour).toISOString()
const atTimes = (time: ReturnType<typeof stillClock>): PublishingOptions => ({
  time,
  publish: { lookEveryMs: 10 },
})

t.test('a scheduled publish brings its change onto the site as it is then', async (t) => {
  const time = stillClock(noon)
  const { headingOf, draft } = await withWebsite(t, atTimes(time))
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'At one')
  t.match(await dev.publish({ at: inHours(1) }), { status: 'scheduled' })
  await review.heading('/about', 'Before')
  t.match(await review.publish(), { status: 'ready' })
  time.advance(hour)
  await until(async () => (await dev.log()).length === 1, 'the scheduled publish')
  t.strictSame([headingOf('/'), headingOf('/about')], ['At one', 'Before'])
  t.match((await dev.diff())['summary'], { totalChangedFields: 0 })
})

t.test('a scheduled publish of a value that was published since fails, and stays in the list', async (t) => {
  const time = stillClock(noon)
  const { headingOf, draft } = await withWebsite(t, atTimes(time))
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Scheduled')
  await dev.publish({ at: inHours(1) })
  await dev.heading('/', 'Today')
  t.match(await dev.publish(), { status: 'ready' })
  time.advance(hour)
  await until(async () => (await dev.log()).length === 2, 'the scheduled publish')
  t.equal(headingOf('/'), 'Today')
  t.match(await dev.scheduled(), [
    { status: 'failed', error: /Start, Hero: heading was changed on the site to "Today"/ },
  ])
})

t.test('two schedules of one draft change one value after the other', async (t) => {
  const time = stillClock(noon)
  const { headingOf, draft } = await withWebsite(t, atTimes(time))
  const dev = draft('dev')
  await dev.fill()
  for (const [at, heading] of ['One', 'Two'].entries()) {
    await dev.heading('/', heading)
    t.match(await dev.publish({ at: inHours(at + 1) }), { status: 'scheduled' })
  }
  await dev.heading('/', 'Three')
  for (const [at, heading] of ['One', 'Two'].entries()) {
    time.advance(hour)
    await until(async () => (await dev.log()).length === at + 1, heading)
    t.equal(headingOf('/'), heading)
  }
  t.strictSame((await dev.diff())['conflicts'], [])
  t.equal(await dev.headingOf('/'), 'Three')
})

t.test('a value that the site does not show survives the publish of another draft', async (t) => {
  const { website, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  const shown = (pages: readonly Page[]) =>
    pages.map((each) => ({
      ...each,
      blocks: each.blocks.map(({ props, ...block }) => ({
        ...block,
        props: { ...props, subheading: undefined },
      })),
    }))
  website.lists = () => ({ pages: shown(website.pages) })
  await Promise.all([dev.fill(), review.fill()])
  await dev.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { subheading: 'Hidden' } }])
  t.match(await dev.publish(), { status: 'ready' })
  t.match((await dev.diff())['summary'], { totalChangedFields: 0 })
  await review.heading('/about', 'Other')
  t.match(await review.publish(), { status: 'ready' })
  t.match(website.pages[0], { blocks: [{ props: { subheading: 'Hidden' } }] })
  website.lists = undefined
  await review.heading('/', 'Again')
  t.match(await review.publish(), { status: 'ready' })
  t.match(website.pages[0], { blocks: [{ props: { subheading: 'Hidden', heading: 'Again' } }] })
})

t.test('a site that writes a value in another way gives its page another address', async (t) => {
  const { website, draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  website.whilePublished = async () => {
    website.pages = website.pages.map((each) =>
      each.slug === '/about' ? { ...page('/about', 'WRITTEN'), id: each.id } : each,
    )
  }
  await dev.heading('/about', 'Written')
  t.match(await dev.publish(), { status: 'ready' })
  website.pages = website.pages.map((each) => (each.slug === '/about' ? { ...each, slug: '/us' } : each))
  await review.diff()
  t.equal(await review.headingOf('/us'), 'Written')
})

t.test('a site that is behind loses nothing, with two deployments under way', async (t) => {
  const built: (readonly Page[])[] = []
  const slow = inHouse({
    name: 'slow',
    publish: async ({ pages }) => {
      built.push(pages)
      return { ...done, status: 'triggered', tracker: { deployStatus: 200 } }
    },
  })
  const time = stillClock(noon)
  const { website, draft } = await withWebsite(t, { plugins: [slow], time })
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'First')
  t.match(await dev.publish(), { status: 'triggered' })
  t.match((await dev.diff())['summary'], { totalChangedFields: 0 })
  t.equal(await dev.headingOf('/'), 'First', 'the site is behind, not changed')
  await review.heading('/about', 'Second')
  t.match(await review.publish(), { status: 'triggered' })
  t.match(
    built.at(-1)?.map(({ blocks }) => blocks[0]?.props['heading']),
    ['First', 'Second', 'Hello'],
  )
  website.pages = built[0] ?? []
  t.equal((await dev.diff())['summary'].totalChangedFields, 0)
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['First', 'Second'])
  website.pages = built[1] ?? []
  t.equal((await dev.diff())['summary'].totalChangedFields, 0)
  time.advance(hour)
  website.pages = [page('/', 'Deployed'), ...website.pages.slice(1)]
  await dev.diff()
  t.equal(await dev.headingOf('/'), 'Deployed')
})

/** A site whose deployments end as `states` says, by their ids `d1`, `d2`, and so on. */
async function withDeployments(t: Test) {
  let number = 0
  const sent: { slugs: readonly string[] } = { slugs: [] }
  const hosted = inHouse({
    name: 'hosted',
    publish: async ({ pages }) => {
      sent.slugs = pages.map(({ slug }) => slug)
      return {
        ...done,
        status: 'triggered',
        tracker: { deploymentId: `d${++number}`, vercelState: 'QUEUED' },
      }
    },
  })
  const states = new Map<string, string>()
  const host = await serve(t, (request, response) => {
    const id = request.url?.split('/').at(-1) ?? ''
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ readyState: states.get(id) }))
  })
  const time = stillClock(noon)
  const variables = { VERCEL_TOKEN: 'token', VERCEL_BASE_URL: host }
  const { website, draft } = await withWebsite(t, { plugins: [hosted], time, variables })
  const endsAs = (state: string) => (id: string) => {
    states.set(id, state)
    time.advance(10_000)
  }
  return { website, draft, fails: endsAs('ERROR'), arrives: endsAs('READY'), sent, time }
}

t.test('what a failed deployment has published is a change of its draft again', async (t) => {
  const { draft, fails } = await withDeployments(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'Never shown')
  t.match(await dev.publish(), { status: 'triggered' })
  await review.diff()
  t.equal(await review.headingOf('/'), 'Never shown')
  t.match((await dev.diff())['summary'], { totalChangedFields: 0 })
  fails('d1')
  t.match((await dev.diff())['summary'], { totalChangedFields: 1 }, 'a change of the draft again')
  t.equal(await dev.headingOf('/'), 'Never shown')
  t.match((await review.diff())['summary'], { totalChangedFields: 0 })
  t.equal(await review.headingOf('/'), 'Hello', 'the other draft follows')
})

t.test('what several failed deployments have published are changes of their drafts again', async (t) => {
  const subheading = ({ ops }: ReturnType<typeof draftOf>, slug: string) =>
    ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { subheading: 'Second' } }])
  for (const [name, slug, ends] of [
    ['on one page', '/', ['d1', 'd2']],
    ['on one page, the later one first', '/', ['d2', 'd1']],
    ['on two pages', '/about', ['d1', 'd2']],
  ] as const)
    await t.test(name, async (t) => {
      const { website, draft, fails } = await withDeployments(t)
      website.siteConfig = { name: 'Acme' }
      const [dev, review] = [draft('dev'), draft('review')]
      await Promise.all([dev.fill(), review.fill()])
      await dev.heading('/', 'First')
      await dev.config({ name: 'First' })
      t.match(await dev.publish(), { status: 'triggered' })
      await subheading(review, slug)
      await review.config({ logo: '/second.png' })
      t.match(await review.publish(), { status: 'triggered' })
      await dev.diff()
      for (const id of ends) {
        fails(id)
        await dev.diff()
        await review.diff()
      }
      const changes = { totalChangedFields: 1, siteConfigChangedFields: 1 }
      t.match(await dev.diff(), { summary: changes, conflicts: { length: 0 } })
      t.match(await review.diff(), { summary: changes, conflicts: { length: 0 } })
      t.match([await dev.headingOf('/'), (await dev.props(slug))['subheading']], ['First', undefined])
      t.match([await review.headingOf('/'), (await review.props(slug))['subheading']], ['Hello', 'Second'])
      const settings = async ({ get }: typeof dev) => (await get('/draft/site-config')).json()
      t.match(await settings(dev), { name: 'First', logo: undefined })
      t.match(await settings(review), { name: 'Acme', logo: '/second.png' })
    })
})

t.test('a change of a page whose rename has failed is one of the page at its address', async (t) => {
  for (const [name, isPublished, ends] of [
    ['not published', false, ['d1']],
    ['published and failed', true, ['d1', 'd2']],
    ['published and failed first', true, ['d2', 'd1']],
  ] as const)
    await t.test(name, async (t) => {
      const { draft, fails } = await withDeployments(t)
      const [dev, review] = [draft('dev'), draft('review')]
      await Promise.all([dev.fill(), review.fill()])
      await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/firm' }])
      t.match(await dev.publish(), { status: 'triggered' })
      await review.diff()
      const patch = { heading: 'Second' }
      await review.ops([{ op: 'update_props', pageSlug: '/firm', blockId: 'b/about', patch }])
      if (isPublished) t.match(await review.publish(), { status: 'triggered' })
      for (const id of ends) {
        fails(id)
        await dev.diff()
        await review.diff()
      }
      t.strictSame(await dev.slugs(), ['/', '/firm', '/prices'])
      t.equal(await dev.headingOf('/firm'), 'Hello')
      t.strictSame(await review.slugs(), ['/', '/about', '/prices'])
      t.equal(await review.headingOf('/about'), 'Second')
      t.match(await review.diff(), {
        summary: { pagesModified: 1, totalChangedFields: 1 },
        conflicts: { length: 0 },
      })
    })
})

t.test('what one draft has published twice, and failed, are changes of it again', async (t) => {
  const { draft, fails, time } = await withDeployments(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'First')
  t.match(await dev.publish(), { status: 'triggered' })
  await dev.heading('/about', 'Second')
  t.match(await dev.publish(), { status: 'triggered' })
  fails('d1')
  fails('d2')
  await dev.diff()
  // Only the newest deployment of a draft is followed, the others end with their time.
  time.advance(hour)
  t.match(await dev.diff(), { summary: { totalChangedFields: 2 } })
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['First', 'Second'])
})

t.test('a deployment brings what an earlier one that failed has published', async (t) => {
  const { website, draft, fails, arrives } = await withDeployments(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'First')
  t.match(await dev.publish(), { status: 'triggered' })
  await review.heading('/about', 'Second')
  t.match(await review.publish(), { status: 'triggered' })
  fails('d1')
  await dev.diff()
  website.pages = [page('/', 'First'), page('/about', 'Second'), page('/prices')]
  arrives('d2')
  for (const each of [dev, review]) {
    t.match(await each.diff(), { summary: { totalChangedFields: 0 }, conflicts: { length: 0 } })
    t.strictSame([await each.headingOf('/'), await each.headingOf('/about')], ['First', 'Second'])
  }
})

t.test('pages that a failed deployment has swapped are changes of its draft again', async (t) => {
  const { draft, fails } = await withDeployments(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.ops([
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/swap' },
    { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/about' },
    { op: 'rename_page', pageSlug: '/swap', newPageSlug: '/prices' },
  ])
  t.match(await dev.publish(), { status: 'triggered' })
  await review.diff()
  t.strictSame(await review.slugs(), ['/', '/prices', '/about'])
  fails('d1')
  t.match(await dev.diff(), { conflicts: { length: 0 } })
  const blocksOf = async ({ get }: typeof dev, slug: string) => (await get('/draft/pages', { slug })).json()
  t.match(await blocksOf(dev, '/about'), { blocks: [{ id: 'b/prices' }] })
  t.match(await blocksOf(dev, '/prices'), { blocks: [{ id: 'b/about' }] })
  t.match((await review.diff())['summary'], { totalChangedFields: 0 })
  t.strictSame(await review.slugs(), ['/', '/about', '/prices'])
  t.match(await blocksOf(review, '/about'), { blocks: [{ id: 'b/about' }] })
})

t.test('a page that a failed deployment has renamed is one page still', async (t) => {
  const { draft, fails } = await withDeployments(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }])
  t.match(await dev.publish(), { status: 'triggered' })
  fails('d1')
  t.match(await dev.diff(), { summary: { pagesAdded: 0, pagesModified: 1, pagesRemoved: 0 } })
  t.strictSame(await dev.slugs(), ['/', '/us', '/prices'])
})

t.test('places that a failed deployment has published are changes of its draft again', async (t) => {
  const move = (pageSlug: string) => ({ op: 'move_page', pageSlug, afterPageSlug: '/' })
  const rename = { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/costs' }
  for (const [name, ops, slugs] of [
    ['moved', [move('/prices')], ['/', '/prices', '/about']],
    ['moved and renamed', [move('/prices'), rename], ['/', '/costs', '/about']],
    [
      'added',
      [{ op: 'create_page', page: page('/jobs') }, move('/jobs')],
      ['/', '/jobs', '/about', '/prices'],
    ],
    [
      'moved beside one that is removed',
      [
        { op: 'create_page', page: page('/jobs') },
        move('/jobs'),
        move('/prices'),
        { op: 'remove_page', pageSlug: '/about' },
      ],
      ['/', '/prices', '/jobs'],
    ],
  ] as const)
    await t.test(name, async (t) => {
      const { draft, fails, sent } = await withDeployments(t)
      const [dev, review] = [draft('dev'), draft('review')]
      await Promise.all([dev.fill(), review.fill()])
      await dev.ops(ops)
      t.match(await dev.publish(), { status: 'triggered' })
      await review.diff()
      t.strictSame(await review.slugs(), slugs)
      fails('d1')
      t.match(await dev.diff(), { conflicts: { length: 0 } })
      t.strictSame(await dev.slugs(), slugs)
      await review.diff()
      t.strictSame(await review.slugs(), ['/', '/about', '/prices'])
      t.match(await dev.publish(), { status: 'triggered' })
      t.strictSame(sent.slugs, slugs)
    })
})

t.test('what was edited again since a failed deployment is one change from before it', async (t) => {
  const { website, draft, fails } = await withDeployments(t)
  website.siteConfig = { name: 'Acme' }
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Never shown')
  await dev.config({ name: 'Never shown' })
  t.match(await dev.publish(), { status: 'triggered' })
  await dev.heading('/', 'Later')
  await dev.config({ name: 'Later' })
  fails('d1')
  const { conflicts, summary } = await dev.diff()
  t.strictSame(conflicts, [])
  t.match(summary, { totalChangedFields: 1, siteConfigChangedFields: 1 })
  t.equal(await dev.headingOf('/'), 'Later')
})

t.test('a site that is changed between the read and the write is read and merged again', async (t) => {
  let content: SiteContent = { pages: threePages }
  let deploy: (() => void) | undefined
  const site = createSiteEditor({
    adapter: { readContent: async () => content },
    publish: ({ pages }) => {
      content = { pages }
      return { ok: true, slugs: pages.map(({ slug }) => slug) }
    },
    logger: capturedLog('silent').log,
  })
  const { draft } = await withWebsite(t, {}, threePages, (request, response) => {
    if (request.url === '/api/editor/publish') deploy?.()
    void site.node(request, response)
  })
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/about', 'Edited')
  t.teardown(() => site.close())
  let deploys = 1
  deploy = () => {
    if (deploys-- > 0) content = { pages: [page('/', 'Deployed'), ...content.pages.slice(1)] }
  }
  t.match(await dev.publish(), { status: 'ready' })
  const headings = () => content.pages.map(({ blocks }) => blocks[0]?.props['heading'])
  t.strictSame(headings(), ['Deployed', 'Edited', 'Hello'])
  t.equal(await dev.headingOf('/'), 'Deployed')

  let number = 0
  deploy = () => (content = { pages: [page('/', `Deployed ${++number}`), ...content.pages.slice(1)] })
  await dev.heading('/about', 'Again')
  t.match(await dev.publish(), { code: 'site_changed', reason: /several times/ })
  t.strictSame([number, headings()], [3, ['Deployed 3', 'Edited', 'Hello']])
})

t.test('a site that goes back to what it had before a publish with overwrite is followed', async (t) => {
  const time = stillClock(noon)
  const { website, draft } = await withWebsite(t, { time })
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  website.pages = [page('/', 'Theirs'), ...threePages.slice(1)]
  t.match(await dev.publish(), { code: 'site_conflict' })
  t.match(await dev.publish({ overwrite: true }), { status: 'ready' })
  time.advance(hour)
  website.pages = [page('/', 'Theirs'), ...threePages.slice(1)]
  t.match(await dev.diff(), { conflicts: emptyList, summary: { pagesModified: 0 } })
  t.equal(await dev.headingOf('/'), 'Theirs')
})

t.test('what was decided through one replica is no conflict for another', async (t) => {
  const storage = { ...createMemoryStore(), shared: true }
  const { website, origin, headingOf, draft } = await withWebsite(t, { storage })
  const env = { ORCHESTRATOR_CORS_ORIGINS: origin }
  const other = mountForTest(t, publishing({ env, storage }))
  const [dev, elsewhere] = [draft('dev'), draftOf((request) => other.inject(request), 'dev')]
  await dev.fill()
  await dev.heading('/', 'Mine')
  website.pages = [page('/', 'Theirs'), ...threePages.slice(1)]
  await dev.diff()
  const id = (await elsewhere.diff()).conflicts[0]?.id ?? 'none'
  await dev.decide([{ id, take: 'draft' }])
  t.strictSame((await elsewhere.diff())['conflicts'], [])
  t.match(await elsewhere.publish(), { status: 'ready' })
  t.equal(headingOf('/'), 'Mine')
})

/** Pauses publishes of the draft `dev` in a check; claims are prolonged when the test ticks. */
function pauseOfDev(t: Test) {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const [paused, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pausing = checking(async ({ id }) => {
    if (id.session !== 'dev') return
    paused.resolve()
    await going.promise
  })
  return { pausing, paused: paused.promise, go: going.resolve }
}

t.test('a publish that paused until another process has the turn writes nothing', async (t) => {
  const storage = { ...createMemoryStore(), shared: true }
  const time = stillClock(noon)
  const { pausing, paused, go } = pauseOfDev(t)
  const { origin, headingOf, draft } = await withWebsite(t, { storage, time, plugins: [pausing] })
  const env = { ORCHESTRATOR_CORS_ORIGINS: origin }
  const other = mountForTest(t, publishing({ env, storage, time }))
  const [dev, review] = [draft('dev'), draftOf((request) => other.inject(request), 'review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'From dev')
  await review.heading('/about', 'From review')
  const first = dev.publish()
  await paused
  time.advance(31_000)
  t.match(await review.publish(), { status: 'ready' })
  mock.timers.tick(10_000)
  // The claim is read again.
  await new Promise(setImmediate)
  go()
  t.match(await first, { status: 'failed', error: /others took over/ })
  t.strictSame([headingOf('/'), headingOf('/about')], ['Hello', 'From review'])
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame([headingOf('/'), headingOf('/about')], ['From dev', 'From review'])
})

t.test('a scheduled publish that another process has carried out is not published again', async (t) => {
  const storage = { ...createMemoryStore(), shared: true }
  const time = stillClock(noon)
  const { pausing, paused, go } = pauseOfDev(t)
  const both = { ...atTimes(time), storage }
  const { mounted, origin, website, draft } = await withWebsite(t, { ...both, plugins: [pausing] })
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.heading('/', 'From dev')
  await review.heading('/about', 'From review')
  t.match(await review.publish({ at: inHours(1) }), { status: 'scheduled' })
  let published = 0
  website.whilePublished = async () => void published++
  const first = dev.publish()
  await paused
  time.advance(hour)
  // The first process has claimed it, and waits for the turn of its site.
  const { counts } = await mounted.get(jobs)
  await until(async () => (await counts()).some(({ queue, running }) => queue === 'publish' && running === 1))
  time.advance(31_000)
  await mountForTest(t, publishing({ ...both, env: { ORCHESTRATOR_CORS_ORIGINS: origin } })).get(jobs)
  await until(async () => published === 1)
  mock.timers.tick(10_000)
  await new Promise(setImmediate)
  go()
  t.match(await first, { status: 'failed' })
  t.equal(published, 1)
  // Its turn comes after that of the scheduled publish.
  t.match(await dev.publish(), { status: 'ready' })
  const log = await review.log()
  t.match(log, [{ status: 'success' }])
  t.equal(log.length, 1, 'only the process that has published has a row')
  t.equal(published, 2)
})

t.test('a value that is typed again after its conflict was shown is decided by that', async (t) => {
  const { website, headingOf, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  await dev.heading('/about', 'Mine too')
  website.pages = [page('/', 'Theirs'), page('/about', 'Theirs'), page('/prices')]
  await dev.follow()
  await dev.heading('/', 'Not seen yet')
  t.match(await dev.publish(), { code: 'site_conflict', conflicts: { length: 2 } })
  await dev.heading('/', 'Mine after all')
  t.match(await dev.publish(), { code: 'site_conflict', conflicts: { length: 1 } })
  await dev.heading('/about', 'Mine as well')
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame([headingOf('/'), headingOf('/about')], ['Mine after all', 'Mine as well'])
})

t.test('a refused publish ends no deployment', async (t) => {
  const time = stillClock(noon)
  const target = inHouse({
    name: 'starter',
    publish: async () => ({ ...done, status: 'triggered', tracker: {} }),
  })
  const { website, draft } = await withWebsite(t, { time, targets: [target] })
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  t.match(await dev.publish(), { status: 'triggered' })
  website.pages = threePages.with(1, page('/about', 'Theirs'))
  await dev.heading('/about', 'Mine')
  t.match(await dev.publish(), { code: 'site_conflict' })
  t.match((await dev.diff())['conflicts'], [{ slug: '/about' }])
  t.equal(await dev.headingOf('/'), 'Mine', 'the site is still behind')
  time.advance(3_600_000)
  await dev.diff()
  t.equal(await dev.headingOf('/'), 'Hello', 'the deployment is over, and the site has something else')
})

t.test('a publish of single pages decides nothing on other pages', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/about', 'Mine')
  website.pages = [page('/'), page('/prices')]
  await dev.ops([{ op: 'create_page', page: page('/jobs') }])
  t.match(await dev.publish({ pages: ['/jobs'] }), { status: 'ready' })
  t.match((await dev.diff()).conflicts, [{ slug: '/about', kind: 'removed_on_site' }])
  t.match(await dev.publish(), { code: 'site_conflict' })
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/prices', '/jobs'],
  )
})

t.test(
  'what a client has pushed differs from the site, also once the settings of the site were loaded',
  async (t) => {
    const { website, draft } = await withWebsite(t)
    website.siteConfig = { name: 'Acme' }
    const dev = draft('dev')
    await dev.bootstrap([page('/', 'Pushed')])
    t.match((await dev.get('/draft/site-config')).json(), { name: 'Acme' })
    t.match(await dev.follow(), { status: 'unchanged' })
    t.strictSame([await dev.slugs(), await dev.headingOf('/')], [['/'], 'Pushed'])
  },
)

t.test('a draft follows the first of several sites that are named, and is published to each', async (t) => {
  const sites = await Promise.all([
    startWebsite(t, { pages: threePages }),
    startWebsite(t, { pages: threePages }),
  ])
  const [staging, live] = sites
  const env = { ORCHESTRATOR_CORS_ORIGINS: sites.map(({ origin }) => origin).join(',') }
  const mounted = mountForTest(t, publishing({ env }))
  const dev = draftOf((request) => mounted.inject(request), 'dev')
  await dev.bootstrap(threePages)
  const diffOf = async ({ origin }: typeof live) =>
    v.parse(Diff, (await dev.get('/publish/diff', { siteOrigin: origin })).json())
  await diffOf(staging)
  await dev.heading('/', 'Edited')
  t.match(await dev.publish({ siteOrigin: staging.origin }), { status: 'ready' })
  staging.answers.pages.body = { pages: [page('/', 'Edited'), page('/about', 'On staging'), page('/prices')] }
  t.match((await diffOf(live)).summary, { totalChangedFields: 1 })
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Edited', 'Hello'])
  t.match(await dev.publish({ siteOrigin: live.origin }), { status: 'ready' })
  t.match(live.sent().at(-1)?.body, { pages: [{ blocks: [{ props: { heading: 'Edited' } }] }] })
  t.match((await diffOf(staging)).summary, { totalChangedFields: 0 })
  t.strictSame([await dev.headingOf('/'), await dev.headingOf('/about')], ['Edited', 'On staging'])
})

t.test('keys that the site has for itself, beside what a diff shows, stay as it has them', async (t) => {
  const withLayout = (layout: string): readonly Page[] => {
    const [home = page('/'), ...others] = threePages
    const [block] = home.blocks
    return [{ ...home, layout, blocks: block ? [{ ...block, note: layout }] : [] }, ...others]
  }
  const { website, draft } = await withWebsite(t, {}, [...withLayout('wide')])
  const dev = draft('dev')
  await dev.fill()
  website.pages = withLayout('narrow')
  await dev.heading('/about', 'Edited')
  t.match(await dev.publish(), { status: 'ready' })
  t.match(website.pages[0], { layout: 'narrow', blocks: [{ note: 'narrow' }] })
})

t.test('settings that the site does not show survive a publish of another draft', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme' }
  website.lists = () => ({ pages: website.pages, siteConfig: { name: website.siteConfig?.['name'] } })
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.config({ themeOverrides: { '--accent': 'red' } })
  t.match(await dev.publish(), { status: 'ready' })
  await review.heading('/', 'Edited')
  t.match(await review.publish(), { status: 'ready' })
  t.strictSame(website.siteConfig, { name: 'Acme', themeOverrides: { '--accent': 'red' } })
  await dev.diff()
  t.match((await dev.get('/draft/site-config')).json(), { themeOverrides: { '--accent': 'red' } })
})

t.test('a site setting that is typed again after its conflict was shown is decided by that', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { logo: 'Acme' }
  const dev = draft('dev')
  await dev.fill()
  await dev.config({ logo: 'Mine' })
  website.siteConfig = { logo: 'Theirs' }
  t.match(await dev.publish(), { code: 'site_conflict', conflicts: [{ slug: '', path: 'logo' }] })
  await dev.heading('/', 'Something else')
  t.match(await dev.publish(), { code: 'site_conflict' })
  await dev.config({ logo: 'Mine after all' })
  t.match(await dev.publish(), { status: 'ready' })
  t.match(website.siteConfig, { logo: 'Mine after all' })
})

t.test('a scheduled publish that is made first and comes last replaces nothing newer', async (t) => {
  const time = stillClock(noon)
  const { headingOf, draft } = await withWebsite(t, atTimes(time))
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Older')
  await dev.publish({ at: inHours(2) })
  // Their order is that of the versions: the clocks of two processes may differ.
  await dev.heading('/', 'Newer')
  await dev.publish({ at: inHours(1) })
  time.advance(hour)
  await until(async () => (await dev.log()).length === 1, 'the newer one')
  time.advance(hour)
  await until(async () => (await dev.log()).length === 2, 'the older one')
  t.equal(headingOf('/'), 'Newer')
  t.match(await dev.scheduled(), [{ status: 'failed', error: /heading was changed on the site to "Newer"/ }])
})

t.test('pages that are back at their own addresses follow the site there', async (t) => {
  const pages = [page('/'), page('/about', 'About'), page('/prices', 'Prices')]
  const { website, draft } = await withWebsite(t, {}, pages)
  const dev = draft('dev')
  await dev.fill()
  const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
  const swap = [rename('/about', '/x'), rename('/prices', '/about'), rename('/x', '/prices')]
  await dev.ops(swap)
  await dev.undo('/about')
  website.pages = [page('/'), page('/about', 'About 2'), page('/prices', 'Prices')]
  t.match(await dev.follow(), { status: 'followed', conflicts: { length: 0 } })
  t.equal(await dev.headingOf('/about'), 'About 2')
  await dev.ops(swap)
  await dev.undo('/about')
  await dev.ops(swap)
  website.pages = [page('/'), page('/about', 'About 3'), page('/prices', 'Prices')]
  t.match(await dev.follow(), { status: 'followed', conflicts: { length: 0 } })
  t.strictSame([await dev.headingOf('/about'), await dev.headingOf('/prices')], ['Prices', 'About 3'])
})

t.test('a value that the site shows again is followed, while it hides another one', async (t) => {
  const time = stillClock(noon)
  const { website, draft } = await withWebsite(t, { time })
  const dev = draft('dev')
  website.siteConfig = { logo: 'a.png' }
  await dev.fill()
  await dev.heading('/', 'Mine')
  await dev.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { subheading: 'Mine' } }])
  await dev.config({ logo: 'b.png', themeOverrides: { '--accent': 'red' } })
  const without = (names: readonly string[]) => {
    const [home = page('/'), ...others] = website.pages
    const props = Object.entries(home.blocks[0]?.props ?? {}).filter(([name]) => !names.includes(name))
    const blocks = home.blocks.map((block) => ({ ...block, props: Object.fromEntries(props) }))
    const config = Object.entries(website.siteConfig ?? {}).filter(([name]) => !names.includes(name))
    return { pages: [{ ...home, blocks }, ...others], siteConfig: Object.fromEntries(config) }
  }
  website.lists = () => without(['heading', 'subheading', 'logo', 'themeOverrides'])
  t.match(await dev.publish({ overwrite: true }), { status: 'ready' })
  website.lists = () => without(['subheading', 'themeOverrides'])
  t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { totalChangedFields: 0 } })
  t.equal(await dev.headingOf('/'), 'Mine')
  time.advance(hour)
  Object.assign(website, without(['heading', 'logo']))
  await dev.diff()
  t.match(await dev.props('/'), { heading: undefined, subheading: 'Mine' })
  const config = v.parse(Fields, (await dev.get('/draft/site-config')).json())
  t.strictSame(config, { themeOverrides: { '--accent': 'red' } })
})

t.test('settings that the site changes while it is behind are followed back as well', async (t) => {
  const slow = inHouse({ name: 'slow', publish: async () => ({ ...done, status: 'triggered', tracker: {} }) })
  const { website, draft } = await withWebsite(t, { plugins: [slow], time: stillClock(noon) })
  website.siteConfig = { logo: 'first.png' }
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.config({ logo: 'second.png' })
  t.match(await dev.publish(), { status: 'triggered' })
  for (const logo of ['third.png', 'first.png']) {
    website.siteConfig = { logo }
    await review.diff()
    t.match((await review.get('/draft/site-config')).json(), { logo })
  }
})

t.test('a site is read once for all that ask within a second, until it is published to', async (t) => {
  const time = stillClock(noon)
  const tags: { etag?: string } = { etag: '"1"' }
  const seen = { reads: 0, content: { pages: threePages }, isRefused: false }
  const { draft } = await withWebsite(
    t,
    { time, publish: { sharedLookMs: 1_000 } },
    threePages,
    async (request, response) => {
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json', ...tags }).end(JSON.stringify(body))
      if (request.url?.startsWith('/api/editor/pages')) return answer(200, (seen.reads++, seen.content))
      if (request.url !== '/api/editor/publish') return answer(404, {})
      const { pages } = v.parse(Sent, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
      if (seen.isRefused) return answer(500, { error: 'Full' })
      seen.content = { pages: [...pages] }
      return answer(200, { ok: true })
    },
  )
  const [dev, review, late] = [draft('dev'), draft('review'), draft('late')]
  await Promise.all([dev.fill(), review.fill(), late.fill()])
  await late.diff()
  await dev.heading('/', 'Mine')
  const readsOf = async (act: () => Promise<unknown>) => {
    const before = seen.reads
    await act()
    return seen.reads - before
  }
  time.advance(1_000)
  t.equal(await readsOf(() => Promise.all([dev.diff(), review.diff(), late.follow()])), 1)
  t.equal(await readsOf(() => dev.publish()), 1, 'only what it shows after the publish')
  t.equal(await readsOf(() => review.diff()), 1, 'what was read before a publish is out of date')
  t.equal(await review.headingOf('/'), 'Mine')
  t.equal(await readsOf(() => late.diff()), 0)

  seen.isRefused = true
  await dev.heading('/', 'Full')
  t.equal(await readsOf(() => dev.publish()), 0)
  t.equal(await readsOf(() => review.diff()), 1, 'a publish that failed may have changed the site')
  time.advance(1_000)
  t.equal(await readsOf(() => Promise.all([dev.diff(), review.diff()])), 1)

  delete tags.etag
  seen.isRefused = false
  time.advance(1_000)
  t.equal(await readsOf(() => late.diff()), 1)
  t.equal(await readsOf(() => dev.publish()), 2, 'a site without a tag is read again for a publish')
})

t.test('a diff between two steps of a run waits for nothing, and the run goes on', async (t) => {
  const { website, mounted, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  const { commit } = await mounted.get(drafts)
  /** Every step is a transaction of its own, so that no change is open between two. */
  const step = async (slug: string, heading: string) => {
    const op = { op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading } }
    const parsed = parseOperations([op])
    if (!parsed.ok) throw new Error(parsed.message)
    const edit = { kind: 'operations', ops: parsed.ops, source: 'planner', summary: 'A run' } as const
    const id = { siteId, session: 'dev' }
    await commit({ id, edit, run: 'a', actor: { kind: 'agent' }, channel: 'agent' }, () => undefined)
  }
  await step('/', 'First step')
  website.pages = [page('/'), page('/about', 'Deployed'), page('/prices')]
  t.match(await dev.diff(), { summary: { pagesModified: 1 }, conflicts: { length: 0 } })
  await step('/prices', 'Second step')
  t.match(await dev.diff(), { summary: { pagesModified: 2 }, conflicts: { length: 0 } })
  const headings = await Promise.all(['/', '/about', '/prices'].map((slug) => dev.headingOf(slug)))
  t.strictSame(headings, ['First step', 'Deployed', 'Second step'])
  for (const slug of ['/', '/prices']) t.equal((await dev.undo(slug)).status, 200)
  t.match(await dev.diff(), { summary: { pagesModified: 0 }, conflicts: { length: 0 } })
})

t.test(
  'what was read before a publish removes no page that a client has pushed to another draft',
  async (t) => {
    const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const site = { pages: [page('/')] }
    let isPublished = false
    const { draft } = await withWebsite(
      t,
      { time: stillClock(noon), publish: { sharedLookMs: 1_000 } },
      [],
      async (request, response) => {
        if (request.method === 'POST') {
          const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
          site.pages = [...v.parse(Sent, body).pages]
          isPublished = true
        } else if (isPublished) {
          asked.resolve()
          await release.promise
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(site))
      },
    )
    const [dev, review] = [draft('dev'), draft('review')]
    const pushed = { pages: [page('/'), page('/new')] }
    for (const each of [dev, review]) await each.send('/draft/bootstrap', pushed)
    await dev.diff()
    const publish = dev.publish()
    await asked.promise
    const diff = review.diff()
    // It uses what was read before, or waits for the site.
    await Promise.race([diff, pause(200)])
    release.resolve()
    t.match(await publish, { status: 'ready' })
    await diff
    t.strictSame(await review.slugs(), ['/', '/new'])
  },
)

t.test(
  'a value that the site has again is another conflict, which an edit does not decide unseen',
  async (t) => {
    const time = stillClock(noon)
    const { website, headingOf, draft } = await withWebsite(t, { time })
    const dev = draft('dev')
    const theirs = () => void (website.pages = [page('/', 'Theirs'), ...threePages.slice(1)])
    await dev.fill()
    await dev.heading('/', 'Mine')
    theirs()
    t.match(await dev.publish(), { code: 'site_conflict' })
    t.match(await dev.publish({ overwrite: true }), { status: 'ready' })
    time.advance(hour)
    theirs()
    await dev.heading('/', 'Newer')
    t.match(await dev.publish(), { code: 'site_conflict' })
    t.equal(headingOf('/'), 'Theirs')
    await dev.heading('/', 'Newest')
    t.match(await dev.publish(), { status: 'ready' }, 'typed again after it was shown')
  },
)

t.test('a publish whose site changes with every read brings the draft onto the newest content', async (t) => {
  const site = { pages: threePages }
  let deploys = 0
  let isRead = false
  const { draft } = await withWebsite(t, {}, [], async (request, response) => {
    const answer = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'POST') {
      const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
      site.pages = [...v.parse(Sent, body).pages]
      return answer({ ok: true })
    }
    const now = { ...site }
    if (deploys > 0 && !isRead) {
      // Another draft reads what is deployed now before the publish has its answer.
      isRead = true
      site.pages = [...site.pages, page(`/deploy-${deploys}`)]
      deploys -= 1
      await review.diff()
      isRead = false
    }
    answer(now)
  })
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await dev.diff()
  await dev.heading('/', 'Mine')
  deploys = 3
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(deploys, 0)
  t.strictSame(
    site.pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]),
    [
      ['/', 'Mine'],
      ...['/about', '/prices', '/deploy-3', '/deploy-2', '/deploy-1'].map((slug) => [slug, 'Hello']),
    ],
  )
})
