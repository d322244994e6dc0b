import fc from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { checkDestructivePublish } from '../../plugins/content/destructive.ts'
import { ContentDiff, diffContent } from '../../plugins/content/diff/index.ts'
import type { BlockDiff, FieldDiff, PageDiff } from '../../plugins/content/diff/index.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { rowIds, withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import type { Block, Manifest, Page, SiteConfig } from '../../plugins/content/model.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { diffPages } from '../../plugins/site/publish/index.ts'

const generatedId = (blockId: string, list: string, n: number) => rowIds(blockId, list).at(n)

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
const fieldDiffsOf = (before: Block, after: Block) =>
  diff([page('/', [before])], [page('/', [after])]).pages[0]?.blockDiffs[0]?.fieldDiffs
const nothing = {
  pagesAdded: 0,
  pagesRemoved: 0,
  pagesModified: 0,
  pagesUnchanged: 0,
  totalChangedFields: 0,
  siteConfigChangedFields: 0,
}
const configDiff = (before: SiteConfig | undefined, after: SiteConfig) =>
  diffContent({
    draft: { pages: [], siteConfig: after },
    baseline: { pages: [], siteConfig: before },
    registry,
  })

t.test(
  'a draft with one new block, one changed row and generated ids shows exactly these changes',
  async (t) => {
    const banner = block('b_banner', 'Banner', { text: 'Closed on Mondays' })
    const questions = (items: readonly object[]) =>
      block('b_faq', 'FAQAccordion', { title: 'Before you come', items })
    const before = page('/visit', [
      banner,
      questions([
        { q: 'Is there parking?', a: 'Yes.' },
        { q: 'Are dogs allowed?', a: 'In the yard.' },
      ]),
    ])
    const after = page('/visit', [
      block('b_hero', 'Hero', { heading: 'Visit us' }),
      banner,
      questions([
        { id: generatedId('b_faq', 'items', 0), q: 'Is there parking?', a: 'Yes.' },
        { id: generatedId('b_faq', 'items', 1), q: 'May dogs come along?', a: 'In the yard.' },
      ]),
    ])
    t.strictSame(diff([before], [after]), {
      baselineAvailable: true,
      summary: { ...nothing, pagesModified: 1, totalChangedFields: 1 },
      pages: [
        {
          slug: '/visit',
          status: 'modified',
          blockDiffs: [
            { blockId: 'b_hero', type: 'Hero', status: 'added', positionAfter: 0 },
            { blockId: 'b_banner', type: 'Banner', status: 'unchanged', positionBefore: 0, positionAfter: 1 },
            {
              blockId: 'b_faq',
              type: 'FAQAccordion',
              status: 'modified',
              positionBefore: 1,
              positionAfter: 2,
              fieldDiffs: [
                {
                  path: 'items[1].q',
                  before: 'Are dogs allowed?',
                  after: 'May dogs come along?',
                  kind: 'text',
                },
              ],
            },
          ],
        },
      ],
      siteConfig: { status: 'unchanged', fieldDiffs: [] },
    })
  },
)

t.test(
  'pages are listed as added, modified, removed, unchanged, each group sorted by code point',
  async (t) => {
    const before = [page('/z-gone'), page('/a-gone'), page('/same'), page('/b'), page('/a')]
    const retitled = ['B', 'A'].map((title) => page(`/${title.toLowerCase()}`, [], { title }))
    const after = [page('/\u{1F600}'), page('/\uFF5E'), page('/same'), ...retitled]
    const { pages, summary } = diff(before, after)
    t.strictSame(
      pages.map(({ slug, status }) => `${status} ${slug}`),
      [
        'added /\uFF5E',
        'added /\u{1F600}',
        'modified /a',
        'modified /b',
        'removed /a-gone',
        'removed /z-gone',
        'unchanged /same',
      ],
    )
    t.strictSame(summary, { ...nothing, pagesAdded: 2, pagesRemoved: 2, pagesModified: 2, pagesUnchanged: 1 })
    t.strictSame(pages[0], {
      slug: '/\uFF5E',
      status: 'added',
      titleAfter: 'Title of /\uFF5E',
      blockDiffs: [],
    })
    t.strictSame(pages[2], {
      slug: '/a',
      status: 'modified',
      titleBefore: 'Title of /a',
      titleAfter: 'A',
      blockDiffs: [],
    })
    t.strictSame(pages[4], {
      slug: '/a-gone',
      status: 'removed',
      titleBefore: 'Title of /a-gone',
      blockDiffs: [],
    })
    t.strictSame(pages[6], { slug: '/same', status: 'unchanged', blockDiffs: [] })
  },
)

