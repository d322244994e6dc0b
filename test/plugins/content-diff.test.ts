import fc, { runs } from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { checkDestructivePublish } from '../../plugins/content/destructive.ts'
import {
  ContentDiff,
  diffContent,
  diffPage,
  type FieldDiff,
  type PageDiff,
  withConflicts,
} from '../../plugins/content/diff/index.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { rowIds, withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import type { Block, Manifest, Page, SiteConfig } from '../../plugins/content/model.ts'
import { mergePage } from '../../plugins/content/merge/index.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { diffPages } from '../../plugins/site/publish/index.ts'
import { emptyList } from '../helpers/plain.ts'

const generatedId = (blockId: string, list: string, n: number) => rowIds(blockId)(list).at(n)
const page = (slug: string, blocks: readonly Block[] = [], more: Partial<Page> = {}): Page => ({
  id: `p_${slug}`,
  slug,
  title: `Title of ${slug}`,
  updatedAt: '2026-01-01T00:00:00.000Z',
  blocks,
  ...more,
})
const block = (id: string, type: string, props: Block['props']): Block => ({ id, type, props })
const diff = (before: readonly Page[], after: readonly Page[]) =>
  diffContent({ draft: { pages: after }, baseline: { pages: before }, registry })
const counts = ['pagesAdded', 'pagesRemoved', 'pagesModified', 'pagesUnchanged', 'totalChangedFields']
const nothing = Object.fromEntries([...counts, 'siteConfigChangedFields'].map((name) => [name, 0]))
const configDiff = (before: SiteConfig | undefined, siteConfig: SiteConfig) =>
  diffContent({ draft: { pages: [], siteConfig }, baseline: { pages: [], siteConfig: before }, registry })

t.test('a draft with a new block, a changed row and generated ids shows exactly these changes', async (t) => {
  const banner = block('b_banner', 'Banner', { text: 'Closed on Mondays' })
  const faq = (...items: readonly object[]) => block('b_faq', 'FAQAccordion', { title: 'Questions', items })
  const before = page('/visit', [
    banner,
    faq({ q: 'Parking?', a: 'Yes.' }, { q: 'Dogs?', a: 'In the yard.' }),
  ])
  const [id, second] = [generatedId('b_faq', 'items', 0), generatedId('b_faq', 'items', 1)]
  const rows = [
    { id, q: 'Parking?', a: 'Yes.' },
    { id: second, q: 'Dogs here?', a: 'In the yard.' },
  ]
  const after = page('/visit', [block('b_hero', 'Hero', { heading: 'Visit us' }), banner, faq(...rows)])
  const fieldDiffs = [{ path: 'items[1].q', before: 'Dogs?', after: 'Dogs here?', kind: 'text' }]
  const moved = (positionBefore: number) => ({ positionBefore, positionAfter: positionBefore + 1 })
  const expected = {
    baselineAvailable: true,
    summary: { ...nothing, pagesModified: 1, totalChangedFields: 1 },
    pages: [
      {
        slug: '/visit',
        status: 'modified',
        blockDiffs: [
          { blockId: 'b_hero', type: 'Hero', status: 'added', positionAfter: 0 },
          { blockId: 'b_banner', type: 'Banner', status: 'unchanged', ...moved(0) },
          { blockId: 'b_faq', type: 'FAQAccordion', status: 'modified', ...moved(1), fieldDiffs },
        ],
      },
    ],
    siteConfig: { status: 'unchanged', fieldDiffs: [] },
  }
  t.strictSame(diff([before], [after]), expected)
  const sides = { draft: { pages: [after] }, baseline: { pages: [before] } }
  t.strictSame(diffPages({ ...sides, registry }), expected, 'also by the entry point for sites')
})

