import t, { type Test } from 'tap'
import * as v from 'valibot'
import { applyBatch, readsOf, type BatchOptions, type BatchSuccess } from '../../plugins/content/batch.ts'
import { noMoves, rewriteLinks, type SlugMove } from '../../plugins/content/links.ts'
import type { BatchFailure, Block, Draft, ErrorCategory, Page, Props } from '../../plugins/content/model.ts'
import { operations } from '../../plugins/content/operations/index.ts'
import { Operations, parseOperations } from '../../plugins/content/operations/parse.ts'
import { builtinRegistry as registry, createRegistry } from '../../plugins/content/registry.ts'
import { resolveBlock } from '../../plugins/content/resolve-block.ts'
import { convert } from '../../plugins/docs/convert.ts'
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

const now = new Date('2026-05-01T12:00:00.000Z')
const noon = now.toISOString()
const planner = { source: 'planner' } as const
const bySite = { manifest: siteManifest }

/** Applies operations as sent by a client; a parse error fails the test. */
function run(
  draft: Draft,
  ops: readonly unknown[],
  options: Partial<BatchOptions> = {},
): BatchSuccess | BatchFailure {
  const read = parseOperations(ops)
  if (!read.ok) throw new Error(read.message)
  return applyBatch(guarded(draft, readsOf(read.ops)), read.ops, {
    source: 'direct',
    registry,
    now,
    ...options,
  })
}

function applied(
  draft: Draft,
  ops: readonly unknown[],
  options: Partial<BatchOptions> = {},
): BatchSuccess & { readonly draft: Draft } {
  const result = run(draft, ops, options)
  if (!result.ok) throw new Error(result.message)
  return { ...result, draft: changed(draft, result.change) }
}