t.test('a block moves by its rank, not by its index, and modified outweighs moved', async (t) => {
  const banner = (id: string, text = id) => block(id, 'Banner', { text })
  const [a, b, c] = [banner('a'), banner('b'), banner('c')]
  const statuses = (before: readonly Block[], after: readonly Block[]) =>
    diff([page('/', before)], [page('/', after)]).pages[0]?.blockDiffs.map(
      (one) => `${one.blockId} ${one.status}`,
    )
  t.strictSame(
    statuses([a, b], [c, a, b]),
    ['c added', 'a unchanged', 'b unchanged'],
    'an insertion moves no other block',
  )
  t.strictSame(statuses([a, b, c], [b, c]), ['b unchanged', 'c unchanged', 'a removed'], 'nor does a removal')
  t.strictSame(statuses([a, b, c], [c, a, b]), ['c moved', 'a moved', 'b moved'])
  t.strictSame(statuses([a, b], [banner('b', 'new'), a]), ['b modified', 'a moved'])
  t.strictSame(
    statuses([a, a], [a, banner('a', 'new')]),
    ['a unchanged', 'a modified'],
    'a repeated id is not lost',
  )
})

t.test('fields are listed by path and kind', async (t) => {
  const faq = (props: Block['props'], type = 'FAQAccordion') => block('b', type, props)
  t.strictSame(
    fieldDiffsOf(faq({ title: 'x' }, 'Banner'), faq({ title: 'x' }, 'CTA')),
    [{ path: 'type', before: 'Banner', after: 'CTA', kind: 'other' }],
    'a changed type is a separate field',
  )
  t.strictSame(
    fieldDiffsOf(faq({ items: [{ q: '1' }, { q: '2' }] }), faq({ items: [{ q: '1' }] })),
    [{ path: 'items[1]', before: { q: '2' }, kind: 'other' }],
    'a removed row is one leaf without `after`',
  )
  t.strictSame(
    fieldDiffsOf(faq({ tags: ['a'] }), faq({ tags: ['a', 'b'] })),
    [{ path: 'tags', before: ['a'], after: ['a', 'b'], kind: 'other' }],
    'a list of texts is one leaf',
  )
  t.strictSame(fieldDiffsOf(faq({ items: [] }), faq({ items: ['x'] })), [
    { path: 'items', before: [], after: ['x'], kind: 'other' },
  ])
  t.strictSame(fieldDiffsOf(faq({ link: { href: '/a' } }), faq({ link: { href: '/b', label: 'B' } })), [
    { path: 'link.href', before: '/a', after: '/b', kind: 'text' },
    { path: 'link.label', after: 'B', kind: 'text' },
  ])
  t.strictSame(
    fieldDiffsOf(faq({ 'a.b': 1, constructor: 2 }), faq({ 'a.b': 2 })),
    [
      { path: '["a.b"]', before: 1, after: 2, kind: 'other' },
      { path: 'constructor', before: 2, kind: 'other' },
    ],
    'a name with a dot is quoted, an inherited name is treated like any other',
  )
  const plain = faq({ by: { Avatar: '/1.png' }, poster: null })
  t.strictSame(
    fieldDiffsOf(plain, faq({ by: { Avatar: '/2.png' }, poster: '/p.png' })),
    [
      { path: 'by.Avatar', before: '/1.png', after: '/2.png', kind: 'image' },
      { path: 'poster', before: null, after: '/p.png', kind: 'image' },
    ],
    'images are recognised by name, case-insensitively',
  )
})

