import t from 'tap'
import * as v from 'valibot'
import type { Page } from '../../plugins/content/page.ts'
import { pageOf } from '../helpers/content.ts'
import { textBlock } from '../helpers/stack.ts'
import type { Attempt } from './attempt.ts'
import { Case } from './case.ts'
import { pass, score, type Dimension, type Verdict } from './score.ts'

const hero = (heading: string) => ({ id: 'b_hero', type: 'Hero', props: { heading, tags: ['a', 'b'] } })
const draftOf = (...pages: readonly Page[]) => ({ pages, config: {} })
const home = (heading = 'Boats', ...more: Page['blocks']) =>
  pageOf('/', [hero(heading), textBlock('b_1', 'One'), textBlock('b_2', 'Two'), ...more])

const before = draftOf(home())
const done = draftOf(home('Ships'))

/** A question without a change, with overrides. */
const attemptOf = (more: Partial<Attempt> = {}): Attempt => {
  const { after = before } = more
  return {
    status: 'needs_clarification',
    summary: 'Which one do you mean?',
    opTypes: [],
    opCount: 0,
    ops: [],
    before,
    after,
    outcome: after,
    estimatedUsd: 0,
    ...more,
  }
}
const applied = attemptOf({
  status: 'applied',
  summary: 'I changed the heading.',
  opTypes: ['update_props'],
  opCount: 1,
  after: done,
})
const held = attemptOf({
  status: 'plan_ready',
  opTypes: ['remove_page'],
  opCount: 1,
  ops: [{ op: 'remove_page', pageSlug: '/team' }],
  before: draftOf(home(), pageOf('/team', [])),
  after: draftOf(home(), pageOf('/team', [])),
  outcome: before,
})

const caseOf = (more: object): Case =>
  v.parse(Case, {
    id: 'some',
    category: 'text_edit',
    slug: '/',
    message: 'Say something',
    expectedStatus: 'applied',
    ...more,
  })
const edit = {
  expectedOpTypes: ['update_props'],
  expectedTargetBlockIds: ['b_hero'],
  assertions: [{ type: 'block_prop_equals', blockId: 'b_hero', prop: 'heading', value: 'Ships' }],
}
const quiet = { expectedStatus: ['needs_clarification', 'info'], assertions: [{ type: 'draft_unchanged' }] }

interface Row {
  readonly name: string
  readonly wanted: object
  readonly attempt: Attempt
  readonly total: number
  readonly verdict: Verdict
  readonly dimensions?: Partial<Record<Dimension, number>>
}

