import t from 'tap'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { merge, mergePage, type MergeRequest, type Side } from '../../plugins/content/merge/index.ts'
import type { Block, Page, Props, SiteConfig } from '../../plugins/content/model.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { pageOf, siteManifest as manifest } from '../helpers/content.ts'

const known = { registry, manifest }
const block = (id: string, props: Props = {}, type = 'Banner'): Block => ({
  id,
  type,
  props: { text: 'one', ...props },
})
const article = (props: Props): Block => ({ id: 'a', type: 'Article', props: { heading: 'one', ...props } })
const withBlocks = (...blocks: readonly Block[]): Page => ingestPage(pageOf('/', blocks), known)
const sideOf = (pages: readonly Page[], siteConfig?: SiteConfig): Side => ({
  order: pages.map(({ slug }) => slug),
  pages: new Map(pages.map((page) => [page.slug, page])),
  siteConfig,
})
type More = Pick<MergeRequest, 'renames' | 'wins' | 'decided' | 'draft'>
const merged = (base: readonly Page[], ours: readonly Page[], theirs: readonly Page[], more: More = {}) =>
  merge({ ...known, base: sideOf(base), ours: sideOf(ours), theirs: sideOf(theirs), ...more })
const mergedBlocks = (
  base: readonly Block[],
  ours: readonly Block[],
  theirs: readonly Block[],
  more: More = {},
) =>
  mergePage(
    { base: withBlocks(...base), ours: withBlocks(...ours), theirs: withBlocks(...theirs) },
    { ...known, ...more },
  )
const places = (
  conflicts: readonly {
    readonly kind: string
    readonly slug: string
    readonly blockId?: string
    readonly path?: string
  }[],
) => conflicts.map(({ slug, blockId, path, kind }) => [slug, blockId, path, kind])

t.test(
  'a page is prepared and merged again only where something that it is made of is another one',
  async (t) => {
    const rows = pageOf('/', [block('x', {}, 'Hero')])
    t.equal(ingestPage(rows, known), ingestPage(rows, { ...known }), 'pages are prepared once')
    t.not(ingestPage(rows, known), ingestPage({ ...rows }, known))
    const other = { registry, manifest: undefined }
    t.same(ingestPage(rows, other), ingestPage({ ...rows }, other), 'other types are not mixed up with these')
    const base = pageOf('/', [block('x')])
    const [ours, theirs] = [
      { ...base, title: 'ours' },
      { ...base, title: 'theirs' },
    ]
    const conflictOf = async (site: Page, more?: More) =>
      (await merged([base], [ours], [site], more)).conflicts[0]
    const first = await conflictOf(theirs)
    t.match(first, { path: 'title', theirs: 'theirs' })
    t.equal(await conflictOf(theirs), first, 'it is the same conflict')
    t.match(await conflictOf({ ...theirs, title: 'later' }), { theirs: 'later' })
    t.equal(await conflictOf(theirs, { wins: 'ours' }), undefined, 'a decision counts')
    t.equal(await conflictOf(theirs, { decided: new Map([[first?.id ?? '', 'theirs']]) }), undefined)
    t.same(await conflictOf(theirs), first, 'and is not remembered')
  },
)

