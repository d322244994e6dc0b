/** How the cost of an operation grows with the blocks, rows and pages of a draft. */
import { performance } from 'node:perf_hooks'
import fc from '../helpers/property.ts'
import t from 'tap'
import { applyBatch, readsOf } from '../../plugins/content/batch.ts'
import { pageDelta } from '../../plugins/content/delta.ts'
import { diffContent } from '../../plugins/content/diff/index.ts'
import type { Block, Draft, Page, Props, SiteConfig } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { canonical } from '../helpers/canonical.ts'
import { changed, draftOf, guarded, pageOf, pagesOf } from '../helpers/content.ts'
import { openDrafts } from '../helpers/stack.ts'

const now = new Date('2026-05-01T12:00:00.000Z')
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

function apply(draft: Draft, raw: readonly unknown[]) {
  const read = parseOperations(raw)
  if (!read.ok) throw new Error(read.message)
  return applyBatch(draft, read.ops, { source: 'direct', registry, now })
}

// Renames in one batch ---------------------------------------------------------------------------------------------

const cta = (id: string, ctaHref: string): Block => ({ id, type: 'CTA', props: { title: 'T', description: `[a](${ctaHref})`, ctaText: 'Go', ctaHref } })
const slug = fc.constantFrom('/a', '/b', '/c', '/a/x', '/b/x', '/d')
const link = fc.tuple(slug, fc.constantFrom('', '#top', '?q=1', '/x', '-old', '/y')).map(([to, rest]) => to + rest)
const pageSlug = slug
const step: fc.Arbitrary<Props> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('rename_page'), pageSlug, newPageSlug: slug }) },
  fc.record({ op: fc.constant('update_props'), pageSlug: fc.constantFrom('/', '/a', '/b'), blockId: fc.constantFrom('b1', 'b2'), patch: fc.record({ ctaHref: link }) }),
  fc.record({ op: fc.constant('create_page'), page: fc.record({ slug, blocks: link.map((to) => [cta('new', to)]) }) }),
  fc.record({ op: fc.constant('remove_page'), pageSlug }),
  fc.record({ op: fc.constant('duplicate_page'), pageSlug, newPageSlug: slug }),
  fc.record({ op: fc.constant('update_site_config'), patch: fc.record({ navLabels: fc.dictionary(slug, fc.constantFrom('L', ''), { maxKeys: 2 }), navGroups: fc.dictionary(fc.constantFrom('G', 'H'), fc.array(slug, { maxLength: 3 })) }) }),
)
const start = fc.record({
  links: fc.array(link, { minLength: 5, maxLength: 5 }),
  config: fc.record<SiteConfig>({ navLabels: fc.dictionary(slug, fc.constantFrom('A', 'B')), navGroups: fc.dictionary(fc.constantFrom('G', 'H'), fc.array(slug, { maxLength: 4 })) }),
  steps: fc.array(step, { minLength: 2, maxLength: 12 }),
})

/**
 * A draft without stamps, key order and block ids: a copy may not reuse an id that the same batch removed.
 */
const shown = (draft: Draft) => canonical({
  config: draft.config,
  pages: pagesOf(draft).map(({ id, slug, title, blocks }) => ({ id, slug, title, props: blocks.map(({ props }) => props) })),
})

t.test('renames in one batch have the same result as one after another, whatever else the batch does', async (t) => {
  fc.assert(fc.property(start, ({ links, config, steps }) => {
    const [home = '', a = '', b = '', c = '', d = ''] = links
    const pages = [['/', home], ['/a', a], ['/b', b], ['/c', c], ['/a/x', d]].map(([slug = '', to = '']) => pageOf(slug, [cta('b1', to), cta('b2', '/b')]))
    const before = draftOf(pages, config)
    let draft = before
    const taken = steps.filter((op) => {
      const result = apply(draft, [op])
      if (result.ok) draft = changed(draft, result.change)
      return result.ok
    })
    if (taken.length === 0) return
    const read = parseOperations(taken)
    if (!read.ok) throw new Error(read.message)
    const together = applyBatch(guarded(before, readsOf(read.ops)), read.ops, { source: 'direct', registry, now })
    if (!together.ok) throw new Error(together.message)
    if (shown(changed(before, together.change)) !== shown(draft)) throw new Error(`${shown(changed(before, together.change))}\nis not\n${shown(draft)}`)
  }), { numRuns: 400 })
  t.pass()
})

