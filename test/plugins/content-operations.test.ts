import t, { type Test } from 'tap'
import { applyBatch, readsOf, type BatchOptions, type BatchSuccess } from '../../plugins/content/batch.ts'
import { noMoves, rewriteLinks } from '../../plugins/content/links.ts'
import { lockedBlock } from '../../plugins/content/locked.ts'
import type { BatchFailure, Block, Draft, ErrorCategory, Page, Props } from '../../plugins/content/model.ts'
import { operations } from '../../plugins/content/operations/index.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { builtinRegistry as registry, createRegistry } from '../../plugins/content/registry.ts'
import { resolveBlock } from '../../plugins/content/operations/target.ts'
import {
  article,
  changed,
  draftOf,
  guarded,
  manifestOf,
  pageOf,
  pagesOf,
  siteManifest,
  teamWall,
} from '../helpers/content.ts'

type Op = Props | readonly Props[]
type SomeBatchOptions = Partial<BatchOptions>

const now = new Date('2026-05-01T12:00:00.000Z')
const noon = now.toISOString()
const planner = { source: 'planner' } as const
const bySite = { manifest: siteManifest }
const plannedForSite = { ...planner, ...bySite }

/** Applies operations as sent by a client; a parse error fails the test. */
function run(draft: Draft, op: Op, options: SomeBatchOptions = {}): BatchSuccess | BatchFailure {
  const read = parseOperations([op].flat())
  if (!read.ok) throw new Error(read.message)
  const all = { source: 'direct', registry, now, ...options } as const
  return applyBatch(guarded(draft, readsOf(read.ops)), read.ops, all)
}

function applied(
  draft: Draft,
  op: Op,
  options: SomeBatchOptions = {},
): BatchSuccess & { readonly draft: Draft } {
  const result = run(draft, op, options)
  if (!result.ok) throw new Error(result.message)
  return { ...result, draft: changed(draft, result.change) }
}

/** Expects each batch to be refused with a category and a part of the message. */
function refuses(
  t: Test,
  draft: Draft,
  options: SomeBatchOptions,
  rows: readonly (readonly [op: Op, category: ErrorCategory, part: string])[],
): void {
  for (const [op, category, part] of rows) {
    const result = run(draft, op, options)
    const got = result.ok ? 'applied' : `${result.category} ${result.message}`
    t.ok(got.startsWith(`${category} `) && got.includes(part), `${part}`, { got, category })
  }
}

const block = (id: string, type: string, props: Props, more: Props = {}): Block => ({
  id,
  type,
  props,
  ...more,
})
const blockAt = (draft: Draft, slug: string, id: string) =>
  draft.page(slug)?.blocks.find((found) => found.id === id)
const propsAt = (draft: Draft, slug: string, id: string) => blockAt(draft, slug, id)?.props
const idsAt = (draft: Draft, slug: string) =>
  draft
    .page(slug)
    ?.blocks.map(({ id }) => id)
    .join(' ')
const slugs = (draft: Draft) => pagesOf(draft).map(({ slug }) => slug)
const onlyPage = (blocks: readonly Block[], more: Partial<Page> = {}) => draftOf([pageOf('/', blocks, more)])
const cta = (id: string, title = id) =>
  block(id, 'CTA', { title, description: 'Now', ctaText: 'Go', ctaHref: '/' })
const faq = (items: readonly unknown[] | null | undefined, id = 'f') =>
  block(id, 'FAQAccordion', { title: 'Q', ...(items !== undefined && { items }) })
const article1 = (props: Props, id = 'a') => block(id, 'Article', { heading: 'H', ...props })
const typeOf = (type: string, properties: Props, fields?: Props) =>
  manifestOf([{ type, propsSchema: { type: 'object', properties }, ...(fields && { fields }) }])

const update = (patch: Props, blockId: string, pageSlug = '/') => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch,
})
const on = (op: string, more: Props = {}, pageSlug = '/') => ({ op, pageSlug, ...more })
const create = (page: Props) => ({ op: 'create_page', page })
const add = (added: Block = cta('b_new'), more: Props = {}, pageSlug = '/') => ({
  op: 'add_block',
  pageSlug,
  block: added,
  ...more,
})
const [wrong, absent, noEffect] = ['schema_violation', 'not_found', 'no_effective_change'] as const
const idle = { op: 'update_site_config', patch: {} }
/** The props of a block on the home page after one operation. */
const after = (draft: Draft, op: Op, id: string, options: SomeBatchOptions = {}) =>
  propsAt(applied(draft, op, options).draft, '/', id)

const services = pageOf(
  '/services',
  [
    block('b_banner_1', 'Banner', { text: 'Open on Sundays', variant: 'info' }),
    block('b_faq_1', 'FAQAccordion', {
      title: 'Good to know',
      items: [
        { id: 'itm_tm0h39cpix', q: 'Do you travel?', a: 'Yes, within **50 km**.' },
        { id: 'itm_0padc6ryct', q: 'Do you ship?', a: 'See [delivery](/delivery).' },
      ],
    }),
  ],
  { title: 'Services', meta: { title: 'Our services', description: 'What we do and for whom.' } },
)
const header = block('b_header', 'SiteHeader', {
  siteName: 'Nord',
  logoUrl: '/logo.svg',
  links: [{ id: 'l1', label: 'Home', href: '/' }],
})
const team = (rows: readonly Props[] = [], more: Props = {}) =>
  onlyPage([block('b_team_1', 'TeamWall', { title: 'Who we are', rows, ...more })])
const teamRows = (draft: Draft, op: Op, options: SomeBatchOptions = bySite) =>
  after(draft, op, 'b_team_1', options)?.['rows']
const row = { blockId: 'b_team_1', listKey: 'rows' }

t.test('parsing operations', async (t) => {
  const change = update({ title: 'x' }, 'b')
  const failures = (ops: unknown) => {
    const read = parseOperations(ops)
    return read.ok ? [] : [read.message, ...read.issues.map(({ path }) => path)]
  }
  const rows: readonly [ops: unknown, message: string, ...paths: string[]][] = [
    ['x', `ops: wanted a list of operations, got 'x'`, 'ops'],
    [[change, null], 'ops[1]: wanted an operation, got null', 'ops[1]'],
    [
      [{ ...change, blockId: undefined }],
      'ops[0].blockId: wanted the id of a block on that page, got nothing',
    ],
    [[on('remove_block')], 'ops[0].blockId: is missing; wanted the id of a block on that page'],
    [[on('update_props', { blockId: 'b' })], 'ops[0].patch: is missing'],
    [[{ ...change, patch: ['x'] }], 'ops[0].patch: wanted an object of props, got a list', 'ops[0].patch'],
    [
      [on('update_page_meta', { patch: [] })],
      'wanted an object with title, description or ogImage, got an empty',
    ],
    [[on('add_block', { block: { id: 'b', props: [] } })], 'is missing; wanted the type of the block'],
    [[on('add_item', { ...row, item: {}, afterIndex: 1.5 })], 'a whole number, 0 or more, got 1.5'],
    [[create({ slug: '/a', blocks: [cta('x'), 5] })], 'ops[0].page.blocks[1]: wanted a block'],
    [['long '.repeat(20)], `got 'long long `, 'ops[0]'],
    [[{ ...change, patch: 5, blockId: {} }], 'got an object', 'ops[0].blockId', 'ops[0].patch'],
    [JSON.parse('[{"op":"update_props","patch":{"a":[{"__proto__":{"x":1}}]}}]'), 'this key is not allowed'],
    [[on('add_item', { item: JSON.parse('{"constructor":{}}') })], 'not allowed', 'ops[0].item.constructor'],
    [
      [{ ...idle, patch: { navLabels: { prototype: 'x' } } }],
      'not allowed',
      'ops[0].patch.navLabels.prototype',
    ],
  ]
  for (const [ops, message, ...paths] of rows) {
    const [got = '', ...at] = failures(ops)
    t.ok(got.includes(message), message, { got })
    if (paths.length > 0) t.same(at, paths)
  }
  const [unknown = ''] = failures([{ op: 'updateProps' }])
  for (const name of operations.keys()) t.ok(unknown.includes(name), name)

  t.test('unknown fields are dropped, and null in an optional field counts as absent', async (t) => {
    const read = parseOperations([
      add(block('b', 'CTA', {}, { note: 1 }), { afterBlockId: null, extra: 1 }),
      on('update_page_meta', { patch: { title: null, description: 'd', keywords: 'x' } }),
      { ...idle, patch: { tone: 'loud', navLabels: null } },
      create({ slug: '/a', id: null, meta: null, blocks: null, theme: 'dark' }),
    ])
    t.same(JSON.parse(JSON.stringify(read)).ops, [
      { op: 'add_block', pageSlug: '/', block: { id: 'b', type: 'CTA', props: {}, note: 1 } },
      { op: 'update_page_meta', pageSlug: '/', patch: { description: 'd' } },
      idle,
      { op: 'create_page', page: { slug: '/a', theme: 'dark' } },
    ])
  })
})

