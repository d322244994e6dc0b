import { applyBatch } from '../../plugins/content/batch.ts'
import type { Draft } from '../../plugins/content/model.ts'
import type { Operation } from '../../plugins/content/operations/index.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { inTurn, report } from './harness.ts'
import { pageOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const rounds = 9

/** Mean microseconds per call. */
async function timeOf(calls: number, run: (at: number) => unknown): Promise<number> {
  const started = process.cpuUsage()
  for (let at = 0; at < calls; at++) run(at)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / calls
}

/** Twenty-one typical operations. */
const mixed: readonly object[] = Array.from({ length: 3 }, (_, at) => [
  {
    op: 'update_props',
    pageSlug: '/',
    blockId: `b_${at}`,
    patch: { title: 'New title', body: 'Some text for the body of the block.' },
  },
  {
    op: 'add_block',
    pageSlug: '/',
    block: {
      id: `b_new_${at}`,
      type: 'CTA',
      props: { title: 'Act', description: 'Now', ctaText: 'Go', ctaHref: '/' },
    },
  },
  {
    op: 'add_item',
    pageSlug: '/faq',
    blockId: 'b_faq',
    listKey: 'items',
    item: { q: 'Why?', a: 'Because.' },
  },
  { op: 'move_block', pageSlug: '/', blockId: `b_${at}`, afterBlockId: 'b_2' },
  { op: 'update_item', pageSlug: '/faq', blockId: 'b_faq', listKey: 'items', index: 1, patch: { q: 'How?' } },
  { op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates', newTitle: 'Rates' },
  { op: 'update_page_meta', pageSlug: '/', patch: { title: 'Home', description: 'Where it begins.' } },
]).flat()

const validation: Bench = async () => {
  const text = JSON.stringify(mixed)
  const parsed = mixed.map(() => JSON.parse(text) as unknown)
  const ratios = await inTurn(
    rounds,
    () => timeOf(20_000, (at) => parseOperations(parsed[at % parsed.length])),
    () => timeOf(20_000, () => JSON.parse(text)),
  )
  return report('21 operations validated, times JSON.parse of them', ratios, { atMost: 2.5 })
}

const edit: Bench = async () => {
  const page = pageOf(40_000)
  const draft: Draft = {
    config: {},
    page: (slug) => (slug === '/' ? page : undefined),
    get order(): never {
      throw new Error('an edit of a block does not read the order')
    },
    hasBlockId: () => false,
    hasPageId: () => false,
  }
  const now = new Date('2026-01-02T12:00:00.000Z')
  const batches = Array.from({ length: 64 }, (_, at): readonly Operation[] => [
    { op: 'update_props', pageSlug: '/', blockId: target, patch: { title: `Title ${at}` } },
  ])
  const options = { source: 'direct', registry: builtinRegistry, now } as const
  const apply = (at: number) => applyBatch(draft, batches[at % batches.length] ?? [], options)
  const ratios = await inTurn(
    rounds,
    () => timeOf(20_000, apply),
    () => timeOf(2_000, () => JSON.parse(JSON.stringify(page)) as unknown),
  )
  return report('one operation on a 40 KB page, times a JSON clone', ratios, { atMost: 0.025 })
}

export const benches = { validation, edit }