t.test(
  'what one side changed is taken, what both changed differently is a conflict that keeps ours',
  async (t) => {
    const base = pageOf('/', [block('x', { more: { a: 1, b: 1 }, tags: ['one'] })], {
      meta: { title: 'one' },
      theme: 'one',
    })
    const ours = { ...base, title: 'ours', blocks: [block('x', { more: { a: 2, b: 1 }, tags: ['ours'] })] }
    const theirs = {
      ...base,
      title: 'theirs',
      meta: { title: 'one', description: 'theirs' },
      blocks: [block('x', { text: 'theirs', more: { a: 1, b: 2 }, tags: ['theirs'] })],
      updatedAt: '2026-02-02T00:00:00.000Z',
    }
    const done = mergePage({ base, ours, theirs }, known)
    t.same(done.merged, {
      ...ours,
      meta: { title: 'one', description: 'theirs' },
      blocks: [block('x', { text: 'theirs', more: { a: 2, b: 2 }, tags: ['ours'] })],
    })
    t.same(done.base, {
      ...theirs,
      title: base.title,
      blocks: [block('x', { text: 'theirs', more: { a: 1, b: 2 }, tags: ['one'] })],
    })
    t.same(done.taken, [
      { slug: '/', path: 'meta.description', what: 'changed' },
      { slug: '/', blockId: 'x', blockType: 'Banner', path: 'text', what: 'changed' },
      { slug: '/', blockId: 'x', blockType: 'Banner', path: 'more.b', what: 'changed' },
    ])
    const [title, tags] = done.conflicts
    t.match(title, {
      slug: '/',
      path: 'title',
      kind: 'changed',
      base: base.title,
      ours: 'ours',
      theirs: 'theirs',
      id: /^[0-9a-f]{16}$/,
    })
    t.same(places(done.conflicts), [
      ['/', undefined, 'title', 'changed'],
      ['/', 'x', 'tags', 'changed'],
    ])
    const decided = new Map([[tags?.id ?? '', 'theirs' as const]])
    const rest = mergePage({ base, ours, theirs }, { ...known, decided })
    t.same(rest.merged?.blocks[0]?.props['tags'], ['theirs'])
    t.same(rest.conflicts, [title], 'the same id, and only the other one')
  },
)

t.test('differences of form are none', async (t) => {
  const base = withBlocks(
    article({ chapters: [{ title: 'one' }, { title: 'two' }] }),
    block('x', { k: { a: 1, b: 2 } }),
  )
  const bare = pageOf(
    '/',
    [block('x', { k: { b: 2, a: 1 } }), article({ chapters: [{ title: 'one' }, { title: 'two' }] })],
    { id: 'other', updatedAt: '2026-02-02T00:00:00.000Z' },
  )
  const theirs = { ...bare, blocks: bare.blocks.toReversed() }
  const done = await merged([base], [base], [theirs])
  t.same([done.pages.size, done.taken, done.conflicts, done.base.pages.size], [0, [], [], 0])
})

t.test('removed on one side and changed on the other is a conflict of the whole', async (t) => {
  const base = [block('x'), block('y')]
  const here = mergedBlocks(base, [block('y')], [block('x', { text: 'theirs' }), block('y')])
  t.same(here.merged?.blocks, [block('y')])
  t.same(places(here.conflicts), [['/', 'x', undefined, 'removed_here']])
  t.match(here.conflicts[0], { base: block('x'), theirs: block('x', { text: 'theirs' }) })
  t.notOk(here.conflicts[0] && 'ours' in here.conflicts[0])
  const there = mergedBlocks(base, [block('x', { text: 'ours' }), block('y')], [block('y')])
  t.same(there.merged?.blocks, [block('x', { text: 'ours' }), block('y')])
  t.same(places(there.conflicts), [['/', 'x', undefined, 'removed_on_site']])
  const page = await merged(
    [pageOf('/'), pageOf('/a')],
    [pageOf('/'), pageOf('/a', [], { title: 'ours' })],
    [pageOf('/')],
  )
  t.same(places(page.conflicts), [['/a', undefined, undefined, 'removed_on_site']])
  t.same([page.order, [...page.pages], [...page.base.pages]], [['/', '/a'], [], [['/a', pageOf('/a')]]])
  const lost = await merged(
    [pageOf('/'), pageOf('/a')],
    [pageOf('/'), pageOf('/a', [], { title: 'ours' })],
    [pageOf('/')],
    { wins: 'theirs' },
  )
  t.same(
    [lost.order, [...lost.pages], lost.taken],
    [['/'], [['/a', undefined]], [{ slug: '/a', what: 'removed' }]],
  )
})

