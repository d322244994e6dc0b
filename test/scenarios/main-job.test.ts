import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import type { Page } from '../../plugins/content/page.ts'
import { demoSiteConfig } from '../helpers/demo-pages.ts'
import { freePort } from '../helpers/raw.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { askOver, bodyOf, editor, eventsIn, statusOf } from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const at = { session: 'dev', siteId: 'demo' }
const Slugs = v.object({ slugs: v.array(v.string()) })
const note = { id: 'b_note', type: 'RichText', props: { title: 'A note', body: 'Fresh words' } }
const stats = { pageSlug: '/', blockId: 'b_stats_home', listKey: 'stats' }

/**
 * One operation, the page that shows it, and what an editor sees there and no longer sees; the statuses for
 * an editor and a visitor, unless both are 200.
 */
type JobStep = readonly [
  path: string,
  op: { readonly op: string } & Readonly<Record<string, unknown>>,
  shows: RegExp,
  hides?: RegExp | undefined,
  status?: readonly [editor: number, visitor: number],
]

const home = { pageSlug: '/' }
const copied = { op: 'duplicate_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'Our team' }
const created = { slug: '/news', title: 'What is new', blocks: [{ ...note, id: 'b_news' }] }
const heading = { heading: 'Ready for the rain' }
const meta = { description: 'Everything new at the stand' }
const described = /<meta name="description" content="Everything new at the stand">/
const [named, wasNamed] = [
  /"og:site_name" content="Fern &amp; Wheel"/,
  /"og:site_name" content="Fern &amp; Spoke"/,
]
const steps: readonly JobStep[] = [
  [
    '/',
    { op: 'update_props', ...home, blockId: 'b_hero_home', patch: heading },
    /Ready for the rain/,
    /Your bike, ready/,
  ],
  ['/', { op: 'add_block', ...home, block: note }, /Bring it in today[^]*Fresh words/],
  ['/', { op: 'move_block', ...home, blockId: 'b_note' }, /Fresh words[^]*Bring it in today/],
  ['/about', { op: 'duplicate_block', ...home, blockId: 'b_note', toPageSlug: '/about' }, /Fresh words/],
  ['/', { op: 'remove_block', ...home, blockId: 'b_note' }, /Ready for the rain/, /Fresh words/],
  [
    '/',
    { op: 'add_item', ...stats, item: { value: '6', label: 'days open' } },
    /bikes repaired[^]*days open/,
  ],
  [
    '/',
    { op: 'update_item', ...stats, index: 3, patch: { label: 'days a week' } },
    /days a week/,
    /days open/,
  ],
  ['/', { op: 'move_item', ...stats, index: 3 }, /days a week[^]*bikes repaired/],
  ['/', { op: 'remove_item', ...stats, index: 1 }, /days a week/, /bikes repaired/],
  ['/news', { op: 'create_page', page: created }, /Fresh words/, undefined, [200, 404]],
  ['/news', { op: 'update_page_meta', pageSlug: '/news', patch: meta }, described, undefined, [200, 404]],
  [
    '/',
    { op: 'rename_page', pageSlug: '/pricing', newPageSlug: '/prices' },
    /href="\/prices"/,
    /href="\/pricing"/,
  ],
  ['/', { op: 'move_page', pageSlug: '/news' }, /href="\/news"[^]*href="\/about"[^]*<main/],
  ['/team', copied, /<title>Our team/, undefined, [200, 404]],
  ['/faq', { op: 'remove_page', pageSlug: '/faq' }, /Page not found/, undefined, [404, 200]],
  ['/', { op: 'update_site_config', patch: { name: 'Fern & Wheel' } }, named, wasNamed],
]

const secret = 'draft-secret-of-the-demo-site'

/** Starts the service and the demo site, which keep their ports in a restart. */
async function start(t: Test) {
  const port = await freePort()
  const env = { DEMO_SITE_PORT: String(port), DRAFT_MODE_SECRET: secret }
  let service = await serveDemo(t, env)
  const { origin, folder } = service
  const site = `http://localhost:${port}`
  return {
    origin,
    site,
    ask: (request: Parameters<typeof askOver>[1]) => askOver(origin, request),
    async restart() {
      await service.stop()
      service = await serveDemo(t, env, service)
    },
    /** Opens a page of the site, with the cookies of an editor or without. */
    async visit(path: string, cookie?: string) {
      const headers = cookie === undefined ? {} : { cookie }
      const response = await fetch(site + path, { redirect: 'manual', headers })
      return { status: response.status, html: await response.text() }
    },
    /** The cookies of a browser that may see drafts. */
    async draftCookies() {
      const entered = await fetch(`${site}/api/editor/draft?secret=${secret}`, { redirect: 'manual' })
      const cookies = entered.headers.getSetCookie().map((line) => line.split(';')[0])
      return cookies.join('; ')
    },
    /** The content file of the site. */
    published: async () =>
      toBaseline(JSON.parse(await readFile(join(folder, 'demo-site', 'content.json'), 'utf8'))),
  }
}

t.test('the main job: edit a live website in a draft, undo, publish, restore', async (t) => {
  const stack = await start(t)
  const { ask, visit, site } = stack
  const { get, send, ops, undo, redo, slugs, version, page } = editor(ask, at)
  const json = (path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    bodyOf(get(path, query))
  const shown = async (): Promise<readonly Page[]> => Promise.all((await slugs()).map((slug) => page(slug)))
  const bare = (pages: readonly Page[]): unknown => pages.map(({ updatedAt: _stamp, ...rest }) => rest)
  const listen = async (headers: Readonly<Record<string, string>> = {}) =>
    eventsIn(await fetch(`${stack.origin}/events?${new URLSearchParams(at)}`, { headers }))

  await t.test('a site registers and bootstraps its pages', async (t) => {
    const json = { siteId: 'demo', name: demoSiteConfig.name, previewUrl: site, config: demoSiteConfig }
    t.equal(await statusOf(ask({ method: 'POST', url: '/sites/register', json })), 200)
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
      refused: emptyList,
    })
    const second = await editor(ask, { ...at, session: 'second' }).slugs()
    t.same(second, v.parse(Slugs, answer.json()).slugs, 'another session is filled on its first use')
  })

  const cookie = await stack.draftCookies()
  const forged = cookie.replace(/(editor_draft=[^;]{20})./, '$1x')

  await t.test('each operation is visible only to visitors with draft access', async (t) => {
    t.same(new Set(steps.map(([, { op }]) => op)).size, 16, 'all sixteen')
    for (const [path, op, shows, hides, status = [200, 200]] of steps) {
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
    for (const [path, editor, visitor] of [
      ['/pricing', 308, 200],
      ['/prices', 200, 404],
      ['/faq', 404, 200],
    ] as const)
      t.same([await statusOf(visit(path, cookie)), await statusOf(visit(path))], [editor, visitor], path)
    t.same(await slugs(), ['/', '/news', '/services', '/prices', '/about', '/team'])
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
    const stream = await listen()
    t.match(await stream.take(1), [{ data: { type: 'hello', previewVersion: last } }])
    await stack.restart()
    t.match(await stream.rest(), [{ retry: Number }], 'the stream ends with a retry time')
    t.strictSame(await state(), old)

    await undo('/')
    await redo('/')
    t.same(await version(), last + 2, 'undo and redo continue after the restart')
    const next = await listen({ 'last-event-id': String(last) })
    const [hello, ...missed] = await next.take(3)
    t.strictSame(hello, { data: { type: 'hello', previewVersion: last + 2 } })
    t.match(missed, [{ id: String(last + 1) }, { id: String(last + 2) }])
    await next.close()
  })

  await t.test('the diff is shown, published, and visible to everyone', async (t) => {
    for (const slug of ['/news', '/faq']) t.equal(await statusOf(send('/history/discard', { slug })), 200)
    t.match(await json('/publish/diff'), {
      baselineAvailable: true,
      summary: { pagesAdded: 1, pagesRemoved: 0, pagesModified: 4, siteConfigChangedFields: Number },
    })
    const answer = await send('/publish', { siteOrigin: site })
    t.match(answer.json(), {
      status: 'ready',
      slugs: ['/', '/services', '/prices', '/about', '/faq', '/team'],
    })
    const file = await stack.published()
    // A page that was discarded has a later stamp in the draft; the site keeps its own.
    const [stored, draft] = [file?.pages, await shown()].map((pages = []) =>
      withoutGeneratedItemIds(pages.map((each) => ({ ...each, updatedAt: '' }))),
    )
    t.strictSame(stored, draft, 'the file holds the draft, without generated ids where it had none')
    t.match(file?.siteConfig, { name: 'Fern & Wheel' })
    t.ok(/Ready for the rain[^]*days a week/.test((await visit('/')).html))
    t.match([await statusOf(visit('/prices')), await statusOf(visit('/pricing'))], [200, 308])
    t.match(await json('/publish/log'), { entries: [{ status: 'success', pageCount: 6 }] })
    t.match(await json('/publish/diff'), { summary: { pagesAdded: 0, pagesRemoved: 0, pagesModified: 0 } })
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
      slugs: emptyList,
      reason: /is the site 'demo', not 'demmo'/,
    })
    const deleting = await mistyped.send('/publish', { siteOrigin: site, allowDelete: true })
    t.equal(deleting.status, 409, 'allowDelete does not make it the same site')
    t.strictSame(await stack.published(), old, 'the file is unchanged')
    t.equal(await statusOf(visit('/')), 200)

    t.match(await bodyOf(send('/publish', { siteOrigin: site })), { status: 'ready' })
    t.equal(await statusOf(visit('/')), 200, 'the draft can still be published')
  })

  await t.test('a snapshot survives a restart and is restored', async (t) => {
    const [newest] = await snapshots()
    t.match(newest, { pageCount: 6, homeHeading: 'Ready for the rain' })
    const published = bare(await shown())
    await ops([
      { op: 'remove_page', pageSlug: '/team' },
      { op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: 'Too far' } },
    ])
    await stack.restart()
    t.same((await snapshots())[0], newest)
    const answer = await send('/restore/snapshot', { commit: newest?.commit })
    t.match(answer.json(), { status: 'restored', previewVersion: await version() })
    t.strictSame(bare(await shown()), published)
  })
})
