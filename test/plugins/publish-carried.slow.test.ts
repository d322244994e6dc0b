import t from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import { fields, lastRow, noon, page, startWebsite, withDraft } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { draftOf, everyKind, fileWith, read } from '../helpers/site-kinds.ts'
import { bodyOf } from '../helpers/stack.ts'
import { withWebsite } from '../helpers/website.ts'
import { emptyList } from '../helpers/plain.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])
const { updatedAt: _at, id: _id, ...bare } = page('/bare')
const hero = page('/hero').blocks[0]

/**
 * Entries that cannot be read, and the slugs by which they are listed in a site that has them between two
 * pages.
 */
const unreadable: readonly (readonly [entry: unknown, slug: string])[] = [
  [{ ...page('/typeless'), id: true }, '/typeless'],
  [{ ...page('/text'), blocks: 'none' }, '/text'],
  [{ ...page('/title'), title: 5, own: { kept: true } }, '/title'],
  [page('/', 'Second'), '/'],
  [{ title: 'Nowhere' }, 'pages[5]'],
  [{ ...page('/x'), slug: '' }, 'pages[6]'],
  [7, 'pages[7]'],
  ['words', 'pages[8]'],
  [{ ...page('/deep'), blocks: [{ ...hero, props: { deep: nested(70) } }] }, '/deep'],
]

/** Pages that are repaired when they are read. */
const repaired: readonly object[] = [
  { ...page('/null'), meta: null, own: null },
  { ...bare, blocks: [{ type: 'Hero', props: null }, null] },
  { ...page('/same'), blocks: [hero, hero] },
]

const entries: readonly unknown[] = [
  page('/'),
  ...unreadable.map(([entry]) => entry),
  ...repaired,
  page('/last'),
]

/** What a draft has of them. */
const filled = [page('/'), ...repaired, page('/last')]

/** Entries without the time of the change of the page that is edited. */
const untimed = (stored: unknown): readonly unknown[] =>
  v.parse(v.array(v.unknown()), stored).map((entry) => {
    const own = v.safeParse(v.looseObject({ slug: v.literal('/'), title: v.literal('Edited') }), entry)
    return own.success ? { ...own.output, updatedAt: page('/').updatedAt } : entry
  })

t.test('what cannot be read, or was repaired, is stored as it was, at its place', (t) =>
  everyKind(t, async (t, start) => {
    const { edit, stored } = await start(t, entries, filled)
    await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
    const answer = await edit.send('/publish', {})
    t.match(answer.json(), { status: /ready|triggered/ })
    t.strictSame(untimed(stored()), [{ ...page('/'), title: 'Edited' }, ...entries.slice(1)])
    t.match(await lastRow(edit), { carried: unreadable.length })

    await edit.send('/publish', { allowDelete: true })
    t.strictSame(
      stored(),
      entries.with(0, v.parse(v.array(v.unknown()), stored())[0]),
      'nor does allowDelete delete',
    )
  }),
)

t.test('a page is added to a site that has no usable one', (t) =>
  everyKind(t, async (t, start) => {
    const all = unreadable
      .map(([entry]) => entry)
      .filter((entry) => !v.is(v.looseObject({ slug: v.literal('/') }), entry))
    const { edit, stored } = await start(t, all)
    t.equal((await edit.ops([{ op: 'create_page', page: { slug: '/new', title: 'New' } }])).status, 200)
    t.match((await edit.send('/publish', {})).json(), { status: /ready|triggered/ })
    t.match(stored(), [...all, { slug: '/new' }])
  }),
)

