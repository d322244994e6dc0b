import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give } from '../../kernel/index.ts'
import { mountForTest, stillClock } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { done, inHouse, noon, page, publishing, type PublishingOptions } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'
import { draftOf, Fields, Sent, siteId, threePages, withWebsite } from '../helpers/website.ts'

const hour = 3_600_000

/** A website without the subheadings and the logo in what it lists, whose reads can fail. */
async function withAwaySite(t: Test, options: PublishingOptions = {}) {
  const site = {
    pages: threePages as readonly Page[],
    siteConfig: {} as Readonly<Record<string, unknown>>,
    isAway: false,
    /** Whether the site is away once it has been published to. */
    goes: false,
  }
  const setup = await withWebsite(t, options, [], async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'POST') {
      const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
      Object.assign(site, v.parse(Sent, body), { isAway: site.goes })
      return answer(200, { ok: true })
    }
    if (site.isAway || !request.url?.startsWith('/api/editor/pages')) return answer(500, {})
    const { logo: _, ...siteConfig } = site.siteConfig
    const pages = site.pages.map(({ blocks, ...rest }) => ({
      ...rest,
      blocks: blocks.map((block) => ({ ...block, props: { ...block.props, subheading: undefined } })),
    }))
    return answer(200, { pages, siteConfig })
  })
  const [dev, review] = [setup.draft('dev'), setup.draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  return { site, dev, review }
}

const subheading = (text: string) => ({
  op: 'update_props',
  pageSlug: '/',
  blockId: 'b/',
  patch: { subheading: text },
})

for (const overwrite of [false, true])
  t.test(
    `what a site does not show stays as published if it is away ${overwrite ? 'before and ' : ''}after the publish`,
    async (t) => {
      const { site, dev, review } = await withAwaySite(t)
      await dev.ops([subheading('First')])
      await dev.config({ logo: 'first.png' })
      t.match(await dev.publish(), { status: 'ready' })
      await dev.ops([subheading('Second')])
      await dev.config({ logo: 'second.png' })
      Object.assign(site, { goes: true, isAway: overwrite })
      t.match(await dev.publish({ overwrite }), { status: 'ready' })
      site.isAway = false
      t.match(await dev.diff(), { summary: { totalChangedFields: 0 } })
      t.match(await dev.props('/'), { subheading: 'Second' })
      await review.heading('/about', 'Other')
      t.match(await review.publish(), { status: 'ready' })
      t.match(site, {
        pages: [{ blocks: [{ props: { subheading: 'Second' } }] }],
        siteConfig: { logo: 'second.png' },
      })
    },
  )

for (const overwrite of [false, true])
  t.test(
    `a site that is behind, and away ${overwrite ? 'before and ' : ''}after the publish, takes nothing back`,
    async (t) => {
      const built: (readonly Page[])[] = []
      const target = inHouse({
        name: 'starter',
        publish: async ({ pages }) => {
          built.push(pages)
          site.isAway = true
          return { ...done, status: 'triggered', tracker: {} }
        },
      })
      const time = stillClock(noon)
      const { site, dev, review } = await withAwaySite(t, { time, targets: [target] })
      await dev.heading('/', 'Mine')
      await dev.ops([
        { op: 'create_page', page: page('/jobs') },
        { op: 'move_page', pageSlug: '/prices', afterPageSlug: '/' },
      ])
      await dev.config({ name: 'Mine' })
      site.isAway = overwrite
      t.match(await dev.publish({ overwrite }), { status: 'triggered' })
      site.isAway = false
      t.match(await dev.diff(), { summary: { totalChangedFields: 0, pagesAdded: 0 } })
      t.equal(await dev.headingOf('/'), 'Mine')
      await review.heading('/about', 'Other')
      t.match(await review.publish(), { status: 'triggered' })
      t.strictSame(
        built.at(-1)?.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]),
        [
          ['/', 'Mine'],
          ['/prices', 'Hello'],
          ['/about', 'Other'],
          ['/jobs', 'Hello'],
        ],
      )
    },
  )