t.test('metadata identifies images and documents that names do not', async (t) => {
  const manifest: Manifest = {
    get: (type) =>
      type !== 'Note'
        ? undefined
        : {
            type,
            displayName: type,
            chrome: false,
            propsSchema: {},
            starter: () => ({}),
            fields: {
              body: { kind: 'richtext' },
              cover: { kind: 'image' },
              rows: {
                kind: 'list',
                discriminator: 'as',
                itemFieldsByType: { text: { words: { kind: 'html' } } },
              },
            },
          },
    types: () => [],
  }
  const note = (words: string) =>
    block('n', 'Note', {
      body: [{ type: 'p', children: [{ text: words }] }],
      cover: `/${words}`,
      rows: ['text', 'plain', words].map((as) => ({ as: as === 'a' ? 'text' : as, words: { dom: words } })),
    })
  const [baseline, draft] = ['a', 'b'].map((words) => ({ pages: [page('/', [note(words)])] }))
  const [found] = diffContent({ draft: draft ?? { pages: [] }, baseline, registry, manifest }).pages
  t.strictSame(
    found?.blockDiffs[0]?.fieldDiffs?.map(({ path, kind }) => `${path} ${kind}`),
    [
      'body other',
      'cover image',
      'rows[0].words other',
      'rows[1].words.dom text',
      'rows[2].as text',
      'rows[2].words other',
    ],
    'a row that left the branch with the document is compared unchanged',
  )
})

t.test('meta is compared, and an empty one counts as absent', async (t) => {
  const withMeta = (meta: Page['meta']) => [page('/', [], { meta })]
  const [found] = diff(
    withMeta({ title: 'Old' }),
    withMeta({ title: 'New', description: 'Text', extra: 1 }),
  ).pages
  t.strictSame(found?.metaDiffs, [
    { path: 'title', before: 'Old', after: 'New', kind: 'text' },
    { path: 'description', after: 'Text', kind: 'text' },
    { path: 'extra', after: 1, kind: 'other' },
  ])
  t.equal(found?.status, 'modified')
  t.equal(diff(withMeta({}), [page('/')]).pages[0]?.status, 'unchanged')
})

t.test('both sides are repaired, so a repair is never a difference', async (t) => {
  const legacy = block('t', 'TwoColumn', { heading: 'Left', body: 'Text', variant: 'odd' })
  const old = page('/', [block('h', 'Hero', { heading: 'Hi' }), legacy])
  t.equal(diff([old], [ingestPage(old, { registry })]).pages[0]?.status, 'unchanged')
  t.equal(diff([ingestPage(old, { registry })], [old]).pages[0]?.status, 'unchanged')
})

t.test('the header of a site is compared, the rest of its config is not', async (t) => {
  const full: SiteConfig = {
    name: 'Nord',
    logo: '/l.svg',
    navLabels: { '/a': 'A', '/b"c': 'B' },
    navGroups: { More: ['/a'] },
  }
  const { siteConfig, summary } = configDiff(full, {
    name: 'Süd',
    navLabels: { '/a': 'A', '/c': 'C' },
    navGroups: { More: ['/a', '/c'] },
  })
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
  t.equal(summary.siteConfigChangedFields, 5)
  t.equal(configDiff(undefined, full).siteConfig.status, 'unchanged', 'a missing config is not a change')
  t.equal(configDiff({}, full).siteConfig.status, 'added')
  t.equal(configDiff(full, { tone: 'calm' }).siteConfig.status, 'removed')
  t.equal(configDiff({ navLabels: {}, tone: 'loud' }, { port: 3000 }).siteConfig.status, 'unchanged')
})

t.test('without a baseline the diff is empty', async (t) => {
  const draft = { pages: [page('/')], siteConfig: { name: 'X' } }
  t.strictSame(diffContent({ draft, baseline: undefined, registry }), {
    baselineAvailable: false,
    summary: nothing,
    pages: [],
    siteConfig: { status: 'unchanged', fieldDiffs: [] },
  })
})

t.test('the site-side entry point gives the same diff', async (t) => {
  t.equal(
    diffPages({ draft: { pages: [page('/')] }, baseline: { pages: [] }, registry }).summary.pagesAdded,
    1,
  )
})

