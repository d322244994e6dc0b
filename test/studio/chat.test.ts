import t from 'tap'
import { needsOf } from '../../plugins/studio/app/stores/chat-needs.ts'
import { defaultTicks, toggled } from '../../plugins/studio/app/stores/chat-ticks.ts'
import { after, type Turn } from '../../plugins/studio/app/stores/chat-turn.ts'

t.test('an operation needs the earlier ones that make what it uses', async (t) => {
  const ops = [
    { op: 'create_page', page: { slug: '/new', blocks: [{ id: 'b1', type: 'Hero', props: {} }] } },
    { op: 'add_block', pageSlug: '/new', block: { id: 'b2', type: 'Quote', props: {} }, afterBlockId: 'b1' },
    { op: 'update_props', pageSlug: '/new', blockId: 'b2', patch: {} },
    { op: 'update_props', pageSlug: '/', blockId: 'b9', patch: {} },
    { op: 'remove_item', pageSlug: '/', blockId: 'b9', listKey: 'cards', index: 0 },
    { op: 'update_item', pageSlug: '/', blockId: 'b9', listKey: 'cards', index: 1, patch: {} },
    { op: 'update_item', pageSlug: '/', blockId: 'b9', listKey: 'rows', index: 1, patch: {} },
    { op: 'rename_page', pageSlug: '/new', newPageSlug: '/newer' },
    { op: 'update_page_meta', pageSlug: '/newer', patch: {} },
    { op: 'duplicate_block', pageSlug: '/', blockId: 'b9' },
    { op: 'update_site_config', patch: {} },
  ]
  t.strictSame(needsOf(ops), [[], [1], [1, 2], [], [], [5], [], [1], [8], [], []])
})

t.test('ticks keep what belongs together', async (t) => {
  const rows = [
    { number: 1, needs: [], doubt: 'Outside' },
    { number: 2, needs: [1] },
    { number: 3, needs: [2] },
    { number: 4, needs: [] },
  ]
  const start = defaultTicks(rows)
  t.strictSame([...start], [4], 'nothing is ticked without what it needs')
  const all = toggled(start, rows, 3)
  t.strictSame([...all].toSorted(), [1, 2, 3, 4])
  t.strictSame([...toggled(all, rows, 2)].toSorted(), [1, 4])
  t.strictSame([...toggled(all, rows, 3)].toSorted(), [1, 2, 4])
})

t.test('the events of a run make its turn', async (t) => {
  const turn: Turn = { id: 1, message: 'Hello', cost: { tokens: 10, usd: 0.5 } }
  const debug = { totalTokens: 20, estimatedUsd: 0.25 }
  const result = { status: 'applied', summary: 'Done.', changes: ['One'], previewVersion: 7, debug }
  const events = [
    { type: 'status', message: 'Planning the edit' },
    { type: 'summary_token', text: 'I will ' },
    { type: 'summary_token', text: 'do it' },
    { type: 'op_candidate', index: 1, op: { op: 'move_block' } },
    { type: 'heartbeat', stage: 'planning', label: 'Planning the edit', elapsedMs: 2100 },
  ]
  const run = (more: readonly object[]): Turn =>
    [...events, ...more].reduce<Turn>((before, event) => after(before, event as never), turn)
  t.match(run([]), {
    step: 'Planning the edit',
    seconds: 2,
    text: 'I will do it',
    ops: [{ op: 'move_block' }],
  })
  t.match(run([{ type: 'final', result }]), {
    text: undefined,
    version: 7,
    cost: { tokens: 30, usd: 0.75 },
    failure: undefined,
  })
  t.match(run([{ type: 'error', code: 400, result: { ...result, status: 'validation_error' } }]), {
    failure: 'Done. One',
    version: undefined,
  })
  t.match(run([{ type: 'canceled', message: 'Stopped.' }]), { text: 'I will do it', failure: 'Stopped.' })
})
