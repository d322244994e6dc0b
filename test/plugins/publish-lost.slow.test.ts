/** Publishes that the site has stored, and of which the service recorded nothing. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { give } from '../../kernel/index.ts'
import { contentFiles } from '../../config/content-files.ts'
import { stillClock } from '../../kernel/testing.ts'
import { contentAdapter, type ContentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import { conflictsIn } from '../helpers/conflicts.ts'
import { shared } from '../helpers/git-clones.ts'
import { noon, page, type Setup, withDraft } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { editor } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'
import { filesIn, serviceOn } from '../helpers/website-files.ts'

const env = { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }
const Row = v.looseObject({ id: v.string(), status: v.string() })
const Rows = v.object({ scheduled: v.array(Row) })
const Open = v.array(v.looseObject({ ours: v.string(), theirs: v.string() }))
const Listed = v.object({ scheduled: v.array(v.looseObject({ conflicts: Open, draftConflicts: Open })) })
const Sent = v.looseObject({ pages: v.array(v.unknown()) })
const slugs = ['/', '/about', '/prices']

/** A draft on an adapter, which can store what it gets and fail then. */
async function withAdapter(t: Test) {
  let content: SiteContent = { pages: slugs.map((slug) => page(slug)), siteConfig: { name: 'Acme' } }
  let isLost = false
  const adapter: ContentAdapter = {
    readContent: async () => content,
    async writeContent(next) {
      content = { ...next, pages: next.pages as SiteContent['pages'] }
      if (isLost) throw new Error('it ended before it answered')
    },
  }
  const time = stillClock(noon)
  const setup = await withDraft(
    t,
    { env, time, publish: { lookEveryMs: 10 }, seeds: [give(contentAdapter, adapter)] },
    [],
  )
  await setup.get('/draft/slugs')
  await setup.get('/publish/diff')
  const site = {
    pages: () => content.pages,
    live: () =>
      Object.fromEntries(content.pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']])),
    change: (next: Partial<SiteContent>) => void (content = { ...content, ...next }),
    config: () => content.siteConfig,
    lose: (lost: boolean) => void (isLost = lost),
  }
  const other = (session: string) => {
    const edit = editor((request) => setup.mounted.inject(request), { siteId: 'acme', session })
    return { ...edit, ...actionsOf(edit) }
  }
  return { ...setup, ...actionsOf(setup), site, time, other }
}

const actionsOf = (setup: Pick<Setup, 'ops' | 'get'>) => ({
  heading: (slug: string, heading: string) => setup.ops([headingOf(slug, { heading })]),
  open: async () => conflictsIn(await setup.get('/publish/diff')).map(({ slug, path }) => [slug, path]),
})
const headingOf = (pageSlug: string, patch: object) => ({
  op: 'update_props',
  pageSlug,
  blockId: `b${pageSlug}`,
  patch,
})

t.test(
  'a site that shows what a lost publish has sent is in no conflict with what was typed since',
  async (t) => {
    const { site, ...draft } = await withAdapter(t)
    const lost = async (body = {}) => {
      site.lose(true)
      t.equal((await draft.publish(body)).status, 500)
      site.lose(false)
    }
    await draft.heading('/', 'First')
    await draft.heading('/about', 'Undone')
    await draft.config({ name: 'Sent' })
    await draft.ops([{ op: 'create_page', page: page('/new', 'Added') }])
    await draft.ops([{ op: 'remove_page', pageSlug: '/prices' }])
    await lost()
    t.match(site.live(), { '/': 'First', '/about': 'Undone', '/new': 'Added' })
    await draft.heading('/', 'Second')
    await draft.heading('/about', 'Hello')
    await draft.heading('/new', 'Edited')
    await draft.config({ name: 'Typed' })
    await draft.ops([{ op: 'create_page', page: page('/prices', 'Back') }])
    // The website has changed something else since.
    const changed = site
      .pages()
      .map((each) => (each.slug === '/' ? page('/', 'First', { imageAlt: 'Theirs' }) : each))
    site.change({ pages: changed })
    t.strictSame(await draft.open(), [])
    t.match((await draft.publish()).json(), { status: 'ready' })
    t.strictSame(site.live(), { '/': 'Second', '/about': 'Hello', '/new': 'Edited', '/prices': 'Back' })
    t.match(site.pages().find(({ slug }) => slug === '/')?.blocks, [{ props: { imageAlt: 'Theirs' } }])
    t.match(site.config(), { name: 'Typed' })

    site.change({ pages: site.pages().map((each) => (each.slug === '/' ? page('/', 'First') : each)) })
    await draft.heading('/', 'Third')
    t.strictSame(await draft.open(), [['/', 'heading']], 'after a publish that was recorded it is a conflict')
  },
)

t.test('nor is one with a page that was renamed again, or with a part', async (t) => {
  const { site, ...draft } = await withAdapter(t)
  site.lose(true)
  await draft.ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }])
  await draft.heading('/', 'Part')
  await draft.publish({ pages: ['/'] })
  t.strictSame(Object.keys(site.live()), slugs)
  await draft.heading('/', 'Typed')
  t.strictSame(await draft.open(), [])
  await draft.publish()
  await draft.ops([{ op: 'rename_page', pageSlug: '/us', newPageSlug: '/we' }])
  await draft.heading('/', 'Typed again')
  t.strictSame(await draft.open(), [])
  site.lose(false)
  t.match((await draft.publish()).json(), { status: 'ready' })
  t.strictSame(site.live(), { '/': 'Typed again', '/we': 'Hello', '/prices': 'Hello' })
})