t.test('another title is one changed field of a page on both sides', async (t) => {
  const before = page('/visit', [], { meta: { title: 'Old' } })
  const changed = (more: object) => diff([before], [{ ...before, ...more }]).summary
  t.match(changed({ title: 'Visits' }), { pagesModified: 1, totalChangedFields: 1 })
  t.match(changed({ title: 'Visits', meta: { title: 'New' } }), { pagesModified: 1, totalChangedFields: 2 })
  t.match(changed({}), { pagesModified: 0, totalChangedFields: 0 })
  t.match(diff([before], [page('/new')]).summary, { pagesAdded: 1, pagesRemoved: 1, totalChangedFields: 0 })
})

t.test('pages are listed as added, modified, removed, unchanged, each group by code point', async (t) => {
  const before = ['/z-gone', '/a-gone', '/same', '/b', '/a'].map((slug) => page(slug))
  const retitled = ['B', 'A'].map((title) => page(`/${title.toLowerCase()}`, [], { title }))
  const { pages, summary } = diff(before, [page('/\u{1F600}'), page('/\uFF5E'), page('/same'), ...retitled])
  t.strictSame(
    pages.map(({ slug, status, titleBefore, titleAfter }) =>
      [status, slug, titleBefore, titleAfter].join(' | '),
    ),
    [
      'added | /\uFF5E |  | Title of /\uFF5E',
      'added | /\u{1F600} |  | Title of /\u{1F600}',
      'modified | /a | Title of /a | A',
      'modified | /b | Title of /b | B',
      'removed | /a-gone | Title of /a-gone | ',
      'removed | /z-gone | Title of /z-gone | ',
      'unchanged | /same |  | ',
    ],
  )
  const counted = {
    pagesAdded: 2,
    pagesRemoved: 2,
    pagesModified: 2,
    pagesUnchanged: 1,
    totalChangedFields: 2,
  }
  t.strictSame(summary, { ...nothing, ...counted })
})

t.test('a block moves by its rank, not by its index, and modified outweighs moved', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => block(id, 'Banner', { text: id })) as [Block, Block, Block]
  const changed = (one: Block): Block => ({ ...one, props: { text: 'new' } })
  for (const [before, after, statuses] of [
    [[a, b], [c, a, b], 'c added, a unchanged, b unchanged'],
    [[a, b, c], [b, c], 'b unchanged, c unchanged, a removed'],
    [[a, b, c], [c, a, b], 'c moved, a moved, b moved'],
    [[a, b], [changed(b), a], 'b modified, a moved'],
    [[a, a], [a, changed(a)], 'a unchanged, a modified'],
  ] as const) {
    const found = diff([page('/', before)], [page('/', after)]).pages[0]?.blockDiffs ?? []
    t.equal(found.map(({ blockId, status }) => `${blockId} ${status}`).join(', '), statuses)
  }
})

t.test('fields are listed by path and kind', async (t) => {
  const other = { kind: 'other' } as const
  const rows: readonly [before: Block['props'], after: Block['props'], diffs: readonly object[]][] = [
    [
      { items: [{ q: '1' }, { q: '2' }] },
      { items: [{ q: '1' }] },
      [{ path: 'items[1]', before: { q: '2' }, ...other }],
    ],
    [{ tags: ['a'] }, { tags: ['a', 'b'] }, [{ path: 'tags', before: ['a'], after: ['a', 'b'], ...other }]],
    [{ items: [] }, { items: ['x'] }, [{ path: 'items', before: [], after: ['x'], ...other }]],
    [
      { link: { href: '/a' } },
      { link: { href: '/b', label: 'B' } },
      [
        { path: 'link.href', before: '/a', after: '/b', kind: 'text' },
        { path: 'link.label', after: 'B', kind: 'text' },
      ],
    ],
    [
      { 'a.b': 1, constructor: 2 },
      { 'a.b': 2 },
      [
        { path: '["a.b"]', before: 1, after: 2, ...other },
        { path: 'constructor', before: 2, ...other },
      ],
    ],
    [
      { by: { Avatar: '/1.png' }, poster: null },
      { by: { Avatar: '/2.png' }, poster: '/p.png' },
      [
        { path: 'by.Avatar', before: '/1.png', after: '/2.png', kind: 'image' },
        { path: 'poster', before: null, after: '/p.png', kind: 'image' },
      ],
    ],
  ]
  const fieldDiffsOf = (before: Block, after: Block) =>
    diff([page('/', [before])], [page('/', [after])]).pages[0]?.blockDiffs[0]?.fieldDiffs
  for (const [before, after, diffs] of rows)
    t.strictSame(fieldDiffsOf(block('b', 'FAQAccordion', before), block('b', 'FAQAccordion', after)), diffs)
  const type = { path: 'type', before: 'Banner', after: 'CTA', ...other }
  t.strictSame(fieldDiffsOf(block('b', 'Banner', { title: 'x' }), block('b', 'CTA', { title: 'x' })), [type])
})