// Random content: few slugs, ids and names, so that the two sides overlap; unusual names, to test paths.
const names = fc.constantFrom(
  'title',
  'items',
  'left',
  'image',
  'body',
  'a.b',
  'a[0]',
  '',
  'constructor',
  'toString',
  'x y',
)
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

const mirrored = { added: 'removed', removed: 'added', modified: 'modified', unchanged: 'unchanged' } as const

t.test('equal content has no differences, whatever its stamps, ids and order of keys', async (t) => {
  fc.assert(
    fc.property(anyPages, (pages) => {
      const other = pages
        .toReversed()
        .map((one) => shuffled(withoutGeneratedItemIds({ ...one, id: 'other', updatedAt: 'later', own: 1 })))
      const copy = structuredClone(pages)
      for (const found of [diff(pages, pages), diff(pages, copy), diff(other, pages), diff(pages, other)]) {
        v.assert(ContentDiff, found)
        t.strictSame(found.summary, { ...nothing, pagesUnchanged: pages.length })
        if (found.pages.some(({ blockDiffs }) => blockDiffs.some(({ status }) => status !== 'unchanged')))
          return false
      }
      return true
    }),
    { numRuns: 150 },
  )
})

t.test('every slug and block id of either side appears once, and the counts match the lists', async () => {
  fc.assert(
    fc.property(twoSides, ([before, after]) => {
      const { pages, summary } = diff(before, after)
      const count = (status: string) => pages.filter((one) => one.status === status).length
      const once = (texts: readonly string[]) => [...new Set(texts)].sort()
      const idsOn = (slug: string) =>
        [...before, ...after]
          .filter((one) => one.slug === slug)
          .flatMap(({ blocks }) => blocks.map(({ id }) => id))
      return (
        same(pages.map(({ slug }) => slug).sort(), once([...before, ...after].map(({ slug }) => slug))) &&
        pages.every(({ slug, blockDiffs }) =>
          same(blockDiffs.map(({ blockId }) => blockId).sort(), once(idsOn(slug))),
        ) &&
        same(summary, {
          pagesAdded: count('added'),
          pagesRemoved: count('removed'),
          pagesModified: count('modified'),
          pagesUnchanged: count('unchanged'),
          totalChangedFields: pages.flatMap(changed).length,
          siteConfigChangedFields: 0,
        })
      )
    }),
    { numRuns: 200 },
  )
})

t.test('swapping the sides swaps added and removed, before and after', async () => {
  fc.assert(
    fc.property(twoSides, ([before, after]) => {
      const [there, back] = [diff(before, after), diff(after, before)]
      const seen = (pages: readonly PageDiff[]) =>
        pages
          .map(({ metaDiffs = [], blockDiffs, ...one }) =>
            JSON.stringify([
              one.slug,
              one.status,
              one.titleBefore,
              one.titleAfter,
              fieldList(metaDiffs),
              blockDiffs.map(blockFacts).sort(),
            ]),
          )
          .sort()
      const expected = back.pages.map(
        ({ slug, status, titleBefore, titleAfter, blockDiffs, metaDiffs }): PageDiff => ({
          slug,
          status: mirrored[status],
          ...(titleAfter !== undefined && { titleBefore: titleAfter }),
          ...(titleBefore !== undefined && { titleAfter: titleBefore }),
          blockDiffs: blockDiffs.map(swappedBlock),
          ...(metaDiffs && { metaDiffs: metaDiffs.map(swappedField) }),
        }),
      )
      return same(seen(there.pages), seen(expected))
    }),
    { numRuns: 200 },
  )
})

t.test('applying the after values to the published block gives the block of the draft', async () => {
  fc.assert(
    fc.property(twoSides, ([before, after]) => {
      const propsOf = (side: readonly Page[], slug: string, id: string) => {
        const found = side
          .filter((one) => one.slug === slug)
          .flatMap((one) => ingestPage(one, { registry }).blocks)
        return withoutGeneratedItemIds(found.find((one) => one.id === id)?.props)
      }
      return diff(before, after).pages.every(({ slug, blockDiffs }) =>
        blockDiffs.every(({ blockId, fieldDiffs }) => {
          if (!fieldDiffs) return true
          const ofProps = fieldDiffs.filter(({ path }) => path !== 'type')
          return same(
            shuffled(patched(propsOf(before, slug, blockId), ofProps)),
            shuffled(propsOf(after, slug, blockId)),
          )
        }),
      )
    }),
    { numRuns: 300 },
  )
})

