import t from 'tap'
import * as v from 'valibot'
import { withSite } from '../helpers/published-site.ts'
import { page } from '../helpers/publishing.ts'
import { type draftOf, threePages, withWebsite } from '../helpers/website.ts'
import { emptyList } from '../helpers/plain.ts'

type EditedDraft = ReturnType<typeof draftOf>

const row = (id: string, q = id) => ({ id, q, a: 'An answer' })
const bare = (q: string) => ({ q, a: 'An answer' })
const faq = (...items: readonly object[]) => ({
  ...page('/'),
  blocks: [{ id: 'faq', type: 'FAQAccordion', props: { title: 'Questions', items } }],
})
const Rows = v.array(v.looseObject({ q: v.string() }))
const questionsOf = async (draft: EditedDraft) =>
  v.parse(Rows, (await draft.props('/'))['items']).map(({ q }) => q)
const add = (item: object) => ({ op: 'add_item', pageSlug: '/', blockId: 'faq', listKey: 'items', item })

t.test('the undo of a row beneath a follow takes back that row', async (t) => {
  for (const [name, before, added, theirs, undone, redone] of [
    ['of another row', [row('r1')], row('r2'), [row('r1'), row('r3')], ['r1', 'r3'], ['r1', 'r2', 'r3']],
    [
      'of another row in front',
      [row('r1')],
      row('r2'),
      [row('r3'), row('r1')],
      ['r3', 'r1'],
      ['r3', 'r1', 'r2'],
    ],
    [
      'of the same row and another',
      [row('r1')],
      row('r2'),
      ['r1', 'r2', 'r3'].map((id) => row(id)),
      ['r1', 'r3'],
      ['r1', 'r2', 'r3'],
    ],
    ['of rows without ids', [bare('a')], bare('b'), [bare('c'), bare('a')], ['c', 'a'], ['c', 'a', 'b']],
    [
      'of an equal row without an id',
      [bare('a')],
      bare('b'),
      [bare('c'), bare('a'), bare('b')],
      ['c', 'a'],
      ['c', 'a', 'b'],
    ],
  ] as const)
    await t.test(name, async (t) => {
      const { website, draft } = await withWebsite(t, {}, [faq(...before)])
      const dev = draft('dev')
      await dev.fill()
      await dev.ops([add(added)])
      website.pages = [faq(...theirs)]
      await dev.diff()
      t.equal((await dev.undo('/')).status, 200)
      t.strictSame(await questionsOf(dev), undone)
      t.strictSame((await dev.diff()).conflicts, [])
      t.equal((await dev.redo('/')).status, 200)
      t.strictSame(await questionsOf(dev), redone)
    })
})

t.test('a change that has no effect beneath a follow is one step of the undo', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  const [block] = (await dev.page('/')).blocks
  const start = block?.props['heading']
  const edit = (heading: unknown) =>
    dev.ops([{ op: 'update_props', pageSlug: '/', blockId: block?.id, patch: { heading } }])
  await edit('Four')
  await edit(start)
  website.pages = website.pages.map((each) =>
    each.slug === '/'
      ? { ...each, blocks: each.blocks.map((one) => ({ ...one, props: { ...one.props, heading: 'Four' } })) }
      : each,
  )
  await dev.follow()
  const heading = async () => (await dev.props('/'))['heading']
  t.equal(await heading(), 'Four')
  t.equal((await dev.undo('/')).status, 200)
  t.equal(await heading(), 'Four', 'the first change is not undone with it')
  t.equal((await dev.undo('/')).status, 200)
  t.equal(await heading(), start)
  for (const expected of ['Four', start]) {
    t.equal((await dev.redo('/')).status, 200)
    t.equal(await heading(), expected)
  }
})