t.test('two pages swap slugs through a third one, and links follow', async (t) => {
  const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
  const draft = draftOf([pageOf('/', [cta('b1', '/a#x'), cta('b2', '/b')]), pageOf('/a'), pageOf('/b')], { navLabels: { '/a': 'A', '/b': 'B' } })
  const swapped = apply(draft, [rename('/a', '/t'), rename('/b', '/a'), rename('/t', '/b')])
  if (!swapped.ok) throw new Error(swapped.message)
  const after = changed(draft, swapped.change)
  t.same(after.page('/')?.blocks.map(({ props }) => props['ctaHref']), ['/b#x', '/a'])
  t.same(after.config, { navLabels: { '/b': 'A', '/a': 'B' } })
})

t.test('any number of renames reads each page of the draft once', async (t) => {
  const pages = times(1_000, (at) => pageOf(at === 0 ? '/' : `/p${at}`, [cta('b1', `/p${(at * 7) % 1_000}`)]))
  const draft = draftOf(pages)
  let reads = 0
  const counted: Draft = { ...draft, page: (slug) => (reads += 1, draft.page(slug)) }
  t.ok(apply(counted, times(200, (at) => ({ op: 'rename_page', pageSlug: `/p${at + 1}`, newPageSlug: `/q${at + 1}` }))).ok)
  t.ok(reads <= 1_000 + 200 * 12, `${reads} reads`)
})

t.test('a link that is renamed many times is subject to the same budget as other work', async (t) => {
  const pages = [...times(4_000, (at) => pageOf(`/p${at}`, [cta('b1', `/a?${at}`)])), pageOf('/a'), pageOf('/')]
  const ops = times(200, (at) => ({ op: 'rename_page', pageSlug: at % 2 === 0 ? '/a' : '/b', newPageSlug: at % 2 === 0 ? '/b' : '/a' }))
  t.match(apply(draftOf(pages), ops), { ok: false, category: 'operation_failed', message: /^ops\[199\]: this batch takes too long/ })
})

// Growth -----------------------------------------------------------------------------------------------------------

interface Work {
  readonly pages: readonly Page[]
  readonly config?: SiteConfig
  readonly ops: readonly Props[]
}

const quote = (id: string): Block => ({ id, type: 'Quote', props: { quote: 'Q' } })
const blocks = (n: number, id = (at: number) => `b${at}`) => times(n, (at) => quote(id(at)))
const long = (n: number) => pageOf('/', blocks(n))
const links = (n: number) => times(n, (at): Block => ({ id: `b${at}`, type: 'Quote', props: { quote: '[x](/a)' } }))
const rows = (n: number) => times(n, (at) => ({ id: `r${at}`, q: 'Q', a: 'A' }))
const faq = (n: number) => [pageOf('/', [{ id: 'f', type: 'FAQAccordion', props: { title: 'T', items: rows(n) } }])]
const site = (n: number) => [pageOf('/'), ...times(n, (at) => pageOf(`/p${at}`))]
const many = (n: number) => Math.min(n, 200)
const onBlock = (op: string, more: (at: number) => Props = () => ({})) => (n: number): Work =>
  ({ pages: [long(n)], ops: times(many(n) / 2, (at) => ({ op, pageSlug: '/', blockId: `b${n - 1 - at}`, ...more(at) })) })
const onRow = (op: string, more: (at: number, n: number) => Props) => (n: number): Work =>
  ({ pages: faq(n), ops: times(many(n) / 2, (at) => ({ op, pageSlug: '/', blockId: 'f', listKey: 'items', ...more(at, n) })) })
const onPage = (op: string, more: (at: number) => Props = () => ({})) => (n: number): Work =>
  ({ pages: site(n), ops: times(many(n) / 2, (at) => ({ op, pageSlug: `/p${n - 1 - at}`, ...more(at) })) })