t.test('a batch', async (t) => {
  t.test('each operation sees the effects of earlier ones; one failure refuses all', async (t) => {
    const { draft } = applied(draftOf([services]), [
      create({ slug: '/new' }),
      add(cta('b_cta_9'), {}, '/new'),
      on('rename_page', { newPageSlug: '/newer' }, '/new'),
      update({ title: 'Hi' }, 'b_cta_9', '/newer'),
    ])
    t.same(slugs(draft), ['/services', '/newer'])
    t.equal(propsAt(draft, '/newer', 'b_cta_9')?.['title'], 'Hi')
    const ops = [
      update({ text: 'Closed' }, 'b_banner_1', '/services'),
      on('remove_block', { blockId: 'b_gone' }, '/services'),
    ]
    const message = 'ops[1]: no block b_gone on /services'
    t.same(run(draftOf([services]), ops), { ok: false, category: 'not_found', message, index: 1 })
    t.match(run(draftOf([services]), on('remove_page', {}, '/gone')), { missingPage: '/gone' })
    const options = { source: 'direct', registry, now } as const
    t.match(applyBatch(draftOf([services]), [], options), { ok: false, category: 'schema_violation' })
    const wild = JSON.parse('[{"op":"explode"}]')
    t.throws(() => applyBatch(draftOf([services]), wild, options), /parseOperations/)
  })

  t.test('a page is found under other spellings of its slug', async (t) => {
    const stored = [pageOf('legacy', [cta('a')]), pageOf('/team', [cta('b')]), pageOf('/old/', [cta('c')])]
    for (const [asked, slug, id] of [
      ['/legacy', 'legacy', 'a'],
      ['team/', '/team', 'b'],
      ['//team', '/team', 'b'],
      ['/old', '/old/', 'c'],
    ] as const) {
      const { ops, results } = applied(draftOf(stored), update({ title: 'x' }, id, asked))
      t.match([ops, results.mentionedSlugs], [[{ pageSlug: slug }], [slug]])
    }
  })

  t.test('a changed page gets a stamp later than under every slug that it had', async (t) => {
    const old = (updatedAt: string) => ({ updatedAt })
    const rows: readonly [pages: readonly Page[], ops: Op, slug: string, stamp: string][] = [
      [[pageOf('/', [cta('a')])], update({ title: 'n' }, 'a'), '/', noon],
      [[pageOf('/', [cta('a')], old(noon))], update({ title: 'n' }, 'a'), '/', '2026-05-01T12:00:00.001Z'],
      [[pageOf('/', [cta('a')], old('yesterday'))], update({ title: 'n' }, 'a'), '/', noon],
      [
        [services, pageOf('/a', [], old('2090-01-01T00:00:00.000Z'))],
        [on('remove_page', {}, '/a'), create({ slug: '/a', updatedAt: '2099-01-01T00:00:00.000Z' })],
        '/a',
        '2090-01-01T00:00:00.001Z',
      ],
      [
        [services, pageOf('/a'), pageOf('/b', [], old('2090-01-01T00:00:00.000Z'))],
        [on('remove_page', {}, '/a'), on('rename_page', { newPageSlug: '/a' }, '/b')],
        '/a',
        '2090-01-01T00:00:00.001Z',
      ],
    ]
    for (const [pages, ops, slug, stamp] of rows)
      t.equal(applied(draftOf(pages), ops).change.pages.get(slug)?.after?.updatedAt, stamp)
    const none = applied(draftOf([services]), [create({ slug: '/a' }), on('remove_page', {}, '/a'), idle])
    t.same(none.change, { pages: new Map(), placed: [] }, 'a page created and removed leaves no trace')
    t.same(none.results.mentionedSlugs, ['/services'])
  })

  t.test('structural edits can be disabled, page operations and text edits cannot', async (t) => {
    const capabilities = { allowStructuralEdits: false }
    const structural = [...operations.values()].filter((each) => each.structural).map(({ name }) => name)
    const names = 'add_block add_item duplicate_block move_block move_item remove_block remove_item'
    t.equal(structural.sort().join(' '), names)
    const draft = draftOf([services])
    refuses(t, draft, { capabilities }, [
      [
        [idle, on('remove_block', { blockId: 'x' }, '/x')],
        'operation_failed',
        'ops[1]: remove_block changes',
      ],
    ])
    t.ok(run(draft, on('rename_page', { newTitle: 'X' }, '/services'), { capabilities }).ok)
  })

  t.test('a public demo lets listed operations on listed block types through', async (t) => {
    const ops = new Set(['update_props', 'add_block', 'create_page'])
    const playground = { ops, blockTypes: new Set(['Banner']) }
    const draft = draftOf([services])
    t.ok(run(draft, update({ text: 'x' }, 'b_banner_1', '/services'), { playground }).ok)
    refuses(t, draft, { playground }, [
      [on('remove_page', {}, '/services'), 'planner_refusal', 'not possible in this demo; try update_props'],
      [update({}, 'b_faq_1', '/services'), 'planner_refusal', 'FAQAccordion cannot be edited in this demo'],
      [add(cta('b'), {}, '/services'), 'planner_refusal', 'CTA'],
      [create({ slug: '/x', blocks: [cta('b')] }), 'planner_refusal', 'try Banner'],
    ])
    const locked = draftOf([{ ...services, blocks: [lockedBlock('b_odd', { reason: 'r', raw: 7 })] }])
    const removing = { ops: new Set(['remove_block']), blockTypes: playground.blockTypes }
    const removal = on('remove_block', { blockId: 'b_odd' }, '/services')
    refuses(t, locked, { playground: removing }, [[removal, 'planner_refusal', 'try Banner']])
    t.match(run(draft, on('remove_page', {}, '/services'), { playground }), { admissible: [...ops] })
  })

  t.test('skipped operations are reported; moves, row edits and config writes count', async (t) => {
    const skipped = [
      update({}, 'b_banner_1', '/services'),
      update({ text: 'Open on Sundays' }, 'b_banner_1', '/services'),
      on('rename_page', { newPageSlug: 'services', newTitle: ' Services ' }, '/services'),
      on('update_page_meta', { patch: { title: 'Our services', ogImage: '' } }, '/services'),
    ]
    const draft = draftOf([services])
    const { results } = applied(draft, [...skipped, idle])
    const banner = { op: 'update_props', pageSlug: '/services', blockId: 'b_banner_1' }
    t.same(results.skippedOps, [
      { index: 1, reason: 'empty_patch', ...banner },
      { index: 2, reason: 'unchanged_value', ...banner },
      { index: 3, op: 'rename_page', reason: 'unchanged_page', pageSlug: '/services' },
      { index: 4, op: 'update_page_meta', reason: 'unchanged_meta', pageSlug: '/services' },
    ])
    t.equal(results.appliedCount, 1)
    refuses(t, draft, {}, [[skipped, noEffect, 'ops[0]: nothing would change: the patch is empty; ']])
    const list = { blockId: 'b_faq_1', listKey: 'items' }
    for (const op of [
      on('move_block', { blockId: 'b_banner_1' }, '/services'),
      on('update_item', { ...list, index: 0, patch: {} }, '/services'),
      on('move_page', {}, '/services'),
      idle,
    ])
      t.equal(applied(draft, op).results.appliedCount, 1, JSON.stringify(op))
  })
})

t.test('create_page', async (t) => {
  const home = draftOf([pageOf('/', [cta('b_cta_1')]), pageOf('/a-b')])

  t.test('the page is appended, and missing fields are filled in', async (t) => {
    const page = { slug: 'a_b/', title: ' ', theme: 'dark', meta: { title: 'T' }, updatedAt: 'whenever' }
    const { draft, ops, change } = applied(home, create(page))
    const given = { theme: 'dark', meta: { title: 'T' } }
    const made = { id: 'p_a_b_2', slug: '/a_b', title: 'A B', updatedAt: noon, blocks: [], ...given }
    t.same(draft.page('/a_b'), made)
    t.match(ops, [{ page: made }])
    t.same([change.placed, change.order], [['/a_b'], ['/', '/a-b', '/a_b']])
    for (const [slug, id] of Object.entries({ '/': 'p_home', '/日本': 'p_page' }))
      t.equal(applied(draftOf([]), create({ slug })).draft.page(slug)?.id, id)
  })

  t.test(
    'the menu calls a page of a planner by the title that is given, also after it changes',
    async (t) => {
      const labels = (from: Draft, ops: Op, by: SomeBatchOptions = planner) =>
        applied(from, ops, by).draft.config.navLabels
      const apples = create({ slug: '/grosse-aepfel', title: 'Größe' })
      const rename = (more: Props) => on('rename_page', more, '/grosse-aepfel')
      const copy = { pageSlug: '/a-b', newPageSlug: '/c' }
      for (const [ops, expected] of [
        [[apples], { '/grosse-aepfel': 'Größe' }],
        [[create({ slug: '/grosse-aepfel' })], undefined],
        [[create({ slug: '/our-team', title: 'Our team' })], undefined],
        [[apples, rename({ newTitle: 'Birnen' })], { '/grosse-aepfel': 'Birnen' }],
        [[apples, rename({ newTitle: 'Grosse aepfel' })], undefined],
        [[apples, rename({ newPageSlug: '/b', newTitle: 'Birnen' })], { '/b': 'Birnen' }],
        [[apples, rename({ newPageSlug: '/b' })], undefined],
        [[on('duplicate_page', { ...copy, newTitle: 'Copy' })], { '/c': 'Copy' }],
        [[on('duplicate_page', copy)], undefined],
      ] as const)
        t.same(labels(home, ops), expected, JSON.stringify(ops))
      const labelled = draftOf([pageOf('/')], { navLabels: { '/x': 'Given' } })
      t.same(labels(labelled, create({ slug: '/x', title: 'Title' })), { '/x': 'Given' })
      t.equal(labels(draftOf([]), create({ slug: '/', title: 'Start' })), undefined, 'home is Home')
      t.equal(labels(home, apples, {}), undefined, 'other programs set labels themselves')
      const about = draftOf([pageOf('/about', [], { title: 'About' })], { navLabels: { '/about': 'About' } })
      const renamed = on('rename_page', { newTitle: 'Who we are' }, '/about')
      t.same(labels(about, renamed), { '/about': 'About' }, 'a label that the address gives anyway')
    },
  )

  t.test('rows get ids, pinned blocks are allowed, a duplicate block id is suffixed', async (t) => {
    const rows = block('b_faq_1', 'FAQAccordion', { title: 'Q', items: [{ q: 'a', a: 'b' }] })
    const blocks = [header, cta('b_cta_1'), cta('b_cta_1'), rows]
    const { draft, results } = applied(home, create({ slug: '/x', blocks }))
    t.equal(idsAt(draft, '/x'), 'b_header b_cta_1 b_cta_1_1 b_faq_1')
    t.same(propsAt(draft, '/x', 'b_faq_1')?.['items'], [{ id: 'itm_tm0h39cpix', q: 'a', a: 'b' }])
    t.match(results.notes, [/b_cta_1 is used on another page/, /b_cta_1 comes twice/])
  })

  t.test('a plan cannot add invalid props, pointers, internal props or scripts; a person can', async (t) => {
    const bare = create({ slug: '/x', blocks: [block('b_cta_2', 'CTA', { title: '' })] })
    t.match(applied(home, bare).results.notes, [/^b_cta_2: description is required/, /Text/, /Href/, /title/])
    refuses(t, home, planner, [[bare, wrong, 'ops[0].page.blocks[0].props.description']])
    const markup = '<p>Hi<script>x()</script></p>'
    const wall = {
      title: 'We',
      office: { ref: 'hq' },
      _rev: '7',
      rows: [{ kind: 'person', name: 'Ada', profile: { ref: 'x' } }],
    }
    const op = create({ slug: '/x', blocks: [block('w', 'TeamWall', wall), article1({ teaser: markup })] })
    const byPlan = applied(home, op, plannedForSite)
    const planned = propsAt(byPlan.draft, '/x', 'w')
    t.match(planned, { office: null, rows: [{ profile: null }], _rev: undefined })
    t.equal(propsAt(byPlan.draft, '/x', 'a')?.['teaser'], '<p>Hi</p>')
    t.match(byPlan.results.notes, [/^office:.*CMS/, /^_rev: internal/, /^rows\[0\]\.profile:.*CMS/])
    const byPerson = applied(home, op, bySite).draft
    t.match(propsAt(byPerson, '/x', 'w'), wall)
    t.equal(propsAt(byPerson, '/x', 'a')?.['teaser'], markup)
  })

  t.test('it fails', async (t) => {
    const unknown = create({ slug: '/x', blocks: [block('b', 'Nope', {})] })
    refuses(t, home, {}, [
      [create({ slug: '/bad slug' }), wrong, `ops[0].page.slug: '/bad slug' cannot be a slug`],
      [create({ slug: '/a-b/' }), wrong, 'ops[0].page.slug: there is a page /a-b already'],
      [unknown, wrong, `ops[0].page.blocks[0].type: unknown block type 'Nope'`],
    ])
    refuses(t, draftOf([pageOf('legacy')]), {}, [
      [create({ slug: '/legacy' }), wrong, 'a page legacy already'],
    ])
    t.match(run(home, unknown), { admissible: /Hero/ })
    const known = create({ slug: '/x', blocks: [cta('b'), block('w', 'TeamWall', { title: 'We' })] })
    t.ok(run(home, known, { manifest: manifestOf([teamWall]) }).ok, 'known to registry or manifest')
  })
})

