import t from 'tap'
import { destructiveReasons } from '../../../plugins/chat/pipeline/approval.ts'
import type { DestructiveReason } from '../../../plugins/chat/types/plan.ts'
import { opsOf, removeBlock, removePage, setBody, startPages } from '../../helpers/chat.ts'

type Row = readonly [name: string, ops: readonly object[], reasons: readonly DestructiveReason[]]

const page = { slug: '/new', title: 'New', blocks: [] }
const wiped = { kind: 'majority_page_wipe', slug: '/', removing: 3, total: 4 } as const

const table: readonly Row[] = [
  ['one field', [setBody('x')], []],
  ['many fields of one page', [setBody('x'), setBody('y', 'b_2'), setBody('z', 'b_3')], []],
  ['a new page', [{ op: 'create_page', page }], []],
  [
    'a new page and work on it',
    [
      { op: 'create_page', page },
      { op: 'add_block', pageSlug: '/new', block: { id: 'x', type: 'Hero', props: {} } },
    ],
    [],
  ],
  [
    'two new pages',
    [
      { op: 'create_page', page },
      { op: 'create_page', page: { ...page, slug: '/newer' } },
    ],
    [{ kind: 'multi_page_plan', slugs: ['/new', '/newer'] }],
  ],
  [
    'two pages',
    [setBody('x'), setBody('y', 'b_5', '/about')],
    [{ kind: 'multi_page_plan', slugs: ['/', '/about'] }],
  ],
  [
    'a page is removed',
    [removePage('/about')],
    [{ kind: 'remove_page', slug: '/about', title: 'about', blockCount: 2 }],
  ],
  [
    'two pages are removed',
    [removePage('/about'), removePage('/team')],
    [
      { kind: 'remove_page', slug: '/about', title: 'about', blockCount: 2 },
      { kind: 'remove_page', slug: '/team', title: 'team', blockCount: 1 },
      { kind: 'multi_page_plan', slugs: ['/about', '/team'] },
    ],
  ],
  ['half of the blocks are removed', [removeBlock('b_1'), removeBlock('b_2')], []],
  [
    'more than half are removed',
    [removeBlock('b_1'), removeBlock('b_2'), removeBlock('b_3')],
    [{ kind: 'bulk_remove_blocks', count: 3 }, wiped],
  ],
  [
    'the only block is removed',
    [removeBlock('b_7', '/team')],
    [{ kind: 'majority_page_wipe', slug: '/team', removing: 1, total: 1 }],
  ],
  [
    'rows are removed',
    [0, 1, 2].map((index) => ({ op: 'remove_item', pageSlug: '/', blockId: 'b_1', listKey: 'items', index })),
    [],
  ],
  ['a page is renamed', [{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }], []],
  [
    'a page is renamed and edited',
    [{ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }, setBody('x', 'b_5', '/us')],
    [],
  ],
  [
    'more than half are removed under a new slug',
    [
      { op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' },
      removeBlock('b_5', '/us'),
      removeBlock('b_6', '/us'),
    ],
    [{ kind: 'majority_page_wipe', slug: '/about', removing: 2, total: 2 }],
  ],
  ['a page is moved', [{ op: 'move_page', pageSlug: '/team', afterPageSlug: '/' }], []],
  [
    'a copy of a page counts, its source does not',
    [{ op: 'duplicate_page', pageSlug: '/about', newPageSlug: '/us' }, setBody('x', 'b_5', '/us')],
    [],
  ],
  [
    'a copy of a block counts for its target page',
    [{ op: 'duplicate_block', pageSlug: '/about', blockId: 'b_5', toPageSlug: '/' }, setBody('x')],
    [],
  ],
  [
    'settings of the site count for no page',
    [{ op: 'update_site_config', patch: { name: 'Acme' } }, setBody('x')],
    [],
  ],
]

for (const [name, ops, reasons] of table) {
  t.test(name, (t) => {
    t.strictSame(destructiveReasons(opsOf(...ops), startPages), reasons)
    t.end()
  })
}
