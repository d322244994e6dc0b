import t from 'tap'
import * as v from 'valibot'
import type { Page } from '../../plugins/content/page.ts'
import { startDemoStack } from '../helpers/demo.ts'
import { bodyOf, editor, eventsIn, statusOf, versionIn, type Received } from '../helpers/stack.ts'

const at = { session: 'dev', siteId: 'demo' }
const note = { id: 'b_note', type: 'RichText', props: { title: 'A note', body: 'Fresh words' } }
const stats = { pageSlug: '/', blockId: 'b_stats_home', listKey: 'stats' }

/** One operation, the page that shows it, and what an editor sees there. */
interface Step {
  readonly op: { readonly op: string } & Readonly<Record<string, unknown>>
  readonly path: string
  readonly shows: RegExp
  /** What the page no longer shows. */
  readonly hides?: RegExp
  /** The statuses for an editor and a visitor, unless both are 200. */
  readonly status?: readonly [editor: number, visitor: number]
}

const steps: readonly Step[] = [
  {
    op: {
      op: 'update_props',
      pageSlug: '/',
      blockId: 'b_hero_home',
      patch: { heading: 'Ready for the rain' },
    },
    path: '/',
    shows: /Ready for the rain/,
    hides: /Your bike, ready for every day/,
  },
  {
    op: { op: 'add_block', pageSlug: '/', block: note },
    path: '/',
    shows: /Bring it in today[^]*Fresh words/,
  },
  {
    op: { op: 'move_block', pageSlug: '/', blockId: 'b_note' },
    path: '/',
    shows: /Fresh words[^]*Bring it in today/,
  },
  {
    op: { op: 'duplicate_block', pageSlug: '/', blockId: 'b_note', toPageSlug: '/about' },
    path: '/about',
    shows: /Fresh words/,
  },
  {
    op: { op: 'remove_block', pageSlug: '/', blockId: 'b_note' },
    path: '/',
    shows: /Ready for the rain/,
    hides: /Fresh words/,
  },
  {
    op: { op: 'add_item', ...stats, item: { value: '6', label: 'days open' } },
    path: '/',
    shows: /bikes repaired[^]*days open/,
  },
  {
    op: { op: 'update_item', ...stats, index: 3, patch: { label: 'days a week' } },
    path: '/',
    shows: /days a week/,
    hides: /days open/,
  },
  { op: { op: 'move_item', ...stats, index: 3 }, path: '/', shows: /days a week[^]*bikes repaired/ },
  { op: { op: 'remove_item', ...stats, index: 1 }, path: '/', shows: /days a week/, hides: /bikes repaired/ },
  {
    op: {
      op: 'create_page',
      page: { slug: '/news', title: 'What is new', blocks: [{ ...note, id: 'b_news' }] },
    },
    path: '/news',
    shows: /Fresh words/,
    status: [200, 404],
  },
  {
    op: { op: 'update_page_meta', pageSlug: '/news', patch: { description: 'Everything new at the stand' } },
    path: '/news',
    shows: /<meta name="description" content="Everything new at the stand">/,
    status: [200, 404],
  },
  {
    op: { op: 'rename_page', pageSlug: '/pricing', newPageSlug: '/prices' },
    path: '/',
    shows: /href="\/prices"/,
    hides: /href="\/pricing"/,
  },
  {
    op: { op: 'move_page', pageSlug: '/news' },
    path: '/',
    shows: /href="\/news"[^]*href="\/about"[^]*<main/,
  },
  {
    op: { op: 'duplicate_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'Our team' },
    path: '/team',
    shows: /<title>Our team/,
    status: [200, 404],
  },
  { op: { op: 'remove_page', pageSlug: '/faq' }, path: '/faq', shows: /Page not found/, status: [404, 200] },
  {
    op: { op: 'update_site_config', patch: { name: 'Fern & Wheel' } },
    path: '/',
    shows: /"og:site_name" content="Fern &amp; Wheel"/,
    hides: /"og:site_name" content="Fern &amp; Spoke"/,
  },
]

t.test('the main job: edit a live website in a draft, undo, publish, restore', async (t) => {
  const stack = await startDemoStack(t)
  const { ask, visit, site } = stack
  const { get, send, ops, undo, redo, slugs, version, page } = editor(ask, at)
  const json = (path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    bodyOf(get(path, query))
  const shown = async (): Promise<readonly Page[]> => Promise.all((await slugs()).map((slug) => page(slug)))
  const bare = (pages: readonly Page[]): unknown => pages.map(({ updatedAt: _stamp, ...rest }) => rest)
  const listen = async (headers: Readonly<Record<string, string>> = {}) =>
    eventsIn(await fetch(`${stack.origin}/events?${new URLSearchParams(at)}`, { headers }))
  let stream = await listen()
  const heard: Received[] = [...(await stream.take(1))]

  await t.test('a site registers and bootstraps its pages', async (t) => {
    await stack.register()
    t.match(await bodyOf(ask({ url: '/sites' })), {
      sites: [{ id: 'demo', name: 'Fern & Spoke', previewUrl: site }],
    })
    const { pages } = v.parse(
      v.object({ pages: v.array(v.unknown()) }),
      await (await fetch(`${site}/api/editor/pages`)).json(),
    )
    const answer = await send('/draft/bootstrap', { pages, siteOrigin: site })
    t.match(answer.json(), {
      status: 'bootstrapped',
      count: 5,
      slugs: ['/', '/services', '/pricing', '/about', '/faq'],
      previewVersion: 1,
      refused: [],
    })
    t.equal(
      await statusOf(
        send('/draft/bootstrap', { pages, siteOrigin: 'http://elsewhere.test', overwrite: true }),
      ),
      409,
    )
    t.match(
      await bodyOf(send('/draft/bootstrap', { pages, overwrite: true })),
      { previewVersion: 1 },
      'the same pages again change nothing',
    )
    t.same(
      await editor(ask, { ...at, session: 'second' }).slugs(),
      ['/', '/services', '/pricing', '/about', '/faq'],
      'another session is filled on its first use',
    )
    t.match(await json('/publish/diff'), {
      baselineAvailable: true,
      summary: {
        pagesModified: 0,
        pagesAdded: 0,
        pagesRemoved: 0,
        totalChangedFields: 0,
        siteConfigChangedFields: 0,
      },
    })
  })

  const cookie = await stack.draftCookies()
  const forged = cookie.replace(/(editor_draft=[^;]{20})./, '$1x')
  const before = await shown()

  await t.test('each operation is visible only to visitors with draft access', async (t) => {
    t.same(new Set(steps.map(({ op }) => op.op)).size, 16, 'all sixteen')
    for (const { op, path, shows, hides, status = [200, 200] } of steps) {
      const old = await visit(path, cookie)
      const was = await version()
      const answer = await ops([op])
      t.match(answer.json(), { status: 'applied', previewVersion: was + 1, appliedCount: 1 }, op.op)
      const editorSees = await visit(path, cookie)
      t.same([editorSees.status, shows.test(editorSees.html)], [status[0], true], `${op.op} is in the draft`)
      if (hides)
        t.ok(
          hides.test(old.html) && !hides.test(editorSees.html),
          `${op.op} removes the old content from the draft`,
        )
      else t.notOk(shows.test(old.html), `${op.op} caused the change`)
      for (const [who, cookies] of [
        ['a visitor', undefined],
        ['a forged cookie', forged],
        ['a parameter', undefined],
      ] as const) {
        const seen = await visit(who === 'a parameter' ? `${path}?__editor=1` : path, cookies)
        t.equal(seen.status, status[1], `${who} and ${op.op}`)
        t.notOk(shows.test(seen.html), `${who} sees nothing of ${op.op}`)
      }
    }
    t.match(
      [
        await statusOf(visit('/pricing', cookie)),
        await statusOf(visit('/prices', cookie)),
        await statusOf(visit('/faq', cookie)),
      ],
      [404, 200, 404],
    )
    t.match(
      [await statusOf(visit('/pricing')), await statusOf(visit('/prices')), await statusOf(visit('/faq'))],
      [200, 404, 200],
    )
    t.same(await slugs(), ['/', '/news', '/services', '/prices', '/about', '/team'])
  })

  await t.test('a change of several pages is undone from any of them, and redone', async (t) => {
    const rows: readonly [what: string, batch: readonly object[], from: string, again: string][] = [
      [
        'a rename with links',
        [{ op: 'rename_page', pageSlug: '/services', newPageSlug: '/repairs' }],
        '/',
        '/services',
      ],
      ['a page copy', [{ op: 'duplicate_page', pageSlug: '/team', newPageSlug: '/crew' }], '/crew', '/crew'],
      [
        'a block on another page',
        [{ op: 'duplicate_block', pageSlug: '/', blockId: 'b_cta_home', toPageSlug: '/news' }],
        '/news',
        '/news',
      ],
      [
        'a page order and the config',
        [
          { op: 'move_page', pageSlug: '/team' },
          { op: 'update_site_config', patch: { name: 'Other', navLabels: { '/about': '' } } },
        ],
        '/team',
        '/team',
      ],
    ]
    const state = async (): Promise<unknown> => [
      await slugs(),
      bare(await shown()),
      await json('/draft/site-config'),
    ]
    for (const [what, batch, from, again] of rows) {
      const old = await state()
      t.equal(await statusOf(ops(batch)), 200, what)
      const changed = await state()
      t.match(await bodyOf(undo(from)), { status: 'applied', notes: [], canRedo: true })
      t.strictSame(await state(), old, `${what} is gone`)
      t.match(await bodyOf(redo(again)), { status: 'applied', notes: [], canUndo: true })
      t.strictSame(await state(), changed, `${what} is back`)
      await undo(from)
    }
    t.match(
      [await statusOf(visit('/services', cookie)), await statusOf(visit('/repairs', cookie))],
      [200, 404],
    )
  })

  await t.test('a logged version is restored', async (t) => {
    const Log = v.looseObject({
      entries: v.array(v.looseObject({ version: v.number(), opTypes: v.array(v.string()) })),
    })
    const { entries } = v.parse(Log, await json('/history/log', { limit: '100' }))
    const removal = entries.find(({ opTypes }) => opTypes.includes('remove_block'))
    t.match(await bodyOf(send('/history/restore', { targetVersion: (removal?.version ?? 0) - 1 })), {
      status: 'applied',
      navigateToSlug: '/',
    })
    t.ok(/Fresh words[^]*Bring it in today/.test((await visit('/', cookie)).html), 'the moved note is back')
    t.match(await bodyOf(undo('/')), { status: 'applied' })
    t.notOk((await visit('/', cookie)).html.includes('Fresh words'))
  })

  await t.test('a restart loses nothing', async (t) => {
    const state = async (): Promise<unknown> => [
      await version(),
      await shown(),
      await json('/draft/slugs'),
      await json('/draft/site-config'),
      await json('/history/log', { limit: '100' }),
      await bodyOf(ask({ url: '/sites' })),
      await bodyOf(ask({ url: '/sessions' })),
      await Promise.all((await slugs()).map((slug) => json('/history/status', { slug }))),
    ]
    const old = await state()
    const last = await version()
    for (let more = last; more > Number(heard.at(-1)?.id);) heard.push(...(await stream.take(1)))
    await stack.restart()
    const ended = await stream.rest()
    t.match(ended, [{ retry: Number }], 'the stream ends with a retry time')
    t.strictSame(await state(), old)

    await undo('/')
    await redo('/')
    t.same(await version(), last + 2, 'undo and redo continue after the restart')
    stream = await listen({ 'last-event-id': String(last) })
    const [hello, ...missed] = await stream.take(3)
    t.strictSame(hello, { data: { type: 'hello', previewVersion: last + 2 } })
    heard.push(...missed)
  })

  await t.test('one page is discarded, then all of another session', async (t) => {
    t.match(
      await bodyOf(send('/history/discard', { slug: '/news' })),
      { status: 'applied', navigateToSlug: '/' },
      'an unpublished page is removed',
    )
    t.match(
      await bodyOf(send('/history/discard', { slug: '/faq' })),
      { status: 'applied', navigateToSlug: '/faq' },
      'a published page comes back',
    )
    t.same(await slugs(), ['/', '/services', '/prices', '/about', '/team', '/faq'])
    const second = editor(ask, { ...at, session: 'second' })
    await second.ops([
      { op: 'remove_page', pageSlug: '/about' },
      { op: 'create_page', page: { slug: '/odd' } },
      ...steps.slice(0, 1).map(({ op }) => op),
    ])
    t.match(await bodyOf(second.send('/history/discard')), { status: 'applied', notes: [] })
    const pages = await Promise.all(before.map(({ slug }) => second.page(slug)))
    t.strictSame(bare(pages), bare(before))
    t.match(await bodyOf(second.send('/history/discard')), { code: 'nothing_to_discard' })
  })

  await t.test('the diff is shown, published, and visible to everyone', async (t) => {
    t.match(await json('/publish/diff'), {
      baselineAvailable: true,
      summary: { pagesAdded: 2, pagesRemoved: 1, pagesModified: 3, siteConfigChangedFields: Number },
    })
    t.match(await bodyOf(send('/publish/diff')), { summary: { pagesAdded: 2 } })
    const answer = await send('/publish', { siteOrigin: site })
    t.match(answer.json(), {
      status: 'ready',
      slugs: ['/', '/services', '/prices', '/about', '/team', '/faq'],
    })
    const file = await stack.published()
    t.strictSame(file?.pages, await shown(), 'the file holds the draft')
    t.match(file?.siteConfig, { name: 'Fern & Wheel' })
    t.ok(/Ready for the rain[^]*days a week/.test((await visit('/')).html))
    t.match([await statusOf(visit('/prices')), await statusOf(visit('/pricing'))], [200, 404])
    t.match(await json('/publish/status'), { status: 'ready' })
    t.match(await json('/publish/log'), {
      entries: [
        {
          status: 'success',
          target: 'site-contract',
          pageCount: 6,
          diffSummary: { added: 2, removed: 1, changed: 3 },
        },
      ],
    })
    t.match(await json('/publish/diff'), { summary: { pagesAdded: 0, pagesRemoved: 0, pagesModified: 0 } })
    t.match(await bodyOf(send('/history/discard')), { code: 'nothing_to_discard' })
  })

  const Snapshots = v.object({
    snapshots: v.array(v.looseObject({ commit: v.string(), pageCount: v.number() })),
  })
  const snapshots = async () =>
    v.parse(Snapshots, await bodyOf(ask({ url: '/restore/snapshots?siteId=demo' }))).snapshots

  await t.test('a draft of another site cannot be published to this one', async (t) => {
    const mistyped = editor(ask, { session: 'dev', siteId: 'demmo' })
    const old = await stack.published()
    const refused = await mistyped.send('/publish', { siteOrigin: site })
    t.equal(refused.status, 409)
    t.match(refused.json(), {
      ok: false,
      error: 'refused',
      status: 'failed',
      slugs: [],
      reason: /is the site 'demo', not 'demmo'/,
    })
    t.equal(
      await statusOf(mistyped.send('/publish', { siteOrigin: site, allowDelete: true })),
      409,
      'allowDelete does not make it the same site',
    )
    t.strictSame(await stack.published(), old, 'the file is unchanged')
    t.equal(await statusOf(visit('/')), 200)

    t.match(await bodyOf(send('/publish', { siteOrigin: site })), { status: 'ready' })
    t.equal(await statusOf(visit('/')), 200, 'the draft can still be published')
  })

  await t.test('snapshots are listed, restored and deleted', async (t) => {
    const [newest] = await snapshots()
    t.match(newest, {
      commit: /^[0-9a-f]{7}$/,
      pageCount: 6,
      homeHeading: 'Ready for the rain',
      message: /demo::dev/,
    })
    const published = bare(await shown())
    await ops([
      { op: 'remove_page', pageSlug: '/team' },
      { op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: 'Too far' } },
    ])
    await stack.restart()
    t.same((await snapshots())[0], newest, 'a snapshot survives a restart')
    const answer = await send('/restore/snapshot', { commit: newest?.commit })
    t.match(answer.json(), {
      status: 'restored',
      commit: newest?.commit,
      session: 'dev',
      scopedSession: 'demo::dev',
      previewVersion: await version(),
    })
    t.strictSame(bare(await shown()), published)
    t.match(await bodyOf(send('/draft/bootstrap', { pages: before, overwrite: true })), {
      reason: 'recently_restored',
    })
    t.match(await bodyOf(undo('/team')), { notes: [] })
    t.ok((await visit('/', cookie)).html.includes('Too far'), 'a restore is undone as one change')
    await redo('/')

    t.match(
      await bodyOf(ask({ method: 'DELETE', url: '/restore/snapshot', json: { commit: newest?.commit } })),
      { status: 'deleted', commit: newest?.commit },
    )
    t.notOk((await snapshots()).some(({ commit }) => commit === newest?.commit))
    t.equal(await statusOf(send('/restore/snapshot', { commit: newest?.commit })), 400)
  })

  await t.test('event streams deliver each change once, and each publish', async (t) => {
    const last = await version()
    const known = new Set(heard.map(({ id }) => id))
    stream = await listen({ 'last-event-id': String(Math.max(...heard.map(({ id }) => Number(id ?? 0)))) })
    while (!known.has(String(last))) {
      const [event] = await stream.take(1)
      if (event?.id !== undefined) known.add(event.id)
      heard.push(...(event ? [event] : []))
    }
    t.same(
      heard.flatMap(({ id }) => (id === undefined ? [] : [Number(id)])),
      Array.from({ length: last + 1 }, (_, id) => id),
    )
    const published = send('/publish', { siteOrigin: site })
    t.match(await stream.take(1), [{ data: { type: 'publish', ...at, status: 'success' } }])
    t.equal(await statusOf(published), 200)
    await stream.close()
  })
  t.ok(
    versionIn(await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { description: 'The end' } }])) > 40,
  )
})