t.test('metadata identifies images and documents that names do not', async (t) => {
  const fields = {
    body: { kind: 'richtext' },
    cover: { kind: 'image' },
    rows: { kind: 'list', discriminator: 'as', itemFieldsByType: { text: { words: { kind: 'html' } } } },
  } as const
  const type = {
    type: 'Note',
    displayName: 'Note',
    chrome: false,
    propsSchema: {},
    starter: () => ({}),
    fields,
  }
  const manifest: Manifest = { get: (name) => (name === 'Note' ? type : undefined), types: () => [] }
  const note = (words: string) =>
    block('n', 'Note', {
      body: [{ type: 'p', children: [{ text: words }] }],
      cover: `/${words}`,
      rows: ['text', 'plain', words].map((as) => ({ as: as === 'a' ? 'text' : as, words: { dom: words } })),
    })
  const [baseline, draft] = ['a', 'b'].map((words) => ({ pages: [page('/', [note(words)])] }))
  const [found] = diffContent({ draft: draft ?? { pages: [] }, baseline, registry, manifest }).pages
  const paths = found?.blockDiffs[0]?.fieldDiffs?.map(({ path, kind }) => `${path} ${kind}`).join(', ')
  const rows = 'rows[0].words other, rows[1].words.dom text, rows[2].as text, rows[2].words other'
  t.equal(paths, `body other, cover image, ${rows}`)
})

t.test('meta is compared, an empty one counts as absent, and a repair is never a difference', async (t) => {
  const withMeta = (meta: Page['meta']) => [page('/', [], { meta })]
  const meta = { title: 'New', description: 'Text', extra: 1 }
  const [found] = diff(withMeta({ title: 'Old' }), withMeta(meta)).pages
  t.strictSame(found?.metaDiffs, [
    { path: 'title', before: 'Old', after: 'New', kind: 'text' },
    { path: 'description', after: 'Text', kind: 'text' },
    { path: 'extra', after: 1, kind: 'other' },
  ])
  t.equal(found?.status, 'modified')
  const legacy = block('t', 'TwoColumn', { heading: 'Left', body: 'Text', variant: 'odd' })
  const old = page('/', [block('h', 'Hero', { heading: 'Hi' }), legacy])
  const repaired = ingestPage(old, { registry })
  for (const [before, after] of [
    [withMeta({}), [page('/')]],
    [[old], [repaired]],
    [[repaired], [old]],
  ] as const)
    t.equal(diff(before, after).summary.pagesUnchanged, 1)
})

t.test('the header of a site is compared, the rest of its config is not', async (t) => {
  const navLabels = { '/a': 'A', '/b"c': 'B' }
  const full: SiteConfig = { name: 'Nord', logo: '/l.svg', navLabels, navGroups: { More: ['/a'] } }
  const now = { name: 'Süd', navLabels: { '/a': 'A', '/c': 'C' }, navGroups: { More: ['/a', '/c'] } }
  const { siteConfig, summary } = configDiff(full, now)
  t.strictSame(siteConfig, {
    status: 'modified',
    fieldDiffs: [
      { path: 'logo', before: '/l.svg', kind: 'image' },
      { path: 'name', before: 'Nord', after: 'Süd', kind: 'text' },
      { path: 'navGroups["More"]', before: ['/a'], after: ['/a', '/c'], kind: 'other' },
      { path: 'navLabels["/b\\"c"]', before: 'B', kind: 'other' },
      { path: 'navLabels["/c"]', after: 'C', kind: 'other' },
    ],
  })
  t.equal(summary['siteConfigChangedFields'], 5)
  for (const [before, after, status] of [
    [undefined, full, 'unchanged'],
    [{}, full, 'added'],
    [full, { tone: 'calm' }, 'removed'],
    [{ navLabels: {}, tone: 'loud', purpose: 'x', themeOverrides: { a: 'b' } }, { port: 3000 }, 'unchanged'],
  ] as const)
    t.equal(configDiff(before, after).siteConfig.status, status)
  const draft = { pages: [page('/')], siteConfig: { name: 'X' } }
  const empty = { status: 'unchanged', fieldDiffs: [] }
  const none = { baselineAvailable: false, summary: nothing, pages: [], siteConfig: empty }
  t.strictSame(diffContent({ draft, baseline: undefined, registry }), none)
})