t.test('add_block', async (t) => {
  const rows = faq([{ id: 'x', q: 'a', a: 'b' }], 'b_faq_1')
  const draft = onlyPage([header, cta('b_cta_1'), cta('b_cta_2'), rows])
  const placed = (op: Op, options: SomeBatchOptions = {}) => idsAt(applied(draft, op, options).draft, '/')

  t.test('it is appended without an anchor, and inserted after it with one', async (t) => {
    t.equal(placed(add()), 'b_header b_cta_1 b_cta_2 b_faq_1 b_new')
    t.equal(placed(add(undefined, { afterBlockId: 'b_header' })), 'b_header b_new b_cta_1 b_cta_2 b_faq_1')
    const loose = add(undefined, { afterBlockId: 'b_CTA_77' })
    t.equal(placed(loose, planner), 'b_header b_cta_1 b_cta_2 b_new b_faq_1', 'the last of a type')
    t.match(applied(draft, loose, planner).ops, [{ afterBlockId: 'b_cta_2' }])
    refuses(t, draft, {}, [[loose, absent, 'ops[0].afterBlockId: no block b_CTA_77 on /']])
    const gone = add(undefined, { afterBlockId: 'gone' })
    refuses(t, draft, planner, [[gone, absent, 'no block gone']])
  })

  t.test('choices with a default are filled in, rows get ids, unknown keys are kept', async (t) => {
    const features = [{ title: 'a', description: 'b', x: 1 }]
    const grid = block('g', 'FeatureGrid', { title: 'T', features, unheard: { of: 1 } }, { note: 'n' })
    const { draft: with1, ops } = applied(draft, add(grid))
    const props = { columns: '3', unheard: { of: 1 }, features: [{ id: /^itm_/, x: 1 }] }
    t.match(blockAt(with1, '/', 'g'), { note: 'n', props: { ...props, headingLevel: undefined } })
    t.match(ops, [{ block: { id: 'g', props } }])
    t.equal(after(draft, add(grid), 'g', bySite)?.['columns'], '3', 'also without defaults in the manifest')
    const table = block('t', 'Table', { headers: ['A', 2], rows: [[1, null, true, 'x']] })
    t.match(after(draft, add(table), 't'), { headers: ['A', '2'], rows: [['1', '', 'true', 'x']] })
  })

  t.test('limits of a manifest are notes for a person and enforced for a plan', async (t) => {
    const long = add(article1({ heading: 'x'.repeat(61), chapters: [] }))
    t.match(applied(draft, long, bySite).results.notes, [/^heading: .*60/])
    refuses(t, draft, plannedForSite, [[long, wrong, 'ops[0].block.props.heading: must have at most 60']])
    refuses(t, draft, bySite, [
      [add(article1({ heading: 5 })), wrong, 'ops[0].block.props.heading: must be a string'],
      [add(block('a', 'Article', {})), wrong, 'heading: is required'],
    ])
    const either = { type: 'E', propsSchema: { type: 'object', anyOf: [{ required: ['a'] }] } }
    refuses(t, draft, { manifest: manifestOf([either]), ...planner }, [
      [add(block('e', 'E', {})), wrong, 'ops[0].block.props: must have one of the declared forms'],
      [create({ slug: '/x', blocks: [block('e', 'E', {})] }), wrong, 'page.blocks[0].props: must'],
    ])
  })

  t.test('a row without a branch is accepted with a note, one of an unknown branch without', async (t) => {
    const rows = [{ text: 'legacy' }, { type: 'paragraph', text: 'x' }, { type: 'robot', text: 'y' }]
    const notes = (left: readonly unknown[]) =>
      applied(draft, add(block('b_two', 'TwoColumn', { left, right: rows.slice(1) }))).results.notes
    t.same(notes(rows), ['left: one row has no type'])
    t.same(notes([{}, ...rows]), ['left: 2 rows have no type'])
    t.ok(run(draft, add(block('w', 'TeamWall', { title: 'We', rows: [{ name: 'nobody' }] })), bySite).ok)
  })

  t.test('it fails', async (t) => {
    refuses(t, draft, {}, [
      [add(block('h', 'SiteHeader', header.props)), wrong, 'SiteHeader is pinned'],
      [add(block('h', 'Nope', {})), wrong, `unknown block type 'Nope'; use one of Hero`],
      [add(cta('b_cta_1')), wrong, 'ops[0].block.id: page / has a block b_cta_1 already'],
      [add(block('c', 'CTA', { title: 'x' })), wrong, 'ops[0].block.props.description: is required'],
      [add(cta('b'), {}, '/x'), absent, 'no page /x'],
    ])
    refuses(t, draft, bySite, [[add(block('h', 'Footer', {})), wrong, 'Footer is pinned']])
    refuses(t, draft, { registry: createRegistry() }, [[add(), wrong, 'there is none yet']])
    refuses(t, draft, { manifest: manifestOf([teamWall]) }, [
      [add(), absent, `does not declare block type 'CTA'`],
    ])
    const size = { size: { enum: ['s', 'm'], default: 'm' } }
    const sized = { type: 'S', propsSchema: { type: 'object', properties: size, required: ['size'] } }
    refuses(t, draft, { manifest: manifestOf([sized]) }, [
      [add(block('s', 'S', {})), wrong, 'ops[0].block.props.size: is required'],
    ])
  })
})