t.test('what both have changed again is not undone alone', async (t) => {
  const { website, draft } = await withWebsite(t, {}, [faq(row('r1'))])
  const dev = draft('dev')
  await dev.fill()
  await dev.ops([add(row('r2'))])
  await dev.publish()
  website.pages = [faq(row('r1'), row('r2', 'Changed'), row('r3'))]
  await dev.follow()
  t.match((await dev.undo('/')).json(), { code: 'changed_since' })
  t.strictSame(await questionsOf(dev), ['r1', 'Changed', 'r3'])
})

t.test('a draft that takes back what both have added follows the site there', async (t) => {
  const text = (body: string) => ({ id: 'b_new', type: 'RichText', props: { title: 'New', body } })
  const withBlock = (heading: string) => ({
    ...faq(row('r1')),
    blocks: [...faq(row('r1')).blocks, text(heading)],
  })
  for (const [name, op, theirs, path] of [
    ['a row', add(row('r2', 'Mine')), [faq(row('r1'), row('r2', 'Theirs'))], 'items[id="r2"].q'],
    ['a block', { op: 'add_block', pageSlug: '/', block: text('Mine') }, [withBlock('Theirs')], 'body'],
    [
      'a page',
      { op: 'create_page', page: page('/new', 'Mine') },
      [faq(row('r1')), page('/new', 'Theirs')],
      'heading',
    ],
  ] as const)
    await t.test(name, async (t) => {
      const { website, draft } = await withWebsite(t, {}, [faq(row('r1'))])
      const dev = draft('dev')
      await dev.fill()
      t.equal((await dev.ops([op])).status, 200)
      website.pages = theirs
      t.match((await dev.diff()).conflicts, [{ kind: 'changed', path, ours: 'Mine', theirs: 'Theirs' }])
      t.equal((await dev.undo(name === 'a page' ? '/new' : '/')).status, 200)
      t.match(await dev.diff(), {
        conflicts: { length: 0 },
        summary: { pagesModified: 0, pagesAdded: 0, pagesRemoved: 0 },
      })
      t.match(await dev.publish(), { status: 'ready' })
      t.strictSame(
        website.pages.map(({ slug }) => slug),
        theirs.map(({ slug }) => slug),
      )
    })
})

t.test('what the site takes back of what both have added is of the draft alone', async (t) => {
  const { website, draft } = await withWebsite(t, {}, [faq(row('r1'))])
  const dev = draft('dev')
  await dev.fill()
  await dev.ops([add(row('r2', 'Mine'))])
  website.pages = [faq(row('r1'), row('r2', 'Theirs'))]
  t.equal((await dev.diff()).conflicts.length, 1)
  website.pages = [faq(row('r1'))]
  t.strictSame((await dev.diff()).conflicts, [])
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame(await questionsOf(dev), ['r1', 'Mine'])
})

const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
const swap = [rename('/about', '/x'), rename('/prices', '/about'), rename('/x', '/prices')]

const History = v.object({ entries: v.array(v.looseObject({ version: v.number() })) })
/** Undoes the newest change of a draft. */
async function undoLast(dev: EditedDraft) {
  const { entries } = v.parse(History, (await dev.get('/history/log')).json())
  return dev.send('/history/undo-change', { version: entries.at(-1)?.version })
}

t.test('undo and redo of renames are renames', async (t) => {
  const ways: Readonly<Record<string, (dev: EditedDraft) => Promise<unknown>>> = {
    'a swap': (dev) => dev.ops(swap),
    'its redo': async (dev) => [await dev.ops(swap), await dev.undo('/about'), await dev.redo('/about')],
    'the undo of its undo': async (dev) => [await dev.ops(swap), await undoLast(dev), await undoLast(dev)],
    'the undo of a second one': async (dev) => [
      await dev.ops(swap),
      await dev.ops(swap),
      await dev.undo('/about'),
    ],
    'single renames': async (dev) => {
      for (const op of swap) await dev.ops([op])
      return [await dev.undo('/prices'), await dev.redo('/prices')]
    },
  }
  for (const [name, act] of Object.entries(ways))
    await t.test(name, async (t) => {
      const { website, headingOf, draft } = await withWebsite(t)
      const dev = draft('dev')
      await dev.fill()
      await act(dev)
      website.pages = [page('/'), page('/about', 'By the site'), page('/prices', 'Prices')]
      t.match((await dev.diff()).conflicts, emptyList)
      t.equal(await dev.headingOf('/prices'), 'By the site')
      t.match(await dev.publish({ pages: ['/about'] }), { code: 'pages_belong_together' })
      t.match(await dev.publish(), { status: 'ready' })
      t.strictSame(['/about', '/prices'].map(headingOf), ['Prices', 'By the site'])
    })
})

