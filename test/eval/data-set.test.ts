import t, { type Test } from 'tap'
import { folderWith } from '../config/helpers.ts'
import { selectCases, EvalError, ownFolder, readDataSet } from './data-set.ts'
import { asksForChange, categories, mustNotChange } from './case.ts'

const page = {
  id: 'p_home',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [{ id: 'b_1', type: 'Quote', props: { quote: 'Hello' } }],
}
const right = {
  id: 'text-one',
  category: 'text_edit',
  slug: '/',
  message: 'Change it',
  expectedStatus: 'applied',
}

const dataIn = (t: Test, rows: unknown, fixture: unknown = [page]): string =>
  folderWith(t, {
    'fixture.json': JSON.stringify(fixture),
    'cases/text.json': typeof rows === 'string' ? rows : JSON.stringify(rows),
  })

async function problemsOf(folder: string): Promise<readonly string[]> {
  try {
    await readDataSet(folder)
    return []
  } catch (error) {
    if (error instanceof EvalError) return error.problems
    throw error
  }
}

t.test('an invalid case is reported by file, id and path', async (t) => {
  const assertion = (each: object) => ({ ...right, assertions: [{ type: 'draft_unchanged' }, each] })
  for (const [name, row, problem] of [
    ['no id', { ...right, id: undefined }, /^cases\/text\.json, case number 1: id: /],
    ['an id with blanks', { ...right, id: 'Text one' }, /case 'Text one': id: has other characters/],
    ['an unknown category', { ...right, category: 'poetry' }, /case 'text-one': category: /],
    [
      'an unknown status',
      { ...right, expectedStatus: 'done' },
      /case 'text-one': expectedStatus: expected one of applied, plan_ready/,
    ],
    ['no status at all', { ...right, expectedStatus: [] }, /expectedStatus: /],
    [
      'an unknown operation',
      { ...right, expectedOpTypes: ['paint'] },
      /case 'text-one': expectedOpTypes\.0: /,
    ],
    ['a mistyped field', { ...right, expectedOpType: ['update_props'] }, /case 'text-one': expectedOpType: /],
    ['an unknown assertion', assertion({ type: 'block_shines' }), /case 'text-one': assertions\.1\.type: /],
    ['an assertion without its value', assertion({ type: 'page_exists' }), /assertions\.1\.slug: /],
    [
      'an assertion without a block',
      assertion({ type: 'block_exists' }),
      /assertions\.1: needs a blockId or a blockType/,
    ],
    [
      'an assertion without an expected value',
      assertion({ type: 'block_prop_equals', blockId: 'b_1', prop: 'quote' }),
      /assertions\.1\.value: /,
    ],
    [
      'a content check without a block',
      { ...right, contentChecks: [{ type: 'max_word_count', prop: 'quote', maxWords: 3 }] },
      /contentChecks\.0: needs a blockId or a blockType, or summary/,
    ],
    [
      'an invalid pattern',
      assertion({ type: 'block_prop_matches', blockId: 'b_1', prop: 'quote', pattern: '(' }),
      /assertions\.1\.pattern: is not a regular expression/,
    ],
    ['a weight of 0', { ...right, weight: 0 }, /weight: /],
    ['a missing page', { ...right, slug: '/shop' }, /case 'text-one': slug: there is no page '\/shop'/],
    [
      'missing blocks',
      { ...right, activeBlockId: 'b_7', forbiddenBlockIds: ['b_1', 'b_8'] },
      /activeBlockId: no page has a block 'b_7'/,
    ],
    [
      'own pages without the block',
      { ...right, fixture: [{ ...page, blocks: [] }], expectedTargetBlockIds: ['b_1'] },
      /expectedTargetBlockIds: no page has a block 'b_1'/,
    ],
    ['not an object', 7, /case number 1: /],
  ] as const) {
    const problems = await problemsOf(dataIn(t, [row]))
    t.ok(problems.length > 0, name)
    t.match(problems[0], problem, name)
  }
})

t.test('all problems are reported at once', async (t) => {
  const problems = await problemsOf(
    dataIn(t, [{ ...right, message: '' }, right, right, { ...right, id: 'text-two', slug: '/shop' }]),
  )
  t.match(problems, [
    /case 'text-one': message: must not be empty/,
    /case 'text-one': id: is a duplicate/,
    /case 'text-two': slug: /,
  ])
})

t.test('invalid data set files are reported', async (t) => {
  t.match(await problemsOf(dataIn(t, '[{')), [/^text\.json cannot be read as JSON: /])
  t.match(await problemsOf(dataIn(t, {})), [/^cases\/text\.json: the value: /])
  t.match(await problemsOf(dataIn(t, [right], [{ ...page, blocks: 'none' }])), [
    /^fixture\.json: 0\.blocks: /,
  ])
  t.match(await problemsOf(folderWith(t)), [/^fixture\.json cannot be read as JSON: /])
  t.match(await problemsOf(folderWith(t, { 'fixture.json': '[]' })), [/^There are no cases in /])
})

t.test('cases are selected by tags and by id', async (t) => {
  const { cases } = await readDataSet(
    dataIn(t, [
      { ...right, tags: ['core'] },
      { ...right, id: 'text-two', tags: ['edge', 'model'] },
      { ...right, id: 'move-one', tags: ['edge'] },
    ]),
  )
  const ids = (choice: object) => selectCases(cases, choice).map(({ id }) => id)
  t.strictSame(ids({}), ['text-one', 'text-two', 'move-one'])
  t.strictSame(ids({ tags: 'core, model' }), ['text-one', 'text-two'])
  t.strictSame(ids({ tags: '!model' }), ['text-one', 'move-one'])
  t.strictSame(ids({ tags: 'edge,!model' }), ['move-one'])
  t.strictSame(ids({ glob: 'text-*' }), ['text-one', 'text-two'])
  t.strictSame(ids({ glob: '*-{one,three}', tags: 'edge' }), ['move-one'])
  t.throws(() => selectCases(cases, { tags: 'poetry' }), {
    message: /No case fits --tags 'poetry'.* Tags in use are core, edge, model\./,
  })
})

t.test(
  'the data set has enough cases of every category, a third of which must not change the draft',
  async (t) => {
    const { cases, fixture } = await readDataSet(ownFolder)
    t.equal(fixture.length, 8)
    t.equal(fixture.flatMap(({ blocks }) => blocks).length, 40)
    t.ok(cases.length >= 150)
    for (const category of categories)
      t.ok(cases.filter((each) => each.category === category).length >= 15, category)
    t.ok(cases.filter((each) => mustNotChange(each) && !asksForChange(each)).length * 3 >= cases.length)
    t.ok(cases.filter(({ tags }) => tags.includes('model')).length >= 15)
    t.strictSame(
      cases.filter(
        (each) => !asksForChange(each) && !each.assertions.some(({ type }) => type === 'draft_unchanged'),
      ),
      [],
      'each has a draft_unchanged assertion',
    )
  },
)