t.test('update_props', async (t) => {
  const banner = onlyPage(services.blocks)

  t.test('only the named props change; a patch nested in `props` is unwrapped', async (t) => {
    const { draft, ops } = applied(banner, update({ text: 'Closed', ctaText: 'Why?' }, 'b_banner_1'))
    t.same(propsAt(draft, '/', 'b_banner_1'), { text: 'Closed', variant: 'info', ctaText: 'Why?' })
    t.equal(draft.page('/')?.blocks[1], services.blocks[1])
    t.match(ops, [update({ text: 'Closed', ctaText: 'Why?' }, 'b_banner_1')])
    const nested = applied(banner, update({ props: { text: 'Closed' }, text: 'ignored' }, 'b_banner_1'))
    t.same(nested.ops, [update({ text: 'Closed' }, 'b_banner_1')])
    const odd = onlyPage([block('o', 'Odd', { a: 1 })])
    const declared = { manifest: typeOf('Odd', { props: { type: 'object' } }) }
    t.same(after(odd, update({ props: { a: 2 } }, 'o'), 'o', declared), { a: 1, props: { a: 2 } })
    const open = { manifest: manifestOf([{ type: 'Odd', propsSchema: {} }]) }
    t.same(after(odd, update({ props: { a: 2 } }, 'o'), 'o', open), { a: 2 })
  })

  t.test('an unknown key refuses the batch, with a list of the known ones', async (t) => {
    const unknown = update({ text: 'x', txt: 'y', toString: 'z' }, 'b_banner_1')
    refuses(t, banner, {}, [
      [unknown, wrong, 'ops[0].patch.txt: Banner has no prop txt, toString; its props are text, v'],
      [update({ headingLevel: 'h3' }, 'b_banner_1'), wrong, 'no prop headingLevel'],
    ])
    t.equal(after(banner, update({ headingLevel: 'h3' }, 'b_faq_1'), 'b_faq_1')?.['headingLevel'], 'h3')
    t.match(run(banner, unknown), { admissible: /backgroundColor/ })
    refuses(t, team(), bySite, [[update({ _other: 1 }, 'b_team_1'), wrong, 'no prop _other']])
    const manifest = manifestOf([{ type: 'Open', propsSchema: {}, fields: { a: { kind: 'text' } } }])
    const draft = onlyPage([block('o', 'Open', { stored: 1 })])
    t.same(after(draft, update({ stored: 2, a: 'x' }, 'o'), 'o', { manifest }), { stored: 2, a: 'x' })
    refuses(t, draft, { manifest }, [[update({ b: 1 }, 'o'), wrong, 'its props are stored, a']])
  })

  t.test('a reference is kept with a note; a plan cannot write an internal prop', async (t) => {
    const before = { office: { ref: 'hq-1' }, _rev: '7' }
    const draft = team([], before)
    const op = update({ title: 'Our people', office: { ref: 'hq-2' } }, 'b_team_1')
    t.same(after(draft, op, 'b_team_1', bySite), { title: 'Our people', ...before, rows: [] })
    t.same(applied(draft, op, bySite).results.notes, ['office: change this reference in the CMS'])
    const alone = update({ office: null }, 'b_team_1')
    refuses(t, draft, bySite, [[alone, noEffect, 'references only; office: change this reference']])
    t.match(applied(draft, [alone, idle], bySite).results.skippedOps, [{ reason: 'reference_only' }])
    const internal = update({ title: 'New', _rev: '8', _unheard: 1 }, 'b_team_1')
    const byPlan = applied(draft, internal, plannedForSite)
    t.match(propsAt(byPlan.draft, '/', 'b_team_1'), { title: 'New', _rev: '7' })
    t.match(byPlan.results.notes, [/^_rev: internal/, /^_unheard: internal/])
    t.match(after(draft, update({ _rev: '8' }, 'b_team_1'), 'b_team_1', bySite), { _rev: '8' })
  })

  t.test('null removes an optional prop, and is stored in any other', async (t) => {
    const draft = onlyPage([article1({ teaser: 'T', tone: 'calm', body: null })])
    const unset = update({ teaser: null, tone: null, more: null }, 'a')
    t.same(after(draft, unset, 'a', bySite), { heading: 'H', tone: null, body: null })
    refuses(t, draft, bySite, [
      [update({ heading: null }, 'a'), wrong, 'ops[0].patch.heading: '],
      [update({ more: null }, 'a'), noEffect, ''],
    ])
    for (const x of [
      { enum: ['a', null] },
      { const: null },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ]) {
      const nullable = onlyPage([block('n', 'N', { x: 'a' })])
      t.same(after(nullable, update({ x: null }, 'n'), 'n', { manifest: typeOf('N', { x }) }), { x: null })
    }
  })

  t.test('null in an optional prop of a new block or in a row counts as absent', async (t) => {
    const [icon, kept] = [{ icon: null }, { title: 'a', description: 'd' }]
    const grid = (features: readonly Props[], id = 'g') => block(id, 'FeatureGrid', { title: 't', features })
    const draft = onlyPage([grid([{ id: 'r', icon: '1', ...kept }])])
    const features = (op: Op, id = 'g') => after(draft, op, id)?.['features']
    const ofRow = [{ id: /^itm_|^r$/, icon: undefined, ...kept }]
    t.match(features(add(grid([{ ...icon, ...kept }], 'new')), 'new'), ofRow)
    t.match(features(update({ features: [{ id: 'r', ...icon }] }, 'g')), ofRow)
    t.match(features(update({ features: [{ id: 's', ...icon, ...kept }] }, 'g')), [
      { id: 's', icon: undefined, ...kept },
    ])
    const item = { ...icon, ...kept }
    t.match(features(on('add_item', { blockId: 'g', listKey: 'features', item })), [
      { icon: '1' },
      { icon: undefined, ...kept },
    ])
    t.same(after(draft, add(article1({ teaser: null, tone: null }, 'n')), 'n', bySite), {
      heading: 'H',
      tone: null,
    })
    refuses(t, draft, {}, [[add(block('c', 'CTA', { title: null })), wrong, 'ops[0].block.props.']])
  })

  t.test('rows merge by key, else by position', async (t) => {
    const one = { id: 'itm_3tjdepkhg5', quote: 'One', author: 'Lin', role: 'Chef' }
    const two = { id: 'itm_djms69maep', quote: 'Two', author: 'Ola' }
    const draft = onlyPage([block('b_t', 'Testimonials', { title: 'T', items: [one, two] })])
    const fresh = /^itm_(?!3tj|djm)/
    const rows: readonly [what: string, patch: readonly Props[], result: readonly Props[]][] = [
      ['keys', [{ id: two.id, quote: 'Two!' }, { id: one.id }], [{ ...two, quote: 'Two!' }, one]],
      ['positions', [{ quote: 'Uno' }], [{ ...one, quote: 'Uno' }]],
      [
        'a key claims its row',
        [{ quote: 'New', author: 'X' }, { id: one.id }],
        [{ id: fresh, role: undefined }, one],
      ],
      ['an unknown key', [{ id: 'mine', quote: 'N', author: 'X' }], [{ id: 'mine', role: undefined }]],
      [
        'a generated id twice',
        [{ id: two.id }, { id: two.id, quote: 'B', author: 'C' }],
        [two, { id: fresh, quote: 'B' }],
      ],
    ]
    for (const [what, items, result] of rows)
      t.match(after(draft, update({ items }, 'b_t'), 'b_t'), { title: 'T', items: result }, what)
  })

  t.test('own keys, references and branches of rows', async (t) => {
    const set = (stored: readonly Props[], rows: readonly Props[]) => {
      const { draft, results } = applied(team(stored), update({ rows }, 'b_team_1'), bySite)
      return { rows: propsAt(draft, '/', 'b_team_1')?.['rows'], notes: results.notes }
    }
    const note = { kind: 'note', text: 'a' }
    const twice = [
      { id: 'own', kind: 'note', text: 'b' },
      { id: 'own', kind: 'note', text: 'c' },
    ]
    t.match(set([{ id: 'own', ...note }], twice), { rows: twice, notes: [/another row has the key own too/] })
    const twins = [
      { id: 'own', ...note, first: 1 },
      { id: 'own', kind: 'note' },
    ]
    t.same(set(twins, [{ id: 'own', text: 'c' }]).rows, [{ id: 'own', kind: 'note', text: 'c', first: 1 }])
    t.match(set([note], [{ text: 'b' }]).rows, [{ id: /^itm_/, kind: 'note', text: 'b' }])
    const stored = [
      { _key: 'k', kind: 'person', name: 'Ada', profile: { ref: 1 } },
      { id: 'n', kind: 'note', text: 'Hi', old: 1 },
    ]
    const sent = [
      { _key: 'k', name: 'Ada L.', profile: { ref: 2 } },
      { id: 'n', kind: 'person', name: 'Bob' },
      { kind: 'person', name: 'Cy', profile: { ref: 3 } },
    ]
    t.match(set(stored, sent), {
      rows: [
        { _key: 'k', kind: 'person', name: 'Ada L.', profile: { ref: 1 } },
        { id: 'n', kind: 'person', name: 'Bob', text: undefined, old: undefined },
        { id: /^itm_/, kind: 'person', name: 'Cy', profile: null },
      ],
      notes: [/^rows\[0\]\.profile: change this reference in the CMS/, /^rows\[2\]\.profile: change/],
    })
  })

  t.test('a list inside a row is replaced, and its rows keep ids and references', async (t) => {
    const stored = [
      { id: 'n1', text: 'a', source: { ref: 1 } },
      { id: 'n2', text: 'b', extra: 1 },
    ]
    const draft = onlyPage([article1({ chapters: [{ id: 'c1', title: 'One', notes: stored }] })])
    const sent = [{ id: 'n2', text: 'B' }, { id: 'n1', text: 'A' }, { text: 'new' }]
    t.match(after(draft, update({ chapters: [{ notes: sent }] }, 'a'), 'a', bySite)?.['chapters'], [
      {
        id: 'c1',
        title: 'One',
        notes: [
          { id: 'n2', text: 'B', extra: undefined },
          { id: 'n1', text: 'A', source: { ref: 1 } },
          { id: /^itm_/, text: 'new' },
        ],
      },
    ])
  })

  t.test('a document cannot become plain text, unless the schema declares text', async (t) => {
    const draft = onlyPage([article1({ body: { type: 'doc' } })])
    const text = update({ body: 'text' }, 'a')
    refuses(t, draft, bySite, [[text, wrong, 'ops[0].patch.body: holds a document']])
    t.ok(run(draft, update({ body: { type: 'doc', content: [] } }, 'a'), bySite).ok)
    const declared = typeOf('Article', { body: { type: 'string' } }, { body: { kind: 'richtext' } })
    t.ok(run(draft, text, { manifest: declared }).ok)
  })

  t.test('a plan cannot write an instruction as an image description, or scripts', async (t) => {
    const draft = onlyPage([
      block('g', 'Quote', { quote: 'Q', imageAlt: 'Two cooks' }),
      block('t', 'Testimonials', { items: [{ id: 'a', quote: 'q', author: 'b', imageAlt: 'Ola' }] }),
      article1({}),
    ])
    const fresh = { quote: 'x', author: 'y', imageAlt: 'Make it nice' }
    const ops = [
      update({ quote: 'New', imageAlt: 'Can you add a photo' }, 'g'),
      update({ items: [{ quote: 'q2', imageAlt: 'Replace this' }, fresh] }, 't'),
    ]
    const byPlan = applied(draft, ops, planner)
    t.match(propsAt(byPlan.draft, '/', 'g'), { quote: 'New', imageAlt: 'Two cooks' })
    t.match(propsAt(byPlan.draft, '/', 't')?.['items'], [{ quote: 'q2', imageAlt: 'Ola' }, fresh])
    t.match(byPlan.results.notes, [/^imageAlt: kept/, /^items\[0\]\.imageAlt: kept/])
    t.match(after(draft, ops, 'g'), { imageAlt: 'Can you add a photo' }, 'a person can')
    const imageAlt = 'Set table with a view; showing a maker'
    t.match(after(draft, update({ imageAlt }, 'g'), 'g', planner), { imageAlt })
    const markup = update({ teaser: '<p onclick="x()">Hi</p>' }, 'a')
    t.match(after(draft, markup, 'a', plannedForSite), { teaser: '<p>Hi</p>' })
    t.match(after(draft, markup, 'a', bySite), { teaser: '<p onclick="x()">Hi</p>' })
  })

  t.test('an existing violation next to the edit does not block it, a new one does', async (t) => {
    const draft = onlyPage([block('c', 'CTA', { title: '', description: 5, ctaHref: '/' })])
    t.ok(run(draft, update({ ctaText: 'Go' }, 'c')).ok)
    t.ok(run(draft, update({ title: '', ctaText: 'Go' }, 'c')).ok, 'the existing violation sent back')
    const empty = update({ ctaHref: '' }, 'c')
    refuses(t, draft, {}, [[empty, wrong, 'ops[0].patch.ctaHref: must not be empty']])
    t.ok(run(draft, empty, bySite).ok, 'the generated manifest sets no limits')
    const rows = onlyPage([
      faq([
        { id: '1', q: '', a: 'a' },
        { id: '2', q: 'q', a: 'a' },
      ]),
    ])
    t.ok(run(rows, update({ items: [{ id: '1' }, { id: '2', q: 'new' }] }, 'f')).ok, 'in the same list')
    const worse = update({ items: [{ id: '1' }, { id: '2', q: '' }] }, 'f')
    refuses(t, rows, {}, [[worse, wrong, 'ops[0].patch.items[1].q: ']])
    const limited = onlyPage([article1({})])
    t.match(applied(limited, update({ heading: '' }, 'a'), bySite).results.notes, [/^heading: /])
    refuses(t, limited, plannedForSite, [[update({ heading: '' }, 'a'), wrong, 'ops[0].patch.heading: ']])
  })

  t.test('equal tables and rows are not a change; undeclared types are refused', async (t) => {
    const table = onlyPage([
      block('t', 'Table', { headers: ['A'], rows: [[1]] }),
      block('m', 'Mystery', { a: 1 }),
    ])
    refuses(t, table, {}, [
      [update({ rows: [[1]] }, 't'), noEffect, 'every prop has this value'],
      [update({ a: 2 }, 'm'), wrong, `unknown block type 'Mystery'`],
    ])
    refuses(t, table, bySite, [[update({ a: 2 }, 'm'), absent, 'does not declare']])
    t.same(after(table, update({ rows: [[2, null]] }, 't'), 't')?.['rows'], [['2', '']])
    const generated = onlyPage([faq([{ id: 'itm_aaaaaaaaaa', q: 'a', a: 'b' }])])
    const other = update({ items: [{ id: 'itm_bbbbbbbbbb', q: 'a', a: 'b' }] }, 'f')
    refuses(t, generated, {}, [[other, noEffect, '']])
    t.ok(run(onlyPage([header]), update({ siteName: 'Süd' }, 'b_header'), bySite).ok, 'pinned stays editable')
  })
})

