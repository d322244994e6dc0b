import t from 'tap'
import { changeLine, changeLines } from '../../../plugins/chat/texts/changes.ts'
import { texts } from '../../../plugins/chat/texts/texts.ts'
import type { DestructiveReason } from '../../../plugins/chat/types/plan.ts'
import type { BlockTypeInput } from '../../../plugins/content/model.ts'
import { definitions } from '../../../plugins/content/operations/index.ts'
import { createRegistry } from '../../../plugins/content/registry.ts'
import { opsOf } from '../../helpers/chat.ts'
import { pageOf } from '../../helpers/content.ts'

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
    'Changed the site settings: name to “N”, names in the menu',
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
      changeLine(op, tense, { block: 'Hero', field: (name) => name })
    t.same([line('done'), line('planned')], [done, done.replace(/^\w+/, (verb) => verbs[verb] ?? '')])
  }
  t.same(kinds, new Set(definitions.map(({ name }) => name)), 'the table covers all operations')
})

const plate: BlockTypeInput = {
  type: 'NamePlate',
  propsSchema: { type: 'object' },
  meta: {
    displayName: 'Name plate',
    fields: {
      seo: { kind: 'text', label: 'SEO line' },
      heading: { kind: 'text', label: 'Heading' },
      rows: { kind: 'list', label: 'Lines', itemFields: { t: { kind: 'text', label: 'Line text' } } },
    },
  },
}

/** A built-in block type that the site redeclares with its own name, label and field. */
const banner: BlockTypeInput = {
  type: 'Banner',
  propsSchema: { type: 'object' },
  meta: {
    displayName: 'Notice',
    description: 'A coloured strip with a short announcement. Its own colours override those of the variant.',
    fields: {
      text: { kind: 'text', label: 'Words' },
      ctaText: { kind: 'text', label: 'Button text' },
      ogTitle: { kind: 'text', label: 'Title' },
      ctaHref: { kind: 'list', label: 'Button link', itemFields: { to: { kind: 'url', label: 'Link' } } },
      variant: {
        kind: 'list',
        label: 'Variant',
        discriminator: 'kind',
        itemFieldsByType: { a: { to: { kind: 'text', label: 'Title' } } },
      },
    },
  },
}

const props = (blockId: string, patch: object) => ({ op: 'update_props', pageSlug: '/a', blockId, patch })
const item = (blockId: string, listKey: string, patch: object) => ({
  op: 'update_item',
  pageSlug: '/a',
  blockId,
  listKey,
  index: 0,
  patch,
})

/** What an operation on a block is called; `b1` is a Hero, `b2` a grid of cards, `b3` and `b5` of types that the site declares, `b4` of none, `b6` has rows of several kinds. */
const named: readonly (readonly [op: object, line: string])[] = [
  [props('b1', { ctaText: 'Go', own: 'x' }), 'Changed Hero on /a: button text to “Go”, own to “x”'],
  [
    props('b1', { heading: null, secondaryCtaHref: '/b' }),
    'Changed Hero on /a: no heading, second button link to “/b”',
  ],
  [item('b2', 'cards', { ctaText: 'Go' }), 'Changed row 1 in cards of Card Grid on /a: button text to “Go”'],
  [item('b6', 'left', { alt: 'x' }), 'Changed row 1 in left of Two Column on /a: image description to “x”'],
  [props('b3', { seo: 'x', heading: 'y' }), 'Changed Name plate on /a: SEO line to “x”, heading to “y”'],
  [item('b3', 'rows', { t: 'x' }), 'Changed row 1 in lines of Name plate on /a: line text to “x”'],
  [
    props('b5', { text: 'x', ctaText: 'Go', ogTitle: 'y' }),
    'Changed Notice on /a: words to “x”, button text to “Go”, title to “y”',
  ],
  [item('b5', 'ctaHref', { to: '/b' }), 'Changed row 1 in button link of Notice on /a: link to “/b”'],
  [item('b5', 'variant', { to: 'x' }), 'Changed row 1 in variant of Notice on /a: title to “x”'],
  [props('b4', { someText: 'x' }), 'Changed Unknown on /a: someText to “x”'],
  [item('b4', 'rows', { t: 'x' }), 'Changed row 1 in rows of Unknown on /a: t to “x”'],
  [
    { op: 'add_block', pageSlug: '/a', block: { id: 'b7', type: 'FAQAccordion', props: {} } },
    'Added FAQ Accordion to /a',
  ],
  [{ op: 'remove_block', pageSlug: '/a', blockId: 'gone' }, 'Removed block on /a'],
]

t.test('blocks and fields have display names, those of the site where it declares them', async (t) => {
  const blocks = ['Hero', 'CardGrid', 'NamePlate', 'Unknown', 'Banner', 'TwoColumn'].map((type, index) => ({
    id: `b${index + 1}`,
    type,
    props: {},
  }))
  const source = { manifest: createRegistry([plate, banner]) }
  for (const [raw, expected] of named)
    t.same(changeLines(opsOf(raw), 'done', source, [pageOf('/a', blocks)]), [expected])
})

t.test('a block is named before the operation that adds it is applied', (t) => {
  const ops = opsOf({ op: 'add_block', pageSlug: '/a', block }, { op: 'move_block', ...at })
  t.strictSame(changeLines(ops, 'planned', { manifest: undefined }, [pageOf('/a', [])]), [
    'Add Hero to /a',
    'Move Hero on /a',
  ])
  t.end()
})

const reasons: readonly DestructiveReason[] = [
  { kind: 'remove_page', slug: '/a', title: 'Title', blockCount: 1 },
  { kind: 'multi_page_plan', slugs: Array.from({ length: 11 }, (_, index) => `/p${index}`) },
  { kind: 'bulk_remove_blocks', count: 7 },
  { kind: 'majority_page_wipe', slug: '/a', removing: 5, total: 9 },
]

t.test('reasons name what would be lost', (t) => {
  const names = [
    /“Title” \(\/a\) with 1 block\./,
    /11 pages: .*\/p9, …\./,
    /7 blocks/,
    /5 of the 9 blocks on \/a/,
  ]
  t.match(
    reasons.map((reason) => texts.reason(reason)),
    names,
  )
  t.end()
})
