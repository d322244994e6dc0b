import t from 'tap'
import * as v from 'valibot'
import { type Gate, gates as kernelGates, give } from '../../kernel/index.ts'
import { everyWayIn, oneWayIn, mountForTest, openGates, stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { changes } from '../../plugins/draft/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { bodyOf, draftsInMemory, editor, statusOf, textBlock } from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const setBody = (pageSlug: string, blockId: string, body: string) => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { body },
})
const Labels = v.object({ entries: v.array(v.looseObject({ summary: v.string() })) })
const unstamped = ({ updatedAt: _stamp, ...page }: Page): object => page

const startPages = [
  pageOf('/', [
    {
      id: 'b_hero',
      type: 'Hero',
      props: {
        heading: 'Hi',
        imageUrl: '/x.png',
        imageAlt: 'x',
        ctaText: 'Prices',
        ctaHref: '/prices?tab=2',
      },
    },
  ]),
  pageOf('/about', [textBlock('b_1', 'See [prices](/prices#top).')]),
  pageOf('/prices', [textBlock('b_2', 'All prices')]),
]

async function open(
  t: Parameters<typeof mountForTest>[0],
  options: Parameters<typeof draftsInMemory>[0] = {},
) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const client = editor((request) => mounted.inject(request))
  await client.bootstrap(startPages)
  const content = async (): Promise<unknown> => {
    const pages = await Promise.all((await client.slugs()).map((slug) => client.page(slug)))
    return { pages: pages.map(unstamped), config: await bodyOf(client.get('/draft/site-config')) }
  }
  const steps = async (slug: string): Promise<unknown> =>
    await bodyOf(client.get('/history/status', { slug }))
  return {
    ...client,
    content,
    steps,
    restore: (targetVersion: unknown) => client.send('/history/restore', { targetVersion }),
    discard: (body: object = {}) => client.send('/history/discard', body),
  }
}

const applied = (previewVersion: number, canUndo: boolean, canRedo: boolean, navigateToSlug?: string) => ({
  status: 'applied',
  previewVersion,
  canUndo,
  canRedo,
  ...(navigateToSlug !== undefined && { navigateToSlug }),
  notes: [],
})

t.test('undo and redo return the page that an editor shows next', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, ops, undo, redo, get, send } = editor(ask)
    await bootstrap(startPages)
    await ops([setBody('/about', 'b_1', 'New')])
    t.strictSame(await bodyOf(get('/history/status', { slug: '/about' })), { canUndo: true, canRedo: false })
    t.strictSame(await bodyOf(undo('/about')), applied(3, false, true))
    t.strictSame(await bodyOf(redo('/about')), applied(4, true, false))

    await ops([{ op: 'create_page', page: { slug: '/new' } }])
    t.strictSame(await bodyOf(undo('/new')), applied(6, false, true, '/'), 'the page was removed: home')
    t.strictSame(await bodyOf(redo('/new')), applied(7, true, false, '/new'), 'the page was restored: itself')
    await ops([{ op: 'remove_page', pageSlug: '/new' }])
    t.strictSame(await bodyOf(undo('/new')), applied(9, true, true, '/new'))
    await ops([{ op: 'rename_page', pageSlug: '/new', newPageSlug: '/newer' }])
    t.strictSame(await bodyOf(undo('/newer')), applied(11, false, true, '/new'), 'the page that replaced it')
    t.strictSame(await bodyOf(redo('/new')), applied(12, true, false, '/newer'))
    const log = v.parse(
      v.object({ entries: v.array(v.unknown()) }),
      await bodyOf(get('/history/log')),
    ).entries
    t.match(log.slice(2, 4), [
      { version: 3, source: 'undo', opTypes: emptyList, opCount: 0, slug: '/about', channel: 'history' },
      { version: 4, source: 'redo', summary: /^Redo of / },
    ])

    for (const way of ['undo', 'redo'] as const) {
      const nothing = { error: /nothing to/, reason: /nothing to/, code: `nothing_to_${way}` }
      for (const slug of ['/prices', '/nowhere'])
        t.match(await bodyOf(send(`/history/${way}`, { slug })), nothing)
      for (const [body, error] of [
        [{}, 'slug is required'],
        [{ slug: '' }, 'slug is required'],
        [{ slug: 7 }, /'slug'/],
      ] as const) {
        const refusal = { error, reason: error, code: 'invalid_request' }
        t.match(await bodyOf(send(`/history/${way}`, body)), refusal, `${way} ${JSON.stringify(body)}`)
      }
    }
  }),
)