t.test('remove_block, move_block, duplicate_block', async (t) => {
  const other = pageOf('/x', [cta('b_cta_1_copy'), block('m', 'Mystery', {})])
  const draft = draftOf([pageOf('/', [header, cta('b_cta_1'), cta('b_cta_2')]), other])
  const copyOf = (more: Props) => on('duplicate_block', { blockId: 'b_cta_1', ...more })
  const rows: readonly [op: Props, slug: string, ids: string][] = [
    [on('remove_block', { blockId: 'b_cta_1' }), '/', 'b_header b_cta_2'],
    [on('move_block', { blockId: 'b_cta_2' }), '/', 'b_cta_2 b_header b_cta_1'],
    [on('move_block', { blockId: 'b_cta_1', afterBlockId: 'b_cta_2' }), '/', 'b_header b_cta_2 b_cta_1'],
    [copyOf({ toPageSlug: '' }), '/', 'b_header b_cta_1 b_cta_1_copy_1 b_cta_2'],
    [copyOf({ toPageSlug: '/x', newBlockId: 'n' }), '/x', 'b_cta_1_copy m n'],
    [copyOf({ toPageSlug: '/x', newBlockId: 'm', afterBlockId: 'b_cta_1_copy' }), '/x', 'b_cta_1_copy m_1 m'],
  ]
  for (const [op, slug, ids] of rows) t.equal(idsAt(applied(draft, op).draft, slug), ids)
  const there = applied(draft, copyOf({ toPageSlug: '/x', newBlockId: 'b_cta_2' }))
  t.same([...there.change.pages.keys()], ['/x'], 'the source page is not touched')
  t.same(there.results.notes, ['block id b_cta_2 is used on another page too'])
  const twice = [{}, { toPageSlug: '/x' }].map((to) => on('duplicate_block', { blockId: 'b_cta_2', ...to }))
  t.match(applied(draft, twice).ops, [{ newBlockId: 'b_cta_2_copy' }, { newBlockId: 'b_cta_2_copy_1' }])

  const only = { manifest: manifestOf([article]) }
  for (const op of ['remove_block', 'move_block', 'duplicate_block']) {
    refuses(t, draft, {}, [
      [on(op, { blockId: 'gone' }), absent, 'ops[0]: no block gone on /'],
      [on(op, { blockId: 'b_header' }), wrong, 'SiteHeader is pinned'],
      [on(op, { blockId: 'm' }, '/x'), wrong, `unknown block type 'Mystery'`],
      [on(op, { blockId: 'm' }, '/gone'), absent, 'no page /gone'],
    ])
    refuses(t, draft, bySite, [[on(op, { blockId: 'b_header' }), wrong, 'SiteHeader is pinned']])
    refuses(t, draft, only, [[on(op, { blockId: 'b_cta_1' }), absent, `does not declare block type 'CTA'`]])
  }
  for (const op of ['move_block', 'duplicate_block'])
    refuses(t, draft, planner, [
      [on(op, { blockId: 'b_cta_1', afterBlockId: 'b_cta_9' }), absent, 'afterBlockId: no block b_cta_9'],
    ])
  refuses(t, draft, {}, [
    [on('move_block', { blockId: 'b_cta_1', afterBlockId: 'b_cta_1' }), absent, 'no block b_cta_1 on /'],
    [on('duplicate_block', { blockId: 'b_cta_1', toPageSlug: '/gone' }), absent, 'no page /gone'],
  ])
})

t.test('row operations', async (t) => {
  const abc = onlyPage([faq(['A', 'B', 'C'].map((q) => ({ id: q, q, a: q })))])
  const list = { blockId: 'f', listKey: 'items' }
  const order = (draft: Draft) => {
    const rows = propsAt(draft, '/', 'f')?.['items']
    return Array.isArray(rows) ? rows.map((each) => each.q).join(' ') : undefined
  }
  const addRow = (item: Props, more: Props = {}) => on('add_item', { ...list, item, ...more })
  const addToTeam = (item: Props) => on('add_item', { ...row, item })

  t.test(
    'add_item appends a row or inserts it after another, also into a list that does not exist',
    async (t) => {
      const last = applied(abc, addRow({ q: 'N', a: 'n', extra: 1 }))
      t.equal(order(last.draft), 'A B C N')
      t.match(last.ops, [{ item: { id: /^itm_/, q: 'N', extra: 1 } }])
      t.equal(order(applied(abc, addRow({ q: 'N', a: 'n' }, { afterIndex: 0 })).draft), 'A N B C')
      const first = addRow({ q: 'N', a: 'n' }, { afterIndex: 0 })
      refuses(t, abc, {}, [
        [
          { ...first, afterIndex: 3 },
          wrong,
          'ops[0].afterIndex: list items has 3 rows; the last position is 2',
        ],
        [addRow({ q: 'only' }), wrong, 'ops[0].item.a: is required'],
        [addRow({ q: 5, a: '' }), wrong, 'ops[0].item.q: '],
      ])
      const waits = applied(abc, addRow({ q: '', a: '' }))
      t.equal(order(waits.draft), 'A B C ', 'the texts of a new row may be written later')
      const written = applied(waits.draft, on('update_item', { ...list, index: 3, patch: { a: 'n' } }))
      t.equal(order(written.draft), 'A B C ', 'one after the other')
      refuses(t, written.draft, {}, [
        [on('update_item', { ...list, index: 3, patch: { a: '' } }), wrong, 'a: must not be empty'],
      ])
      for (const rows of [undefined, null, []]) {
        t.equal(order(applied(onlyPage([faq(rows)]), addRow({ q: 'N', a: 'n' })).draft), 'N')
        refuses(t, onlyPage([faq(rows)]), {}, [[first, wrong, 'list items is empty; leave it out']])
      }
    },
  )

  t.test('a row of a polymorphic list must name its branch', async (t) => {
    const needs = 'ops[0].item.kind: a row of list rows needs kind: one of person, note'
    refuses(t, team(), bySite, [
      [addToTeam({ name: 'Ada' }), wrong, needs],
      ...[null, '', 5].map((kind) => [addToTeam({ kind }), wrong, needs] as const),
    ])
    t.match(run(team(), addToTeam({}), bySite), { admissible: ['person', 'note'] })
    const { draft, results } = applied(
      team(),
      addToTeam({ kind: 'person', name: 'Ada', profile: { ref: 'made-up' } }),
      bySite,
    )
    t.same(propsAt(draft, '/', 'b_team_1')?.['rows'], [
      { id: 'itm_fiqe5mn6ne', kind: 'person', name: 'Ada', profile: null },
    ])
    t.same(results.notes, ['rows[0].profile: change this reference in the CMS'])
    t.ok(run(team(), addToTeam({ kind: 'robot', name: 'R2' }), bySite).ok)
    const rows = { kind: 'list', discriminator: 'kind' }
    refuses(t, team(), { manifest: manifestOf([{ ...teamWall, fields: { ...teamWall.fields, rows } }]) }, [
      [addToTeam({}), wrong, 'needs kind: any text that is not empty'],
    ])
  })

  t.test('a new row gets null for a missing reference, whichever operation adds the row', async (t) => {
    const set = (rows: readonly Props[]) => update({ rows }, 'b_team_1')
    const ada = { id: 'a', kind: 'person', name: 'Ada', profile: { ref: 1 } }
    const noteRow = { id: 'a', kind: 'note' }
    const turned = on('update_item', { ...row, index: 0, patch: { kind: 'person' } })
    const rows: readonly [what: string, stored: readonly Props[], op: Props, result: readonly Props[]][] = [
      ['added', [], addToTeam({ id: 'x', kind: 'person' }), [{ id: 'x', kind: 'person', profile: null }]],
      ['of a branch without it', [], addToTeam({ id: 'x', kind: 'note' }), [{ id: 'x', kind: 'note' }]],
      ['of no branch', [], addToTeam({ id: 'x', kind: 'robot' }), [{ id: 'x', kind: 'robot' }]],
      ['kept', [ada], set([{ id: 'a', name: 'Ada B.' }, noteRow]), [{ ...ada, name: 'Ada B.' }, noteRow]],
      ['in a patch', [ada], set([{ id: 'b', kind: 'person' }]), [{ id: 'b', kind: 'person', profile: null }]],
      [
        'of another branch',
        [noteRow],
        set([{ id: 'a', kind: 'person' }]),
        [{ id: 'a', kind: 'person', profile: null }],
      ],
      ['edited', [noteRow], turned, [{ id: 'a', kind: 'person' }]],
    ]
    for (const [what, stored, op, result] of rows) t.same(teamRows(team(stored), op), result, what)
    const wall = { title: 'W', rows: [{ id: 'p', kind: 'person' }] }
    const pasted = add(block('w', 'TeamWall', wall))
    t.match(after(onlyPage([]), pasted, 'w', plannedForSite), { rows: [{ profile: null }] }, 'a plan')
    t.same(after(onlyPage([]), pasted, 'w', bySite), wall, 'a person')
    const item = { id: 'c', notes: [{ id: 'n', text: 'T' }] }
    const nested = on('add_item', { blockId: 'a', listKey: 'chapters', item })
    t.same(after(onlyPage([article1({})]), nested, 'a', bySite)?.['chapters'], [
      { id: 'c', notes: [{ id: 'n', text: 'T', source: null }] },
    ])
  })

  t.test('a new row keeps its own key; a generated one that is taken is replaced', async (t) => {
    const draft = team(['itm_aaaaaaaaaa', 'own'].map((id) => ({ id, kind: 'note' })))
    const with1 = (id: string) => applied(draft, addToTeam({ id, kind: 'note' }), bySite)
    t.match(with1('itm_bbbbbbbbbb').ops, [{ item: { id: 'itm_bbbbbbbbbb' } }])
    t.match(with1('itm_aaaaaaaaaa').ops, [{ item: { id: /^itm_(?!aaaa)/ } }])
    t.match(with1('own').results.notes, [/another row has the key own too/])
  })

  t.test('a plan adds no internal fields and no scripts to rows', async (t) => {
    const itemFields = { h: { kind: 'html' }, secret: { kind: 'text', internal: true } }
    const items = { type: 'object', properties: { h: {} } }
    const manifest = typeOf('L', { l: { type: 'array', items } }, { l: { kind: 'list', itemFields } })
    const draft = onlyPage([block('l', 'L', { l: [{ id: 'x', _rev: 1 }] })])
    const item = { _key: 'mine', h: '<script>x()</script>y', secret: 's', _rev: 2 }
    const place = { blockId: 'l', listKey: 'l' }
    const ops = [
      on('add_item', { ...place, item }),
      on('update_item', { ...place, index: 0, patch: { _rev: 9, secret: 's', h: '<b>z</b>' } }),
    ]
    t.same(after(draft, ops, 'l', { manifest, ...planner })?.['l'], [
      { id: 'x', _rev: 1, h: '<b>z</b>' },
      { _key: 'mine', h: 'y' },
    ])
  })

  t.test('limits of the list apply to operations that change its length or order', async (t) => {
    const one = onlyPage([faq([{ id: 'A', q: 'A', a: 'A' }])])
    const removal = on('remove_item', { ...list, index: 0 })
    refuses(t, one, {}, [[removal, wrong, 'ops[0].index: list items must have at least 1 entry']])
    t.ok(run(one, removal, bySite).ok, 'a manifest without a minimum allows it')
    const chapters = { blockId: 'a', listKey: 'chapters' }
    const full = onlyPage([article1({ chapters: [{}, {}, {}, {}] })])
    const more = on('add_item', { ...chapters, item: {} })
    t.match(applied(full, more, bySite).results.notes, [/^chapters: .*4/])
    refuses(t, full, plannedForSite, [[more, wrong, 'ops[0].item: list chapters must have at most 4']])
    const over = onlyPage([article1({ chapters: [{}, {}, {}, {}, {}, {}] })])
    t.ok(run(over, on('remove_item', { ...chapters, index: 0 }), plannedForSite).ok, 'it may shrink')
    const tuple = { type: 'array', items: [{ type: 'object', required: ['a'] }, { type: 'object' }] }
    const pair = onlyPage([block('p', 'P', { pair: [{ a: 1 }, {}] })])
    const swap = on('move_item', { blockId: 'p', listKey: 'pair', index: 1 })
    const manifest = typeOf('P', { pair: tuple })
    refuses(t, pair, { manifest, ...planner }, [[swap, wrong, 'ops[0].afterIndex: list pair']])
    t.ok(run(pair, swap, { manifest }).ok)
  })

  t.test('update_item merges into one row, null removes, key and references stay', async (t) => {
    const patchRow = (patch: Props, index = 0) => on('update_item', { ...row, index, patch })
    const ada = { id: 'k', kind: 'person', name: 'Ada', profile: { ref: 1 }, extra: { deep: 1 } }
    const draft = team([ada, { id: 'legacy', text: 'x' }])
    const merge = patchRow({ id: 'other', name: null, extra: 'x', profile: { ref: 2 } })
    const { draft: merged, results, ops } = applied(draft, merge, bySite)
    t.match(propsAt(merged, '/', 'b_team_1')?.['rows'], [{ ...ada, name: undefined, extra: 'x' }, {}])
    t.match(results.notes, [
      /rows\[0\]: the row keeps its key k/,
      /rows\[0\]\.profile: change this reference/,
    ])
    t.match(ops, [{ patch: { name: null, id: undefined } }])
    t.same(teamRows(team([{ kind: 'note' }]), patchRow({ id: 'mine' })), [{ kind: 'note', id: 'mine' }])
    const turned = teamRows(draft, patchRow({ kind: 'note', text: 'Hi', profile: { ref: 2 } }))
    t.match(turned, [{ ...ada, kind: 'note', text: 'Hi' }, {}], 'references of the old branch stay')
    refuses(t, draft, bySite, [
      [patchRow({ profile: null }), noEffect, 'CMS'],
      ...[null, '', 3].map(
        (kind) => [patchRow({ kind }), wrong, 'patch.kind: a row cannot lose its kind'] as const,
      ),
    ])
    t.ok(run(draft, patchRow({ text: 'y' }, 1), bySite).ok, 'a row stored without a branch stays editable')
  })

  t.test('missing lists and positions, and rows of cells', async (t) => {
    const empty = onlyPage([faq([])])
    const table = onlyPage([block('f', 'Table', { headers: ['A'], rows: [['1'], ['2']] })])
    for (const op of ['update_item', 'remove_item', 'move_item']) {
      const edit = (listKey: string, index: number) => on(op, { ...list, listKey, index, patch: {} })
      refuses(t, abc, {}, [
        [edit('rows', 0), absent, 'ops[0].listKey: block f has no list rows; it has items'],
        [edit('title', 0), absent, 'no list title'],
        [edit('toString', 0), absent, 'no list toString'],
        [edit('items', 3), wrong, 'ops[0].index: list items has positions 0 to 2'],
      ])
      refuses(t, empty, {}, [[edit('items', 0), wrong, 'list items is empty']])
      const why = op === 'update_item' ? 'rows[0] is not a row with fields; use' : 'rows is a table of cells'
      refuses(t, table, {}, [[edit('rows', 0), wrong, why]])
    }
    refuses(t, table, {}, [[addRow({}, { listKey: 'rows' }), wrong, 'ops[0].item: ']])
    refuses(t, onlyPage([block('f', 'Banner', {})]), {}, [[addRow({}), absent, 'it has none']])
  })

  t.test('undeclared arrays can be edited too, without ids', async (t) => {
    const draft = onlyPage([block('f', 'SiteHeader', { ...header.props, extra: [{ id: 'x', a: 1 }] })])
    const extra = { ...list, listKey: 'extra' }
    const ops = [
      on('update_item', { ...extra, index: 0, patch: { id: 'y' } }),
      on('add_item', { ...extra, item: { b: 2 } }),
    ]
    t.same(after(draft, ops, 'f')?.['extra'], [{ id: 'y', a: 1 }, { b: 2 }])
    const anchored = on('add_item', { ...extra, item: {}, afterIndex: 0 })
    t.same(applied(draft, anchored).ops, [anchored])
    const owned = on('add_item', { blockId: 'a', listKey: 'sources', item: { url: '/a' } })
    t.same(after(onlyPage([article1({})]), owned, 'a', bySite)?.['sources'], [{ url: '/a' }])
  })
})