t.test('a block whose type changed is one value, and equal ids of a page are merged in order', (t) => {
  const base = [block('x'), block('x', { text: 'two' })]
  const type = mergedBlocks(
    base,
    [block('x', {}, 'Card'), block('x', { text: 'two' })],
    [block('x', { text: 'theirs' }), block('x', { text: 'three' })],
  )
  t.same(places(type.conflicts), [['/', 'x', undefined, 'changed']])
  t.same(type.merged?.blocks, [block('x', {}, 'Card'), block('x', { text: 'three' })])
  const twins = mergedBlocks(
    base,
    [block('x', { text: 'a' }), block('x', { text: 'a' })],
    [block('x', { text: 'b' }), block('x', { text: 'b' })],
  )
  t.equal(new Set(twins.conflicts.map(({ id }) => id)).size, 2, 'equal conflicts of both')
  const added = mergedBlocks([], [block('x', { a: 1 })], [block('x', { b: 2 })])
  t.same(added.merged?.blocks, [block('x', { a: 1, b: 2 })], 'added on both sides')
  const note = mergedBlocks(
    [block('x')],
    [{ ...block('x'), note: 'ours' }],
    [{ ...block('x'), note: 'theirs' }],
  )
  t.same(places(note.conflicts), [['/', 'x', '.note', 'changed']], 'a key beside the props')
  t.end()
})

t.test('rows with ids are merged one by one', (t) => {
  const rows = (...sources: readonly Props[]) => [article({ sources })]
  const done = mergedBlocks(
    rows({ id: 'a', url: '/1' }, { id: 'b', url: '/1' }, { id: 3, url: '/1' }, { _key: 'k', url: '/1' }),
    rows({ _key: 'k', url: '/1' }, { id: 'a', url: '/ours' }, { id: 'b', url: '/ours' }),
    rows({ id: 'n', url: '/' }, { id: 'a', url: '/theirs' }, { id: 3, url: '/3' }, { _key: 'k', url: '/1' }),
  )
  t.same(
    done.merged?.blocks,
    rows(
      { id: 'n', url: '/' },
      { _key: 'k', url: '/1' },
      { id: 'a', url: '/ours' },
      { id: 'b', url: '/ours' },
    ),
  )
  t.same(places(done.conflicts), [
    ['/', 'a', 'sources[id="a"].url', 'changed'],
    ['/', 'a', 'sources[id="b"]', 'removed_on_site'],
    ['/', 'a', 'sources[id=3]', 'removed_here'],
  ])
  const wall = (row: Props): Block[] => [
    { id: 'w', type: 'TeamWall', props: { title: 'one', rows: [{ id: 'a', ...row }] } },
  ]
  const branches = mergedBlocks(
    wall({ kind: 'note', text: 'one' }),
    wall({ kind: 'note', text: 'ours' }),
    wall({ kind: 'person', text: 'one' }),
  )
  t.same(
    places(branches.conflicts),
    [['/', 'w', 'rows[id="a"]', 'changed']],
    'a row whose branch changed is one value',
  )
  t.end()
})

t.test('rows without ids are merged by runs between equal rows', (t) => {
  const chapters = (...titles: readonly string[]) => [
    article({ chapters: titles.map((title) => ({ title })) }),
  ]
  const rowsOf = (page: Page | undefined): readonly Props[] => {
    const list = page?.blocks[0]?.props['chapters']
    return Array.isArray(list) ? list : []
  }
  const titles = (page: Page | undefined) => rowsOf(page).map(({ title }) => title)
  const base = chapters('a', 'b', 'c')
  const top = mergedBlocks(base, chapters('a', 'b', 'ours'), chapters('new', 'a', 'b', 'c'))
  t.same([titles(top.merged), top.conflicts], [['new', 'a', 'b', 'ours'], []])
  const [first, second] = rowsOf(withBlocks(...base))
  const [added, ...others] = rowsOf(top.merged).map(({ id }) => id)
  t.same(others.slice(0, 2), [first?.['id'], second?.['id']], 'rows of ours keep their ids')
  t.match(added, /^itm_/)
  t.notOk(others.includes(added))
  const edited = mergedBlocks(base, base, chapters('new', 'a', 'theirs', 'c'))
  t.equal(
    rowsOf(edited.merged)[2]?.['id'],
    second?.['id'],
    'a changed row has the id of the one that it replaces',
  )
  const met = mergedBlocks(base, chapters('a', 'ours', 'c'), chapters('a', 'theirs', 'c'))
  t.same(titles(met.merged), ['a', 'ours', 'c'])
  t.same(places(met.conflicts), [['/', 'a', `chapters[after=${JSON.stringify(first?.['id'])}]`, 'changed']])
  const start = mergedBlocks(base, chapters('ours', 'b', 'c'), chapters('theirs', 'b', 'c'))
  t.same(places(start.conflicts), [['/', 'a', 'chapters[after=null]', 'changed']])
  t.same(
    titles(
      mergedBlocks(base, chapters('a', 'ours', 'c'), chapters('a', 'theirs', 'c'), { wins: 'theirs' }).merged,
    ),
    ['a', 'theirs', 'c'],
  )
  t.end()
})