t.test('an entry of the log says what changed, on which page and to which value', async (t) => {
  const { ops, undo, redo, config, get } = await open(t)
  const newest = async () => v.parse(Labels, await bodyOf(get('/history/log'))).entries.at(-1)?.summary
  const table: readonly (readonly [op: object, label: string])[] = [
    [
      { op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Fresh every morning' } },
      'Hero on page "Home": Heading changed to "Fresh every morning"',
    ],
    [{ op: 'create_page', page: { slug: '/jobs', title: 'Our jobs' } }, 'Page "Our jobs" created'],
    [{ op: 'rename_page', pageSlug: '/jobs', newTitle: 'Jobs' }, 'Page "Our jobs" renamed to "Jobs"'],
    [
      {
        op: 'add_block',
        pageSlug: '/jobs',
        block: { id: 'b_j', type: 'RichText', props: { title: 'We hire', body: 'Now.' } },
      },
      'Rich text added to page "Jobs"',
    ],
    [
      { op: 'rename_page', pageSlug: '/jobs', newPageSlug: '/careers', newTitle: 'Careers' },
      'Page "Jobs" is now "Careers", moved from /jobs to /careers',
    ],
    [
      { op: 'rename_page', pageSlug: '/careers', newPageSlug: '/work', newTitle: 'Careers' },
      'Page "Careers" moved from /careers to /work',
    ],
    [
      { op: 'rename_page', pageSlug: '/work', newPageSlug: '/careers', newTitle: 'Careers' },
      'Page "Careers" moved from /work to /careers',
    ],
    [
      { op: 'update_page_meta', pageSlug: '/careers', patch: { title: 'Work here' } },
      'Page "Careers": Title for search engines changed to "Work here"',
    ],
    [{ op: 'remove_page', pageSlug: '/careers' }, 'Page "Careers" deleted'],
    [{ op: 'update_site_config', patch: { name: 'Acme' } }, 'Name of the site changed to "Acme"'],
  ]
  for (const [op, label] of table) {
    t.equal(await statusOf(ops([op])), 200, label)
    t.equal(await newest(), label)
  }
  t.equal(await statusOf(undo('/careers')), 200)
  t.equal(await newest(), 'Undo of page "Careers" deleted')
  t.equal(await statusOf(redo('/careers')), 200)
  t.equal(await newest(), 'Redo of page "Careers" deleted')
  await ops([setBody('/about', 'b_1', 'One'), setBody('/prices', 'b_2', 'Two')])
  t.equal(await newest(), 'Rich text on page "about": Body changed to "One", and 1 more change')
  for (const [name, label] of [
    ['Acm', 'Name of the site changed to "Acm", and 1 more change'],
    ['Acme', 'Name of the site changed to "Acme"'],
  ] as const) {
    await config({ name, logo: '/logo.svg' })
    t.equal(await newest(), label, 'only keys that changed are named')
  }
})

t.test('the label of a change in a long text shows the words that changed', async (t) => {
  const { ops, get } = await open(t)
  const long = `${'All about the boats that we keep. '.repeat(6)}Ask in the office.`
  const changeTo = async (body: string) => {
    await ops([setBody('/about', 'b_1', body)])
    return v.parse(Labels, await bodyOf(get('/history/log'))).entries.at(-1)?.summary
  }
  t.match(await changeTo(long), /changed to "All about the boats.*…"$/, 'a new text from its beginning')
  t.match(await changeTo(`${long} Since 2011.`), /changed to "….*Ask in the office\. Since 2011\."$/)
  t.match(await changeTo(`${long.replace('about', 'of')} Since 2011.`), /changed to "All of the boats/)
  t.match(await changeTo('## Our **boats**'), /changed to "Our boats"$/, 'rich text without its marks')
})

t.test('the undo of an undo is a redo of the first change, and names its version', async (t) => {
  const { ops, send, undo, get } = await open(t)
  await ops([setBody('/about', 'b_1', 'One')])
  const newest = async () => v.parse(Labels, await bodyOf(get('/history/log', { limit: '1' }))).entries[0]
  for (const [version, source, summary] of [
    [2, 'undo', 'Undo of rich text'],
    [3, 'redo', 'Redo of rich text'],
    [4, 'undo', 'Undo of rich text'],
  ] as const) {
    await send('/history/undo-change', { version })
    t.match(await newest(), { source, of: [2], summary: new RegExp(`^${summary}`), label: /^Rich text/ })
  }
  await undo('/about')
  t.match(await newest(), { source: 'redo', of: [2], summary: /^Redo of rich/ }, 'by the stack as well')
})

t.test('the first load of a site is not undone, and its settings stay', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const { bootstrap, send, get, config } = editor((request) => mounted.inject(request))
  await bootstrap(startPages, { siteConfig: { name: 'Fern', navLabels: { '/about': 'Us' } } })
  const page = async (version: string) => await bodyOf(get('/history/page', { slug: '/', version }))
  t.match(await page('1'), { canUndo: false, settings: [{ path: 'name', after: 'Fern' }, {}] })
  t.match(await bodyOf(send('/history/undo-change', { version: 1 })), { code: 'no_snapshot' })
  t.match(await bodyOf(get('/draft/site-config')), { name: 'Fern' })
  await config({ name: 'Moss' })
  t.match(await page('2'), { canUndo: true, settings: [{ path: 'name', before: 'Fern', after: 'Moss' }] })
})

t.test('the next undo and redo of a page are named for those who ask', async (t) => {
  const { ops, undo, get } = await open(t)
  await ops([setBody('/about', 'b_1', 'One')])
  const names = async (slug: string) => await bodyOf(get('/history/status', { slug, names: '1' }))
  t.match(await names('/about'), { canUndo: true, undo: /"One"$/, redo: undefined })
  await undo('/about')
  t.match(await names('/about'), { canUndo: false, undo: undefined, redo: /"One"$/ })
  t.strictSame(await names('/prices'), { canUndo: false, canRedo: false })
})

t.test('fifty steps can be undone, and redone', async (t) => {
  const { retitle, undo, redo, page, steps } = await open(t)
  for (let title = 1; title <= 55; title++) await retitle('/about', `Title ${title}`)
  for (let step = 1; step <= 50; step++) t.equal(await statusOf(undo('/about')), 200, `undo ${step}`)
  t.match(await bodyOf(undo('/about')), { code: 'nothing_to_undo' })
  t.match(await bodyOf(redo('/')), { code: 'nothing_to_redo', reason: /on page '\/about': redo it there/ })
  t.match(await page('/about'), { title: 'Title 5' })
  t.same(await steps('/about'), { canUndo: false, canRedo: true })
  for (let step = 1; step <= 50; step++) t.equal(await statusOf(redo('/about')), 200, `redo ${step}`)
  t.match(await bodyOf(redo('/about')), { code: 'nothing_to_redo' })
  t.match(await page('/about'), { title: 'Title 55' })
  t.same(await steps('/about'), { canUndo: true, canRedo: false })
})

t.test('a change of several pages is undone completely from any of them', async (t) => {
  const rows: readonly [what: string, ops: readonly object[], touched: readonly string[]][] = [
    [
      'two renames that rewrote links and the menu, and an edit',
      [
        { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates' },
        setBody('/rates', 'b_2', 'x'),
        { op: 'rename_page', pageSlug: '/rates', newPageSlug: '/fees' },
      ],
      ['/', '/about', '/prices', '/fees'],
    ],
    [
      'an order and the config',
      [
        { op: 'move_page', pageSlug: '/prices' },
        { op: 'update_site_config', patch: { name: 'Neu', navLabels: { '/prices': '' } } },
      ],
      ['/prices'],
    ],
    [
      'a page that took the place of another',
      [
        { op: 'remove_page', pageSlug: '/about' },
        { op: 'create_page', page: { slug: '/about', title: 'Other' } },
      ],
      ['/about'],
    ],
  ]
  for (const [what, batch, touched] of rows) {
    for (const slug of touched) {
      const { ops, config, content, undo, redo, steps } = await open(t)
      await config({
        name: 'Alt',
        navLabels: { '/prices': 'What it costs' },
        navGroups: { More: ['/prices'] },
      })
      const before = await content()
      t.equal(await statusOf(ops(batch)), 200, what)
      const after = await content()
      t.match(await bodyOf(undo(slug)), { status: 'applied', notes: emptyList, canRedo: true })
      t.strictSame(await content(), before, `${what}: undo on ${slug}`)
      for (const other of touched)
        t.strictSame(await steps(other), { canUndo: false, canRedo: true }, `${what}: ${other} after undo`)
      t.match(await bodyOf(redo(slug)), { status: 'applied', notes: emptyList, canUndo: true })
      t.strictSame(await content(), after, `${what}: redo on ${slug}`)
    }
  }
})

t.test('a renamed page goes back to its address also where a linked page has newer changes', async (t) => {
  const { ops, undo, redo, page, retitle, get } = await open(t)
  const slugs = async () => {
    const { pages } = v.parse(
      v.object({ pages: v.array(v.object({ slug: v.string() })) }),
      await bodyOf(get('/draft/slugs')),
    )
    return pages.map(({ slug }) => slug)
  }
  const before = await slugs()
  await ops([{ op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates', newTitle: 'Prices' }])
  await retitle('/about', 'Newer')
  const undone = (await undo('/rates')).json()
  const note = /^Only \/prices, \/rates .*\/about/
  t.match(undone, { navigateToSlug: '/prices', notes: [note], message: note })
  t.strictSame(await slugs(), before)
  t.match(await page('/about'), {
    title: 'Newer',
    blocks: [{ props: { body: 'See [prices](/rates#top).' } }],
  })
  await redo('/prices')
  t.strictSame(
    await slugs(),
    before.map((slug) => (slug === '/prices' ? '/rates' : slug)),
  )
})

t.test(
  'a rename is not undone by half: the other address may have another page, or a newer text',
  async (t) => {
    const { ops, undo, content, steps } = await open(t)
    const rename = { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates' }
    await ops([rename])
    await ops([{ op: 'create_page', page: { slug: '/prices', title: 'Others' } }])
    const before = await content()
    const refused = await undo('/rates')
    t.equal(refused.status, 409)
    t.match(refused.json(), {
      code: 'changed_since',
      reason: /'\/prices' has newer changes\. Undo those first/,
    })
    t.strictSame(await content(), before)
    t.match(await bodyOf(undo('/prices')), { notes: emptyList }, 'the page that has the address goes')
    t.match(await bodyOf(undo('/rates')), { navigateToSlug: '/prices', notes: emptyList })

    await ops([rename])
    await ops([setBody('/rates', 'b_2', 'Newer')])
    t.match((await undo('/prices')).json(), { code: 'changed_since', reason: /'\/rates' has newer changes/ })
    t.match(await steps('/rates'), { canUndo: true })
  },
)

t.test('if another page has newer changes, only this page is undone, and the response says so', async (t) => {
  const { ops, undo, redo, page, retitle, get } = await open(t)
  await ops([
    setBody('/about', 'b_1', 'Both'),
    setBody('/prices', 'b_2', 'Both'),
    { op: 'update_site_config', patch: { name: 'Both' } },
  ])
  await retitle('/prices', 'Newer')
  const undone = await undo('/about')
  t.match(undone.json(), { canUndo: false, canRedo: true, notes: [/^Only \/about .*\/prices/] })
  t.match(
    [await page('/about'), await page('/prices')],
    [
      { blocks: [{ props: { body: 'See [prices](/prices#top).' } }] },
      { title: 'Newer', blocks: [{ props: { body: 'Both' } }] },
    ],
  )
  t.match(await bodyOf(get('/draft/site-config')), { name: 'Both' }, 'the config stays')
  await undo('/prices')
  t.match(await bodyOf(undo('/prices')), { notes: [/^Only \/prices/] }, 'the rest is undone separately')
  t.match(await bodyOf(redo('/about')), { notes: emptyList }, 'and is redone as one')
  for (const slug of ['/about', '/prices'])
    t.match(await page(slug), { blocks: [{ props: { body: 'Both' } }] })

  const { ops: more, undo: back, config: set, get: read } = await open(t)
  await more([
    setBody('/about', 'b_1', 'x'),
    { op: 'update_site_config', patch: { name: 'Batch', logo: '/batch.png' } },
  ])
  await set({ name: 'By hand' })
  t.match(await bodyOf(back('/about')), { notes: emptyList })
  const kept = await bodyOf(read('/draft/site-config'))
  t.strictSame(kept, { name: 'By hand' }, 'a key that was written since keeps its value')
})

t.test('a page loaded from a site clears the undo history before it', async (t) => {
  const { ops, bootstrap, undo, redo, steps, slugs } = await open(t)
  await ops([{ op: 'remove_page', pageSlug: '/about' }])
  await ops([{ op: 'create_page', page: { slug: '/new' } }])
  await undo('/new')
  await bootstrap(
    [
      pageOf('/about', [textBlock('b_site', 'From the site')]),
      pageOf('/new', [textBlock('b_n', 'From the site')]),
    ],
    { overwrite: true },
  )
  for (const slug of ['/about', '/new']) {
    t.strictSame(await steps(slug), { canUndo: false, canRedo: false }, slug)
    t.match(await bodyOf(undo(slug)), { code: 'nothing_to_undo' })
    t.match(await bodyOf(redo(slug)), { code: 'nothing_to_redo' })
  }
  t.same(await slugs(), ['/', '/prices', '/about', '/new'])
})

t.test('a page returns to its position, also where another page has taken it', async (t) => {
  const { ops, undo, slugs } = await open(t)
  await ops([
    { op: 'create_page', page: { slug: '/m' } },
    { op: 'move_page', pageSlug: '/m', afterPageSlug: '/about' },
  ])
  await ops([{ op: 'remove_page', pageSlug: '/m' }])
  await ops([
    { op: 'create_page', page: { slug: '/b' } },
    { op: 'move_page', pageSlug: '/b', afterPageSlug: '/about' },
  ])
  await undo('/m')
  t.same(await slugs(), ['/', '/about', '/m', '/b', '/prices'])
  await ops([
    { op: 'create_page', page: { slug: '/n' } },
    { op: 'move_page', pageSlug: '/n', afterPageSlug: '/m' },
  ])
  t.same(await slugs(), ['/', '/about', '/m', '/n', '/b', '/prices'], 'and there is room between them')
})

t.test('the log has the newest hundred changes, and each of them can be restored', async (t) => {
  const { ops, config, page, get, restore, undo } = await open(t)
  const seen = new Map<number, unknown>()
  // Old records are deleted after every 64 changes; those of the log must stay.
  const versions = 130
  for (let version = 2; version <= versions; version++) {
    // Every third edit is undone and superseded, so that its record is on no stack; some change only the config.
    if (version % 10 === 0) await config({ name: `At ${version}` })
    else if (version % 3 === 0) await undo('/about')
    else await ops([setBody('/about', 'b_1', `At ${version}`)])
    seen.set(version, version % 10 === 0 ? `At ${version}` : (await page('/about')).blocks[0]?.props['body'])
  }
  const Log = v.looseObject({
    entries: v.array(v.looseObject({ version: v.number() })),
    currentVersion: v.number(),
  })
  const log = async (query: Readonly<Record<string, string>> = {}) =>
    v.parse(Log, await bodyOf(get('/history/log', query)))
  const shown = (await log({ limit: '100' })).entries.map(({ version }) => version)
  t.same(
    shown,
    Array.from(shown, (_, at) => versions - 99 + at),
  )
  t.equal(shown.length, 100)
  const limits = { 1: 1, 1.9: 1, 0: 50, '-3': 50, x: 50, '': 50, 101: 100, '1e9': 100 }
  for (const [limit, count] of Object.entries(limits)) {
    const { entries, currentVersion } = await log({ limit })
    const found = [entries.length, entries.at(-1)?.version, currentVersion]
    t.same(found, [count, versions, versions], `limit ${limit}`)
  }
  t.ok((await log({ slug: '/about' })).entries.every((entry) => entry['slug'] === '/about'))
  t.same((await log({ slug: '/prices' })).entries, [])

  // The oldest first: every restore is a change itself, and pushes the restored one out of the log.
  for (const [at, version] of shown.entries()) {
    const answer = await restore(version)
    t.match(answer.json(), { status: 'applied', navigateToSlug: version % 10 === 0 ? '/' : '/about' })
    const found =
      version % 10 === 0
        ? Reflect.get(Object(await bodyOf(get('/draft/site-config'))), 'name')
        : (await page('/about')).blocks[0]?.props['body']
    t.equal(found, seen.get(version), `version ${version} is back, restore ${at}`)
  }
  const { currentVersion } = await log()
  t.match(await bodyOf(restore(currentVersion - 100)), {
    code: 'not_found',
    error: /Version \d+ is not in the log/,
  })
  t.equal(await statusOf(restore(currentVersion - 99)), 200)
  for (const version of [currentVersion + 10, 0, -1]) t.equal(await statusOf(restore(version)), 404)
  for (const version of ['5', 1.5, null, undefined]) t.equal(await statusOf(restore(version)), 400)
})

t.test('changes over the limit are deleted, and no longer offered', async (t) => {
  const store = createMemoryStore()
  const kept = 70
  const { retitle, undo, steps, restore, get } = await open(t, {
    store,
    draft: { keptChangesPerDraft: kept },
  })
  await retitle('/about', 'Early')
  for (let version = 3; version <= kept + 1; version++) await retitle('/prices', String(version))
  t.strictSame(await steps('/about'), { canUndo: true, canRedo: false }, 'version 2 is the oldest stored')
  await retitle('/prices', 'One more')
  t.strictSame(await steps('/about'), { canUndo: false, canRedo: false })
  t.match(await bodyOf(undo('/about')), { code: 'nothing_to_undo' })

  for (let version = kept + 3; version <= 256; version++) await retitle('/prices', String(version))
  const stored = await store.of(changes).rows(draftKey({ siteId: 'acme', session: 'dev' }))
  t.same([stored.length, Number(stored[0]?.key)], [kept, 256 - kept + 1], 'after every 64 changes')
  t.match(await bodyOf(get('/history/log', { limit: '100' })), { currentVersion: 256 })
  t.equal(await statusOf(restore(256 - kept + 1)), 200)
  let taken = 0
  while ((await statusOf(undo('/prices'))) === 200) taken++
  t.equal(taken, kept / 2, 'every undo is a change itself, so half of the stored changes can be undone')
})

t.test('a restore changes one page, as one change that can be undone', async (t) => {
  const { ops, restore, undo, page, slugs, get, steps } = await open(t)
  await ops([setBody('/about', 'b_1', 'Two')])
  await ops([setBody('/about', 'b_1', 'Three'), setBody('/prices', 'b_2', 'Three')])
  await ops([{ op: 'create_page', page: { slug: '/new' } }])
  await ops([{ op: 'remove_page', pageSlug: '/new' }])
  const answer = await restore(2)
  t.strictSame(answer.json(), applied(6, true, false, '/about'))
  t.match(await page('/about'), { blocks: [{ props: { body: 'Two' } }] })
  t.match(await page('/prices'), { blocks: [{ props: { body: 'Three' } }] }, 'other pages stay')
  const entries = [
    {},
    {},
    {},
    {},
    {},
    { source: 'restore', opTypes: [], slug: '/about', summary: /version 2/, label: /"Two"$/, restored: 2 },
  ]
  t.match(await bodyOf(get('/history/log')), { entries })
  await undo('/about')
  const undone = { source: 'undo', summary: /^Undo of restored version 2: /, label: /"Two"$/, restored: 2 }
  t.match(await bodyOf(get('/history/log', { limit: '1' })), { entries: [undone] })
  t.match(await page('/about'), { blocks: [{ props: { body: 'Three' } }] })
  t.strictSame(await bodyOf(restore(4)), applied(8, true, false, '/new'), 'a removed page is restored')
  t.same(await slugs(), ['/', '/about', '/prices', '/new'])
  await undo('/new')
  t.same([await slugs(), await steps('/new')], [['/', '/about', '/prices'], { canUndo: true, canRedo: true }])
  t.strictSame(await bodyOf(restore(9)), applied(9, true, true, '/new'), 'an unchanged page is not a change')

  await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Ten' } }])
  await ops([{ op: 'duplicate_block', pageSlug: '/', blockId: 'b_hero', toPageSlug: '/prices' }])
  await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Twelve' } }])
  t.strictSame(await bodyOf(restore(11)), applied(13, true, false, '/'), 'the page of the entry, as of then')
  t.match(await page('/'), { meta: { title: 'Ten' } })
})

t.test('a restore of a deletion is about the page that was deleted', async (t) => {
  const { ops, restore, undo, page, slugs } = await open(t)
  await ops([{ op: 'remove_page', pageSlug: '/about' }])
  await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Later' } }])
  t.match(await bodyOf(restore(2)), { previewVersion: 3 }, 'it is gone as it was then')
  t.match(await page('/'), { meta: { title: 'Later' } }, 'the page where the person went on stays')
  await undo('/about')
  t.same(await slugs(), ['/', '/about', '/prices'])
  t.match(await bodyOf(restore(2)), { previewVersion: 5 })
  t.same(await slugs(), ['/', '/prices'], 'it is deleted again')
  t.match(await page('/'), { meta: { title: 'Later' } })
})

t.test('a restore of a version before a rename changes the page where it is now', async (t) => {
  const { ops, restore, undo, page, slugs, get, steps, content } = await open(t)
  const link = '[here](/about#more)'
  await ops([setBody('/about', 'b_1', link)])
  await ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'Team' }])
  await ops([setBody('/team', 'b_1', 'Four')])
  const before = await content()
  const answer = await bodyOf(restore(2))
  t.match(answer, { ...applied(5, true, false, '/team'), notes: [/its address now, \/team/] })
  t.same(await slugs(), ['/', '/team', '/prices'], 'one page, at its place')
  t.match(await page('/team'), { title: 'about', blocks: [{ props: { body: '[here](/team#more)' } }] })
  const entry = { source: 'restore', slug: '/team', restored: 2 }
  t.match(await bodyOf(get('/history/log', { slug: '/team', limit: '1' })), { entries: [entry] })
  t.match(await steps('/team'), { canUndo: true })
  await undo('/team')
  t.same(await content(), before, 'the undo')

  await ops([{ op: 'rename_page', pageSlug: '/team', newPageSlug: '/crew' }])
  await ops([{ op: 'create_page', page: { slug: '/about', title: 'Another' } }])
  t.match(
    await bodyOf(restore(3)),
    { navigateToSlug: '/crew' },
    'of the rename itself, with another one there',
  )
  t.match(await page('/crew'), { title: 'Team', blocks: [{ props: { body: '[here](/crew#more)' } }] })
  t.match(await page('/about'), { title: 'Another' }, 'which stays')
  await ops([
    { op: 'remove_page', pageSlug: '/crew' },
    { op: 'remove_page', pageSlug: '/about' },
  ])
  t.match(await bodyOf(restore(2)), { navigateToSlug: '/about' }, 'a page that is gone: its address of then')
  t.same(await slugs(), ['/', '/about', '/prices'])

  await ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/we' }])
  await ops([
    { op: 'remove_page', pageSlug: '/we' },
    { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/about', newTitle: 'Prices' },
  ])
  const { currentVersion } = Object(await bodyOf(get('/history/log')))
  t.match(
    await bodyOf(restore(currentVersion - 2)),
    { navigateToSlug: '/we' },
    'where another one is: its last',
  )
  t.match([await page('/about'), await page('/we')], [{ title: 'Prices' }, { title: 'about' }])
})

t.test(
  'the log of a page has every change of it, also of several pages and under a former address',
  async (t) => {
    const { ops, undo, get } = await open(t)
    const versionsOf = async (slug: string, more: Readonly<Record<string, string>> = {}) => {
      const { entries } = (await bodyOf(get('/history/log', { slug, ...more }))) as {
        entries: readonly { version: number }[]
      }
      return entries.map(({ version }) => version).filter((version) => version > 1)
    }
    await ops([setBody('/about', 'b_1', 'Two'), setBody('/prices', 'b_2', 'Two')])
    await ops([setBody('/prices', 'b_2', 'Three')])
    t.same([await versionsOf('/about'), await versionsOf('/prices')], [[2], [2, 3]])
    await ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' }])
    await ops([setBody('/team', 'b_1', 'Five')])
    t.same(
      [await versionsOf('/team'), await versionsOf('/about')],
      [
        [2, 4, 5],
        [2, 4],
      ],
    )
    t.same(await versionsOf('/team', { limit: '2' }), [4, 5], 'the newest of them')
    await ops([{ op: 'remove_page', pageSlug: '/team' }])
    t.same(await versionsOf('/team'), [2, 4, 5, 6], 'with its removal')
    for (let step = 0; step < 3; step += 1) await undo('/team')
    t.same(await versionsOf('/about'), [2, 4, 5, 6, 7, 8, 9], 'an undone rename')
    await ops([{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/we' }])
    await ops([{ op: 'create_page', page: { slug: '/about' } }])
    t.same((await versionsOf('/we')).includes(11), false, 'not those of another page at that address')
  },
)

t.test('discard restores the published content, as one change that can be undone', (t) =>
  oneWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, ops, send, undo, slugs, page, version, config, get } = editor(ask)
    const discard = (body: object = {}) => send('/history/discard', body)
    await bootstrap(startPages)
    t.match(await bodyOf(discard()), { code: 'baseline_unavailable', error: /cannot be read/ })
    await send('/publish')
    t.match(await bodyOf(discard()), { code: 'nothing_to_discard', error: /nothing to discard/ })
    t.match(await bodyOf(discard({ slug: '/about' })), { code: 'nothing_to_discard' })
    t.match(await bodyOf(discard({ slug: '/nowhere' })), { code: 'not_found', error: /neither/ })
    t.equal(await version(), 1)

    await ops([
      setBody('/about', 'b_1', 'Edited'),
      { op: 'create_page', page: { slug: '/new' } },
      { op: 'remove_page', pageSlug: '/prices' },
    ])
    await config({ name: 'Kept' })
    t.strictSame(await bodyOf(discard({ slug: '/about' })), applied(4, true, false))
    t.strictSame(await bodyOf(discard({ slug: '/new' })), applied(5, true, false, '/'), 'it is removed')
    t.strictSame(await bodyOf(discard({ slug: '/prices' })), applied(6, true, false, '/prices'), 'it is back')
    t.match(await bodyOf(get('/history/log')), {
      entries: [{}, {}, {}, { source: 'discard', slug: '/about', channel: 'history' }, {}, {}],
    })
    for (const slug of ['/about', '/new', '/prices'])
      t.match(await bodyOf(undo(slug)), { status: 'applied', notes: emptyList })
    const edited = async (what: string) => {
      const found = [await slugs(), (await page('/about')).blocks[0]?.props['body']]
      t.same(found, [['/', '/about', '/new'], 'Edited'], what)
    }
    await edited('each is undone')

    t.match(await bodyOf(discard()), { status: 'applied', previewVersion: 10, notes: emptyList })
    t.same(await slugs(), ['/', '/about', '/prices'])
    t.match(await bodyOf(undo('/about')), { previewVersion: 11, notes: emptyList })
    await edited('discarding everything is undone as one')
    t.match(await bodyOf(get('/draft/site-config')), { name: 'Kept' })

    for (const [body, error] of [
      [{ siteOrigin: 'http://evil.test' }, /siteOrigin is not an allowed URL/],
      [{ slug: 7 }, /'slug'/],
    ] as const)
      t.match(await bodyOf(discard(body)), { error, reason: error, code: String })
  }),
)

t.test(
  'a page has a newer time than the one it replaces after undo, redo, restore and discard',
  async (t) => {
    const time = stillClock('2026-01-01T12:00:00.000Z')
    const { send, ops, undo, redo, restore, discard, page } = await open(t, { clock: time })
    t.equal(await statusOf(send('/publish')), 200, 'a snapshot exists')
    const stampAfter = async (change: () => Promise<{ readonly status: number }>): Promise<string> => {
      t.equal((await change()).status, 200)
      return (await page('/about')).updatedAt
    }
    const edit = (text: string) => ops([setBody('/about', 'b_1', text)])
    const steps: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
      edit: () => edit('One'),
      undo: () => undo('/about'),
      redo: () => redo('/about'),
      'another edit': () => edit('Two'),
      restore: () => restore(2),
      discard: () => discard({ slug: '/about' }),
    }
    let last = (await page('/about')).updatedAt
    for (const [name, step] of Object.entries(steps)) {
      const stamp = await stampAfter(step)
      t.ok(stamp > last, `${name} within the same millisecond: ${stamp} after ${last}`)
      last = stamp
    }
    time.advance(60_000)
    t.equal(await stampAfter(() => edit('Three')), '2026-01-01T12:01:00.000Z')
    time.advance(60_000)
    const now = await stampAfter(() => undo('/about'))
    t.equal(now, '2026-01-01T12:02:00.000Z', 'not the time of the restored version')
  },
)

t.test('a line of the history is undone by itself, and later changes elsewhere stay', async (t) => {
  const { ops, send, get, page, content, steps } = await open(t)
  const undoChange = (version: unknown, more: object = {}) =>
    send('/history/undo-change', { version, ...more })
  const fieldsOf = async (slug: string) => (await page(slug)).blocks.map(({ props }) => props)
  const hero = (patch: object) => ({ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch })
  const start = await content()

  await ops([hero({ heading: 'Two' }), { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/costs' }])
  await ops([
    hero({ imageAlt: 'A boat' }),
    { op: 'add_block', pageSlug: '/', block: textBlock('b_new', 'New') },
  ])
  await ops([setBody('/about', 'b_1', 'Later, see [prices](/costs).')])
  await ops([hero({ heading: 'Three' })])

  t.match(await bodyOf(undoChange(2)), {
    code: 'changed_since',
    reason: /version 2 cannot be undone alone.*withDependents/i,
    dependents: [
      { version: 4, slug: '/about', summary: /Later/, at: String },
      { version: 5, slug: '/', summary: /Three/ },
    ],
  })
  t.match(await bodyOf(undoChange(3)), { status: 'applied', previewVersion: 6, canUndo: true })
  t.match(await fieldsOf('/'), [{ heading: 'Three', imageAlt: 'x' }], 'the newer heading stays')
  t.match(await bodyOf(undoChange(3)), {
    code: 'nothing_to_undo',
    reason: /version 3 changed was changed back/,
  })

  t.match(await bodyOf(undoChange(2, { withDependents: true })), {
    previewVersion: 7,
    navigateToSlug: undefined,
  })
  t.strictSame(await content(), start, 'the lines, and what depended on one of them, are undone as one')
  const newest = { version: 7, source: 'undo', slug: '/', summary: /^Undo of .*, with 2 later changes$/ }
  t.match(await bodyOf(get('/history/log', { limit: '1' })), { entries: [newest] })
  t.strictSame(await steps('/costs'), { canUndo: true, canRedo: false })
  await send('/history/undo', { slug: '/costs' })
  t.match(await fieldsOf('/'), [{ heading: 'Three' }], 'and the undo is undone like any change')

  for (const [body, code] of [
    [{ version: 99 }, 'not_found'],
    [{ version: 1 }, 'no_snapshot'],
    [{ version: 'x' }, 'invalid_request'],
    [{}, 'invalid_request'],
    [{ version: 5, baseVersion: 1 }, 'version_mismatch'],
  ] as const)
    t.match(await bodyOf(send('/history/undo-change', body)), { code }, JSON.stringify(body))
})

t.test('a page is read right before and right after a logged change', async (t) => {
  const { ops, get, send } = await open(t)
  await ops([setBody('/about', 'b_1', 'One')])
  await ops([setBody('/about', 'b_1', 'Two')])
  await ops([{ op: 'remove_page', pageSlug: '/about' }])
  const around = async (version: number, slug = '/about') =>
    v.parse(
      v.object({ before: v.any(), page: v.any(), entry: v.object({ version: v.number() }) }),
      await bodyOf(get('/history/page', { slug, version: String(version) })),
    )
  const texts = async (version: number) => {
    const { before, page } = await around(version)
    return [before, page].map((each) => each?.blocks[0].props.body)
  }
  t.strictSame(await texts(1), [undefined, 'See [prices](/prices#top).'])
  t.strictSame(await texts(2), ['See [prices](/prices#top).', 'One'])
  t.strictSame(await texts(3), ['One', 'Two'])
  t.strictSame(await texts(4), ['Two', undefined])
  const changed = async (more: object) =>
    await bodyOf(get('/history/page', { slug: '/about', version: '2', ...more }))
  t.match(await changed({}), {
    changes: {
      status: 'modified',
      blockDiffs: [{ fieldDiffs: [{ path: 'body', before: /^See/, after: 'One' }] }],
    },
  })
  t.match(await changed({ against: 'now' }), { changes: { status: 'removed' } })
  const { before, page } = await around(3, '/prices')
  t.strictSame(before, page, 'a page that the change did not touch')
  await send('/history/undo-change', { version: 2, withDependents: true })
  t.match(await around(5), { entry: { version: 5 }, before: null, page: { slug: '/about' } })
  for (const version of ['9', 'x', ''])
    t.ok([404, 400].includes(await statusOf(get('/history/page', { slug: '/about', version }))), version)
})

t.test('a page that has moved since is compared with what it is now', async (t) => {
  const { ops, get } = await open(t)
  await ops([setBody('/prices', 'b_2', 'Cheap')])
  await ops([{ op: 'rename_page', pageSlug: '/prices', newPageSlug: '/costs' }])
  await ops([{ op: 'create_page', page: pageOf('/prices', [textBlock('b_9', 'Another page')]) }])
  await ops([setBody('/costs', 'b_2', 'Dear')])
  t.match(await bodyOf(get('/history/page', { slug: '/prices', version: '2', against: 'now' })), {
    changes: {
      status: 'modified',
      blockDiffs: [{ fieldDiffs: [{ path: 'body', before: 'Cheap', after: 'Dear' }] }],
    },
  })
})

t.test('one block is reset to what is published, in its place', async (t) => {
  const { ops, page, discard, send } = await open(t)
  const update = (blockId: string, body: string) => setBody('/about', blockId, body)
  const add = (id: string, afterBlockId?: string) => ({
    op: 'add_block',
    pageSlug: '/about',
    block: textBlock(id, `Text of ${id}`),
    ...(afterBlockId !== undefined && { afterBlockId }),
  })
  await ops([add('b_2a', 'b_1'), add('b_3', 'b_2a')])
  t.equal(await statusOf(send('/publish')), 200)
  const texts = async () => (await page('/about')).blocks.map(({ id, props }) => [id, props['body']])
  const published = await texts()

  await ops([update('b_1', 'One'), update('b_3', 'Three')])
  await ops([{ op: 'remove_block', pageSlug: '/about', blockId: 'b_2a' }, add('b_new', 'b_1')])
  await discard({ slug: '/about', blockId: 'b_2a' })
  const ids = (await texts()).map(([id]) => id)
  t.strictSame(ids, ['b_1', 'b_2a', 'b_new', 'b_3'], 'a removed block returns to its place')
  await discard({ slug: '/about', blockId: 'b_new' })
  await discard({ slug: '/about', blockId: 'b_1' })
  t.strictSame(await texts(), [published[0], published[1], ['b_3', 'Three']], 'the others stay as they are')
  t.match(await bodyOf(discard({ slug: '/about', blockId: 'b_3' })), { status: 'applied', canUndo: true })
  t.strictSame(await texts(), published)
  await send('/history/undo', { slug: '/about' })
  t.strictSame((await texts())[2], ['b_3', 'Three'])

  const former = (await page('/about')).blocks[0]?.props
  const patch = { title: 'New', body: 'One' }
  await ops([{ op: 'update_props', pageSlug: '/about', blockId: 'b_1', patch }])
  await discard({ slug: '/about', blockId: 'b_1', field: 'body' })
  const { title, body } = (await page('/about')).blocks[0]?.props ?? {}
  t.strictSame([title, body], ['New', published[0]?.[1]], 'one field of it, and no other')
  await discard({ slug: '/about', blockId: 'b_1', field: 'title' })
  t.strictSame((await page('/about')).blocks[0]?.props, former)

  for (const [body, status, code] of [
    [{ slug: '/about', blockId: 'b_1' }, 400, 'nothing_to_discard'],
    [{ slug: '/about', blockId: 'b_1', field: '__proto__' }, 400, 'nothing_to_discard'],
    [{ slug: '/about', field: 'body' }, 400, 'invalid_request'],
    [{ slug: '/about', blockId: 'b_none' }, 404, 'not_found'],
    [{ blockId: 'b_1' }, 400, 'invalid_request'],
  ] as const) {
    const answer = await discard(body)
    t.equal(answer.status, status, JSON.stringify(body))
    t.match(answer.json(), { code })
  }
})

t.test("with mine, the caller's own newest change of the page is undone, and those of others stay", (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, send, page, get } = editor(ask)
    const blocks = ['b_1', 'b_2', 'b_3'].map((id) => textBlock(id, 'Old'))
    await bootstrap([pageOf('/', blocks), pageOf('/x', [textBlock('b_x', 'Old')])])
    const people = {
      ana: { id: 'browser-a', name: 'Ana' },
      ben: { id: 'browser-b', name: ' ' },
      none: undefined,
    }
    const write = (who: keyof typeof people, blockId: string, body: string, slug = '/') =>
      send('/ops', { ops: [setBody(slug, blockId, body)], client: people[who] })
    const undo = (who: keyof typeof people, more: object = { mine: true }) =>
      send('/history/undo', { slug: '/', client: people[who], ...more })
    const bodies = async () => (await page('/')).blocks.map(({ props }) => props['body'])

    await write('ana', 'b_1', 'Ana 1')
    await write('ana', 'b_2', 'Ana 2')
    await write('ben', 'b_3', 'Ben 3')
    await write('ben', 'b_x', 'Ben', '/x')
    t.match(await bodyOf(undo('ana')), { status: 'applied', previewVersion: 6, notes: emptyList })
    t.same(await bodies(), ['Ana 1', 'Old', 'Ben 3'], 'the change of another person stays')
    t.equal(await statusOf(undo('ana')), 200)
    t.same(await bodies(), ['Old', 'Old', 'Ben 3'], 'and the one before it is next, not the undo')
    const nothing = { code: 'nothing_to_undo', reason: /nothing of yours.*history/ }
    t.match(await bodyOf(undo('ana')), nothing)
    t.match(await bodyOf(undo('none')), nothing, 'no client is one of its own')
    t.equal(await statusOf(undo('ben')), 200)
    t.same(await bodies(), ['Old', 'Old', 'Old'])

    await write('none', 'b_1', 'Someone')
    await write('ana', 'b_2', 'Ana again')
    t.equal(await statusOf(undo('none')), 200, 'clients that state nothing are one')
    t.same(await bodies(), ['Old', 'Ana again', 'Old'])
    await write('ben', 'b_3', 'Ben last')
    t.equal(await statusOf(undo('ana', { mine: false })), 200)
    t.same(await bodies(), ['Old', 'Ana again', 'Old'], 'without it, the newest of anybody is undone')

    await write('ana', 'b_1', 'Ana first')
    const { previewVersion: version } = v.parse(
      v.looseObject({ previewVersion: v.number() }),
      await bodyOf(write('ana', 'b_2', 'Ana wrote this')),
    )
    await write('ben', 'b_2', 'Ben wrote over it')
    const choice = await undo('ana')
    t.equal(choice.status, 409)
    t.match(choice.json(), {
      code: 'changed_since',
      version,
      reason: new RegExp(`version ${version}, .*by others.*POST /history/undo-change .*withDependents: true`),
      dependents: [
        { version: version + 1, summary: /Ben wrote over it/, actor: { browser: { id: 'browser-b' } } },
      ],
    })
    t.same(await bodies(), ['Ana first', 'Ben wrote over it', 'Old'], 'nothing is changed unasked')
    t.equal(await statusOf(send('/history/undo-change', { version, withDependents: true })), 200)
    t.same(await bodies(), ['Ana first', 'Ana again', 'Old'])
    t.equal(await statusOf(undo('ana')), 200)
    t.same(await bodies(), ['Old', 'Ana again', 'Old'], 'what was undone by then is passed over')

    const { entries } = v.parse(Labels, await bodyOf(get('/history/log', { limit: '100' })))
    t.match(entries[1], { actor: { kind: 'person', browser: people.ana } })
    t.same(
      entries[3]?.['actor'],
      { kind: 'person', id: 'anyone', browser: { id: 'browser-b' } },
      'a blank name is none',
    )
    t.notOk('browser' in Object(entries[0]?.['actor']))
  }),
)

t.test('with mine, redo and the status are about the own changes of the caller', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, send, page, get, redo: redoAny } = editor(ask)
    await bootstrap([pageOf('/', [textBlock('b_1', 'Old'), textBlock('b_2', 'Old')])])
    const [ana, ben] = ['browser-a', 'browser-b']
    const client = (id?: string) => (id === undefined ? {} : { client: { id } })
    const write = (id: string | undefined, block: string, body: string) =>
      send('/ops', { ops: [setBody('/', block, body)], ...client(id) })
    const take = (step: 'undo' | 'redo', id?: string) =>
      send(`/history/${step}`, { slug: '/', mine: true, ...client(id) })
    const status = (id?: string) =>
      bodyOf(get('/history/status', { slug: '/', mine: '1', names: '1', ...(id && { client: id }) }))
    const bodies = async () => (await page('/')).blocks.map(({ props }) => props['body'])
    const nothing = { canUndo: false, canRedo: false }

    for (const body of ['1', '2', '3']) await write('browser-c', 'b_2', body)
    for (const step of ['undo', 'undo', 'undo', 'redo', 'redo'] as const) await take(step, 'browser-c')
    t.same(await bodies(), ['Old', '2'], 'the one that was undone last is redone first')

    await write(ana, 'b_1', 'Ana')
    t.match(await status(ana), { canUndo: true, canRedo: false, undo: /"Ana"$/, redo: undefined })
    t.strictSame(await status(ben), nothing)
    t.strictSame(await status(), nothing, 'no client is one of its own')
    await write(ben, 'b_2', 'Ben')
    await write(undefined, 'b_2', 'Someone')
    t.match(await status(ana), { canUndo: true, canRedo: false, undo: /"Ana"$/ })
    t.match(await status(), { canUndo: true, canRedo: false, undo: /"Someone"$/ })
    t.match(await bodyOf(take('undo', ana)), { canUndo: false, canRedo: true })
    t.match(await status(ana), { canUndo: false, canRedo: true, undo: undefined, redo: /"Ana"$/ })
    t.match(await status(ben), { canUndo: true, canRedo: false })
    t.match(await bodyOf(take('redo', ben)), { code: 'nothing_to_redo', reason: /nothing of yours to redo/ })
    await write(ben, 'b_2', 'Ben again')
    t.match(await bodyOf(take('redo', ana)), { status: 'applied', canUndo: true, canRedo: false })
    t.same(await bodies(), ['Ana', 'Ben again'], 'also after a change of another')
    t.match(await bodyOf(take('undo', ana)), { status: 'applied', canUndo: false, canRedo: true })
    t.same(await bodies(), ['Old', 'Ben again'], 'what was redone can be undone again')

    await write(ben, 'b_1', 'Ben')
    const choice = await take('redo', ana)
    t.equal(choice.status, 409)
    const { version } = v.parse(v.looseObject({ version: v.number() }), choice.json())
    t.match(choice.json(), {
      code: 'changed_since',
      reason: new RegExp(`undid last.*version ${version},.*by others`),
      dependents: [{ summary: /Ben/, actor: { browser: { id: ben } } }],
    })
    t.match(await bodyOf(send('/history/undo-change', { version, withDependents: true, ...client(ana) })), {
      status: 'applied',
    })
    t.same(await bodies(), ['Ana', 'Ben again'])

    await take('undo', ana)
    await write(ana, 'b_1', 'Ana anew')
    t.match(await status(ana), { canUndo: true, canRedo: false })
    t.equal((await take('redo', ana)).status, 400, 'a new change ends what can be redone')

    await take('undo', ana)
    t.equal((await redoAny('/')).status, 200, 'without mine, the newest undo of anybody is redone')
    t.match(await status(ana), { canUndo: true, canRedo: false })
    t.equal((await take('undo', ben)).status, 409, 'what a redo replaced was changed by others')
  }),
)

t.test('an own change is the next undo of its page, however much was changed elsewhere since', async (t) => {
  const { send, get, ops } = await open(t)
  const client = { id: 'browser-a' }
  await send('/ops', { ops: [setBody('/about', 'b_1', 'Mine')], client })
  for (let each = 0; each < 101; each += 1) await ops([setBody('/prices', 'b_2', String(each))])
  const status = get('/history/status', { slug: '/about', mine: '1', client: client.id })
  t.match(await bodyOf(status), { canUndo: true, canRedo: false })
  const undone = { status: 'applied', canUndo: false, canRedo: true }
  t.match(await bodyOf(send('/history/undo', { slug: '/about', mine: true, client })), undone)
})

t.test('every route that changes a draft stores the client, and refuses an invalid one', async (t) => {
  const { bootstrap, send, get, retitle, version } = await open(t)
  const client = { id: 'browser-a', name: 'Ana' }
  const target = { slug: '/', client }
  await retitle('/', 'One')
  const sent: readonly (readonly [path: string, body: object, method?: string])[] = [
    ['/ops', { ops: [setBody('/about', 'b_1', 'Two')], client }],
    ['/history/undo', target],
    ['/history/redo', target],
    ['/history/undo-change', { version: 2, client }],
    ['/history/restore', { targetVersion: 2, client }],
    ['/draft/site-config', { config: { name: 'Acme' }, client }, 'PUT'],
    ['/draft/bootstrap', { pages: [pageOf('/', [], { title: 'New' })], overwrite: true, client }],
  ]
  for (const [path, body, method] of sent) {
    const answer = await send(path, body, undefined, method)
    t.equal(answer.status, 200, `${path} ${answer.text}`)
    const log = await bodyOf(get('/history/log', { limit: '1' }))
    t.match(log, { entries: [{ actor: { browser: client } }] }, path)
  }
  const before = await version()
  for (const [path, body, method] of sent)
    for (const wrong of [
      { id: '' },
      { id: 'a b' },
      { name: 'Ana' },
      { id: 'a', name: 'x'.repeat(61) },
      'Ana',
    ])
      t.match(
        (await send(path, { ...body, client: wrong }, undefined, method)).json(),
        { code: 'invalid_request', reason: /client|^id is required$/ },
        path,
      )
  t.equal(await version(), before)
  await bootstrap([pageOf('/', [], { title: 'Last' })], { overwrite: true, client: null })
  const { entries } = v.parse(Labels, await bodyOf(get('/history/log', { limit: '1' })))
  t.notOk('browser' in Object(entries[0]?.['actor']), 'null counts as absent')
  await send('/publish', { client })
  t.match(await bodyOf(get('/publish/log')), { entries: [{ actor: { browser: client } }] })
  const { commit } = v.parse(
    v.looseObject({ commit: v.string() }),
    v.parse(Published, await bodyOf(get('/publish/log'))).entries[0],
  )
  await retitle('/', 'After')
  t.equal(await statusOf(send('/restore/snapshot', { commit, client })), 200)
  t.match(await bodyOf(get('/history/log', { limit: '1' })), {
    entries: [{ source: 'restore', actor: { browser: client } }],
  })
})

const Published = v.object({ entries: v.array(v.unknown()) })

t.test(
  'a page that a change removed is one of its pages, for the refusal of an undo and for own steps',
  async (t) => {
    const { ops, send, undo, redo, slugs } = await open(t)
    const client = { id: 'ana' }
    const mine = (way: 'undo' | 'redo', slug: string) => send(`/history/${way}`, { slug, mine: true, client })
    const created = ['/a', '/b'].map((slug) => ({ op: 'create_page', page: { slug, title: slug } }))
    await send('/ops', { ops: created, client })
    const before = await slugs()
    t.equal((await mine('undo', '/a')).status, 200)
    t.match((await redo('/')).json(), {
      reason: /latest change that can be redone is on page '\/a' or '\/b'/,
    })
    t.equal((await mine('redo', '/b')).status, 200, 'its undo has removed both')
    t.strictSame(await slugs(), before)
    await ops([{ op: 'remove_page', pageSlug: '/b' }])
    t.match((await undo('/')).json(), {
      reason: /latest change that can be undone is on page '\/b': undo it/,
    })
    t.equal((await undo('/b')).status, 200)
  },
)

/** A draft whose settings are typed: each text a person, what is sent, and how many seconds pass after it. */
async function typing(
  t: Parameters<typeof mountForTest>[0] & { equal(found: unknown, wanted: unknown): boolean },
  options: Parameters<typeof draftsInMemory>[0] = {},
) {
  const time = stillClock()
  const opened = await open(t, { clock: time, ...options })
  const { send, get, version } = opened
  return {
    ...opened,
    time,
    type: async (id: string, config: object, seconds = 1) => {
      const answer = await send('/draft/site-config', { config, client: { id } }, {}, 'PUT')
      t.equal(answer.status, 200)
      time.advance(seconds * 1_000)
    },
    config: async () => (await get('/draft/site-config')).json(),
    /** The versions of the lines after the first one. */
    lines: async () => {
      const { entries } = v.parse(Versions, (await get('/history/log')).json())
      return entries.slice(1).map((entry) => entry.version)
    },
    undoNewest: async () => send('/history/undo-change', { version: await version() }),
  }
}
const Versions = v.object({ entries: v.array(v.object({ version: v.number() })) })

t.test('a setting that a person types is one line of the history and one undo', async (t) => {
  const { type, config, lines, undoNewest, send, version, ops } = await typing(t)
  await type('ana', { name: 'Ac' }, 11)
  for (const name of ['Acm', 'Acme', 'Acme S', 'Acme & Sons']) await type('ana', { name }, 4)
  t.equal(await version(), 6, 'each is a version')
  t.strictSame(await lines(), [2, 6])
  t.equal((await undoNewest()).status, 200)
  t.strictSame(await config(), { name: 'Ac' })
  t.equal((await undoNewest()).status, 200, 'the undo is undone')
  t.strictSame(await config(), { name: 'Acme & Sons' })
  await type('ana', { name: 'After' })
  t.strictSame(await lines(), [2, 6, 7, 8, 9], 'what follows an undo is a line of its own')
  await ops([{ op: 'update_site_config', patch: { name: 'By an operation' } }])
  t.strictSame(await lines(), [2, 6, 7, 8, 9, 10], 'requests without a browser are of another one')
  t.equal((await send('/history/undo-change', { version: 6 })).status, 409)
})

t.test('another setting, another person, a pause and other changes begin a new line', async (t) => {
  const { type, config, lines, ops, undoNewest, retitle } = await typing(t)
  const label = (slug: string, text: string) =>
    ops([{ op: 'update_site_config', patch: { navLabels: { [slug]: text } } }])
  await type('ana', { name: 'A' })
  await type('ana', { logo: '/a.svg' })
  await type('ben', { logo: '/b.svg' })
  await type('ben', { logo: '/c.svg' }, 11)
  await type('ben', { logo: '/d.svg' })
  t.strictSame(await lines(), [2, 3, 5, 6])
  await type('ben', { logo: '/e.svg', name: 'B' })
  await type('ben', { logo: '/f.svg', name: 'C' })
  t.strictSame(await lines(), [2, 3, 5, 6, 7, 8], 'a change of several settings is one by itself')
  await label('/about', 'A')
  await label('/about', 'Ab')
  await label('/prices', 'P')
  await label('/prices', 'Pr')
  t.strictSame(await lines(), [2, 3, 5, 6, 7, 8, 10, 12], 'each page of the menu has its own')
  await undoNewest()
  t.match(await config(), { navLabels: { '/about': 'Ab', '/prices': undefined } })
  await label('/about', 'Abc')
  await retitle('/about', 'Us')
  await label('/about', 'Abcd')
  t.strictSame((await lines()).slice(-4), [13, 14, 15, 16])
})

t.test('a setting that is typed and put back leaves no way to a value in between', async (t) => {
  const { type, config, undoNewest, lines } = await typing(t)
  await type('ana', { name: 'A' }, 11)
  for (const name of ['B', 'A', 'C']) await type('ana', { name })
  t.strictSame(await lines(), [2, 5])
  await undoNewest()
  t.strictSame(await config(), { name: 'A' })
})

t.test('two browsers of one token are two people, for the lines of the history too', async (t) => {
  const shared: Gate = {
    mounting: () => ({ mount: true }),
    admit: () => ({ admit: true, caller: { via: 'token', id: 'shared' } }),
  }
  const gates = [
    ...openGates.filter(({ ref }) => ref.id !== kernelGates.access.id),
    give(kernelGates.access, shared),
  ]
  const { type, lines } = await typing(t, { gates })
  await type('one', { name: 'A' })
  await type('two', { name: 'B' })
  await type('two', { name: 'C' })
  t.strictSame(await lines(), [2, 4])
})