// Random content: few slugs, ids and names, so that the two sides overlap; unusual names, to test paths.
const names = fc.constantFrom(...'title|items|left|image|body|a.b|a[0]||constructor|toString|x y'.split('|'))
const ids = fc.constantFrom('b1', 'b2', 'b3', 'b4', 'b5')
const { row } = fc.letrec<{ row: Record<string, unknown>; value: unknown }>((tie) => ({
  row: fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('', 'one', 'two', 0, 1, true, null, '/hero-generated.svg'),
    tie('row'),
    fc.array(
      fc
        .tuple(tie('row'), fc.nat(3))
        .map(([fields, n]) => (n > 2 ? fields : { id: generatedId('b1', 'items', n), ...fields })),
      { maxLength: 3 },
    ),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))
const types = fc.constantFrom('FAQAccordion', 'TwoColumn', 'Hero', 'RichText', 'Unheard')
const anyBlock = fc.record({ id: ids, type: types, props: row })
const anyMeta = fc.dictionary(fc.constantFrom('title', 'description'), fc.constantFrom('x', 'y'))
const anyPage = fc.record({
  id: fc.constantFrom('p1', 'p2'),
  slug: fc.constantFrom('/', '/a', '/b', '/c'),
  title: fc.constantFrom('One', 'Two'),
  updatedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
  blocks: fc.uniqueArray(anyBlock, { selector: ({ id }) => id, maxLength: 5 }),
  meta: fc.option(anyMeta, { nil: undefined }),
})
const anyPages = fc.uniqueArray(anyPage, { selector: ({ slug }) => slug, maxLength: 4 })
const twoSides = fc.tuple(anyPages, anyPages)

/** Every fact of a diff as a line; `swap` exchanges the two sides. */
function factsOf(pages: readonly PageDiff[], swap = false): readonly string[] {
  const mirrored: Readonly<Record<string, string>> = swap ? { added: 'removed', removed: 'added' } : {}
  const sides = (before: unknown, after: unknown) => JSON.stringify(swap ? [after, before] : [before, after])
  const fields = (at: string, diffs: readonly FieldDiff[] = []) =>
    diffs.map(({ path, before, after, kind }) => `${at} ${path} ${kind} ${sides(before, after)}`)
  return pages
    .flatMap(({ slug, status, titleBefore, titleAfter, blockDiffs, metaDiffs }) => [
      `${slug} ${mirrored[status] ?? status} ${sides(titleBefore, titleAfter)}`,
      ...fields(`${slug} meta`, metaDiffs),
      ...blockDiffs.flatMap(({ blockId, status, positionBefore, positionAfter, fieldDiffs }) => [
        `${slug} ${blockId} ${mirrored[status] ?? status} ${sides(positionBefore, positionAfter)}`,
        ...fields(`${slug} ${blockId}`, fieldDiffs),
      ]),
    ])
    .sort()
}

t.test('equal content has no differences, whatever its stamps, ids and order of keys', async (t) => {
  fc.assert(
    fc.property(anyPages, (pages) => {
      const other = pages
        .toReversed()
        .map((one) => shuffled(withoutGeneratedItemIds({ ...one, id: 'other', updatedAt: 'later', own: 1 })))
      for (const found of [diff(pages, structuredClone(pages)), diff(other, pages), diff(pages, other)]) {
        v.assert(ContentDiff, found)
        t.strictSame(found.summary, { ...nothing, pagesUnchanged: pages.length })
        t.notMatch(factsOf(found.pages).join(), /modified|moved|added|removed/)
      }
    }),
    { numRuns: runs(50) },
  )
})

t.test('slugs and ids appear once, counts match, and swapping the sides swaps the facts', async () => {
  fc.assert(
    fc.property(twoSides, ([before, after]) => {
      const { pages, summary } = diff(before, after)
      const count = (status: string) => pages.filter((one) => one.status === status).length
      const once = (texts: readonly string[]) => [...new Set(texts)].sort()
      const both = [...before, ...after]
      const idsOn = (slug: string) => both.filter((one) => one.slug === slug).flatMap(({ blocks }) => blocks)
      const changed = pages.flatMap(({ status, titleAfter, blockDiffs, metaDiffs = [] }) => [
        ...(status === 'modified' && titleAfter !== undefined ? [titleAfter] : []),
        ...metaDiffs,
        ...blockDiffs.flatMap(({ fieldDiffs = [] }) => fieldDiffs),
      ])
      return (
        same(pages.map(({ slug }) => slug).sort(), once(both.map(({ slug }) => slug))) &&
        pages.every(({ slug, blockDiffs }) =>
          same(blockDiffs.map(({ blockId }) => blockId).sort(), once(idsOn(slug).map(({ id }) => id))),
        ) &&
        same(Object.values(summary), [
          ...['added', 'removed', 'modified', 'unchanged'].map(count),
          changed.length,
          0,
        ]) &&
        same(factsOf(pages), factsOf(diff(after, before).pages, true))
      )
    }),
    { numRuns: runs(100) },
  )
})

t.test('applying the after values to the published block gives the block of the draft', async () => {
  fc.assert(
    fc.property(twoSides, ([before, after]) => {
      const propsOf = (side: readonly Page[], slug: string, id: string) => {
        const pages = side.filter((one) => one.slug === slug).map((one) => ingestPage(one, { registry }))
        return withoutGeneratedItemIds(
          pages.flatMap(({ blocks }) => blocks).find((one) => one.id === id)?.props,
        )
      }
      return diff(before, after).pages.every(({ slug, blockDiffs }) =>
        blockDiffs.every(({ blockId, fieldDiffs }) => {
          const ofProps = fieldDiffs?.filter(({ path }) => path !== 'type')
          const made = ofProps && patched(propsOf(before, slug, blockId), ofProps)
          return !ofProps || same(shuffled(made), shuffled(propsOf(after, slug, blockId)))
        }),
      )
    }),
    { numRuns: runs(100) },
  )
})

t.test(
  'one inserted block changes no other, and a store that drops generated ids shows no change',
  async () => {
    fc.assert(
      fc.property(anyPage, fc.nat(5), (one, at) => {
        const blocks: readonly Block[] = [
          ...one.blocks.slice(0, at),
          block('new', 'Hero', {}),
          ...one.blocks.slice(at),
        ]
        const found = diff([one], [{ ...one, blocks }]).pages[0]?.blockDiffs ?? []
        const draft = ingestPage(one, { registry })
        const readBack = toBaseline(JSON.parse(JSON.stringify(withoutGeneratedItemIds([draft]))))
        return (
          found.every(({ blockId, status }) => status === (blockId === 'new' ? 'added' : 'unchanged')) &&
          diff(readBack?.pages ?? [], [draft]).summary.pagesUnchanged === 1
        )
      }),
      { numRuns: runs(70) },
    )
  },
)

t.test('a publish that is allowed stays so with more pages and with allowDelete', async (t) => {
  const slugs = (n: number) => Array.from({ length: n }, (_, i) => ({ slug: `/${i}` }))
  const twice = { pages: slugs(2), baseline: [...slugs(3), ...slugs(3)], maxPagesRemoved: 1 }
  t.strictSame(checkDestructivePublish(twice), { ok: true, removed: ['/2'] }, 'a slug counts once')
  for (const maxPagesRemoved of [Number.NaN, -1])
    t.match(checkDestructivePublish({ ...twice, maxPagesRemoved }), {
      ok: false,
      reason: new RegExp(`maxPagesRemoved is ${maxPagesRemoved}`),
    })

  const pages = fc.array(fc.record({ slug: fc.constantFrom('/', '/a', '/b', '/c') }), { maxLength: 5 })
  const attempts = fc.record({
    pages,
    baseline: fc.option(pages, { nil: undefined }),
    maxPagesRemoved: fc.constantFrom(undefined, Number.NaN, -1, 0, 1, 2, 3),
    allowDelete: fc.constantFrom(true, false, 'true', 1, undefined),
  })
  const isOk = (attempt: Parameters<typeof checkDestructivePublish>[0]) => checkDestructivePublish(attempt).ok
  const monotone = fc.property(attempts, fc.constantFrom('/', '/a', '/x'), (attempt, slug) => {
    const more = [...attempt.pages, { slug }]
    return !isOk(attempt) || (isOk({ ...attempt, pages: more }) && isOk({ ...attempt, allowDelete: true }))
  })
  fc.assert(monotone, { numRuns: runs(350) })
})

t.test(
  'a baseline is an array of pages or an object around it, and one bad page costs no other',
  async (t) => {
    const one = page('/', [block('b', 'Anything', { deep: { own: 1 } })], { extra: true })
    t.strictSame(toBaseline([one]), { pages: [one] })
    const siteConfig = { name: 'N', port: 3000 }
    t.strictSame(toBaseline({ pages: [one], siteConfig, version: 2 }), { pages: [one], siteConfig })
    t.strictSame(toBaseline({ pages: [], siteConfig: null }), { pages: [] })
    const other = { navLabels: { '/': 1 } }
    t.strictSame(toBaseline({ pages: [one], siteConfig: other }), {
      pages: [one],
      siteConfig: { navLabels: {}, $source: other },
    })
    t.equal(toBaseline(undefined), undefined)
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])
    const bad: readonly (readonly [unknown, RegExp])[] = [
      [null, /The content: /],
      ['pages', /The content: /],
      [{}, /pages: /],
      [{ pages: {} }, /pages: must be an array of page documents/],
      [{ pages: [one], siteConfig: { name: nested(70) } }, /nested deeper than/],
    ]
    for (const [value, message] of bad) t.throws(() => toBaseline(value), { message })
    const unusable: readonly (readonly [object, RegExp])[] = [
      [{ ...one, slug: '/a', title: '' }, /^title is missing/],
      [{ ...one, slug: '/a', title: 5 }, /^title is missing or of the wrong type/],
      [{ ...one, slug: '/a', blocks: null }, /^blocks is missing/],
      [{ ...one, slug: '/a', meta: { description: 5 } }, /^meta\.description/],
      [{ ...one, slug: '/a', meta: [] }, /^meta/],
      [page('/a', [block('b', 'X', { deep: nested(70) })]), /^it is nested deeper than 62 levels$/],
      [page('/a', [], { title: 'cut \ud83d' }), /cannot be stored/],
    ]
    const cut = page('/a', [block('b', 'X', { text: 'cut \ud83d' })])
    const unsafe = page('/b', [block('b', 'X', JSON.parse('{"__proto__":1}'))])
    const outside = toBaseline([one, cut, unsafe], 'outside')
    t.match(outside, { pages: [one], unreadable: [{ reason: /surrogate/ }, { reason: /__proto__/ }] })
    for (const [odd, reason] of unusable) {
      const content = toBaseline({ pages: [odd, one] })
      t.match(content, { pages: [one], unreadable: [{ slug: '/a', reason }] }, String(reason))
      t.equal(content?.pages[0], one)
    }
    t.strictSame(toBaseline([one, { ...one, title: 'Second' }]), {
      pages: [one],
      unreadable: [
        {
          slug: '/',
          reason: 'another page has the same slug',
          repeated: true,
          raw: { ...one, title: 'Second' },
          after: '/',
        },
      ],
    })
    const none = toBaseline([7, { title: 'Nowhere' }])
    t.match(none, { pages: emptyList, unreadable: [{ slug: 'pages[0]', raw: 7 }, { slug: 'pages[1]' }] })
    t.strictSame(toBaseline({ ...none }), none, 'also when it is read again')
  },
)