t.test('what a lost publish has left as it was stays a conflict', async (t) => {
  const { site, ...draft } = await withAdapter(t)
  site.change({ pages: site.pages().map((each) => (each.slug === '/' ? page('/', 'Theirs') : each)) })
  await draft.heading('/', 'Mine')
  t.strictSame(await draft.open(), [['/', 'heading']])
  await draft.heading('/about', 'Part')
  site.lose(true)
  await draft.publish({ pages: ['/about'] })
  site.lose(false)
  t.strictSame(await draft.open(), [['/', 'heading']])
  site.change({
    pages: site.pages().map((each) => (each.slug === '/about' ? page('/about', 'Other') : each)),
  })
  await draft.heading('/about', 'Mine')
  t.strictSame((await draft.open()).length, 2, 'as is what the site has changed after it')
  const review = draft.other('review')
  await review.get('/draft/slugs')
  await review.heading('/about', 'Reviewed')
  await draft.heading('/about', 'Sent')
  site.lose(true)
  await draft.publish({ pages: ['/about'], overwrite: true })
  site.lose(false)
  t.equal(site.live()['/about'], 'Sent')
  t.strictSame(await review.open(), [['/about', 'heading']], 'another draft has not sent it')
})

t.test('nor is one with what was scheduled, and sent by a publish that was lost', async (t) => {
  const { site, time, ...draft } = await withAdapter(t)
  const hour = 3_600_000
  const schedule = async (hours: number) => {
    const at = new Date(Date.parse(noon) + hours * hour).toISOString()
    const answer = await draft.publish({ at })
    t.equal(answer.status, 202)
    return v.parse(Row, answer.json()).id
  }
  const rows = async () => v.parse(Rows, (await draft.get('/publish/scheduled')).json()).scheduled
  const isOver = (left: number, status: string) =>
    until(async () => {
      const list = await rows()
      return list.length === left && list.every((each) => each.status === status)
    }, `${left} ${status}`)
  await draft.heading('/', 'First')
  const first = await schedule(1)
  await draft.heading('/', 'Second')
  await schedule(3)
  await draft.heading('/', 'Third')
  site.lose(true)
  time.advance(hour)
  await until(async () => (await rows())[0]?.status === 'failed', 'the first one')
  site.lose(false)
  t.match(site.live(), { '/': 'First' })
  t.strictSame(await draft.open(), [], 'neither with the draft')
  await draft.send(
    '/publish/scheduled',
    { id: first, at: new Date(Date.parse(noon) + 2 * hour).toISOString() },
    {},
    'PATCH',
  )
  time.advance(hour)
  await isOver(1, 'scheduled')
  t.match(site.live(), { '/': 'First' })
  site.lose(true)
  time.advance(hour)
  await isOver(1, 'failed')
  t.match(site.live(), { '/': 'Second' })
  site.lose(false)
  t.strictSame(await draft.open(), [])
  t.match((await draft.publish()).json(), { status: 'ready' })
  t.match(site.live(), { '/': 'Third' })
})

t.test('nor is one in the list of a scheduled publish, but of the draft as it was typed since', async (t) => {
  const { site, ...draft } = await withAdapter(t)
  const at = new Date(Date.parse(noon) + 3_600_000).toISOString()
  const schedule = async () => t.equal((await draft.publish({ at })).status, 202)
  const listed = async (of: Pick<Setup, 'get'> = draft) => {
    const answer = await of.get('/publish/scheduled', { conflicts: '1', others: '1' })
    return v
      .parse(Listed, answer.json())
      .scheduled.map(({ conflicts, draftConflicts }) =>
        [conflicts, draftConflicts].map((all) => all.map(({ ours, theirs }) => [ours, theirs])),
      )
  }
  await draft.heading('/', 'Sent')
  const before = site.pages()
  site.lose(true)
  t.equal((await draft.publish()).status, 500)
  site.lose(false)
  const after = site.pages()
  // What was sent arrives only when the publish was scheduled.
  site.change({ pages: before })
  await draft.heading('/', 'Scheduled')
  await schedule()
  site.change({ pages: after })
  t.strictSame(await listed(), [[[], []]], 'what the draft has sent itself')
  await draft.heading('/', 'Typed')
  t.strictSame(await listed(), [[[], [['Scheduled', 'Typed']]]])
  const review = draft.other('review')
  await review.get('/draft/slugs')
  await review.heading('/about', 'Reviewed')
  t.strictSame(await listed(review), [], 'nor does another draft meet it')
  t.notMatch((await review.send('/publish')).json(), { notes: [/has an older value/] })
  await review.heading('/', 'Reviewed')
  t.strictSame(await listed(review), [[[], [['Scheduled', 'Reviewed']]]])
  // A publish that succeeds ends what is known of it: the value that it brings is newer.
  await draft.heading('/', 'Sent')
  t.strictSame(await listed(), [[[], [['Scheduled', 'Sent']]]])
  t.match((await draft.publish()).json(), { status: 'ready' })
  t.strictSame(await listed(), [[[['Scheduled', 'Sent']], []]])
})