t.test('what a side moved is moved; what both moved has the place in the draft', (t) => {
  const order = (ids: string) => [...ids].map((id) => block(id))
  const idsOf = (page: Page | undefined) => page?.blocks.map(({ id }) => id).join('')
  const one = mergedBlocks(order('abcd'), order('abcde'), order('dabc'))
  t.same(
    [idsOf(one.merged), one.taken],
    ['dabce', [{ slug: '/', blockId: 'd', blockType: 'Banner', what: 'moved' }]],
  )
  const besideAdded = mergedBlocks(order('ab'), order('axb'), order('xba'))
  t.equal(idsOf(besideAdded.merged), 'bax', 'what both have added, in other places, holds no move up')
  t.equal(idsOf(mergedBlocks(order('hab'), order('hxba'), order('hxba')).merged), 'hxba')
  t.equal(idsOf(mergedBlocks(order('hab'), order('hxab'), order('hxba')).merged), 'hxba')
  // Of a pair that both sides have in one order, none comes before the other.
  t.equal(idsOf(mergedBlocks(order('habn'), order('hxbna'), order('hxban')).merged), 'hxbna')
  const both = [order('abcd'), order('bcad'), order('bcda')] as const
  t.equal(idsOf(mergedBlocks(...both).merged), 'bcad')
  t.equal(idsOf(mergedBlocks(...both, { draft: 'theirs' }).merged), 'bcda')
  t.same(mergedBlocks(...both).taken, [{ slug: '/', blockId: 'a', blockType: 'Banner', what: 'moved' }])
  const overlapping = [order('abcz'), order('acbz'), order('zbac')] as const
  t.equal(idsOf(mergedBlocks(...overlapping).merged), 'zacb', 'a move of the draft has an effect')
  const [base, ours, theirs] = overlapping
  t.equal(idsOf(mergedBlocks(base, theirs, ours, { draft: 'theirs' }).merged), 'zacb')
  const all = [order('abcd'), order('dbac'), order('acdb')] as const
  t.equal(idsOf(mergedBlocks(...all, { draft: 'theirs' }).merged), 'acdb')
  for (const draft of ['ours', 'theirs'] as const) {
    const alike = mergedBlocks(order('hab'), order('hcba'), order('hbad'), { draft })
    t.equal(idsOf(alike.merged), 'hcbad', 'what both moved alike moves past nothing that one side added')
  }
  const within = [order('abc'), order('bca'), order('bac')] as const
  t.equal(idsOf(mergedBlocks(...within, { draft: 'theirs' }).merged), 'bac')
  t.equal(
    idsOf(mergedBlocks(order('abc'), order('bc'), order('abxc')).merged),
    'bxc',
    'behind its predecessor',
  )
  t.end()
})

t.test('redirects of settings without pages are merged as they are, as a page may end one', async (t) => {
  const side = ($redirects: object): Side => ({ order: [], pages: new Map(), siteConfig: { $redirects } })
  const sides = { base: side({}), ours: side({ '/a': '/b' }), theirs: side({ '/b': '/x' }) }
  const { siteConfig } = await merge({ ...sides, registry })
  t.same(siteConfig, { $redirects: { '/a': '/b', '/b': '/x' } })
})