const works: Readonly<Record<string, (n: number) => Work>> = {
  add_block: (n) => ({ pages: [long(n), pageOf('/b', blocks(n, (at) => `c${at}`))], ops: times(many(n) / 2, (at) => ({ op: 'add_block', pageSlug: at % 2 ? '/' : '/b', block: quote(`n${at}`) })) }),
  update_props: onBlock('update_props', (at) => ({ patch: { quote: `Q${at}` } })),
  remove_block: onBlock('remove_block'),
  move_block: onBlock('move_block'),
  duplicate_block: onBlock('duplicate_block'),
  'duplicate_block repeatedly': (n) => ({ pages: [long(n)], ops: times(many(n) / 2, () => ({ op: 'duplicate_block', pageSlug: '/', blockId: 'b0' })) }),
  'duplicate_block of a block with many copies': (n) => ({ pages: [pageOf('/', [quote('b'), quote('b_copy'), ...blocks(n, (at) => `b_copy_${at + 1}`)])], ops: [{ op: 'duplicate_block', pageSlug: '/', blockId: 'b' }] }),
  add_item: onRow('add_item', () => ({ item: { q: 'N', a: 'n' } })),
  update_item: onRow('update_item', (at) => ({ index: at, patch: { q: `Q${at}` } })),
  remove_item: onRow('remove_item', () => ({ index: 0 })),
  move_item: onRow('move_item', (_, n) => ({ index: n - 1 })),
  'a complete list': (n) => ({ pages: faq(n), ops: [{ op: 'update_props', pageSlug: '/', blockId: 'f', patch: { items: rows(n).toReversed() } }] }),
  'a complete list without keys': (n) => ({ pages: faq(0), ops: [{ op: 'update_props', pageSlug: '/', blockId: 'f', patch: { items: times(n, () => ({ q: 'Q', a: 'A' })) } }] }),
  create_page: (n) => ({ pages: site(n), ops: times(many(n) / 2, (at) => ({ op: 'create_page', page: { slug: `/n${at}`, blocks: [] } })) }),
  'create_page of many blocks': (n) => ({ pages: [long(n)], ops: [
    { op: 'update_props', pageSlug: '/', blockId: 'b0', patch: { quote: 'N' } }, { op: 'create_page', page: { slug: '/n', blocks: blocks(n) } },
  ] }),
  'create_page of twins': (n) => ({ pages: [pageOf('/')], ops: [{ op: 'create_page', page: { slug: '/n', blocks: blocks(n, () => 'b') } }] }),
  rename_page: onPage('rename_page', (at) => ({ newPageSlug: `/n${at}` })),
  'rename_page with many links': (n) => ({ pages: [pageOf('/', links(n)), pageOf('/a')], ops: [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' }] }),
  'rename_page with many labels': (n) => ({
    ...onPage('rename_page', (at) => ({ newPageSlug: `/n${at}` }))(n),
    config: { navLabels: Object.fromEntries(times(n, (at) => [`/p${at}`, 'L'])), navGroups: { G: times(n, (at) => `/p${at}`) } },
  }),
  remove_page: onPage('remove_page'),
  move_page: onPage('move_page'),
  duplicate_page: onPage('duplicate_page'),
  'duplicate_page repeatedly': (n) => ({ pages: site(n), ops: times(many(n) / 2, () => ({ op: 'duplicate_page', pageSlug: '/p0' })) }),
  'duplicate_page of many blocks': (n) => ({ pages: [long(n), pageOf('/b', blocks(n, (at) => `c${at}`))], ops: [
    { op: 'update_props', pageSlug: '/b', blockId: 'c0', patch: { quote: 'N' } }, { op: 'duplicate_page', pageSlug: '/' },
  ] }),
  'duplicate_page of twins': (n) => ({ pages: [pageOf('/', blocks(n, () => 'b'))], ops: [{ op: 'duplicate_page', pageSlug: '/' }] }),
  update_page_meta: onPage('update_page_meta', (at) => ({ patch: { title: `T${at}` } })),
  update_site_config: (n) => ({ pages: site(1), config: { navLabels: Object.fromEntries(times(n, (at) => [`/p${at}`, 'L'])) }, ops: times(many(n) / 4, (at) => ({ op: 'update_site_config', patch: { navLabels: { [`/p${at}`]: `L${at}` } } })) }),
}

const sizes = [10, 100, 1_000, 10_000]
/** Ten times the input may take thirteen times as long; a quadratic loop takes a hundred times. */
const mostGrowth = 45
/** Fewer milliseconds are not measurable. */
const measurable = 20

function leastTime(runs: number, run: () => void): number {
  return Math.min(...times(runs, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  }))
}

t.test('the cost of every operation grows no faster than the data it reads', async (t) => {
  for (const [name, workOf] of Object.entries(works)) {
    const took = sizes.map((n) => {
      const { pages, config, ops } = workOf(n)
      const draft = draftOf(pages, config)
      return leastTime(3, () => {
        const result = apply(draft, ops)
        if (!result.ok) throw new Error(`${name}: ${result.message}`)
        for (const { before, after } of result.change.pages.values()) pageDelta(before, after)
      })
    })
    const [, , some = 0, most = 0] = took
    t.ok(most < measurable || most < mostGrowth * some, `${name}: ${took.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  }
})

t.test('a diff grows no faster than its two sides', async (t) => {
  const sides: Readonly<Record<string, (n: number) => readonly [before: readonly Page[], after: readonly Page[]]>> = {
    pages: (n) => [site(n), site(n).toReversed().map((page) => ({ ...page, title: 'New' }))],
    'blocks in another order': (n) => [[long(n)], [pageOf('/', blocks(n).toReversed())]],
    'other blocks': (n) => [[long(n)], [pageOf('/', blocks(n, (at) => `c${at}`))]],
    'twins': (n) => [[pageOf('/', blocks(n, () => 'b'))], [pageOf('/', blocks(n - 1, () => 'b'))]],
    rows: (n) => [faq(n), [pageOf('/', [{ id: 'f', type: 'FAQAccordion', props: { title: 'T', items: rows(n).toReversed() } }])]],
  }
  for (const [name, sidesOf] of Object.entries(sides)) {
    const took = sizes.map((n) => {
      const [before, after] = sidesOf(n)
      return leastTime(3, () => void diffContent({ registry, draft: { pages: after }, baseline: { pages: before } }))
    })
    const [, , some = 0, most = 0] = took
    t.ok(most < measurable || most < mostGrowth * some, `${name}: ${took.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  }
})

t.test('over HTTP the cost of every operation grows no faster than the data it reads', async (t) => {
  for (const [name, workOf] of Object.entries(works)) {
    const took = []
    for (const n of [1_000, 10_000]) {
      const { pages, config, ops } = workOf(n)
      const { bootstrap, config: configure, ops: send } = openDrafts(t, { draft: { maxPagesPerBootstrap: 20_000 } })
      await bootstrap(pages)
      if (config) await configure(config)
      const started = performance.now()
      const answer = await send(ops)
      took.push(performance.now() - started)
      t.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 200)}`)
    }
    const [some = 0, most = 0] = took
    t.ok(most < 20 * measurable || most < mostGrowth * some, `${name}: ${took.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  }
})

t.test('a change of many pages yields to the event loop between pages', async (t) => {
  const pages = [pageOf('/a'), ...times(5_000, (at) => pageOf(at === 0 ? '/' : `/p${at}`, [cta('b1', '/a')]))]
  const { bootstrap, ops, page } = openDrafts(t, { draft: { maxPagesPerBootstrap: 10_000 } })
  await bootstrap(pages)
  let turns = 0
  let counting = setImmediate(function count() {
    turns += 1
    counting = setImmediate(count)
  })
  // Turns of the event loop are counted, not milliseconds, so that a slow machine does not matter.
  const answer = await ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' }])
  clearImmediate(counting)
  t.equal(answer.status, 200)
  t.equal((await page('/p4999')).blocks[0]?.props['ctaHref'], '/b')
  t.ok(turns > 3, `${turns} turns`)
})
