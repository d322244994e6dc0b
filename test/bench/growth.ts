/** How the time of an operation and of a comparison grows with the blocks, rows and pages of a draft. */
import { applyBatch } from '../../plugins/content/batch.ts'
import { pageDelta } from '../../plugins/content/delta.ts'
import { diffContent } from '../../plugins/content/diff/index.ts'
import type { Block, Page, Props, SiteConfig } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { draftOf, pageOf } from '../helpers/content.ts'
import { report } from './harness.ts'
import type { Bench } from './run.ts'

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

interface GrowthWork {
  readonly pages: readonly Page[]
  readonly config?: SiteConfig
  readonly ops: readonly Props[]
}

const quote = (id: string): Block => ({ id, type: 'Quote', props: { quote: 'Q' } })
const blocks = (n: number, id = (at: number) => `b${at}`) => times(n, (at) => quote(id(at)))
const long = (n: number) => pageOf('/', blocks(n))
const links = (n: number) =>
  times(n, (at): Block => ({ id: `b${at}`, type: 'Quote', props: { quote: '[x](/a)' } }))
const rows = (n: number) => times(n, (at) => ({ id: `r${at}`, q: 'Q', a: 'A' }))
const faq = (n: number) => [
  pageOf('/', [{ id: 'f', type: 'FAQAccordion', props: { title: 'T', items: rows(n) } }]),
]
const site = (n: number) => [pageOf('/'), ...times(n, (at) => pageOf(`/p${at}`))]
const many = (n: number) => Math.min(n, 200)
const onBlock =
  (op: string, more: (at: number) => Props = () => ({})) =>
  (n: number): GrowthWork => ({
    pages: [long(n)],
    ops: times(many(n) / 2, (at) => ({ op, pageSlug: '/', blockId: `b${n - 1 - at}`, ...more(at) })),
  })
const onRow =
  (op: string, more: (at: number, n: number) => Props) =>
  (n: number): GrowthWork => ({
    pages: faq(n),
    ops: times(many(n) / 2, (at) => ({ op, pageSlug: '/', blockId: 'f', listKey: 'items', ...more(at, n) })),
  })
const onPage =
  (op: string, more: (at: number) => Props = () => ({})) =>
  (n: number): GrowthWork => ({
    pages: site(n),
    ops: times(many(n) / 2, (at) => ({ op, pageSlug: `/p${n - 1 - at}`, ...more(at) })),
  })