const rows: readonly Row[] = [
  { name: 'everything as expected', wanted: edit, attempt: applied, total: 1, verdict: 'exact' },
  { name: 'only a status is expected', wanted: {}, attempt: applied, total: 1, verdict: 'exact' },
  {
    name: 'a question instead of an edit',
    wanted: edit,
    attempt: attemptOf(),
    total: 0.05,
    verdict: 'refused',
    dimensions: { status: 0, opTypes: 0, targeting: 0, assertions: 0, content: 1 },
  },
  {
    name: 'a reported failure',
    wanted: edit,
    attempt: attemptOf({ status: 'error' }),
    total: 0.05,
    verdict: 'refused',
  },
  {
    name: 'an edit that was reported but not made',
    wanted: edit,
    attempt: attemptOf({ status: 'applied' }),
    total: 0.25,
    verdict: 'wrong',
  },
  {
    name: 'no operation is expected, and the status is wrong',
    wanted: {},
    attempt: attemptOf(),
    total: 0.3,
    verdict: 'refused',
    dimensions: { opTypes: 0, targeting: 0 },
  },
  {
    name: 'one operation of two',
    wanted: { ...edit, expectedOpTypes: ['update_props', 'move_block'] },
    attempt: applied,
    total: 0.9,
    verdict: 'acceptable',
    dimensions: { opTypes: 2 / 3 },
  },
  {
    name: 'one extra operation',
    wanted: edit,
    attempt: { ...applied, opTypes: ['update_props', 'move_block'] },
    total: 0.9,
    verdict: 'acceptable',
    dimensions: { opTypes: 2 / 3 },
  },
  {
    name: 'other operations',
    wanted: { ...edit, expectedOpTypes: ['move_block'] },
    attempt: applied,
    total: 0.7,
    verdict: 'acceptable',
    dimensions: { opTypes: 0 },
  },
  {
    name: 'the target is untouched',
    wanted: { ...edit, expectedTargetBlockIds: ['b_hero', 'b_1'] },
    attempt: applied,
    total: 0.9,
    verdict: 'acceptable',
    dimensions: { targeting: 0.5 },
  },
  {
    name: 'no touched block of an expected type',
    wanted: { ...edit, expectedTargetBlockTypes: ['RichText', 'Hero'] },
    attempt: applied,
    total: 0.9333,
    verdict: 'acceptable',
    dimensions: { targeting: 1 - 1 / 3 },
  },
  {
    name: 'a forbidden block is changed',
    wanted: { ...edit, forbiddenBlockIds: ['b_hero', 'b_2'] },
    attempt: applied,
    total: 0.9333,
    verdict: 'acceptable',
    dimensions: { targeting: 1 - 1 / 3 },
  },
  {
    name: 'too many operations',
    wanted: { ...edit, expectedOpCount: { min: 2, max: 3 } },
    attempt: applied,
    total: 0.9,
    verdict: 'acceptable',
    dimensions: { targeting: 0.5 },
  },
  {
    name: 'an assertion that does not hold',
    wanted: { ...edit, assertions: [...edit.assertions, { type: 'block_exists', blockType: 'CTA' }] },
    attempt: applied,
    total: 0.875,
    verdict: 'acceptable',
    dimensions: { assertions: 0.5 },
  },
  {
    name: 'an answer that is too long',
    wanted: { ...edit, contentChecks: [{ type: 'max_word_count', prop: 'summary', maxWords: 2 }] },
    attempt: applied,
    total: 0.95,
    verdict: 'acceptable',
    dimensions: { content: 0 },
  },
  {
    name: 'mostly wrong',
    wanted: { ...edit, expectedOpTypes: ['add_item'], forbiddenBlockIds: ['b_hero'] },
    attempt: applied,
    total: 0.6,
    verdict: 'wrong',
  },
  { name: 'an expected question', wanted: quiet, attempt: attemptOf(), total: 1, verdict: 'exact' },
  {
    name: 'another answer instead of a question',
    wanted: quiet,
    attempt: attemptOf({ status: 'advice' }),
    total: 0.5,
    verdict: 'wrong',
    dimensions: { status: 0, opTypes: 0, targeting: 1 },
  },
  {
    name: 'an unexpected change, with the right status',
    wanted: quiet,
    attempt: { ...applied, status: 'info' },
    total: 0,
    verdict: 'wrong',
    dimensions: { status: 1 },
  },
  {
    name: 'an unexpected change, with only a status expected',
    wanted: { expectedStatus: 'info' },
    attempt: { ...applied, status: 'info' },
    total: 0,
    verdict: 'wrong',
  },
  {
    name: 'already as requested, and unchanged',
    wanted: { assertions: [{ type: 'draft_unchanged' }] },
    attempt: attemptOf({ status: 'applied' }),
    total: 1,
    verdict: 'exact',
  },
  {
    name: 'already as requested, but changed',
    wanted: { assertions: [{ type: 'draft_unchanged' }] },
    attempt: applied,
    total: 0,
    verdict: 'wrong',
  },
  {
    name: 'a pending plan that is right once approved',
    wanted: {
      expectedStatus: 'plan_ready',
      expectedOpTypes: ['remove_page'],
      assertions: [{ type: 'page_not_exists', slug: '/team' }],
    },
    attempt: held,
    total: 1,
    verdict: 'exact',
  },
  {
    name: 'a pending plan that should have been applied',
    wanted: { expectedOpTypes: ['remove_page'] },
    attempt: held,
    total: 0.6,
    verdict: 'refused',
    dimensions: { targeting: 0 },
  },
  {
    name: 'a change that should have been pending',
    wanted: { expectedStatus: 'plan_ready', expectedOpTypes: ['update_props'] },
    attempt: applied,
    total: 0,
    verdict: 'wrong',
  },
]

t.test('each dimension has its weight, and an unrequested change scores 0', (t) => {
  for (const { name, wanted, attempt, total, verdict, dimensions = {} } of rows) {
    const judged = score(caseOf(wanted), attempt)
    t.match(
      { total: judged.total, verdict: judged.verdict, dimensions: judged.dimensions },
      { total, verdict, dimensions },
      name,
    )
    t.equal(judged.isIntrusive, verdict === 'wrong' && total === 0, name)
    t.equal(judged.misses.length === 0, total === 1, `${name}: ${judged.misses.join('; ')}`)
    t.equal(total >= pass, verdict === 'exact' || verdict === 'acceptable', name)
  }
  t.end()
})

const moved = draftOf(
  pageOf('/', [
    hero('Ships'),
    textBlock('b_2', 'Two'),
    textBlock('b_1', 'One'),
    { id: 'b_3', type: 'Quote', props: { quote: 'So it is.', tags: ['a'] } },
  ]),
  pageOf('/team', []),
)
const busy = attemptOf({
  status: 'applied',
  after: moved,
  ops: [
    { op: 'move_block', blockId: 'b_2', pageSlug: '/' },
    { op: 'update_site_config', patch: { name: 'New', logo: '/l.svg' } },
  ],
})