t.test('a page is followed by known renames, then by its id, then by its slug', async (t) => {
  const base = [pageOf('/'), pageOf('/a', [block('x')])]
  const renamed = (slug: string, more: Partial<Page> = {}) =>
    pageOf(slug, [block('x')], { title: 'a', ...more })
  const theirs = [pageOf('/'), pageOf('/a', [block('x', { text: 'theirs' })])]
  const byRename = await merged(base, [pageOf('/'), renamed('/b')], theirs, {
    renames: { ours: new Map([['/a', '/b']]) },
  })
  t.same(byRename.pages.get('/b')?.blocks, [block('x', { text: 'theirs' })])
  t.same([...byRename.base.renames.ours], [['/a', '/b']])
  const byId = await merged(base, theirs, [pageOf('/'), renamed('/b', { id: 'p_a' })])
  t.same([...byId.pages.keys()], ['/a', '/b'])
  t.match(byId.pages.get('/b'), { id: 'p_a', blocks: [block('x', { text: 'theirs' })] })
  t.same(byId.taken, [{ slug: '/a', path: 'slug', what: 'changed' }])
  const byLaterIds = await merged(base, theirs, [pageOf('/'), renamed('/c')], {
    renames: { ids: new Map(Object.entries({ p_a: 'p_b', p_b: 'p_c', p_c: 'p_a' })) },
  })
  t.match(byLaterIds.pages.get('/c'), { id: 'p_c', blocks: [block('x', { text: 'theirs' })] })
  const again = await merged(base, theirs, [pageOf('/'), renamed('/c')], {
    renames: { ids: new Map(Object.entries({ p_a: 'p_b', p_b: 'p_a' })) },
  })
  t.same(places(again.conflicts), [['/a', undefined, undefined, 'removed_on_site']], 'it is another page')
  const bySlug = await merged(base, [pageOf('/'), renamed('/b')], theirs)
  t.same(places(bySlug.conflicts), [['/a', undefined, undefined, 'removed_here']])
  const both = await merged(base, [pageOf('/'), renamed('/b')], [pageOf('/'), renamed('/c')], {
    renames: { ours: new Map([['/a', '/b']]), theirs: new Map([['/a', '/c']]) },
  })
  t.same(places(both.conflicts), [['/b', undefined, 'slug', 'changed']])
  t.match(both.conflicts, [{ base: '/a', ours: '/b', theirs: '/c' }])
  t.same(
    [both.order, [...both.base.renames.ours], [...both.base.renames.theirs]],
    [['/', '/b'], [['/a', '/b']], [['/a', '/c']]],
  )
})

t.test('the new base of pages that change their slugs gives the same merge again', async (t) => {
  const titled = (slug: string, title: string) => pageOf(slug, [], { title, id: `p_${title}` })
  const base = [titled('/a', 'a'), titled('/d', 'd')]
  const ours = [titled('/b', 'a'), titled('/d', 'd')]
  const theirs = [titled('/c', 'a'), titled('/a', 'd')]
  const swapped = await merged(base, ours, theirs)
  t.same([swapped.order, places(swapped.conflicts)], [['/b', '/a'], [['/b', undefined, 'slug', 'changed']]])
  t.same(
    [swapped.base.order, [...swapped.base.pages.keys()].toSorted()],
    [
      ['/a', '/d'],
      ['/a', '/b', '/d'],
    ],
  )
  const next = swapped.base.order.flatMap((slug) => swapped.base.pages.get(slug) ?? [])
  const again = await merged(next, [titled('/b', 'a'), titled('/a', 'd')], theirs, {
    renames: swapped.base.renames,
  })
  t.same([again.pages.size, again.taken, again.conflicts], [0, [], swapped.conflicts])
  const taken = [titled('/a', 'd')]
  const renames = {
    ours: new Map([
      ['/a', ''],
      ['/d', '/a'],
    ]),
  }
  const gone = await merged(base, taken, base, { renames })
  t.same([gone.pages.size, gone.conflicts, gone.base.renames.ours], [0, [], renames.ours])
})

