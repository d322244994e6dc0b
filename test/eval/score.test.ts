import t from 'tap'
import * as v from 'valibot'
import type { Page } from '../../plugins/content/page.ts'
import { pageOf } from '../helpers/content.ts'
import { textBlock } from '../helpers/stack.ts'
import type { Attempt } from './attempt.ts'
import { Case } from './case.ts'
import { pass, score, type Verdict } from './score.ts'

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

type ScoredCase = readonly [
  name: string,
  wanted: object,
  done: Attempt,
  verdict: Verdict,
  total: number,
  more?: object,
]
const two = { ...edit, expectedOpTypes: ['update_props', 'move_block'] }
const refused = { status: 0, opTypes: 0, targeting: 0, assertions: 0, content: 1 }
const unchanged = { assertions: [{ type: 'draft_unchanged' }] }
const long = { contentChecks: [{ type: 'max_word_count', prop: 'summary', maxWords: 2 }] }
const noCta = { assertions: [...edit.assertions, { type: 'block_exists', blockType: 'CTA' }] }
const gone = { assertions: [{ type: 'page_not_exists', slug: '/team' }] }

const rows: readonly ScoredCase[] = [
  ['everything as expected', edit, applied, 'exact', 1],
  ['only a status is expected', {}, applied, 'exact', 1],
  ['a question instead of an edit', edit, attemptOf(), 'refused', 0.05, refused],
  ['a reported failure', edit, attemptOf({ status: 'error' }), 'refused', 0.05],
  ['an edit that was reported but not made', edit, attemptOf({ status: 'applied' }), 'wrong', 0.25],
  ['no operation is expected, and the status is wrong', {}, attemptOf(), 'refused', 0.3, { targeting: 0 }],
  ['one operation of two', two, applied, 'acceptable', 0.9, { opTypes: 2 / 3 }],
  ['one extra operation', edit, { ...applied, opTypes: two.expectedOpTypes }, 'acceptable', 0.9],
  ['other operations', { ...edit, expectedOpTypes: ['move_block'] }, applied, 'acceptable', 0.7],
  ['an untouched target', { ...edit, expectedTargetBlockIds: ['b_hero', 'b_1'] }, applied, 'acceptable', 0.9],
  ['no block of a type', { ...edit, expectedTargetBlockTypes: ['RichText'] }, applied, 'acceptable', 0.9],
  ['a forbidden block', { ...edit, forbiddenBlockIds: ['b_hero', 'b_2'] }, applied, 'acceptable', 0.9333],
  ['too many operations', { ...edit, expectedOpCount: { min: 2, max: 3 } }, applied, 'acceptable', 0.9],
  ['a broken assertion', { ...edit, ...noCta }, applied, 'acceptable', 0.875, { assertions: 0.5 }],
  ['an answer that is too long', { ...edit, ...long }, applied, 'acceptable', 0.95, { content: 0 }],
  [
    'mostly wrong',
    { ...edit, expectedOpTypes: ['add_item'], forbiddenBlockIds: ['b_hero'] },
    applied,
    'wrong',
    0.6,
  ],
  ['an expected question', quiet, attemptOf(), 'exact', 1],
  ['another answer', quiet, attemptOf({ status: 'advice' }), 'wrong', 0.5, { status: 0, targeting: 1 }],
  ['an unexpected change', quiet, { ...applied, status: 'info' }, 'wrong', 0, { status: 1 }],
  ['a change beside an answer', { expectedStatus: 'info' }, { ...applied, status: 'info' }, 'wrong', 0],
  ['already so, and unchanged', unchanged, attemptOf({ status: 'applied' }), 'exact', 1],
  ['already so, but changed', unchanged, applied, 'wrong', 0],
  [
    'right once approved',
    { ...gone, expectedStatus: 'plan_ready', expectedOpTypes: ['remove_page'] },
    held,
    'exact',
    1,
  ],
  ['held instead of applied', { expectedOpTypes: ['remove_page'] }, held, 'refused', 0.6, { targeting: 0 }],
  ['applied instead of held', { ...edit, expectedStatus: 'plan_ready' }, applied, 'wrong', 0],
]