for (const readsFirst of [true, false])
  t.test(
    `a failed deployment of a site that ${readsFirst ? 'is away since' : 'was never read before'} the publish is undone`,
    async (t) => {
      const states = new Map<string, string>()
      const host = await serve(t, (request, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ readyState: states.get(request.url?.split('/').at(-1) ?? '') }))
      })
      const hosted = inHouse({
        name: 'hosted',
        publish: async () => {
          isAway = true
          return { ...done, status: 'triggered', tracker: { deploymentId: 'd1', vercelState: 'QUEUED' } }
        },
      })
      const time = stillClock(noon)
      const variables = { VERCEL_TOKEN: 'token', VERCEL_BASE_URL: host }
      let isAway = !readsFirst
      const { draft } = await withWebsite(
        t,
        { plugins: [hosted], time, variables },
        [],
        (request, response) => {
          request.resume()
          response
            .writeHead(isAway ? 500 : 200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ pages: threePages }))
        },
      )
      const [dev, review] = [draft('dev'), draft('review')]
      for (const each of [dev, review]) await (readsFirst ? each.fill() : each.bootstrap(threePages))
      await dev.heading('/', 'Never shown')
      t.match(await dev.publish(), { status: 'triggered' })
      states.set('d1', 'ERROR')
      time.advance(10_000)
      await dev.get('/publish/diff')
      isAway = false
      t.match(await dev.diff(), { summary: { totalChangedFields: 1 } }, 'a change of the draft again')
      t.equal(await dev.headingOf('/'), 'Never shown')
      t.match(await review.diff(), { summary: { totalChangedFields: 0 } })
      t.equal(await review.headingOf('/'), 'Hello')
    },
  )

t.test('a site that is away gets nothing that was scheduled, also if that may delete pages', async (t) => {
  const time = stillClock(noon)
  const { site, dev, review } = await withAwaySite(t, { time, publish: { lookEveryMs: 10 } })
  await dev.heading('/', 'Mine')
  const at = new Date(Date.parse(noon) + hour).toISOString()
  t.match(await dev.publish({ at, allowDelete: true }), { status: 'scheduled' })
  await review.heading('/about', 'Other')
  t.match(await review.publish(), { status: 'ready' })
  site.isAway = true
  time.advance(hour)
  await until(async () => (await dev.log()).length === 1, 'the scheduled publish')
  t.match(await dev.scheduled(), [{ status: 'failed', error: /Try again once it answers/ }])
  t.match(site.pages, [{}, { blocks: [{ props: { heading: 'Other' } }] }, {}])
})

t.test('a site that never could be read stays one after a publish', async (t) => {
  const { draft } = await withWebsite(t, {}, [], (request, response) => {
    request.resume()
    response
      .writeHead(request.method === 'POST' ? 200 : 500, { 'content-type': 'application/json' })
      .end('{}')
  })
  const dev = draft('dev')
  await dev.bootstrap(threePages)
  for (const heading of ['First', 'Second']) {
    await dev.heading('/', heading)
    t.match(await dev.publish(), { status: 'ready' })
  }
})

t.test('a site that lost most of its pages gets no part of a draft, which does not follow it', async (t) => {
  const pages = ['/', '/a', '/b', '/c', '/d'].map((slug) => page(slug))
  const time = stillClock(noon)
  const { website, headingOf, draft } = await withWebsite(t, { time, publish: { lookEveryMs: 10 } }, pages)
  const dev = draft('dev')
  await dev.fill()
  await dev.diff()
  await dev.heading('/', 'Mine')
  const at = new Date(Date.parse(noon) + hour).toISOString()
  const scheduled = v.parse(Fields, await dev.publish({ at }))
  website.pages = pages.slice(0, 2)
  const refusal = { code: 'site_shrunk', status: 'failed', error: /confirm: true/ }
  t.match(await dev.publish({ pages: ['/'] }), refusal)
  t.match(await dev.publish({ pages: ['/'], at }), refusal)
  time.advance(hour)
  await until(async () => (await dev.log()).length === 2, 'the scheduled publish')
  t.match(await dev.scheduled(), [{ status: 'failed', error: /Choose in the review/ }])
  t.equal(headingOf('/'), 'Hello')
  t.equal((await dev.slugs()).length, 5)

  t.match(await dev.follow({ confirm: true }), { status: 'followed' })
  const again = new Date(time.now().getTime() + hour).toISOString()
  await dev.send('/publish/scheduled', { id: scheduled['id'], at: again }, {}, 'PATCH')
  time.advance(hour)
  await until(async () => (await dev.log()).length === 3, 'the scheduled publish')
  t.strictSame([headingOf('/'), website.pages.length], ['Mine', 2])
})

const eightPages = ['/', '/a', '/b', '/c', '/d', '/e', '/f', '/g'].map((slug) => page(slug))