t.test('the undo of a swap leaves no rename', async (t) => {
  const { website, headingOf, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.ops(swap)
  await dev.undo('/about')
  await dev.heading('/about', 'Mine')
  website.pages = [page('/'), page('/about'), page('/prices', 'By the site')]
  t.match(await dev.publish({ pages: ['/about'] }), { status: 'ready' })
  t.strictSame(['/about', '/prices'].map(headingOf), ['Mine', 'By the site'])
})

t.test('only an edit of a value decides its conflict, not another edit of its page', async (t) => {
  const { website, draft } = await withWebsite(t)
  const dev = draft('dev')
  await dev.fill()
  await dev.heading('/', 'Mine')
  const { pages } = v.parse(v.looseObject({ pages: v.array(v.unknown()) }), { pages: [await dev.page('/')] })
  await dev.heading('/', 'Newer')
  website.pages = [page('/', 'Theirs'), ...threePages.slice(1)]
  t.equal((await dev.diff()).conflicts.length, 1)
  await dev.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { subheading: 'Other' } }])
  await dev.send('/draft/bootstrap', { pages, overwrite: true })
  t.match((await dev.diff()).conflicts, [{ ours: 'Mine', theirs: 'Theirs' }])
  await dev.heading('/', 'Typed again')
  t.strictSame((await dev.diff()).conflicts, [])
})

t.test('a publish ends the line of a setting that is typed, and a comparison does not', async (t) => {
  const { config, diff, publish, get, send, version } = await withSite(t, ['/'], {
    siteConfig: { name: 'Acme' },
  })
  const before = await version()
  await config({ name: 'Acme S' })
  await diff()
  await config({ name: 'Acme Sons' })
  t.match(await publish(), { status: 'ready' })
  await config({ name: 'Acme Sons L' })
  await config({ name: 'Acme Sons Ltd' })
  const Log = v.object({ entries: v.array(v.object({ version: v.number() })) })
  const { entries } = v.parse(Log, (await get('/history/log')).json())
  const later = entries.filter((entry) => entry.version > before)
  t.strictSame(later, [{ version: before + 2 }, { version: before + 4 }])
  t.equal((await send('/history/undo-change', { version: before + 4 })).status, 200)
  t.match((await get('/draft/site-config')).json(), { name: 'Acme Sons' }, 'what was published')
})

t.test('an undone decision about an address is made again before the draft follows', async (t) => {
  const { draft } = await withWebsite(t)
  const [dev, review] = [draft('dev'), draft('review')]
  await Promise.all([dev.fill(), review.fill()])
  await review.ops([{ op: 'create_page', page: page('/new') }])
  await dev.ops([{ op: 'rename_page', pageSlug: '/prices', newPageSlug: '/new', newTitle: 'prices' }])
  await dev.publish()
  const [clash] = (await review.diff()).conflicts
  await review.decide([{ id: clash?.id, take: 'site' }])
  t.equal((await undoLast(review)).status, 200)
  t.equal((await review.undo('/new')).status, 200)
  t.match(await review.diff(), { conflicts: { length: 0 }, summary: { totalChangedFields: 0 } })
  t.strictSame(await review.slugs(), ['/', '/about', '/new'])
})