t.test('two pages at one slug afterwards are a conflict of both', async (t) => {
  const base = [pageOf('/'), pageOf('/a')]
  const ours = [...base, pageOf('/s', [], { title: 'ours' })]
  const theirs = [pageOf('/'), pageOf('/s', [], { title: 'a' })]
  const renames = { theirs: new Map([['/a', '/s']]) }
  const open = await merged(base, ours, theirs, { renames })
  t.same(
    [open.order, open.pages.size, places(open.conflicts)],
    [['/', '/a', '/s'], 0, [['/s', undefined, undefined, 'changed']]],
  )
  t.match(open.conflicts, [{ ours: { title: 'ours' }, theirs: { title: 'a' } }])
  const later = await merged(base, [...base, pageOf('/s', [], { title: 'later' })], theirs, { renames })
  t.equal(later.conflicts[0]?.id, open.conflicts[0]?.id, 'the same conflict of the same pages')
  const here = await merged(base, ours, theirs, { renames, wins: 'ours' })
  t.same([here.order, here.pages.size, here.conflicts], [['/', '/a', '/s'], 0, []])
  const there = await merged(base, ours, theirs, { renames, wins: 'theirs' })
  t.same(
    [there.order, there.pages.get('/s')?.title, there.pages.get('/a'), there.conflicts],
    [['/', '/s'], 'a', undefined, []],
  )
})

t.test('a page that theirs adds gets another id where a page of ours has its id', async (t) => {
  const done = await merged([pageOf('/')], [pageOf('/'), pageOf('/a-b')], [pageOf('/'), pageOf('/a_b')])
  t.same([done.order, done.pages.get('/a_b')?.id], [['/', '/a_b', '/a-b'], 'p_a_b_2'])
})

t.test('the site config is merged by its keys, labels and groups by theirs', async (t) => {
  const config = (
    base: SiteConfig | undefined,
    ours: SiteConfig | undefined,
    theirs: SiteConfig | undefined,
  ) => merge({ ...known, base: sideOf([], base), ours: sideOf([], ours), theirs: sideOf([], theirs) })
  const base = { name: 'one', navLabels: { '/a': 'one', '/b': 'one' } }
  const ours = { name: 'one', navLabels: { '/a': 'ours', '/b': 'one' } }
  const done = await config(base, ours, {
    name: 'two',
    navLabels: { '/a': 'theirs' },
    navGroups: { More: ['/a'] },
  })
  t.same(done.siteConfig, { name: 'two', navLabels: { '/a': 'ours' }, navGroups: { More: ['/a'] } })
  t.same(done.base.siteConfig, { name: 'two', navLabels: { '/a': 'one' }, navGroups: { More: ['/a'] } })
  t.same(places(done.conflicts), [['', undefined, 'navLabels["/a"]', 'changed']])
  t.equal(
    (await config(base, ours, undefined)).siteConfig,
    ours,
    'a side without a config has not changed it',
  )
  t.same((await config(undefined, undefined, base)).siteConfig, base)
})

t.test('pages that are the same on every side need not be listed', async (t) => {
  const unlisted = (order: readonly string[]): Side => ({ order, pages: new Map() })
  const sides = {
    base: unlisted(['/', '/a', '/b']),
    ours: unlisted(['/', '/a', '/b']),
    theirs: unlisted(['/b', '/']),
  }
  const done = await merge({ ...known, ...sides })
  t.same(
    [done.order, [...done.pages], done.taken],
    [
      ['/b', '/'],
      [['/a', undefined]],
      [
        { slug: '/a', what: 'removed' },
        { slug: '/b', what: 'moved' },
      ],
    ],
  )
  const changed = pageOf('/a', [], { title: 'theirs' })
  const one = (page: Page): Side => ({ order: ['/', '/a', '/b'], pages: new Map([['/a', page]]) })
  const edited = await merge({
    ...known,
    base: one(pageOf('/a')),
    ours: one(pageOf('/a')),
    theirs: one(changed),
  })
  t.same(
    [edited.order, edited.base.order, [...edited.pages.keys()]],
    [['/', '/a', '/b'], ['/', '/a', '/b'], ['/a']],
  )
  await t.rejects(
    merge({ ...known, ...sides, theirs: unlisted(['/', '/new']) }),
    /takes page '\/new', which no side lists/,
  )
  t.same(mergePage({ base: undefined, ours: undefined, theirs: undefined }, known), {
    merged: undefined,
    base: undefined,
    taken: [],
    conflicts: [],
  })
})