t.test('a page takes no slug of an entry that cannot be read', (t) =>
  everyKind(t, async (t, start) => {
    const { edit, stored } = await start(t, entries, filled)
    await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
    await edit.send('/publish', {})
    const before = stored()
    const refused = {
      code: 'slug_unreadable',
      reason: /at \/title .*title is missing.*Correct it on the site, or/,
    }
    for (const op of [
      { op: 'create_page', page: { slug: '/title', title: 'Title' } },
      { op: 'rename_page', pageSlug: '/last', newPageSlug: '/title' },
      { op: 'duplicate_page', pageSlug: '/last', newPageSlug: '/title' },
    ]) {
      const answer = await edit.ops([op])
      t.equal(answer.status, 400, op.op)
      t.match(fields(answer), refused)
    }
    const alone = await edit.bootstrap([page('/title')], { overwrite: true })
    t.match([alone.status, fields(alone)], [400, refused])
    const unusable = [page('/title'), { ...page('/deep'), title: 5 }, page('/first')]
    t.match(fields(await edit.bootstrap(unusable, { overwrite: true })), {
      count: 1,
      refused: [{ slug: '/deep' }, { slug: '/title', reason: refused.reason }],
    })
    t.equal((await edit.ops([{ op: 'create_page', page: { slug: '/deep', title: 'Deep' } }])).status, 400)
    await edit.undo('/first')
    await edit.ops([{ op: 'remove_page', pageSlug: '/first' }])
    t.equal((await edit.send('/publish', {})).status, 200)
    t.strictSame(stored(), before)
  }),
)

t.test(
  'an entry of the site that is corrected, or gone, holds no slug once the draft has followed',
  async (t) => {
    const odd = (slug: string) => ({ ...page(slug), title: '' })
    const site = await startWebsite(t, { pages: [page('/'), odd('/a'), odd('/b')] })
    const edit = await draftOf(t, site.origin)
    const create = async (slug: string) =>
      (await edit.ops([{ op: 'create_page', page: { slug, title: 'New' } }])).status
    const listed = async () => fields(await edit.get('/draft/slugs'))['unreadable']
    t.match(await listed(), [{ slug: '/a' }, { slug: '/b' }])
    t.strictSame([await create('/a'), await create('/b')], [400, 400])
    site.answers.pages.body = { pages: [page('/'), odd('/b')] }
    await edit.send('/draft/follow', {})
    t.match(await listed(), [{ slug: '/b' }])
    t.strictSame([await create('/a'), await create('/b')], [200, 400])
    site.answers.pages.body = { pages: [page('/'), page('/b'), odd('/c')] }
    await edit.send('/draft/follow', {})
    t.match(await listed(), [{ slug: '/c' }])
    t.match(await bodyOf(edit.get('/draft/slugs')), { slugs: ['/', '/b', '/a'] })
    t.equal(await create('/c'), 400)
  },
)

