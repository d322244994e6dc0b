import t from 'tap'
import { destructiveReasons } from '../../../plugins/chat/port.ts'
import type { DestructiveReason } from '../../../plugins/chat/testing.ts'
import { opsOf, removeBlock, removePage, setBody, startPages } from '../../helpers/chat.ts'

const page = { slug: '/new', title: 'New', blocks: [] }
const create = (slug: string) => ({ op: 'create_page', page: { ...page, slug } })
const rename = { op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }
const block = { id: 'x', type: 'Hero', props: {} }
const row = { op: 'remove_item', pageSlug: '/', blockId: 'b_1', listKey: 'items' }
const copy = { op: 'duplicate_block', pageSlug: '/about', blockId: 'b_5', toPageSlug: '/' }

const harmless: Readonly<Record<string, readonly object[]>> = {
  'fields of one page': [setBody('x'), setBody('y', 'b_2'), setBody('z', 'b_3')],
  'a new page and work on it': [create('/new'), { op: 'add_block', pageSlug: '/new', block }],
  'half of the blocks are removed': [removeBlock('b_1'), removeBlock('b_2')],
  'rows are removed': [0, 1, 2].map((index) => ({ ...row, index })),
  'a page is renamed and edited': [rename, setBody('x', 'b_5', '/us')],
  'a page is moved': [{ op: 'move_page', pageSlug: '/team', afterPageSlug: '/' }],
  'a copy of a page counts, its source does not': [
    { op: 'duplicate_page', pageSlug: '/about', newPageSlug: '/us' },
    setBody('x', 'b_5', '/us'),
  ],
  'a copy of a block counts for its target page': [copy, setBody('x')],
  'settings count for no page': [{ op: 'update_site_config', patch: { name: 'Acme' } }, setBody('x')],
}

const pages = (...slugs: readonly string[]) => ({ kind: 'multi_page_plan', slugs }) as const
const wiped = (slug: string, removing: number, total: number) =>
  ({ kind: 'majority_page_wipe', slug, removing, total }) as const
const about = { kind: 'remove_page', slug: '/about', title: 'about', blockCount: 2 } as const
const team = { kind: 'remove_page', slug: '/team', title: 'team', blockCount: 1 } as const

type ApprovalCase = readonly [name: string, ops: readonly object[], ...reasons: readonly DestructiveReason[]]
const destructive: readonly ApprovalCase[] = [
  ['two new pages', [create('/new'), create('/newer')], pages('/new', '/newer')],
  ['two pages', [setBody('x'), setBody('y', 'b_5', '/about')], pages('/', '/about')],
  ['pages are removed', [removePage('/about'), removePage('/team')], about, team, pages('/about', '/team')],
  [
    'more than half are removed',
    [removeBlock('b_1'), removeBlock('b_2'), removeBlock('b_3')],
    { kind: 'bulk_remove_blocks', count: 3 },
    wiped('/', 3, 4),
  ],
  ['the only block is removed', [removeBlock('b_7', '/team')], wiped('/team', 1, 1)],
  [
    'more than half are removed under a new slug',
    [rename, removeBlock('b_5', '/us'), removeBlock('b_6', '/us')],
    wiped('/about', 2, 2),
  ],
]

t.test('a plan waits for an approval where it removes much or changes several pages', async (t) => {
  const rows: readonly ApprovalCase[] = [...Object.entries(harmless), ...destructive]
  for (const [name, ops, ...reasons] of rows)
    t.strictSame(destructiveReasons(opsOf(...ops), startPages), reasons, name)
})