t.test('inserting one block changes the status of no other', async () => {
  fc.assert(
    fc.property(anyPage, fc.nat(5), (one, at) => {
      const blocks: readonly Block[] = [
        ...one.blocks.slice(0, at),
        block('new', 'Hero', {}),
        ...one.blocks.slice(at),
      ]
      const [found] = diff([one], [{ ...one, blocks }]).pages
      return (
        found !== undefined &&
        found.blockDiffs.every(
          ({ blockId, status }) => status === (blockId === 'new' ? 'added' : 'unchanged'),
        )
      )
    }),
    { numRuns: 100 },
  )
})

t.test('settings other than the header never appear in the config diff', async () => {
  const extras = fc.record(
    {
      purpose: fc.string(),
      tone: fc.string(),
      constraints: fc.array(fc.string()),
      themeOverrides: fc.dictionary(fc.string(), fc.string()),
      port: fc.nat(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      extras,
      extras,
      (before, after) =>
        configDiff({ name: 'N', ...before }, { name: 'N', ...after }).siteConfig.status === 'unchanged',
    ),
  )
})

t.test('a publish read back from a store that drops generated ids shows no change', async () => {
  fc.assert(
    fc.property(anyPages, (pages) => {
      const draft = pages.map((one) => ingestPage(one, { registry }))
      const readBack = toBaseline(JSON.parse(JSON.stringify(withoutGeneratedItemIds(draft))))
      return readBack !== undefined && diff(readBack.pages, draft).summary.pagesUnchanged === pages.length
    }),
    { numRuns: 100 },
  )
})

t.test('a publish that would empty a site or remove too much is refused with a remedy', async (t) => {
  const slugs = (n: number) => Array.from({ length: n }, (_, i) => ({ slug: `/${i}` }))
  const others = slugs(4).map(({ slug }) => ({ slug: `${slug}-new` }))
  const refusals = [
    [{ pages: [], baseline: slugs(4) }, /every published page \(4\).*allowDelete/],
    [{ pages: [], baseline: undefined }, /could not be read.*allowDelete/],
    [
      { pages: slugs(1), baseline: slugs(4), maxPagesRemoved: 2 },
      /remove: 3; maxPagesRemoved allows 2.*allowDelete/,
    ],
    [{ pages: slugs(1), baseline: undefined, maxPagesRemoved: 2 }, /maxPagesRemoved cannot be checked/],
    [{ pages: [], baseline: slugs(4), allowDelete: 'true' }, /allowDelete: true/],
    [{ pages: others, baseline: slugs(4), maxPagesRemoved: 3 }, /remove: 4/],
    [{ pages: slugs(1), baseline: [], maxPagesRemoved: Number.NaN }, /maxPagesRemoved is NaN/],
    [{ pages: [], baseline: [], maxPagesRemoved: -1 }, /maxPagesRemoved is -1/],
  ] as const
  for (const [attempt, reason] of refusals) {
    t.match(checkDestructivePublish(attempt), { ok: false, error: 'refused', reason })
  }
  const accepted = [
    { pages: [], baseline: [] },
    { pages: [], baseline: slugs(4), allowDelete: true },
    { pages: [], baseline: slugs(4), allowDelete: true, maxPagesRemoved: 0 },
    { pages: slugs(4), baseline: undefined },
    { pages: others, baseline: slugs(4) },
    { pages: slugs(2), baseline: [...slugs(4), ...slugs(4)], maxPagesRemoved: 2 },
  ]
  for (const attempt of accepted) t.match(checkDestructivePublish(attempt), { ok: true })
  const twice = [...slugs(3), ...slugs(3)]
  t.strictSame(checkDestructivePublish({ pages: slugs(2), baseline: twice }), { ok: true, removed: ['/2'] })
  t.strictSame(checkDestructivePublish({ pages: slugs(2), baseline: undefined }), {
    ok: true,
    removed: undefined,
  })
})

t.test('neither one more page nor allowDelete turns acceptance into refusal', async () => {
  const pages = fc.array(fc.record({ slug: fc.constantFrom('/', '/a', '/b', '/c', '/d') }), { maxLength: 5 })
  const limit = fc.option(fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constant(Number.NaN)), {
    nil: undefined,
  })
  const attempts = fc.record({
    pages,
    baseline: fc.option(pages, { nil: undefined }),
    maxPagesRemoved: limit,
    allowDelete: fc.constantFrom(true, false, 'true', 1, undefined),
  })
  fc.assert(
    fc.property(attempts, fc.constantFrom('/', '/a', '/x'), (attempt, slug) => {
      if (!checkDestructivePublish(attempt).ok) return true
      return (
        checkDestructivePublish({ ...attempt, pages: [...attempt.pages, { slug }] }).ok &&
        checkDestructivePublish({ ...attempt, allowDelete: true }).ok
      )
    }),
    { numRuns: 1000 },
  )
})