t.test('the read that filled a draft is one that later answers are compared with', async (t) => {
  const store = createMemoryStore()
  const { website, origin, draft } = await withWebsite(t, { storage: store }, eightPages)
  const dev = draft('dev')
  await dev.fill()
  website.pages = eightPages.slice(0, 2)
  t.match(await dev.follow(), { status: 'confirm' })
  t.equal((await dev.slugs()).length, 8)
  t.match(await dev.diff(), { shrunk: true, notice: /confirm: true/, summary: { pagesAdded: 6 } })

  const late = draft('late')
  await late.fill()
  t.equal((await late.slugs()).length, 2, 'what was filled later has what the site lists')
  t.match(await dev.follow(), { status: 'confirm' }, 'also by a draft that was filled with less')

  const other = mountForTest(t, publishing({ env: { ORCHESTRATOR_CORS_ORIGINS: origin }, storage: store }))
  const there = draftOf((request) => other.inject(request), 'dev')
  t.match(await there.follow(), { status: 'confirm' }, 'in another process')
  t.match(await there.follow({ confirm: true }), { status: 'followed' })
  t.match(await dev.follow(), { status: 'unchanged' })
  t.equal((await dev.slugs()).length, 2)
})

t.test('a draft that no read of the site has filled follows it at first as it is', async (t) => {
  const { website, draft } = await withWebsite(t, {}, eightPages)
  website.pages = eightPages.slice(0, 2)
  const dev = draft('dev')
  await dev.bootstrap(eightPages)
  t.match(await dev.diff(), { summary: { pagesAdded: 6 } })
  t.match(await dev.publish(), { status: 'ready' })
  t.equal(website.pages.length, 8)
})

t.test('a fill counts the pages that can be read', async (t) => {
  const { website, draft } = await withWebsite(t, {}, [])
  const broken = ['/x', '/y', '/z', '/u'].map((slug) => ({ slug, blocks: 'none' }))
  let listed: readonly unknown[] = [...eightPages.slice(0, 4), ...broken]
  website.lists = () => ({ pages: listed })
  const dev = draft('dev')
  await dev.fill()
  listed = [...eightPages.slice(0, 2), ...broken]
  t.match(await dev.follow(), { status: 'followed' })
  listed = broken
  t.match(await dev.follow(), { status: 'confirm' })
  t.equal((await dev.slugs()).length, 2)
})

t.test('an adapter that has lost most of its pages since it filled a draft is not followed', async (t) => {
  let content: SiteContent = { pages: eightPages }
  const adapter = {
    readContent: async () => content,
    writeContent: async (next: SiteContent) => void (content = next),
  }
  const own = { env: { ORCHESTRATOR_DEFAULT_SITE_ID: siteId }, seeds: [give(contentAdapter, adapter)] }
  const mounted = mountForTest(t, publishing(own))
  const dev = draftOf((request) => mounted.inject(request), 'dev')
  await dev.fill()
  content = { pages: [] }
  t.match(await dev.follow(), { status: 'confirm' })
  t.match(await dev.publish(), { code: 'site_shrunk' })
  t.match(await dev.publish({ overwrite: true }), { status: 'ready' })
  t.equal(content.pages.length, 8)
})

t.test('a site that lost most of its pages gets all of them back only on purpose', async (t) => {
  const { website, headingOf, draft } = await withWebsite(t, {}, eightPages)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  website.pages = eightPages.slice(0, 2)
  const at = new Date(Date.parse(noon) + hour).toISOString()
  const refusal = { code: 'site_shrunk', status: 'failed', error: /confirm: true.*overwrite: true/ }
  t.match(await dev.publish(), refusal)
  t.match(await dev.publish({ at }), refusal)
  t.match(await dev.publish({ pages: ['/'], overwrite: true }), { code: 'site_shrunk' })
  t.strictSame([headingOf('/'), website.pages.length], ['Hello', 2])
  t.match(await dev.publish({ overwrite: true }), { status: 'ready' })
  t.strictSame([headingOf('/'), website.pages.length], ['Mine', 8])
  t.match(await dev.follow(), { status: 'unchanged' })
})

t.test('a site that lost most of its pages is nothing that a draft goes back to', async (t) => {
  const { website, draft } = await withWebsite(t, {}, eightPages)
  const dev = draft('dev')
  await dev.fill()
  await dev.diff()
  await dev.heading('/c', 'Mine')
  website.pages = eightPages.slice(0, 2)
  for (const body of [{}, { slug: '/c' }])
    t.match((await dev.send('/history/discard', body)).json(), {
      code: 'baseline_unavailable',
      reason: /less than half.*confirm: true/,
    })
  t.equal((await dev.slugs()).length, 8)
  await dev.follow({ confirm: true })
  t.equal((await dev.send('/history/discard', {})).status, 200)
  t.strictSame(await dev.slugs(), ['/', '/a'])
})