t.test(
  'null counts as absent in the content of a site, and what can be derived is, the same each time',
  async (t) => {
    const one = page('/', [block('b', 'Anything', { own: null })])
    const siteConfig = {
      name: null,
      logo: '/l.png',
      navLabels: { '/': null, '/a': 'A' },
      own: null,
      constraints: ['a', null],
    }
    const nulls = { ...one, meta: { title: 'T', description: null, ogImage: null, own: null }, own: null }
    t.strictSame(toBaseline({ pages: [nulls], siteConfig }), {
      pages: [{ ...one, meta: { title: 'T', own: null }, own: null }],
      siteConfig: {
        logo: '/l.png',
        navLabels: { '/a': 'A' },
        own: null,
        constraints: ['a'],
        // What a publish leaves as it is on the site.
        $source: { name: null, navLabels: siteConfig.navLabels, constraints: siteConfig.constraints },
      },
    })
    t.match(toBaseline([one, null]), {
      pages: [one],
      unreadable: [{ slug: 'pages[1]', reason: 'it is null', name: /^pages\[1\]#/, raw: null, after: '/' }],
    })
    t.strictSame(toBaseline([{ ...one, meta: null, blocks: [null, ...one.blocks] }]), { pages: [one] })
    const { id: _id, updatedAt: _at, ...bare } = page('/our-team', [])
    const blocks = [
      { type: 'Hero', props: null },
      block('same', 'Quote', {}),
      { ...block('same', 'Quote', {}), note: 'kept' },
      { id: '', type: 'Hero' },
      block('b_hero_our_team_4', 'Hero', {}),
    ]
    const read = () => toBaseline([{ ...bare, id: null, updatedAt: '', blocks }])
    t.strictSame(read()?.pages, [
      {
        ...bare,
        id: 'p_our_team',
        updatedAt: '1970-01-01T00:00:00.000Z',
        blocks: [
          { id: 'b_hero_our_team_1', type: 'Hero', props: {} },
          block('same', 'Quote', {}),
          { ...block('b_quote_our_team_3', 'Quote', {}), note: 'kept' },
          { id: 'b_hero_our_team_4_1', type: 'Hero', props: {} },
          block('b_hero_our_team_4', 'Hero', {}),
        ],
      },
    ])
    t.strictSame(read(), read())
  },
)

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A copy with the keys in another order, the same for equal content. */
function shuffled<T>(content: T): T
function shuffled(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(shuffled)
  if (!isPlainObject(content)) return content
  const entries = Object.entries(content).sort(([a], [b]) => (a < b ? 1 : -1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, shuffled(inner)]))
}

/**
 * The paths of the differences between a draft and its site that name a conflict, with the paths of the
 * conflicts.
 */
function namedConflicts(...pages: readonly [base: Page, ours: Page, theirs: Page]) {
  const [base, ours, theirs] = pages.map((each) => ingestPage(each, { registry }))
  if (!base || !ours || !theirs) throw new Error('three pages are needed')
  const { conflicts } = mergePage({ base, ours, theirs }, { registry })
  const { blockDiffs, metaDiffs = [] } = withConflicts(
    diffPage(ours, theirs, { registry }),
    conflicts,
    ours.blocks,
  )
  return [...blockDiffs.flatMap(({ fieldDiffs = [] }) => fieldDiffs), ...metaDiffs].flatMap(
    ({ path, conflict }) =>
      conflict === undefined ? [] : [[path, conflicts.find(({ id }) => id === conflict)?.path]],
  )
}

t.test('values of rows, runs of rows and whole blocks name their conflicts', async (t) => {
  const faq = (title: string, ...items: readonly object[]) =>
    page('/faq', [block('b_faq', 'FAQAccordion', { title, items })])
  const row = (id: string, a: string) => ({ id, q: id, a })
  t.strictSame(
    namedConflicts(
      faq('Q', row('one', '1'), row('two', '2')),
      faq('Mine', row('new', '0'), row('one', 'mine'), row('two', '2')),
      faq('Q', row('one', 'theirs'), row('two', '2 more')),
    ),
    [['items[1].a', 'items[id="one"].a']],
    'the row of the draft',
  )
  t.strictSame(
    namedConflicts(faq('Q', row('one', '1')), faq('Q'), faq('Q', row('one', 'theirs'))),
    [],
    'a row that is not in the draft',
  )
  const bare = (a: string) => ({ q: `Q ${a}`, a })
  t.strictSame(
    namedConflicts(
      faq('Q', bare('1'), bare('2'), bare('3')),
      faq('Mine', bare('1'), bare('mine'), bare('3')),
      faq('Q', bare('1'), bare('theirs'), bare('3')),
    ),
    [
      ['items[1].q', `items[after="${generatedId('b_faq', 'items', 0)}"]`],
      ['items[1].a', `items[after="${generatedId('b_faq', 'items', 0)}"]`],
    ],
  )
  t.strictSame(
    namedConflicts(
      faq('Q', bare('1'), bare('2')),
      faq('Q', bare('mine'), bare('2')),
      faq('Q', bare('theirs'), bare('new'), bare('2')),
    ),
    [
      ['items[0].q', 'items[after=null]'],
      ['items[0].a', 'items[after=null]'],
      ['items[1].q', 'items[after=null]'],
      ['items[1].a', 'items[after=null]'],
    ],
  )
  const own = (value: string, note: string) =>
    page('/', [{ ...block('b', 'Own', { 'a.b': { c: value }, note }), note }], { meta: { 'x.y': value } })
  t.strictSame(namedConflicts(own('1', ''), own('2', 'mine'), own('3', '')), [
    ['["a.b"].c', '["a.b"].c'],
    ['["x.y"]', 'meta["x.y"]'],
  ])
  t.strictSame(
    namedConflicts(own('1', ''), own('1', 'mine'), own('1', 'theirs')),
    [['note', 'note']],
    'not the key of the block',
  )
  const typed = (type: string) => page('/', [block('b', type, { text: type })])
  t.strictSame(namedConflicts(typed('Text'), typed('Own'), typed('Other')), [
    ['type', undefined],
    ['text', undefined],
  ])
})

/** The names and indices of a path such as `items[1].q` or `["a.b"].c`. */
function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/g)].map(([step]) => {
    if (!step.startsWith('[')) return step
    const inner: unknown = JSON.parse(step.slice(1, -1))
    return typeof inner === 'number' ? inner : String(inner)
  })
}

/**
 * Applies every `after` to a copy of the content; removals go last and from the end, so that indices stay
 * valid.
 */
function patched(content: unknown, diffs: readonly FieldDiff[]): unknown {
  const put = (target: unknown, { path, after }: FieldDiff) => putAt(target, stepsOf(path), after)
  const [kept, gone] = [diffs.filter((one) => 'after' in one), diffs.filter((one) => !('after' in one))]
  return gone.reduceRight(put, kept.reduce(put, content))
}

/** A copy of content with one value set, or removed where it is `undefined`. */
function putAt(content: unknown, [step, ...rest]: readonly (string | number)[], wanted: unknown): unknown {
  if (step === undefined) return wanted
  if (Array.isArray(content) && typeof step === 'number') {
    const put = putAt(content[step], rest, wanted)
    return put === undefined ? content.toSpliced(step, 1) : content.toSpliced(step, 1, put)
  }
  if (!isPlainObject(content)) throw new Error(`nothing to set ${step} on`)
  const put = putAt(Object.hasOwn(content, step) ? content[step] : undefined, rest, wanted)
  const others = Object.entries(content).filter(([key]) => key !== step)
  return Object.fromEntries(put === undefined ? others : [...others, [String(step), put]])
}
