/** The work of a batch: what it reads, and when it yields. */
import fc from '../helpers/property.ts'
import t from 'tap'
import { applyBatch, readsOf } from '../../plugins/content/batch.ts'
import type { Block, Draft, Props, SiteConfig } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { readPage } from '../../plugins/content/read-pages.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { canonical } from '../helpers/canonical.ts'
import { changed, draftOf, guarded, pageOf, pagesOf } from '../helpers/content.ts'
import { openDrafts } from '../helpers/stack.ts'

const now = new Date('2026-05-01T12:00:00.000Z')
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

function apply(draft: Draft, raw: readonly unknown[]) {
  const read = parseOperations(raw)
  if (!read.ok) throw new Error(read.message)
  return applyBatch(draft, read.ops, { source: 'direct', registry, now })
}

const cta = (id: string, ctaHref: string): Block => ({
  id,
  type: 'CTA',
  props: { title: 'T', description: `[a](${ctaHref})`, ctaText: 'Go', ctaHref },
})
const slug = fc.constantFrom('/a', '/b', '/c', '/a/x', '/b/x', '/d')
const link = fc
  .tuple(slug, fc.constantFrom('', '#top', '?q=1', '/x', '-old', '/y'))
  .map(([to, rest]) => to + rest)
const pageSlug = slug
const step: fc.Arbitrary<Props> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('rename_page'), pageSlug, newPageSlug: slug }) },
  fc.record({
    op: fc.constant('update_props'),
    pageSlug: fc.constantFrom('/', '/a', '/b'),
    blockId: fc.constantFrom('b1', 'b2'),
    patch: fc.record({ ctaHref: link }),
  }),
  fc.record({
    op: fc.constant('create_page'),
    page: fc.record({ slug, blocks: link.map((to) => [cta('new', to)]) }),
  }),
  fc.record({ op: fc.constant('remove_page'), pageSlug }),
  fc.record({ op: fc.constant('duplicate_page'), pageSlug, newPageSlug: slug }),
  fc.record({
    op: fc.constant('update_site_config'),
    patch: fc.record({
      navLabels: fc.dictionary(slug, fc.constantFrom('L', ''), { maxKeys: 2 }),
      navGroups: fc.dictionary(fc.constantFrom('G', 'H'), fc.array(slug, { maxLength: 3 })),
    }),
  }),
)
const start = fc.record({
  links: fc.array(link, { minLength: 5, maxLength: 5 }),
  config: fc.record<SiteConfig>({
    navLabels: fc.dictionary(slug, fc.constantFrom('A', 'B')),
    navGroups: fc.dictionary(fc.constantFrom('G', 'H'), fc.array(slug, { maxLength: 4 })),
  }),
  steps: fc.array(step, { minLength: 2, maxLength: 12 }),
})

/**
 * A draft without stamps, key order and block ids: a copy may not reuse an id that the same batch removed.
 */
const shown = (draft: Draft) =>
  canonical({
    config: draft.config,
    pages: pagesOf(draft).map(({ id, slug, title, blocks }) => ({
      id,
      slug,
      title,
      props: blocks.map(({ props }) => props),
    })),
  })

t.test(
  'renames in one batch have the same result as one after another, whatever else the batch does',
  async (t) => {
    fc.assert(
      fc.property(start, ({ links, config, steps }) => {
        const [home = '', a = '', b = '', c = '', d = ''] = links
        const pages = [
          ['/', home],
          ['/a', a],
          ['/b', b],
          ['/c', c],
          ['/a/x', d],
        ].map(([slug = '', to = '']) => pageOf(slug, [cta('b1', to), cta('b2', '/b')]))
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
        const together = applyBatch(guarded(before, readsOf(read.ops)), read.ops, {
          source: 'direct',
          registry,
          now,
        })
        if (!together.ok) throw new Error(together.message)
        if (shown(changed(before, together.change)) !== shown(draft))
          throw new Error(`${shown(changed(before, together.change))}\nis not\n${shown(draft)}`)
      }),
      { numRuns: 400 },
    )
    t.pass()
  },
)

t.test('any number of renames reads each page of the draft once', async (t) => {
  const pages = times(1_000, (at) => pageOf(at === 0 ? '/' : `/p${at}`, [cta('b1', `/p${(at * 7) % 1_000}`)]))
  const draft = draftOf(pages)
  let reads = 0
  const counted: Draft = { ...draft, page: (slug) => ((reads += 1), draft.page(slug)) }
  const rename = (at: number) => ({ op: 'rename_page', pageSlug: `/p${at + 1}`, newPageSlug: `/q${at + 1}` })
  t.ok(apply(counted, times(200, rename)).ok)
  t.ok(reads <= 1_000 + 200 * 12, `${reads} reads`)
})

t.test('a link that is renamed many times is subject to the same budget as other work', async (t) => {
  const pages = [
    ...times(4_000, (at) => pageOf(`/p${at}`, [cta('b1', `/a?${at}`)])),
    pageOf('/a'),
    pageOf('/'),
  ]
  const ops = times(200, (at) => ({
    op: 'rename_page',
    pageSlug: at % 2 === 0 ? '/a' : '/b',
    newPageSlug: at % 2 === 0 ? '/b' : '/a',
  }))
  t.match(apply(draftOf(pages), ops), {
    ok: false,
    category: 'operation_failed',
    message: /^ops\[199\]: this batch takes too long/,
  })
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

t.test('the time for a page of blocks that cannot be read is linear', (t) => {
  const many = 80_000
  // Quadratic time would exceed the time limit of the file.
  for (const block of [() => ({}), (n: number) => ({ id: `b${n}` })]) {
    const blocks = Array.from({ length: many }, (_, n) => block(n))
    const found = readPage({ ...pageOf('/'), blocks }, 0)
    if (!('page' in found)) throw new Error('the page was not read')
    const ids = found.page.blocks.map(({ id }) => id)
    t.equal(new Set(ids).size, many)
  }
  t.end()
})