t.test('each dimension has its weight, and an unrequested change scores 0', (t) => {
  for (const [name, wanted, done, verdict, total, dimensions = {}] of rows) {
    const judged = score(caseOf(wanted), done)
    t.match(judged, { total, verdict, dimensions, isIntrusive: verdict === 'wrong' && total === 0 }, name)
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

/** Lines of `CHECK HOLDS | FAILS`. */
const assertions = String.raw`
block_prop_equals {"blockId":"b_hero","prop":"heading","value":"Ships"} | {"blockId":"b_hero","prop":"heading","value":"Boats"}
block_prop_equals {"blockType":"Hero","prop":"tags[1]","value":"b"} | {"blockType":"Hero","prop":"tags[2]","value":"b"}
block_prop_matches {"blockType":"Quote","prop":"quote","pattern":"^SO"} | {"blockType":"Quote","prop":"quote","pattern":"no$"}
block_prop_matches {"blockType":"Quote","prop":"quote","pattern":"\\.$"} | {"blockType":"Video","prop":"quote","pattern":"."}
block_prop_changed {"blockId":"b_hero","prop":"heading"} | {"blockId":"b_1","prop":"body"}
block_exists {"blockId":"b_1"} | {"blockId":"b_1","slug":"/team"}
block_not_exists {"blockType":"Video"} | {"blockType":"Quote"}
block_count {"count":4} | {"count":3}
block_count {"count":2,"blockType":"RichText"} | {"count":1,"blockType":"RichText","slug":"/team"}
block_order {"blocks":["Hero","b_2","b_1","Quote"]} | {"blocks":["Hero","b_1","b_2","Quote"]}
block_order {"blocks":[],"slug":"/team"} | {"blocks":["Hero","b_2","b_1"]}
page_exists {"slug":"/team"} | {"slug":"/nowhere"}
page_exists {"slug":"/","title":"${home().title}"} | {"slug":"/","title":"Another"}
page_not_exists {"slug":"/nowhere"} | {"slug":"/team"}
item_count_delta {"blockType":"Quote","prop":"tags","delta":1} | {"blockType":"Hero","prop":"tags","delta":1}
op_equals {"op":{"op":"move_block","blockId":"b_2"}} | {"op":{"op":"move_block","blockId":"b_1"}}
op_equals {"op":{"op":"update_site_config","patch":{"name":"New"}}} | {"op":{"op":"update_site_config","patch":{"navLabels":{}}}}
`
const contentChecks = String.raw`
max_word_count {"prop":"summary","maxWords":4} | {"prop":"summary","maxWords":3}
max_word_count {"blockType":"Quote","prop":"quote","maxWords":3} | {"blockType":"Video","prop":"quote","maxWords":3}
no_banned_words {"prop":"summary_for_user","bannedWords":["head"]} | {"prop":"summary_for_user","bannedWords":["Heading"]}
no_banned_words {"blockId":"b_1","prop":"body","bannedWords":["two"]} | {"blockId":"b_1","prop":"body","bannedWords":["ONE"]}
matches_regex {"blockId":"b_hero","prop":"heading","pattern":"^Ships$"} | {"blockId":"b_hero","prop":"heading","pattern":"^ships$"}
matches_regex {"prop":"summary","pattern":"\\.$"} | {"blockId":"b_1","prop":"summary","pattern":"."}
`

t.test('each assertion and each content check holds and fails', (t) => {
  for (const [field, dimension, lines] of [
    ['assertions', 'assertions', assertions],
    ['contentChecks', 'content', contentChecks],
  ] as const) {
    for (const line of lines.trim().split('\n')) {
      const [, type, ...both] = /^(\w+) (.*) \| (.*)$/.exec(line) ?? []
      const values = both.map((json) => {
        const wanted = caseOf({ [field]: [{ type, ...JSON.parse(json) }] })
        return score(wanted, { ...busy, summary: applied.summary }).dimensions[dimension]
      })
      t.strictSame(values, [1, 0], line)
    }
  }
  t.end()
})

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