t.test('rename_page', async (t) => {
  const hero = { subheading: '/prices', imageUrl: '/prices/cover.png', ctaHref: '/prices?tab=2' }
  const body = 'See [rates](/prices#top) and [old](/prices-2019).'
  const home = pageOf('/', [block('b_hero', 'Hero', hero), block('b_text', 'RichText', { title: 'T', body })])
  const site = draftOf([home, pageOf('/prices'), pageOf('/about')], {
    navLabels: { '/prices': 'What it costs', '/rates': 'stale' },
    navGroups: { More: ['/about', '/prices'] },
  })
  const rename = (more: Props, pageSlug = '/prices') => on('rename_page', more, pageSlug)

  t.test('slug, id, title, links and menu change, the position stays', async (t) => {
    const { draft, change, ops } = applied(site, rename({ newPageSlug: 'rates' }))
    t.same(slugs(draft), ['/', '/rates', '/about'])
    t.match(draft.page('/rates'), { id: 'p_rates', slug: '/rates', title: 'Rates' })
    t.match(propsAt(draft, '/', 'b_hero'), { ...hero, ctaHref: '/rates?tab=2' })
    t.equal(propsAt(draft, '/', 'b_text')?.['body'], body.replace('/prices#', '/rates#'))
    t.same(draft.config, {
      navLabels: { '/rates': 'What it costs' },
      navGroups: { More: ['/about', '/rates'] },
    })
    t.same([...change.pages.keys()].sort(), ['/', '/prices', '/rates'])
    t.match(ops, [{ pageSlug: '/prices', newPageSlug: '/rates' }])
    const titled = applied(site, rename({ newPageSlug: '/rates', newTitle: ' prices ' }))
    t.equal(titled.draft.page('/rates')?.title, 'prices', 'also the current title')
    const { change: only } = applied(site, rename({ newPageSlug: '/', newTitle: 'Start' }, '/'))
    t.match(only.pages.get('/')?.after, { slug: '/', title: 'Start', id: 'p_home' })
    t.same([only.pages.size, only.order, only.config], [1, undefined, undefined])
    const old = draftOf([pageOf('/'), pageOf('/old/')])
    t.same(slugs(applied(old, rename({ newPageSlug: '/old' }, '/old')).draft), ['/', '/old'], 'normalised')
  })

  t.test('it fails', async (t) => {
    const same = 'the slug is /prices already and the title is '
    refuses(t, site, {}, [
      [rename({ newPageSlug: '/about' }), wrong, 'ops[0].newPageSlug: there is a page /about already'],
      [rename({ newPageSlug: 'two words' }), wrong, `newPageSlug: 'two words' cannot be a slug`],
      [rename({ newPageSlug: '/start' }, '/'), wrong, 'the home page stays at /'],
      [rename({ newTitle: 'x' }, '/gone'), absent, 'no page /gone'],
      [rename({ newPageSlug: 'prices/', newTitle: 'prices' }), noEffect, same],
      [rename({ newTitle: ' ' }), noEffect, 'neither newPageSlug nor newTitle is given'],
    ])
  })

  t.test('relative links lead to what they led to, also on a page that moves or is copied', async (t) => {
    const text = (body: string) => [block('b', 'RichText', { title: 'T', body })]
    const ada = '[bob](bob) [me](ada#x) [file](./cv.pdf) [up](../about) [i](/team/bob) ![p](ada.png)'
    const draft = draftOf([
      pageOf('/team/ada', text(ada)),
      pageOf('/team/bob', text('[ada](ada)')),
      pageOf('/about'),
    ])
    const bodyAt = (now: Draft, slug: string) => propsAt(now, slug, 'b')?.['body']
    const moved = applied(draft, rename({ newPageSlug: '/ada' }, '/team/ada')).draft
    t.equal(
      bodyAt(moved, '/ada'),
      '[bob](/team/bob) [me](/ada#x) [file](/team/cv.pdf) [up](../about) [i](/team/bob) ![p](ada.png)',
    )
    t.equal(bodyAt(moved, '/team/bob'), '[ada](/ada)')
    const beside = applied(draft, rename({ newPageSlug: '/team/eve' }, '/team/ada')).draft
    t.equal(bodyAt(beside, '/team/eve'), ada.replace('ada#x', '/team/eve#x'))
    const copied = applied(draft, on('duplicate_page', { newPageSlug: '/ada' }, '/team/ada')).draft
    t.match(propsAt(copied, '/ada', 'b_copy'), { body: /^\[bob\]\(\/team\/bob\) \[me\]\(\/team\/ada#x\)/ })
  })

  t.test('only links are rewritten', async (t) => {
    const page = (type: string, props: Props) => pageOf('/p', [block('x', type, props)])
    const following = (others: readonly string[] = []) => {
      const moves = noMoves()
      moves.add({ from: '/prices', to: '/rates', isOther: (slug) => others.includes(slug) })
      return moves.rewriterSince(0, () => {})
    }
    const known = { registry, manifest: siteManifest }
    const rewritten = (type: string, props: Props, others: readonly string[] = []) =>
      rewriteLinks(page(type, props), following(others), known).blocks[0]?.props
    // In the expected props, `/rates` is where `/prices` was rewritten.
    const rows: readonly (readonly [type: string, after: Props])[] = [
      ['CTA', { ctaHref: '/rates' }],
      ['CTA', { ctaHref: '/rates/x?y' }],
      ['CTA', { ctaHref: '/prices-2019', title: '/prices' }],
      ['CTA', { description: 'a [b](/rates) ![c](/prices/d.png) \\[e](/prices)' }],
      ['FAQAccordion', { items: [{ a: '[![pic](/prices/p.png)](/rates "title")' }] }],
      ['Article', { more: { href: '/rates', label: '/prices' } }],
      ['Article', { more: '/rates#a' }],
      ['Article', { teaser: `<a href="/rates">/prices</a><img src="/prices/a.png"><a HREF = '/rates/b'>` }],
      ['Article', { photos: ['/prices'], body: { mark: { href: '/rates' }, text: '[x](/prices)' } }],
      ['Article', { chapters: [{ notes: [{ text: '[n](/rates)', source: { href: '/prices' } }] }] }],
      ['TeamWall', { office: { href: '/prices' } }],
      ['Footer', { columns: [{ links: 'Rates|/rates\nMore | /rates#x\n/prices|/about\n[r](/rates)' }] }],
      [
        'Footer',
        { columns: [{ links: 'A|/rates\r\nB | /rates\rC|/rates\u2028D|/rates\n\n|/rates\n/prices' }] },
      ],
      ['SiteHeader', { links: [{ href: '/rates', children: [{ label: 'x', href: '/rates/y' }] }] }],
      ['Table', { rows: [['/prices', '[x](/prices)']] }],
      ['Mystery', { myHref: '/rates', url: '/rates', body: '[x](/rates)', deep: [{ linkHREF: '/rates' }] }],
      ['Mystery', { lexical: { children: [{ fields: { linkType: 'custom', url: '/rates#a' } }] } }],
      ['Mystery', { story: { linktype: 'url', url: '/rates', cached_url: 'rates' } }],
      [
        'Mystery',
        { photo: { url: '/prices/photo.png' }, video: { url: '//prices' }, cached_url: 'x:prices' },
      ],
      [
        'RichText',
        { body: '[a]( /rates "t") [b](</rates#x>)\n\n  [r]: </rates>\n[s]: /rates\n![i]: /prices' },
      ],
      ['RichText', { body: 'not first [r]: /prices and [x] (/prices)' }],
      ['RichText', { body: `<a href="/rates">x</a> <A class=b HREF='/rates#y'>x</a> <a href=/rates>x</a>` }],
      ['RichText', { body: '<b title="/prices"> </prices> 1 < 2 [x](/rates)' }],
      ['CTA', { ctaHref: '/prices/list.pdf', description: '[b](/prices/a.zip?x#y) [c](/rates/v)' }],
      ['Article', { teaser: '<a href="/prices/list.pdf">x</a> <a href=/rates>x</a>' }],
      ['Mystery', { url: '/prices/movie.mp4', deep: [{ linkHref: '/prices/list.pdf' }] }],
    ]
    for (const [type, result] of rows) {
      const before: Props = JSON.parse(JSON.stringify(result).replaceAll('/rates', '/prices'))
      t.same(rewritten(type, before), result, JSON.stringify(result).replaceAll('\u2028', '\\u2028'))
    }
    const body = (text: string, ownHosts?: ReadonlySet<string>) =>
      rewriteLinks(page('RichText', { body: text }), following(), { registry, ownHosts }).blocks[0]?.props[
        'body'
      ]
    const relative =
      '[a](prices) [b](./prices?x#y) [c](../prices) <a href="prices">d</a> [r](prices-2) ![i](prices)'
    t.equal(
      body(relative),
      '[a](/rates) [b](/rates?x#y) [c](/rates) <a href="/rates">d</a> [r](prices-2) ![i](prices)',
    )
    const unchanged = { hrefType: 'prices', hrefLang: 'prices', label: 'prices' }
    t.same(rewritten('Mystery', { ...unchanged, href: 'prices' }), { ...unchanged, href: '/rates' })
    for (const text of [
      '[a](https://own.site/prices)',
      '<http://own.site/prices>',
      '<a href="//own.site/prices?x">b</a>',
    ]) {
      t.equal(body(text), text, 'another site')
      t.equal(body(text, new Set(['own.site'])), text.replace('/prices', '/rates'))
    }
    for (const address of ['https://OWN.site:443/prices/', 'https://own.site/%70rices#x'])
      t.equal(
        body(`[a](${address})`, new Set(['own.site'])),
        `[a](${address.replace(/\/[^/]*rices/, '/rates')})`,
      )
    const from = '/\u00fcber-uns'
    const encoded = ['/%C3%BCber-uns', '/%c3%bcber-uns#top', '/u\u0308ber-uns', '/über-uns/', '//über-uns']
    const spelled = noMoves()
    spelled.add({ from, to: '/about', isOther: (slug) => slug === '/%C3%BCber-uns/team' })
    spelled.add({ from: '/old price', to: '/price', isOther: () => false })
    const follow = spelled.rewriterSince(0, () => {})
    t.same(encoded.map(follow), ['/about', '/about#top', '/about', '/about/', '//über-uns'])
    t.equal(follow('/%C3%BCber-uns/a%20b/?c'), '/%C3%BCber-uns/a%20b/?c', 'not a spelling of a slug')
    t.equal(follow('/%C3%BCber-uns/jobs'), '/about/jobs')
    t.equal(follow('/über-uns/team/'), '/über-uns/team/', 'a link to another page')
    t.same(['/old%20price?x', '/old price'].map(follow), ['/price?x', '/price'])
    for (const ctaHref of ['/prices/old?x', '/prices/old/'])
      t.same(rewritten('CTA', { ctaHref }, ['/prices/old']), { ctaHref }, 'a link to another page')
    const still = page('Hero', { imageUrl: '/prices', ctaHref: '/about', items: [{ a: 1 }] })
    t.equal(rewriteLinks(still, following(), { registry }), still, 'nothing to do')
    const many = page('RichText', { body: '[](/prices)'.repeat(200_000) + '['.repeat(1_000_000) })
    // Quadratic time would exceed the time limit of the file.
    t.ok(rewriteLinks(many, following(), { registry }), 'linear in the length of a hostile text')
    for (const hostile of ['<a href=', '<a ', '<http://', 'a.', '../'])
      for (const props of [{ body: hostile.repeat(200_000) }, { body: `[x](${hostile.repeat(200_000)})` }])
        t.ok(rewriteLinks(page('RichText', props), following(), { registry }), hostile)
    const long = page('CTA', { ctaHref: `${'../'.repeat(200_000)} ` })
    t.equal(rewriteLinks(long, following(), { registry }), long)
    for (const end of ['\n', '\r', '\u2028']) {
      const lines = page('Footer', { columns: [{ links: end.repeat(1_000_000) }] })
      t.equal(rewriteLinks(lines, following(), { registry }), lines, 'linear in the number of lines')
    }
  })
})

t.test('remove_page, move_page, duplicate_page', async (t) => {
  const draft = draftOf([pageOf('/a'), pageOf('/'), pageOf('/b'), pageOf('/c')], { navLabels: { '/b': 'B' } })
  const copyOf = (more: Props = {}, pageSlug = '/a') => on('duplicate_page', more, pageSlug)

  t.test('removing a page keeps its menu entries', async (t) => {
    const { draft: now, change } = applied(draft, on('remove_page', {}, '/b'))
    t.same([slugs(now), now.config], [['/a', '/', '/c'], draft.config])
    t.equal(change.pages.get('/b')?.after, undefined)
    refuses(t, draft, {}, [
      [on('remove_page'), wrong, 'the home page cannot be removed'],
      [on('remove_page', {}, '/gone'), absent, 'no page /gone'],
    ])
    refuses(t, draftOf([pageOf('/a')]), {}, [[on('remove_page', {}, '/a'), wrong, '/a is the last page']])
  })

  t.test('a page moves after its anchor, or first after home, and keeps its stamp', async (t) => {
    const move = (pageSlug: string, afterPageSlug?: string) =>
      on('move_page', afterPageSlug === undefined ? {} : { afterPageSlug }, pageSlug)
    for (const [slug, anchor, order] of [
      ['/a', '/b', '/ /b /a /c'],
      ['/c', undefined, '/ /c /a /b'],
      ['/c', '/', '/ /c /a /b'],
    ] as const) {
      const { order: stored } = applied(draft, move(slug, anchor)).draft
      t.equal(['/', ...stored.filter((each) => each !== '/')].join(' '), order)
    }
    const { change } = applied(draft, move('/c', '/a'))
    t.same(change, { pages: new Map(), placed: ['/c'], order: ['/a', '/c', '/', '/b'] })
    t.same(applied(draft, move('/c', '/b')).change, { pages: new Map(), placed: ['/c'] }, 'to its own place')
    refuses(t, draft, {}, [
      [move('/'), wrong, 'always first'],
      [move('/a', '/a'), absent, 'cannot come after itself'],
      [move('/gone'), absent, 'no page /gone'],
    ])
    t.match(run(draft, move('/a', '/a')), { missingPage: undefined })
  })

  t.test('copies and repeated ids in one batch continue one numbering', async (t) => {
    const blocks = Array.from({ length: 100 }, (_, index) => cta(`b_${index}`))
    let lookups = 0
    const site = draftOf([pageOf('/'), pageOf('/a', blocks)])
    const counted: Draft = {
      ...site,
      page: (slug) => site.page(slug),
      hasBlockId: (id) => (lookups++, site.hasBlockId(id)),
    }
    const last = applied(
      counted,
      Array.from({ length: 100 }, () => copyOf()),
    ).results.duplicatedPages.at(-1)
    t.equal(last?.blockIdMap['b_99'], 'b_99_copy_99')
    t.ok(lookups < 3 * 100 * 100, `${lookups} lookups for 10,000 copies`)
    lookups = 0
    const twins = Array.from({ length: 20 }, () => cta('same'))
    const pages = Array.from({ length: 100 }, (_, index) => create({ slug: `/n${index}`, blocks: twins }))
    t.equal(applied(counted, pages).draft.page('/n99')?.blocks.at(-1)?.id, 'same_1900')
    t.ok(lookups < 3 * 100 * 20, `${lookups} lookups for 2,000 blocks`)
  })

  t.test('a batch creates no more than one request could bring in', async (t) => {
    const blocks = Array.from({ length: 10_000 }, (_, index) => cta(`b_${index}`))
    const long = block('b', 'RichText', { title: 'x', body: 'x'.repeat(1_000_000) })
    const times = (count: number, op: Props) => Array.from({ length: count }, () => op)
    const more = on('duplicate_block', { blockId: 'b', toPageSlug: '/a' })
    const wide = draftOf([pageOf('/'), pageOf('/a', blocks)])
    const deep = draftOf([pageOf('/', [long]), pageOf('/a')])
    applied(wide, times(3, copyOf()))
    applied(deep, times(8, more))
    refuses(t, wide, {}, [
      [times(4, copyOf()), 'operation_failed', 'ops[3]: this batch creates more than 30000 blocks'],
    ])
    refuses(t, deep, {}, [[times(9, more), 'operation_failed', 'more than 8388608 bytes of content']])
  })

  t.test('a copy has its own slug, id, title and block ids, and the meta of its source', async (t) => {
    const site = draftOf([pageOf('/'), services, pageOf('/x', [cta('b_faq_1_copy')])])
    const {
      draft: now,
      results,
      ops,
    } = applied(site, [
      copyOf({ newPageSlug: '/dienste', newTitle: 'Dienste' }, '/services'),
      update({ text: 'Sonntags offen' }, 'b_banner_1', '/dienste'),
    ])
    t.same(results.duplicatedPages, [
      { slug: '/dienste', blockIdMap: { b_banner_1: 'b_banner_1_copy', b_faq_1: 'b_faq_1_copy_1' } },
    ])
    const found = { requestedId: 'b_banner_1', resolvedId: 'b_banner_1_copy', resolvedIndex: 0 }
    t.same(results.fuzzyMatches, [{ ...found, strategy: 'append_copy_suffix' }])
    const meta = { title: 'Dienste', description: 'What we do and for whom.' }
    t.match(now.page('/dienste'), { id: 'p_dienste', title: 'Dienste', meta, updatedAt: noon })
    t.equal(propsAt(now, '/dienste', 'b_banner_1_copy')?.['text'], 'Sonntags offen')
    t.equal(now.page('/services'), services)
    t.same(slugs(now), ['/', '/services', '/dienste', '/x'])
    t.match(ops, [{ newPageSlug: '/dienste' }, { blockId: 'b_banner_1_copy' }])
    const twins = draftOf([pageOf('/', [cta('a', 'first'), cta('a', 'second')])])
    t.equal(idsAt(applied(twins, copyOf({}, '/')).draft, '/home-copy'), 'a_copy a_copy_1')
  })

  t.test('a slug is generated where none, or an invalid one, is given', async (t) => {
    const copied = (some: Draft, more: Props = {}) => applied(some, copyOf(more, '/')).draft
    const first = copied(draft)
    t.same(first.order, ['/home-copy', '/a', '/', '/b', '/c'])
    t.match(first.page('/home-copy'), { id: 'p_home_copy', title: 'Home Copy', meta: undefined })
    t.ok(copied(first, { newPageSlug: 'no slug!' }).page('/home-copy-2'))
    t.same(copied(draft, { afterPageSlug: '/' }).order, ['/home-copy', '/a', '/', '/b', '/c'])
    t.same(copied(draft, { afterPageSlug: '/c' }).order, ['/a', '/', '/b', '/c', '/home-copy'])
    refuses(t, draft, {}, [
      [copyOf({}, '/gone'), absent, 'no page /gone'],
      [copyOf({ afterPageSlug: '/gone' }), absent, 'no page /gone'],
      [copyOf({ newPageSlug: 'b' }), wrong, 'ops[0].newPageSlug: there is a page /b already'],
    ])
  })
})

t.test('update_page_meta: a text sets an entry, an empty one removes it, others stay', async (t) => {
  const meta = { title: 'T', robots: 'noindex' }
  const draft = draftOf([pageOf('/', [], { meta }), pageOf('/x', [], { meta: { title: 'T' } }), pageOf('/y')])
  const set = (slug: string, patch: Props) =>
    applied(draft, on('update_page_meta', { patch }, slug)).draft.page(slug)
  t.same(set('/', { title: '', description: 'D', keywords: 'x' })?.meta, {
    robots: 'noindex',
    description: 'D',
  })
  t.notOk(Object.hasOwn(set('/x', { title: '' }) ?? {}, 'meta'), 'empty meta is removed')
  t.same(set('/y', { ogImage: '/a.png' })?.meta, { ogImage: '/a.png' })
  refuses(t, draft, {}, [
    [on('update_page_meta', { patch: { keywords: 'x' } }, '/x'), noEffect, ''],
    [on('update_page_meta', { patch: {} }, '/gone'), absent, 'no page /gone'],
  ])
})

t.test('update_site_config: labels merge, groups are replaced, the rest stays', async (t) => {
  const navigation = { navLabels: { '/a': 'Alpha', '/b': 'Beta' }, navGroups: { More: ['/b'] } }
  const before = { name: 'Nord', ...navigation, tone: 'calm', previewUrl: 'http://localhost:3000' }
  const set = (patch: Props) => applied(draftOf([pageOf('/')], before), { op: 'update_site_config', patch })
  const navGroups = { Shop: ['/c'] }
  const { draft, change } = set({ navLabels: { '/a': '', '/c': 'Gamma' }, navGroups, tone: 'loud' })
  t.same(draft.config, { ...before, navLabels: { '/b': 'Beta', '/c': 'Gamma' }, navGroups })
  t.equal(change.pages.size, 0)
  t.same(set({ name: 'Süd', logo: '/l.svg' }).draft.config, { ...before, name: 'Süd', logo: '/l.svg' })
  for (const patch of [{}, { name: 'Nord' }]) t.equal(set(patch).change.config, undefined)
  const none = { name: 'Nord' }
  for (const patch of [{ navLabels: { '/a': '' } }, { navGroups: {} }]) {
    const { change } = applied(draftOf([pageOf('/')], none), { op: 'update_site_config', patch })
    t.equal(change.config, undefined, 'an empty menu in place of none')
  }
  t.same(set({ navGroups: {} }).draft.config, { ...before, navGroups: {} }, 'the last group is removed')
})

t.test('which block an id resolves to', async (t) => {
  const blocks = ['b_cta_1', 'b_hero_5_copy', 'b_x_copy_2', 'b_faq_1', 'b_faq_2'].map((id) => cta(id))
  for (const [id, byType, result] of [
    ['b_cta_1', false, 'b_cta_1'],
    ['b_cta_1_copy_3', false, 'b_cta_1 strip_copy_suffix'],
    ['b_cta_1_copy', false, 'b_cta_1 strip_copy_suffix'],
    ['b_hero_5', false, 'b_hero_5_copy append_copy_suffix'],
    ['b_hero_5_copy', false, 'b_hero_5_copy'],
    ['b_CTA_9', false, ''],
    ['b_CTA_9', true, 'b_cta_1 type_prefix'],
    ['b_faq_9', true, ''],
    ['hero', true, ''],
  ] as const) {
    const found = resolveBlock(blocks, id, { byType })
    t.equal([found?.block.id, found?.strategy].filter(Boolean).join(' '), result, id)
  }
  const draft = onlyPage([cta('b_cta_1'), faq([{ id: 'a' }, { id: 'b' }], 'b_faq_1')])
  const title = update({ title: 'x' }, 'b_cta_7')
  const fuzzyMatches = [{ strategy: 'type_prefix', resolvedId: 'b_cta_1' }]
  t.match(run(draft, title, planner), { results: { fuzzyMatches } })
  t.match(run(draft, on('move_block', { blockId: 'b_cta_7' }), planner), { ops: [{ blockId: 'b_cta_1' }] })
  refuses(t, draft, planner, [
    [on('remove_block', { blockId: 'b_cta_7' }), absent, 'b_cta_7'],
    [on('remove_item', { blockId: 'b_faq_7', listKey: 'items', index: 0 }), absent, 'b_faq_7'],
  ])
  refuses(t, draft, {}, [[title, absent, 'b_cta_7']])
})

t.test('the result for clients', async (t) => {
  const draft = draftOf([
    pageOf('/', [cta('a'), faq([{ id: '1', q: 'q', a: 'a' }])]),
    pageOf('/x', [cta('b')]),
    pageOf('/y'),
  ])
  const edit = update({ title: 'n' }, 'a')
  const edit2 = update({ title: 'n' }, 'b', '/x')
  const move = on('move_block', { blockId: 'f' })
  const item = on('update_item', { blockId: 'f', listKey: 'items', index: 0, patch: { q: 'n' } })
  const copy = on('duplicate_block', { blockId: 'b' }, '/x')
  const copyPage = on('duplicate_page', {}, '/x')
  const named = (newPageSlug: string, slug = '/x') => on('rename_page', { newPageSlug }, slug)
  const made = create({ slug: 'new' })
  const removed = on('remove_page', {}, '/x')
  type Row = readonly [what: 'focusBlockId' | 'updatedSlug', ops: Op, result?: string, current?: string]
  const rows: readonly Row[] = [
    ['focusBlockId', [edit, move, item, copy, add(cta('new'))], 'new'],
    ['focusBlockId', [edit, move, item, copy], 'b_copy'],
    ['focusBlockId', [edit, move, item], 'f'],
    ['focusBlockId', edit, 'a'],
    ['focusBlockId', [update({}, 'a'), edit2], 'b'],
    ['updatedSlug', edit],
    ['updatedSlug', made, '/new'],
    ['updatedSlug', [made, named('/newer', '/new')], '/newer'],
    ['updatedSlug', copyPage, '/x-copy'],
    ['updatedSlug', named('/z'), '/z'],
    ['updatedSlug', on('rename_page', { newTitle: 'Z' }, '/x'), '/x'],
    ['updatedSlug', removed, '/'],
    ['updatedSlug', idle],
  ]
  for (const [what, ops, result, currentSlug] of rows)
    t.equal(applied(draft, ops, { currentSlug }).results[what], result, `${what} ${result}`)
  for (const [op, currentSlug] of [
    [copyPage, '/'],
    [removed, '/y'],
  ] as const)
    t.equal(applied(draft, op, { currentSlug }).results.updatedSlug, undefined, 'another page is shown')
  for (const [op, pages, currentSlug] of [
    [[edit2, edit], '/ /x'],
    [on('move_page', { afterPageSlug: '/' }, '/y'), '/ /y'],
    [{ ...copy, toPageSlug: '/y' }, '/y'],
    [{ ...copyPage, afterPageSlug: '/y' }, '/x-copy /y'],
    [named('/z'), '/z'],
    [removed, '/'],
    [idle, '/y', '/y'],
  ] as const)
    t.equal(applied(draft, op, { currentSlug }).results.mentionedSlugs.join(' '), pages)
  const ids = [on('add_item', { blockId: 'f', listKey: 'items', item: { q: 'x', a: 'y' } }), copy]
  t.same(run(draft, ids), run(draft, ids), 'a dry run gives the same ids')
})