/** Expects a batch to be refused with a category and a matching message. */
function refused(
  t: Test,
  draft: Draft,
  ops: readonly unknown[],
  category: ErrorCategory,
  says: RegExp,
  options: Partial<BatchOptions> = {},
): BatchFailure | undefined {
  const result = run(draft, ops, options)
  t.match(result, { ok: false, category, message: says })
  return result.ok ? undefined : result
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
const idsAt = (draft: Draft, slug: string) => draft.page(slug)?.blocks.map(({ id }) => id)
const slugs = (draft: Draft) => pagesOf(draft).map(({ slug }) => slug)
const onlyPage = (blocks: readonly Block[], more: Partial<Page> = {}) => draftOf([pageOf('/', blocks, more)])

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
/** How links to a page are rewritten when it moves. */
function following(move: SlugMove) {
  const moves = noMoves()
  moves.add(move)
  return moves.rewriterSince(0, () => {})
}
const header = block('b_header', 'SiteHeader', {
  siteName: 'Nord',
  logoUrl: '/logo.svg',
  links: [{ id: 'l1', label: 'Home', href: '/' }],
})
const cta = (id: string, title = id) =>
  block(id, 'CTA', { title, description: 'Now', ctaText: 'Go', ctaHref: '/' })
const team = (rows: readonly Props[] = [], more: Props = {}) =>
  draftOf([pageOf('/team', [block('b_team_1', 'TeamWall', { title: 'Who we are', rows, ...more })])])
const row = { pageSlug: '/team', blockId: 'b_team_1', listKey: 'rows' }

t.test('parsing operations', async (t) => {
  const update = { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { title: 'x' } }
  const failures = (ops: unknown) => {
    const read = parseOperations(ops)
    return read.ok ? [] : [read.message, ...read.issues.map(({ path }) => path)]
  }

  t.test('there are sixteen operations, keyed by name', async (t) => {
    t.equal(operations.size, 16)
    for (const [name, definition] of operations) t.equal(definition.name, name)
    t.ok(operations.get('move_page'))
    t.equal(operations.get('toString'), undefined)
  })

  t.test('an error states the path, the expected value and the actual one', async (t) => {
    t.same(failures('x'), [`ops: wanted a list of operations, got 'x'`, 'ops'])
    t.same(failures([]), ['ops: wanted at least one operation, got an empty list', 'ops'])
    t.same(failures([update, null]), ['ops[1]: wanted an operation, got null', 'ops[1]'])
    t.same(failures([{ ...update, blockId: undefined }]), [
      'ops[0].blockId: wanted the id of a block on that page, got nothing',
      'ops[0].blockId',
    ])
    t.same(failures([{ op: 'remove_block', pageSlug: '/' }]), [
      'ops[0].blockId: is missing; wanted the id of a block on that page',
      'ops[0].blockId',
    ])
    t.same(failures([{ ...update, patch: ['x'] }]), [
      'ops[0].patch: wanted an object of props, got a list',
      'ops[0].patch',
    ])
    t.same(
      failures([{ op: 'update_page_meta', pageSlug: '/', patch: [] }])[0],
      'ops[0].patch: wanted an object with title, description or ogImage, got an empty list',
    )
    t.match(failures([{ op: 'add_block', pageSlug: '/', block: { id: 'b', props: [] } }]), [
      /^ops\[0\]\.block\.type: is missing; wanted the type of the block/,
      'ops[0].block.type',
      'ops[0].block.props',
    ])
    t.match(
      failures([
        { op: 'add_item', pageSlug: '/', blockId: 'b', listKey: 'items', item: {}, afterIndex: 1.5 },
      ]),
      [/^ops\[0\]\.afterIndex: wanted .* a whole number, 0 or more, got 1.5$/, 'ops[0].afterIndex'],
    )
    t.match(failures([{ op: 'create_page', page: { slug: '/a', blocks: [cta('x'), 5] } }]), [
      /^ops\[0\]\.page\.blocks\[1\]: wanted a block/,
      'ops[0].page.blocks[1]',
    ])
    t.match(failures([{ ...update, pageSlug: '' }]), [/got an empty text$/, 'ops[0].pageSlug'])
    t.match(failures(['long '.repeat(20)]), [/got 'long long .*…'$/, 'ops[0]'])
    t.match(failures([{ ...update, patch: 5, blockId: {} }]), [
      /got an object$/,
      'ops[0].blockId',
      'ops[0].patch',
    ])
  })

  t.test('an unknown operation is refused with a list of all names', async (t) => {
    const [message = ''] = failures([{ op: 'updateProps' }])
    for (const name of operations.keys()) t.ok(message.includes(name), name)
    t.match(message, /got 'updateProps'$/)
    t.match(failures([{ type: 'update_props' }])[0], /^ops\[0\]\.op: is missing; wanted one of create_page/)
    t.match(failures([{ op: 'constructor' }])[0], /wanted one of/)
  })

  t.test('unknown fields are dropped, and null in an optional field counts as absent', async (t) => {
    const read = parseOperations([
      {
        op: 'add_block',
        pageSlug: '/',
        block: { id: 'b', type: 'CTA', props: {}, note: 1 },
        afterBlockId: null,
        extra: 1,
      },
      { op: 'update_page_meta', pageSlug: '/', patch: { title: null, description: 'd', keywords: 'x' } },
      { op: 'update_site_config', patch: { tone: 'loud', navLabels: null } },
      { op: 'create_page', page: { slug: '/a', id: null, meta: null, blocks: null, theme: 'dark' } },
    ])
    t.same(JSON.parse(JSON.stringify(read)), {
      ok: true,
      ops: [
        { op: 'add_block', pageSlug: '/', block: { id: 'b', type: 'CTA', props: {}, note: 1 } },
        { op: 'update_page_meta', pageSlug: '/', patch: { description: 'd' } },
        { op: 'update_site_config', patch: {} },
        { op: 'create_page', page: { slug: '/a', theme: 'dark' } },
      ],
    })
  })

  t.test('keys that could reach a prototype are refused at any depth', async (t) => {
    const poisoned = (text: string): unknown => JSON.parse(text)
    for (const [text, path] of [
      [
        '{"op":"update_props","pageSlug":"/","blockId":"b","patch":{"a":[{"__proto__":{"x":1}}]}}',
        'ops[0].patch.a[0].__proto__',
      ],
      [
        '{"op":"add_item","pageSlug":"/","blockId":"b","listKey":"l","item":{"constructor":{}}}',
        'ops[0].item.constructor',
      ],
      [
        '{"op":"update_site_config","patch":{"navLabels":{"prototype":"x"}}}',
        'ops[0].patch.navLabels.prototype',
      ],
      [
        '{"op":"create_page","page":{"slug":"/","blocks":[{"id":"b","type":"T","props":{"__proto__":1}}]}}',
        'ops[0].page.blocks[0].props.__proto__',
      ],
    ] as const)
      t.match(failures([poisoned(text)]), [/this key is not allowed/, path])
  })

  t.test('the shapes can be described as JSON Schema', async (t) => {
    const naming = { nameOf: () => 'part', refTo: (name: string) => name }
    const schema = JSON.stringify(convert(Operations, 'input', naming).schema)
    for (const name of operations.keys()) t.ok(schema.includes(`"const":"${name}"`), name)
    t.match(schema, 'the slug of a page')
    t.ok(v.safeParse(Operations, [update]).success)
    t.notOk(v.safeParse(Operations, []).success)
  })
})

t.test('a batch', async (t) => {
  t.test('each operation sees the effects of earlier ones', async (t) => {
    const { draft } = applied(draftOf([services]), [
      { op: 'create_page', page: { slug: '/new' } },
      { op: 'add_block', pageSlug: '/new', block: cta('b_cta_9') },
      { op: 'rename_page', pageSlug: '/new', newPageSlug: '/newer' },
      { op: 'update_props', pageSlug: '/newer', blockId: 'b_cta_9', patch: { title: 'Hi' } },
    ])
    t.same(slugs(draft), ['/services', '/newer'])
    t.equal(propsAt(draft, '/newer', 'b_cta_9')?.['title'], 'Hi')
  })

  t.test('a batch is atomic: one missing block also refuses the operation before it', async (t) => {
    const draft = draftOf([services])
    const result = run(draft, [
      { op: 'update_props', pageSlug: '/services', blockId: 'b_banner_1', patch: { text: 'Closed' } },
      { op: 'remove_block', pageSlug: '/services', blockId: 'b_gone' },
    ])
    t.same(result, {
      ok: false,
      category: 'not_found',
      message: 'ops[1]: no block b_gone on /services',
      index: 1,
    })
    t.equal(propsAt(draft, '/services', 'b_banner_1')?.['text'], 'Open on Sundays')
  })

  t.test('a missing page has its own category, so that it can be answered with 404', async (t) => {
    const failure = refused(
      t,
      draftOf([services]),
      [{ op: 'move_page', pageSlug: '/services', afterPageSlug: '/gone' }],
      'not_found',
      /^ops\[0\]: no page \/gone/,
    )
    t.equal(failure?.missingPage, '/gone')
  })

  t.test('a page is found under other spellings of its slug', async (t) => {
    const draft = draftOf([
      pageOf('legacy', [cta('a')]),
      pageOf('/team', [cta('b')]),
      pageOf('/old/', [cta('c')]),
    ])
    for (const [asked, stored, id] of [
      ['/legacy', 'legacy', 'a'],
      ['team/', '/team', 'b'],
      ['//team', '/team', 'b'],
      ['/old', '/old/', 'c'],
    ] as const) {
      const { ops, results } = applied(draft, [
        { op: 'update_props', pageSlug: asked, blockId: id, patch: { title: 'x' } },
      ])
      t.match(ops, [{ pageSlug: stored }])
      t.same(results.mentionedSlugs, [stored])
    }
  })

  t.test('all changed pages get the same stamp, later than before', async (t) => {
    const draft = draftOf([
      pageOf('/', [cta('a')]),
      pageOf('/x', [cta('b')], { updatedAt: noon }),
      pageOf('/y', [cta('c')], { updatedAt: 'yesterday' }),
    ])
    const update = (pageSlug: string, blockId: string) => ({
      op: 'update_props',
      pageSlug,
      blockId,
      patch: { title: 'new' },
    })
    const { change } = applied(draft, [
      update('/', 'a'),
      update('/x', 'b'),
      update('/y', 'c'),
      { op: 'remove_block', pageSlug: '/', blockId: 'a' },
    ])
    t.equal(change.pages.get('/')?.after?.updatedAt, noon)
    t.equal(change.pages.get('/x')?.after?.updatedAt, '2026-05-01T12:00:00.001Z')
    t.equal(change.pages.get('/y')?.after?.updatedAt, noon)
  })

  t.test('a page that is removed and created again in one batch gets a newer stamp', async (t) => {
    const draft = draftOf([services, pageOf('/a', [], { updatedAt: '2090-01-01T00:00:00.000Z' })])
    const { change } = applied(draft, [
      { op: 'remove_page', pageSlug: '/a' },
      { op: 'create_page', page: { slug: '/a', updatedAt: '2099-01-01T00:00:00.000Z' } },
    ])
    t.equal(change.pages.get('/a')?.after?.updatedAt, '2090-01-01T00:00:00.001Z')
    const swapped = applied(
      draftOf([
        services,
        pageOf('/a', [], { updatedAt: '2080-01-01T00:00:00.000Z' }),
        pageOf('/b', [], { updatedAt: '2090-01-01T00:00:00.000Z' }),
      ]),
      [
        { op: 'remove_page', pageSlug: '/a' },
        { op: 'rename_page', pageSlug: '/b', newPageSlug: '/a' },
      ],
    )
    t.equal(
      swapped.change.pages.get('/a')?.after?.updatedAt,
      '2090-01-01T00:00:00.001Z',
      'newer than under either slug',
    )
  })

  t.test('pages created and removed in one batch leave no trace', async (t) => {
    const { change, results } = applied(draftOf([services]), [
      { op: 'create_page', page: { slug: '/a' } },
      { op: 'remove_page', pageSlug: '/a' },
      { op: 'update_site_config', patch: {} },
    ])
    t.same(change, { pages: new Map(), placed: [] })
    t.same(results.mentionedSlugs, ['/services'])
  })

  t.test('structural edits can be disabled, page operations and text edits cannot', async (t) => {
    const capabilities = { allowStructuralEdits: false }
    const draft = draftOf([services])
    const structural = [...operations.values()]
      .filter((definition) => definition.structural)
      .map(({ name }) => name)
    t.same(structural.sort(), [
      'add_block',
      'add_item',
      'duplicate_block',
      'move_block',
      'move_item',
      'remove_block',
      'remove_item',
    ])
    refused(
      t,
      draft,
      [
        { op: 'update_site_config', patch: {} },
        { op: 'remove_block', pageSlug: '/nowhere', blockId: 'x' },
      ],
      'operation_failed',
      /^ops\[1\]: remove_block .*does not allow/,
      { capabilities },
    )
    t.ok(run(draft, [{ op: 'rename_page', pageSlug: '/services', newTitle: 'X' }], { capabilities }).ok)
    t.ok(
      run(draft, [{ op: 'remove_block', pageSlug: '/services', blockId: 'b_faq_1' }], {
        capabilities: { allowStructuralEdits: true },
      }).ok,
    )
  })

  t.test('the same id is not added twice, even on two pages', async (t) => {
    const failure = refused(
      t,
      draftOf([pageOf('/'), pageOf('/x')]),
      [
        { op: 'add_block', pageSlug: '/', block: cta('b') },
        { op: 'add_block', pageSlug: '/x', block: cta('b') },
      ],
      'schema_violation',
      /^ops\[1\]\.block\.id: b is added twice/,
    )
    t.match(failure, { index: 1, path: 'block.id' })
  })

  t.test('a public demo lets listed operations on listed block types through', async (t) => {
    const playground = {
      ops: new Set(['update_props', 'add_block', 'create_page']),
      blockTypes: new Set(['Banner']),
    }
    const draft = draftOf([services])
    const refuse = (op: Props, says: RegExp) =>
      refused(t, draft, [op], 'planner_refusal', says, { playground })
    t.ok(
      run(
        draft,
        [{ op: 'update_props', pageSlug: '/services', blockId: 'b_banner_1', patch: { text: 'x' } }],
        { playground },
      ).ok,
    )
    t.match(
      refuse({ op: 'remove_page', pageSlug: '/services' }, /not possible in this demo; try update_props/),
      { admissible: ['update_props', 'add_block', 'create_page'] },
    )
    t.match(
      refuse(
        { op: 'update_props', pageSlug: '/services', blockId: 'b_faq_1', patch: {} },
        /FAQAccordion .*try Banner/,
      ),
      { admissible: ['Banner'] },
    )
    refuse({ op: 'add_block', pageSlug: '/services', block: cta('b') }, /CTA/)
    refuse({ op: 'create_page', page: { slug: '/x', blocks: [cta('b')] } }, /CTA/)
  })

  t.test('an empty batch is refused, and one that was not parsed throws', async (t) => {
    t.match(applyBatch(draftOf([services]), [], { source: 'direct', registry, now }), {
      ok: false,
      category: 'schema_violation',
    })
    const wild = JSON.parse('[{"op":"explode"}]')
    t.throws(
      () => applyBatch(draftOf([services]), wild, { source: 'direct', registry, now }),
      /parseOperations/,
    )
  })

  t.test('skipped operations are reported with index and reason', async (t) => {
    const idle = [
      { op: 'update_props', pageSlug: '/services', blockId: 'b_banner_1', patch: {} },
      {
        op: 'update_props',
        pageSlug: '/services',
        blockId: 'b_banner_1',
        patch: { text: 'Open on Sundays' },
      },
      { op: 'rename_page', pageSlug: '/services', newPageSlug: 'services', newTitle: ' Services ' },
      { op: 'update_page_meta', pageSlug: '/services', patch: { title: 'Our services', ogImage: '' } },
    ]
    const { results } = applied(draftOf([services]), [...idle, { op: 'update_site_config', patch: {} }])
    t.same(results.skippedOps, [
      { index: 1, op: 'update_props', reason: 'empty_patch', pageSlug: '/services', blockId: 'b_banner_1' },
      {
        index: 2,
        op: 'update_props',
        reason: 'unchanged_value',
        pageSlug: '/services',
        blockId: 'b_banner_1',
      },
      { index: 3, op: 'rename_page', reason: 'unchanged_page', pageSlug: '/services' },
      { index: 4, op: 'update_page_meta', reason: 'unchanged_meta', pageSlug: '/services' },
    ])
    t.equal(results.appliedCount, 1)
    refused(
      t,
      draftOf([services]),
      idle,
      'no_effective_change',
      /^ops\[0\]: nothing would change: the patch is empty; ops\[1\].*and 1 more/,
    )
  })

  t.test(
    'moves, copies, row operations and config writes count as effective where the result is equal',
    async (t) => {
      for (const op of [
        { op: 'move_block', pageSlug: '/services', blockId: 'b_banner_1' },
        {
          op: 'update_item',
          pageSlug: '/services',
          blockId: 'b_faq_1',
          listKey: 'items',
          index: 0,
          patch: {},
        },
        { op: 'update_site_config', patch: {} },
        { op: 'move_page', pageSlug: '/services' },
      ])
        t.equal(applied(draftOf([services]), [op]).results.appliedCount, 1, op.op)
    },
  )
})

t.test('which parts of a draft must be read', async (t) => {
  const reads = (...ops: readonly unknown[]) => {
    const read = parseOperations(ops)
    return read.ok ? readsOf(read.ops) : undefined
  }
  const spellings = (slug: string) => [`/${slug}`, slug, `/${slug}/`]
  t.same(reads({ op: 'update_props', pageSlug: '/a', blockId: 'b', patch: {} }), {
    pages: new Set(spellings('a')),
    order: false,
    config: false,
    blockIds: false,
    pageIds: false,
  })
  t.same(reads({ op: 'duplicate_block', pageSlug: '/a', blockId: 'b', toPageSlug: '/c' }), {
    pages: new Set([...spellings('a'), ...spellings('c')]),
    order: false,
    config: false,
    blockIds: true,
    pageIds: false,
  })
  t.match(reads({ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' }), {
    pages: 'all',
    order: true,
    config: true,
    pageIds: true,
  })
  t.match(reads({ op: 'rename_page', pageSlug: '/a', newTitle: 'B' }), {
    pages: new Set(spellings('a')),
    order: false,
    config: false,
  })
  t.match(reads({ op: 'remove_page', pageSlug: '/a' }), { order: true, config: false, blockIds: false })
  t.match(reads({ op: 'update_site_config', patch: {} }), { pages: new Set(), order: true, config: true })
})

t.test('create_page', async (t) => {
  const home = draftOf([pageOf('/', [cta('b_cta_1')]), pageOf('/a-b')])

  t.test('its id differs from that of every other page, however that one was created', async (t) => {
    const brought = draftOf([pageOf('/'), pageOf('/team', [], { id: 'p_about' })])
    const { draft } = applied(brought, [
      { op: 'create_page', page: { slug: '/about' } },
      { op: 'create_page', page: { slug: '/-about' } },
    ])
    t.same(
      draft.order.map((slug) => draft.page(slug)?.id),
      ['p_home', 'p_about', 'p_about_2', 'p_about_3'],
    )
    const renamed = applied(brought, [{ op: 'rename_page', pageSlug: '/team', newPageSlug: '/about' }])
    t.equal(renamed.draft.page('/about')?.id, 'p_about', 'a page may keep its own id')
    const again = applied(brought, [
      { op: 'remove_page', pageSlug: '/team' },
      { op: 'create_page', page: { slug: '/about' } },
    ])
    t.equal(again.draft.page('/about')?.id, 'p_about', 'an id that is free again is reused')
  })

  t.test('the page is appended, and missing fields are filled in', async (t) => {
    const { draft, ops, change } = applied(home, [
      {
        op: 'create_page',
        page: {
          slug: 'a_b/',
          title: ' ',
          theme: 'dark',
          meta: { title: 'T' },
          updatedAt: '2099-01-01T00:00:00.000Z',
        },
      },
    ])
    t.same(slugs(draft), ['/', '/a-b', '/a_b'])
    t.same(draft.page('/a_b'), {
      id: 'p_a_b_2',
      slug: '/a_b',
      title: 'A B',
      updatedAt: noon,
      blocks: [],
      theme: 'dark',
      meta: { title: 'T' },
    })
    t.match(ops, [{ page: { id: 'p_a_b_2', slug: '/a_b', updatedAt: noon } }])
    t.same(change.placed, ['/a_b'])
    t.same(change.order, ['/', '/a-b', '/a_b'])
  })

  t.test('rows get ids, pinned blocks are allowed, a duplicate block id is suffixed', async (t) => {
    const { draft, results } = applied(home, [
      {
        op: 'create_page',
        page: {
          slug: '/x',
          blocks: [
            header,
            cta('b_cta_1'),
            cta('b_cta_1'),
            block('b_faq_1', 'FAQAccordion', { title: 'Q', items: [{ q: 'a', a: 'b' }] }),
          ],
        },
      },
    ])
    t.same(idsAt(draft, '/x'), ['b_header', 'b_cta_1', 'b_cta_1_1', 'b_faq_1'])
    t.same(propsAt(draft, '/x', 'b_faq_1')?.['items'], [{ id: 'itm_tm0h39cpix', q: 'a', a: 'b' }])
    t.match(results.notes, [/b_cta_1 is used on another page/, /b_cta_1 comes twice/])
  })

  t.test('invalid props refuse a plan, and become notes for a person', async (t) => {
    const ops = [
      { op: 'create_page', page: { slug: '/x', blocks: [block('b_cta_2', 'CTA', { title: '' })] } },
    ]
    t.match(applied(home, ops).results.notes, [
      /^b_cta_2: description is required/,
      /ctaText/,
      /ctaHref/,
      /^b_cta_2: title must not be empty/,
    ])
    refused(
      t,
      home,
      ops,
      'schema_violation',
      /^ops\[0\]\.page\.blocks\[0\]\.props\.(?:title|description)/,
      planner,
    )
  })

  t.test('a plan cannot add pointers, internal props or scripts', async (t) => {
    const wall = block('b_team_1', 'TeamWall', {
      title: 'We',
      office: { ref: 'hq' },
      _rev: '7',
      rows: [{ kind: 'person', name: 'Ada', profile: { ref: 'x' } }],
    })
    const text = block('b_article_1', 'Article', { heading: 'H', teaser: '<p>Hi<script>x()</script></p>' })
    const ops = [{ op: 'create_page', page: { slug: '/x', blocks: [wall, text] } }]
    const byPlan = applied(home, ops, { ...planner, ...bySite })
    t.match(propsAt(byPlan.draft, '/x', 'b_team_1'), { office: null, rows: [{ profile: null }] })
    t.notOk(Object.hasOwn(propsAt(byPlan.draft, '/x', 'b_team_1') ?? {}, '_rev'))
    t.equal(propsAt(byPlan.draft, '/x', 'b_article_1')?.['teaser'], '<p>Hi</p>')
    t.match(byPlan.results.notes, [/^office:.*CMS/, /^_rev: internal/, /^rows\[0\]\.profile:.*CMS/])
    const byPerson = applied(home, ops, bySite)
    t.match(propsAt(byPerson.draft, '/x', 'b_team_1'), {
      office: { ref: 'hq' },
      _rev: '7',
      rows: [{ profile: { ref: 'x' } }],
    })
    t.equal(propsAt(byPerson.draft, '/x', 'b_article_1')?.['teaser'], '<p>Hi<script>x()</script></p>')
  })

  t.test('it fails', async (t) => {
    const create = (page: Props) => [{ op: 'create_page', page }]
    refused(
      t,
      home,
      create({ slug: '/bad slug' }),
      'schema_violation',
      /^ops\[0\]\.page\.slug: '\/bad slug' cannot be a slug/,
    )
    refused(
      t,
      home,
      create({ slug: '/a-b/' }),
      'schema_violation',
      /^ops\[0\]\.page\.slug: there is a page \/a-b already/,
    )
    refused(
      t,
      draftOf([pageOf('legacy')]),
      create({ slug: '/legacy' }),
      'schema_violation',
      /a page legacy already/,
    )
    const unknown = refused(
      t,
      home,
      create({ slug: '/x', blocks: [block('b', 'Nope', {})] }),
      'schema_violation',
      /^ops\[0\]\.page\.blocks\[0\]\.type: unknown block type 'Nope'/,
    )
    t.ok(unknown?.admissible?.includes('Hero'))
    t.ok(
      run(home, create({ slug: '/x', blocks: [cta('b'), block('w', 'TeamWall', { title: 'We' })] }), {
        manifest: manifestOf([teamWall]),
      }).ok,
      'a type known to the registry or the manifest is enough',
    )
  })
})

t.test('add_block', async (t) => {
  const draft = onlyPage([
    header,
    cta('b_cta_1'),
    cta('b_cta_2'),
    block('b_faq_1', 'FAQAccordion', { title: 'Q', items: [{ id: 'x', q: 'a', a: 'b' }] }),
  ])
  const add = (more: Props = {}, added = cta('b_new')) => [
    { op: 'add_block', pageSlug: '/', block: added, ...more },
  ]

  t.test('it is appended without an anchor, and inserted after it with one', async (t) => {
    t.same(idsAt(applied(draft, add()).draft, '/'), ['b_header', 'b_cta_1', 'b_cta_2', 'b_faq_1', 'b_new'])
    t.same(idsAt(applied(draft, add({ afterBlockId: 'b_header' })).draft, '/'), [
      'b_header',
      'b_new',
      'b_cta_1',
      'b_cta_2',
      'b_faq_1',
    ])
  })

  t.test('the anchor of a plan may mean the last block of a type', async (t) => {
    const { draft: now, ops } = applied(draft, add({ afterBlockId: 'b_CTA_77' }), planner)
    t.same(idsAt(now, '/'), ['b_header', 'b_cta_1', 'b_cta_2', 'b_new', 'b_faq_1'])
    t.match(ops, [{ afterBlockId: 'b_cta_2' }])
    refused(
      t,
      draft,
      add({ afterBlockId: 'b_cta_77' }),
      'not_found',
      /^ops\[0\]\.afterBlockId: no block b_cta_77 on \//,
    )
    refused(t, draft, add({ afterBlockId: 'gone' }), 'not_found', /no block gone/, planner)
  })

  t.test('optional choices with a default are filled in, rows get ids, unknown keys are kept', async (t) => {
    const grid = block(
      'b_grid',
      'FeatureGrid',
      { title: 'T', features: [{ title: 'a', description: 'b', x: 1 }], unheard: { of: 1 } },
      { note: 'n' },
    )
    const { draft: now, ops } = applied(draft, add({}, grid))
    const added = blockAt(now, '/', 'b_grid')
    t.match(added, {
      note: 'n',
      props: { columns: '3', unheard: { of: 1 }, features: [{ id: /^itm_/, x: 1 }] },
    })
    t.match(ops, [{ block: { id: 'b_grid', props: { columns: '3' } } }])
    t.notOk(Object.hasOwn(added?.props ?? {}, 'headingLevel'))
    t.equal(
      propsAt(applied(draft, add({}, grid), bySite).draft, '/', 'b_grid')?.['columns'],
      '3',
      'also where the manifest has no defaults',
    )
  })

  t.test('a required option has to be sent', async (t) => {
    const sized = manifestOf([
      {
        type: 'S',
        propsSchema: {
          type: 'object',
          properties: { size: { enum: ['s', 'm'], default: 'm' } },
          required: ['size'],
        },
      },
    ])
    refused(
      t,
      draft,
      add({}, block('s', 'S', {})),
      'schema_violation',
      /^ops\[0\]\.block\.props\.size: is required/,
      { manifest: sized },
    )
  })

  t.test('a reference invented by a plan becomes null, whatever its schema says', async (t) => {
    const typed = manifestOf([
      {
        type: 'R',
        propsSchema: { type: 'object', properties: { to: { type: 'object' } } },
        fields: { to: { kind: 'reference' } },
      },
    ])
    t.same(
      propsAt(
        applied(draft, add({}, block('r', 'R', { to: { ref: 1 } })), { manifest: typed, ...planner }).draft,
        '/',
        'r',
      ),
      { to: null },
    )
  })

  t.test('types that only the site declares can be added, and cells of a table become text', async (t) => {
    t.ok(run(draft, add({}, block('w', 'TeamWall', { title: 'We', rows: [{ name: 'nobody' }] })), bySite).ok)
    const table = block('t', 'Table', { headers: ['A', 2], rows: [[1, null, true, 'x']] })
    t.match(propsAt(applied(draft, add({}, table)).draft, '/', 't'), {
      headers: ['A', '2'],
      rows: [['1', '', 'true', 'x']],
    })
  })

  t.test('limits of a manifest are notes for a person and enforced for a plan', async (t) => {
    const long = add({}, block('b_a', 'Article', { heading: 'x'.repeat(61), chapters: [] }))
    t.match(applied(draft, long, bySite).results.notes, [/^heading: .*60/])
    refused(t, draft, long, 'schema_violation', /^ops\[0\]\.block\.props\.heading: .*60/, {
      ...bySite,
      ...planner,
    })
    refused(
      t,
      draft,
      add({}, block('b_a', 'Article', { heading: 5 })),
      'schema_violation',
      /^ops\[0\]\.block\.props\.heading: .*string/,
      bySite,
    )
    refused(
      t,
      draft,
      add({}, block('b_a', 'Article', {})),
      'schema_violation',
      /heading: is required/,
      bySite,
    )
  })

  t.test('a row without a branch is accepted with a note, one of an unknown branch without', async (t) => {
    const rows = [{ text: 'legacy' }, { type: 'paragraph', text: 'x' }, { type: 'robot', text: 'y' }]
    const { results } = applied(
      draft,
      add({}, block('b_two', 'TwoColumn', { left: rows, right: rows.slice(1) })),
    )
    t.same(results.notes, ['left: one row has no type'])
    const two = add({}, block('b_two', 'TwoColumn', { left: [{}, ...rows], right: rows.slice(1) }))
    t.same(applied(draft, two).results.notes, ['left: 2 rows have no type'])
  })

  t.test('props that match no form of their type are all refused', async (t) => {
    const either = manifestOf([
      { type: 'E', propsSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } },
    ])
    const ops = add({}, block('e', 'E', {}))
    refused(
      t,
      draft,
      ops,
      'schema_violation',
      /^ops\[0\]\.block\.props: must have one of the declared forms/,
      { manifest: either, ...planner },
    )
    refused(
      t,
      draft,
      [{ op: 'create_page', page: { slug: '/x', blocks: [block('e', 'E', {})] } }],
      'schema_violation',
      /^ops\[0\]\.page\.blocks\[0\]\.props: must/,
      { manifest: either, ...planner },
    )
  })

  t.test('it fails', async (t) => {
    refused(
      t,
      draft,
      add({}, block('h', 'SiteHeader', header.props)),
      'schema_violation',
      /SiteHeader is pinned/,
    )
    refused(t, draft, add({}, block('h', 'Footer', {})), 'schema_violation', /Footer is pinned/, bySite)
    t.match(
      refused(t, draft, add({}, block('h', 'Nope', {})), 'schema_violation', /unknown block type 'Nope'/)
        ?.admissible,
      /Hero/,
    )
    refused(t, draft, add(), 'not_found', /does not declare block type 'CTA'/, {
      manifest: manifestOf([teamWall]),
    })
    refused(
      t,
      draft,
      add({}, cta('b_cta_1')),
      'schema_violation',
      /^ops\[0\]\.block\.id: page \/ has a block b_cta_1 already/,
    )
    refused(
      t,
      draft,
      add({}, block('c', 'CTA', { title: 'x' })),
      'schema_violation',
      /^ops\[0\]\.block\.props\.description: is required/,
    )
    refused(t, draft, [{ op: 'add_block', pageSlug: '/x', block: cta('b') }], 'not_found', /no page \/x/)
  })

  t.test('an id that another page uses is noted', async (t) => {
    const two = draftOf([pageOf('/', [cta('b_1')]), pageOf('/x', [cta('b_2')])])
    t.same(applied(two, [{ op: 'add_block', pageSlug: '/', block: cta('b_2') }]).results.notes, [
      'block id b_2 is used on another page too',
    ])
    const moved = [
      { op: 'remove_block', pageSlug: '/x', blockId: 'b_2' },
      { op: 'add_block', pageSlug: '/', block: cta('b_2') },
    ]
    t.same(applied(two, moved).results.notes, [], 'not after it was removed there')
    const both = [
      { op: 'add_block', pageSlug: '/', block: cta('b_3') },
      { op: 'create_page', page: { slug: '/y', blocks: [cta('b_3')] } },
    ]
    t.same(applied(two, both).results.notes, ['block id b_3 is used on another page too'])
  })
})

t.test('update_props', async (t) => {
  const banner = draftOf([services])
  const update = (patch: Props, blockId = 'b_banner_1', pageSlug = '/services') => [
    { op: 'update_props', pageSlug, blockId, patch },
  ]

  t.test('only the named props change', async (t) => {
    const { draft, ops } = applied(banner, update({ text: 'Closed', ctaText: 'Why?' }))
    t.same(propsAt(draft, '/services', 'b_banner_1'), { text: 'Closed', variant: 'info', ctaText: 'Why?' })
    t.equal(draft.page('/services')?.blocks[1], services.blocks[1])
    t.match(ops, update({ text: 'Closed', ctaText: 'Why?' }))
  })

  t.test('a patch nested in `props` is unwrapped, unless the type declares such a prop', async (t) => {
    const { draft, ops } = applied(banner, update({ props: { text: 'Closed' }, text: 'ignored' }))
    t.equal(propsAt(draft, '/services', 'b_banner_1')?.['text'], 'Closed')
    t.same(ops, update({ text: 'Closed' }))
    const odd = manifestOf([
      { type: 'Odd', propsSchema: { type: 'object', properties: { props: { type: 'object' } } } },
    ])
    const { draft: other } = applied(
      onlyPage([block('o', 'Odd', {})]),
      update({ props: { a: 1 } }, 'o', '/'),
      { manifest: odd },
    )
    t.same(propsAt(other, '/', 'o'), { props: { a: 1 } })
    const open = manifestOf([{ type: 'Odd', propsSchema: {} }])
    t.same(
      propsAt(
        applied(onlyPage([block('o', 'Odd', { a: 1 })]), update({ props: { a: 2 } }, 'o', '/'), {
          manifest: open,
        }).draft,
        '/',
        'o',
      ),
      { a: 2 },
    )
  })

  t.test('an unknown key refuses the batch, with a list of the known ones', async (t) => {
    const failure = refused(
      t,
      banner,
      update({ text: 'x', txt: 'y', toString: 'z' }),
      'schema_violation',
      /^ops\[0\]\.patch\.txt: Banner has no prop txt, toString; its props are text, variant/,
    )
    t.ok(failure?.admissible?.includes('backgroundColor'))
    refused(
      t,
      team(),
      [{ op: 'update_props', pageSlug: '/team', blockId: 'b_team_1', patch: { _other: 1 } }],
      'schema_violation',
      /no prop _other/,
      bySite,
    )
    const open = manifestOf([{ type: 'Open', propsSchema: {}, fields: { a: { kind: 'text' } } }])
    const draft = onlyPage([block('o', 'Open', { stored: 1 })])
    t.same(
      propsAt(applied(draft, update({ stored: 2, a: 'x' }, 'o', '/'), { manifest: open }).draft, '/', 'o'),
      { stored: 2, a: 'x' },
      'without declared props the present ones count as known',
    )
    refused(t, draft, update({ b: 1 }, 'o', '/'), 'schema_violation', /its props are stored, a/, {
      manifest: open,
    })
  })

  t.test('headingLevel is known for types that use it', async (t) => {
    t.equal(
      propsAt(applied(banner, update({ headingLevel: 'h3' }, 'b_faq_1')).draft, '/services', 'b_faq_1')?.[
        'headingLevel'
      ],
      'h3',
    )
    refused(t, banner, update({ headingLevel: 'h3' }), 'schema_violation', /no prop headingLevel/)
  })

  t.test('a reference is kept, with a note', async (t) => {
    const before = { title: 'Who we are', office: { ref: 'hq-1' }, _rev: '7', rows: [] }
    const draft = onlyPage([block('b_team_1', 'TeamWall', before)])
    const { draft: now, results } = applied(
      draft,
      update({ title: 'Our people', office: { ref: 'hq-2' } }, 'b_team_1', '/'),
      bySite,
    )
    t.same(propsAt(now, '/', 'b_team_1'), {
      title: 'Our people',
      office: { ref: 'hq-1' },
      _rev: '7',
      rows: [],
    })
    t.same(results.notes, ['office: change this reference in the CMS'])
    const alone = update({ office: null }, 'b_team_1', '/')
    refused(
      t,
      draft,
      alone,
      'no_effective_change',
      /references only; office: change this reference in the CMS$/,
      bySite,
    )
    t.match(applied(draft, [...alone, { op: 'update_site_config', patch: {} }], bySite).results.skippedOps, [
      { reason: 'reference_only' },
    ])
  })

  t.test('an internal prop can be written by a person but not by a plan', async (t) => {
    const draft = team([], { _rev: '7' })
    const ops = [
      {
        op: 'update_props',
        pageSlug: '/team',
        blockId: 'b_team_1',
        patch: { title: 'New', _rev: '8', _unheard: 1 },
      },
    ]
    const { draft: now, results } = applied(draft, ops, { ...bySite, ...planner })
    t.match(propsAt(now, '/team', 'b_team_1'), { title: 'New', _rev: '7' })
    t.match(results.notes, [/^_rev: internal/, /^_unheard: internal/])
    t.equal(
      propsAt(
        applied(draft, update({ _rev: '8' }, 'b_team_1', '/team'), bySite).draft,
        '/team',
        'b_team_1',
      )?.['_rev'],
      '8',
    )
  })

  t.test('null removes an optional prop, and is stored in any other', async (t) => {
    const stored = { heading: 'H', teaser: 'T', tone: 'calm', body: null }
    const draft = onlyPage([block('a', 'Article', stored)])
    const { draft: now } = applied(draft, update({ teaser: null, tone: null, more: null }, 'a', '/'), bySite)
    t.same(propsAt(now, '/', 'a'), { heading: 'H', tone: null, body: null })
    refused(
      t,
      draft,
      update({ heading: null }, 'a', '/'),
      'schema_violation',
      /^ops\[0\]\.patch\.heading: /,
      bySite,
    )
    refused(t, draft, update({ more: null }, 'a', '/'), 'no_effective_change', /./, bySite)
    for (const nullable of [
      { enum: ['a', null] },
      { const: null },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ]) {
      const manifest = manifestOf([
        { type: 'N', propsSchema: { type: 'object', properties: { x: nullable } } },
      ])
      t.same(
        propsAt(
          applied(onlyPage([block('n', 'N', { x: 'a' })]), update({ x: null }, 'n', '/'), { manifest }).draft,
          '/',
          'n',
        ),
        { x: null },
      )
    }
  })

  t.test('rows merge by key, else by position', async (t) => {
    const before = [
      { id: 'itm_3tjdepkhg5', quote: 'One', author: 'Lin', role: 'Chef' },
      { id: 'itm_djms69maep', quote: 'Two', author: 'Ola' },
    ]
    const draft = onlyPage([block('b_t', 'Testimonials', { title: 'T', items: before })])
    const items = (patch: readonly unknown[]) =>
      propsAt(applied(draft, update({ items: patch }, 'b_t', '/')).draft, '/', 'b_t')?.['items']
    t.same(items([{ id: 'itm_djms69maep', quote: 'Two!' }, { id: 'itm_3tjdepkhg5' }]), [
      { id: 'itm_djms69maep', quote: 'Two!', author: 'Ola' },
      { id: 'itm_3tjdepkhg5', quote: 'One', author: 'Lin', role: 'Chef' },
    ])
    t.same(items([{ quote: 'Uno' }]), [{ id: 'itm_3tjdepkhg5', quote: 'Uno', author: 'Lin', role: 'Chef' }])
    t.match(
      items([{ quote: 'New', author: 'X' }, { id: 'itm_3tjdepkhg5' }]),
      [{ id: /^itm_(?!3tj|djm)/, quote: 'New', role: undefined }, { quote: 'One' }],
      'a keyed row is matched by its key',
    )
    t.match(
      items([{ id: 'mine', quote: 'New', author: 'X' }]),
      [{ id: 'mine', quote: 'New', role: undefined }],
      'an unknown key creates a new row',
    )
    t.match(
      items([
        { id: 'itm_djms69maep', quote: 'A' },
        { id: 'itm_djms69maep', quote: 'B', author: 'C' },
      ]),
      [
        { id: 'itm_djms69maep', author: 'Ola' },
        { id: /^itm_(?!djm)/, quote: 'B' },
      ],
      'a duplicate generated id',
    )
    t.equal(
      blockAt(
        applied(draft, update({ items: [before[1], { quote: 'x', author: 'y' }] }, 'b_t', '/')).draft,
        '/',
        'b_t',
      )?.props['title'],
      'T',
    )
  })

  t.test('a duplicate own key is kept, with a note', async (t) => {
    const draft = team([{ id: 'own', kind: 'note', text: 'a' }])
    const rows = [
      { id: 'own', kind: 'note', text: 'b' },
      { id: 'own', kind: 'note', text: 'c' },
    ]
    const { draft: now, results } = applied(draft, update({ rows }, 'b_team_1', '/team'), bySite)
    t.same(propsAt(now, '/team', 'b_team_1')?.['rows'], rows)
    t.match(results.notes, [/another row has the key own too/])
  })

  t.test(
    'a key shared by stored rows matches the first, and a stored row without a key gets one',
    async (t) => {
      const twins = team([
        { id: 'own', kind: 'note', text: 'a', first: 1 },
        { id: 'own', kind: 'note', text: 'b' },
      ])
      const { draft } = applied(
        twins,
        update({ rows: [{ id: 'own', text: 'c' }] }, 'b_team_1', '/team'),
        bySite,
      )
      t.same(propsAt(draft, '/team', 'b_team_1')?.['rows'], [
        { id: 'own', kind: 'note', text: 'c', first: 1 },
      ])
      const keyless = team([{ kind: 'note', text: 'a' }])
      const { draft: keyed } = applied(
        keyless,
        update({ rows: [{ text: 'b' }] }, 'b_team_1', '/team'),
        bySite,
      )
      t.match(propsAt(keyed, '/team', 'b_team_1')?.['rows'], [{ id: /^itm_/, kind: 'note', text: 'b' }])
    },
  )

  t.test(
    'a matched row keeps its reference, a new one gets none, one of another branch keeps only its key',
    async (t) => {
      const draft = team([
        { _key: 'k', kind: 'person', name: 'Ada', profile: { ref: 1 } },
        { id: 'n', kind: 'note', text: 'Hi', old: 1 },
      ])
      const { draft: now, results } = applied(
        draft,
        update(
          {
            rows: [
              { _key: 'k', name: 'Ada L.', profile: { ref: 2 } },
              { id: 'n', kind: 'person', name: 'Bob' },
              { kind: 'person', name: 'Cy', profile: { ref: 3 } },
            ],
          },
          'b_team_1',
          '/team',
        ),
        bySite,
      )
      t.match(propsAt(now, '/team', 'b_team_1')?.['rows'], [
        { _key: 'k', kind: 'person', name: 'Ada L.', profile: { ref: 1 } },
        { id: 'n', kind: 'person', name: 'Bob', text: undefined, old: undefined },
        { id: /^itm_/, kind: 'person', name: 'Cy', profile: null },
      ])
      t.same(results.notes, [
        'rows[0].profile: change this reference in the CMS',
        'rows[2].profile: change this reference in the CMS',
      ])
    },
  )

  t.test('a list inside a row is replaced, its rows keep ids and references', async (t) => {
    const chapters = [
      {
        id: 'c1',
        title: 'One',
        notes: [
          { id: 'n1', text: 'a', source: { ref: 1 } },
          { id: 'n2', text: 'b', extra: 1 },
        ],
      },
    ]
    const draft = onlyPage([block('a', 'Article', { heading: 'H', chapters })])
    const { draft: now } = applied(
      draft,
      update(
        { chapters: [{ notes: [{ id: 'n2', text: 'B' }, { id: 'n1', text: 'A' }, { text: 'new' }] }] },
        'a',
        '/',
      ),
      bySite,
    )
    t.match(propsAt(now, '/', 'a')?.['chapters'], [
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

  t.test('other arrays are replaced, and rows with author-assigned ids get none', async (t) => {
    const draft = onlyPage([
      block('a', 'Article', {
        heading: 'H',
        photos: ['/a.png'],
        sources: [{ url: '/a' }],
        body: [{ _type: 'p', a: 1 }, { b: 2 }],
      }),
    ])
    const { draft: now } = applied(
      draft,
      update(
        { photos: ['/b.png', '/c.png'], sources: [{ url: '/b' }, { url: '/c' }], body: [{ a: 2 }] },
        'a',
        '/',
      ),
      bySite,
    )
    t.same(propsAt(now, '/', 'a'), {
      heading: 'H',
      photos: ['/b.png', '/c.png'],
      sources: [{ url: '/b' }, { url: '/c' }],
      body: [{ a: 2 }],
    })
  })

  t.test('a document cannot become plain text', async (t) => {
    const draft = onlyPage([block('a', 'Article', { heading: 'H', body: { type: 'doc' } })])
    refused(
      t,
      draft,
      update({ body: 'text' }, 'a', '/'),
      'schema_violation',
      /^ops\[0\]\.patch\.body: holds a document/,
      bySite,
    )
    t.ok(run(draft, update({ body: { type: 'doc', content: [] } }, 'a', '/'), bySite).ok)
    const typed = manifestOf([
      {
        type: 'Article',
        propsSchema: { type: 'object', properties: { body: { type: 'string' } } },
        fields: { body: { kind: 'richtext' } },
      },
    ])
    t.ok(
      run(draft, update({ body: 'text' }, 'a', '/'), { manifest: typed }).ok,
      'unless the schema declares text',
    )
  })

  t.test('a plan cannot write an instruction into an image description', async (t) => {
    const draft = onlyPage([
      block('g', 'Quote', { quote: 'Q', imageAlt: 'Two cooks' }),
      block('t', 'Testimonials', {
        title: 'T',
        items: [{ id: 'a', quote: 'q', author: 'b', imageAlt: 'Ola' }],
      }),
    ])
    const ops = [
      ...update({ quote: 'New', imageAlt: 'Can you add a photo' }, 'g', '/'),
      ...update(
        {
          items: [
            { quote: 'q2', imageAlt: 'Replace this' },
            { quote: 'x', author: 'y', imageAlt: 'Make it nice' },
          ],
        },
        't',
        '/',
      ),
    ]
    const byPlan = applied(draft, ops, planner)
    t.match(propsAt(byPlan.draft, '/', 'g'), { quote: 'New', imageAlt: 'Two cooks' })
    t.match(propsAt(byPlan.draft, '/', 't')?.['items'], [
      { quote: 'q2', imageAlt: 'Ola' },
      { imageAlt: 'Make it nice' },
    ])
    t.match(byPlan.results.notes, [/^imageAlt: kept/, /^items\[0\]\.imageAlt: kept/])
    t.equal(propsAt(applied(draft, ops).draft, '/', 'g')?.['imageAlt'], 'Can you add a photo', 'a person can')
    const fine = applied(
      draft,
      update({ imageAlt: 'Set table with a view; showing a maker' }, 'g', '/'),
      planner,
    )
    t.equal(propsAt(fine.draft, '/', 'g')?.['imageAlt'], 'Set table with a view; showing a maker')
  })

  t.test('markup of a plan is sanitised, that of a person is stored as sent', async (t) => {
    const draft = onlyPage([block('a', 'Article', { heading: 'H' })])
    const ops = update({ teaser: '<p onclick="x()">Hi</p>' }, 'a', '/')
    t.equal(propsAt(applied(draft, ops, { ...bySite, ...planner }).draft, '/', 'a')?.['teaser'], '<p>Hi</p>')
    t.equal(propsAt(applied(draft, ops, bySite).draft, '/', 'a')?.['teaser'], '<p onclick="x()">Hi</p>')
  })

  t.test('an existing violation next to the edit does not block it, a new one does', async (t) => {
    const draft = onlyPage([block('c', 'CTA', { title: '', description: 5, ctaHref: '/' })])
    t.ok(run(draft, update({ ctaText: 'Go' }, 'c', '/')).ok)
    t.ok(
      run(draft, update({ title: '', ctaText: 'Go' }, 'c', '/')).ok,
      'sending the existing violation back is allowed',
    )
    refused(t, draft, update({ ctaHref: '' }, 'c', '/'), 'schema_violation', /^ops\[0\]\.patch\.ctaHref: /)
    refused(t, draft, update({ ctaHref: '' }, 'c', '/'), 'schema_violation', /ctaHref/, planner)
    t.ok(run(draft, update({ ctaHref: '' }, 'c', '/'), bySite).ok, 'the generated manifest sets no limits')
    const faq = onlyPage([
      block('f', 'FAQAccordion', {
        title: 'Q',
        items: [
          { id: '1', q: '', a: 'a' },
          { id: '2', q: 'q', a: 'a' },
        ],
      }),
    ])
    t.ok(
      run(faq, update({ items: [{ id: '1' }, { id: '2', q: 'new' }] }, 'f', '/')).ok,
      'also next to the edit in the same list',
    )
    refused(
      t,
      faq,
      update({ items: [{ id: '1' }, { id: '2', q: '' }] }, 'f', '/'),
      'schema_violation',
      /^ops\[0\]\.patch\.items\[1\]\.q: /,
    )
  })

  t.test('limits of a manifest become notes for a person', async (t) => {
    const draft = onlyPage([block('a', 'Article', { heading: 'H' })])
    const { results } = applied(draft, update({ heading: '' }, 'a', '/'), bySite)
    t.match(results.notes, [/^heading: /])
    refused(t, draft, update({ heading: '' }, 'a', '/'), 'schema_violation', /^ops\[0\]\.patch\.heading: /, {
      ...bySite,
      ...planner,
    })
  })

  t.test('cells become text; equal tables are not a change', async (t) => {
    const draft = onlyPage([block('t', 'Table', { headers: ['A'], rows: [[1]] })])
    refused(t, draft, update({ rows: [[1]] }, 't', '/'), 'no_effective_change', /every prop has this value/)
    t.same(propsAt(applied(draft, update({ rows: [[2, null]] }, 't', '/')).draft, '/', 't')?.['rows'], [
      ['2', ''],
    ])
  })

  t.test('rows that differ only in generated ids are not a change', async (t) => {
    const draft = onlyPage([
      block('f', 'FAQAccordion', { title: 'Q', items: [{ id: 'itm_aaaaaaaaaa', q: 'a', a: 'b' }] }),
    ])
    refused(
      t,
      draft,
      update({ items: [{ id: 'itm_bbbbbbbbbb', q: 'a', a: 'b' }] }, 'f', '/'),
      'no_effective_change',
      /./,
    )
  })

  t.test('it fails for an undeclared type', async (t) => {
    const draft = onlyPage([block('m', 'Mystery', { a: 1 })])
    refused(t, draft, update({ a: 2 }, 'm', '/'), 'schema_violation', /unknown block type 'Mystery'/)
    refused(t, draft, update({ a: 2 }, 'm', '/'), 'not_found', /does not declare/, bySite)
    const site = onlyPage([header])
    t.ok(
      run(site, update({ siteName: 'Süd' }, 'b_header', '/'), bySite).ok,
      'pinned blocks stay editable with a manifest',
    )
  })
})

t.test('remove_block, move_block, duplicate_block', async (t) => {
  const draft = draftOf([
    pageOf('/', [header, cta('b_cta_1'), cta('b_cta_2')]),
    pageOf('/x', [cta('b_cta_1_copy'), block('m', 'Mystery', {})]),
  ])
  const on = (op: string, blockId: string, more: Props = {}) => [{ op, pageSlug: '/', blockId, ...more }]

  t.test('a block is removed, moved to the front or moved after another', async (t) => {
    t.same(idsAt(applied(draft, on('remove_block', 'b_cta_1')).draft, '/'), ['b_header', 'b_cta_2'])
    t.same(idsAt(applied(draft, on('move_block', 'b_cta_2')).draft, '/'), ['b_cta_2', 'b_header', 'b_cta_1'])
    t.same(idsAt(applied(draft, on('move_block', 'b_cta_1', { afterBlockId: 'b_cta_2' })).draft, '/'), [
      'b_header',
      'b_cta_2',
      'b_cta_1',
    ])
  })

  t.test('a copy is placed after its source, last on another page, or after its anchor', async (t) => {
    const here = applied(draft, on('duplicate_block', 'b_cta_1', { toPageSlug: '' }))
    t.same(
      idsAt(here.draft, '/'),
      ['b_header', 'b_cta_1', 'b_cta_1_copy_1', 'b_cta_2'],
      'an id that is not in the draft',
    )
    t.match(here.ops, [{ toPageSlug: '/', newBlockId: 'b_cta_1_copy_1' }])
    t.equal(blockAt(here.draft, '/', 'b_cta_1_copy_1')?.props['title'], 'b_cta_1')
    const there = applied(
      draft,
      on('duplicate_block', 'b_cta_1', { toPageSlug: '/x', newBlockId: 'b_cta_2' }),
    )
    t.same(idsAt(there.draft, '/x'), ['b_cta_1_copy', 'm', 'b_cta_2'])
    t.same([...there.change.pages.keys()], ['/x'], 'the source page is not touched')
    t.same(there.results.notes, ['block id b_cta_2 is used on another page too'])
    const anchored = applied(
      draft,
      on('duplicate_block', 'b_cta_1', { toPageSlug: '/x', newBlockId: 'm', afterBlockId: 'b_cta_1_copy' }),
    )
    t.same(
      idsAt(anchored.draft, '/x'),
      ['b_cta_1_copy', 'm_1', 'm'],
      'a requested id that is taken is suffixed',
    )
    const twice = [
      ...on('duplicate_block', 'b_cta_2'),
      ...on('duplicate_block', 'b_cta_2', { toPageSlug: '/x' }),
    ]
    t.match(applied(draft, twice).ops, [{ newBlockId: 'b_cta_2_copy' }, { newBlockId: 'b_cta_2_copy_1' }])
  })

  t.test('they fail', async (t) => {
    for (const op of ['remove_block', 'move_block', 'duplicate_block']) {
      refused(t, draft, on(op, 'gone'), 'not_found', /^ops\[0\]: no block gone on \/$/)
      refused(t, draft, on(op, 'b_header'), 'schema_violation', /SiteHeader is pinned/)
      refused(t, draft, on(op, 'b_header'), 'schema_violation', /SiteHeader is pinned/, bySite)
      refused(t, draft, on(op, 'b_cta_1'), 'not_found', /does not declare block type 'CTA'/, {
        manifest: manifestOf([article]),
      })
      refused(
        t,
        draft,
        [{ op, pageSlug: '/x', blockId: 'm' }],
        'schema_violation',
        /unknown block type 'Mystery'/,
      )
      refused(t, draft, [{ op, pageSlug: '/gone', blockId: 'm' }], 'not_found', /no page \/gone/)
    }
    for (const op of ['move_block', 'duplicate_block'])
      refused(
        t,
        draft,
        on(op, 'b_cta_1', { afterBlockId: 'b_cta_9' }),
        'not_found',
        /^ops\[0\]\.afterBlockId: no block b_cta_9/,
        planner,
      )
    refused(
      t,
      draft,
      on('move_block', 'b_cta_1', { afterBlockId: 'b_cta_1' }),
      'not_found',
      /no block b_cta_1 on \//,
    )
    refused(
      t,
      draft,
      on('duplicate_block', 'b_cta_1', { toPageSlug: '/gone' }),
      'not_found',
      /no page \/gone/,
    )
  })
})

t.test('row operations', async (t) => {
  const abc = onlyPage([
    block('f', 'FAQAccordion', { title: 'Q', items: ['A', 'B', 'C'].map((q) => ({ id: q, q, a: q })) }),
  ])
  const list = { pageSlug: '/', blockId: 'f', listKey: 'items' }
  const order = (draft: Draft) => {
    const rows = propsAt(draft, '/', 'f')?.['items']
    return Array.isArray(rows) ? rows.map((row) => row.q).join(' ') : undefined
  }

  t.test('add_item appends a row or inserts it after another', async (t) => {
    const add = (more: Props = {}) => [
      { op: 'add_item', ...list, item: { q: 'N', a: 'n', extra: 1 }, ...more },
    ]
    const last = applied(abc, add())
    t.equal(order(last.draft), 'A B C N')
    t.match(last.ops, [{ item: { id: /^itm_/, q: 'N', extra: 1 } }])
    t.equal(order(applied(abc, add({ afterIndex: 0 })).draft), 'A N B C')
    refused(
      t,
      abc,
      add({ afterIndex: 3 }),
      'schema_violation',
      /^ops\[0\]\.afterIndex: list items has 3 rows; the last position is 2/,
    )
    refused(
      t,
      abc,
      [{ op: 'add_item', ...list, item: { q: 'only' } }],
      'schema_violation',
      /^ops\[0\]\.item\.a: is required/,
    )
    refused(
      t,
      abc,
      [{ op: 'add_item', ...list, item: { q: '', a: 'x' } }],
      'schema_violation',
      /^ops\[0\]\.item\.q: /,
    )
  })

  t.test('add_item creates a declared list that does not exist yet', async (t) => {
    for (const rows of [undefined, null, []]) {
      const draft = onlyPage([
        block('f', 'FAQAccordion', { title: 'Q', ...(rows !== undefined && { items: rows }) }),
      ])
      t.equal(order(applied(draft, [{ op: 'add_item', ...list, item: { q: 'N', a: 'n' } }]).draft), 'N')
      refused(
        t,
        draft,
        [{ op: 'add_item', ...list, item: { q: 'N', a: 'n' }, afterIndex: 0 }],
        'schema_violation',
        /list items is empty; leave it out/,
      )
    }
  })

  t.test('a row of a polymorphic list must name its branch', async (t) => {
    const add = (item: Props) => [{ op: 'add_item', ...row, item }]
    const failure = refused(
      t,
      team(),
      add({ name: 'Ada' }),
      'schema_violation',
      /^ops\[0\]\.item\.kind: a row of list rows needs kind: one of person, note$/,
      bySite,
    )
    t.same(failure?.admissible, ['person', 'note'])
    for (const kind of [null, '', 5])
      refused(t, team(), add({ kind }), 'schema_violation', /needs kind/, bySite)
    const { draft, results } = applied(
      team(),
      add({ kind: 'person', name: 'Ada', profile: { ref: 'made-up' } }),
      bySite,
    )
    t.same(propsAt(draft, '/team', 'b_team_1')?.['rows'], [
      { id: 'itm_fiqe5mn6ne', kind: 'person', name: 'Ada', profile: null },
    ])
    t.same(results.notes, ['rows[0].profile: change this reference in the CMS'])
    t.ok(run(team(), add({ kind: 'robot', name: 'R2' }), bySite).ok)
    const branchless = {
      ...teamWall,
      fields: { ...teamWall.fields, rows: { kind: 'list', discriminator: 'kind' } },
    }
    refused(t, team(), add({}), 'schema_violation', /needs kind: any text that is not empty/, {
      manifest: manifestOf([branchless]),
    })
  })

  t.test('a new row gets null for a missing reference, whichever operation adds the row', async (t) => {
    const rowsIn = (draft: Draft) => propsAt(draft, '/team', 'b_team_1')?.['rows']
    const add = (item: Props) => [{ op: 'add_item', ...row, item }]
    const patch = (rows: readonly Props[]) => [
      { op: 'update_props', pageSlug: '/team', blockId: 'b_team_1', patch: { rows } },
    ]
    const ada = { id: 'a', kind: 'person', name: 'Ada', profile: { ref: 1 } }
    t.same(rowsIn(applied(team(), add({ id: 'x', kind: 'person' }), bySite).draft), [
      { id: 'x', kind: 'person', profile: null },
    ])
    for (const kind of ['note', 'robot']) {
      const added = { id: 'x', kind }
      t.same(
        rowsIn(applied(team(), add(added), bySite).draft),
        [added],
        `a row of branch ${kind} has no such field`,
      )
    }
    t.same(
      rowsIn(
        applied(
          team([ada]),
          patch([
            { id: 'a', name: 'Ada B.' },
            { id: 'b', kind: 'person' },
            { id: 'c', kind: 'note' },
          ]),
          bySite,
        ).draft,
      ),
      [
        { ...ada, name: 'Ada B.' },
        { id: 'b', kind: 'person', profile: null },
        { id: 'c', kind: 'note' },
      ],
      'an existing row keeps its reference',
    )
    t.same(
      rowsIn(applied(team([{ id: 'a', kind: 'note' }]), patch([{ id: 'a', kind: 'person' }]), bySite).draft),
      [{ id: 'a', kind: 'person', profile: null }],
      'a row of another branch is a new row with the same key',
    )
    const turned = [{ op: 'update_item', ...row, index: 0, patch: { kind: 'person' } }]
    t.same(
      rowsIn(applied(team([{ id: 'a', kind: 'note' }]), turned, bySite).draft),
      [{ id: 'a', kind: 'person' }],
      'an edited row is not new',
    )

    const wall = {
      op: 'add_block',
      pageSlug: '/',
      block: block('w', 'TeamWall', { title: 'W', rows: [{ id: 'p', kind: 'person' }] }),
    }
    const wallFrom = (options: Partial<BatchOptions>) =>
      propsAt(applied(onlyPage([]), [wall], { ...bySite, ...options }).draft, '/', 'w')
    t.same(
      wallFrom(planner),
      { title: 'W', rows: [{ id: 'p', kind: 'person', profile: null }] },
      'a plan cannot set references',
    )
    t.same(wallFrom({}), wall.block.props, 'blocks pasted by a person are stored as sent')

    const notes = [
      {
        op: 'add_item',
        pageSlug: '/',
        blockId: 'a',
        listKey: 'chapters',
        item: { id: 'c', notes: [{ id: 'n', text: 'T' }] },
      },
    ]
    const [nested] = pagesOf(
      applied(onlyPage([block('a', 'Article', { heading: 'H' })]), notes, bySite).draft,
    )
    t.same(
      nested?.blocks[0]?.props['chapters'],
      [{ id: 'c', notes: [{ id: 'n', text: 'T', source: null }] }],
      'also in a list inside a row',
    )

    const registered = createRegistry([
      {
        type: 'Links',
        propsSchema: {
          type: 'object',
          properties: {
            rows: {
              type: 'array',
              items: { type: 'object', properties: { to: { type: 'string' }, _at: {} } },
            },
          },
        },
        meta: {
          displayName: 'Links',
          listFields: {
            rows: {
              discriminator: 'is',
              itemFields: { _at: { kind: 'reference' } },
              itemFieldsByType: { entry: { to: { kind: 'reference' } }, text: { to: { kind: 'text' } } },
            },
          },
        },
      },
    ])
    const links = onlyPage([block('l', 'Links', { rows: [] })])
    const link = [
      { op: 'add_item', pageSlug: '/', blockId: 'l', listKey: 'rows', item: { id: 'r', is: 'entry' } },
    ]
    t.same(
      propsAt(applied(links, link, { registry: registered }).draft, '/', 'l'),
      { rows: [{ id: 'r', is: 'entry', to: null }] },
      'also where another branch has a text of that name; internal fields stay absent',
    )
  })

  t.test('a new row keeps its own key; a generated one that is taken is replaced', async (t) => {
    const draft = team([
      { id: 'itm_aaaaaaaaaa', kind: 'note' },
      { id: 'own', kind: 'note' },
    ])
    const add = (id: string) =>
      applied(draft, [{ op: 'add_item', ...row, item: { id, kind: 'note' } }], bySite)
    t.match(add('itm_bbbbbbbbbb').ops, [{ item: { id: 'itm_bbbbbbbbbb' } }])
    t.match(add('itm_aaaaaaaaaa').ops, [{ item: { id: /^itm_(?!aaaa)/ } }])
    t.match(add('own').results.notes, [/another row has the key own too/])
  })

  t.test('a plan adds no internal fields and no scripts', async (t) => {
    const manifest = manifestOf([
      {
        type: 'L',
        propsSchema: {
          type: 'object',
          properties: { l: { type: 'array', items: { type: 'object', properties: { h: {} } } } },
        },
        fields: {
          l: { kind: 'list', itemFields: { h: { kind: 'html' }, secret: { kind: 'text', internal: true } } },
        },
      },
    ])
    const draft = onlyPage([block('l', 'L', { l: [{ id: 'x', _rev: 1 }] })])
    const { draft: now } = applied(
      draft,
      [
        {
          op: 'add_item',
          pageSlug: '/',
          blockId: 'l',
          listKey: 'l',
          item: { _key: 'mine', h: '<script>x()</script>y', secret: 's', _rev: 2 },
        },
        {
          op: 'update_item',
          pageSlug: '/',
          blockId: 'l',
          listKey: 'l',
          index: 0,
          patch: { _rev: 9, secret: 's', h: '<b>z</b>' },
        },
      ],
      { manifest, ...planner },
    )
    t.same(propsAt(now, '/', 'l')?.['l'], [
      { id: 'x', _rev: 1, h: '<b>z</b>' },
      { _key: 'mine', h: 'y' },
    ])
  })

  t.test('limits of the list apply to operations that change its length', async (t) => {
    const one = onlyPage([block('f', 'FAQAccordion', { title: 'Q', items: [{ id: 'A', q: 'A', a: 'A' }] })])
    refused(
      t,
      one,
      [{ op: 'remove_item', ...list, index: 0 }],
      'schema_violation',
      /^ops\[0\]\.index: list items must have at least 1/,
    )
    t.ok(
      run(one, [{ op: 'remove_item', ...list, index: 0 }], bySite).ok,
      'a manifest without a minimum allows it',
    )
    const full = onlyPage([block('a', 'Article', { heading: 'H', chapters: [{}, {}, {}, {}] })])
    const add = [{ op: 'add_item', pageSlug: '/', blockId: 'a', listKey: 'chapters', item: {} }]
    t.match(applied(full, add, bySite).results.notes, [/^chapters: .*4/])
    refused(t, full, add, 'schema_violation', /^ops\[0\]\.item: list chapters must have at most 4/, {
      ...bySite,
      ...planner,
    })
    const over = onlyPage([block('a', 'Article', { heading: 'H', chapters: [{}, {}, {}, {}, {}, {}] })])
    t.ok(
      run(over, [{ op: 'remove_item', pageSlug: '/', blockId: 'a', listKey: 'chapters', index: 0 }], {
        ...bySite,
        ...planner,
      }).ok,
      'a list over the limit may shrink',
    )
  })

  t.test('a tuple of schemas is checked as one', async (t) => {
    const manifest = manifestOf([
      {
        type: 'P',
        propsSchema: {
          type: 'object',
          properties: {
            pair: { type: 'array', items: [{ type: 'object', required: ['a'] }, { type: 'object' }] },
          },
        },
      },
    ])
    const draft = onlyPage([block('p', 'P', { pair: [{ a: 1 }, {}] })])
    const swap = [{ op: 'move_item', pageSlug: '/', blockId: 'p', listKey: 'pair', index: 1 }]
    refused(t, draft, swap, 'schema_violation', /^ops\[0\]\.afterIndex: list pair/, { manifest, ...planner })
    t.ok(run(draft, swap, { manifest }).ok)
  })

  t.test('update_item merges into one row, null removes, key and references stay', async (t) => {
    const draft = team([{ id: 'k', kind: 'person', name: 'Ada', profile: { ref: 1 }, extra: { deep: 1 } }])
    const update = (patch: Props) => [{ op: 'update_item', ...row, index: 0, patch }]
    const {
      draft: now,
      results,
      ops,
    } = applied(draft, update({ id: 'other', name: null, extra: 'x', profile: { ref: 2 } }), bySite)
    t.same(propsAt(now, '/team', 'b_team_1')?.['rows'], [
      { id: 'k', kind: 'person', profile: { ref: 1 }, extra: 'x' },
    ])
    t.match(results.notes, [
      /rows\[0\]: the row keeps its key k/,
      /rows\[0\]\.profile: change this reference in the CMS/,
    ])
    t.match(ops, [{ patch: { name: null, id: undefined } }])
    refused(t, draft, update({ profile: null }), 'no_effective_change', /CMS/, bySite)
    t.same(
      propsAt(applied(team([{ kind: 'note' }]), update({ id: 'mine' }), bySite).draft, '/team', 'b_team_1')?.[
        'rows'
      ],
      [{ kind: 'note', id: 'mine' }],
      'a row without a key may get one',
    )
  })

  t.test('a row may change its branch but not lose it; references of the old one stay', async (t) => {
    const draft = team([
      { id: 'k', kind: 'person', name: 'Ada', profile: { ref: 1 } },
      { id: 'legacy', text: 'x' },
    ])
    const update = (index: number, patch: Props) => [{ op: 'update_item', ...row, index, patch }]
    const { draft: now } = applied(
      draft,
      update(0, { kind: 'note', text: 'Hi', profile: { ref: 2 } }),
      bySite,
    )
    t.match(propsAt(now, '/team', 'b_team_1')?.['rows'], [
      { id: 'k', kind: 'note', name: 'Ada', text: 'Hi', profile: { ref: 1 } },
      {},
    ])
    for (const kind of [null, '', 3])
      refused(
        t,
        draft,
        update(0, { kind }),
        'schema_violation',
        /^ops\[0\]\.patch\.kind: a row cannot lose its kind/,
        bySite,
      )
    t.ok(run(draft, update(1, { text: 'y' }), bySite).ok, 'a row stored without a branch stays editable')
  })

  t.test('only new violations in the row are reported', async (t) => {
    const draft = onlyPage([block('f', 'FAQAccordion', { title: 'Q', items: [{ id: 'A', q: '', a: 'x' }] })])
    const update = (patch: Props) => [{ op: 'update_item', ...list, index: 0, patch }]
    t.ok(run(draft, update({ a: 'y' })).ok)
    refused(t, draft, update({ a: '' }), 'schema_violation', /^ops\[0\]\.patch\.a: /)
    const documents = onlyPage([
      block('f', 'FAQAccordion', { title: 'Q', items: [{ id: 'A', q: 'q', a: { doc: 1 } }] }),
    ])
    const open = manifestOf([
      {
        type: 'FAQAccordion',
        propsSchema: {
          type: 'object',
          properties: { items: { type: 'array', items: { type: 'object', properties: { a: {} } } } },
        },
      },
    ])
    refused(
      t,
      documents,
      update({ a: 'text' }),
      'schema_violation',
      /^ops\[0\]\.patch\.a: holds a document/,
      { manifest: open },
    )
  })

  t.test('missing lists and positions', async (t) => {
    const ops = (listKey: string, index: number) => [
      { op: 'update_item', ...list, listKey, index, patch: {} },
      { op: 'remove_item', ...list, listKey, index },
      { op: 'move_item', ...list, listKey, index },
    ]
    for (const op of ops('rows', 0))
      t.same(
        refused(t, abc, [op], 'not_found', /^ops\[0\]\.listKey: block f has no list rows; it has items$/)
          ?.admissible,
        ['items'],
      )
    for (const op of ops('title', 0)) refused(t, abc, [op], 'not_found', /no list title/)
    for (const op of ops('toString', 0)) refused(t, abc, [op], 'not_found', /no list toString/)
    for (const op of ops('items', 3))
      refused(t, abc, [op], 'schema_violation', /^ops\[0\]\.index: list items has positions 0 to 2$/)
    for (const op of ops('items', 0))
      refused(
        t,
        onlyPage([block('f', 'FAQAccordion', { items: [] })]),
        [op],
        'schema_violation',
        /list items is empty/,
      )
    refused(
      t,
      onlyPage([block('f', 'Banner', {})]),
      [{ op: 'add_item', ...list, item: {} }],
      'not_found',
      /it has none$/,
    )
  })

  t.test('rows of cells are not list rows', async (t) => {
    const draft = onlyPage([block('f', 'Table', { headers: ['A'], rows: [['1'], ['2']] })])
    const cells = { ...list, listKey: 'rows' }
    refused(
      t,
      draft,
      [{ op: 'update_item', ...cells, index: 0, patch: {} }],
      'schema_violation',
      /rows\[0\] is not a row with fields; use update_props/,
    )
    refused(
      t,
      draft,
      [{ op: 'remove_item', ...cells, index: 0 }],
      'schema_violation',
      /rows is a table of cells/,
    )
    refused(
      t,
      draft,
      [{ op: 'move_item', ...cells, index: 0 }],
      'schema_violation',
      /rows is a table of cells/,
    )
    refused(t, draft, [{ op: 'add_item', ...cells, item: {} }], 'schema_violation', /^ops\[0\]\.item: /)
  })

  t.test('undeclared arrays can be edited too, without ids', async (t) => {
    const draft = onlyPage([block('f', 'SiteHeader', { ...header.props, extra: [{ id: 'x', a: 1 }] })])
    const { draft: now } = applied(draft, [
      { op: 'update_item', ...list, listKey: 'extra', index: 0, patch: { id: 'y' } },
      { op: 'add_item', ...list, listKey: 'extra', item: { b: 2 } },
    ])
    t.same(propsAt(now, '/', 'f')?.['extra'], [{ id: 'y', a: 1 }, { b: 2 }])
    t.same(applied(draft, [{ op: 'add_item', ...list, listKey: 'extra', item: {}, afterIndex: 0 }]).ops, [
      { op: 'add_item', ...list, listKey: 'extra', item: {}, afterIndex: 0 },
    ])
  })

  t.test('move_item anchors', async (t) => {
    const move = (index: number, afterIndex?: number) => [
      { op: 'move_item', ...list, index, ...(afterIndex !== undefined && { afterIndex }) },
    ]
    for (const [index, afterIndex, result] of [
      [0, 0, 'B A C'],
      [0, 1, 'B A C'],
      [0, 2, 'B C A'],
      [1, undefined, 'B A C'],
      [2, 0, 'A C B'],
    ] as const) {
      t.equal(order(applied(abc, move(index, afterIndex)).draft), result, `${index} after ${afterIndex}`)
    }
    refused(t, abc, move(2, 2), 'schema_violation', /^ops\[0\]\.afterIndex: list items has positions 0 to 2/)
  })
})

t.test('rename_page', async (t) => {
  const hero = (props: Props) =>
    block('b_hero', 'Hero', {
      heading: 'H',
      subheading: '/prices',
      ctaText: 'c',
      imageAlt: 'a',
      imageUrl: '/prices/cover.png',
      ctaHref: '/prices?tab=2',
      ...props,
    })
  const site = draftOf(
    [
      pageOf('/', [
        hero({}),
        block('b_text', 'RichText', {
          title: 'T',
          body: 'See [rates](/prices#top) and [old](/prices-2019).',
        }),
      ]),
      pageOf('/prices'),
      pageOf('/about'),
    ],
    {
      navLabels: { '/prices': 'What it costs', '/rates': 'stale' },
      navGroups: { More: ['/about', '/prices'] },
    },
  )

  t.test('slug, id, title, links and menu change, the position stays', async (t) => {
    const { draft, change, ops } = applied(site, [
      { op: 'rename_page', pageSlug: '/prices', newPageSlug: 'rates' },
    ])
    t.same(slugs(draft), ['/', '/rates', '/about'])
    t.match(draft.page('/rates'), { id: 'p_rates', slug: '/rates', title: 'Rates' })
    t.match(propsAt(draft, '/', 'b_hero'), {
      ctaHref: '/rates?tab=2',
      imageUrl: '/prices/cover.png',
      subheading: '/prices',
    })
    t.equal(propsAt(draft, '/', 'b_text')?.['body'], 'See [rates](/rates#top) and [old](/prices-2019).')
    t.same(draft.config, {
      navLabels: { '/rates': 'What it costs' },
      navGroups: { More: ['/about', '/rates'] },
    })
    t.same([...change.pages.keys()].sort(), ['/', '/prices', '/rates'])
    t.equal(change.pages.get('/')?.after?.updatedAt, noon)
    t.match(ops, [{ pageSlug: '/prices', newPageSlug: '/rates' }])
  })

  t.test('the sent title is used, also the current one', async (t) => {
    t.equal(
      applied(site, [
        { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates', newTitle: ' prices ' },
      ]).draft.page('/rates')?.title,
      'prices',
    )
    const titled = applied(site, [{ op: 'rename_page', pageSlug: '/', newPageSlug: '/', newTitle: 'Start' }])
    t.match(titled.draft.page('/'), { slug: '/', title: 'Start', id: 'p_home' })
    t.same([...titled.change.pages.keys()], ['/'])
    t.equal(titled.change.order, undefined)
    t.equal(titled.change.config, undefined)
  })

  t.test('it fails', async (t) => {
    const rename = (more: Props, pageSlug = '/prices') => [{ op: 'rename_page', pageSlug, ...more }]
    refused(
      t,
      site,
      rename({ newPageSlug: '/about' }),
      'schema_violation',
      /^ops\[0\]\.newPageSlug: there is a page \/about already/,
    )
    refused(
      t,
      site,
      rename({ newPageSlug: 'two words' }),
      'schema_violation',
      /^ops\[0\]\.newPageSlug: 'two words' cannot be a slug/,
    )
    refused(t, site, rename({ newPageSlug: '/start' }, '/'), 'schema_violation', /the home page stays at \//)
    refused(t, site, rename({ newTitle: 'x' }, '/gone'), 'not_found', /no page \/gone/)
    refused(
      t,
      site,
      rename({ newPageSlug: 'prices/', newTitle: 'prices' }),
      'no_effective_change',
      /the slug is \/prices already and the title is 'prices' already/,
    )
    refused(t, site, rename({}), 'no_effective_change', /neither newPageSlug nor newTitle is given/)
    refused(t, site, rename({ newTitle: '  ' }), 'no_effective_change', /./)
  })

  t.test('a non-canonical slug can be normalised', async (t) => {
    const { draft } = applied(draftOf([pageOf('/'), pageOf('/old/')]), [
      { op: 'rename_page', pageSlug: '/old', newPageSlug: '/old' },
    ])
    t.same(slugs(draft), ['/', '/old'])
  })

  t.test('only links are rewritten', async (t) => {
    const page = (type: string, props: Props) => pageOf('/p', [block('x', type, props)])
    const rewritten = (type: string, props: Props, others: readonly string[] = []) =>
      rewriteLinks(
        page(type, props),
        following({ from: '/prices', to: '/rates', isOther: (slug) => others.includes(slug) }),
        { registry, manifest: siteManifest },
      ).blocks[0]?.props
    const rows: readonly (readonly [string, Props, Props])[] = [
      ['CTA', { ctaHref: '/prices' }, { ctaHref: '/rates' }],
      ['CTA', { ctaHref: '/prices/x?y' }, { ctaHref: '/rates/x?y' }],
      ['CTA', { ctaHref: '/prices-2019', title: '/prices' }, { ctaHref: '/prices-2019', title: '/prices' }],
      [
        'CTA',
        { description: 'a [b](/prices) ![c](/prices/d.png) \\[e](/prices)' },
        { description: 'a [b](/rates) ![c](/prices/d.png) \\[e](/prices)' },
      ],
      [
        'FAQAccordion',
        { items: [{ a: '[![pic](/prices/p.png)](/prices "title")' }] },
        { items: [{ a: '[![pic](/prices/p.png)](/rates "title")' }] },
      ],
      [
        'Article',
        { more: { href: '/prices', label: '/prices' } },
        { more: { href: '/rates', label: '/prices' } },
      ],
      ['Article', { more: '/prices#a' }, { more: '/rates#a' }],
      [
        'Article',
        { teaser: `<a href="/prices">/prices</a><img src="/prices/a.png"><a HREF = '/prices/b'>` },
        { teaser: `<a href="/rates">/prices</a><img src="/prices/a.png"><a HREF = '/rates/b'>` },
      ],
      [
        'Article',
        { photos: ['/prices'], body: { mark: { href: '/prices' }, text: '[x](/prices)' } },
        { photos: ['/prices'], body: { mark: { href: '/rates' }, text: '[x](/prices)' } },
      ],
      [
        'Article',
        { chapters: [{ notes: [{ text: '[n](/prices)', source: { href: '/prices' } }] }] },
        { chapters: [{ notes: [{ text: '[n](/rates)', source: { href: '/prices' } }] }] },
      ],
      ['TeamWall', { office: { href: '/prices' } }, { office: { href: '/prices' } }],
      [
        'Footer',
        { columns: [{ title: 'T', links: 'Rates|/prices\nMore | /prices#x\n/prices|/about\n[r](/prices)' }] },
        { columns: [{ title: 'T', links: 'Rates|/rates\nMore | /rates#x\n/prices|/about\n[r](/rates)' }] },
      ],
      [
        'SiteHeader',
        { links: [{ href: '/prices', children: [{ label: 'x', href: '/prices/y' }] }] },
        { links: [{ href: '/rates', children: [{ label: 'x', href: '/rates/y' }] }] },
      ],
      ['Table', { rows: [['/prices', '[x](/prices)']] }, { rows: [['/prices', '[x](/prices)']] }],
      [
        'Mystery',
        { myHref: '/prices', url: '/prices', body: '[x](/prices)', deep: [{ linkHREF: '/prices' }] },
        { myHref: '/rates', url: '/prices', body: '[x](/rates)', deep: [{ linkHREF: '/rates' }] },
      ],
    ]
    for (const [type, before, after] of rows)
      t.same(rewritten(type, before), after, `${type} ${Object.keys(before).join()}`)
    t.same(
      rewritten('CTA', { ctaHref: '/prices/old?x' }, ['/prices/old']),
      { ctaHref: '/prices/old?x' },
      'a link to another page',
    )
    t.same(
      rewritten('CTA', { ctaHref: '/prices/old/' }, ['/prices/old']),
      { ctaHref: '/prices/old/' },
      'also in another spelling',
    )
    const still = page('Hero', { imageUrl: '/prices', ctaHref: '/about', items: [{ a: 1 }] })
    t.equal(
      rewriteLinks(still, following({ from: '/prices', to: '/rates', isOther: () => false }), { registry }),
      still,
      'nothing to do',
    )
    const many = page('RichText', { body: '[](/prices)'.repeat(200_000) + '['.repeat(1_000_000) })
    // Quadratic time would exceed the time limit of the file.
    t.ok(
      rewriteLinks(many, following({ from: '/prices', to: '/rates', isOther: () => false }), { registry }),
      'a hostile text takes time linear in its length',
    )
  })
})

t.test('remove_page, move_page, duplicate_page', async (t) => {
  const draft = draftOf([pageOf('/a'), pageOf('/'), pageOf('/b'), pageOf('/c')], { navLabels: { '/b': 'B' } })

  t.test('removing a page keeps its menu entries', async (t) => {
    const { draft: now, change } = applied(draft, [{ op: 'remove_page', pageSlug: '/b' }])
    t.same(slugs(now), ['/a', '/', '/c'])
    t.same(now.config, draft.config)
    t.equal(change.pages.get('/b')?.after, undefined)
    refused(
      t,
      draft,
      [{ op: 'remove_page', pageSlug: '/' }],
      'schema_violation',
      /the home page cannot be removed/,
    )
    refused(
      t,
      draftOf([pageOf('/a')]),
      [{ op: 'remove_page', pageSlug: '/a' }],
      'schema_violation',
      /\/a is the last page/,
    )
    refused(t, draft, [{ op: 'remove_page', pageSlug: '/gone' }], 'not_found', /no page \/gone/)
  })

  t.test(
    'a page moves after its anchor, or to the first position after home, and keeps its stamp',
    async (t) => {
      const move = (pageSlug: string, afterPageSlug?: string) =>
        applied(draft, [{ op: 'move_page', pageSlug, ...(afterPageSlug && { afterPageSlug }) }])
      const listed = (pageSlug: string, anchor?: string) =>
        slugs(move(pageSlug, anchor).draft).filter((slug) => slug !== '/')
      t.same(listed('/a', '/b'), ['/b', '/a', '/c'])
      t.same(listed('/c'), ['/c', '/a', '/b'])
      t.same(listed('/c', '/'), ['/c', '/a', '/b'])
      const { change } = move('/c', '/a')
      t.equal(change.pages.size, 0)
      t.same(change.placed, ['/c'])
      t.same(change.order, ['/a', '/c', '/', '/b'])
      t.same(move('/c', '/b').change, { pages: new Map(), placed: ['/c'] }, 'a move to the current position')
      const homeFirst = draftOf([pageOf('/'), pageOf('/a'), pageOf('/b')])
      t.same(applied(homeFirst, [{ op: 'move_page', pageSlug: '/b' }]).change.order, ['/', '/b', '/a'])
      refused(t, draft, [{ op: 'move_page', pageSlug: '/' }], 'schema_violation', /always first/)
      t.notOk(
        refused(
          t,
          draft,
          [{ op: 'move_page', pageSlug: '/a', afterPageSlug: '/a' }],
          'not_found',
          /cannot come after itself/,
        )?.missingPage,
      )
      refused(t, draft, [{ op: 'move_page', pageSlug: '/gone' }], 'not_found', /no page \/gone/)
    },
  )

  t.test('copies and repeated ids in one batch continue one numbering', async (t) => {
    const ids = Array.from({ length: 100 }, (_, index) => `b_${index}`)
    let lookups = 0
    const site = draftOf([
      pageOf('/'),
      pageOf(
        '/a',
        ids.map((id) => cta(id)),
      ),
    ])
    const counted: Draft = {
      ...site,
      page: (slug) => site.page(slug),
      hasBlockId: (id) => (lookups++, site.hasBlockId(id)),
    }
    const copies = Array.from({ length: 100 }, () => ({ op: 'duplicate_page', pageSlug: '/a' }))
    const last = applied(counted, copies).results.duplicatedPages.at(-1)
    t.equal(last?.blockIdMap['b_99'], 'b_99_copy_99')
    t.ok(lookups < 3 * 100 * 100, `${lookups} lookups for 10,000 copies`)

    lookups = 0
    const twins = Array.from({ length: 20 }, () => cta('same'))
    const { draft: now } = applied(
      counted,
      Array.from({ length: 100 }, (_, index) => ({
        op: 'create_page',
        page: { slug: `/n${index}`, blocks: twins },
      })),
    )
    t.equal(now.page('/n99')?.blocks.at(-1)?.id, 'same_1900')
    t.ok(lookups < 3 * 100 * 20, `${lookups} lookups for 2,000 blocks`)
  })

  t.test('a batch creates no more than one request could bring in', async (t) => {
    const wide = draftOf([
      pageOf('/'),
      pageOf(
        '/a',
        Array.from({ length: 10_000 }, (_, index) => cta(`b_${index}`)),
      ),
    ])
    const copies = (count: number) =>
      Array.from({ length: count }, () => ({ op: 'duplicate_page', pageSlug: '/a' }))
    applied(wide, copies(3))
    t.equal(
      refused(
        t,
        wide,
        copies(4),
        'operation_failed',
        /creates more than 30000 blocks.*send fewer operations at once/,
      )?.index,
      3,
    )

    const long = draftOf([
      pageOf('/', [block('b', 'RichText', { title: 'x', body: 'x'.repeat(1_000_000) })]),
      pageOf('/a'),
    ])
    const longCopies = (count: number) =>
      Array.from({ length: count }, () => ({
        op: 'duplicate_block',
        pageSlug: '/',
        blockId: 'b',
        toPageSlug: '/a',
      }))
    applied(long, longCopies(8))
    refused(t, long, longCopies(9), 'operation_failed', /more than 8388608 bytes of content/)
  })

  t.test('a copy has its own slug, id, title and block ids, and the meta of its source', async (t) => {
    const site = draftOf([pageOf('/'), services, pageOf('/x', [cta('b_faq_1_copy')])])
    const {
      draft: now,
      results,
      ops,
      change,
    } = applied(site, [
      { op: 'duplicate_page', pageSlug: '/services', newPageSlug: '/dienste', newTitle: 'Dienste' },
      { op: 'update_props', pageSlug: '/dienste', blockId: 'b_banner_1', patch: { text: 'Sonntags offen' } },
    ])
    t.same(results.duplicatedPages, [
      { slug: '/dienste', blockIdMap: { b_banner_1: 'b_banner_1_copy', b_faq_1: 'b_faq_1_copy_1' } },
    ])
    t.same(results.fuzzyMatches, [
      {
        requestedId: 'b_banner_1',
        resolvedId: 'b_banner_1_copy',
        resolvedIndex: 0,
        strategy: 'append_copy_suffix',
      },
    ])
    t.match(now.page('/dienste'), {
      id: 'p_dienste',
      title: 'Dienste',
      meta: { title: 'Dienste', description: 'What we do and for whom.' },
      updatedAt: noon,
    })
    t.equal(propsAt(now, '/dienste', 'b_banner_1_copy')?.['text'], 'Sonntags offen')
    t.equal(now.page('/services'), services)
    t.same(slugs(now), ['/', '/services', '/dienste', '/x'])
    t.match(ops, [{ newPageSlug: '/dienste' }, { blockId: 'b_banner_1_copy' }])
    t.same(change.placed, ['/dienste'])
  })

  t.test('blocks of older content that share an id get unique ids', async (t) => {
    const { draft: now } = applied(draftOf([pageOf('/', [cta('a', 'first'), cta('a', 'second')])]), [
      { op: 'duplicate_page', pageSlug: '/' },
    ])
    t.same(idsAt(now, '/home-copy'), ['a_copy', 'a_copy_1'])
  })

  t.test('a slug is generated where none, or an invalid one, is given', async (t) => {
    const copy = (some: Draft, more: Props = {}) =>
      applied(some, [{ op: 'duplicate_page', pageSlug: '/', ...more }])
    const first = copy(draft)
    t.same(
      slugs(first.draft),
      ['/a', '/', '/home-copy', '/b', '/c'].toSorted(
        (a, b) => slugs(first.draft).indexOf(a) - slugs(first.draft).indexOf(b),
      ),
    )
    t.match(first.draft.page('/home-copy'), { id: 'p_home_copy', title: 'Home Copy', meta: undefined })
    t.ok(copy(first.draft, { newPageSlug: 'no slug!' }).draft.page('/home-copy-2'))
    t.ok(copy(draft, { afterPageSlug: '/' }).draft.page('/home-copy'))
    t.same(slugs(copy(draft, { afterPageSlug: '/c' }).draft), ['/a', '/', '/b', '/c', '/home-copy'])
  })

  t.test('it fails before anything is copied', async (t) => {
    const copy = (more: Props) => [{ op: 'duplicate_page', pageSlug: '/a', ...more }]
    refused(t, draft, copy({ pageSlug: '/gone' }), 'not_found', /no page \/gone/)
    refused(t, draft, copy({ afterPageSlug: '/gone' }), 'not_found', /no page \/gone/)
    refused(
      t,
      draft,
      copy({ newPageSlug: 'b' }),
      'schema_violation',
      /^ops\[0\]\.newPageSlug: there is a page \/b already/,
    )
  })
})

t.test('update_page_meta and update_site_config', async (t) => {
  t.test('a text sets an entry, an empty one removes it, others stay', async (t) => {
    const draft = draftOf([
      pageOf('/', [], { meta: { title: 'T', robots: 'noindex' } }),
      pageOf('/x', [], { meta: { title: 'T' } }),
      pageOf('/y'),
    ])
    const meta = (pageSlug: string, patch: Props) =>
      applied(draft, [{ op: 'update_page_meta', pageSlug, patch }]).draft.page(pageSlug)
    t.same(meta('/', { title: '', description: 'D', keywords: 'x' })?.meta, {
      robots: 'noindex',
      description: 'D',
    })
    t.notOk(Object.hasOwn(meta('/x', { title: '' }) ?? {}, 'meta'), 'empty meta is removed')
    t.same(meta('/y', { ogImage: '/a.png' })?.meta, { ogImage: '/a.png' })
    refused(
      t,
      draft,
      [{ op: 'update_page_meta', pageSlug: '/x', patch: { keywords: 'x' } }],
      'no_effective_change',
      /./,
    )
    refused(
      t,
      draft,
      [{ op: 'update_page_meta', pageSlug: '/gone', patch: {} }],
      'not_found',
      /no page \/gone/,
    )
  })

  t.test('labels merge, groups are replaced, the rest of the config stays', async (t) => {
    const before = {
      name: 'Nord',
      navLabels: { '/a': 'Alpha', '/b': 'Beta' },
      navGroups: { More: ['/b'] },
      tone: 'calm',
      previewUrl: 'http://localhost:3000',
    }
    const update = (patch: Props) =>
      applied(draftOf([pageOf('/')], before), [{ op: 'update_site_config', patch }])
    const { draft, change } = update({
      navLabels: { '/a': '', '/c': 'Gamma' },
      navGroups: { Shop: ['/c'] },
      tone: 'loud',
    })
    t.same(draft.config, {
      ...before,
      navLabels: { '/b': 'Beta', '/c': 'Gamma' },
      navGroups: { Shop: ['/c'] },
    })
    t.equal(change.pages.size, 0)
    t.same(update({ name: 'Süd', logo: '/l.svg' }).draft.config, { ...before, name: 'Süd', logo: '/l.svg' })
    t.equal(update({}).change.config, undefined)
    t.equal(update({ name: 'Nord' }).change.config, undefined)
  })
})

t.test('which block an id resolves to', async (t) => {
  const blocks = [cta('b_cta_1'), cta('b_hero_5_copy'), cta('b_x_copy_2'), cta('b_faq_1'), cta('b_faq_2')]
  const meant = (id: string, byType = false) => {
    const found = resolveBlock(blocks, id, { byType })
    return found && [found.block.id, found.strategy]
  }
  t.same(meant('b_cta_1'), ['b_cta_1', undefined])
  t.same(meant('b_cta_1_copy_3'), ['b_cta_1', 'strip_copy_suffix'])
  t.same(meant('b_cta_1_copy'), ['b_cta_1', 'strip_copy_suffix'])
  t.same(meant('b_hero_5'), ['b_hero_5_copy', 'append_copy_suffix'])
  t.same(meant('b_hero_5_copy'), ['b_hero_5_copy', undefined])
  t.equal(meant('b_CTA_9'), undefined)
  t.same(meant('b_CTA_9', true), ['b_cta_1', 'type_prefix'])
  t.equal(meant('b_faq_9', true), undefined, 'two candidates are ambiguous')
  t.equal(meant('hero', true), undefined)

  const draft = onlyPage([
    cta('b_cta_1'),
    block('b_faq_1', 'FAQAccordion', { items: [{ id: 'a' }, { id: 'b' }] }),
  ])
  const plan = (op: Props) => run(draft, [{ pageSlug: '/', ...op }], planner)
  t.match(plan({ op: 'update_props', blockId: 'b_cta_7', patch: { title: 'x' } }), {
    results: { fuzzyMatches: [{ strategy: 'type_prefix', resolvedId: 'b_cta_1' }] },
  })
  t.match(plan({ op: 'move_block', blockId: 'b_cta_7' }), { ok: true, ops: [{ blockId: 'b_cta_1' }] })
  t.match(plan({ op: 'remove_block', blockId: 'b_cta_7' }), { category: 'not_found' })
  t.match(plan({ op: 'remove_item', blockId: 'b_faq_7', listKey: 'items', index: 0 }), {
    category: 'not_found',
  })
  t.match(run(draft, [{ op: 'update_props', pageSlug: '/', blockId: 'b_cta_7', patch: {} }]), {
    category: 'not_found',
  })
})

t.test('the result for clients', async (t) => {
  const draft = draftOf([
    pageOf('/', [cta('a'), block('f', 'FAQAccordion', { title: 'Q', items: [{ id: '1', q: 'q', a: 'a' }] })]),
    pageOf('/x', [cta('b')]),
    pageOf('/y'),
  ])
  const update = { op: 'update_props', pageSlug: '/', blockId: 'a', patch: { title: 'n' } }
  const move = { op: 'move_block', pageSlug: '/', blockId: 'a', afterBlockId: 'f' }
  const item = {
    op: 'update_item',
    pageSlug: '/',
    blockId: 'f',
    listKey: 'items',
    index: 0,
    patch: { q: 'n' },
  }
  const copy = { op: 'duplicate_block', pageSlug: '/x', blockId: 'b' }
  const add = { op: 'add_block', pageSlug: '/', block: cta('new') }
  const resultOf = (ops: readonly unknown[], currentSlug?: string) =>
    applied(draft, ops, { currentSlug }).results

  t.test('the block to select', async (t) => {
    const focus = (...ops: readonly unknown[]) => resultOf(ops).focusBlockId
    t.equal(focus(update, move, item, copy, add), 'new')
    t.equal(focus(update, move, item, copy), 'b_copy')
    t.equal(focus(update, move, item), 'f')
    t.equal(focus(update, move), 'a')
    t.equal(focus(update), 'a')
    t.equal(focus({ op: 'move_page', pageSlug: '/x' }), undefined)
    t.equal(
      focus({ ...update, patch: {} }, { ...update, pageSlug: '/x', blockId: 'b' }),
      'b',
      'a skipped operation is not focused',
    )
  })

  t.test('the page to show', async (t) => {
    const shown = (ops: readonly unknown[], current?: string) => resultOf(ops, current).updatedSlug
    const create = (slug: string) => ({ op: 'create_page', page: { slug } })
    t.equal(shown([update]), undefined)
    t.equal(shown([create('new')]), '/new')
    t.equal(shown([create('new'), { op: 'rename_page', pageSlug: '/new', newPageSlug: '/newer' }]), '/newer')
    t.equal(shown([create('new'), create('newer')]), undefined)
    t.equal(shown([{ op: 'duplicate_page', pageSlug: '/x' }]), '/x-copy')
    t.equal(shown([{ op: 'duplicate_page', pageSlug: '/x' }], '/'), undefined)
    t.equal(shown([{ op: 'rename_page', pageSlug: '/x', newPageSlug: '/z' }]), '/z')
    t.equal(shown([{ op: 'rename_page', pageSlug: '/x', newTitle: 'Z' }]), '/x')
    t.equal(shown([{ op: 'remove_page', pageSlug: '/x' }]), '/')
    t.equal(shown([{ op: 'remove_page', pageSlug: '/x' }], '/y'), undefined)
    t.equal(shown([{ op: 'update_site_config', patch: {} }]), undefined)
  })

  t.test('the pages to offer as links', async (t) => {
    const mentioned = (ops: readonly unknown[], current?: string) => resultOf(ops, current).mentionedSlugs
    t.same(mentioned([{ ...update, pageSlug: '/x', blockId: 'b' }, update]), ['/', '/x'])
    t.same(mentioned([{ op: 'move_page', pageSlug: '/y', afterPageSlug: '/' }]), ['/', '/y'])
    t.same(mentioned([{ ...copy, toPageSlug: '/y' }]), ['/y'])
    t.same(mentioned([{ op: 'duplicate_page', pageSlug: '/x', afterPageSlug: '/y' }]), ['/x-copy', '/y'])
    t.same(mentioned([{ op: 'duplicate_page', pageSlug: '/x', afterPageSlug: '/x' }]), ['/x-copy'])
    t.same(mentioned([{ op: 'rename_page', pageSlug: '/x', newPageSlug: '/z' }]), ['/z'])
    t.same(mentioned([{ op: 'remove_page', pageSlug: '/x' }]), ['/'])
    t.same(mentioned([{ op: 'update_site_config', patch: {} }]), ['/'])
    t.same(mentioned([{ op: 'update_site_config', patch: {} }], '/y'), ['/y'])
    t.same(mentioned([{ op: 'create_page', page: { slug: '/n' } }]), ['/n'])
  })

  t.test('ids depend on the operations alone, so that a dry run gives the same ids', async (t) => {
    const ops = [
      { op: 'add_item', pageSlug: '/', blockId: 'f', listKey: 'items', item: { q: 'x', a: 'y' } },
      copy,
    ]
    t.same(run(draft, ops), run(draft, ops))
  })
})

t.test('a type that was registered by the host works like a built-in one', async (t) => {
  const own = createRegistry([
    {
      type: 'Note',
      propsSchema: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1 } },
        required: ['text'],
      },
      meta: { displayName: 'Note' },
    },
  ])
  const draft = onlyPage([block('n', 'Note', { text: 'a' })])
  t.ok(
    run(draft, [{ op: 'update_props', pageSlug: '/', blockId: 'n', patch: { text: 'b' } }], { registry: own })
      .ok,
  )
  refused(
    t,
    draft,
    [{ op: 'update_props', pageSlug: '/', blockId: 'n', patch: { text: '' } }],
    'schema_violation',
    /^ops\[0\]\.patch\.text: /,
    { registry: own },
  )
})