t.test('what a client pushed and could not be used holds no slug', async (t) => {
  const edit = await withDraft(t, {}, [])
  t.match(fields(await edit.bootstrap([page('/'), { ...page('/a'), title: '' }])), {
    refused: [{ slug: '/a' }],
  })
  t.match(await bodyOf(edit.get('/draft/slugs')), {
    unreadable: [{ slug: '/a', reason: String }],
    notice: /^A page of the site cannot be read, .*: \/a \(/,
  })
  t.equal((await edit.ops([{ op: 'create_page', page: { slug: '/a', title: 'New' } }])).status, 200)
  t.notOk('unreadable' in fields(await edit.get('/draft/slugs')))
})

t.test(
  'a changed page that cannot be read on the site any more is a conflict, and never replaces it',
  async (t) => {
    const site = await startWebsite(t, { pages: [page('/'), page('/a'), page('/b')] })
    const edit = await draftOf(t, site.origin)
    await bodyOf(edit.get('/publish/diff'))
    await edit.retitle('/a', 'Edited')
    site.answers.pages.body = {
      pages: [page('/'), { ...page('/a'), title: '' }, { ...page('/b'), title: '' }],
    }
    t.match(fields(await edit.send('/publish', {})), { code: 'site_conflict', conflicts: [{ slug: '/a' }] })
    t.match(await bodyOf(edit.get('/draft/slugs')), { slugs: ['/', '/a'], unreadable: [{ slug: '/b' }] })
    t.match(fields(await edit.send('/publish', { overwrite: true })), {
      status: 'failed',
      code: 'slug_unreadable',
    })
    t.equal((await edit.undo('/b')).status, 400)
    t.same(site.sent(), [])
  },
)

t.test('a page of the site that has become too large for a draft stays on the site', async (t) => {
  const site = await startWebsite(t, { pages: [page('/'), page('/last')] })
  const options = { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin }, draft: { maxPageBytes: 1500 } }
  const setup = await withDraft(t, options, [])
  await setup.send('/sites/register', { name: 'Acme', previewUrl: site.origin })
  await setup.get('/publish/diff')
  const large = page('/large', 'x'.repeat(3000))
  site.answers.pages.body = { pages: [page('/'), large, page('/last')] }
  const facts = {
    summary: { pagesRemoved: 0, pagesAdded: 0 },
    unreadable: [{ slug: '/large', reason: /larger/ }],
  }
  t.match(await bodyOf(setup.get('/publish/diff')), facts)
  t.match(await bodyOf(setup.get('/publish/diff')), facts, 'also the next time')
  t.match(await bodyOf(setup.get('/draft/slugs')), {
    slugs: ['/', '/last'],
    unreadable: [{ slug: '/large' }],
  })
  t.equal((await setup.publish()).status, 200)
  t.strictSame(site.sent()[0]?.body['pages'], [page('/'), large, page('/last')])
  t.match(await lastRow(setup), { carried: 1, diffSummary: { removed: 0 } })
})

t.test('of two pages with one slug, the first can be removed', async (t) => {
  const site = await startWebsite(t, { pages: [page('/'), page('/a'), page('/a', 'Second')] })
  const edit = await draftOf(t, site.origin)
  await edit.ops([{ op: 'remove_page', pageSlug: '/a' }])
  t.equal((await edit.ops([{ op: 'create_page', page: { slug: '/a', title: 'A' } }])).status, 200)
  await edit.ops([{ op: 'remove_page', pageSlug: '/a' }])
  t.match(await bodyOf(edit.get('/publish/diff')), { summary: { pagesRemoved: 1 } })
  t.equal((await edit.send('/publish', {})).status, 200)
  t.strictSame(site.sent()[0]?.body['pages'], [page('/'), page('/a', 'Second')])
})

t.test('pages that the draft had to leave out stay on the site, and are no removals', async (t) => {
  const large = page('/large', 'x'.repeat(3000))
  const site = await startWebsite(t, { pages: [page('/'), large, page('/last')] })
  const options = { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin }, draft: { maxPageBytes: 1500 } }
  const setup = await withDraft(t, options, [])
  await setup.send('/sites/register', { name: 'Acme', previewUrl: site.origin })
  t.match(await bodyOf(setup.get('/draft/slugs')), {
    slugs: ['/', '/last'],
    unreadable: [{ slug: '/large' }],
  })
  t.match(await bodyOf(setup.get('/publish/diff')), {
    summary: { pagesRemoved: 0 },
    unreadable: [{ slug: '/large', reason: /larger/ }],
  })
  t.equal((await setup.publish()).status, 200)
  t.strictSame(site.sent()[0]?.body['pages'], [page('/'), large, page('/last')])
  t.match(await lastRow(setup), { carried: 1, diffSummary: { removed: 0 } })
})

t.test('a build that reads the draft gets what is carried', async (t) => {
  const site = await startWebsite(t, { pages: entries })
  const edit = await draftOf(t, site.origin)
  await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
  const content = async () => fields(await edit.get('/publish/content'))
  const { pages, slugs } = await content()
  t.strictSame(untimed(pages), [{ ...page('/'), title: 'Edited' }, ...entries.slice(1)])
  t.strictSame(slugs, ['/', '/null', '/bare', '/same', '/last'])
  await edit.ops([{ op: 'remove_page', pageSlug: '/last' }])
  t.strictSame(v.parse(v.array(v.unknown()), (await content())['pages']).slice(1), entries.slice(1, -1))
})