t.test('a baseline is an array of pages or an object around it; a partial one is rejected', async (t) => {
  const one = page('/', [block('b', 'Anything', { deep: { own: 1 } })], { extra: true })
  t.strictSame(toBaseline([one]), { pages: [one] })
  const siteConfig = { name: 'N', port: 3000 }
  t.strictSame(toBaseline({ pages: [one], siteConfig, version: 2 }), { pages: [one], siteConfig })
  t.strictSame(toBaseline({ pages: [], siteConfig: null }), { pages: [] })
  t.equal(toBaseline(undefined), undefined)
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [null, /The content: /],
    ['pages', /The content: /],
    [{}, /pages: /],
    [{ pages: {} }, /pages: must be an array of page documents/],
    [[one, { ...one, title: '' }], /pages\.1\.title: must not be empty/],
    [{ pages: [{ ...one, blocks: [{ id: 'b', type: 'X' }] }] }, /pages\.0\.blocks\.0\.props/],
    [{ pages: [], siteConfig: { navLabels: { '/': 1 } } }, /siteConfig\.navLabels/],
    [[page('/', [block('b', 'X', { deep: nested(70) })])], /nested deeper than 64 levels/],
  ]
  for (const [value, message] of bad) t.throws(() => toBaseline(value), { message })
})

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

function changed({ blockDiffs, metaDiffs = [] }: PageDiff): readonly FieldDiff[] {
  return [...metaDiffs, ...blockDiffs.flatMap(({ fieldDiffs = [] }) => fieldDiffs)]
}

const fieldList = (diffs: readonly FieldDiff[]) =>
  diffs.map(({ path, before, after, kind }) => JSON.stringify([path, before, after, kind])).sort()

const blockFacts = ({ blockId, status, positionBefore, positionAfter, fieldDiffs = [] }: BlockDiff) =>
  JSON.stringify([blockId, status, positionBefore, positionAfter, fieldList(fieldDiffs)])

function swappedField({ path, before, after, kind }: FieldDiff): FieldDiff {
  return {
    path,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
    kind,
  }
}

function swappedBlock({
  blockId,
  type,
  status,
  positionBefore,
  positionAfter,
  fieldDiffs,
}: BlockDiff): BlockDiff {
  return {
    blockId,
    type,
    status: status === 'moved' ? status : mirrored[status],
    ...(positionAfter !== undefined && { positionBefore: positionAfter }),
    ...(positionBefore !== undefined && { positionAfter: positionBefore }),
    ...(fieldDiffs && { fieldDiffs: fieldDiffs.map(swappedField) }),
  }
}

/** The names and indices of a path such as `items[1].q` or `["a.b"].c`. */
function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/g)].map(([step]) => {
    if (!step.startsWith('[')) return step
    const inner: unknown = JSON.parse(step.slice(1, -1))
    return typeof inner === 'number' ? inner : String(inner)
  })
}

/** Applies every `after` to a copy of the content; removals go last and from the end, so that indices stay valid. */
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