t.test('nor is one with a later scheduled publish, but with an earlier one', async (t) => {
  for (const [isLater, status] of [
    [true, 'done'],
    [false, 'failed'],
  ] as const) {
    const { site, time, ...draft } = await withAdapter(t)
    const at = new Date(Date.parse(noon) + 3_600_000).toISOString()
    await draft.heading('/', 'Scheduled')
    if (!isLater) t.equal((await draft.publish({ at })).status, 202)
    site.lose(true)
    await draft.heading('/', 'Sent')
    await draft.publish()
    site.lose(false)
    await draft.heading('/', 'Typed')
    if (isLater) t.equal((await draft.publish({ at })).status, 202)
    time.advance(3_600_000)
    const rows = async () => v.parse(Rows, (await draft.get('/publish/scheduled')).json()).scheduled
    await until(async () => (await rows()).every((each) => each.status === status), status)
    t.match(site.live(), { '/': isLater ? 'Typed' : 'Sent' })
    t.strictSame(await draft.open(), [])
  }
})

t.test(
  'nor is one of a website whose answer was lost, or of a branch that could not be read again',
  async (t) => {
    let pages: unknown = slugs.map((slug) => page(slug))
    let isLost = false
    const origin = await serve(t, async (request, response) => {
      const isPublish = request.url === '/api/editor/publish'
      if (isPublish)
        pages = v.parse(Sent, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())).pages
      if (isPublish && isLost) return void response.destroy()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isPublish ? { ok: true } : { pages }))
    })
    const website = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: origin } }, [])
    await website.send('/sites/register', { name: 'Acme', previewUrl: origin })
    await website.get('/draft/slugs')
    const { repo, draft } = await shared(t)
    const hook = join(repo.remote, 'hooks', 'post-receive')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\nmv ${repo.remote} ${repo.remote}.away\n`, { mode: 0o755 })
    const lost = {
      website: (lost: boolean) => void (isLost = lost),
      git: (lost: boolean) =>
        lost ? undefined : (renameSync(`${repo.remote}.away`, repo.remote), rmSync(join(hook))),
    }
    for (const [name, setup] of [
      ['website', website],
      ['git', draft],
    ] as const) {
      const { heading, open } = actionsOf(setup)
      await heading('/', 'Sent')
      lost[name](true)
      t.match((await setup.publish()).json(), { status: 'failed' }, name)
      lost[name](false)
      await heading('/', 'Typed')
      t.strictSame(await open(), [], name)
      t.match((await setup.publish()).json(), { status: /ready|triggered/ }, name)
    }
  },
)

t.test('nor is one with files that change their places, and are back there', async (t) => {
  const swap = [
    ['one', 'aside'],
    ['two', 'one'],
    ['aside', 'two'],
  ] as const
  for (const steps of ['swap swap', 'swap lose swap', 'swap lose look swap', 'swap lose swap lose look']) {
    const at = (name: string) => `content/${name}.md`
    const files = Object.fromEntries(
      ['one', 'two'].map((name) => [at(name), `---\ntitle: ${name}\n---\n\nThe file ${name}.\n`]),
    )
    const { folder, text } = filesIn(t, { 'hugo.toml': '', ...files })
    const own = contentFiles(folder)
    let isLost = false
    const adapter: ContentAdapter = {
      ...own,
      async writeContent(...args) {
        await own.writeContent?.(...args)
        if (isLost) throw new Error('it ended before it answered')
      },
    }
    const draft = await serviceOn(t, folder, { adapter })
    const look = () => draft.get('/publish/diff')
    await look()
    const act: Readonly<Record<string, () => Promise<unknown>>> = {
      look,
      async swap() {
        const ops = swap.map(([from, to]) => ({
          op: 'rename_page',
          pageSlug: `/~${at(from)}`,
          newPageSlug: `/~${at(to)}`,
        }))
        t.equal((await draft.ops(ops)).status, 200)
      },
      async lose() {
        isLost = true
        await draft.publish()
        isLost = false
      },
    }
    for (const step of steps.split(' ')) await act[step]?.()
    t.match(await draft.publish(), { status: 'ready' }, steps)
    for (const name of ['one', 'two']) t.equal(text(at(name)), files[at(name)], `${steps}: ${name}`)
  }
})
