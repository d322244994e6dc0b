import t from 'tap'
import { changeLine } from '../../../plugins/chat/testing.ts'
import { definitions } from '../../../plugins/content/operations/index.ts'
import { opsOf } from '../../helpers/chat.ts'
import { changeLines } from '../../../plugins/chat/port.ts'

const at = { pageSlug: '/a', blockId: 'b' }
const row = { ...at, listKey: 'cards' }
const block = { id: 'b', type: 'Hero', props: {} }

/** One of each kind, and more where omitted fields change the line. */
const table: readonly (readonly [op: object, done: string])[] = [
  [{ op: 'create_page', page: { slug: '/a', title: 'A' } }, 'Created page “A” at /a'],
  [{ op: 'create_page', page: { slug: '/a' } }, 'Created page “/a” at /a'],
  [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b', newTitle: 'B' }, 'Renamed page /a to /b, “B”'],
  [{ op: 'rename_page', pageSlug: '/a', newTitle: 'B' }, 'Renamed page /a to “B”'],
  [{ op: 'remove_page', pageSlug: '/a' }, 'Removed page /a'],
  [{ op: 'move_page', pageSlug: '/a', afterPageSlug: '/b' }, 'Moved page /a after /b'],
  [{ op: 'move_page', pageSlug: '/a' }, 'Moved page /a'],
  [{ op: 'duplicate_page', pageSlug: '/a', newPageSlug: '/b' }, 'Duplicated page /a as /b'],
  [{ op: 'duplicate_page', pageSlug: '/a' }, 'Duplicated page /a'],
  [
    { op: 'update_page_meta', pageSlug: '/a', patch: { title: 'T' } },
    'Changed the search engine texts of /a: title to “T”',
  ],
  [
    { op: 'update_site_config', patch: { name: 'N', navLabels: {} } },
    'Changed the site settings: name of the site to “N”, names in the menu',
  ],
  [{ op: 'add_block', pageSlug: '/a', block }, 'Added Hero to /a'],
  [
    { op: 'update_props', ...at, patch: { heading: null, level: 2, wide: true } },
    'Changed Hero on /a: no heading, level to “2”, wide to “true”',
  ],
  [
    { op: 'update_props', ...at, patch: { heading: `${'x'.repeat(80)}y` } },
    `Changed Hero on /a: heading to “${'x'.repeat(80)}…”`,
  ],
  [{ op: 'remove_block', ...at }, 'Removed Hero on /a'],
  [{ op: 'move_block', ...at }, 'Moved Hero on /a'],
  [{ op: 'duplicate_block', ...at, toPageSlug: '/b' }, 'Duplicated Hero on /a to /b'],
  [{ op: 'duplicate_block', ...at, toPageSlug: '/a' }, 'Duplicated Hero on /a'],
  [{ op: 'add_item', ...row, item: {} }, 'Added a row to cards of Hero on /a'],
  [
    { op: 'update_item', ...row, index: 0, patch: { title: 'T' } },
    'Changed row 1 in cards of Hero on /a: title to “T”',
  ],
  [{ op: 'remove_item', ...row, index: 1 }, 'Removed row 2 in cards of Hero on /a'],
  [{ op: 'move_item', ...row, index: 1 }, 'Moved row 2 in cards of Hero on /a'],
]
/** The verb of each line, for what is done and for what is planned. */
const verbs: Readonly<Record<string, string>> = {
  Created: 'Create',
  Renamed: 'Rename',
  Removed: 'Remove',
  Moved: 'Move',
  Duplicated: 'Duplicate',
  Changed: 'Change',
  Added: 'Add',
}

t.test('every operation has a line in both tenses', async (t) => {
  const kinds = new Set<string>()
  for (const [raw, done] of table) {
    const [op] = opsOf(raw)
    if (!op) return t.fail('there is an operation')
    kinds.add(op.op)
    const line = (tense: 'done' | 'planned') =>
      changeLine(op, tense, {
        block: 'Hero',
        field: (name) => name,
        text: (value) => value,
        page: (slug) => slug,
      })
    t.same([line('done'), line('planned')], [done, done.replace(/^\w+/, (verb) => verbs[verb] ?? '')])
  }
  t.same(kinds, new Set(definitions.map(({ name }) => name)), 'the table covers all operations')
})

t.test('pages are named by their titles, and rich text has no marks', async (t) => {
  const blocks = [{ id: 'b', type: 'RichText', props: { title: '', body: 'Hello' } }]
  const page = { id: 'p', slug: '/', title: 'Welcome', updatedAt: '', blocks }
  const ops = opsOf(
    { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { body: '## Our **bikes**' } },
    { op: 'create_page', page: { slug: '/new', title: 'News' } },
    { op: 'move_page', pageSlug: '/new', afterPageSlug: '/' },
  )
  t.strictSame(changeLines(ops, 'done', {}, [page]), [
    'Changed Rich text on Welcome: body to “Our bikes”',
    'Created page “News” at /new',
    'Moved page News after Welcome',
  ])
  const renamed = opsOf({ op: 'rename_page', pageSlug: '/', newTitle: 'Hello' }, ...ops.slice(0, 1))
  t.strictSame(changeLines(renamed, 'done', {}, [{ ...page, title: 'Hello' }], [page]), [
    'Renamed page Welcome to “Hello”',
    'Changed Rich text on Hello: body to “Our bikes”',
  ])
})