for (const [assertion, yes, no] of [
  [
    'block_prop_equals',
    { blockId: 'b_hero', prop: 'heading', value: 'Ships' },
    { blockId: 'b_hero', prop: 'heading', value: 'Boats' },
  ],
  [
    'block_prop_equals',
    { blockType: 'Hero', prop: 'tags[1]', value: 'b' },
    { blockType: 'Hero', prop: 'tags[2]', value: 'b' },
  ],
  [
    'block_prop_matches',
    { blockType: 'Quote', prop: 'quote', pattern: '^SO' },
    { blockType: 'Quote', prop: 'quote', pattern: 'no$' },
  ],
  [
    'block_prop_matches',
    { blockType: 'Quote', prop: 'quote', pattern: '\\.$' },
    { blockType: 'Video', prop: 'quote', pattern: '.' },
  ],
  ['block_prop_changed', { blockId: 'b_hero', prop: 'heading' }, { blockId: 'b_1', prop: 'body' }],
  ['block_exists', { blockId: 'b_1' }, { blockId: 'b_1', slug: '/team' }],
  ['block_not_exists', { blockType: 'Video' }, { blockType: 'Quote' }],
  ['block_count', { count: 4 }, { count: 3 }],
  ['block_count', { count: 2, blockType: 'RichText' }, { count: 1, blockType: 'RichText', slug: '/team' }],
  ['block_order', { blocks: ['Hero', 'b_2', 'b_1', 'Quote'] }, { blocks: ['Hero', 'b_1', 'b_2', 'Quote'] }],
  ['block_order', { blocks: [], slug: '/team' }, { blocks: ['Hero', 'b_2', 'b_1', 'Quote', 'CTA'] }],
  ['block_order', { blocks: ['Hero', 'b_2', 'b_1', 'b_3'] }, { blocks: ['Hero', 'b_2', 'b_1'] }],
  ['page_exists', { slug: '/team' }, { slug: '/nowhere' }],
  ['page_exists', { slug: '/', title: home().title }, { slug: '/', title: 'Another' }],
  ['page_not_exists', { slug: '/nowhere' }, { slug: '/team' }],
  [
    'item_count_delta',
    { blockType: 'Quote', prop: 'tags', delta: 1 },
    { blockType: 'Hero', prop: 'tags', delta: 1 },
  ],
  ['op_equals', { op: { op: 'move_block', blockId: 'b_2' } }, { op: { op: 'move_block', blockId: 'b_1' } }],
  [
    'op_equals',
    { op: { op: 'update_site_config', patch: { name: 'New' } } },
    { op: { op: 'update_site_config', patch: { name: 'New', navLabels: {} } } },
  ],
] as const) {
  t.test(`${assertion} passes and fails correctly: ${JSON.stringify(yes)}`, (t) => {
    const judge = (rest: object) =>
      score(caseOf({ assertions: [{ type: assertion, ...rest }] }), busy).dimensions.assertions
    t.equal(judge(yes), 1)
    t.equal(judge(no), 0, JSON.stringify(no))
    t.end()
  })
}

for (const [type, yes, no] of [
  ['max_word_count', { prop: 'summary', maxWords: 4 }, { prop: 'summary', maxWords: 3 }],
  [
    'max_word_count',
    { blockType: 'Quote', prop: 'quote', maxWords: 3 },
    { blockType: 'Video', prop: 'quote', maxWords: 3 },
  ],
  [
    'no_banned_words',
    { prop: 'summary_for_user', bannedWords: ['head'] },
    { prop: 'summary_for_user', bannedWords: ['Heading'] },
  ],
  [
    'no_banned_words',
    { blockId: 'b_1', prop: 'body', bannedWords: ['two'] },
    { blockId: 'b_1', prop: 'body', bannedWords: ['ONE'] },
  ],
  [
    'matches_regex',
    { blockId: 'b_hero', prop: 'heading', pattern: '^Ships$' },
    { blockId: 'b_hero', prop: 'heading', pattern: '^ships$' },
  ],
  ['matches_regex', { prop: 'summary', pattern: '\\.$' }, { prop: 'summary', pattern: '^The' }],
  [
    'matches_regex',
    { blockId: 'b_1', prop: 'body', pattern: '.' },
    { blockId: 'b_1', prop: 'summary', pattern: '.' },
  ],
] as const) {
  t.test(`${type} checks the answer or a text of a block: ${JSON.stringify(yes)}`, (t) => {
    const judge = (rest: object) =>
      score(caseOf({ contentChecks: [{ type, ...rest }] }), { ...busy, summary: 'I changed the heading.' })
        .dimensions.content
    t.equal(judge(yes), 1)
    t.equal(judge(no), 0, JSON.stringify(no))
    t.end()
  })
}

t.test('a moved block counts as touched, an edited block as altered', (t) => {
  const misses = (more: object) => score(caseOf(more), busy).misses
  t.strictSame(
    misses({
      expectedTargetBlockIds: ['b_1', 'b_2', 'b_hero'],
      expectedTargetBlockTypes: ['Quote'],
      forbiddenBlockIds: ['b_1', 'b_2'],
    }),
    [],
  )
  t.strictSame(misses({ forbiddenBlockIds: ['b_hero'], expectedTargetBlockTypes: ['Video'] }), [
    'no Video is changed',
    'b_hero is changed',
  ])
  t.end()
})