t.test('a publish diff lists what cannot be read, after a change as well', async (t) => {
  const site = await startWebsite(t, { pages: entries })
  const edit = await draftOf(t, site.origin)
  const listed = unreadable.map(([, slug]) => ({ slug, reason: String }))
  const diff = () => bodyOf(edit.get('/publish/diff'))
  t.match(await diff(), { unreadable: listed })
  await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
  const after = await diff()
  t.match(after, { unreadable: listed, summary: { pagesModified: 1, pagesRemoved: 0 } })
  t.notMatch(JSON.stringify(after), /Nowhere/, 'not their content')
  site.answers.pages.body = { pages: [page('/')] }
  t.notOk('unreadable' in v.parse(v.looseObject({}), await diff()))
})

t.test('a site that refuses what it has says which entries are to be corrected', async (t) => {
  const site = await startWebsite(t, { pages: [page('/'), { ...page('/odd'), title: '' }] })
  const edit = await draftOf(t, site.origin)
  await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
  const reason = 'pages.1.title is missing or of the wrong type.'
  site.answers.publish = { status: 400, body: { ok: false, error: 'invalid_request', reason } }
  const answer = await edit.send('/publish', {})
  t.equal(answer.status, 400)
  t.match(fields(answer), {
    status: 'failed',
    reason: /^pages\.1\.title .*'\/odd' \(title is missing.*Correct/,
  })
})

t.test(
  'while the site cannot be read, a publish does not risk what the draft had to leave out',
  async (t) => {
    const site = await startWebsite(t, { pages: [page('/'), { ...page('/odd'), title: '' }] })
    const edit = await draftOf(t, site.origin)
    await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
    site.answers.pages = { status: 500, body: {} }
    const answer = await edit.send('/publish', {})
    t.equal(answer.status, 409)
    t.match(fields(answer), { status: 'failed', reason: /could not be read.*'\/odd' \(title is missing/ })
    t.same(site.sent(), [])
  },
)

t.test('an entry that cannot be read is deleted by its name alone', (t) =>
  everyKind(t, async (t, start) => {
    const { edit, stored } = await start(t, entries, filled)
    await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
    await edit.send('/publish', {})
    const before = v.parse(v.array(v.unknown()), stored())
    for (const remove of [['/nowhere'], ['/title', '/last'], ['pages[5]']]) {
      const answer = await edit.send('/publish', { remove })
      t.match(
        [answer.status, fields(answer)],
        [400, { code: 'entries_not_found', reason: /cannot be read at/ }],
      )
    }
    t.match(fields(await edit.send('/publish/diff', { remove: ['/title', '/nowhere'] })), {
      summary: { pagesRemoved: 1 },
      unreadable: unreadable.filter(([, slug]) => slug !== '/title').map(([, slug]) => ({ slug })),
      pages: [{ slug: '/title', status: 'removed', blockDiffs: emptyList }],
    })
    t.match(
      fields(await edit.get('/publish/diff')),
      { summary: { pagesRemoved: 0 } },
      'only where it is asked',
    )
    t.strictSame(stored(), before)

    t.equal((await edit.send('/publish', { remove: ['/title', '/'] })).status, 200)
    const gone = unreadable.flatMap(([entry, slug]) => (slug === '/title' || slug === '/' ? [entry] : []))
    t.strictSame(
      stored(),
      before.filter((entry) => !gone.some((other) => sameJson(entry, other))),
    )
    t.match(await lastRow(edit), {
      carried: unreadable.length - 2,
      diffSummary: { removed: 2 },
      summary: /removed/,
    })
    t.notMatch(JSON.stringify(fields(await edit.get('/draft/slugs'))['unreadable']), /"\/title"|"\/"/)
  }),
)

const Listed = v.object({
  unreadable: v.optional(v.array(v.object({ slug: v.string(), name: v.optional(v.string()) })), []),
})

t.test('an entry without a slug is deleted by its place and its content', (t) =>
  everyKind(t, async (t, start) => {
    const { edit, stored } = await start(t, entries, filled)
    await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
    await edit.send('/publish', {})
    const before = v.parse(v.array(v.unknown()), stored())
    const namesIn = async () =>
      v.parse(Listed, (await edit.get('/publish/diff')).json()).unreadable.flatMap(({ name }) => name ?? [])
    const names = await namesIn()
    t.match(names, [/^pages\[5\]#[0-9a-f]{8}$/, /^pages\[6\]#/, /^pages\[7\]#/, /^pages\[8\]#/])
    const [first = '', ...others] = names
    const wrong = [first.replace('5', '6'), first.slice(0, -1)]
    for (const name of wrong)
      t.match(fields(await edit.send('/publish', { remove: [name] })), { code: 'entries_not_found' })
    t.match(fields(await edit.send('/publish/diff', { remove: [first] })), {
      summary: { pagesRemoved: 1 },
      pages: [{ slug: 'pages[5]', status: 'removed' }],
    })
    t.equal((await edit.send('/publish', { remove: [first] })).status, 200)
    t.strictSame(
      stored(),
      before.filter((entry) => !sameJson(entry, { title: 'Nowhere' })),
    )
    // A site with fixed answers.
    if ((await namesIn()).includes(first)) return
    t.match(fields(await edit.send('/publish', { remove: others })), { code: 'entries_not_found' })
    t.equal((await edit.send('/publish', { remove: await namesIn() })).status, 200)
    t.strictSame(await namesIn(), [])
  }),
)

t.test('the tag of the list of pages changes with what cannot be read alone', async (t) => {
  const site = await startWebsite(t, { pages: [page('/')] })
  const edit = await draftOf(t, site.origin)
  const odd = (slug: string) => ({ ...page(slug), title: '' })
  const tags: unknown[] = []
  for (const more of [[], [odd('/one')], [odd('/two')], [odd('/two'), odd('/three')], []]) {
    site.answers.pages.body = { pages: [page('/'), ...more] }
    await bodyOf(edit.get('/publish/diff'))
    const listed = await edit.get('/draft/slugs', {}, { 'if-none-match': String(tags.at(-1)) })
    t.equal(listed.status, 200)
    tags.push(listed.headers.get('etag'))
    const again = await edit.get('/draft/slugs', {}, { 'if-none-match': String(tags.at(-1)) })
    t.equal(again.status, 304)
  }
  t.equal(tags[0], tags.at(-1), 'the same list again')
  const guarded = await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'New' }], {
    'if-match': String(tags[3]),
  })
  t.equal(guarded.status, 200, 'a version as well')
})

t.test('a site counts a named entry among the removed pages', async (t) => {
  const path = fileWith(t, [page('/'), { ...page('/odd'), title: '' }])
  const options = { adapter: jsonFile(path), publish: jsonFilePublishHandler(path), maxPagesRemoved: 0 }
  const site = createSiteEditor({ ...options, logger: capturedLog().log })
  t.teardown(() => site.close())
  const edit = await draftOf(t, await serve(t, (request, response) => void site.node(request, response)))
  await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
  t.equal((await edit.send('/publish', { remove: ['/odd'] })).status, 409)
  t.equal((await edit.send('/publish', { remove: ['/odd'], allowDelete: true })).status, 200)
  t.match(read(path), [{ title: 'Edited' }])
  t.equal(v.parse(v.array(v.unknown()), read(path)).length, 1)
  t.equal((await edit.ops([{ op: 'create_page', page: { slug: '/odd', title: 'New' } }])).status, 200)
  t.equal((await edit.send('/publish', {})).status, 200)
  t.match(read(path), [{ title: 'Edited' }, { slug: '/odd', title: 'New' }])
})

t.test('an entry is named for a publish of now, to a site that can be read', async (t) => {
  const site = await startWebsite(t, { pages: [page('/'), { ...page('/odd'), title: '' }] })
  const edit = await draftOf(t, site.origin)
  await bodyOf(edit.get('/publish/diff'))
  t.equal((await edit.send('/publish', { remove: ['/odd'], at: '2026-01-01T13:00:00Z' })).status, 400)
  site.answers.pages = { status: 500, body: {} }
  t.match(fields(await edit.send('/publish', { remove: ['/odd'] })), { code: 'site_unavailable' })
  t.same(site.sent(), [])
})

const Pages = v.array(v.record(v.string(), v.unknown()))
const Rows = v.looseObject({
  blocks: v.tupleWithRest(
    [
      v.looseObject({
        props: v.looseObject({ items: v.array(v.looseObject({ q: v.string(), a: v.string() })) }),
      }),
    ],
    v.unknown(),
  ),
})
const question = (q: string, more: object = {}) => ({ q, a: 'Because', ...more })
const faq = (slug: string, items: readonly object[]) => ({
  id: `p${slug}`,
  slug,
  title: slug.slice(1),
  updatedAt: noon,
  blocks: [
    { id: `b${slug}`, type: 'FAQAccordion', props: { title: 'Questions', items } },
    { id: `c${slug}`, type: 'CardGrid', props: { cards: [{ title: 'One' }, { title: 'Two' }] } },
  ],
})

t.test('rows that only got ids when they were read are sent as the site has them', (t) =>
  everyKind(t, async (t, start) => {
    const entries = ['/a', '/b'].map((slug) =>
      faq(slug, [question('One?'), question('Two?'), question('Three?')]),
    )
    const { edit, stored } = await start(t, entries, entries)
    const row = { pageSlug: '/a', blockId: 'b/a', listKey: 'items' }
    await edit.ops([{ op: 'update_page_meta', pageSlug: '/a', patch: { description: 'New' } }])
    t.equal((await edit.send('/publish', {})).status, 200)
    const [a, b] = v.parse(Pages, stored())
    t.strictSame([a?.['blocks'], b], [entries[0]?.blocks, entries[1]], 'nothing but the text')

    await edit.ops([{ op: 'update_item', ...row, index: 1, patch: { q: 'Second?' } }])
    t.equal((await edit.send('/publish', {})).status, 200)
    const changed = v.parse(Rows, v.parse(Pages, stored())[0]).blocks
    t.strictSame(
      changed[0].props.items.map(({ q, a }) => ({ q, a })),
      [question('One?'), question('Second?'), question('Three?')],
    )
    const [first, , third] = changed[0].props.items
    t.strictSame([first, third], [question('One?'), question('Three?')], 'without ids, as before')
    t.strictSame(changed[1], entries[0]?.blocks[1])

    await edit.ops([{ op: 'move_item', ...row, index: 2 }])
    t.equal((await edit.send('/publish', {})).status, 200)
    const diff = fields(await edit.get('/publish/diff'))
    t.match(diff, { summary: { totalChangedFields: 0, pagesModified: 0 } }, 'the next read is no change')
    t.match(fields(await edit.send('/draft/follow')), { status: 'unchanged' })
  }),
)

t.test(
  'a page that a publish has changed and the site then lists with a repair is sent as listed',
  async (t) => {
    const { website, draft } = await withWebsite(t)
    const dev = draft('dev')
    await dev.fill()
    await dev.heading('/', 'New')
    t.match(await dev.publish(), { status: 'ready' })
    const before = website.pages.map((page) => ({ ...page, meta: null }))
    website.lists = () => ({ pages: before })
    await dev.heading('/about', 'Other')
    t.match(await dev.publish(), { status: 'ready' })
    t.strictSame(website.pages[0], before[0])
    t.strictSame(website.pages[2], before[2], 'a page without a publish of its own')
  },
)