const works: Readonly<Record<string, (n: number) => GrowthWork>> = {
  add_block: (n) => ({
    pages: [
      long(n),
      pageOf(
        '/b',
        blocks(n, (at) => `c${at}`),
      ),
    ],
    ops: times(many(n) / 2, (at) => ({
      op: 'add_block',
      pageSlug: at % 2 ? '/' : '/b',
      block: quote(`n${at}`),
    })),
  }),
  update_props: onBlock('update_props', (at) => ({ patch: { quote: `Q${at}` } })),
  remove_block: onBlock('remove_block'),
  move_block: onBlock('move_block'),
  duplicate_block: onBlock('duplicate_block'),
  'duplicate_block repeatedly': (n) => ({
    pages: [long(n)],
    ops: times(many(n) / 2, () => ({ op: 'duplicate_block', pageSlug: '/', blockId: 'b0' })),
  }),
  'duplicate_block of a block with many copies': (n) => ({
    pages: [pageOf('/', [quote('b'), quote('b_copy'), ...blocks(n, (at) => `b_copy_${at + 1}`)])],
    ops: [{ op: 'duplicate_block', pageSlug: '/', blockId: 'b' }],
  }),
  add_item: onRow('add_item', () => ({ item: { q: 'N', a: 'n' } })),
  update_item: onRow('update_item', (at) => ({ index: at, patch: { q: `Q${at}` } })),
  remove_item: onRow('remove_item', () => ({ index: 0 })),
  move_item: onRow('move_item', (_, n) => ({ index: n - 1 })),
  'a complete list': (n) => ({
    pages: faq(n),
    ops: [{ op: 'update_props', pageSlug: '/', blockId: 'f', patch: { items: rows(n).toReversed() } }],
  }),
  'a complete list without keys': (n) => ({
    pages: faq(0),
    ops: [
      {
        op: 'update_props',
        pageSlug: '/',
        blockId: 'f',
        patch: { items: times(n, () => ({ q: 'Q', a: 'A' })) },
      },
    ],
  }),
  create_page: (n) => ({
    pages: site(n),
    ops: times(many(n) / 2, (at) => ({ op: 'create_page', page: { slug: `/n${at}`, blocks: [] } })),
  }),
  'create_page of many blocks': (n) => ({
    pages: [long(n)],
    ops: [
      { op: 'update_props', pageSlug: '/', blockId: 'b0', patch: { quote: 'N' } },
      { op: 'create_page', page: { slug: '/n', blocks: blocks(n) } },
    ],
  }),
  'create_page of twins': (n) => ({
    pages: [pageOf('/')],
    ops: [{ op: 'create_page', page: { slug: '/n', blocks: blocks(n, () => 'b') } }],
  }),
  rename_page: onPage('rename_page', (at) => ({ newPageSlug: `/n${at}` })),
  'rename_page with many links': (n) => ({
    pages: [pageOf('/', links(n)), pageOf('/a')],
    ops: [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' }],
  }),
  'rename_page with many labels': (n) => ({
    pages: site(n),
    // More than 24 renames of 10,000 labels are refused as too much work.
    ops: times(20, (at) => ({ op: 'rename_page', pageSlug: `/p${n - 1 - at}`, newPageSlug: `/n${at}` })),
    config: {
      navLabels: Object.fromEntries(times(n, (at) => [`/p${at}`, 'L'])),
      navGroups: { G: times(n, (at) => `/p${at}`) },
    },
  }),
  remove_page: onPage('remove_page'),
  move_page: onPage('move_page'),
  duplicate_page: onPage('duplicate_page'),
  'duplicate_page repeatedly': (n) => ({
    pages: site(n),
    ops: times(many(n) / 2, () => ({ op: 'duplicate_page', pageSlug: '/p0' })),
  }),
  'duplicate_page of many blocks': (n) => ({
    pages: [
      long(n),
      pageOf(
        '/b',
        blocks(n, (at) => `c${at}`),
      ),
    ],
    ops: [
      { op: 'update_props', pageSlug: '/b', blockId: 'c0', patch: { quote: 'N' } },
      { op: 'duplicate_page', pageSlug: '/' },
    ],
  }),
  'duplicate_page of twins': (n) => ({
    pages: [
      pageOf(
        '/',
        blocks(n, () => 'b'),
      ),
    ],
    ops: [{ op: 'duplicate_page', pageSlug: '/' }],
  }),
  update_page_meta: onPage('update_page_meta', (at) => ({ patch: { title: `T${at}` } })),
  update_site_config: (n) => ({
    pages: site(1),
    config: { navLabels: Object.fromEntries(times(n, (at) => [`/p${at}`, 'L'])) },
    ops: times(20, (at) => ({ op: 'update_site_config', patch: { navLabels: { [`/p${at}`]: `L${at}` } } })),
  }),
}

/** The two sides of a comparison. */
const sides: Readonly<
  Record<string, (n: number) => readonly [before: readonly Page[], after: readonly Page[]]>
> = {
  pages: (n) => [
    site(n),
    site(n)
      .toReversed()
      .map((page) => ({ ...page, title: 'New' })),
  ],
  'blocks in another order': (n) => [[long(n)], [pageOf('/', blocks(n).toReversed())]],
  'other blocks': (n) => [
    [long(n)],
    [
      pageOf(
        '/',
        blocks(n, (at) => `c${at}`),
      ),
    ],
  ],
  twins: (n) => [
    [
      pageOf(
        '/',
        blocks(n, () => 'b'),
      ),
    ],
    [
      pageOf(
        '/',
        blocks(n - 1, () => 'b'),
      ),
    ],
  ],
  rows: (n) => [
    faq(n),
    [pageOf('/', [{ id: 'f', type: 'FAQAccordion', props: { title: 'T', items: rows(n).toReversed() } }])],
  ],
}

const sizes = [1_000, 10_000] as const
/**
 * Ten times the input takes up to 47 times as long, because large objects become dictionaries; a quadratic loop takes
 * a hundred times.
 */
const goal = { atMost: 60 }
/** Less cannot be measured. */
const leastMs = 1

/** CPU milliseconds, the least of three runs. */
function leastTime(run: () => void): number {
  return Math.max(
    leastMs,
    Math.min(
      ...times(3, () => {
        const started = process.cpuUsage()
        run()
        const { user, system } = process.cpuUsage(started)
        return (user + system) / 1000
      }),
    ),
  )
}

/** Reports the time of ten times as much data, times that of the smaller. */
function compare(name: string, runOf: (size: number) => () => void): boolean {
  const [some = 0, most = 0] = sizes.map((size) => leastTime(runOf(size)))
  return report(`${name}: 10,000 against 1,000`, [most / some], goal)
}

const growth: Bench = async () => {
  const operations = Object.entries(works).map(([name, workOf]) =>
    compare(name, (size) => {
      const { pages, config, ops } = workOf(size)
      const draft = draftOf(pages, config)
      const read = parseOperations(ops)
      if (!read.ok) throw new Error(`${name}: ${read.message}`)
      return () => {
        const result = applyBatch(draft, read.ops, { source: 'direct', registry, now: new Date(0) })
        if (!result.ok) throw new Error(`${name}: ${result.message}`)
        for (const { before, after } of result.change.pages.values()) pageDelta(before, after)
      }
    }),
  )
  const comparisons = Object.entries(sides).map(([name, sidesOf]) =>
    compare(`diff of ${name}`, (size) => {
      const [before, after] = sidesOf(size)
      return () => void diffContent({ registry, draft: { pages: after }, baseline: { pages: before } })
    }),
  )
  return [...operations, ...comparisons].every(Boolean)
}

export const benches = { growth }
